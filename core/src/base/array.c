/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/array.h"

#include <stdint.h>
#include <string.h>

bool array_reserve(void *data_pointer, size_t *capacity, size_t wanted, size_t size) {
  if (wanted <= *capacity) return true;
  /* The pointer may be of any type: copying its bytes is the one access that aliasing allows. */
  void *data;
  memcpy(&data, data_pointer, sizeof data);
  size_t grown = *capacity ? *capacity + *capacity / 2 : 16;
  if (grown < wanted) grown = wanted;
  if (grown > SIZE_MAX / 2 / size) return false;
  void *moved = realloc(data, grown * size);
  if (!moved) return false;
  memcpy(data_pointer, &moved, sizeof moved);
  *capacity = grown;
  return true;
}
