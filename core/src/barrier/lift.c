/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/lift.h"

#include <string.h>

#include "geom/distance.h"
#include "proximity/step_limit.h"

enum { MOST_ROUNDS = 8 };
static bool is_embedded(const model_body *body) {
  return body->kinematics->deforms && !body->kinematics->by_vertex;
}

static const double HAIR = 0.01; /* of the band */
/* A lift leaves this part of every other distance. */
static const double LEFT = 0.1;

/* From the triangle to where the vertex belongs. */
static vec3 side_of(const barrier *b, int32_t part, const vec3 y[4]) {
  vec3 n = vec3_normalized(vec3_cross(vec3_sub(y[2], y[1]), vec3_sub(y[3], y[1])));
  if (b->mesh.parts[part].closed) return n;
  return vec3_dot(n, b->model->gravity) > 0 ? vec3_scale(-1, n) : n;
}

/* Nodes that are lifted for a vertex: its own, the middle of a rigid body, all of a cage. */
typedef struct node_span {
  int32_t first, end;
} node_span;

static node_span nodes_of(const barrier *b, int32_t vertex) {
  const model_body *body = &b->model->bodies[b->mesh.parts[b->mesh.part[vertex]].body];
  int32_t own = body->first_node + b->mesh.own[vertex];
  if (!body->kinematics->deforms) return (node_span){body->first_node, body->first_node + 1};
  if (is_embedded(body)) return (node_span){body->first_node, body->first_node + body->node_count};
  return (node_span){own, own + 1};
}

static void move_vertex(const barrier *b, int32_t vertex, vec3 by, vec3 *x) {
  node_span of = nodes_of(b, vertex);
  for (int32_t i = of.first; i < of.end; i++)
    if (b->model->row_of_node[i] >= 0) x[i] = vec3_add(x[i], by);
}

/* Lifts the vertex of a candidate pair; true: it was moved. */
static bool lift_pair(barrier *b, candidate c, vec3 *x) {
  int32_t v[4];
  vec3 y[4];
  candidate_face_vertices(&b->mesh, c, v);
  for (int i = 0; i < 4; i++) y[i] = b->places[v[i]];
  int32_t part = b->mesh.part[v[1]];
  bool one = v[0] < b->mesh.body_vertices, other = v[1] < b->mesh.body_vertices;
  if (one == other) return false;
  double band = barrier_scale_face(&b->scale, v[0], part).band;
  double hair = barrier_scale_rest(&b->scale, band) * band;
  distance_foot foot = distance_point_triangle(y[0], y + 1);
  if (!(foot.distance2 < HAIR * HAIR * band * band)) return false;
  vec3 n = side_of(b, part, y);
  double height = vec3_dot(n, vec3_sub(y[0], y[1]));
  if (one) {
    move_vertex(b, v[0], vec3_scale(hair - height, n), x);
    return true;
  }
  /* A collider's vertex on a face of a body: the face goes the other way than its own outside. */
  vec3 away = vec3_dot(n, b->model->gravity) > 0 ? vec3_scale(-1, n) : n;
  if (b->mesh.parts[part].closed) away = vec3_scale(-1, n);
  for (int i = 1; i < 4; i++) move_vertex(b, v[i], vec3_scale(hair, away), x);
  return true;
}

/* ---- what is in the way of a lift -------------------------------------------------------------
 */

/* The pair of four vertices comes closer in the lift than a motion may (proximity/step_limit.h).
 * What was so near that it is lifted for it has to end no nearer. */
static bool gets_in_the_way(const barrier *b, const int32_t v[4], int split, double band) {
  vec3 from[4], to[4];
  unsigned taking;
  bool moves = false;
  for (int i = 0; i < 4; i++) {
    from[i] = b->places[v[i]], to[i] = b->swept[v[i]];
    moves = moves || vec3_max_abs(vec3_sub(to[i], from[i])) > 0;
  }
  if (!moves) return false;
  double before = split == 1 ? stencil_vertex_face_distance(from, &taking)
                             : stencil_edge_edge_distance(from, &taking);
  double after = split == 1 ? stencil_vertex_face_distance(to, &taking)
                            : stencil_edge_edge_distance(to, &taking);
  if (before < HAIR * band) return after < before;
  return step_limit_pair(from, to, split, 0, LEFT) < 1;
}

/* Puts the nodes of what gets in the way back to where they were, x0; how many. */
static size_t put_back(const barrier *b, const int32_t v[4], const vec3 *x0, vec3 *x) {
  size_t count = 0;
  for (int k = 0; k < 4; k++) {
    if (v[k] >= b->mesh.body_vertices) continue;
    node_span of = nodes_of(b, v[k]);
    for (int32_t i = of.first; i < of.end; i++) {
      count += vec3_max_abs(vec3_sub(x[i], x0[i])) > 0;
      x[i] = x0[i];
    }
  }
  return count;
}

/* Lifts alone may go no way that is not free: what would run into something stays where it was. */
static tribo_status hold_back(barrier *b, const candidates_filter *filter, const quat *turns,
                              const vec3 *x0, vec3 *x, tribo_error *err) {
  const surface_mesh *m = &b->mesh;
  const tasks *t = &b->options.tasks;
  surface_mesh_place(m, t, x0, turns, b->places);
  for (int32_t i = m->body_vertices; i < m->vertex_count; i++) b->swept[i] = b->places[i];
  for (size_t back = 1; back > 0;) {
    back = 0;
    surface_mesh_place(m, t, x, turns, b->swept);
    TRY(candidates_find(&b->near, t, b->places, b->swept, filter, err));
    for (size_t i = 0; i < b->near.found_faces.count; i++) {
      int32_t v[4];
      candidate c = b->near.found_faces.data[i];
      candidate_face_vertices(m, c, v);
      if (gets_in_the_way(b, v, 1, barrier_scale_face(&b->scale, c.a, m->part[v[1]]).band))
        back += put_back(b, v, x0, x);
    }
    for (size_t i = 0; i < b->near.found_edges.count; i++) {
      int32_t v[4];
      candidate c = b->near.found_edges.data[i];
      candidate_edge_vertices(m, c, v);
      if (gets_in_the_way(b, v, 2, barrier_scale_edges(&b->scale, c.a, c.b).band))
        back += put_back(b, v, x0, x);
    }
  }
  return TRIBO_OK;
}

tribo_status barrier_lift(barrier *b, double seconds, const quat *turns, vec3 *x, size_t *lifted,
                          tribo_error *err) {
  const surface_mesh *m = &b->mesh;
  const tasks *t = &b->options.tasks;
  candidates_filter filter = {.reach = b->scale.reach, .absent = b->absent, .held = b->held};
  *lifted = 0;
  memcpy(b->trial, x, (size_t)b->model->node_count * sizeof *x);
  for (int32_t p = 0; p < m->part_count; p++) b->absent[p] = !surface_mesh_present(m, p, seconds);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    size_t moved = 0;
    surface_mesh_place(m, t, x, turns, b->places);
    surface_mesh_place_colliders(m, t, seconds, b->scratch, b->places);
    TRY(candidates_find(&b->near, t, b->places, b->places, &filter, err));
    for (size_t i = 0; i < b->near.found_faces.count; i++)
      moved += lift_pair(b, b->near.found_faces.data[i], x);
    *lifted += moved;
    if (moved == 0) break;
  }
  return *lifted ? hold_back(b, &filter, turns, b->trial, x, err) : TRIBO_OK;
}
