/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/feelers.h"

/* Fat points are on no vertex: what is painted at a contact is looked up on the mesh. */
static tribo_status make_skin(arena *memory, feelers *out, tribo_error *err) {
  mesh_distance *skin = ARENA_ARRAY(memory, mesh_distance, 1);
  if (!skin) return status_no_memory(err, out->body->name);
  tasks alone = tasks_create(1);
  out->skin = skin;
  return mesh_distance_build(&alone, out->body->local, (size_t)out->body->vertex_count,
                             out->def->triangles, out->def->triangle_count, memory, skin, err);
}

static tribo_status make_fat(primitive_kind kind, arena *memory, feelers *out, tribo_error *err) {
  primitive shape;
  double worst;
  TRY(primitive_fit(kind, out->body->local, (size_t)out->body->vertex_count, out->def->triangles,
                    out->def->triangle_count, &shape, &worst, err));
  /* along the axis of a capsule no two are farther apart than its radius */
  double half = kind == PRIMITIVE_CAPSULE ? shape.half.z : 0;
  size_t steps = half > 0 ? (size_t)fmin(ceil(2 * half / shape.radius), 1000) : 0;
  vec3 *local = ARENA_ARRAY(memory, vec3, steps + 1);
  if (!local) return status_no_memory(err, out->body->name);
  vec3 axis = mat3_column(&shape.axes, 2);
  for (size_t i = 0; i <= steps; i++) {
    double along = steps ? half * (2 * (double)i / (double)steps - 1) : 0;
    local[i] = vec3_madd(shape.centre, along, axis);
  }
  out->local = local;
  out->count = steps + 1;
  out->thickness += shape.radius;
  return TRIBO_OK;
}

tribo_status feelers_create(const model *m, const model_feelers *def, bool round, arena *memory,
                            feelers *out, tribo_error *err) {
  *out = (feelers){.def = def,
                   .body = &m->bodies[def->body],
                   .count = def->count,
                   .thickness = def->params.thickness};
  if (out->body->carriage != CARRY_RIGID || !round) return TRIBO_OK;
  switch (def->params.contact) {
    case TRIBO_CONTACT_SPHERE: TRY(make_fat(PRIMITIVE_SPHERE, memory, out, err)); break;
    case TRIBO_CONTACT_CAPSULE: TRY(make_fat(PRIMITIVE_CAPSULE, memory, out, err)); break;
    default: return TRIBO_OK;
  }
  return paint_any(&m->paints[def->object]) ? make_skin(memory, out, err) : TRIBO_OK;
}

int32_t feelers_vertex(const feelers *f, size_t i) {
  return f->local ? (int32_t)i : f->def->vertices[i];
}

vec3 feelers_point(const feelers *f, const model *m, const contact_moment *moment, size_t i) {
  if (!f->local) return moment->vertices[f->body->first_vertex + f->def->vertices[i]];
  quat turn = carry_turn(m, moment->x, moment->turns, (size_t)f->body->rigid);
  return vec3_add(moment->x[f->body->first_node], quat_rotate(turn, f->local[i]));
}

vec3 feelers_before(const feelers *f, const contact_moment *moment, size_t i) {
  if (!f->local) return moment->before[f->body->first_vertex + f->def->vertices[i]];
  quat turn = moment->turns[f->body->rigid];
  return vec3_add(moment->x_before[f->body->first_node], quat_rotate(turn, f->local[i]));
}

double feelers_speed(const feelers *f, const vec3 *velocities, size_t i) {
  if (!f->local) return vec3_norm(velocities[f->body->first_vertex + f->def->vertices[i]]);
  double fastest = 0;
  for (int32_t k = 0; k < f->body->vertex_count; k++)
    fastest = fmax(fastest, vec3_norm(velocities[f->body->first_vertex + k]));
  return fastest;
}
