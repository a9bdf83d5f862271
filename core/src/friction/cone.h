/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cone: the set of impulses a contact can bear.
 *
 * r = r_N n + r_t t + r_b b with r_N >= 0 and |(r_t, r_b)| <= mu r_N (Coulomb).
 */
#ifndef FRICTION_CONE_H
#define FRICTION_CONE_H

#include "math/vec3.h"

typedef struct friction_cone {
  vec3 normal, t, b; /* orthonormal, right-handed */
  double mu;
} friction_cone;

#endif
