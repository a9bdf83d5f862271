/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/geom/solids.h"
#include "geom/mesh_distance.h"

static uint64_t seed = 777;

static const tasks one = {1};

static vec3 random_point(double size) {
  vec3 p = {claim_between(&seed, -size, size), 0, 0};
  p.y = claim_between(&seed, -size, size);
  p.z = claim_between(&seed, -size, size);
  return p;
}

static mesh_distance build(const tasks *t, const solid *s, arena *memory) {
  mesh_distance m;
  claim_ok(mesh_distance_build(t, s->points, s->point_count, s->triangles, s->triangle_count,
                               memory, &m, err));
  return m;
}

/* The nearest triangle by asking all of them, the first of equals. */
static distance_foot ask_all(const solid *s, vec3 q, int32_t *triangle) {
  distance_foot best = {.distance2 = INFINITY};
  for (size_t i = 0; i < s->triangle_count; i++) {
    const vec3 c[3] = {solid_corner(s, i, 0), solid_corner(s, i, 1), solid_corner(s, i, 2)};
    distance_foot f = distance_point_triangle(q, c);
    if (f.distance2 < best.distance2) {
      best = f;
      *triangle = (int32_t)i;
    }
  }
  return best;
}

/* Anywhere, near a vertex, on a vertex, beside an edge, on a face: where signs go wrong. */
static vec3 tricky_point(const solid *s, int i) {
  size_t triangle = (size_t)(claim_random(&seed) * (double)s->triangle_count);
  vec3 a = solid_corner(s, triangle, 0), b = solid_corner(s, triangle, 1);
  vec3 c = solid_corner(s, triangle, 2);
  double small = pow(10, -claim_between(&seed, 0, 6));
  switch (i % 5) {
    case 0: return random_point(2);
    case 1: return vec3_add(a, random_point(small));
    case 2: return i % 25 == 2 ? a : vec3_madd(a, small, vec3_sub(a, vec3_make(0, 0, 0)));
    case 3: return vec3_add(distance_along(a, b, claim_random(&seed)), random_point(small));
    default:
      return vec3_add(distance_along(a, distance_along(b, c, 0.5), claim_random(&seed)),
                      random_point(small));
  }
}

static void claim_same(const mesh_foot *a, const mesh_foot *b) {
  assert_memory_equal(&a->distance, &b->distance, sizeof a->distance);
  assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
  assert_memory_equal(&a->foot, &b->foot, sizeof a->foot);
  assert_memory_equal(a->weight, b->weight, sizeof a->weight);
  assert_int_equal(a->triangle, b->triangle);
  assert_int_equal(a->feature, b->feature);
  assert_int_equal(a->rim, b->rim);
}

static void claim_right_side(const solid *s, const mesh_distance *m, vec3 q) {
  mesh_foot f;
  assert_true(mesh_distance_query(m, q, INFINITY, &f));
  int32_t triangle = -1;
  distance_foot wanted = ask_all(s, q, &triangle);
  assert_int_equal(f.triangle, triangle);
  assert_true(fabs(f.distance) == sqrt(wanted.distance2));
  assert_memory_equal(f.weight, wanted.weight, sizeof f.weight);
  assert_false(f.rim);
  claim_near(vec3_norm(f.normal), 1, 1e-14);
  if (fabs(f.distance) < 1e-9) return;
  double winding = solid_winding(s, q);
  if ((f.distance < 0) != (winding > 0.5))
    print_error("(%.17g, %.17g, %.17g): distance %g, winding %g, feature %d\n", q.x, q.y, q.z,
                f.distance, winding, (int)f.feature);
  assert_true((f.distance < 0) == (winding > 0.5));
}

/* Against the nearest of all triangles, and the winding number for the sign. */
static void closed_meshes_have_the_right_distance_and_sign_everywhere(void **state) {
  (void)state;
  const mat3 turn = turn_about(vec3_make(1, 2, 3), 0.7);
  solid solids[] = {solid_box(vec3_make(1, 0.5, 0.25), false),
                    solid_box(vec3_make(1, 1, 1), true),
                    solid_ball(9, 14, 0, 0),
                    solid_ball(9, 14, 0.8, 0),
                    solid_ball(13, 22, -0.7, 0),
                    solid_ball(8, 9, 0, 1.5)};
  for (size_t k = 0; k < sizeof solids / sizeof *solids; k++) {
    arena memory = {0};
    if (k % 2) solid_place(&solids[k], &turn, 0.9, vec3_make(0.1, -0.2, 0.3));
    mesh_distance m = build(&one, &solids[k], &memory);
    assert_int_equal(m.rim_edges, 0);
    assert_int_equal(m.crossed_edges, 0);
    assert_int_equal(m.flat_triangles, 0);
    for (int i = 0; i < 4000; i++) claim_right_side(&solids[k], &m, tricky_point(&solids[k], i));
    arena_free(&memory);
    solid_free(&solids[k]);
  }
}

static void size_and_place_do_not_change_the_sign(void **state) {
  (void)state;
  static const double sizes[] = {1e-30, 1e-3, 1e3, 1e30};
  for (int k = 0; k < 4; k++) {
    solid s = solid_ball(7, 12, 0.6, 0), placed = solid_ball(7, 12, 0.6, 0);
    const mat3 turn = mat3_identity();
    vec3 shift = vec3_scale(k % 2 ? 1000 * sizes[k] : 0, vec3_make(1, -1, 2));
    solid_place(&placed, &turn, sizes[k], shift);
    arena memory = {0};
    mesh_distance m = build(&one, &s, &memory), there = build(&one, &placed, &memory);
    for (int i = 0; i < 2000; i++) {
      vec3 q = tricky_point(&s, i);
      mesh_foot a, b;
      assert_true(mesh_distance_query(&m, q, INFINITY, &a));
      assert_true(mesh_distance_query(&there, vec3_madd(shift, sizes[k], q), INFINITY, &b));
      claim_near(b.distance / sizes[k], a.distance, 1e-12);
    }
    arena_free(&memory);
    solid_free(&s);
    solid_free(&placed);
  }
}

static void edges_without_two_sides_are_counted(void **state) {
  (void)state;
  solid s = solid_box(vec3_make(1, 1, 1), false);
  arena memory = {0};
  int32_t kept = s.triangles[0];
  s.triangles[0] = s.triangles[1];
  s.triangles[1] = kept;
  mesh_distance m = build(&one, &s, &memory);
  assert_int_equal(m.crossed_edges, 3);
  assert_int_equal(m.rim_edges, 0);
  s.triangle_count--;
  m = build(&one, &s, &memory);
  assert_int_equal(m.rim_edges, 3);
  arena_free(&memory);
  solid_free(&s);
}

static double at(const mesh_distance *m, vec3 q) {
  mesh_foot f;
  assert_true(mesh_distance_query(m, q, INFINITY, &f));
  return f.distance;
}

/* Central differences, away from the places where the nearest foot jumps: there the distance is
 * smooth but for edges' own kinks in the second derivative. */
static void normal_is_the_gradient_of_the_distance(void **state) {
  (void)state;
  solid s = solid_ball(9, 14, 0.5, 0);
  arena memory = {0};
  mesh_distance m = build(&one, &s, &memory);
  const double h = 1e-6;
  int compared = 0;
  for (int i = 0; i < 4000; i++) {
    vec3 q = random_point(2);
    mesh_foot f;
    assert_true(mesh_distance_query(&m, q, INFINITY, &f));
    vec3 g = {at(&m, vec3_make(q.x + h, q.y, q.z)) - at(&m, vec3_make(q.x - h, q.y, q.z)),
              at(&m, vec3_make(q.x, q.y + h, q.z)) - at(&m, vec3_make(q.x, q.y - h, q.z)),
              at(&m, vec3_make(q.x, q.y, q.z + h)) - at(&m, vec3_make(q.x, q.y, q.z - h))};
    g = vec3_scale(1 / (2 * h), g);
    if (fabs(vec3_norm(g) - 1) > 1e-6) continue; /* between two feet */
    claim_below(vec3_norm(vec3_sub(g, f.normal)), 1e-4);
    claim_below(vec3_norm(vec3_sub(vec3_madd(f.foot, f.distance, f.normal), q)), 1e-14);
    compared++;
  }
  assert_true(compared > 3900);
  arena_free(&memory);
  solid_free(&s);
}

/* On the surface, and above it by less than rounding tells. (Below an edge the foot is on a face.)
 */
static void normal_on_the_surface_is_the_pseudo_normal(void **state) {
  (void)state;
  solid s = solid_box(vec3_make(1, 1, 1), false);
  arena memory = {0};
  mesh_distance m = build(&one, &s, &memory);
  mesh_foot f;
  const double third = 1 / sqrt(3), half = 1 / sqrt(2);
  /* Some corners have one triangle on a side and some two: the angles make that up. */
  for (size_t i = 0; i < 8; i++) {
    assert_true(mesh_distance_query(&m, s.points[i], 1, &f));
    claim_below(vec3_norm(vec3_sub(f.normal, vec3_scale(third, s.points[i]))), 1e-14);
  }
  static const double nudges[] = {0, 2.3e-16, 9e-16};
  for (int i = 0; i < 3; i++) {
    double e = nudges[i];
    assert_true(mesh_distance_query(&m, vec3_make(1 + e, 1 + e, 1 + e), 1, &f));
    claim_below(vec3_norm(vec3_sub(f.normal, vec3_make(third, third, third))), 1e-14);
    assert_true(mesh_distance_query(&m, vec3_make(1 + e, 1 + e, 0.25), 1, &f));
    claim_below(vec3_norm(vec3_sub(f.normal, vec3_make(half, half, 0))), 1e-14);
    assert_true(mesh_distance_query(&m, vec3_make(1 + e, 0.5, 0.25), 1, &f));
    claim_below(vec3_norm(vec3_sub(f.normal, vec3_make(1, 0, 0))), 1e-14);
  }
  arena_free(&memory);
  solid_free(&s);
}

static double waves(double x, double y) { return 0.2 * sin(4 * x) * cos(3 * y); }

static void a_sheet_has_two_sides_and_says_where_its_rim_is(void **state) {
  (void)state;
  solid s = solid_sheet(6, NULL);
  arena memory = {0};
  mesh_distance m = build(&one, &s, &memory);
  assert_int_equal(m.rim_edges, 24);
  mesh_foot f;
  for (int i = 0; i < 2000; i++) {
    vec3 q = random_point(2);
    assert_true(mesh_distance_query(&m, q, INFINITY, &f));
    bool beyond = fmax(fabs(q.x), fabs(q.y)) > 1;
    assert_int_equal(f.rim, beyond);
    assert_true((f.distance < 0) == (q.z < 0));
    double dx = fmax(fabs(q.x) - 1, 0), dy = fmax(fabs(q.y) - 1, 0);
    claim_near(fabs(f.distance), sqrt(dx * dx + dy * dy + q.z * q.z), 1e-15);
  }
  /* In the plane of the sheet, beyond its rim, there is no side: in front, by rule. */
  assert_true(mesh_distance_query(&m, vec3_make(1.5, 0, 0), INFINITY, &f));
  claim_near(f.distance, 0.5, 0);
  claim_below(vec3_norm(vec3_sub(f.normal, vec3_make(1, 0, 0))), 0);
  arena_free(&memory);
  solid_free(&s);
}

static void nothing_is_found_beyond_the_reach(void **state) {
  (void)state;
  solid s = solid_ball(7, 10, 0.3, 0);
  arena memory = {0};
  mesh_distance m = build(&one, &s, &memory);
  for (int i = 0; i < 2000; i++) {
    vec3 q = random_point(2);
    mesh_foot all, f;
    assert_true(mesh_distance_query(&m, q, INFINITY, &all));
    double distance = fabs(all.distance);
    assert_true(mesh_distance_query(&m, q, distance * (1 + 1e-15), &f));
    claim_same(&f, &all);
    assert_false(mesh_distance_query(&m, q, distance * (1 - 1e-15), &f));
    assert_int_equal(f.triangle, -1);
    assert_false(mesh_distance_query(&m, q, -1, &f));
  }
  arena_free(&memory);
  solid_free(&s);
}

/* Needles on edges, caps that close T-junctions, repeated vertices, all corners in one place. */
static void triangles_without_area_do_no_harm(void **state) {
  (void)state;
  solid box = solid_box(vec3_make(1, 1, 1), false), s = solid_make(12, 20);
  memcpy(s.points, box.points, 8 * sizeof *s.points);
  memcpy(s.triangles, box.triangles, 36 * sizeof *s.triangles);
  s.point_count = 10;
  s.triangle_count = 12;
  s.points[8] = vec3_make(0, 1, 1);  /* on an edge */
  s.points[9] = vec3_make(1, -1, 1); /* where vertex 5 is */
  solid_add(&s, 6, 7, 8);
  solid_add(&s, 3, 3, 7);
  solid_add(&s, 5, 9, 5);
  solid_add(&s, 2, 2, 2);
  arena memory = {0};
  mesh_distance m = build(&one, &s, &memory);
  assert_int_equal(m.flat_triangles, 4);
  for (int i = 0; i < 5000; i++) {
    vec3 q = tricky_point(&box, i);
    mesh_foot f;
    assert_true(mesh_distance_query(&m, q, INFINITY, &f));
    assert_true(isfinite(f.distance) && vec3_finite(f.foot) && vec3_finite(f.normal));
    claim_near(vec3_norm(f.normal), 1, 1e-14);
    if (fabs(f.distance) < 1e-9) continue;
    assert_true((f.distance < 0) == (solid_winding(&box, q) > 0.5));
  }
  /* Nothing but triangles without area: unsigned, and still no NaN. */
  const int32_t flat[] = {0, 0, 0, 1, 1, 3};
  claim_ok(mesh_distance_build(&one, s.points, s.point_count, flat, 2, &memory, &m, err));
  for (int i = 0; i < 100; i++) {
    vec3 q = i ? random_point(2) : s.points[0];
    mesh_foot f;
    assert_true(mesh_distance_query(&m, q, INFINITY, &f));
    assert_true(f.distance >= 0);
    claim_near(vec3_norm(f.normal), 1, 1e-14);
  }
  arena_free(&memory);
  solid_free(&s);
  solid_free(&box);
}

static void a_refitted_mesh_answers_as_one_built_anew(void **state) {
  (void)state;
  solid s = solid_sheet(60, waves);
  arena memory = {0};
  mesh_distance moved = build(&one, &s, &memory);
  const mat3 turn = turn_about(vec3_make(3, -1, 1), 2);
  solid_place(&s, &turn, 1.5, vec3_make(1, 2, -3));
  for (size_t i = 0; i < s.point_count; i++)
    s.points[i] = vec3_add(s.points[i], random_point(0.01));
  size_t used = memory.used;
  mesh_distance_refit(&one, s.points, &moved);
  assert_int_equal(memory.used, used);
  mesh_distance anew = build(&one, &s, &memory);
  for (int i = 0; i < 3000; i++) {
    vec3 q = vec3_add(vec3_make(1, 2, -3), random_point(3));
    mesh_foot a, b;
    mesh_distance_query(&moved, q, INFINITY, &a);
    mesh_distance_query(&anew, q, INFINITY, &b);
    claim_same(&a, &b);
  }
  arena_free(&memory);
  solid_free(&s);
}

static void two_threads_give_the_same_bits_as_one(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  const tasks two = {2};
  solid s = solid_ball(40, 60, 0.1, 0), moved = solid_ball(40, 60, -0.2, 0);
  arena memory = {0};
  mesh_distance a = build(&one, &s, &memory), b = build(&two, &s, &memory);
  mesh_distance_refit(&one, moved.points, &a);
  mesh_distance_refit(&two, moved.points, &b);
  assert_int_equal(a.tree.node_count, b.tree.node_count);
  assert_true(a.tree.part_count > 1 && a.tree.crown_count > 0);
  assert_memory_equal(a.tree.nodes, b.tree.nodes, a.tree.node_count * sizeof *a.tree.nodes);
  vec3 *q = malloc(COUNT * sizeof *q);
  double *reach = malloc(COUNT * sizeof *reach);
  mesh_foot *fa = malloc(COUNT * sizeof *fa), *fb = malloc(COUNT * sizeof *fb);
  for (int i = 0; i < COUNT; i++) {
    q[i] = random_point(1.5);
    reach[i] = i % 2 ? 0.1 : INFINITY;
  }
  mesh_distance_batch(&one, &a, q, reach, COUNT, fa);
  mesh_distance_batch(&two, &b, q, reach, COUNT, fb);
  for (int i = 0; i < COUNT; i++) claim_same(&fa[i], &fb[i]);
  free(q);
  free(reach);
  free(fa);
  free(fb);
  arena_free(&memory);
  solid_free(&s);
  solid_free(&moved);
}

static void bad_meshes_are_refused_by_name(void **state) {
  (void)state;
  arena memory = {0};
  mesh_distance m;
  vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
  const int32_t right[3] = {0, 1, 2}, wrong[3] = {0, 1, 3};
  claim_fails(mesh_distance_build(&one, points, 3, right, 1, &memory, &m, err), TRIBO_BAD_INPUT,
              "vertex 2");
  points[2].y = 1;
  claim_fails(mesh_distance_build(&one, points, 3, wrong, 1, &memory, &m, err), TRIBO_BAD_INPUT,
              "triangle 0 has vertex 3");
  claim_ok(mesh_distance_build(&one, points, 3, right, 0, &memory, &m, err));
  mesh_foot f;
  assert_false(mesh_distance_query(&m, points[0], INFINITY, &f));
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_meshes_have_the_right_distance_and_sign_everywhere),
      cmocka_unit_test(size_and_place_do_not_change_the_sign),
      cmocka_unit_test(edges_without_two_sides_are_counted),
      cmocka_unit_test(normal_is_the_gradient_of_the_distance),
      cmocka_unit_test(normal_on_the_surface_is_the_pseudo_normal),
      cmocka_unit_test(a_sheet_has_two_sides_and_says_where_its_rim_is),
      cmocka_unit_test(nothing_is_found_beyond_the_reach),
      cmocka_unit_test(triangles_without_area_do_no_harm),
      cmocka_unit_test(a_refitted_mesh_answers_as_one_built_anew),
      cmocka_unit_test(two_threads_give_the_same_bits_as_one),
      cmocka_unit_test(bad_meshes_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
