/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cone: the set of impulses a contact can bear.
 *
 *   K = { r = r_N n + r_t t + r_b b :  r_N >= 0,  (r_t/mu_t)^2 + (r_b/mu_b)^2 <= r_N^2 }
 *
 * (document 002, eq. 13), and with drilling (sec. 4.4) one component more, the torque r_d about the
 * normal, with a term (r_d/mu_drill)^2. mu_drill is a length: a torque r_N mu_drill can be borne.
 * A coefficient of 0 leaves nothing in its direction. Isotropic Coulomb is mu_t = mu_b.
 *
 * Vectors of a contact stand as (N, t, b), with drilling as (N, t, b, d).
 */
#ifndef FRICTION_CONE_H
#define FRICTION_CONE_H

#include "math/mat3.h"

typedef struct friction_cone {
  vec3 normal, t, b; /* orthonormal, right-handed */
  double mu_t, mu_b; /* half-axes of the ellipse along t and b, for r_N = 1 */
  double mu_drill;   /* metres */
} friction_cone;

/* Coulomb's cone about a frame. */
static inline friction_cone cone_isotropic(vec3 normal, vec3 t, vec3 b, double mu) {
  return (friction_cone){.normal = normal, .t = t, .b = b, .mu_t = mu, .mu_b = mu, .mu_drill = 0};
}

/* The larger half-axis: no friction is larger than this times the normal force. */
static inline double cone_mu(const friction_cone *c) {
  return c->mu_t > c->mu_b ? c->mu_t : c->mu_b;
}

/* How much shorter the half-axes are than the larger: 1 and 1 for Coulomb's cone, and where there
 * is no friction. In coordinates that are divided by this, the ellipse is a disc. */
static inline double cone_shape_t(const friction_cone *c) {
  return c->mu_t < c->mu_b ? c->mu_t / c->mu_b : 1;
}
static inline double cone_shape_b(const friction_cone *c) {
  return c->mu_b < c->mu_t ? c->mu_b / c->mu_t : 1;
}

/* A tangent of a normal: any, as long as it turns with the normal and jumps seldom. */
vec3 cone_tangent(vec3 normal);

/* The impulse of K nearest to z, exact to a few roundings of |z| for any coefficients.
 *
 * Inside K it is z; in the polar cone, z_N + |(mu_t z_t, mu_b z_b)| <= 0, it is the apex 0. Between
 * them it lies on the boundary: with d_i = mu_i^2 and a multiplier u > 0,
 *
 *   p_i = d_i z_i / (d_i + u),   p_N (1 - u) = z_N,   p_N = |w|,   w_i = p_i/mu_i.
 *
 * With psi(u) = 1/|w| this reads z_N psi(u) + u - 1 = 0 for z_N >= 0, where u <= 1. For z_N < 0, u
 * is above 1, and v = 1/u solves |z_N| psi'(v) + v - 1 = 0 with psi' = 1/|mu_i z_i/(1 + v d_i)|:
 * the same for the polar cone, whose half-axes are 1/mu_i. Both are equations of secular.h.
 *
 * The derivative (may be NULL) is that of the side that z is on; on the seams, of the inner side at
 * K and of the outer at the polar cone. On the boundary it is B - B n n^T B / (n^T B n) with
 * B = diag(1/(1-u), d_i/(d_i+u)) and n the outer normal, multiplied out so that nothing cancels:
 * symmetric, p an eigenvector of 1, n of 0, the others between. */
vec3 cone_project(const friction_cone *c, vec3 z, mat3 *dp);

/* The same with drilling. */
void cone_project_drill(const friction_cone *c, const double z[4], double p[4], double dp[4][4]);

/* How far an impulse r and the relative velocity v after the step are from the law (Alart-Curnier),
 * in units of impulse; 0 exactly when all of it holds:
 *
 *   0 <= r_N perpendicular to v_N >= 0,   r_T of the ellipse of r_N that dissipates most with v_T.
 *
 * residual = r - (max(0, q_N), P(q_T)), q = r - rho v, P on the ellipse of max(0, q_N). Any rho >
 * 0, a mass, gives the same zeros. */
vec3 cone_residual(const friction_cone *c, vec3 r, vec3 v, double rho);

#endif
