/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * membrane: the in-plane stiffness of cloth, orthotropic in the directions of its threads.
 *
 * A triangle's rest shape lies flat in coordinates (warp, weft), in which index 0 is the warp
 * direction and 1 the weft direction, at right angles. F (3x2) carries it into space, and
 * E = (F^T F - I)/2 is Green's strain. The energy per rest area (N/m) is
 *
 *   W = 1/2 (k_warp E00^2 + k_weft E11^2 + 2 nu sqrt(k_warp k_weft) E00 E11) + 1/2 shear (2 E01)^2.
 *
 * Stiffnesses are per width of cloth, N/m: Young's modulus times thickness, where there is such a
 * thing. With 2 E01 the shear angle, `shear` is the force per width per radian. An isotropic sheet
 * of tension stiffness k and Poisson ratio nu under plane stress is
 * warp = weft = k / (1 - nu^2), poisson = nu, shear = k / (2 (1 + nu)).
 *
 * The projected Hessian is the nearest semi-definite one in the space of F. With S = dW/dE,
 * d2W[dF] = tr(dF S dF^T) + dE : C : dE with C semi-definite, so:
 * - where S is semi-definite (cloth under tension) the exact Hessian already is;
 * - elsewhere, in a frame whose third axis is normal to the deformed triangle, motions along the
 *   normal see only S (2x2), and motions in the plane a 4x4 matrix: each is clamped by itself.
 * A triangle collapsed to a line or a point has no normal; any frame that holds the line serves,
 * since across the line too only S is felt.
 */
#ifndef ENERGY_MEMBRANE_H
#define ENERGY_MEMBRANE_H

#include "energy/elements.h"

/* warp, weft, shear > 0 in N/m; 0 <= poisson < 1. */
typedef struct membrane_material {
  double warp, weft, poisson, shear;
} membrane_material;

/* The constants of one triangle; a term's data is an array of them. */
typedef struct membrane_element {
  double inverse_rest[2][2]; /* Dm^-1, Dm = [X1 - X0, X2 - X0] in (warp, weft) */
  double area;               /* of the rest shape, m^2 */
  double warp, weft, shear;  /* N/m */
  double cross;              /* poisson sqrt(warp weft), N/m */
} membrane_element;

/* The warp direction, of any length, is projected on the rest triangle. False when it is
 * perpendicular to the triangle (within 1e-6 rad), or when the triangle has no area. */
bool membrane_element_init(const vec3 rest[3], vec3 warp_direction,
                           const membrane_material *material, membrane_element *out);

/* Warp threads run where v is constant, towards increasing u. False when the triangle has no area
 * in UV or in space. The scale of UV does not matter. */
bool membrane_element_init_uv(const vec3 rest[3], const double uv[3][2],
                              const membrane_material *material, membrane_element *out);

extern const element_kernel membrane_kernel;

#endif
