/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_scene: _tribo.Scene.
 *
 * Long calls run without the GIL, and a bake reads its scene from another thread for minutes. So a
 * scene counts who reads it: meanwhile it cannot be changed, and says so. The counts are touched
 * only with the GIL held.
 */
#ifndef NATIVE_PY_SCENE_H
#define NATIVE_PY_SCENE_H

#include "native.h"

typedef struct py_scene {
  PyObject_HEAD tribo_scene *scene;
  int readers;
  bool writer;
} py_scene;

/* False, with an error, when the scene is being changed (read) or used at all (write). */
bool py_scene_begin_read(const native_state *state, py_scene *s);
void py_scene_end_read(py_scene *s);
bool py_scene_begin_write(const native_state *state, py_scene *s);
void py_scene_end_write(py_scene *s);

/* Scene.add, in py_scene_add.c. */
PyObject *py_scene_add(PyObject *self, PyObject *args, PyObject *keywords);

/* Scene.bake, in py_bake.c. */
PyObject *py_scene_bake(PyObject *self, PyObject *args, PyObject *keywords);

/* A Python value as the text that the core's setters take: numbers with all their bits, three of
 * them as [x, y, z], words as they are. New reference to bytes; NULL with an error. */
PyObject *py_scene_text(const native_state *state, const char *what, PyObject *value);

/* Sets fields of a group's struct from a mapping; `owner` begins the messages ("object 'sheet'").
 */
bool py_scene_fields(const native_state *state, const char *owner, const char *group,
                     PyObject *mapping, void *params);

#endif
