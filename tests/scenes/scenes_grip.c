/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two finger tips and a glass.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_stuffed.h"
#include "scenes/shapes_turned.h"

/* A finger tip is a capsule from `tip` to `back`, with a bone inside. */
static const double FINGER = 0.009, BONE = 0.0042;
static const double GLASS = 0.04, GLASS_HEIGHT = 0.09, WALL = 0.003, BASE = 0.007;
static const double START = 0.002; /* between fingers and glass at the start */

typedef struct finger {
  double tip[3], back[3];
  double side; /* 1 or -1: where on the x axis it is */
  const scene_glass_pinch_params *p;
} finger;

/* Steep, tips down, leaning away from the glass, so that the pad beside the tip touches it. */
static finger finger_make(const scene_glass_pinch_params *p, double side) {
  const double length = 0.024, lean = 0.2, height = 0.062;
  double out = GLASS + START + FINGER;
  return (finger){.tip = {side * out, 0, height},
                  .back = {side * (out + length * sin(lean)), 0, height + length * cos(lean)},
                  .side = side,
                  .p = p};
}

static double finger_field(const void *context, const double x[3]) {
  const finger *f = context;
  return field_capsule(x, f->tip, f->back, FINGER);
}

/* Close until 0.25 s, lift from 0.35 to 0.7 s, then hold. */
static void finger_path(const void *context, double seconds, const double start[3], double x[3]) {
  const finger *f = context;
  double scale = f->p->seconds; /* the stages as parts of the whole, which is 1 s in the paper */
  x[0] = start[0] - f->side * (START + f->p->squeeze) * scenes_ease(seconds, 0, 0.25 * scale);
  x[1] = start[1];
  x[2] = start[2] + f->p->lift * scenes_ease(seconds, 0.35 * scale, 0.7 * scale);
}

/* Vertices within the bone, and those behind the back end: where the finger goes on. */
static int32_t *finger_bone(const finger *f, const mesh *m, size_t *count) {
  int32_t *found = malloc((m->vertex_count + 1) * sizeof *found);
  *count = 0;
  for (size_t v = 0; found && v < m->vertex_count; v++) {
    const double *x = m->positions + 3 * v;
    double behind = 0;
    for (int a = 0; a < 3; a++) behind += (x[a] - f->back[a]) * (f->back[a] - f->tip[a]);
    if (behind >= 0 || field_capsule(x, f->tip, f->back, BONE) <= 0) found[(*count)++] = (int32_t)v;
  }
  return found;
}

static tribo_status add_finger(tribo_scene *scene, const char *name,
                               const scene_glass_pinch_params *p, double side, tribo_error *err) {
  finger f = finger_make(p, side);
  double low[3], high[3], room = FINGER + 3 * p->size;
  for (int a = 0; a < 3; a++) {
    low[a] = fmin(f.tip[a], f.back[a]) - room;
    high[a] = fmax(f.tip[a], f.back[a]) + room;
  }
  mesh m = shape_stuffed(finger_field, &f, low, high, p->size);
  size_t count = 0;
  int32_t *bone = finger_bone(&f, &m, &count);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = name;
  def.material = "finger";
  def.solid.young = p->young;
  def.solid.poisson = 0.45;
  def.surface.contact = TRIBO_CONTACT_MLS;
  def.surface.role = TRIBO_ROLE_SURFACE;
  return scenes_add_pinned(scene, def, &m, bone, count, finger_path, &f, 1, err);
}

static tribo_status add_glass(tribo_scene *scene, const scene_glass_pinch_params *p,
                              tribo_error *err) {
  /* Outside from the middle of the foot up to the rim, and down again inside. */
  const turned_corner corners[] = {{0, 0},
                                   {GLASS - 0.003, 0},
                                   {GLASS, 0.003},
                                   {GLASS, GLASS_HEIGHT - 0.5 * WALL},
                                   {GLASS - 0.5 * WALL, GLASS_HEIGHT},
                                   {GLASS - WALL, GLASS_HEIGHT - 0.5 * WALL},
                                   {GLASS - WALL, BASE + 0.003},
                                   {GLASS - WALL - 0.003, BASE},
                                   {0, BASE}};
  mesh glass = shape_profile(corners, sizeof corners / sizeof *corners, p->step);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = "glass";
  def.rigid.density = 2500;
  def.surface.role = TRIBO_ROLE_POINTS;
  return scenes_add(scene, def, &glass, NULL, err);
}

tribo_status scene_glass_pinch(const scene_glass_pinch_params *p, tribo_scene **out,
                               tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  tribo_status status = add_finger(scene, "thumb", p, -1, err);
  if (status == TRIBO_OK) status = add_finger(scene, "index", p, 1, err);
  if (status == TRIBO_OK) status = add_glass(scene, p, err);
  if (status == TRIBO_OK) status = scenes_set_mu(scene, "finger", "glass", p->mu, err);
  if (status == TRIBO_OK && p->floor != 0) {
    status = scenes_add_ramp(scene, "floor", 0, -0.3, 0.3, 0.3, err);
    if (status == TRIBO_OK) status = scenes_set_mu(scene, "glass", "floor", 0.3, err);
  }
  return scenes_finish(scene, status, out);
}
