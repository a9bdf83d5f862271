/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * writer: JSON text under construction. What comes out is valid JSON whatever goes in: numbers read
 * back to the same bits and have a point in any locale, what is not finite becomes null, control
 * characters are escaped, what is no UTF-8 becomes U+FFFD. Commas come by themselves.
 *
 *   writer w = {.pretty = true};
 *   writer_open(&w, '{');
 *   writer_key(&w, "frame");
 *   writer_integer(&w, 7);
 *   writer_close(&w, '}');
 *   if (w.failed) ... out of memory ...
 */
#ifndef CACHE_WRITER_H
#define CACHE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct writer {
  char *data; /* closed by a 0 once something was written */
  size_t size, capacity;
  bool pretty; /* an item a line */
  int depth;
  bool failed; /* memory ran out; what follows is dropped */
} writer;

void writer_open(writer *w, char bracket);
void writer_close(writer *w, char bracket);
void writer_key(writer *w, const char *key);

void writer_string(writer *w, const char *text);
void writer_number(writer *w, double value);
void writer_integer(writer *w, int64_t value);
void writer_bool(writer *w, bool value);
void writer_null(writer *w);
void writer_numbers(writer *w, const double *values, size_t count); /* a list */

void writer_newline(writer *w);

void writer_free(writer *w);

#endif
