/* Tribo: frictional contact that artists can direct.
 * Copyright (C) 2026 the Tribo authors. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Status, messages, version and logging: what every other public header builds on.
 */
#ifndef TRIBO_BASE_H
#define TRIBO_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRIBO_VERSION_MAJOR  0
#define TRIBO_VERSION_MINOR  1
#define TRIBO_VERSION_PATCH  0
#define TRIBO_VERSION_STRING "0.1.0"

#if defined(TRIBO_STATIC)
#define TRIBO_API
#else
#define TRIBO_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. Numerical outcomes (iterations, residuals) are in reports, not here. */
typedef enum tribo_status {
  TRIBO_OK = 0,
  TRIBO_BAD_INPUT,     /* the caller's data: the message names object, index, value and remedy */
  TRIBO_UNAVAILABLE,   /* an optional part (say MKL) is not on this machine */
  TRIBO_NO_MEMORY,     /* an allocation failed; nothing was changed */
  TRIBO_IO,            /* a file could not be read or written */
  TRIBO_NOT_CONVERGED, /* a step failed and the scene asks to stop there */
  TRIBO_CANCELLED      /* the caller's callback asked to stop */
} tribo_status;

#define TRIBO_MESSAGE_SIZE 1024

/* The most threads that may be asked for. */
#define TRIBO_MOST_THREADS 1024

/* Filled by a call that fails; may be NULL when the caller only wants the status. */
typedef struct tribo_error {
  tribo_status status;
  int code; /* of the message, in docs/errors.md; it stays when words change. 0: it has none */
  char message[TRIBO_MESSAGE_SIZE];
} tribo_error;

typedef enum tribo_log_level { TRIBO_LOG_DEBUG, TRIBO_LOG_INFO, TRIBO_LOG_WARNING } tribo_log_level;

/* Called from the thread that runs the step, never from several threads at once. */
typedef void (*tribo_log_fn)(void *user, tribo_log_level level, const char *message);

TRIBO_API const char *tribo_version(void);
TRIBO_API const char *tribo_status_name(tribo_status status);

/* Whether an optional part can be used, built in or found on this machine: "ipopt", "openexr",
 * "hdf5", "tetgen", "pardiso". False for a name that is none of them. */
TRIBO_API bool tribo_available(const char *part);

#ifdef __cplusplus
}
#endif

#endif
