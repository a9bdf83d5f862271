/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * disc: the friction impulse of one contact under a given normal impulse (document 000, (24)): the
 * least of a quadratic function over a disc, without facets and without polar coordinates.
 *
 *   min over |y| <= radius of  (y - y0) . g + (y - y0) . D (y - y0) / 2
 *
 * y: friction impulse (t, b), N s; g: slip velocity at y0, m/s; D: diagonal block of W, 1/kg.
 */
#ifndef FRICTION_DISC_H
#define FRICTION_DISC_H

/* D = [d00 d01; d01 d11] is positive definite. */
void disc_least(double d00, double d01, double d11, const double g[2], const double y0[2],
                double radius, double y[2]);

#endif
