/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_pierced: how deep the meshes of different objects are in each other, by an exact count of
 * edges through triangles that knows nothing of contacts (geom/crossings.h). Colliders stand still.
 */
#ifndef TESTS_PHYSICS_LAB_PIERCED_H
#define TESTS_PHYSICS_LAB_PIERCED_H

#include "geom/crossings.h"
#include "geom/mesh_distance.h"
#include "geom/topology.h"
#include "physics/lab_contact.h"

enum { LAB_MOST_OBJECTS = 64 };

typedef struct lab_pierced {
  size_t count;
  double deepest; /* m */
  size_t a, b;    /* an edge of mesh a through a triangle of b, as listed by lab_meshes, */
  vec3 at;        /* and there */
} lab_pierced;

/* How deep the points of an edge, to both sides of where it goes through a triangle, are inside of
 * a mesh; m. Infinite where the mesh has no inside. */
static inline double lab_edge_depth(const crossings_mesh *of, const crossings_mesh *in, crossing c,
                                    const mesh_distance *inside) {
  topology_fault fault;
  claim_ok(topology_check_closed(in->triangles, in->triangle_count, &fault, err));
  if (fault.kind != TOPOLOGY_CLOSED) return INFINITY;
  const int32_t *end = of->edges + 2 * c.edge;
  vec3 at = crossings_place(of, in, c);
  double depth = 0;
  for (int side = 0; side < 2; side++)
    for (double part = 1; part > 1e-6; part *= 0.9) {
      vec3 p = vec3_madd(at, part, vec3_sub(of->x[end[side]], at));
      mesh_foot foot;
      if (mesh_distance_query(inside, p, INFINITY, &foot)) depth = fmax(depth, -foot.distance);
    }
  return depth;
}

/* Returns how many meshes there are: of all that feels, then of colliders. */
static inline size_t lab_meshes(const simulation *s, arena *memory, crossings_mesh *out) {
  const model *m = simulation_model(s);
  tasks one = tasks_create(1);
  int64_t first = 0;
  size_t count = 0;
  for (size_t f = 0; f < m->probe_count; f++) {
    const model_body *b = &m->bodies[m->probes[f].body];
    const vec3 *x = simulation_positions(s) + b->first_vertex;
    claim_ok(crossings_mesh_build(x, (size_t)b->vertex_count, m->probes[f].triangles,
                                  m->probes[f].triangle_count, first, memory, &out[count], err));
    crossings_mesh_move(&one, x, &out[count++]);
    first += b->vertex_count;
  }
  for (size_t j = 0; j < m->surface_count; j++) {
    const model_surface *on = &m->surfaces[j];
    if (on->collider < 0) continue;
    const model_collider *c = &m->colliders[on->collider];
    claim_ok(crossings_mesh_build(c->rest, (size_t)c->vertex_count, on->triangles,
                                  on->triangle_count, first, memory, &out[count], err));
    crossings_mesh_move(&one, c->rest, &out[count++]);
    first += c->vertex_count;
  }
  assert_true(count <= LAB_MOST_OBJECTS);
  return count;
}

/* Of all pairs of different objects, colliders among themselves left out. */
static inline lab_pierced lab_pierce(const simulation *s) {
  arena memory = {0};
  crossings_mesh meshes[LAB_MOST_OBJECTS];
  size_t count = lab_meshes(s, &memory, meshes), moving = simulation_model(s)->probe_count;
  tasks one = tasks_create(1);
  lab_pierced found = {0};
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++) {
      crossing_list list = {0};
      if (a == b || (a >= moving && b >= moving)) continue;
      claim_ok(crossings_find(&one, &meshes[a], &meshes[b], &list, err));
      mesh_distance inside;
      if (list.count > 0)
        claim_ok(mesh_distance_build(&one, meshes[b].x, meshes[b].vertex_count, meshes[b].triangles,
                                     meshes[b].triangle_count, &memory, &inside, err));
      for (size_t k = 0; k < list.count; k++) {
        double depth = crossings_depth(&meshes[a], &meshes[b], list.data[k]);
        depth = fmin(depth, lab_edge_depth(&meshes[a], &meshes[b], list.data[k], &inside));
        found.count++;
        if (!(depth > found.deepest)) continue;
        found.deepest = depth;
        found.a = a, found.b = b;
        found.at = crossings_place(&meshes[a], &meshes[b], list.data[k]);
      }
      ARRAY_FREE(list);
    }
  arena_free(&memory);
  return found;
}

#endif
