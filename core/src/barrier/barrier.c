/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/barrier.h"

#include <float.h>
#include <string.h>

#include "barrier/foresee.h"
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
static const double EXACT_BELOW = 0.1;
enum { MOST_LOOKS = 3, EAGER = 8, MOST_FRICTIONS = 18, MOST_STALE = 2 };
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
  b->collider_start = ARENA_ARRAY(m, vec3, vertices);
  b->collider_end = ARENA_ARRAY(m, vec3, vertices);
  b->scratch = ARENA_ARRAY(m, vec3, surface_mesh_scratch(&b->mesh));
  b->held = ARENA_ARRAY(m, bool, vertices);
  b->absent = ARENA_ARRAY(m, bool, b->mesh.part_count);
  return b->x && b->trial && b->gradient && b->force && b->direction && b->given && b->stiffness &&
         b->places && b->trial_places && b->swept && b->start && b->collider_start &&
         b->collider_end && b->scratch && b->held && b->absent;
}

/* Vertices whose nodes are all given. */
static void mark_held(barrier *b) {
  const model *m = b->model;
  for (int32_t v = 0; v < b->mesh.vertex_count; v++) {
    b->held[v] = true;
    if (v >= b->mesh.body_vertices) continue;
    carry_row row = surface_mesh_row(&b->mesh, m->rest, NULL, v, b->mesh.rest[v]);
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
  TRY(barrier_matrix_create(&out->mesh, &options->linear, &out->system, err));
  if (!make_room(out)) return status_no_memory(err, "a step's work space");
  mark_held(out);
  return TRIBO_OK;
}

void barrier_free(barrier *b) {
  candidates_free(&b->near);
  barrier_matrix_free(&b->system);
  ARRAY_FREE(b->contacts);
  ARRAY_FREE(b->others);
  ARRAY_FREE(b->rubs);
  ARRAY_FREE(b->next_rubs);
  ARRAY_FREE(b->hangs);
  ARRAY_FREE(b->ahead);
  arena_free(&b->memory);
}

/* ---- where things are -------------------------------------------------------------------------
 */

/* Vertices with the nodes at x and colliders as far as `progress`. */
static void place_all(const barrier *b, const vec3 *x, double progress, vec3 *out) {
  surface_mesh_place(&b->mesh, &b->options.tasks, x, b->turns, out);
  for (int32_t v = b->mesh.body_vertices; v < b->mesh.vertex_count; v++) {
    vec3 way = vec3_sub(b->collider_end[v], b->collider_start[v]);
    out[v] = progress < 1 ? vec3_madd(b->collider_start[v], progress, way) : b->collider_end[v];
  }
}

static tribo_status search(barrier *b, const vec3 *from, const vec3 *to, barrier_report *report,
                           tribo_error *err) {
  double began = clock_seconds();
  candidates_filter filter = {.reach = b->scale.reach, .absent = b->absent, .held = b->held};
  TRY(candidates_find(&b->near, &b->options.tasks, from, to, &filter, err));
  report->search_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* A collider that appears in the step has no way behind it. */
static void place_colliders(barrier *b, const barrier_start *start) {
  const surface_mesh *m = &b->mesh;
  const tasks *t = &b->options.tasks;
  double end = start->seconds + start->h;
  surface_mesh_place_colliders(m, t, start->seconds, b->scratch, b->collider_start);
  surface_mesh_place_colliders(m, t, end, b->scratch, b->collider_end);
  for (int32_t p = 0; p < m->part_count; p++) {
    const surface_part *part = &m->parts[p];
    b->absent[p] = !surface_mesh_present(m, p, end);
    if (b->absent[p] || surface_mesh_present(m, p, start->seconds)) continue;
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

/* Whether nothing that is given moves. */
static bool stands_still(const barrier *b) {
  for (int32_t i = 0; i < b->model->node_count; i++)
    if (vec3_max_abs(b->given[i]) > 0) return false;
  for (int32_t v = b->mesh.body_vertices; v < b->mesh.vertex_count; v++)
    if (vec3_max_abs(vec3_sub(b->collider_end[v], b->collider_start[v])) > 0) return false;
  return true;
}

/* Where given nodes are at the end, free of roundings. */
static void land_given(const barrier *b, double end, vec3 *x) {
  const model *m = b->model;
  for (size_t p = 0; p < m->pin_count; p++) {
    const model_pin *pin = &m->pins[p];
    for (size_t i = 0; pin->stiffness == 0 && i < pin->vertex_count; i++)
      x[pin->vertices[i]] = model_pin_target(pin, i, end);
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
  take_given(b, start->seconds + start->h);
  place_colliders(b, start);
  b->progress = stands_still(b) ? 1 : 0;
  place_all(b, b->x, 0, b->start);
  memcpy(b->places, b->start, (size_t)b->mesh.vertex_count * sizeof *b->places);
  barrier_matrix_begin(&b->system);
  TRY(search(b, b->start, b->start, report, err));
  barrier_scale_start(&b->scale, &b->near, b->start);
  friction_load(b);
  b->rubs.count = 0;
  return TRIBO_OK;
}

/* ---- forces -----------------------------------------------------------------------------------
 */

static void add_at(const barrier *b, const int32_t vertex[4], const double weight[4], vec3 force,
                   vec3 *out) {
  for (int i = 0; i < 4; i++) {
    if (weight[i] == 0 || vertex[i] >= b->mesh.body_vertices) continue;
    carry_row row = surface_mesh_row(&b->mesh, b->x, b->turns, vertex[i], b->places[vertex[i]]);
    for (int k = 0; k < row.count; k++)
      out[row.node[k]] =
          vec3_add(out[row.node[k]], vec3_scale(weight[i], mat3_tmul_vec3(&row.block[k], force)));
  }
}

/* Adds the gradients of B and D. */
static void add_contacts(barrier *b, vec3 *g) {
  static const double alone[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (size_t i = 0; i < b->contacts.count; i++) {
    const barrier_contact *c = &b->contacts.data[i];
    add_at(b, c->vertex, c->weight, vec3_scale(-c->force, c->normal), g);
    for (int k = 0; c->fades && k < 4; k++) add_at(b, c->vertex, alone[k], c->fade[k], g);
  }
  for (size_t i = 0; i < b->rubs.count; i++) {
    barrier_rub *r = &b->rubs.data[i];
    double u[2];
    barrier_rub_slip(r, b->places, b->start, u);
    barrier_rub_energy(r, u);
    add_at(b, r->vertex, r->weight, barrier_rub_force(r, r->f), g);
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
static tribo_status energy_at(barrier *b, const vec3 *x, const vec3 *places, double *out,
                              tribo_error *err) {
  TRY(barrier_contacts_energy(&b->scale, &b->near, places, &b->others, out, err));
  if (!isfinite(*out)) return TRIBO_OK;
  *out += objective_energy(b->objective, x);
  for (size_t i = 0; i < b->rubs.count; i++) {
    double u[2];
    barrier_rub_slip(&b->rubs.data[i], places, b->start, u);
    *out += barrier_rub_energy(&b->rubs.data[i], u);
  }
  return TRIBO_OK;
}

/* ---- the direction ----------------------------------------------------------------------------
 */

static bool push_hang(barrier *b, const int32_t vertex[4]) {
  barrier_hang hang;
  barrier_matrix_hang_of(&b->system, b->x, b->turns, b->places, vertex, &hang);
  return ARRAY_PUSH(b->hangs, hang);
}

/* How far a contact's sides would come together by what is given alone. */
static vec3 given_way(const barrier *b, const int32_t vertex[4], const double weight[4]) {
  vec3 way = {0, 0, 0};
  double left = 1 - b->progress;
  for (int i = 0; left > 0 && i < 4; i++) {
    int32_t v = vertex[i];
    if (weight[i] == 0 || !b->held[v]) continue;
    if (v >= b->mesh.body_vertices) {
      way = vec3_madd(way, left * weight[i], vec3_sub(b->collider_end[v], b->collider_start[v]));
      continue;
    }
    carry_row row = surface_mesh_row(&b->mesh, b->x, b->turns, v, b->places[v]);
    for (int k = 0; k < row.count; k++)
      way = vec3_madd(way, left * weight[i], mat3_mul_vec3(&row.block[k], b->given[row.node[k]]));
  }
  return way;
}

static mat3 spring_of(const barrier_contact *c) {
  return mat3_outer(vec3_scale(c->curve, c->normal), c->normal);
}

static mat3 spring_of_rub(barrier *b, barrier_rub *r) {
  double u[2], k[2][2];
  barrier_rub_slip(r, b->places, b->start, u);
  barrier_rub_bear(r, u, k);
  if (r->stuck) {
    double f[2] = {r->r[0] + r->rho * u[0] - r->f[0], r->r[1] + r->rho * u[1] - r->f[1]};
    add_at(b, r->vertex, r->weight, vec3_scale(-1, barrier_rub_force(r, f)), b->force);
    k[0][0] = k[1][1] = r->rho;
    k[0][1] = 0;
  }
  mat3 s = mat3_outer(vec3_scale(k[0][0], r->cone.t), r->cone.t);
  mat3 tb = mat3_outer(vec3_scale(k[0][1], r->cone.t), r->cone.b), bt = mat3_transposed(&tb);
  mat3 bb = mat3_outer(vec3_scale(k[1][1], r->cone.b), r->cone.b);
  s = mat3_add(&s, &tb);
  s = mat3_add(&s, &bt);
  return mat3_add(&s, &bb);
}

/* In `force` what the way of given things adds through a spring. */
static void draw_given(barrier *b, const int32_t vertex[4], const double weight[4],
                       const mat3 *spring) {
  if (b->progress >= 1) return;
  vec3 pull = mat3_mul_vec3(spring, given_way(b, vertex, weight));
  add_at(b, vertex, weight, vec3_scale(-1, pull), b->force);
}

/* What contacts and friction hang on: the pattern. */
static tribo_status reserve(barrier *b, tribo_error *err) {
  b->hangs.count = 0;
  bool whole = true;
  for (size_t i = 0; whole && i < b->contacts.count; i++)
    whole = push_hang(b, b->contacts.data[i].vertex);
  for (size_t i = 0; whole && i < b->rubs.count; i++) whole = push_hang(b, b->rubs.data[i].vertex);
  for (size_t i = 0; whole && i < b->ahead.count; i++)
    whole = push_hang(b, b->ahead.data[i].vertex);
  if (!whole) return status_no_memory(err, "contacts");
  return barrier_matrix_reserve(&b->system, b->hangs.data, b->hangs.count, err);
}

static void add_springs(barrier *b, bool exact) {
  for (size_t i = 0; i < b->contacts.count; i++) {
    const barrier_contact *c = &b->contacts.data[i];
    mat3 s = spring_of(c);
    draw_given(b, c->vertex, c->weight, &s);
    if (exact) {
      double h[144];
      barrier_contact_hessian(c, &b->mesh, b->places, h);
      barrier_matrix_add_full(&b->system, &b->hangs.data[i], h);
    } else {
      barrier_matrix_add(&b->system, &b->hangs.data[i], c->weight, &s);
    }
  }
  for (size_t i = 0; i < b->rubs.count; i++) {
    barrier_rub *r = &b->rubs.data[i];
    mat3 s = spring_of_rub(b, r);
    draw_given(b, r->vertex, r->weight, &s);
    barrier_matrix_add(&b->system, &b->hangs.data[b->contacts.count + i], r->weight, &s);
  }
  for (size_t i = 0; i < b->ahead.count; i++) {
    const barrier_ahead *a = &b->ahead.data[i];
    mat3 s = mat3_outer(vec3_scale(a->stiffness, a->normal), a->normal);
    size_t at = b->contacts.count + b->rubs.count + i;
    draw_given(b, a->vertex, a->weight, &s);
    add_at(b, a->vertex, a->weight, vec3_scale(foresee_force(b, a), a->normal), b->force);
    barrier_matrix_add(&b->system, &b->hangs.data[at], a->weight, &s);
  }
}

static void note_stiffness(barrier *b) {
  const bcsr_pattern *pattern = &b->model->pattern;
  for (int32_t i = 0; i < b->model->node_count; i++) {
    const mat3 *d = &b->system.hessian.blocks[pattern->diagonal[i]];
    b->stiffness[i] = (d->m[0][0] + d->m[1][1] + d->m[2][2]) / 3;
  }
}

static void take_hessian(barrier *b, hessian_kind kind, barrier_report *report) {
  double began = clock_seconds();
  objective_hessian(b->objective, b->x, kind, &b->system.hessian);
  note_stiffness(b);
  report->assembly_seconds += clock_seconds() - began;
}

/* Solves for the direction with what is foreseen; given things go the rest of their way. */
static tribo_status solve_direction(barrier *b, bool exact, bool *found, barrier_report *report,
                                    tribo_error *err) {
  const model *m = b->model;
  for (int32_t i = 0; i < m->node_count; i++) {
    bool is_free = m->row_of_node[i] >= 0;
    b->direction[i] = is_free ? vec3_make(0, 0, 0) : vec3_scale(1 - b->progress, b->given[i]);
  }
  if (b->progress < 1) bcsr_multiply(&b->system.hessian, &b->options.tasks, b->direction, b->force);
  for (int32_t i = 0; i < m->node_count; i++) {
    vec3 drawn = b->progress < 1 ? b->force[i] : vec3_make(0, 0, 0);
    b->force[i] = vec3_scale(-1, vec3_add(b->gradient[i], drawn));
  }
  double began = clock_seconds();
  TRY(reserve(b, err));
  barrier_matrix_start(&b->system, &b->options.tasks);
  add_springs(b, exact);
  report->assembly_seconds += clock_seconds() - began;
  began = clock_seconds();
  tribo_status status = barrier_matrix_solve(&b->system, b->force, b->direction, found, err);
  report->solve_seconds += clock_seconds() - began;
  return status;
}

/* ---- the way ----------------------------------------------------------------------------------
 */

static void go(const barrier *b, double length, vec3 *x) {
  for (int32_t i = 0; i < b->model->node_count; i++)
    x[i] = vec3_madd(b->x[i], length, b->direction[i]);
}

/* Where the whole direction leads, and what may be met on the way. */
static tribo_status sweep(barrier *b, barrier_report *report, tribo_error *err) {
  go(b, 1, b->trial);
  place_all(b, b->trial, 1, b->swept);
  return search(b, b->places, b->swept, report, err);
}

/* A direction, solved for anew while it runs into what it does not know of. */
static tribo_status find_direction(barrier *b, bool exact, bool ahead, bool *found,
                                   barrier_report *report, tribo_error *err) {
  b->ahead.count = 0;
  for (size_t i = 0; i < b->rubs.count; i++) b->rubs.data[i].stuck = false;
  for (int round = ahead ? 0 : MOST_LOOKS;; round++) {
    size_t news;
    TRY(solve_direction(b, exact, found, report, err));
    if (!*found) return TRIBO_OK;
    TRY(sweep(b, report, err));
    if (round == MOST_LOOKS) return TRIBO_OK;
    double began = clock_seconds();
    TRY(foresee_look(b, &news, err));
    report->limit_seconds += clock_seconds() - began;
    if (news == 0) return TRIBO_OK;
    exact = false;
  }
}

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
    double progress = b->progress + *length * (1 - b->progress);
    go(b, *length, b->trial);
    place_all(b, b->trial, progress, b->trial_places);
    if (!b->turns_bodies) return TRIBO_OK;
    double part;
    TRY(search(b, b->places, b->trial_places, report, err));
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
  b->progress = length >= 1 ? 1 : b->progress + length * (1 - b->progress);
}

/* Goes along the direction to a point of lower energy. Where things that are given still move, the
 * energy to be below is that of the others standing still. */
static tribo_status descend(barrier *b, bool plain, double *length, bool *lower,
                            barrier_report *report, tribo_error *err) {
  const model *m = b->model;
  *lower = false;
  TRY(free_way(b, b->swept, length, report, err));
  double slope = 0, before;
  for (int32_t row = 0; row < m->row_count; row++) {
    int32_t i = m->node_of_row[row];
    slope += vec3_dot(b->gradient[i], b->direction[i]);
  }
  double began = clock_seconds();
  bool arrived = b->progress >= 1;
  TRY(energy_at(b, b->x, b->places, &before, err));
  double rounding = 16 * DBL_EPSILON * fabs(before);
  double least = plain ? SMALLEST_STEP : LEAST_AHEAD;
  for (; *length >= least; *length /= 2) {
    TRY(try_length(b, length, report, err));
    double energy;
    TRY(energy_at(b, b->trial, b->trial_places, &energy, err));
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

static tribo_status look(barrier *b, bool *blocked, barrier_report *report, tribo_error *err) {
  double began = clock_seconds();
  TRY(barrier_contacts_find(&b->scale, &b->near, b->places, &b->contacts, blocked, err));
  report->contact_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

static tribo_status iterate(barrier *b, barrier_report *report, tribo_error *err) {
  bool blocked, found, lower;
  double size, length = 0, changed = 1, best = INFINITY;
  bool settled = false; /* friction runs in circles: what it is now is kept, and its error told */
  int stale = 0;
  TRY(look(b, &blocked, report, err));
  if (blocked) {
    report->outcome = BARRIER_CROSSED;
    return TRIBO_OK;
  }
  take_hessian(b, HESSIAN_PROJECTED, report);
  TRY(friction_begin(b, err));
  for (;; report->iterations++) {
    TRY(tasks_check(&b->options.tasks, err));
    report->residual = balance(b, &size);
    if (!isfinite(report->residual)) return TRIBO_OK; /* broken */
    bool balanced = b->progress >= 1 && report->residual <= b->options.tolerance;
    if (report->iterations > 0 && !settled &&
        (report->iterations < EAGER ||
         report->residual <= fmax(b->options.tolerance, PATIENCE * changed))) {
      TRY(friction_follow(b, report->frictions, size, &changed, err));
      report->frictions++;
      if (changed < BETTER * best)
        best = changed, stale = 0;
      else if (report->iterations >= EAGER)
        stale++;
      settled = stale > MOST_STALE || report->frictions > MOST_FRICTIONS;
      report->friction = changed;
      bool done = balanced && changed <= b->options.friction;
      if (done) report->outcome = BARRIER_CONVERGED;
      if (done) return TRIBO_OK;
      if (changed > 0) report->residual = balance(b, &size);
      balanced = b->progress >= 1 && report->residual <= b->options.tolerance;
    }
    if (balanced && settled) {
      report->outcome = BARRIER_CONVERGED;
      return TRIBO_OK;
    }
    if (report->iterations == b->options.iterations) {
      report->outcome = b->progress < 1 ? BARRIER_STUCK : BARRIER_UNFINISHED;
      return TRIBO_OK;
    }
    bool near = report->iterations > 0 && report->residual < EXACT_BELOW;
    if (report->iterations > 0) take_hessian(b, near ? HESSIAN_EXACT : HESSIAN_PROJECTED, report);
    TRY(find_direction(b, near, true, &found, report, err));
    if (!found && near) {
      take_hessian(b, HESSIAN_PROJECTED, report);
      TRY(find_direction(b, false, true, &found, report, err));
    }
    if (!found) return TRIBO_OK; /* broken */
    TRY(descend(b, false, &length, &lower, report, err));
    if (!lower) {
      TRY(find_direction(b, false, false, &found, report, err));
      if (!found) return TRIBO_OK;
      TRY(descend(b, true, &length, &lower, report, err));
    }
    if (!lower) { /* also without looking ahead */
      bool tiny = largest_move(b) <= 1e-9 * b->model->size;
      report->outcome = tiny && b->progress >= 1 ? BARRIER_CONVERGED : BARRIER_STALLED;
      return TRIBO_OK;
    }
    TRY(look(b, &blocked, report, err));
  }
}

tribo_status barrier_solve(barrier *b, const barrier_start *start, vec3 *x, barrier_report *report,
                           tribo_error *err) {
  *report = (barrier_report){.outcome = BARRIER_BROKEN};
  int factorizations = b->system.factorizations, analyses = b->system.analyses;
  TRY(begin(b, start, report, err));
  TRY(iterate(b, report, err));
  if (b->progress >= 1) land_given(b, start->seconds + start->h, b->x);
  memcpy(x, b->x, (size_t)b->model->node_count * sizeof *x);
  report->contacts = (int)b->contacts.count;
  report->progress = b->progress;
  report->factorizations = b->system.factorizations - factorizations;
  report->analyses = b->system.analyses - analyses;
  return TRIBO_OK;
}
