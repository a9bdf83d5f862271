/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_comb: _tribo.Comb. Strokes run without the GIL; meanwhile the comb refuses other calls.
 */
#include <string.h>

#include "buffers.h"
#include "comb.h"

typedef struct py_comb {
  PyObject_HEAD comb *comb;
  bool busy;
} py_comb;

/* ---- arguments ------------------------------------------------------------------------------- */

static bool is_free(const native_state *state, const py_comb *c) {
  if (c->comb && !c->busy) return true;
  native_refuse(state, c->comb ? "Comb: it is painting in another thread"
                               : "Comb: it was not made from a mesh");
  return false;
}

/* The caller's pixels: 4 floats a texel, writable where asked. */
static bool get_pixels(const native_state *state, PyObject *object, int32_t width, int32_t height,
                       bool writable, Py_buffer *view) {
  int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object, view, flags) != 0) return false;
  size_t wanted = 4 * (size_t)width * (size_t)height, count = (size_t)view->len / sizeof(float);
  if (view->format && strcmp(view->format, "f") == 0 && count == wanted) return true;
  native_refuse(state, "Comb: pixels: %zu numbers of type '%s'; a map of %d x %d needs %zu of 'f'",
                count, view->format ? view->format : "B", width, height, wanted);
  PyBuffer_Release(view);
  return false;
}

/* One of some words, by its place among them. */
static bool get_choice(const native_state *state, const char *what, const char *word,
                       const char *const *words, int count, int *out) {
  for (*out = 0; *out < count; ++*out)
    if (strcmp(word, words[*out]) == 0) return true;
  native_refuse(state, "Comb: %s '%s' is unknown", what, word);
  return false;
}

static bool get_mirror(const native_state *state, const char *axes, int *out) {
  *out = 0;
  for (; *axes; axes++) {
    if (*axes < 'X' || *axes > 'Z') {
      native_refuse(state, "Comb: mirror '%c' is no axis; use X, Y or Z", *axes);
      return false;
    }
    *out |= 1 << (*axes - 'X');
  }
  return true;
}

static PyObject *rect_of(comb_rect r) {
  return Py_BuildValue("(iiii)", r.x, r.y, r.width, r.height);
}

/* ---- life ------------------------------------------------------------------------------------ */

typedef struct mesh_input {
  reals positions, uvs;
  wholes triangles;
  transform through;
  bool has_transform;
} mesh_input;

static void free_input(mesh_input *in) {
  reals_free(&in->positions);
  reals_free(&in->uvs);
  wholes_free(&in->triangles);
}

static bool read_input(const native_state *state, PyObject *positions, PyObject *triangles,
                       PyObject *uvs, PyObject *through, mesh_input *in) {
  if (!reals_read(state, "Comb: positions", positions, &in->positions) ||
      !wholes_read(state, "Comb: triangles", triangles, &in->triangles) ||
      !reals_read(state, "Comb: uvs", uvs, &in->uvs) ||
      !transform_read(state, "Comb: transform", through, &in->has_transform, &in->through))
    return false;
  if (in->positions.count % 3 || in->triangles.count % 3 ||
      in->uvs.count != 2 * in->triangles.count || in->triangles.count == 0) {
    native_refuse(state,
                  "Comb: %zu numbers of positions, %zu of triangles, %zu of uvs; there must be 3 a "
                  "vertex, 3 a triangle, 6 a triangle, and at least one triangle",
                  in->positions.count, in->triangles.count, in->uvs.count);
    return false;
  }
  if (!in->has_transform) return true;
  double *points = reals_own(&in->positions);
  if (points) transform_points(&in->through, points, in->positions.count / 3);
  return points != NULL;
}

static bool create(py_comb *c, const mesh_input *in, int width, int height, int wrap) {
  comb_mesh mesh = {(const vec3 *)in->positions.values, in->positions.count / 3,
                    in->triangles.values, in->triangles.count / 3, in->uvs.values};
  tribo_error err = {0};
  tribo_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = comb_create(&mesh, in->has_transform ? in->through.m : NULL, width, height,
                       (comb_wrap)wrap, &c->comb, &err);
  Py_END_ALLOW_THREADS;
  if (status != TRIBO_OK) native_raise(native_of((PyObject *)c), &err);
  return status == TRIBO_OK;
}

static int init(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"positions", "triangles", "uvs",  "width",
                          "height",    "transform", "wrap", NULL};
  static const char *const wraps[] = {"auto", "repeat", "clamp"};
  py_comb *c = (py_comb *)self;
  const native_state *state = native_of(self);
  PyObject *positions, *triangles, *uvs, *through = NULL;
  int width, height, wrap;
  const char *word = "auto";
  if (c->comb) return native_refuse(state, "Comb: it has its mesh; make another"), -1;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOii|Os", names, &positions, &triangles, &uvs,
                                   &width, &height, &through, &word) ||
      !get_choice(state, "wrap", word, wraps, 3, &wrap))
    return -1;
  mesh_input in;
  memset(&in, 0, sizeof in);
  bool ok = read_input(state, positions, triangles, uvs, through, &in) &&
            create(c, &in, width, height, wrap);
  free_input(&in);
  return ok ? 0 : -1;
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  comb_free(((py_comb *)self)->comb);
  PyObject_Free(self);
  Py_DECREF(type);
}

/* ---- strokes --------------------------------------------------------------------------------- */

static PyObject *begin(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"mode", "radius", "strength", "mirror", NULL};
  static const char *const modes[] = {"comb", "smooth", "erase"};
  py_comb *c = (py_comb *)self;
  const native_state *state = native_of(self);
  const char *word, *axes = "";
  comb_brush brush = {.strength = 1};
  int mode;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "sd|ds", names, &word, &brush.radius,
                                   &brush.strength, &axes) ||
      !is_free(state, c) || !get_choice(state, "mode", word, modes, 3, &mode) ||
      !get_mirror(state, axes, &brush.mirror))
    return NULL;
  brush.mode = (comb_mode)mode;
  tribo_error err = {0};
  if (comb_begin(c->comb, &brush, &err) != TRIBO_OK) return native_raise(state, &err);
  return Py_NewRef(Py_None);
}

static bool open_map(py_comb *c, PyObject *pixels, bool writable, Py_buffer *view) {
  const native_state *state = native_of((PyObject *)c);
  if (!is_free(state, c)) return false;
  const comb_map *map = comb_get_map(c->comb);
  return get_pixels(state, pixels, map->width, map->height, writable, view);
}

static PyObject *extend(PyObject *self, PyObject *args) {
  py_comb *c = (py_comb *)self;
  const native_state *state = native_of(self);
  PyObject *given, *pixels, *result = NULL;
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "OO", &given, &pixels) || !open_map(c, pixels, true, &view))
    return NULL;
  reals points;
  if (reals_read(state, "Comb: points", given, &points)) {
    tribo_error err = {0};
    tribo_status status;
    comb_rect changed = {0};
    c->busy = true;
    Py_BEGIN_ALLOW_THREADS;
    status = comb_extend(c->comb, (const vec3 *)points.values, points.count / 3, view.buf, &changed,
                         &err);
    Py_END_ALLOW_THREADS;
    c->busy = false;
    result = status == TRIBO_OK ? rect_of(changed) : native_raise(state, &err);
  }
  reals_free(&points);
  PyBuffer_Release(&view);
  return result;
}

static PyObject *end(PyObject *self, PyObject *unused) {
  (void)unused;
  py_comb *c = (py_comb *)self;
  if (!is_free(native_of(self), c)) return NULL;
  const comb_saved *saved;
  size_t count;
  comb_end(c->comb, &saved, &count);
  return PyByteArray_FromStringAndSize((const char *)saved, (Py_ssize_t)(count * sizeof *saved));
}

static PyObject *fill(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"pixels", "axis", "angle", "strength", NULL};
  py_comb *c = (py_comb *)self;
  PyObject *pixels, *angle = Py_None;
  vec3 axis = {0, 0, 0};
  double strength = 1, turn = 0;
  Py_buffer view;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|(ddd)Od", names, &pixels, &axis.x, &axis.y,
                                   &axis.z, &angle, &strength))
    return NULL;
  if (angle != Py_None) turn = PyFloat_AsDouble(angle);
  if (PyErr_Occurred() || !open_map(c, pixels, true, &view)) return NULL;
  bool along = vec3_norm(axis) > 0;
  tribo_error err = {0};
  tribo_status status;
  comb_rect changed = {0};
  c->busy = true;
  Py_BEGIN_ALLOW_THREADS;
  if (along)
    status = comb_fill_axis(c->comb, axis, strength, view.buf, &changed, &err);
  else if (angle != Py_None)
    status = comb_fill_uv(c->comb, turn, strength, view.buf, &changed, &err);
  else
    status = comb_fill_none(c->comb, view.buf, &changed, &err);
  Py_END_ALLOW_THREADS;
  c->busy = false;
  PyBuffer_Release(&view);
  return status == TRIBO_OK ? rect_of(changed) : native_raise(native_of(self), &err);
}

static PyObject *swap(PyObject *type, PyObject *args) {
  const native_state *state = PyType_GetModuleState((PyTypeObject *)type);
  PyObject *record, *pixels, *result = NULL;
  int width, height;
  Py_buffer view, saved;
  if (!PyArg_ParseTuple(args, "OOii", &record, &pixels, &width, &height) ||
      !get_pixels(state, pixels, width, height, true, &view))
    return NULL;
  if (PyObject_GetBuffer(record, &saved, PyBUF_SIMPLE | PyBUF_WRITABLE) == 0) {
    tribo_error err = {0};
    comb_rect changed = {0};
    size_t count = (size_t)saved.len / sizeof(comb_saved);
    tribo_status status = comb_swap(width, height, saved.buf, count, view.buf, &changed, &err);
    result = status == TRIBO_OK ? rect_of(changed) : native_raise(state, &err);
    PyBuffer_Release(&saved);
  }
  PyBuffer_Release(&view);
  return result;
}

/* ---- what is there --------------------------------------------------------------------------- */

static PyObject *pick(PyObject *self, PyObject *args) {
  py_comb *c = (py_comb *)self;
  vec3 from, along, point;
  int32_t triangle;
  if (!PyArg_ParseTuple(args, "(ddd)(ddd)", &from.x, &from.y, &from.z, &along.x, &along.y,
                        &along.z) ||
      !is_free(native_of(self), c))
    return NULL;
  if (!comb_pick(c->comb, from, along, &triangle, &point)) return Py_NewRef(Py_None);
  return Py_BuildValue("(i(ddd))", triangle, point.x, point.y, point.z);
}

static PyObject *look(PyObject *self, PyObject *args) {
  py_comb *c = (py_comb *)self;
  PyObject *pixels;
  Py_ssize_t triangle;
  double weight[3];
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "On(ddd)", &pixels, &triangle, &weight[0], &weight[1], &weight[2]) ||
      !open_map(c, pixels, false, &view))
    return NULL;
  PyObject *result = NULL;
  if (triangle < 0 || (size_t)triangle >= comb_get_map(c->comb)->mesh.triangle_count) {
    native_refuse(native_of(self), "Comb: there is no triangle %zd", triangle);
  } else {
    comb_glyph g = comb_look(c->comb, view.buf, (size_t)triangle, weight);
    result = Py_BuildValue("((ddd)(ddd))", g.point.x, g.point.y, g.point.z, g.structure.x,
                           g.structure.y, g.structure.z);
  }
  PyBuffer_Release(&view);
  return result;
}

/* Below this a grain is no structure to the core either (model/paint.h). */
static const double LEAST = 0.1;

static void put(vec3 v, float *out) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}

/* A mark of four corners on the surface: a slender rhombus along the structure, a small square
 * where there is none. */
static void draw_mark(const comb_glyph *g, double spacing, double lift, float *position,
                      float *direction) {
  bool has = vec3_norm(g->structure) >= LEAST;
  vec3 any = fabs(g->normal.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
  vec3 along = has ? vec3_normalized(g->structure) : vec3_normalized(vec3_cross(g->normal, any));
  vec3 across = vec3_cross(g->normal, along);
  vec3 middle = vec3_madd(g->point, lift, g->normal);
  double length = (has ? 0.55 : 0.08) * spacing, width = (has ? 0.13 : 0.08) * spacing;
  put(vec3_madd(middle, -length, along), position);
  put(vec3_madd(middle, -width, across), position + 3);
  put(vec3_madd(middle, length, along), position + 6);
  put(vec3_madd(middle, width, across), position + 9);
  for (int k = 0; k < 4; k++) put(has ? along : vec3_make(0, 0, 0), direction + 3 * k);
}

static PyObject *marks(PyObject *self, PyObject *args) {
  py_comb *c = (py_comb *)self;
  PyObject *pixels, *result = NULL;
  double spacing, lift;
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "Odd", &pixels, &spacing, &lift) ||
      !open_map(c, pixels, false, &view))
    return NULL;
  size_t count = comb_glyphs(c->comb, view.buf, spacing, NULL, 0);
  comb_glyph *glyphs = PyMem_Malloc((count + 1) * sizeof *glyphs);
  PyObject *position = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * 48));
  PyObject *direction = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * 48));
  if (!glyphs) PyErr_NoMemory();
  if (glyphs && position && direction) {
    float *at = (float *)PyByteArray_AsString(position);
    float *along = (float *)PyByteArray_AsString(direction);
    comb_glyphs(c->comb, view.buf, spacing, glyphs, count);
    for (size_t i = 0; i < count; i++)
      draw_mark(&glyphs[i], spacing, lift, at + 12 * i, along + 12 * i);
    result = Py_BuildValue("(nOO)", (Py_ssize_t)count, position, direction);
  }
  PyMem_Free(glyphs);
  Py_XDECREF(position);
  Py_XDECREF(direction);
  PyBuffer_Release(&view);
  return result;
}

static PyObject *get_unmapped(PyObject *self, void *unused) {
  (void)unused;
  py_comb *c = (py_comb *)self;
  return PyLong_FromSize_t(c->comb ? comb_get_map(c->comb)->unmapped : 0);
}

static PyObject *get_area(PyObject *self, void *unused) {
  (void)unused;
  py_comb *c = (py_comb *)self;
  return PyFloat_FromDouble(c->comb ? comb_area(c->comb) : 0);
}

/* ---- the type -------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"begin", METHOD(begin), METH_VARARGS | METH_KEYWORDS, "Begins a stroke."},
    {"extend", extend, METH_VARARGS, "More points of the stroke."},
    {"end", end, METH_NOARGS, "Ends the stroke; what it changed, for swap."},
    {"fill", METHOD(fill), METH_VARARGS | METH_KEYWORDS, "The whole surface, as one stroke."},
    {"swap", swap, METH_VARARGS | METH_CLASS, "Undoes a stroke, or redoes it."},
    {"pick", pick, METH_VARARGS, "Where a ray meets the surface."},
    {"look", look, METH_VARARGS, "What the map says at a place."},
    {"marks", marks, METH_VARARGS, "Marks to draw the map with."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"area", get_area, NULL, "Of the surface that can be painted.", NULL},
    {"unmapped", get_unmapped, NULL, "Triangles that cannot be painted on.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "A mesh and the texels of its structure map."},
                              {Py_tp_init, SLOT(init)},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getters},
                              {0, NULL}};

PyType_Spec comb_spec = {.name = "_tribo.Comb",
                         .basicsize = sizeof(py_comb),
                         .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                         .slots = slots};
