/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * module: the import of _tribo: its types, its error, and the functions that need no object.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "native.h"
#include "py_skin.h"
#include "py_wedge.h"
#include "worker.h"

/* ---- errors ---------------------------------------------------------------------------------- */

native_state *native_of(PyObject *object) { return PyType_GetModuleState(Py_TYPE(object)); }

const char *native_status(tribo_status status) {
  switch (status) {
    case TRIBO_OK: return "ok";
    case TRIBO_BAD_INPUT: return "bad_input";
    case TRIBO_UNAVAILABLE: return "unavailable";
    case TRIBO_NO_MEMORY: return "no_memory";
    case TRIBO_IO: return "io";
    case TRIBO_NOT_CONVERGED: return "not_converged";
    case TRIBO_CANCELLED: return "cancelled";
  }
  return "unknown";
}

PyObject *native_raise(const native_state *state, const tribo_error *err) {
  if (err->status == TRIBO_NO_MEMORY && !*err->message) return PyErr_NoMemory();
  PyObject *text = PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
  PyObject *error = text ? PyObject_CallFunctionObjArgs(state->error, text, NULL) : NULL;
  PyObject *status = error ? PyUnicode_FromString(native_status(err->status)) : NULL;
  PyObject *code = status ? PyLong_FromLong(err->code) : NULL;
  if (code && PyObject_SetAttrString(error, "status", status) == 0 &&
      PyObject_SetAttrString(error, "code", code) == 0)
    PyErr_SetObject(state->error, error);
  Py_XDECREF(code);
  Py_XDECREF(status);
  Py_XDECREF(error);
  Py_XDECREF(text);
  return NULL;
}

PyObject *native_refuse(const native_state *state, const char *format, ...) {
  tribo_error err = {.status = TRIBO_BAD_INPUT};
  va_list args;
  va_start(args, format);
  vsnprintf(err.message, sizeof err.message, format, args);
  va_end(args);
  return native_raise(state, &err);
}

bool native_put(PyObject *dict, const char *key, PyObject *value) {
  if (!value) return false;
  int failed = PyDict_SetItemString(dict, key, value);
  Py_DECREF(value);
  return failed == 0;
}

bool native_wait(worker *w, PyObject *args, PyObject *keywords, bool *done) {
  static char *names[] = {"timeout", NULL};
  PyObject *timeout = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O", names, &timeout)) return false;
  double seconds = timeout == Py_None ? -1 : PyFloat_AsDouble(timeout);
  if (seconds == -1 && PyErr_Occurred()) return false;
  if (timeout != Py_None && !(seconds >= 0)) seconds = 0;
  PyThreadState *away = PyEval_SaveThread();
  *done = worker_wait(w, seconds);
  PyEval_RestoreThread(away);
  return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

static PyObject *version(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  return PyUnicode_FromString(tribo_version());
}

static PyObject *available(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  static const char *const parts[] = {"ipopt", "openexr", "hdf5", "tetgen", "pardiso"};
  PyObject *found = PyDict_New();
  for (size_t i = 0; found && i < sizeof parts / sizeof *parts; i++) {
    bool there;
    PyThreadState *away = PyEval_SaveThread();
    there = tribo_available(parts[i]);
    PyEval_RestoreThread(away);
    if (!native_put(found, parts[i], PyBool_FromLong(there))) Py_CLEAR(found);
  }
  return found;
}

/* "first|second" as a tuple; empty for what is no choice. */
static PyObject *choices_of(const char *words) {
  Py_ssize_t count = *words ? 1 : 0;
  for (const char *c = words; *c; c++) count += *c == '|';
  PyObject *tuple = PyTuple_New(count);
  for (Py_ssize_t i = 0; tuple && i < count; i++) {
    size_t length = strcspn(words, "|");
    PyObject *word = PyUnicode_FromStringAndSize(words, (Py_ssize_t)length);
    if (!word || PyTuple_SetItem(tuple, i, word) != 0) Py_CLEAR(tuple);
    words += words[length] ? length + 1 : length;
  }
  return tuple;
}

static PyObject *default_of(const tribo_param_info *row) {
  switch (row->kind) {
    case TRIBO_PARAM_INT: return PyLong_FromLong((long)row->value[0]);
    case TRIBO_PARAM_VEC3:
      return Py_BuildValue("(ddd)", row->value[0], row->value[1], row->value[2]);
    case TRIBO_PARAM_CHOICE: {
      const char *word = row->choices;
      for (int skip = (int)row->value[0]; skip > 0; skip--) word += strcspn(word, "|") + 1;
      return PyUnicode_FromStringAndSize(word, (Py_ssize_t)strcspn(word, "|"));
    }
    case TRIBO_PARAM_REAL: break;
  }
  return PyFloat_FromDouble(row->value[0]);
}

static PyObject *bound_of(const tribo_param_info *row, double bound) {
  if (row->kind == TRIBO_PARAM_INT) return PyLong_FromLong((long)bound);
  if (row->kind == TRIBO_PARAM_REAL) return PyFloat_FromDouble(bound);
  return Py_NewRef(Py_None);
}

static PyObject *describe(const tribo_param_info *row) {
  static const char *const kinds[] = {"real", "int", "vec3", "choice"};
  PyObject *entry = PyDict_New();
  if (!entry) return NULL;
  if (native_put(entry, "group", PyUnicode_FromString(row->group)) &&
      native_put(entry, "place", PyUnicode_FromString(row->place)) &&
      native_put(entry, "name", PyUnicode_FromString(row->name)) &&
      native_put(entry, "kind", PyUnicode_FromString(kinds[row->kind])) &&
      native_put(entry, "value", default_of(row)) &&
      native_put(entry, "low", bound_of(row, row->low)) &&
      native_put(entry, "high", bound_of(row, row->high)) &&
      native_put(entry, "unit", PyUnicode_FromString(row->unit)) &&
      native_put(entry, "choices", choices_of(row->choices)) &&
      native_put(entry, "help", PyUnicode_FromString(row->help)))
    return entry;
  Py_DECREF(entry);
  return NULL;
}

static PyObject *parameters(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  size_t count;
  const tribo_param_info *row = tribo_param_table(&count);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *entry = describe(&row[i]);
    if (!entry || PyList_Append(list, entry) != 0) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyObject *describe_kind(const tribo_kind_info *row) {
  return Py_BuildValue("{s:s,s:s,s:s,s:z,s:z,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "name", row->name,
                       "article", row->article, "about", row->about, "group", row->group, "key",
                       row->key, "tets", PyBool_FromLong(row->mesh == TRIBO_MESH_TETS), "simulated",
                       PyBool_FromLong(row->simulated), "deforms", PyBool_FromLong(row->deforms),
                       "turns", PyBool_FromLong(row->turns), "sheet", PyBool_FromLong(row->sheet),
                       "pinnable", PyBool_FromLong(row->pinnable), "feels_air",
                       PyBool_FromLong(row->feels_air));
}

static PyObject *kinds(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  const tribo_kind_info *row;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && (row = tribo_kind_at(i)); i++) {
    PyObject *entry = describe_kind(row);
    if (!entry || PyList_Append(list, entry) != 0) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "The version of Tribo, \"0.1.0\"."},
    {"available", available, METH_NOARGS, "Which optional parts can be used, by name."},
    {"parameters", parameters, METH_NOARGS, "Every parameter of the core, one dict each."},
    {"kinds", kinds, METH_NOARGS, "Every kind of objects that the core has, one dict each."},
    {"skin", METHOD(py_skin), METH_VARARGS | METH_KEYWORDS, "The surface that others touch."},
    {"wedge_write", py_wedge_write, METH_VARARGS, "Makes a wedge of scene files."},
    {"wedge_report", py_wedge_report, METH_VARARGS, "How the scenes of a wedge stand, as JSON."},
    {"wedge_sheet", py_wedge_sheet, METH_VARARGS, "Writes the contact sheet of a wedge."},
    {"wedge_begin", py_wedge_begin, METH_VARARGS, "Notes that a scene is being baked."},
    {"wedge_end", py_wedge_end, METH_VARARGS, "Notes how that ended."},
    {"read_scene", py_read_scene, METH_VARARGS, "The Scene of a scene file."},
    {"farm_engines", py_farm_engines, METH_NOARGS, "Every engine of farms, one dict each."},
    {"farm_write", METHOD(py_farm_write), METH_VARARGS | METH_KEYWORDS,
     "Writes an engine's files."},
    {NULL, NULL, 0, NULL},
};

/* ---- the import ------------------------------------------------------------------------------ */

static bool add_type(PyObject *module, PyType_Spec *spec, PyObject **out) {
  *out = PyType_FromModuleAndSpec(module, spec, NULL);
  return *out && PyModule_AddType(module, (PyTypeObject *)*out) == 0;
}

static int start(PyObject *module) {
  native_state *s = PyModule_GetState(module);
  PyObject *none = Py_BuildValue("{s:s}", "status", native_status(TRIBO_BAD_INPUT));
  if (!none) return -1;
  s->error = PyErr_NewExceptionWithDoc("_tribo.Error", "What the core refused or could not do.",
                                       PyExc_Exception, none);
  Py_DECREF(none);
  bool ok = s->error && PyModule_AddObjectRef(module, "Error", s->error) == 0 &&
            add_type(module, &comb_spec, &s->comb_type) &&
            add_type(module, &samples_spec, &s->samples_type) &&
            add_type(module, &scene_spec, &s->scene_type) &&
            add_type(module, &bake_spec, &s->bake_type) &&
            add_type(module, &sim_spec, &s->sim_type) &&
            add_type(module, &contacts_spec, &s->contacts_type) &&
            add_type(module, &cache_spec, &s->cache_type);
  static bool told; /* once for the process: a second import shares the workers */
  if (ok && !told) told = Py_AtExit(worker_stop_all) == 0;
  return ok ? 0 : -1;
}

/* What of the state is a Python object, for the collector. */
#define OWNED(s)                                                                                   \
  {                                                                                                \
    &(s)->error, &(s)->comb_type, &(s)->samples_type, &(s)->scene_type, &(s)->bake_type,           \
        &(s)->sim_type, &(s)->contacts_type, &(s)->cache_type                                      \
  }

static int traverse(PyObject *module, visitproc visit, void *arg) {
  native_state *s = PyModule_GetState(module);
  if (!s) return 0;
  PyObject **owned[] = OWNED(s);
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) Py_VISIT(*owned[i]);
  return 0;
}

static int clear(PyObject *module) {
  native_state *s = PyModule_GetState(module);
  if (!s) return 0;
  PyObject **owned[] = OWNED(s);
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) Py_CLEAR(*owned[i]);
  return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, SLOT(start)}, {0, NULL}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "_tribo",
                                 .m_doc = "Tribo's core. See _tribo.pyi.",
                                 .m_size = sizeof(native_state),
                                 .m_methods = functions,
                                 .m_slots = slots,
                                 .m_traverse = traverse,
                                 .m_clear = clear};

PyMODINIT_FUNC PyInit__tribo(void) { return PyModuleDef_Init(&definition); }
