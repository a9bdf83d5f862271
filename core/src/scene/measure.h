/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure: how large, fast and stiff the objects of a scene are, as far as it is known before the
 * first step. What a step has to hold out, so that its length can be chosen (scene/quality.h).
 */
#ifndef SCENE_MEASURE_H
#define SCENE_MEASURE_H

#include "math/vec3.h"
#include "scene/scene.h"

typedef struct measure {
  vec3 low, high;   /* of all samples of its motion, z against gravity; m */
  double edge;      /* mean, of triangles, or of tets where there are no triangles; m */
  double driven;    /* speed that it is given: velocity, spin, samples of motion or pins; m/s */
  double stiffness; /* of the elements around a vertex over its mass, the largest; 1/s^2 */
  bool pinned;
} measure;

/* Of object number `index`, of any kind. */
tribo_status measure_object(const tribo_scene *scene, size_t index, measure *out, tribo_error *err);

/* Only where it is, at all samples of its motion: `low` and `high`. */
void measure_extent(const tribo_scene *scene, size_t index, measure *out);

/* Whether b is where a may come to when it falls: below, or beside by no more than a is long. */
bool measure_is_below(const measure *a, const measure *b);

/* The speed that object `index` may come to: what it is given, the wind, and a fall to the lowest
 * of what lies below it or beside (one without pins), or through its own size (a pinned one). `all`
 * has one for each object of the scene. */
double measure_speed(const tribo_scene *scene, const measure *all, size_t index);

#endif
