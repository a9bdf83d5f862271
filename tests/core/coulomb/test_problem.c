/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact problems: the projection against its own optimality, Coulomb's law on answers made by
 * hand, one contact against closed forms, groups, and the unit problem against the true one.
 */
#include <float.h>

#include "bench/piles.h"
#include "claims.h"
#include "coulomb/contact_local.h"
#include "coulomb/contact_newton.h"
#include "coulomb/contact_solver.h"

static vec3 random_vec3(uint64_t *seed, double size) {
  return vec3_make(claim_between(seed, -size, size), claim_between(seed, -size, size),
                   claim_between(seed, -size, size));
}

static vec3 random_in_cone(contact_coefficients grip, uint64_t *seed) {
  double n = claim_between(seed, 0, 3), angle = claim_between(seed, 0, 2 * M_PI);
  double part = sqrt(claim_random(seed));
  return vec3_make(n, n * part * grip.t * cos(angle), n * part * grip.b * sin(angle));
}

/* ---- the projection ---- */

static void projection__is_the_nearest_point_of_the_cone(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  contact_coefficients grips[] = {{0.5, 0.5}, {0.1, 0.9}, {1.7, 0.3}, {0, 0.4},
                                  {0.4, 0},   {0, 0},     {1, 1}};
  for (size_t g = 0; g < sizeof grips / sizeof *grips; g++)
    for (int trial = 0; trial < 200; trial++) {
      vec3 r = random_vec3(&seed, 2), on = contact_problem_project(grips[g], r);
      double t = grips[g].t > 0 ? on.y / grips[g].t : on.y,
             b = grips[g].b > 0 ? on.z / grips[g].b : on.z;
      claim_below(hypot(t, b), on.x + 1e-13);
      /* (r - on) . (x - on) <= 0 for all x of the cone */
      for (int k = 0; k < 40; k++) {
        vec3 x = random_in_cone(grips[g], &seed);
        claim_below(vec3_dot(vec3_sub(r, on), vec3_sub(x, on)), 1e-12);
      }
      claim_below(fabs(vec3_dot(vec3_sub(r, on), on)), 1e-12);
    }
}

static void projection__of_an_ellipse_goes_over_into_that_of_a_circle(void **unused) {
  (void)unused;
  uint64_t seed = 6;
  for (int trial = 0; trial < 500; trial++) {
    vec3 r = random_vec3(&seed, 2);
    vec3 round = contact_problem_project((contact_coefficients){0.6, 0.6}, r);
    vec3 nearly = contact_problem_project((contact_coefficients){0.6, 0.6 * (1 + 1e-12)}, r);
    claim_below(vec3_norm(vec3_sub(round, nearly)), 1e-10);
  }
}

/* ---- the law ---- */

static void law__holds_for_answers_made_by_hand(void **unused) {
  (void)unused;
  contact_coefficients round = {0.5, 0.5}, ellipse = {0.2, 0.8};
  vec3 zero = {0, 0, 0};
  claim_below(vec3_norm(contact_problem_law(round, vec3_make(0.3, 1, -2), zero)), 1e-15);
  claim_below(vec3_norm(contact_problem_law(round, zero, vec3_make(2, 0.6, 0.7))), 1e-15);
  claim_below(vec3_norm(contact_problem_law(round, vec3_make(0, 3, -4), vec3_make(2, -0.6, 0.8))),
              1e-14);
  /* An ellipse: r_T = -r_N D^2 u_T / |D u_T|, the friction that dissipates most. */
  vec3 u = {0, 3, -4}, r = {2, 0, 0};
  double slip = hypot(0.2 * u.y, 0.8 * u.z);
  r.y = -r.x * 0.04 * u.y / slip;
  r.z = -r.x * 0.64 * u.z / slip;
  claim_below(vec3_norm(contact_problem_law(ellipse, u, r)), 1e-13);
  claim_below(vec3_norm(contact_problem_law((contact_coefficients){0, 0}, vec3_make(0, 3, 4),
                                            vec3_make(2, 0, 0))),
              1e-15);
}

static void law__is_broken_by_every_wrong_answer(void **unused) {
  (void)unused;
  contact_coefficients grip = {0.5, 0.5};
  vec3 wrong[][2] = {
      {{-0.1, 0, 0}, {0, 0, 0}},   /* goes in */
      {{0.1, 0, 0}, {1, 0, 0}},    /* pushes while it leaves */
      {{0, 0, 0}, {1, 0.6, 0}},    /* grips too much */
      {{0, 1, 0}, {1, 0, 0}},      /* slides without friction */
      {{0, 1, 0}, {1, 0.5, 0}},    /* friction along the slip */
      {{0, 1, 0}, {1, 0, -0.5}},   /* friction across the slip */
      {{0, 0, 0}, {-1, 0, 0}},     /* pulls */
      {{0.5, 1, 0}, {1, -0.5, 0}}, /* leaves, and is held by friction */
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_true(vec3_norm(contact_problem_law(grip, wrong[i][0], wrong[i][1])) > 0.05);
}

static void residual__is_that_of_the_velocities_that_the_impulses_give(void **unused) {
  (void)unused;
  /* Two contacts on one body of mass 2 without turning: both blocks of W are I / 2. */
  arena memory = {0};
  int32_t pair[] = {0, 1};
  bcsr_clique_set set = {pair, 1, 2};
  bcsr_pattern pattern;
  claim_ok(bcsr_analyze(2, &set, 1, &memory, &pattern, err));
  mat3 one = mat3_identity(), half = mat3_scale(0.5, &one), blocks[4] = {half, half, half, half};
  vec3 q[2] = {{-3, 0, 0}, {-3, 0, 0}}, r[2] = {{4, 0, 0}, {2, 0, 0}}, u[2];
  contact_coefficients grip[2] = {{0.3, 0.3}, {0.3, 0.3}};
  contact_problem p = {.w = {&pattern, blocks}, .q = q, .grip = grip};
  claim_below(contact_problem_residual(&p, r, u), 1e-16);
  claim_below(vec3_norm(u[0]) + vec3_norm(u[1]), 1e-16);
  r[0].x = 3;
  /* u_N = -1/2 at both; the natural map is then -1/2 at both */
  claim_near(contact_problem_residual(&p, r, NULL), sqrt(0.5) / (1 + sqrt(18)), 1e-15);
  arena_free(&memory);
}

/* ---- one contact ---- */

static mat3 random_spd(uint64_t *seed, double least) {
  mat3 a;
  for (int i = 0; i < 9; i++) a.m[i / 3][i % 3] = claim_between(seed, -1, 1);
  mat3 w = mat3_mul_t(&a, &a);
  for (int i = 0; i < 3; i++) w.m[i][i] += least;
  return w;
}

static void one_contact__obeys_the_law_to_rounding(void **unused) {
  (void)unused;
  uint64_t seed = 9;
  int kinds[3] = {0};
  for (int trial = 0; trial < 5000; trial++) {
    mat3 w = random_spd(&seed, trial % 3 == 0 ? 1e-6 : 0.05);
    vec3 q = random_vec3(&seed, 1);
    contact_local c = contact_local_make(&w);
    double slip = trial % 2 ? claim_between(&seed, 0, 10) : 0; /* any guess will do */
    vec3 r = contact_local_solve(&c, q, &slip), u = vec3_add(mat3_mul_vec3(&w, r), q);
    double size = 1 + vec3_norm(r);
    claim_below(vec3_norm(contact_problem_law((contact_coefficients){1, 1}, u, r)), 1e-9 * size);
    kinds[r.x == 0 ? 0 : slip > 0 ? 2 : 1]++;
  }
  assert_true(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 500);
}

static void one_contact__sticks_and_slides_as_a_block_on_a_plane(void **unused) {
  (void)unused;
  /* A point of mass 2 that comes down at 3 m/s and along at v: it sticks up to mu 3 m/s. */
  for (int k = 0; k < 20; k++) {
    double mu = 0.4, v = 0.15 * k, angle = 0.3 * k;
    pile p = pile_make(0);
    int ball = pile_sphere(&p, vec3_make(0, 0, 0), 1, 1);
    p.bodies[ball].mass = 2;
    pile_touch(&p, ball, -1, vec3_make(0, 0, 0), vec3_make(0, 0, 1),
               (contact_coefficients){mu, mu});
    p.bodies[ball].velocity = vec3_make(v * cos(angle), v * sin(angle), -3);
    contact_stored s;
    pile_problem(&p, "block", &s);
    contact_solve_options options = {.tolerance = 1e-14, .tasks = {1}};
    contact_solve_report report;
    claim_ok(contact_solve(&s.problem, &contact_auto, &options, s.r, &report, err));
    vec3 u;
    contact_problem_residual(&s.problem, s.r, &u);
    claim_near(s.r[0].x, 6, 1e-13);
    claim_near(hypot(s.r[0].y, s.r[0].z), 2 * fmin(v, mu * 3), 1e-13);
    claim_near(hypot(u.y, u.z), fmax(0, v - mu * 3), 1e-13);
    contact_stored_free(&s);
    pile_free(&p);
  }
}

/* ---- functions and their slopes ---- */

static void slopes__are_those_of_finite_differences(void **unused) {
  (void)unused;
  const contact_function *functions[] = {&contact_function_alart_curnier,
                                         &contact_function_fischer_burmeister};
  uint64_t seed = 12;
  for (size_t f = 0; f < 2; f++)
    for (int trial = 0; trial < 300; trial++) {
      contact_scale scale = {claim_between(&seed, 0.5, 2), claim_between(&seed, 0.5, 2)};
      vec3 u = random_vec3(&seed, 1), r = random_vec3(&seed, 1);
      contact_sample s = functions[f]->slope(u, r, scale);
      double h = 1e-7, apart = 0, kink = 0;
      for (int c = 0; c < 6; c++) {
        vec3 x[2] = {u, u}, y[2] = {r, r};
        for (int side = 0; side < 2; side++)
          ((double *)(c < 3 ? &x[side] : &y[side]))[c % 3] += side ? h : -h;
        vec3 up = functions[f]->value(x[1], y[1], scale), at = functions[f]->value(u, r, scale);
        vec3 down = functions[f]->value(x[0], y[0], scale);
        vec3 slope = vec3_scale(0.5 / h, vec3_sub(up, down));
        vec3 bend = vec3_sub(vec3_sub(up, at), vec3_sub(at, down));
        kink = fmax(kink, vec3_norm(bend) / h);
        vec3 ours = mat3_column(c < 3 ? &s.by_u : &s.by_r, c % 3);
        apart = fmax(apart, vec3_norm(vec3_sub(slope, ours)));
      }
      if (kink < 1e-5) claim_below(apart, 1e-5); /* a corner lies between: any slope is right */
    }
}

/* ---- groups and units ---- */

static void groups__are_the_connected_parts(void **unused) {
  (void)unused;
  arena memory = {0};
  int32_t pairs[] = {0, 4, 4, 2, 1, 5};
  bcsr_clique_set set = {pairs, 3, 2};
  bcsr_pattern pattern;
  contact_groups groups;
  claim_ok(bcsr_analyze(7, &set, 1, &memory, &pattern, err));
  claim_ok(contact_groups_find(&pattern, &memory, &groups, err));
  int32_t wanted[] = {0, 2, 4, 1, 5, 3, 6};
  size_t starts[] = {0, 3, 5, 6, 7};
  assert_int_equal(groups.count, 4);
  assert_memory_equal(groups.contact, wanted, sizeof wanted);
  assert_memory_equal(groups.start, starts, sizeof starts);
  arena_free(&memory);
}

static void unit_problem__measures_what_the_true_one_does(void **unused) {
  (void)unused;
  uint64_t seed = 17;
  contact_coefficients grips[] = {{0.5, 0.5}, {0.2, 0.9}, {0, 0}, {0, 0.7}};
  pile p = pile_wall(3, 3, grips[0]);
  for (int i = 0; i < p.contact_count; i++) p.contacts[i].grip = grips[i % 4];
  pile_shake(&p, 1, 1, 3);
  contact_stored s;
  pile_problem(&p, "wall", &s);
  size_t n = contact_problem_count(&s.problem);
  int32_t *all = calloc(n, sizeof *all);
  vec3 *r = calloc(n, sizeof *r), *unit_r = calloc(n, sizeof *r), *u = calloc(n, sizeof *r);
  for (size_t i = 0; i < n; i++) all[i] = (int32_t)i;
  contact_unit unit;
  arena memory = {0};
  claim_ok(contact_unit_make(&s.problem, all, n, &memory, &unit, err));
  for (int trial = 0; trial < 20; trial++) {
    for (size_t i = 0; i < n; i++) {
      vec3 any = random_vec3(&seed, 100);
      unit_r[i] = contact_unit_in(&unit, (int32_t)i, any);
      r[i] = contact_unit_out(&unit, (int32_t)i, unit_r[i]);
    }
    contact_unit_velocity(&unit, unit_r, u);
    double inside = contact_unit_residual(&unit, u, unit_r);
    double outside =
        contact_problem_residual(&s.problem, r, NULL) * (1 + contact_problem_norm(&s.problem));
    claim_near(inside, outside, 1e-12 * outside);
  }
  arena_free(&memory);
  free(all);
  free(r);
  free(unit_r);
  free(u);
  contact_stored_free(&s);
  pile_free(&p);
}

static void problems__with_impossible_numbers_are_refused(void **unused) {
  (void)unused;
  pile p = pile_tower(2, (contact_coefficients){0.5, -0.5});
  contact_stored s;
  pile_problem(&p, "tower", &s);
  claim_fails(contact_problem_check(&s.problem, err), TRIBO_BAD_INPUT, "contact 0");
  contact_stored_free(&s);
  pile_free(&p);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(projection__is_the_nearest_point_of_the_cone),
      cmocka_unit_test(projection__of_an_ellipse_goes_over_into_that_of_a_circle),
      cmocka_unit_test(law__holds_for_answers_made_by_hand),
      cmocka_unit_test(law__is_broken_by_every_wrong_answer),
      cmocka_unit_test(residual__is_that_of_the_velocities_that_the_impulses_give),
      cmocka_unit_test(one_contact__obeys_the_law_to_rounding),
      cmocka_unit_test(one_contact__sticks_and_slides_as_a_block_on_a_plane),
      cmocka_unit_test(slopes__are_those_of_finite_differences),
      cmocka_unit_test(groups__are_the_connected_parts),
      cmocka_unit_test(unit_problem__measures_what_the_true_one_does),
      cmocka_unit_test(problems__with_impossible_numbers_are_refused),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
