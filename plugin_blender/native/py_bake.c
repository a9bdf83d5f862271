/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_bake: _tribo.Bake, a bake on a thread of its own.
 *
 * The thread leaves a snapshot after every frame; poll copies it. Nothing of Python is touched by
 * the thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "messages.h"
#include "py_crossings.h"
#include "py_scene.h"
#include "worker.h"

typedef struct py_bake py_bake;

/* What the thread uses: it lives from py_scene_bake to the end of the object. */
typedef struct job {
  const tribo_scene *scene;
  char *folder;
  tribo_bake_options options;
  tribo_playback *playback; /* of options, with names and transforms of our own */

  worker worker; /* its lock guards what follows */
  int stop;      /* read by the core without the lock */
  bool ended;
  tribo_status outcome;
  tribo_error err;
  tribo_progress now;
  bool any; /* a frame was written: `now` is set */
  messages log;
} job;

struct py_bake {
  PyObject_HEAD py_scene *scene; /* read by the thread until the job was seen to end */
  bool reading;
  job *job;
};

/* ---- the thread ------------------------------------------------------------------------------ */

static bool on_progress(void *user, const tribo_progress *now) {
  job *j = user;
  pthread_mutex_lock(&j->worker.lock);
  j->now = *now;
  j->any = true;
  pthread_mutex_unlock(&j->worker.lock);
  return !__atomic_load_n(&j->worker.stop, __ATOMIC_RELAXED);
}

static void on_log(void *user, tribo_log_level level, const char *text) {
  job *j = user;
  if (level == TRIBO_LOG_DEBUG) return;
  pthread_mutex_lock(&j->worker.lock);
  messages_add(&j->log, level, text);
  pthread_mutex_unlock(&j->worker.lock);
}

static void run(void *context) {
  job *j = context;
  tribo_error err = {0};
  tribo_status status = tribo_bake(j->scene, j->folder, &j->options, &err);
  pthread_mutex_lock(&j->worker.lock);
  j->outcome = status;
  j->err = err;
  j->ended = true;
  pthread_mutex_unlock(&j->worker.lock);
}

static void job_free(job *j) {
  messages_clear(&j->log);
  for (size_t i = 0; j->playback && i < j->options.playback_count; i++) {
    free((void *)j->playback[i].object);
    free((void *)j->playback[i].transforms);
  }
  free(j->playback);
  free(j->folder);
  free(j);
}

/* ---- the object ------------------------------------------------------------------------------ */

/* The scene may be changed again once its reader is seen to have ended. */
static void let_go(py_bake *b) {
  if (b->reading) py_scene_end_read(b->scene);
  b->reading = false;
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  py_bake *b = (py_bake *)self;
  if (b->job) {
    worker_stop(&b->job->worker, true);
    PyThreadState *away = PyEval_SaveThread();
    worker_end(&b->job->worker);
    PyEval_RestoreThread(away);
    job_free(b->job);
  }
  let_go(b);
  Py_XDECREF((PyObject *)b->scene);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *cancel(PyObject *self, PyObject *unused) {
  (void)unused;
  worker_stop(&((py_bake *)self)->job->worker, true);
  return Py_NewRef(Py_None);
}

static PyObject *join(PyObject *self, PyObject *args, PyObject *keywords) {
  py_bake *b = (py_bake *)self;
  bool done;
  if (!native_wait(&b->job->worker, args, keywords, &done)) return NULL;
  if (done) let_go(b);
  return PyBool_FromLong(done);
}

static const char *status_word(const job *j) {
  if (!j->ended) return "running";
  if (j->outcome == TRIBO_OK) return "done";
  return j->outcome == TRIBO_CANCELLED ? "cancelled" : "failed";
}

/* The lock is held for copying alone: what Python makes of it may take its time. */
static PyObject *poll(PyObject *self, PyObject *unused) {
  (void)unused;
  py_bake *b = (py_bake *)self;
  job *j = b->job;
  messages log;
  pthread_mutex_lock(&j->worker.lock);
  const char *word = status_word(j);
  bool ended = j->ended, any = j->any;
  tribo_status outcome = j->outcome;
  tribo_error err = j->err;
  tribo_progress now = j->now;
  log = j->log;
  j->log.count = 0;
  pthread_mutex_unlock(&j->worker.lock);
  if (ended) let_go(b);

  PyObject *text = PyUnicode_DecodeUTF8(err.message, (Py_ssize_t)strlen(err.message), "replace");
  PyObject *list = messages_list(&log);
  messages_clear(&log);
  if (!text || !list) {
    Py_XDECREF(text);
    Py_XDECREF(list);
    return NULL;
  }
  PyObject *frame = any ? PyLong_FromLong(now.frame) : Py_NewRef(Py_None);
  return Py_BuildValue(
      "{s:s,s:N,s:s,s:N,s:i,s:i,s:d,s:d,s:i,s:d,s:N,s:i,s:i,s:N,s:i,s:N,s:N}", "status", word,
      "message", text, "error", outcome == TRIBO_OK ? "" : native_status(outcome), "frame", frame,
      "start", now.start, "end", now.end, "seconds", now.seconds, "seconds_left", now.seconds_left,
      "contacts", now.contacts, "max_penetration", now.report.max_penetration, "converged",
      PyBool_FromLong(!any || now.report.converged), "steps", now.report.steps, "cuts",
      now.report.cuts, "crossings", py_crossings_count(any ? now.report.crossings : -1),
      "new_crossings", now.report.new_crossings, "rough", py_crossings_reasons(now.report.rough),
      "log", list);
}

static PyMethodDef methods[] = {
    {"poll", poll, METH_NOARGS, "What is known now, and the new messages."},
    {"cancel", cancel, METH_NOARGS, "Asks it to stop, and returns at once."},
    {"join", METHOD(join), METH_VARARGS | METH_KEYWORDS, "Waits; whether it ended."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_doc, "A bake under way. Deleting it cancels and waits."},
                              {Py_tp_dealloc, SLOT(dealloc)},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec bake_spec = {
    .name = "_tribo.Bake",
    .basicsize = sizeof(py_bake),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots};

/* ---- Scene.bake ------------------------------------------------------------------------------ */

static job *job_create(const py_scene *s, const char *folder) {
  job *j = calloc(1, sizeof *j);
  if (j) j->folder = strdup(folder);
  if (!j || !j->folder) {
    free(j);
    PyErr_NoMemory();
    return NULL;
  }
  j->scene = s->scene;
  const tribo_time_params *time = tribo_scene_time(s->scene);
  j->now = (tribo_progress){.start = time->start, .end = time->end};
  return j;
}

/* One object's transforms: its name, and 16 numbers a frame. */
static bool read_playback(const native_state *state, PyObject *pair, tribo_playback *out) {
  PyObject *key = PyTuple_GetItem(pair, 0);
  PyObject *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8String(key) : NULL;
  if (!name) {
    PyErr_Clear();
    native_refuse(state, "playback: the names of objects must be text");
    return false;
  }
  reals numbers;
  char what[TRIBO_MESSAGE_SIZE / 4];
  snprintf(what, sizeof what, "playback of '%.120s'", PyBytes_AsString(name));
  bool ok = reals_read(state, what, PyTuple_GetItem(pair, 1), &numbers);
  if (ok && (numbers.count == 0 || numbers.count % 16)) {
    native_refuse(state, "%s: %zu numbers; 16 a frame are needed", what, numbers.count);
    ok = false;
  }
  if (ok) {
    double *transforms = malloc(numbers.count * sizeof *transforms);
    out->object = strdup(PyBytes_AsString(name));
    out->transforms = transforms;
    out->transform_count = numbers.count / 16;
    ok = transforms && out->object;
    if (ok)
      memcpy(transforms, numbers.values, numbers.count * sizeof *transforms);
    else
      PyErr_NoMemory();
  }
  reals_free(&numbers);
  Py_DECREF(name);
  return ok;
}

static bool read_playbacks(const native_state *state, PyObject *mapping, job *j) {
  if (!mapping || mapping == Py_None) return true;
  PyObject *items = PyMapping_Check(mapping) ? PyMapping_Items(mapping) : NULL;
  if (!items) {
    PyErr_Clear();
    native_refuse(state, "playback: a dict of objects and their transforms is needed");
    return false;
  }
  size_t count = (size_t)PyList_Size(items);
  j->playback = calloc(count + 1, sizeof *j->playback);
  bool ok = j->playback != NULL;
  if (!ok) PyErr_NoMemory();
  for (size_t i = 0; ok && i < count; i++) {
    j->options.playback_count = i + 1;
    ok = read_playback(state, PyList_GetItem(items, (Py_ssize_t)i), &j->playback[i]);
  }
  j->options.playback = j->playback;
  Py_DECREF(items);
  return ok;
}

static PyObject *bake_create(const native_state *state, py_scene *s, job *j) {
  allocfunc alloc =
      __extension__(allocfunc) PyType_GetSlot((PyTypeObject *)state->bake_type, Py_tp_alloc);
  py_bake *b = (py_bake *)alloc((PyTypeObject *)state->bake_type, 0);
  if (!b) return NULL;
  if (!py_scene_begin_read(state, s)) {
    Py_DECREF((PyObject *)b);
    return NULL;
  }
  b->scene = (py_scene *)Py_NewRef((PyObject *)s);
  b->reading = true;
  if (!worker_start(&j->worker)) {
    tribo_error err = {.status = TRIBO_NO_MEMORY,
                       .message = "the system has no more threads for a bake"};
    native_raise(state, &err);
    Py_DECREF((PyObject *)b);
    return NULL;
  }
  b->job = j;
  worker_give(&j->worker, run, j);
  return (PyObject *)b;
}

PyObject *py_scene_bake(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"folder",      "threads",    "resume",   "overwrite", "contacts",
                          "keep_states", "from_frame", "playback", NULL};
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  PyObject *folder, *from = Py_None, *playback = NULL;
  int threads = 0, resume = 0, overwrite = 0, contacts = 0, keep_states = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|$ippppOO", names, PyUnicode_FSConverter,
                                   &folder, &threads, &resume, &overwrite, &contacts, &keep_states,
                                   &from, &playback))
    return NULL;
  job *j = job_create(s, PyBytes_AsString(folder));
  Py_DECREF(folder);
  if (!j) return NULL;
  long frame = from == Py_None ? 0 : PyLong_AsLong(from);
  j->options = (tribo_bake_options){.threads = threads,
                                    .resume = resume,
                                    .overwrite = overwrite,
                                    .contacts = contacts,
                                    .keep_states = keep_states,
                                    .rewind = from != Py_None,
                                    .from_frame = (int)frame,
                                    .progress = on_progress,
                                    .log = on_log,
                                    .user = j,
                                    .stop = &j->worker.stop};
  PyObject *b = NULL;
  if (!PyErr_Occurred() && read_playbacks(state, playback, j)) b = bake_create(state, s, j);
  if (!b) job_free(j);
  return b;
}
