/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include <float.h>

#include "friction/law.h"
#include "friction/tensor.h"
#include "math/quat.h"

static const friction_law wood = {.mu = 0.5,
                                  .mu_along = 0.1,
                                  .mu_across = 0.9,
                                  .mu_dynamic = 0.4,
                                  .stribeck_velocity = 0.02,
                                  .mu_drill = 0.003};
static const vec3 up = {0, 0, 1}, none = {0, 0, 0};

static vec3 heading(double angle) { return vec3_make(cos(angle), sin(angle), 0); }

static vec3 any_direction(uint64_t *seed) {
  vec3 v;
  do {
    v = vec3_make(claim_between(seed, -1, 1), claim_between(seed, -1, 1),
                  claim_between(seed, -1, 1));
  } while (vec3_norm(v) < 0.1 || vec3_norm(v) > 1);
  return vec3_normalized(v);
}

/* The most that a cone bears along a direction of the world, for r_N = 1: its support function. It
 * does not see which frame the cone is written in. */
static double support(const friction_cone *c, vec3 direction) {
  return hypot(c->mu_t * vec3_dot(c->t, direction), c->mu_b * vec3_dot(c->b, direction));
}

static void claim_same_set(const friction_cone *a, const friction_cone *b, double tolerance) {
  for (int k = 0; k < 16; k++) {
    vec3 d = vec3_madd(vec3_scale(cos(0.4 * k), a->t), sin(0.4 * k), a->b);
    claim_near(support(a, d), support(b, d), tolerance);
  }
  claim_near(a->mu_drill, b->mu_drill, 0);
}

static void claim_frame(const friction_cone *c, vec3 normal) {
  claim_near(vec3_norm(c->t), 1, 4 * DBL_EPSILON);
  claim_near(vec3_dot(c->t, normal), 0, 4 * DBL_EPSILON);
  claim_below(vec3_norm(vec3_sub(c->b, vec3_cross(normal, c->t))), 4 * DBL_EPSILON);
}

/* ---- Matchstick ------------------------------------------------------------------------------ */

static void perpendicular_structures_make_coulombs_cone(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < 1000; k++) {
    vec3 n = any_direction(&seed), a = vec3_cross(n, any_direction(&seed)), b = vec3_cross(n, a);
    friction_cone c = law_cone(&wood, n, a, b, 0);
    claim_frame(&c, n);
    claim_near(c.mu_t, wood.mu, 4 * DBL_EPSILON);
    claim_near(c.mu_b, wood.mu, 4 * DBL_EPSILON);
  }
}

static void parallel_structures_reach_mu_along_and_mu_across(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int k = 0; k < 1000; k++) {
    vec3 n = any_direction(&seed), a = vec3_cross(n, any_direction(&seed));
    friction_cone c = law_cone(&wood, n, a, vec3_scale(k % 2 ? 3 : -0.2, a), 0);
    claim_frame(&c, n);
    vec3 along = vec3_normalized(a), across = vec3_cross(n, along);
    claim_near(support(&c, along), wood.mu_along, 8 * DBL_EPSILON);
    claim_near(support(&c, across), wood.mu_across, 8 * DBL_EPSILON);
  }
}

/* Document 002, eqs. 5, 7, 10 and 11, at an angle between. */
static void oblique_structures_interpolate_by_their_angle_about_the_mean_direction(void **state) {
  (void)state;
  for (int degrees = 1; degrees < 90; degrees++) {
    double theta = degrees * acos(0) / 90, d = 1 - degrees / 90.0;
    friction_cone c = law_cone(&wood, up, heading(0.3), heading(0.3 + theta), 0);
    claim_near(support(&c, heading(0.3 + theta / 2)), d * 0.1 + (1 - d) * 0.5, 1e-15);
    claim_near(support(&c, heading(0.3 + theta / 2 + acos(0))), d * 0.9 + (1 - d) * 0.5, 1e-15);
  }
}

static void sign_and_order_of_the_directions_change_no_bit(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 1000; k++) {
    vec3 n = any_direction(&seed), a = any_direction(&seed), b = any_direction(&seed);
    friction_cone c = law_cone(&wood, n, a, b, 0);
    vec3 back_a = vec3_scale(-1, a), back_b = vec3_scale(-1, b);
    const friction_cone others[] = {
        law_cone(&wood, n, back_a, b, 0), law_cone(&wood, n, a, back_b, 0),
        law_cone(&wood, n, back_a, back_b, 0), law_cone(&wood, n, b, a, 0)};
    for (int i = 0; i < 4; i++) assert_memory_equal(&c, &others[i], sizeof c);
  }
}

/* Also across 90 degrees, where the mean direction jumps, and across 0. */
static void cone_changes_continuously_with_the_angle(void **state) {
  (void)state;
  const double small = 1e-7;
  friction_cone last = law_cone(&wood, up, heading(0.2), heading(0.2), 0);
  for (int k = 1; k <= 100000; k++) {
    double angle = k * 4 * acos(0) / 100000;
    friction_cone here = law_cone(&wood, up, heading(0.2), heading(0.2 + angle), 0);
    friction_cone there = law_cone(&wood, up, heading(0.2), heading(0.2 + angle + small), 0);
    claim_same_set(&here, &there, small);
    claim_same_set(&here, &last, 1e-4);
    last = here;
  }
  friction_cone before = law_cone(&wood, up, heading(0), heading(acos(0) - small), 0),
                after = law_cone(&wood, up, heading(0), heading(acos(0) + small), 0);
  claim_near(fabs(vec3_dot(before.t, after.t)), 0, 1e-6); /* the jump that the set does not see */
  claim_same_set(&before, &after, small);
}

static void cone_turns_with_the_world(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 1000; k++) {
    vec3 n = any_direction(&seed), a = any_direction(&seed), b = any_direction(&seed);
    quat turn = quat_exp(vec3_scale(3, any_direction(&seed)));
    friction_cone here = law_cone(&wood, n, a, b, 0);
    friction_cone there =
        law_cone(&wood, quat_rotate(turn, n), quat_rotate(turn, a), quat_rotate(turn, b), 0);
    here.t = quat_rotate(turn, here.t), here.b = quat_rotate(turn, here.b);
    claim_same_set(&here, &there, 1e-14);
    claim_near(fabs(vec3_dot(here.t, there.t)), 1, 1e-14); /* the frame, too, but for its sign */
  }
}

static void surface_without_structure_leaves_the_others_in_full(void **state) {
  (void)state;
  vec3 s = heading(0.7);
  friction_cone a = law_cone(&wood, up, s, none, 0), b = law_cone(&wood, up, none, s, 0);
  assert_memory_equal(&a, &b, sizeof a);
  claim_near(support(&a, s), wood.mu_along, 1e-16);
  claim_near(support(&a, vec3_cross(up, s)), wood.mu_across, 1e-16);
  friction_cone standing = law_cone(&wood, up, s, up, 0); /* along the normal: no structure */
  assert_memory_equal(&a, &standing, sizeof a);
}

static void without_any_structure_the_cone_is_coulombs(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 1000; k++) {
    vec3 n = any_direction(&seed);
    friction_cone c = law_cone(&wood, n, none, none, 0);
    claim_frame(&c, n);
    assert_true(c.mu_t == wood.mu && c.mu_b == wood.mu);
  }
}

static void isotropic_law_does_not_see_the_structure(void **state) {
  (void)state;
  tribo_friction_params params = tribo_friction_defaults();
  params.mu = 0.3;
  friction_law plain = law_make(&params);
  assert_true(law_is_isotropic(&plain) && !law_is_isotropic(&wood));
  friction_cone a = law_cone(&plain, up, heading(0.1), heading(1), 0),
                b = law_cone(&plain, up, none, none, 3);
  assert_memory_equal(&a, &b, sizeof a);
  assert_true(a.mu_t == 0.3 && a.mu_b == 0.3 && a.mu_drill == 0);
}

/* ---- static and dynamic ---------------------------------------------------------------------- */

static void friction_falls_from_static_to_dynamic_with_the_slip_speed(void **state) {
  (void)state;
  claim_near(law_weakening(&wood, 0), 1, 0);
  claim_near(law_weakening(&wood, 1e-6), 1, 1e-8); /* creeping holds like sticking */
  claim_near(law_weakening(&wood, wood.stribeck_velocity), 0.8 + 0.2 * exp(-1), 1e-15);
  claim_near(law_weakening(&wood, 1), 0.8, 1e-15);
  double last = 1;
  for (int k = 1; k <= 1000; k++) {
    double here = law_weakening(&wood, 1e-4 * k);
    assert_true(here <= last && here >= 0.8);
    last = here;
  }
  friction_cone held = law_cone(&wood, up, heading(0), none, 0),
                slides = law_cone(&wood, up, heading(0), none, 1);
  claim_near(slides.mu_t, 0.8 * held.mu_t, 1e-16); /* the shape stays */
  claim_near(slides.mu_b, 0.8 * held.mu_b, 1e-16);
  claim_near(slides.mu_drill, 0.8 * held.mu_drill, 1e-18);
}

static void without_a_stribeck_velocity_any_slip_is_fast(void **state) {
  (void)state;
  friction_law law = wood;
  law.stribeck_velocity = 0;
  assert_true(law_weakening(&law, 0) == 1 && law_weakening(&law, 1e-300) == 0.8);
  friction_law slippery = {.mu = 0, .mu_across = 0.5};
  assert_true(law_weakening(&slippery, 1) == 1);
  friction_law lost = {.mu = 0.5, .mu_dynamic = 0, .stribeck_velocity = 0.01};
  assert_true(law_weakening(&lost, 1e300) == 0);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void values_left_out_are_mu(void **state) {
  (void)state;
  tribo_friction_params params = tribo_friction_defaults();
  params.mu = 0.25, params.mu_across = 0;
  claim_ok(law_check(&params, err));
  friction_law law = law_make(&params);
  assert_true(law.mu_along == 0.25 && law.mu_across == 0 && law.mu_dynamic == 0.25);
  tribo_friction_params again = law_params(&law);
  friction_law same = law_make(&again);
  assert_memory_equal(&law, &same, sizeof law);
}

static void values_that_cannot_stand_together_are_refused(void **state) {
  (void)state;
  tribo_friction_params params = tribo_friction_defaults();
  params.mu_dynamic = 0.6;
  claim_fails(law_check(&params, err), TRIBO_BAD_INPUT,
              "mu_dynamic is 0.6, above mu, which is 0.5; what slides cannot hold better than what "
              "sticks: give at most mu");
  params.mu_dynamic = -0.1;
  claim_fails(law_check(&params, err), TRIBO_BAD_INPUT, "mu_dynamic is -0.1; give 0 or more");
  params.mu_dynamic = 0, params.mu_along = -0.5;
  claim_fails(law_check(&params, err), TRIBO_BAD_INPUT,
              "mu_along is -0.5; give 0 or more, or leave it out (-1) to have it as mu");
  params.mu_along = 7; /* above mu and mu_across: unusual, but it can stand */
  claim_ok(law_check(&params, err));
}

/* ---- tensors --------------------------------------------------------------------------------- */

static tribo_friction_params with_tensors(double mu, const double a[3], const double b[3]) {
  tribo_friction_params p = tribo_friction_defaults();
  p.mu = mu, p.mu_drill = 0.125;
  memcpy(p.tensor_a, a, sizeof p.tensor_a);
  memcpy(p.tensor_b, b, sizeof p.tensor_b);
  return p;
}

static void law_with_tensors_has_the_cone_of_their_sum_times_mu(void **state) {
  (void)state;
  const double a[3] = {0.2, 0.5, 0.1}, b[3] = {0.4, 0.3, -0.2};
  tribo_friction_params p = with_tensors(0.5, a, b);
  claim_ok(law_check(&p, err));
  friction_law law = law_make(&p), other = law_swapped(&law);
  assert_true(law.tensors && !law_is_isotropic(&law));
  uint64_t seed = 9;
  for (int k = 0; k < 1000; k++) {
    double x = claim_between(&seed, 0, 7), y = claim_between(&seed, 0, 7);
    vec3 s = {cos(x), sin(x), 0}, t = {cos(y), sin(y), 0};
    friction_tensor q = {{{0.2, 0.1}, {0.1, 0.5}}, {{0.4, -0.2}, {-0.2, 0.3}}, 0.5};
    friction_cone expected, found = law_cone(&law, up, s, t, 0);
    claim_ok(tensor_cone(&q, up, s, t, &expected, err));
    claim_near(found.mu_t, expected.mu_t, 1e-15);
    claim_near(found.mu_b, expected.mu_b, 1e-15);
    claim_near(fabs(vec3_dot(found.t, expected.t)), 1, 1e-14);
    claim_near(found.mu_drill, 0.125, 0);
    /* from the other side it is the same cone */
    friction_cone mirrored = law_cone(&other, up, t, s, 0);
    claim_near(mirrored.mu_t, found.mu_t, 1e-14);
    claim_near(mirrored.mu_b, found.mu_b, 1e-14);
  }
}

static void tensor_without_a_structure_counts_with_its_mean(void **state) {
  (void)state;
  const double a[3] = {0.2, 0.6, 0.1}, b[3] = {0.3, 0.3, 0};
  tribo_friction_params p = with_tensors(2, a, b);
  friction_law law = law_make(&p);
  friction_cone cone = law_cone(&law, up, none, none, 0);
  claim_near(cone.mu_t, 2 * (0.4 + 0.3), 1e-15);
  claim_near(cone.mu_b, 2 * (0.4 + 0.3), 1e-15);
}

static void tensors_that_drive_or_compete_are_refused(void **state) {
  (void)state;
  const double fair[3] = {0.2, 0.6, 0.1}, driving[3] = {0.2, 0.2, 0.5}, little[3] = {0.1, 0.1, 0};
  tribo_friction_params p = with_tensors(1, driving, little);
  claim_fails(law_check(&p, err), TRIBO_BAD_INPUT,
              "tensor_a is [0.2 0.2 0.5] and tensor_b [0.1 0.1 0], whose sum can have the "
              "eigenvalue -0.2: such friction drives the motion");
  const double enough[3] = {0.3, 0.3, 0};
  p = with_tensors(1, driving, enough); /* the sum has none below 0, whatever the turn */
  claim_ok(law_check(&p, err));
  p = with_tensors(1, fair, little);
  p.mu_across = 0.5;
  claim_fails(law_check(&p, err), TRIBO_BAD_INPUT,
              "mu_across is given beside tensor_a and tensor_b; leave one or the other out");
  p.mu_across = -1;
  friction_law law = law_make(&p);
  tribo_friction_params again = law_params(&law);
  claim_ok(law_check(&again, err));
  friction_law same = law_make(&again);
  assert_memory_equal(&law, &same, sizeof law);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(law_with_tensors_has_the_cone_of_their_sum_times_mu),
      cmocka_unit_test(tensor_without_a_structure_counts_with_its_mean),
      cmocka_unit_test(tensors_that_drive_or_compete_are_refused),
      cmocka_unit_test(perpendicular_structures_make_coulombs_cone),
      cmocka_unit_test(parallel_structures_reach_mu_along_and_mu_across),
      cmocka_unit_test(oblique_structures_interpolate_by_their_angle_about_the_mean_direction),
      cmocka_unit_test(sign_and_order_of_the_directions_change_no_bit),
      cmocka_unit_test(cone_changes_continuously_with_the_angle),
      cmocka_unit_test(cone_turns_with_the_world),
      cmocka_unit_test(surface_without_structure_leaves_the_others_in_full),
      cmocka_unit_test(without_any_structure_the_cone_is_coulombs),
      cmocka_unit_test(isotropic_law_does_not_see_the_structure),
      cmocka_unit_test(friction_falls_from_static_to_dynamic_with_the_slip_speed),
      cmocka_unit_test(without_a_stribeck_velocity_any_slip_is_fast),
      cmocka_unit_test(values_left_out_are_mu),
      cmocka_unit_test(values_that_cannot_stand_together_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
