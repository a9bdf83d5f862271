/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_samples: _tribo.Samples, the motion of an object or of pin targets at equal steps of time.
 */
#ifndef NATIVE_PY_SAMPLES_H
#define NATIVE_PY_SAMPLES_H

#include "native.h"

typedef struct py_samples {
  PyObject_HEAD double start, interval; /* frames */
  size_t vertices;                      /* 0: transforms */
  size_t width;                         /* numbers a sample */
  size_t count, capacity;               /* samples */
  double *values;
  int users; /* calls of the core that read the values: meanwhile nothing is appended */
} py_samples;

/* `object` as Samples; NULL with an error that begins with `what` when it is not. */
py_samples *py_samples_from(const native_state *state, const char *what, PyObject *object);

#endif
