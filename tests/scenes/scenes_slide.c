/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What slides: on ramps, along a plane, over a cylinder.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
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

/* The line that the cloth hangs along, by arc length from the top: a half circle, and straight down
 * from its ends. */
static void drape_point(double radius, double s, double x[2]) {
  double quarter = 0.5 * PI * radius, along = fmin(fabs(s), quarter);
  x[0] = copysign(radius * sin(along / radius), s);
  x[1] = radius * cos(along / radius) - (fabs(s) - along);
}

/* Arc length at distance `step` beyond s, as the crow flies: so that the edges of the draped cloth
 * have the lengths of the flat one. */
static double drape_next(double radius, double s, double step) {
  double from[2], to[2], low = s + step, high = s + 0.5 * PI * step;
  drape_point(radius, s, from);
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    drape_point(radius, middle, to);
    if (hypot(to[0] - from[0], to[1] - from[1]) < step)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* Arc lengths of the cloth's rows from the one at `first`; returns how much lower the last end
 * hangs than the first. */
static double drape_rows(double radius, double first, double step, int rows, double *s) {
  double a[2], b[2];
  s[0] = first;
  for (int j = 0; j < rows; j++) s[j + 1] = drape_next(radius, s[j], step);
  drape_point(radius, s[0], a);
  drape_point(radius, s[rows], b);
  return a[1] - b[1];
}

/* Lays a flat sheet of `across` columns over the cylinder along y: rows along x, around the top. */
static bool drape(mesh *sheet, int across, int rows, double radius, double length, double offset) {
  double *s = malloc((size_t)(rows + 1) * sizeof *s);
  if (!s) return false;
  double low = -length, high = 0; /* where the first row is; further on hangs lower */
  for (int k = 0; k < 60; k++) {
    double middle = 0.5 * (low + high);
    if (drape_rows(radius, middle, length / rows, rows, s) < 2 * offset)
      low = middle;
    else
      high = middle;
  }
  drape_rows(radius, 0.5 * (low + high), length / rows, rows, s);
  for (int j = 0, v = 0; j <= rows; j++)
    for (int i = 0; i <= across; i++, v++) {
      double *x = sheet->positions + 3 * v, place[2];
      drape_point(radius, s[j], place);
      x[1] = -x[0]; /* the sheet's columns run along -y: its front faces away from the cylinder */
      x[0] = place[0];
      x[2] = place[1];
    }
  free(s);
  return true;
}

tribo_status scene_cloth_cylinder(const scene_cloth_cylinder_params *p, tribo_scene **out,
                                  tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  int sides = (int)p->sides;
  /* The smooth surface of the cylinder waves around the circle through the mesh's vertices, and
   * rises above it by up to 0.23 radius / sides^2. */
  double lift = p->lift >= 0 ? p->lift : p->thickness + 0.24 * p->radius / (sides * sides);
  int across = (int)p->cells, rows = (int)floor(p->cells * p->length / p->width + 0.5);
  mesh sheet = shape_sheet(across, rows, p->width, p->length);
  if (sheet.positions) {
    shape_move(&sheet, -0.5 * p->width, 0, 0);
    if (!drape(&sheet, across, rows, p->radius + lift, p->length, p->offset)) mesh_free(&sheet);
  }
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.rest_angle = TRIBO_REST_ANGLE_FLAT;
  def.cloth.warp_from = TRIBO_WARP_FROM_UV;
  tribo_status status = scenes_add(scene, def, &sheet, NULL, err);

  mesh cylinder = shape_cylinder(sides, p->radius, p->cylinder);
  shape_turn(&cylinder, 0, 0.5 * PI);
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
