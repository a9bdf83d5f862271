/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * litter: a small scene with an object of every kind lying about each other, compiled to a model
 * and its surface mesh.
 */
#ifndef TESTS_PROXIMITY_LITTER_H
#define TESTS_PROXIMITY_LITTER_H

#include "claims.h"
#include "kinds/build.h"
#include "model/model.h"
#include "proximity/candidates.h"
#include "scenes/shapes.h"

enum { LITTER_OBJECTS = 5 };

typedef struct litter {
  mesh shapes[LITTER_OBJECTS];
  model m;
  arena memory;
  surface_mesh mesh;
} litter;

static inline tribo_object_def litter_object(const mesh *shape, tribo_kind kind, const char *name) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = name;
  def.positions = shape->positions;
  def.vertex_count = shape->vertex_count;
  def.triangles = shape->triangles;
  def.triangle_count = shape->triangle_count;
  def.tets = shape->tets;
  def.tet_count = shape->tet_count;
  return def;
}

/* Two sheets of cloth, a soft cube, a rigid cube and a floor of four squares. */
static inline litter *litter_make(void) {
  litter *l = calloc(1, sizeof *l);
  l->shapes[0] = shape_sheet(6, 5, 1, 0.8);
  l->shapes[1] = shape_sheet(4, 4, 0.7, 0.7);
  l->shapes[2] = shape_block(2, 2, 2, 0.3, 0.3, 0.3);
  mesh block = shape_block(1, 1, 1, 0.3, 0.2, 0.1);
  l->shapes[3] = shape_skin(&block);
  mesh_free(&block);
  l->shapes[4] = shape_sheet(2, 2, 4, 4);
  shape_move(&l->shapes[1], 0.1, 0.1, 0.05);
  shape_move(&l->shapes[2], 0.2, 0.2, 0.1);
  shape_move(&l->shapes[3], 0.6, 0.3, 0.1);
  shape_move(&l->shapes[4], -2, -2, -0.05);
  tribo_object_def defs[LITTER_OBJECTS] = {litter_object(&l->shapes[4], TRIBO_COLLIDER, "floor"),
                                           litter_object(&l->shapes[0], TRIBO_CLOTH, "sheet"),
                                           litter_object(&l->shapes[1], TRIBO_CLOTH, "patch"),
                                           litter_object(&l->shapes[2], TRIBO_SOLID, "jelly"),
                                           litter_object(&l->shapes[3], TRIBO_RIGID, "brick")};
  defs[1].surface.thickness = 0.004;
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  claim_ok(model_build(defs, LITTER_OBJECTS, &world, &time, &l->m, err));
  claim_ok(surface_mesh_build(&l->m, &l->memory, &l->mesh, err));
  return l;
}

static inline void litter_free(litter *l) {
  for (int i = 0; i < LITTER_OBJECTS; i++) mesh_free(&l->shapes[i]);
  arena_free(&l->memory);
  model_free(&l->m);
  free(l);
}

static inline vec3 litter_noise(uint64_t *seed, double size) {
  vec3 p = {claim_between(seed, -size, size), 0, 0};
  p.y = claim_between(seed, -size, size);
  p.z = claim_between(seed, -size, size);
  return p;
}

#endif
