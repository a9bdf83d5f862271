/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/state.h"

#include "base/hash.h"

uint64_t state_hash(const state *s) {
  uint64_t hash = hash_bytes(HASH_START, &s->step, sizeof s->step);
  hash = hash_bytes(hash, s->x, s->vertex_count * sizeof *s->x);
  return hash_bytes(hash, s->v, s->vertex_count * sizeof *s->v);
}
