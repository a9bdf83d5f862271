/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helix: one element of a Super-helix (Bertails et al. 2006): its Darboux vector k (1/m) is
 * constant, so its centre line is a piece of a helix, and everything about it is in closed form.
 *
 * In the frame at the element's beginning (e0: the tangent) the section at s (m) is turned by
 * phi = s k, and stands at
 *
 *   rho(s) = s J(phi) e0      J(phi) e = e + b phi x e + c phi x (phi x e)
 *
 * with b = (1 - cos |phi|) / |phi|^2 and c = (|phi| - sin |phi|) / |phi|^3, functions of
 * x = |phi|^2 without a pole (Stumpff). J is also what turns a change of phi into a turn of space:
 * w = J(phi) dphi. With k moving at a rate, phi moves straight, and the second derivatives of rho
 * and of the turn follow from b', b'', c', c'' by x.
 */
#ifndef STRAND_HELIX_H
#define STRAND_HELIX_H

#include "math/mat3.h"

typedef struct helix_point {
  vec3 rho;     /* m */
  mat3 turn;    /* exp([phi]) */
  mat3 by_rho;  /* d rho / d k, m^2 */
  mat3 by_turn; /* w = by_turn dk, m */
} helix_point;

helix_point helix_at(vec3 k, double s);

/* Where rho is, and the tangent there: what a search for the closest point asks. */
vec3 helix_place(vec3 k, double s, vec3 *tangent);

#endif
