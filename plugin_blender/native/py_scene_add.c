/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_scene_add: an object from Python's arrays into the scene.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "py_samples.h"
#include "py_scene.h"

/* Everything that has to outlive the call of the core, and is freed after it. */
typedef struct parts {
  const native_state *state;
  char owner[TRIBO_MESSAGE_SIZE / 4]; /* "object 'sheet'" */
  tribo_object_def def;
  tribo_fill_params fill;
  transform place;
  bool placed;
  reals positions, uvs, structure, friction, stiffness, present;
  wholes triangles;
  int32_t *turned; /* triangles of a mirrored object, wound the other way */
  tribo_pin_def *pins;
  wholes *pin_vertices;
  size_t pin_count;
  float *maps[2];
  py_samples *motion, **targets; /* in use; one a pin, or NULL */
} parts;

static void parts_free(parts *p) {
  reals_free(&p->positions);
  reals_free(&p->uvs);
  reals_free(&p->structure);
  reals_free(&p->friction);
  reals_free(&p->stiffness);
  reals_free(&p->present);
  wholes_free(&p->triangles);
  free(p->turned);
  for (size_t i = 0; i < p->pin_count; i++) wholes_free(&p->pin_vertices[i]);
  for (size_t i = 0; i < p->pin_count; i++)
    if (p->targets[i]) p->targets[i]->users--;
  if (p->motion) p->motion->users--;
  free(p->targets);
  free(p->pin_vertices);
  free(p->pins);
  free(p->maps[0]);
  free(p->maps[1]);
}

/* "object 'sheet': positions", for messages. */
#define WHAT(p, name)                                                                              \
  char what[TRIBO_MESSAGE_SIZE / 2];                                                               \
  snprintf(what, sizeof what, "%s: %s", (p)->owner, (name))

static bool read_kind(parts *p, const char *kind) {
  const tribo_kind_info *row;
  for (size_t i = 0; (row = tribo_kind_at(i)); i++)
    if (strcmp(row->name, kind) == 0) {
      p->def = tribo_object_default(row->kind);
      return true;
    }
  char known[TRIBO_MESSAGE_SIZE / 4] = "";
  for (size_t i = 0, length = 0; (row = tribo_kind_at(i)) && length < sizeof known; i++)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                               i == 0                 ? ""
                               : tribo_kind_at(i + 1) ? ", "
                                                      : " or ",
                               row->name);
  native_refuse(p->state, "%s: kind '%.60s' is unknown; give %s", p->owner, kind, known);
  return false;
}

/* ---- geometry -------------------------------------------------------------------------------- */

/* A mirror turns the outside in: corners 1 and 2 change places, in the triangles and their UVs. */
static bool turn_triangles(parts *p) {
  size_t count = p->triangles.count;
  double *uvs = p->uvs.values ? reals_own(&p->uvs) : NULL;
  if (p->uvs.values && !uvs) return false;
  p->turned = malloc((count + 1) * sizeof *p->turned);
  if (!p->turned) {
    PyErr_NoMemory();
    return false;
  }
  memcpy(p->turned, p->triangles.values, count * sizeof *p->turned);
  for (size_t t = 0; t < count / 3; t++) {
    int32_t corner = p->turned[3 * t + 1];
    p->turned[3 * t + 1] = p->turned[3 * t + 2];
    p->turned[3 * t + 2] = corner;
    for (size_t a = 0; uvs && a < 2; a++) {
      double uv = uvs[6 * t + 2 + a];
      uvs[6 * t + 2 + a] = uvs[6 * t + 4 + a];
      uvs[6 * t + 4 + a] = uv;
    }
  }
  return true;
}

static bool read_by_vertex(parts *p, const char *name, PyObject *object, size_t width, reals *out) {
  WHAT(p, name);
  return reals_read_exactly(p->state, what, object, width * p->def.vertex_count, out);
}

static bool read_geometry(parts *p, PyObject *positions, PyObject *triangles, PyObject *uvs) {
  {
    WHAT(p, "positions");
    if (!reals_read(p->state, what, positions, &p->positions)) return false;
  }
  {
    WHAT(p, "triangles");
    if (!wholes_read(p->state, what, triangles, &p->triangles)) return false;
  }
  if (!p->positions.values || !p->triangles.values) {
    native_refuse(p->state, "%s: it has no %s", p->owner,
                  p->positions.values ? "triangles" : "positions");
    return false;
  }
  if (p->positions.count % 3 || p->triangles.count % 3) {
    bool points = p->positions.count % 3;
    native_refuse(p->state, "%s: %s: %zu numbers are no whole number of %s of 3", p->owner,
                  points ? "positions" : "triangles",
                  points ? p->positions.count : p->triangles.count,
                  points ? "points" : "triangles");
    return false;
  }
  p->def.vertex_count = p->positions.count / 3;
  p->def.triangle_count = p->triangles.count / 3;
  {
    WHAT(p, "uvs");
    if (!reals_read_exactly(p->state, what, uvs, 2 * p->triangles.count, &p->uvs)) return false;
  }
  if (p->placed) {
    double *own = reals_own(&p->positions);
    if (!own) return false;
    transform_points(&p->place, own, p->def.vertex_count);
    if (transform_mirrors(&p->place) && !turn_triangles(p)) return false;
  }
  p->def.positions = p->positions.values;
  p->def.triangles = p->turned ? p->turned : p->triangles.values;
  p->def.uvs = p->uvs.values;
  return true;
}

/* ---- paint ----------------------------------------------------------------------------------- */

/* (pixels, width, height, channels), the bottom row first; the core wants the top row first. */
static bool read_map(parts *p, const char *name, PyObject *object, float **kept,
                     tribo_map_def *out) {
  if (!object || object == Py_None) return true;
  WHAT(p, name);
  PyObject *pixels;
  int width, height, channels;
  if (!PyTuple_Check(object) ||
      !PyArg_ParseTuple(object, "Oiii", &pixels, &width, &height, &channels)) {
    PyErr_Clear();
    native_refuse(p->state, "%s: (pixels, width, height, channels) is needed", what);
    return false;
  }
  if (width < 1 || height < 1 || channels < 1 || channels > 4) {
    native_refuse(p->state, "%s: an image of %d x %d pixels with %d channels cannot be used", what,
                  width, height, channels);
    return false;
  }
  size_t row = (size_t)width * (size_t)channels, count = row * (size_t)height;
  reals values;
  bool ok = reals_read_exactly(p->state, what, pixels, count, &values);
  if (ok && !values.values) {
    native_refuse(p->state, "%s: there are no pixels", what);
    ok = false;
  }
  *kept = ok ? malloc(count * sizeof **kept) : NULL;
  if (ok && !*kept) {
    PyErr_NoMemory();
    ok = false;
  }
  for (size_t y = 0; ok && y < (size_t)height; y++)
    for (size_t i = 0; i < row; i++)
      (*kept)[((size_t)height - 1 - y) * row + i] = (float)values.values[y * row + i];
  reals_free(&values);
  if (ok) *out = (tribo_map_def){*kept, width, height, channels};
  return ok;
}

static bool read_paint(parts *p, PyObject *structure, PyObject *friction, PyObject *stiffness) {
  if (!read_by_vertex(p, "vertex_structure", structure, 3, &p->structure) ||
      !read_by_vertex(p, "vertex_friction", friction, 1, &p->friction) ||
      !read_by_vertex(p, "vertex_stiffness", stiffness, 1, &p->stiffness))
    return false;
  if (p->structure.values && p->placed) {
    double *own = reals_own(&p->structure);
    if (!own) return false;
    transform_directions(&p->place, own, p->def.vertex_count);
  }
  p->def.vertex_structure = p->structure.values;
  p->def.vertex_friction = p->friction.values;
  p->def.vertex_stiffness = p->stiffness.values;
  return true;
}

/* ---- motion and pins ------------------------------------------------------------------------- */

static bool read_motion(parts *p, PyObject *object) {
  if (!object || object == Py_None) return true;
  WHAT(p, "motion");
  py_samples *s = py_samples_from(p->state, what, object);
  if (!s) return false;
  if (s->vertices && s->vertices != p->def.vertex_count) {
    native_refuse(p->state, "%s: samples of %zu vertices, but the object has %zu", what,
                  s->vertices, p->def.vertex_count);
    return false;
  }
  p->def.motion = (tribo_motion_def){.transforms = s->vertices ? NULL : s->values,
                                     .points = s->vertices ? s->values : NULL,
                                     .sample_count = s->count,
                                     .start = s->start,
                                     .interval = s->interval};
  s->users++;
  p->motion = s;
  return true;
}

static bool read_presence(parts *p, PyObject *object) {
  if (!object || object == Py_None) return true;
  WHAT(p, "present");
  if (!reals_read(p->state, what, object, &p->present)) return false;
  if (p->present.count % 2) {
    native_refuse(p->state, "%s: %zu numbers; give two frames a range", what, p->present.count);
    return false;
  }
  p->def.presence = (tribo_presence_def){true, p->present.values, p->present.count / 2};
  return true;
}

static bool read_targets(const parts *p, const char *what, PyObject *object, size_t number) {
  tribo_pin_def *pin = &p->pins[number];
  if (!object || object == Py_None) return true;
  py_samples *s = py_samples_from(p->state, what, object);
  if (!s) return false;
  if (s->vertices != pin->vertex_count || s->count == 0) {
    native_refuse(p->state, "%s: %zu samples of %zu vertices, but the pin has %zu vertices", what,
                  s->count, s->vertices, pin->vertex_count);
    return false;
  }
  pin->targets = s->values;
  pin->target_count = s->count;
  pin->target_start = s->start;
  pin->target_interval = s->interval;
  s->users++;
  p->targets[number] = s;
  return true;
}

static bool read_pin(parts *p, PyObject *object, size_t number) {
  char name[32];
  snprintf(name, sizeof name, "pin %zu", number);
  WHAT(p, name);
  if (!PyDict_Check(object)) {
    native_refuse(p->state, "%s: a dict with vertices, stiffness and targets is needed", what);
    return false;
  }
  PyObject *key, *value, *vertices = NULL, *targets = NULL;
  Py_ssize_t at = 0;
  tribo_pin_def *pin = &p->pins[number];
  *pin = (tribo_pin_def){.params = tribo_pin_defaults(), .target_interval = 1};
  while (PyDict_Next(object, &at, &key, &value)) {
    bool text = PyUnicode_Check(key);
    if (text && PyUnicode_CompareWithASCIIString(key, "vertices") == 0) {
      vertices = value;
    } else if (text && PyUnicode_CompareWithASCIIString(key, "targets") == 0) {
      targets = value;
    } else {
      PyObject *rest = PyDict_New();
      bool ok = rest && PyDict_SetItem(rest, key, value) == 0 &&
                py_scene_fields(p->state, what, "pin", rest, &pin->params);
      Py_XDECREF(rest);
      if (!ok) return false;
    }
  }
  wholes *numbers = &p->pin_vertices[number];
  if (!wholes_read(p->state, what, vertices, numbers)) return false;
  pin->vertices = numbers->values;
  pin->vertex_count = numbers->count;
  return read_targets(p, what, targets, number);
}

static bool read_pins(parts *p, PyObject *object) {
  if (!object || object == Py_None) return true;
  PyObject *list = PySequence_List(object);
  if (!list) return false;
  size_t count = (size_t)PyList_Size(list);
  p->pins = calloc(count + 1, sizeof *p->pins);
  p->pin_vertices = calloc(count + 1, sizeof *p->pin_vertices);
  p->targets = calloc(count + 1, sizeof *p->targets);
  bool ok = p->pins && p->pin_vertices && p->targets;
  if (!ok) PyErr_NoMemory();
  for (size_t i = 0; ok && i < count; i++) {
    p->pin_count = i + 1;
    ok = read_pin(p, PyList_GetItem(list, (Py_ssize_t)i), i);
  }
  Py_DECREF(list);
  p->def.pins = p->pins;
  p->def.pin_count = p->pin_count;
  return ok;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool read_parameters(parts *p, PyObject *groups) {
  const struct {
    const char *name;
    void *params;
  } known[] = {{"object", &p->def.object}, {"cloth", &p->def.cloth},     {"solid", &p->def.solid},
               {"rigid", &p->def.rigid},   {"surface", &p->def.surface}, {"maps", &p->def.maps},
               {"fill", &p->fill}};
  if (!groups || groups == Py_None) return true;
  PyObject *items = PyMapping_Check(groups) ? PyMapping_Items(groups) : NULL;
  if (!items) {
    PyErr_Clear();
    native_refuse(p->state, "%s: parameters: a dict of groups is needed", p->owner);
    return false;
  }
  bool ok = true;
  for (Py_ssize_t i = 0; ok && i < PyList_Size(items); i++) {
    PyObject *pair = PyList_GetItem(items, i), *group = PyTuple_GetItem(pair, 0);
    size_t k = 0, count = sizeof known / sizeof *known;
    while (k < count &&
           !(PyUnicode_Check(group) && PyUnicode_CompareWithASCIIString(group, known[k].name) == 0))
      k++;
    ok = k < count;
    if (ok)
      ok = py_scene_fields(p->state, p->owner, known[k].name, PyTuple_GetItem(pair, 1),
                           known[k].params);
    else
      native_refuse(p->state,
                    "%s: parameters: groups are object, cloth, solid, rigid, surface, maps, fill",
                    p->owner);
  }
  Py_DECREF(items);
  return ok;
}

/* ---- the call -------------------------------------------------------------------------------- */

PyObject *py_scene_add(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"name",
                          "kind",
                          "positions",
                          "triangles",
                          "transform",
                          "uvs",
                          "parameters",
                          "material",
                          "pins",
                          "motion",
                          "structure_map",
                          "friction_map",
                          "vertex_structure",
                          "vertex_friction",
                          "vertex_stiffness",
                          "present",
                          NULL};
  py_scene *s = (py_scene *)self;
  parts p = {.state = native_of(self), .fill = tribo_fill_defaults()};
  const char *name, *kind, *material = NULL;
  PyObject *positions, *triangles, *place = NULL, *uvs = NULL, *parameters = NULL, *pins = NULL,
                                   *motion = NULL, *structure_map = NULL, *friction_map = NULL,
                                   *structure = NULL, *friction = NULL, *stiffness = NULL,
                                   *present = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "ssOO|$OOOzOOOOOOOO", names, &name, &kind,
                                   &positions, &triangles, &place, &uvs, &parameters, &material,
                                   &pins, &motion, &structure_map, &friction_map, &structure,
                                   &friction, &stiffness, &present))
    return NULL;
  snprintf(p.owner, sizeof p.owner, "object '%.120s'", name);
  if (!read_kind(&p, kind)) return NULL;
  p.def.name = name;
  p.def.material = material;
  WHAT(&p, "transform");
  bool ok = transform_read(p.state, what, place, &p.placed, &p.place) &&
            read_geometry(&p, positions, triangles, uvs) &&
            read_paint(&p, structure, friction, stiffness) &&
            read_map(&p, "structure_map", structure_map, &p.maps[0], &p.def.structure_map) &&
            read_map(&p, "friction_map", friction_map, &p.maps[1], &p.def.friction_map) &&
            read_motion(&p, motion) && read_presence(&p, present) && read_pins(&p, pins) &&
            read_parameters(&p, parameters) && py_scene_begin_write(p.state, s);
  PyObject *result = NULL;
  if (ok) {
    size_t index = 0;
    tribo_error err = {0};
    PyThreadState *away = PyEval_SaveThread();
    tribo_status status = tribo_kind_at((size_t)p.def.kind)->mesh == TRIBO_MESH_TETS
                              ? tribo_scene_add_filled(s->scene, &p.def, &p.fill, &index, &err)
                              : tribo_scene_add(s->scene, &p.def, &index, &err);
    PyEval_RestoreThread(away);
    py_scene_end_write(s);
    result = status == TRIBO_OK ? PyLong_FromSize_t(index) : native_raise(p.state, &err);
  }
  parts_free(&p);
  return result;
}
