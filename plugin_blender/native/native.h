/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * native: what the files of the module share: CPython's limited API, the module's state, errors.
 *
 * The contract with Python is plugin_blender/_tribo.pyi. Of the core the module sees the public
 * headers only, but for the comb (docs/rooms.md). A function that returns NULL, or false, has set a
 * Python exception.
 */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#define Py_LIMITED_API 0x030B0000 /* one file for 3.11 and later */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "tribo/tribo.h"

/* What one import of the module owns. */
typedef struct native_state {
  PyObject *error; /* _tribo.Error */
  PyObject *comb_type;
  PyObject *samples_type, *scene_type, *bake_type, *sim_type, *contacts_type, *cache_type;
} native_state;

/* The state, from an object of one of its types. */
native_state *native_of(PyObject *object);

/* A status as a word for Python: "bad_input". */
const char *native_status(tribo_status status);

/* Error with the core's message, and its status as text. Both return NULL. */
PyObject *native_raise(const native_state *state, const tribo_error *err);
PyObject *native_refuse(const native_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Types, made when the module is imported. */
extern PyType_Spec comb_spec;
extern PyType_Spec samples_spec, scene_spec, bake_spec, sim_spec, contacts_spec, cache_spec;

/* Puts a new reference into a dict and gives it up; false when value is NULL or memory ran out. */
bool native_put(PyObject *dict, const char *key, PyObject *value);

/* The arguments (timeout=None) of whoever waits for a worker, and the wait, without the GIL. */
struct worker;
bool native_wait(struct worker *w, PyObject *args, PyObject *keywords, bool *done);

/* Functions for CPython's tables, which store those of methods as one type, and those of types and
 * modules as void *: POSIX allows that where ISO C does not. */
#define METHOD(function) ((PyCFunction)(void (*)(void))(function))
#define SLOT(function)   (__extension__(void *)(function))

#endif
