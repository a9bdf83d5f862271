/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/extend.h"

#include <math.h>
#include <string.h>

#include "model/cage.h"
#include "model/collider.h"
#include "model/rod_hold.h"

/* Room for one sample more of `size` bytes. What was there before stays in the arena until the
 * model goes: doubling, that is as much again at most. */
static void *make_room(arena *memory, const void *samples, size_t count, size_t *capacity,
                       size_t size) {
  if (count < *capacity) return (void *)samples;
  size_t more = count < 8 ? 16 : 2 * count;
  unsigned char *out =
      more <= SIZE_MAX / (size + 1) ? arena_alloc(memory, more * size, sizeof(double)) : NULL;
  if (!out) return NULL;
  if (count > 0) memcpy(out, samples, count * size);
  *capacity = more;
  return out;
}

static tribo_status check_finite(const char *whom, const double *values, size_t count,
                                 tribo_error *err) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "%s: number %zu of the next sample is %g", whom, i,
                         values[i]);
  return TRIBO_OK;
}

static model_collider *find_collider(model *m, size_t object) {
  for (size_t i = 0; i < m->collider_count; i++)
    if (m->colliders[i].object == object) return &m->colliders[i];
  return NULL;
}

tribo_status extend_collider(model *m, size_t object, const double *sample, tribo_error *err) {
  model_collider *c = find_collider(m, object);
  if (!c || c->sample_count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object %zu %s%s%s; only a collider whose motion has a sample can go on",
                       object, c ? "'" : "is no collider", c ? c->name : "",
                       c ? "' stands still" : "");
  size_t vertices = (size_t)c->vertex_count;
  TRY(check_finite(c->name, sample, c->maps ? 16 : 3 * vertices, err));
  if (c->maps) {
    rigid_map map;
    if (!rigid_map_from_matrix(sample, &map))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': the next transform of its motion does not keep the shape; "
                         "give the moving vertices as points",
                         c->name);
    rigid_map *maps = make_room(&m->memory, c->maps, c->sample_count, &c->capacity, sizeof map);
    if (!maps) return status_no_memory(err, "a motion");
    maps[c->sample_count++] = map;
    c->maps = maps;
    return TRIBO_OK;
  }
  vec3 *samples =
      make_room(&m->memory, c->samples, c->sample_count, &c->capacity, vertices * sizeof *samples);
  if (!samples) return status_no_memory(err, "a motion");
  memcpy(samples + c->sample_count * vertices, sample, vertices * sizeof *samples);
  c->sample_count++;
  c->samples = samples;
  return TRIBO_OK;
}

tribo_status extend_presence(model *m, size_t object, double seconds, bool present,
                             tribo_error *err) {
  model_collider *c = find_collider(m, object);
  if (!c)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object %zu is no collider; only such can appear and vanish", object);
  double last = c->switch_count ? c->switches[c->switch_count - 1] : -INFINITY;
  if (!isfinite(seconds) || seconds < last)
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "object '%s' cannot appear or vanish at %g s, which is before %g s, where it "
        "did so last; tell of times as they come",
        c->name, seconds, last);
  if (collider_present(c, seconds) == present) return TRIBO_OK;
  double *switches =
      make_room(&m->memory, c->switches, c->switch_count, &c->switch_capacity, sizeof *switches);
  if (!switches) return status_no_memory(err, "when a collider is there");
  switches[c->switch_count++] = seconds;
  c->switches = switches;
  return TRIBO_OK;
}

static size_t vertices_of(const model_pin *p) {
  if (p->rod) return p->rod->point_count;
  return p->cage ? p->cage->vertex_count : p->vertex_count;
}

tribo_status extend_pin(model *m, size_t object, size_t number, const double *sample,
                        tribo_error *err) {
  model_pin *p = NULL;
  for (size_t i = 0; i < m->pin_count; i++)
    if (m->pins[i].object == object && m->pins[i].number == number) p = &m->pins[i];
  if (!p || !p->follows)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object %zu has no pin %zu with targets; only such can go on", object,
                       number);
  TRY(check_finite("a pin's targets", sample, 3 * vertices_of(p), err));
  vec3 *samples = make_room(&m->memory, p->samples, p->sample_count, &p->capacity,
                            p->vertex_count * sizeof *samples);
  if (!samples) return status_no_memory(err, "a motion");
  vec3 *next = samples + p->sample_count * p->vertex_count;
  if (p->cage)
    cage_aim(p->cage, m->rest, sample, next);
  else if (p->rod)
    rod_hold_aim(p->rod, sample, next - p->vertex_count, next);
  else
    memcpy(next, sample, p->vertex_count * sizeof *next);
  p->sample_count++;
  p->samples = samples;
  return TRIBO_OK;
}
