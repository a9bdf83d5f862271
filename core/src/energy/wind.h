/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wind: the drag of uniformly moving air on a triangle, lagged so that within a step it is a convex
 * quadratic.
 *
 * Drag acts along the triangle's normal n, with the square of the relative speed:
 * f = -1/2 rho C_d A |u| u n, u = (v - w) . n, v the mean velocity of the corners, w the wind's.
 * n, the area A and the factor |u| are those at the start of the step; then
 *
 *   c = 1/2 rho C_d A |(v_start - w) . n|,   E = h c/2 ((v - w) . n)^2,   v = mean (x - x_start)/h,
 *
 * whose gradient in x is the drag. With `carried` = mean x_start + h w, where the air alone would
 * take the centroid, it is the spring E = c/(2 h) ((mean x - carried) . n)^2: no lag can make it
 * push a triangle past the air, whatever h is. In still air its work over a step, -h c (v . n)^2,
 * is never positive. It acts on both sides of the triangle.
 */
#ifndef ENERGY_WIND_H
#define ENERGY_WIND_H

#include "energy/elements.h"

typedef struct wind_air {
  vec3 velocity;  /* m/s */
  double density; /* kg/m^3, 1.2 near the ground */
  double drag;    /* C_d, about 1.2 for a flat plate */
} wind_air;

/* One triangle during one step; a term's data is an array of them. */
typedef struct wind_element {
  vec3 normal;      /* at the start of the step; 0 for a triangle without area */
  vec3 carried;     /* where the air would take the centroid */
  double stiffness; /* c/h, N/m */
} wind_element;

/* Refills the elements of a set of triangles from the positions and velocities (of all vertices) at
 * the start of a step of length h > 0. */
void wind_prepare(const element_set *set, const wind_air *air, double h, const vec3 *x,
                  const vec3 *v, const tasks *t, wind_element *out);

extern const element_kernel wind_kernel;

#endif
