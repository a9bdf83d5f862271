/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_gather: elements write a force for each of their corners, and nodes gather them: who
 * writes owns the place, and every sum has one order, for any number of threads.
 */
#ifndef PROJECTIVE_PROJECTIVE_GATHER_H
#define PROJECTIVE_PROJECTIVE_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* x, y, z and 0, on a multiple of 32 bytes: one register. */
typedef struct vec4 {
  _Alignas(32) double at[4];
} vec4;

/* Of node n the places start[n] to start[n + 1] - 1 of `at`, each a corner: arity times the
 * element, and the corner's number in it. Ascending. */
typedef struct projective_gather {
  int32_t *start, *at;
} projective_gather;

/* corners[k][e]: the node of corner k of element e. False when memory has run out. */
bool projective_gather_create(const int32_t *const *corners, int arity, size_t count, int32_t nodes,
                              arena *memory, projective_gather *out);

/* Adds to out what the corners of the nodes from begin to end - 1 have, out[0] that of `begin`. */
void projective_gather_add(const projective_gather *g, const vec4 *force, size_t begin, size_t end,
                           vec4 *out);

#endif
