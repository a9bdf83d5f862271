/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "py_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"

py_samples *py_samples_from(const native_state *state, const char *what, PyObject *object) {
  if (Py_IS_TYPE(object, (PyTypeObject *)state->samples_type)) return (py_samples *)object;
  native_refuse(state, "%s: must be Samples", what);
  return NULL;
}

static int init(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"start", "interval", "vertices", NULL};
  py_samples *s = (py_samples *)self;
  Py_ssize_t vertices = 0;
  double start, interval;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "dd|n", names, &start, &interval, &vertices))
    return -1;
  if (!isfinite(start) || !isfinite(interval) || interval <= 0 || vertices < 0) {
    native_refuse(native_of(self),
                  "Samples: start %g, interval %g, %zd vertices; the interval must be above 0",
                  start, interval, vertices);
    return -1;
  }
  free(s->values);
  s->values = NULL;
  s->count = s->capacity = 0;
  s->start = start;
  s->interval = interval;
  s->vertices = (size_t)vertices;
  s->width = vertices ? 3 * (size_t)vertices : 16;
  return 0;
}

static bool reserve(py_samples *s) {
  if (s->width == 0) return false; /* never initialised */
  if (s->count < s->capacity) return true;
  size_t capacity = s->capacity ? 2 * s->capacity : 16;
  if (capacity > SIZE_MAX / sizeof(double) / s->width) return false;
  double *values = realloc(s->values, capacity * s->width * sizeof *values);
  if (!values) return false;
  s->values = values;
  s->capacity = capacity;
  return true;
}

static PyObject *append(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"values", "transform", NULL};
  py_samples *s = (py_samples *)self;
  const native_state *state = native_of(self);
  PyObject *given, *through = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O", names, &given, &through)) return NULL;
  transform t;
  bool has;
  if (!transform_read(state, "Samples.append: transform", through, &has, &t)) return NULL;
  if (has && s->vertices == 0)
    return native_refuse(state, "Samples.append: a sample that is a transform takes no other");
  reals values;
  bool ok = reals_read_exactly(state, "Samples.append: values", given, s->width, &values);
  if (ok && !values.values) {
    native_refuse(state, "Samples.append: values are missing");
    ok = false;
  }
  if (ok && s->users) {
    native_refuse(state, "Samples.append: the samples are being read by another thread");
    ok = false;
  }
  if (ok && !reserve(s)) {
    PyErr_NoMemory();
    ok = false;
  }
  if (ok) {
    double *at = s->values + s->count * s->width;
    memcpy(at, values.values, s->width * sizeof *at);
    if (has) transform_points(&t, at, s->vertices);
    s->count++;
  }
  reals_free(&values);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static Py_ssize_t length(PyObject *self) { return (Py_ssize_t)((py_samples *)self)->count; }

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  free(((py_samples *)self)->values);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"append", METHOD(append), METH_VARARGS | METH_KEYWORDS, "One more sample."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "The motion of one object at equal steps of time."},
                              {Py_tp_init, SLOT(init)},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_methods, methods},
                              {Py_sq_length, SLOT(length)},
                              {0, NULL}};

PyType_Spec samples_spec = {.name = "_tribo.Samples",
                            .basicsize = sizeof(py_samples),
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                            .slots = slots};
