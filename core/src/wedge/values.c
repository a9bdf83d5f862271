/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* ---- ranges ---- */

typedef struct range {
  double low, high;
  int64_t count;
  enum { EVEN, LOG, RANDOM } how;
  uint64_t seed;
} range;

/* SplitMix64 (Steele, Lea, Flood 2014): the same sequence everywhere, from any seed. In [0, 1). */
static double next_random(uint64_t *seed) {
  uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double range_value(range *r, int64_t i) {
  double share = r->count > 1 ? (double)i / (double)(r->count - 1) : 0;
  switch (r->how) {
    case RANDOM: return r->low + (r->high - r->low) * next_random(&r->seed);
    case LOG: return i == r->count - 1 && i ? r->high : r->low * pow(r->high / r->low, share);
    case EVEN: break;
  }
  /* The last is HIGH itself, not what rounding makes of it. */
  return i == r->count - 1 && i ? r->high : r->low + (r->high - r->low) * share;
}

static bool read_how(const char *word, range *r) {
  int64_t seed = 1;
  if (strcmp(word, "log") == 0) r->how = LOG;
  if (strncmp(word, "random", 6) == 0) r->how = RANDOM;
  if (strncmp(word, "random=", 7) == 0 && !number_read_int(word + 7, strlen(word + 7), &seed))
    return false;
  r->seed = (uint64_t)seed;
  return r->how == LOG || (r->how == RANDOM && (word[6] == 0 || word[6] == '='));
}

/* Whether the text is LOW:HIGH:COUNT with or without a word behind it; *fine: and a sound one. */
static bool read_range(const char *text, range *r, bool *fine) {
  const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
  if (!second || !number_read(text, (size_t)(first - text), &r->low)) return false;
  const char *word = strchr(second + 1, ':');
  size_t length = word ? (size_t)(word - second - 1) : strlen(second + 1);
  *fine = number_read(first + 1, (size_t)(second - first - 1), &r->high) &&
          number_read_int(second + 1, length, &r->count) && r->count >= 1 &&
          r->count <= VALUES_MOST && isfinite(r->low) && isfinite(r->high) &&
          (!word || read_how(word + 1, r)) && (r->how != LOG || (r->low > 0 && r->high > 0));
  return true;
}

static tribo_status fill_range(const char *text, range *r, cJSON *list, tribo_error *err) {
  for (int64_t i = 0; i < r->count; i++)
    if (!cJSON_AddItemToArray(list, cJSON_CreateNumber(range_value(r, i))))
      return status_no_memory(err, text);
  return TRIBO_OK;
}

/* ---- lists ---- */

/* "0.1,0.2" and "[0,0,1],[0,0,2]" are JSON once they stand in brackets. */
static cJSON *as_json(const char *text) {
  size_t size = strlen(text) + 3;
  char *closed = malloc(size);
  if (!closed) return NULL;
  snprintf(closed, size, "[%s]", text);
  cJSON *list = cJSON_ParseWithOpts(closed, NULL, true);
  free(closed);
  return list;
}

/* Words without quotes: "good,final". */
static tribo_status split_words(const char *text, cJSON *list, tribo_error *err) {
  for (const char *at = text; at;) {
    const char *comma = strchr(at, ',');
    size_t length = comma ? (size_t)(comma - at) : strlen(at);
    double number;
    if (length == 0)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%.200s' has an empty place between commas; give a value there", text);
    char *word = malloc(length + 1);
    if (!word) return status_no_memory(err, "a value");
    memcpy(word, at, length);
    word[length] = 0;
    cJSON *item =
        number_read(word, length, &number) ? cJSON_CreateNumber(number) : cJSON_CreateString(word);
    free(word);
    if (!item || !cJSON_AddItemToArray(list, item)) return status_no_memory(err, "a value");
    at = comma ? comma + 1 : NULL;
  }
  return TRIBO_OK;
}

tribo_status values_parse(const char *text, cJSON **out, tribo_error *err) {
  *out = NULL;
  range r = {0};
  bool fine = false;
  bool ranged = read_range(text, &r, &fine);
  if (ranged && !fine)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.200s' is no range: give LOW:HIGH:COUNT, with :log (both above 0) or "
                       ":random=SEED behind it, and a count from 1 to %d",
                       text, VALUES_MOST);
  cJSON *list = ranged ? NULL : as_json(text);
  if (list && cJSON_GetArraySize(list) > 0) {
    *out = list;
    return TRIBO_OK;
  }
  cJSON_Delete(list);
  list = cJSON_CreateArray();
  if (!list) return status_no_memory(err, "values");
  tribo_status status = ranged ? fill_range(text, &r, list, err) : split_words(text, list, err);
  if (status == TRIBO_OK)
    *out = list;
  else
    cJSON_Delete(list);
  return status;
}
