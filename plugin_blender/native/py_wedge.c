/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "py_wedge.h"

#include <stdlib.h>

#include "py_scene.h"

#define ATTEMPT "_tribo.attempt"

enum { MOST_VALUES = 64 };

static PyObject *finish(const native_state *state, tribo_status status, const tribo_error *err) {
  return status == TRIBO_OK ? Py_NewRef(Py_None) : native_raise(state, err);
}

/* ---- making one ---- */

/* The keys and values of a scene, which belong to lists that the caller keeps. */
typedef struct labels {
  const char *keys[MOST_VALUES], *values[MOST_VALUES];
  PyObject *kept[2 * MOST_VALUES];
  size_t count, kept_count;
} labels;

static const char *keep_text(labels *l, PyObject *text) {
  PyObject *bytes = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8String(text) : NULL;
  if (!bytes) return NULL;
  l->kept[l->kept_count++] = bytes;
  return PyBytes_AsString(bytes);
}

static bool read_labels(const native_state *state, PyObject *pairs, labels *out) {
  Py_ssize_t count = PyList_Check(pairs) ? PyList_Size(pairs) : -1;
  bool fine = count >= 0 && count <= MOST_VALUES;
  for (Py_ssize_t i = 0; fine && i < count; i++) {
    PyObject *pair = PyList_GetItem(pairs, i);
    fine = PyTuple_Check(pair) && PyTuple_Size(pair) == 2;
    if (!fine) break;
    const char *key = keep_text(out, PyTuple_GetItem(pair, 0)),
               *value = keep_text(out, PyTuple_GetItem(pair, 1));
    fine = key && value;
    out->keys[out->count] = key;
    out->values[out->count++] = value;
  }
  if (fine) return true;
  PyErr_Clear();
  native_refuse(state, "wedge: a list of up to %d pairs of texts is needed for each scene",
                MOST_VALUES);
  return false;
}

/* item: (path of a scene file, [(key, value as JSON), ...]). */
static bool add_item(const native_state *state, tribo_wedge *wedge, PyObject *item) {
  const char *path;
  PyObject *pairs;
  if (!PyTuple_Check(item) || !PyArg_ParseTuple(item, "sO", &path, &pairs)) {
    PyErr_Clear();
    native_refuse(state, "wedge: pairs of a scene file and its values are needed");
    return false;
  }
  labels l = {.count = 0};
  tribo_error err = {0};
  bool ok = read_labels(state, pairs, &l);
  if (ok && tribo_wedge_add(wedge, path, l.keys, l.values, l.count, &err) != TRIBO_OK) {
    native_raise(state, &err);
    ok = false;
  }
  for (size_t i = 0; i < l.kept_count; i++) Py_DECREF(l.kept[i]);
  return ok;
}

PyObject *py_wedge_write(PyObject *module, PyObject *args) {
  const native_state *state = PyModule_GetState(module);
  const char *folder;
  PyObject *items;
  if (!PyArg_ParseTuple(args, "sO", &folder, &items)) return NULL;
  if (!PyList_Check(items)) return native_refuse(state, "wedge: a list of scenes is needed");
  tribo_wedge *wedge;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_create(folder, &wedge, &err);
  bool ok = status == TRIBO_OK;
  if (!ok) native_raise(state, &err);
  for (Py_ssize_t i = 0; ok && i < PyList_Size(items); i++)
    ok = add_item(state, wedge, PyList_GetItem(items, i));
  PyObject *result = NULL;
  if (ok) {
    status = tribo_wedge_write(wedge, &err);
    result = finish(state, status, &err);
  }
  tribo_wedge_free(wedge);
  return result;
}

/* ---- looking at one ---- */

static tribo_wedge *open_wedge(const native_state *state, const char *folder) {
  tribo_wedge *wedge;
  tribo_error err = {0};
  if (tribo_wedge_open(folder, &wedge, &err) == TRIBO_OK) return wedge;
  native_raise(state, &err);
  return NULL;
}

PyObject *py_wedge_report(PyObject *module, PyObject *args) {
  const native_state *state = PyModule_GetState(module);
  const char *folder;
  if (!PyArg_ParseTuple(args, "s", &folder)) return NULL;
  tribo_wedge *wedge = open_wedge(state, folder);
  if (!wedge) return NULL;
  char *json = NULL;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_report(wedge, &json, &err);
  tribo_wedge_free(wedge);
  if (status != TRIBO_OK) return native_raise(state, &err);
  PyObject *text = PyUnicode_FromString(json);
  free(json);
  return text;
}

PyObject *py_wedge_sheet(PyObject *module, PyObject *args) {
  const native_state *state = PyModule_GetState(module);
  const char *folder;
  if (!PyArg_ParseTuple(args, "s", &folder)) return NULL;
  tribo_wedge *wedge = open_wedge(state, folder);
  if (!wedge) return NULL;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_sheet(wedge, &err);
  tribo_wedge_free(wedge);
  return finish(state, status, &err);
}

/* ---- baking one ---- */

/* An attempt that nobody ended was given up with Python itself. */
static void drop_attempt(PyObject *capsule) {
  tribo_wedge_attempt *attempt = PyCapsule_GetPointer(capsule, ATTEMPT);
  if (attempt && !PyCapsule_GetContext(capsule))
    tribo_wedge_attempt_end(attempt, -1, 0, 0, "given up");
}

PyObject *py_wedge_begin(PyObject *module, PyObject *args) {
  const native_state *state = PyModule_GetState(module);
  const char *folder;
  Py_ssize_t number;
  if (!PyArg_ParseTuple(args, "sn", &folder, &number)) return NULL;
  tribo_wedge *wedge = open_wedge(state, folder);
  if (!wedge) return NULL;
  tribo_wedge_attempt *attempt;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_attempt_begin(wedge, (size_t)number, &attempt, &err);
  tribo_wedge_free(wedge);
  if (status != TRIBO_OK) return native_raise(state, &err);
  PyObject *capsule = PyCapsule_New(attempt, ATTEMPT, drop_attempt);
  if (!capsule) tribo_wedge_attempt_end(attempt, -1, 0, 0, "");
  return capsule;
}

PyObject *py_wedge_end(PyObject *module, PyObject *args) {
  const native_state *state = PyModule_GetState(module);
  PyObject *capsule;
  int code;
  const char *message;
  if (!PyArg_ParseTuple(args, "Ois", &capsule, &code, &message)) return NULL;
  if (!PyCapsule_IsValid(capsule, ATTEMPT) || PyCapsule_GetContext(capsule))
    return native_refuse(state, "wedge: an attempt that was begun and not ended is needed");
  tribo_wedge_attempt_end(PyCapsule_GetPointer(capsule, ATTEMPT), code, 0, 0, message);
  PyCapsule_SetContext(capsule, capsule); /* ended */
  return Py_NewRef(Py_None);
}

PyObject *py_read_scene(PyObject *module, PyObject *args) {
  const native_state *state = PyModule_GetState(module);
  const char *path;
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  tribo_scene *scene;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_scene_read(path, &scene, &err);
  PyEval_RestoreThread(away);
  if (status != TRIBO_OK) return native_raise(state, &err);
  py_scene *made = (py_scene *)PyObject_CallNoArgs(state->scene_type);
  if (!made) {
    tribo_scene_free(scene);
    return NULL;
  }
  tribo_scene_free(made->scene);
  made->scene = scene;
  return (PyObject *)made;
}

/* ---- farms ---- */

PyObject *py_farm_engines(PyObject *module, PyObject *args) {
  (void)module;
  (void)args;
  PyObject *list = PyList_New(0);
  const tribo_farm_engine *e;
  for (size_t i = 0; list && (e = tribo_farm_engine_at(i)); i++) {
    PyObject *row = Py_BuildValue("{s:s,s:s,s:s,s:s}", "name", e->name, "title", e->title, "file",
                                  e->file, "how", e->how);
    if (!row || PyList_Append(list, row) < 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

PyObject *py_farm_write(PyObject *module, PyObject *args, PyObject *keywords) {
  static char *names[] = {"folder", "engine", "tribo", "blender", "threads", "pictures", NULL};
  const native_state *state = PyModule_GetState(module);
  const char *folder, *engine;
  int pictures = 0;
  tribo_farm_options options = {0};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "ss|zzip", names, &folder, &engine,
                                   &options.tribo, &options.blender, &options.threads, &pictures))
    return NULL;
  options.pictures = pictures;
  tribo_wedge *wedge = open_wedge(state, folder);
  if (!wedge) return NULL;
  tribo_error err = {0};
  tribo_status status = tribo_farm_write(wedge, engine, &options, &err);
  tribo_wedge_free(wedge);
  return finish(state, status, &err);
}
