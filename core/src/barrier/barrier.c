/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/barrier.h"

#include <float.h>
#include <string.h>

#include "barrier/direction.h"
#include "barrier/friction.h"
#include "base/clock.h"
#include "proximity/step_limit.h"

/* A motion leaves this part of every gap. */
static const double KEEP = 0.1;
static const double SUFFICIENT_DECREASE = 1e-4, SMALLEST_STEP = 1e-10;
/* Friction is brought up to date when forces balance to this part of its last change. */
static const double PATIENCE = 0.3;
/* A change of friction is less than the last when it is this part of it. */
static const double BETTER = 0.7;
/* Below this imbalance the exact Hessian of the objective is tried. */
static const double EXACT_BELOW = 0.3;
/* Colliders and hard pins that get on by less than this part of a direction, MOST_HALTS times in a
 * row, are stopped. */
static const double HALT = 1e-3;
enum {
  MOST_HALTS = 3,
  MOST_WAITS = 4,
  WAIT = 8,
  EXACT_PAUSE = 3,
  EAGER = 8,
  MOST_FRICTIONS = 18,
  MOST_STALE = 2
};
/* A direction with what is foreseen in it is no good where it is cut to less. */
static const double LEAST_AHEAD = 0.01;

/* ---- setting up -------------------------------------------------------------------------------
 */

static bool make_room(barrier *b) {
  size_t nodes = (size_t)b->model->node_count, vertices = (size_t)b->mesh.vertex_count;
  arena *m = &b->memory;
  b->x = ARENA_ARRAY(m, vec3, nodes);
  b->trial = ARENA_ARRAY(m, vec3, nodes);
  b->gradient = ARENA_ARRAY(m, vec3, nodes);
  b->force = ARENA_ARRAY(m, vec3, nodes);
  b->direction = ARENA_ARRAY(m, vec3, nodes);
  b->given = ARENA_ARRAY(m, vec3, nodes);
  b->stiffness = ARENA_ARRAY(m, double, nodes);
  b->places = ARENA_ARRAY(m, vec3, vertices);
  b->trial_places = ARENA_ARRAY(m, vec3, vertices);
  b->swept = ARENA_ARRAY(m, vec3, vertices);
  b->start = ARENA_ARRAY(m, vec3, vertices);
  b->anchor = ARENA_ARRAY(m, vec3, vertices);
  b->velocities = ARENA_ARRAY(m, vec3, vertices);
  b->collider_start = ARENA_ARRAY(m, vec3, vertices);
  b->collider_end = ARENA_ARRAY(m, vec3, vertices);
  b->scratch = ARENA_ARRAY(m, vec3, surface_mesh_scratch(&b->mesh));
  b->held = ARENA_ARRAY(m, bool, vertices);
  b->absent = ARENA_ARRAY(m, bool, b->mesh.part_count);
  return b->x && b->trial && b->gradient && b->force && b->direction && b->given && b->stiffness &&
         b->places && b->trial_places && b->swept && b->start && b->anchor && b->velocities &&
         b->collider_start && b->collider_end && b->scratch && b->held && b->absent;
}

/* Vertices whose nodes are all given. */
static void mark_held(barrier *b) {
  const model *m = b->model;
  for (int32_t v = 0; v < b->mesh.vertex_count; v++) {
    b->held[v] = true;
    if (v >= b->mesh.body_vertices) continue;
    mesh_row row = surface_mesh_row(&b->mesh, m->rest, v, b->mesh.rest[v]);
    for (int k = 0; k < row.count; k++)
      if (m->row_of_node[row.node[k]] >= 0) b->held[v] = false;
  }
}

tribo_status barrier_create(const model *m, objective *o, const pairs *mu,
                            const barrier_options *options, barrier *out, tribo_error *err) {
  *out = (barrier){.model = m,
                   .pairs = mu,
                   .options = *options,
                   .objective = o,
                   .h = options->h,
                   .turns_bodies = m->rigid_count > 0};
  TRY(surface_mesh_build(m, &out->memory, &out->mesh, err));
  TRY(candidates_create(&out->mesh, &out->memory, &out->near, err));
  TRY(barrier_scale_create(&out->mesh, options->h, vec3_norm(m->gravity), &options->tasks,
                           &out->memory, &out->scale, err));
  TRY(glide_create(&out->mesh, &options->tasks, &out->memory, &out->glide, err));
  out->scale.glide = &out->glide;
  barrier_scale_step(&out->scale, options->h, vec3_norm(m->gravity));
  TRY(barrier_matrix_create(&out->mesh, &options->linear, &out->system, err));
  TRY(tangled_create(&out->mesh, &out->memory, &out->tangled, err));
  if (!make_room(out)) return status_no_memory(err, "a step's work space");
  mark_held(out);
  return TRIBO_OK;
}

void barrier_free(barrier *b) {
  candidates_free(&b->near);
  glide_free(&b->glide);
  tangled_free(&b->tangled);
  barrier_matrix_free(&b->system);
  ARRAY_FREE(b->contacts);
  ARRAY_FREE(b->others);
  ARRAY_FREE(b->rubs);
  ARRAY_FREE(b->next_rubs);
  ARRAY_FREE(b->hangs);
  ARRAY_FREE(b->ahead);
  ARRAY_FREE(b->times);
  arena_free(&b->memory);
}

/* ---- where things are -------------------------------------------------------------------------
 */

/* A collider that appears in the step has no way behind it. */
static void place_colliders(barrier *b, const barrier_start *start, bool *appears) {
  const surface_mesh *m = &b->mesh;
  const tasks *t = &b->options.tasks;
  double end = start->seconds + start->h;
  surface_mesh_place_colliders(m, t, start->seconds, b->scratch, b->collider_start);
  surface_mesh_place_colliders(m, t, end, b->scratch, b->collider_end);
  for (int32_t p = 0; p < m->part_count; p++) {
    const surface_part *part = &m->parts[p];
    b->absent[p] = !surface_mesh_present(m, p, end);
    if (b->absent[p] || surface_mesh_present(m, p, start->seconds)) continue;
    *appears = true;
    for (int32_t k = 0; k < part->vertex_count; k++)
      b->collider_start[part->first_vertex + k] = b->collider_end[part->first_vertex + k];
  }
}

static void take_given(barrier *b, double end) {
  const model *m = b->model;
  memset(b->given, 0, (size_t)m->node_count * sizeof *b->given);
  for (size_t p = 0; p < m->pin_count; p++) {
    const model_pin *pin = &m->pins[p];
    for (size_t i = 0; pin->stiffness == 0 && i < pin->vertex_count; i++) {
      int32_t node = pin->vertices[i];
      b->given[node] = vec3_sub(model_pin_target(pin, i, end), b->x[node]);
    }
  }
}

/* Hard pins and colliders all rest in this step. */
static bool stands_still(const barrier *b) {
  for (int32_t i = 0; i < b->model->node_count; i++)
    if (vec3_max_abs(b->given[i]) > 0) return false;
  for (int32_t v = b->mesh.body_vertices; v < b->mesh.vertex_count; v++)
    if (vec3_max_abs(vec3_sub(b->collider_end[v], b->collider_start[v])) > 0) return false;
  return true;
}

/* Hard-pinned nodes are put on their targets at the end of the step, free of roundings. */
static void land_given(const barrier *b, double end, vec3 *x) {
  const model *m = b->model;
  for (size_t p = 0; p < m->pin_count; p++) {
    const model_pin *pin = &m->pins[p];
    for (size_t i = 0; pin->stiffness == 0 && i < pin->vertex_count; i++)
      x[pin->vertices[i]] = model_pin_target(pin, i, end);
  }
}

static void take_velocities(barrier *b, const vec3 *v) {
  for (int32_t i = 0; i < b->mesh.vertex_count; i++) {
    vec3 sum = {0, 0, 0};
    if (i >= b->mesh.body_vertices) {
      vec3 way = vec3_sub(b->collider_end[i], b->collider_start[i]);
      b->velocities[i] = vec3_scale(1 / b->h, way);
      continue;
    }
    mesh_row row = surface_mesh_row(&b->mesh, b->x, i, b->start[i]);
    for (int k = 0; k < row.count; k++)
      sum = vec3_add(sum, mat3_mul_vec3(&row.block[k], v[row.node[k]]));
    b->velocities[i] = sum;
  }
}

static tribo_status begin(barrier *b, const barrier_start *start, barrier_report *report,
                          tribo_error *err) {
  const model *m = b->model;
  if (start->h != b->h) barrier_scale_step(&b->scale, start->h, vec3_norm(m->gravity));
  b->h = start->h;
  b->turns = start->turns;
  b->touches = start->touches;
  b->touch_count = start->touch_count;
  memcpy(b->x, start->x, (size_t)m->node_count * sizeof *b->x);
  b->anchored = b->waits = false;
  take_given(b, start->seconds + start->h);
  bool appears = false;
  place_colliders(b, start, &appears);
  b->progress = stands_still(b) ? 1 : 0;
  direction_place(b, b->x, 0, b->start);
  take_velocities(b, start->v);
  memcpy(b->places, b->start, (size_t)b->mesh.vertex_count * sizeof *b->places);
  barrier_matrix_begin(&b->system);
  TRY(tangled_look(&b->tangled, &b->options.tasks, b->x, b->start, b->absent, appears, err));
  TRY(tangled_push(&b->tangled, b->x, b->start, b->objective->push, err));
  TRY(direction_search(b, b->start, b->start, report, err));
  barrier_scale_start(&b->scale, &b->near, b->start);
  b->glide.absent = b->absent;
  b->glide.held = b->held;
  b->glide.lost = b->tangled.any ? b->tangled.lost : NULL;
  barrier_contacts_start(&b->scale, b->start);
  friction_load(b);
  b->rubs.count = 0;
  return TRIBO_OK;
}

/* ---- forces -----------------------------------------------------------------------------------
 */

/* Adds the gradients of B and D. */
static void add_contacts(barrier *b, vec3 *g) {
  static const double alone[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (size_t i = 0; i < b->contacts.count; i++) {
    const barrier_contact *c = &b->contacts.data[i];
    direction_add_at(b, c->vertex, c->weight, vec3_scale(-c->force, c->normal), g);
    for (int k = 0; c->fades && k < 4; k++) direction_add_at(b, c->vertex, alone[k], c->fade[k], g);
  }
  for (size_t i = 0; i < b->rubs.count; i++) {
    barrier_rub *r = &b->rubs.data[i];
    double u[2];
    barrier_rub_slip(r, b->places, b->start, u);
    barrier_rub_energy(r, u);
    direction_add_at(b, r->vertex, r->weight, barrier_rub_force(r, r->f), g);
  }
}

/* The imbalance at x, relative. *size: newtons that it is relative to. */
static double balance(barrier *b, double *size) {
  const model *m = b->model;
  objective_gradient(b->objective, b->x, b->gradient, size);
  memset(b->force, 0, (size_t)m->node_count * sizeof *b->force);
  add_contacts(b, b->force);
  *size = fmax(*size, objective_free_norm(b->objective, b->force));
  for (int32_t i = 0; i < m->node_count; i++)
    b->gradient[i] = vec3_add(b->gradient[i], b->force[i]);
  double norm = objective_free_norm(b->objective, b->gradient);
  return *size > 0 ? norm / *size : norm > 0 ? INFINITY : 0;
}

/* Phi + B + D with the nodes at x. */
static double energy_with(barrier *b, double contacts, const vec3 *x, const vec3 *places) {
  double sum = contacts + objective_energy(b->objective, x);
  for (size_t i = 0; i < b->rubs.count; i++) {
    double u[2];
    barrier_rub_slip(&b->rubs.data[i], places, b->start, u);
    sum += barrier_rub_energy(&b->rubs.data[i], u);
  }
  return sum;
}

/* At b->x; b->contacts are those there. */
static double energy_here(barrier *b) {
  double contacts = 0;
  for (size_t i = 0; i < b->contacts.count; i++) contacts += b->contacts.data[i].energy;
  return energy_with(b, contacts, b->x, b->places);
}

/* At the trial, whose contacts are in b->others then; infinite where something touches. */
static tribo_status energy_there(barrier *b, double *out, tribo_error *err) {
  TRY(barrier_contacts_energy(&b->scale, &b->near, b->trial_places, &b->others, out, err));
  if (isfinite(*out)) *out = energy_with(b, *out, b->trial, b->trial_places);
  return TRIBO_OK;
}

/* ---- the way ----------------------------------------------------------------------------------
 */

/* How much of the way from b->places to `to` is free, by the candidates at hand. */
static tribo_status free_way(barrier *b, const vec3 *to, double *length, barrier_report *report,
                             tribo_error *err) {
  double began = clock_seconds();
  size_t faces = b->near.found_faces.count, edges = b->near.found_edges.count;
  arena scratch = {0};
  double *thickness = ARENA_ARRAY(&scratch, double, faces + edges);
  if (!thickness) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < faces; i++) {
    candidate c = b->near.found_faces.data[i];
    thickness[i] =
        barrier_scale_face(&b->scale, c.a, surface_mesh_part_of_triangle(&b->mesh, c.b)).thickness;
  }
  for (size_t i = 0; i < edges; i++) {
    candidate c = b->near.found_edges.data[i];
    thickness[faces + i] = barrier_scale_edges(&b->scale, c.a, c.b).thickness;
  }
  step_limit_pairs all = {.mesh = &b->mesh,
                          .faces = b->near.found_faces.data,
                          .edges = b->near.found_edges.data,
                          .face_count = faces,
                          .edge_count = edges,
                          .face_thickness = thickness,
                          .edge_thickness = thickness + faces};
  *length = step_limit_find(&all, &b->options.tasks, b->places, to, KEEP, NULL).time;
  arena_free(&scratch);
  report->limit_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* The trial at a length of the direction; rigid bodies turn, so that their vertices do not go
 * straight, and the way is looked at for itself. */
static tribo_status try_length(barrier *b, double *length, barrier_report *report,
                               tribo_error *err) {
  for (;;) {
    double progress = b->progress + *length * direction_left(b);
    direction_go(b, *length, b->trial);
    direction_place(b, b->trial, progress, b->trial_places);
    if (!b->turns_bodies) return TRIBO_OK;
    double part;
    TRY(direction_search(b, b->places, b->trial_places, report, err));
    TRY(free_way(b, b->trial_places, &part, report, err));
    if (part >= 1 || *length < SMALLEST_STEP) return TRIBO_OK;
    *length *= fmax(0.1, 0.9 * part);
  }
}

static void accept(barrier *b, double length) {
  vec3 *x = b->x, *places = b->places;
  b->x = b->trial;
  b->trial = x;
  b->places = b->trial_places;
  b->trial_places = places;
  barrier_contact_list contacts = b->contacts;
  b->contacts = b->others;
  b->others = contacts;
  b->progress = length >= 1 && !b->waits ? 1 : b->progress + length * direction_left(b);
}

static tribo_status look(barrier *b, bool *blocked, barrier_report *report, tribo_error *err) {
  double began = clock_seconds();
  TRY(barrier_contacts_find(&b->scale, &b->near, b->places, &b->contacts, blocked, err));
  report->contact_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* Goes along the direction to a point of lower energy. Where things that are given still move, the
 * energy to be below is that of the others standing still. */
static tribo_status descend(barrier *b, bool plain, double *length, bool *lower,
                            barrier_report *report, tribo_error *err) {
  const model *m = b->model;
  *lower = false;
  *length = b->limit;
  double slope = 0, before;
  for (int32_t row = 0; row < m->row_count; row++) {
    int32_t i = m->node_of_row[row];
    slope += vec3_dot(b->gradient[i], b->direction[i]);
  }
  double began = clock_seconds();
  bool arrived = !(direction_left(b) > 0);
  before = energy_here(b);
  double rounding = 16 * DBL_EPSILON * fabs(before);
  double least = plain ? SMALLEST_STEP : LEAST_AHEAD;
  if (arrived && !plain && !(slope < 0)) return TRIBO_OK;

  for (; *length >= least; *length /= 2) {
    TRY(try_length(b, length, report, err));
    double energy;
    TRY(energy_there(b, &energy, err));
    bool fine = arrived ? energy <= before + SUFFICIENT_DECREASE * *length * slope + rounding
                        : isfinite(energy);
    if (!fine) continue;
    accept(b, *length);
    *lower = true;
    break;
  }
  report->contact_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* ---- the step ---------------------------------------------------------------------------------
 */

static double largest_move(const barrier *b) {
  double largest = 0;
  for (int32_t i = 0; i < b->model->node_count; i++)
    largest = fmax(largest, vec3_max_abs(b->direction[i]));
  return largest;
}

/* Things that are given have gone as far as they can: who is in whose way, and the rest of the step
 * without them. */
static void give_up(barrier *b, barrier_report *report) {
  const surface_mesh *m = &b->mesh;
  size_t faces = b->near.found_faces.count;
  int32_t v[4], part, own = -1;
  if (b->first < faces)
    candidate_face_vertices(m, b->near.found_faces.data[b->first], v);
  else
    candidate_edge_vertices(m, b->near.found_edges.data[b->first - faces], v);
  int split = b->first < faces ? 1 : 2;
  for (int i = 0; i < 4 && own < 0; i++)
    if (b->held[v[i]] && v[i] < m->body_vertices) own = i;
  if (own < 0) own = 0;
  part = m->part[v[own]];
  report->obstacle = (barrier_obstacle){
      .part = part, .other = m->part[v[own < split ? split : 0]], .vertex = m->own[v[own]]};
  report->progress = b->progress;
  for (int32_t i = 0; i < b->model->node_count; i++) {
    double left = (1 - b->progress) * vec3_norm(b->given[i]);
    report->obstacle.left = fmax(report->obstacle.left, left);
  }
  memset(b->given, 0, (size_t)b->model->node_count * sizeof *b->given);
  for (int32_t i = m->body_vertices; i < m->vertex_count; i++) {
    report->lags |= vec3_max_abs(vec3_sub(b->collider_end[i], b->places[i])) > 0;
    b->collider_end[i] = b->places[i];
  }
  b->progress = 1;
}

/* Also where the last whole step of Newton went no farther than positions are rounded: what is very
 * stiff and light, as hair against stretching, has no smaller imbalance. */
static bool is_balanced(const barrier *b, const barrier_report *report) {
  return b->progress >= 1 && (report->residual <= b->options.tolerance || b->rests);
}

/* How friction has followed the contacts so far. */
typedef struct friction_course {
  double changed, best; /* by the last update, and the least of all; relative */
  int stale;            /* updates that were no better */
  bool settled;         /* it runs in circles: what it is now is kept, and its error told */
} friction_course;

/* Friction is updated in every early iteration; later where Newton's residual is as small as the
 * last update left it. */
static bool friction_is_due(const barrier *b, const friction_course *f, const barrier_report *r) {
  if (r->iterations == 0 || f->settled) return false;
  double enough = fmax(b->options.tolerance, PATIENCE * f->changed);
  return r->iterations < EAGER || r->residual <= enough || b->rests;
}

/* One update of friction after the contacts. done: forces balance, and friction has come to rest.
 */
static tribo_status follow(barrier *b, double size, friction_course *f, bool *done,
                           barrier_report *report, tribo_error *err) {
  bool balanced = is_balanced(b, report);
  TRY(friction_follow(b, report->frictions, size, &f->changed, err));
  report->frictions++;
  if (f->changed < BETTER * f->best)
    f->best = f->changed, f->stale = 0;
  else if (report->iterations >= EAGER)
    f->stale++;
  f->settled = f->stale > MOST_STALE || report->frictions > MOST_FRICTIONS;
  report->friction = f->changed;
  *done = balanced && f->changed <= b->options.friction;
  if (!*done && f->changed > 0) report->residual = balance(b, &size);
  return TRIBO_OK;
}

/* One Newton iteration. An exact Hessian that has no direction gives way to the projected one, a
 * direction with foreseen contacts that leads nowhere lower to one without. found: there is a
 * direction. */
static tribo_status go_down(barrier *b, bool exact, int *pause, double *length, bool *found,
                            bool *lower, barrier_report *report, tribo_error *err) {
  *lower = false;
  if (report->iterations > 0)
    direction_take_hessian(b, exact ? HESSIAN_EXACT : HESSIAN_PROJECTED, report);
  TRY(direction_find(b, exact, true, found, report, err));
  if (!*found && exact) {
    *pause = EXACT_PAUSE;
    direction_take_hessian(b, HESSIAN_PROJECTED, report);
    TRY(direction_find(b, false, true, found, report, err));
  }
  if (!*found) return TRIBO_OK;
  TRY(descend(b, false, length, lower, report, err));
  if (*lower) return TRIBO_OK;
  TRY(direction_find(b, false, false, found, report, err));
  return *found ? descend(b, true, length, lower, report, err) : TRIBO_OK;
}

/* The outcome of a step in which no direction lowers the potential: converged where moves are of
 * rounding, else stalled. */
static barrier_outcome outcome_at_rest(const barrier *b) {
  bool tiny = largest_move(b) <= 1e-9 * b->model->size;
  return tiny && b->progress >= 1 ? BARRIER_CONVERGED : BARRIER_STALLED;
}

/* The halts of what is given. Where it hardly gets on it waits for some iterations, in which others
 * get out of its way; where that has not helped MOST_WAITS times it is given up. */
typedef struct halts {
  int count, waits, left; /* halts in a row; waits so far, and iterations of this one */
} halts;

static void take_care_of_halts(barrier *b, halts *h, bool lower, double length,
                               barrier_report *report) {
  if (b->waits) {
    if (lower && --h->left > 0) return;
    b->waits = false;
    h->count = 0;
    return;
  }
  if (b->progress >= 1) return;
  h->count = length < HALT ? h->count + 1 : 0;
  if (lower && h->count < MOST_HALTS) return;
  if (h->waits++ == MOST_WAITS) {
    give_up(b, report);
    return;
  }
  b->waits = true;
  h->left = WAIT;
}

static tribo_status iterate(barrier *b, barrier_report *report, tribo_error *err) {
  bool blocked, found, lower, done = false;
  double size, length = 0;
  int pause = 0;
  halts halted = {0};
  friction_course friction = {.changed = 1, .best = INFINITY};
  b->rests = false;
  TRY(look(b, &blocked, report, err));
  if (blocked) report->outcome = BARRIER_CROSSED;
  if (blocked) return TRIBO_OK;
  direction_take_hessian(b, HESSIAN_PROJECTED, report);
  TRY(friction_begin(b, err));
  for (;; report->iterations++) {
    TRY(tasks_check(&b->options.tasks, err));
    report->residual = balance(b, &size);
    if (!isfinite(report->residual)) return TRIBO_OK; /* broken */
    if (friction_is_due(b, &friction, report)) TRY(follow(b, size, &friction, &done, report, err));
    if (done || (friction.settled && is_balanced(b, report))) {
      report->outcome = BARRIER_CONVERGED;
      return TRIBO_OK;
    }
    if (report->iterations == b->options.iterations) {
      report->outcome = b->progress < 1 ? BARRIER_STUCK : BARRIER_UNFINISHED;
      return TRIBO_OK;
    }
    bool near = report->iterations > 0 && report->residual < EXACT_BELOW && pause-- <= 0;
    TRY(go_down(b, near, &pause, &length, &found, &lower, report, err));
    if (!found) return TRIBO_OK; /* broken */
    if (!lower && b->progress >= 1) {
      report->outcome = outcome_at_rest(b);
      return TRIBO_OK;
    }
    b->rests = lower && length >= 1 && largest_move(b) <= 16 * DBL_EPSILON * b->model->size;
    take_care_of_halts(b, &halted, lower, length, report);
  }
}

tribo_status barrier_solve(barrier *b, const barrier_start *start, vec3 *x, barrier_report *report,
                           tribo_error *err) {
  *report = (barrier_report){.outcome = BARRIER_BROKEN, .progress = 1, .obstacle = {-1, -1, -1, 0}};
  int factorizations = b->system.factorizations, analyses = b->system.analyses;
  TRY(begin(b, start, report, err));
  TRY(iterate(b, report, err));
  bool arrived = report->progress >= 1 && b->progress >= 1;
  for (int32_t i = b->mesh.body_vertices; b->progress < 1 && i < b->mesh.vertex_count; i++)
    report->lags |= vec3_max_abs(vec3_sub(b->collider_end[i], b->places[i])) > 0;
  if (!arrived && report->outcome == BARRIER_CONVERGED) report->outcome = BARRIER_STUCK;
  b->balanced = report->outcome == BARRIER_CONVERGED;
  tangled_end(&b->tangled, b->x, arrived);
  if (arrived) land_given(b, start->seconds + start->h, b->x);
  memcpy(x, b->x, (size_t)b->model->node_count * sizeof *x);
  report->contacts = (int)b->contacts.count;
  report->factorizations = b->system.factorizations - factorizations;
  report->analyses = b->system.analyses - analyses;
  return TRIBO_OK;
}
