/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The letter of the items: 'f' of "f", "<f" and so on; 0 for what is not one native number. */
static char item_of(const Py_buffer *view) {
  const char *format = view->format ? view->format : "B";
  if (*format == '@' || *format == '=' || *format == '<') format++; /* x86-64: little end first */
  return strlen(format) == 1 ? *format : 0;
}

static bool open_buffer(const native_state *state, const char *what, const char *items,
                        PyObject *object, int flags, Py_buffer *view) {
  if (!PyObject_CheckBuffer(object)) {
    PyObject *name = PyType_GetQualName(Py_TYPE(object));
    PyObject *text = name ? PyUnicode_AsUTF8String(name) : NULL;
    if (text)
      native_refuse(state, "%s: a buffer of %s is needed, say array.array; this is a %s", what,
                    items, PyBytes_AsString(text));
    Py_XDECREF(text);
    Py_XDECREF(name);
    return false;
  }
  if (PyObject_GetBuffer(object, view, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) == 0) return true;
  if (!PyErr_ExceptionMatches(PyExc_BufferError)) return false;
  PyErr_Clear();
  native_refuse(state, "%s: the buffer is not C-contiguous%s; make a plain array.array of it", what,
                flags & PyBUF_WRITABLE ? " or is read-only" : "");
  return false;
}

static bool wrong_item(const native_state *state, const char *what, const char *items,
                       Py_buffer *view) {
  native_refuse(state, "%s: the items are '%.20s'; give a buffer of %s", what,
                view->format ? view->format : "B", items);
  PyBuffer_Release(view);
  return false;
}

/* ---- reals ----------------------------------------------------------------------------------- */

static const char REALS[] = "'f' or 'd'";

static bool widen(reals *r) {
  const float *from = r->view.buf;
  r->copy = malloc((r->count + 1) * sizeof *r->copy);
  if (!r->copy) {
    PyErr_NoMemory();
    return false;
  }
  for (size_t i = 0; i < r->count; i++) r->copy[i] = (double)from[i];
  r->values = r->copy;
  return true;
}

bool reals_read(const native_state *state, const char *what, PyObject *object, reals *out) {
  *out = (reals){0};
  if (!object || object == Py_None) return true;
  if (!open_buffer(state, what, REALS, object, 0, &out->view)) {
    out->view.obj = NULL;
    return false;
  }
  char item = item_of(&out->view);
  if (item != 'f' && item != 'd') return wrong_item(state, what, REALS, &out->view);
  out->count = (size_t)(out->view.len / out->view.itemsize);
  if (item == 'f') return widen(out);
  static const double nothing = 0;
  out->values = out->view.buf ? out->view.buf : &nothing;
  return true;
}

bool reals_read_exactly(const native_state *state, const char *what, PyObject *object, size_t count,
                        reals *out) {
  if (!reals_read(state, what, object, out)) return false;
  if (!out->values || out->count == count) return true;
  native_refuse(state, "%s: %zu numbers, but %zu are needed", what, out->count, count);
  return false;
}

double *reals_own(reals *r) {
  if (r->copy) return r->copy;
  r->copy = malloc((r->count + 1) * sizeof *r->copy);
  if (!r->copy) {
    PyErr_NoMemory();
    return NULL;
  }
  memcpy(r->copy, r->values, r->count * sizeof *r->copy);
  r->values = r->copy;
  return r->copy;
}

void reals_free(reals *r) {
  if (r->view.obj) PyBuffer_Release(&r->view);
  free(r->copy);
  *r = (reals){0};
}

/* ---- wholes ---------------------------------------------------------------------------------- */

bool wholes_read(const native_state *state, const char *what, PyObject *object, wholes *out) {
  static const char items[] = "'i' or 'I'";
  *out = (wholes){0};
  if (!object || object == Py_None) return true;
  if (!open_buffer(state, what, items, object, 0, &out->view)) {
    out->view.obj = NULL;
    return false;
  }
  char item = item_of(&out->view);
  bool fits = (item == 'i' || item == 'I' || item == 'l' || item == 'L') &&
              out->view.itemsize == (Py_ssize_t)sizeof(int32_t);
  if (!fits) return wrong_item(state, what, items, &out->view);
  out->count = (size_t)out->view.len / sizeof(int32_t);
  out->values = out->view.buf;
  return true;
}

void wholes_free(wholes *w) {
  if (w->view.obj) PyBuffer_Release(&w->view);
  *w = (wholes){0};
}

/* ---- transforms ------------------------------------------------------------------------------ */

bool transform_read(const native_state *state, const char *what, PyObject *object, bool *has,
                    transform *out) {
  reals given;
  *has = false;
  bool ok = reals_read_exactly(state, what, object, 16, &given);
  if (ok && given.values) {
    memcpy(out->m, given.values, sizeof out->m);
    *has = true;
    const double *last = out->m + 12;
    ok = last[0] == 0 && last[1] == 0 && last[2] == 0 && last[3] == 1;
    if (!ok)
      native_refuse(state, "%s: its last row is (%g, %g, %g, %g); it must be (0, 0, 0, 1)", what,
                    last[0], last[1], last[2], last[3]);
  }
  reals_free(&given);
  return ok;
}

void transform_points(const transform *t, double *points, size_t count) {
  const double *m = t->m;
  for (double *p = points; p < points + 3 * count; p += 3) {
    double x = p[0], y = p[1], z = p[2];
    for (size_t r = 0; r < 3; r++)
      p[r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3];
  }
}

void transform_directions(const transform *t, double *directions, size_t count) {
  transform turn = *t;
  turn.m[3] = turn.m[7] = turn.m[11] = 0;
  transform_points(&turn, directions, count);
}

bool transform_mirrors(const transform *t) {
  const double *m = t->m;
  double det = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]);
  return det < 0;
}

bool buffers_write(const native_state *state, const char *what, const double *points, size_t count,
                   const transform *through, PyObject *out) {
  Py_buffer view;
  if (!open_buffer(state, what, REALS, out, PyBUF_WRITABLE, &view)) return false;
  char item = item_of(&view);
  if (item != 'f' && item != 'd') return wrong_item(state, what, REALS, &view);
  size_t room = (size_t)(view.len / view.itemsize);
  if (room != 3 * count) {
    PyBuffer_Release(&view);
    native_refuse(state, "%s: room for %zu numbers, but %zu vertices have %zu", what, room, count,
                  3 * count);
    return false;
  }
  for (size_t v = 0; v < count; v++) {
    double p[3] = {points[3 * v], points[3 * v + 1], points[3 * v + 2]};
    if (through) transform_points(through, p, 1);
    for (size_t a = 0; a < 3; a++)
      if (item == 'f')
        ((float *)view.buf)[3 * v + a] = (float)p[a];
      else
        ((double *)view.buf)[3 * v + a] = p[a];
  }
  PyBuffer_Release(&view);
  return true;
}
