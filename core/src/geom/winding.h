/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * winding: how often a surface wraps around a place.
 *
 *   w(p) = 1/(4 pi) sum over triangles of the solid angle at which p sees their back
 *
 * the generalised winding number (Jacobson, Kavan, Sorkine-Hornung, "Robust inside-outside
 * segmentation using generalized winding numbers", 2013). For a closed surface wound outward it is
 * 1 inside and 0 outside, 2 where two parts overlap, 0 in a cavity wound inward; an inside-out one
 * has -1. A hole does not change that to nothing: w then falls smoothly from near 1 to near 0
 * across it, as if a soap film with w = 1/2 closed it.
 *
 * A cluster of triangles that is far away for its size counts as a dipole (Barill et al., "Fast
 * winding numbers for soups and clouds", 2018, to first order): w is then off by less than 0.02,
 * against the 1/2 that matters; to keep within 0.01 would take three times as long. Near triangles
 * are exact. The sum has a fixed order: the answer depends on surface and place alone.
 */
#ifndef GEOM_WINDING_H
#define GEOM_WINDING_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

typedef struct winding_node winding_node;

/* In the arena it was built in; keeps nothing of the caller's. */
typedef struct winding {
  winding_node *nodes; /* the root first */
  size_t node_count;
  vec3 (*corners)[3]; /* of the triangles, in the order of the leaves */
} winding;

/* Indices have been checked. No triangles: w is 0 everywhere. */
tribo_status winding_build(const vec3 *positions, const int32_t *triangles, size_t triangle_count,
                           arena *memory, winding *out, tribo_error *err);

double winding_number(const winding *w, vec3 p);

/* Whether p is inside, whichever way the surface as a whole is wound: |w| > 1/2. */
bool winding_inside(const winding *w, vec3 p);

/* Solid angle over 4 pi of one triangle (Van Oosterom and Strackee, 1983); 0 in its plane. */
double winding_of_triangle(vec3 p, const vec3 corners[3]);

#endif
