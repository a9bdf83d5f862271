/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probes: the vertices of a skin, or the few fat points of a round rigid body.
 */
#include "core/contact/stage.h"

/* One body over a floor; its probes, as the finder has them. */
static stage *alone(tribo_object_def def, mesh shape) {
  stage *s = stage_make();
  stage_add(s, def, shape);
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_PLANE), stage_sheet(1, 10, -5));
  stage_build(s, MLS_RIGID, 1);
  return s;
}

static void vertices_of_the_skin__feel(void **unused) {
  (void)unused;
  mesh block = shape_block(4, 4, 4, 1, 1, 1);
  tribo_object_def def = stage_def(TRIBO_SOLID, TRIBO_CONTACT_MLS);
  def.surface.thickness = 0.01;
  stage *s = alone(def, block);
  const probes *f = &s->finder.probes[0];
  assert_int_equal(f->count, 125 - 27); /* those inside do not */
  claim_near(f->thickness, 0.01, 0);
  stage_moves(s);
  for (int32_t i = 0; i < s->m.node_count; i++) s->x[i].z += 0.1 * i;
  stage_carry(s);
  for (size_t i = 0; i < f->count; i++) {
    int32_t v = probes_vertex(f, i);
    assert_true(i == 0 || probes_vertex(f, i - 1) < v);
    s->velocities[v] = (vec3){0, -2, 0.5 * (double)i};
    claim_below(vec3_norm(vec3_sub(probes_point(f, &s->m, &s->moment, i), s->x[v])), 0);
    claim_below(vec3_norm(vec3_sub(probes_before(f, &s->moment, i), s->m.rest[v])), 0);
    claim_near(probes_speed(f, s->velocities, i), hypot(2, 0.5 * (double)i), 1e-12);
  }
  stage_free(s);
}

/* The centre and the radius of a ball that turns and moves. */
static void ball__feels_with_its_centre(void **unused) {
  (void)unused;
  mesh ball = stage_ball(6, 0.3, false);
  shape_move(&ball, 1, 2, 3);
  tribo_object_def def = stage_def(TRIBO_RIGID, TRIBO_CONTACT_SPHERE);
  def.surface.thickness = 0.02;
  def.surface.role = TRIBO_ROLE_POINTS; /* has no surface to take the shape from */
  stage *s = alone(def, ball);
  const probes *f = &s->finder.probes[0];
  assert_int_equal(f->count, 1);
  claim_near(f->thickness, 0.32, 1e-12);
  stage_moves(s);
  s->x[0] = vec3_add(s->x[0], (vec3){0.1, -0.2, 0.3});
  s->x[1] = vec3_scale(s->m.rigids[0].length, (vec3){0.5, 1, -0.3});
  stage_carry(s);
  vec3 now = {1.1, 1.8, 3.3}, was = {1, 2, 3};
  claim_below(vec3_norm(vec3_sub(probes_point(f, &s->m, &s->moment, 0), now)), 1e-12);
  claim_below(vec3_norm(vec3_sub(probes_before(f, &s->moment, 0), was)), 1e-12);
  stage_free(s);
}

/* A capsule along x: points on its axis, from end to end, no farther apart than its radius; they
 * turn with it. */
static void capsule__feels_along_its_axis(void **unused) {
  (void)unused;
  double radius = 0.25, half = 0.6;
  mesh shape = stage_ball(8, radius, false);
  for (size_t i = 0; i < shape.vertex_count; i++) {
    double *p = shape.positions + 3 * i;
    if (fabs(p[0]) > 1e-12) p[0] += p[0] > 0 ? half : -half;
  }
  tribo_object_def def = stage_def(TRIBO_RIGID, TRIBO_CONTACT_CAPSULE);
  stage *s = alone(def, shape);
  const probes *f = &s->finder.probes[0];
  assert_int_equal(f->count, 6); /* 1.2 / 0.25 = 4.8 steps */
  claim_near(f->thickness, radius, 1e-9);
  stage_moves(s);
  double angle = 0.7;
  s->x[1] = vec3_scale(s->m.rigids[0].length, (vec3){0, 0, angle});
  stage_carry(s);
  vec3 axis = {cos(angle), sin(angle), 0};
  vec3 first = probes_point(f, &s->m, &s->moment, 0), last = first;
  for (size_t i = 0; i < f->count; i++) {
    vec3 p = probes_point(f, &s->m, &s->moment, i), q = probes_before(f, &s->moment, i);
    claim_below(vec3_norm(vec3_cross(axis, p)), 1e-8);
    claim_below(hypot(q.y, q.z), 1e-8);
    claim_near(vec3_dot(axis, p), q.x, 1e-8);
    claim_below(vec3_norm(vec3_sub(p, last)), radius);
    last = p;
  }
  claim_near(vec3_norm(vec3_sub(last, first)), 2 * half, 1e-8);
  stage_free(s);
}

/* What deforms is no ball, whatever its contact shape is called; a box feels with its corners and
 * edges, and is no thicker than they. */
static void only_round_rigid_bodies__are_fat(void **unused) {
  (void)unused;
  stage *s = alone(stage_def(TRIBO_RIGID, TRIBO_CONTACT_BOX), stage_box(1, 1, 1, 1));
  assert_int_equal(s->finder.probes[0].count, 8 + 12 * 3);
  claim_near(s->finder.probes[0].thickness, 0, 0);
  stage_free(s);
  s = alone(stage_def(TRIBO_CLOTH, TRIBO_CONTACT_AUTO), stage_sheet(3, 1, 0));
  assert_int_equal(s->finder.probes[0].count, 16);
  assert_null(s->finder.probes[0].local);
  stage_free(s);
}

/* Two boxes of 1 x 2 x 3 m: the points of one, drawn inwards by a thousandth of a metre or a little
 * more from all its faces, and more along its edges, no farther apart than a quarter of a metre. */
static void sharp_rigid_bodies__feel_each_other_with_blunt_corners_and_edges(void **unused) {
  (void)unused;
  stage *s = stage_make();
  for (int k = 0; k < 2; k++) {
    mesh box = stage_box(1, 1, 2, 3);
    stage_add(s, stage_def(TRIBO_RIGID, k ? TRIBO_CONTACT_BOX : TRIBO_CONTACT_MESH), box);
  }
  stage_build(s, MLS_RIGID, 1);
  stage_moves(s);
  assert_int_equal(s->finder.broad_phase.count, 2); /* both ways */
  for (int k = 0; k < 2; k++) {
    const probes *f = &s->finder.probes[k];
    assert_int_equal(f->count, 8 + 4 * (3 + 7 + 11));
    const vec3 *corners = f->body->local;
    const double drawn = probes_round(f, 0);
    assert_true(drawn > 1e-3 - 1e-12 && drawn < 2e-3);
    vec3 half = {fabs(corners[0].x), fabs(corners[0].y), fabs(corners[0].z)};
    for (size_t i = 0; i < f->count; i++) {
      const double depth[3] = {half.x - fabs(f->local[i].x), half.y - fabs(f->local[i].y),
                               half.z - fabs(f->local[i].z)};
      int on = 0; /* faces that it is just below */
      for (int a = 0; a < 3; a++) {
        assert_true(depth[a] > drawn - 1e-12);
        on += depth[a] < drawn + 1e-12;
      }
      assert_int_equal(on, i < 8 ? 3 : 2);
      claim_near(probes_round(f, i), drawn, 1e-12);
      assert_true(probes_vertex(f, i) >= 0 && probes_vertex(f, i) < 8);
    }
  }
  stage_free(s);
}

/* The tip of a skewed pyramid has no place at the same depth below all of its four sides, but one
 * below all of them: it reaches as far as its vertex towards whatever it pokes into. */
static void body_with_four_planes_at_a_vertex__reaches_as_far_as_that(void **unused) {
  (void)unused;
  mesh pyramid = shape_new(5, 6, 0);
  const double x[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.3, 0.4, 1};
  const int32_t t[18] = {0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  const vec3 sides[5] = {{0, 0, -1}, {0, -1, 0.4}, {1, 0, 0.7}, {0, 1, 0.6}, {-1, 0, 0.3}};
  memcpy(pyramid.positions, x, sizeof x);
  memcpy(pyramid.triangles, t, sizeof t);
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_MESH), pyramid);
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_BOX), stage_box(1, 1, 1, 1));
  stage_build(s, MLS_RIGID, 1);
  stage_moves(s);
  const probes *f = &s->finder.probes[0];
  vec3 apex = s->vertices[4], point = probes_point(f, &s->m, &s->moment, 4);
  for (int k = 1; k < 5; k++) { /* those that meet in the tip */
    double below = vec3_dot(vec3_normalized(sides[k]), vec3_sub(apex, point));
    assert_true(below > probes_round(f, 4) * (1 - 1e-9));
  }
  for (double lean = -0.2; lean < 0.3; lean += 0.1) {
    vec3 down = vec3_normalized(vec3_make(lean, -lean / 2, -1)); /* normal of what it pokes into */
    double reach = probes_thickness(f, &s->m, &s->moment, 4, down);
    claim_near(reach, vec3_dot(vec3_sub(point, apex), down), 1e-12);
  }
  stage_free(s);
}

/* A smooth surface is felt as far as its samples reach, which is not as far as a ball's centre. */
static void ball__feels_a_smooth_surface_with_its_vertices(void **unused) {
  (void)unused;
  stage *s = stage_make();
  stage_add(s, stage_def(TRIBO_RIGID, TRIBO_CONTACT_SPHERE), stage_ball(6, 0.3, false));
  stage_add(s, stage_def(TRIBO_COLLIDER, TRIBO_CONTACT_MLS), stage_sheet(20, 2, -0.3));
  stage_build(s, MLS_RIGID, 1);
  assert_true(s->finder.probes[0].count > 1);
  stage_find(s, 0.01);
  assert_true(s->set.count > 0);
  stage_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices_of_the_skin__feel),
      cmocka_unit_test(ball__feels_with_its_centre),
      cmocka_unit_test(capsule__feels_along_its_axis),
      cmocka_unit_test(only_round_rigid_bodies__are_fat),
      cmocka_unit_test(sharp_rigid_bodies__feel_each_other_with_blunt_corners_and_edges),
      cmocka_unit_test(body_with_four_planes_at_a_vertex__reaches_as_far_as_that),
      cmocka_unit_test(ball__feels_a_smooth_surface_with_its_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
