/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hou_say_add(hou_say *s, hou_severity severity, const char *text) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->items[i].text, text) == 0) return;
  char *copy = s->count < HOU_SAID_MOST ? strdup(text) : NULL;
  if (copy)
    s->items[s->count++] = (hou_said){severity, copy};
  else
    s->more++;
}

void hou_say_format(hou_say *s, hou_severity severity, const char *format, ...) {
  char text[2 * TRIBO_MESSAGE_SIZE];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  hou_say_add(s, severity, text);
}

void hou_say_clear(hou_say *s) {
  for (size_t i = 0; i < s->count; i++) free(s->items[i].text);
  s->count = s->more = 0;
}

tribo_status hou_fail(tribo_error *err, tribo_status status, const char *format, ...) {
  if (!err) return status;
  va_list values;
  va_start(values, format);
  vsnprintf(err->message, sizeof err->message, format, values);
  va_end(values);
  err->status = status;
  return status;
}

tribo_status hou_no_memory(tribo_error *err) {
  return hou_fail(err, TRIBO_NO_MEMORY,
                  "there is not enough memory for the geometry; use a "
                  "coarser mesh, or a smaller Cache Memory");
}
