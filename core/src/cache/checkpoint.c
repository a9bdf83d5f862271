/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

static const char MAGIC[8] = {'T', 'R', 'I', 'B', 'O', 'C', 'K', 'P'};

enum { BYTES_A_VERTEX = 2 * 3 * 8, CHECKSUM_SIZE = 8 };

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

/* False when one of them is not finite. */
static bool get_vectors(const unsigned char *at, vec3 *vectors, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++, at += 24) {
    vectors[i] = vec3_make(get_real(at), get_real(at + 8), get_real(at + 16));
    finite = finite && vec3_finite(vectors[i]);
  }
  return finite;
}

/* ---- writing ---- */

tribo_status checkpoint_write(const char *path, uint64_t scene_hash, int32_t frames,
                              const state *moving, tribo_error *err) {
  size_t size = CHECKPOINT_HEADER_SIZE + moving->vertex_count * BYTES_A_VERTEX + CHECKSUM_SIZE;
  unsigned char *bytes = malloc(size);
  if (!bytes) return status_no_memory(err, path);

  memcpy(bytes, MAGIC, sizeof MAGIC);
  unsigned char *at = bytes + sizeof MAGIC;
  at = put_u64(at, CHECKPOINT_VERSION); /* u32 version and u32 zero */
  at = put_u64(at, scene_hash);
  at = put_u64(at, (uint64_t)frames);
  at = put_u64(at, (uint64_t)moving->step);
  at = put_u64(at, moving->vertex_count);
  at = put_vectors(at, moving->x, moving->vertex_count);
  at = put_vectors(at, moving->v, moving->vertex_count);
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

/* What stands in front of the vectors, and whether they are all there and untouched. */
static tribo_status check_frame(const char *name, const unsigned char *bytes, size_t size,
                                size_t *vertex_count, tribo_error *err) {
  if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' is no Tribo checkpoint", name);
  if (size < CHECKPOINT_HEADER_SIZE + CHECKSUM_SIZE) return damaged(name, "it is too short", err);
  uint64_t version = get_u64(bytes + 8);
  if (version != CHECKPOINT_VERSION)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the checkpoint '%s' is of version %u, this program writes version %d; bake "
                       "anew with --overwrite",
                       name, (unsigned)version, CHECKPOINT_VERSION);

  uint64_t vertices = get_u64(bytes + 40);
  size_t payload = size - CHECKPOINT_HEADER_SIZE - CHECKSUM_SIZE;
  if (vertices != payload / BYTES_A_VERTEX || payload % BYTES_A_VERTEX != 0)
    return damaged(name, "its length does not fit its number of vertices", err);
  if (get_u64(bytes + size - CHECKSUM_SIZE) != hash_bytes(HASH_START, bytes, size - CHECKSUM_SIZE))
    return damaged(name, "its checksum is wrong", err);
  *vertex_count = (size_t)vertices;
  return TRIBO_OK;
}

tribo_status checkpoint_parse(const char *name, const void *data, size_t size, uint64_t scene_hash,
                              size_t vertex_count, checkpoint *out, tribo_error *err) {
  *out = (checkpoint){0};
  const unsigned char *bytes = data;
  size_t vertices = 0;
  TRY(check_frame(name, bytes, size, &vertices, err));

  uint64_t hash = get_u64(bytes + 16), frames = get_u64(bytes + 24), step = get_u64(bytes + 32);
  if (hash != scene_hash)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the checkpoint '%s' is of another scene; bake anew with --overwrite", name);
  if (vertices != vertex_count)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the checkpoint '%s' has %zu vertices, the scene has %zu; bake anew with "
                       "--overwrite",
                       name, vertices, vertex_count);
  if (frames < 1 || frames > INT32_MAX || step > INT64_MAX)
    return damaged(name, "its frame or step is out of range", err);

  out->scene_hash = hash;
  out->frames = (int32_t)frames;
  out->state = (state){.step = (int64_t)step, .vertex_count = vertices};
  out->state.x = malloc((vertices + 1) * sizeof(vec3)); /* + 1: never a request for nothing */
  out->state.v = malloc((vertices + 1) * sizeof(vec3));
  if (!out->state.x || !out->state.v) {
    checkpoint_free(out);
    return status_no_memory(err, name);
  }
  const unsigned char *positions = bytes + CHECKPOINT_HEADER_SIZE;
  bool finite = get_vectors(positions, out->state.x, vertices);
  finite = get_vectors(positions + 24 * vertices, out->state.v, vertices) && finite;
  if (!finite) {
    checkpoint_free(out);
    return damaged(name, "it holds numbers that are not finite", err);
  }
  return TRIBO_OK;
}

tribo_status checkpoint_read(const char *path, uint64_t scene_hash, size_t vertex_count,
                             checkpoint *out, tribo_error *err) {
  *out = (checkpoint){0};
  file_text bytes;
  TRY(file_read(path, &bytes, err));
  tribo_status status =
      checkpoint_parse(path, bytes.data, bytes.size, scene_hash, vertex_count, out, err);
  free(bytes.data);
  return status;
}

void checkpoint_free(checkpoint *c) {
  free(c->state.x);
  free(c->state.v);
  *c = (checkpoint){0};
}
