/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/slump.h"

#include <math.h>

#include "math/vec3.h"

/* Of the height of a column that buckles: what leans or falls on each other gives way before. */
static const double STANDS = 0.9, FIRM = 0.7;

typedef struct block {
  double low, high;      /* against gravity, metres */
  double from[2], to[2]; /* across it, along the two other axes */
  double stiffness;      /* E / (rho g), metres */
} block;

static int axis_of(vec3 g) {
  vec3 size = vec3_make(fabs(g.x), fabs(g.y), fabs(g.z));
  return size.z >= size.x && size.z >= size.y ? 2 : size.y >= size.x ? 1 : 0;
}

static double part(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static bool is_soft(const tribo_object_def *o) {
  for (size_t i = 0; i < o->pin_count; i++)
    if (o->pins[i].vertex_count > 0) return false;
  return o->kind == TRIBO_SOLID && o->vertex_count > 0;
}

static block block_of(const tribo_scene *scene, size_t index) {
  const tribo_object_def *o = &scene->objects.data[index];
  vec3 g = vec3_from(scene->world.gravity);
  int up = axis_of(g), across[2] = {(up + 1) % 3, (up + 2) % 3};
  double sign = part(g, up) > 0 ? -1 : 1;
  block b = {.low = INFINITY,
             .high = -INFINITY,
             .from = {INFINITY, INFINITY},
             .to = {-INFINITY, -INFINITY},
             .stiffness = o->solid.young / (o->solid.density * vec3_norm(g))};
  for (size_t v = 0; v < o->vertex_count; v++) {
    vec3 p = vec3_from(o->positions + 3 * v);
    b.low = fmin(b.low, sign * part(p, up)), b.high = fmax(b.high, sign * part(p, up));
    for (int k = 0; k < 2; k++) {
      b.from[k] = fmin(b.from[k], part(p, across[k]));
      b.to[k] = fmax(b.to[k], part(p, across[k]));
    }
  }
  return b;
}

static double width(const block *b) { return fmin(b->to[0] - b->from[0], b->to[1] - b->from[1]); }

/* Whether b lies on a, or falls on it from no farther than a is high. */
static bool is_on(const block *a, const block *b) {
  double middle = 0.5 * (a->low + a->high);
  if (b->low < middle || b->low > a->high + (a->high - a->low)) return false;
  for (int k = 0; k < 2; k++) { /* its middle is above a */
    double at = 0.5 * (b->from[k] + b->to[k]);
    if (at < a->from[k] || at > a->to[k]) return false;
  }
  return true;
}

/* The lowest soft body that lies on another, or the number of objects. */
static size_t next_on(const tribo_scene *scene, const block *below, size_t except, block *out) {
  size_t found = scene->objects.count;
  for (size_t i = 0; i < scene->objects.count; i++) {
    if (i == except || !is_soft(&scene->objects.data[i])) continue;
    block b = block_of(scene, i);
    if (is_on(below, &b) && (found == scene->objects.count || b.low < out->low))
      found = i, *out = b;
  }
  return found;
}

static bool has_one_below(const tribo_scene *scene, size_t object) {
  block above = block_of(scene, object);
  for (size_t i = 0; i < scene->objects.count; i++) {
    if (i == object || !is_soft(&scene->objects.data[i])) continue;
    block b = block_of(scene, i);
    if (is_on(&b, &above)) return true;
  }
  return false;
}

slump slump_of(const tribo_scene *scene, size_t object) {
  slump out = {0};
  bool weighs = vec3_norm(vec3_from(scene->world.gravity)) > 0;
  if (!weighs || !is_soft(&scene->objects.data[object]) || has_one_below(scene, object)) return out;
  double narrowest = INFINITY, softest = INFINITY;
  block b = block_of(scene, object);
  size_t count = 0, at = object;
  while (at < scene->objects.count && count < scene->objects.count) {
    count++;
    out.top = at;
    out.height += b.high - b.low;
    narrowest = fmin(narrowest, width(&b));
    if (b.stiffness < softest) softest = b.stiffness, out.weak = at;
    block below = b;
    at = next_on(scene, &below, at, &b);
  }
  out.most = cbrt(7.84 * softest * narrowest * narrowest / 12);
  if (out.height > STANDS * out.most) out.count = count;
  out.young = scene->objects.data[out.weak].solid.young * pow(out.height / (FIRM * out.most), 3);
  return out;
}
