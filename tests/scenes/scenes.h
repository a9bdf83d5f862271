/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes: the scenes that tests, benches, demos and docs share, each made by one function.
 */
#ifndef TESTS_SCENES_SCENES_H
#define TESTS_SCENES_SCENES_H

#include "scenes/shapes.h"
#include "tribo/scene.h"

/* Adds the mesh as an object; everything else is as def has it. Frees the mesh in any case. */
tribo_status scenes_add(tribo_scene *scene, tribo_object_def def, mesh *m, size_t *index,
                        tribo_error *err);

typedef struct scene_recipe {
  const char *name, *about;
  int resolution; /* the usual one */
  tribo_status (*make)(int resolution, tribo_scene **out, tribo_error *err);
} scene_recipe;

const scene_recipe *scenes_all(size_t *count);

/* Any scene by its name, those of scenes_contact.h too. A resolution of 0 is the usual one; scenes
 * of contact have options instead, each of the words a key=number. */
tribo_status scenes_make(const char *name, int resolution, tribo_scene **out, tribo_error *err);
tribo_status scenes_make_with(const char *name, const char *const *words, size_t count,
                              tribo_scene **out, tribo_error *err);

/* A square of 1 m hung by two corners; resolution squares along an edge. */
tribo_status scene_hanging_cloth(int resolution, tribo_scene **out, tribo_error *err);

/* A bar of 1 x 0.1 x 0.1 m clamped at x = 0; resolution cubes across. */
tribo_status scene_cantilever(int resolution, tribo_scene **out, tribo_error *err);

/* A soft cube of 0.4 m held at its top, which swings to and fro; resolution cubes along an edge. */
tribo_status scene_swinging_cube(int resolution, tribo_scene **out, tribo_error *err);

/* A flag at its pole in the wind; resolution squares along its height. */
tribo_status scene_flag(int resolution, tribo_scene **out, tribo_error *err);

/* A flag in the wind, and three bars of one shape and three stiffnesses. */
tribo_status scene_wind(int resolution, tribo_scene **out, tribo_error *err);

/* A soft block three times on one ramp, with three coefficients of friction, and a cloth that falls
 * over a ball: what `scripts/demo` shows. resolution squares along the cloth's edge. */
tribo_status scene_demo(int resolution, tribo_scene **out, tribo_error *err);

#endif
