/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_functions: functions of (u, r) that are 0 where Coulomb's law holds, for cones of
 * slope 1.
 */
#include "coulomb/contact_newton.h"
#include "math/hypotenuse.h"

/* ---- Alart-Curnier (004, equation (4) and section 4.3): r - P(r - rho u), the normal part onto
 * the half-line, the tangential part onto the disc of radius r_N. The sign is turned, so that the
 * part by r is positive. ---- */

static vec3 alart_curnier_value(vec3 u, vec3 r, contact_scale scale) {
  double radius = fmax(r.x, 0), y = r.y - scale.t * u.y, z = r.z - scale.t * u.z;
  double length = sqrt(y * y + z * z), fit = length > radius ? radius / length : 1;
  return vec3_make(r.x - fmax(r.x - scale.n * u.x, 0), r.y - fit * y, r.z - fit * z);
}

static contact_sample alart_curnier_slope(vec3 u, vec3 r, contact_scale scale) {
  contact_sample s = {.f = alart_curnier_value(u, r, scale)};
  if (r.x - scale.n * u.x > 0)
    s.by_u.m[0][0] = scale.n;
  else
    s.by_r.m[0][0] = 1;
  double y = r.y - scale.t * u.y, z = r.z - scale.t * u.z, length = sqrt(y * y + z * z);
  if (length <= r.x) {
    s.by_u.m[1][1] = s.by_u.m[2][2] = scale.t;
  } else if (r.x > 0) {
    double e[2] = {y / length, z / length}, fit = r.x / length;
    double across[2][2] = {{fit * e[1] * e[1], -fit * e[0] * e[1]},
                           {-fit * e[0] * e[1], fit * e[0] * e[0]}};
    for (int a = 0; a < 2; a++) {
      s.by_r.m[a + 1][0] = -e[a];
      for (int b = 0; b < 2; b++) {
        s.by_u.m[a + 1][b + 1] = scale.t * across[a][b];
        s.by_r.m[a + 1][b + 1] = (a == b) - across[a][b];
      }
    }
  } else {
    s.by_r.m[1][1] = s.by_r.m[2][2] = 1;
  }
  return s;
}

const contact_function contact_function_alart_curnier = {alart_curnier_value, alart_curnier_slope};

/* ---- Fischer-Burmeister, in the algebra of the second-order cone: z + r - sqrt(z^2 + r^2) with z
 * = rho (u + |u_T| n). The scalar form of 002, (18) and (19), has squares under its function: where
 * the law holds, w = 0 and the row of (19) in the Jacobian is 0, and Newton's method has nothing to
 * stand on. Here both cases, rim and inside, keep a regular row. ---- */

/* x o x in the algebra: (|x|^2, 2 x_N x_T). */
static vec3 squared(vec3 x) { return vec3_make(vec3_norm2(x), 2 * x.x * x.y, 2 * x.x * x.z); }

/* By the two eigenvalues, x_N +- |x_T|. */
static vec3 square_root(vec3 x) {
  double length = hypotenuse(x.y, x.z);
  double a = sqrt(fmax(x.x - length, 0)), b = sqrt(fmax(x.x + length, 0));
  double fit = length > 0 ? (b - a) / 2 / length : 0;
  return vec3_make((a + b) / 2, fit * x.y, fit * x.z);
}

static vec3 lifted(vec3 u, contact_scale scale) {
  vec3 z = vec3_scale(scale.n, u);
  z.x += hypotenuse(z.y, z.z);
  return z;
}

static vec3 fischer_burmeister_value(vec3 u, vec3 r, contact_scale scale) {
  vec3 z = lifted(u, scale), sum = vec3_add(squared(z), squared(r));
  return vec3_sub(vec3_add(z, r), square_root(sum));
}

/* The matrix of x -> y o x. */
static mat3 arrow(vec3 y) { return (mat3){{{y.x, y.y, y.z}, {y.y, y.x, 0}, {y.z, 0, y.x}}}; }

static contact_sample fischer_burmeister_slope(vec3 u, vec3 r, contact_scale scale) {
  contact_sample s = {.f = fischer_burmeister_value(u, r, scale)};
  vec3 z = lifted(u, scale), sum = vec3_add(squared(z), squared(r));
  /* On the rim of both, a limit of slopes from inside. */
  sum.x += 1e-14 * (1e-6 + sum.x);
  vec3 root = square_root(sum);
  mat3 of_root = arrow(root), of_z = arrow(z), of_r = arrow(r), back = mat3_inverse(&of_root);
  mat3 by_z = mat3_mul(&back, &of_z), by_r = mat3_mul(&back, &of_r);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      by_z.m[a][b] = (a == b) - by_z.m[a][b];
      s.by_r.m[a][b] = (a == b) - by_r.m[a][b];
    }
  double length = hypotenuse(u.y, u.z);
  mat3 lift = mat3_identity();
  if (length > 0) lift.m[0][1] = u.y / length, lift.m[0][2] = u.z / length;
  s.by_u = mat3_mul(&by_z, &lift);
  s.by_u = mat3_scale(scale.n, &s.by_u);
  return s;
}

const contact_function contact_function_fischer_burmeister = {fischer_burmeister_value,
                                                              fischer_burmeister_slope};
