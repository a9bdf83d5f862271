/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/strands.h"

#include <string.h>

typedef int32_t neighbours[2]; /* of a point, the lower first; -1: none */

static bool join(neighbours *beside, const int32_t *segment, strands_fault *fault) {
  for (int k = 0; k < 2; k++) {
    int32_t p = segment[k], q = segment[1 - k], *own = beside[p];
    if (own[0] == q || own[1] == q) *fault = (strands_fault){STRANDS_TWICE, p, q};
    if (own[1] >= 0 && fault->kind == STRANDS_SOUND) *fault = (strands_fault){STRANDS_BRANCH, p, q};
    if (fault->kind != STRANDS_SOUND) return false;
    if (own[0] < 0 || own[0] > q)
      own[1] = own[0], own[0] = q;
    else
      own[1] = q;
  }
  return true;
}

static void walk(const neighbours *beside, int32_t from, bool ring, bool *seen, strands *out) {
  size_t end = out->start[out->count];
  int32_t before = -1, at = from;
  while (at >= 0 && !seen[at]) {
    seen[at] = true;
    out->points[end++] = at;
    int32_t next = beside[at][0] == before ? beside[at][1] : beside[at][0];
    before = at;
    at = next;
  }
  out->ring[out->count++] = ring;
  out->start[out->count] = end;
}

tribo_status strands_find(const int32_t *segments, size_t segment_count, size_t point_count,
                          arena *memory, strands *out, strands_fault *fault, tribo_error *err) {
  *out = (strands){0};
  *fault = (strands_fault){STRANDS_SOUND, -1, -1};
  neighbours *beside = (neighbours *)ARENA_ARRAY(memory, int32_t, 2 * point_count);
  bool *seen = ARENA_ARRAY(memory, bool, point_count);
  strands found = {.start = ARENA_ARRAY(memory, size_t, point_count + 1),
                   .points = ARENA_ARRAY(memory, int32_t, point_count),
                   .ring = ARENA_ARRAY(memory, bool, point_count)};
  if (!beside || !seen || !found.start || !found.points || !found.ring)
    return status_no_memory(err, "strands");
  for (size_t p = 0; p < point_count; p++) beside[p][0] = beside[p][1] = -1;
  for (size_t k = 0; k < segment_count; k++)
    if (!join(beside, segments + 2 * k, fault)) return TRIBO_OK;
  for (size_t p = 0; p < point_count; p++)
    if (beside[p][0] < 0) {
      *fault = (strands_fault){STRANDS_LOOSE, (int32_t)p, -1};
      return TRIBO_OK;
    }
  /* Open strands from their lower end, then what is left: rings. Both in the order of points. */
  for (int rings = 0; rings < 2; rings++)
    for (size_t p = 0; p < point_count; p++)
      if (!seen[p] && (rings || beside[p][1] < 0))
        walk((const neighbours *)beside, (int32_t)p, rings, seen, &found);
  *out = found;
  return TRIBO_OK;
}
