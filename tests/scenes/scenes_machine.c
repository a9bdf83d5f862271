/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stool on a ramp, and a belt drive.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

tribo_status scene_stool_chatter(const scene_stool_chatter_params *p, tribo_scene **out,
                                 tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  double angle = scenes_radians(p->angle);
  int n = (int)p->cells, leg = n / 8 > 0 ? n / 8 : 1;
  double cell = 0.4 / n;
  stool_form form = {.cells = n,
                     .seat_cells = n / 12 > 0 ? n / 12 : 1,
                     .leg_cells = leg,
                     .inset = 1,
                     .height_cells = (int)floor(0.46 / cell + 0.5),
                     .width = 0.4,
                     .seat = 0.035,
                     .height = 0.46,
                     .slant = 0.15};
  mesh stool = shape_stool(&form);
  shape_turn(&stool, 1, angle);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "stool";
  def.solid.density = 600;
  def.solid.young = p->young;
  def.object.velocity[0] = p->speed * cos(angle);
  def.object.velocity[2] = -p->speed * sin(angle);
  tribo_status status = scenes_add(scene, def, &stool, NULL, err);
  if (status == TRIBO_OK)
    status = scenes_add_ramp(scene, "ramp", angle, -2,
                             4 + p->speed * p->seconds + 0.85 * p->seconds * p->seconds, 2, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "stool", "ramp", p->mu, err);
  return scenes_finish(scene, status, out);
}

/* ---- belt drive -------------------------------------------------------------------------------
 */

/* The driver's axis is the y axis; the wheel's is `apart` towards +x. */
static const double DRIVER = 0.1, WHEEL = 0.3, HOLE = 0.15, APART = 0.7;
/* The belt keeps away from the rims of the wheel, whose sides would push the smooth surface out. */
static const double WHEEL_WIDTH = 0.26, BELT_WIDTH = 0.1;
static const double TIGHT = 0.5; /* s: when the belt is tight and the driver begins to turn */

/* The open belt around two circles whose radii are by `lift` larger, by arc length s from where it
 * leaves the wheel's upper side; counterclockwise seen along -y (x right, z up). Returns its
 * length. */
static double belt_point(double lift, double s, double x[2]) {
  double r = DRIVER + lift, q = WHEEL + lift;
  double lean = asin((q - r) / APART); /* of the straight parts against the x axis */
  double straight = APART * cos(lean);
  double around_driver = r * (PI - 2 * lean), around_wheel = q * (PI + 2 * lean);
  double whole = 2 * straight + around_driver + around_wheel;
  /* The normals of the upper and the lower straight part. */
  double up[2] = {-sin(lean), cos(lean)}, angle;
  if (s < straight) { /* above, from the wheel to the driver */
    double t = s / straight;
    x[0] = APART * (1 - t) + (q + t * (r - q)) * up[0];
    x[1] = (q + t * (r - q)) * up[1];
  } else if ((s -= straight) < around_driver) {
    angle = 0.5 * PI + lean + s / r;
    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
  } else if ((s -= around_driver) < straight) { /* below, from the driver to the wheel */
    double t = s / straight;
    x[0] = APART * t + (r + t * (q - r)) * up[0];
    x[1] = -(r + t * (q - r)) * up[1];
  } else {
    s -= straight;
    angle = 1.5 * PI - lean + s / q;
    x[0] = APART + q * cos(angle);
    x[1] = q * sin(angle);
  }
  return whole;
}

/* A loop of `along` x `across` squares. */
static mesh belt_mesh(int along, int across, double lift) {
  int side = across + 1;
  mesh m = shape_new((size_t)(along * side), (size_t)(2 * along * across), 0);
  if (!m.positions) return m;
  double place[2], length = belt_point(lift, 0, place);
  for (int i = 0, v = 0; i < along; i++)
    for (int j = 0; j <= across; j++, v++) {
      belt_point(lift, length * i / along, place);
      m.positions[3 * v] = place[0];
      m.positions[3 * v + 1] = BELT_WIDTH * ((double)j / across - 0.5);
      m.positions[3 * v + 2] = place[1];
    }
  int32_t *t = m.triangles;
  for (int i = 0; i < along; i++)
    for (int j = 0; j < across; j++, t += 6) { /* the front is outside the loop */
      int32_t a = i * side + j, b = a + 1, d = (i + 1) % along * side + j, c = d + 1;
      const int32_t even[6] = {a, b, c, a, c, d}, odd[6] = {a, b, d, b, c, d};
      memcpy(t, (i + j) % 2 ? odd : even, sizeof even);
    }
  return m;
}

/* How far the driver moves away to stretch the belt by `stretch`: the straight parts grow by that
 * much each, and little else changes. */
static double tightening(double stretch) {
  double place[2];
  return 0.5 * stretch * belt_point(0, 0, place);
}

/* Row-major transforms, one a frame. */
static double *driver_motion(const tribo_scene *scene, const scene_belt_drive_params *p,
                             size_t *samples) {
  const tribo_time_params *time = tribo_scene_time((tribo_scene *)scene);
  *samples = (size_t)(time->end - time->start) + 1;
  double *transforms = calloc(16 * *samples, sizeof *transforms);
  for (size_t s = 0; transforms && s < *samples; s++) {
    double t = (double)s / time->fps, *m = transforms + 16 * s;
    double turning = fmax(0, fmin(t, p->stop) - TIGHT);
    /* Against the clock seen along -y, as the belt runs: from z to x backwards. */
    double angle = -0.5 * p->acceleration * turning * turning;
    m[0] = m[10] = cos(angle);
    m[2] = sin(angle);
    m[8] = -sin(angle);
    m[5] = m[15] = 1;
    m[3] = -tightening(p->tighten) * scenes_ease(t, 0, 0.9 * TIGHT);
  }
  return transforms;
}

static tribo_status add_driver(tribo_scene *scene, const scene_belt_drive_params *p,
                               tribo_error *err) {
  mesh driver = shape_cylinder((int)p->driver_sides, DRIVER, WHEEL_WIDTH);
  shape_turn(&driver, 0, 0.5 * PI);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "driver";
  def.surface.contact = TRIBO_CONTACT_MLS;
  double *transforms = driver_motion(scene, p, &def.motion.sample_count);
  def.motion.transforms = transforms;
  def.motion.start = tribo_scene_time(scene)->start;
  def.motion.interval = 1;
  if (!transforms) mesh_free(&driver);
  tribo_status status = scenes_add(scene, def, &driver, NULL, err);
  free(transforms);
  return status;
}

static tribo_status add_wheel(tribo_scene *scene, const scene_belt_drive_params *p,
                              tribo_error *err) {
  mesh wheel = shape_tube((int)p->around, 3, 6, HOLE, WHEEL, WHEEL_WIDTH);
  shape_turn(&wheel, 0, 0.5 * PI);
  shape_move(&wheel, APART, 0, 0);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "wheel";
  def.solid.density = 250;
  def.solid.young = p->young;
  def.surface.contact = TRIBO_CONTACT_MLS;
  TRY(scenes_add(scene, def, &wheel, NULL, err));

  /* The axle fills the hole but for a hair, also where its smooth surface waves outwards. */
  double play = 0.01 * HOLE;
  mesh axle = shape_cylinder((int)p->driver_sides, HOLE - play, 1.5 * WHEEL_WIDTH);
  shape_turn(&axle, 0, 0.5 * PI);
  shape_move(&axle, APART, 0, 0);
  tribo_object_def still = tribo_object_default(TRIBO_COLLIDER);
  still.name = "axle";
  still.surface.contact = TRIBO_CONTACT_MLS;
  return scenes_add(scene, still, &axle, NULL, err);
}

static tribo_status add_belt(tribo_scene *scene, const scene_belt_drive_params *p,
                             tribo_error *err) {
  int along = (int)p->belt_cells;
  int across = (int)fmax(2, floor(BELT_WIDTH / 2.67 * along + 1.5));
  mesh belt = belt_mesh(along, across, 0.004 * WHEEL);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "belt";
  def.cloth.density = 1;
  def.cloth.stretch = p->stretch;
  def.cloth.shear = 0.3 * p->stretch;
  def.cloth.bend = 1e-3;
  def.cloth.damping_stiffness = 1e-3;
  def.surface.role = TRIBO_ROLE_POINTS;
  return scenes_add(scene, def, &belt, NULL, err);
}

tribo_status scene_belt_drive(const scene_belt_drive_params *p, tribo_scene **out,
                              tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  tribo_status status = add_belt(scene, p, err);
  if (status == TRIBO_OK) status = add_wheel(scene, p, err);
  if (status == TRIBO_OK) status = add_driver(scene, p, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "belt", "driver", p->mu_driver, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "belt", "wheel", p->mu, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "wheel", "axle", 0, err);
  return scenes_finish(scene, status, out);
}
