/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json: JSON text under construction. What comes out is valid JSON whatever goes in: numbers read
 * back to the same bits and have a point in any locale, what is not finite becomes null, control
 * characters are escaped. Commas come by themselves.
 *
 *   json_text j = {.pretty = true};
 *   json_open(&j, '{');
 *   json_key(&j, "frame");
 *   json_integer(&j, 7);
 *   json_close(&j, '}');
 *   if (j.failed) ... out of memory ...
 */
#ifndef CACHE_JSON_H
#define CACHE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_text {
  char *data; /* closed by a 0 once something was written */
  size_t size, capacity;
  bool pretty; /* an item a line */
  int depth;
  bool failed; /* memory ran out; what follows is dropped */
} json_text;

void json_open(json_text *j, char bracket);
void json_close(json_text *j, char bracket);
void json_key(json_text *j, const char *key);

void json_string(json_text *j, const char *text);
void json_number(json_text *j, double value);
void json_integer(json_text *j, int64_t value);
void json_bool(json_text *j, bool value);

void json_newline(json_text *j);
void json_free(json_text *j);

#endif
