/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * buffers: arrays of Python as the core wants them, through the buffer protocol.
 *
 * Anything C-contiguous serves: array.array, bytes, memoryview. A buffer of doubles is read in
 * place; floats are widened into a copy, which is also where a transform is applied. Transforms are
 * 16 numbers, row by row, and act in double precision.
 */
#ifndef NATIVE_BUFFERS_H
#define NATIVE_BUFFERS_H

#include "native.h"

/* Doubles to read. Release with reals_free, also when reals_read failed or nothing was read. */
typedef struct reals {
  const double *values; /* NULL: None was given */
  size_t count;
  Py_buffer view;
  double *copy;
} reals;

typedef struct wholes {
  const int32_t *values;
  size_t count;
  Py_buffer view;
} wholes;

/* Reads a buffer of 'f' or 'd'; `what` names it in messages. None leaves values NULL. */
bool reals_read(const native_state *state, const char *what, PyObject *object, reals *out);
/* The same, and there must be `count` of them. */
bool reals_read_exactly(const native_state *state, const char *what, PyObject *object, size_t count,
                        reals *out);
void reals_free(reals *r);

/* The values as memory of our own, to be changed. NULL, with MemoryError, when there is none. */
double *reals_own(reals *r);

/* Of 'i' or 'I'. A number beyond int32 turns negative, which the core refuses by its index. */
bool wholes_read(const native_state *state, const char *what, PyObject *object, wholes *out);
void wholes_free(wholes *w);

/* A transform of 16 numbers; *has is false for None. The last row must be 0 0 0 1. */
typedef struct transform {
  double m[16];
} transform;

bool transform_read(const native_state *state, const char *what, PyObject *object, bool *has,
                    transform *out);
void transform_points(const transform *t, double *points, size_t count);
void transform_directions(const transform *t, double *directions, size_t count);
bool transform_mirrors(const transform *t);

/* Positions of the core into a writable buffer of 'f', or 'd', through the transform (may be NULL).
 */
bool buffers_write(const native_state *state, const char *what, const double *points, size_t count,
                   const transform *through, PyObject *out);

#endif
