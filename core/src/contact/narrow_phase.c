/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/narrow_phase.h"

#include <stdlib.h>

#include "model/kinematics.h"
#include "surface/path.h"

/* Of both, towards whatever. */
static double least_thickness(const narrow_pair *pair, size_t i) {
  return pair->thickness + probes_round(pair->probes, i);
}

/* Whether the surface, asked where the point is, means the side that the point went in at. Where it
 * bends away by an angle, a point that slides along it for a length ends up below the plane it
 * started on by length times sin(angle) at most. */
static bool agree(const narrow_pair *pair, double thickness, const surface_hit *here,
                  const surface_hit *through, double length) {
  double along = vec3_dot(here->normal, through->normal);
  if (!here->near || !(along > 0)) return false;
  double bent = length * sqrt(fmax(0, 1 - along * along));
  return here->gap < thickness || here->gap - through->gap < path_blur(pair->surface) + bent;
}

/* Deeper than this, in parts of the smallest body's size, no step has left it. */
static const double DEEP = 1e-4;

/* Where there is no gravity, as on earth. */
static double pull_of(const model *m) {
  double g = vec3_norm(m->gravity);
  return g > 0 ? g : 9.81;
}

double narrow_seconds_inside(const model *m, double depth) { return sqrt(2 * depth / pull_of(m)); }

double narrow_allowed(const narrow_pair *pair, size_t i, double part, const surface_hit *hit) {
  double deep = DEEP * pair->model->smallest, h = pair->moment->h;
  if (!hit->near) return 0;
  const probes *f = pair->probes;
  double thickness = pair->thickness - f->thickness +
                     probes_thickness(f, pair->model, pair->moment, i, hit->normal);
  if (!(thickness - hit->gap > deep)) return 0;
  double gap = hit->gap;
  if (pair->moving) {
    vec3 before = probes_place_before(f, pair->moment, i, part);
    gap = path_start_gap(pair->surface, hit->side, before, INFINITY);
  }
  double depth = thickness - gap;
  return depth > deep ? fmax(0, depth - h * sqrt(2 * pull_of(pair->model) * depth)) : 0;
}

static const touch *find_touch(const contact_moment *moment, uint64_t key) {
  size_t low = 0, high = moment->touch_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (moment->touches[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < moment->touch_count && moment->touches[low].key == key;
  return found ? &moment->touches[low] : NULL;
}

/* What presses a point against the surface: what the surface bore in the last step, or where it
 * would fly. The same for the whole step. */
static vec3 load_on(const narrow_pair *pair, size_t i, double part) {
  const contact_moment *now = pair->moment;
  const touch *last = find_touch(now, narrow_key(pair->probes, pair->surface, i));
  const probes *f = pair->probes;
  /* what a collider's corner bears is kept as what the body does */
  if (last && vec3_norm2(last->force) > 0) return vec3_scale(f->of ? 1 : -1, last->force);
  if (f->of) return vec3_scale(-now->h * now->h, pair->model->gravity);
  vec3 way = vec3_scale(now->h * now->h, pair->model->gravity);
  if (pair->velocities && !f->local)
    way = vec3_madd(way, now->h, pair->velocities[f->body->first_vertex + probes_vertex(f, i)]);
  const surface *s = pair->surface;
  if (s->def->collider < 0 || s->deforms) return way;
  return vec3_sub(way, surface_carried(s, probes_place_before(f, now, i, part)));
}

/* What of its load pulls a point away from the front. */
static double front_load(const narrow_pair *pair, size_t i, double part, const surface_hit *here) {
  return surface_sign(here->side) * vec3_dot(here->normal, load_on(pair, i, part));
}

/* The side that a point or segment was on when the last step ended, if it touched; else 0. */
static int32_t last_side(const narrow_pair *pair, size_t i) {
  if (!pair->surface->def->two_sided || pair->side != 0) return pair->side;
  const touch *last = find_touch(pair->moment, narrow_key(pair->probes, pair->surface, i));
  return last ? (int32_t)last->side : 0;
}

int32_t narrow_side(const narrow_pair *pair, size_t i, double part, const surface_hit *here) {
  int32_t last = last_side(pair, i);
  if (here->side == 0 || abs(last) == abs(here->side)) return last;
  vec3 before = probes_place_before(pair->probes, pair->moment, i, part);
  int32_t front = abs(here->side);
  double ahead = path_before(pair->surface, before, here);
  if (ahead == 0 && pair->lean) ahead = pair->lean[front - 1];
  if (ahead == 0) ahead = -front_load(pair, i, part, here);
  return ahead < 0 ? -front : front;
}

int32_t narrow_lean(const narrow_pair *pair, size_t i, int *clear, double *pressed) {
  vec3 point = probes_point(pair->probes, pair->model, pair->moment, i);
  surface_hit here = surface_query(pair->surface, point, INFINITY);
  *clear = 0;
  *pressed = 0;
  if (!here.near || here.side == 0) return -1;
  double ahead = path_before(pair->surface, probes_before(pair->probes, pair->moment, i), &here);
  *clear = (ahead > 0) - (ahead < 0);
  if (ahead == 0) *pressed = -front_load(pair, i, 0, &here);
  return here.side - 1;
}

/* Turns a hit to the side that the point was on. */
static void keep_side(const narrow_pair *pair, size_t i, double reach, surface_hit *here) {
  if (!here->near) return;
  surface_turn(here, narrow_side(pair, i, 0, here));
  here->near = here->gap <= reach;
}

/* A point that was clear of the surface, went through nowhere and is behind it all the same has
 * gone around its rim. A smooth surface lies off the mesh that is gone through. */
static void go_around(const narrow_pair *pair, vec3 before, surface_hit *here) {
  const surface *s = pair->surface;
  double off = s->form == SURFACE_MLS ? path_blur(s) : path_clear(s);
  if (!here->near || here->side == 0 || !(here->gap < -off)) return;
  if (path_start_gap(s, here->side, before, INFINITY) > off) surface_turn(here, -here->side);
}

static surface_hit side_of(const narrow_pair *pair, size_t i, double reach) {
  const surface *s = pair->surface;
  vec3 point = probes_point(pair->probes, pair->model, pair->moment, i);
  int32_t last = last_side(pair, i);
  /* what touched is looked for farther away: it may have been left behind a sheet */
  double far = last ? fmax(reach, s->def->spacing) : reach;
  surface_hit here = surface_query(s, point, far), through;
  keep_side(pair, i, reach, &here);
  if (here.near && fabs(here.gap) <= path_edge_tolerance(s))
    path_choose_face(s, point, load_on(pair, i, 0), &here);
  if (!pair->moving) return here;
  vec3 before = probes_before(pair->probes, pair->moment, i);
  int32_t side = here.near ? here.side : last;
  double thickness = least_thickness(pair, i);
  if (!path_through(s, side, before, point, thickness, &through)) {
    go_around(pair, before, &here);
    return here;
  }
  surface_turn(&here, through.side);
  double length = path_length(s, before, point, &through);
  return agree(pair, thickness, &here, &through, length) ? here : through;
}

surface_hit feel(const narrow_pair *pair, size_t i, double reach) {
  surface_hit hit = side_of(pair, i, reach);
  hit.allowed = narrow_allowed(pair, i, 0, &hit);
  return hit;
}

/* Of what a collider's corners feel: after all that the body feels of the collider. */
static const uint64_t FELT_BACK = (uint64_t)1 << 31;

uint64_t narrow_key(const probes *f, const surface *s, size_t i) {
  if (f->of)
    return (uint64_t)s->def->object << 48 | (uint64_t)f->def->object << 32 | FELT_BACK |
           probes_number(f, i);
  return (uint64_t)f->def->object << 48 | (uint64_t)s->def->object << 32 | probes_number(f, i);
}

/* Flesh that is pinned to a bone may well be inside it. */
static bool pinned(const narrow_pair *pair, size_t i) {
  if (pair->probes->of) return false;
  return kinematics_is_held(pair->model, pair->probes->def->body, probes_vertex(pair->probes, i));
}

bool narrow_may_be_inside(const narrow_pair *pair, size_t i) {
  const contact_moment *now = pair->moment;
  bool known = !now->first && !pair->surface->appears;
  if (known && !find_touch(now, narrow_key(pair->probes, pair->surface, i))) return false;
  return !pinned(pair, i);
}

surface_hit narrow_inside(const narrow_pair *pair, size_t i) {
  vec3 point = probes_point(pair->probes, pair->model, pair->moment, i);
  surface_hit hit = surface_inside(pair->surface, point);
  hit.allowed = narrow_allowed(pair, i, 0, &hit);
  return hit;
}
