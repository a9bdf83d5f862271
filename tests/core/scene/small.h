/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * small: the smallest objects that a scene takes, for tests to break one thing at a time. Each
 * lives in a struct of its own, so that a test may write into its arrays.
 */
#ifndef TESTS_SCENE_SMALL_H
#define TESTS_SCENE_SMALL_H

#include <string.h>

#include "tribo/scene.h"

/* A unit square in the xy plane, two triangles, with uvs. */
typedef struct small_sheet {
  double positions[12];
  int32_t triangles[6];
  double uvs[12];
  tribo_object_def def;
} small_sheet;

/* A unit cube corner: two tets on one face. */
typedef struct small_block {
  double positions[15];
  int32_t tets[8];
  tribo_object_def def;
} small_block;

/* Points into *s, so *s must stay where it is. */
static inline tribo_object_def *small_sheet_make(small_sheet *s) {
  *s = (small_sheet){.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
                     .triangles = {0, 1, 2, 0, 2, 3},
                     .uvs = {0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1},
                     .def = tribo_object_default(TRIBO_CLOTH)};
  s->def.name = "sheet";
  s->def.positions = s->positions;
  s->def.vertex_count = 4;
  s->def.triangles = s->triangles;
  s->def.triangle_count = 2;
  return &s->def;
}

static inline tribo_object_def *small_block_make(small_block *b) {
  *b = (small_block){.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1},
                     .tets = {0, 1, 2, 3, 0, 2, 1, 4},
                     .def = tribo_object_default(TRIBO_SOLID)};
  b->def.name = "block";
  b->def.positions = b->positions;
  b->def.vertex_count = 5;
  b->def.tets = b->tets;
  b->def.tet_count = 2;
  return &b->def;
}

/* A ramp of two triangles, or a closed tetrahedron of four wound outward. */
typedef struct small_shell {
  double positions[12];
  int32_t triangles[12];
  tribo_object_def def;
} small_shell;

static inline tribo_object_def *small_ramp_make(small_shell *s) {
  *s = (small_shell){.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0.5, 0, 1, 0.5},
                     .triangles = {0, 1, 2, 0, 2, 3},
                     .def = tribo_object_default(TRIBO_COLLIDER)};
  s->def.name = "ramp";
  s->def.positions = s->positions;
  s->def.vertex_count = 4;
  s->def.triangles = s->triangles;
  s->def.triangle_count = 2;
  return &s->def;
}

static inline tribo_object_def *small_stone_make(small_shell *s) {
  *s = (small_shell){.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                     .triangles = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2},
                     .def = tribo_object_default(TRIBO_RIGID)};
  s->def.name = "stone";
  s->def.positions = s->positions;
  s->def.vertex_count = 4;
  s->def.triangles = s->triangles;
  s->def.triangle_count = 4;
  return &s->def;
}

/* A triangle carried along by the block of small_block, whose nodes become a cage. */
typedef struct small_caged {
  small_block block;
  double positions[9];
  int32_t triangles[3];
} small_caged;

static inline tribo_object_def *small_caged_make(small_caged *c) {
  tribo_object_def *def = small_block_make(&c->block);
  const double positions[9] = {0.1, 0.1, 0.1, 0.4, 0.1, 0.1, 0.1, 0.4, -0.1};
  const int32_t triangles[3] = {0, 1, 2};
  memcpy(c->positions, positions, sizeof positions);
  memcpy(c->triangles, triangles, sizeof triangles);
  def->name = "jelly";
  def->cage = c->block.positions;
  def->cage_count = 5;
  def->positions = c->positions;
  def->vertex_count = 3;
  def->triangles = c->triangles;
  def->triangle_count = 1;
  return def;
}

#endif
