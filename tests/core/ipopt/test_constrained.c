/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constrained step by Ipopt: closed answers, a reference of another kind, and the conditions of
 * the minimum measured from scratch.
 */
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/potential/rig.h"
#include "forwarding/newton.h"
#include "ipopt/ipopt_constrained.h"

static const constrained_options STRICT = {.tolerance = 1e-8, .gap = 1e-7, .iterations = 300};
static const ipopt_options MUMPS = {.linear = IPOPT_MUMPS};

static constrained_report minimize(rig *r, rig_set *s, const ipopt_options *options,
                                   const constrained_options *goal) {
  ipopt_constrained *solver = NULL;
  constrained_report report;
  claim_ok(ipopt_constrained_create(&r->o, options, &r->memory, &solver, err));
  double began = clock_seconds();
  claim_ok(ipopt_constrained_minimize(solver, &s->set, goal, r->x, s->lambda, &report, err));
  print_message(
      "  %d nodes, %zu contacts: outcome %d, %d iterations, residual %.1e, violation "
      "%.1e m, %.1f ms\n",
      r->m.row_count, s->set.count, (int)report.outcome, report.iterations, report.residual,
      report.violation, 1e3 * (clock_seconds() - began));
  ipopt_constrained_free(solver);
  return report;
}

static void converges(rig *r, rig_set *s, const ipopt_options *options) {
  constrained_report report = minimize(r, s, options, &STRICT);
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  claim_below(report.residual, STRICT.tolerance);
  claim_below(report.violation, STRICT.gap);
  rig_claim_minimum(r, &s->set, s->lambda, 1.1 * STRICT.tolerance, STRICT.gap);
}

/* One triangle, all of whose corners are lifted alike: no elasticity, three equal masses. */
static rig *flat_triangle(vec3 gravity, double h) {
  mesh shape = shape_sheet(1, 1, 0.1, 0.1);
  shape.triangle_count = 1;
  shape.vertex_count = 3;
  for (int i = 0; i < 3; i++) shape.triangles[i] = i;
  return rig_make(tribo_object_default(TRIBO_CLOTH), &shape, gravity, h, 1);
}

static void mass_on_a_slope__slides_along_it(void **unused) {
  (void)unused;
  for (int k = 0; k < 12; k++) {
    double angle = 0.13 * k, h = 0.01;
    vec3 n = {sin(angle), 0, cos(angle)}, g = {0, 0, -9.81};
    rig *r = flat_triangle(g, h);
    rig_set *s = rig_contacts(r);
    /* The plane passes through each corner: what is left of gravity is its part along the slope. */
    for (int32_t i = 0; i < 3; i++) rig_plane(s, i, n, vec3_dot(n, r->m.rest[i]));
    converges(r, s, &MUMPS);
    vec3 along = vec3_madd(g, -vec3_dot(g, n), n);
    for (int32_t i = 0; i < 3; i++) {
      vec3 expected = vec3_madd(r->m.rest[i], h * h, along);
      claim_below(vec3_norm(vec3_sub(r->x[i], expected)), 1e-6 * 9.81 * h * h);
      claim_near(s->lambda[i], -r->m.mass[i] * vec3_dot(g, n), 1e-6 * r->m.mass[i] * 9.81);
    }
    free(s);
    rig_free(r);
  }
}

/* A force that pushes up the slope is one more force in the balance. */
static void push__counts_as_a_force(void **unused) {
  (void)unused;
  double h = 0.02;
  vec3 n = {0.6, 0, 0.8}, g = {0, 0, -9.81}, push = {0, 3e-4, 1e-3};
  rig *r = flat_triangle(g, h);
  rig_set *s = rig_contacts(r);
  for (int32_t i = 0; i < 3; i++) {
    r->o.push[i] = push;
    rig_plane(s, i, n, vec3_dot(n, r->m.rest[i]));
  }
  converges(r, s, &MUMPS);
  for (int32_t i = 0; i < 3; i++) {
    vec3 pull = vec3_madd(push, r->m.mass[i], g);
    vec3 along = vec3_madd(pull, -vec3_dot(pull, n), n);
    vec3 expected = vec3_madd(r->m.rest[i], h * h / r->m.mass[i], along);
    claim_below(vec3_norm(vec3_sub(r->x[i], expected)), 1e-6 * 9.81 * h * h);
    claim_near(s->lambda[i], -vec3_dot(pull, n), 1e-6 * r->m.mass[i] * 9.81);
  }
  free(s);
  rig_free(r);
}

/* Cloth without stiffness: what is left of the energy is inertia, and the step a quadratic
 * programme that Hildreth's method (one force after another) solves to rounding. */
static rig *dust(int n) {
  mesh shape = shape_sheet(n, n, 0.3, 0.3);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.cloth.stretch = def.cloth.shear = def.cloth.bend = 0;
  return rig_make(def, &shape, (vec3){0.3, -0.2, -9.81}, 0.02, 1);
}

static vec3 *hildreth(const rig *r, const contact_set *set) {
  double h2 = r->o.h * r->o.h;
  vec3 *x = malloc((size_t)r->m.node_count * sizeof *x);
  double *lambda = calloc(set->count, sizeof *lambda);
  memcpy(x, r->o.predicted, (size_t)r->m.node_count * sizeof *x);
  for (int k = 0; k < 200000; k++) {
    double moved = 0;
    for (size_t i = 0; i < set->count; i++) {
      double own = 0;
      for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
        own += h2 / r->m.mass[set->node[e]] * vec3_norm2(set->by_node[e]);
      double force = fmax(lambda[i] - rig_gap(set, i, x) / own, 0);
      for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
        x[set->node[e]] = vec3_madd(
            x[set->node[e]], h2 / r->m.mass[set->node[e]] * (force - lambda[i]), set->by_node[e]);
      moved = fmax(moved, fabs(force - lambda[i]) * own);
      lambda[i] = force;
    }
    if (moved < 1e-17) break;
  }
  free(lambda);
  return x;
}

static vec3 random_direction(uint64_t *seed) {
  return vec3_normalized(
      (vec3){claim_between(seed, -1, 1), claim_between(seed, -1, 1), claim_between(seed, 0.2, 1)});
}

static void quadratic_programme__has_hildreths_solution(void **unused) {
  (void)unused;
  uint64_t seed = 3;
  for (int trial = 0; trial < 12; trial++) {
    rig *r = dust(3 + trial % 4);
    rig_set *s = rig_contacts(r);
    for (int32_t i = 0; i < r->m.node_count; i++) {
      /* Some planes, and some contacts between neighbours with weights, as an embedded surface
       * has. */
      vec3 n = random_direction(&seed);
      rig_contact(s, claim_between(&seed, 0, 0.003), n);
      rig_entry(s, i, n);
      if (i + 2 < r->m.node_count && trial % 2) {
        rig_entry(s, i + 1, vec3_scale(-claim_random(&seed), n));
        rig_entry(s, i + 2, vec3_scale(claim_between(&seed, -1, 1), n));
      }
    }
    vec3 *reference = hildreth(r, &s->set);
    converges(r, s, &MUMPS);
    double off = 0;
    for (int32_t i = 0; i < r->m.node_count; i++)
      off = fmax(off, vec3_norm(vec3_sub(r->x[i], reference[i])));
    claim_below(off, 1e-6 * 9.81 * 0.02 * 0.02);
    free(reference);
    free(s);
    rig_free(r);
  }
}

/* The same plane three times over, and a ceiling at the same height: no inside at all, and forces
 * that are not unique; the positions are. */
static void redundant_constraints__are_no_trouble(void **unused) {
  (void)unused;
  for (int ceiling = 0; ceiling < 2; ceiling++) {
    rig *r = dust(4);
    rig_set *s = rig_contacts(r);
    for (int32_t i = 0; i < r->m.node_count; i++) {
      for (int k = 0; k < 3; k++) rig_plane(s, i, (vec3){0, 0, 1}, 0);
      if (ceiling) rig_plane(s, i, (vec3){0, 0, -1}, 0);
    }
    converges(r, s, &MUMPS);
    for (int32_t i = 0; i < r->m.node_count; i++) {
      vec3 expected = r->o.predicted[i];
      expected.z = 0;
      claim_below(vec3_norm(vec3_sub(r->x[i], expected)), 1e-6 * 9.81 * 0.02 * 0.02);
    }
    free(s);
    rig_free(r);
  }
}

/* A wavy cloth that falls on the floor: some of it touches. */
static rig *falling_cloth(int n, int threads) {
  mesh shape = shape_sheet(n, n, 1, 1);
  uint64_t seed = 5;
  for (size_t i = 0; i < shape.vertex_count; i++)
    shape.positions[3 * i + 2] =
        0.004 * (1 + sin(7 * shape.positions[3 * i])) + claim_between(&seed, 0, 0.001);
  return rig_make(tribo_object_default(TRIBO_CLOTH), &shape, (vec3){1, 0, -9.81}, 0.02, threads);
}

static rig_set *floor_below(const rig *r) {
  rig_set *s = rig_contacts(r);
  for (int32_t i = 0; i < r->m.node_count; i++) rig_plane(s, i, (vec3){0, 0, 1}, 0);
  return s;
}

static void cloth_on_the_floor__balances(void **unused) {
  (void)unused;
  for (int n = 4; n <= 32; n *= 2) {
    rig *r = falling_cloth(n, 1);
    rig_set *s = floor_below(r);
    converges(r, s, &MUMPS);
    int touching = 0;
    for (size_t i = 0; i < s->set.count; i++) touching += s->lambda[i] > 0;
    print_message("    %d touch\n", touching);
    assert_true(touching > 0 && touching < r->m.node_count);
    free(s);
    rig_free(r);
  }
}

static double largest_move(const rig *r) {
  double largest = 0;
  for (int32_t i = 0; i < r->m.node_count; i++)
    largest = fmax(largest, vec3_norm(vec3_sub(r->x[i], r->o.start[i])));
  return largest;
}

/* Velocities of two solutions, relative. */
static void agree(const rig *a, const rig *b, double tolerance) {
  double off = 0;
  for (int32_t i = 0; i < a->m.node_count; i++)
    off = fmax(off, vec3_norm(vec3_sub(a->x[i], b->x[i])));
  print_message("    differ by %.1e\n", off / largest_move(a));
  claim_below(off, tolerance * largest_move(a));
}

static void either_hessian_and_any_threads__give_one_solution(void **unused) {
  (void)unused;
  rig *exact = falling_cloth(10, 1), *projected = falling_cloth(10, 2);
  rig_set *a = floor_below(exact), *b = floor_below(projected);
  converges(exact, a, &MUMPS);
  converges(projected, b, &(ipopt_options){.hessian = HESSIAN_PROJECTED});
  agree(exact, projected, 1e-6);
  free(a);
  free(b);
  rig_free(exact);
  rig_free(projected);
}

static void pardiso__gives_the_solution_of_mumps(void **unused) {
  (void)unused;
#ifdef TRIBO_PARDISO_ADAPTER
  ipopt_options options = {.linear = IPOPT_PARDISO, .adapter = TRIBO_PARDISO_ADAPTER};
  rig *by_mumps = falling_cloth(20, 1), *by_pardiso = falling_cloth(20, 2);
  ipopt_constrained *solver = NULL;
  tribo_error error = {0};
  tribo_status status =
      ipopt_constrained_create(&by_pardiso->o, &options, &by_pardiso->memory, &solver, &error);
  if (status == TRIBO_UNAVAILABLE) {
    print_message("skipped: %s\n", error.message);
    assert_non_null(strstr(error.message, "scripts/setup --with-mkl"));
  } else {
    assert_int_equal(status, TRIBO_OK);
    rig_set *a = floor_below(by_mumps), *b = floor_below(by_pardiso);
    converges(by_mumps, a, &MUMPS);
    converges(by_pardiso, b, &options);
    agree(by_mumps, by_pardiso, 1e-6);
    free(a);
    free(b);
  }
  ipopt_constrained_free(solver);
  rig_free(by_mumps);
  rig_free(by_pardiso);
#endif
}

static void missing_adapter__is_named(void **unused) {
  (void)unused;
  rig *r = falling_cloth(2, 1);
  ipopt_constrained *solver = NULL;
  ipopt_options options = {.linear = IPOPT_PARDISO, .adapter = "no/such/adapter.so"};
  claim_fails(ipopt_constrained_create(&r->o, &options, &r->memory, &solver, err),
              TRIBO_UNAVAILABLE, "no/such/adapter.so");
  assert_null(solver);
  rig_free(r);
}

/* A cube thrown at the floor faster than its own size within the step. The start is free flight,
 * half of it below the floor. Neo-Hookean energy is infinite where a tet is flat. */
static void solid_thrown_at_the_floor__is_squashed(void **unused) {
  (void)unused;
  for (int material = 0; material < 2; material++) {
    mesh shape = shape_block(4, 4, 4, 0.1, 0.1, 0.1);
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.solid.model = material;
    rig *r = rig_make(def, &shape, (vec3){0, 0, -9.81}, 0.01, 1);
    vec3 *v = ARENA_ARRAY(&r->memory, vec3, r->m.node_count);
    for (int32_t i = 0; i < r->m.node_count; i++) v[i] = (vec3){1, 0, -5};
    objective_begin(&r->o, r->m.rest, v, NULL, 0.01, 0.01);
    rig_set *s = floor_below(r);
    for (int32_t i = 0; i < r->m.node_count; i++) r->x[i] = r->o.predicted[i];
    converges(r, s, &MUMPS);
    free(s);
    rig_free(r);
  }
}

static void without_contacts__it_is_newtons_step(void **unused) {
  (void)unused;
  rig *r = falling_cloth(8, 1), *other = falling_cloth(8, 1);
  rig_set *s = rig_contacts(r);
  converges(r, s, &MUMPS);
  newton by_newton;
  constrained_report report;
  linsys_options linear = {.kind = LINSYS_CHOLMOD, .tasks = {1}};
  claim_ok(newton_create(&other->o, &linear, &other->memory, &by_newton, err));
  constrained_options to = {.tolerance = 1e-10, .iterations = 100};
  claim_ok(newton_minimize(&by_newton, &to, NULL, other->x, &report, err));
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  agree(r, other, 1e-6);
  newton_free(&by_newton);
  free(s);
  rig_free(r);
  rig_free(other);
}

static void start_at_the_solution__is_left_alone(void **unused) {
  (void)unused;
  rig *r = falling_cloth(8, 1);
  rig_set *s = floor_below(r);
  converges(r, s, &MUMPS);
  constrained_report again = minimize(r, s, &MUMPS, &STRICT);
  assert_int_equal(again.outcome, CONSTRAINED_CONVERGED);
  assert_int_equal(again.iterations, 0);
  free(s);
  rig_free(r);
}

/* Stretched to 3 and 9 times its size at the start, a cloth is pulled by forces of another order
 * than those that balance in the end; one choice of units does not serve both. */
static void far_start__is_no_excuse(void **unused) {
  (void)unused;
  rig *near = falling_cloth(8, 1);
  rig_set *a = floor_below(near);
  converges(near, a, &MUMPS);
  for (double stretch = 3; stretch < 10; stretch *= 3) {
    rig *r = falling_cloth(8, 1);
    rig_set *s = floor_below(r);
    for (int32_t i = 0; i < r->m.node_count; i++) r->x[i] = vec3_scale(stretch, r->x[i]);
    converges(r, s, &MUMPS);
    agree(near, r, 1e-6);
    free(s);
    rig_free(r);
  }
  free(a);
  rig_free(near);
}

static void body_that_is_pinned_all_over__is_done(void **unused) {
  (void)unused;
  mesh shape = shape_sheet(1, 1, 1, 1);
  int32_t held[] = {0, 1, 2, 3};
  tribo_pin_def pin = {.vertices = held, .vertex_count = 4, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.pins = &pin;
  def.pin_count = 1;
  rig *r = rig_make(def, &shape, (vec3){0, 0, -9.81}, 0.02, 1);
  rig_set *s = floor_below(r);
  assert_int_equal(minimize(r, s, &MUMPS, &STRICT).outcome, CONSTRAINED_CONVERGED);
  free(s);
  rig_free(r);
}

/* Corners held in the air and one held below the floor, where it may stay: nobody can move it. */
static void pinned_nodes__stay_and_bind_nothing(void **unused) {
  (void)unused;
  mesh shape = shape_sheet(6, 6, 1, 1);
  for (size_t i = 0; i < shape.vertex_count; i++) shape.positions[3 * i + 2] = 0.001;
  shape.positions[2] = -0.01;
  int32_t held[] = {0, 6, 42};
  tribo_pin_def pin = {.vertices = held, .vertex_count = 3, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.pins = &pin;
  def.pin_count = 1;
  rig *r = rig_make(def, &shape, (vec3){0, 0, -9.81}, 0.02, 1);
  rig_set *s = floor_below(r);
  assert_int_equal(r->m.row_count, r->m.node_count - 3);
  constrained_report report = minimize(r, s, &MUMPS, &STRICT);
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  for (int k = 0; k < 3; k++) {
    claim_near(vec3_norm(vec3_sub(r->x[held[k]], r->m.rest[held[k]])), 0, 0);
    claim_near(s->lambda[held[k]], 0, 0);
  }
  for (int32_t i = 0; i < r->m.node_count; i++)
    if (r->m.row_of_node[i] >= 0) assert_true(r->x[i].z >= -STRICT.gap);
  free(s);
  rig_free(r);
}

static void few_iterations__are_owned_up_to(void **unused) {
  (void)unused;
  rig *r = falling_cloth(8, 1);
  rig_set *s = floor_below(r);
  constrained_options two = {.tolerance = 1e-8, .gap = 1e-7, .iterations = 2};
  constrained_report report = minimize(r, s, &MUMPS, &two);
  assert_int_equal(report.outcome, CONSTRAINED_UNFINISHED);
  assert_int_equal(report.iterations, 2);
  assert_true(report.residual > 1e-8);
  for (int32_t i = 0; i < r->m.node_count; i++) assert_true(vec3_finite(r->x[i]));
  free(s);
  rig_free(r);
}

static void start_without_energy__is_broken(void **unused) {
  (void)unused;
  rig *r = falling_cloth(4, 1);
  rig_set *s = floor_below(r);
  r->x[3].z = NAN;
  constrained_report report = minimize(r, s, &MUMPS, &STRICT);
  assert_int_equal(report.outcome, CONSTRAINED_BROKEN);
  free(s);
  rig_free(r);
}

/* Ipopt would read a file ipopt.opt of the folder it runs in, and speak. */
static void ipopt__is_silent_and_reads_no_file(void **unused) {
  (void)unused;
  char folder[] = "ipopt_XXXXXX", before[4096];
  assert_non_null(getcwd(before, sizeof before));
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  FILE *file = fopen("ipopt.opt", "w");
  fputs("max_iter 1\nprint_level 5\n", file);
  fclose(file);
  rig *r = falling_cloth(4, 1);
  rig_set *s = floor_below(r);
  ipopt_constrained *solver = NULL;
  constrained_report report;
  claim_ok(ipopt_constrained_create(&r->o, &MUMPS, &r->memory, &solver, err));
  fflush(stdout);
  int kept = dup(1);
  assert_non_null(freopen("said.txt", "w", stdout));
  tribo_status status =
      ipopt_constrained_minimize(solver, &s->set, &STRICT, r->x, s->lambda, &report, NULL);
  fflush(stdout);
  long said = ftell(stdout);
  dup2(kept, 1);
  close(kept);
  unlink("said.txt");
  unlink("ipopt.opt");
  assert_int_equal(chdir(before), 0);
  rmdir(folder);
  assert_int_equal(status, TRIBO_OK);
  assert_int_equal(report.outcome, CONSTRAINED_CONVERGED);
  assert_int_equal(said, 0);
  ipopt_constrained_free(solver);
  free(s);
  rig_free(r);
}

static void *solve_alone(void *result) {
  rig *r = falling_cloth(8, 1);
  rig_set *s = floor_below(r);
  ipopt_constrained *solver = NULL;
  constrained_report report = {.outcome = CONSTRAINED_BROKEN};
  if (ipopt_constrained_create(&r->o, &MUMPS, &r->memory, &solver, NULL) == TRIBO_OK)
    ipopt_constrained_minimize(solver, &s->set, &STRICT, r->x, s->lambda, &report, NULL);
  *(constrained_outcome *)result = report.outcome;
  ipopt_constrained_free(solver);
  free(s);
  rig_free(r);
  return NULL;
}

static void two_simulations_at_once__do_not_disturb_each_other(void **unused) {
  (void)unused;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  constrained_outcome outcomes[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, solve_alone, &outcomes[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(outcomes[i], CONSTRAINED_CONVERGED);
  }
}

static bool have_ipopt(void) {
  rig *r = falling_cloth(1, 1);
  ipopt_constrained *solver = NULL;
  tribo_error error = {0};
  tribo_status status = ipopt_constrained_create(&r->o, &MUMPS, &r->memory, &solver, &error);
  if (status == TRIBO_UNAVAILABLE) printf("skipped: %s\n", error.message);
  ipopt_constrained_free(solver);
  rig_free(r);
  return status != TRIBO_UNAVAILABLE;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_on_a_slope__slides_along_it),
      cmocka_unit_test(push__counts_as_a_force),
      cmocka_unit_test(quadratic_programme__has_hildreths_solution),
      cmocka_unit_test(redundant_constraints__are_no_trouble),
      cmocka_unit_test(cloth_on_the_floor__balances),
      cmocka_unit_test(either_hessian_and_any_threads__give_one_solution),
      cmocka_unit_test(pardiso__gives_the_solution_of_mumps),
      cmocka_unit_test(missing_adapter__is_named),
      cmocka_unit_test(solid_thrown_at_the_floor__is_squashed),
      cmocka_unit_test(without_contacts__it_is_newtons_step),
      cmocka_unit_test(start_at_the_solution__is_left_alone),
      cmocka_unit_test(far_start__is_no_excuse),
      cmocka_unit_test(body_that_is_pinned_all_over__is_done),
      cmocka_unit_test(pinned_nodes__stay_and_bind_nothing),
      cmocka_unit_test(few_iterations__are_owned_up_to),
      cmocka_unit_test(start_without_energy__is_broken),
      cmocka_unit_test(ipopt__is_silent_and_reads_no_file),
      cmocka_unit_test(two_simulations_at_once__do_not_disturb_each_other),
  };
  if (!have_ipopt()) return 77;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
