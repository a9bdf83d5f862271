/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/astray.h"

#include <math.h>
#include <stdlib.h>

#include "kinds/kind.h"
#include "kinds/outline.h"

/* Of the mean distance of vertices, and of the vertices of the smaller object. */
static const double ONE_PLACE = 1e-3, MOST_SHARED = 0.6;

/* ---- the same thing twice -------------------------------------------------------------------- */

static vec3 vertex(const tribo_object_def *o, size_t v) { return vec3_from(&o->positions[3 * v]); }

static int compare_x(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Whether one of `count` sorted points is within `reach` of p. */
static bool has_near(const double *sorted, size_t count, vec3 p, double reach) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (sorted[3 * middle] < p.x - reach)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < count && sorted[3 * low] <= p.x + reach; low++)
    if (vec3_norm2(vec3_sub(vec3_from(&sorted[3 * low]), p)) <= reach * reach) return true;
  return false;
}

static bool boxes_meet(const measure *a, const measure *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
         b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

tribo_status astray_twins(const tribo_scene *scene, const measure *places, size_t a, size_t b,
                          size_t *count, tribo_error *err) {
  const tribo_object_def *one = &scene->objects.data[a], *other = &scene->objects.data[b];
  *count = 0;
  if (!boxes_meet(&places[a], &places[b])) return TRIBO_OK;
  if (!kind_of(one)->about.simulated || !kind_of(other)->about.simulated) return TRIBO_OK;
  size_t fewer = one->vertex_count < other->vertex_count ? one->vertex_count : other->vertex_count;
  double size = vec3_norm(vec3_sub(places[a].high, places[a].low));
  double reach = ONE_PLACE * size / sqrt((double)one->vertex_count + 1);
  double *sorted = malloc((3 * other->vertex_count + 1) * sizeof *sorted);
  if (!sorted) return status_no_memory(err, "the check of a scene");
  for (size_t i = 0; i < 3 * other->vertex_count; i++) sorted[i] = other->positions[i];
  qsort(sorted, other->vertex_count, 3 * sizeof *sorted, compare_x);
  for (size_t v = 0; v < one->vertex_count; v++)
    *count += has_near(sorted, other->vertex_count, vertex(one, v), reach);
  free(sorted);
  if (!((double)*count > MOST_SHARED * (double)fewer)) *count = 0;
  return TRIBO_OK;
}

/* ---- what falls past everything -------------------------------------------------------------- */

static bool has_pins(const tribo_object_def *o) {
  for (size_t i = 0; i < o->pin_count; i++)
    if (o->pins[i].vertex_count > 0) return true;
  return false;
}

static bool can_hold(const tribo_object_def *o) {
  bool feels, is_felt;
  outline_roles(o, &feels, &is_felt);
  return kind_of(o)->about.simulated ? has_pins(o) : is_felt;
}

/* What is thrown, or in the wind, may well be meant to go where nothing is. */
static bool is_sent(const tribo_scene *scene, const tribo_object_def *o) {
  bool blown = o->object.drag > 0 && vec3_norm2(vec3_from(scene->world.wind)) > 0;
  return blown || vec3_norm2(vec3_from(o->object.velocity)) > 0;
}

bool astray_falls(const tribo_scene *scene, const measure *places, size_t index) {
  const tribo_object_def *o = &scene->objects.data[index];
  if (!kind_of(o)->about.simulated || has_pins(o) || is_sent(scene, o)) return false;
  if (!(vec3_norm2(vec3_from(scene->world.gravity)) > 0)) return false;
  for (size_t i = 0; i < scene->objects.count; i++)
    if (i != index && measure_is_below(&places[index], &places[i]) &&
        can_hold(&scene->objects.data[i]))
      return false;
  return true;
}

/* ---- what cannot move, and what nothing touches ---------------------------------------------- */

bool astray_is_held(const tribo_object_def *o) {
  size_t held = 0;
  if (!kind_of(o)->about.simulated || !kind_of(o)->about.deforms) return false;
  for (size_t i = 0; i < o->pin_count; i++)
    if (!(o->pins[i].params.stiffness > 0)) held += o->pins[i].vertex_count;
  return held > 0 && held >= o->vertex_count;
}

bool astray_is_idle(const tribo_object_def *o) {
  bool feels, is_felt;
  outline_roles(o, &feels, &is_felt);
  return !kind_of(o)->about.simulated && !is_felt;
}
