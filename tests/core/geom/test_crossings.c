/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "geom/crossings.h"
#include "scenes/shapes.h"

__extension__ typedef __int128 wide;

enum { POINTS = 120, TRIANGLES = 260, MOST = 1 << 17 };

/* ---- meshes ---- */

typedef struct soup {
  vec3 x[POINTS];
  int32_t triangles[3 * TRIANGLES];
} soup;

/* Whole coordinates below `size`, so that exact signs can be had otherwise too. */
static void scatter(uint64_t *seed, int size, soup *s) {
  for (int i = 0; i < POINTS; i++)
    s->x[i] = vec3_make(floor(claim_between(seed, 0, size)), floor(claim_between(seed, 0, size)),
                        floor(claim_between(seed, 0, size)));
  for (int t = 0; t < TRIANGLES; t++) {
    int32_t *v = s->triangles + 3 * t;
    do
      for (int k = 0; k < 3; k++) v[k] = (int32_t)claim_between(seed, 0, POINTS);
    while (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]);
  }
}

static crossings_mesh mesh_of(const vec3 *x, size_t vertices, const int32_t *triangles,
                              size_t count, int64_t first, arena *memory) {
  crossings_mesh out;
  tasks t = tasks_create(1);
  claim_ok(crossings_mesh_build(x, vertices, triangles, count, first, memory, &out, err));
  crossings_mesh_move(&t, x, &out);
  return out;
}

static crossings_mesh mesh_of_shape(const mesh *m, int64_t first, arena *memory) {
  return mesh_of((const vec3 *)m->positions, m->vertex_count, m->triangles, m->triangle_count,
                 first, memory);
}

static size_t count_of(const crossings_mesh *a, const crossings_mesh *b, int threads,
                       crossing_list *list) {
  tasks t = tasks_create(threads);
  list->count = 0;
  claim_ok(crossings_find(&t, a, b, list, err));
  return list->count;
}

/* ---- against whole numbers ---- */

static int whole_side(vec3 a, vec3 b, vec3 c, vec3 d) {
  wide p[3], q[3], r[3];
  const double *at[4] = {&a.x, &b.x, &c.x, &d.x};
  for (int k = 0; k < 3; k++) {
    int64_t last = (int64_t)at[3][k];
    p[k] = (int64_t)at[0][k] - last, q[k] = (int64_t)at[1][k] - last,
    r[k] = (int64_t)at[2][k] - last;
  }
  wide det = p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) +
             p[2] * (q[0] * r[1] - q[1] * r[0]);
  return (det > 0) - (det < 0);
}

/* 1: crosses, 0: does not, -1: it touches. */
static int whole_crossing(const crossings_mesh *a, const crossings_mesh *b, int32_t e, int32_t t) {
  vec3 p = a->x[a->edges[2 * e]], q = a->x[a->edges[2 * e + 1]], c[3];
  for (int k = 0; k < 3; k++) c[k] = b->x[b->triangles[3 * t + k]];
  int at_p = whole_side(c[0], c[1], c[2], p), at_q = whole_side(c[0], c[1], c[2], q), s[3];
  for (int k = 0; k < 3; k++) s[k] = whole_side(p, q, c[k], c[(k + 1) % 3]);
  bool zero = !at_p || !at_q || !s[0] || !s[1] || !s[2];
  if (zero) return -1;
  return at_p != at_q && s[0] == s[1] && s[1] == s[2];
}

static bool share(const crossings_mesh *m, int32_t e, int32_t t) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      if (m->edges[2 * e + i] == m->triangles[3 * t + k]) return true;
  return false;
}

static void claim_all_found(const crossings_mesh *a, const crossings_mesh *b, size_t *met) {
  static bool seen[MOST];
  crossing_list list = {0};
  size_t found = count_of(a, b, 2, &list);
  assert_true(a->edge_count * b->triangle_count <= MOST * 4);
  memset(seen, 0, sizeof seen);
  size_t triangles = b->triangle_count;
  for (int32_t e = 0; e < (int32_t)a->edge_count && e < MOST / TRIANGLES; e++)
    for (int32_t t = 0; t < (int32_t)triangles; t++) {
      int wanted = a == b && share(a, e, t) ? 0 : whole_crossing(a, b, e, t);
      bool got = false;
      for (size_t i = 0; wanted > 0 && i < found && !got; i++)
        got = list.data[i].edge == e && list.data[i].triangle == t;
      if (wanted > 0) assert_true(got);
      crossing c = {e, t};
      if (wanted >= 0) assert_int_equal(crossings_cross(a, b, c), wanted > 0);
      *met += wanted > 0;
    }
  for (size_t i = 0; i < found; i++) {
    assert_true(crossings_cross(a, b, list.data[i]));
    assert_false(a == b && share(a, list.data[i].edge, list.data[i].triangle));
  }
  ARRAY_FREE(list);
}

static void every_crossing_of_a_soup_is_found_and_no_other(void **unused) {
  (void)unused;
  static soup one, other;
  uint64_t seed = 5;
  size_t met = 0;
  for (int size = 4; size < 1 << 16; size *= 16) {
    arena memory = {0};
    scatter(&seed, size, &one);
    scatter(&seed, size, &other);
    crossings_mesh a = mesh_of(one.x, POINTS, one.triangles, TRIANGLES, 0, &memory);
    crossings_mesh b = mesh_of(other.x, POINTS, other.triangles, TRIANGLES, POINTS, &memory);
    claim_all_found(&a, &b, &met);
    claim_all_found(&a, &a, &met);
    arena_free(&memory);
  }
  assert_true(met > 1000);
}

static void crossings_are_the_same_for_any_threads(void **unused) {
  (void)unused;
  arena memory = {0};
  mesh sheet = shape_sheet(40, 40, 1, 1), steep = shape_sheet(40, 40, 1, 1);
  shape_turn(&steep, 0, 1.1);
  shape_move(&steep, 0.013, 0.3, -0.2);
  crossings_mesh a = mesh_of_shape(&sheet, 0, &memory), b = mesh_of_shape(&steep, 5000, &memory);
  crossing_list first = {0}, again = {0};
  size_t count = count_of(&a, &b, 1, &first);
  assert_true(count > 20);
  for (int threads = 2; threads < 5; threads++) {
    assert_int_equal(count_of(&a, &b, threads, &again), count);
    assert_memory_equal(first.data, again.data, count * sizeof *first.data);
  }
  ARRAY_FREE(first);
  ARRAY_FREE(again);
  mesh_free(&sheet);
  mesh_free(&steep);
  arena_free(&memory);
}

/* ---- what touches ---- */

/* From the middle of a box through its corners, edges and the diagonals of its sides: whoever goes
 * out passes an odd number of triangles, wherever exactly. */
static void a_way_out_of_a_closed_mesh_crosses_it_once(void **unused) {
  (void)unused;
  arena memory = {0};
  mesh block = shape_block(2, 2, 2, 4, 4, 4), skin = shape_skin(&block);
  crossings_mesh b = mesh_of_shape(&skin, 100, &memory);
  for (int first = 0; first <= 200; first += 200)
    for (int n = 0; n < 343; n++) {
      double to[3] = {(double)(n % 7) - 1, (double)(n / 7 % 7) - 1, (double)(n / 49) - 1};
      bool on = false, out = false;
      for (int k = 0; k < 3; k++) out = out || to[k] < 0 || to[k] > 4;
      for (int k = 0; k < 3; k++) on = on || (!out && (to[k] == 0 || to[k] == 4));
      if (on) continue;
      /* An edge of a sliver whose third corner is far off its way, and counts for nothing. */
      vec3 x[3] = {{2, 2, 2}, {to[0], to[1], to[2]}, {2.5, 100, 3.5}};
      int32_t triangle[3] = {0, 1, 2};
      crossings_mesh a = mesh_of(x, 3, triangle, 1, first, &memory);
      int crossed = 0;
      for (int32_t t = 0; t < (int32_t)b.triangle_count; t++)
        crossed += crossings_cross(&a, &b, (crossing){0, t});
      assert_int_equal(a.edges[1], 1);
      assert_int_equal(crossed % 2, out);
    }
  mesh_free(&block);
  mesh_free(&skin);
  arena_free(&memory);
}

/* Rounding puts its vertices beside the plane, by which no edge gets through a triangle. */
static void a_flat_sheet_does_not_cross_itself(void **unused) {
  (void)unused;
  arena memory = {0};
  crossing_list list = {0};
  mesh sheet = shape_sheet(60, 60, 1, 1);
  for (int turn = 0; turn < 4; turn++) {
    crossings_mesh a = mesh_of_shape(&sheet, 0, &memory);
    assert_int_equal(count_of(&a, &a, 1, &list), 0);
    shape_turn(&sheet, turn % 3, 0.37);
  }
  mesh_free(&sheet);
  ARRAY_FREE(list);
  arena_free(&memory);
}

/* ---- what is said of one ---- */

/* A spike from above through the middle of a flat square of two triangles, `deep` below it. */
static void claim_depth(double x, double deep, double wanted) {
  arena memory = {0};
  vec3 floor_x[4] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  int32_t floor_t[6] = {0, 1, 2, 0, 2, 3}, spike_t[3] = {0, 1, 2};
  vec3 spike_x[3] = {{x, 1, -deep}, {x, 1, 1}, {x + 0.5, 1, 1.2}};
  crossings_mesh a = mesh_of(spike_x, 3, spike_t, 1, 0, &memory);
  crossings_mesh b = mesh_of(floor_x, 4, floor_t, 2, 10, &memory);
  crossing_list list = {0};
  double most = 0;
  assert_true(count_of(&a, &b, 1, &list) > 0);
  for (size_t i = 0; i < list.count; i++) {
    if (list.data[i].edge != 0) continue;
    most = fmax(most, crossings_depth(&a, &b, list.data[i]));
    vec3 at = crossings_place(&a, &b, list.data[i]);
    claim_below(vec3_norm(vec3_sub(at, vec3_make(x, 1, 0))), 1e-12);
  }
  claim_near(most, wanted, 1e-12);
  ARRAY_FREE(list);
  arena_free(&memory);
}

static void a_crossing_is_as_deep_as_the_way_out(void **unused) {
  (void)unused;
  claim_depth(0.7, 0.1, 0.1);   /* back up */
  claim_depth(1, 0.1, 0.1);     /* through the diagonal: the floor goes on behind it */
  claim_depth(1.95, 0.4, 0.05); /* over the border */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_crossing_of_a_soup_is_found_and_no_other),
      cmocka_unit_test(crossings_are_the_same_for_any_threads),
      cmocka_unit_test(a_way_out_of_a_closed_mesh_crosses_it_once),
      cmocka_unit_test(a_flat_sheet_does_not_cross_itself),
      cmocka_unit_test(a_crossing_is_as_deep_as_the_way_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
