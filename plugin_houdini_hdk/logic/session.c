/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "worker.h"

#define POLL 0.02 /* s between two looks at Esc: well below the 50 ms that a hand notices */

struct hou_session {
  worker worker; /* of plugin_blender/native: a thread that does one job at a time */
  bool has_worker;
  hou_settings settings;
  uint64_t hash; /* of the settings */
  hou_time time;
  hou_reading reading;
  tribo_scene *scene;
  tribo_sim *sim;
  tribo_choice choice;
  double **last; /* by object: its last sample */
  hou_frames frames;
  size_t sampled;               /* samples given to the simulation, the first counted */
  uint64_t pending[HOU_INPUTS]; /* what was read at the frame that comes next, once it was */
  bool is_pending, broken;      /* broken: samples were given of one object and not of another */
  bool at_front;                /* the last cook showed the last frame there is */
  double speed;                 /* of the fastest collider or pin in the next frame, m/s */
  bool failed;
  tribo_error failure;
  tribo_report report;
  hou_say begin_say, said, *heard; /* heard: where the log goes */
  hou_view view;
  size_t steps;
};

/* What the worker does. */
typedef struct job {
  hou_session *s;
  tribo_status status;
  tribo_error err;
} job;

hou_session *hou_session_create(void) { return calloc(1, sizeof(hou_session)); }

static size_t samples_of(const hou_session *s) {
  return (size_t)fmin(fmax(s->settings.values[HOU_PARM_SAMPLES][0], 1), 32);
}

static void drop(hou_session *s) {
  tribo_sim_free(s->sim);
  tribo_scene_free(s->scene);
  s->sim = NULL;
  s->scene = NULL;
  for (size_t i = 0; s->last && i < s->reading.objects.count; i++) free(s->last[i]);
  free(s->last);
  s->last = NULL;
  hou_frames_clear(&s->frames);
  hou_reading_free(&s->reading);
  hou_say_clear(&s->begin_say);
  hou_view_free(&s->view);
  s->sampled = 0;
  s->is_pending = s->failed = s->broken = false;
}

void hou_session_reset(hou_session *s) { drop(s); }

void hou_session_free(hou_session *s) {
  if (!s) return;
  if (s->has_worker) {
    worker_stop(&s->worker, true);
    worker_end(&s->worker);
  }
  drop(s);
  hou_say_clear(&s->said);
  hou_settings_free(&s->settings);
  free(s);
}

const hou_view *hou_session_view(const hou_session *s) { return s->view.x ? &s->view : NULL; }
const hou_say *hou_session_said(const hou_session *s) { return &s->said; }
size_t hou_session_steps(const hou_session *s) { return s->steps; }

/* ---- the thread ------------------------------------------------------------------------------ */

static void on_log(void *user, tribo_log_level level, const char *text) {
  hou_session *s = user;
  char words[2 * TRIBO_MESSAGE_SIZE];
  if (level == TRIBO_LOG_DEBUG || !s->heard) return;
  hou_objects_translate(&s->reading.objects, text, words, sizeof words);
  hou_say_add(s->heard, level == TRIBO_LOG_WARNING ? HOU_WARNING : HOU_NOTE, words);
}

/* Runs a job beside, and looks after Esc meanwhile. Whether it was pressed. */
static bool run_beside(hou_session *s, const hou_host *host, worker_job work, job *j, int percent) {
  bool pressed = false;
  worker_give(&s->worker, work, j);
  while (!worker_wait(&s->worker, POLL))
    if (!pressed && host->pressed(host->user, percent)) {
      pressed = true;
      worker_stop(&s->worker, true);
    }
  worker_stop(&s->worker, false);
  return pressed;
}

static void begin_job(void *context) {
  job *j = context;
  hou_session *s = j->s;
  int threads = (int)fmin(fmax(s->settings.values[HOU_PARM_THREADS][0], 0), TRIBO_MOST_THREADS);
  tribo_sim_options options = {
      .threads = threads, .log = on_log, .log_user = s, .stop = &s->worker.stop};
  j->status = hou_scene_build(&s->reading, &s->settings, s->time, NULL, NULL, &s->scene,
                              &s->begin_say, &j->err);
  if (j->status == TRIBO_OK) j->status = tribo_scene_choice(s->scene, &s->choice, NULL, &j->err);
  if (j->status == TRIBO_OK) j->status = tribo_sim_create(s->scene, &options, &s->sim, &j->err);
}

static void frame_job(void *context) {
  job *j = context;
  j->status = tribo_sim_frame(j->s->sim, &j->s->report, &j->err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void clear_inputs(hou_input inputs[HOU_INPUTS]) {
  for (int i = 0; i < HOU_INPUTS; i++) hou_input_clear(inputs + i);
}

/* Fails with every input empty. */
static bool read_inputs(const hou_host *host, double frame, hou_input inputs[HOU_INPUTS],
                        uint64_t hashes[HOU_INPUTS], tribo_error *err) {
  for (int i = 0; i < HOU_INPUTS; i++) inputs[i] = (hou_input){0};
  for (int i = 0; i < HOU_INPUTS; i++) {
    if (!host->read(host->user, i, frame, inputs + i, err)) {
      clear_inputs(inputs);
      return false;
    }
    if (hashes) hashes[i] = hou_input_hash(inputs + i);
  }
  return true;
}

/* Whether what there is can be served and gone on with. */
typedef enum worth { WORTH_KEEPING, WORTH_NOTHING, UNREADABLE } worth;

/* By the inputs at a frame: are they what they were? */
static worth compare(const hou_host *host, double frame, const uint64_t then[HOU_INPUTS],
                     tribo_error *err) {
  hou_input inputs[HOU_INPUTS];
  uint64_t now[HOU_INPUTS];
  if (!read_inputs(host, frame, inputs, now, err)) return UNREADABLE;
  clear_inputs(inputs);
  return memcmp(now, then, sizeof now) == 0 ? WORTH_KEEPING : WORTH_NOTHING;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static hou_outcome fail(hou_session *s, const tribo_error *err) {
  char words[2 * TRIBO_MESSAGE_SIZE];
  hou_objects_translate(&s->reading.objects, err->message, words, sizeof words);
  hou_say_add(&s->said, HOU_ERROR, words);
  return HOU_FAILED;
}

static hou_frame *record(hou_session *s) {
  size_t contacts = 0;
  tribo_sim_contacts(s->sim, &contacts);
  size_t most = (size_t)fmax(s->settings.values[HOU_PARM_CACHE_MEMORY][0], 1) << 20;
  hou_frame *frame =
      hou_frames_add(&s->frames, hou_frame_vertices(&s->reading.objects), contacts, most);
  if (frame) hou_frame_fill(frame, &s->reading.objects, s->sim);
  return frame;
}

/* The first samples, which later ones are measured from. */
static bool keep_samples(hou_session *s) {
  size_t count = s->reading.objects.count;
  s->last = calloc(count + 1, sizeof *s->last);
  for (size_t i = 0; s->last && i < count; i++) {
    size_t width = hou_sample_width(s->reading.objects.items + i);
    s->last[i] = malloc((width + 1) * sizeof **s->last);
    if (!s->last[i]) return false;
    if (width) memcpy(s->last[i], s->reading.tracks[i].values, width * sizeof **s->last);
  }
  s->sampled = 1;
  return s->last != NULL;
}

static hou_outcome begin(hou_session *s, const hou_host *host, const hou_settings *settings) {
  drop(s);
  hou_settings_free(&s->settings);
  tribo_error err = {0};
  hou_input inputs[HOU_INPUTS];
  uint64_t hashes[HOU_INPUTS];
  bool memory = hou_settings_copy(settings, &s->settings);
  if (!s->has_worker) memory = (s->has_worker = worker_start(&s->worker)) && memory;
  if (!memory) {
    hou_no_memory(&err);
    return fail(s, &err);
  }
  if (!read_inputs(host, s->time.start, inputs, hashes, &err)) return fail(s, &err);
  tribo_status status = hou_reading_begin(&s->reading, inputs, &s->settings, &s->begin_say, &err);
  bool pressed = false;
  job j = {.s = s};
  if (status == TRIBO_OK) {
    s->heard = &s->begin_say;
    pressed = run_beside(s, host, begin_job, &j, 0);
    status = j.status;
    err = j.err;
  }
  hou_frame *frame = NULL;
  if (status == TRIBO_OK) status = hou_view_begin(&s->view, &s->reading.objects, &err);
  if (status == TRIBO_OK && (!keep_samples(s) || !(frame = record(s))))
    status = hou_no_memory(&err);
  if (status != TRIBO_OK) {
    hou_outcome outcome = pressed ? HOU_INTERRUPTED : fail(s, &err);
    drop(s);
    return outcome;
  }
  memcpy(frame->inputs, hashes, sizeof hashes);
  frame->crossings = -1;
  return pressed ? HOU_INTERRUPTED : HOU_SHOWN;
}

/* ---- one frame on ---------------------------------------------------------------------------- */

static double fastest(const double *a, const double *b, size_t width, double per_second) {
  double most = 0;
  for (size_t i = 0; i + 2 < width; i += 3)
    most = fmax(most, hypot(hypot(b[i] - a[i], b[i + 1] - a[i + 1]), b[i + 2] - a[i + 2]));
  return most * per_second;
}

static tribo_status extend(hou_session *s, const hou_input inputs[HOU_INPUTS], tribo_error *err) {
  double per_second = s->time.fps * (double)samples_of(s);
  for (size_t i = 0; i < s->reading.objects.count; i++) {
    const hou_object *o = s->reading.objects.items + i;
    size_t width = hou_sample_width(o);
    if (!width) continue;
    double *sample = malloc(width * sizeof *sample);
    if (!sample) return hou_no_memory(err);
    hou_sample(o, inputs, sample);
    tribo_status status = o->kind->simulated ? tribo_sim_extend_targets(s->sim, i, 0, sample, err)
                                             : tribo_sim_extend_motion(s->sim, i, sample, err);
    s->speed = fmax(s->speed, fastest(s->last[i], sample, width, per_second));
    free(s->last[i]);
    s->last[i] = sample;
    if (status != TRIBO_OK) return status;
  }
  return TRIBO_OK;
}

/* Reads what the next frame needs. After Esc some of it may be there already. */
static tribo_status sample_frame(hou_session *s, const hou_host *host, int frame,
                                 tribo_error *err) {
  size_t each = samples_of(s), wanted = (size_t)(frame - s->time.start) * each + 1;
  while (s->sampled < wanted) {
    hou_input inputs[HOU_INPUTS];
    uint64_t hashes[HOU_INPUTS];
    double at = s->time.start + (double)s->sampled / (double)each;
    if (s->sampled % each == 1 % each) s->speed = 0;
    if (!read_inputs(host, at, inputs, hashes, err)) return TRIBO_BAD_INPUT;
    tribo_status status = hou_reading_check(&s->reading, inputs, at, err);
    if (status == TRIBO_OK) {
      status = extend(s, inputs, err);
      s->broken = status != TRIBO_OK;
    }
    clear_inputs(inputs);
    if (status != TRIBO_OK) return status;
    memcpy(s->pending, hashes, sizeof hashes);
    s->is_pending = true;
    s->sampled++;
  }
  return TRIBO_OK;
}

static const struct {
  unsigned bit;
  const char *words;
} REASONS[] = {{TRIBO_ROUGH_ENERGY, "there is more energy than was put in"},
               {TRIBO_ROUGH_CROSSINGS, "something passes through something"},
               {TRIBO_ROUGH_DEEP, "something is deep inside of what it touches"},
               {TRIBO_ROUGH_TANGLED, "contacts between cloths contradict each other"},
               {TRIBO_ROUGH_STEPS, "a step did not reach its tolerance"}};

/* What is said of a frame wherever it is shown; the log tells who and where, once. */
static void judge(hou_session *s, hou_frame *frame, int number) {
  frame->crossings = s->report.crossings;
  for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++)
    if (s->report.rough & REASONS[i].bit)
      hou_say_format(&frame->say, HOU_WARNING,
                     "frame %d is rough: %s. Use more substeps or a higher Quality", number,
                     REASONS[i].words);
  /* A quality chose the substeps before it could know how fast things are led. */
  if (s->choice.quality != TRIBO_QUALITY_CUSTOM && s->speed > s->choice.speed &&
      s->choice.method != TRIBO_METHOD_BARRIER)
    hou_say_format(
        &frame->say, HOU_WARNING,
        "frame %d: colliders or pins move at %.3g m/s; the %d substeps of this quality are "
        "good for %.3g. Set Quality to Custom and Substeps to %d",
        number, s->speed, s->choice.substeps, s->choice.speed,
        (int)ceil(s->choice.substeps * s->speed / s->choice.speed));
}

static hou_outcome advance(hou_session *s, const hou_host *host, int percent) {
  int number = s->time.start + (int)s->frames.count;
  job j = {.s = s};
  hou_say heard = {0};
  if (host->pressed(host->user, percent)) return HOU_INTERRUPTED;
  tribo_status status = sample_frame(s, host, number, &j.err);
  bool pressed = false, solved = status == TRIBO_OK;
  if (solved) {
    s->heard = &heard;
    pressed = run_beside(s, host, frame_job, &j, percent);
    s->heard = NULL;
    status = j.status;
  }
  hou_frame *frame = status == TRIBO_OK ? record(s) : NULL;
  if (status == TRIBO_OK && !frame) status = hou_no_memory(&j.err);
  if (frame) {
    s->steps++;
    frame->say = heard;
    memcpy(frame->inputs, s->pending, sizeof frame->inputs);
    s->is_pending = false;
    judge(s, frame, number);
    return pressed ? HOU_INTERRUPTED : HOU_SHOWN;
  }
  hou_say_clear(&heard);
  if (status == TRIBO_CANCELLED) return HOU_INTERRUPTED;
  s->failed = solved; /* with inputs that cannot be used it may go better the next time */
  s->failure = j.err;
  return fail(s, &j.err);
}

/* ---- cooking --------------------------------------------------------------------------------- */

static void tell(hou_session *s, const hou_say *from) {
  for (size_t i = 0; i < from->count; i++)
    hou_say_add(&s->said, from->items[i].severity, from->items[i].text);
  if (from->more)
    hou_say_format(&s->said, HOU_NOTE, "and %zu more messages of this kind", from->more);
}

/* The latest frame that is there, at most `wanted`. */
static size_t available(const hou_session *s, size_t wanted) {
  size_t at = s->frames.count ? s->frames.count - 1 : 0;
  return wanted < at ? wanted : at;
}

static void show(hou_session *s, double frame) {
  if (!s->frames.count || !s->view.x) return;
  double since = frame - s->time.start, floored = floor(since);
  size_t at = available(s, (size_t)floored), next = available(s, at + 1);
  if (!s->frames.items[at]) return;
  hou_view_show(&s->view, s->frames.items[at], s->frames.items[next],
                next > at ? since - floored : 0);
  tell(s, &s->begin_say);
  tell(s, &s->frames.items[at]->say);
}

static worth worth_of(hou_session *s, const hou_host *host, double frame, size_t last,
                      tribo_error *err) {
  if (!s->sim || s->broken) return WORTH_NOTHING;
  size_t at = (size_t)(floor(frame) - s->time.start);
  if (last < s->frames.count) {
    const hou_frame *a = s->frames.items[at], *b = s->frames.items[last];
    if (a && b) return at == last ? compare(host, frame, a->inputs, err) : WORTH_KEEPING;
    hou_say_format(&s->said, HOU_NOTE,
                   "frame %g was no longer in the cache of %g MB and was simulated again; raise "
                   "Cache Memory to keep more",
                   frame, s->settings.values[HOU_PARM_CACHE_MEMORY][0]);
    return WORTH_NOTHING;
  }
  if (!s->is_pending) {
    /* Frame after frame nothing is read twice; whoever comes from elsewhere may have edited. */
    size_t front = s->frames.count - 1;
    bool plays = s->at_front && last == s->frames.count;
    if (plays || !s->frames.items[front]) return WORTH_KEEPING;
    return compare(host, s->time.start + (double)front, s->frames.items[front]->inputs, err);
  }
  double read_at = s->time.start + (double)(s->sampled - 1) / (double)samples_of(s);
  return compare(host, read_at, s->pending, err);
}

/* Parameters of another simulation end this one. */
static void take_settings(hou_session *s, const hou_host *host, const hou_settings *settings,
                          int start) {
  uint64_t hash = hou_settings_hash(settings);
  if (hash == s->hash && start == s->time.start && host->fps == s->time.fps) return;
  drop(s);
  s->hash = hash;
  s->time = (hou_time){start, start + 1, host->fps};
}

hou_outcome hou_session_cook(hou_session *s, const hou_host *host, const hou_settings *settings,
                             double frame) {
  hou_say_clear(&s->said);
  s->view.contacts = NULL; /* of a frame that may be forgotten below */
  s->view.contact_count = 0;
  int start = (int)lround(fmin(fmax(settings->values[HOU_PARM_START][0], -1e6), 1e6));
  /* From seconds to frames and back something is rounded: no frame lies that close to another. */
  if (fabs(frame - round(frame)) < 1e-4) frame = round(frame);
  if (!(frame >= start) || frame > 1e7) return HOU_PASSED;
  take_settings(s, host, settings, start);
  size_t last = (size_t)(ceil(frame) - start);
  hou_outcome outcome = HOU_SHOWN;
  tribo_error err = {0};
  worth found = worth_of(s, host, frame, last, &err);
  s->at_front = false;
  if (found == UNREADABLE) return fail(s, &err);
  if (found == WORTH_NOTHING) outcome = begin(s, host, settings);
  if (s->failed && s->frames.count <= last) return fail(s, &s->failure);
  size_t from = s->frames.count;
  while (outcome == HOU_SHOWN && s->frames.count <= last)
    outcome = advance(s, host, (int)(100 * (s->frames.count - from) / (last + 1 - from)));
  if (outcome == HOU_FAILED) return outcome;
  show(s, frame);
  s->at_front = outcome == HOU_SHOWN && last + 1 == s->frames.count;
  if (outcome == HOU_INTERRUPTED)
    hou_say_format(&s->said, HOU_WARNING, "stopped at frame %d; cook again to go on from there",
                   s->frames.count ? start + (int)s->frames.count - 1 : start);
  return outcome;
}
