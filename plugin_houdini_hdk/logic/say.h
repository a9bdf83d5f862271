/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * say: what there is to tell on the node, and errors with a place and a remedy.
 */
#ifndef HOUDINI_SAY_H
#define HOUDINI_SAY_H

#include <tribo/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hou_severity { HOU_NOTE, HOU_WARNING, HOU_ERROR } hou_severity;

typedef struct hou_said {
  hou_severity severity;
  char *text;
} hou_said;

/* The same text is kept once, and at most HOU_SAID_MOST of them; more are counted. */
enum { HOU_SAID_MOST = 24 };

typedef struct hou_say {
  hou_said items[HOU_SAID_MOST];
  size_t count, more;
} hou_say;

void hou_say_add(hou_say *s, hou_severity severity, const char *text);
void hou_say_format(hou_say *s, hou_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hou_say_clear(hou_say *s);

/* Fills an error; err may be NULL. Returns the status. */
tribo_status hou_fail(tribo_error *err, tribo_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
tribo_status hou_no_memory(tribo_error *err);

#ifdef __cplusplus
}
#endif

#endif
