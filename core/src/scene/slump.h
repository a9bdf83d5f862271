/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slump: soft bodies that cannot stand by their own weight, alone or as a pile. A column of height
 * h buckles above (Greenhill 1881)
 *
 *     h^3 = 7.84 E I / (rho g A),   I / A = a^2 / 12 for a square section of side a,
 *
 * E Young's modulus, Pa, rho density, kg/m^3, g gravity, m/s^2. A pile counts as one column of the
 * softest and narrowest of its bodies. What is pinned hangs, and is left out.
 */
#ifndef SCENE_SLUMP_H
#define SCENE_SLUMP_H

#include "scene/scene.h"

typedef struct slump {
  size_t count;  /* bodies on one another; 0: it stands */
  size_t top;    /* the uppermost */
  size_t weak;   /* the one that gives way */
  double height; /* of them all, metres */
  double most;   /* that would stand, metres */
  double young;  /* with which the pile would, Pa, of the weak one */
} slump;

/* Of the pile that begins with an object. One that has a soft body below it begins none. */
slump slump_of(const tribo_scene *scene, size_t object);

#endif
