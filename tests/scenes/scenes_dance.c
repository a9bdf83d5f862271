/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dress and a gown on a dancer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_dancer.h"
#include "scenes/shapes_dress.h"

/* ---- the dance --------------------------------------------------------------------------------
 */

static void turn_about(double angle, double *u, double *v) {
  double c = cos(angle), s = sin(angle), x = *u;
  *u = c * x - s * *v;
  *v = s * x + c * *v;
}

/* The arms turn around the shoulders, all the more the further out a point is: what has no weight
 * is trunk. The hips are wider than the chest, but no arm is near them. */
static void lift_arms(double angle, double x[3]) {
  double inner = 0.2 - 0.065 * scenes_ease(x[2], 1.1, 1.2);
  double share = scenes_ease(fabs(x[0]), inner, inner + 0.09);
  if (share <= 0) return;
  double side = copysign(1, x[0]), out = fabs(x[0]) - DANCER_SHOULDER[0];
  double up = x[2] - DANCER_SHOULDER[2];
  turn_about(share * angle, &out, &up);
  x[0] = side * (DANCER_SHOULDER[0] + out);
  x[2] = DANCER_SHOULDER[2] + up;
}

/* Nothing for 0.3 s, in which the cloth finds its place. */
static void dance(const void *context, double seconds, const double start[3], double x[3]) {
  const scene_dress_params *p = context;
  double t = fmax(0, seconds - 0.3), phase = 2 * PI * t / p->period, rise = scenes_ease(t, 0, 0.6);
  memcpy(x, start, 3 * sizeof *x);
  lift_arms(scenes_radians(p->lift) * 0.5 * (1 - cos(phase)), x);
  double twist = rise * scenes_radians(p->twist) * sin(2 * phase);
  turn_about(twist * scenes_ease(start[2], 0.95, 1.35), &x[0], &x[1]);
  double bent = scenes_ease(start[2], 0.1, 0.9) * (1 - 0.7 * scenes_ease(start[2], 1, 1.4));
  x[0] += rise * p->sway * sin(2 * phase) * bent;
  turn_about(scenes_radians(p->turn) * 0.5 * (1 - cos(phase)), &x[0], &x[1]);
}

void scene_dress_carries(const scene_dress_params *p, double seconds, const double start[3],
                         double x[3]) {
  dance(p, seconds, start, x);
}

/* ---- what she wears ---------------------------------------------------------------------------
 */

static tribo_status add_dancer(tribo_scene *scene, const scene_dress_params *p, tribo_error *err) {
  mesh skin = shape_dancer(p->body_size);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "body";
  def.surface.contact = TRIBO_CONTACT_MLS;
  def.surface.thickness = p->skin;
  return scenes_add_led(scene, def, &skin, dance, p, 2, err);
}

/* Layer 0 is the dress; others are skirts below it, each nearer to the body, on belts that go with
 * her: cloth of 5 N/m would stretch over her hips and fall off. */
static tribo_status add_layer(tribo_scene *scene, const scene_dress_params *p, int layer,
                              tribo_error *err) {
  static const char *const names[] = {"dress", "petticoat", "lining"};
  int below = (int)p->layers - 1 - layer;
  dress_cut cut = {.size = p->size,
                   .gap = p->gap,
                   .under = 2 * p->thickness * below,
                   .flare = scenes_radians(p->flare),
                   .length = p->length - 0.03 * layer};
  mesh cloth = layer == 0 ? shape_dress(&cut) : shape_petticoat(&cut);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = names[layer];
  def.cloth.density = p->density;
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.bend = p->bend;
  def.cloth.damping_mass = p->damping;
  def.surface.thickness = p->thickness;
  if (layer == 0) {
    TRY(scenes_add(scene, def, &cloth, NULL, err));
  } else {
    size_t count = 0;
    int32_t *belt =
        cloth.positions ? scenes_between(&cloth, 2, DANCER_WAIST + 1e-6, INFINITY, &count) : NULL;
    TRY(scenes_add_pinned(scene, def, &cloth, belt, count, dance, p, 2, err));
  }
  return scenes_set_mu(scene, names[layer], "body", p->mu, err);
}

tribo_status scene_dress(const scene_dress_params *p, tribo_scene **out, tribo_error *err) {
  if (!(p->layers >= 1 && p->layers <= 3))
    return status_fail(err, TRIBO_BAD_INPUT, "layers = %g: a gown has 1 to 3", p->layers);
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  if (p->projective != 0) tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  tribo_scene_solver(scene)->projective_iterations = (int)p->iterations;
  tribo_scene_friction(scene)->mu = p->mu_self;
  tribo_status status = add_dancer(scene, p, err);
  for (int layer = 0; layer < (int)p->layers && status == TRIBO_OK; layer++)
    status = add_layer(scene, p, layer, err);
  if (status == TRIBO_OK) status = scenes_add_ramp(scene, "floor", 0, -3, 3, 3, err);
  return scenes_finish(scene, status, out);
}

/* The same scene with other defaults. */
tribo_status scene_gown(const scene_gown_params *p, tribo_scene **out, tribo_error *err) {
  scene_dress_params worn;
  _Static_assert(sizeof worn == sizeof *p, "dress and gown have the same options");
  memcpy(&worn, p, sizeof worn);
  return scene_dress(&worn, out, err);
}
