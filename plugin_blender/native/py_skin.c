/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "py_skin.h"

#include <stdlib.h>

#include "py_scene.h"

static PyObject *bytes_of(const void *data, size_t size) {
  return PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
}

static PyObject *positions_of(const tribo_skin *skin) {
  size_t count = 3 * skin->vertex_count;
  float *values = malloc((count + 1) * sizeof *values);
  if (!values) return PyErr_NoMemory();
  for (size_t i = 0; i < count; i++) values[i] = (float)skin->positions[i];
  PyObject *bytes = bytes_of(values, count * sizeof *values);
  free(values);
  return bytes;
}

PyObject *py_skin(PyObject *module, PyObject *args, PyObject *keywords) {
  static char *names[] = {"scene", "index", "spacing", NULL};
  const native_state *state = PyModule_GetState(module);
  PyObject *object;
  Py_ssize_t index;
  double spacing = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "On|d", names, &object, &index, &spacing))
    return NULL;
  if (!Py_IS_TYPE(object, (PyTypeObject *)state->scene_type))
    return native_refuse(state, "skin: a Scene is needed");
  py_scene *scene = (py_scene *)object;
  if (!py_scene_begin_read(state, scene)) return NULL;
  tribo_skin skin;
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_scene_skin(scene->scene, (size_t)index, spacing, &skin, &err);
  PyEval_RestoreThread(away);
  py_scene_end_read(scene);
  if (status != TRIBO_OK) return native_raise(state, &err);
  PyObject *result = PyDict_New();
  if (result &&
      !(native_put(result, "positions", positions_of(&skin)) &&
        native_put(result, "triangles",
                   bytes_of(skin.triangles, 3 * skin.triangle_count * sizeof *skin.triangles)) &&
        native_put(result, "hole", bytes_of(skin.thin, skin.vertex_count))))
    Py_CLEAR(result);
  tribo_skin_free(&skin);
  return result;
}
