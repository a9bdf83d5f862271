/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls_check: whether a surface has samples enough, and how far it is from the mesh it came from.
 *
 * Both go over the whole surface in blocks, through tasks, with results that depend on the surface
 * alone. They need radii, and a search over the samples as they are now.
 */
#ifndef MLS_MLS_CHECK_H
#define MLS_MLS_CHECK_H

#include "mls/mls.h"

typedef struct mls_thin {
  int32_t sample;
  int32_t active; /* the fewest samples in reach at the sample or at a corner of its triangle */
} mls_thin;

typedef struct mls_thin_list {
  size_t count;
  mls_thin *list; /* ascending by sample, in the caller's arena */
} mls_thin_list;

/* The samples around which fewer than `wanted` are in reach. 0 in reach is a hole, 1 a facet of the
 * mesh shows, 3 or more blend. A triangle without area is not asked. */
tribo_status mls_under_sampled(const tasks *t, const mls_surface *surface, const mls_search *search,
                               int32_t wanted, arena *memory, mls_thin_list *out, tribo_error *err);

typedef struct mls_error {
  size_t places;      /* asked */
  size_t uncovered;   /* out of every sample's reach: holes */
  size_t lost;        /* no zero of Psi found from there */
  double worst, mean; /* distances, over the places that are neither */
  int32_t worst_sample;
  vec3 worst_place; /* on the mesh */
  double size;      /* the largest side of the mesh's box; the paper states worst / size */
} mls_error;

/* The distance from the mesh to the zero set of Psi, one-sided: from the places (a, b, c)/per_edge
 * of each triangle's barycentric coordinates, down Newton's path x -= Psi grad / |grad|^2 until it
 * is below 1e-10 of the size. The distance walked is no less than the distance to the zero set, and
 * equal to it up to the turning of the gradient on the way. Where values are not 0 the offset
 * counts as error. per_edge is at least 1; 3 has the corners, points on the edges and the centroid.
 */
tribo_status mls_measure_error(const tasks *t, const mls_surface *surface, const mls_search *search,
                               int per_edge, mls_error *out, tribo_error *err);

#endif
