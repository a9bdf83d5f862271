/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/json.h"

#include <string.h>

static tribo_status fault_at(const char *text, const char *at, const char *what, tribo_error *err) {
  size_t line = 1;
  const char *start = text;
  for (const char *c = text; c < at; c++) {
    if (*c != '\n') continue;
    line++;
    start = c + 1;
  }
  return status_fail(err, TRIBO_BAD_INPUT, "line %zu, column %zu: %s", line,
                     (size_t)(at - start) + 1, what);
}

/* cJSON would end the text or a string at a zero, and what follows it would be lost silently. */
static const char *find_zero(const char *text, size_t size) {
  const char *end = text + size;
  for (const char *at = text; at < end; at++) {
    if (*at == 0) return at;
    if (*at != '\\') continue;
    if (end - at >= 6 && memcmp(at, "\\u0000", 6) == 0) return at;
    at++; /* the escaped character, which may be a backslash */
  }
  return NULL;
}

/* What stands where the parser gave up, in words a person can act on. */
static const char *describe(const char *at, const char *end) {
  while (at < end && strchr(" \t\r\n", *at)) at++;
  if (at >= end) return "the file ends in the middle of a value";
  switch (*at) {
    case '}':
    case ']': return "not JSON: a bracket that does not fit here (or a comma before it)";
    case '/':
    case '#': return "not JSON: comments are not allowed";
    case '\'': return "not JSON: strings take double quotes";
    default: return "not JSON from here on";
  }
}

/* cJSON stops one character late where a key should start but does not. */
static const char *step_back(const char *text, const char *stop) {
  if (stop - text < 2 || strchr(" \t\r\n\"-0123456789", stop[-1])) return stop;
  const char *before = stop - 2;
  while (before > text && strchr(" \t\r\n", *before)) before--;
  return *before == '{' || *before == ',' ? stop - 1 : stop;
}

tribo_status json_parse(const char *text, size_t size, cJSON **out, tribo_error *err) {
  *out = NULL;
  const char *zero = find_zero(text, size);
  if (zero) return fault_at(text, zero, "a character of value 0 is not allowed", err);

  const char *stop = text;
  *out = cJSON_ParseWithLengthOpts(text, size + 1, &stop, true);
  if (*out) return TRIBO_OK;
  stop = step_back(text, stop);
  while (stop < text + size && strchr(" \t\r\n", *stop)) stop++;
  return fault_at(text, stop, describe(stop, text + size), err);
}

const char *json_kind(const cJSON *value) {
  if (cJSON_IsBool(value)) return cJSON_IsTrue(value) ? "true" : "false";
  if (cJSON_IsNull(value)) return "null";
  if (cJSON_IsNumber(value)) return "a number";
  if (cJSON_IsString(value)) return "a string";
  if (cJSON_IsObject(value)) return "an object {}";
  if (!cJSON_IsArray(value)) return "nothing";
  for (const cJSON *item = value->child; item; item = item->next) {
    if (cJSON_IsNull(item)) return "an array with null in it";
    if (cJSON_IsBool(item)) return "an array with true or false in it";
  }
  static const char *const arrays[] = {"an empty array",       "an array of 1 value",
                                       "an array of 2 values", "an array of 3 values",
                                       "an array of 4 values", "an array of more than 4 values"};
  size_t count = 0;
  for (const cJSON *item = value->child; item && count < 5; item = item->next) count++;
  return arrays[count];
}

bool json_numbers(const cJSON *array, size_t count, double *out) {
  if (!cJSON_IsArray(array)) return false;
  size_t found = 0;
  for (const cJSON *item = array->child; item; item = item->next, found++) {
    if (found == count || !cJSON_IsNumber(item)) return false;
    out[found] = item->valuedouble;
  }
  return found == count;
}

void json_print_string(const char *text, FILE *out) {
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', out);
    putc(*text, out);
  }
  putc('"', out);
}

const cJSON *json_member(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

size_t json_length(const cJSON *array) {
  size_t count = 0;
  for (const cJSON *item = array->child; item; item = item->next) count++;
  return count;
}
