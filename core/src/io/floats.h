/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * floats: doubles in memory as 32-bit floats in a file, in the file's byte order whatever the
 * machine's. Values pass through a small buffer, so a frame costs no memory of its own.
 */
#ifndef IO_FLOATS_H
#define IO_FLOATS_H

#include <stdio.h>

#include "base/status.h"

typedef enum floats_order { FLOATS_LITTLE, FLOATS_BIG } floats_order;

void floats_put_u32(unsigned char bytes[4], uint32_t value, floats_order order);
uint32_t floats_get_u32(const unsigned char bytes[4], floats_order order);
void floats_put(unsigned char bytes[4], float value, floats_order order);
float floats_get(const unsigned char bytes[4], floats_order order);

/* TRIBO_BAD_INPUT when one of the 3 * vertices values is not finite or too large for a float; the
 * message names file, vertex, value and what it is (say "position"). */
tribo_status floats_check(const char *path, const char *what, const double *values, size_t vertices,
                          tribo_error *err);

/* FNV-1a (base/hash.h) of the bytes that floats_write makes of these values. */
uint64_t floats_hash(const double *values, size_t count, floats_order order);

/* `count` values at the stream's position; false when the stream fails or (reading) ends. Values to
 * write must have passed floats_check. */
bool floats_write(FILE *stream, const double *values, size_t count, floats_order order);
bool floats_read(FILE *stream, double *values, size_t count, floats_order order);

#endif
