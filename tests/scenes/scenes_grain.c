/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What structure directions do to what rolls, slides, flows and brakes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

/* A capsule along y around the origin: a globe whose halves are moved apart. */
static mesh capsule_shape(int cells, double radius, double length) {
  mesh m = shape_globe(cells, radius);
  for (size_t v = 0; m.positions && v < m.vertex_count; v++) {
    double *y = m.positions + 3 * v + 1;
    if (fabs(*y) > 1e-9 * radius) *y += copysign(0.5 * length, *y);
  }
  return m;
}

/* A sheet in the plane of scenes_add_ramp, with UVs from corner to corner: u along +x, v along +y,
 * and a picture of its structure. Frees the picture. */
static tribo_status add_painted_ramp(tribo_scene *scene, double angle, double low, double high,
                                     double half, tribo_map_def map, float *pixels,
                                     tribo_error *err) {
  mesh sheet = shape_sheet(1, 1, high - low, 2 * half);
  if (!pixels) mesh_free(&sheet);
  if (sheet.positions) {
    shape_move(&sheet, low, -half, 0);
    shape_turn(&sheet, 1, angle);
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ground";
  def.surface.contact = TRIBO_CONTACT_PLANE;
  map.pixels = pixels;
  def.structure_map = map;
  tribo_status status = scenes_add(scene, def, &sheet, NULL, err);
  free(pixels);
  return status;
}

/* ---- rolling ----------------------------------------------------------------------------------
 */

/* A log across a plank, at y. */
typedef struct log_on_plank {
  const scene_rolling_params *p;
  const char *log, *plank;
  bool axial;
  double comb, y, half; /* the plank: its structure, degrees; its middle and half width, m */
  bool ends;            /* whether the plank does; a plane goes on */
} log_on_plank;

static tribo_status add_combed_log(tribo_scene *scene, const log_on_plank *l, tribo_error *err) {
  const scene_rolling_params *p = l->p;
  double angle = scenes_radians(p->angle);
  mesh log = capsule_shape((int)p->cells, p->radius, p->length);
  double *structure = malloc((3 * log.vertex_count + 1) * sizeof *structure);
  for (size_t v = 0; log.positions && structure && v < log.vertex_count; v++) {
    const double *x = log.positions + 3 * v;
    double *s = structure + 3 * v, around = hypot(x[0], x[2]);
    s[0] = l->axial || around == 0 ? 0 : x[2] / around;
    s[1] = l->axial;
    s[2] = l->axial || around == 0 ? 0 : -x[0] / around;
  }
  if (log.positions) shape_move(&log, p->radius * sin(angle), l->y, p->radius * cos(angle));
  if (!structure) mesh_free(&log);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = l->log;
  def.material = "log";
  def.surface.contact = TRIBO_CONTACT_CAPSULE;
  def.vertex_structure = structure;
  tribo_status status = scenes_add(scene, def, &log, NULL, err);
  free(structure);
  return status;
}

static tribo_status add_combed_plank(tribo_scene *scene, const log_on_plank *l, tribo_error *err) {
  double angle = scenes_radians(l->p->angle), comb = scenes_radians(l->comb);
  mesh sheet = shape_sheet(1, 1, 9, 2 * l->half);
  if (sheet.positions) {
    shape_move(&sheet, -1, l->y - l->half, 0);
    shape_turn(&sheet, 1, angle);
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = l->plank;
  def.material = "plank";
  def.surface.contact = l->ends ? TRIBO_CONTACT_MESH : TRIBO_CONTACT_PLANE;
  const double down[3] = {cos(comb) * cos(angle), sin(comb), -cos(comb) * sin(angle)};
  return scenes_add_combed(scene, def, &sheet, down, err);
}

static tribo_status make_rolling(const scene_rolling_params *p, const log_on_plank *each,
                                 size_t count, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.02, &scene, err));
  tribo_status status = TRIBO_OK;
  for (size_t k = 0; k < count && status == TRIBO_OK; k++)
    status = add_combed_log(scene, &each[k], err);
  for (size_t k = 0; k < count && status == TRIBO_OK; k++)
    status = add_combed_plank(scene, &each[k], err);
  if (status == TRIBO_OK)
    status = scenes_set_combed(scene, "log", "plank", p->mu, p->mu_along, p->mu_across, err);
  return scenes_finish(scene, status, out);
}

tribo_status scene_rolling(const scene_rolling_params *p, tribo_scene **out, tribo_error *err) {
  log_on_plank one = {p, "log", "plank", p->axial > 0, p->plank, 0, 1.5, false};
  return make_rolling(p, &one, 1, out, err);
}

tribo_status scene_cylinders(const scene_cylinders_params *c, tribo_scene **out, tribo_error *err) {
  scene_rolling_params p = scene_rolling_defaults();
  p.angle = c->angle, p.mu = c->mu, p.mu_along = c->mu_along, p.mu_across = c->mu_across;
  p.dt = c->dt, p.seconds = c->seconds;
  const log_on_plank four[4] = {
      {&p, "concentric", "aligned", false, 0, 0, 0.25, true},
      {&p, "concentric_oblique", "oblique", false, c->plank, 1, 0.25, true},
      {&p, "axial", "aligned_too", true, 0, 2, 0.25, true},
      {&p, "axial_oblique", "oblique_too", true, c->plank, 3, 0.25, true}};
  return make_rolling(&p, four, 4, out, err);
}

/* ---- a slope with a building ------------------------------------------------------------------
 */

/* Red and green of a direction in the picture, `angle` from u towards v. */
static void paint_direction(double angle, float *pixel) {
  pixel[0] = (float)(floor(255 * (0.5 + 0.5 * cos(angle)) + 0.5) / 255);
  pixel[1] = (float)(floor(255 * (0.5 + 0.5 * sin(angle)) + 0.5) / 255);
  pixel[2] = (float)(128.0 / 255);
}

/* The picture's left is the top of the slope. Spread: turned away from the middle line, between a
 * quarter and three quarters of the way down. Rows count from the top of the picture, v = 1. */
static float *paint_slope(const scene_log_slide_params *p, int n) {
  float *pixels = malloc((size_t)n * (size_t)n * 3 * sizeof *pixels);
  for (int row = 0; pixels && row < n; row++)
    for (int column = 0; column < n; column++) {
      double u = (column + 0.5) / n, side = row < n / 2 ? 1 : -1;
      double turn = u > 0.25 && u < 0.75 ? side * scenes_radians(p->spread) : 0;
      paint_direction(turn, pixels + 3 * (row * n + column));
    }
  return pixels;
}

/* Puts what lies in the plane z = 0 at (x, y) on the slope. */
static void lay_on_slope(mesh *m, double x, double y, double angle) {
  if (!m->positions) return;
  shape_move(m, x, y, 0);
  shape_turn(m, 1, angle);
}

/* A round log of the same girth, down the slope, on the plane z = 0. */
static mesh log_shape(void) {
  mesh log = capsule_shape(6, 0.08, 0.64);
  if (!log.positions) return log;
  shape_turn(&log, 2, 0.5 * PI);
  shape_move(&log, 0, 0, 0.08);
  return log;
}

static tribo_status add_logs(tribo_scene *scene, const scene_log_slide_params *p,
                             tribo_error *err) {
  for (int k = 0; k < (int)p->logs; k++) {
    bool round = p->round > 0;
    mesh log = round ? log_shape() : scenes_block_shape(1, 0.8, 0.16, 0.16);
    double y = 0.3 * (k - 0.5 * ((int)p->logs - 1));
    lay_on_slope(&log, 0.6 + (k % 2 ? 0.2 : 0), y, scenes_radians(p->angle));
    char name[32];
    snprintf(name, sizeof name, "log%02d", k);
    tribo_object_def def = tribo_object_default(TRIBO_RIGID);
    def.name = name;
    def.material = "wood";
    def.surface.contact = round ? TRIBO_CONTACT_CAPSULE : TRIBO_CONTACT_BOX;
    TRY(scenes_add(scene, def, &log, NULL, err));
  }
  return scenes_set_combed(scene, "wood", "ground", p->mu, p->mu_along, p->mu_across, err);
}

tribo_status scene_log_slide(const scene_log_slide_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.04, &scene, err));
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = add_logs(scene, p, err);
  double angle = scenes_radians(p->angle);
  int n = (int)p->pixels;
  tribo_map_def map = {.width = n, .height = n, .channels = 3};
  if (status == TRIBO_OK)
    status = add_painted_ramp(scene, angle, 0, 8, 4, map, paint_slope(p, n), err);
  mesh house = scenes_block_shape(1, 0.9, 1.4, 0.9);
  lay_on_slope(&house, 6.4, 0, angle);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "house";
  def.surface.contact = TRIBO_CONTACT_BOX;
  if (status == TRIBO_OK)
    status = scenes_add(scene, def, &house, NULL, err);
  else
    mesh_free(&house);
  return scenes_finish(scene, status, out);
}

/* ---- a funnel ---------------------------------------------------------------------------------
 */

/* A funnel with the hole at z = 0, its wall `thick` downwards: down the inside, and back along the
 * outside. An open sheet would take pills that leave by its hole for pills behind it. */
static mesh funnel_shape(double outlet, double top, double slope, double thick) {
  enum { AROUND = 48, INSIDE = 9, RINGS = INSIDE + 3 };
  turned_ring rings[RINGS];
  for (int k = 0; k < INSIDE; k++) {
    double radius = top + (outlet - top) * k / (INSIDE - 1);
    rings[k] = (turned_ring){radius, (radius - outlet) * tan(slope), AROUND, 0};
  }
  rings[INSIDE] = (turned_ring){outlet, -thick, AROUND, 0};
  rings[INSIDE + 1] = (turned_ring){top, rings[0].z - thick, AROUND, 0};
  rings[INSIDE + 2] = rings[0];
  return shape_turned(rings, RINGS);
}

static tribo_status add_funnel(tribo_scene *scene, const scene_hopper_params *p, double top,
                               tribo_error *err) {
  double slope = scenes_radians(p->slope);
  mesh wall = funnel_shape(p->outlet, top, slope, p->radius);
  double *structure = malloc((3 * wall.vertex_count + 1) * sizeof *structure);
  for (size_t v = 0; wall.positions && structure && v < wall.vertex_count; v++) {
    const double *x = wall.positions + 3 * v;
    double r = hypot(x[0], x[1]), *s = structure + 3 * v;
    s[0] = p->down > 0 ? cos(slope) * x[0] / r : -x[1] / r;
    s[1] = p->down > 0 ? cos(slope) * x[1] / r : x[0] / r;
    s[2] = p->down > 0 ? sin(slope) : 0;
  }
  if (!structure) mesh_free(&wall);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "funnel";
  def.surface.contact = TRIBO_CONTACT_MESH;
  def.vertex_structure = structure;
  tribo_status status = scenes_add(scene, def, &wall, NULL, err);
  free(structure);
  return status;
}

/* Pills in layers of six, each layer turned against the last. */
static tribo_status add_pills(tribo_scene *scene, const scene_hopper_params *p, tribo_error *err) {
  double slope = scenes_radians(p->slope), ring = p->outlet + p->length + 2 * p->radius;
  for (int k = 0; k < (int)p->pills; k++) {
    mesh pill = capsule_shape(4, p->radius, p->length);
    int layer = k / 6;
    double turn = (k % 6 + 0.5 * (layer % 2)) * PI / 3;
    double height = (ring - p->outlet) * tan(slope) + p->radius / cos(slope) + 0.008;
    if (pill.positions) {
      shape_turn(&pill, 0, 0.3 * (k % 3 - 1));
      shape_move(&pill, ring, 0, height + 0.005 * (k % 2) + layer * 2.6 * p->radius);
      shape_turn(&pill, 2, turn);
    }
    char name[32];
    snprintf(name, sizeof name, "pill%02d", k);
    tribo_object_def def = tribo_object_default(TRIBO_RIGID);
    def.name = name;
    def.material = "pill";
    def.surface.contact = TRIBO_CONTACT_CAPSULE;
    TRY(scenes_add(scene, def, &pill, NULL, err));
  }
  return TRIBO_OK;
}

tribo_status scene_hopper(const scene_hopper_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.04, &scene, err));
  tribo_scene_friction(scene)->mu = p->mu;
  tribo_status status = add_pills(scene, p, err);
  double top = p->outlet + 5 * p->length;
  if (status == TRIBO_OK) status = add_funnel(scene, p, top, err);
  if (status == TRIBO_OK)
    status = scenes_set_combed(scene, "pill", "funnel", p->mu, p->mu_along, p->mu_across, err);
  return scenes_finish(scene, status, out);
}

/* ---- a vehicle --------------------------------------------------------------------------------
 */

/* Boxes side by side in one mesh: `at` has the middle of the bottom and the size of each. */
static mesh boxes_shape(const double (*at)[6], size_t count) {
  mesh all = shape_new(8 * count, 12 * count, 0);
  for (size_t k = 0; all.positions && k < count; k++) {
    mesh box = scenes_block_shape(1, at[k][3], at[k][4], at[k][5]);
    if (!box.positions) {
      mesh_free(&all);
      return all;
    }
    shape_move(&box, at[k][0], at[k][1], at[k][2]);
    memcpy(all.positions + 24 * k, box.positions, 24 * sizeof *box.positions);
    for (size_t i = 0; i < 36; i++) all.triangles[36 * k + i] = box.triangles[i] + (int32_t)(8 * k);
    mesh_free(&box);
  }
  return all;
}

/* 4 m x 1.8 m; the wheels touch the ground, the body of the vehicle is above them. */
static tribo_status add_vehicle(tribo_scene *scene, const scene_skid_params *p, tribo_error *err) {
  static const double parts[6][6] = {
      {0, 0, 0.51, 4, 1.6, 0.5},        {-0.3, 0, 1.02, 2, 1.4, 0.5},
      {1.3, -0.75, 0, 0.6, 0.25, 0.5},  {1.3, 0.75, 0, 0.6, 0.25, 0.5},
      {-1.3, -0.75, 0, 0.6, 0.25, 0.5}, {-1.3, 0.75, 0, 0.6, 0.25, 0.5}};
  mesh car = boxes_shape(parts, 6);
  if (car.positions) shape_move(&car, p->start, 0, 0);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = "vehicle";
  def.rigid.density = 300;
  def.surface.contact = TRIBO_CONTACT_MESH;
  def.object.velocity[0] = p->speed;
  return scenes_add(scene, def, &car, NULL, err);
}

tribo_status scene_skid(const scene_skid_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start_pile(p->dt, p->seconds, 0.04, &scene, err));
  tribo_status status = add_vehicle(scene, p, err);
  enum { PIXELS = 256 };
  const double low = -10, high = 70;
  float *pixels = malloc(PIXELS * 3 * sizeof *pixels);
  for (int column = 0; pixels && column < PIXELS; column++) {
    double x = low + (high - low) * (column + 0.5) / PIXELS;
    double turn = p->wave > 0 ? sin(2 * PI * x / p->wave) : 1;
    paint_direction(x > 0 ? turn * scenes_radians(p->turned) : 0, pixels + 3 * column);
  }
  tribo_map_def map = {.width = PIXELS, .height = 1, .channels = 3};
  if (status == TRIBO_OK)
    status = add_painted_ramp(scene, 0, low, high, 12, map, pixels, err);
  else
    free(pixels);
  if (status == TRIBO_OK)
    status =
        scenes_set_combed(scene, "vehicle", "ground", p->mu_across, p->mu_along, p->mu_across, err);
  return scenes_finish(scene, status, out);
}

/* ---- fingertips -------------------------------------------------------------------------------
 */

static const double GEL_LENGTH = 0.4, GEL_WIDTH = 0.2, GEL_HEIGHT = 0.1, FINGERTIP = 0.05;

/* One presses down from above; two press from the sides. */
typedef struct fingertip {
  const scene_stroke_params *p;
  const char *name;
  double inwards[3];
} fingertip;

static void stroke_path(const void *context, double seconds, const double start[3], double x[3]) {
  const fingertip *f = context;
  const double pressed = 0.2; /* s: then they have pressed, and the stroke begins */
  for (int a = 0; a < 3; a++)
    x[a] = start[a] + f->inwards[a] * f->p->press * scenes_ease(seconds, 0, pressed);
  x[0] += f->p->speed * fmax(0, seconds - pressed);
}

static tribo_status add_gel(tribo_scene *scene, const scene_stroke_params *p, tribo_error *err) {
  int n = (int)p->cells;
  mesh gel = shape_brick(n, n / 2, n / 4, GEL_LENGTH, GEL_WIDTH, GEL_HEIGHT);
  if (gel.positions) shape_move(&gel, -0.5 * GEL_LENGTH, -0.5 * GEL_WIDTH, 0);
  size_t count = 0;
  int32_t *bottom = gel.positions ? scenes_between(&gel, 2, -1e-9, 1e-9, &count) : NULL;
  double a = scenes_radians(p->angle);
  double *structure = malloc((3 * gel.vertex_count + 1) * sizeof *structure);
  for (size_t v = 0; structure && v < gel.vertex_count; v++) {
    structure[3 * v] = cos(a);
    structure[3 * v + 1] = p->fingers > 1 ? 0 : sin(a);
    structure[3 * v + 2] = p->fingers > 1 ? sin(a) : 0; /* across the stroke on the sides */
  }
  if (!structure) mesh_free(&gel);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "gel";
  def.solid.young = p->young;
  def.vertex_structure = structure;
  tribo_status status = scenes_add_pinned(scene, def, &gel, bottom, count, NULL, NULL, 1, err);
  free(structure);
  return status;
}

static tribo_status add_fingertip(tribo_scene *scene, const fingertip *f, tribo_error *err) {
  const double away = FINGERTIP + 0.001, *in = f->inwards;
  mesh tip = shape_globe(8, FINGERTIP);
  if (tip.positions)
    shape_move(&tip, -0.1, -in[1] * (0.5 * GEL_WIDTH + away),
               in[2] != 0 ? GEL_HEIGHT + away : 0.65 * GEL_HEIGHT);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = f->name;
  def.material = "finger";
  def.surface.contact = TRIBO_CONTACT_MLS;
  return scenes_add_led(scene, def, &tip, stroke_path, f, 1, err);
}

tribo_status scene_stroke(const scene_stroke_params *p, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(scenes_start(p->dt, p->seconds, &scene, err));
  const fingertip one = {p, "finger", {0, 0, -1}}, thumb = {p, "thumb", {0, 1, 0}},
                  index = {p, "index", {0, -1, 0}};
  tribo_status status = add_gel(scene, p, err);
  if (status == TRIBO_OK) status = add_fingertip(scene, p->fingers > 1 ? &thumb : &one, err);
  if (status == TRIBO_OK && p->fingers > 1) status = add_fingertip(scene, &index, err);
  if (status == TRIBO_OK)
    status =
        scenes_set_combed(scene, "gel", "finger", p->mu_across, p->mu_along, p->mu_across, err);
  return scenes_finish(scene, status, out);
}
