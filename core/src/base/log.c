/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_write(const log_sink *sink, tribo_log_level level, const char *format, ...) {
  if (!sink || !sink->write) return;
  char message[TRIBO_MESSAGE_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  sink->write(sink->user, level, message);
}
