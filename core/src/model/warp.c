/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/warp.h"

#include <stdbool.h>

/* The cosine of about 0.8 degrees. */
static const double UPRIGHT = 0.9999;

/* x first. The last three lie along no axis and no diagonal of a box. */
static const vec3 CANDIDATES[] = {{1, 0, 0},         {0, 0, 1},         {0, 1, 0},
                                  {0.82, 0.41, 0.4}, {0.36, 0.48, 0.8}, {0.6, 0.37, 0.71}};
enum { CANDIDATE_COUNT = sizeof CANDIDATES / sizeof *CANDIDATES };

/* How upright an axis stands on the triangle where it does so most: 1 is upright. */
static double worst(const tribo_object_def *def, vec3 axis) {
  double most = 0;
  vec3 unit = vec3_normalized(axis);
  for (size_t i = 0; i < def->triangle_count; i++) {
    const int32_t *t = &def->triangles[3 * i];
    vec3 p = vec3_from(&def->positions[3 * t[0]]);
    vec3 u = vec3_sub(vec3_from(&def->positions[3 * t[1]]), p);
    vec3 v = vec3_sub(vec3_from(&def->positions[3 * t[2]]), p);
    most = fmax(most, fabs(vec3_dot(unit, vec3_normalized(vec3_cross(u, v)))));
  }
  return most;
}

vec3 warp_axis_of(const tribo_object_def *def) {
  vec3 given = vec3_from(def->cloth.warp_axis);
  bool standard = given.x == 1 && given.y == 0 && given.z == 0;
  if (!standard || worst(def, given) < UPRIGHT) return given;
  vec3 best = given;
  double least = worst(def, given);
  for (int i = 1; i < CANDIDATE_COUNT; i++) {
    double upright = worst(def, CANDIDATES[i]);
    if (upright < least) best = CANDIDATES[i], least = upright;
  }
  return best;
}
