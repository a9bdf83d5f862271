/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * queries: reads continuous collision queries with exact rational coordinates and the true answer,
 * and counts what the step limit says of them.
 *
 * A file has eight rows a query, the four points at the start, then at the end; a row has x, y and
 * z, each as numerator and denominator, and the truth, 1 for a hit. Names of files or of the
 * folders above them say which: "edge-edge" or "vertex-face".
 */
#ifndef TESTS_PROXIMITY_QUERIES_H
#define TESTS_PROXIMITY_QUERIES_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proximity/step_limit.h"

typedef struct queries_count {
  long hits, misses, overlooked, false_alarms;
} queries_count;

/* Both are powers of two times integers below 2^53 as a rule; else rounded. */
static inline double queries_ratio(char **text) {
  double numerator = strtod(*text, text);
  if (**text == ',') (*text)++;
  double denominator = strtod(*text, text);
  if (**text == ',') (*text)++;
  return numerator / denominator;
}

static inline bool queries_row(FILE *file, vec3 *point, bool *truth) {
  char line[512], *text = line;
  if (!fgets(line, sizeof line, file)) return false;
  point->x = queries_ratio(&text);
  point->y = queries_ratio(&text);
  point->z = queries_ratio(&text);
  *truth = strtol(text, NULL, 10) != 0;
  return true;
}

static inline bool queries_read(const char *path, queries_count *count) {
  FILE *file = fopen(path, "r");
  if (!file) return false;
  int split = strstr(path, "edge-edge") ? 2 : 1;
  vec3 x[8];
  bool truth;
  for (int i = 0; queries_row(file, &x[i], &truth); i = (i + 1) % 8) {
    if (i < 7) continue;
    bool said = step_limit_pair(x, x + 4, split, 0, 0) < 1;
    *(truth ? &count->hits : &count->misses) += 1;
    count->overlooked += truth && !said;
    count->false_alarms += !truth && said;
  }
  fclose(file);
  return true;
}

#endif
