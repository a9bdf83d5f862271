/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/floats.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

enum { CHUNK = 4096 }; /* floats */

_Static_assert(sizeof(float) == 4 && FLT_MANT_DIG == 24, "float must be IEEE binary32");

void floats_put_u32(unsigned char bytes[4], uint32_t value, floats_order order) {
  for (unsigned i = 0; i < 4; i++) {
    unsigned shift = 8 * (order == FLOATS_LITTLE ? i : 3 - i);
    bytes[i] = (unsigned char)(value >> shift);
  }
}

uint32_t floats_get_u32(const unsigned char bytes[4], floats_order order) {
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; i++)
    value |= (uint32_t)bytes[i] << (8 * (order == FLOATS_LITTLE ? i : 3 - i));
  return value;
}

void floats_put(unsigned char bytes[4], float value, floats_order order) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  floats_put_u32(bytes, bits, order);
}

float floats_get(const unsigned char bytes[4], floats_order order) {
  uint32_t bits = floats_get_u32(bytes, order);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

tribo_status floats_check(const char *path, const char *what, const double *values, size_t vertices,
                          tribo_error *err) {
  for (size_t i = 0; i < 3 * vertices; i++)
    if (!(fabs(values[i]) <= (double)FLT_MAX)) /* false for NaN too */
      return status_fail(err, TRIBO_BAD_INPUT,
                         "cannot write '%s': the %s of vertex %zu has %c = %g, which the file's "
                         "32-bit numbers cannot hold",
                         path, what, i / 3, "xyz"[i % 3], values[i]);
  return TRIBO_OK;
}

uint64_t floats_hash(const double *values, size_t count, floats_order order) {
  unsigned char bytes[4];
  uint64_t hash = HASH_START;
  for (size_t i = 0; i < count; i++) {
    floats_put(bytes, (float)values[i], order);
    hash = hash_bytes(hash, bytes, sizeof bytes);
  }
  return hash;
}

bool floats_write(FILE *stream, const double *values, size_t count, floats_order order) {
  unsigned char bytes[4 * CHUNK];
  for (size_t done = 0; done < count;) {
    size_t now = count - done < CHUNK ? count - done : CHUNK;
    for (size_t i = 0; i < now; i++) floats_put(bytes + 4 * i, (float)values[done + i], order);
    if (fwrite(bytes, 4, now, stream) != now) return false;
    done += now;
  }
  return true;
}

bool floats_read(FILE *stream, double *values, size_t count, floats_order order) {
  unsigned char bytes[4 * CHUNK];
  for (size_t done = 0; done < count;) {
    size_t now = count - done < CHUNK ? count - done : CHUNK;
    if (fread(bytes, 4, now, stream) != now) return false;
    for (size_t i = 0; i < now; i++) values[done + i] = (double)floats_get(bytes + 4 * i, order);
    done += now;
  }
  return true;
}
