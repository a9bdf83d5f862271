/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "friction/tensor.h"

static const vec3 up = {0, 0, 1}, none = {0, 0, 0};

static vec3 heading(double angle) { return vec3_make(cos(angle), sin(angle), 0); }

static double support(const friction_cone *c, vec3 direction) {
  return hypot(c->mu_t * vec3_dot(c->t, direction), c->mu_b * vec3_dot(c->b, direction));
}

/* f = -L v by its definition, with L built from the two frames, for a symmetric positive Q. */
static vec3 tensor_force(const friction_tensor *q, vec3 s_a, vec3 s_b, vec3 v) {
  vec3 f = none;
  const vec3 s[2] = {s_a, s_b};
  for (int i = 0; i < 2; i++) {
    vec3 across = vec3_cross(up, s[i]);
    double x = vec3_dot(s[i], v), y = vec3_dot(across, v);
    const double(*m)[2] = i ? q->b : q->a;
    f = vec3_madd(f, -q->kappa * (m[0][0] * x + m[0][1] * y), s[i]);
    f = vec3_madd(f, -q->kappa * (m[1][0] * x + m[1][1] * y), across);
  }
  return f;
}

static friction_tensor random_tensor(uint64_t *seed) {
  friction_tensor q = {.kappa = claim_between(seed, 0.1, 2)};
  for (int i = 0; i < 2; i++) {
    double(*m)[2] = i ? q.b : q.a;
    double x = claim_between(seed, 0.1, 1), y = claim_between(seed, 0.1, 1);
    m[0][0] = x, m[1][1] = y;
    m[0][1] = m[1][0] = claim_between(seed, -0.9, 0.9) * sqrt(x * y);
  }
  return q;
}

/* Eq. 32: every force of the tensor lies on the boundary of the cone. */
static void forces_of_a_tensor_lie_on_its_cone(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int k = 0; k < 10000; k++) {
    friction_tensor q = random_tensor(&seed);
    vec3 a = heading(claim_between(&seed, 0, 7)), b = heading(claim_between(&seed, 0, 7));
    friction_cone c;
    claim_ok(tensor_cone(&q, up, a, b, &c, err));
    assert_true(c.mu_t <= c.mu_b);
    vec3 f = tensor_force(&q, a, b, heading(claim_between(&seed, 0, 7)));
    double x = vec3_dot(f, c.t) / c.mu_t, y = vec3_dot(f, c.b) / c.mu_b;
    claim_near(hypot(x, y), 1, 1e-12 * c.mu_b / c.mu_t);
  }
}

/* Along the axes the tensor's force is the most dissipative one; between them the cone has a better
 * one, which is why only the cone's law is maximum dissipation. */
static void cone_dissipates_as_the_tensor_along_its_axes_and_more_between(void **state) {
  (void)state;
  uint64_t seed = 2;
  double most = 0;
  for (int k = 0; k < 10000; k++) {
    friction_tensor q = random_tensor(&seed);
    vec3 a = heading(claim_between(&seed, 0, 7)), b = heading(claim_between(&seed, 0, 7));
    friction_cone c;
    claim_ok(tensor_cone(&q, up, a, b, &c, err));
    const vec3 axes[2] = {c.t, c.b};
    for (int i = 0; i < 2; i++) {
      vec3 f = tensor_force(&q, a, b, axes[i]);
      claim_near(-vec3_dot(f, axes[i]), support(&c, axes[i]), 1e-14);
    }
    vec3 v = heading(claim_between(&seed, 0, 7));
    double lost = -vec3_dot(tensor_force(&q, a, b, v), v);
    claim_below(lost, support(&c, v) + 1e-14);
    most = fmax(most, support(&c, v) - lost);
  }
  claim_below(0.1, most);
}

static void direction_without_sign_makes_the_same_cone(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 1000; k++) {
    friction_tensor q = random_tensor(&seed);
    vec3 a = heading(claim_between(&seed, 0, 7)), b = heading(claim_between(&seed, 0, 7));
    friction_cone c, other;
    claim_ok(tensor_cone(&q, up, a, b, &c, err));
    claim_ok(tensor_cone(&q, up, vec3_scale(-2, a), vec3_scale(-1, b), &other, err));
    for (int i = 0; i < 8; i++)
      claim_near(support(&c, heading(i)), support(&other, heading(i)), 1e-14);
  }
}

static void isotropic_tensors_need_no_structure(void **state) {
  (void)state;
  friction_tensor q = {{{0.2, 0}, {0, 0.2}}, {{0.3, 0}, {0, 0.3}}, 1};
  friction_cone c;
  claim_ok(tensor_cone(&q, up, none, none, &c, err));
  claim_near(c.mu_t, 0.5, 1e-16);
  claim_near(c.mu_b, 0.5, 1e-16);
  q.a[0][0] = 0; /* nothing resists along the structure: the cone is a fan */
  claim_ok(tensor_cone(&q, up, heading(0.5), none, &c, err));
  claim_near(support(&c, heading(0.5)), 0.3, 1e-15);
  q.b[0][0] = q.b[1][1] = 0;
  claim_ok(tensor_cone(&q, up, heading(0.5), none, &c, err));
  claim_near(support(&c, heading(0.5)), 0, 1e-15);
}

static void tensors_that_no_cone_with_maximum_dissipation_has_are_refused(void **state) {
  (void)state;
  friction_cone c;
  friction_tensor turning = {{{0, -1}, {1, 0}}, {{0, 0}, {0, 0}}, 1}; /* its ellipse is a circle */
  claim_fails(tensor_cone(&turning, up, heading(0), none, &c, err), TRIBO_BAD_INPUT,
              "is not symmetric, so its force does not dissipate the most there can be");
  friction_tensor driving = {{{0.5, 0}, {0, -0.2}}, {{0.1, 0}, {0, 0.1}}, 1};
  claim_fails(tensor_cone(&driving, up, heading(0), none, &c, err), TRIBO_BAD_INPUT,
              "has the negative eigenvalue -0.1 and would drive the motion");
  friction_tensor combed = {{{0.5, 0}, {0, 0.2}}, {{0.1, 0}, {0, 0.1}}, 1};
  claim_fails(tensor_cone(&combed, up, none, heading(0), &c, err), TRIBO_BAD_INPUT,
              "friction tensor of surface A is [0.5 0; 0 0.2], which has directions, but the "
              "surface has no structure there");
  friction_tensor broken = {{{NAN, 0}, {0, 1}}, {{1, 0}, {0, 1}}, 1};
  claim_fails(tensor_cone(&broken, up, none, none, &c, err), TRIBO_BAD_INPUT, "entry (0, 0) is");
  friction_tensor negative = {{{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}, -1};
  claim_fails(tensor_cone(&negative, up, none, none, &c, err), TRIBO_BAD_INPUT, "its factor is -1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_of_a_tensor_lie_on_its_cone),
      cmocka_unit_test(cone_dissipates_as_the_tensor_along_its_axes_and_more_between),
      cmocka_unit_test(direction_without_sign_makes_the_same_cone),
      cmocka_unit_test(isotropic_tensors_need_no_structure),
      cmocka_unit_test(tensors_that_no_cone_with_maximum_dissipation_has_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
