/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/tetrahedralise.h"

#include "geom/closed.h"
#include "skins.h"

#define NEEDS_TETGEN()                                                                             \
  if (!tetrahedralise_available()) {                                                               \
    print_message("skipped: the program tetgen is not there (scripts/setup installs it)\n");       \
    skip();                                                                                        \
  }

static tribo_status fill(const skin *s, double size, arena *memory, tetrahedra *out,
                         tribo_error *err) {
  return tetrahedralise_surface("blob", s->vertices, s->vertex_count, s->triangles,
                                s->triangle_count, size, memory, out, err);
}

/* The volume is that of the surface, to rounding; its vertices come first, unchanged. */
static tetrahedra claim_filled(const skin *s, double size, arena *memory) {
  tetrahedra m;
  claim_ok(fill(s, size, memory, &m, err));
  double wanted = closed_volume(s->vertices, s->triangles, s->triangle_count);
  claim_near(tets_volume(m.nodes, m.tets, m.tet_count), wanted, 1e-12 * wanted);
  assert_true(m.node_count >= s->vertex_count);
  assert_memory_equal(m.nodes, s->vertices, s->vertex_count * sizeof *m.nodes);
  return m;
}

/* Least dihedral angle of a tet, degrees. */
static double least_angle(const vec3 *x, const int32_t *t) {
  double least = 180;
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++) {
      int rest[2], n = 0;
      for (int c = 0; c < 4; c++)
        if (c != a && c != b) rest[n++] = c;
      vec3 axis = vec3_normalized(vec3_sub(x[t[b]], x[t[a]]));
      vec3 u = vec3_sub(x[t[rest[0]]], x[t[a]]), v = vec3_sub(x[t[rest[1]]], x[t[a]]);
      u = vec3_normalized(vec3_madd(u, -vec3_dot(u, axis), axis));
      v = vec3_normalized(vec3_madd(v, -vec3_dot(v, axis), axis));
      double cosine = fmax(-1, fmin(1, vec3_dot(u, v)));
      least = fmin(least, acos(cosine) * 180 / acos(-1));
    }
  return least;
}

static void spheres_and_boxes_are_filled_to_the_last_bit_of_volume(void **state) {
  NEEDS_TETGEN();
  skin ball = skin_sphere(10, 1, *state), box = skin_box(4, vec3_make(1, 0.3, 0.2), *state);
  claim_filled(&ball, 0, *state);
  claim_filled(&box, 0, *state);
  skin_move(&box, 50, -20, 3);
  claim_filled(&box, 0, *state);
}

static void tets_are_well_shaped(void **state) {
  NEEDS_TETGEN();
  skin ball = skin_sphere(12, 1, *state);
  tetrahedra m = claim_filled(&ball, 0, *state);
  double least = 180, sum = 0;
  size_t poor = 0;
  for (size_t i = 0; i < m.tet_count; i++) {
    double angle = least_angle(m.nodes, m.tets + 4 * i);
    least = fmin(least, angle);
    sum += angle;
    poor += angle < 10;
  }
  print_message(
      "%zu nodes, %zu tets, least dihedral angle %.1f degrees, in the mean %.1f, "
      "%zu tets below 10\n",
      m.node_count, m.tet_count, least, sum / (double)m.tet_count, poor);
  assert_true(least > 3); /* two triangles of a square and little between them: the surface's own */
  assert_true(100 * poor < m.tet_count);
  assert_true(sum / (double)m.tet_count > 40);
}

static void a_smaller_size_gives_smaller_tets(void **state) {
  NEEDS_TETGEN();
  skin box = skin_box(8, vec3_make(1, 1, 1), *state);
  size_t before = 0;
  for (double size = 1; size > 0.2; size /= 2) {
    tetrahedra m = claim_filled(&box, size, *state);
    /* In the mean a regular tet of that edge at most; single ones grow when angles are improved. */
    claim_below(8.0 / (double)m.tet_count, size * size * size / (6 * sqrt(2)));
    assert_true(m.tet_count > before);
    before = m.tet_count;
  }
}

static void size_and_place_do_not_change_what_is_made(void **state) {
  NEEDS_TETGEN();
  skin ball = skin_sphere(6, 1, *state);
  tetrahedra m = claim_filled(&ball, 0, *state), small;
  skin tiny = skin_sphere(6, ldexp(1, -20), *state);
  small = claim_filled(&tiny, 0, *state);
  assert_int_equal(m.tet_count, small.tet_count);
  assert_memory_equal(m.tets, small.tets, 4 * m.tet_count * sizeof *m.tets);
}

static void twice_the_same_surface_gives_the_same_bits(void **state) {
  NEEDS_TETGEN();
  skin ball = skin_sphere(9, 1, *state);
  tetrahedra a = claim_filled(&ball, 0.2, *state), b = claim_filled(&ball, 0.2, *state);
  assert_int_equal(a.node_count, b.node_count);
  assert_int_equal(a.tet_count, b.tet_count);
  assert_memory_equal(a.nodes, b.nodes, a.node_count * sizeof *a.nodes);
  assert_memory_equal(a.tets, b.tets, 4 * a.tet_count * sizeof *a.tets);
}

static void parts_apart_are_filled_each_and_cavities_stay_empty(void **state) {
  NEEDS_TETGEN();
  skin a = skin_sphere(6, 1, *state), hole = skin_sphere(6, 0.5, *state);
  skin b = skin_sphere(6, 1, *state);
  skin_turn_all(&hole);
  skin_move(&b, 3, 0, 0);
  skin hollow = skin_both(&a, &hole, *state), s = skin_both(&hollow, &b, *state);
  tetrahedra m = claim_filled(&s, 0, *state);
  assert_int_equal(tets_pieces(m.node_count, m.tets, m.tet_count), 2);
}

/* Bumps and dents of all sizes along the radius: nothing cuts, whatever they are. */
static void bumpy_balls_are_filled(void **state) {
  NEEDS_TETGEN();
  uint64_t seed = 12;
  for (int round = 0; round < 24; round++) {
    skin s = skin_sphere(4 + round % 5, 1, *state);
    double bump = 0.05 * (1 + round % 8);
    for (size_t i = 0; i < s.vertex_count; i++)
      s.vertices[i] = vec3_scale(1 + claim_between(&seed, -bump, bump), s.vertices[i]);
    claim_filled(&s, 0, *state);
  }
}

static void what_is_not_clean_is_refused_with_the_object_and_the_place(void **state) {
  tetrahedra m;
  skin s = skin_sphere(6, 1, *state);
  s.triangle_count--;
  claim_fails(fill(&s, 0, *state, &m, err), TRIBO_BAD_INPUT, "object 'blob': the surface is open");
  s = skin_sphere(6, 1, *state);
  skin_turn_over(&s, 3);
  claim_fails(fill(&s, 0, *state, &m, err), TRIBO_BAD_INPUT, "wound against each other");
  s = skin_sphere(6, 1, *state);
  skin_turn_all(&s);
  claim_fails(fill(&s, 0, *state, &m, err), TRIBO_BAD_INPUT, "inside out");
  s = skin_sphere(6, 1, *state);
  skin other = skin_sphere(6, 1, *state);
  skin_move(&other, 1.2, 0.3, 0.1);
  s = skin_both(&s, &other, *state);
  claim_fails(fill(&s, 0, *state, &m, err), TRIBO_BAD_INPUT, "meet at (");
}

/* A part inside out beside a larger one that is not: only the filling shows it. */
static void one_part_inside_out_is_refused_with_its_place(void **state) {
  NEEDS_TETGEN();
  skin a = skin_sphere(6, 1, *state), b = skin_sphere(6, 0.5, *state);
  skin_turn_all(&b);
  skin_move(&b, 3, 0, 0);
  skin s = skin_both(&a, &b, *state);
  tetrahedra m;
  claim_fails(fill(&s, 0, *state, &m, err), TRIBO_BAD_INPUT, "is inside out");
}

/* Two boxes that share a face: in doubles nothing is cut, but TetGen sees facets on facets. It may
 * refuse or cope; it must not take the process with it. */
static void facets_on_facets_end_well(void **state) {
  NEEDS_TETGEN();
  skin a = skin_box(2, vec3_make(1, 1, 1), *state), b = skin_box(3, vec3_make(1, 1, 1), *state);
  skin_move(&b, 2, 0, 0);
  skin s = skin_both(&a, &b, *state);
  tetrahedra m;
  tribo_error error = {0};
  tribo_status status = fill(&s, 0, *state, &m, &error);
  print_message("%s: %s\n", tribo_status_name(status), error.message);
  assert_true(status == TRIBO_OK || status == TRIBO_BAD_INPUT);
  if (status == TRIBO_OK) claim_near(tets_volume(m.nodes, m.tets, m.tet_count), 16, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(spheres_and_boxes_are_filled_to_the_last_bit_of_volume),
      CLAIM(tets_are_well_shaped),
      CLAIM(a_smaller_size_gives_smaller_tets),
      CLAIM(size_and_place_do_not_change_what_is_made),
      CLAIM(twice_the_same_surface_gives_the_same_bits),
      CLAIM(parts_apart_are_filled_each_and_cavities_stay_empty),
      CLAIM(bumpy_balls_are_filled),
      CLAIM(what_is_not_clean_is_refused_with_the_object_and_the_place),
      CLAIM(one_part_inside_out_is_refused_with_its_place),
      CLAIM(facets_on_facets_end_well),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
