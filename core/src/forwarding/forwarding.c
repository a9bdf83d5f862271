/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/forwarding.h"

#include <assert.h>
#include <string.h>

#include "contact/contact_export.h"
#include "contact/contact_rigid.h"
#include "contact/held.h"
#include "contact/set_cones.h"
#include "contact/set_rows.h"
#include "ipopt/ipopt_friction.h"
#include "model/kinematics.h"

/* Residual that is aimed at in problems of rigid bodies (contact_problem.h), of its tolerance. */
static const double RIGID_AIM = 0.01;

/* What Newton's method gets among rigid bodies, first; and where solvers of problems stalled. */
enum { BONDED_ITERATIONS = 6, BONDED_FACTORIZATIONS = 24, STALLED_FACTORIZATIONS = 100 };

/* What a step may cost: factorisations, as a multiple of the iterations that Newton's method may
 * take, but as many as the parts of a step that is cut into 64 may need; and sweeps over contacts,
 * as a multiple of the staggered projections. Ordinary steps take a tenth of it (docs/step.md).
 * A small mesh costs little each time: what deforms gets as many as a mesh of 2,000 nodes would pay
 * for 300 at a cost in proportion to its nodes. */
enum { FACTORIZATIONS = 5, LEAST_FACTORIZATIONS = 300, NODE_FACTORIZATIONS = 600000 };
/* Of rigid bodies over few of the contacts (contact_rigid.h); the last for every problem. */
enum { SWEEPS = 100, RIGID_SWEEPS = 1000, LAST_SWEEPS = 100 };

/* A contact that moves by less than this part of the tolerance within a step did not slip. */
static const double STUCK = 1e-3;

/* A linear model that leaves this many times the tolerance is no model of the step, and the step
 * must be shorter. */
static const double CURVED = 5;

/* Of the way to where the last linear model led, that the next one is made at. */
static const double SHORTEST_PART = 0.25;

static bool only_rigid(const model *m) {
  for (size_t b = 0; b < m->body_count; b++)
    if (m->bodies[b].kinematics->deforms) return false;
  return true;
}

tribo_status forwarding_create(const model *m, objective *o, newton *n, const pairs *mu,
                               const forwarding_options *options, forwarding *out,
                               tribo_error *err) {
  *out = (forwarding){.model = m, .objective = o, .newton = n, .pairs = mu, .options = *options};
  out->options.friction.tasks = &o->tasks;
  if (options->ipopt) {
    out->options.elastic = false;
    TRY(ipopt_constrained_create(o, &options->with, &out->memory, &out->ipopt, err));
  }
  out->rigid = out->options.elastic && only_rigid(m);
  out->drills = mu && pairs_drill(mu);
  assert(!out->drills || out->rigid); /* scene/compile.c refuses the rest */
  out->before = ARENA_ARRAY(&out->memory, vec3, m->vertex_count);
  out->vertices = ARENA_ARRAY(&out->memory, vec3, m->vertex_count);
  out->velocities = ARENA_ARRAY(&out->memory, vec3, m->vertex_count);
  out->velocity = ARENA_ARRAY(&out->memory, vec3, m->node_count);
  out->change = ARENA_ARRAY(&out->memory, vec3, m->node_count);
  out->inverse_mass = ARENA_ARRAY(&out->memory, mat3, m->node_count);
  if (!out->before || !out->vertices || !out->velocities || !out->velocity || !out->change ||
      !out->inverse_mass)
    return status_no_memory(err, "contact");
  return contact_finder_create(m, BROAD_PHASE_ALL, options->transport, &o->tasks, &out->finder,
                               err);
}

void forwarding_free(forwarding *f) {
  contact_finder_free(&f->finder);
  ipopt_constrained_free(f->ipopt);
  arena_free(&f->step);
  arena_free(&f->memory);
  *f = (forwarding){0};
}

void forwarding_allow(forwarding *f) {
  int most = FACTORIZATIONS * f->options.constrained.iterations;
  int small = f->rigid ? 0 : NODE_FACTORIZATIONS / (f->model->node_count + 1);
  if (most < LEAST_FACTORIZATIONS) most = LEAST_FACTORIZATIONS;
  f->newton->left = most > small ? most : small;
  f->sweeps = (f->rigid ? RIGID_SWEEPS : SWEEPS) * f->options.friction.iterations;
}

bool forwarding_spent(const forwarding *f) { return f->newton->left <= 0 || f->sweeps <= 0; }

/* ---- contacts ---------------------------------------------------------------------------------
 */

/* Linearises at the nodes `at`, which must stay. */
static tribo_status linearize(forwarding *f, const forwarding_start *start, const vec3 *at,
                              contact_set *out, tribo_error *err) {
  TRY(tasks_check(&f->objective->tasks, err));
  kinematics_positions(f->model, &f->objective->tasks, at, start->turns, f->vertices);
  contact_moment moment = {.start = start->seconds,
                           .h = start->h,
                           .x = at,
                           .turns = start->turns,
                           .vertices = f->vertices,
                           .x_before = start->x,
                           .before = f->before,
                           .first = start->seconds == 0,
                           .touches = start->touches,
                           .touch_count = start->touch_count};
  double fall = start->h * start->h * vec3_norm(f->model->gravity);
  double margin = 2 * fall + 4 * f->options.constrained.gap;
  return contact_find(&f->finder, &moment, f->velocities, margin, out, err);
}

/* The touch of a contact, NULL when it is new. Both are sorted by key. */
static const touch *find_touch(const forwarding_start *start, size_t *next, uint64_t key) {
  while (*next < start->touch_count && start->touches[*next].key < key) ++*next;
  if (*next == start->touch_count || start->touches[*next].key != key) return NULL;
  return &start->touches[*next];
}

/* Arrays for a set, with forces of the last step where there were any. */
static tribo_status take_set(forwarding *f, const forwarding_start *start, tribo_error *err) {
  size_t count = f->set.count, next = 0;
  f->force = ARENA_ARRAY(&f->step, vec3, count);
  f->cones = ARENA_ARRAY(&f->step, friction_cone, count);
  f->given = ARENA_ARRAY(&f->step, vec3, count);
  f->impulse = ARENA_ARRAY(&f->step, vec3, count);
  f->torque = ARENA_ARRAY(&f->step, double, count);
  if (!f->force || !f->cones || !f->given || !f->impulse || !f->torque)
    return status_no_memory(err, "contacts");
  set_cones from = {.model = f->model,
                    .pairs = f->pairs,
                    .set = &f->set,
                    .velocities = start->v,
                    .still = STUCK * f->options.constrained.gap / start->h};
  for (size_t i = 0; i < count; i++) {
    const contact_point *c = &f->set.contacts[i];
    f->cones[i] = set_cone(&from, i);
    const touch *last = find_touch(start, &next, c->key);
    if (!last) continue;
    f->force[i] =
        vec3_make(fmax(0, vec3_dot(last->force, c->normal)), vec3_dot(last->force, f->cones[i].t),
                  vec3_dot(last->force, f->cones[i].b));
    f->torque[i] = last->torque;
    if (!f->options.forward) continue;
    f->given[i].y = start->h * f->force[i].y;
    f->given[i].z = start->h * f->force[i].z;
  }
  return TRIBO_OK;
}

static vec3 tangential(const forwarding *f, size_t i, vec3 r) {
  return vec3_add(vec3_scale(r.y, f->cones[i].t), vec3_scale(r.z, f->cones[i].b));
}

/* The forwarded friction as a force on the nodes. */
static void push_nodes(forwarding *f, double h) {
  const contact_set *set = &f->set;
  memset(f->objective->push, 0, (size_t)f->model->node_count * sizeof *f->objective->push);
  if (f->options.elastic) return;
  for (size_t i = 0; i < set->count; i++) {
    vec3 force = vec3_scale(1 / h, tangential(f, i, f->given[i]));
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
      vec3 *push = &f->objective->push[set->node[e]];
      *push = vec3_add(*push, mat3_tmul_vec3(&set->carry[e], force));
    }
  }
}

/* What hard pins hold inside, no velocity can let out: a step that had to would not converge, nor
 * would its parts. The deepest is remembered, to be told. x: the pinned nodes are where the step
 * ends. */
static void note_buried(forwarding *f, const contact_set *set, const vec3 *x) {
  f->buried_depth = 0;
  for (size_t i = 0; i < set->count; i++) {
    if (!contact_is_held(f->model, set, i)) continue;
    double depth = set->contacts[i].allowed - contact_set_gap(set, i, x);
    if (depth > f->buried_depth) f->buried = set->contacts[i], f->buried_depth = depth;
  }
}

/* So these count as open, by the model's size. */
static tribo_status set_aside(forwarding *f, const vec3 *x, tribo_error *err) {
  contact_set *set = &f->set;
  contact_point *contacts = ARENA_ARRAY(&f->step, contact_point, set->count);
  if (!contacts) return status_no_memory(err, "contacts");
  note_buried(f, set, x);
  for (size_t i = 0; i < set->count; i++) {
    contacts[i] = set->contacts[i];
    if (!contact_is_held(f->model, set, i)) continue;
    contacts[i].gap += f->model->size - contact_set_gap(set, i, x);
    f->force[i] = vec3_make(0, 0, 0);
    f->torque[i] = 0;
  }
  set->contacts = contacts;
  return TRIBO_OK;
}

/* How well the linear model served: at x, where the contacts are now linearised anew, how deep the
 * worst is, and how far off one that bears a force; metres. */
typedef struct misfit {
  double deep, apart;
} misfit;

static misfit measure_fit(forwarding *f, const contact_set *now) {
  misfit worst = {0, 0};
  size_t j = 0;
  for (size_t i = 0; i < now->count; i++) {
    const contact_point *c = &now->contacts[i];
    if (contact_is_held(f->model, now, i)) continue;
    if (-c->gap > worst.deep) worst.deep = -c->gap, f->deepest = *c;
    while (j < f->set.count && f->set.contacts[j].key < c->key) j++;
    bool old = j < f->set.count && f->set.contacts[j].key == c->key;
    if (old && f->force[j].x > 0) worst.apart = fmax(worst.apart, c->gap);
  }
  return worst;
}

/* Forces pass from the old set to the new one, contact by contact. */
static tribo_status change_set(forwarding *f, const forwarding_start *start, const contact_set *now,
                               int passes, tribo_error *err) {
  contact_set old = f->set;
  const vec3 *force = f->force;
  const double *torque = f->torque;
  TRY(set_rows_keep(&old, now, passes, &f->step, &f->set, err));
  TRY(take_set(f, start, err));
  size_t next = 0;
  for (size_t i = 0; i < f->set.count; i++) {
    size_t j = set_rows_find(&old, &next, f->set.contacts[i].key);
    f->force[i] = j < old.count ? force[j] : vec3_make(0, 0, 0);
    f->torque[i] = j < old.count ? torque[j] : 0;
  }
  return TRIBO_OK;
}

static void add_report(const constrained_report *one, constrained_report *all) {
  all->outcome = one->outcome;
  all->iterations += one->iterations;
  all->linear_iterations += one->linear_iterations;
  all->revisions += one->revisions;
  all->residual = one->residual;
  all->violation = one->violation;
  all->cones = one->cones;
  all->linear_seconds += one->linear_seconds;
  all->assembly_seconds += one->assembly_seconds;
}

/* ---- the three parts --------------------------------------------------------------------------
 */

static void weigh_nodes(forwarding *f) {
  const model *m = f->model;
  for (int32_t i = 0; i < m->node_count; i++) {
    mat3 one = mat3_identity();
    bool free = m->row_of_node[i] >= 0 && m->mass[i] > 0;
    f->inverse_mass[i] = free ? mat3_scale(1 / m->mass[i], &one) : (mat3){0};
  }
  for (size_t k = 0; k < m->rigid_count; k++)
    f->inverse_mass[kinematics_frame(m, k)] = mat3_inverse(&f->objective->turning[k]);
}

/* Of rigid bodies alone: the free motion, then the contacts. */
static tribo_status minimize_rigid(forwarding *f, const forwarding_start *start, vec3 *x,
                                   constrained_report *report, tribo_error *err) {
  size_t count = f->set.count, nodes = (size_t)f->model->node_count;
  TRY(newton_minimize(f->newton, &f->options.constrained, NULL, x, report, err));
  if (report->outcome != CONSTRAINED_CONVERGED || count == 0) return TRIBO_OK;
  double *room = ARENA_ARRAY(&f->step, double, count);
  vec3 *none = ARENA_ARRAY(&f->step, vec3, count);
  if (!room || !none) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < count; i++) room[i] = contact_set_gap(&f->set, i, x) / start->h;
  for (size_t i = 0; i < nodes; i++)
    f->velocity[i] = vec3_scale(1 / start->h, vec3_sub(x[i], start->x[i]));
  weigh_nodes(f);
  friction_problem problem = {.set = &f->set,
                              .cones = f->cones,
                              .inverse_mass = f->inverse_mass,
                              .node_count = nodes,
                              .velocity = f->velocity,
                              .room = room,
                              .given = none};
  contact_solve_options options = {.tolerance = RIGID_AIM * f->options.friction.tolerance,
                                   .enough = f->options.friction.tolerance,
                                   .iterations = f->sweeps > LAST_SWEEPS ? f->sweeps : LAST_SWEEPS,
                                   .tasks = f->objective->tasks};
  contact_solve_report solved;
  for (size_t i = 0; i < count; i++) {
    f->impulse[i] = vec3_scale(start->h, f->force[i]);
    f->torque[i] *= start->h;
  }
  TRY(contact_rigid_solve(&problem, &options, &f->step, f->impulse, f->torque, f->change, &solved,
                          err));
  for (size_t i = 0; i < nodes; i++) x[i] = vec3_madd(x[i], start->h, f->change[i]);
  for (size_t i = 0; i < count; i++) {
    f->force[i] = vec3_scale(1 / start->h, f->impulse[i]);
    f->torque[i] /= start->h;
  }
  f->sweeps -= solved.sweeps;
  report->iterations += solved.iterations;
  report->cones = solved.residual;
  return TRIBO_OK;
}

/* By Newton's method on the contacts' bonds. */
static tribo_status minimize_bonded(forwarding *f, const forwarding_start *start, int iterations,
                                    vec3 *x, constrained_report *report, tribo_error *err) {
  contact_task task = {.set = &f->set,
                       .cones = f->cones,
                       .friction = f->options.elastic,
                       .first = f->set.at == start->x,
                       .start = start->x,
                       .h = start->h,
                       .force = f->force};
  constrained_options options = f->options.constrained;
  if (options.iterations > iterations) options.iterations = iterations;
  return newton_minimize(f->newton, &options, &task, x, report, err);
}

/* Nodes and forces of a set, to come back to. */
typedef struct iterate {
  vec3 *x, *force;
} iterate;

static tribo_status iterate_keep(forwarding *f, const vec3 *x, iterate *out, tribo_error *err) {
  size_t nodes = (size_t)f->model->node_count;
  *out = (iterate){ARENA_ARRAY(&f->step, vec3, nodes), ARENA_ARRAY(&f->step, vec3, f->set.count)};
  if (!out->x || !out->force) return status_no_memory(err, "contacts");
  memcpy(out->x, x, nodes * sizeof *x);
  memcpy(out->force, f->force, f->set.count * sizeof *f->force);
  return TRIBO_OK;
}

static void iterate_take(forwarding *f, const iterate *from, vec3 *x) {
  memcpy(x, from->x, (size_t)f->model->node_count * sizeof *x);
  memcpy(f->force, from->force, f->set.count * sizeof *f->force);
}

static tribo_status try_bonded(forwarding *f, const forwarding_start *start, int iterations,
                               int factorizations, vec3 *x, constrained_report *report,
                               tribo_error *err) {
  int left = f->newton->left;
  f->newton->left = factorizations;
  tribo_status status = minimize_bonded(f, start, iterations, x, report, err);
  f->newton->left = left;
  return status;
}

/* Rigid bodies by both ways. What rests or slides steadily takes Newton's method one iteration;
 * what wedges and topples goes to solvers that are made for it, for the rest of the step. Where
 * these stall too, Newton's method gets more, once, and if that was in vain the best of theirs
 * stands. It knows no drilling; where there is some, all is left to the solvers. */
static tribo_status minimize_either(forwarding *f, const forwarding_start *start, vec3 *x,
                                    constrained_report *report, tribo_error *err) {
  if (f->drills) return minimize_rigid(f, start, x, report, err);
  iterate guess, best;
  constrained_report solved = {.outcome = CONSTRAINED_UNFINISHED};
  double enough = f->options.friction.tolerance;
  TRY(iterate_keep(f, x, &guess, err));
  if (f->wedged == FORWARDING_RESTS) {
    TRY(try_bonded(f, start, BONDED_ITERATIONS, BONDED_FACTORIZATIONS, x, &solved, err));
    if ((*report = solved).outcome == CONSTRAINED_CONVERGED) return TRIBO_OK;
    f->wedged = FORWARDING_WEDGED;
    iterate_take(f, &guess, x);
  }
  int iterations = solved.iterations;
  TRY(minimize_rigid(f, start, x, report, err));
  report->iterations += iterations;
  if (report->outcome != CONSTRAINED_CONVERGED || report->cones <= enough) return TRIBO_OK;
  if (f->wedged == FORWARDING_STALLED) return TRIBO_OK;

  f->wedged = FORWARDING_STALLED;
  TRY(iterate_keep(f, x, &best, err));
  iterate_take(f, &guess, x);
  TRY(try_bonded(f, start, f->options.constrained.iterations, STALLED_FACTORIZATIONS, x, &solved,
                 err));
  report->iterations += solved.iterations;
  if (solved.outcome == CONSTRAINED_CONVERGED)
    report->cones = solved.cones; /* Newton's own measure, which has met the same tolerance */
  else
    iterate_take(f, &best, x);
  return TRIBO_OK;
}

/* The step under the set as it is now: x, and the forces. */
static tribo_status minimize(forwarding *f, const forwarding_start *start, vec3 *x,
                             constrained_report *report, tribo_error *err) {
  const constrained_options *options = &f->options.constrained;
  if (f->rigid) return minimize_either(f, start, x, report, err);
  if (!f->ipopt) return minimize_bonded(f, start, options->iterations, x, report, err);
  double *lambda = ARENA_ARRAY(&f->step, double, f->set.count);
  if (!lambda) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < f->set.count; i++) lambda[i] = f->force[i].x;
  TRY(ipopt_constrained_minimize(f->ipopt, &f->set, options, x, lambda, report, err));
  for (size_t i = 0; i < f->set.count; i++) f->force[i].x = lambda[i];
  return TRIBO_OK;
}

/* Contacts linearised at `part` of the way from where they were to x. In the step's memory. */
static tribo_status linearize_towards(forwarding *f, const forwarding_start *start, const vec3 *x,
                                      double part, contact_set *out, tribo_error *err) {
  size_t nodes = (size_t)f->model->node_count;
  vec3 *at = ARENA_ARRAY(&f->step, vec3, nodes);
  if (!at) return status_no_memory(err, "contacts");
  const vec3 *from = f->set.at;
  for (size_t i = 0; i < nodes; i++)
    at[i] = part < 1 ? vec3_madd(from[i], part, vec3_sub(x[i], from[i])) : x[i];
  return linearize(f, start, at, out, err);
}

/* 1: x* and lambda. */
static tribo_status predict(forwarding *f, const forwarding_start *start, vec3 *x,
                            forwarding_report *report, tribo_error *err) {
  double slack = 2 * f->options.constrained.gap, part = 1, last = INFINITY;
  TRY(linearize(f, start, start->x, &f->set, err));
  TRY(take_set(f, start, err));
  TRY(set_aside(f, x, err));
  push_nodes(f, start->h);
  for (int passes = 1;; passes++) {
    constrained_report solved;
    report->linearizations++;
    TRY(minimize(f, start, x, &solved, err));
    add_report(&solved, &report->constrained);
    if (solved.outcome != CONSTRAINED_CONVERGED) return TRIBO_OK;
    if (f->finder.broad_phase.count == 0 || forwarding_spent(f)) return TRIBO_OK;

    contact_set now;
    TRY(linearize_towards(f, start, x, 1, &now, err));
    note_buried(f, &now, x);
    misfit fit = measure_fit(f, &now);
    double off = fmax(fit.deep, fit.apart);
    if (off <= slack) return TRIBO_OK;
    if (passes > f->options.relinearize) {
      /* What stays apart does no harm: in a crease the nearest sheet, and with it the gap, may jump
       * for ever. What is deep does. */
      if (fit.deep > CURVED * slack) {
        report->constrained.outcome = CONSTRAINED_CURVED;
        f->deepest_depth = fit.deep;
      }
      return TRIBO_OK;
    }
    /* Where a surface turns quickly, x may go to and fro between two linear models for ever: the
     * next one is made on the way. */
    if (off > last / 2) part = fmax(part / 2, SHORTEST_PART);
    last = off;
    if (part < 1) TRY(linearize_towards(f, start, x, part, &now, err));
    TRY(change_set(f, start, &now, passes, err));
    TRY(set_aside(f, x, err));
    push_nodes(f, start->h);
  }
}

/* With the elastic effective mass 1 has done it all. */
static void take_forces(forwarding *f, const forwarding_start *start, const vec3 *x,
                        forwarding_report *report) {
  for (size_t i = 0; i < f->set.count; i++) f->impulse[i] = vec3_scale(start->h, f->force[i]);
  for (int32_t i = 0; i < f->model->node_count; i++) {
    f->velocity[i] = vec3_scale(1 / start->h, vec3_sub(x[i], start->x[i]));
    f->change[i] = vec3_make(0, 0, 0);
  }
  report->friction = (friction_report){
      .iterations = report->constrained.iterations,
      .residual = report->constrained.cones,
      .converged = !f->rigid || report->constrained.cones <= f->options.friction.tolerance};
}

static tribo_status find_impulses(forwarding *f, const friction_problem *p, friction_report *report,
                                  tribo_error *err) {
  const staggered_options *to = &f->options.friction;
  if (!f->ipopt) return staggered_solve(p, to, &f->step, f->impulse, f->change, report, err);
  TRY(ipopt_friction_solve(p, to->tolerance, to->iterations, &f->step, f->impulse, report, err));
  friction_respond(p, f->impulse, f->change);
  return TRIBO_OK;
}

/* The friction problem knows discs only. An ellipse is one in coordinates divided by its shape,
 * r = shape r', with tangents that are shorter by as much: then r' along t' is r along t, and the
 * power r . u stays what it is. */
static vec3 divide_by_shape(const friction_cone *c, vec3 r) {
  double t = cone_shape_t(c), b = cone_shape_b(c);
  return vec3_make(r.x, t > 0 ? r.y / t : 0, b > 0 ? r.z / b : 0);
}

static friction_cone round_cone(const friction_cone *c) {
  return cone_isotropic(c->normal, vec3_scale(cone_shape_t(c), c->t),
                        vec3_scale(cone_shape_b(c), c->b), cone_mu(c));
}

/* 2 and 3: impulses, and what they do to x. */
static tribo_status correct(forwarding *f, const forwarding_start *start, vec3 *x,
                            forwarding_report *report, tribo_error *err) {
  const model *m = f->model;
  const contact_set *set = &f->set;
  double *room = ARENA_ARRAY(&f->step, double, set->count);
  friction_cone *round = ARENA_ARRAY(&f->step, friction_cone, set->count);
  if (!room || !round) return status_no_memory(err, "friction");
  for (size_t i = 0; i < set->count; i++) {
    room[i] = fmax(0, contact_set_gap(set, i, x)) / start->h;
    f->given[i].x = start->h * f->force[i].x;
    round[i] = round_cone(&f->cones[i]);
    f->given[i] = divide_by_shape(&f->cones[i], f->given[i]);
    f->impulse[i] = f->given[i];
  }
  for (int32_t i = 0; i < m->node_count; i++)
    f->velocity[i] = vec3_scale(1 / start->h, vec3_sub(x[i], start->x[i]));
  weigh_nodes(f);
  friction_problem problem = {.set = set,
                              .cones = round,
                              .inverse_mass = f->inverse_mass,
                              .node_count = (size_t)m->node_count,
                              .velocity = f->velocity,
                              .room = room,
                              .given = f->given};
  TRY(find_impulses(f, &problem, &report->friction, err));
  for (size_t i = 0; i < set->count; i++) {
    f->impulse[i].y *= cone_shape_t(&f->cones[i]);
    f->impulse[i].z *= cone_shape_b(&f->cones[i]);
  }
  for (int32_t i = 0; i < m->node_count; i++) x[i] = vec3_madd(x[i], start->h, f->change[i]);
  return TRIBO_OK;
}

/* How deep the probes in contact are at the end of the step. */
static tribo_status measure(forwarding *f, const forwarding_start *start, const vec3 *x,
                            forwarding_report *report, tribo_error *err) {
  for (size_t i = 0; i < f->set.count; i++) report->contacts += f->impulse[i].x > 0;
  kinematics_positions(f->model, &f->objective->tasks, x, start->turns, f->vertices);
  contact_moment moment = {.start = start->seconds,
                           .h = start->h,
                           .x = x,
                           .turns = start->turns,
                           .vertices = f->vertices,
                           .x_before = start->x,
                           .before = f->before};
  return contact_depth(&f->finder, &moment, &f->set, &f->step, &report->penetration, err);
}

tribo_status forwarding_solve(forwarding *f, const forwarding_start *start, vec3 *x,
                              forwarding_report *report, tribo_error *err) {
  *report = (forwarding_report){.friction = {.converged = true}};
  arena_reset(&f->step);
  f->set = (contact_set){0};
  f->buried_depth = f->deepest_depth = 0;
  f->wedged = FORWARDING_RESTS;
  const tasks *t = &f->objective->tasks;
  kinematics_positions(f->model, t, start->x, start->turns, f->before);
  kinematics_velocities(f->model, t, start->x, start->turns, start->v, f->velocities);
  TRY(predict(f, start, x, report, err));
  if (report->constrained.outcome == CONSTRAINED_BROKEN || f->set.count == 0) return TRIBO_OK;
  if (f->options.elastic)
    take_forces(f, start, x, report);
  else
    TRY(correct(f, start, x, report, err));
  for (int32_t i = 0; i < f->model->node_count; i++)
    f->velocity[i] = vec3_add(f->velocity[i], f->change[i]);
  return measure(f, start, x, report, err);
}

tribo_status forwarding_export(forwarding *f, const char *folder, int number, tribo_error *err) {
  const contact_set *set = &f->set;
  size_t nodes = (size_t)f->model->node_count;
  double h = f->objective->h, *room = ARENA_ARRAY(&f->step, double, set->count);
  vec3 *velocity = ARENA_ARRAY(&f->step, vec3, nodes), *x = ARENA_ARRAY(&f->step, vec3, nodes);
  if (!room || !velocity || !x) return status_no_memory(err, "the contact problem");
  for (size_t i = 0; i < nodes; i++) {
    velocity[i] = f->velocity[i];
    x[i] = vec3_madd(f->objective->start[i], h, velocity[i]);
  }
  for (size_t i = 0; i < set->count; i++) room[i] = fmax(0, contact_set_gap(set, i, x)) / h;
  weigh_nodes(f);
  friction_problem problem = {.set = set,
                              .cones = f->cones,
                              .inverse_mass = f->inverse_mass,
                              .node_count = nodes,
                              .velocity = velocity,
                              .room = room,
                              .given = f->impulse};
  return contact_export_write(&problem, folder, number, err);
}

const contact_point *forwarding_buried(const forwarding *f, double *depth) {
  *depth = f->buried_depth;
  return f->buried_depth > f->options.constrained.gap ? &f->buried : NULL;
}

vec3 forwarding_force(const forwarding *f, size_t i) {
  vec3 r = f->impulse[i];
  vec3 impulse = vec3_madd(tangential(f, i, r), r.x, f->cones[i].normal);
  return vec3_scale(1 / f->objective->h, impulse);
}

size_t forwarding_touches(const forwarding *f, touch *touches) {
  size_t count = 0;
  for (size_t i = 0; i < f->set.count; i++) {
    const contact_point *c = &f->set.contacts[i];
    if (f->impulse[i].x > 0 || c->allowed > 0 || c->side != 0)
      touches[count++] = (touch){c->key, forwarding_force(f, i), f->torque[i], c->side};
  }
  return count;
}
