/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/feel.h"

#include "contact/path.h"

/* Whether the surface, asked where the point is, means the side that the point went in at. */
static bool agree(const feel_pair *pair, const surface_hit *here, const surface_hit *through) {
  if (!here->near || !(vec3_dot(here->normal, through->normal) > 0)) return false;
  return here->gap < pair->thickness || here->gap - through->gap < path_blur(pair->surface);
}

surface_hit feel(const feel_pair *pair, size_t i, double reach) {
  vec3 point = feelers_point(pair->feelers, pair->model, pair->moment, i);
  surface_hit here = surface_query(pair->surface, point, reach), through;
  if (!pair->moving) return here;
  vec3 before = feelers_before(pair->feelers, pair->moment, i);
  if (!path_through(pair->surface, before, point, pair->thickness, &through)) return here;
  return agree(pair, &here, &through) ? here : through;
}
