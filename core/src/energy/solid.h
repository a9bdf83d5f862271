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
 *   neo-Hookean           g = -mu log J + lambda/2 (log J)^2
 *                         (Bonet & Wood, "Nonlinear Continuum Mechanics", section 6.4.3)
 *   stable neo-Hookean    g = -mu (J - 1) + (lambda + mu)/2 (J - 1)^2
 *                         (Smith, de Goes, Kim 2018, "Stable Neo-Hookean Flesh Simulation", without
 *                         its logarithmic term: an element shrunk to a point feels no force)
 *
 * log J does not exist for an inverted element, but Newton's iterates and the user's targets do
 * invert elements. Below j0 = SOLID_LOG_FLOOR, g is therefore its own second-order Taylor
 * polynomial at j0, which leaves it twice continuously differentiable. For lambda >= 0
 *
 *   g'(j0)  = (lambda log j0 - mu) / j0           < 0
 *   g''(j0) = (lambda (1 - log j0) + mu) / j0^2  > 0,
 *
 * so that g is finite, convex and falls with J however far inverted the element is: it is always
 * pushed back. Continuing log J instead of g would make g grow as J^4; to put scrambled blocks of
 * 5x5x5 vertices right, Newton then took up to ten times the iterations, and hardly ever fewer.
 * Physical results have no element below the floor; above it the material is neo-Hookean to the
 * letter.
 *
 * Projected Hessian: the analytic eigensystem of Smith, de Goes, Kim 2019 ("Analytic Eigensystems
 * for Isotropic Distortion Energies") with negative eigenvalues set to 0: the nearest positive
 * semi-definite matrix in the space of F, exactly.
 */
#ifndef ENERGY_SOLID_H
#define ENERGY_SOLID_H

#include "energy/elements.h"

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
