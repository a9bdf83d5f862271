/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f';
}

/* How long the joint of two lines at hand is (a backslash and the line's end); 0: there is none. */
static size_t joint(const scan *s) {
  if (*s->at != '\\' || !s->continuations) return 0;
  const char *after = s->at + 1;
  if (after < s->end && *after == '\r') after++;
  return after < s->end && *after == '\n' ? (size_t)(after + 1 - s->at) : 0;
}

bool scan_next(scan *s, scan_word *out) {
  while (s->at < s->end) {
    size_t skip = joint(s);
    if (skip)
      s->line++;
    else if (is_blank(*s->at))
      skip = 1;
    else
      break;
    s->at += skip;
  }
  const char *first = s->at;
  while (s->at < s->end && *s->at != '\n' && !is_blank(*s->at) && !joint(s)) s->at++;
  *out = (scan_word){first, (size_t)(s->at - first)};
  return out->length > 0;
}

bool scan_line(scan *s) {
  const char *newline = s->at < s->end ? memchr(s->at, '\n', (size_t)(s->end - s->at)) : NULL;
  s->at = newline ? newline + 1 : s->end;
  s->line += newline != NULL;
  return s->at < s->end;
}

bool scan_is(scan_word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool scan_double(scan *s, scan_word *word, double *out) {
  return scan_next(s, word) && number_read(word->text, word->length, out);
}

bool scan_int(scan *s, scan_word *word, int64_t *out) {
  return scan_next(s, word) && number_read_int(word->text, word->length, out);
}

scan_quote scan_quoted(scan_word word) {
  scan_quote quote = {"nothing"};
  if (!word.length) return quote;
  enum { LONGEST = 40 };
  size_t length = word.length < LONGEST ? word.length : LONGEST, at = 0;
  quote.text[at++] = '\'';
  for (size_t i = 0; i < length; i++) {
    char letter = word.text[i];
    quote.text[at++] = letter >= ' ' && letter <= '~' ? letter : '?';
  }
  memcpy(quote.text + at, length < word.length ? "...'" : "'", length < word.length ? 5 : 2);
  return quote;
}

static tribo_status fail(const scan *s, size_t line, tribo_error *err, const char *format,
                         va_list args) {
  char message[TRIBO_MESSAGE_SIZE];
  vsnprintf(message, sizeof message, format, args);
  return status_fail(err, TRIBO_BAD_INPUT, "'%s' line %zu: %s", s->name, line, message);
}

tribo_status scan_fail(const scan *s, tribo_error *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tribo_status status = fail(s, s->line, err, format, args);
  va_end(args);
  return status;
}

tribo_status scan_fail_at(const scan *s, size_t line, tribo_error *err, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tribo_status status = fail(s, line, err, format, args);
  va_end(args);
  return status;
}
