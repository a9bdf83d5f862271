/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of strands: forces against differences of energies, the drop of a cantilever under its own
 * weight against the elastica, with the order in which each model converges, and refusals.
 */
#include "claims.h"
#include "strand/strand.h"

enum { MOST = 128 };

typedef struct setup {
  arena memory;
  strand s;
  strand_step step;
  double scratch[3 * MOST], v[3 * MOST];
} setup;

static strand_def usual(int32_t elements, double length) {
  return (strand_def){.material = {.radius = 1e-3, .density = 1000, .young = 5e6, .shear = 2e6},
                      .elements = elements,
                      .length = length,
                      .frame = mat3_identity()};
}

/* ---- forces ---- */

static void mass_spring__pulls_along_the_slope_of_its_energy(void **unused) {
  (void)unused;
  setup t = {.step = {.h = 1}};
  vec3 points[6];
  uint64_t seed = 4;
  for (int i = 0; i < 6; i++)
    points[i] = vec3_make(0.01 * i, claim_between(&seed, 0, 0.01), claim_between(&seed, 0, 0.01));
  strand_def def = usual(5, 0.01);
  def.points = points, def.free_root = true;
  claim_ok(strand_create(&strand_mass_spring, &def, &t.memory, &t.s, err));
  t.s.model->residual(&t.s, &t.step, t.v, t.scratch); /* at rest: h f */
  for (int k = 0; k < t.s.freedoms; k++) {
    double q = t.s.q[k], e[2], d = 1e-8;
    for (int side = 0; side < 2; side++) {
      t.s.q[k] = q + (side ? d : -d);
      e[side] = t.s.model->elastic(&t.s);
    }
    t.s.q[k] = q;
    claim_near(t.scratch[k], -(e[1] - e[0]) / (2 * d), 1e-5 * (1e-3 + fabs(t.scratch[k])));
  }
  arena_free(&t.memory);
}

/* K is exact where the strand is straight: there Gauss-Newton leaves nothing out. */
static void mass_spring__has_the_stiffness_of_its_forces_where_it_is_straight(void **unused) {
  (void)unused;
  setup t = {.step = {.h = 1}};
  strand_def def = usual(5, 0.01);
  def.free_root = true;
  claim_ok(strand_create(&strand_mass_spring, &def, &t.memory, &t.s, err));
  t.s.model->linearise(&t.s, &t.step, t.v, t.scratch);
  double force[2][18], d = 1e-7, at_rest[18] = {0};
  for (int b = 0; b < t.s.freedoms; b++) {
    for (int side = 0; side < 2; side++) {
      double q = t.s.q[b];
      t.s.q[b] += side ? d : -d;
      t.s.model->residual(&t.s, &t.step, at_rest, force[side]);
      t.s.q[b] = q;
    }
    for (int a = b; a < t.s.freedoms && a <= b + t.s.factor.half; a++) {
      double edge = t.s.material.density * strand_area(&t.s.material) * t.s.length;
      double mass = a != b ? 0 : a < 3 || a >= 15 ? edge / 2 : edge;
      double stiff = *band_at(&t.s.factor, a, b) - mass;
      claim_near(stiff, -(force[1][a] - force[0][a]) / (2 * d), 1e-5 * (1 + fabs(stiff)));
    }
  }
  arena_free(&t.memory);
}

static void mass_spring__meets_its_own_equations_when_linearised_anew(void **unused) {
  (void)unused;
  setup t = {.step = {.h = 0.02, .gravity = {0, -9.81, 0}}};
  strand_def def = usual(20, 0.01);
  claim_ok(strand_create(&strand_mass_spring, &def, &t.memory, &t.s, err));
  double off[7];
  assert_true(strand_begin(&t.s, &t.step, t.scratch));
  for (int pass = 0; pass < 7; pass++) {
    memcpy(t.v, t.s.free, (size_t)t.s.freedoms * sizeof *t.v);
    t.s.model->residual(&t.s, &t.step, t.v, t.scratch);
    off[pass] = 0;
    for (int k = 0; k < t.s.freedoms; k++) off[pass] += t.scratch[k] * t.scratch[k];
    assert_true(strand_relinearise(&t.s, &t.step, t.v, t.scratch));
  }
  claim_below(off[6], 1e-16 * off[0]);
  arena_free(&t.memory);
}

/* ---- the cantilever ---- */

/* Drop over reach of the elastica under its own weight, phi'' = G (1 - s) sin phi with phi (rad)
 * from the vertical, clamped at pi / 2: integrated from the tip, whose phi is found by halving its
 * logarithm. */
static double elastica(double g) {
  double low = -80, high = log(M_PI / 2), reach = 0, drop = 0;
  enum { STEPS = 4000 };
  double h = 1. / STEPS;
  for (int turn = 0; turn < 100; turn++) {
    double phi = exp((low + high) / 2), slope = 0;
    reach = drop = 0;
    /* s' = 1 - s, from the tip; Runge and Kutta's rule of order 4 */
    for (int i = 0; i < STEPS && phi < 2; i++) {
      double s = i * h;
      double k1 = slope, l1 = g * s * sin(phi);
      double k2 = slope + h / 2 * l1, l2 = g * (s + h / 2) * sin(phi + h / 2 * k1);
      double k3 = slope + h / 2 * l2, l3 = g * (s + h / 2) * sin(phi + h / 2 * k2);
      double k4 = slope + h * l3, l4 = g * (s + h) * sin(phi + h * k3);
      double middle = phi + h / 2 * k2, next = phi + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      reach += h / 6 * (sin(phi) + 4 * sin(middle) + sin(next));
      drop += h / 6 * (cos(phi) + 4 * cos(middle) + cos(next));
      phi = next, slope += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    *(phi > M_PI / 2 ? &high : &low) = (low + high) / 2;
  }
  return drop / reach;
}

static void settle(setup *t) {
  double fastest = INFINITY;
  for (int step = 0; step < 60000 && fastest > 1e-8; step++) {
    assert_true(strand_begin(&t->s, &t->step, t->scratch));
    for (int pass = 0; pass < 2 && !t->s.model->linear; pass++) {
      memcpy(t->v, t->s.free, (size_t)t->s.freedoms * sizeof *t->v);
      assert_true(strand_relinearise(&t->s, &t->step, t->v, t->scratch));
    }
    memcpy(t->v, t->s.free, (size_t)t->s.freedoms * sizeof *t->v);
    fastest = 0;
    for (int k = 0; k < t->s.freedoms; k++)
      fastest = fmax(fastest, fabs(t->v[k]) * (t->s.model == &strand_super_helix ? 0.04 : 1));
    t->s.model->commit(&t->s, &t->step, t->v);
  }
  claim_below(fastest, 1e-8);
  t->s.model->prepare(&t->s, &t->step);
}

/* Nodes clamp at the middle of their first edge, which is led: half an element does not bend. */
static double drop_over_reach(const strand_model *model, double g, int32_t elements) {
  setup t = {.step = {.h = 2e-3, .gravity = {0, -9.81, 0}}};
  bool nodes = model != &strand_super_helix;
  double whole = 0.2, length = whole / (nodes ? elements - 0.5 : elements);
  strand_def def = usual(elements, length);
  double area = strand_area(&def.material), second = area * 1e-6 / 4;
  def.material.young = 1000 * 9.81 * area * pow(whole, 3) / (g * second);
  def.material.shear = def.material.young / 2.6;
  def.material.damping = 15;
  claim_ok(strand_create(model, &def, &t.memory, &t.s, err));
  if (model->longest) t.step.h = fmin(t.step.h, model->longest(&t.s));
  settle(&t);
  strand_place tip = {.element = elements - 1, .s = length};
  vec3 x = model->point(&t.s, &tip, NULL);
  arena_free(&t.memory);
  return -x.y / (x.x - (nodes ? length / 2 : 0));
}

static void elastica__is_that_of_the_tables(void **unused) {
  (void)unused;
  double known[][2] = {
      {0.1, 0.01250}, {1, 0.12456}, {10, 1.06680}, {100, 5.88810}, {1000, 21.3354}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    claim_near(elastica(known[i][0]), known[i][1], 6e-6 * fmax(1, known[i][1]));
}

/* By halving elements: the order is 2 where a few elements resolve the bend by the clamp, whose
 * length is G^(-1/3). */
static void converges(const strand_model *model, double g, double off_at_32, bool order) {
  double exact = elastica(g), off[2];
  for (int k = 0; k < 2; k++) off[k] = fabs(drop_over_reach(model, g, k ? 32 : 16) / exact - 1);
  print_message("%s, G %g: off by %.2e and %.2e, order %.2f\n", model->name, g, off[0], off[1],
                log2(off[0] / off[1]));
  claim_below(off[1], off_at_32);
  claim_near(log2(off[0] / off[1]), order ? 2 : 1.5, order ? 0.1 : 0.75);
}

static void super_helix__hangs_as_the_elastica_with_order_two(void **unused) {
  (void)unused;
  converges(&strand_super_helix, 0.1, 3.5e-4, true);
  converges(&strand_super_helix, 10, 3.5e-4, true);
  converges(&strand_super_helix, 100, 2e-3, true);
  converges(&strand_super_helix, 1000, 0.03, true);
}

static void mass_spring__hangs_as_the_elastica_with_order_two(void **unused) {
  (void)unused;
  converges(&strand_mass_spring, 0.1, 6e-4, true);
  converges(&strand_mass_spring, 10, 3e-3, true);
  converges(&strand_mass_spring, 100, 0.025, false);
  converges(&strand_mass_spring, 1000, 0.13, false);
}

/* Stretch and constraint of corde are as stiff as the step bears, and that is what its error is. */
static void corde__hangs_as_the_elastica_within_a_percent(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    double g = k ? 10 : 1, off = drop_over_reach(&strand_corde, g, 16) / elastica(g) - 1;
    print_message("corde, G %g: off by %.2e\n", g, off);
    claim_near(off, 0, 0.01);
  }
}

/* ---- refusals ---- */

static void numbers__no_strand_can_have_are_refused(void **unused) {
  (void)unused;
  setup t = {0};
  double rest[3] = {1, 0, 0};
  vec3 points[2] = {{0, 0, 0}, {NAN, 0, 0}};
  strand_def def = usual(1, 0.1), bad = def;
  bad.material.radius = 0;
  claim_fails(strand_create(&strand_corde, &bad, &t.memory, &t.s, err), TRIBO_BAD_INPUT, "radius");
  bad = def, bad.elements = 0;
  claim_fails(strand_create(&strand_corde, &bad, &t.memory, &t.s, err), TRIBO_BAD_INPUT, "0 elem");
  bad = def, bad.points = points;
  claim_fails(strand_create(&strand_corde, &bad, &t.memory, &t.s, err), TRIBO_BAD_INPUT, "point 1");
  bad = def, bad.rest = rest;
  claim_fails(strand_create(&strand_mass_spring, &bad, &t.memory, &t.s, err), TRIBO_BAD_INPUT,
              "Super-helix");
  claim_fails(strand_create(&strand_corde, &bad, &t.memory, &t.s, err), TRIBO_BAD_INPUT,
              "Super-helix");
  for (size_t m = 0; m < strand_model_count; m++)
    assert_ptr_equal(strand_model_find(strand_models[m]->name), strand_models[m]);
  assert_null(strand_model_find("string"));
  arena_free(&t.memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_spring__pulls_along_the_slope_of_its_energy),
      cmocka_unit_test(mass_spring__has_the_stiffness_of_its_forces_where_it_is_straight),
      cmocka_unit_test(mass_spring__meets_its_own_equations_when_linearised_anew),
      cmocka_unit_test(elastica__is_that_of_the_tables),
      cmocka_unit_test(super_helix__hangs_as_the_elastica_with_order_two),
      cmocka_unit_test(mass_spring__hangs_as_the_elastica_with_order_two),
      cmocka_unit_test(corde__hangs_as_the_elastica_within_a_percent),
      cmocka_unit_test(numbers__no_strand_can_have_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
