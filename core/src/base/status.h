/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * status: how a function says that it could not do its work.
 *
 * Every function that can fail returns a tribo_status and takes a tribo_error last. The message is
 * written once, where the fault is known best; callers pass the status up with TRY, and may put the
 * object's name in front with status_prefix.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "tribo/base.h"

/* Writes the message (when err is not NULL) and has the value `status`, so that
 * `return status_fail(...)` reads as one sentence. A macro, so that the compiler sees that the
 * value is not TRIBO_OK: it can then tell that what a failed call leaves unset is never read. */
#define status_fail(err, status, ...)                                                              \
  (status_write((err), (status), __VA_ARGS__), (tribo_status)(status))
#define status_no_memory(err, what)                                                                \
  status_fail((err), TRIBO_NO_MEMORY, "out of memory for %s", (what))

void status_write(tribo_error *err, tribo_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix" in front of a message already written. Returns err's status. */
tribo_status status_prefix(tribo_error *err, tribo_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define TRY(call)                                                                                  \
  do {                                                                                             \
    tribo_status try_status_ = (call);                                                             \
    if (try_status_ != TRIBO_OK) return try_status_;                                               \
  } while (0)

#endif
