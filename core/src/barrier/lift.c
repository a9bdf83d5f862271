/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/lift.h"

#include "geom/distance.h"

enum { MOST_ROUNDS = 8 };
static bool is_embedded(const model_body *body) {
  return body->kinematics->deforms && !body->kinematics->by_vertex;
}

static const double HAIR = 0.01; /* of the band */

/* From the triangle to where the vertex belongs. */
static vec3 side_of(const barrier *b, int32_t part, const vec3 y[4]) {
  vec3 n = vec3_normalized(vec3_cross(vec3_sub(y[2], y[1]), vec3_sub(y[3], y[1])));
  if (b->mesh.parts[part].closed) return n;
  return vec3_dot(n, b->model->gravity) > 0 ? vec3_scale(-1, n) : n;
}

static void move_vertex(const barrier *b, int32_t vertex, vec3 by, vec3 *x) {
  const model *m = b->model;
  const model_body *body = &m->bodies[b->mesh.parts[b->mesh.part[vertex]].body];
  int32_t own = b->mesh.own[vertex], first = body->first_node + own, count = 1;
  if (!body->kinematics->deforms) first = body->first_node;
  if (is_embedded(body)) first = body->first_node, count = body->node_count;
  for (int32_t i = first; i < first + count; i++)
    if (m->row_of_node[i] >= 0) x[i] = vec3_add(x[i], by);
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

tribo_status barrier_lift(barrier *b, double seconds, const quat *turns, vec3 *x, size_t *lifted,
                          tribo_error *err) {
  const surface_mesh *m = &b->mesh;
  const tasks *t = &b->options.tasks;
  *lifted = 0;
  for (int32_t p = 0; p < m->part_count; p++) b->absent[p] = !surface_mesh_present(m, p, seconds);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    size_t moved = 0;
    surface_mesh_place(m, t, x, turns, b->places);
    surface_mesh_place_colliders(m, t, seconds, b->scratch, b->places);
    candidates_filter filter = {.reach = b->scale.reach, .absent = b->absent, .held = b->held};
    TRY(candidates_find(&b->near, t, b->places, b->places, &filter, err));
    for (size_t i = 0; i < b->near.found_faces.count; i++)
      moved += lift_pair(b, b->near.found_faces.data[i], x);
    *lifted += moved;
    if (moved == 0) break;
  }
  return TRIBO_OK;
}
