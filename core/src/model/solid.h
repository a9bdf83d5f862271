/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solid: isotropic hyperelastic tetrahedra with linear shape functions.
 *
 * Both materials have the energy density (J/m^3, per rest volume)
 *
 *   psi(F) = mu/2 (|F|^2 - 3) + g(J),   J = det F,
 *
 * and differ only in g. Any g with g'(1) = -mu and g''(1) = lambda + mu is stress-free at rest and
 * has Hooke's law with the Lame constants mu, lambda as its small-strain limit:
 *
 *   neo-Hookean           g = -mu l + lambda/2 l^2 with l = log J  (Bonet & Wood, eq. 6.28)
 *   stable neo-Hookean    g = -mu (J - 1) + (lambda + mu)/2 (J - 1)^2
 *                         (Smith, de Goes, Kim 2018, "Stable Neo-Hookean Flesh Simulation", without
 *                         the term that keeps F = 0 from being stationary)
 *
 * log J does not exist for an inverted element, but Newton's iterates and the user's targets do
 * invert elements. Below J = SOLID_LOG_FLOOR, l is therefore the second-order Taylor polynomial of
 * log there: l and with it g stay twice continuously differentiable. On that branch l < 0, l' > 0
 * and l'' < 0, so that for lambda >= 0
 *
 *   g'  = (lambda l - mu) l'                 < 0
 *   g'' = lambda l'^2 + (lambda l - mu) l''  > 0:
 *
 * g is finite, convex and falls with J however far inverted the element is: it is always pushed
 * back. Physical results have no element below the floor; there the material is neo-Hookean.
 *
 * Projected Hessian: the analytic eigensystem of Smith, de Goes, Kim 2019 ("Analytic Eigensystems
 * for Isotropic Distortion Energies") with negative eigenvalues set to 0: the nearest positive
 * semi-definite matrix in the space of F, exactly.
 */
#ifndef MODEL_SOLID_H
#define MODEL_SOLID_H

#include "model/elements.h"

#define SOLID_LOG_FLOOR 0.1

/* The constants of one tetrahedron; a term's data is an array of them. */
typedef struct solid_element {
  mat3 inverse_rest; /* Dm^-1, Dm = [X1 - X0, X2 - X0, X3 - X0] */
  double volume;     /* of the rest shape, m^3 */
  double mu, lambda; /* Pa */
} solid_element;

/* young > 0 in Pa, 0 <= poisson < 0.5, and a rest shape of positive volume, det Dm > 0: the caller
 * has made sure. */
void solid_element_init(const vec3 rest[4], double young, double poisson, solid_element *out);

extern const element_kernel solid_kernel_neo_hookean;
extern const element_kernel solid_kernel_stable_neo_hookean;

#endif
