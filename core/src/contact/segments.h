/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * segments: where an edge, or the axis of a capsule, comes closest to a surface between two of its
 * points.
 *
 * Along a straight line the distance to a surface changes by normal . direction. Where that falls
 * at the one end and rises at the other there is a least one between them; for a convex surface
 * there is just one. It is where the change is 0, found by bracketing. There the segment may slide
 * along itself and the gap stays, to the second order: the place counts as one of the body's.
 */
#ifndef CONTACT_SEGMENTS_H
#define CONTACT_SEGMENTS_H

#include "contact/probes.h"

/* Of the segment's length: by how much less the gap must be there than at the two ends. Below that
 * they bear what the place between them could; flush faces would have many such places. */
static const double SEGMENTS_GAIN = 1e-5;

typedef struct segments_place {
  double part; /* of the way along the segment, 0 to 1 */
  surface_hit hit;
} segments_place;

/* For segment k; false where there is no such place with a gap within reach. side: of what has two,
 * the one that the segment is on. Thickness is not taken off the gap. Safe for many threads at a
 * time.
 */
bool segments_closest(const probes *f, const model *m, const contact_moment *moment,
                      const surface *s, size_t k, int32_t side, double reach, segments_place *out);

#endif
