/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moment: where everything is, at the start of a step and now, when contacts are looked for, and
 * what contacts bore in the step before.
 */
#ifndef SURFACE_MOMENT_H
#define SURFACE_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/quat.h"
#include "math/vec3.h"

/* What a contact bore in the last step, from which the next one starts, and where it was. */
typedef struct touch {
  uint64_t key;
  vec3 force;    /* on the probe, in the world, newtons: normal and friction */
  double torque; /* of drilling, about the normal, newton metres */
  int64_t side;  /* as in surface_hit */
} touch;

/* Where everything is when contacts are looked for. */
typedef struct contact_moment {
  double start, h;      /* the step: from `start`, h seconds */
  const vec3 *x;        /* nodes, where contacts are linearised */
  const quat *turns;    /* of rigid bodies, at the start of the step */
  const vec3 *vertices; /* of all bodies, carried by x */
  const vec3 *x_before; /* nodes, and vertices of all bodies, at the start of the step */
  const vec3 *before;
  bool first;           /* nothing is known of the time before */
  const touch *touches; /* what bore something then, ascending by key */
  size_t touch_count;
} contact_moment;

#endif
