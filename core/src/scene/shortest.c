/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/shortest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale's decimal separator may be a comma or even several bytes. */
static void make_point(char *text) {
  char *at = text + strspn(text, "+-0123456789");
  if (*at == 0 || strchr("einEIN", *at)) return; /* no fraction, inf or nan */
  size_t length = strcspn(at, "0123456789");
  *at = '.';
  memmove(at + 1, at + length, strlen(at + length) + 1);
}

char *shortest_text(double value, char out[SHORTEST_SIZE]) {
  static const int digits[] = {6, 15, 16, 17};
  for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
    snprintf(out, SHORTEST_SIZE, "%.*g", digits[i], value);
    if (strtod(out, NULL) == value) break; /* same locale both ways */
  }
  make_point(out);
  return out;
}
