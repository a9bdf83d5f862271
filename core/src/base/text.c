/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63 }; /* names are short; what is longer is cut for the comparison */

char *text_copy(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

size_t text_distance(const char *a, const char *b) {
  size_t n = smaller(strlen(a), LONGEST), m = smaller(strlen(b), LONGEST);
  size_t row[LONGEST + 1];
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = smaller(change, 1 + smaller(row[j], row[j - 1]));
    }
  }
  return row[m];
}

const char *text_suggest(const char *word, const char *const *names, size_t count) {
  const char *best = NULL;
  size_t best_distance = 1 + strlen(word) / 2; /* at most half the letters may differ */
  if (best_distance > 4) best_distance = 4;
  for (size_t i = 0; i < count; i++) {
    size_t distance = text_distance(word, names[i]);
    if (distance < best_distance) {
      best_distance = distance;
      best = names[i];
    }
  }
  return best;
}

bool text_ends_in(const char *path, const char *extension) {
  size_t length = strlen(path), tail = strlen(extension);
  return length > tail && strcasecmp(path + length - tail, extension) == 0;
}
