/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/topology.h"

#include "claims.h"
#include "math/vec3.h"

static int open_arena(void **state) {
  *state = calloc(1, sizeof(arena));
  return 0;
}

static int close_arena(void **state) {
  arena_free(*state);
  free(*state);
  return 0;
}

static void claim_group(const topology_list *list, size_t i, int arity, const int32_t *expected) {
  for (int a = 0; a < arity; a++)
    assert_int_equal(list->vertices[i * (size_t)arity + (size_t)a], expected[a]);
}

static void two_triangles_make_one_hinge(void **state) {
  static const int32_t triangles[6] = {0, 1, 2, 2, 1, 3};
  topology_list hinges;
  claim_ok(topology_hinges(triangles, 2, *state, &hinges, err));
  assert_int_equal(hinges.count, 1);
  claim_group(&hinges, 0, 4, (int32_t[]){1, 2, 0, 3});
}

/* The first triangle alone says which way the edge runs. */
static void winding_the_second_triangle_the_other_way_changes_nothing(void **state) {
  static const int32_t triangles[6] = {0, 1, 2, 1, 2, 3};
  topology_list hinges;
  claim_ok(topology_hinges(triangles, 2, *state, &hinges, err));
  assert_int_equal(hinges.count, 1);
  claim_group(&hinges, 0, 4, (int32_t[]){1, 2, 0, 3});
}

static void an_edge_of_three_triangles_has_a_hinge_for_each_pair(void **state) {
  static const int32_t triangles[9] = {4, 7, 0, 7, 4, 1, 4, 7, 2};
  topology_list hinges;
  claim_ok(topology_hinges(triangles, 3, *state, &hinges, err));
  assert_int_equal(hinges.count, 3);
  claim_group(&hinges, 0, 4, (int32_t[]){4, 7, 0, 1});
  claim_group(&hinges, 1, 4, (int32_t[]){4, 7, 0, 2});
  claim_group(&hinges, 2, 4, (int32_t[]){7, 4, 1, 2});
}

static void triangles_laid_on_each_other_and_lone_ones_have_none(void **state) {
  static const int32_t triangles[9] = {0, 1, 2, 2, 1, 0, 5, 6, 7};
  topology_list hinges;
  claim_ok(topology_hinges(triangles, 3, *state, &hinges, err));
  assert_int_equal(hinges.count, 0);
  claim_ok(topology_hinges(triangles, 0, *state, &hinges, err));
  assert_int_equal(hinges.count, 0);
}

static void edges_are_listed_once_and_sorted(void **state) {
  static const int32_t triangles[6] = {0, 1, 2, 2, 1, 3};
  static const int32_t expected[5][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  topology_list edges;
  claim_ok(topology_edges(triangles, 2, *state, &edges, err));
  assert_int_equal(edges.count, 5);
  for (size_t e = 0; e < 5; e++) claim_group(&edges, e, 2, expected[e]);
}

enum { SIDE = 30, CELLS = (SIDE - 1) * (SIDE - 1) };

/* Every triangle has three sides, and an interior edge takes two of them. */
static void a_grid_has_a_hinge_at_every_interior_edge_in_any_order_of_triangles(void **state) {
  int32_t *triangles = malloc(6 * CELLS * sizeof *triangles), *next = triangles;
  for (int32_t j = 0; j < SIDE - 1; j++)
    for (int32_t i = 0; i < SIDE - 1; i++) {
      int32_t a = j * SIDE + i, cell[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
      memcpy(next, cell, sizeof cell);
      next += 6;
    }
  topology_list hinges[2];
  claim_ok(topology_hinges(triangles, 2 * CELLS, *state, &hinges[0], err));
  uint64_t seed = 9;
  for (size_t t = 2 * CELLS - 1; t > 0; t--) { /* shuffle */
    size_t o = (size_t)(claim_random(&seed) * (double)(t + 1));
    int32_t kept[3];
    memcpy(kept, triangles + 3 * t, sizeof kept);
    memcpy(triangles + 3 * t, triangles + 3 * o, sizeof kept);
    memcpy(triangles + 3 * o, kept, sizeof kept);
  }
  claim_ok(topology_hinges(triangles, 2 * CELLS, *state, &hinges[1], err));
  assert_int_equal(hinges[0].count, (3 * 2 * CELLS - 4 * (SIDE - 1)) / 2);
  assert_int_equal(hinges[1].count, hinges[0].count);
  /* Sorted by edge, so hinges correspond; the two sides of one may have changed places. */
  for (size_t h = 0; h < hinges[0].count; h++) {
    const int32_t *a = hinges[0].vertices + 4 * h, *b = hinges[1].vertices + 4 * h;
    bool same = a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
    bool swapped = a[0] == b[1] && a[1] == b[0] && a[2] == b[3] && a[3] == b[2];
    assert_true(same || swapped);
  }
  free(triangles);
}

static void two_tetrahedra_have_six_faces_that_look_out(void **state) {
  static const vec3 x[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  static const int32_t tets[8] = {0, 1, 2, 3, 1, 2, 3, 4};
  topology_list faces;
  claim_ok(topology_boundary(tets, 2, *state, &faces, err));
  assert_int_equal(faces.count, 6);
  vec3 centre = vec3_make(0.4, 0.4, 0.4);
  for (size_t f = 0; f < 6; f++) {
    const int32_t *v = faces.vertices + 3 * f;
    vec3 n = vec3_cross(vec3_sub(x[v[1]], x[v[0]]), vec3_sub(x[v[2]], x[v[0]]));
    assert_true(vec3_dot(n, vec3_sub(x[v[0]], centre)) > 0);
  }
}

/* Cubes of six tetrahedra around their diagonals. The boundary is closed (each directed edge has
 * its reverse, once) and encloses the volume of the block. */
static void a_block_of_tetrahedra_has_a_closed_boundary(void **state) {
  enum { N = 5, CORNERS = (N + 1) * (N + 1) * (N + 1), FACES = 6 * 2 * N * N };
  static const int paths[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
  static const int32_t stride[3] = {1, N + 1, (N + 1) * (N + 1)};
  int32_t *tets = malloc(N * N * N * 6 * 4 * sizeof *tets), *next = tets;
  for (int32_t c = 0; c < N * N * N; c++) {
    int32_t a = c % N + c / N % N * stride[1] + c / (N * N) * stride[2];
    for (int p = 0; p < 6; p++) {
      int32_t b = a + stride[paths[p][0]], d = b + stride[paths[p][1]];
      int32_t far = a + stride[0] + stride[1] + stride[2];
      bool right = p < 3; /* even paths turn right */
      int32_t tet[4] = {a, right ? b : d, right ? d : b, far};
      memcpy(next, tet, sizeof tet);
      next += 4;
    }
  }
  topology_list faces;
  claim_ok(topology_boundary(tets, N * N * N * 6, *state, &faces, err));
  assert_int_equal(faces.count, FACES);
  double volume = 0;
  unsigned char *seen = calloc(CORNERS * CORNERS, 1);
  for (size_t f = 0; f < faces.count; f++) {
    vec3 x[3];
    for (int i = 0; i < 3; i++) {
      int32_t v = faces.vertices[3 * f + (size_t)i];
      int32_t w = faces.vertices[3 * f + (size_t)((i + 1) % 3)];
      x[i] = vec3_make(v % (N + 1), (double)(v / stride[1] % (N + 1)), (double)(v / stride[2]));
      assert_false(seen[v * CORNERS + w]);
      seen[v * CORNERS + w] = 1;
    }
    volume += vec3_dot(x[0], vec3_cross(x[1], x[2])) / 6;
  }
  for (int i = 0; i < CORNERS; i++)
    for (int j = 0; j < i; j++) assert_int_equal(seen[i * CORNERS + j], seen[j * CORNERS + i]);
  claim_near(volume, N * N * N, 1e-10);
  free(seen);
  free(tets);
}

/* ---- closed ---- */

static topology_fault fault_of(const int32_t *triangles, size_t count) {
  topology_fault fault;
  claim_ok(topology_check_closed(triangles, count, &fault, err));
  return fault;
}

static void a_tetrahedron_s_surface_is_closed_and_faults_are_found(void **state) {
  (void)state;
  int32_t surface[5 * 3] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 1, 4};
  assert_int_equal(fault_of(surface, 4).kind, TOPOLOGY_CLOSED);

  topology_fault open = fault_of(surface, 3);
  assert_int_equal(open.kind, TOPOLOGY_OPEN);
  assert_int_equal(open.edge[0], 0);
  assert_int_equal(open.edge[1], 2);
  assert_int_equal(open.triangle, 0);
  assert_int_equal(open.count, 1);

  topology_fault crowded = fault_of(surface, 5);
  assert_int_equal(crowded.kind, TOPOLOGY_CROWDED);
  assert_int_equal(crowded.edge[1], 1);
  assert_int_equal(crowded.count, 3);

  surface[3] = 1, surface[4] = 0; /* triangle 1 the other way round */
  topology_fault twisted = fault_of(surface, 4);
  assert_int_equal(twisted.kind, TOPOLOGY_TWISTED);
  assert_int_equal(twisted.triangle, 0);
  assert_int_equal(twisted.other, 1);

  /* Two triangles laid on each other enclose nothing, but have an inside. */
  static const int32_t leaf[6] = {0, 1, 2, 2, 1, 0};
  assert_int_equal(fault_of(leaf, 2).kind, TOPOLOGY_CLOSED);
  assert_int_equal(fault_of(leaf, 0).kind, TOPOLOGY_CLOSED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(two_triangles_make_one_hinge),
      CLAIM(edges_are_listed_once_and_sorted),
      CLAIM(winding_the_second_triangle_the_other_way_changes_nothing),
      CLAIM(an_edge_of_three_triangles_has_a_hinge_for_each_pair),
      CLAIM(triangles_laid_on_each_other_and_lone_ones_have_none),
      CLAIM(a_grid_has_a_hinge_at_every_interior_edge_in_any_order_of_triangles),
      CLAIM(two_tetrahedra_have_six_faces_that_look_out),
      CLAIM(a_block_of_tetrahedra_has_a_closed_boundary),
      cmocka_unit_test(a_tetrahedron_s_surface_is_closed_and_faults_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
