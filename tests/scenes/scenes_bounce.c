/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What bounces and rolls: balls on ramps, planes and a trampoline.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

tribo_status scene_ball_spin(const scene_ball_spin_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double angle = scenes_radians(p->angle);
  mesh ball = shape_shell((int)p->cells, (int)p->layers, p->inner, p->outer);
  shape_move(&ball, 0, 0, (p->outer + p->height) / cos(angle));
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "ball";
  def.solid.young = p->young;
  def.object.spin[1] = -scenes_radians(p->spin);
  tribo_status status = scenes_add(scene, def, &ball, NULL, err);
  double reach = 6 + 3 * p->seconds;
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "ramp", angle, -reach, 2 * reach, 4, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "ball", "ramp", p->mu, err);
  return scenes_finish(scene, status, out);
}

tribo_status scene_sphere_on_plane(const scene_sphere_on_plane_params *p, tribo_scene **out,
                                   tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  bool soft = p->soft != 0;
  mesh sphere = soft ? shape_ball((int)p->cells, (int)p->layers, p->radius)
                     : shape_globe((int)p->cells, p->radius);
  /* The lowest vertex: where a cube's face is even, the middle of its lower face has one. */
  double low = 0;
  for (size_t v = 0; v < sphere.vertex_count; v++) low = fmin(low, sphere.positions[3 * v + 2]);
  shape_move(&sphere, 0, 0, p->gap - low);
  tribo_object_def def = tribo_object_default(soft ? TRIBO_SOLID : TRIBO_RIGID);
  def.name = "sphere";
  def.solid.young = p->young;
  def.object.velocity[0] = p->speed;
  def.surface.contact = soft ? TRIBO_CONTACT_AUTO : TRIBO_CONTACT_SPHERE;
  tribo_status status = scenes_add(scene, def, &sphere, NULL, err);
  if (status == TRIBO_OK)
    status = scenes_add_ramp(scene, "plane", 0, -2, 2 + p->speed * p->seconds, 2, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "sphere", "plane", p->mu, err);
  return scenes_finish(scene, status, out);
}

/* ---- trampoline -------------------------------------------------------------------------------
 */

/* Tight while the ball falls and settles, loose from 1.5 s on, and then with a jerk wider than
 * ever. */
static void rim_path(const void *context, double seconds, const double start[3], double x[3]) {
  (void)context;
  double scale = 1 + 0.04 * scenes_ease(seconds, 0, 0.3) - 0.10 * scenes_ease(seconds, 1.5, 3.5) +
                 0.18 * scenes_ease(seconds, 4, 4.25) - 0.08 * scenes_ease(seconds, 6, 8);
  x[0] = scale * start[0];
  x[1] = scale * start[1];
  x[2] = start[2];
}

tribo_status scene_ball_on_trampoline(const scene_ball_on_trampoline_params *p, tribo_scene **out,
                                      tribo_error *err) {
  const double outer = 0.35, inner = 0.25;
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  mesh sheet = shape_disc((int)p->rings, p->radius);
  size_t rim = (size_t)(6 * p->rings);
  int32_t *pinned = malloc((rim + 1) * sizeof *pinned);
  for (size_t k = 0; pinned && k < rim; k++) pinned[k] = (int32_t)(sheet.vertex_count - rim + k);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.name = "trampoline";
  cloth.cloth.density = 0.5;
  cloth.cloth.stretch = 4000;
  cloth.cloth.shear = 1500;
  cloth.cloth.damping_stiffness = 2e-3;
  cloth.surface.role = TRIBO_ROLE_POINTS;
  tribo_status status =
      scenes_add_pinned(scene, cloth, &sheet, pinned, rim, rim_path, NULL, 1, err);

  mesh ball = shape_shell((int)p->cells, (int)p->layers, inner, outer);
  shape_move(&ball, p->aside, 0, outer + p->height);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "ball";
  def.solid.density = 80;
  def.solid.young = 1e5;
  def.surface.contact = TRIBO_CONTACT_MLS;
  def.surface.role = TRIBO_ROLE_SURFACE;
  if (status == TRIBO_OK)
    status = scenes_add(scene, def, &ball, NULL, err);
  else
    mesh_free(&ball);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "ball", "trampoline", p->mu, err);
  return scenes_finish(scene, status, out);
}
