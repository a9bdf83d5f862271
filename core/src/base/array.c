/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/array.h"

#include <stdint.h>

bool array_reserve(void **data, size_t *capacity, size_t wanted, size_t size) {
  if (wanted <= *capacity) return true;
  size_t grown = *capacity ? *capacity + *capacity / 2 : 16;
  if (grown < wanted) grown = wanted;
  if (grown > SIZE_MAX / 2 / size) return false;
  void *moved = realloc(*data, grown * size);
  if (!moved) return false;
  *data = moved;
  *capacity = grown;
  return true;
}
