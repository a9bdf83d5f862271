/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rig: a model, an objective over it, and contact sets made by hand, for the tests of solvers.
 */
#ifndef TESTS_CORE_POTENTIAL_RIG_H
#define TESTS_CORE_POTENTIAL_RIG_H

#include "claims.h"
#include "contact/constrained.h"
#include "contact/set.h"
#include "kinds/build.h"
#include "scenes/scenes.h"

typedef struct rig {
  arena memory;
  model m;
  objective o;
  vec3 *x; /* where a solver starts, then its solution */
} rig;

enum { RIG_CONTACTS = 4096, RIG_ENTRIES = 4 };

/* Contacts that are added one at a time. */
typedef struct rig_set {
  contact_point contacts[RIG_CONTACTS];
  size_t start[RIG_CONTACTS + 1];
  int32_t node[RIG_ENTRIES * RIG_CONTACTS];
  vec3 by_node[RIG_ENTRIES * RIG_CONTACTS];
  mat3 carry[RIG_ENTRIES * RIG_CONTACTS];
  double lambda[RIG_CONTACTS];
  contact_set set;
} rig_set;

/* Compiles one object; the mesh is freed. A step of h from rest at time 0. */
static inline rig *rig_make(tribo_object_def def, mesh *shape, vec3 gravity, double h,
                            int threads) {
  rig *r = calloc(1, sizeof *r);
  def.positions = shape->positions;
  def.vertex_count = shape->vertex_count;
  def.triangles = shape->triangles;
  def.triangle_count = shape->triangle_count;
  def.tets = shape->tets;
  def.tet_count = shape->tet_count;
  def.name = "body";
  tribo_world_params world = tribo_world_defaults();
  memcpy(world.gravity, &gravity, sizeof gravity);
  tribo_time_params time = tribo_time_defaults();
  claim_ok(model_build(&def, 1, &world, &time, &r->m, err));
  mesh_free(shape);
  tasks t = tasks_create(threads);
  claim_ok(objective_create(&r->m, &t, &r->memory, &r->o, err));
  r->x = ARENA_ARRAY(&r->memory, vec3, r->m.node_count);
  memcpy(r->x, r->m.rest, (size_t)r->m.node_count * sizeof *r->x);
  vec3 *v = ARENA_ARRAY(&r->memory, vec3, r->m.node_count);
  objective_begin(&r->o, r->x, v, NULL, h, h);
  return r;
}

static inline void rig_free(rig *r) {
  model_free(&r->m);
  arena_free(&r->memory);
  free(r);
}

/* An empty set, linearised where the model rests. */
static inline rig_set *rig_contacts(const rig *r) {
  rig_set *s = calloc(1, sizeof *s);
  s->set = (contact_set){.contacts = s->contacts,
                         .start = s->start,
                         .node = s->node,
                         .by_node = s->by_node,
                         .carry = s->carry,
                         .at = r->m.rest};
  return s;
}

/* Another entry of the last contact. */
static inline void rig_entry(rig_set *s, int32_t node, vec3 by_node) {
  size_t e = s->start[s->set.count]++;
  assert_true(e < RIG_ENTRIES * RIG_CONTACTS);
  s->node[e] = node;
  s->by_node[e] = by_node;
  s->carry[e] = mat3_identity();
}

static inline void rig_contact(rig_set *s, double gap, vec3 normal) {
  size_t i = s->set.count++;
  assert_true(i < RIG_CONTACTS);
  s->contacts[i] = (contact_point){.key = i, .normal = normal, .gap = gap};
  s->start[i + 1] = s->start[i];
}

/* A node above the plane n . x >= d. */
static inline void rig_plane(rig_set *s, int32_t node, vec3 n, double d) {
  rig_contact(s, vec3_dot(n, s->set.at[node]) - d, n);
  rig_entry(s, node, n);
}

static inline double rig_gap(const contact_set *set, size_t i, const vec3 *x) {
  double gap = set->contacts[i].gap;
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    gap += vec3_dot(set->by_node[e], vec3_sub(x[set->node[e]], set->at[set->node[e]]));
  return gap;
}

/* The conditions of the minimum, measured from scratch: balance of forces at the free nodes (to
 * `tolerance` of the forces that balance), no pull, no gap below -gap, and no force across a gap
 * wider than that. */
static inline void rig_claim_minimum(rig *r, const contact_set *set, const double *lambda,
                                     double tolerance, double gap) {
  double scale;
  vec3 *g = malloc((size_t)r->m.node_count * sizeof *g);
  objective_gradient(&r->o, r->x, g, &scale);
  for (size_t i = 0; i < set->count; i++) {
    assert_true(lambda[i] >= 0);
    double left = rig_gap(set, i, r->x);
    assert_true(left >= -gap);
    if (left > gap) assert_true(lambda[i] == 0);
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      g[set->node[e]] = vec3_madd(g[set->node[e]], -lambda[i], set->by_node[e]);
  }
  claim_below(objective_free_norm(&r->o, g), tolerance * scale);
  free(g);
}

#endif
