/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/step.h"

#include <math.h>

#include "model/rigid.h"

static forwarding_options contact_options(const model *m, const tribo_solver_params *p) {
  static const mls_transport transports[] = {[TRIBO_TRANSPORT_RIGID] = MLS_RIGID,
                                             [TRIBO_TRANSPORT_PARALLEL] = MLS_PARALLEL,
                                             [TRIBO_TRANSPORT_PLAIN] = MLS_PLAIN};
  return (forwarding_options){
      .constrained = {.tolerance = p->tolerance,
                      .gap = p->contact_tolerance * m->smallest,
                      .cones = p->friction_tolerance,
                      .iterations = p->iterations},
      .friction = {.tolerance = p->friction_tolerance, .iterations = p->friction_iterations},
      .ipopt = p->backend == TRIBO_BACKEND_IPOPT,
      .with = {.linear = p->linear == TRIBO_LINEAR_PARDISO ? IPOPT_PARDISO : IPOPT_MUMPS},
      .elastic = p->effective_mass == TRIBO_EFFECTIVE_MASS_ELASTIC,
      .forward = p->forwarding == TRIBO_FORWARDING_ON,
      .relinearize = p->relinearize,
      .transport = transports[p->transport]};
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
  for (size_t i = 0; i < m->feeler_count; i++)
    for (size_t j = 0; j < m->surface_count; j++)
      if (m->feelers[i].object != m->surfaces[j].object) return true;
  return false;
}

static tribo_status create_newton(const model *m, const step_options *options, const tasks *t,
                                  arena *memory, stepper *out, tribo_error *err) {
  const tribo_solver_params *solver = options->solver;
  const pairs *friction = options->method == TRIBO_METHOD_ELASTIC ? NULL : options->friction;
  TRY(check_linear(solver, err));
  static const linsys_kind kinds[] = {[TRIBO_LINEAR_AUTO] = LINSYS_AUTO,
                                      [TRIBO_LINEAR_CHOLMOD] = LINSYS_CHOLMOD,
                                      [TRIBO_LINEAR_PARDISO] = LINSYS_PARDISO,
                                      [TRIBO_LINEAR_CG] = LINSYS_CG};
  linsys_options linear = {.kind = kinds[solver->linear],
                           .tasks = *t,
                           .cg_tolerance = solver->cg_tolerance,
                           .cg_iterations = solver->cg_iterations};
  /* Contacts make the system stiff where it was soft, and ask for several solves with one matrix:
   * work for a factorisation. */
  if (friction && anything_touches(m) && linear.kind == LINSYS_AUTO) linear.kind = LINSYS_CHOLMOD;
  TRY(newton_create(&out->objective, &linear, memory, &out->newton, err));
  forwarding_options contact = contact_options(m, solver);
  TRY(forwarding_create(m, &out->objective, &out->newton, friction, &contact, &out->forwarding,
                        err));
  out->touching = friction && out->forwarding.finder.meet.count > 0;
  return TRIBO_OK;
}

static tribo_status create_projective(const model *m, const step_options *options, const tasks *t,
                                      stepper *out, tribo_error *err) {
  forwarding_options contact = contact_options(m, options->solver);
  projective_options how = {.h = options->seconds,
                            .iterations = options->solver->projective_iterations,
                            .gap = contact.constrained.gap,
                            .transport = contact.transport,
                            .tasks = *t};
  TRY(projective_create(m, options->friction, &how, &out->projective, err));
  out->touching = out->projective.finder.meet.count > 0;
  return TRIBO_OK;
}

/* Every other method's contacts bring a matrix of cholmod's, and so do these. */
static tribo_status create_barrier(const model *m, const step_options *options, const tasks *t,
                                   stepper *out, tribo_error *err) {
  const tribo_solver_params *p = options->solver;
  barrier_options how = {.h = options->seconds,
                         .tolerance = p->tolerance,
                         .friction = fmax(p->friction_tolerance, 1e-3),
                         .iterations = p->iterations,
                         .linear = {.kind = LINSYS_CHOLMOD,
                                    .tasks = *t,
                                    .cg_tolerance = p->cg_tolerance,
                                    .cg_iterations = p->cg_iterations},
                         .tasks = *t};
  return barrier_create(m, &out->objective, options->friction, &how, &out->fence, err);
}

tribo_status step_create(const model *m, const step_options *options, const tasks *t, arena *memory,
                         stepper *out, tribo_error *err) {
  const tribo_solver_params *solver = options->solver;
  *out = (stepper){.model = m,
                   .projects = options->method == TRIBO_METHOD_PROJECTIVE,
                   .fences = options->method == TRIBO_METHOD_BARRIER,
                   .cuts = solver->cuts,
                   .accept_failed = solver->on_failure == TRIBO_ON_FAILURE_CONTINUE,
                   .frame_seconds = options->frame_seconds,
                   .first_frame = options->first_frame,
                   .guess = ARENA_ARRAY(memory, vec3, m->node_count)};
  if (!out->guess) return status_no_memory(err, "a step's work space");
  TRY(objective_create(m, t, memory, &out->objective, err));
  if (out->fences) return create_barrier(m, options, t, out, err);
  return out->projects ? create_projective(m, options, t, out, err)
                       : create_newton(m, options, t, memory, out, err);
}

void step_free(stepper *s) {
  ARRAY_FREE(s->fenced);
  barrier_free(&s->fence);
  projective_free(&s->projective);
  forwarding_free(&s->forwarding);
  newton_free(&s->newton);
}

step_contacts step_touching(stepper *s) {
  projective *p = &s->projective;
  forwarding *f = &s->forwarding;
  if (s->projects) return (step_contacts){&p->finder, &p->set, p->cones, p->impulses, NULL};
  return (step_contacts){&f->finder, &f->set, f->cones, f->impulse, f->torque};
}

double step_seconds(const stepper *s) {
  return s->projects ? s->projective.options.h : s->objective.h;
}

vec3 step_slip(const stepper *s, size_t i) {
  return s->projects ? projective_slip(&s->projective, i) : forwarding_slip(&s->forwarding, i);
}

size_t step_between_count(const stepper *s) {
  if (s->fences) return s->fenced.count;
  return s->projects ? projective_list_count(&s->projective) : 0;
}

projective_listed step_between(const stepper *s, const vec3 *x, size_t i) {
  if (!s->fences) return projective_list_at(&s->projective, x, i);
  const barrier_listed *l = &s->fenced.data[i];
  return (projective_listed){.node = s->model->bodies[l->body].first_node + l->vertex,
                             .body = l->body,
                             .surface = l->surface,
                             .point = l->point,
                             .slip = l->slip,
                             .gap = l->gap,
                             .impulse = l->impulse,
                             .cone = &l->cone};
}

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
static void predict(stepper *s, const vec3 *x, double end_seconds) {
  objective *o = &s->objective;
  for (int32_t i = 0; i < s->model->node_count; i++) s->guess[i] = x[i];
  place_pins(s->model, end_seconds, s->guess);
  double staying = objective_energy(o, s->guess);
  for (int32_t i = 0; i < s->model->node_count; i++) s->guess[i] = o->predicted[i];
  place_pins(s->model, end_seconds, s->guess);
  double flying = objective_energy(o, s->guess);
  if (flying <= staying) return;
  for (int32_t i = 0; i < s->model->node_count; i++) s->guess[i] = x[i];
  place_pins(s->model, end_seconds, s->guess);
}

/* A rigid body's turning goes into its orientation, and is 0 again for the next step. */
static void commit_turn(const stepper *s, size_t k, double h, state *moving) {
  const model_rigid *r = &s->model->rigids[k];
  int32_t i = r->node + 1;
  vec3 theta = vec3_scale(1 / r->length, s->guess[i]);
  vec3 theta_free = vec3_scale(1 / r->length, s->objective.predicted[i]);
  vec3 spin = vec3_scale(1 / r->length, moving->v[i]);
  rigid_turn(r, theta, theta_free, h, &moving->turns[k], &spin);
  moving->v[i] = vec3_scale(r->length, spin);
  moving->x[i] = vec3_make(0, 0, 0);
}

static void commit(const stepper *s, double h, state *moving) {
  const model *m = s->model;
  vec3 *x = moving->x, *v = moving->v;
  for (size_t k = 0; k < m->rigid_count; k++) commit_turn(s, k, h, moving);
  for (size_t b = 0; b < m->body_count; b++) {
    const model_body *body = &m->bodies[b];
    int32_t count = body->carriage == CARRY_RIGID ? 1 : body->node_count;
    for (int32_t i = body->first_node; i < body->first_node + count; i++) {
      v[i] = vec3_scale(1 / h, vec3_sub(s->guess[i], x[i]));
      x[i] = s->guess[i];
    }
  }
}

static void add_to_report(const forwarding_report *f, bool accepted, tribo_report *report) {
  const constrained_report *n = &f->constrained;
  report->newton_iterations += n->iterations;
  report->linear_iterations += n->linear_iterations;
  report->linear_seconds += n->linear_seconds;
  report->assembly_seconds += n->assembly_seconds;
  report->linearizations += f->linearizations;
  report->friction_iterations += f->friction.iterations;
  if (!accepted) return;
  report->steps++;
  report->residual = fmax(report->residual, n->residual);
  report->contacts = f->contacts;
  report->friction_residual = fmax(report->friction_residual, f->friction.residual);
  report->max_penetration = fmax(report->max_penetration, f->penetration);
}

/* The end positions, from the guess. */
static tribo_status solve(stepper *s, double seconds, double h, const state *moving,
                          forwarding_report *report, tribo_error *err) {
  if (!s->touching) {
    *report = (forwarding_report){.friction = {.converged = true}};
    return newton_minimize(&s->newton, &s->forwarding.options.constrained, NULL, s->guess,
                           &report->constrained, err);
  }
  forwarding_start start = {.seconds = seconds,
                            .h = h,
                            .x = s->objective.start,
                            .v = moving->v,
                            .turns = moving->turns,
                            .touches = moving->touches,
                            .touch_count = moving->touch_count};
  return forwarding_solve(&s->forwarding, &start, s->guess, report, err);
}

static tribo_status keep_touches(const stepper *s, state *moving, tribo_error *err) {
  if (!s->touching) return TRIBO_OK;
  if (!state_reserve_touches(moving, s->forwarding.set.count))
    return status_no_memory(err, "contacts");
  moving->touch_count = forwarding_touches(&s->forwarding, moving->touches);
  return TRIBO_OK;
}

/* The frame that shows first what a step at `seconds` comes to. */
static trouble_time time_of(const stepper *s, double seconds) {
  double frames = s->frame_seconds > 0 ? seconds / s->frame_seconds : 0;
  return (trouble_time){seconds, s->first_frame + 1 + (int)floor(frames + 1e-6)};
}

/* What is wrong with what was solved, for those who are told of it. Where a bake is to stop at
 * that, it is an error. */
static tribo_status note_trouble(stepper *s, double seconds, const forwarding_report *solved,
                                 tribo_error *err) {
  if (!s->touching && solved->constrained.outcome == CONSTRAINED_CONVERGED) return TRIBO_OK;
  trouble found = trouble_of(&s->forwarding, s->guess, solved, time_of(s, seconds));
  double depth;
  const contact_point *buried = forwarding_buried(&s->forwarding, &depth);
  trouble pins = trouble_of_pin(&s->forwarding.finder, buried, depth, time_of(s, seconds));
  trouble_add(&found, &s->worst);
  if (pins.kind == TROUBLE_NONE) return TRIBO_OK;
  if (!s->accept_failed) return trouble_fail(&pins, NULL, 0, 0, err);
  trouble_add(&pins, &s->pins);
  return TRIBO_OK;
}

static tribo_status tell_failure(const stepper *s, double seconds, double h,
                                 const forwarding_report *solved, tribo_error *err) {
  static const char *const reasons[] = {[CONSTRAINED_CONVERGED] = "",
                                        [CONSTRAINED_STALLED] = "no lower energy was found",
                                        [CONSTRAINED_UNFINISHED] = "the iterations ran out",
                                        [CONSTRAINED_NO_ROOM] = "no force makes room",
                                        [CONSTRAINED_CURVED] = "contacts curve too much",
                                        [CONSTRAINED_BROKEN] = "the energy is not finite"};
  trouble found = trouble_of(&s->forwarding, s->guess, solved, time_of(s, seconds));
  return trouble_fail(&found, reasons[solved->constrained.outcome], s->cuts, h, err);
}

static tribo_status advance(stepper *s, double seconds, double h, int cuts_left, state *moving,
                            tribo_report *report, tribo_error *err) {
  forwarding_report solved;
  TRY(tasks_check(&s->objective.tasks, err));
  objective_begin(&s->objective, moving->x, moving->v, moving->turns, h, seconds + h);
  predict(s, moving->x, seconds + h);
  TRY(solve(s, seconds, h, moving, &solved, err));

  constrained_outcome outcome = solved.constrained.outcome;
  if (forwarding_spent(&s->forwarding) && outcome != CONSTRAINED_BROKEN) cuts_left = 0;
  /* Parts of the step move less, but where there is no room they seldom find any. */
  if (outcome == CONSTRAINED_NO_ROOM && cuts_left > 1) cuts_left = 1;
  /* A step that is as short as may be and still too long for its contacts leaves them a little
   * deeper than was asked for; that is no reason to stop. */
  bool deep = cuts_left == 0 && outcome == CONSTRAINED_CURVED;
  bool last = deep || (cuts_left == 0 && s->accept_failed && outcome != CONSTRAINED_BROKEN);
  bool accept = outcome == CONSTRAINED_CONVERGED || last;
  add_to_report(&solved, accept, report);
  if (accept) {
    TRY(note_trouble(s, seconds, &solved, err));
    if (outcome != CONSTRAINED_CONVERGED || !solved.friction.converged) report->converged = false;
    commit(s, h, moving);
    return keep_touches(s, moving, err);
  }
  if (cuts_left > 0) {
    report->cuts++;
    TRY(advance(s, seconds, h / 2, cuts_left - 1, moving, report, err));
    return advance(s, seconds + h / 2, h / 2, cuts_left - 1, moving, report, err);
  }
  report->converged = false;
  return tell_failure(s, seconds, h, &solved, err);
}

/* This way has no error for what hard pins hold inside, and no need of one: the rest is solved. */
static void note_pins(stepper *s, double seconds) {
  const contact_set *set = &s->projective.set;
  const contact_point *buried = NULL;
  double depth = s->projective.options.gap;
  for (size_t i = 0; i < set->count; i++) {
    double now = set->contacts[i].allowed - contact_set_gap(set, i, s->guess);
    if (now > depth && forwarding_is_held(s->model, set, i))
      depth = now, buried = &set->contacts[i];
  }
  trouble pins = trouble_of_pin(&s->projective.finder, buried, depth, time_of(s, seconds));
  trouble_add(&pins, &s->pins);
}

/* The step by local and global iterations: always one, and always taken. */
static tribo_status project(stepper *s, double seconds, double h, state *moving,
                            tribo_report *report, tribo_error *err) {
  projective_start start = {.seconds = seconds,
                            .x = moving->x,
                            .v = moving->v,
                            .turns = moving->turns,
                            .touches = moving->touches,
                            .touch_count = moving->touch_count};
  projective_report solved;
  TRY(projective_solve(&s->projective, &start, s->guess, &solved, err));
  report->newton_iterations += solved.iterations;
  report->linear_seconds += solved.solve_seconds;
  report->assembly_seconds += solved.local_seconds;
  if (!solved.finite) {
    report->converged = false;
    return status_fail(err, TRIBO_NOT_CONVERGED,
                       "the step at %.6g s left the range of numbers; use more substeps, softer "
                       "materials or slower pins, or the method 'forwarding'",
                       seconds);
  }
  report->steps++;
  s->tangled = solved.tangled;
  s->made = solved.made;
  report->held_back += solved.made.joules;
  if (solved.tangled) report->converged = false;
  report->residual = fmax(report->residual, solved.residual);
  note_pins(s, seconds);
  report->contacts = solved.contacts;
  report->friction_residual = fmax(report->friction_residual, solved.friction);
  report->max_penetration = fmax(report->max_penetration, solved.penetration);
  double depth;
  projective_list_layers(&s->projective, s->guess, &report->cloth_contacts, &depth);
  report->cloth_depth = fmax(report->cloth_depth, depth);
  commit(s, h, moving);
  if (!state_reserve_touches(moving, s->projective.set.count))
    return status_no_memory(err, "contacts");
  moving->touch_count = projective_touches(&s->projective, moving->touches);
  return TRIBO_OK;
}

/* A hard pin, or a collider, that something is in the way of. */
static tribo_status note_obstacle(stepper *s, double seconds, const barrier_report *solved,
                                  tribo_error *err) {
  const barrier_obstacle *o = &solved->obstacle;
  if (o->part < 0) return TRIBO_OK;
  const surface_part *parts = s->fence.mesh.parts;
  trouble found = {.kind = TROUBLE_BURIED,
                   .time = time_of(s, seconds),
                   .value = o->left,
                   .object = parts[o->part].name,
                   .vertex = o->vertex,
                   .surface = parts[o->other].name};
  if (!s->accept_failed) return trouble_fail(&found, NULL, 0, 0, err);
  trouble_add(&found, &s->pins);
  return TRIBO_OK;
}

/* The step that lets nothing through, taken as far as it came; cut only where nothing is finite. */
static tribo_status fence(stepper *s, double seconds, double h, int cuts_left, state *moving,
                          tribo_report *report, tribo_error *err) {
  barrier_report solved;
  size_t lifted;
  TRY(tasks_check(&s->objective.tasks, err));
  TRY(barrier_lift(&s->fence, seconds, moving->turns, moving->x, &lifted, err));
  objective_begin(&s->objective, moving->x, moving->v, moving->turns, h, seconds + h);
  barrier_start start = {.seconds = seconds,
                         .h = h,
                         .x = moving->x,
                         .v = moving->v,
                         .turns = moving->turns,
                         .touches = moving->touches,
                         .touch_count = moving->touch_count};
  TRY(barrier_solve(&s->fence, &start, s->guess, &solved, err));
  report->newton_iterations += solved.iterations;
  report->friction_iterations += solved.frictions;
  report->linear_seconds += solved.solve_seconds;
  report->assembly_seconds += solved.assembly_seconds;
  bool done = solved.outcome == BARRIER_CONVERGED;
  bool cuttable = solved.outcome == BARRIER_BROKEN;
  if (cuttable && cuts_left > 0) {
    report->cuts++;
    TRY(fence(s, seconds, h / 2, cuts_left - 1, moving, report, err));
    return fence(s, seconds + h / 2, h / 2, cuts_left - 1, moving, report, err);
  }
  if (!done) report->converged = false;
  if (solved.outcome == BARRIER_CROSSED || solved.outcome == BARRIER_BROKEN)
    return status_fail(err, TRIBO_NOT_CONVERGED,
                       "the step at %.6g s has no finite energy; use softer materials, or more "
                       "substeps (time.substeps)",
                       seconds);
  TRY(note_obstacle(s, seconds, &solved, err));
  report->steps++;
  report->residual = fmax(report->residual, solved.residual);
  report->contacts = solved.contacts;
  report->friction_residual = fmax(report->friction_residual, solved.friction);
  commit(s, h, moving);
  TRY(barrier_list(&s->fence, &s->fenced, err));
  if (!state_reserve_touches(moving, barrier_touch_count(&s->fence)))
    return status_no_memory(err, "contacts");
  moving->touch_count = barrier_touches(&s->fence, moving->touches);
  return TRIBO_OK;
}

tribo_status step_advance(stepper *s, double seconds, double h, state *moving, tribo_report *report,
                          tribo_error *err) {
  if (s->fences) return fence(s, seconds, h, s->cuts, moving, report, err);
  if (s->projects) return project(s, seconds, h, moving, report, err);
  forwarding_allow(&s->forwarding);
  return advance(s, seconds, h, s->cuts, moving, report, err);
}
