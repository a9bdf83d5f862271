/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rod_hold.h"

#include <math.h>
#include <string.h>

#include "geom/strands.h"
#include "math/mat3.h"
#include "math/svd3.h"

/* Of the width of the points across their longest extent: by how much they may be off a rigid
 * motion and still count as moved by one. */
static const double RIGID = 1e-3;
/* Width over length below which points lie in a line. */
static const double LINE = 1e-3;

vec3 rod_hold_carried(vec3 from, vec3 to, vec3 d) {
  double cosine = vec3_dot(from, to);
  vec3 axis = vec3_cross(from, to);
  if (!(1 + cosine > 1e-12)) return d;
  vec3 turned = vec3_madd(vec3_scale(cosine, d), 1, vec3_cross(axis, d));
  return vec3_madd(turned, vec3_dot(axis, d) / (1 + cosine), axis);
}

static vec3 target_of(const double *targets, size_t i) { return vec3_from(targets + 3 * i); }

/* The rotation that takes the points at rest to their targets; false where they do not move as one,
 * or lie in a line. */
static bool find_rotation(const rod_hold *hold, const double *targets, mat3 *turn) {
  vec3 from = {0, 0, 0}, to = {0, 0, 0};
  double each = 1 / (double)hold->point_count;
  for (size_t i = 0; i < hold->point_count; i++) {
    from = vec3_madd(from, each, hold->rest[i]);
    to = vec3_madd(to, each, target_of(targets, i));
  }
  mat3 sum = {0};
  for (size_t i = 0; i < hold->point_count; i++) {
    vec3 p = vec3_sub(hold->rest[i], from);
    mat3 one = mat3_outer(vec3_sub(target_of(targets, i), to), p);
    sum = mat3_add(&sum, &one);
  }
  mat3 u, v;
  vec3 s;
  svd3_decompose(&sum, &u, &s, &v);
  if (!(s.y > LINE * LINE * s.x)) return false;
  *turn = mat3_mul_t(&u, &v);
  double width2 = s.y * each, most = 0;
  for (size_t i = 0; i < hold->point_count; i++) {
    vec3 moved = mat3_mul_vec3(turn, vec3_sub(hold->rest[i], from));
    most = fmax(most, vec3_norm2(vec3_sub(vec3_add(to, moved), target_of(targets, i))));
  }
  return most <= RIGID * RIGID * width2;
}

static vec3 direction(vec3 a, vec3 b) { return vec3_normalized(vec3_sub(b, a)); }

void rod_hold_aim(const rod_hold *hold, const double *targets, const vec3 *before, vec3 *out) {
  mat3 turn = mat3_identity();
  bool rigid = find_rotation(hold, targets, &turn);
  for (size_t i = 0; i < hold->point_count; i++) out[i] = target_of(targets, i);
  for (size_t k = hold->point_count; k < hold->count; k++) {
    const int32_t *end = hold->ends[k - hold->point_count];
    const vec3 *was = rigid ? hold->rest : before;
    vec3 from = direction(was[end[0]], was[end[1]]), d = was[k];
    vec3 to = direction(out[end[0]], out[end[1]]);
    if (rigid) from = mat3_mul_vec3(&turn, from), d = mat3_mul_vec3(&turn, d);
    d = rod_hold_carried(from, to, d);
    vec3 across = vec3_madd(d, -vec3_dot(d, to), to);
    out[k] = vec3_scale(vec3_norm(hold->rest[k]), vec3_normalized(across));
  }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Appends the directors whose segments have both points among the pin's. place: of each vertex of
 * the object among them; -1: not held. */
static void list_directors(const strands *all, const model_body *body, const int32_t *place,
                           rod_hold *out) {
  int32_t director = body->first_node + body->vertex_count;
  for (size_t s = 0; s < all->count; s++)
    for (size_t i = 0; i < strands_segments(all, s); i++, director++) {
      int32_t a = place[strands_point(all, s, i)], b = place[strands_point(all, s, i + 1)];
      if (a < 0 || b < 0) continue;
      int32_t *ends = out->ends[out->count - out->point_count];
      ends[0] = a;
      ends[1] = b;
      out->nodes[out->count++] = director;
    }
}

static tribo_status list_nodes(const tribo_object_def *object, const tribo_pin_def *pin,
                               const model_body *body, arena *memory, arena *scratch, rod_hold *out,
                               tribo_error *err) {
  size_t points = pin->vertex_count;
  *out = (rod_hold){.nodes = ARENA_ARRAY(memory, int32_t, 2 * points), /* a ring has as many */
                    .ends = (int32_t(*)[2])ARENA_ARRAY(memory, int32_t, 2 * points),
                    .point_count = points,
                    .count = points};
  int32_t *place = ARENA_ARRAY(scratch, int32_t, object->vertex_count);
  if (!out->nodes || !out->ends || !place) return status_no_memory(err, "pins");
  strands all;
  strands_fault fault;
  TRY(strands_find(object->segments, object->segment_count, object->vertex_count, scratch, &all,
                   &fault, err));
  memset(place, -1, object->vertex_count * sizeof *place);
  for (size_t i = 0; i < points; i++) {
    place[pin->vertices[i]] = (int32_t)i;
    out->nodes[i] = body->first_node + pin->vertices[i];
  }
  list_directors(&all, body, place, out);
  return TRIBO_OK;
}

tribo_status rod_hold_make(const tribo_object_def *object, const tribo_pin_def *pin,
                           const model_body *body, const vec3 *rest, arena *memory, arena *scratch,
                           rod_hold *out, vec3 **samples, tribo_error *err) {
  TRY(list_nodes(object, pin, body, memory, scratch, out, err));
  size_t count = pin->targets ? pin->target_count : 1;
  vec3 *at_rest = ARENA_ARRAY(memory, vec3, out->count);
  *samples = ARENA_ARRAY(memory, vec3, count * out->count);
  if (!at_rest || !*samples) return status_no_memory(err, "pins");
  for (size_t i = 0; i < out->count; i++) at_rest[i] = rest[out->nodes[i]];
  out->rest = at_rest;
  if (!pin->targets) memcpy(*samples, at_rest, out->count * sizeof *at_rest);
  for (size_t s = 0; pin->targets && s < count; s++) {
    vec3 *now = *samples + s * out->count;
    rod_hold_aim(out, pin->targets + 3 * s * out->point_count, s ? now - out->count : at_rest, now);
  }
  return TRIBO_OK;
}
