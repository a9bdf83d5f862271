/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/feel.h"

#include "contact/path.h"

/* Whether the surface, asked where the point is, means the side that the point went in at. */
static bool agree(const feel_pair *pair, const surface_hit *here, const surface_hit *through) {
  if (!here->near || !(vec3_dot(here->normal, through->normal) > 0)) return false;
  return here->gap < pair->thickness || here->gap - through->gap < path_blur(pair->surface);
}

/* Deeper than this, in parts of the smallest body's size, no step has left it. */
static const double DEEP = 1e-4;

/* Where there is no gravity, as on earth. */
static double pull_of(const model *m) {
  double g = vec3_norm(m->gravity);
  return g > 0 ? g : 9.81;
}

double feel_seconds_inside(const model *m, double depth) { return sqrt(2 * depth / pull_of(m)); }

/* What of the depth at the start of the step may be left at its end. */
static double allowed(const feel_pair *pair, size_t i, const surface_hit *hit) {
  double deep = DEEP * pair->model->smallest, h = pair->moment->h;
  if (!hit->near || !(pair->thickness - hit->gap > deep)) return 0;
  double gap = hit->gap;
  if (pair->moving) {
    vec3 before = feelers_before(pair->feelers, pair->moment, i);
    gap = path_start_gap(pair->surface, before, INFINITY);
  }
  double depth = pair->thickness - gap;
  return depth > deep ? fmax(0, depth - h * sqrt(2 * pull_of(pair->model) * depth)) : 0;
}

static surface_hit side_of(const feel_pair *pair, size_t i, double reach) {
  vec3 point = feelers_point(pair->feelers, pair->model, pair->moment, i);
  surface_hit here = surface_query(pair->surface, point, reach), through;
  if (!pair->moving) return here;
  vec3 before = feelers_before(pair->feelers, pair->moment, i);
  if (!path_through(pair->surface, before, point, pair->thickness, &through)) return here;
  return agree(pair, &here, &through) ? here : through;
}

surface_hit feel(const feel_pair *pair, size_t i, double reach) {
  surface_hit hit = side_of(pair, i, reach);
  hit.allowed = allowed(pair, i, &hit);
  return hit;
}

uint64_t feel_key(const feelers *f, const surface *s, size_t i) {
  return (uint64_t)f->def->object << 48 | (uint64_t)s->def->object << 32 | feelers_number(f, i);
}

static bool touched(const contact_moment *moment, uint64_t key) {
  size_t low = 0, high = moment->touch_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (moment->touches[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < moment->touch_count && moment->touches[low].key == key;
}

/* Flesh that is pinned to a bone may well be inside it. */
static bool pinned(const feel_pair *pair, size_t i) {
  const model *m = pair->model;
  vec3 point = feelers_point(pair->feelers, m, pair->moment, i);
  carry_row row = carry_point(m, pair->moment->x, pair->moment->turns, pair->feelers->def->body,
                              feelers_vertex(pair->feelers, i), point);
  for (int k = 0; k < row.count; k++)
    if (m->row_of_node[row.node[k]] >= 0) return false;
  return true;
}

bool feel_may_be_inside(const feel_pair *pair, size_t i) {
  const contact_moment *now = pair->moment;
  if (!now->first && !touched(now, feel_key(pair->feelers, pair->surface, i))) return false;
  return !pinned(pair, i);
}

surface_hit feel_inside(const feel_pair *pair, size_t i) {
  vec3 point = feelers_point(pair->feelers, pair->model, pair->moment, i);
  surface_hit hit = surface_inside(pair->surface, point);
  hit.allowed = allowed(pair, i, &hit);
  return hit;
}
