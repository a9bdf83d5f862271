/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * secular: the one equation behind every projection of this room.
 *
 * Projecting on an ellipse, an ellipsoid or the cone over one leaves a single unknown, the
 * multiplier of the bound, in
 *
 *   F(x) = k psi(x) + g x - 1 = 0,   psi(x) = (sum_i l_i(x)^-2)^(-1/2),   l_i(x) = alpha_i + beta_i
 * x
 *
 * with k, g, alpha_i >= 0, beta_i > 0, x >= 0, and F(0) <= 0 because the point lies outside.
 *
 * Why it is always found. psi is a power mean (exponent -2) of affine functions that are not
 * negative: power means of exponent <= 1 are concave and increasing in each argument, so F is
 * concave and increasing. Its tangents lie above it, so Newton from a point with F <= 0 never
 * passes the root and rises towards it; the limit of a bounded rising sequence is a root, and the
 * convergence is quadratic there, since F' > 0. The start is good, too:
 *
 *   min_i l_i / sqrt(n)  <=  psi  <=  min_i l_i
 *
 * turns into a lower and an upper end for x. Where two l_i of very different slopes tie, F is
 * nearly kinked and Newton rises only by a factor a step; then the geometric middle of the two ends
 * is tried as well, which halves the logarithm of their ratio. Both ends only ever close in.
 */
#ifndef FRICTION_SECULAR_H
#define FRICTION_SECULAR_H

enum { SECULAR_MOST = 3 };

/* 1 <= n <= SECULAR_MOST; k + g > 0. Returns the root, or 0 when F(0) >= 0. */
double secular_root(int n, const double *alpha, const double *beta, double k, double g);

#endif
