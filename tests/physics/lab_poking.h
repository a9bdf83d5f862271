/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_poking: whether an obstacle pokes through cloth, by a count that knows nothing of contacts:
 * how many edges of the cloth meet its sides, and how many of its edges triangles of the cloth. It
 * is first made smaller by what is allowed.
 */
#ifndef TESTS_PHYSICS_LAB_POKING_H
#define TESTS_PHYSICS_LAB_POKING_H

#include "physics/lab_crossing.h"

/* From low to high, turned about y, then moved. */
typedef struct poking_box {
  vec3 low, high, shift;
  double turn; /* radians, about y */
} poking_box;

static inline mesh poking_mesh(const poking_box *b) {
  mesh tets =
      shape_block(1, 1, 1, b->high.x - b->low.x, b->high.y - b->low.y, b->high.z - b->low.z);
  mesh skin = shape_skin(&tets);
  mesh_free(&tets);
  shape_move(&skin, b->low.x, b->low.y, b->low.z);
  shape_turn(&skin, 1, b->turn);
  shape_move(&skin, b->shift.x, b->shift.y, b->shift.z);
  return skin;
}

/* How often the cloths of the simulation and an obstacle meet. */
static inline int poking_meets(const simulation *s, const mesh *obstacle) {
  const vec3 *x = simulation_positions(s), *y = (const vec3 *)obstacle->positions;
  const model *m = simulation_model(s);
  int count = 0;
  for (size_t f = 0; f < m->probe_count; f++)
    for (size_t t = 0; t < m->probes[f].triangle_count; t++) {
      const int32_t *c = m->probes[f].triangles + 3 * t;
      const vec3 *own = x + m->bodies[m->probes[f].body].first_vertex;
      vec3 cloth[3] = {own[c[0]], own[c[1]], own[c[2]]};
      for (size_t k = 0; k < obstacle->triangle_count; k++) {
        const int32_t *d = obstacle->triangles + 3 * k;
        vec3 side[3] = {y[d[0]], y[d[1]], y[d[2]]};
        for (int i = 0; i < 3; i++) {
          count += crossing_meets(cloth[i], cloth[(i + 1) % 3], side);
          count += crossing_meets(side[i], side[(i + 1) % 3], cloth);
        }
      }
    }
  return count;
}

/* The same with the box, smaller by `depth`. */
static inline int poking_count(const simulation *s, poking_box b, double depth) {
  vec3 by = vec3_make(depth, depth, depth);
  b.low = vec3_add(b.low, by), b.high = vec3_sub(b.high, by);
  mesh box = poking_mesh(&b);
  int count = poking_meets(s, &box);
  mesh_free(&box);
  return count;
}

#endif
