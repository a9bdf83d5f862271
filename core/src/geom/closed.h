/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * closed: whether a surface bounds a volume, and if not, where it first fails to.
 *
 * It does when every vertex is used, every edge has exactly two triangles that run along it in
 * opposite directions, no two triangles cut each other, and the volume inside is positive. Several
 * separate parts may stand side by side or, as cavities wound inward, in one another.
 *
 * Cuts are looked for in doubles: two triangles that lie in one plane and overlap, or that touch
 * within rounding, may pass; whoever fills the surface finds those.
 */
#ifndef GEOM_CLOSED_H
#define GEOM_CLOSED_H

#include <stdint.h>

#include "base/status.h"
#include "math/vec3.h"

/* TRIBO_BAD_INPUT with the first fault and its place. The indices have been checked: in range, and
 * different within a triangle. */
tribo_status closed_check(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                          size_t triangle_count, tribo_error *err);

/* The volume a closed surface bounds: sum of the signed tets to the first vertex. */
double closed_volume(const vec3 *positions, const int32_t *triangles, size_t triangle_count);

#endif
