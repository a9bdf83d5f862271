/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Piles of rigid blocks.
 */
#include <stdio.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"

/* ---- a stack ----------------------------------------------------------------------------------
 */

/* A block of n x n x n cells, its bottom in the plane z = 0 around the origin. */
static mesh block_shape(int n, double width, double depth, double height) {
  mesh brick = shape_brick(n, n, n, width, depth, height);
  mesh skin = {0};
  if (brick.positions) skin = shape_skin(&brick);
  mesh_free(&brick);
  if (skin.positions) shape_move(&skin, -0.5 * width, -0.5 * depth, 0);
  return skin;
}

tribo_status scene_stack(const scene_stack_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_film(p->dt, p->seconds, 0.04, &scene, err));
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = TRIBO_OK;
  for (int k = 0; k < (int)p->blocks && status == TRIBO_OK; k++) {
    double side = p->size + k * p->taper;
    mesh block = block_shape((int)p->cells, side, side, p->size);
    if (block.positions) {
      shape_turn(&block, 2, scenes_radians(k * p->turn));
      shape_move(&block, k % 2 ? p->shift : 0, 0, k * (p->size + p->gap) + p->gap);
    }
    char name[32];
    snprintf(name, sizeof name, "block%02d", k);
    tribo_object_def def = tribo_object_default(TRIBO_RIGID);
    def.name = name;
    def.surface.contact = p->box > 0 ? TRIBO_CONTACT_BOX : TRIBO_CONTACT_MESH;
    status = scenes_add(scene, def, &block, NULL, err);
  }
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "floor", 0, -1, 1, 1, err);
  return scenes_finish(scene, status, out);
}
