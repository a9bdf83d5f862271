/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_gather.h"

bool projective_gather_create(const int32_t *const *corners, int arity, size_t count, int32_t nodes,
                              arena *memory, projective_gather *out) {
  out->start = ARENA_ARRAY(memory, int32_t, (size_t)nodes + 2);
  out->at = ARENA_ARRAY(memory, int32_t, (size_t)arity * count);
  if (!out->start || !out->at) return false;
  int32_t *next = out->start + 1; /* start[n + 1] while filling: where node n puts its next */
  for (size_t e = 0; e < count; e++)
    for (int k = 0; k < arity; k++) next[corners[k][e] + 1]++;
  for (int32_t n = 0; n < nodes; n++) next[n + 1] += next[n];
  for (size_t e = 0; e < count; e++)
    for (int k = 0; k < arity; k++)
      out->at[next[corners[k][e]]++] = (int32_t)((size_t)arity * e) + k;
  return true;
}

void projective_gather_add(const projective_gather *g, const vec4 *force, size_t begin, size_t end,
                           vec4 *out) {
  for (size_t node = begin; node < end; node++) {
    vec4 sum = {{0, 0, 0, 0}};
    for (int32_t k = g->start[node]; k < g->start[node + 1]; k++)
      for (int c = 0; c < 4; c++) sum.at[c] += force[g->at[k]].at[c];
    for (int c = 0; c < 4; c++) out[node - begin].at[c] += sum.at[c];
  }
}
