/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "py_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"

/* ---- who uses it ----------------------------------------------------------------------------- */

bool py_scene_begin_read(const native_state *state, py_scene *s) {
  if (s->writer) {
    native_refuse(state, "the scene is being changed by another thread");
    return false;
  }
  s->readers++;
  return true;
}

void py_scene_end_read(py_scene *s) { s->readers--; }

bool py_scene_begin_write(const native_state *state, py_scene *s) {
  if (s->readers || s->writer) {
    native_refuse(state, "the scene is in use (%s); make another to change it",
                  s->readers ? "a bake or check reads it" : "another thread changes it");
    return false;
  }
  s->writer = true;
  return true;
}

void py_scene_end_write(py_scene *s) { s->writer = false; }

/* ---- values as text -------------------------------------------------------------------------- */

/* One number or word: True and False become 1 and 0, so that a tick box fits a whole number. */
static PyObject *plain_text(PyObject *value) {
  if (PyUnicode_Check(value)) return Py_NewRef(value);
  if (PyBool_Check(value)) return PyUnicode_FromString(value == Py_True ? "1" : "0");
  if (PyLong_Check(value)) return PyObject_Str(value);
  PyObject *number = PyNumber_Float(value);
  PyObject *text = number ? PyObject_Repr(number) : NULL; /* the shortest with all bits */
  Py_XDECREF(number);
  return text;
}

static PyObject *list_text(PyObject *value) {
  PyObject *items = PySequence_Tuple(value);
  if (!items) return NULL;
  PyObject *text = PyUnicode_FromString("[");
  Py_ssize_t count = PyTuple_Size(items);
  for (Py_ssize_t i = 0; text && i < count; i++) {
    PyObject *item = plain_text(PyTuple_GetItem(items, i));
    PyObject *longer = item ? PyUnicode_FromFormat("%U%s%U", text, i ? ", " : "", item) : NULL;
    Py_XDECREF(item);
    Py_DECREF(text);
    text = longer;
  }
  PyObject *closed = text ? PyUnicode_FromFormat("%U]", text) : NULL;
  Py_XDECREF(text);
  Py_DECREF(items);
  return closed;
}

PyObject *py_scene_text(const native_state *state, const char *what, PyObject *value) {
  bool plain = PyUnicode_Check(value) || PyNumber_Check(value);
  PyObject *text = plain ? plain_text(value) : list_text(value);
  PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
  Py_XDECREF(text);
  if (!bytes && !PyErr_ExceptionMatches(PyExc_MemoryError)) {
    PyErr_Clear();
    native_refuse(state, "%s: a number, a word or three numbers are needed", what);
  }
  return bytes;
}

static bool set_field(const native_state *state, const char *owner, const char *group,
                      PyObject *key, PyObject *value, void *params) {
  PyObject *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8String(key) : NULL;
  if (!name) {
    PyErr_Clear();
    native_refuse(state, "%s: %s: the names of parameters must be text", owner, group);
    return false;
  }
  char what[TRIBO_MESSAGE_SIZE / 4];
  snprintf(what, sizeof what, "%s: %s.%s", owner, group, PyBytes_AsString(name));
  PyObject *text = py_scene_text(state, what, value);
  bool ok = text != NULL;
  if (ok) {
    tribo_error err = {0};
    ok = tribo_param_set(group, PyBytes_AsString(name), PyBytes_AsString(text), params, &err) ==
         TRIBO_OK;
    if (!ok) native_refuse(state, "%s: %.700s", owner, err.message);
  }
  Py_XDECREF(text);
  Py_DECREF(name);
  return ok;
}

bool py_scene_fields(const native_state *state, const char *owner, const char *group,
                     PyObject *mapping, void *params) {
  PyObject *items = PyMapping_Check(mapping) ? PyMapping_Items(mapping) : NULL;
  if (!items) {
    PyErr_Clear();
    native_refuse(state, "%s: %s: a dict of parameters is needed", owner, group);
    return false;
  }
  bool ok = true;
  Py_ssize_t count = PyList_Size(items);
  for (Py_ssize_t i = 0; ok && i < count; i++) {
    PyObject *pair = PyList_GetItem(items, i);
    ok = set_field(state, owner, group, PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1), params);
  }
  Py_DECREF(items);
  return ok;
}

/* ---- the object ------------------------------------------------------------------------------ */

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  if (PyTuple_Size(args) || (keywords && PyDict_Size(keywords))) {
    PyErr_SetString(PyExc_TypeError, "Scene takes no arguments");
    return NULL;
  }
  allocfunc alloc = __extension__(allocfunc) PyType_GetSlot(type, Py_tp_alloc);
  py_scene *s = (py_scene *)alloc(type, 0);
  if (!s) return NULL;
  tribo_error err = {0};
  if (tribo_scene_create(&s->scene, &err) != TRIBO_OK) {
    native_raise(native_of((PyObject *)s), &err);
    Py_DECREF(s);
    return NULL;
  }
  return (PyObject *)s;
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  tribo_scene_free(((py_scene *)self)->scene);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *finish(const native_state *state, tribo_status status, const tribo_error *err) {
  return status == TRIBO_OK ? Py_NewRef(Py_None) : native_raise(state, err);
}

static PyObject *set(PyObject *self, PyObject *args) {
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  const char *key;
  PyObject *value;
  if (!PyArg_ParseTuple(args, "sO", &key, &value)) return NULL;
  PyObject *text = py_scene_text(state, key, value);
  if (!text) return NULL;
  PyObject *result = NULL;
  if (py_scene_begin_write(state, s)) {
    tribo_error err = {0};
    tribo_status status = tribo_scene_set(s->scene, key, PyBytes_AsString(text), &err);
    py_scene_end_write(s);
    result = finish(state, status, &err);
  }
  Py_DECREF(text);
  return result;
}

static PyObject *pair(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"a", "b", "friction", NULL};
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  const char *a, *b;
  PyObject *fields;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "ssO", names, &a, &b, &fields)) return NULL;
  char owner[TRIBO_MESSAGE_SIZE / 4];
  snprintf(owner, sizeof owner, "pair '%.60s' and '%.60s'", a, b);
  tribo_friction_params friction = tribo_friction_defaults();
  if (!py_scene_fields(state, owner, "friction", fields, &friction)) return NULL;
  if (!py_scene_begin_write(state, s)) return NULL;
  tribo_error err = {0};
  tribo_status status = tribo_scene_set_pair(s->scene, a, b, &friction, &err);
  py_scene_end_write(s);
  return finish(state, status, &err);
}

static bool read_index(const native_state *state, const py_scene *s, PyObject *value,
                       size_t *index) {
  Py_ssize_t number = PyNumber_AsSsize_t(value, NULL);
  if (number == -1 && PyErr_Occurred()) return false;
  size_t count = tribo_scene_object_count(s->scene);
  *index = (size_t)number;
  if (number >= 0 && *index < count) return true;
  native_refuse(state, "there is no object %zd; the scene has %zu", number, count);
  return false;
}

static PyObject *note(PyObject *self, PyObject *value) {
  py_scene *s = (py_scene *)self;
  size_t index;
  if (!read_index(native_of(self), s, value, &index)) return NULL;
  const char *text = tribo_scene_note(s->scene, index);
  return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace")
              : Py_NewRef(Py_None);
}

static const char *contact_name(int contact) {
  static const char *const names[] = {"auto",   "mls",     "mesh", "plane",
                                      "sphere", "capsule", "box",  "none"};
  bool known = contact >= 0 && (size_t)contact < sizeof names / sizeof *names;
  return known ? names[contact] : "none";
}

static PyObject *outline(PyObject *self, PyObject *value) {
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  size_t index;
  if (!read_index(state, s, value, &index) || !py_scene_begin_read(state, s)) return NULL;
  tribo_outline o;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_scene_outline(s->scene, index, &o, &err);
  PyEval_RestoreThread(away);
  py_scene_end_read(s);
  if (status != TRIBO_OK) return native_raise(state, &err);
  return Py_BuildValue("{s:s,s:N,s:N,s:N,s:N,s:n,s:n,s:n,s:d}", "contact", contact_name(o.contact),
                       "is_touched", PyBool_FromLong(o.is_touched), "touches",
                       PyBool_FromLong(o.touches), "closed", PyBool_FromLong(o.closed), "two_sided",
                       PyBool_FromLong(o.two_sided), "triangle_count", (Py_ssize_t)o.triangle_count,
                       "flat_count", (Py_ssize_t)o.flat_count, "vertex_count",
                       (Py_ssize_t)o.vertex_count, "spacing", o.spacing);
}

static PyObject *doubt_entry(const tribo_doubt *d) {
  static const char *const kinds[] = {"pieces", "winding", "inside_out", "large", "small", "unseen",
                                      "holes",  "soft",    "twins",      "held",  "idle",  "falls"};
  _Static_assert(sizeof kinds / sizeof *kinds == TRIBO_DOUBT_FALLS + 1, "a name for each kind");
  PyObject *text = PyUnicode_DecodeUTF8(d->message, (Py_ssize_t)strlen(d->message), "replace");
  return text ? Py_BuildValue("{s:s,s:n,s:n,s:n,s:n,s:d,s:N}", "kind", kinds[d->kind], "object",
                              (Py_ssize_t)d->object, "other", (Py_ssize_t)d->other, "count",
                              (Py_ssize_t)d->count, "of", (Py_ssize_t)d->of, "metres", d->metres,
                              "message", text)
              : NULL;
}

static PyObject *doubts(PyObject *self, PyObject *unused) {
  (void)unused;
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  if (!py_scene_begin_read(state, s)) return NULL;
  tribo_doubt *found = NULL;
  size_t count = 0;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_scene_doubts(s->scene, &found, &count, &err);
  PyEval_RestoreThread(away);
  py_scene_end_read(s);
  if (status != TRIBO_OK) return native_raise(state, &err);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *entry = doubt_entry(&found[i]);
    if (!entry || PyList_Append(list, entry) != 0) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  free(found);
  return list;
}

static PyObject *paint(PyObject *self, PyObject *value) {
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  size_t index;
  if (!read_index(state, s, value, &index) || !py_scene_begin_read(state, s)) return NULL;
  tribo_paint p;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_scene_paint(s->scene, index, &p, &err);
  PyEval_RestoreThread(away);
  py_scene_end_read(s);
  if (status != TRIBO_OK) return native_raise(state, &err);
  return Py_BuildValue("{s:N,s:N,s:d,s:d,s:n,s:n,s:n,s:n}", "structure",
                       PyBool_FromLong(p.structure), "friction", PyBool_FromLong(p.friction),
                       "least", p.least, "most", p.most, "islands", (Py_ssize_t)p.islands,
                       "mirrored", (Py_ssize_t)p.mirrored, "flat", (Py_ssize_t)p.flat, "first_flat",
                       (Py_ssize_t)p.first_flat);
}

/* Word `number` of a setting of the scene. */
static PyObject *setting_word(const char *name, int number) {
  size_t count;
  const tribo_param_info *row = tribo_param_table(&count);
  while (count && (strcmp(row->group, "world") != 0 || strcmp(row->name, name) != 0))
    row++, count--;
  const char *at = count ? row->choices : "";
  for (; *at && number > 0; number--) {
    at += strcspn(at, "|");
    if (*at) at++;
  }
  return PyUnicode_FromStringAndSize(at, (Py_ssize_t)strcspn(at, "|"));
}

static PyObject *thickness_list(const double *thickness, size_t count) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *value = PyFloat_FromDouble(thickness[i]);
    if (!value || PyList_Append(list, value) != 0) Py_CLEAR(list);
    Py_XDECREF(value);
  }
  return list;
}

static PyObject *choice(PyObject *self, PyObject *unused) {
  (void)unused;
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  size_t count = tribo_scene_object_count(s->scene);
  double *thickness = PyMem_Calloc(count + 1, sizeof *thickness);
  if (!thickness) return PyErr_NoMemory();
  PyObject *result = NULL;
  if (py_scene_begin_read(state, s)) {
    tribo_choice c;
    tribo_error err = {0};
    PyThreadState *away = PyEval_SaveThread();
    tribo_status status = tribo_scene_choice(s->scene, &c, thickness, &err);
    PyEval_RestoreThread(away);
    py_scene_end_read(s);
    result =
        status != TRIBO_OK
            ? native_raise(state, &err)
            : Py_BuildValue("{s:N,s:N,s:i,s:N,s:d}", "quality", setting_word("quality", c.quality),
                            "method", setting_word("method", c.method), "substeps", c.substeps,
                            "thickness", thickness_list(thickness, count), "speed", c.speed);
  }
  PyMem_Free(thickness);
  return result;
}

static PyObject *hash(PyObject *self, PyObject *unused) {
  (void)unused;
  py_scene *s = (py_scene *)self;
  if (!py_scene_begin_read(native_of(self), s)) return NULL;
  uint64_t value;
  PyThreadState *away = PyEval_SaveThread();
  value = tribo_scene_hash(s->scene);
  PyEval_RestoreThread(away);
  py_scene_end_read(s);
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, value);
  return PyUnicode_FromString(text);
}

static PyObject *check(PyObject *self, PyObject *unused) {
  (void)unused;
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  if (!py_scene_begin_read(state, s)) return NULL;
  tribo_error err = {0};
  tribo_status status;
  PyThreadState *away = PyEval_SaveThread();
  tribo_sim *sim;
  status = tribo_sim_create(s->scene, NULL, &sim, &err);
  tribo_sim_free(sim);
  PyEval_RestoreThread(away);
  py_scene_end_read(s);
  return finish(state, status, &err);
}

static PyObject *write_bundle(PyObject *self, PyObject *path) {
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  PyObject *folder;
  if (!PyUnicode_FSConverter(path, &folder)) return NULL;
  PyObject *result = NULL;
  if (py_scene_begin_read(state, s)) {
    tribo_error err = {0};
    tribo_status status;
    const char *name = PyBytes_AsString(folder);
    PyThreadState *away = PyEval_SaveThread();
    status = tribo_scene_write(s->scene, name, &err);
    PyEval_RestoreThread(away);
    py_scene_end_read(s);
    result = finish(state, status, &err);
  }
  Py_DECREF(folder);
  return result;
}

static PyMethodDef methods[] = {
    {"set", set, METH_VARARGS, "Sets a setting by its key in the scene file."},
    {"add", METHOD(py_scene_add), METH_VARARGS | METH_KEYWORDS, "Adds an object; its number."},
    {"pair", METHOD(pair), METH_VARARGS | METH_KEYWORDS, "The friction of two materials."},
    {"note", note, METH_O, "What was done with an object that nobody asked for."},
    {"outline", outline, METH_O, "What contact sees of an object."},
    {"paint", paint, METH_O, "What is painted on an object."},
    {"doubts", doubts, METH_NOARGS, "What can be simulated, but is hardly meant."},
    {"choice", choice, METH_NOARGS, "What its quality chooses: method, substeps, thickness."},
    {"hash", hash, METH_NOARGS, "Equal for scenes that bake to the same bits."},
    {"check", check, METH_NOARGS, "Makes it ready to run, as a bake would."},
    {"write", write_bundle, METH_O, "Writes the bundle that `tribo bake` takes."},
    {"bake", METHOD(py_scene_bake), METH_VARARGS | METH_KEYWORDS, "Starts a bake."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "What to simulate."},
                              {Py_tp_new, SLOT(create)},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec scene_spec = {.name = "_tribo.Scene",
                          .basicsize = sizeof(py_scene),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                          .slots = slots};
