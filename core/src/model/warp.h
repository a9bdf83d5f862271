/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * warp: the axis whose projection on a triangle is the warp there, for any cloth.
 *
 * The axis must not stand upright on a triangle. The default, x, does on a curtain in the yz plane
 * and on the sides of a box, where nobody has asked for it: then the best of some others is taken.
 */
#ifndef MODEL_WARP_H
#define MODEL_WARP_H

#include "math/vec3.h"
#include "tribo/scene.h"

/* elastic.warp_axis, or where that is the default and will not do, another; not zero if that is
 * not. */
vec3 warp_axis_of(const tribo_object_def *def);

#endif
