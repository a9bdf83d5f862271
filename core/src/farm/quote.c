/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "farm/quote.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cache/writer.h"

/* What stands for a character; NULL: itself. */
typedef const char *(*escape_of)(char c);

static const char *in_shell(char c) { return c == '\'' ? "'\\''" : NULL; }

static const char *in_xml(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return NULL;
  }
}

static char *escaped(const char *text, escape_of escape, const char *around) {
  enum { LONGEST = 6 };
  char *out = malloc(LONGEST * strlen(text) + 2 * strlen(around) + 1);
  if (!out) return NULL;
  strcpy(out, around);
  char *to = out + strlen(out);
  for (; *text; text++) {
    const char *by = escape(*text);
    if (by) strcpy(to, by);
    if (!by) *to = *text;
    to += by ? strlen(by) : 1;
  }
  strcpy(to, around);
  return out;
}

char *quote_shell(const char *text) { return escaped(text, in_shell, "'"); }

char *quote_xml(const char *text) { return escaped(text, in_xml, ""); }

char *quote_json(const char *text) {
  writer out = {.pretty = false};
  writer_string(&out, text);
  char *copy = out.failed ? NULL : text_copy(out.data);
  writer_free(&out);
  return copy;
}
