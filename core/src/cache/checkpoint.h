/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * checkpoint: state.ckpt, all that a bake needs to go on to the same bits.
 *
 * Little-endian: char[8] "TRIBOCKP", u32 version = 4, u32 zero, u64 scene hash, u64 frames,
 * u64 step, u64 nodes, u64 rigid bodies, u64 touches; positions, then velocities, 3 f64 a node;
 * orientations, 4 f64 a rigid body (w x y z); touches, u64 key, 3 f64 force, f64 torque and i64
 * side each, ascending by key; u64 FNV-1a of all before it. No clock in it: two bakes of one scene
 * leave the same file.
 */
#ifndef CACHE_CHECKPOINT_H
#define CACHE_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "method/state.h"

enum { CHECKPOINT_VERSION = 4, CHECKPOINT_HEADER_SIZE = 64 };

typedef struct checkpoint {
  uint64_t scene_hash;
  int32_t frames; /* complete in every file of the bake, the first frame included; 1 or more */
  state state;    /* at the last of them; owned */
} checkpoint;

/* Complete or absent. */
tribo_status checkpoint_write(const char *path, uint64_t scene_hash, int32_t frames,
                              const state *moving, tribo_error *err);

/* Takes any bytes without harm. TRIBO_BAD_INPUT, with a message of its own, for what is no
 * checkpoint, damaged, of another version, of another scene or of other numbers of nodes or rigid
 * bodies. On failure there is nothing to free. */
tribo_status checkpoint_parse(const char *name, const void *data, size_t size, uint64_t scene_hash,
                              size_t node_count, size_t rigid_count, checkpoint *out,
                              tribo_error *err);
tribo_status checkpoint_read(const char *path, uint64_t scene_hash, size_t node_count,
                             size_t rigid_count, checkpoint *out, tribo_error *err);

/* The same of whatever scene it is; out->scene_hash says which. */
tribo_status checkpoint_read_any(const char *path, size_t node_count, size_t rigid_count,
                                 checkpoint *out, tribo_error *err);

/* Whose it is and of which frame, where it is whole. */
tribo_status checkpoint_look(const char *path, uint64_t *scene_hash, int32_t *frames,
                             tribo_error *err);

void checkpoint_free(checkpoint *c);

#endif
