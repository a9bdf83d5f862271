/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "method/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

bool state_create(size_t node_count, size_t rigid_count, state *out) {
  /* + 1: never a request for nothing */
  *out = (state){.node_count = node_count,
                 .x = calloc(node_count + 1, sizeof *out->x),
                 .v = calloc(node_count + 1, sizeof *out->v),
                 .rigid_count = rigid_count,
                 .turns = calloc(rigid_count + 1, sizeof *out->turns)};
  if (!out->x || !out->v || !out->turns) {
    state_free(out);
    return false;
  }
  for (size_t i = 0; i < rigid_count; i++) out->turns[i] = quat_identity();
  return true;
}

void state_free(state *s) {
  free(s->x);
  free(s->v);
  free(s->turns);
  free(s->touches);
  *s = (state){0};
}

bool state_reserve_touches(state *s, size_t count) {
  return array_reserve(&s->touches, &s->touch_capacity, count, sizeof *s->touches);
}

bool state_copy(const state *from, state *to) {
  if (!state_reserve_touches(to, from->touch_count)) return false;
  to->step = from->step;
  memcpy(to->x, from->x, from->node_count * sizeof *from->x);
  memcpy(to->v, from->v, from->node_count * sizeof *from->v);
  memcpy(to->turns, from->turns, from->rigid_count * sizeof *from->turns);
  to->touch_count = from->touch_count;
  if (from->touch_count)
    memcpy(to->touches, from->touches, from->touch_count * sizeof *from->touches);
  return true;
}

uint64_t state_hash(const state *s) {
  uint64_t hash = hash_bytes(HASH_START, &s->step, sizeof s->step);
  hash = hash_bytes(hash, s->x, s->node_count * sizeof *s->x);
  hash = hash_bytes(hash, s->v, s->node_count * sizeof *s->v);
  hash = hash_bytes(hash, s->turns, s->rigid_count * sizeof *s->turns);
  return hash_bytes(hash, s->touches, s->touch_count * sizeof *s->touches);
}
