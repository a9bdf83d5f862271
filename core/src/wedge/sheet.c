/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sheet: the contact sheet, a page that holds its figures and shows the pictures beside it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "wedge/embedded.h"
#include "wedge/outcome.h"

/* JSON within a script of a page: "</script>" in a label must not end it. Free with free(). */
static char *without_tags(const char *json) {
  char *out = malloc(6 * strlen(json) + 1), *to = out;
  for (; out && *json; json++) {
    if (*json == '<')
      to += snprintf(to, 7, "\\u003c");
    else
      *to++ = *json;
  }
  if (out) *to = 0;
  return out;
}

static tribo_status write_filled(const tribo_wedge *w, const char *file, const char *name,
                                 const embedded_word *words, size_t count, tribo_error *err) {
  char *text = embedded_fill(name, words, count), *path = file_join(w->folder, file);
  tribo_status status =
      text && path ? file_write(path, text, strlen(text), err) : status_no_memory(err, file);
  free(text);
  free(path);
  return status;
}

tribo_status sheet_write(const tribo_wedge *w, tribo_error *err) {
  char *json, *safe;
  TRY(outcome_report(w, &json, err));
  safe = without_tags(json);
  free(json);
  if (!safe) return status_no_memory(err, "the sheet");
  const embedded_word words[] = {{"@DATA@", safe}};
  tribo_status status = write_filled(w, "sheet.html", "sheet.html", words, 1, err);
  free(safe);
  return status;
}
