/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Twelve ordinary scenes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "math/vec3.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

/* ---- parts ------------------------------------------------------------------------------------
 */

/* Method, substeps and thickness are those of quality Good, as for somebody who sets nothing. */
static tribo_status begin(double seconds, tribo_scene **out, tribo_error *err) {
  TRY(tribo_scene_create(out, err));
  tribo_status status = tribo_scene_set(*out, "quality", "good", err);
  if (status != TRIBO_OK) return scenes_finish(*out, status, out);
  tribo_time_params *time = tribo_scene_time(*out);
  time->end = time->start + (int)floor(seconds * time->fps + 0.5);
  return TRIBO_OK;
}

static tribo_status add(tribo_scene *scene, tribo_kind kind, const char *name, mesh m,
                        tribo_error *err) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = name;
  return scenes_add(scene, def, &m, NULL, err);
}

static tribo_status begin_on_floor(double seconds, tribo_scene **out, tribo_error *err) {
  TRY(begin(seconds, out, err));
  mesh floor = shape_sheet(1, 1, 8, 8);
  shape_move(&floor, -4, -4, 0);
  tribo_status status = add(*out, TRIBO_COLLIDER, "Floor", floor, err);
  return status == TRIBO_OK ? status : scenes_finish(*out, status, out);
}

/* A square around the axis at a height. */
static mesh square(double cells, double size, double height) {
  mesh m = shape_sheet((int)cells, (int)cells, size, size);
  shape_move(&m, -size / 2, -size / 2, height);
  return m;
}

static mesh box(double x, double y, double z, const double size[3]) {
  mesh block = shape_block(1, 1, 1, size[0], size[1], size[2]), skin = shape_skin(&block);
  mesh_free(&block);
  shape_move(&skin, x, y, z);
  return skin;
}

static mesh moved(mesh m, double x, double y, double z) {
  shape_move(&m, x, y, z);
  return m;
}

/* A globe of about that many triangles. */
static mesh globe(double triangles, double radius) {
  return shape_globe((int)fmax(1, floor(sqrt(triangles / 12) + 0.5)), radius);
}

/* ---- still things -----------------------------------------------------------------------------
 */

tribo_status scene_table(const scene_table_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  tribo_status status =
      add(s, TRIBO_COLLIDER, "Leg", moved(shape_cylinder(12, 0.05, 0.66), 0, 0, 0.33), err);
  if (status == TRIBO_OK)
    status = add(s, TRIBO_COLLIDER, "Top", moved(shape_cylinder(48, 0.5, 0.05), 0, 0, 0.7), err);
  if (status == TRIBO_OK) status = add(s, TRIBO_CLOTH, "Cloth", square(p->cells, 1.5, 0.76), err);
  return scenes_finish(s, status, out);
}

/* A bump of the head: around a direction, so wide (radians) and high (parts of the radius). */
typedef struct bump {
  double at[3], wide, high;
} bump;

static const bump BUMPS[] = {{{0, -1, 0.1}, 0.22, 0.32},       {{1, 0, 0.15}, 0.2, 0.3},
                             {{-1, 0, 0.15}, 0.2, 0.3},        {{0, -0.85, -0.6}, 0.3, 0.2},
                             {{0.35, -0.9, 0.45}, 0.25, 0.12}, {{-0.35, -0.9, 0.45}, 0.25, 0.12},
                             {{0, 0.6, 0.8}, 0.5, 0.15},       {{0.4, -0.4, 0.9}, 0.15, 0.2},
                             {{-0.4, -0.4, 0.9}, 0.15, 0.2}};

/* A head with a nose, ears, a chin, brows and horns. */
static mesh lumpy_head(double triangles, double radius) {
  mesh m = globe(triangles, radius);
  for (size_t v = 0; m.positions && v < m.vertex_count; v++) {
    vec3 x = vec3_from(m.positions + 3 * v), n = vec3_normalized(x);
    double grow = 1;
    for (size_t b = 0; b < sizeof BUMPS / sizeof *BUMPS; b++) {
      double cosine = vec3_dot(n, vec3_normalized(vec3_from(BUMPS[b].at)));
      double angle = acos(fmin(1, fmax(-1, cosine))) / BUMPS[b].wide;
      grow += BUMPS[b].high * exp(-angle * angle);
    }
    x = vec3_scale(grow, x);
    memcpy(m.positions + 3 * v, &x, sizeof x);
  }
  return m;
}

tribo_status scene_head(const scene_head_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  mesh head = moved(lumpy_head(p->triangles, 0.25), 0, 0, 0.5);
  tribo_status status = add(s, TRIBO_COLLIDER, "Head", head, err);
  if (status == TRIBO_OK) status = add(s, TRIBO_CLOTH, "Cloth", square(p->cells, 1.1, 0.83), err);
  return scenes_finish(s, status, out);
}

tribo_status scene_edge_first(const scene_edge_first_params *p, tribo_scene **out,
                              tribo_error *err) {
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  mesh sheet = shape_sheet((int)p->cells, (int)p->cells, 1, 1);
  shape_turn(&sheet, 0, 1.5);
  return scenes_finish(s, add(s, TRIBO_CLOTH, "Cloth", moved(sheet, -0.5, 0, 0.05), err), out);
}

tribo_status scene_coarse_cube(const scene_coarse_cube_params *p, tribo_scene **out,
                               tribo_error *err) {
  static const double size[3] = {0.4, 0.4, 0.4};
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  tribo_status status = add(s, TRIBO_COLLIDER, "Cube", box(-0.25, -0.2, 0, size), err);
  if (status == TRIBO_OK) status = add(s, TRIBO_CLOTH, "Cloth", square(p->cells, 1.2, 0.43), err);
  return scenes_finish(s, status, out);
}

tribo_status scene_two_sheets(const scene_two_sheets_params *p, tribo_scene **out,
                              tribo_error *err) {
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  double cells = floor(p->cells / sqrt(2) + 0.5);
  mesh upper = square(cells, 1, 0);
  shape_turn(&upper, 2, 0.4);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "Upper";
  def.cloth.stretch *= 5;
  def.cloth.shear *= 5;
  def.cloth.bend *= 10;
  shape_move(&upper, 0.02, 0.03, 0.88);
  mesh ball = moved(globe(p->triangles, 0.3), 0, 0, 0.5);
  tribo_status status = add(s, TRIBO_COLLIDER, "Ball", ball, err);
  if (status == TRIBO_OK) status = add(s, TRIBO_CLOTH, "Lower", square(cells, 1, 0.83), err);
  if (status == TRIBO_OK)
    status = scenes_add(s, def, &upper, NULL, err);
  else
    mesh_free(&upper);
  return scenes_finish(s, status, out);
}

tribo_status scene_jellies(const scene_jellies_params *p, tribo_scene **out, tribo_error *err) {
  static const char *const NAMES[] = {"Jelly 1", "Jelly 2", "Jelly 3"};
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  int cells = (int)fmax(2, p->cells / 5);
  tribo_status status = TRIBO_OK;
  for (int k = 0; k < 3 && status == TRIBO_OK; k++) {
    mesh cube = shape_block(cells, cells, cells, 0.2, 0.2, 0.2);
    shape_move(&cube, -0.1, -0.1, 0);
    shape_turn(&cube, 2, 0.25 * k);
    shape_move(&cube, 0.02 * (k % 2), 0, 0.01 + 0.22 * k);
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = NAMES[k];
    def.solid.young = 3e5; /* Pa: less would hardly bear the two above */
    status = scenes_add(s, def, &cube, NULL, err);
  }
  return scenes_finish(s, status, out);
}

tribo_status scene_bars(const scene_bars_params *p, tribo_scene **out, tribo_error *err) {
  static const char *const NAMES[] = {"Bar 1", "Bar 2", "Bar 3", "Bar 4", "Bar 5"};
  static const double size[3] = {0.004, 1.2, 0.004};
  static const turned_corner SPIKE[] = {{0, 0}, {0.02, 0}, {0, 0.5}};
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  tribo_status status = TRIBO_OK;
  for (int k = 0; k < 5 && status == TRIBO_OK; k++)
    status = add(s, TRIBO_COLLIDER, NAMES[k], box(-0.42 + 0.2 * k, -0.6, 0.45, size), err);
  if (status == TRIBO_OK)
    status =
        add(s, TRIBO_COLLIDER, "Spike", moved(shape_profile(SPIKE, 3, 0.03), 0.1, 0.1, 0), err);
  if (status == TRIBO_OK) status = add(s, TRIBO_CLOTH, "Cloth", square(p->cells, 1, 0.52), err);
  return scenes_finish(s, status, out);
}

/* ---- moving things ----------------------------------------------------------------------------
 */

/* A pendulum across the curtain: 1.6 s there and back. */
static void swinging(const void *context, double seconds, const double start[3], double x[3]) {
  (void)context;
  double angle = 0.7 * cos(2 * PI * seconds / 1.6), length = 1.2;
  x[0] = start[0];
  x[1] = start[1] + length * sin(angle);
  x[2] = start[2] + length * (1 - cos(angle));
}

tribo_status scene_curtain(const scene_curtain_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  mesh sheet = square(p->cells, 1.2, 0), ball = moved(globe(p->triangles / 3, 0.18), 0, 0, 0.55);
  shape_turn(&sheet, 0, PI / 2);
  shape_move(&sheet, 0, 0, 0.8);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  tribo_object_def led = tribo_object_default(TRIBO_COLLIDER);
  cloth.name = "Curtain", led.name = "Ball";
  size_t count;
  int32_t *top = scenes_between(&sheet, 2, 1.4 - 1e-6, 2, &count);
  tribo_status status = scenes_add_pinned(s, cloth, &sheet, top, count, NULL, NULL, 1, err);
  if (status == TRIBO_OK)
    status = scenes_add_led(s, led, &ball, swinging, NULL, 1, err);
  else
    mesh_free(&ball);
  return scenes_finish(s, status, out);
}

/* A leg swings from the hip, 0.95 m up, by 30 degrees to both sides; it stands for the first tenth
 * of a second. */
static void walking(const void *context, double seconds, const double start[3], double x[3]) {
  const double *side = context, hip = 0.95;
  double angle = *side * 0.5 * scenes_ease(seconds, 0, 0.3) * sin(2 * PI * seconds / 1.2);
  x[0] = start[0];
  x[1] = cos(angle) * start[1] - sin(angle) * (start[2] - hip);
  x[2] = hip + sin(angle) * start[1] + cos(angle) * (start[2] - hip);
}

/* A capsule along z from `low` to `high`, the centres of its caps. */
static mesh capsule(double radius, double low, double high, double step) {
  enum { ARC = 6 };
  turned_corner c[2 * ARC + 2];
  for (int k = 0; k <= ARC; k++) {
    double angle = 0.5 * PI * k / ARC, r = k ? radius * sin(angle) : 0;
    c[k] = (turned_corner){r, low - radius * cos(angle)};
    c[2 * ARC + 1 - k] = (turned_corner){r, high + radius * cos(angle)};
  }
  return shape_profile(c, 2 * ARC + 2, step);
}

tribo_status scene_skirt(const scene_skirt_params *p, tribo_scene **out, tribo_error *err) {
  static const turned_corner CUT[] = {{0.15, 1.02}, {0.42, 0.5}};
  static const double sides[2] = {1, -1};
  static const char *const NAMES[] = {"Left", "Right"};
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  mesh hips = capsule(0.125, 0.95, 1.2, 0.05), skirt = shape_profile(CUT, 2, 1.05 / p->cells);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.name = "Skirt";
  size_t count;
  int32_t *waist = scenes_between(&skirt, 2, 1.02 - 1e-6, 2, &count);
  tribo_status status = scenes_add_pinned(s, cloth, &skirt, waist, count, NULL, NULL, 1, err);
  if (status == TRIBO_OK)
    status = add(s, TRIBO_COLLIDER, "Hips", hips, err);
  else
    mesh_free(&hips);
  for (int k = 0; k < 2 && status == TRIBO_OK; k++) {
    tribo_object_def leg = tribo_object_default(TRIBO_COLLIDER);
    leg.name = NAMES[k];
    mesh shape = moved(capsule(0.065, 0.15, 0.93, 0.05), 0.055 * sides[k], 0, 0);
    status = scenes_add_led(s, leg, &shape, walking, &sides[k], 1, err);
  }
  return scenes_finish(s, status, out);
}

/* The arm runs along x and bends upwards between 0.22 and 0.38 m, in an arc; within 0.2 to 1.4 s.
 */
static void bending(const void *context, double seconds, const double start[3], double x[3]) {
  (void)context;
  const double elbow = 0.22, length = 0.16, shoulder = 0.8;
  double angle = scenes_radians(120) * scenes_ease(seconds, 0.2, 1.4), rise = start[2] - shoulder;
  double s = fmin(fmax(start[0] - elbow, 0), length), turn = angle * s / length;
  double along = start[0] < elbow ? start[0] - elbow : start[0] - elbow - s;
  double radius = angle > 1e-9 ? length / angle : 0;
  double cx = angle > 1e-9 ? radius * sin(turn) : s,
         cz = angle > 1e-9 ? radius * (1 - cos(turn)) : 0;
  x[0] = elbow + cx + cos(turn) * along - sin(turn) * rise;
  x[1] = start[1];
  x[2] = shoulder + cz + sin(turn) * along + cos(turn) * rise;
}

tribo_status scene_sleeve(const scene_sleeve_params *p, tribo_scene **out, tribo_error *err) {
  static const turned_corner CUT[] = {{0.075, 0.05}, {0.065, 0.55}};
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  mesh arm = capsule(0.045, 0, 0.66, 0.02), sleeve = shape_profile(CUT, 2, 0.44 / p->cells);
  shape_turn(&arm, 1, PI / 2);
  shape_turn(&sleeve, 1, PI / 2);
  shape_move(&arm, 0, 0, 0.8);
  shape_move(&sleeve, 0, 0, 0.8);
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  tribo_object_def led = tribo_object_default(TRIBO_COLLIDER);
  cloth.name = "Sleeve", led.name = "Arm";
  size_t count;
  int32_t *held = scenes_between(&sleeve, 0, 0, 0.05 + 1e-6, &count);
  tribo_status status = scenes_add_pinned(s, cloth, &sleeve, held, count, NULL, NULL, 1, err);
  if (status == TRIBO_OK)
    status = scenes_add_led(s, led, &arm, bending, NULL, 1, err);
  else
    mesh_free(&arm);
  return scenes_finish(s, status, out);
}

/* Down by 0.1 m within a second, and up again. */
static void pressing(const void *context, double seconds, const double start[3], double x[3]) {
  (void)context;
  memcpy(x, start, 3 * sizeof *x);
  x[2] -= 0.1 * (scenes_ease(seconds, 0.1, 1) - scenes_ease(seconds, 1.2, 2));
}

tribo_status scene_squashed_ball(const scene_squashed_ball_params *p, tribo_scene **out,
                                 tribo_error *err) {
  static const double size[3] = {0.6, 0.6, 0.04};
  tribo_scene *s;
  TRY(begin_on_floor(p->seconds, &s, err));
  int cells = (int)fmax(2, p->cells / 5);
  mesh ball = moved(shape_ball(cells, (cells + 1) / 2, 0.15), 0, 0, 0.155);
  mesh plate = box(-0.3, -0.3, 0.31, size);
  tribo_object_def led = tribo_object_default(TRIBO_COLLIDER);
  led.name = "Plate";
  tribo_status status = add(s, TRIBO_SOLID, "Ball", ball, err);
  if (status == TRIBO_OK)
    status = scenes_add_led(s, led, &plate, pressing, NULL, 1, err);
  else
    mesh_free(&plate);
  return scenes_finish(s, status, out);
}

tribo_status scene_flag_on_pole(const scene_flag_on_pole_params *p, tribo_scene **out,
                                tribo_error *err) {
  tribo_scene *s;
  TRY(begin(p->seconds, &s, err));
  mesh pole = moved(shape_cylinder(12, 0.03, 2), 0, 0, 1);
  mesh flag = shape_sheet((int)p->cells, (int)(0.7 * p->cells), 1, 0.7);
  shape_turn(&flag, 0, PI / 2);
  shape_move(&flag, 0.035, 0, 1.25);
  memcpy(tribo_scene_world(s)->wind, (double[]){7, 2, 0}, 3 * sizeof(double));
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.name = "Flag";
  cloth.object.drag = 1.2;
  size_t count;
  int32_t *held = scenes_between(&flag, 0, 0, 0.035 + 1e-6, &count);
  tribo_status status = scenes_add_pinned(s, cloth, &flag, held, count, NULL, NULL, 1, err);
  if (status == TRIBO_OK)
    status = add(s, TRIBO_COLLIDER, "Pole", pole, err);
  else
    mesh_free(&pole);
  return scenes_finish(s, status, out);
}
