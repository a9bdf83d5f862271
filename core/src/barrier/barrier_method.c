/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/barrier_method.h"

#include <math.h>

#include "barrier/lift.h"
#include "barrier/list.h"

/* The tolerance of Coulomb's law, relative to the forces, is this at least. */
static const double LEAST_FRICTION = 1e-5;

/* A step that is not cut gets the iterations that its parts would have had. */
enum { ITERATIONS = 3 };

/* A step in which colliders did not get to where they are animated would end with them inside of
 * what they push: it is cut, down to this part of a substep. */
static const double SHORTEST = 1.0 / 8;

typedef struct barrier_self {
  objective objective;
  barrier barrier;
  barrier_report report; /* of the last step, */
  barrier_listing list;  /* and what touched in it */
  double whole;          /* seconds of a substep, */
  bool may_cut;          /* which may be cut */
} barrier_self;

static tribo_status create(const method_input *in, void **self, tribo_error *err) {
  barrier_self *s = *self = ARENA_ARRAY(in->memory, barrier_self, 1);
  if (!s) return status_no_memory(err, "a method");
  const tribo_solver_params *p = in->solver;
  s->whole = in->seconds;
  s->may_cut = p->cuts > 0;
  TRY(objective_create(in->model, in->tasks, in->memory, &s->objective, err));
  barrier_options how = {.h = in->seconds,
                         .tolerance = p->tolerance,
                         .friction = fmax(p->friction_tolerance, LEAST_FRICTION),
                         .iterations = ITERATIONS * p->iterations,
                         /* contacts bring a matrix that changes: work for a factorisation */
                         .linear = {.kind = LINSYS_CHOLMOD,
                                    .tasks = *in->tasks,
                                    .cg_tolerance = p->cg_tolerance,
                                    .cg_iterations = p->cg_iterations},
                         .tasks = *in->tasks};
  return barrier_create(in->model, &s->objective, in->friction, &how, &s->barrier, err);
}

static void free_self(void *self) {
  barrier_self *s = self;
  ARRAY_FREE(s->list);
  barrier_free(&s->barrier);
}

static tribo_status lift(void *self, double seconds, state *start, tribo_error *err) {
  size_t lifted;
  return barrier_lift(&((barrier_self *)self)->barrier, seconds, start->turns, start->x, &lifted,
                      err);
}

/* A step that is taken as far as it came; only what has no finite energy has to be cut. */
static method_outcome outcome_of(const barrier_report *r) {
  static const method_outcome outcomes[] = {
      [BARRIER_CONVERGED] = METHOD_CONVERGED, [BARRIER_UNFINISHED] = METHOD_UNFINISHED,
      [BARRIER_STALLED] = METHOD_STALLED,     [BARRIER_STUCK] = METHOD_NO_ROOM,
      [BARRIER_CROSSED] = METHOD_BROKEN,      [BARRIER_BROKEN] = METHOD_BROKEN};
  return outcomes[r->outcome];
}

/* Whether the step is to be cut: what closes on something is a collider. */
static bool wants_cut(const barrier_self *s, double h) {
  return s->report.lags && s->may_cut && h > 1.5 * SHORTEST * s->whole;
}

static tribo_status step(void *self, const method_window *w, const state *from, vec3 *x,
                         method_result *result, tribo_error *err) {
  barrier_self *s = self;
  barrier_report *r = &s->report;
  objective_begin(&s->objective, from->x, from->v, from->turns, w->h, w->seconds + w->h);
  barrier_start start = {.seconds = w->seconds,
                         .h = w->h,
                         .x = from->x,
                         .v = from->v,
                         .turns = from->turns,
                         .touches = from->touches,
                         .touch_count = from->touch_count};
  TRY(barrier_solve(&s->barrier, &start, x, r, err));
  s->list.count = 0;
  if (outcome_of(r) != METHOD_BROKEN) TRY(barrier_list(&s->barrier, &s->list, err));
  bool cut = wants_cut(s, w->h);
  *result = (method_result){.outcome = cut ? METHOD_UNFINISHED : outcome_of(r),
                            .goes_on = !cut,
                            .law_holds = true,
                            .iterations = r->iterations,
                            .friction_iterations = r->frictions,
                            .linear_seconds = r->solve_seconds,
                            .assembly_seconds = r->assembly_seconds,
                            .residual = r->residual,
                            .friction_residual = r->friction,
                            .contacts = r->contacts,
                            .free_motion = s->objective.predicted};
  return TRIBO_OK;
}

/* ---- what came of it --------------------------------------------------------------------------
 */

/* The free node whose forces are most out of balance; -1: none is free. */
static int32_t worst_node(const barrier *b) {
  int32_t worst = -1;
  double most = -1;
  for (int32_t i = 0; i < b->model->node_count; i++) {
    double off = vec3_norm2(b->gradient[i]);
    if (b->model->row_of_node[i] >= 0 && off > most) most = off, worst = i;
  }
  return worst;
}

static trouble explain(void *self, const vec3 *x, trouble_time time) {
  (void)x;
  const barrier_self *s = self;
  const barrier_report *r = &s->report;
  trouble t = {.time = time, .vertex = -1};
  if (outcome_of(r) == METHOD_BROKEN) t.kind = TROUBLE_RANGE;
  if (r->outcome == BARRIER_UNFINISHED || r->outcome == BARRIER_STALLED)
    t.kind = TROUBLE_FORCES, t.value = r->residual;
  int32_t node = t.kind == TROUBLE_FORCES ? worst_node(&s->barrier) : -1;
  if (node >= 0) trouble_at_node(s->barrier.model, node, &t);
  return t;
}

/* A hard pin, or a collider, that something is in the way of. */
static trouble explain_pins(void *self, const vec3 *x, trouble_time time) {
  (void)x;
  const barrier_self *s = self;
  const barrier_obstacle *o = &s->report.obstacle;
  trouble t = {.time = time, .vertex = -1};
  if (o->part < 0) return t;
  const surface_part *parts = s->barrier.mesh.parts;
  t.kind = TROUBLE_STOPPED;
  t.value = o->left;
  t.object = parts[o->part].name;
  t.vertex = o->vertex;
  t.surface = parts[o->other].name;
  return t;
}

static size_t record_count(const void *self) { return ((const barrier_self *)self)->list.count; }

static size_t records(const void *self, const contact_moment *end, const vec3 *x,
                      contact_record *out) {
  (void)end, (void)x;
  const barrier_self *s = self;
  for (size_t i = 0; i < s->list.count; i++) {
    const barrier_listed *l = &s->list.data[i];
    out[i] = (contact_record){.body = l->body,
                              .vertex = l->vertex,
                              .surface = l->surface,
                              .point = l->point,
                              .gap = l->gap,
                              .cone = &l->cone,
                              .impulse = l->impulse,
                              .slip = l->slip};
  }
  return s->list.count;
}

static size_t warm_count(const void *self) {
  return barrier_touch_count(&((const barrier_self *)self)->barrier);
}

static size_t warm(const void *self, touch *out) {
  return barrier_touches(&((const barrier_self *)self)->barrier, out);
}

/* Points in surfaces are not looked for: nothing gets there, and what crosses at the start is told
 * as a crossing. */
static bool touching(const void *self) { return (void)self, false; }

static const char *linear_solver(const void *self, bool *deterministic) {
  const barrier_self *s = self;
  const linsys_caps *caps = linsys_capabilities(s->barrier.system.own);
  if (deterministic) *deterministic = caps->deterministic;
  return caps->name;
}

const method barrier_method = {
    .name = "barrier",
    .can = {.kinds = 1u << TRIBO_CLOTH | 1u << TRIBO_SOLID | 1u << TRIBO_RIGID | 1u << TRIBO_ROD,
            .moves = "cloth, solids, rigid bodies and rods",
            .contact = true,
            .self_contact = true,
            .directions = true,
            .speeds = true,
            .cuts = true,
            .no_crossings = true,
            .instead = "forwarding"},
    .create = create,
    .free = free_self,
    .step = step,
    .explain = explain,
    .explain_pins = explain_pins,
    .record_count = record_count,
    .records = records,
    .warm_count = warm_count,
    .warm = warm,
    .touching = touching,
    .linear_solver = linear_solver,
    .lift = lift};
