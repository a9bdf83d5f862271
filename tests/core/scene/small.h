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

#endif
