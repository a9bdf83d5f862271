/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Piles of rigid blocks.
 */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

/* ---- a stack ----------------------------------------------------------------------------------
 */

mesh scenes_block_shape(int n, double width, double depth, double height) {
  mesh brick = shape_brick(n, n, n, width, depth, height);
  mesh skin = {0};
  if (brick.positions) skin = shape_skin(&brick);
  mesh_free(&brick);
  if (skin.positions) shape_move(&skin, -0.5 * width, -0.5 * depth, 0);
  return skin;
}

tribo_status scene_stack(const scene_stack_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.04, &scene, err));
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = TRIBO_OK;
  for (int k = 0; k < (int)p->blocks && status == TRIBO_OK; k++) {
    double side = p->size + k * p->taper;
    mesh block = scenes_block_shape((int)p->cells, side, side, p->size);
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

/* ---- a tower ----------------------------------------------------------------------------------
 */

static tribo_status add_tower(tribo_scene *scene, const scene_tower_params *p, tribo_error *err) {
  double a = scenes_radians(p->angle);
  for (int k = 0; k < (int)p->blocks; k++) {
    mesh block = scenes_block_shape(1, p->width, p->width, p->height);
    shape_move(&block, 0, 0, k * p->height);
    char name[32];
    snprintf(name, sizeof name, "block%02d", k);
    tribo_object_def def = tribo_object_default(TRIBO_RIGID);
    def.name = name;
    def.material = "stone";
    def.rigid.density = p->density;
    def.surface.contact = TRIBO_CONTACT_BOX;
    TRY(scenes_add_combed(scene, def, &block, (double[3]){cos(a), sin(a), 0}, err));
  }
  return scenes_set_combed(scene, "stone", "stone", p->mu, p->mu_along, p->mu_across, err);
}

static tribo_status add_ball(tribo_scene *scene, const scene_tower_params *p, tribo_error *err) {
  mesh ball = shape_globe(8, p->radius);
  if (ball.positions) shape_move(&ball, -0.5 * p->width - 2 * p->radius, 0, p->hit);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = "ball";
  def.rigid.density = p->ball;
  def.surface.contact = TRIBO_CONTACT_SPHERE;
  def.object.velocity[0] = p->speed;
  return scenes_add(scene, def, &ball, NULL, err);
}

tribo_status scene_tower(const scene_tower_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.04, &scene, err));
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = add_tower(scene, p, err);
  if (status == TRIBO_OK) status = add_ball(scene, p, err);
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "floor", 0, -2, 4, 2, err);
  return scenes_finish(scene, status, out);
}

/* ---- an arch ----------------------------------------------------------------------------------
 */

/* A stone between two angles from +x; its corners like those of a block, x along the radius, y from
 * the first angle to the second, z along the depth. */
static mesh stone_shape(const scene_arch_params *p, double from, double to) {
  mesh stone = scenes_block_shape(1, 1, 1, 1);
  for (size_t v = 0; stone.positions && v < stone.vertex_count; v++) {
    double *x = stone.positions + 3 * v;
    double radius = p->inner + (x[0] + 0.5) * p->thickness,
           angle = from + (x[1] + 0.5) * (to - from);
    x[0] = radius * cos(angle);
    x[1] = -(x[2] - 0.5) * p->depth;
    x[2] = p->pillar + radius * sin(angle);
  }
  return stone;
}

static tribo_status add_stone(tribo_scene *scene, const scene_arch_params *p, int k,
                              tribo_error *err) {
  double step = PI / floor(p->stones), from = k * step, middle = from + 0.5 * step;
  mesh stone = stone_shape(p, from, from + step);
  char name[32];
  snprintf(name, sizeof name, "stone%02d", k);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = name;
  def.material = "stone";
  def.surface.contact = TRIBO_CONTACT_MESH;
  const double radial[3] = {cos(middle), 0, sin(middle)}, depth[3] = {0, 1, 0};
  return scenes_add_combed(scene, def, &stone, p->radial > 0 ? radial : depth, err);
}

static tribo_status add_pillar(tribo_scene *scene, const scene_arch_params *p, int side,
                               tribo_error *err) {
  mesh pillar = scenes_block_shape(1, p->thickness, p->depth, p->pillar);
  shape_move(&pillar, side * (p->inner + 0.5 * p->thickness), 0, 0);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = side < 0 ? "pillar_left" : "pillar_right";
  def.surface.contact = TRIBO_CONTACT_BOX;
  return scenes_add(scene, def, &pillar, NULL, err);
}

tribo_status scene_arch(const scene_arch_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.04, &scene, err));
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = TRIBO_OK;
  for (int k = 0; k < (int)p->stones && status == TRIBO_OK; k++)
    status = add_stone(scene, p, k, err);
  for (int side = -1; side < 2 && p->pillar > 0 && status == TRIBO_OK; side += 2)
    status = add_pillar(scene, p, side, err);
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "floor", 0, -4, 4, 3, err);
  if (status == TRIBO_OK)
    status = scenes_set_combed(scene, "stone", "stone", p->mu, p->mu_along, p->mu_across, err);
  return scenes_finish(scene, status, out);
}
