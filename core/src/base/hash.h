/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hash: 64-bit FNV-1a, for the state hash, checkpoints and "did the scene change?".
 * Not a defence against an adversary, only against accidents.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);

/* With its length, so that "ab","c" and "a","bc" differ. NULL counts as "". */
uint64_t hash_text(uint64_t hash, const char *text);

#endif
