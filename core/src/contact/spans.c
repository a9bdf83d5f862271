/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/spans.h"

#include <stdlib.h>

/* An error of the place counts by its square in the gap; the bracket halves at the least. */
static const double PLACE = 1e-7;
enum { MOST_LOOKS = 60 };

/* The cosine between normals of two sides, between which a line goes in by the one and out by the
 * other. */
static const double OPPOSITE = -0.5;

typedef struct line {
  const surface *surface;
  vec3 from, way;
  double length, reach;
  int32_t side;
} line;

typedef struct look {
  double part, slope; /* of the gap along the way */
  surface_hit hit;
} look;

static look look_at(const line *l, double part) {
  look found = {.part = part};
  found.hit = surface_query(l->surface, vec3_madd(l->from, part, l->way), l->reach);
  if (l->side) surface_turn(&found.hit, surface_sign(l->side) * abs(found.hit.side));
  if (found.hit.near) found.slope = vec3_dot(found.hit.normal, l->way) / l->length;
  return found;
}

/* Between a, where the gap falls, and b, where it rises; pierces: it lies deep in what is thin, and
 * its ends are for the points there to hold. By false position, and every second time
 * by halves, so that no end of the bracket stays for long. */
static look least_between(const line *l, look a, look b, bool *pierces) {
  *pierces = false;
  look best = a.hit.gap < b.hit.gap ? a : b;
  if (a.slope == 0 || b.slope == 0) return a.slope == 0 ? a : b;
  for (int n = 0; n < MOST_LOOKS && b.part - a.part > PLACE; n++) {
    double share = n % 2 == 0 ? a.slope / (a.slope - b.slope) : 0.5;
    look now = look_at(l, a.part + share * (b.part - a.part));
    if (!now.hit.near) return best;
    if (now.hit.gap < best.hit.gap) best = now;
    if (now.slope == 0) return now;
    *(now.slope < 0 ? &a : &b) = now;
  }
  *pierces = best.hit.gap < 0 && vec3_dot(a.hit.normal, b.hit.normal) < OPPOSITE;
  return best;
}

/* The gap of the edge above the span, where it is looked at. */
static double edge_gap(const feelers *f, const model *m, const contact_moment *moment, size_t k,
                       const look *at) {
  double reaches = feelers_thickness(f, m, moment, f->count + k, at->hit.normal);
  return at->hit.gap - (reaches - f->thickness);
}

bool spans_closest(const feelers *f, const model *m, const contact_moment *moment, const surface *s,
                   size_t k, int32_t side, double reach, spans_place *out) {
  size_t i = f->count + k;
  line l = {.surface = s, .side = side, .from = feelers_place(f, m, moment, i, 0)};
  l.way = vec3_sub(feelers_place(f, m, moment, i, 1), l.from);
  l.length = vec3_norm(l.way);
  if (!(l.length > 0)) return false;
  /* no two places of the span are farther from the surface than their distance apart */
  l.reach = reach + l.length / 2;
  if (!look_at(&l, 0.5).hit.near) return false;
  l.reach = reach + l.length;
  look a = look_at(&l, 0), b = look_at(&l, 1);
  if (!a.hit.near || !b.hit.near || a.slope > 0 || b.slope < 0) return false;
  bool pierces;
  look best = least_between(&l, a, b, &pierces);
  if (pierces) return false;
  double gain = fmin(edge_gap(f, m, moment, k, &a), edge_gap(f, m, moment, k, &b));
  gain -= edge_gap(f, m, moment, k, &best);
  if (!(gain > SPANS_GAIN * l.length) || !(best.hit.gap <= reach)) return false;
  *out = (spans_place){best.part, best.hit};
  return true;
}
