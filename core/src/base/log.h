/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * log: words for people, through the host's callback. A library never prints by itself.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "tribo/base.h"

typedef struct log_sink {
  tribo_log_fn write; /* NULL: silence */
  void *user;
} log_sink;

void log_write(const log_sink *sink, tribo_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
