/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/shortest.h"

#include <math.h>
#include <string.h>

static const char *odd_name(double value) {
  return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

char *shortest_text(double value, char out[SHORTEST_SIZE]) {
  static const int digits[] = {6, 15, 16, NUMBER_EXACT};
  if (!isfinite(value)) return strcpy(out, odd_name(value));
  for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
    double back;
    size_t length = number_print(out, value, digits[i]);
    if (number_read(out, length, &back) && back == value) break;
  }
  return out;
}
