/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the integrator that simulations are measured against can be trusted itself.
 */
#include "physics/lab_drift.h"

#include "friction/ellipse.h"

static const drift_ramp oblique = {
    .gravity = 9.81, .slope = 0.5, .mu_t = 0.1, .mu_b = 0.45, .structure = 0.6};

static drift_ramp isotropic(double mu) {
  drift_ramp r = oblique;
  r.mu_t = r.mu_b = mu;
  return r;
}

static void force_is_the_most_dissipative_of_the_ellipse(void **state) {
  (void)state;
  for (int k = 0; k < 100; k++) {
    double v[2] = {cos(k), sin(k)}, a[2], most = 0;
    drift_acceleration(&oblique, v, a);
    a[0] -= oblique.gravity * sin(oblique.slope);
    for (int i = 0; i < 100000; i++) { /* every force on the boundary */
      double angle = i * 2e-5 * acos(-1), held = oblique.gravity * cos(oblique.slope);
      double t = held * oblique.mu_t * cos(angle), b = held * oblique.mu_b * sin(angle);
      double c = cos(oblique.structure), s = sin(oblique.structure);
      most = fmax(most, -(v[0] * (c * t - s * b) + v[1] * (s * t + c * b)));
    }
    claim_near(-(v[0] * a[0] + v[1] * a[1]), most, 1e-8);
  }
}

/* x = v t + g (sin - mu cos) t^2/2 downhill; Runge-Kutta is exact for it. */
static void isotropic_slide_downhill_is_the_closed_formula(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    drift_ramp r = isotropic(0.1 * k);
    drift_point p = {.v = {0.7, 0}};
    drift_advance(&r, 2, 100, &p);
    double a = r.gravity * (sin(r.slope) - r.mu_t * cos(r.slope));
    claim_near(p.x[0], 0.7 * 2 + 0.5 * a * 4, 1e-12);
    claim_near(p.v[0], 0.7 + a * 2, 1e-12);
    claim_near(p.x[1], 0, 1e-12);
    claim_near(p.v[1], 0, 1e-12);
    drift_point rest = drift_from_rest(&r, 2);
    claim_near(rest.x[0], 0.5 * a * 4, 1e-12);
    claim_near(rest.x[1], 0, 1e-12);
  }
}

/* Isotropic, any start: with theta the angle of v from downhill and k = mu/tan(slope), the speed is
 * C tan(theta/2)^k / sin(theta) along the whole way. */
static void isotropic_slide_keeps_its_first_integral(void **state) {
  (void)state;
  drift_ramp r = isotropic(0.3);
  drift_point p = {.v = {-0.3, 2}};
  double power = r.mu_t / tan(r.slope), first = 0;
  for (int k = 0; k <= 10; k++) {
    double theta = atan2(p.v[1], p.v[0]), speed = hypot(p.v[0], p.v[1]);
    double kept = speed * sin(theta) / pow(tan(theta / 2), power);
    if (k == 0) first = kept;
    claim_near(kept, first, 1e-9 * first);
    drift_advance(&r, 0.2, 2000, &p);
  }
  claim_below(atan2(p.v[1], p.v[0]), 0.3); /* and it did bend downhill, from 1.7 */
}

/* Half the step, a sixteenth of the error. */
static void oblique_slide_converges_with_the_fourth_order(void **state) {
  (void)state;
  drift_point fine = {.v = {0.5, -1}}, coarse = fine, middle = fine;
  drift_advance(&oblique, 1, 100000, &fine);
  drift_advance(&oblique, 1, 400, &middle);
  drift_advance(&oblique, 1, 200, &coarse);
  double of_coarse = hypot(coarse.x[0] - fine.x[0], coarse.x[1] - fine.x[1]);
  double of_middle = hypot(middle.x[0] - fine.x[0], middle.x[1] - fine.x[1]);
  print_message("errors %.3g and %.3g m, ratio %.3g\n", of_coarse, of_middle,
                of_coarse / of_middle);
  claim_below(of_coarse, 1e-9);
  claim_near(of_coarse / of_middle, 16, 3);
}

static void start_from_rest_is_a_line_that_the_integrator_stays_on(void **state) {
  (void)state;
  drift_point early = drift_from_rest(&oblique, 0.1), late = drift_from_rest(&oblique, 1.1);
  drift_advance(&oblique, 1, 100, &early);
  for (int i = 0; i < 2; i++) {
    claim_near(early.x[i], late.x[i], 1e-12);
    claim_near(early.v[i], late.v[i], 1e-12);
  }
  double heading = atan2(late.x[1], late.x[0]);
  assert_true(heading > 0.1 && heading < oblique.structure); /* drawn towards the structure */
}

/* Every start bends to the line of the start from rest. */
static void other_starts_bend_to_the_same_heading(void **state) {
  (void)state;
  double a, heading = drift_heading(&oblique, &a), last = 1;
  drift_point p = {.v = {0.2, -1}};
  for (int k = 0; k < 5; k++) {
    drift_advance(&oblique, 2, 20000, &p);
    double off = fabs(atan2(p.v[1], p.v[0]) - heading);
    assert_true(off < last);
    last = off;
  }
  claim_below(last, 0.02);
}

/* The acceleration at rest is what friction's nearest impulse leaves of gravity: two ways to say
 * maximum dissipation, the second by the core's projection. All structures, both thin ways. */
static void start_from_rest_is_what_the_projection_of_gravity_leaves(void **state) {
  (void)state;
  for (int k = 0; k < 1000; k++) {
    drift_ramp r = oblique;
    r.structure = -7 + 0.014 * k;
    if (k % 2) r.mu_t = oblique.mu_b, r.mu_b = oblique.mu_t;
    if (k % 7 == 0) r.mu_t = 0;
    double a, heading = drift_heading(&r, &a), c = cos(r.structure), s = sin(r.structure);
    double pull = r.gravity * sin(r.slope), held = r.gravity * cos(r.slope), p[2];
    double z[2] = {pull * c, -pull * s};
    ellipse_project(held * r.mu_t, held * r.mu_b, z, p, NULL);
    double t = z[0] - p[0], b = z[1] - p[1];
    claim_near(a * cos(heading), c * t - s * b, 1e-9);
    claim_near(a * sin(heading), s * t + c * b, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_is_the_most_dissipative_of_the_ellipse),
      cmocka_unit_test(isotropic_slide_downhill_is_the_closed_formula),
      cmocka_unit_test(isotropic_slide_keeps_its_first_integral),
      cmocka_unit_test(oblique_slide_converges_with_the_fourth_order),
      cmocka_unit_test(start_from_rest_is_a_line_that_the_integrator_stays_on),
      cmocka_unit_test(other_starts_bend_to_the_same_heading),
      cmocka_unit_test(start_from_rest_is_what_the_projection_of_gravity_leaves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
