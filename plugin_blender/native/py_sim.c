/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_sim: _tribo.Sim, a simulation that Python leads from frame to frame, on a thread of its own.
 *
 * Between start_frame and the wait that says so, the frame is under way and everything else is
 * refused: the simulation belongs to the thread meanwhile. One that is still under way when the
 * object goes is stopped within its step.
 */
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "messages.h"
#include "py_contacts.h"
#include "py_crossings.h"
#include "py_scene.h"
#include "worker.h"

/* What the thread uses, apart from the object: the object may go while Python ends. */
typedef struct live {
  tribo_sim *sim;
  worker worker;
  tribo_status status; /* of the last frame, */
  tribo_error err;     /* and why */
  tribo_report report;
  messages log; /* under the worker's lock */
} live;

typedef struct py_sim {
  PyObject_HEAD live *live;
  size_t object_count, *width; /* of the scene: numbers of a sample of its motion; 0: has none */
  size_t *pin_count, **pin_width;
  bool under_way; /* touched with the GIL held */
} py_sim;

static void on_log(void *user, tribo_log_level level, const char *text) {
  live *l = user;
  if (level == TRIBO_LOG_DEBUG) return;
  pthread_mutex_lock(&l->worker.lock);
  messages_add(&l->log, level, text);
  pthread_mutex_unlock(&l->worker.lock);
}

static void advance(void *context) {
  live *l = context;
  l->err = (tribo_error){0};
  l->status = tribo_sim_frame(l->sim, &l->report, &l->err);
}

/* ---- what samples have to look like ---------------------------------------------------------- */

static bool note_shapes(py_sim *s, const tribo_scene *scene) {
  size_t count = s->object_count = tribo_scene_object_count(scene);
  s->width = calloc(count + 1, sizeof *s->width);
  s->pin_count = calloc(count + 1, sizeof *s->pin_count);
  s->pin_width = calloc(count + 1, sizeof *s->pin_width);
  if (!s->width || !s->pin_count || !s->pin_width) return false;
  for (size_t i = 0; i < count; i++) {
    const tribo_object_def *o = tribo_scene_object(scene, i);
    if (o->motion.sample_count) s->width[i] = o->motion.transforms ? 16 : 3 * o->vertex_count;
    s->pin_width[i] = calloc(o->pin_count + 1, sizeof *s->pin_width[i]);
    if (!s->pin_width[i]) return false;
    s->pin_count[i] = o->pin_count;
    for (size_t p = 0; p < o->pin_count; p++) s->pin_width[i][p] = 3 * o->pins[p].vertex_count;
  }
  return true;
}

/* ---- the object ------------------------------------------------------------------------------ */

static bool start_thread(const native_state *state, py_sim *s, py_scene *scene, int threads) {
  live *l = calloc(1, sizeof *l);
  if (!l || !note_shapes(s, scene->scene)) {
    free(l);
    PyErr_NoMemory();
    return false;
  }
  if (!worker_start(&l->worker)) {
    free(l);
    tribo_error none = {.status = TRIBO_NO_MEMORY,
                        .message = "the system has no more threads for a simulation"};
    native_raise(state, &none);
    return false;
  }
  s->live = l;
  if (!py_scene_begin_read(state, scene)) return false;
  tribo_sim_options options = {
      .threads = threads, .log = on_log, .log_user = l, .stop = &l->worker.stop};
  tribo_error err = {0};
  PyThreadState *away = PyEval_SaveThread();
  tribo_status status = tribo_sim_create(scene->scene, &options, &l->sim, &err);
  PyEval_RestoreThread(away);
  py_scene_end_read(scene);
  if (status != TRIBO_OK) native_raise(state, &err);
  return status == TRIBO_OK;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"scene", "threads", NULL};
  const native_state *state = PyType_GetModuleState(type);
  PyObject *scene;
  int threads = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|i", names, &scene, &threads)) return NULL;
  if (!Py_IS_TYPE(scene, (PyTypeObject *)state->scene_type))
    return native_refuse(state, "Sim: a Scene is needed");
  allocfunc alloc = __extension__(allocfunc) PyType_GetSlot(type, Py_tp_alloc);
  py_sim *s = (py_sim *)alloc(type, 0);
  if (!s) return NULL;
  if (start_thread(state, s, (py_scene *)scene, threads)) return (PyObject *)s;
  Py_DECREF((PyObject *)s);
  return NULL;
}

static void live_free(live *l) {
  worker_stop(&l->worker, true);
  worker_end(&l->worker);
  tribo_sim_free(l->sim);
  messages_clear(&l->log);
  free(l);
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  py_sim *s = (py_sim *)self;
  if (s->live) {
    PyThreadState *away = PyEval_SaveThread();
    live_free(s->live);
    PyEval_RestoreThread(away);
  }
  for (size_t i = 0; s->pin_width && i < s->object_count; i++) free(s->pin_width[i]);
  free(s->pin_width);
  free(s->pin_count);
  free(s->width);
  PyObject_Free(self);
  Py_DECREF(type);
}

static bool check_idle(const native_state *state, const py_sim *s) {
  if (s->under_way) native_refuse(state, "a frame is under way; wait for it first");
  return !s->under_way;
}

static PyObject *start_frame(PyObject *self, PyObject *unused) {
  (void)unused;
  py_sim *s = (py_sim *)self;
  if (!check_idle(native_of(self), s)) return NULL;
  s->under_way = true;
  worker_give(&s->live->worker, advance, s->live);
  return Py_NewRef(Py_None);
}

static PyObject *wait_frame(PyObject *self, PyObject *args, PyObject *keywords) {
  py_sim *s = (py_sim *)self;
  bool done;
  if (!native_wait(&s->live->worker, args, keywords, &done)) return NULL;
  if (!done) return Py_NewRef(Py_False);
  bool fresh = s->under_way;
  s->under_way = false;
  if (fresh && s->live->status != TRIBO_OK) return native_raise(native_of(self), &s->live->err);
  return Py_NewRef(Py_True);
}

/* Whether to give up the frame under way; wait then raises Error "cancelled". */
static PyObject *cancel(PyObject *self, PyObject *unused) {
  (void)unused;
  py_sim *s = (py_sim *)self;
  if (s->under_way) {
    worker_stop(&s->live->worker, true);
    PyThreadState *away = PyEval_SaveThread();
    worker_wait(&s->live->worker, -1);
    PyEval_RestoreThread(away);
    worker_stop(&s->live->worker, false);
  }
  return Py_NewRef(Py_None);
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* The values of one sample; those of vertices through a transform, where there is one. */
static bool read_sample(const native_state *state, const char *what, PyObject *given, size_t width,
                        PyObject *through, reals *out) {
  transform t;
  bool has;
  *out = (reals){0};
  if (!transform_read(state, what, through, &has, &t)) return false;
  if (!reals_read_exactly(state, what, given, width, out)) return false;
  if (!out->values) {
    native_refuse(state, "%s: values are missing", what);
    return false;
  }
  if (!has || width == 16) return true; /* 16 is no number of coordinates: it is a transform */
  double *own = reals_own(out);
  if (own) transform_points(&t, own, width / 3);
  return own != NULL;
}

static PyObject *extend(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"index", "values", "transform", NULL};
  py_sim *s = (py_sim *)self;
  const native_state *state = native_of(self);
  Py_ssize_t index;
  PyObject *given, *through = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "nO|O", names, &index, &given, &through))
    return NULL;
  if (!check_idle(state, s)) return NULL;
  if (index < 0 || (size_t)index >= s->object_count || !s->width[index])
    return native_refuse(state, "Sim.extend: object %zd is no collider with a motion", index);
  reals sample;
  bool ok = read_sample(state, "Sim.extend", given, s->width[index], through, &sample);
  tribo_error err = {0};
  if (ok && tribo_sim_extend_motion(s->live->sim, (size_t)index, sample.values, &err) != TRIBO_OK) {
    native_raise(state, &err);
    ok = false;
  }
  reals_free(&sample);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *extend_presence(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"index", "frame", "present", NULL};
  py_sim *s = (py_sim *)self;
  const native_state *state = native_of(self);
  Py_ssize_t index;
  double frame;
  int present;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "ndp", names, &index, &frame, &present))
    return NULL;
  if (!check_idle(state, s)) return NULL;
  tribo_error err = {0};
  size_t object = index < 0 ? SIZE_MAX : (size_t)index;
  if (tribo_sim_extend_presence(s->live->sim, object, frame, present, &err) != TRIBO_OK)
    return native_raise(state, &err);
  return Py_NewRef(Py_None);
}

static PyObject *extend_pin(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"index", "pin", "values", "transform", NULL};
  py_sim *s = (py_sim *)self;
  const native_state *state = native_of(self);
  Py_ssize_t index, pin;
  PyObject *given, *through = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "nnO|O", names, &index, &pin, &given, &through))
    return NULL;
  if (!check_idle(state, s)) return NULL;
  if (index < 0 || (size_t)index >= s->object_count || pin < 0 ||
      (size_t)pin >= s->pin_count[index])
    return native_refuse(state, "Sim.extend_pin: object %zd has no pin %zd", index, pin);
  reals sample;
  bool ok = read_sample(state, "Sim.extend_pin", given, s->pin_width[index][pin], through, &sample);
  tribo_error err = {0};
  if (ok && tribo_sim_extend_targets(s->live->sim, (size_t)index, (size_t)pin, sample.values,
                                     &err) != TRIBO_OK) {
    native_raise(state, &err);
    ok = false;
  }
  reals_free(&sample);
  return ok ? Py_NewRef(Py_None) : NULL;
}

/* ---- looking --------------------------------------------------------------------------------- */

static PyObject *frame_number(PyObject *self, PyObject *unused) {
  (void)unused;
  py_sim *s = (py_sim *)self;
  if (!check_idle(native_of(self), s)) return NULL;
  return PyFloat_FromDouble(tribo_sim_frame_number(s->live->sim));
}

static PyObject *positions(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"index", "out", "transform", NULL};
  py_sim *s = (py_sim *)self;
  const native_state *state = native_of(self);
  Py_ssize_t index;
  PyObject *out, *through = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "nO|O", names, &index, &out, &through))
    return NULL;
  transform t;
  bool has;
  if (!check_idle(state, s) ||
      !transform_read(state, "Sim.positions: transform", through, &has, &t))
    return NULL;
  if (index < 0 || (size_t)index >= tribo_sim_object_count(s->live->sim))
    return native_refuse(state, "Sim.positions: there is no simulated object %zd; there are %zu",
                         index, tribo_sim_object_count(s->live->sim));
  bool ok =
      buffers_write(state, "Sim.positions: out", tribo_sim_positions(s->live->sim, (size_t)index),
                    tribo_sim_vertex_count(s->live->sim, (size_t)index), has ? &t : NULL, out);
  return ok ? Py_NewRef(Py_None) : NULL;
}

static const char *name_of(const void *sim, size_t object) {
  return tribo_sim_object_name(sim, object);
}

static PyObject *objects(PyObject *self, PyObject *unused) {
  (void)unused;
  const tribo_sim *sim = ((py_sim *)self)->live->sim;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < tribo_sim_object_count(sim); i++) {
    const char *name = tribo_sim_object_name(sim, i);
    PyObject *text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
    if (!text || PyList_Append(list, text) != 0) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

static PyObject *contacts(PyObject *self, PyObject *unused) {
  (void)unused;
  py_sim *s = (py_sim *)self;
  if (!check_idle(native_of(self), s)) return NULL;
  size_t count;
  const tribo_contact *found = tribo_sim_contacts(s->live->sim, &count);
  return py_contacts_create(native_of(self), found, count, name_of, s->live->sim);
}

static PyObject *report(PyObject *self, PyObject *unused) {
  (void)unused;
  py_sim *s = (py_sim *)self;
  if (!check_idle(native_of(self), s)) return NULL;
  const tribo_report *r = &s->live->report;
  messages log;
  pthread_mutex_lock(&s->live->worker.lock);
  log = s->live->log;
  s->live->log.count = 0;
  pthread_mutex_unlock(&s->live->worker.lock);
  PyObject *list = messages_list(&log);
  messages_clear(&log);
  if (!list) return NULL;
  return Py_BuildValue(
      "{s:i,s:i,s:i,s:i,s:d,s:d,s:d,s:d,s:N,s:i,s:N,s:N,s:d,s:N}", "steps", r->steps, "cuts",
      r->cuts, "contacts", r->contacts, "newton_iterations", r->newton_iterations, "residual",
      r->residual, "max_penetration", r->max_penetration, "kinetic_energy", r->kinetic_energy,
      "elastic_energy", r->elastic_energy, "crossings", py_crossings_count(r->crossings),
      "new_crossings", r->new_crossings, "rough", py_crossings_reasons(r->rough), "converged",
      PyBool_FromLong(r->converged), "seconds", r->seconds, "log", list);
}

static PyObject *crossings(PyObject *self, PyObject *unused) {
  (void)unused;
  py_sim *s = (py_sim *)self;
  if (!check_idle(native_of(self), s)) return NULL;
  size_t count;
  const tribo_crossing *found = tribo_sim_crossings(s->live->sim, &count);
  return py_crossings_list(found, count);
}

static PyObject *pierced(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"index", NULL};
  py_sim *s = (py_sim *)self;
  Py_ssize_t index;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "n", names, &index)) return NULL;
  if (!check_idle(native_of(self), s)) return NULL;
  size_t count;
  const int32_t *found = tribo_sim_pierced(s->live->sim, (size_t)index, &count);
  return py_crossings_triangles(found, count);
}

static PyMethodDef methods[] = {
    {"start_frame", start_frame, METH_NOARGS, "Begins to advance to the next frame."},
    {"wait", METHOD(wait_frame), METH_VARARGS | METH_KEYWORDS, "Whether the frame is there."},
    {"cancel", cancel, METH_NOARGS, "Gives up the frame under way."},
    {"extend", METHOD(extend), METH_VARARGS | METH_KEYWORDS, "One more sample of a collider."},
    {"extend_presence", METHOD(extend_presence), METH_VARARGS | METH_KEYWORDS,
     "Whether a collider is there from a frame on."},
    {"extend_pin", METHOD(extend_pin), METH_VARARGS | METH_KEYWORDS, "One more of a pin."},
    {"frame_number", frame_number, METH_NOARGS, "The frame that the state is at."},
    {"objects", objects, METH_NOARGS, "Names of the simulated objects, in order."},
    {"positions", METHOD(positions), METH_VARARGS | METH_KEYWORDS, "Of a simulated object."},
    {"contacts", contacts, METH_NOARGS, "The contacts of the last step."},
    {"crossings", crossings, METH_NOARGS, "What crosses, as counted last."},
    {"pierced", METHOD(pierced), METH_VARARGS | METH_KEYWORDS, "Triangles pierced then."},
    {"report", report, METH_NOARGS, "What the last frame came to."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "A scene in motion."},
                              {Py_tp_new, SLOT(create)},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec sim_spec = {.name = "_tribo.Sim",
                        .basicsize = sizeof(py_sim),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                        .slots = slots};
