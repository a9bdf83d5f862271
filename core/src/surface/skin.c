/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "surface/skin.h"

#include <math.h>
#include <string.h>

#include "geom/refine.h"
#include "model/kinematics.h"

/* Newton's path ends where a step is this part of the surface's size, or was taken so often. */
static const double CLOSE = 1e-9;
enum { STEPS = 50, BLENDING = 3 };

/* Everything at the first frame. */
static tribo_status start_of(const model *m, const tasks *t, arena *memory, contact_moment *out,
                             tribo_error *err) {
  quat *turns = ARENA_ARRAY(memory, quat, m->rigid_count);
  vec3 *vertices = ARENA_ARRAY(memory, vec3, m->vertex_count);
  if (!turns || !vertices) return status_no_memory(err, "a skin");
  kinematics_start_turns(m, turns);
  kinematics_positions(m, t, m->rest, turns, vertices);
  *out = (contact_moment){
      .x = m->rest, .turns = turns, .vertices = vertices, .x_before = m->rest, .before = vertices};
  return TRIBO_OK;
}

typedef struct walk {
  const surface *on;
  double size;
  skin *out;
} walk;

static void walk_vertices(void *context, size_t begin, size_t end) {
  const walk *w = context;
  for (size_t i = begin; i < end; i++) {
    vec3 at = w->out->vertices[i];
    bool arrived = false;
    surface_hit hit = {0};
    for (int step = 0; step < STEPS && !arrived; step++) {
      hit = surface_query(w->on, at, INFINITY);
      if (!hit.near) break;
      at = hit.foot;
      arrived = fabs(hit.gap) <= CLOSE * w->size;
    }
    int32_t samples = surface_samples(w->on, at);
    bool hole = !arrived || samples == 0 || hit.through; /* through: its mesh is felt instead */
    w->out->state[i] = hole ? SKIN_HOLE : samples < BLENDING ? SKIN_THIN : SKIN_WHOLE;
    if (arrived) w->out->vertices[i] = vec3_madd(at, w->on->def->params.thickness, hit.normal);
  }
}

static double size_of(const vec3 *points, size_t count) {
  double size = 0;
  for (size_t i = 0; i < count; i++)
    size = fmax(size, vec3_max_abs(vec3_sub(points[i], points[0])));
  return size;
}

static tribo_status make(const surface *s, double spacing, const tasks *t, arena *memory, skin *out,
                         tribo_error *err) {
  vec3 *world = ARENA_ARRAY(memory, vec3, s->vertex_count);
  if (!world) return status_no_memory(err, "a skin");
  for (size_t i = 0; i < s->vertex_count; i++)
    world[i] = rigid_map_apply(&s->frame, s->vertices[i]);
  refined fine;
  TRY(refine_mesh("skin", world, s->vertex_count, s->triangles, s->triangle_count, spacing, memory,
                  &fine, err));
  *out = (skin){.vertices = fine.vertices,
                .state = ARENA_ARRAY(memory, uint8_t, fine.vertex_count),
                .vertex_count = fine.vertex_count,
                .triangles = fine.triangles,
                .triangle_count = fine.triangle_count};
  if (!out->state) return status_no_memory(err, "a skin");
  walk w = {s, size_of(world, s->vertex_count), out};
  tasks_for(t, out->vertex_count, 256, walk_vertices, &w);
  return TRIBO_OK;
}

tribo_status skin_make(const model *m, const model_surface *def, double spacing, const tasks *t,
                       arena *memory, skin *out, tribo_error *err) {
  contact_moment start;
  surface s;
  TRY(start_of(m, t, memory, &start, err));
  TRY(surface_create(m, def, t, &s, err));
  tribo_status status = surface_place(&s, t, &start, memory, err);
  if (status == TRIBO_OK) status = make(&s, spacing, t, memory, out, err);
  surface_free(&s);
  return status;
}
