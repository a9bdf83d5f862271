/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_thing: a sheet, a soft cube or a rigid one, of one size, for tests that claim the same of
 * all.
 */
#ifndef TESTS_PHYSICS_LAB_THING_H
#define TESTS_PHYSICS_LAB_THING_H

#include "physics/lab_contact.h"
#include "scenes/scenes_parts.h"

/* Its lower side is centred at `at`; a sheet has so many cells along a side. */
static inline void lab_add_thing(tribo_scene *scene, tribo_kind kind, int cells, double size,
                                 vec3 at) {
  mesh m;
  if (kind == TRIBO_CLOTH) {
    m = shape_sheet(cells, cells, size, size);
    shape_move(&m, -size / 2, -size / 2, 0);
  } else if (kind == TRIBO_SOLID) {
    m = shape_brick(2, 2, 2, size, size, size);
    shape_move(&m, -size / 2, -size / 2, 0);
  } else
    m = scenes_block_shape(1, size, size, size);
  shape_move(&m, at.x, at.y, at.z);
  tribo_object_def def = tribo_object_default(kind);
  def.name = "thing";
  def.cloth.stretch = 500;
  def.solid.young = 1e6;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
}

#endif
