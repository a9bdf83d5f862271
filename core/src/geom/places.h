/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * places: points at the same place, to the bit, count as one: seams of UVs do not open a mesh.
 */
#ifndef GEOM_PLACES_H
#define GEOM_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "math/vec3.h"

/* Numbers the places of the points, ascending by x, then y, then z; *places: how many differ. */
tribo_status places_number(const vec3 *points, size_t count, int32_t *place_of_point,
                           size_t *places, tribo_error *err);

#endif
