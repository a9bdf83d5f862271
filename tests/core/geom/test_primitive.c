/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/geom/solids.h"
#include "geom/primitive.h"

static uint64_t seed = 31415;

static vec3 random_point(double size) {
  vec3 p = {claim_between(&seed, -size, size), 0, 0};
  p.y = claim_between(&seed, -size, size);
  p.z = claim_between(&seed, -size, size);
  return p;
}

static mat3 random_turn(void) { return turn_about(random_point(1), claim_between(&seed, -3, 3)); }

static primitive make(primitive_kind kind) {
  primitive p = {.kind = kind, .axes = random_turn(), .radius = 0.4, .half = {0.9, 0.3, 0.6}};
  p.centre = random_point(1);
  return p;
}

/* What a primitive is, said once more: in its frame and by cases. */
static double plain_distance(const primitive *p, vec3 q) {
  vec3 x = mat3_tmul_vec3(&p->axes, vec3_sub(q, p->centre));
  vec3 over = {fabs(x.x) - p->half.x, fabs(x.y) - p->half.y, fabs(x.z) - p->half.z};
  vec3 out = {fmax(over.x, 0), fmax(over.y, 0), fmax(over.z, 0)};
  switch (p->kind) {
    case PRIMITIVE_PLANE: return x.z;
    case PRIMITIVE_SPHERE: return vec3_norm(x) - p->radius;
    case PRIMITIVE_CAPSULE:
      return (over.z > 0 ? sqrt(x.x * x.x + x.y * x.y + over.z * over.z) : hypot(x.x, x.y)) -
             p->radius;
    case PRIMITIVE_BOX: break;
  }
  return vec3_norm(out) + fmin(fmax(over.x, fmax(over.y, over.z)), 0);
}

static void distance_gradient_and_foot_agree(void **state) {
  (void)state;
  for (int i = 0; i < 8000; i++) {
    primitive p = make((primitive_kind)(i % 4));
    p.hollow = i % 8 >= 4 && p.kind != PRIMITIVE_PLANE;
    double sign = p.hollow ? -1 : 1;
    vec3 q = random_point(2);
    primitive_foot f = primitive_distance(&p, q);
    claim_near(f.distance, sign * plain_distance(&p, q), 1e-14);
    claim_near(vec3_norm(f.normal), 1, 1e-14);
    claim_below(vec3_norm(vec3_sub(vec3_madd(f.foot, f.distance, f.normal), q)), 1e-14);
    claim_near(primitive_distance(&p, f.foot).distance, 0, 1e-14);
    const double h = 1e-6;
    vec3 g = {plain_distance(&p, vec3_make(q.x + h, q.y, q.z)) -
                  plain_distance(&p, vec3_make(q.x - h, q.y, q.z)),
              plain_distance(&p, vec3_make(q.x, q.y + h, q.z)) -
                  plain_distance(&p, vec3_make(q.x, q.y - h, q.z)),
              plain_distance(&p, vec3_make(q.x, q.y, q.z + h)) -
                  plain_distance(&p, vec3_make(q.x, q.y, q.z - h))};
    g = vec3_scale(sign / (2 * h), g);
    if (fabs(vec3_norm(g) - 1) < 1e-6) claim_below(vec3_norm(vec3_sub(g, f.normal)), 1e-4);
  }
}

static void medial_axes_have_a_foot_by_rule(void **state) {
  (void)state;
  primitive p = make(PRIMITIVE_SPHERE);
  primitive_foot f = primitive_distance(&p, p.centre);
  claim_near(f.distance, -0.4, 0);
  claim_below(vec3_norm(vec3_sub(f.normal, mat3_column(&p.axes, 2))), 1e-15);
  p = make(PRIMITIVE_CAPSULE);
  p.axes = mat3_identity();
  f = primitive_distance(&p, vec3_madd(p.centre, 0.25, vec3_make(0, 0, 1)));
  claim_near(f.distance, -0.4, 0);
  claim_below(vec3_norm(vec3_sub(f.normal, vec3_make(1, 0, 0))), 0);
  p = make(PRIMITIVE_BOX);
  p.half = vec3_make(1, 1, 1);
  f = primitive_distance(&p, p.centre);
  claim_near(f.distance, -1, 0);
  claim_below(vec3_norm(vec3_sub(f.normal, mat3_column(&p.axes, 0))), 1e-15);
  p.centre = vec3_make(0, 0, 0);
  p.axes = mat3_identity();
  f = primitive_distance(&p, vec3_make(0.25, -0.5, -0.5));
  claim_below(vec3_norm(vec3_sub(f.normal, vec3_make(0, -1, 0))), 0);
  claim_below(vec3_norm(vec3_sub(f.foot, vec3_make(0.25, -1, -0.5))), 0);
}

/* ----------------------------------------------------------------------------------- the fits */

static primitive fit(primitive_kind kind, const solid *s, double *worst) {
  primitive p;
  claim_ok(primitive_fit(kind, s->points, s->point_count, s->triangles, s->triangle_count, &p,
                         worst, err));
  return p;
}

static void claim_axis(const primitive *p, int column, vec3 wanted, double tolerance) {
  claim_near(fabs(vec3_dot(mat3_column(&p->axes, column), wanted)), 1, tolerance);
}

typedef struct placement {
  mat3 turn;
  double scale;
  vec3 shift;
} placement;

static placement place_anywhere(solid *s, int i) {
  placement at = {random_turn(), i % 3 == 2 ? 1e-3 : i % 3 ? 50 : 1, random_point(10)};
  at.shift = vec3_scale(at.scale, at.shift);
  solid_place(s, &at.turn, at.scale, at.shift);
  return at;
}

static void a_flat_sheet_is_a_plane(void **state) {
  (void)state;
  for (int i = 0; i < 30; i++) {
    solid s = solid_sheet(1 + (size_t)(i % 4), NULL);
    placement at = place_anywhere(&s, i);
    double worst;
    primitive p = fit(PRIMITIVE_PLANE, &s, &worst);
    claim_below(worst, 1e-14 * 10 * at.scale);
    claim_below(vec3_norm(vec3_sub(mat3_column(&p.axes, 2), mat3_column(&at.turn, 2))), 1e-13);
    claim_below(fabs(primitive_distance(&p, at.shift).distance), 1e-13 * at.scale);
    claim_near(mat3_det(&p.axes), 1, 1e-14);
    solid_free(&s);
  }
}

static void coarse_balls_are_the_sphere_their_vertices_lie_on(void **state) {
  (void)state;
  for (int i = 0; i < 30; i++) {
    solid s = solid_ball(1 + (size_t)(i % 5), 3 + (size_t)(i % 7), 0, 0);
    if (i % 4 == 3) s.triangle_count /= 2; /* a bowl */
    placement at = place_anywhere(&s, i);
    double worst;
    primitive p = fit(PRIMITIVE_SPHERE, &s, &worst);
    claim_below(worst, 1e-12 * at.scale);
    claim_near(p.radius, at.scale, 1e-12 * at.scale);
    claim_below(vec3_norm(vec3_sub(p.centre, at.shift)), 1e-12 * at.scale);
    assert_false(p.hollow);
    solid_free(&s);
  }
}

static void drawn_out_balls_are_capsules(void **state) {
  (void)state;
  for (int i = 0; i < 30; i++) {
    double length = 0.5 + 0.3 * (i % 8);
    solid s = solid_ball(4 + 2 * (size_t)(i % 3), 5 + (size_t)(i % 6), 0, length);
    if (i % 5 == 4) s.triangle_count = s.triangle_count * 2 / 3; /* so that its mean is off axis */
    placement at = place_anywhere(&s, i);
    double worst;
    primitive p = fit(PRIMITIVE_CAPSULE, &s, &worst);
    claim_below(worst, 1e-9 * at.scale);
    claim_near(p.radius, at.scale, 1e-8 * at.scale);
    claim_near(p.half.z, length / 2 * at.scale, 1e-8 * at.scale);
    claim_axis(&p, 2, mat3_column(&at.turn, 2), 1e-12);
    claim_below(vec3_norm(vec3_sub(p.centre, at.shift)), 1e-8 * at.scale);
    claim_near(mat3_det(&p.axes), 1, 1e-14);
    solid_free(&s);
  }
}

static void boxes_are_boxes_also_when_cubes(void **state) {
  (void)state;
  static const vec3 halves[] = {{1, 0.5, 0.25}, {1, 1, 1}, {1, 1, 0.1}, {0.3, 2, 2}};
  for (int i = 0; i < 40; i++) {
    vec3 half = halves[i % 4];
    solid s = solid_box(half, i % 2);
    placement at = place_anywhere(&s, i);
    double worst;
    primitive p = fit(PRIMITIVE_BOX, &s, &worst);
    claim_below(worst, 1e-13 * at.scale);
    claim_near(p.half.x * p.half.y * p.half.z, half.x * half.y * half.z * pow(at.scale, 3),
               1e-12 * pow(at.scale, 3));
    claim_below(vec3_norm(vec3_sub(p.centre, at.shift)), 1e-13 * at.scale * 10);
    claim_near(mat3_det(&p.axes), 1, 1e-14);
    /* The same places are inside. */
    for (int k = 0; k < 50; k++) {
      vec3 q = random_point(1.5);
      primitive plain = {.kind = PRIMITIVE_BOX, .axes = mat3_identity(), .half = half};
      vec3 there = vec3_madd(at.shift, at.scale, mat3_mul_vec3(&at.turn, q));
      claim_near(primitive_distance(&p, there).distance,
                 at.scale * primitive_distance(&plain, q).distance, 1e-12 * at.scale);
    }
    solid_free(&s);
  }
}

static void meshes_turned_inside_out_are_hollow(void **state) {
  (void)state;
  solid solids[] = {solid_ball(5, 8, 0, 0), solid_ball(6, 8, 0, 1),
                    solid_box(vec3_make(1, 2, 3), 0)};
  static const primitive_kind kinds[] = {PRIMITIVE_SPHERE, PRIMITIVE_CAPSULE, PRIMITIVE_BOX};
  for (int k = 0; k < 3; k++) {
    solid *s = &solids[k];
    for (size_t i = 0; i < s->triangle_count; i++) {
      int32_t kept = s->triangles[3 * i];
      s->triangles[3 * i] = s->triangles[3 * i + 1];
      s->triangles[3 * i + 1] = kept;
    }
    double worst;
    primitive p = fit(kinds[k], s, &worst);
    assert_true(p.hollow);
    assert_true(primitive_distance(&p, p.centre).distance > 0.9);
    solid_free(s);
  }
}

/* The other shape's vertices are honestly reported to be off, and noise as noise. */
static void the_worst_distance_tells_what_does_not_fit(void **state) {
  (void)state;
  double worst;
  solid box = solid_box(vec3_make(2, 1, 1), false), ball = solid_ball(9, 12, 0, 0);
  fit(PRIMITIVE_BOX, &ball, &worst);
  assert_true(worst > 0.2);
  fit(PRIMITIVE_SPHERE, &box, &worst);
  claim_below(worst, 1e-12); /* its corners do lie on a sphere */
  fit(PRIMITIVE_CAPSULE, &box, &worst);
  claim_below(worst, 1e-6); /* and on a capsule */
  for (size_t i = 0; i < ball.point_count; i++)
    ball.points[i] = vec3_scale(1 + claim_between(&seed, -0.01, 0.01), ball.points[i]);
  primitive p = fit(PRIMITIVE_SPHERE, &ball, &worst);
  assert_true(worst > 0.008 && worst < 0.012);
  claim_near(p.radius, 1, 0.002);
  solid_free(&box);
  solid_free(&ball);
}

static void meshes_that_cannot_be_the_kind_are_refused_with_a_reason(void **state) {
  (void)state;
  solid sheet = solid_sheet(3, NULL), ball = solid_ball(4, 6, 0, 0);
  const vec3 line[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  const int32_t triangle[3] = {0, 1, 2};
  primitive p;
  double worst;
  claim_fails(primitive_fit(PRIMITIVE_PLANE, line, 3, triangle, 1, &p, &worst, err),
              TRIBO_BAD_INPUT, "on a line");
  claim_fails(primitive_fit(PRIMITIVE_CAPSULE, line, 3, triangle, 1, &p, &worst, err),
              TRIBO_BAD_INPUT, "on a line");
  claim_fails(primitive_fit(PRIMITIVE_PLANE, ball.points, ball.point_count, ball.triangles,
                            ball.triangle_count, &p, &worst, err),
              TRIBO_BAD_INPUT, "face both ways");
  claim_fails(primitive_fit(PRIMITIVE_SPHERE, sheet.points, sheet.point_count, sheet.triangles,
                            sheet.triangle_count, &p, &worst, err),
              TRIBO_BAD_INPUT, "in a plane");
  claim_fails(primitive_fit(PRIMITIVE_BOX, sheet.points, sheet.point_count, sheet.triangles,
                            sheet.triangle_count, &p, &worst, err),
              TRIBO_BAD_INPUT, "flat");
  claim_fails(primitive_fit(PRIMITIVE_BOX, line, 3, triangle, 0, &p, &worst, err), TRIBO_BAD_INPUT,
              "no extent");
  sheet.points[2].x = NAN;
  claim_fails(primitive_fit(PRIMITIVE_PLANE, sheet.points, sheet.point_count, sheet.triangles,
                            sheet.triangle_count, &p, &worst, err),
              TRIBO_BAD_INPUT, "vertex 2");
  solid_free(&sheet);
  solid_free(&ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distance_gradient_and_foot_agree),
      cmocka_unit_test(medial_axes_have_a_foot_by_rule),
      cmocka_unit_test(a_flat_sheet_is_a_plane),
      cmocka_unit_test(coarse_balls_are_the_sphere_their_vertices_lie_on),
      cmocka_unit_test(drawn_out_balls_are_capsules),
      cmocka_unit_test(boxes_are_boxes_also_when_cubes),
      cmocka_unit_test(meshes_turned_inside_out_are_hollow),
      cmocka_unit_test(the_worst_distance_tells_what_does_not_fit),
      cmocka_unit_test(meshes_that_cannot_be_the_kind_are_refused_with_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
