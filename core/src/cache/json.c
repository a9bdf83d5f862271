/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static void put(json_text *j, const char *text, size_t size) {
  if (j->failed) return;
  if (!array_reserve((void **)&j->data, &j->capacity, j->size + size + 1, 1)) {
    j->failed = true;
    return;
  }
  memcpy(j->data + j->size, text, size);
  j->size += size;
  j->data[j->size] = 0;
}

static void put_text(json_text *j, const char *text) { put(j, text, strlen(text)); }

/* The last character says whether an item follows another one. */
static char last(const json_text *j) { return j->size ? j->data[j->size - 1] : '\n'; }

static void line_break(json_text *j) {
  put_text(j, "\n");
  for (int i = 0; i < j->depth; i++) put_text(j, "  ");
}

static void begin_item(json_text *j) {
  char before = last(j);
  if (before == '\n' || before == ' ') return; /* first of all, or behind its key */
  if (before != '{' && before != '[') put_text(j, j->pretty ? "," : ", ");
  if (j->pretty) line_break(j);
}

void json_open(json_text *j, char bracket) {
  begin_item(j);
  put(j, &bracket, 1);
  j->depth++;
}

void json_close(json_text *j, char bracket) {
  j->depth--;
  bool empty = last(j) == '{' || last(j) == '[';
  if (j->pretty && !empty) line_break(j);
  put(j, &bracket, 1);
}

static void put_quoted(json_text *j, const char *text) {
  put_text(j, "\"");
  for (const char *c = text; *c; c++) {
    char escape[8];
    if (*c == '"' || *c == '\\')
      snprintf(escape, sizeof escape, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      snprintf(escape, sizeof escape, "%c", *c);
    put_text(j, escape);
  }
  put_text(j, "\"");
}

void json_key(json_text *j, const char *key) {
  begin_item(j);
  put_quoted(j, key);
  put_text(j, ": ");
}

void json_string(json_text *j, const char *text) {
  begin_item(j);
  put_quoted(j, text ? text : "");
}

/* The host program may have chosen a locale with another decimal mark, even one of several bytes:
 * whatever is no part of a number otherwise is that mark. */
static void point_as_json(char *number) {
  char *to = number;
  for (const char *from = number; *from; from++) {
    if (strchr("0123456789+-e", *from))
      *to++ = *from;
    else if (to == number || to[-1] != '.')
      *to++ = '.';
  }
  *to = 0;
}

void json_number(json_text *j, double value) {
  begin_item(j);
  if (!isfinite(value)) {
    put_text(j, "null");
    return;
  }
  char number[64];
  for (int digits = 15; digits <= 17; digits++) { /* 17 always read back the same */
    snprintf(number, sizeof number, "%.*g", digits, value);
    if (strtod(number, NULL) == value) break;
  }
  point_as_json(number);
  put_text(j, number);
}

void json_integer(json_text *j, int64_t value) {
  begin_item(j);
  char number[32];
  snprintf(number, sizeof number, "%" PRId64, value);
  put_text(j, number);
}

void json_bool(json_text *j, bool value) {
  begin_item(j);
  put_text(j, value ? "true" : "false");
}

void json_newline(json_text *j) { put_text(j, "\n"); }

void json_free(json_text *j) {
  free(j->data);
  *j = (json_text){.pretty = j->pretty};
}
