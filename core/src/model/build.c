/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build: from the objects of a scene to a model. In order: bodies with their vertices and nodes,
 * then each body's energies, then the pins, then the pattern of the matrix that all of them share.
 */
#include <string.h>

#include "geom/topology.h"
#include "model/bending.h"
#include "model/cage.h"
#include "model/collider.h"
#include "model/membrane.h"
#include "model/model.h"
#include "model/outline.h"
#include "model/pin.h"
#include "model/rigid.h"
#include "model/solid.h"
#include "model/stiffness.h"
#include "model/warp.h"

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

/* Element indices of an object as node numbers of the model, in scratch. */
static int32_t *globalized(builder *b, const int32_t *local, size_t count, int32_t first) {
  int32_t *global = ARENA_ARRAY(&b->scratch, int32_t, count);
  for (size_t i = 0; global && i < count; i++) global[i] = first + local[i];
  return global;
}

static void gather(const model *m, const int32_t *vertices, int arity, vec3 *out) {
  for (int a = 0; a < arity; a++) out[a] = m->rest[vertices[a]];
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

static bool is_simulated(const tribo_object_def *def) { return def->kind != TRIBO_COLLIDER; }

static size_t nodes_of(const tribo_object_def *def) {
  if (def->kind == TRIBO_RIGID) return 2;
  return def->cage ? def->cage_count : def->vertex_count;
}

static tribo_status make_room(builder *b, size_t object_count, tribo_error *err) {
  model *m = b->m;
  size_t nodes = 0, vertices = 0, rigids = 0;
  for (size_t o = 0; o < object_count; o++) {
    const tribo_object_def *def = &b->objects[o];
    if (!is_simulated(def)) continue;
    nodes += nodes_of(def);
    vertices += def->vertex_count;
    rigids += def->kind == TRIBO_RIGID;
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
  m->elastics = keep(b, TERMS_A_BODY * object_count, sizeof *m->elastics);
  m->skins = keep(b, object_count, sizeof *m->skins);
  b->sets = ARENA_ARRAY(&b->scratch, element_set *, SETS_A_BODY * object_count + 1);
  m->rest = keep(b, nodes, sizeof *m->rest);
  m->start_velocity = keep(b, nodes, sizeof *m->start_velocity);
  m->mass = keep(b, nodes, sizeof *m->mass);
  m->mass_damping = keep(b, nodes, sizeof *m->mass_damping);
  m->row_of_node = keep(b, nodes, sizeof *m->row_of_node);
  m->node_of_row = keep(b, nodes, sizeof *m->node_of_row);
  bool whole = m->bodies && m->rigids && m->elastics && m->skins && b->sets && m->rest &&
               m->start_velocity && m->mass && m->mass_damping && m->row_of_node && m->node_of_row;
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
                         .object = o,
                         .first_vertex = vertex,
                         .vertex_count = (int32_t)def->vertex_count,
                         .first_node = node,
                         .node_count = (int32_t)nodes_of(def)};
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

/* The vertices themselves are the nodes, unless a cage has its own. */
static void place_nodes(builder *b, const tribo_object_def *def, const model_body *body) {
  const double *positions = def->cage ? def->cage : def->positions;
  for (int32_t i = 0; i < body->node_count; i++) {
    b->m->rest[body->first_node + i] = vec3_from(positions + 3 * (size_t)i);
    b->m->start_velocity[body->first_node + i] = vec3_from(def->object.velocity);
  }
}

static tribo_status add_rigid(builder *b, const tribo_object_def *def, model_body *body,
                              tribo_error *err) {
  model *m = b->m;
  model_rigid *rigid = &m->rigids[m->rigid_count];
  vec3 centre;
  TRY(rigid_measure(def->name, def->positions, def->vertex_count, def->triangles,
                    def->triangle_count, def->rigid.density, rigid, &centre, err));
  rigid->body = (int32_t)(body - m->bodies);
  rigid->node = body->first_node;
  m->rest[rigid->node] = centre; /* that of the turning is 0, and so is its lumped mass */
  m->mass[rigid->node] = rigid->mass;
  m->start_velocity[rigid->node] = vec3_from(def->object.velocity);
  m->start_velocity[rigid->node + 1] = vec3_scale(rigid->length, vec3_from(def->object.spin));

  vec3 *local = keep(b, def->vertex_count, sizeof *local);
  if (!local) return status_no_memory(err, body->name);
  for (size_t i = 0; i < def->vertex_count; i++) {
    vec3 arm = vec3_sub(vec3_from(def->positions + 3 * i), centre);
    local[i] = quat_unrotate(rigid->turn, arm);
  }
  body->carriage = CARRY_RIGID;
  body->rigid = (int32_t)m->rigid_count++;
  body->local = local;
  return TRIBO_OK;
}

/* An element's mass goes in equal parts to its vertices. */
static void lump(model *m, const int32_t *vertices, int arity, double mass, double damping) {
  for (int a = 0; a < arity; a++) {
    m->mass[vertices[a]] += mass / arity;
    m->mass_damping[vertices[a]] += damping * mass / arity;
  }
}

/* The object turns about its centre of mass; called when the masses are known. */
static void spin_nodes(model *m, const tribo_object_def *def, const model_body *body) {
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

/* ---- energies ---------------------------------------------------------------------------------
 */

/* Sorts elements into a set of the model; order[new] says where each came from. */
static tribo_status add_set(builder *b, const int32_t *vertices, size_t count, int arity,
                            element_set *out, int32_t **order, tribo_error *err) {
  *order = ARENA_ARRAY(&b->scratch, int32_t, count);
  if (!*order) return status_no_memory(err, "the order of elements");
  b->sets[b->set_count++] = out;
  return elements_arrange(vertices, count, arity, b->m->rest, (size_t)b->m->node_count,
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

static tribo_status add_solid(builder *b, const tribo_object_def *def, model_body *body,
                              tribo_error *err) {
  model *m = b->m;
  double *full = NULL; /* of tets that are not: the part that is */
  if (def->cage) TRY(cage_embed(def, &m->memory, &b->scratch, body, &full, err));
  const tribo_solid_params *p = &def->solid;
  const element_kernel *kernel = p->model == TRIBO_SOLID_NEO_HOOKEAN
                                     ? &solid_kernel_neo_hookean
                                     : &solid_kernel_stable_neo_hookean;
  int32_t *tets = globalized(b, def->tets, 4 * def->tet_count, body->first_node);
  if (!tets) return status_no_memory(err, body->name);
  double *painted;
  TRY(stiffness_of_nodes(def, body, &b->scratch, &painted, err));

  const element_set *set;
  void *data;
  int32_t *order;
  TRY(add_term(b, kernel, tets, def->tet_count, sizeof(solid_element), p->damping_stiffness, &set,
               &data, &order, err));
  solid_element *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[4];
    gather(m, set->vertices + 4 * e, 4, rest);
    double part = full ? full[order[e]] : 1;
    double young = p->young * stiffness_of_element(painted, body, set->vertices + 4 * e, 4);
    solid_element_init(rest, young * fmax(part, CAGE_LEAST_STIFFNESS), p->poisson, &elements[e]);
    double density = p->density * fmax(part, CAGE_LEAST_DENSITY);
    lump(m, set->vertices + 4 * e, 4, density * elements[e].volume, p->damping_mass);
  }
  topology_list skin;
  TRY(topology_boundary(tets, def->tet_count, &b->scratch, &skin, err));
  return add_skin(b, def, skin.vertices, skin.count, err);
}

static membrane_material membrane_of(const tribo_cloth_params *p, double times) {
  return (membrane_material){.warp = times * p->stretch,
                             .weft = times * (p->stretch_weft > 0 ? p->stretch_weft : p->stretch),
                             .poisson = p->poisson,
                             .shear = times * p->shear};
}

static tribo_status add_membrane(builder *b, const tribo_object_def *def, const model_body *body,
                                 const int32_t *triangles, const double *painted,
                                 tribo_error *err) {
  model *m = b->m;
  const tribo_cloth_params *p = &def->cloth;
  const element_set *set;
  void *data;
  int32_t *order;
  TRY(add_term(b, &membrane_kernel, triangles, def->triangle_count, sizeof(membrane_element),
               p->damping_stiffness, &set, &data, &order, err));
  membrane_element *elements = data;
  vec3 axis = warp_axis_of(def);
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[3];
    gather(m, set->vertices + 3 * e, 3, rest);
    membrane_material material =
        membrane_of(p, stiffness_of_element(painted, body, set->vertices + 3 * e, 3));
    bool sound;
    if (p->warp_from == TRIBO_WARP_FROM_UV) {
      double uv[3][2];
      memcpy(uv, def->uvs + 6 * order[e], sizeof uv);
      sound = membrane_element_init_uv(rest, (const double(*)[2])uv, &material, &elements[e]);
    } else {
      sound = membrane_element_init(rest, axis, &material, &elements[e]);
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

static tribo_status add_bending(builder *b, const tribo_object_def *def, const model_body *body,
                                const int32_t *triangles, const double *painted, tribo_error *err) {
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
    double times = stiffness_of_element(painted, body, set->vertices + 4 * e, 4);
    bending_element_init(rest, times * p->bend, &elements[e]);
    if (p->rest_angle == TRIBO_REST_ANGLE_FLAT) elements[e].rest_angle = 0;
  }
  return TRIBO_OK;
}

static tribo_status add_cloth(builder *b, const tribo_object_def *def, const model_body *body,
                              tribo_error *err) {
  int32_t *triangles = globalized(b, def->triangles, 3 * def->triangle_count, body->first_node);
  if (!triangles) return status_no_memory(err, body->name);
  double *painted;
  TRY(stiffness_of_nodes(def, body, &b->scratch, &painted, err));
  TRY(add_membrane(b, def, body, triangles, painted, err));
  TRY(add_bending(b, def, body, triangles, painted, err));
  return add_skin(b, def, triangles, def->triangle_count, err);
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

static tribo_status add_pin(builder *b, const tribo_object_def *object, const tribo_pin_def *def,
                            const model_body *body, size_t *soft_count, tribo_error *err) {
  model *m = b->m;
  model_pin *pin = &m->pins[m->pin_count++];
  size_t samples = def->targets ? def->target_count : 1;
  bool caged = body->carriage == CARRY_EMBEDDED;
  cage_hold held, *kept = caged ? keep(b, 1, sizeof *kept) : NULL;
  if (caged && !kept) return status_no_memory(err, "pins");
  if (caged)
    TRY(cage_pin(object, def, body, m->rest, &m->memory, &b->scratch, &held, err));
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
  TRY(add_set(b, soft, soft_count, 1, &m->soft_pins, &order, err));
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

static tribo_status lay_out_matrix(builder *b, tribo_error *err) {
  model *m = b->m;
  for (int32_t i = 0; i < m->node_count; i++) {
    if (m->row_of_node[i] < 0) continue;
    m->node_of_row[m->row_count] = i;
    m->row_of_node[i] = m->row_count++;
  }

  /* Every set of elements, and the pairs of nodes that rigid bodies have. */
  bcsr_clique_set *cliques = ARENA_ARRAY(&b->scratch, bcsr_clique_set, b->set_count + 1);
  int32_t *pairs = ARENA_ARRAY(&b->scratch, int32_t, 2 * m->rigid_count);
  if (!cliques || !pairs) return status_no_memory(err, "the matrix");
  for (size_t k = 0; k < m->rigid_count; k++) {
    pairs[2 * k] = m->rigids[k].node;
    pairs[2 * k + 1] = m->rigids[k].node + 1;
  }
  cliques[b->set_count] = (bcsr_clique_set){pairs, m->rigid_count, 2};
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

static tribo_status build(builder *b, size_t object_count, tribo_error *err) {
  TRY(place_bodies(b, object_count, err));
  for (size_t k = 0; k < b->m->body_count; k++) {
    model_body *body = &b->m->bodies[k];
    const tribo_object_def *def = &b->objects[body->object];
    if (def->kind != TRIBO_RIGID) place_nodes(b, def, body);
    switch (def->kind) {
      case TRIBO_SOLID: TRY(add_solid(b, def, body, err)); break;
      case TRIBO_CLOTH: TRY(add_cloth(b, def, body, err)); break;
      case TRIBO_RIGID: TRY(add_rigid(b, def, body, err)); break;
      case TRIBO_COLLIDER: break;
    }
    if (def->kind != TRIBO_RIGID) spin_nodes(b->m, def, body);
  }
  TRY(add_pins(b, err));
  TRY(collider_build_all(b->objects, object_count, b->time, b->m, err));
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
