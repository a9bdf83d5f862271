/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "step/step.h"

/* What is lost in rounding, tolerances and the energies of a method that has others: a share of
 * what moves and is bent, and a lift of all mass by a share of the smallest body's size. */
static const double SHARE = 0.1, LIFT = 0.005;

/* What is moved from outside may throw something at this many times its speed. */
static const double FASTER = 8;

/* Energy explodes where it grows by this many times all there was and could have come in. */
static const double EXPLODED = 100;

/* Beyond its mesh nothing may be deeper than this share of the mean edge of either, or of the
 * smallest body's size. */
static const double DEEP_EDGE = 0.05, DEEP_BODY = 0.01;

/* Seconds for which what appeared may still push out what it appeared around. */
static const double PUSHED_OUT = 1;

/* Of sampled crossings: how many times the vertices that are solved for what is looked at may be,
 * so that every frame is counted (docs/contact.md). */
static const double CHEAP = 40;

typedef struct told_pair {
  size_t a, b;
} told_pair;

struct judge {
  const model *model;
  judge_options options;
  arena memory;
  crossed_objects *crossed;
  int every; /* frames; 0: none but the last, if that */
  double mass, pull, start_depth;
  energies *before, *after; /* of each body */
  double *scratch;
  vec3 *moved;
  double began; /* seconds */
  judge_deep deepest;
  judge_gain gained;
  ARRAY(told_pair) told;
  bool told_deep, told_gain;
};

static double square(double x) { return x * x; }

static double pull_of(const model *m) {
  double g = vec3_norm(m->gravity);
  return g > 0 ? g : 9.81; /* where there is no gravity, as on earth (contact/narrow_phase.c) */
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static tribo_status make_room(judge *j, tribo_error *err) {
  const model *m = j->model;
  size_t largest = 0;
  for (size_t i = 0; i < m->collider_count; i++)
    if ((size_t)m->colliders[i].vertex_count > largest)
      largest = (size_t)m->colliders[i].vertex_count;
  j->before = ARENA_ARRAY(&j->memory, energies, m->body_count + 1);
  j->after = ARENA_ARRAY(&j->memory, energies, m->body_count + 1);
  j->scratch = ARENA_ARRAY(&j->memory, double, m->largest_set + 1);
  j->moved = ARENA_ARRAY(&j->memory, vec3, 2 * largest + 1);
  return j->before && j->after && j->scratch && j->moved ? TRIBO_OK
                                                         : status_no_memory(err, "a judgement");
}

/* By what is counted alone, never by a clock: the same frames in every run. */
static int frames_between(const judge *j) {
  if (j->options.crossings == TRIBO_CROSSINGS_EVERY) return 1;
  if (j->options.crossings != TRIBO_CROSSINGS_AUTO) return 0;
  double solved = (double)j->model->node_count * j->options.substeps;
  return 1 + (int)fmin(1e6, (double)crossed_work(j->crossed) / (CHEAP * fmax(1, solved)));
}

tribo_status judge_create(const model *m, const tasks *t, const judge_options *options,
                          const vec3 *positions, judge **out, tribo_error *err) {
  judge *j = calloc(1, sizeof *j);
  *out = j;
  if (!j) return status_no_memory(err, "a judgement");
  j->model = m;
  j->options = *options;
  j->pull = pull_of(m);
  for (int32_t i = 0; i < m->node_count; i++) j->mass += m->mass[i];
  tribo_status status = make_room(j, err);
  if (status == TRIBO_OK && options->crossings != TRIBO_CROSSINGS_OFF)
    status = crossed_create(m, t, positions, 10 * options->contact_tolerance, &j->crossed, err);
  if (status != TRIBO_OK) {
    judge_free(j);
    *out = NULL;
    return status;
  }
  j->every = j->crossed ? frames_between(j) : 0;
  if (j->every > 1)
    log_write(&j->options.log, TRIBO_LOG_INFO,
              "crossings are counted every %d frames, and at the last: what is not simulated has "
              "many more triangles than what is; solver.crossings 'every' counts them all",
              j->every);
  return TRIBO_OK;
}

void judge_free(judge *j) {
  if (!j) return;
  crossed_free(j->crossed);
  ARRAY_FREE(j->told);
  arena_free(&j->memory);
  free(j);
}

/* ---- the start --------------------------------------------------------------------------------
 */

static bool is_pinned(const model *m, size_t object) {
  for (size_t p = 0; p < m->pin_count; p++)
    if (m->pins[p].object == object && m->pins[p].vertex_count > 0) return true;
  return false;
}

static bool is_named(const tribo_crossing *c, const char *one, const char *other) {
  if (!one || !other) return false;
  return (strcmp(c->object, one) == 0 && strcmp(c->other, other) == 0) ||
         (strcmp(c->object, other) == 0 && strcmp(c->other, one) == 0);
}

static const model_body *body_of_object(const model *m, size_t object) {
  for (size_t b = 0; b < m->body_count; b++)
    if (m->bodies[b].object == object) return &m->bodies[b];
  return NULL;
}

/* A sheet that is touched as its mesh is, from both sides, has no inside, and each vertex stays on
 * the side where it starts; what is closed pushes out. */
static bool is_sheet(const model *m, size_t object) {
  for (size_t i = 0; i < m->surface_count; i++)
    if (m->surfaces[i].object == object && m->surfaces[i].two_sided &&
        m->surfaces[i].params.contact == TRIBO_CONTACT_MESH)
      return m->surfaces[i].collider >= 0;
  return false;
}

/* Whether a crossing of the first frame is told: through a sheet that stands there, and of what is
 * simulated through itself or others of its kind, which nothing pushes apart. A soft body's own
 * skin may cross itself as it likes: eyes in their sockets. */
static bool is_told(const judge *j, const tribo_crossing *c) {
  const model_body *a = body_of_object(j->model, c->a), *b = body_of_object(j->model, c->b);
  if (a && b) return c->a == c->b ? a->sheet : a->kinematics->deforms || b->kinematics->deforms;
  return is_sheet(j->model, c->a) || is_sheet(j->model, c->b);
}

/* A curtain's pins may well be in its rod, and flesh around its bone. */
static bool is_meant(const judge *j, const tribo_crossing *c) {
  if (body_of_object(j->model, c->a) && body_of_object(j->model, c->b)) return false;
  return is_pinned(j->model, c->a) || is_pinned(j->model, c->b);
}

static void tell_start(const judge *j, const tribo_crossing *c) {
  bool itself = c->a == c->b;
  log_write(
      &j->options.log, is_meant(j, c) ? TRIBO_LOG_INFO : TRIBO_LOG_WARNING,
      "object '%s' starts through %s%s%s: %d edge%s through triangles, one of '%s' between "
      "the vertices %d and %d at (%.4g, %.4g, %.4g). What starts so may stay so, and it is not "
      "counted against the frames: move it apart",
      c->object, itself ? "itself" : "'", itself ? "" : c->other, itself ? "" : "'", c->count,
      c->count == 1 ? "" : "s", c->edge_of, (int)c->edge[0], (int)c->edge[1], c->place[0],
      c->place[1], c->place[2]);
}

void judge_start(judge *j, double depth, const char *what, const char *in) {
  j->start_depth = depth;
  size_t count = 0;
  const tribo_crossing *list = j->crossed ? crossed_pairs(j->crossed, &count) : NULL;
  for (size_t i = 0; i < count; i++)
    if (list[i].count > 0 && is_told(j, &list[i]) && !is_named(&list[i], what, in))
      tell_start(j, &list[i]);
}

/* ---- energy -----------------------------------------------------------------------------------
 */

/* Elastic energies of the method that moves the bodies; NULL: the model's count. */
static const double *own_elastic(const judge *j, const state *s) {
  const stepper *by = j->options.by;
  return by && by->by->elastic ? by->by->elastic(by->self, s->x) : NULL;
}

void judge_begin(judge *j, const tasks *t, const state *start, double seconds) {
  j->began = seconds;
  j->deepest = (judge_deep){0};
  energies_of_bodies(j->model, t, start, seconds, own_elastic(j, start), j->scratch, j->before);
}

static energies sum_of(const energies *each, size_t count) {
  energies sum = {0};
  for (size_t i = 0; i < count; i++) {
    sum.kinetic += each[i].kinetic;
    sum.stored += each[i].stored;
    sum.elastic += each[i].elastic;
  }
  return sum;
}

static const char *gained_most(const judge *j, bool stored) {
  size_t most = 0;
  double gain = -INFINITY;
  for (size_t b = 0; b < j->model->body_count; b++) {
    double more = j->after[b].kinetic - j->before[b].kinetic;
    if (stored) more += j->after[b].stored - j->before[b].stored;
    if (more > gain) gain = more, most = b;
  }
  return j->model->bodies[most].name;
}

/* What could have come in from where things are pushed out of each other: m g d at the speed that
 * contact/narrow_phase.h lets them out with, and half as much for what that sets swinging. */
static double pushed_out(const judge *j, double seconds) {
  double depth = j->start_depth;
  if (energies_appearing(j->model, j->began - PUSHED_OUT, seconds))
    depth = fmax(depth, j->model->smallest);
  return 1.5 * j->mass * j->pull * depth;
}

/* As artists count time, who find a frame and no second. */
static double frame_at(const judge *j, double seconds) {
  return j->options.first_frame + seconds / j->options.frame_seconds;
}

static tribo_status judge_energy(judge *j, const tasks *t, const state *end, double seconds,
                                 tribo_report *report, tribo_error *err) {
  const model *m = j->model;
  j->gained = (judge_gain){0};
  energies_of_bodies(m, t, end, seconds, own_elastic(j, end), j->scratch, j->after);
  energies a = sum_of(j->before, m->body_count), b = sum_of(j->after, m->body_count);
  report->kinetic_energy = b.kinetic;
  report->elastic_energy = b.elastic;
  if (!(seconds > j->began)) return TRIBO_OK;
  double speed = energies_outer_speed(m, t, j->began, seconds, j->moved);
  bool still = speed == 0;
  double outer = j->mass * square(FASTER * speed) / 2 + pushed_out(j, seconds);
  double scale = a.kinetic + a.elastic + j->mass * j->pull * LIFT / SHARE * m->smallest;
  double allowed = SHARE * scale + outer;
  double gain = still ? b.kinetic + b.stored - a.kinetic - a.stored
                      : b.kinetic - a.kinetic - fmax(0, a.stored - b.stored);
  if (gain <= allowed) return TRIBO_OK;
  j->gained = (judge_gain){.object = gained_most(j, still),
                           .before = a.kinetic + a.elastic,
                           .after = a.kinetic + a.elastic + gain,
                           .allowed = allowed};
  report->rough |= TRIBO_ROUGH_ENERGY;
  double most = a.kinetic + a.elastic + j->mass * j->pull * m->size + outer;
  if (j->options.go_on || gain < EXPLODED * most) return TRIBO_OK;
  const char *instead = j->options.by ? j->options.by->by->can.instead : NULL;
  return status_fail(
      err, TRIBO_NOT_CONVERGED,
      "energy exploded near frame %.6g: there were %.3g J and are %.3g J, most of it new in '%s', "
      "and nothing put them in. Use more substeps (time.substeps), softer materials (elastic) or "
      "lighter contacts%s%s%s",
      frame_at(j, seconds), a.kinetic + a.elastic, j->gained.after, j->gained.object,
      instead ? ", or the method '" : "", instead ? instead : "", instead ? "'" : "");
}

/* ---- crossings --------------------------------------------------------------------------------
 */

static bool is_due(const judge *j, int64_t step) {
  if (!j->crossed || step % j->options.substeps) return false;
  if (step >= j->options.last_step) return true;
  return j->every > 0 && (step / j->options.substeps) % j->every == 0;
}

tribo_status judge_end(judge *j, const tasks *t, const state *end, double seconds,
                       const vec3 *positions, tribo_report *report, tribo_error *err) {
  report->crossings = -1;
  TRY(judge_energy(j, t, end, seconds, report, err));
  if (!is_due(j, end->step)) return TRIBO_OK;
  TRY(crossed_count(j->crossed, t, positions, seconds, err));
  report->crossings = crossed_total(j->crossed);
  report->new_crossings = crossed_new(j->crossed);
  report->grazing = crossed_grazing(j->crossed);
  if (report->new_crossings) report->rough |= TRIBO_ROUGH_CROSSINGS;
  return TRIBO_OK;
}

/* ---- depth ------------------------------------------------------------------------------------
 */

typedef struct hide {
  double thickness, spacing;
} hide;

static hide hide_of(const model *m, size_t object) {
  for (size_t i = 0; i < m->probe_count; i++)
    if (m->probes[i].object == object)
      return (hide){m->probes[i].params.thickness, m->probes[i].spacing};
  for (size_t i = 0; i < m->surface_count; i++)
    if (m->surfaces[i].object == object)
      return (hide){m->surfaces[i].params.thickness, m->surfaces[i].spacing};
  return (hide){0, 0};
}

static size_t object_named(const model *m, const char *name) {
  for (size_t i = 0; i < m->body_count; i++)
    if (m->bodies[i].name == name) return m->bodies[i].object;
  for (size_t i = 0; i < m->collider_count; i++)
    if (m->colliders[i].name == name) return m->colliders[i].object;
  return SIZE_MAX;
}

/* Of one vertex that is inside: how far beyond the mesh. */
static double depth_of(const judge *j, size_t body, const char *other, double gap,
                       double *allowed) {
  const model *m = j->model;
  hide a = hide_of(m, m->bodies[body].object), b = hide_of(m, object_named(m, other));
  double edge = a.spacing < b.spacing || b.spacing == 0 ? a.spacing : b.spacing;
  *allowed =
      fmax(10 * j->options.contact_tolerance, fmin(DEEP_EDGE * edge, DEEP_BODY * m->smallest));
  return -gap - a.thickness - b.thickness;
}

void judge_inside(judge *j, size_t body, int vertex, const char *other, double gap, bool let_out) {
  double allowed;
  if (!(-gap > j->deepest.depth)) return;
  double depth = depth_of(j, body, other, gap, &allowed);
  if (depth > allowed && depth > j->deepest.depth)
    j->deepest = (judge_deep){j->model->bodies[body].name, other, vertex, depth, let_out};
}

/* ---- telling ----------------------------------------------------------------------------------
 */

static bool was_told(judge *j, size_t a, size_t b) {
  for (size_t i = 0; i < j->told.count; i++)
    if (j->told.data[i].a == a && j->told.data[i].b == b) return true;
  told_pair pair = {a, b};
  return !ARRAY_PUSH(j->told, pair); /* rather not than at every frame */
}

static void tell_crossing(judge *j, const tribo_crossing *c, double seconds) {
  if (c->new_count == 0 || was_told(j, c->a, c->b)) return;
  bool itself = c->a == c->b;
  log_write(
      &j->options.log, TRIBO_LOG_WARNING,
      "object '%s' has got through %s%s%s at frame %.6g: %d edge%s through triangles, one of '%s' "
      "between the vertices %d and %d, %.3g m deep at (%.4g, %.4g, %.4g). Use more substeps "
      "(time.substeps), a larger surface.thickness, or finer meshes",
      c->object, itself ? "itself" : "'", itself ? "" : c->other, itself ? "" : "'",
      frame_at(j, seconds), c->new_count, c->new_count == 1 ? "" : "s", c->edge_of, (int)c->edge[0],
      (int)c->edge[1], c->depth, c->place[0], c->place[1], c->place[2]);
}

static void tell_deepest(judge *j, double seconds) {
  if (j->told_deep || !j->deepest.object || j->deepest.let_out) return;
  j->told_deep = true;
  log_write(&j->options.log, TRIBO_LOG_WARNING,
            "object '%s': vertex %d is %.3g m inside '%s' at frame %.6g. Use more substeps "
            "(time.substeps), a larger surface.thickness, or lighter objects on softer ones",
            j->deepest.object, j->deepest.vertex, j->deepest.depth, j->deepest.surface,
            frame_at(j, seconds));
}

static void tell_gain(judge *j, double seconds) {
  if (j->told_gain || !j->gained.object) return;
  j->told_gain = true;
  log_write(&j->options.log, TRIBO_LOG_WARNING,
            "object '%s' gained energy that nothing put in, up to frame %.6g: %.3g J of motion and "
            "stretch became %.3g J. Use more substeps (time.substeps), more iterations, or softer "
            "materials (elastic)",
            j->gained.object, frame_at(j, seconds), j->gained.before, j->gained.after);
}

void judge_contacts(judge *j, double seconds, bool steps_show, tribo_report *report) {
  if (j->deepest.object) report->rough |= TRIBO_ROUGH_DEEP;
  if (!report->converged && steps_show && !(report->rough & TRIBO_ROUGH_TANGLED))
    report->rough |= TRIBO_ROUGH_STEPS;
  if (report->rough) report->converged = false;
  if (report->crossings >= 0) {
    size_t count;
    const tribo_crossing *list = crossed_pairs(j->crossed, &count);
    for (size_t i = 0; i < count; i++) tell_crossing(j, &list[i], seconds);
  }
  tell_deepest(j, seconds);
  tell_gain(j, seconds);
}

const crossed_objects *judge_crossed(const judge *j) { return j->crossed; }
judge_deep judge_deepest(const judge *j) { return j->deepest; }
judge_gain judge_gained(const judge *j) { return j->gained; }
