/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

static const char MAGIC[8] = {'T', 'R', 'I', 'B', 'O', 'C', 'K', 'P'};

enum { BYTES_A_NODE = 2 * 3 * 8, BYTES_A_RIGID = 4 * 8, BYTES_A_TOUCH = 6 * 8, CHECKSUM_SIZE = 8 };

/* ---- numbers as bytes, the same on every machine ---- */

static unsigned char *put_u64(unsigned char *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (unsigned char)(value >> (8 * i));
  return at + 8;
}

static uint64_t get_u64(const unsigned char *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static unsigned char *put_real(unsigned char *at, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return put_u64(at, bits);
}

static double get_real(const unsigned char *at) {
  uint64_t bits = get_u64(at);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static unsigned char *put_vectors(unsigned char *at, const vec3 *vectors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    at = put_real(at, vectors[i].x);
    at = put_real(at, vectors[i].y);
    at = put_real(at, vectors[i].z);
  }
  return at;
}

static vec3 get_vector(const unsigned char *at) {
  return vec3_make(get_real(at), get_real(at + 8), get_real(at + 16));
}

/* False when one of them is not finite. */
static bool get_vectors(const unsigned char *at, vec3 *vectors, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++) {
    vectors[i] = get_vector(at + 24 * i);
    finite = finite && vec3_finite(vectors[i]);
  }
  return finite;
}

/* False when one of them is no orientation: not of length 1. */
static bool get_turns(const unsigned char *at, quat *turns, size_t count) {
  bool sound = true;
  for (size_t i = 0; i < count; i++, at += BYTES_A_RIGID) {
    turns[i] = (quat){get_real(at), get_real(at + 8), get_real(at + 16), get_real(at + 24)};
    sound = sound && fabs(quat_norm2(turns[i]) - 1) < 1e-9;
  }
  return sound;
}

/* False when one is not finite or out of order. */
static bool get_touches(const unsigned char *at, touch *touches, size_t count) {
  bool sound = true;
  for (size_t i = 0; i < count; i++, at += BYTES_A_TOUCH) {
    touches[i] =
        (touch){get_u64(at), get_vector(at + 8), get_real(at + 32), (int64_t)get_u64(at + 40)};
    sound = sound && vec3_finite(touches[i].force) && isfinite(touches[i].torque);
    sound = sound && (i == 0 || touches[i - 1].key < touches[i].key);
    sound = sound && touches[i].side >= -INT32_MAX && touches[i].side <= INT32_MAX;
  }
  return sound;
}

/* ---- writing ---- */

static size_t payload_size(size_t nodes, size_t rigids, size_t touches) {
  return nodes * BYTES_A_NODE + rigids * BYTES_A_RIGID + touches * BYTES_A_TOUCH;
}

tribo_status checkpoint_write(const char *path, uint64_t scene_hash, int32_t frames,
                              const state *moving, tribo_error *err) {
  size_t size = CHECKPOINT_HEADER_SIZE + CHECKSUM_SIZE +
                payload_size(moving->node_count, moving->rigid_count, moving->touch_count);
  unsigned char *bytes = malloc(size);
  if (!bytes) return status_no_memory(err, path);

  memcpy(bytes, MAGIC, sizeof MAGIC);
  unsigned char *at = bytes + sizeof MAGIC;
  at = put_u64(at, CHECKPOINT_VERSION); /* u32 version and u32 zero */
  at = put_u64(at, scene_hash);
  at = put_u64(at, (uint64_t)frames);
  at = put_u64(at, (uint64_t)moving->step);
  at = put_u64(at, moving->node_count);
  at = put_u64(at, moving->rigid_count);
  at = put_u64(at, moving->touch_count);
  at = put_vectors(at, moving->x, moving->node_count);
  at = put_vectors(at, moving->v, moving->node_count);
  for (size_t i = 0; i < moving->rigid_count; i++) {
    const quat q = moving->turns[i];
    const double parts[] = {q.w, q.x, q.y, q.z};
    for (int k = 0; k < 4; k++) at = put_real(at, parts[k]);
  }
  for (size_t i = 0; i < moving->touch_count; i++) {
    at = put_u64(at, moving->touches[i].key);
    at = put_vectors(at, &moving->touches[i].force, 1);
    at = put_real(at, moving->touches[i].torque);
    at = put_u64(at, (uint64_t)moving->touches[i].side);
  }
  put_u64(at, hash_bytes(HASH_START, bytes, size - CHECKSUM_SIZE));

  tribo_status status = file_write(path, bytes, size, err);
  free(bytes);
  return status;
}

/* ---- reading ---- */

static tribo_status damaged(const char *name, const char *how, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT,
                     "the checkpoint '%s' is damaged (%s); bake anew with --overwrite", name, how);
}

/* Whether the bytes between header and checksum are those of so many; counts that no file could
 * hold do not wrap around. */
static bool fits(size_t payload, uint64_t nodes, uint64_t rigids, uint64_t touches) {
  return nodes <= payload / BYTES_A_NODE && rigids <= payload / BYTES_A_RIGID &&
         touches <= payload / BYTES_A_TOUCH &&
         payload_size((size_t)nodes, (size_t)rigids, (size_t)touches) == payload;
}

/* What stands in front of the numbers, and whether they are all there and untouched. */
static tribo_status check_frame(const char *name, const unsigned char *bytes, size_t size,
                                tribo_error *err) {
  if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' is no Tribo checkpoint; bake anew with --overwrite", name);
  if (size < sizeof MAGIC + 8) return damaged(name, "it is too short", err);
  uint64_t version = get_u64(bytes + 8);
  if (version != CHECKPOINT_VERSION)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the checkpoint '%s' is of version %u, this program writes version %d; bake "
                       "anew with --overwrite",
                       name, (unsigned)version, CHECKPOINT_VERSION);

  if (size < CHECKPOINT_HEADER_SIZE + CHECKSUM_SIZE) return damaged(name, "it is too short", err);
  if (!fits(size - CHECKPOINT_HEADER_SIZE - CHECKSUM_SIZE, get_u64(bytes + 40), get_u64(bytes + 48),
            get_u64(bytes + 56)))
    return damaged(name, "its length does not fit its numbers of nodes, bodies and touches", err);
  if (get_u64(bytes + size - CHECKSUM_SIZE) != hash_bytes(HASH_START, bytes, size - CHECKSUM_SIZE))
    return damaged(name, "its checksum is wrong", err);
  return TRIBO_OK;
}

/* The header's word against what the caller knows. */
static tribo_status check_header(const char *name, const unsigned char *bytes,
                                 const uint64_t *scene_hash, size_t node_count, size_t rigid_count,
                                 tribo_error *err) {
  uint64_t nodes = get_u64(bytes + 40), rigids = get_u64(bytes + 48);
  if (scene_hash && get_u64(bytes + 16) != *scene_hash)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the checkpoint '%s' is of another scene; bake anew with --overwrite", name);
  if (nodes != node_count || rigids != rigid_count)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the checkpoint '%s' has %zu nodes and %zu rigid bodies, the scene has %zu "
                       "and %zu; bake anew with --overwrite",
                       name, (size_t)nodes, (size_t)rigids, node_count, rigid_count);
  uint64_t frames = get_u64(bytes + 24), step = get_u64(bytes + 32);
  if (frames < 1 || frames > INT32_MAX || step > INT64_MAX)
    return damaged(name, "its frame or step is out of range", err);
  return TRIBO_OK;
}

static const char *get_state(const unsigned char *bytes, state *out) {
  const unsigned char *positions = bytes + CHECKPOINT_HEADER_SIZE;
  const unsigned char *velocities = positions + 24 * out->node_count;
  const unsigned char *turns = velocities + 24 * out->node_count;
  const unsigned char *touches = turns + BYTES_A_RIGID * out->rigid_count;
  if (!get_vectors(positions, out->x, out->node_count) ||
      !get_vectors(velocities, out->v, out->node_count))
    return "it holds numbers that are not finite";
  if (!get_turns(turns, out->turns, out->rigid_count)) return "it holds orientations that are none";
  if (!get_touches(touches, out->touches, out->touch_count))
    return "it holds touches that are not finite or not in order";
  return NULL;
}

/* scene_hash NULL: of any scene. */
static tribo_status parse(const char *name, const void *data, size_t size,
                          const uint64_t *scene_hash, size_t node_count, size_t rigid_count,
                          checkpoint *out, tribo_error *err) {
  *out = (checkpoint){0};
  const unsigned char *bytes = data;
  TRY(check_frame(name, bytes, size, err));
  TRY(check_header(name, bytes, scene_hash, node_count, rigid_count, err));

  size_t touches = (size_t)get_u64(bytes + 56);
  if (!state_create(node_count, rigid_count, &out->state) ||
      !state_reserve_touches(&out->state, touches)) {
    checkpoint_free(out);
    return status_no_memory(err, name);
  }
  out->scene_hash = get_u64(bytes + 16);
  out->frames = (int32_t)get_u64(bytes + 24);
  out->state.step = (int64_t)get_u64(bytes + 32);
  out->state.touch_count = touches;
  const char *fault = get_state(bytes, &out->state);
  if (!fault) return TRIBO_OK;
  checkpoint_free(out);
  return damaged(name, fault, err);
}

tribo_status checkpoint_parse(const char *name, const void *data, size_t size, uint64_t scene_hash,
                              size_t node_count, size_t rigid_count, checkpoint *out,
                              tribo_error *err) {
  return parse(name, data, size, &scene_hash, node_count, rigid_count, out, err);
}

static tribo_status read_file(const char *path, const uint64_t *scene_hash, size_t node_count,
                              size_t rigid_count, checkpoint *out, tribo_error *err) {
  *out = (checkpoint){0};
  file_text bytes;
  TRY(file_read(path, &bytes, err));
  tribo_status status =
      parse(path, bytes.data, bytes.size, scene_hash, node_count, rigid_count, out, err);
  free(bytes.data);
  return status;
}

tribo_status checkpoint_read(const char *path, uint64_t scene_hash, size_t node_count,
                             size_t rigid_count, checkpoint *out, tribo_error *err) {
  return read_file(path, &scene_hash, node_count, rigid_count, out, err);
}

tribo_status checkpoint_read_any(const char *path, size_t node_count, size_t rigid_count,
                                 checkpoint *out, tribo_error *err) {
  return read_file(path, NULL, node_count, rigid_count, out, err);
}

tribo_status checkpoint_look(const char *path, uint64_t *scene_hash, int32_t *frames,
                             tribo_error *err) {
  file_text text;
  TRY(file_read(path, &text, err));
  const unsigned char *bytes = (const unsigned char *)text.data;
  tribo_status status = check_frame(path, bytes, text.size, err);
  if (status == TRIBO_OK)
    status = check_header(path, bytes, NULL, (size_t)get_u64(bytes + 40),
                          (size_t)get_u64(bytes + 48), err);
  if (status == TRIBO_OK) {
    *scene_hash = get_u64(bytes + 16);
    *frames = (int32_t)get_u64(bytes + 24);
  }
  free(text.data);
  return status;
}

void checkpoint_free(checkpoint *c) {
  state_free(&c->state);
  *c = (checkpoint){0};
}
