/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * messages: what the core has to say while it runs, kept until Python asks.
 *
 * The caller holds a lock around every function.
 */
#ifndef NATIVE_MESSAGES_H
#define NATIVE_MESSAGES_H

#include "native.h"

enum { MESSAGES_MOST = 256 }; /* waiting at one time; the oldest go first */

typedef struct messages {
  struct message {
    tribo_log_level level;
    char *text;
  } items[MESSAGES_MOST];
  size_t count;
} messages;

void messages_add(messages *m, tribo_log_level level, const char *text);
void messages_clear(messages *m);

/* A list of (level, text), level being "debug", "info" or "warning". */
PyObject *messages_list(const messages *m);

#endif
