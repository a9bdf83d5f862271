/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_crossing: whether cloth passes through cloth, by a count that knows nothing of contacts: how
 * many edges meet a triangle that they are no side of.
 */
#ifndef TESTS_PHYSICS_LAB_CROSSING_H
#define TESTS_PHYSICS_LAB_CROSSING_H

#include "geom/bvh.h"
#include "physics/lab_contact.h"

/* Six times the volume of a tetrahedron, with its sign. */
static inline double crossing_volume(vec3 a, vec3 b, vec3 c, vec3 d) {
  return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

/* The segment p q goes through the triangle. */
static inline bool crossing_meets(vec3 p, vec3 q, const vec3 t[3]) {
  double a = crossing_volume(t[0], t[1], t[2], p), b = crossing_volume(t[0], t[1], t[2], q);
  if ((a > 0) == (b > 0)) return false;
  double u = crossing_volume(p, q, t[0], t[1]), v = crossing_volume(p, q, t[1], t[2]);
  double w = crossing_volume(p, q, t[2], t[0]);
  return (u > 0) == (v > 0) && (v > 0) == (w > 0);
}

/* All triangles of all cloths against all of their sides. */
static inline int crossing_count(const simulation *s) {
  const model *m = simulation_model(s);
  const vec3 *x = simulation_positions(s);
  enum { MOST = 4096 };
  static int32_t near[MOST];
  arena memory = {0};
  size_t total = 0, count = 0;
  for (size_t f = 0; f < m->probe_count; f++) total += m->probes[f].triangle_count;
  int32_t *triangles = ARENA_ARRAY(&memory, int32_t, 3 * total);
  bvh_box *boxes = ARENA_ARRAY(&memory, bvh_box, total);
  for (size_t f = 0; f < m->probe_count; f++)
    for (size_t k = 0; k < 3 * m->probes[f].triangle_count; k++)
      triangles[count++] = m->bodies[m->probes[f].body].first_vertex + m->probes[f].triangles[k];
  tasks one = tasks_create(1);
  bvh tree;
  bvh_triangle_boxes(&one, x, x, triangles, total, 0, boxes);
  claim_ok(bvh_build(boxes, total, &memory, &tree, err));
  int crossings = 0;
  for (size_t i = 0; i < 3 * total; i++) {
    int32_t p = triangles[i], q = triangles[i % 3 == 2 ? i - 2 : i + 1];
    size_t found = bvh_segment(&tree, x[p], x[q], 0, near, MOST);
    assert_true(found <= MOST);
    for (size_t k = 0; k < found; k++) {
      const int32_t *c = triangles + 3 * near[k];
      vec3 corner[3] = {x[c[0]], x[c[1]], x[c[2]]};
      bool shared = false;
      for (int j = 0; j < 3; j++) shared |= c[j] == p || c[j] == q;
      crossings += !shared && crossing_meets(x[p], x[q], corner);
    }
  }
  arena_free(&memory);
  return crossings;
}

#endif
