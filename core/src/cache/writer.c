/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/utf8.h"

static void put(writer *w, const char *text, size_t size) {
  if (w->failed) return;
  if (!array_reserve(&w->data, &w->capacity, w->size + size + 1, 1)) {
    w->failed = true;
    return;
  }
  memcpy(w->data + w->size, text, size);
  w->size += size;
  w->data[w->size] = 0;
}

static void put_text(writer *w, const char *text) { put(w, text, strlen(text)); }

/* The last character says whether an item follows another one. */
static char last(const writer *w) { return w->size ? w->data[w->size - 1] : '\n'; }

static void line_break(writer *w) {
  put_text(w, "\n");
  for (int i = 0; i < w->depth; i++) put_text(w, "  ");
}

static void begin_item(writer *w) {
  char before = last(w);
  if (before == '\n' || before == ' ') return; /* first of all, or behind its key */
  if (before != '{' && before != '[') put_text(w, w->pretty ? "," : ", ");
  if (w->pretty) line_break(w);
}

void writer_open(writer *w, char bracket) {
  begin_item(w);
  put(w, &bracket, 1);
  w->depth++;
}

void writer_close(writer *w, char bracket) {
  w->depth--;
  bool empty = last(w) == '{' || last(w) == '[';
  if (w->pretty && !empty) line_break(w);
  put(w, &bracket, 1);
}

static void put_quoted(writer *w, const char *text) {
  put_text(w, "\"");
  for (size_t length; *text; text += length ? length : 1) {
    length = utf8_length(text);
    char escape[8];
    if (length == 0) {
      put_text(w, "\\ufffd");
    } else if (*text == '"' || *text == '\\') {
      snprintf(escape, sizeof escape, "\\%c", *text);
      put_text(w, escape);
    } else if ((unsigned char)*text < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text);
      put_text(w, escape);
    } else {
      put(w, text, length);
    }
  }
  put_text(w, "\"");
}

void writer_key(writer *w, const char *key) {
  begin_item(w);
  put_quoted(w, key);
  put_text(w, ": ");
}

void writer_string(writer *w, const char *text) {
  begin_item(w);
  put_quoted(w, text ? text : "");
}

void writer_number(writer *w, double value) {
  begin_item(w);
  if (!isfinite(value)) {
    put_text(w, "null");
    return;
  }
  char number[NUMBER_SIZE];
  for (int digits = 15; digits <= NUMBER_EXACT;
       digits++) { /* 0.1 rather than 0.10000000000000001 */
    double back;
    size_t length = number_print(number, value, digits);
    if (number_read(number, length, &back) && back == value) break;
  }
  put_text(w, number);
}

void writer_integer(writer *w, int64_t value) {
  begin_item(w);
  char number[32];
  snprintf(number, sizeof number, "%" PRId64, value);
  put_text(w, number);
}

void writer_bool(writer *w, bool value) {
  begin_item(w);
  put_text(w, value ? "true" : "false");
}

void writer_null(writer *w) {
  begin_item(w);
  put_text(w, "null");
}

void writer_numbers(writer *w, const double *values, size_t count) {
  writer_open(w, '[');
  for (size_t i = 0; i < count; i++) writer_number(w, values[i]);
  writer_close(w, ']');
}

void writer_newline(writer *w) { put_text(w, "\n"); }

void writer_free(writer *w) {
  free(w->data);
  *w = (writer){.pretty = w->pretty};
}
