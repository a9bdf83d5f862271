/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/segments.h"

#include <stdlib.h>

/* An error of the place counts by its square in the gap; the bracket halves at the least. */
static const double PLACE = 1e-7;
enum { MOST_LOOKS = 60 };

/* The cosine between normals of two sides, between which a line goes in by the one and out by the
 * other. */
static const double OPPOSITE = -0.5;

/* The sine of the angle between two faces, or two lines, that make an edge or a crossing. */
static const double BENT = 0.02;

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

/* A line below an edge that is the nearest part of neither side: it went in by the face with normal
 * n_a and goes out by that with n_b, and is as deep, d, below both. It is held as it would be
 * outside, along what is perpendicular to both lines, n; the edge is at p + d (n_a + n_b) / (1 +
 * n_a . n_b). With the normals of the faces the way out would turn with every step of the solver.
 */
static void hold_by_edge(const line *l, const look *a, const look *b, look *best) {
  vec3 na = a->hit.normal, nb = b->hit.normal, along = vec3_cross(na, nb);
  vec3 n = vec3_cross(along, l->way), both = vec3_add(na, nb);
  double sharp2 = vec3_norm2(along), n2 = vec3_norm2(n);
  if (l->surface->form != SURFACE_MESH || !(best->hit.gap < 0) || !(a->slope < 0 && b->slope > 0))
    return;
  if (!(sharp2 > BENT * BENT) || !(n2 > BENT * BENT * sharp2 * l->length * l->length)) return;
  n = vec3_scale((vec3_dot(n, both) < 0 ? -1 : 1) / sqrt(n2), n);
  vec3 out = vec3_scale(-best->hit.gap / (1 + vec3_dot(na, nb)), both);
  vec3 point = vec3_madd(l->from, best->part, l->way);
  best->hit.normal = n;
  best->hit.foot = vec3_add(point, out);
  best->hit.gap = -vec3_dot(out, n);
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
  if (!*pierces) hold_by_edge(l, &a, &b, &best);
  return best;
}

/* The gap of the edge above the segment, where it is looked at. */
static double edge_gap(const probes *f, const model *m, const contact_moment *moment, size_t k,
                       const look *at) {
  double reaches = probes_thickness(f, m, moment, f->count + k, at->hit.normal);
  return at->hit.gap - (reaches - f->thickness);
}

bool segments_closest(const probes *f, const model *m, const contact_moment *moment,
                      const surface *s, size_t k, int32_t side, double reach, segments_place *out) {
  size_t i = f->count + k;
  line l = {.surface = s, .side = side, .from = probes_place(f, m, moment, i, 0)};
  l.way = vec3_sub(probes_place(f, m, moment, i, 1), l.from);
  l.length = vec3_norm(l.way);
  if (!(l.length > 0)) return false;
  /* no two places of the segment are farther from the surface than their distance apart */
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
  if (!(gain > SEGMENTS_GAIN * l.length) || !(best.hit.gap <= reach)) return false;
  *out = (segments_place){best.part, best.hit};
  return true;
}
