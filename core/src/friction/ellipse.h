/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ellipse: the nearest point of the disc that an ellipse bounds, and of the body that an ellipsoid
 * bounds. With half-axes mu_t r_N, mu_b r_N (and mu_drill r_N) this is the proximal operator of
 * friction under a given normal impulse, document 002, eq. (14) on the set of eq. (13).
 *
 * p minimises |p - z|^2 under sum (p_i/a_i)^2 <= 1. Outside, with d_i = a_i^2 and multiplier s > 0,
 *
 *   p_i = d_i z_i / (d_i + s),   sum (a_i z_i / (d_i + s))^2 = 1,
 *
 * an equation of the kind of secular.h. The derivative is
 *
 *   dp = K - K n n^T K / (n^T K n),   K = diag(d_i / (d_i + s)),   n_i = p_i / d_i (outer normal),
 *
 * symmetric, with eigenvalues in [0, 1]. Written out as a sum over i < j of
 * k_i k_j (n_j e_i - n_i e_j)(n_j e_i - n_i e_j)^T / (n^T K n) it has no differences of like
 * numbers.
 *
 * Half-axes are >= 0 and may be 0: the disc is then a segment or a point. One thinner than 1e-100
 * of its longest half-axis counts as 0. Inside and on the boundary p = z and dp = 1. Everything is
 * exact to a few roundings of |z|, for any ratio of half-axes.
 */
#ifndef FRICTION_ELLIPSE_H
#define FRICTION_ELLIPSE_H

/* dp may be NULL; p may be z. */
void ellipse_project(double a, double b, const double z[2], double p[2], double dp[2][2]);

/* The same in three dimensions: friction with a drilling torque. */
void ellipsoid_project(const double axes[3], const double z[3], double p[3], double dp[3][3]);

#endif
