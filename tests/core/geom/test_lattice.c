/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/lattice.h"

#include "geom/embed.h"
#include "skins.h"

static lattice built(const skin *s, int cells, int threads, arena *memory) {
  lattice l;
  tasks t = {threads};
  claim_ok(lattice_build(&t, s->vertices, s->vertex_count, s->triangles, s->triangle_count, cells,
                         memory, &l, err));
  return l;
}

/* Weights are what embed.h says, and give the points back. Returns how far off at worst. */
static double claim_carried(const skin *s, const lattice *l, arena *memory) {
  embedding e;
  tasks t = {1};
  claim_ok(embed_points(&t, l->nodes, l->node_count, l->tets, l->tet_count, s->vertices,
                        s->vertex_count, memory, &e, err));
  double worst = 0;
  for (size_t i = 0; i < s->vertex_count; i++) {
    vec3 p = {0};
    double sum = 0;
    for (int a = 0; a < 4; a++) {
      double w = e.weight[i][a];
      assert_true(w >= -1e-9 && w <= 1 + 1e-9);
      sum += w;
      p = vec3_madd(p, w, l->nodes[e.anchor[i][a]]);
    }
    claim_near(sum, 1, 1e-14);
    worst = fmax(worst, vec3_norm(vec3_sub(p, s->vertices[i])));
  }
  return worst;
}

/* No tet twice, and every node used. */
static int compare_tets(const void *a, const void *b) { return memcmp(a, b, 4 * sizeof(int32_t)); }

static void claim_sound(const lattice *l) {
  bool *used = calloc(l->node_count, sizeof *used);
  int32_t *sorted = malloc(4 * l->tet_count * sizeof *sorted);
  assert_true(used && sorted);
  memcpy(sorted, l->tets, 4 * l->tet_count * sizeof *sorted);
  for (size_t i = 0; i < l->tet_count; i++) {
    int32_t *t = sorted + 4 * i;
    for (int a = 0; a < 4; a++) used[t[a]] = true;
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 3; b++)
        if (t[b] > t[b + 1]) {
          int32_t kept = t[b];
          t[b] = t[b + 1];
          t[b + 1] = kept;
        }
  }
  for (size_t i = 0; i < l->node_count; i++) assert_true(used[i]);
  qsort(sorted, l->tet_count, 4 * sizeof *sorted, compare_tets);
  for (size_t i = 1; i < l->tet_count; i++)
    assert_true(compare_tets(sorted + 4 * (i - 1), sorted + 4 * i) != 0);
  free(used);
  free(sorted);
}

static void a_box_along_the_axes_is_filled_exactly(void **state) {
  skin s = skin_box(3, vec3_make(2, 1, 0.5), *state);
  lattice l = built(&s, 16, 1, *state);
  assert_int_equal(l.tet_count, 5 * 16 * 8 * 4);
  assert_int_equal(l.node_count, 17 * 9 * 5); /* neighbours share their nodes */
  claim_near(tets_volume(l.nodes, l.tets, l.tet_count), 8, 1e-7);
  claim_sound(&l);
  claim_below(claim_carried(&s, &l, *state), 1e-12);
}

static void a_sphere_is_covered_and_not_much_more(void **state) {
  skin s = skin_sphere(20, 1, *state);
  double ball = 4.0 / 3 * acos(-1), before = INFINITY;
  for (int cells = 5; cells <= 40; cells *= 2) {
    lattice l = built(&s, cells, 1, *state);
    double volume = tets_volume(l.nodes, l.tets, l.tet_count);
    /* the cubes that are cut lie within a diagonal of the surface */
    double shell = ball * pow(1 + sqrt(3) * l.side, 3);
    assert_true(volume > 0.99 * ball && volume < shell && volume < before);
    before = volume;
    claim_sound(&l);
    claim_below(claim_carried(&s, &l, *state), 1e-12);
    assert_int_equal(tets_pieces(l.node_count, l.tets, l.tet_count), 1);
  }
}

/* Every face inside belongs to two tets whose diagonals agree: the boundary of the whole encloses
 * what the tets fill, by the divergence theorem, only if no face is left over between cubes. */
static void diagonals_of_neighbouring_cubes_agree(void **state) {
  skin s = skin_sphere(8, 1, *state);
  lattice l = built(&s, 7, 1, *state);
  static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  for (size_t i = 0; i < l.tet_count; i++)
    for (int f = 0; f < 4; f++) {
      int32_t key[3];
      for (int a = 0; a < 3; a++) key[a] = l.tets[4 * i + (size_t)face[f][a]];
      vec3 c = vec3_scale(1.0 / 3,
                          vec3_add(l.nodes[key[0]], vec3_add(l.nodes[key[1]], l.nodes[key[2]])));
      int holders = 0;
      for (size_t j = 0; j < l.tet_count; j++) {
        int common = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 4; b++) common += l.tets[4 * j + (size_t)b] == key[a];
        holders += common == 3;
      }
      assert_true(holders == 1 || holders == 2);
      if (vec3_norm(c) < 0.6) assert_int_equal(holders, 2);
    }
}

static void a_hole_turned_triangles_and_inside_out_make_little_difference(void **state) {
  skin s = skin_sphere(16, 1, *state);
  double whole = tets_volume(built(&s, 12, 1, *state).nodes, built(&s, 12, 1, *state).tets,
                             built(&s, 12, 1, *state).tet_count);
  skin holed = s;
  holed.triangle_count -= 20;
  lattice l = built(&holed, 12, 1, *state);
  claim_near(tets_volume(l.nodes, l.tets, l.tet_count), whole, 0.01 * whole);
  claim_below(claim_carried(&holed, &l, *state), 1e-12);
  for (size_t i = 0; i < s.triangle_count; i += 3) skin_turn_over(&s, i);
  l = built(&s, 12, 1, *state);
  claim_near(tets_volume(l.nodes, l.tets, l.tet_count), whole, 1e-12 * whole);
  for (size_t i = 0; i < s.triangle_count; i += 3) skin_turn_over(&s, i);
  skin_turn_all(&s);
  l = built(&s, 12, 1, *state);
  claim_near(tets_volume(l.nodes, l.tets, l.tet_count), whole, 1e-12 * whole);
}

static void spheres_that_cut_each_other_become_one_and_a_cavity_stays_empty(void **state) {
  skin a = skin_sphere(12, 1, *state), b = skin_sphere(12, 1, *state);
  skin_move(&b, 1, 0, 0);
  skin s = skin_both(&a, &b, *state);
  lattice l = built(&s, 24, 1, *state);
  /* two caps of height 1/2 are counted twice */
  double pi = acos(-1), joined = 2 * 4 * pi / 3 - 2 * pi * 0.25 * (3 - 0.5) / 3;
  double volume = tets_volume(l.nodes, l.tets, l.tet_count);
  assert_true(volume > joined && volume < 1.5 * joined);
  assert_int_equal(tets_pieces(l.node_count, l.tets, l.tet_count), 1);

  skin core = skin_sphere(12, 0.7, *state);
  skin_turn_all(&core);
  skin hollow = skin_both(&a, &core, *state);
  l = built(&hollow, 24, 1, *state);
  for (size_t i = 0; i < l.node_count; i++)
    assert_true(vec3_norm(l.nodes[i]) > 0.7 - sqrt(3) * l.side);
}

static void parts_apart_stay_apart_also_where_cubes_meet_in_an_edge_or_a_corner(void **state) {
  skin a = skin_box(2, vec3_make(1, 1, 1), *state), b = skin_box(2, vec3_make(1, 1, 1), *state);
  vec3 away[3] = {{5, 0, 0}, {2, 2, 0}, {2, 2, 2}}; /* far; by an edge; by a corner */
  for (int i = 0; i < 3; i++) {
    skin moved = b;
    moved.vertices = ARENA_ARRAY(*state, vec3, b.vertex_count);
    memcpy(moved.vertices, b.vertices, b.vertex_count * sizeof *b.vertices);
    skin_move(&moved, away[i].x, away[i].y, away[i].z);
    skin s = skin_both(&a, &moved, *state);
    lattice l = built(&s, i ? 8 : 7, 1, *state);
    assert_int_equal(tets_pieces(l.node_count, l.tets, l.tet_count), 2);
    claim_near(tets_volume(l.nodes, l.tets, l.tet_count), 16, 1e-6);
    claim_sound(&l);
  }
  skin near = b; /* closer than a cube: joined */
  skin_move(&near, 2.1, 0, 0);
  skin s = skin_both(&a, &near, *state);
  lattice l = built(&s, 8, 1, *state);
  assert_int_equal(tets_pieces(l.node_count, l.tets, l.tet_count), 1);
}

static void a_sheet_a_line_and_one_triangle_get_cubes_for_all_their_vertices(void **state) {
  skin s = {.vertex_count = 4,
            .triangle_count = 2,
            .vertices = (vec3[4]){{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
            .triangles = (int32_t[6]){0, 1, 2, 0, 2, 3}};
  for (int cells = 1; cells < 12; cells++) {
    lattice l = built(&s, cells, 1, *state);
    tets_volume(l.nodes, l.tets, l.tet_count);
    claim_below(claim_carried(&s, &l, *state), 1e-12);
  }
  skin line = s;
  line.vertices = (vec3[4]){{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  lattice l = built(&line, 6, 1, *state);
  claim_below(claim_carried(&line, &l, *state), 1e-12);
  line.vertices = (vec3[4]){{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  tasks t = {1};
  claim_fails(lattice_build(&t, line.vertices, 4, line.triangles, 2, 5, *state, &l, err),
              TRIBO_BAD_INPUT, "lie in one point");
}

static void soups_are_covered_without_harm(void **state) {
  uint64_t seed = 99;
  for (int round = 1; round < 120; round++) {
    skin s = skin_soup((size_t)round, &seed, *state);
    lattice l = built(&s, 1 + round % 14, 1, *state);
    tets_volume(l.nodes, l.tets, l.tet_count);
    claim_sound(&l);
    claim_below(claim_carried(&s, &l, *state), 1e-12);
    arena_reset(*state);
  }
}

static void threads_make_no_difference(void **state) {
  uint64_t seed = 4;
  skin s = skin_soup(60, &seed, *state), ball = skin_sphere(6, 0.8, *state);
  skin both = skin_both(&s, &ball, *state);
  lattice one = built(&both, 17, 1, *state), two = built(&both, 17, 2, *state);
  assert_int_equal(one.node_count, two.node_count);
  assert_int_equal(one.tet_count, two.tet_count);
  assert_memory_equal(one.nodes, two.nodes, one.node_count * sizeof *one.nodes);
  assert_memory_equal(one.tets, two.tets, 4 * one.tet_count * sizeof *one.tets);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(a_box_along_the_axes_is_filled_exactly),
      CLAIM(a_sphere_is_covered_and_not_much_more),
      CLAIM(diagonals_of_neighbouring_cubes_agree),
      CLAIM(a_hole_turned_triangles_and_inside_out_make_little_difference),
      CLAIM(spheres_that_cut_each_other_become_one_and_a_cavity_stays_empty),
      CLAIM(parts_apart_stay_apart_also_where_cubes_meet_in_an_edge_or_a_corner),
      CLAIM(a_sheet_a_line_and_one_triangle_get_cubes_for_all_their_vertices),
      CLAIM(soups_are_covered_without_harm),
      CLAIM(threads_make_no_difference),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
