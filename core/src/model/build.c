/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build: from the objects of a scene to a model. In order: vertices, then each body's energies,
 * then the pins, then the pattern of the matrix that all of them share.
 */
#include <string.h>

#include "geom/topology.h"
#include "model/bending.h"
#include "model/membrane.h"
#include "model/model.h"
#include "model/pin.h"
#include "model/solid.h"

/* What only the building needs. `scratch` dies with it. */
typedef struct builder {
  model *m;
  const tribo_object_def *objects;
  const tribo_world_params *world;
  const tribo_time_params *time;
  element_set **sets; /* every set made so far: their union gives the matrix */
  size_t set_count;
  arena scratch;
} builder;

/* At most: membrane and bending of a cloth; and the skin. */
enum { TERMS_A_BODY = 2, SETS_A_BODY = TERMS_A_BODY + 1 };

static void *keep(builder *b, size_t count, size_t size) {
  return arena_alloc(&b->m->memory, count, size);
}

static const char *keep_text(builder *b, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = keep(b, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

/* Element indices of an object as global vertex numbers, in scratch. */
static int32_t *globalized(builder *b, const int32_t *local, size_t count, int32_t first) {
  int32_t *global = ARENA_ARRAY(&b->scratch, int32_t, count);
  for (size_t i = 0; global && i < count; i++) global[i] = first + local[i];
  return global;
}

static void gather(const model *m, const int32_t *vertices, int arity, vec3 *out) {
  for (int a = 0; a < arity; a++) out[a] = m->rest[vertices[a]];
}

/* ---- vertices ---------------------------------------------------------------------------------
 */

static tribo_status place_vertices(builder *b, size_t object_count, tribo_error *err) {
  model *m = b->m;
  size_t total = 0;
  for (size_t o = 0; o < object_count; o++) total += b->objects[o].vertex_count;
  if (total > INT32_MAX / 16)
    return status_fail(err, TRIBO_BAD_INPUT, "the scene has %zu vertices; at most %d are possible",
                       total, INT32_MAX / 16);
  m->vertex_count = (int32_t)total;
  m->bodies = keep(b, object_count, sizeof *m->bodies);
  m->elastics = keep(b, TERMS_A_BODY * object_count, sizeof *m->elastics);
  m->skins = keep(b, object_count, sizeof *m->skins);
  b->sets = ARENA_ARRAY(&b->scratch, element_set *, SETS_A_BODY * object_count + 1);
  m->rest = keep(b, total, sizeof *m->rest);
  m->start_velocity = keep(b, total, sizeof *m->start_velocity);
  m->mass = keep(b, total, sizeof *m->mass);
  m->mass_damping = keep(b, total, sizeof *m->mass_damping);
  m->row_of_vertex = keep(b, total, sizeof *m->row_of_vertex);
  m->vertex_of_row = keep(b, total, sizeof *m->vertex_of_row);
  if (!m->bodies || !m->elastics || !m->skins || !b->sets || !m->rest || !m->start_velocity ||
      !m->mass || !m->mass_damping || !m->row_of_vertex || !m->vertex_of_row)
    return status_no_memory(err, "the model's vertices");

  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  int32_t first = 0;
  for (size_t o = 0; o < object_count; o++) {
    const tribo_object_def *def = &b->objects[o];
    model_body *body = &m->bodies[m->body_count++];
    *body = (model_body){keep_text(b, def->name), def->kind, first, (int32_t)def->vertex_count};
    if (!body->name) return status_no_memory(err, "an object's name");
    for (size_t i = 0; i < def->vertex_count; i++) {
      vec3 x = vec3_from(def->positions + 3 * i);
      m->rest[first + (int32_t)i] = x;
      m->start_velocity[first + (int32_t)i] = vec3_from(def->object.velocity);
      low = vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
      high = vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    first += body->vertex_count;
  }
  m->size = total ? vec3_norm(vec3_sub(high, low)) : 0;
  return TRIBO_OK;
}

/* An element's mass goes in equal parts to its vertices. */
static void lump(model *m, const int32_t *vertices, int arity, double mass, double damping) {
  for (int a = 0; a < arity; a++) {
    m->mass[vertices[a]] += mass / arity;
    m->mass_damping[vertices[a]] += damping * mass / arity;
  }
}

/* ---- energies ---------------------------------------------------------------------------------
 */

/* Sorts elements into a set of the model; order[new] says where each came from. */
static tribo_status add_set(builder *b, const int32_t *vertices, size_t count, int arity,
                            element_set *out, int32_t **order, tribo_error *err) {
  *order = ARENA_ARRAY(&b->scratch, int32_t, count);
  if (!*order) return status_no_memory(err, "the order of elements");
  b->sets[b->set_count++] = out;
  return elements_arrange(vertices, count, arity, b->m->rest, (size_t)b->m->vertex_count,
                          &b->m->memory, out, *order, err);
}

/* A new elastic term, its constants still to be filled in. */
static tribo_status add_term(builder *b, const element_kernel *kernel, const int32_t *vertices,
                             size_t count, size_t element_size, double damping_stiffness,
                             const element_set **set, void **data, int32_t **order,
                             tribo_error *err) {
  model *m = b->m;
  element_set *own = keep(b, 1, sizeof *own);
  *data = keep(b, count, element_size);
  if (!own || !*data) return status_no_memory(err, kernel->name);
  TRY(add_set(b, vertices, count, kernel->arity, own, order, err));
  m->elastics[m->elastic_count++] =
      (model_elastic){{kernel, own, *data}, count ? damping_stiffness : 0};
  if (count && damping_stiffness > 0) m->damped = true;
  *set = own;
  return TRIBO_OK;
}

static tribo_status add_skin(builder *b, const tribo_object_def *def, const int32_t *triangles,
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
  return add_set(b, triangles, count, 3, &skin->set, &order, err);
}

static tribo_status add_solid(builder *b, const tribo_object_def *def, const model_body *body,
                              tribo_error *err) {
  model *m = b->m;
  const tribo_solid_params *p = &def->solid;
  const element_kernel *kernel = p->model == TRIBO_SOLID_NEO_HOOKEAN
                                     ? &solid_kernel_neo_hookean
                                     : &solid_kernel_stable_neo_hookean;
  int32_t *tets = globalized(b, def->tets, 4 * def->tet_count, body->first_vertex);
  if (!tets) return status_no_memory(err, body->name);

  const element_set *set;
  void *data;
  int32_t *order;
  TRY(add_term(b, kernel, tets, def->tet_count, sizeof(solid_element), p->damping_stiffness, &set,
               &data, &order, err));
  solid_element *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[4];
    gather(m, set->vertices + 4 * e, 4, rest);
    solid_element_init(rest, p->young, p->poisson, &elements[e]);
    lump(m, set->vertices + 4 * e, 4, p->density * elements[e].volume, p->damping_mass);
  }
  topology_list skin;
  TRY(topology_boundary(tets, def->tet_count, &b->scratch, &skin, err));
  return add_skin(b, def, skin.vertices, skin.count, err);
}

static tribo_status add_membrane(builder *b, const tribo_object_def *def, const model_body *body,
                                 const int32_t *triangles, tribo_error *err) {
  model *m = b->m;
  const tribo_cloth_params *p = &def->cloth;
  membrane_material material = {.warp = p->stretch,
                                .weft = p->stretch_weft > 0 ? p->stretch_weft : p->stretch,
                                .poisson = p->poisson,
                                .shear = p->shear};
  const element_set *set;
  void *data;
  int32_t *order;
  TRY(add_term(b, &membrane_kernel, triangles, def->triangle_count, sizeof(membrane_element),
               p->damping_stiffness, &set, &data, &order, err));
  membrane_element *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[3];
    gather(m, set->vertices + 3 * e, 3, rest);
    bool sound;
    if (p->warp_from == TRIBO_WARP_FROM_UV) {
      double uv[3][2];
      memcpy(uv, def->uvs + 6 * order[e], sizeof uv);
      sound = membrane_element_init_uv(rest, (const double(*)[2])uv, &material, &elements[e]);
    } else {
      sound = membrane_element_init(rest, vec3_from(p->warp_axis), &material, &elements[e]);
    }
    if (!sound)
      return status_fail(err, TRIBO_BAD_INPUT, "object '%s': triangle %d has no warp direction: %s",
                         body->name, (int)order[e],
                         p->warp_from == TRIBO_WARP_FROM_UV
                             ? "it has no area in UV; unwrap it, or set elastic.warp_from to 'axis'"
                             : "it is perpendicular to elastic.warp_axis; choose another axis, or "
                               "set elastic.warp_from to 'uv'");
    lump(m, set->vertices + 3 * e, 3, p->density * elements[e].area, p->damping_mass);
  }
  return TRIBO_OK;
}

static tribo_status add_bending(builder *b, const tribo_object_def *def, const int32_t *triangles,
                                tribo_error *err) {
  const tribo_cloth_params *p = &def->cloth;
  if (p->bend == 0) return TRIBO_OK;
  topology_list hinges;
  TRY(topology_hinges(triangles, def->triangle_count, &b->scratch, &hinges, err));

  const element_set *set;
  void *data;
  int32_t *order;
  TRY(add_term(b, &bending_kernel, hinges.vertices, hinges.count, sizeof(bending_element),
               p->damping_stiffness, &set, &data, &order, err));
  bending_element *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[4];
    gather(b->m, set->vertices + 4 * e, 4, rest);
    bending_element_init(rest, p->bend, &elements[e]);
    if (p->rest_angle == TRIBO_REST_ANGLE_FLAT) elements[e].rest_angle = 0;
  }
  return TRIBO_OK;
}

static tribo_status add_cloth(builder *b, const tribo_object_def *def, const model_body *body,
                              tribo_error *err) {
  int32_t *triangles = globalized(b, def->triangles, 3 * def->triangle_count, body->first_vertex);
  if (!triangles) return status_no_memory(err, body->name);
  TRY(add_membrane(b, def, body, triangles, err));
  TRY(add_bending(b, def, triangles, err));
  return add_skin(b, def, triangles, def->triangle_count, err);
}

/* ---- pins -------------------------------------------------------------------------------------
 */

static tribo_status add_pin(builder *b, const tribo_pin_def *def, const model_body *body,
                            size_t *soft_count, tribo_error *err) {
  model *m = b->m;
  model_pin *pin = &m->pins[m->pin_count++];
  size_t count = def->vertex_count, samples = def->targets ? def->target_count : 1;
  int32_t *vertices = keep(b, count, sizeof *vertices);
  vec3 *targets = keep(b, count * samples, sizeof *targets);
  if (!vertices || !targets) return status_no_memory(err, "pins");

  for (size_t i = 0; i < count; i++) {
    vertices[i] = body->first_vertex + def->vertices[i];
    if (!def->targets) targets[i] = m->rest[vertices[i]];
    if (def->params.stiffness == 0) m->row_of_vertex[vertices[i]] = -1;
  }
  if (def->targets)
    for (size_t i = 0; i < count * samples; i++) targets[i] = vec3_from(def->targets + 3 * i);

  *pin =
      (model_pin){.vertices = vertices,
                  .vertex_count = count,
                  .stiffness = def->params.stiffness,
                  .samples = targets,
                  .sample_count = samples,
                  .start = def->targets ? (def->target_start - b->time->start) / b->time->fps : 0,
                  .interval = def->targets ? def->target_interval / b->time->fps : 1};
  if (pin->stiffness > 0) *soft_count += count;
  return TRIBO_OK;
}

/* One element a softly pinned vertex; tells every pin the numbers of its elements. */
static tribo_status add_soft_pins(builder *b, size_t soft_count, tribo_error *err) {
  model *m = b->m;
  int32_t *soft = ARENA_ARRAY(&b->scratch, int32_t, soft_count);
  int32_t *place = keep(b, soft_count, sizeof *place), *order;
  if (!soft || !place) return status_no_memory(err, "pins");
  size_t first = 0;
  for (size_t p = 0; p < m->pin_count; p++) {
    model_pin *pin = &m->pins[p];
    if (pin->stiffness == 0) continue;
    memcpy(soft + first, pin->vertices, pin->vertex_count * sizeof *soft);
    pin->elements = place + first;
    first += pin->vertex_count;
  }
  TRY(add_set(b, soft, soft_count, 1, &m->soft_pins, &order, err));
  for (size_t e = 0; e < soft_count; e++) place[order[e]] = (int32_t)e;
  return TRIBO_OK;
}

static tribo_status add_pins(builder *b, tribo_error *err) {
  model *m = b->m;
  size_t pin_count = 0, soft_count = 0;
  for (size_t o = 0; o < m->body_count; o++) pin_count += b->objects[o].pin_count;
  m->pins = keep(b, pin_count, sizeof *m->pins);
  if (!m->pins) return status_no_memory(err, "pins");
  for (size_t o = 0; o < m->body_count; o++)
    for (size_t p = 0; p < b->objects[o].pin_count; p++)
      TRY(add_pin(b, &b->objects[o].pins[p], &m->bodies[o], &soft_count, err));

  return add_soft_pins(b, soft_count, err);
}

/* ---- the matrix -------------------------------------------------------------------------------
 */

/* The pattern over free vertices: rows and columns of pinned ones left out. */
static tribo_status restrict_pattern(builder *b, tribo_error *err) {
  model *m = b->m;
  const bcsr_pattern *all = &m->pattern;
  if (m->row_count == m->vertex_count) {
    m->free_pattern = m->pattern;
    return TRIBO_OK;
  }
  bcsr_pattern *out = &m->free_pattern;
  out->rows = m->row_count;
  out->row_start = keep(b, (size_t)m->row_count + 1, sizeof *out->row_start);
  out->columns = keep(b, (size_t)bcsr_block_count(all), sizeof *out->columns);
  out->diagonal = keep(b, (size_t)m->row_count, sizeof *out->diagonal);
  m->free_blocks = keep(b, (size_t)bcsr_block_count(all), sizeof *m->free_blocks);
  if (!out->row_start || !out->columns || !out->diagonal || !m->free_blocks)
    return status_no_memory(err, "the system's pattern");
  int32_t count = 0;
  for (int32_t row = 0; row < m->row_count; row++) {
    int32_t vertex = m->vertex_of_row[row];
    for (int32_t k = all->row_start[vertex]; k < all->row_start[vertex + 1]; k++) {
      int32_t column = m->row_of_vertex[all->columns[k]];
      if (column < 0) continue;
      if (column == row) out->diagonal[row] = count;
      m->free_blocks[count] = k;
      out->columns[count++] = column;
    }
    out->row_start[row + 1] = count;
  }
  return TRIBO_OK;
}

static tribo_status lay_out_matrix(builder *b, tribo_error *err) {
  model *m = b->m;
  for (int32_t i = 0; i < m->vertex_count; i++) {
    if (m->row_of_vertex[i] < 0) continue;
    m->vertex_of_row[m->row_count] = i;
    m->row_of_vertex[i] = m->row_count++;
  }

  bcsr_clique_set *cliques = ARENA_ARRAY(&b->scratch, bcsr_clique_set, b->set_count);
  if (!cliques) return status_no_memory(err, "the matrix");
  for (size_t k = 0; k < b->set_count; k++) {
    const element_set *set = b->sets[k];
    cliques[k] = (bcsr_clique_set){set->vertices, set->count, set->arity};
    if (set->count > m->largest_set) m->largest_set = set->count;
  }
  TRY(bcsr_analyze(m->vertex_count, cliques, b->set_count, &m->memory, &m->pattern, err));
  for (size_t k = 0; k < b->set_count; k++)
    TRY(elements_bind(b->sets[k], &m->pattern, &m->memory, err));
  return restrict_pattern(b, err);
}

static tribo_status build(builder *b, size_t object_count, tribo_error *err) {
  TRY(place_vertices(b, object_count, err));
  for (size_t o = 0; o < object_count; o++) {
    const tribo_object_def *def = &b->objects[o];
    switch (def->kind) {
      case TRIBO_SOLID: TRY(add_solid(b, def, &b->m->bodies[o], err)); break;
      case TRIBO_CLOTH: TRY(add_cloth(b, def, &b->m->bodies[o], err)); break;
    }
  }
  TRY(add_pins(b, err));
  return lay_out_matrix(b, err);
}

tribo_status model_build(const tribo_object_def *objects, size_t object_count,
                         const tribo_world_params *world, const tribo_time_params *time, model *out,
                         tribo_error *err) {
  *out = (model){.gravity = vec3_from(world->gravity)};
  builder b = {.m = out, .objects = objects, .world = world, .time = time};
  tribo_status status = build(&b, object_count, err);
  arena_free(&b.scratch);
  if (status != TRIBO_OK) model_free(out);
  return status;
}
