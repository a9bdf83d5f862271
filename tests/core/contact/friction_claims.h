/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * friction_claims: what every method for a friction_problem must do, whoever solves it. A test
 * hands over its way to solve, which makes sure of what holds for all answers, and how exact it is.
 */
#ifndef TESTS_CORE_CONTACT_FRICTION_CLAIMS_H
#define TESTS_CORE_CONTACT_FRICTION_CLAIMS_H

#include "core/contact/scatter.h"

typedef struct friction_method {
  friction_report (*attempt)(scatter *s, double tolerance, int rounds);
  void (*solve)(scatter *s, double tolerance); /* and claims that it converged */
  double exact;                                /* one contact, to this part */
  double coupled;                              /* several */
} friction_method;

static inline scatter *friction_mass_on_a_plane(double mass, vec3 velocity, double turn, double mu,
                                                double pressed) {
  scatter *s = scatter_make(1, 1);
  mat3 one = mat3_identity();
  s->inverse_mass[0] = mat3_scale(1 / mass, &one);
  s->velocity[0] = velocity;
  scatter_contact(s, (vec3){0, 0, 1}, turn, mu, 0);
  scatter_entry(s, 0, 1);
  s->given[0] = s->impulse[0] = (vec3){pressed, 0, 0};
  return s;
}

/* A mass m on a plane, pressed by r_N, sliding with v: it sticks when m v <= mu r_N, otherwise the
 * friction is mu r_N against v, whatever the angle to the tangents. */
static inline void one_contact__sticks_or_slides_exactly(void **state) {
  const friction_method *by = *state;
  static const double speeds[] = {0, 1e-6, 0.01, 0.7, 0.999, 1.001, 2.5, 1000};
  double m = 0.3, mu = 0.4, pressed = 0.05, limit = mu * pressed / m;
  for (int k = 0; k < 24; k++)
    for (size_t c = 0; c < sizeof speeds / sizeof *speeds; c++) {
      double angle = k * 15 * M_PI / 180, speed = speeds[c] * limit;
      vec3 way = {cos(angle), sin(angle), 0};
      scatter *s = friction_mass_on_a_plane(m, vec3_scale(speed, way), 0.37, mu, pressed);
      by->solve(s, 1e-9);
      double size = fmin(mu * pressed, m * speed);
      vec3 expected = vec3_madd((vec3){0, 0, pressed}, -size, way);
      claim_below(vec3_norm(vec3_sub(scatter_world(s, 0), expected)), by->exact * mu * pressed);
      claim_near(vec3_norm(scatter_velocity(s, 0)), speed - size / m,
                 by->exact * fmax(speed, limit));
      scatter_free(s);
    }
}

/* Friction that the velocity holds already is not added a second time, and is taken back when
 * nothing asks for it. */
static inline void forwarded_friction__is_kept_or_taken_back(void **state) {
  const friction_method *by = *state;
  for (int k = 0; k < 2; k++) {
    /* At rest: the friction that did it stays. Driven by the friction alone: it goes. */
    vec3 velocity = k ? (vec3){-0.4, 0.2, 0} : (vec3){0, 0, 0};
    scatter *s = friction_mass_on_a_plane(0.5, velocity, 0, 0.5, 1);
    s->given[0] = s->impulse[0] = (vec3){1, -0.2, 0.1};
    by->solve(s, 1e-9);
    claim_near(s->impulse[0].x, 1, by->exact);
    claim_near(s->impulse[0].y, k ? 0 : -0.2, by->exact);
    claim_near(s->impulse[0].z, k ? 0 : 0.1, by->exact);
    scatter_free(s);
  }
}

/* A belt that moves under a resting mass takes it along. */
static inline void moving_surface__drags(void **state) {
  const friction_method *by = *state;
  scatter *s = friction_mass_on_a_plane(1, (vec3){0, 0, 0}, 1, 0.3, 1);
  s->contacts[0].surface_velocity = (vec3){0.1, 0.05, 0};
  by->solve(s, 1e-9);
  claim_below(vec3_norm(vec3_sub(scatter_velocity(s, 0), s->contacts[0].surface_velocity)),
              fmin(by->exact, 1e-7));
  scatter_free(s);
}

/* Two contacts that hang on one node, as the two legs of one stiff body: a wedge pressed into a
 * groove. Symmetric, so each leg bears half; along the groove friction acts at both. */
static inline void wedge_in_a_groove__grips_by_both_flanks(void **state) {
  const friction_method *by = *state;
  double mu = 0.3, slope = 1, pressed = 1; /* each flank, normal */
  for (int slides = 0; slides < 2; slides++) {
    double along = (slides ? 3 : 0.8) * 2 * mu * pressed; /* mass 1 */
    scatter *s = scatter_make(1, 2);
    s->inverse_mass[0] = mat3_identity();
    s->velocity[0] = (vec3){0, along, 0};
    for (int side = -1; side <= 1; side += 2) {
      scatter_contact(s, (vec3){side * sin(slope), 0, cos(slope)}, 0.3, mu, 0);
      scatter_entry(s, 0, 1);
    }
    for (int i = 0; i < 2; i++) s->given[i] = s->impulse[i] = (vec3){pressed, 0, 0};
    by->solve(s, 1e-2 * by->coupled);
    vec3 v = scatter_velocity(s, 0);
    claim_near(v.x, 0, by->coupled);
    claim_near(v.y, slides ? along - 2 * mu * pressed : 0, by->coupled);
    claim_near(v.z, 0, by->coupled);
    scatter_free(s);
  }
}

/* Against a slow proximal method. */
static inline void coupled_contacts__agree_with_another_method(void **state) {
  const friction_method *by = *state;
  uint64_t seed = 11;
  double worst = 0;
  for (int k = 0; k < 16; k++) {
    scatter *s = scatter_random(2 + k, 2 + k, 0.3, &seed);
    vec3 *reference = scatter_reference(s, 1e-12, 300000);
    assert_non_null(reference);
    by->solve(s, 1e-9);
    worst = fmax(worst, scatter_difference(s, reference));
    claim_below(scatter_difference(s, reference), 1e-6);
    free(reference);
    scatter_free(s);
  }
  print_message("    off by %.1e at most\n", worst);
}

static inline void one_round__is_not_called_converged(void **state) {
  const friction_method *by = *state;
  uint64_t seed = 9;
  scatter *s = scatter_random(6, 8, 0.3, &seed);
  friction_report report = by->attempt(s, 1e-9, 1);
  assert_false(report.converged);
  assert_int_equal(report.iterations, 1);
  assert_true(report.residual > 1e-9);
  scatter_free(s);
}

static inline void no_contacts__are_solved(void **state) {
  const friction_method *by = *state;
  scatter *none = scatter_make(1, 0);
  friction_report report = by->attempt(none, 1e-9, 10);
  assert_true(report.converged);
  assert_int_equal(report.iterations, 0);
  scatter_free(none);
}

/* All of them, for a table of tests. */
#define FRICTION_CLAIMS(by)                                                                        \
  cmocka_unit_test_prestate(one_contact__sticks_or_slides_exactly, (void *)(by)),                  \
      cmocka_unit_test_prestate(forwarded_friction__is_kept_or_taken_back, (void *)(by)),          \
      cmocka_unit_test_prestate(moving_surface__drags, (void *)(by)),                              \
      cmocka_unit_test_prestate(wedge_in_a_groove__grips_by_both_flanks, (void *)(by)),            \
      cmocka_unit_test_prestate(coupled_contacts__agree_with_another_method, (void *)(by)),        \
      cmocka_unit_test_prestate(one_round__is_not_called_converged, (void *)(by)),                 \
      cmocka_unit_test_prestate(no_contacts__are_solved, (void *)(by))

#endif
