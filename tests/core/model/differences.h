/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * differences: checks that every element kernel must pass, by finite differences and eigenvalues.
 *
 * Differences are central and extrapolated once (Richardson), so their error is step^4 against the
 * rounding eps/step: with a step of 1e-3 of the element's size both are near 1e-12. The tolerance
 * DIFFERENCE leaves room for stiff states, and no wrong derivative is that near.
 */
#ifndef TESTS_DIFFERENCES_H
#define TESTS_DIFFERENCES_H

#include "claims.h"
#include "energy/elements.h"
#include "math/eigen.h"
#include "math/mat3.h"

#define DIFFERENCE 1e-7

static inline double *coordinate(vec3 *x, int i) {
  return i % 3 == 0 ? &x[i / 3].x : i % 3 == 1 ? &x[i / 3].y : &x[i / 3].z;
}

static inline double largest(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* The gradient against differences of the energy, the exact Hessian against differences of the
 * gradient. A gradient near 0 is compared on the scale of what a step changes it by; the rounding
 * of the energy (a dozen times half an ulp, over the step) is what differences can not see below.
 */
static inline void claim_derivatives(const element_kernel *kernel, const void *data, const vec3 *at,
                                     double step) {
  int n = 3 * kernel->arity;
  vec3 x[ELEMENT_MAX_ARITY], g[ELEMENT_MAX_ARITY];
  double h[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  memcpy(x, at, (size_t)kernel->arity * sizeof *x);
  kernel->gradient(data, 0, x, g);
  kernel->hessian(data, 0, x, HESSIAN_EXACT, h);
  double stiffest = largest(h, n * n), steepest = 0;
  double blur = 4e-15 * fabs(kernel->energy(data, 0, x)) / step;
  for (int i = 0; i < n; i++) steepest = fmax(steepest, fabs(*coordinate(g, i)));

  static const double offsets[4] = {1, -1, 2, -2}, weights[4] = {8, -8, -1, 1};
  for (int i = 0; i < n; i++) {
    double slope = 0, rates[ELEMENT_MAX_DOFS] = {0};
    double *moved = coordinate(x, i), kept = *moved;
    for (int s = 0; s < 4; s++) {
      vec3 other[ELEMENT_MAX_ARITY];
      *moved = kept + offsets[s] * step;
      slope += weights[s] * kernel->energy(data, 0, x) / (12 * step);
      kernel->gradient(data, 0, x, other);
      for (int j = 0; j < n; j++) rates[j] += weights[s] * *coordinate(other, j) / (12 * step);
    }
    *moved = kept;
    claim_near(*coordinate(g, i), slope, DIFFERENCE * (steepest + step * stiffest) + blur);
    for (int j = 0; j < n; j++) {
      claim_near(h[j * n + i], rates[j], DIFFERENCE * stiffest);
      assert_true(h[j * n + i] == h[i * n + j]);
    }
  }
}

/* The projected Hessian is symmetric to the bit and semi-definite, and equal to the exact one where
 * that is semi-definite. Returns the smallest eigenvalue of the exact one over its largest. */
static inline double claim_projection(const element_kernel *kernel, const void *data,
                                      const vec3 *x) {
  enum { MOST = ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS };
  int n = 3 * kernel->arity;
  double exact[MOST], projected[MOST], a[MOST], values[ELEMENT_MAX_DOFS], vectors[MOST];
  kernel->hessian(data, 0, x, HESSIAN_EXACT, exact);
  kernel->hessian(data, 0, x, HESSIAN_PROJECTED, projected);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) assert_true(projected[i * n + j] == projected[j * n + i]);

  memcpy(a, projected, sizeof a);
  eigen_symmetric(n, a, values, vectors);
  claim_below(-values[0], 1e-10 * fabs(values[n - 1]));

  memcpy(a, exact, sizeof a);
  eigen_symmetric(n, a, values, vectors);
  double scale = fmax(fabs(values[0]), fabs(values[n - 1]));
  if (values[0] >= -1e-13 * scale)
    for (int i = 0; i < n * n; i++) claim_near(projected[i], exact[i], 1e-10 * scale);
  return scale > 0 ? values[0] / scale : 0;
}

/* Rows and columns of all vertices but the first: where Dm = I, the element's size times the second
 * derivative in the space of F. There the projection must be the nearest semi-definite matrix. */
static inline void claim_nearest(const element_kernel *kernel, const void *data, const vec3 *x) {
  int n = 3 * kernel->arity, m = n - 3;
  double exact[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS], projected[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  double nearest[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  kernel->hessian(data, 0, x, HESSIAN_EXACT, exact);
  kernel->hessian(data, 0, x, HESSIAN_PROJECTED, projected);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) nearest[i * m + j] = exact[(i + 3) * n + j + 3];
  eigen_project_psd(m, nearest);
  double scale = largest(exact, n * n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      claim_near(projected[(i + 3) * n + j + 3], nearest[i * m + j], 1e-11 * scale);
}

static inline vec3 random_point(uint64_t *seed, double size) {
  double x = claim_between(seed, -size, size), y = claim_between(seed, -size, size);
  return vec3_make(x, y, claim_between(seed, -size, size));
}

/* About a random axis, by Rodrigues' formula. */
static inline mat3 random_rotation(uint64_t *seed) {
  vec3 k = vec3_normalized(random_point(seed, 1));
  double angle = claim_between(seed, -3, 3), c = cos(angle), s = sin(angle);
  mat3 axis = mat3_outer(vec3_scale(1 - c, k), k);
  mat3 rest = {{{c, -s * k.z, s * k.y}, {s * k.z, c, -s * k.x}, {-s * k.y, s * k.x, c}}};
  return mat3_add(&axis, &rest);
}

/* A rigid motion changes neither the energy nor, but for the turning, the gradient; the forces have
 * no sum and no torque. `size` is the energy's scale (stiffness times size squared). */
static inline void claim_objective(const element_kernel *kernel, const void *data, const vec3 *x,
                                   double size, uint64_t *seed) {
  int arity = kernel->arity;
  mat3 turn = random_rotation(seed);
  vec3 shift = random_point(seed, 1);
  vec3 y[ELEMENT_MAX_ARITY], gx[ELEMENT_MAX_ARITY], gy[ELEMENT_MAX_ARITY];
  vec3 force = {0, 0, 0}, torque = {0, 0, 0};
  for (int a = 0; a < arity; a++) y[a] = vec3_add(mat3_mul_vec3(&turn, x[a]), shift);
  kernel->gradient(data, 0, x, gx);
  kernel->gradient(data, 0, y, gy);
  double steepest = size;
  for (int a = 0; a < arity; a++) steepest = fmax(steepest, vec3_max_abs(gx[a]));
  for (int a = 0; a < arity; a++) {
    vec3 turned = mat3_mul_vec3(&turn, gx[a]);
    claim_below(vec3_max_abs(vec3_sub(turned, gy[a])), 1e-12 * steepest);
    force = vec3_add(force, gx[a]);
    torque = vec3_add(torque, vec3_cross(x[a], gx[a]));
  }
  claim_below(vec3_max_abs(force), 1e-13 * steepest);
  claim_below(vec3_max_abs(torque), 1e-12 * steepest);
  double energy = kernel->energy(data, 0, x);
  claim_near(kernel->energy(data, 0, y), energy, 1e-12 * fmax(size, energy));
}

/* u^T H u */
static inline double quadratic(const element_kernel *kernel, const void *data, const vec3 *x,
                               vec3 *u) {
  int n = 3 * kernel->arity;
  double h[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS], sum = 0;
  kernel->hessian(data, 0, x, HESSIAN_EXACT, h);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += *coordinate(u, i) * h[i * n + j] * *coordinate(u, j);
  return sum;
}

#endif
