/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scan: words and lines of a text file held in memory, with the line at hand for messages.
 *
 * Words are what stands between blanks; they end with their line at the latest. Nothing is copied
 * and nothing is read beyond `end`, so the text may hold any bytes, zeros included.
 */
#ifndef IO_SCAN_H
#define IO_SCAN_H

#include "base/status.h"

typedef struct scan {
  const char *name; /* stands for the file in messages */
  const char *at, *end;
  size_t line;        /* counted from 1 */
  bool continuations; /* a backslash before the end of a line joins it to the next */
} scan;

typedef struct scan_word {
  const char *text;
  size_t length;
} scan_word;

/* The next word of this line; false at its end. */
bool scan_next(scan *s, scan_word *out);

/* On to the start of the next line; false when there is none. */
bool scan_line(scan *s);

bool scan_is(scan_word word, const char *text);

/* The next word as a number, or a whole number; false when there is none or it is something else.
 * `word` gets what was found, for the message. */
bool scan_double(scan *s, scan_word *word, double *out);
bool scan_int(scan *s, scan_word *word, int64_t *out);

/* A word fit to stand in a message: quoted, cut when long, without control characters; "nothing"
 * for an empty one. */
typedef struct scan_quote {
  char text[48];
} scan_quote;
scan_quote scan_quoted(scan_word word);

/* TRIBO_BAD_INPUT with "'name' line 41: " in front; the second form for a line gone by. */
tribo_status scan_fail(const scan *s, tribo_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
tribo_status scan_fail_at(const scan *s, size_t line, tribo_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
