/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Friction by Ipopt: derivatives, closed answers for one contact, another method for several, and
 * that no direction is favoured.
 */
#include "base/clock.h"
#include "claims.h"
#include "core/contact/friction_claims.h"
#include "ipopt/ipopt_friction.h"
#include "ipopt/ipopt_polar.h"

static friction_report try_solve(scatter *s, double tolerance, int rounds) {
  arena memory = {0};
  friction_report report;
  claim_ok(ipopt_friction_solve(&s->p, tolerance, rounds, &memory, s->impulse, &report, err));
  arena_free(&memory);
  for (size_t i = 0; i < s->set.count; i++) {
    vec3 r = s->impulse[i];
    assert_true(r.x >= 0);
    claim_below(hypot(r.y, r.z), cone_mu(&s->cones[i]) * r.x * (1 + 1e-15));
  }
  return report;
}

static void solve(scatter *s, double tolerance) {
  double began = clock_seconds();
  friction_report report = try_solve(s, tolerance, 500);
  if (s->set.count > 1)
    print_message("  %zu contacts: %d rounds, %d iterations, change %.1e, %.1f ms\n", s->set.count,
                  report.iterations, report.inner, report.residual,
                  1e3 * (clock_seconds() - began));
  assert_true(report.converged);
  claim_below(report.residual, tolerance);
}

static const friction_method METHOD = {try_solve, solve, .exact = 1e-6, .coupled = 1e-6};

/* Value, gradient and Hessian of (28) along random lines, off and near the singular centre. */
static void polar_derivatives__agree_with_differences(void **unused) {
  (void)unused;
  uint64_t seed = 77;
  for (int trial = 0; trial < 20; trial++) {
    enum { CONTACTS = 6, N = 2 * CONTACTS };
    scatter *s = scatter_random(5, CONTACTS, 0.5, &seed);
    arena memory = {0};
    delassus d;
    claim_ok(delassus_build(&s->p, s->impulse, &memory, &d, err));
    int32_t chosen[CONTACTS], place[CONTACTS];
    contact_choice choice = {.contact = chosen, .place = place};
    double radius[CONTACTS], z[N], g[N], step = 1e-5;
    contact_choice_begin(&choice, CONTACTS);
    for (int32_t i = 0; i < CONTACTS; i++) {
      if (i == trial % CONTACTS) continue; /* one is left out */
      radius[choice.count] = claim_between(&seed, 0.1, 1);
      z[2 * choice.count] = trial % 2 ? claim_between(&seed, 0, 1) : 0;
      z[2 * choice.count + 1] = claim_between(&seed, -4, 4);
      contact_choice_add(&choice, i);
    }
    polar p = {.d = &d, .chosen = &choice, .radius = radius, .energy = 0.7};
    int n = 2 * choice.count, rows[N * N], columns[N * N];
    double values[N * N], dense[N][N] = {{0}};
    int64_t entries = polar_entries(&p);
    assert_true(entries <= N * N);
    polar_places(&p, rows, columns);
    polar_hessian(&p, z, 1, values);
    for (int64_t e = 0; e < entries; e++) {
      assert_true(rows[e] >= columns[e]);
      dense[rows[e]][columns[e]] = dense[columns[e]][rows[e]] = values[e];
    }
    polar_gradient(&p, z, g);
    for (int i = 0; i < n; i++) {
      double at = z[i], up[N], down[N];
      z[i] = at + step;
      double above = polar_value(&p, z);
      polar_gradient(&p, z, up);
      z[i] = at - step;
      double below = polar_value(&p, z);
      polar_gradient(&p, z, down);
      z[i] = at;
      claim_near(g[i], (above - below) / (2 * step), 1e-8);
      for (int j = 0; j < n; j++) claim_near(dense[i][j], (up[j] - down[j]) / (2 * step), 1e-8);
    }
    arena_free(&memory);
    scatter_free(s);
  }
}

static void scatter_turn(scatter *s, double angle) {
  mat3 turn = {{{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}}};
  for (size_t i = 0; i < s->p.node_count; i++) {
    mat3 half = mat3_mul(&turn, &s->inverse_mass[i]);
    s->inverse_mass[i] = mat3_mul_t(&half, &turn);
    s->velocity[i] = mat3_mul_vec3(&turn, s->velocity[i]);
  }
  for (size_t i = 0; i < s->set.count; i++) {
    s->contacts[i].normal = mat3_mul_vec3(&turn, s->contacts[i].normal);
    s->contacts[i].surface_velocity = mat3_mul_vec3(&turn, s->contacts[i].surface_velocity);
    s->cones[i].normal = s->contacts[i].normal;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      s->by_node[e] = mat3_mul_vec3(&turn, s->by_node[e]);
    /* The tangents stay with the world as far as they can: impulses meet them at other angles. */
    vec3 n = s->cones[i].normal, t = s->cones[i].t;
    t = vec3_normalized(vec3_madd(t, -vec3_dot(t, n), n));
    friction_cone unturned = cone_isotropic(mat3_tmul_vec3(&turn, n), s->cones[i].t, s->cones[i].b,
                                            cone_mu(&s->cones[i]));
    vec3 before = scatter_out(&unturned, s->given[i]);
    vec3 force = mat3_mul_vec3(&turn, before);
    s->cones[i].t = t;
    s->cones[i].b = vec3_cross(n, t);
    s->given[i] = vec3_make(vec3_dot(n, force), vec3_dot(s->cones[i].t, force),
                            vec3_dot(s->cones[i].b, force));
    s->impulse[i] = s->given[i];
  }
}

static void turned_world__gives_the_turned_velocities(void **unused) {
  (void)unused;
  uint64_t first = 41;
  scatter *s = scatter_random(6, 8, 0.3, &first);
  solve(s, 1e-9);
  for (int k = 1; k < 18; k++) {
    double angle = k * 20 * M_PI / 180;
    uint64_t seed = 41;
    scatter *turned = scatter_random(6, 8, 0.3, &seed);
    scatter_turn(turned, angle);
    friction_report report = try_solve(turned, 1e-9, 500);
    assert_true(report.converged);
    vec3 reference[6];
    for (int32_t i = 0; i < 6; i++) {
      vec3 v = scatter_velocity(s, i);
      reference[i] =
          (vec3){cos(angle) * v.x - sin(angle) * v.y, sin(angle) * v.x + cos(angle) * v.y, v.z};
    }
    claim_below(scatter_difference(turned, reference), 1e-6);
    scatter_free(turned);
  }
  scatter_free(s);
}

/* Without relaxation one of these goes to and fro for ever. Only where the other method finds a
 * solution is one to be expected. */
static void strongly_coupled_contacts__converge_still(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  int solved = 0, rounds = 0, most = 0;
  for (int k = 0; k < 20; k++) {
    scatter *s = scatter_random(12, 14, 0.4, &seed);
    vec3 *reference = scatter_reference(s, 1e-9, 20000);
    if (reference) {
      friction_report report = try_solve(s, 1e-7, 400);
      assert_true(report.converged);
      claim_below(scatter_difference(s, reference), 1e-5);
      solved++;
      rounds += report.iterations;
      most = report.iterations > most ? report.iterations : most;
    }
    free(reference);
    scatter_free(s);
  }
  print_message("    to 1e-7: %d problems, %d rounds, %d at most\n", solved, rounds, most);
  assert_true(solved >= 15);
}

static void contacts_that_cannot_matter__are_passed_over(void **unused) {
  (void)unused;
  scatter *s = scatter_make(2, 3);
  s->inverse_mass[0] = mat3_identity();
  s->velocity[0] = (vec3){1, 0, 0};
  scatter_contact(s, (vec3){0, 0, 1}, 0, 0, 0); /* no friction */
  scatter_entry(s, 0, 1);
  scatter_contact(s, (vec3){0, 0, 1}, 0, 0.5, 0); /* on a pinned node */
  scatter_entry(s, 1, 1);
  scatter_contact(s, (vec3){0, 0, 1}, 0, 0.5, 2); /* open */
  scatter_entry(s, 0, 1);
  s->given[0] = s->impulse[0] = (vec3){1, 0, 0};
  solve(s, 1e-9);
  claim_below(vec3_norm(vec3_sub(scatter_velocity(s, 0), s->velocity[0])), 1e-7);
  claim_near(s->impulse[2].x, 0, 0);
  scatter_free(s);
}

static bool have_ipopt(void) {
  scatter *none = scatter_make(1, 0);
  arena memory = {0};
  friction_report report;
  tribo_error error = {0};
  tribo_status status = ipopt_friction_solve(&none->p, 1, 1, &memory, NULL, &report, &error);
  if (status == TRIBO_UNAVAILABLE) printf("skipped: %s\n", error.message);
  arena_free(&memory);
  scatter_free(none);
  return status != TRIBO_UNAVAILABLE;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polar_derivatives__agree_with_differences),
      FRICTION_CLAIMS(&METHOD),
      cmocka_unit_test(turned_world__gives_the_turned_velocities),
      cmocka_unit_test(strongly_coupled_contacts__converge_still),
      cmocka_unit_test(contacts_that_cannot_matter__are_passed_over),
  };
  if (!have_ipopt()) return 77;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
