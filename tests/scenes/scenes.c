/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "scenes/scenes_parts.h"

tribo_status scenes_add(tribo_scene *scene, tribo_object_def def, mesh *m, size_t *index,
                        tribo_error *err) {
  def.positions = m->positions;
  def.vertex_count = m->vertex_count;
  def.triangles = m->triangles;
  def.triangle_count = m->triangle_count;
  def.uvs = m->uvs;
  def.tets = m->tets;
  def.tet_count = m->tet_count;
  tribo_status status =
      m->positions ? tribo_scene_add(scene, &def, index, err) : status_no_memory(err, "a mesh");
  mesh_free(m);
  return status;
}

/* ---- pins -------------------------------------------------------------------------------------
 */

/* Adds the object with the vertices in a slab held where they are. */
static tribo_status add_held(tribo_scene *scene, tribo_object_def def, mesh *m, int axis,
                             double low, double high, tribo_error *err) {
  size_t count = 0;
  int32_t *vertices = m->positions ? scenes_between(m, axis, low, high, &count) : NULL;
  tribo_pin_def pin = {.vertices = vertices, .vertex_count = count, .params = tribo_pin_defaults()};
  def.pins = &pin;
  def.pin_count = 1;
  tribo_status status = scenes_add(scene, def, m, NULL, err);
  free(vertices);
  return status;
}

/* ---- recipes ----------------------------------------------------------------------------------
 */

tribo_status scene_hanging_cloth(int resolution, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(tribo_scene_create(&scene, err));
  mesh sheet = shape_sheet(resolution, resolution, 1, 1);
  int32_t corners[2] = {resolution * (resolution + 1), resolution * (resolution + 1) + resolution};
  tribo_pin_def pin = {.vertices = corners, .vertex_count = 2, .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.pins = &pin;
  def.pin_count = 1;
  def.cloth.damping_stiffness = 1e-3;
  tribo_scene_time(scene)->end = 24;
  return scenes_finish(scene, scenes_add(scene, def, &sheet, NULL, err), out);
}

/* A bar of 1 x 0.1 x 0.1 m, clamped at the end with the lower x. */
static tribo_status add_bar(tribo_scene *scene, const char *name, int resolution, double young,
                            const double at[3], tribo_error *err) {
  mesh bar = shape_block(10 * resolution, resolution, resolution, 1, 0.1, 0.1);
  if (bar.positions) shape_move(&bar, at[0], at[1], at[2]);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = name;
  def.solid.young = young;
  def.solid.damping_mass = 0.5;
  def.solid.damping_stiffness = 1e-2;
  return add_held(scene, def, &bar, 0, at[0] - 1e-9, at[0] + 1e-9, err);
}

tribo_status scene_cantilever(int resolution, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(tribo_scene_create(&scene, err));
  return scenes_finish(scene, add_bar(scene, "bar", resolution, 1e6, (double[3]){0, 0, 0}, err),
                       out);
}

enum { SWING_SAMPLES = 49 };

tribo_status scene_swinging_cube(int resolution, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(tribo_scene_create(&scene, err));
  tribo_scene_time(scene)->end = 48;
  mesh cube = shape_block(resolution, resolution, resolution, 0.4, 0.4, 0.4);
  size_t count = 0;
  int32_t *top = cube.positions ? scenes_between(&cube, 2, 0.4 - 1e-9, 0.4 + 1e-9, &count) : NULL;
  double *targets = top ? malloc(3 * SWING_SAMPLES * count * sizeof *targets) : NULL;
  if (!targets) {
    free(top);
    mesh_free(&cube);
    return scenes_finish(scene, status_no_memory(err, "a mesh"), out);
  }
  for (size_t s = 0, k = 0; s < SWING_SAMPLES; s++)
    for (size_t i = 0; i < count; i++, k += 3) {
      memcpy(targets + k, cube.positions + 3 * top[i], 3 * sizeof *targets);
      targets[k] += 0.1 * sin(2 * 3.14159265358979323846 * (double)s / 24);
    }
  tribo_pin_def pin = {.vertices = top,
                       .vertex_count = count,
                       .targets = targets,
                       .target_count = SWING_SAMPLES,
                       .target_start = 1,
                       .target_interval = 1,
                       .params = tribo_pin_defaults()};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "cube";
  def.pins = &pin;
  def.pin_count = 1;
  def.solid.young = 2e4;
  def.solid.damping_stiffness = 5e-3;
  tribo_status status = scenes_add(scene, def, &cube, NULL, err);
  free(top);
  free(targets);
  return scenes_finish(scene, status, out);
}

static tribo_status add_flag(tribo_scene *scene, int resolution, tribo_error *err) {
  mesh flag = shape_sheet(3 * resolution / 2, resolution, 1.5, 1);
  /* Stand it up: x stays, y becomes height. */
  for (size_t v = 0; flag.positions && v < flag.vertex_count; v++) {
    flag.positions[3 * v + 2] = flag.positions[3 * v + 1];
    flag.positions[3 * v + 1] = 0;
  }
  if (flag.positions) shape_move(&flag, 0, 0, 0.6);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "flag";
  def.object.drag = 1.2;
  def.cloth.density = 0.15;
  def.cloth.bend = 2e-4;
  def.cloth.damping_stiffness = 2e-3;
  return add_held(scene, def, &flag, 0, -1e-9, 1e-9, err);
}

static void blow(tribo_scene *scene) {
  tribo_world_params *world = tribo_scene_world(scene);
  world->wind[0] = 6;
  world->wind[1] = 2.5;
}

tribo_status scene_flag(int resolution, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(tribo_scene_create(&scene, err));
  blow(scene);
  tribo_scene_time(scene)->end = 72;
  return scenes_finish(scene, add_flag(scene, resolution, err), out);
}

/* A ring that hangs in the plane y = 0 from its topmost part. */
static tribo_status add_ring(tribo_scene *scene, const double centre[3], tribo_error *err) {
  const double radius = 0.27, thickness = 0.12;
  mesh ring = shape_ring(48, 3, radius, thickness);
  for (size_t v = 0; ring.positions && v < ring.vertex_count; v++) {
    double *x = ring.positions + 3 * v, y = x[1]; /* stand it up: (x, y, z) -> (x, -z, y) */
    x[1] = -x[2];
    x[2] = y;
  }
  if (ring.positions) shape_move(&ring, centre[0], centre[1], centre[2]);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "ring";
  def.solid.young = 4e4;
  def.solid.poisson = 0.45;
  def.solid.damping_stiffness = 5e-3;
  double top = centre[2] + radius;
  return add_held(scene, def, &ring, 2, top, top + thickness, err);
}

tribo_status scene_wind(int resolution, tribo_scene **out, tribo_error *err) {
  tribo_scene *scene;
  TRY(tribo_scene_create(&scene, err));
  blow(scene);
  tribo_scene_time(scene)->end = 72;
  tribo_status status = add_flag(scene, resolution, err);
  /* Softer ones lower, so that each has room to bend. */
  static const struct {
    const char *name;
    double young, z;
  } bars[] = {{"hard", 1.5e7, 1.5}, {"firm", 3e6, 1.2}, {"soft", 8e5, 0.9}};
  for (size_t k = 0; k < 3 && status == TRIBO_OK; k++)
    status = add_bar(scene, bars[k].name, 3, bars[k].young, (double[3]){-1.3, 0, bars[k].z}, err);
  if (status == TRIBO_OK) status = add_ring(scene, (double[3]){-1.8, 0.05, 1.2}, err);
  return scenes_finish(scene, status, out);
}

static const scene_recipe RECIPES[] = {
    {"hanging_cloth", "a square of cloth hung by two corners", 20, scene_hanging_cloth},
    {"cantilever", "a bar clamped at one end", 2, scene_cantilever},
    {"swinging_cube", "a soft cube held at its moving top", 6, scene_swinging_cube},
    {"flag", "a flag in the wind", 24, scene_flag},
    {"wind", "a flag in the wind and three bars of different stiffness", 32, scene_wind},
    {"demo", "three blocks on a ramp, and a cloth that falls over a ball", 32, scene_demo},
};

const scene_recipe *scenes_all(size_t *count) {
  *count = sizeof RECIPES / sizeof *RECIPES;
  return RECIPES;
}

static const scene_recipe *plain_recipe(const char *name) {
  for (size_t k = 0; k < sizeof RECIPES / sizeof *RECIPES; k++)
    if (strcmp(RECIPES[k].name, name) == 0) return &RECIPES[k];
  return NULL;
}

tribo_status scenes_make(const char *name, int resolution, tribo_scene **out, tribo_error *err) {
  *out = NULL;
  const scene_recipe *recipe = plain_recipe(name);
  if (!recipe) return scenes_make_with(name, NULL, 0, out, err);
  return recipe->make(resolution > 0 ? resolution : recipe->resolution, out, err);
}

/* Splits "key=value". */
static tribo_status split(const char *word, size_t *key, double *value, tribo_error *err) {
  const char *equals = strchr(word, '=');
  char *end = NULL;
  if (equals) *value = strtod(equals + 1, &end);
  if (!equals || end == equals + 1 || *end != '\0' || !isfinite(*value))
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' should be key=number", word);
  *key = (size_t)(equals - word);
  return TRIBO_OK;
}

enum { MOST_OPTIONS = 32 };

static tribo_status make_contact(const contact_recipe *recipe, const char *const *words,
                                 size_t count, tribo_scene **out, tribo_error *err) {
  double values[MOST_OPTIONS], value;
  for (size_t o = 0; o < recipe->option_count; o++) values[o] = recipe->options[o].value;
  for (size_t w = 0; w < count; w++) {
    size_t key, o = 0;
    TRY(split(words[w], &key, &value, err));
    while (o < recipe->option_count && (strncmp(recipe->options[o].name, words[w], key) != 0 ||
                                        recipe->options[o].name[key] != '\0'))
      o++;
    if (o == recipe->option_count)
      return status_fail(err, TRIBO_BAD_INPUT, "scene '%s' has no option '%.*s'", recipe->name,
                         (int)key, words[w]);
    values[o] = value;
  }
  return recipe->make(values, out, err);
}

tribo_status scenes_make_with(const char *name, const char *const *words, size_t count,
                              tribo_scene **out, tribo_error *err) {
  *out = NULL;
  const scene_recipe *plain = plain_recipe(name);
  if (plain) {
    int resolution = plain->resolution;
    for (size_t w = 0; w < count; w++) {
      size_t key;
      double value;
      TRY(split(words[w], &key, &value, err));
      if (key != strlen("resolution") || strncmp(words[w], "resolution", key) != 0)
        return status_fail(err, TRIBO_BAD_INPUT, "scene '%s' has no option '%.*s'", name, (int)key,
                           words[w]);
      resolution = (int)value;
    }
    return plain->make(resolution, out, err);
  }
  size_t recipes;
  const contact_recipe *all = contact_recipes(&recipes);
  for (size_t k = 0; k < recipes; k++)
    if (strcmp(all[k].name, name) == 0) return make_contact(&all[k], words, count, out, err);
  return status_fail(err, TRIBO_BAD_INPUT, "there is no scene '%s'", name);
}
