/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arena: memory with one life. Everything that is born together and dies together (a compiled
 * model, the work space of a step) is cut from one arena and given back as a whole.
 *
 * Blocks are never moved, so pointers stay good until arena_reset or arena_free. After a reset the
 * blocks are kept and used again: a loop that resets every step allocates only while it grows.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
  arena_block *first, *current;
  size_t used;       /* bytes handed out since the last reset */
  size_t high_water; /* the most `used` has ever been */
} arena;

/* A zeroed arena is a valid, empty one. */

/* Zeroed memory aligned to 64 bytes (a cache line, and enough for any vector load), or NULL when
 * memory has run out. A size of 0 gives a valid pointer. */
void *arena_alloc(arena *a, size_t count, size_t size);

void arena_reset(arena *a);
void arena_free(arena *a);

#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc((a), (size_t)(count), sizeof(type)))

#endif
