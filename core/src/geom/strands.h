/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strands: segments between points, and the lines they make. A point has one segment, where a
 * strand ends, or two; a strand whose points all have two is a ring.
 *
 * The order follows from the numbers of points alone: open strands first, then rings, each in the
 * order of their first points. An open one begins at that of its ends that has the lower number, a
 * ring at its lowest number and goes on to the lower of its two neighbours.
 */
#ifndef GEOM_STRANDS_H
#define GEOM_STRANDS_H

#include "base/arena.h"
#include "base/status.h"

typedef enum strands_fault_kind {
  STRANDS_SOUND,
  STRANDS_LOOSE,  /* `point` has no segment */
  STRANDS_BRANCH, /* `point` has more than two */
  STRANDS_TWICE   /* two segments join `point` and `other` */
} strands_fault_kind;

typedef struct strands_fault {
  strands_fault_kind kind;
  int32_t point, other;
} strands_fault;

typedef struct strands {
  size_t count;
  size_t *start;   /* count + 1: strand s has points[start[s]] to before points[start[s + 1]] */
  int32_t *points; /* each once; a ring's last one goes on to its first */
  bool *ring;
} strands;

/* Two points a segment, in range and different. A fault leaves `out` empty. */
tribo_status strands_find(const int32_t *segments, size_t segment_count, size_t point_count,
                          arena *memory, strands *out, strands_fault *fault, tribo_error *err);

/* Points, and segments, of strand s. */
static inline size_t strands_points(const strands *all, size_t s) {
  return all->start[s + 1] - all->start[s];
}
static inline size_t strands_segments(const strands *all, size_t s) {
  return strands_points(all, s) - (all->ring[s] ? 0 : 1);
}

/* Point number i of strand s, counted on around a ring. */
static inline int32_t strands_point(const strands *all, size_t s, size_t i) {
  return all->points[all->start[s] + i % strands_points(all, s)];
}

#endif
