/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What slides: on ramps, along a plane, over a cylinder.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_drape.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

/* How far something slides down a ramp without friction, and then some: the ramp must be longer. */
static double slide_length(double angle, double seconds) {
  return 2 + 0.5 * 9.81 * sin(angle) * seconds * seconds;
}

tribo_status scene_block_slide(const scene_block_slide_params *p, tribo_scene **out,
                               tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double angle = scenes_radians(p->angle);
  int n = (int)p->cells;
  mesh block = shape_brick(n, n, n, p->size, p->size, p->size);
  shape_move(&block, -0.5 * p->size, -0.5 * p->size, p->gap);
  shape_turn(&block, 1, angle);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  def.solid.young = p->young;
  tribo_status status = scenes_add(scene, def, &block, NULL, err);
  if (status == TRIBO_OK)
    status = scenes_add_ramp(scene, "ramp", angle, -2, slide_length(angle, p->seconds), 2, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "block", "ramp", p->mu, err);
  return scenes_finish(scene, status, out);
}

tribo_status scene_cloth_slide(const scene_cloth_slide_params *p, tribo_scene **out,
                               tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double angle = scenes_radians(p->angle);
  mesh sheet = shape_sheet((int)p->cells, (int)p->cells, p->size, p->size);
  shape_move(&sheet, -0.5 * p->size, -0.5 * p->size, p->gap);
  shape_turn(&sheet, 1, angle);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  tribo_status status = scenes_add(scene, def, &sheet, NULL, err);
  if (status == TRIBO_OK)
    status = scenes_add_ramp(scene, "ramp", angle, -2, slide_length(angle, p->seconds), 2, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "cloth", "ramp", p->mu, err);
  return scenes_finish(scene, status, out);
}

/* ---- dragged ----------------------------------------------------------------------------------
 */

static void drag_path(const void *context, double seconds, const double start[3], double x[3]) {
  const scene_block_drag_params *p = context;
  const double pressed = 0.2; /* s: then down is down, and the drag begins */
  x[0] = start[0] - p->speed * fmax(0, seconds - pressed);
  x[1] = start[1];
  x[2] = start[2] - 0.5 * p->size * p->press * scenes_ease(seconds, 0, pressed);
}

tribo_status scene_block_drag(const scene_block_drag_params *p, tribo_scene **out,
                              tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double height = 0.5 * p->size;
  int n = (int)p->cells;
  mesh block = shape_brick(n, n, n / 2, p->size, p->size, height);
  shape_move(&block, -0.5 * p->size, -0.5 * p->size, 0);
  size_t count = 0;
  int32_t *top = scenes_between(&block, 2, height - 1e-9, height + 1e-9, &count);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "block";
  def.solid.young = p->young;
  tribo_status status = scenes_add_pinned(scene, def, &block, top, count, drag_path, p, 1, err);
  if (status == TRIBO_OK)
    status = scenes_add_ramp(scene, "plane", 0, -2 - p->speed * p->seconds, 2, 2, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "block", "plane", p->mu, err);
  return scenes_finish(scene, status, out);
}

/* ---- over a cylinder --------------------------------------------------------------------------
 */

tribo_status scene_cloth_cylinder(const scene_cloth_cylinder_params *p, tribo_scene **out,
                                  tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  int across = (int)p->cells, rows = (int)floor(p->cells * p->length / p->width + 0.5);
  mesh sheet = shape_sheet(across, rows, p->width, p->length);
  mesh cylinder = shape_pipe((int)p->sides, p->radius, p->cylinder);
  tribo_status status = TRIBO_OK;
  if (sheet.positions && cylinder.positions) { /* if not, scenes_add says what is missing */
    shape_move(&sheet, -0.5 * p->width, 0, 0);
    shape_turn(&cylinder, 0, 0.5 * PI);
    scenes_drape how = {across, rows, p->length, p->radius + fmax(0, p->lift), p->offset};
    if (p->lift < 0)
      status = scenes_drape_onto(&how, &cylinder, p->thickness, &sheet, err);
    else if (!scenes_drape_around(&how, &sheet))
      mesh_free(&sheet);
  }
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.damping_mass = p->damping;
  def.cloth.rest_angle = TRIBO_REST_ANGLE_FLAT;
  def.cloth.warp_from = TRIBO_WARP_FROM_UV;
  if (status == TRIBO_OK)
    status = scenes_add(scene, def, &sheet, NULL, err);
  else
    mesh_free(&sheet);

  tribo_object_def round = tribo_object_default(TRIBO_COLLIDER);
  round.name = "cylinder";
  round.surface.contact = TRIBO_CONTACT_MLS;
  round.surface.kernel = TRIBO_KERNEL_CUBIC;
  round.surface.thickness = p->thickness;
  if (status == TRIBO_OK)
    status = scenes_add(scene, round, &cylinder, NULL, err);
  else
    mesh_free(&cylinder);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "cloth", "cylinder", p->mu, err);
  return scenes_finish(scene, status, out);
}
