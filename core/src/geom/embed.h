/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * embed: points as weights of the tets they lie in.
 *
 * p = sum weight_k x[anchor_k] with weights that sum to 1: barycentric coordinates. A point that is
 * a node, to the last bit, hangs on that node alone: weight 1 on anchor 0, which it then shares
 * with none. Of several tets that hold a point, the one it lies deepest in, then the first.
 */
#ifndef GEOM_EMBED_H
#define GEOM_EMBED_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "math/vec3.h"

typedef struct embedding {
  int32_t (*anchor)[4];
  double (*weight)[4];
  bool exact; /* every point is a node: the tets end where the points' surface does */
} embedding;

/* A weight below minus this: the point is outside, and where it goes is guessed at, not carried. */
extern const double EMBED_OUTSIDE;

/* In the caller's arena. The indices have been checked and tets have a positive volume.
 * TRIBO_BAD_INPUT with number and place of the first point that no tet holds. */
tribo_status embed_points(const tasks *t, const vec3 *nodes, size_t node_count, const int32_t *tets,
                          size_t tet_count, const vec3 *points, size_t point_count, arena *memory,
                          embedding *out, tribo_error *err);

#endif
