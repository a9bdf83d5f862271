/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds/builder.h"

void *builder_keep(builder *b, size_t count, size_t size) {
  return arena_alloc(&b->m->memory, count, size);
}

int32_t *builder_globalized(builder *b, const int32_t *local, size_t count, int32_t first) {
  int32_t *global = ARENA_ARRAY(&b->scratch, int32_t, count);
  for (size_t i = 0; global && i < count; i++) global[i] = first + local[i];
  return global;
}

void builder_gather(const model *m, const int32_t *vertices, int arity, vec3 *out) {
  for (int a = 0; a < arity; a++) out[a] = m->rest[vertices[a]];
}

void builder_place(builder *b, const tribo_object_def *def, const model_body *body) {
  const double *positions = def->cage ? def->cage : def->positions;
  for (int32_t i = 0; i < body->node_count; i++) {
    b->m->rest[body->first_node + i] = vec3_from(positions + 3 * (size_t)i);
    b->m->start_velocity[body->first_node + i] = vec3_from(def->object.velocity);
  }
}

void builder_lump(model *m, const int32_t *vertices, int arity, double mass, double damping) {
  for (int a = 0; a < arity; a++) {
    m->mass[vertices[a]] += mass / arity;
    m->mass_damping[vertices[a]] += damping * mass / arity;
  }
}

void builder_spin(builder *b, const tribo_object_def *def, const model_body *body) {
  model *m = b->m;
  vec3 spin = vec3_from(def->object.spin), moment = {0, 0, 0};
  double mass = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->node_count; i++) {
    moment = vec3_madd(moment, m->mass[i], m->rest[i]);
    mass += m->mass[i];
  }
  if (!(vec3_norm2(spin) > 0) || !(mass > 0)) return;
  vec3 centre = vec3_scale(1 / mass, moment);
  for (int32_t i = body->first_node; i < body->first_node + body->node_count; i++) {
    vec3 turning = vec3_cross(spin, vec3_sub(m->rest[i], centre));
    m->start_velocity[i] = vec3_add(m->start_velocity[i], turning);
  }
}

tribo_status builder_add_set(builder *b, const int32_t *vertices, size_t count, int arity,
                             element_set *out, int32_t **order, tribo_error *err) {
  *order = ARENA_ARRAY(&b->scratch, int32_t, count);
  if (!*order) return status_no_memory(err, "the order of elements");
  b->sets[b->set_count++] = out;
  return elements_arrange(vertices, count, arity, b->m->rest, (size_t)b->m->node_count,
                          &b->m->memory, out, *order, err);
}

tribo_status builder_add_term(builder *b, const element_kernel *kernel, const int32_t *vertices,
                              size_t count, size_t element_size, double damping_stiffness,
                              const element_set **set, void **data, int32_t **order,
                              tribo_error *err) {
  model *m = b->m;
  element_set *own = builder_keep(b, 1, sizeof *own);
  *data = builder_keep(b, count, element_size);
  if (!own || !*data) return status_no_memory(err, kernel->name);
  TRY(builder_add_set(b, vertices, count, kernel->arity, own, order, err));
  m->elastics[m->elastic_count++] =
      (model_elastic){{kernel, own, *data}, count ? damping_stiffness : 0};
  if (count && damping_stiffness > 0) m->damped = true;
  *set = own;
  return TRIBO_OK;
}

tribo_status builder_add_skin(builder *b, const tribo_object_def *def, const int32_t *triangles,
                              size_t count, tribo_error *err) {
  model *m = b->m;
  const tribo_world_params *world = b->world;
  if (def->object.drag == 0 || world->air_density == 0) return TRIBO_OK;
  model_skin *skin = &m->skins[m->skin_count++];
  *skin = (model_skin){.air = {.velocity = vec3_from(world->wind),
                               .density = world->air_density,
                               .drag = def->object.drag},
                       .first = m->skin_triangles};
  m->skin_triangles += count;
  int32_t *order;
  return builder_add_set(b, triangles, count, 3, &skin->set, &order, err);
}
