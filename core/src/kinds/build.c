/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build: from the objects of a scene to a model. In order: bodies with their vertices and nodes,
 * then each body's energies, then the pins, then the pattern of the matrix that all of them share.
 */
#include "kinds/build.h"

#include <string.h>

#include "energy/pin.h"
#include "kinds/kind.h"
#include "kinds/outline.h"
#include "model/cage.h"
#include "model/kinematics.h"
#include "model/rod_hold.h"

#define keep builder_keep

static const char *keep_text(builder *b, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = keep(b, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

static bool is_simulated(const tribo_object_def *def) { return kind_of(def)->about.simulated; }

static tribo_status make_room(builder *b, size_t object_count, tribo_error *err) {
  model *m = b->m;
  size_t nodes = 0, vertices = 0, rigids = 0, terms = 0, given = 0;
  for (size_t o = 0; o < object_count; o++) {
    const tribo_object_def *def = &b->objects[o];
    const kind_row *k = kind_of(def);
    given += !k->about.simulated;
    if (!k->about.simulated) continue;
    nodes += k->node_count(def);
    vertices += def->vertex_count;
    rigids += k->about.turns;
    terms += k->terms;
  }
  size_t larger = nodes > vertices ? nodes : vertices;
  if (larger > INT32_MAX / 16)
    return status_fail(err, TRIBO_BAD_INPUT, "the scene has %zu vertices; at most %d are possible",
                       larger, INT32_MAX / 16);
  m->node_count = (int32_t)nodes;
  m->vertex_count = (int32_t)vertices;
  m->object_count = object_count;
  m->bodies = keep(b, object_count, sizeof *m->bodies);
  m->rigids = keep(b, rigids, sizeof *m->rigids);
  m->elastics = keep(b, terms, sizeof *m->elastics);
  m->skins = keep(b, object_count, sizeof *m->skins);
  m->colliders = keep(b, given, sizeof *m->colliders);
  b->sets = ARENA_ARRAY(&b->scratch, element_set *, terms + object_count + 1); /* skins and pins */
  m->rest = keep(b, nodes, sizeof *m->rest);
  m->start_velocity = keep(b, nodes, sizeof *m->start_velocity);
  m->mass = keep(b, nodes, sizeof *m->mass);
  m->mass_damping = keep(b, nodes, sizeof *m->mass_damping);
  m->row_of_node = keep(b, nodes, sizeof *m->row_of_node);
  m->node_of_row = keep(b, nodes, sizeof *m->node_of_row);
  bool whole = m->bodies && m->rigids && m->elastics && m->skins && m->colliders && b->sets &&
               m->rest && m->start_velocity && m->mass && m->mass_damping && m->row_of_node &&
               m->node_of_row;
  return whole ? TRIBO_OK : status_no_memory(err, "the model's nodes");
}

static void widen(vec3 x, vec3 *low, vec3 *high) {
  *low = vec3_make(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
  *high = vec3_make(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
}

static tribo_status place_bodies(builder *b, size_t object_count, tribo_error *err) {
  model *m = b->m;
  TRY(make_room(b, object_count, err));
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  int32_t vertex = 0, node = 0;
  m->smallest = INFINITY;
  for (size_t o = 0; o < object_count; o++) {
    const tribo_object_def *def = &b->objects[o];
    if (!is_simulated(def)) continue;
    model_body *body = &m->bodies[m->body_count++];
    *body = (model_body){.name = keep_text(b, def->name),
                         .kind = def->kind,
                         .sheet = kind_of(def)->about.sheet,
                         .tets = kind_of(def)->about.mesh == TRIBO_MESH_TETS,
                         .object = o,
                         .first_vertex = vertex,
                         .vertex_count = (int32_t)def->vertex_count,
                         .first_node = node,
                         .kinematics = &kinematics_nodes, /* unless its kind says otherwise */
                         .node_count = (int32_t)kind_of(def)->node_count(def)};
    if (!body->name) return status_no_memory(err, "an object's name");
    vec3 own_low = vec3_from(def->positions), own_high = own_low;
    for (size_t i = 0; i < def->vertex_count; i++)
      widen(vec3_from(def->positions + 3 * i), &own_low, &own_high);
    widen(own_low, &low, &high);
    widen(own_high, &low, &high);
    m->smallest = fmin(m->smallest, vec3_norm(vec3_sub(own_high, own_low)));
    vertex += body->vertex_count;
    node += body->node_count;
  }
  m->size = m->body_count ? vec3_norm(vec3_sub(high, low)) : 0;
  m->smallest = fmin(m->smallest, m->size);
  return TRIBO_OK;
}

/* ---- pins -------------------------------------------------------------------------------------
 */

/* The vertices are the nodes to hold. */
static tribo_status hold_nodes(builder *b, const tribo_pin_def *def, const model_body *body,
                               size_t samples, cage_hold *out, tribo_error *err) {
  size_t count = def->vertex_count;
  *out = (cage_hold){.nodes = keep(b, count, sizeof *out->nodes),
                     .count = count,
                     .targets = keep(b, count * samples, sizeof *out->targets)};
  if (!out->nodes || !out->targets) return status_no_memory(err, "pins");
  for (size_t i = 0; i < count; i++) {
    out->nodes[i] = body->first_node + def->vertices[i];
    if (!def->targets) out->targets[i] = b->m->rest[out->nodes[i]];
  }
  for (size_t i = 0; def->targets && i < count * samples; i++)
    out->targets[i] = vec3_from(def->targets + 3 * i);
  return TRIBO_OK;
}

/* Directors are held as well. */
static tribo_status hold_rod(builder *b, const tribo_object_def *object, const tribo_pin_def *def,
                             const model_body *body, rod_hold *rod, cage_hold *out,
                             tribo_error *err) {
  vec3 *targets;
  TRY(rod_hold_make(object, def, body, b->m->rest, &b->m->memory, &b->scratch, rod, &targets, err));
  *out = (cage_hold){.nodes = rod->nodes, .count = rod->count, .targets = targets};
  return TRIBO_OK;
}

static tribo_status add_pin(builder *b, const tribo_object_def *object, const tribo_pin_def *def,
                            const model_body *body, size_t *soft_count, tribo_error *err) {
  model *m = b->m;
  model_pin *pin = &m->pins[m->pin_count++];
  size_t samples = def->targets ? def->target_count : 1;
  bool caged = !body->kinematics->by_vertex;
  bool clamped = body->kinematics->directors && def->params.stiffness == 0;
  cage_hold held, *kept = caged ? keep(b, 1, sizeof *kept) : NULL;
  rod_hold *rod = clamped ? keep(b, 1, sizeof *rod) : NULL;
  if ((caged && !kept) || (clamped && !rod)) return status_no_memory(err, "pins");
  if (caged)
    TRY(cage_pin(object, def, body, m->rest, &m->memory, &b->scratch, &held, err));
  else if (clamped)
    TRY(hold_rod(b, object, def, body, rod, &held, err));
  else
    TRY(hold_nodes(b, def, body, samples, &held, err));
  if (caged) *kept = held;
  for (size_t i = 0; def->params.stiffness == 0 && i < held.count; i++)
    m->row_of_node[held.nodes[i]] = -1;
  *pin =
      (model_pin){.object = body->object,
                  .number = (size_t)(def - object->pins),
                  .follows = def->targets != NULL,
                  .cage = kept,
                  .rod = rod,
                  .vertices = held.nodes,
                  .vertex_count = held.count,
                  .stiffness = def->params.stiffness,
                  .share = held.share,
                  .samples = held.targets,
                  .sample_count = samples,
                  .capacity = samples,
                  .start = def->targets ? (def->target_start - b->time->start) / b->time->fps : 0,
                  .interval = def->targets ? def->target_interval / b->time->fps : 1};
  if (pin->stiffness > 0) *soft_count += held.count;
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
  TRY(builder_add_set(b, soft, soft_count, 1, &m->soft_pins, &order, err));
  for (size_t e = 0; e < soft_count; e++) place[order[e]] = (int32_t)e;
  return TRIBO_OK;
}

static tribo_status add_pins(builder *b, tribo_error *err) {
  model *m = b->m;
  size_t pin_count = 0, soft_count = 0;
  for (size_t k = 0; k < m->body_count; k++) pin_count += b->objects[m->bodies[k].object].pin_count;
  m->pins = keep(b, pin_count, sizeof *m->pins);
  if (!m->pins) return status_no_memory(err, "pins");
  for (size_t k = 0; k < m->body_count; k++) {
    const tribo_object_def *def = &b->objects[m->bodies[k].object];
    for (size_t p = 0; p < def->pin_count; p++)
      TRY(add_pin(b, def, &def->pins[p], &m->bodies[k], &soft_count, err));
  }
  return add_soft_pins(b, soft_count, err);
}

/* ---- the matrix -------------------------------------------------------------------------------
 */

/* The pattern over free vertices: rows and columns of pinned ones left out. */
static tribo_status restrict_pattern(builder *b, tribo_error *err) {
  model *m = b->m;
  const bcsr_pattern *all = &m->pattern;
  if (m->row_count == m->node_count) {
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
    int32_t vertex = m->node_of_row[row];
    for (int32_t k = all->row_start[vertex]; k < all->row_start[vertex + 1]; k++) {
      int32_t column = m->row_of_node[all->columns[k]];
      if (column < 0) continue;
      if (column == row) out->diagonal[row] = count;
      m->free_blocks[count] = k;
      out->columns[count++] = column;
    }
    out->row_start[row + 1] = count;
  }
  return TRIBO_OK;
}

static tribo_status couple(builder *b, bcsr_clique_set *out, tribo_error *err) {
  const model *m = b->m;
  size_t count = 0, next = 0;
  for (size_t k = 0; k < m->body_count; k++) {
    const kinematics *by = m->bodies[k].kinematics;
    if (by->couple) count += by->couple(&m->bodies[k], NULL);
  }
  int32_t *pairs = ARENA_ARRAY(&b->scratch, int32_t, 2 * count);
  if (!pairs) return status_no_memory(err, "the matrix");
  for (size_t k = 0; k < m->body_count; k++) {
    const kinematics *by = m->bodies[k].kinematics;
    if (by->couple) next += by->couple(&m->bodies[k], pairs + 2 * next);
  }
  *out = (bcsr_clique_set){pairs, count, 2};
  return TRIBO_OK;
}

static tribo_status lay_out_matrix(builder *b, tribo_error *err) {
  model *m = b->m;
  for (int32_t i = 0; i < m->node_count; i++) {
    if (m->row_of_node[i] < 0) continue;
    m->node_of_row[m->row_count] = i;
    m->row_of_node[i] = m->row_count++;
  }

  /* Every set of elements, and the pairs of nodes that kinematics couples. */
  bcsr_clique_set *cliques = ARENA_ARRAY(&b->scratch, bcsr_clique_set, b->set_count + 1);
  if (!cliques) return status_no_memory(err, "the matrix");
  TRY(couple(b, &cliques[b->set_count], err));
  for (size_t k = 0; k < b->set_count; k++) {
    const element_set *set = b->sets[k];
    cliques[k] = (bcsr_clique_set){set->vertices, set->count, set->arity};
    if (set->count > m->largest_set) m->largest_set = set->count;
  }
  TRY(bcsr_analyze(m->node_count, cliques, b->set_count + 1, &m->memory, &m->pattern, err));
  for (size_t k = 0; k < b->set_count; k++)
    TRY(elements_bind(b->sets[k], &m->pattern, &m->memory, err));
  return restrict_pattern(b, err);
}

/* What is simulated has a body; what is given has none, and comes when pins are made. */
static tribo_status build_given(builder *b, size_t object_count, tribo_error *err) {
  for (size_t o = 0; o < object_count; o++)
    if (!is_simulated(&b->objects[o])) TRY(kind_of(&b->objects[o])->build(b, o, NULL, err));
  return TRIBO_OK;
}

static tribo_status build(builder *b, size_t object_count, tribo_error *err) {
  TRY(place_bodies(b, object_count, err));
  for (size_t k = 0; k < b->m->body_count; k++) {
    model_body *body = &b->m->bodies[k];
    TRY(kind_of(&b->objects[body->object])->build(b, body->object, body, err));
  }
  TRY(add_pins(b, err));
  TRY(build_given(b, object_count, err));
  TRY(outline_build(b->objects, object_count, b->m, err));
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
