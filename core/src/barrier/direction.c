/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/direction.h"

#include <string.h>

#include "barrier/foresee.h"
#include "base/clock.h"

enum { MOST_LOOKS = 2 };

/* ---- places -----------------------------------------------------------------------------------
 */

void direction_place(const barrier *b, const vec3 *x, double progress, vec3 *out) {
  surface_mesh_place(&b->mesh, &b->options.tasks, x, b->turns, out);
  for (int32_t v = b->mesh.body_vertices; v < b->mesh.vertex_count; v++) {
    vec3 way = vec3_sub(b->collider_end[v], b->collider_start[v]);
    out[v] = progress < 1 ? vec3_madd(b->collider_start[v], progress, way) : b->collider_end[v];
  }
}

static double largest_way(const barrier *b, const vec3 *from, const vec3 *to) {
  double most2 = 0;
  for (int32_t v = 0; v < b->mesh.vertex_count; v++) {
    double way2 = vec3_norm2(vec3_sub(to[v], from[v]));
    if (way2 > most2) most2 = way2;
  }
  return sqrt(most2);
}

tribo_status direction_search(barrier *b, const vec3 *from, const vec3 *to, barrier_report *report,
                              tribo_error *err) {
  double began = clock_seconds(), room = b->scale.room;
  /* Two vertices that each go less than half of the room do not get nearer by more than it. */
  if (b->anchored && largest_way(b, b->anchor, from) < room / 2 &&
      largest_way(b, b->anchor, to) < room / 2)
    return TRIBO_OK;
  candidates_filter filter = {.reach = b->scale.reach,
                              .absent = b->absent,
                              .held = b->held,
                              .lost = b->tangled.any ? b->tangled.lost : NULL};
  b->anchored = largest_way(b, from, to) < room / 3;
  if (b->anchored) {
    filter.reach = b->scale.wide_reach;
    memcpy(b->anchor, from, (size_t)b->mesh.vertex_count * sizeof *from);
    to = from;
  }
  TRY(candidates_find(&b->near, &b->options.tasks, from, to, &filter, err));
  report->search_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

void direction_add_at(const barrier *b, const int32_t vertex[4], const double weight[4], vec3 force,
                      vec3 *out) {
  for (int i = 0; i < 4; i++) {
    if (weight[i] == 0 || vertex[i] >= b->mesh.body_vertices) continue;
    mesh_row row = surface_mesh_row(&b->mesh, b->x, vertex[i], b->places[vertex[i]]);
    for (int k = 0; k < row.count; k++)
      out[row.node[k]] =
          vec3_add(out[row.node[k]], vec3_scale(weight[i], mat3_tmul_vec3(&row.block[k], force)));
  }
}

/* ---- the direction ----------------------------------------------------------------------------
 */

static bool push_hang(barrier *b, const int32_t vertex[4]) {
  barrier_hang hang;
  barrier_matrix_hang_of(&b->system, b->x, b->places, vertex, &hang);
  return ARRAY_PUSH(b->hangs, hang);
}

/* How far a contact's sides would come together by what is given alone. */
static vec3 given_way(const barrier *b, const int32_t vertex[4], const double weight[4]) {
  vec3 way = {0, 0, 0};
  double left = direction_left(b);
  for (int i = 0; left > 0 && i < 4; i++) {
    int32_t v = vertex[i];
    if (weight[i] == 0 || !b->held[v]) continue;
    if (v >= b->mesh.body_vertices) {
      way = vec3_madd(way, left * weight[i], vec3_sub(b->collider_end[v], b->collider_start[v]));
      continue;
    }
    mesh_row row = surface_mesh_row(&b->mesh, b->x, v, b->places[v]);
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
    direction_add_at(b, r->vertex, r->weight, vec3_scale(-1, barrier_rub_force(r, f)), b->force);
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
  if (!(direction_left(b) > 0)) return;
  vec3 pull = mat3_mul_vec3(spring, given_way(b, vertex, weight));
  direction_add_at(b, vertex, weight, vec3_scale(-1, pull), b->force);
}

/* The pattern of the matrix takes in all rows that contacts and friction couple. */
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
    direction_add_at(b, a->vertex, a->weight, vec3_scale(foresee_force(b, a), a->normal), b->force);
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

void direction_take_hessian(barrier *b, hessian_kind kind, barrier_report *report) {
  double began = clock_seconds();
  objective_hessian(b->objective, b->x, kind, &b->system.hessian);
  note_stiffness(b);
  report->assembly_seconds += clock_seconds() - began;
}

/* Solves for the direction with what is foreseen; given things go the rest of their way. */
static tribo_status solve_direction(barrier *b, bool exact, bool *found, barrier_report *report,
                                    tribo_error *err) {
  const model *m = b->model;
  double left = direction_left(b);
  for (int32_t i = 0; i < m->node_count; i++) {
    bool is_free = m->row_of_node[i] >= 0;
    b->direction[i] = is_free ? vec3_make(0, 0, 0) : vec3_scale(left, b->given[i]);
  }
  if (left > 0) bcsr_multiply(&b->system.hessian, &b->options.tasks, b->direction, b->force);
  for (int32_t i = 0; i < m->node_count; i++) {
    vec3 drawn = left > 0 ? b->force[i] : vec3_make(0, 0, 0);
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

void direction_go(const barrier *b, double length, vec3 *x) {
  for (int32_t i = 0; i < b->model->node_count; i++)
    x[i] = vec3_madd(b->x[i], length, b->direction[i]);
}

tribo_status direction_sweep(barrier *b, barrier_report *report, tribo_error *err) {
  direction_go(b, 1, b->trial);
  direction_place(b, b->trial, b->waits ? b->progress : 1, b->swept);
  TRY(direction_search(b, b->places, b->swept, report, err));
  double began = clock_seconds();
  TRY(foresee_times(b, &b->limit, err));
  report->limit_seconds += clock_seconds() - began;
  return TRIBO_OK;
}

/* A direction, solved for anew while it runs into what it does not know of. */
tribo_status direction_find(barrier *b, bool exact, bool ahead, bool *found, barrier_report *report,
                            tribo_error *err) {
  b->ahead.count = 0;
  for (size_t i = 0; i < b->rubs.count; i++) b->rubs.data[i].stuck = false;
  for (int round = ahead ? 0 : MOST_LOOKS;; round++) {
    size_t news;
    TRY(solve_direction(b, exact, found, report, err));
    if (!*found) return TRIBO_OK;
    TRY(direction_sweep(b, report, err));
    double began = clock_seconds();
    if (round < MOST_LOOKS) TRY(foresee_look(b, &news, err));
    report->limit_seconds += clock_seconds() - began;
    if (round == MOST_LOOKS) return TRIBO_OK;
    if (news == 0) return TRIBO_OK;
    exact = false;
  }
}
