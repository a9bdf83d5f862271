/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What scripts/demo shows: the same soft block three times on one ramp, with three coefficients of
 * friction, and a cloth that falls over a ball.
 */
#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

static const double ANGLE = 20; /* of the ramp, degrees; its tangent is 0.364 */

static const struct {
  const char *name;
  double mu, y;
} blocks[] = {{"ice", 0.02, -0.55}, {"wood", 0.34, 0}, {"rubber", 0.8, 0.55}};

/* The ramp descends towards +x, from 1.2 m above the floor down to it. */
static void onto_ramp(mesh *m, double along, double y) {
  shape_move(m, along, y, 0);
  shape_turn(m, 1, scenes_radians(ANGLE));
  shape_move(m, -1.1, 0, 0.62);
}

static tribo_status add_ramp(tribo_scene *scene, tribo_error *err) {
  mesh ramp = shape_brick(1, 1, 1, 3.2, 2, 0.1);
  shape_move(&ramp, -1.6, -1, -0.1);
  onto_ramp(&ramp, 0, 0);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ramp";
  mesh skin = shape_skin(&ramp);
  mesh_free(&ramp);
  return scenes_add(scene, def, &skin, NULL, err);
}

static tribo_status add_blocks(tribo_scene *scene, int cells, tribo_error *err) {
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    mesh block = shape_brick(cells, cells, cells, 0.3, 0.3, 0.3);
    shape_move(&block, -0.15, -0.15, 0);
    onto_ramp(&block, -1.3, blocks[k].y);
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = blocks[k].name;
    def.solid.young = 1e5;
    def.solid.density = 300;
    TRY(scenes_add(scene, def, &block, NULL, err));
    TRY(scenes_set_mu(scene, blocks[k].name, "ramp", blocks[k].mu, err));
  }
  return TRIBO_OK;
}

static tribo_status add_cloth(tribo_scene *scene, int cells, tribo_error *err) {
  mesh ball = shape_globe(12, 0.45);
  shape_move(&ball, 1.75, 0, 0.6);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ball";
  TRY(scenes_add(scene, def, &ball, NULL, err));
  mesh sheet = shape_sheet(cells, cells, 1.4, 1.4);
  shape_move(&sheet, 1.05, -0.7, 1.12);
  def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.cloth.density = 0.3;
  def.cloth.stretch = 500;
  def.cloth.shear = 100;
  def.cloth.damping_stiffness = 2e-3;
  def.surface.thickness = 0.005;
  TRY(scenes_add(scene, def, &sheet, NULL, err));
  return scenes_set_mu(scene, "cloth", "ball", 0.4, err);
}

tribo_status scene_demo(int resolution, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(tribo_scene_create(&scene, err));
  tribo_scene_time(scene)->end = 60;
  tribo_status status = add_blocks(scene, resolution > 8 ? 4 : 2, err);
  if (status == TRIBO_OK) status = add_cloth(scene, resolution, err);
  if (status == TRIBO_OK) status = add_ramp(scene, err);
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "floor", 0, -12, 12, 12, err);
  return scenes_finish(scene, status, out);
}
