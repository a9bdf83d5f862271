/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * feel: what one feeler feels of one surface: how far away it is, and on which side.
 *
 * Where a point is says how near the surface is; the way there says from which side it comes
 * (contact/path.h). As long as the two agree the first is taken, since a smooth surface knows its
 * normals better than its triangles do.
 */
#ifndef CONTACT_FEEL_H
#define CONTACT_FEEL_H

#include "contact/feelers.h"
#include "contact/surface.h"

typedef struct feel_pair {
  const model *model;
  const feelers *feelers;
  const surface *surface; /* placed, and swept if something moves */
  const contact_moment *moment;
  double thickness; /* of both */
  bool moving;      /* the one against the other, since the start of the step */
} feel_pair;

/* Of point i, up to a distance of `reach`. */
surface_hit feel(const feel_pair *pair, size_t i, double reach);

#endif
