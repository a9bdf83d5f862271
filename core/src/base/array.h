/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * array: growable arrays for readers and builders, where the size is not known beforehand.
 *
 *   ARRAY(int32_t) faces = {0};
 *   if (!ARRAY_PUSH(faces, 7)) return status_no_memory(err, "faces");
 *   ... faces.data[i], faces.count ...
 *   ARRAY_FREE(faces);
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define ARRAY(type)                                                                                \
  struct {                                                                                         \
    type *data;                                                                                    \
    size_t count, capacity;                                                                        \
  }

/* Room for at least `wanted` items of `size` bytes; false when memory has run out (the array is
 * then as it was). data_pointer: the address of the array's pointer, whatever its type. */
bool array_reserve(void *data_pointer, size_t *capacity, size_t wanted, size_t size);

#define ARRAY_RESERVE(a, wanted) array_reserve(&(a).data, &(a).capacity, (wanted), sizeof *(a).data)

#define ARRAY_PUSH(a, value)                                                                       \
  (((a).count < (a).capacity || ARRAY_RESERVE(a, (a).count + 1)) &&                                \
   ((a).data[(a).count++] = (value), true))

#define ARRAY_FREE(a) (free((a).data), (a).data = NULL, (a).count = (a).capacity = 0)

#endif
