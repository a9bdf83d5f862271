/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct fault {
  int code;
  const char *format;
} fault;

#define FAULT(code, format) {code, format},
static const fault FAULTS[] = {
#include "base/faults.inl"
};
#undef FAULT

/* The code of a message by its format; 0: the catalogue lacks it (scripts/error_codes). */
static int code_of(const char *format) {
  for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++)
    if (!strcmp(FAULTS[i].format, format)) return FAULTS[i].code;
  return 0;
}

const char *tribo_version(void) { return TRIBO_VERSION_STRING; }

const char *tribo_status_name(tribo_status status) {
  switch (status) {
    case TRIBO_OK: return "ok";
    case TRIBO_BAD_INPUT: return "bad input";
    case TRIBO_UNAVAILABLE: return "unavailable";
    case TRIBO_NO_MEMORY: return "out of memory";
    case TRIBO_IO: return "file error";
    case TRIBO_NOT_CONVERGED: return "did not converge";
    case TRIBO_CANCELLED: return "cancelled";
  }
  return "unknown status";
}

void status_write(tribo_error *err, tribo_status status, const char *format, ...) {
  if (!err) return;
  va_list args;
  va_start(args, format);
  err->status = status;
  err->code = code_of(format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
}

tribo_status status_prefix(tribo_error *err, tribo_status status, const char *format, ...) {
  if (status != TRIBO_OK && err) {
    char rest[TRIBO_MESSAGE_SIZE];
    memcpy(rest, err->message, sizeof rest);
    va_list args;
    va_start(args, format);
    int written = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (written >= 0 && (size_t)written < sizeof err->message)
      snprintf(err->message + written, sizeof err->message - (size_t)written, "%.*s",
               (int)(sizeof err->message - (size_t)written - 1), rest);
  }
  return status;
}
