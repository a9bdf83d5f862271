/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "py_contacts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 10 };

/* In the order of the names below. */
typedef struct py_contacts {
  PyObject_HEAD Py_ssize_t count;
  PyObject *field[FIELDS];
} py_contacts;

enum { POSITION, NORMAL, FORCE, SLIP, MU, GAP, STATE, VERTEX, OBJECT, SURFACE };

static PyObject *pack(const float *values, size_t count) {
  return PyBytes_FromStringAndSize((const char *)values, (Py_ssize_t)(count * sizeof *values));
}

/* `width` doubles of every contact, from an offset in it, as floats. */
static PyObject *gather(const tribo_contact *contacts, size_t count, size_t offset, size_t width) {
  float *values = malloc((count * width + 1) * sizeof *values);
  if (!values) return PyErr_NoMemory();
  for (size_t i = 0; i < count; i++) {
    double from[3];
    memcpy(from, (const char *)&contacts[i] + offset, width * sizeof *from);
    for (size_t k = 0; k < width; k++) values[i * width + k] = (float)from[k];
  }
  PyObject *bytes = pack(values, count * width);
  free(values);
  return bytes;
}

static PyObject *gather_states(const tribo_contact *contacts, size_t count) {
  char *values = malloc(count + 1);
  if (!values) return PyErr_NoMemory();
  for (size_t i = 0; i < count; i++) values[i] = contacts[i].state == TRIBO_SLIP;
  PyObject *bytes = PyBytes_FromStringAndSize(values, (Py_ssize_t)count);
  free(values);
  return bytes;
}

static PyObject *gather_vertices(const tribo_contact *contacts, size_t count) {
  int32_t *values = malloc((count + 1) * sizeof *values);
  if (!values) return PyErr_NoMemory();
  for (size_t i = 0; i < count; i++) values[i] = contacts[i].vertex;
  PyObject *bytes =
      PyBytes_FromStringAndSize((const char *)values, (Py_ssize_t)(count * sizeof *values));
  free(values);
  return bytes;
}

/* A list of names; one Python text serves for a run of equal ones. */
static PyObject *gather_names(const tribo_contact *contacts, size_t count, bool surfaces,
                              const char *(*name_of)(const void *, size_t), const void *names) {
  PyObject *list = PyList_New((Py_ssize_t)count), *text = NULL;
  const char *last = NULL;
  for (size_t i = 0; list && i < count; i++) {
    const char *name = surfaces ? contacts[i].surface : name_of(names, contacts[i].object);
    if (!last || strcmp(last, name) != 0) {
      Py_XDECREF(text);
      text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
      last = name;
    }
    if (!text || PyList_SetItem(list, (Py_ssize_t)i, Py_NewRef(text)) != 0) Py_CLEAR(list);
  }
  Py_XDECREF(text);
  return list;
}

PyObject *py_contacts_create(const native_state *state, const tribo_contact *contacts, size_t count,
                             const char *(*name_of)(const void *, size_t), const void *names) {
  PyTypeObject *type = (PyTypeObject *)state->contacts_type;
  allocfunc alloc = __extension__(allocfunc) PyType_GetSlot(type, Py_tp_alloc);
  py_contacts *c = (py_contacts *)alloc(type, 0);
  if (!c) return NULL;
  static const struct {
    size_t offset, width;
  } reals[] = {[POSITION] = {offsetof(tribo_contact, position), 3},
               [NORMAL] = {offsetof(tribo_contact, normal), 3},
               [FORCE] = {offsetof(tribo_contact, force), 3},
               [SLIP] = {offsetof(tribo_contact, slip), 3},
               [MU] = {offsetof(tribo_contact, mu), 1},
               [GAP] = {offsetof(tribo_contact, gap), 1}};
  c->count = (Py_ssize_t)count;
  for (int k = POSITION; k <= GAP; k++)
    c->field[k] = gather(contacts, count, reals[k].offset, reals[k].width);
  c->field[STATE] = gather_states(contacts, count);
  c->field[VERTEX] = gather_vertices(contacts, count);
  c->field[OBJECT] = gather_names(contacts, count, false, name_of, names);
  c->field[SURFACE] = gather_names(contacts, count, true, name_of, names);
  for (int k = 0; k < FIELDS; k++)
    if (!c->field[k]) {
      Py_DECREF((PyObject *)c);
      return NULL;
    }
  return (PyObject *)c;
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  for (int k = 0; k < FIELDS; k++) Py_XDECREF(((py_contacts *)self)->field[k]);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *get_field(PyObject *self, void *number) {
  return Py_NewRef(((py_contacts *)self)->field[(size_t)number]);
}

static PyObject *get_count(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSsize_t(((py_contacts *)self)->count);
}

#define GET(name, number, text)                                                                    \
  { name, get_field, NULL, text, (void *)(size_t)(number) }

static PyGetSetDef getters[] = {
    {"count", get_count, NULL, "How many.", NULL},
    GET("position", POSITION, "Where on the surface, m; 3 'f' each."),
    GET("normal", NORMAL, "From the surface to the vertex; 3 'f' each."),
    GET("force", FORCE, "On the vertex, N; 3 'f' each."),
    GET("slip", SLIP, "Velocity along the surface, m/s; 3 'f' each."),
    GET("mu", MU, "The coefficient in force; 'f'."),
    GET("gap", GAP, "m, negative when inside; 'f'."),
    GET("state", STATE, "0 sticks, 1 slips; 'B'."),
    GET("vertex", VERTEX, "Of the object; 'i'."),
    GET("object", OBJECT, "Names of the objects whose vertices touch."),
    GET("surface", SURFACE, "Names of the objects touched."),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "The contacts of a frame as flat arrays."},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_getset, getters},
                              {0, NULL}};

PyType_Spec contacts_spec = {
    .name = "_tribo.Contacts",
    .basicsize = sizeof(py_contacts),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots};
