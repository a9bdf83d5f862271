/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Super-helices: the centre line against the integrated frame, Jacobians against differences, M and
 * K against numerical integration, the terms of dJ/dt against Lagrange's equations by differences
 * of M, and momentum in free flight.
 */
#include "claims.h"
#include "math/quat.h"
#include "strand/strand.h"

enum { ELEMENTS = 4, MOST = 3 * ELEMENTS + 6 };

typedef struct setup {
  arena memory;
  strand s;
  strand_step step;
  double scratch[MOST];
} setup;

static const double REST[3 * ELEMENTS] = {3, -8, 2, 11, 0, -5, -4, 6, 9, 0.001, 0, 0};

static void begin(setup *t, bool free_root, double radius) {
  *t = (setup){.step = {.h = 1e-3, .gravity = {0.3, -9.81, 1}}};
  quat turn = quat_exp(vec3_make(0.4, -0.7, 1.1));
  double start[3 * ELEMENTS];
  for (int k = 0; k < 3 * ELEMENTS; k++) start[k] = REST[k] + 2 * sin(3. * k);
  strand_def def = {.material = {.radius = radius, .density = 1300, .young = 2e9, .shear = 0.7e9},
                    .elements = ELEMENTS,
                    .length = 0.07,
                    .root = {0.2, -0.1, 0.4},
                    .frame = quat_to_matrix(turn),
                    .rest = REST,
                    .start = start,
                    .free_root = free_root};
  claim_ok(strand_create(&strand_super_helix, &def, &t->memory, &t->s, err));
  for (int k = 0; k < t->s.freedoms; k++) t->s.v[k] = 5 * cos(2. * k);
  if (!free_root) {
    t->s.root_velocity = vec3_make(0.5, -0.3, 0.2);
    t->s.root_spin = vec3_make(-2, 1, 3);
  }
  t->s.model->prepare(&t->s, &t->step);
}

static void end(setup *t) { arena_free(&t->memory); }

/* M, lower triangle, and what the step's velocities are to come from, at a step of h. */
static void system_at(setup *t, double h, double m[MOST][MOST], double *rhs) {
  strand_step step = {.h = h, .gravity = t->step.gravity};
  t->s.model->linearise(&t->s, &step, t->s.v, rhs);
  for (int i = 0; i < t->s.freedoms; i++)
    for (int j = 0; j <= i; j++) m[i][j] = m[j][i] = *band_at(&t->s.factor, i, j);
}

static vec3 place(const setup *t, int e, double s, vec3 *tangent) {
  strand_place at = {.element = e, .s = s};
  return t->s.model->point(&t->s, &at, tangent);
}

/* ---- the centre line ---- */

static void centre_line__is_that_of_the_integrated_frame(void **unused) {
  (void)unused;
  setup t;
  begin(&t, false, 1e-3);
  mat3 frame = quat_to_matrix(quat_exp(vec3_make(0.4, -0.7, 1.1)));
  vec3 x = {0.2, -0.1, 0.4}, d[3];
  for (int c = 0; c < 3; c++) d[c] = mat3_column(&frame, c);
  enum { STEPS = 4000 };
  double h = t.s.length / STEPS;
  for (int e = 0; e < ELEMENTS; e++) {
    const double *k = t.s.q + 3 * e;
    for (int i = 0; i < STEPS; i++) { /* midpoint rule on d' = W x d, W = tau d0 + k1 d1 + k2 d2 */
      vec3 w = vec3_add(vec3_scale(k[2], d[0]), vec3_madd(vec3_scale(k[0], d[1]), k[1], d[2]));
      vec3 tangent = vec3_madd(d[0], h / 2, vec3_cross(w, d[0]));
      quat turn = quat_exp(vec3_scale(h, w));
      x = vec3_madd(x, h, tangent);
      for (int c = 0; c < 3; c++) d[c] = quat_rotate(turn, d[c]);
    }
    vec3 tangent, at = place(&t, e, t.s.length, &tangent);
    claim_below(vec3_norm(vec3_sub(at, x)), 1e-8);
    claim_below(vec3_norm(vec3_sub(tangent, d[0])), 1e-10);
  }
  end(&t);
}

static void long_turns_and_none__meet_in_one_formula(void **unused) {
  (void)unused;
  setup t;
  begin(&t, false, 1e-3);
  for (int k = 0; k < t.s.freedoms; k++) t.s.q[k] = 0;
  t.s.q[0] = 40 * M_PI / t.s.length; /* twenty full turns: back where it began */
  t.s.model->prepare(&t.s, &t.step);
  claim_below(vec3_norm(vec3_sub(place(&t, 0, t.s.length, NULL), place(&t, 0, 0, NULL))), 1e-14);
  vec3 straight = vec3_sub(place(&t, 1, t.s.length, NULL), place(&t, 1, 0, NULL));
  claim_near(vec3_norm(straight), t.s.length, 1e-16);
  end(&t);
}

/* ---- Jacobians ---- */

static vec3 velocity_of(const setup *t, const strand_place *at) {
  vec3 columns[MOST];
  strand_jacobian j = {.column = columns};
  t->s.model->jacobian(&t->s, at, &j);
  vec3 u = j.drift;
  for (int k = 0; k < j.count; k++) u = vec3_madd(u, t->s.v[j.first + k], j.column[k]);
  return u;
}

/* The point that a contact holds, at an offset that is fixed to the section, after a time h. */
static vec3 moved(bool free_root, double h, const strand_place *at) {
  setup t;
  begin(&t, free_root, 1e-3);
  vec3 before[2], after[2];
  before[0] = place(&t, at->element, at->s, &before[1]);
  strand_step step = {.h = h, .gravity = t.step.gravity};
  double v[MOST];
  memcpy(v, t.s.v, sizeof v);
  t.s.model->commit(&t.s, &step, v);
  t.s.model->prepare(&t.s, &step);
  after[0] = place(&t, at->element, at->s, &after[1]);
  end(&t);
  return vec3_sub(after[0], before[0]);
}

static void velocities__are_those_of_the_points(void **unused) {
  (void)unused;
  for (int root = 0; root < 2; root++)
    for (int e = 0; e < ELEMENTS; e++) {
      setup t;
      begin(&t, root, 1e-3);
      strand_place at = {.element = e, .s = 0.3 * t.s.length};
      vec3 u = velocity_of(&t, &at), there = moved(root, 1e-5, &at), back = moved(root, -1e-5, &at);
      vec3 difference = vec3_scale(0.5e5, vec3_sub(there, back));
      claim_below(vec3_norm(vec3_sub(u, difference)), 2e-7 * (1 + vec3_norm(u)));
      end(&t);
    }
}

static void tangents__turn_with_the_spin_that_contacts_feel(void **unused) {
  (void)unused;
  setup t, later;
  begin(&t, true, 1e-3);
  strand_place at = {.element = 3, .s = 0.05};
  vec3 tangent[2], u[4];
  place(&t, 3, 0.05, &tangent[0]);
  for (int c = 0; c < 4; c++) {
    at.offset = vec3_make(c == 1, c == 2, c == 3);
    u[c] = velocity_of(&t, &at);
  }
  vec3 rate = {0, 0, 0}; /* w x t from w x e for the axes e */
  double part[3] = {tangent[0].x, tangent[0].y, tangent[0].z};
  for (int c = 0; c < 3; c++) rate = vec3_madd(rate, part[c], vec3_sub(u[c + 1], u[0]));
  begin(&later, true, 1e-3);
  double v[MOST], h = 1e-6;
  memcpy(v, later.s.v, sizeof v);
  strand_step step = {.h = h};
  later.s.model->commit(&later.s, &step, v);
  later.s.model->prepare(&later.s, &step);
  place(&later, 3, 0.05, &tangent[1]);
  vec3 difference = vec3_scale(1 / h, vec3_sub(tangent[1], tangent[0]));
  claim_below(vec3_norm(vec3_sub(rate, difference)), 1e-3 * vec3_norm(rate));
  end(&t), end(&later);
}

/* ---- M and K ---- */

/* J_a at a place, and the spin about the tangent, w_a.t = (w_a x n1).n2. */
static void felt(const setup *t, int e, double s, vec3 *j, double *spin) {
  vec3 tangent, columns[3][MOST];
  place(t, e, s, &tangent);
  vec3 n1 = vec3_normalized(vec3_cross(tangent, vec3_make(0.3, 0.9, -0.2)));
  vec3 n2 = vec3_cross(tangent, n1), offset[2] = {{0, 0, 0}, n1};
  memset(columns, 0, sizeof columns);
  for (int c = 0; c < 2; c++) {
    strand_place at = {.element = e, .s = s, .offset = offset[c]};
    strand_jacobian row = {.column = columns[c]};
    t->s.model->jacobian(&t->s, &at, &row);
  }
  for (int k = 0; k < t->s.freedoms; k++) {
    j[k] = columns[0][k];
    spin[k] = vec3_dot(vec3_sub(columns[1][k], columns[0][k]), n2);
  }
}

static void masses__are_the_integrals_of_the_Jacobians(void **unused) {
  (void)unused;
  for (int root = 0; root < 2; root++) {
    setup t;
    begin(&t, root, 2e-3);
    double m[MOST][MOST], sum[MOST][MOST] = {{0}}, largest = 0;
    system_at(&t, 0, m, t.scratch);
    enum { PANELS = 400 }; /* Simpson's rule */
    double r = t.s.material.radius, line = t.s.material.density * M_PI * r * r;
    for (int e = 0; e < ELEMENTS; e++)
      for (int i = 0; i <= PANELS; i++) {
        double weight = i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2, spin[MOST];
        vec3 j[MOST];
        weight *= t.s.length / PANELS / 3;
        felt(&t, e, t.s.length * i / PANELS, j, spin);
        for (int a = 0; a < t.s.freedoms; a++)
          for (int b = 0; b < t.s.freedoms; b++)
            sum[a][b] += weight * line * (vec3_dot(j[a], j[b]) + r * r / 2 * spin[a] * spin[b]);
      }
    for (int a = 0; a < t.s.freedoms; a++) {
      largest = fmax(largest, m[a][a]);
      for (int b = 0; b < t.s.freedoms; b++)
        claim_near(m[a][b], sum[a][b], 1e-9 * sqrt(m[a][a] * m[b][b]));
    }
    assert_true(largest > 0);
    end(&t);
  }
}

static void stiffness__is_constant_and_diagonal(void **unused) {
  (void)unused;
  setup t;
  begin(&t, false, 1e-3);
  double m[MOST][MOST], a[MOST][MOST], h = 1e-3;
  system_at(&t, 0, m, t.scratch);
  system_at(&t, h, a, t.scratch);
  double inertia = M_PI * 1e-12 / 4; /* I of a round section, m^4 */
  for (int i = 0; i < t.s.freedoms; i++)
    for (int j = 0; j < t.s.freedoms; j++) {
      double stiff = i != j ? 0 : t.s.length * inertia * (i % 3 < 2 ? 2e9 : 2 * 0.7e9);
      claim_near((a[i][j] - m[i][j]) / (h * h), stiff, 1e-9 * t.s.length * inertia * 2e9);
    }
  /* and the energy is quadratic with just that */
  double energy = t.s.model->elastic(&t.s), sum = 0;
  for (int i = 0; i < t.s.freedoms; i++)
    sum += t.s.length * inertia * (i % 3 < 2 ? 2e9 : 1.4e9) * pow(t.s.q[i] - REST[i], 2) / 2;
  claim_near(energy, sum, 1e-12 * sum);
  end(&t);
}

static double twice_kinetic(setup *t, const double *q, const double *v, double *momentum) {
  double m[MOST][MOST], sum = 0;
  memcpy(t->s.q, q, (size_t)t->s.freedoms * sizeof *q);
  t->s.model->prepare(&t->s, &t->step);
  system_at(t, 0, m, t->scratch);
  for (int i = 0; i < t->s.freedoms; i++) {
    momentum[i] = 0;
    for (int j = 0; j < t->s.freedoms; j++) momentum[i] += m[i][j] * v[j];
    sum += momentum[i] * v[i];
  }
  return sum;
}

/* Lagrange: d/dt (M v) - 1/2 d(v.M v)/dq = f, so without forces M dv/dt is -(dM/dt v) + 1/2
 * d(v.M v)/dq. The root rests. */
static void momentum__goes_on_as_Lagrange_says(void **unused) {
  (void)unused;
  setup t;
  double h = 1e-6;
  begin(&t, false, 1e-6); /* thin: the spin's inertia does not count */
  t.s.root_velocity = t.s.root_spin = vec3_make(0, 0, 0);
  t.s.model->prepare(&t.s, &t.step);
  int n = t.s.freedoms;
  double m[MOST][MOST], carried[MOST], q[MOST], v[MOST], p[2][MOST], now[MOST], unused_p[MOST];
  strand_step step = {.h = h};
  memcpy(v, t.s.v, sizeof v);
  t.s.model->commit(&t.s, &step, v);
  memcpy(q, t.s.q, sizeof q);
  t.s.model->prepare(&t.s, &step);
  system_at(&t, 0, m, carried);
  twice_kinetic(&t, q, v, now);
  double d = 1e-5, moved_q[MOST], expected[MOST], scale = 0;
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n; i++) moved_q[i] = q[i] + (side ? d : -d) * v[i];
    twice_kinetic(&t, moved_q, v, p[side]);
  }
  for (int i = 0; i < n; i++) {
    double e[2];
    memcpy(moved_q, q, sizeof q);
    for (int side = 0; side < 2; side++) {
      moved_q[i] = q[i] + (side ? 1e-3 : -1e-3);
      e[side] = twice_kinetic(&t, moved_q, v, unused_p);
    }
    expected[i] = -(p[1][i] - p[0][i]) / (2 * d) + (e[1] - e[0]) / 4e-3;
    scale = fmax(scale, fabs(expected[i]));
  }
  for (int i = 0; i < n; i++) claim_near((carried[i] - now[i]) / h, expected[i], 1e-4 * scale);
  end(&t);
}

/* However long the step: the kinetic energy of free flight does not grow. */
static void free_flight__gains_no_energy_in_any_step(void **unused) {
  (void)unused;
  setup t;
  begin(&t, true, 1e-3);
  t.step = (strand_step){.h = 0.05};
  t.s.material.young = t.s.material.shear = 1e3;
  double last = INFINITY;
  for (int i = 0; i < 200; i++) {
    assert_true(strand_begin(&t.s, &t.step, t.scratch));
    double all = t.s.model->kinetic(&t.s, &t.step);
    claim_below(all, last * (1 + 1e-9) + 1e-12);
    last = all + t.s.model->elastic(&t.s);
    double v[MOST];
    memcpy(v, t.s.free, sizeof v);
    t.s.model->commit(&t.s, &t.step, v);
  }
  end(&t);
}

/* The force of gravity and a hold by the freedoms of other elements, against differences. */
static void tension__is_how_forces_turn_with_what_is_before_them(void **unused) {
  (void)unused;
  setup t;
  begin(&t, false, 1e-3);
  t.s.root_velocity = t.s.root_spin = vec3_make(0, 0, 0);
  memset(t.s.v, 0, (size_t)t.s.freedoms * sizeof *t.s.v);
  strand_hold hold = {.place = {.element = 3, .s = 0.03}, .target = {3, 2, 1}, .stiffness = 0.4};
  t.s.holds = &hold, t.s.hold_count = 1;
  double with[MOST][MOST], without[MOST][MOST], m[MOST][MOST], force[2][MOST], d = 1e-4;
  t.s.model->prepare(&t.s, &t.step);
  system_at(&t, 1, without, t.scratch);
  t.s.tensed = true;
  system_at(&t, 1, with, t.scratch);
  t.s.tensed = false;
  int first = 0, n = t.s.freedoms;
  for (int b = first + 3; b < n; b++) {
    for (int side = 0; side < 2; side++) {
      double q = t.s.q[b];
      t.s.q[b] += side ? d : -d;
      t.s.model->prepare(&t.s, &t.step);
      system_at(&t, 1e-9, m, force[side]);
      t.s.q[b] = q;
    }
    int own = first + (b - first) / 3 * 3;
    for (int a = first; a < own; a++) {
      /* of a hold f itself changes too: that part is k J.J, which `without` has beside M and K */
      double slope = -(force[1][a] - force[0][a]) / (2 * d) / 1e-9;
      double hooke = without[b][a] - m[b][a];
      claim_near(with[b][a] - without[b][a] + hooke, slope, 1e-5 * (fabs(slope) + 1e-4));
    }
  }
  end(&t);
}

/* ---- motion ---- */

static vec3 momentum_after(double h, vec3 *before, vec3 *turning, vec3 *turning_before) {
  setup t;
  begin(&t, true, 1e-3);
  t.step = (strand_step){.h = h};
  t.s.material.young = t.s.material.shear = 1e6; /* a step resolves what swings */
  vec3 p[2], l[2];
  for (int k = 0; k < 6; k++) t.s.v[k] *= 0.2;
  for (int step = 0; step * h < 0.02 - h / 2; step++) {
    assert_true(strand_begin(&t.s, &t.step, t.scratch));
    double m[MOST][MOST];
    vec3 root = place(&t, 0, 0, NULL);
    double *to[2] = {&p[step > 0].x, &l[step > 0].x};
    system_at(&t, 0, m, t.scratch);
    for (int k = 0; k < 6; k++) {
      double sum = 0;
      for (int j = 0; j < t.s.freedoms; j++) sum += m[k][j] * t.s.v[j];
      to[k / 3][k % 3] = sum;
    }
    l[step > 0] = vec3_add(l[step > 0], vec3_cross(root, p[step > 0]));
    assert_true(strand_begin(&t.s, &t.step, t.scratch));
    double v[MOST];
    memcpy(v, t.s.free, sizeof v);
    t.s.model->commit(&t.s, &t.step, v);
  }
  end(&t);
  *before = p[0], *turning = l[1], *turning_before = l[0];
  return p[1];
}

static void free_flight__keeps_momentum_to_first_order_of_the_step(void **unused) {
  (void)unused;
  double off[2][2];
  for (int k = 0; k < 2; k++) {
    vec3 p0, l, l0, p = momentum_after(k ? 2.5e-5 : 5e-5, &p0, &l, &l0);
    off[k][0] = vec3_norm(vec3_sub(p, p0)) / vec3_norm(p0);
    off[k][1] = vec3_norm(vec3_sub(l, l0)) / vec3_norm(l0);
  }
  for (int c = 0; c < 2; c++) {
    claim_below(off[1][c], 0.02);
    claim_below(off[1][c], 0.6 * off[0][c]);
  }
}

static void holds__draw_the_tip_to_its_target(void **unused) {
  (void)unused;
  setup t;
  begin(&t, false, 1e-3);
  t.s.root_velocity = t.s.root_spin = vec3_make(0, 0, 0);
  t.s.material.damping = 20;
  strand_hold hold = {.place = {.element = ELEMENTS - 1, .s = t.s.length},
                      .target = {0.35, -0.2, 0.45},
                      .stiffness = 2000};
  memset(t.s.v, 0, (size_t)t.s.freedoms * sizeof *t.s.v);
  t.s.holds = &hold, t.s.hold_count = 1;
  for (int i = 0; i < 3000; i++) {
    assert_true(strand_begin(&t.s, &t.step, t.scratch));
    double v[MOST];
    memcpy(v, t.s.free, sizeof v);
    t.s.model->commit(&t.s, &t.step, v);
  }
  t.s.model->prepare(&t.s, &t.step);
  vec3 tip = place(&t, ELEMENTS - 1, t.s.length, NULL);
  claim_below(vec3_norm(vec3_sub(tip, hold.target)), 2e-3);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(centre_line__is_that_of_the_integrated_frame),
      cmocka_unit_test(long_turns_and_none__meet_in_one_formula),
      cmocka_unit_test(velocities__are_those_of_the_points),
      cmocka_unit_test(tangents__turn_with_the_spin_that_contacts_feel),
      cmocka_unit_test(masses__are_the_integrals_of_the_Jacobians),
      cmocka_unit_test(stiffness__is_constant_and_diagonal),
      cmocka_unit_test(momentum__goes_on_as_Lagrange_says),
      cmocka_unit_test(free_flight__gains_no_energy_in_any_step),
      cmocka_unit_test(tension__is_how_forces_turn_with_what_is_before_them),
      cmocka_unit_test(free_flight__keeps_momentum_to_first_order_of_the_step),
      cmocka_unit_test(holds__draw_the_tip_to_its_target),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
