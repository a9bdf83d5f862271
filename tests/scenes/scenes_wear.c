/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tank top on a body that turns and leans.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_body.h"

/* The shoulders twist around the spine and lean sideways; the hips stay. */
static void body_path(const void *context, double seconds, const double start[3], double x[3]) {
  const scene_garment_params *p = context;
  const double hips = 0.12, shoulders = 0.45;
  double share = scenes_ease(start[2], hips, shoulders), rise = scenes_ease(seconds, 0.2, 1);
  double twist = share * rise * scenes_radians(p->twist) * sin(PI * (seconds - 0.2));
  double lean = share * rise * scenes_radians(p->lean) * sin(0.5 * PI * (seconds - 0.2));
  double u = cos(twist) * start[0] - sin(twist) * start[1];
  double v = sin(twist) * start[0] + cos(twist) * start[1];
  double w = start[2] - hips; /* leans around the hips */
  x[0] = cos(lean) * u + sin(lean) * w;
  x[1] = v;
  x[2] = hips - sin(lean) * u + cos(lean) * w;
}

void scene_garment_carries(const scene_garment_params *p, double seconds, const double start[3],
                           double x[3]) {
  body_path(p, seconds, start, x);
}

static int32_t *core_vertices(const mesh *m, double depth, size_t *count) {
  int32_t *found = malloc((m->vertex_count + 1) * sizeof *found);
  *count = 0;
  for (size_t v = 0; found && v < m->vertex_count; v++)
    if (body_field(NULL, m->positions + 3 * v) <= -depth) found[(*count)++] = (int32_t)v;
  return found;
}

static tribo_status add_body(tribo_scene *scene, const scene_garment_params *p, tribo_error *err) {
  const double interval = 4; /* frames between samples: the motion is slow */
  tribo_object_def def = tribo_object_default(p->soft != 0 ? TRIBO_SOLID : TRIBO_COLLIDER);
  def.name = "body";
  def.surface.contact = TRIBO_CONTACT_MLS;
  def.surface.thickness = p->thickness;
  if (p->soft == 0) {
    mesh skin = shape_body_skin(p->body_size);
    return scenes_add_led(scene, def, &skin, body_path, p, interval, err);
  }
  mesh body = shape_body(p->body_size);
  size_t count = 0;
  int32_t *core = core_vertices(&body, p->core, &count);
  def.solid.young = p->young;
  def.solid.poisson = 0.45;
  def.solid.damping_stiffness = 5e-3;
  def.surface.role = TRIBO_ROLE_SURFACE;
  return scenes_add_pinned(scene, def, &body, core, count, body_path, p, interval, err);
}

tribo_status scene_garment(const scene_garment_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  mesh top = shape_tank_top(p->cloth_size, p->gap);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "top";
  def.cloth.density = 0.3; /* a knit: straps of stiffer cloth stay in shape, and so in place */
  def.cloth.stretch = 100;
  def.cloth.shear = 30;
  def.cloth.bend = 2e-5;
  def.cloth.damping_stiffness = 2e-3;
  def.surface.role = TRIBO_ROLE_POINTS;
  tribo_status status = scenes_add(scene, def, &top, NULL, err);
  if (status == TRIBO_OK) status = add_body(scene, p, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "top", "body", p->mu, err);
  return scenes_finish(scene, status, out);
}
