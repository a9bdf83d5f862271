/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What cloth does in a few iterations: a ribbon, sheets on a turning sphere.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_turned.h"

static void set_method(tribo_scene *scene, double projective, double iterations) {
  if (projective != 0) tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  tribo_scene_solver(scene)->projective_iterations = (int)iterations;
}

/* ---- squares ----------------------------------------------------------------------------------
 */

/* At rest for a second, then up to speed within half a second. Row-major transforms, one a frame.
 */
static double *sphere_motion(const tribo_scene *scene, const scene_squares_params *p,
                             size_t *samples) {
  const double from = 1, rise = 0.5;
  const tribo_time_params *time = tribo_scene_time((tribo_scene *)scene);
  *samples = (size_t)(time->end - time->start) + 1;
  double *transforms = calloc(16 * *samples, sizeof *transforms);
  for (size_t k = 0; transforms && k < *samples; k++) {
    double s = fmax(0, (double)k / time->fps - from), *m = transforms + 16 * k;
    double angle = scenes_radians(p->spin) * (s < rise ? 0.5 * s * s / rise : s - 0.5 * rise);
    m[0] = m[5] = cos(angle);
    m[1] = -sin(angle);
    m[4] = sin(angle);
    m[10] = m[15] = 1;
  }
  return transforms;
}

static tribo_status add_sphere(tribo_scene *scene, const scene_squares_params *p,
                               tribo_error *err) {
  mesh globe = shape_globe(24, p->radius);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "sphere";
  def.surface.contact = TRIBO_CONTACT_SPHERE;
  double *transforms = sphere_motion(scene, p, &def.motion.sample_count);
  def.motion.transforms = transforms;
  def.motion.start = tribo_scene_time(scene)->start;
  def.motion.interval = 1;
  if (!transforms) mesh_free(&globe);
  tribo_status status = scenes_add(scene, def, &globe, NULL, err);
  free(transforms);
  return status;
}

static tribo_status add_square(tribo_scene *scene, const scene_squares_params *p, int layer,
                               tribo_error *err) {
  static const char *const names[] = {"sheet", "middle", "top"};
  int n = (int)p->cells;
  mesh sheet = shape_sheet(n, n + 1, p->size, p->size);
  shape_move(&sheet, -0.5 * p->size, -0.5 * p->size,
             p->radius + p->thickness * (1 + 1.5 * layer) + 0.01);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = names[layer];
  def.cloth.density = p->density;
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.bend = p->bend;
  def.surface.thickness = p->thickness;
  return scenes_add(scene, def, &sheet, NULL, err);
}

tribo_status scene_squares(const scene_squares_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  set_method(scene, p->projective, p->iterations);
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = add_sphere(scene, p, err);
  for (int layer = 0; layer < (int)p->layers && layer < 3 && status == TRIBO_OK; layer++)
    status = add_square(scene, p, layer, err);
  return scenes_finish(scene, status, out);
}

/* ---- ribbon -----------------------------------------------------------------------------------
 */

/* Straight up from just above the ramp, leaning a little, so that it knows where to fall. */
tribo_status scene_ribbon(const scene_ribbon_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  set_method(scene, p->projective, p->iterations);
  double angle = scenes_radians(p->angle);
  mesh ribbon = shape_sheet((int)p->cells, (int)p->across, p->length, p->width);
  shape_move(&ribbon, 0, -0.5 * p->width, 0);
  shape_turn(&ribbon, 1, -0.5 * PI + 0.05);
  shape_move(&ribbon, 0, 0, 2 * p->thickness);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "ribbon";
  def.cloth.density = p->density;
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.bend = p->bend;
  def.cloth.warp_from = TRIBO_WARP_FROM_UV;
  def.surface.thickness = p->thickness;
  tribo_status status = scenes_add(scene, def, &ribbon, NULL, err);
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "ramp", angle, -3, 6, 3, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "ribbon", "ribbon", p->mu, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "ribbon", "ramp", p->mu_ramp, err);
  return scenes_finish(scene, status, out);
}
