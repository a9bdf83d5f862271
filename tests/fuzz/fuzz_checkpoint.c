/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a checkpoint: taken whole or refused with a message; what is taken is finite and
 * writes back as the same bytes. A checksum is a wall to a fuzzer, so each input is tried a second
 * time with the right one put in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "cache/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool promise) {
  if (!promise) abort();
}

static uint64_t get_u64(const uint8_t *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static void write_back(const checkpoint *c, const uint8_t *data, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "fuzz_%ld.ckpt", (long)getpid());
  file_text bytes;
  require(checkpoint_write(path, c->scene_hash, c->frames, &c->state, NULL) == TRIBO_OK);
  require(file_read(path, &bytes, NULL) == TRIBO_OK);
  require(bytes.size == size && memcmp(bytes.data, data, size) == 0);
  free(bytes.data);
  unlink(path);
}

static void try(const uint8_t *data, size_t size) {
  /* Scene, nodes and rigid bodies are asked for by number: take the file's word for them. */
  uint64_t hash = size >= 24 ? get_u64(data + 16) : 0;
  size_t nodes = size >= 48 ? (size_t)get_u64(data + 40) : 0;
  size_t rigids = size >= 56 ? (size_t)get_u64(data + 48) : 0;
  checkpoint c;
  tribo_error err = {0};
  if (checkpoint_parse("fuzz", data, size, hash, nodes, rigids, &c, &err) != TRIBO_OK) {
    require(err.status == TRIBO_BAD_INPUT && err.message[0] && !c.state.x && !c.state.v &&
            !c.state.turns && !c.state.touches);
    return;
  }
  require(c.frames >= 1 && c.state.step >= 0);
  require(c.state.node_count == nodes && c.state.rigid_count == rigids);
  for (size_t i = 0; i < nodes; i++)
    require(vec3_finite(c.state.x[i]) && vec3_finite(c.state.v[i]));
  for (size_t i = 0; i < rigids; i++) require(fabs(quat_norm2(c.state.turns[i]) - 1) < 1e-6);
  for (size_t i = 0; i < c.state.touch_count; i++) {
    require(vec3_finite(c.state.touches[i].impulse));
    require(i == 0 || c.state.touches[i - 1].key < c.state.touches[i].key);
  }
  write_back(&c, data, size);
  checkpoint_free(&c);
  require(checkpoint_parse("fuzz", data, size, hash + 1, nodes, rigids, &c, NULL) ==
          TRIBO_BAD_INPUT);
  require(checkpoint_parse("fuzz", data, size, hash, nodes + 1, rigids, &c, NULL) ==
          TRIBO_BAD_INPUT);
  require(checkpoint_parse("fuzz", data, size, hash, nodes, rigids + 1, &c, NULL) ==
          TRIBO_BAD_INPUT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try(data, size);
  if (size < 8) return 0;
  uint8_t *sealed = malloc(size);
  require(sealed != NULL);
  memcpy(sealed, data, size);
  uint64_t checksum = hash_bytes(HASH_START, sealed, size - 8);
  for (int i = 0; i < 8; i++) sealed[size - 8 + (size_t)i] = (uint8_t)(checksum >> (8 * i));
  try(sealed, size);
  free(sealed);
  return 0;
}
