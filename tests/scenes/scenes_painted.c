/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What slides where a picture leads it: boxes on planes with a structure map.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"

/* The plane: x downhill from 0, y to both sides of the middle. */
static const double LENGTH = 6, HALF = 1.5;

static const double BOX = 0.24, BOX_HEIGHT = 0.08; /* flat: grooves do not make it tumble */

/* The angle of the structure from downhill towards +y, radians. */
typedef double (*scenes_field)(const void *context, double x, double y);

/* ---- the picture -----------------------------------------------------------------------------
 */

/* One of 256 steps, as a paint program has them: so the bundle holds a PNG. */
static float in_steps(double value) { return (float)(floor(255 * value + 0.5) / 255); }

/* u is x, v is y. The caller frees. */
static float *paint_field(int width, int height, scenes_field field, const void *context) {
  float *pixels = malloc((size_t)width * (size_t)height * 3 * sizeof *pixels), *rgb = pixels;
  for (int row = 0; pixels && row < height; row++)
    for (int column = 0; column < width; column++, rgb += 3) {
      double x = LENGTH * (column + 0.5) / width, y = HALF * (1 - 2 * (row + 0.5) / height);
      double angle = field(context, x, y);
      rgb[0] = in_steps(0.5 + 0.5 * cos(angle));
      rgb[1] = in_steps(0.5 + 0.5 * sin(angle));
      rgb[2] = in_steps(0.5);
    }
  return pixels;
}

static tribo_status add_plane(tribo_scene *scene, double slope, double pixels, scenes_field field,
                              const void *context, tribo_error *err) {
  int width = (int)fmax(2, pixels), height = (int)fmax(1, floor(width * 2 * HALF / LENGTH));
  mesh m = shape_sheet(1, 1, LENGTH, 2 * HALF);
  shape_move(&m, 0, -HALF, 0);
  shape_turn(&m, 1, slope);
  float *map = paint_field(width, height, field, context);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "plane";
  def.structure_map = (tribo_map_def){map, width, height, 3};
  if (!map) mesh_free(&m); /* scenes_add then says what is missing */
  tribo_status status = scenes_add(scene, def, &m, NULL, err);
  free(map);
  return status;
}

/* ---- the boxes -------------------------------------------------------------------------------
 */

/* Its middle at (x, y), turned on the plane. Boxes do not see each other. */
static tribo_status add_box(tribo_scene *scene, int number, double slope, double x, double y,
                            double turn, tribo_error *err) {
  char name[16];
  snprintf(name, sizeof name, "box_%d", number);
  mesh brick = shape_brick(1, 1, 1, BOX, BOX, BOX_HEIGHT), skin = shape_skin(&brick);
  mesh_free(&brick);
  shape_move(&skin, -BOX / 2, -BOX / 2, 0);
  shape_turn(&skin, 2, turn);
  shape_move(&skin, x, y, 0);
  shape_turn(&skin, 1, slope);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = name;
  def.material = "box";
  def.surface.role = TRIBO_ROLE_POINTS;
  return scenes_add(scene, def, &skin, NULL, err);
}

static tribo_status rub(tribo_scene *scene, double along, double across, tribo_error *err) {
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = friction.mu_along = along; /* mu: where a picture has no structure */
  friction.mu_across = across;
  return tribo_scene_set_pair(scene, "box", "plane", &friction, err);
}

/* ---- figure 3 --------------------------------------------------------------------------------
 */

/* Lines that close in on the middle, or part from it: the more slanted the farther out. */
static double plane_field(const void *context, double x, double y) {
  const scene_painted_plane_params *p = context;
  double turn = scenes_radians(p->turn), out = sin(0.5 * PI * fmin(1, fmax(-1, y / HALF)));
  if (p->field == 2) return turn * sin(2 * PI * x / p->wave);
  return (p->field == 0 ? -turn : turn) * out;
}

tribo_status scene_painted_plane(const scene_painted_plane_params *p, tribo_scene **out,
                                 tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double slope = scenes_radians(p->angle), row = p->row >= 0 ? p->row : p->field == 1 ? 0.5 : 2.2;
  int boxes = (int)p->boxes;
  tribo_status status = add_plane(scene, slope, p->pixels, plane_field, p, err);
  for (int k = 0; k < boxes && status == TRIBO_OK; k++) {
    double y = boxes > 1 ? row * ((double)k / (boxes - 1) - 0.5) : 0;
    double x = 0.25 + 0.4 * ((2 * k) % boxes); /* neighbours two places apart */
    status = add_box(scene, k, slope, x, y, 0, err);
  }
  if (status == TRIBO_OK) status = rub(scene, p->along, p->across, err);
  return scenes_finish(scene, status, out);
}

/* ---- figure 12 -------------------------------------------------------------------------------
 */

/* Lines that meet beyond the lower edge. */
static double exit_field(const void *context, double x, double y) {
  const scene_painted_exit_params *p = context;
  return atan2(p->exit - y, LENGTH + 0.25 - x);
}

tribo_status scene_painted_exit(const scene_painted_exit_params *p, tribo_scene **out,
                                tribo_error *err) {
  static const struct {
    double x, y, turn; /* m, m, degrees */
  } starts[] = {{2.7, -1.1, 0}, {1.2, -0.2, 30}, {0.2, 0.9, 60}};
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double slope = scenes_radians(p->angle);
  tribo_status status = add_plane(scene, slope, p->pixels, exit_field, p, err);
  for (int k = 0; k < 3 && status == TRIBO_OK; k++)
    status =
        add_box(scene, k, slope, starts[k].x, starts[k].y, scenes_radians(starts[k].turn), err);
  if (status == TRIBO_OK) status = rub(scene, p->along, p->across, err);
  return scenes_finish(scene, status, out);
}

/* ---- figure 7 --------------------------------------------------------------------------------
 */

static double oblique_field(const void *context, double x, double y) {
  (void)x, (void)y;
  return scenes_radians(((const scene_painted_oblique_params *)context)->structure);
}

tribo_status scene_painted_oblique(const scene_painted_oblique_params *p, tribo_scene **out,
                                   tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double slope = scenes_radians(p->angle);
  tribo_status status = add_plane(scene, slope, p->pixels, oblique_field, p, err);
  if (status == TRIBO_OK) status = add_box(scene, 0, slope, 0.4, -0.8, 0, err);
  if (status == TRIBO_OK) status = rub(scene, p->along, p->across, err);
  return scenes_finish(scene, status, out);
}
