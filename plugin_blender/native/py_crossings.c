/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "py_crossings.h"

#include <string.h>

static PyObject *text_of(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *crossing_dict(const tribo_crossing *c) {
  return Py_BuildValue("{s:N,s:N,s:i,s:i,s:i,s:d,s:(ddd),s:N,s:(ii),s:(iii)}", "object",
                       text_of(c->object), "other", text_of(c->other), "count", c->count, "new",
                       c->new_count, "at_start", c->at_start, "depth", c->depth, "place",
                       c->place[0], c->place[1], c->place[2], "edge_of", text_of(c->edge_of),
                       "edge", (int)c->edge[0], (int)c->edge[1], "triangle", (int)c->triangle[0],
                       (int)c->triangle[1], (int)c->triangle[2]);
}

PyObject *py_crossings_list(const tribo_crossing *crossings, size_t count) {
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *entry = crossing_dict(&crossings[i]);
    if (!entry || PyList_SetItem(list, (Py_ssize_t)i, entry) != 0) Py_CLEAR(list);
  }
  return list;
}

PyObject *py_crossings_triangles(const int32_t *triangles, size_t count) {
  return PyBytes_FromStringAndSize((const char *)triangles,
                                   (Py_ssize_t)(3 * count * sizeof *triangles));
}

PyObject *py_crossings_reasons(unsigned reasons) {
  static const char *const names[] = {"energy", "crossings", "deep", "tangled", "steps"};
  PyObject *list = PyList_New(0);
  for (size_t k = 0; list && k < sizeof names / sizeof *names; k++) {
    if (!(reasons >> k & 1)) continue;
    PyObject *name = text_of(names[k]);
    if (!name || PyList_Append(list, name) != 0) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

PyObject *py_crossings_count(int count) {
  return count < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(count);
}

static PyObject *ranges_of(const tribo_verdict *v) {
  PyObject *list = PyList_New((Py_ssize_t)v->range_count);
  for (size_t i = 0; list && i < v->range_count; i++) {
    PyObject *range = Py_BuildValue("(ii)", v->ranges[i].first, v->ranges[i].last);
    if (!range || PyList_SetItem(list, (Py_ssize_t)i, range) != 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *worst_reason(const tribo_verdict *v) {
  PyObject *list = py_crossings_reasons(v->worst_reason);
  if (!list) return NULL;
  PyObject *first = PyList_Size(list) ? Py_NewRef(PyList_GetItem(list, 0)) : text_of("");
  Py_DECREF(list);
  return first;
}

PyObject *py_crossings_verdict(const tribo_verdict *v) {
  return Py_BuildValue("{s:N,s:i,s:i,s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:i,s:N,s:i}", "text",
                       text_of(v->text), "frames", v->frames, "rough", v->rough, "ranges",
                       ranges_of(v), "reasons", py_crossings_reasons(v->reasons), "worst",
                       v->rough ? PyLong_FromLong(v->worst) : Py_NewRef(Py_None), "worst_reason",
                       worst_reason(v), "object", text_of(v->object), "other", text_of(v->other),
                       "figure", v->figure, "depth", v->depth, "counted", v->counted,
                       "last_crossings", py_crossings_count(v->last_crossings),
                       "last_new_crossings", v->last_new_crossings);
}
