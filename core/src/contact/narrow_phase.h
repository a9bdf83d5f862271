/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * narrow_phase: what one probe feels of one surface: how far away it is, and on which side.
 *
 * Where a point is says how near the surface is; the way there says from which side it comes
 * (surface/path.h). As long as the two agree the first is taken, since a smooth surface knows its
 * normals better than its triangles do.
 *
 * What is deep inside from the start is pushed out no faster than a fall through that depth ends:
 * in a step of h from a depth d to d - h sqrt(2 g d), and all the way from 2 g h^2. So it takes as
 * long as the fall would, and comes out with no more speed than 2 g h. Until then a depth is
 * allowed that counts as outside.
 */
#ifndef CONTACT_NARROW_PHASE_H
#define CONTACT_NARROW_PHASE_H

#include "contact/probes.h"
#include "surface/surface.h"

typedef struct narrow_pair {
  const model *model;
  const probes *probes;
  const surface *surface; /* placed, and swept if something moves */
  const contact_moment *moment;
  const vec3 *velocities; /* of all vertices at the start of the step, m/s; NULL: not known */
  double thickness;       /* of both; points that are round have more */
  int32_t side;           /* as in surface_hit, where it is known; 0: it has to be found */
  bool moving;            /* the one against the other, since the start of the step */
  const double *lean; /* by part of what has two sides, above 0: points on it are in front, below
                         0: behind; NULL: each for itself */
} narrow_pair;

/* How long it takes to push something out from a depth. */
double narrow_seconds_inside(const model *m, double depth);

/* The same contact has the same key in every step. */
uint64_t narrow_key(const probes *f, const surface *s, size_t i);

/* Whether point i, which is not near the surface, may be inside of it: in a first step it may,
 * where the surface appears, and when it touched it in the last. Not if it is pinned there. */
bool narrow_may_be_inside(const narrow_pair *pair, size_t i);

/* Of a point that may be (surface_fit_inside). */
surface_hit narrow_inside(const narrow_pair *pair, size_t i);

/* What of the depth of point or segment i, and there at `part` of the way, at the start of the step
 * may be left at its end. */
double narrow_allowed(const narrow_pair *pair, size_t i, double part, const surface_hit *hit);

/* What has two sides, before anything has touched it: where point i is, for most of a body to
 * decide where its points are that lie on the surface. clear: in front 1, behind -1; where it is
 * neither, pressed: by how much it is pressed from the front. Returns the part; -1: it is not near.
 */
int32_t narrow_lean(const narrow_pair *pair, size_t i, int *clear, double *pressed);

/* Of what has two sides: that of point or segment i, and there at `part` of the way. */
int32_t narrow_side(const narrow_pair *pair, size_t i, double part, const surface_hit *here);

/* Of point i, up to a distance of `reach`. */
surface_hit feel(const narrow_pair *pair, size_t i, double reach);

#endif
