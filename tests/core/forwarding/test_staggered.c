/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Staggered projections: the disc against brute force, closed answers for one contact, a slow
 * proximal method for several, and the momentum of what is handed back.
 */
#include <float.h>

#include "claims.h"
#include "core/contact/friction_claims.h"
#include "forwarding/staggered.h"
#include "friction/disc.h"

/* ---- the disc ---------------------------------------------------------------------------------
 */

typedef struct bowl {
  double d00, d01, d11, g[2], y0[2], radius;
  double condition; /* largest over smallest eigenvalue */
} bowl;

static double bowl_value(const bowl *b, const double y[2]) {
  double u = y[0] - b->y0[0], v = y[1] - b->y0[1];
  return u * b->g[0] + v * b->g[1] + (b->d00 * u * u + 2 * b->d01 * u * v + b->d11 * v * v) / 2;
}

/* Eigenvalues from 1 to `spread`, axes anywhere. */
static bowl random_bowl(uint64_t *seed, double spread) {
  double angle = claim_between(seed, 0, 2 * M_PI), c = cos(angle), s = sin(angle);
  double large = pow(spread, claim_random(seed)), small = 1;
  double radius = pow(10, claim_between(seed, -3, 1));
  return (bowl){.d00 = large * c * c + small * s * s,
                .d01 = (large - small) * c * s,
                .d11 = large * s * s + small * c * c,
                .g = {claim_between(seed, -3, 3), claim_between(seed, -3, 3)},
                .y0 = {claim_between(seed, -1, 1), claim_between(seed, -1, 1)},
                .radius = radius,
                .condition = large};
}

static void disc__holds_no_lower_point(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  int inside = 0, on_rim = 0;
  for (int trial = 0; trial < 400; trial++) {
    bowl b = random_bowl(&seed, 1e4);
    double y[2];
    disc_least(b.d00, b.d01, b.d11, b.g, b.y0, b.radius, y);
    claim_below(hypot(y[0], y[1]), b.radius * (1 + 1e-15));
    double least = bowl_value(&b, y), size = (b.d00 + b.d11) * (1 + b.radius) * (1 + b.radius);
    for (int ring = 0; ring <= 10; ring++)
      for (int k = 0; k < 360; k++) {
        double r = b.radius * ring / 10, angle = k * M_PI / 180;
        double other[2] = {r * cos(angle), r * sin(angle)};
        claim_below(least, bowl_value(&b, other) + 1e-14 * size);
      }
    bool rim = hypot(y[0], y[1]) > b.radius * (1 - 1e-9);
    inside += !rim;
    on_rim += rim;
  }
  assert_true(inside > 20 && on_rim > 20);
}

/* Inside, the slope is 0; on the rim it points straight in. Sharper than any grid: to rounding,
 * times the condition of D, as Cramer's rule has it. */
static void disc__solves_its_own_optimality(void **unused) {
  (void)unused;
  uint64_t seed = 8;
  for (int trial = 0; trial < 2000; trial++) {
    bowl b = random_bowl(&seed, trial % 2 ? 1e8 : 1);
    double y[2];
    disc_least(b.d00, b.d01, b.d11, b.g, b.y0, b.radius, y);
    double u = y[0] - b.y0[0], v = y[1] - b.y0[1];
    double slope[2] = {b.g[0] + b.d00 * u + b.d01 * v, b.g[1] + b.d01 * u + b.d11 * v};
    double length = hypot(y[0], y[1]), size = (b.d00 + b.d11) * (2 + b.radius) + 5;
    double rounding = 8 * DBL_EPSILON * b.condition * size;
    if (length < b.radius * (1 - 1e-12)) {
      claim_below(hypot(slope[0], slope[1]), rounding);
    } else {
      claim_below(fabs(slope[0] * y[1] - slope[1] * y[0]) / length, rounding);
      claim_below(slope[0] * y[0] + slope[1] * y[1], rounding * length);
    }
  }
}

static void disc__does_not_hang_on_where_it_starts(void **unused) {
  (void)unused;
  uint64_t seed = 21;
  for (int trial = 0; trial < 200; trial++) {
    bowl b = random_bowl(&seed, 100);
    double y[2], again[2];
    disc_least(b.d00, b.d01, b.d11, b.g, b.y0, b.radius, y);
    bowl from = b;
    from.y0[0] = claim_between(&seed, -1, 1), from.y0[1] = claim_between(&seed, -1, 1);
    double u = from.y0[0] - b.y0[0], v = from.y0[1] - b.y0[1];
    from.g[0] += b.d00 * u + b.d01 * v, from.g[1] += b.d01 * u + b.d11 * v;
    disc_least(b.d00, b.d01, b.d11, from.g, from.y0, b.radius, again);
    claim_below(hypot(y[0] - again[0], y[1] - again[1]), 1e-12 * (1 + b.radius));
  }
}

/* ---- the solve --------------------------------------------------------------------------------
 */

/* Solves, and sees to what holds for every answer: impulses in their cones, the change that of the
 * impulses by the masses. */
static friction_report try_solve(scatter *s, double tolerance, int rounds) {
  arena memory = {0};
  friction_report report;
  staggered_options options = {.tolerance = tolerance, .iterations = rounds};
  vec3 *change = scatter_array(s->p.node_count, sizeof *change);
  claim_ok(staggered_solve(&s->p, &options, &memory, s->impulse, change, &report, err));
  double fastest = 1;
  for (size_t i = 0; i < s->p.node_count; i++) fastest = fmax(fastest, vec3_norm(s->velocity[i]));
  for (size_t i = 0; i < s->p.node_count; i++) {
    vec3 v = vec3_add(s->velocity[i], change[i]);
    claim_below(vec3_norm(vec3_sub(v, scatter_velocity(s, (int32_t)i))), 1e-12 * fastest);
  }
  for (size_t i = 0; i < s->set.count; i++) assert_true(s->impulse[i].x >= 0);
  free(change);
  arena_free(&memory);
  return report;
}

/* Converged, every friction lies in the cone of its normal impulse, as far as that still moved. */
static void solve(scatter *s, double tolerance) {
  friction_report report = try_solve(s, tolerance, 2000);
  assert_true(report.converged);
  claim_below(report.residual, tolerance);
  double largest = 0;
  for (size_t i = 0; i < s->set.count; i++) largest = fmax(largest, vec3_norm(s->impulse[i]));
  for (size_t i = 0; i < s->set.count; i++) {
    vec3 r = s->impulse[i];
    double moved = cone_mu(&s->cones[i]) * tolerance * largest;
    claim_below(hypot(r.y, r.z), cone_mu(&s->cones[i]) * r.x * (1 + 1e-15) + moved);
  }
}

static const friction_method METHOD = {try_solve, solve, .exact = 1e-13, .coupled = 1e-8};

static void any_start__leads_to_the_same_impulse(void **unused) {
  (void)unused;
  uint64_t seed = 31;
  for (int k = 0; k < 20; k++) {
    scatter *s = friction_mass_on_a_plane(1, (vec3){0.9, -0.2, 0}, 0.1, 0.5, 1);
    s->impulse[0] = (vec3){claim_between(&seed, 0, 3), claim_between(&seed, -1, 1),
                           claim_between(&seed, -1, 1)};
    solve(s, 1e-9);
    vec3 way = vec3_normalized(s->velocity[0]), expected = {-0.5 * way.x, -0.5 * way.y, 1};
    claim_below(vec3_norm(vec3_sub(scatter_world(s, 0), expected)), 1e-8);
    scatter_free(s);
  }
}

static void without_friction__velocities_stay_as_they_were(void **unused) {
  (void)unused;
  scatter *s = friction_mass_on_a_plane(1, (vec3){1, 2, 0}, 0, 0, 1);
  solve(s, 1e-9);
  claim_near(s->impulse[0].x, 1, 0);
  claim_near(hypot(s->impulse[0].y, s->impulse[0].z), 0, 0);
  claim_below(vec3_norm(vec3_sub(scatter_velocity(s, 0), s->velocity[0])), 0);
  scatter_free(s);

  /* and what friction was forwarded goes back in full */
  s = friction_mass_on_a_plane(1, (vec3){1, 2, 0}, 0, 0, 1);
  s->given[0] = s->impulse[0] = (vec3){1, 0.2, -0.1};
  solve(s, 1e-9);
  vec3 lent = vec3_sub(scatter_out(&s->cones[0], s->given[0]), (vec3){0, 0, 1});
  claim_below(vec3_norm(vec3_sub(scatter_velocity(s, 0), vec3_sub(s->velocity[0], lent))), 1e-15);
  scatter_free(s);
}

static void open_contact__bears_nothing(void **unused) {
  (void)unused;
  scatter *s = friction_mass_on_a_plane(1, (vec3){1, 0, 0}, 0, 0.5, 0);
  s->room[0] = 2;
  s->impulse[0] = (vec3){1, 0.3, 0}; /* a start that is no good */
  solve(s, 1e-9);
  claim_near(vec3_norm(s->impulse[0]), 0, 0);
  scatter_free(s);
}

static void pinned_node__takes_what_it_is_given(void **unused) {
  (void)unused;
  scatter *s = friction_mass_on_a_plane(1, (vec3){0, 0, 0}, 0, 0.5, 1);
  s->inverse_mass[0] = (mat3){0};
  solve(s, 1e-9);
  claim_near(s->impulse[0].x, 1, 0);
  assert_true(vec3_finite(s->impulse[0]));
  scatter_free(s);
}

/* Two free nodes that touch one another, node against node: what one gains the other loses. */
static void impulses_between_nodes__keep_momentum(void **unused) {
  (void)unused;
  uint64_t seed = 77;
  double mass[3] = {1, 2.5, 0.3};
  scatter *s = scatter_make(3, 3);
  mat3 one = mat3_identity();
  vec3 before = {0, 0, 0}, after = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    s->inverse_mass[i] = mat3_scale(1 / mass[i], &one);
    s->velocity[i] = (vec3){claim_between(&seed, -1, 1), claim_between(&seed, -1, 1), 0};
    before = vec3_madd(before, mass[i], s->velocity[i]);
  }
  for (int i = 0; i < 3; i++) {
    scatter_contact(s, (vec3){0, 0.6, 0.8}, 0.4 * i, 0.5, 0);
    scatter_entry(s, i < 2 ? 0 : 1, 1);
    scatter_entry(s, i == 0 ? 1 : 2, -1);
    s->given[i] = s->impulse[i] = (vec3){0.5, 0.05, -0.02};
  }
  solve(s, 1e-9);
  for (int i = 0; i < 3; i++) after = vec3_madd(after, mass[i], scatter_velocity(s, i));
  claim_below(vec3_norm(vec3_sub(after, before)), 1e-15 * 10);
  assert_true(vec3_norm(vec3_sub(scatter_velocity(s, 0), s->velocity[0])) > 1e-3);
  scatter_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(disc__holds_no_lower_point),
      cmocka_unit_test(disc__solves_its_own_optimality),
      cmocka_unit_test(disc__does_not_hang_on_where_it_starts),
      FRICTION_CLAIMS(&METHOD),
      cmocka_unit_test(any_start__leads_to_the_same_impulse),
      cmocka_unit_test(without_friction__velocities_stay_as_they_were),
      cmocka_unit_test(open_contact__bears_nothing),
      cmocka_unit_test(pinned_node__takes_what_it_is_given),
      cmocka_unit_test(impulses_between_nodes__keep_momentum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
