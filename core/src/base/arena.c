/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Blocks double up to a bound: after one huge array the next small one must not ask for twice as
 * much again. */
enum { ALIGNMENT = 64, SMALLEST_BLOCK = 1 << 16, LARGEST_STEP = 1 << 26 };

struct arena_block {
  arena_block *next;
  size_t capacity, used;
};

static size_t rounded_up(size_t size) { return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

/* The header takes one aligned slot, so the payload behind it is aligned too. */
static unsigned char *payload(arena_block *block) { return (unsigned char *)block + ALIGNMENT; }

static arena_block *block_create(size_t capacity) {
  arena_block *block = aligned_alloc(ALIGNMENT, capacity + ALIGNMENT);
  if (block) *block = (arena_block){.capacity = capacity};
  return block;
}

void *arena_alloc(arena *a, size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 4) / size) return NULL;
  size_t bytes = rounded_up(count * size);

  while (a->current && a->current->capacity - a->current->used < bytes && a->current->next)
    a->current = a->current->next;
  if (!a->current || a->current->capacity - a->current->used < bytes) {
    size_t capacity = SMALLEST_BLOCK;
    if (a->current)
      capacity = a->current->capacity < LARGEST_STEP / 2 ? 2 * a->current->capacity : LARGEST_STEP;
    arena_block *block = block_create(capacity > bytes ? capacity : bytes);
    if (!block) return NULL;
    if (a->current)
      a->current->next = block;
    else
      a->first = block;
    a->current = block;
  }

  unsigned char *start = payload(a->current) + a->current->used;
  a->current->used += bytes;
  a->used += bytes;
  if (a->used > a->high_water) a->high_water = a->used;
  memset(start, 0, bytes);
  return start;
}

void arena_reset(arena *a) {
  for (arena_block *block = a->first; block; block = block->next) block->used = 0;
  a->current = a->first;
  a->used = 0;
}

void arena_free(arena *a) {
  arena_block *block = a->first;
  while (block) {
    arena_block *next = block->next;
    free(block);
    block = next;
  }
  *a = (arena){0};
}
