/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pin: a vertex held softly, by a spring of rest length 0: E = k/2 |x - target|^2.
 */
#ifndef ENERGY_PIN_H
#define ENERGY_PIN_H

#include "energy/elements.h"

/* One pinned vertex; a term's data is an array of them. The target moves with the animation. */
typedef struct pin_element {
  double stiffness; /* N/m */
  vec3 target;
} pin_element;

extern const element_kernel pin_kernel;

#endif
