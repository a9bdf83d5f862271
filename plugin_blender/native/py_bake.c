/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_bake: _tribo.Bake, a bake on a thread of its own.
 *
 * The thread leaves a snapshot after every frame; poll copies it. Nothing of Python is touched by
 * the thread. Bakes that are still under way when Python ends are cancelled and waited for, so that
 * no thread outlives what it uses.
 */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "py_scene.h"
#include "worker.h"

typedef struct py_bake py_bake;

/* What the thread uses: it lives from py_scene_bake to the end of the object. */
typedef struct job {
  const tribo_scene *scene;
  char *folder;
  tribo_bake_options options;

  worker worker; /* its lock guards what follows */
  bool cancel;
  bool ended;
  tribo_status outcome;
  tribo_error err;
  tribo_progress now;
  bool any; /* a frame was written: `now` is set */
  messages log;

  struct job *before, *after; /* among those under way */
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
  bool go_on = !j->cancel;
  pthread_mutex_unlock(&j->worker.lock);
  return go_on;
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

static void ask_to_stop(job *j) {
  pthread_mutex_lock(&j->worker.lock);
  j->cancel = true;
  pthread_mutex_unlock(&j->worker.lock);
}

/* ---- those under way ------------------------------------------------------------------------- */

/* Of the process, since threads are: see end_all. Touched with the GIL held, or when Python has
 * ended and nobody else is left. */
static job *under_way;
static bool registered;

/* Python has ended without deleting these objects; their threads must not run on. */
static void end_all(void) {
  for (job *j = under_way; j; j = j->after) ask_to_stop(j);
  for (job *j = under_way; j; j = j->after) worker_wait(&j->worker, -1);
}

static void enlist(job *j) {
  if (!registered) registered = Py_AtExit(end_all) == 0;
  j->after = under_way;
  if (under_way) under_way->before = j;
  under_way = j;
}

static void strike(job *j) {
  if (j->before) j->before->after = j->after;
  if (j->after) j->after->before = j->before;
  if (under_way == j) under_way = j->after;
}

static void job_free(job *j) {
  messages_clear(&j->log);
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
    ask_to_stop(b->job);
    Py_BEGIN_ALLOW_THREADS worker_end(&b->job->worker);
    Py_END_ALLOW_THREADS strike(b->job);
    job_free(b->job);
  }
  let_go(b);
  Py_XDECREF((PyObject *)b->scene);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *cancel(PyObject *self, PyObject *unused) {
  (void)unused;
  ask_to_stop(((py_bake *)self)->job);
  return Py_NewRef(Py_None);
}

static PyObject *join(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"timeout", NULL};
  py_bake *b = (py_bake *)self;
  PyObject *timeout = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O", names, &timeout)) return NULL;
  double seconds = timeout == Py_None ? -1 : PyFloat_AsDouble(timeout);
  if (seconds == -1 && PyErr_Occurred()) return NULL;
  if (timeout != Py_None && !(seconds >= 0)) seconds = 0;
  bool done;
  Py_BEGIN_ALLOW_THREADS done = worker_wait(&b->job->worker, seconds);
  Py_END_ALLOW_THREADS if (done) let_go(b);
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
  return Py_BuildValue("{s:s,s:N,s:s,s:N,s:i,s:i,s:d,s:d,s:i,s:d,s:N,s:i,s:i,s:N}", "status", word,
                       "message", text, "error", outcome == TRIBO_OK ? "" : native_status(outcome),
                       "frame", frame, "start", now.start, "end", now.end, "seconds", now.seconds,
                       "seconds_left", now.seconds_left, "contacts", now.contacts,
                       "max_penetration", now.report.max_penetration, "converged",
                       PyBool_FromLong(!any || now.report.converged), "steps", now.report.steps,
                       "cuts", now.report.cuts, "log", list);
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
    tribo_error err = {TRIBO_NO_MEMORY, "the system has no more threads for a bake"};
    native_raise(state, &err);
    Py_DECREF((PyObject *)b);
    return NULL;
  }
  b->job = j;
  enlist(j);
  worker_give(&j->worker, run, j);
  return (PyObject *)b;
}

PyObject *py_scene_bake(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"folder", "threads", "resume", "overwrite", "contacts", NULL};
  py_scene *s = (py_scene *)self;
  const native_state *state = native_of(self);
  PyObject *folder;
  int threads = 0, resume = 0, overwrite = 0, contacts = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&|$ippp", names, PyUnicode_FSConverter,
                                   &folder, &threads, &resume, &overwrite, &contacts))
    return NULL;
  job *j = job_create(s, PyBytes_AsString(folder));
  Py_DECREF(folder);
  if (!j) return NULL;
  j->options = (tribo_bake_options){.threads = threads,
                                    .resume = resume,
                                    .overwrite = overwrite,
                                    .contacts = contacts,
                                    .progress = on_progress,
                                    .log = on_log,
                                    .user = j};
  PyObject *b = bake_create(state, s, j);
  if (!b) job_free(j);
  return b;
}
