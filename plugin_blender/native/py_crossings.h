/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_crossings: what crosses, and why a frame is rough, as Python's lists.
 */
#ifndef NATIVE_PY_CROSSINGS_H
#define NATIVE_PY_CROSSINGS_H

#include "native.h"

/* A dict each: object, other, count, new, at_start, depth, place, edge_of, edge, triangle. */
PyObject *py_crossings_list(const tribo_crossing *crossings, size_t count);

/* Triangles of three vertices each, as 'i' bytes. */
PyObject *py_crossings_triangles(const int32_t *triangles, size_t count);

/* Names of reasons, the gravest first. */
PyObject *py_crossings_reasons(unsigned reasons);

/* A count; None where it is below 0: nothing was counted. */
PyObject *py_crossings_count(int count);

PyObject *py_crossings_verdict(const tribo_verdict *verdict);

#endif
