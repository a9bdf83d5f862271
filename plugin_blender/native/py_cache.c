/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_cache: _tribo.Cache, what a bake left in its folder.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "py_contacts.h"
#include "py_crossings.h"

/* `busy`: a call runs without the GIL; touched with the GIL held. */
typedef struct py_cache {
  PyObject_HEAD tribo_cache *cache;
  bool busy;
} py_cache;

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"folder", NULL};
  PyObject *folder;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&", names, PyUnicode_FSConverter, &folder))
    return NULL;
  allocfunc alloc = __extension__(allocfunc) PyType_GetSlot(type, Py_tp_alloc);
  py_cache *c = (py_cache *)alloc(type, 0);
  if (c) {
    tribo_error err = {0};
    tribo_status status;
    const char *path = PyBytes_AsString(folder);
    PyThreadState *away = PyEval_SaveThread();
    status = tribo_cache_open(path, &c->cache, &err);
    PyEval_RestoreThread(away);
    if (status != TRIBO_OK) {
      native_raise(native_of((PyObject *)c), &err);
      Py_DECREF((PyObject *)c);
      c = NULL;
    }
  }
  Py_DECREF(folder);
  return (PyObject *)c;
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  tribo_cache_free(((py_cache *)self)->cache);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *text_of(const char *text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *about(PyObject *self, PyObject *unused) {
  (void)unused;
  const tribo_cache_info *i = tribo_cache_about(((py_cache *)self)->cache);
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, i->scene_hash);
  return Py_BuildValue("{s:s,s:N,s:s,s:s,s:s,s:i,s:i,s:i,s:d,s:i,s:i,s:N,s:N,s:N,s:N}", "status",
                       i->status, "message", text_of(i->message), "version", i->version,
                       "linear_solver", i->linear_solver, "scene_hash", hash, "start", i->start,
                       "end", i->end, "frames", i->frames, "fps", i->fps, "substeps", i->substeps,
                       "threads", i->threads, "deterministic", PyBool_FromLong(i->deterministic),
                       "contacts", PyBool_FromLong(i->contacts), "states",
                       PyBool_FromLong(i->states), "verdict", PyBool_FromLong(i->verdict));
}

static PyObject *objects(PyObject *self, PyObject *unused) {
  (void)unused;
  const tribo_cache *cache = ((py_cache *)self)->cache;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < tribo_cache_about(cache)->object_count; i++) {
    tribo_cache_object o;
    tribo_cache_object_at(cache, i, &o, NULL);
    PyObject *entry = Py_BuildValue("{s:N,s:s,s:n,s:i}", "name", text_of(o.name), "kind",
                                    tribo_kind_at((size_t)o.kind)->name, "vertex_count",
                                    (Py_ssize_t)o.vertex_count, "frames", o.frames);
    if (!entry || PyList_Append(list, entry) != 0) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static bool begin(const native_state *state, py_cache *c) {
  if (c->busy) native_refuse(state, "the cache is being read by another thread");
  bool free = !c->busy;
  c->busy = true;
  return free;
}

static PyObject *positions(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"index", "frame", "out", "transform", NULL};
  py_cache *c = (py_cache *)self;
  const native_state *state = native_of(self);
  Py_ssize_t index;
  int frame;
  PyObject *out, *through = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "niO|O", names, &index, &frame, &out, &through))
    return NULL;
  transform t;
  bool has;
  if (!transform_read(state, "Cache.positions: transform", through, &has, &t)) return NULL;
  tribo_error err = {0};
  tribo_cache_object object;
  if (tribo_cache_object_at(c->cache, (size_t)index, &object, &err) != TRIBO_OK)
    return native_raise(state, &err);
  if (!begin(state, c)) return NULL;
  double *x = malloc((3 * object.vertex_count + 1) * sizeof *x);
  tribo_status status = TRIBO_OK;
  if (x) {
    PyThreadState *away = PyEval_SaveThread();
    status = tribo_cache_positions(c->cache, (size_t)index, frame, x, &err);
    PyEval_RestoreThread(away);
  }
  c->busy = false;
  bool ok = x && status == TRIBO_OK;
  if (!x)
    PyErr_NoMemory();
  else if (status != TRIBO_OK)
    native_raise(state, &err);
  else
    ok = buffers_write(state, "Cache.positions: out", x, object.vertex_count, has ? &t : NULL, out);
  free(x);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static const char *name_of(const void *cache, size_t object) {
  tribo_cache_object o;
  return tribo_cache_object_at(cache, object, &o, NULL) == TRIBO_OK ? o.name : "";
}

static PyObject *contacts(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"frame", NULL};
  py_cache *c = (py_cache *)self;
  const native_state *state = native_of(self);
  int frame;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "i", names, &frame)) return NULL;
  if (!begin(state, c)) return NULL;
  const tribo_contact *found;
  size_t count;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_cache_contacts(c->cache, frame, &found, &count, &err);
  PyEval_RestoreThread(away);
  PyObject *result = status == TRIBO_OK ? py_contacts_create(state, found, count, name_of, c->cache)
                                        : native_raise(state, &err);
  c->busy = false;
  return result;
}

static PyObject *verdict(PyObject *self, PyObject *unused) {
  (void)unused;
  py_cache *c = (py_cache *)self;
  const native_state *state = native_of(self);
  if (!tribo_cache_about(c->cache)->verdict) return Py_NewRef(Py_None);
  if (!begin(state, c)) return NULL;
  const tribo_verdict *found;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_cache_verdict(c->cache, &found, &err);
  PyEval_RestoreThread(away);
  PyObject *result = status == TRIBO_OK ? py_crossings_verdict(found) : native_raise(state, &err);
  c->busy = false;
  return result;
}

static PyObject *crossings(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"frame", NULL};
  py_cache *c = (py_cache *)self;
  const native_state *state = native_of(self);
  int frame;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "i", names, &frame)) return NULL;
  if (!begin(state, c)) return NULL;
  const tribo_crossing *found;
  size_t count;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_cache_crossings(c->cache, frame, &found, &count, &err);
  PyEval_RestoreThread(away);
  PyObject *result =
      status == TRIBO_OK ? py_crossings_list(found, count) : native_raise(state, &err);
  c->busy = false;
  return result;
}

static PyObject *pierced(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"frame", "object", NULL};
  py_cache *c = (py_cache *)self;
  const native_state *state = native_of(self);
  int frame;
  PyObject *object;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "iU", names, &frame, &object)) return NULL;
  PyObject *name = PyUnicode_AsUTF8String(object);
  if (!name) return NULL;
  PyObject *result = NULL;
  if (begin(state, c)) {
    const int32_t *found;
    size_t count;
    tribo_error err = {0};
    const char *text = PyBytes_AsString(name);
    PyThreadState *away = PyEval_SaveThread();
    tribo_status status = tribo_cache_pierced(c->cache, frame, text, &found, &count, &err);
    PyEval_RestoreThread(away);
    result = status == TRIBO_OK ? py_crossings_triangles(found, count) : native_raise(state, &err);
    c->busy = false;
  }
  Py_DECREF(name);
  return result;
}

static PyObject *states(PyObject *self, PyObject *unused) {
  (void)unused;
  int *frames;
  size_t count;
  tribo_error err = {0};
  if (tribo_cache_states(((py_cache *)self)->cache, &frames, &count, &err) != TRIBO_OK)
    return native_raise(native_of(self), &err);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++)
    if (PyList_SetItem(list, (Py_ssize_t)i, PyLong_FromLong(frames[i])) != 0) Py_CLEAR(list);
  free(frames);
  return list;
}

static PyMethodDef methods[] = {
    {"about", about, METH_NOARGS, "What bake.json says."},
    {"objects", objects, METH_NOARGS, "The simulated objects."},
    {"positions", METHOD(positions), METH_VARARGS | METH_KEYWORDS, "Of an object at a frame."},
    {"contacts", METHOD(contacts), METH_VARARGS | METH_KEYWORDS, "The contacts of a frame."},
    {"verdict", verdict, METH_NOARGS, "What is to be said of the frames that are there."},
    {"crossings", METHOD(crossings), METH_VARARGS | METH_KEYWORDS, "What crosses at a frame."},
    {"pierced", METHOD(pierced), METH_VARARGS | METH_KEYWORDS, "Triangles pierced at a frame."},
    {"states", states, METH_NOARGS, "Frames from which a bake can go on."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "What a bake left in its folder."},
                              {Py_tp_new, SLOT(create)},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec cache_spec = {.name = "_tribo.Cache",
                          .basicsize = sizeof(py_cache),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                          .slots = slots};
