/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "surface/sharp_features.h"

#include "core/contact/stage.h"

/* A box of 1 x 1 x 1 m around the origin and something far away that may touch it. */
typedef struct sharp_stage {
  stage *s;
  sharp_features r;
} sharp_stage;

static sharp_stage make(int contact, mesh shape) {
  sharp_stage g = {.s = stage_make()};
  mesh sheet = shape_sheet(1, 1, 1, 1);
  shape_move(&sheet, 0, 0, 10);
  stage_add(g.s, stage_def(TRIBO_COLLIDER, contact), shape);
  stage_add(g.s, tribo_object_default(TRIBO_CLOTH), sheet);
  stage_build(g.s, MLS_RIGID, 1);
  stage_find(g.s, 0.01);
  claim_ok(sharp_features_create(&g.s->finder.surfaces[0], &g.s->memory, &g.r, err));
  sharp_features_place(&g.r, &g.s->tasks);
  return g;
}

static mesh cube(void) { return stage_box(1, 1, 1, 1); }

static const int kinds[] = {TRIBO_CONTACT_BOX, TRIBO_CONTACT_MESH};

/* Straight across the upper edge at x = 0.5, in the plane y = 0.1, `gap` away along the diagonal.
 */
static void line_across_an_edge__has_its_gap_with_a_sign(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    sharp_stage g = make(kinds[k], cube());
    for (double gap = -0.01; gap < 0.011; gap += 0.005) {
      double off = gap / sqrt(2);
      vec3 x[2] = {{0.4 + off, 0.1, 0.6 + off}, {0.7 + off, 0.1, 0.3 + off}};
      sharp_hit hits[SHARP_FEATURES_MOST];
      assert_int_equal(sharp_features_meet_edge(&g.r, x, 0.02, hits), 1);
      claim_near(hits[0].gap, gap, 1e-12);
      claim_near(hits[0].normal.x, sqrt(0.5), 1e-12);
      claim_near(hits[0].normal.y, 0, 1e-12);
      claim_near(hits[0].normal.z, sqrt(0.5), 1e-12);
      claim_near(hits[0].weight[1], 1. / 3, 1e-12);
    }
    stage_free(g.s);
  }
}

/* Level with the upper face, and a little off either way: it is pushed up, never aside. */
static void line_on_a_face__is_pushed_off_that_face(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    sharp_stage g = make(kinds[k], cube());
    for (int tilt = -1; tilt < 2; tilt++) {
      vec3 x[2] = {{0.4, 0.1, 0.5}, {0.6, 0.1, 0.5 + 1e-9 * tilt}};
      sharp_hit hits[SHARP_FEATURES_MOST];
      assert_int_equal(sharp_features_meet_edge(&g.r, x, 0.02, hits), 1);
      claim_near(hits[0].normal.z, 1, 1e-12);
    }
    stage_free(g.s);
  }
}

/* Below a thin plate, and on top of it near its corner, where it is far behind other edges. */
static void line_beyond_the_other_side__is_not_deep_inside(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    sharp_stage g = make(kinds[k], stage_box(1, 1, 1, 0.02));
    sharp_hit hits[SHARP_FEATURES_MOST];
    vec3 below[2] = {{0.4, 0.1, -0.012}, {0.6, 0.1, -0.013}};
    int count = sharp_features_meet_edge(&g.r, below, 0.05, hits);
    for (int i = 0; i < count; i++) assert_true(hits[i].gap > 0 && hits[i].normal.z < -0.9);
    vec3 above[2] = {{0.4, 0.55, 0.01 - 1e-9}, {0.55, 0.4, 0.01 - 1e-9}};
    count = sharp_features_meet_edge(&g.r, above, 0.05, hits);
    for (int i = 0; i < count; i++) assert_true(hits[i].gap > -1e-6 && hits[i].normal.z > 0.9);
    stage_free(g.s);
  }
}

/* A level triangle over the corner at (0.5, 0.5, 0.5). */
static void triangle_on_a_corner__has_its_gap_with_a_sign(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    sharp_stage g = make(kinds[k], cube());
    for (double gap = -0.01; gap < 0.011; gap += 0.005) {
      vec3 n = vec3_normalized(vec3_make(1, 1, 1)), c = vec3_make(0.5, 0.5, 0.5);
      vec3 e = vec3_normalized(vec3_make(1, -1, 0)), f = vec3_cross(n, e);
      c = vec3_madd(c, gap, n);
      vec3 x[3] = {vec3_madd(c, 0.1, e), vec3_madd(vec3_madd(c, -0.1, e), 0.1, f),
                   vec3_madd(vec3_madd(c, -0.1, e), -0.1, f)};
      sharp_hit hits[SHARP_FEATURES_MOST];
      assert_int_equal(sharp_features_meet_triangle(&g.r, x, 0.02, hits), 1);
      claim_near(hits[0].gap, gap, 1e-12);
      claim_near(vec3_dot(hits[0].normal, n), 1, 1e-12);
      claim_near(hits[0].weight[0], 0.5, 1e-12);
    }
    stage_free(g.s);
  }
}

static void smooth_surfaces_and_round_shapes__have_none(void **unused) {
  (void)unused;
  const int contacts[] = {TRIBO_CONTACT_MLS, TRIBO_CONTACT_SPHERE, TRIBO_CONTACT_MESH};
  for (int k = 0; k < 3; k++) {
    sharp_stage g = make(contacts[k], stage_ball(8, 0.5, false));
    assert_int_equal(g.r.parts.edge_count + g.r.parts.corner_count, 0);
    stage_free(g.s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(line_across_an_edge__has_its_gap_with_a_sign),
      cmocka_unit_test(line_on_a_face__is_pushed_off_that_face),
      cmocka_unit_test(line_beyond_the_other_side__is_not_deep_inside),
      cmocka_unit_test(triangle_on_a_corner__has_its_gap_with_a_sign),
      cmocka_unit_test(smooth_surfaces_and_round_shapes__have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
