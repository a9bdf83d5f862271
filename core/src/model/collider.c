/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/collider.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static vec3 vec3_between(vec3 a, vec3 b, double at) {
  if (at == 0) return a;
  return vec3_add(vec3_scale(1 - at, a), vec3_scale(at, b));
}

/* ---- building -------------------------------------------------------------------------------- */

static vec3 *copy_points(const double *points, size_t count, arena *memory) {
  vec3 *out = ARENA_ARRAY(memory, vec3, count);
  for (size_t i = 0; out && i < count; i++) out[i] = vec3_from(points + 3 * i);
  return out;
}

/* Of a frame. Times of steps are sums and products of a few roundings, of up to 1e6 frames. */
static const double SWITCH_EARLIER = 1e-6;

double collider_switch_seconds(double frame, const tribo_time_params *time) {
  return (frame - time->start - SWITCH_EARLIER) / time->fps;
}

static tribo_status build_presence(const tribo_presence_def *def, const tribo_time_params *time,
                                   arena *memory, model_collider *out, tribo_error *err) {
  out->there_first = !def->limited;
  if (!def->limited) return TRIBO_OK;
  double *switches = ARENA_ARRAY(memory, double, 2 * def->range_count);
  if (!switches) return status_no_memory(err, "when a collider is there");
  for (size_t i = 0; i < 2 * def->range_count && isfinite(def->ranges[i]); i++)
    switches[out->switch_count++] = collider_switch_seconds(def->ranges[i], time);
  out->switches = switches;
  out->switch_capacity = 2 * def->range_count;
  return TRIBO_OK;
}

tribo_status collider_build(const tribo_object_def *def, size_t object,
                            const tribo_time_params *time, arena *memory, model_collider *out,
                            tribo_error *err) {
  const tribo_motion_def *motion = &def->motion;
  size_t length = strlen(def->name) + 1;
  char *name = arena_alloc(memory, length, 1);
  *out = (model_collider){.name = name,
                          .object = object,
                          .vertex_count = (int32_t)def->vertex_count,
                          .rest = copy_points(def->positions, def->vertex_count, memory),
                          .sample_count = motion->sample_count,
                          .capacity = motion->sample_count,
                          .interval = 1};
  if (!name || !out->rest) return status_no_memory(err, "a collider");
  memcpy(name, def->name, length);
  TRY(build_presence(&def->presence, time, memory, out, err));
  if (motion->sample_count == 0) return TRIBO_OK;
  out->start = (motion->start - time->start) / time->fps;
  out->interval = motion->interval / time->fps;
  if (motion->points) {
    out->samples = copy_points(motion->points, motion->sample_count * def->vertex_count, memory);
    return out->samples ? TRIBO_OK : status_no_memory(err, "the motion of a collider");
  }
  rigid_map *maps = ARENA_ARRAY(memory, rigid_map, motion->sample_count);
  if (!maps) return status_no_memory(err, "the motion of a collider");
  for (size_t s = 0; s < motion->sample_count; s++)
    if (!rigid_map_from_matrix(motion->transforms + 16 * s, &maps[s]))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': transform %zu of its motion does not keep the shape; give "
                         "the moving vertices as points",
                         name, s);
  out->maps = maps;
  return TRIBO_OK;
}

/* ---- where it is ----------------------------------------------------------------------------- */

bool collider_deforms(const model_collider *c) { return c->samples != NULL; }

bool collider_present(const model_collider *c, double seconds) {
  size_t low = 0, high = c->switch_count; /* switches that have been */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->switches[middle] <= seconds)
      low = middle + 1;
    else
      high = middle;
  }
  return c->there_first != (low % 2 == 1);
}

static size_t sample_before(const model_collider *c, double seconds, double *on) {
  return model_sample_before(seconds, c->start, c->interval, c->sample_count, on);
}

rigid_map collider_map(const model_collider *c, double seconds) {
  assert(!collider_deforms(c));
  if (!c->maps) return (rigid_map){.turn = quat_identity(), .scale = 1};
  double on;
  size_t s = sample_before(c, seconds, &on);
  return on == 0 ? c->maps[s] : rigid_map_interpolate(&c->maps[s], &c->maps[s + 1], on);
}

typedef struct placing {
  const vec3 *from, *to; /* to: the next sample of a deforming one */
  double on;
  const rigid_map *map; /* NULL: from and to are in the world already */
  vec3 *out;
} placing;

static void place(void *context, size_t begin, size_t end) {
  const placing *p = context;
  for (size_t i = begin; i < end; i++)
    p->out[i] =
        p->map ? rigid_map_apply(p->map, p->from[i]) : vec3_between(p->from[i], p->to[i], p->on);
}

void collider_vertices(const model_collider *c, const tasks *t, double seconds, vec3 *out) {
  size_t count = (size_t)c->vertex_count;
  placing p = {.from = c->rest, .to = c->rest, .out = out};
  rigid_map map;
  if (c->maps) {
    map = collider_map(c, seconds);
    p.map = &map;
  } else if (c->samples) {
    size_t s = sample_before(c, seconds, &p.on);
    p.from = c->samples + s * count;
    p.to = p.on > 0 ? p.from + count : p.from;
  }
  tasks_for(t, count, 4096, place, &p);
}
