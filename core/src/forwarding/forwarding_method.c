/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/forwarding_method.h"

#include "forwarding/forwarding_worst.h"

typedef struct forwarding_self {
  const model *model;
  objective objective;
  newton newton;
  forwarding forwarding;
  bool touching;            /* there are pairs that can meet */
  forwarding_report report; /* of the last step */
} forwarding_self;

/* ---- setting up -------------------------------------------------------------------------------
 */

static forwarding_options contact_options(const model *m, const tribo_solver_params *p) {
  return (forwarding_options){
      .constrained = {.tolerance = p->tolerance,
                      .gap = method_gap(m, p),
                      .cones = p->friction_tolerance,
                      .iterations = p->iterations},
      .friction = {.tolerance = p->friction_tolerance, .iterations = p->friction_iterations},
      .ipopt = p->backend == TRIBO_BACKEND_IPOPT,
      .with = {.linear = p->linear == TRIBO_LINEAR_PARDISO ? IPOPT_PARDISO : IPOPT_MUMPS},
      .elastic = p->effective_mass == TRIBO_EFFECTIVE_MASS_ELASTIC,
      .forward = p->forwarding == TRIBO_FORWARDING_ON,
      .relinearize = p->relinearize,
      .transport = method_transport(p)};
}

/* Ipopt brings its own linear solver; only PARDISO is there for both. */
static tribo_status check_linear(const tribo_solver_params *p, tribo_error *err) {
  bool known = p->linear == TRIBO_LINEAR_AUTO || p->linear == TRIBO_LINEAR_PARDISO;
  if (p->backend != TRIBO_BACKEND_IPOPT || known) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "solver.linear is '%s', which solver.backend 'ipopt' does not have; leave it "
                     "at 'auto' (MUMPS), or set it to 'pardiso'",
                     p->linear == TRIBO_LINEAR_CG ? "cg" : "cholmod");
}

static bool anything_touches(const model *m) {
  for (size_t i = 0; i < m->probe_count; i++)
    for (size_t j = 0; j < m->surface_count; j++)
      if (m->probes[i].object != m->surfaces[j].object) return true;
  return false;
}

/* friction: NULL where nothing touches anything. */
static tribo_status set_up(forwarding_self *s, const method_input *in, const pairs *friction,
                           tribo_error *err) {
  static const linsys_kind kinds[] = {[TRIBO_LINEAR_AUTO] = LINSYS_AUTO,
                                      [TRIBO_LINEAR_CHOLMOD] = LINSYS_CHOLMOD,
                                      [TRIBO_LINEAR_PARDISO] = LINSYS_PARDISO,
                                      [TRIBO_LINEAR_CG] = LINSYS_CG};
  const tribo_solver_params *solver = in->solver;
  const model *m = s->model = in->model;
  TRY(objective_create(m, in->tasks, in->memory, &s->objective, err));
  TRY(check_linear(solver, err));
  linsys_options linear = {.kind = kinds[solver->linear],
                           .tasks = *in->tasks,
                           .cg_tolerance = solver->cg_tolerance,
                           .cg_iterations = solver->cg_iterations};
  /* Contacts make the system stiff where it was soft, and ask for several solves with one matrix:
   * work for a factorisation. */
  if (friction && anything_touches(m) && linear.kind == LINSYS_AUTO) linear.kind = LINSYS_CHOLMOD;
  TRY(newton_create(&s->objective, &linear, in->memory, &s->newton, err));
  forwarding_options contact = contact_options(m, solver);
  TRY(forwarding_create(m, &s->objective, &s->newton, friction, &contact, &s->forwarding, err));
  s->touching = friction && s->forwarding.finder.broad_phase.count > 0;
  return TRIBO_OK;
}

static tribo_status create(const method_input *in, void **self, tribo_error *err) {
  forwarding_self *s = *self = ARENA_ARRAY(in->memory, forwarding_self, 1);
  return s ? set_up(s, in, in->friction, err) : status_no_memory(err, "a method");
}

static tribo_status create_elastic(const method_input *in, void **self, tribo_error *err) {
  forwarding_self *s = *self = ARENA_ARRAY(in->memory, forwarding_self, 1);
  return s ? set_up(s, in, NULL, err) : status_no_memory(err, "a method");
}

static void free_self(void *self) {
  forwarding_self *s = self;
  forwarding_free(&s->forwarding);
  newton_free(&s->newton);
}

/* ---- the step ---------------------------------------------------------------------------------
 */

/* Hard pins go to where their targets are at the end of the step. */
static void place_pins(const model *m, double end_seconds, vec3 *x) {
  for (size_t p = 0; p < m->pin_count; p++) {
    const model_pin *pin = &m->pins[p];
    if (pin->stiffness > 0) continue;
    for (size_t i = 0; i < pin->vertex_count; i++)
      x[pin->vertices[i]] = model_pin_target(pin, i, end_seconds);
  }
}

/* Two guesses are at hand: where everything would fly freely, and where it is. Begin at the lower.
 */
static void predict(forwarding_self *s, const vec3 *x0, double end_seconds, vec3 *x) {
  objective *o = &s->objective;
  for (int32_t i = 0; i < s->model->node_count; i++) x[i] = x0[i];
  place_pins(s->model, end_seconds, x);
  double staying = objective_energy(o, x);
  for (int32_t i = 0; i < s->model->node_count; i++) x[i] = o->predicted[i];
  place_pins(s->model, end_seconds, x);
  double flying = objective_energy(o, x);
  if (flying <= staying) return;
  for (int32_t i = 0; i < s->model->node_count; i++) x[i] = x0[i];
  place_pins(s->model, end_seconds, x);
}

static tribo_status solve(forwarding_self *s, const method_window *w, const state *from, vec3 *x,
                          tribo_error *err) {
  if (!s->touching) {
    s->report = (forwarding_report){.friction = {.converged = true}};
    return newton_minimize(&s->newton, &s->forwarding.options.constrained, NULL, x,
                           &s->report.constrained, err);
  }
  forwarding_start start = {.seconds = w->seconds,
                            .h = w->h,
                            .x = s->objective.start,
                            .v = from->v,
                            .turns = from->turns,
                            .touches = from->touches,
                            .touch_count = from->touch_count};
  return forwarding_solve(&s->forwarding, &start, x, &s->report, err);
}

static void tell_result(const forwarding_self *s, method_result *out) {
  static const method_outcome outcomes[] = {
      [CONSTRAINED_CONVERGED] = METHOD_CONVERGED,   [CONSTRAINED_STALLED] = METHOD_STALLED,
      [CONSTRAINED_UNFINISHED] = METHOD_UNFINISHED, [CONSTRAINED_NO_ROOM] = METHOD_NO_ROOM,
      [CONSTRAINED_CURVED] = METHOD_CURVED,         [CONSTRAINED_BROKEN] = METHOD_BROKEN};
  const forwarding_report *f = &s->report;
  const constrained_report *n = &f->constrained;
  *out = (method_result){.outcome = outcomes[n->outcome],
                         .spent = forwarding_spent(&s->forwarding),
                         .law_holds = f->friction.converged,
                         .iterations = n->iterations,
                         .linear_iterations = n->linear_iterations,
                         .linearizations = f->linearizations,
                         .friction_iterations = f->friction.iterations,
                         .linear_seconds = n->linear_seconds,
                         .assembly_seconds = n->assembly_seconds,
                         .residual = n->residual,
                         .friction_residual = f->friction.residual,
                         .penetration = f->penetration,
                         .contacts = f->contacts,
                         .free_motion = s->objective.predicted};
}

static tribo_status step(void *self, const method_window *w, const state *start, vec3 *x,
                         method_result *result, tribo_error *err) {
  forwarding_self *s = self;
  if (!w->parts) forwarding_allow(&s->forwarding);
  objective_begin(&s->objective, start->x, start->v, start->turns, w->h, w->seconds + w->h);
  predict(s, start->x, w->seconds + w->h, x);
  TRY(solve(s, w, start, x, err));
  tell_result(s, result);
  return TRIBO_OK;
}

/* ---- what came of it --------------------------------------------------------------------------
 */

static trouble explain(void *self, const vec3 *x, trouble_time time) {
  static const trouble_kind kinds[] = {[FORWARDING_MET] = TROUBLE_NONE,
                                       [FORWARDING_BALANCE] = TROUBLE_FORCES,
                                       [FORWARDING_FRICTION] = TROUBLE_FRICTION,
                                       [FORWARDING_OFF] = TROUBLE_OFF,
                                       [FORWARDING_GAP] = TROUBLE_DEEP};
  const forwarding_self *s = self;
  const forwarding *f = &s->forwarding;
  trouble t = {.time = time, .vertex = -1};
  if (!s->touching && s->report.constrained.outcome == CONSTRAINED_CONVERGED) return t;
  forwarding_worst worst = forwarding_find_worst(f, x, &s->report);
  t.kind = kinds[worst.criterion];
  t.value = worst.value;
  if (worst.contact) trouble_at_contact(&f->finder, worst.contact, &t);
  if (worst.opposite) t.other = model_surface_name(f->model, worst.opposite->surface);
  if (worst.node >= 0) trouble_at_node(f->model, worst.node, &t);
  return t;
}

static trouble explain_pins(void *self, const vec3 *x, trouble_time time) {
  (void)x;
  const forwarding_self *s = self;
  double depth = 0;
  const contact_point *buried = s->touching ? forwarding_buried(&s->forwarding, &depth) : NULL;
  return trouble_of_pin(&s->forwarding.finder, buried, depth, time);
}

static size_t record_count(const void *self) {
  return ((const forwarding_self *)self)->forwarding.set.count;
}

static size_t records(const void *self, const contact_moment *end, const vec3 *x,
                      contact_record *out) {
  const forwarding_self *s = self;
  const forwarding *f = &s->forwarding;
  contact_solved solved = {&f->finder, &f->set, f->cones, f->impulse, f->torque, f->velocity};
  return contact_records(&solved, end, x, out);
}

static size_t warm(const void *self, touch *out) {
  const forwarding_self *s = self;
  return s->touching ? forwarding_touches(&s->forwarding, out) : 0;
}

static bool touching(const void *self) { return ((const forwarding_self *)self)->touching; }

static contact_finder *finder(void *self) { return &((forwarding_self *)self)->forwarding.finder; }

static tribo_status export_problem(void *self, const char *folder, int number, tribo_error *err) {
  return forwarding_export(&((forwarding_self *)self)->forwarding, folder, number, err);
}

static const char *linear_solver(const void *self, bool *deterministic) {
  const forwarding_self *s = self;
  const forwarding *f = &s->forwarding;
  if (f->ipopt) {
    if (deterministic) *deterministic = false;
    return f->options.with.linear == IPOPT_PARDISO ? "ipopt pardiso" : "ipopt mumps";
  }
  const linsys_caps *caps = linsys_capabilities(s->newton.linear);
  if (deterministic) *deterministic = caps->deterministic;
  return caps->name;
}

/* ---- the rows ---------------------------------------------------------------------------------
 */

#define MOVES                                                                                      \
  .kinds = 1u << TRIBO_CLOTH | 1u << TRIBO_SOLID | 1u << TRIBO_RIGID | 1u << TRIBO_ROD,            \
  .moves = "cloth, solids, rigid bodies and rods", .ipopt = true, .cuts = true,                    \
  .directions = true, .speeds = true

#define VERBS                                                                                      \
  .free = free_self, .step = step, .explain = explain, .explain_pins = explain_pins,               \
  .record_count = record_count, .records = records, .warm_count = record_count, .warm = warm,      \
  .touching = touching, .linear_solver = linear_solver, .finder = finder,                          \
  .export_problem = export_problem

const method forwarding_method = {.name = "forwarding",
                                  .can = {MOVES, .contact = true, .drilling = true},
                                  .create = create,
                                  VERBS};

const method elastic_method = {.name = "elastic", .can = {MOVES}, .create = create_elastic, VERBS};
