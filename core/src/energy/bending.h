/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bending: the resistance of a sheet to folding, by hinges at its interior edges (Grinspun, Hirani,
 * Desbrun, Schroeder 2003, "Discrete Shells").
 *
 * A hinge has the edge x0 x1 and the opposite vertices x2, x3 of its two triangles. With
 * e = x1 - x0, n1 = e x (x2 - x0), n2 = (x3 - x0) x e, which point to the same side of a flat
 * sheet,
 *
 *   theta = atan2((n1 x n2) . e/|e|, n1 . n2)   in (-pi, pi], 0 when flat,
 *   E = K/2 d^2,   K = D |e|^2 / (A1 + A2),   d = theta - theta0 wrapped to (-pi, pi],
 *
 * |e|, A1, A2 and theta0 taken from the rest shape. Seen along n1, theta > 0 when x2 and x3 have
 * gone down (the edge is a ridge). Exchanging the two triangles (x0 with x1 and x2 with x3) leaves
 * theta as it is, so no winding is needed to give it a sign beyond the choice of the side.
 *
 * With this K, D is the flexural rigidity of the sheet (N m). Rolled to a cylinder of curvature
 * kappa, a lattice of equilateral triangles stores D/2 kappa^2 per area whatever the direction, and
 * one of right-angled triangles does along its legs. Elsewhere the energy depends on the mesh, as
 * with all hinges: a square grid cut along one diagonal is three times too stiff when rolled along
 * the cuts, and once and a half in the mean of all directions.
 *
 * Guard. theta loses its meaning where a triangle has no area, and its derivatives grow without
 * bound on the way. So d is faded out by w(t1) w(t2), where t is the square of a triangle's area
 * over the square of BENDING_FADE times its rest area and w(t) = 1 - (1 - t)^3 for t < 1, 1 above:
 *
 *   E = K/2 (w1 w2 d)^2.
 *
 * w is twice continuously differentiable and fades as the square of the area, which outweighs the
 * growth of the derivatives: energy, gradient and Hessian go to 0 at collapse. Above one hundredth
 * of the rest area nothing is changed.
 *
 * Exact Hessian: K (grad d grad d^T + d Hess d), Hess theta in closed form (see bending.c; after
 * Tamstorf & Grinspun 2013, "Discrete bending forces and their Jacobians").
 *
 * Projected Hessian: the Gauss-Newton part K grad d grad d^T alone, semi-definite by its form and
 * exact at rest. Hess theta has an equal share of positive and negative eigenvalues (Wu & Kim 2023,
 * "An Eigenanalysis of Angle-Based Deformation Energies"), and keeping the positive ones, by
 * projecting the 12x12 matrix or piece by piece in closed form, does not pay: on a 15x15 sheet of
 * cloth or cardboard, rolled, crumpled, pleated, or clamped in an arch, Newton then took as many
 * iterations as with Gauss-Newton or up to three times as many (tight arch: 8 against 27), and cut
 * its steps slightly less often. The membrane and the mass hold what bending leaves free.
 */
#ifndef ENERGY_BENDING_H
#define ENERGY_BENDING_H

#include "energy/elements.h"

#define BENDING_FADE 0.01

/* The constants of one hinge; a term's data is an array of them. */
typedef struct bending_element {
  double stiffness;    /* K, N m */
  double rest_angle;   /* theta0; may be overwritten, say with 0 for cloth cut from flat fabric */
  double fade_area[2]; /* 1 / (BENDING_FADE |n|)^2 of the rest shape's two normals */
} bending_element;

/* theta of four positions; 0 when one of the triangles has no area. */
double bending_angle(const vec3 x[4]);

/* rigidity D >= 0 in N m. The rest triangles have positive area: the caller has made sure. */
void bending_element_init(const vec3 rest[4], double rigidity, bending_element *out);

extern const element_kernel bending_kernel;

#endif
