/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * painted: what artists painted (model/paint.h) on the two sides of a contact.
 *
 * The probe's side: at a vertex the mean over the triangles around it; where a round body feels
 * with its centre, at the place of its mesh closest to the contact.
 *
 * The surface's side is looked up at the place of its mesh closest to the foot, given by triangle
 * and barycentric coordinates: so a map is seen as sharp as it is. That place is the foot itself on
 * an exact mesh. On a smooth surface the frame in which the structure is read is the mean of the
 * frames of the samples in reach, each turned by the smallest rotation from its normal to the
 * contact's, with the weights that their kernels have at the foot: those with which a contact moves
 * once its gap is closed. Samples of other islands of UVs take no part, since their frames may run
 * any other way. Nothing of this is done for what is unpainted.
 */
#ifndef CONTACT_PAINTED_H
#define CONTACT_PAINTED_H

#include "contact/probes.h"
#include "contact/set.h"

/* For point i of the probes, which hits the surface. Both are where surface_place and `moment`
 * have them. contact_find asks this for every contact, and keeps the answer in contact_point.paint.
 * Safe for many threads at a time. False when memory ran out. */
bool painted_at(const probes *f, const surface *s, const contact_moment *moment, size_t i,
                const surface_hit *hit, contact_paint *out);

/* The surface's side alone, for whatever hits it there. */
bool painted_surface(const surface *s, const surface_hit *hit, paint_value *out);

/* Of a contact between unpainted objects. */
static inline contact_paint painted_none(void) {
  return (contact_paint){.probe_friction = 1, .surface_friction = 1};
}

#endif
