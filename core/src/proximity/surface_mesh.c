/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proximity/surface_mesh.h"

#include <assert.h>

#include <stdlib.h>
#include <string.h>

#include "geom/places.h"
#include "geom/strands.h"
#include "model/collider.h"

/* Triangles that bend by less at an edge are coplanar, radians. */
static const double FLAT = 1e-5;

/* ---- parts ------------------------------------------------------------------------------------
 */

/* The triangles of an object, and where its vertices are at rest. */
typedef struct source {
  size_t object;
  int32_t body, collider;
  const int32_t *triangles;
  size_t triangle_count, vertex_count; /* vertices: all of the object's own */
  const vec3 *rest;
  double thickness;
  bool lines;
} source;

typedef struct builder {
  const model *model;
  surface_mesh *mesh;
  source *sources;
  size_t count;
  vec3 *positions; /* of all vertices of bodies, at rest */
} builder;

static bool is_listed(const builder *b, size_t object) {
  for (size_t i = 0; i < b->count; i++)
    if (b->sources[i].object == object) return true;
  return false;
}

static void add_source(builder *b, source s) {
  const model *m = b->model;
  if (s.triangle_count == 0 || is_listed(b, s.object)) return;
  if (s.body >= 0) {
    s.vertex_count = (size_t)m->bodies[s.body].vertex_count;
    s.rest = b->positions + m->bodies[s.body].first_vertex;
  } else {
    s.vertex_count = (size_t)m->colliders[s.collider].vertex_count;
    s.rest = m->colliders[s.collider].rest;
  }
  s.thickness = fmax(s.thickness, 0);
  b->sources[b->count++] = s;
}

static int compare_sources(const void *left, const void *right) {
  const source *a = left, *b = right;
  if ((a->body < 0) != (b->body < 0)) return a->body < 0 ? 1 : -1;
  return (a->object > b->object) - (a->object < b->object);
}

static void list_sources(builder *b) {
  const model *m = b->model;
  for (size_t i = 0; i < m->probe_count; i++) {
    const model_probes *f = &m->probes[i];
    add_source(b, (source){.object = f->object,
                           .body = f->body,
                           .collider = -1,
                           .triangles = f->triangles,
                           .triangle_count = f->triangle_count,
                           .lines = f->lines,
                           .thickness = f->params.thickness});
  }
  for (size_t i = 0; i < m->surface_count; i++) {
    const model_surface *s = &m->surfaces[i];
    add_source(b, (source){.object = s->object,
                           .body = s->body,
                           .collider = s->collider,
                           .triangles = s->triangles,
                           .triangle_count = s->triangle_count,
                           .thickness = s->params.thickness});
  }
  if (b->count > 0) qsort(b->sources, b->count, sizeof *b->sources, compare_sources);
}

/* ---- vertices and triangles -------------------------------------------------------------------
 */

/* Appends the vertices that triangles have. number: of each of the object's own. */
static void take_vertices(surface_mesh *mesh, const source *s, surface_part *part,
                          int32_t *number) {
  for (size_t v = 0; v < s->vertex_count; v++) number[v] = -1;
  for (size_t k = 0; k < 3 * s->triangle_count; k++) number[s->triangles[k]] = 0;
  part->first_vertex = mesh->vertex_count;
  for (size_t v = 0; v < s->vertex_count; v++) {
    if (number[v] < 0) continue;
    int32_t at = mesh->vertex_count++;
    number[v] = at;
    mesh->part[at] = (int32_t)(part - mesh->parts);
    mesh->own[at] = (int32_t)v;
    mesh->rest[at] = s->rest[v];
  }
  part->vertex_count = mesh->vertex_count - part->first_vertex;
}

/* A segment of a rod counts as so wide, in its own lengths, at least. */
static const double LEAST_WIDTH = 0.1;

static double area_of(const surface_mesh *mesh, const source *s, const int32_t *t) {
  vec3 a = vec3_sub(mesh->rest[t[1]], mesh->rest[t[0]]);
  vec3 b = vec3_sub(mesh->rest[t[2]], mesh->rest[t[0]]);
  if (!s->lines) return vec3_norm(vec3_cross(a, b)) / 2;
  double length = vec3_norm(a);
  return length * fmax(2 * s->thickness, LEAST_WIDTH * length);
}

static void take_triangles(surface_mesh *mesh, const source *s, surface_part *part,
                           const int32_t *number) {
  part->first_triangle = mesh->triangle_count;
  part->triangle_count = (int32_t)s->triangle_count;
  for (size_t i = 0; i < s->triangle_count; i++) {
    int32_t at = mesh->triangle_count++;
    int32_t *t = mesh->triangles + 3 * (size_t)at;
    for (int k = 0; k < 3; k++) t[k] = number[s->triangles[3 * i + (size_t)k]];
    double area = area_of(mesh, s, t);
    int corners = s->lines ? 2 : 3;
    mesh->triangle_area[at] = area;
    part->area += area;
    for (int k = 0; k < corners; k++) mesh->vertex_area[t[k]] += area / corners;
  }
}

/* ---- edges ------------------------------------------------------------------------------------
 */

typedef struct side {
  int32_t low, high, triangle;
  bool runs_up; /* the triangle runs along it from low to high */
} side;

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int32_t third(const surface_mesh *mesh, const side *s) {
  const int32_t *t = mesh->triangles + 3 * (size_t)s->triangle;
  for (int k = 0; k < 3; k++)
    if (t[k] != s->low && t[k] != s->high) return t[k];
  return t[0];
}

/* How far the second triangle turns away from the first, radians: above 0 where the edge is a
 * ridge, seen from where the first's normal points. */
static double turn_at(const surface_mesh *mesh, const side *a, const side *b) {
  vec3 low = mesh->rest[a->low];
  vec3 along = vec3_normalized(vec3_sub(mesh->rest[a->high], low));
  vec3 to_a = vec3_sub(mesh->rest[third(mesh, a)], low);
  vec3 to_b = vec3_sub(mesh->rest[third(mesh, b)], low);
  to_a = vec3_madd(to_a, -vec3_dot(to_a, along), along);
  to_b = vec3_madd(to_b, -vec3_dot(to_b, along), along);
  vec3 normal = vec3_cross(a->runs_up ? along : vec3_scale(-1, along), to_a);
  double height = vec3_dot(to_b, vec3_normalized(normal));
  double away = -vec3_dot(to_b, vec3_normalized(to_a));
  return atan2(-height, away);
}

/* Whether something can touch the edge before it touches what is around. */
static bool is_met(const surface_mesh *mesh, const surface_part *part, const side *sides,
                   size_t count) {
  if (part->deforms || count != 2) return true;
  double turn = turn_at(mesh, &sides[0], &sides[1]);
  return part->closed ? turn > FLAT : fabs(turn) > FLAT;
}

static size_t run_end(const side *sides, size_t count, size_t first) {
  size_t end = first + 1;
  while (end < count && sides[end].low == sides[first].low && sides[end].high == sides[first].high)
    end++;
  return end;
}

static bool is_closed(const side *sides, size_t count) {
  for (size_t i = 0; i < count; i += 2)
    if (run_end(sides, count, i) != i + 2 || sides[i].runs_up == sides[i + 1].runs_up) return false;
  return true;
}

static void take_edges(surface_mesh *mesh, surface_part *part, side *sides) {
  size_t count = 3 * (size_t)part->triangle_count;
  for (size_t i = 0; i < count; i++) {
    int32_t triangle = part->first_triangle + (int32_t)(i / 3);
    const int32_t *t = mesh->triangles + 3 * (size_t)triangle;
    int32_t a = t[i % 3], b = t[(i + 1) % 3];
    /* Seams of UVs do not open what keeps its shape; elsewhere the two sides may part. */
    if (!part->deforms) a = mesh->same[a], b = mesh->same[b];
    sides[i] = (side){a < b ? a : b, a < b ? b : a, triangle, a < b};
  }
  qsort(sides, count, sizeof *sides, compare_sides);
  part->closed = is_closed(sides, count);
  part->first_edge = mesh->edge_count;
  double length = 0;
  for (size_t i = 0, end; i < count; i = end) {
    end = run_end(sides, count, i);
    if (sides[i].low == sides[i].high) continue;
    int32_t at = mesh->edge_count++;
    mesh->edges[2 * (size_t)at] = sides[i].low;
    mesh->edges[2 * (size_t)at + 1] = sides[i].high;
    for (size_t k = i; k < end; k++)
      mesh->edge_area[at] += mesh->triangle_area[sides[k].triangle] / (part->lines ? 2 : 3);
    mesh->edge_met[at] = is_met(mesh, part, sides + i, end - i);
    length += vec3_norm(vec3_sub(mesh->rest[sides[i].high], mesh->rest[sides[i].low]));
  }
  part->edge_count = mesh->edge_count - part->first_edge;
  part->spacing = part->edge_count > 0 ? length / part->edge_count : 0;
}

static void mark_vertices(surface_mesh *mesh, const surface_part *part) {
  for (int32_t e = part->first_edge; e < part->first_edge + part->edge_count; e++)
    for (int k = 0; k < 2; k++)
      if (mesh->edge_met[e]) mesh->vertex_met[mesh->edges[2 * (size_t)e + (size_t)k]] = true;
}

/* The first vertex of the part at each place. */
static tribo_status join_places(surface_mesh *mesh, const surface_part *part, int32_t *scratch,
                                tribo_error *err) {
  size_t count = (size_t)part->vertex_count, places;
  int32_t *place = scratch, *first = scratch + count;
  TRY(places_number(mesh->rest + part->first_vertex, count, place, &places, err));
  for (size_t i = 0; i < places; i++) first[i] = -1;
  for (size_t i = 0; i < count; i++) {
    if (first[place[i]] < 0) first[place[i]] = part->first_vertex + (int32_t)i;
    mesh->same[(size_t)part->first_vertex + i] = first[place[i]];
  }
  return TRIBO_OK;
}

/* ---- strands ----------------------------------------------------------------------------------
 */

/* Of the thickness r: bent about a circle of radius r, places pi r apart are opposite each other.
 */
static const double ALONG = 3.2;

static double length_of(const surface_mesh *mesh, const int32_t *first, const int32_t *second) {
  return vec3_norm(vec3_sub(mesh->rest[*second], mesh->rest[*first]));
}

/* number: the mesh's number of each of the object's vertices. */
static void follow_strand(surface_mesh *mesh, const strands *all, size_t s, int32_t number,
                          const int32_t *numbers) {
  double arc = 0, around = INFINITY;
  size_t points = strands_points(all, s);
  for (size_t i = 0; i < points; i++) {
    int32_t v = numbers[strands_point(all, s, i)], next = numbers[strands_point(all, s, i + 1)];
    mesh->strand[v] = number;
    mesh->arc[v] = arc;
    arc += length_of(mesh, &v, &next);
  }
  if (all->ring[s]) around = arc;
  for (size_t i = 0; i < points; i++) mesh->around[numbers[strands_point(all, s, i)]] = around;
}

static tribo_status take_strands(surface_mesh *mesh, const source *s, surface_part *part,
                                 const int32_t *numbers, tribo_error *err) {
  for (int32_t v = 0; v < part->vertex_count; v++) mesh->strand[part->first_vertex + v] = -1;
  if (!s->lines) return TRIBO_OK;
  part->along = ALONG * s->thickness;
  arena scratch = {0};
  int32_t *segments = ARENA_ARRAY(&scratch, int32_t, 2 * s->triangle_count);
  strands all = {0};
  strands_fault fault;
  tribo_status status = segments ? TRIBO_OK : status_no_memory(err, "strands");
  for (size_t i = 0; segments && i < s->triangle_count; i++)
    memcpy(segments + 2 * i, s->triangles + 3 * i, 2 * sizeof *segments);
  if (status == TRIBO_OK)
    status =
        strands_find(segments, s->triangle_count, s->vertex_count, &scratch, &all, &fault, err);
  for (size_t k = 0; status == TRIBO_OK && k < all.count; k++)
    follow_strand(mesh, &all, k, (int32_t)k, numbers);
  arena_free(&scratch);
  return status;
}

/* ---- building ---------------------------------------------------------------------------------
 */

static tribo_status take_part(builder *b, size_t i, int32_t *scratch, side *sides,
                              tribo_error *err) {
  surface_mesh *mesh = b->mesh;
  const source *s = &b->sources[i];
  const model_body *body = s->body >= 0 ? &b->model->bodies[s->body] : NULL;
  const model_collider *collider = body ? NULL : &b->model->colliders[s->collider];
  surface_part *part = &mesh->parts[mesh->part_count++];
  *part = (surface_part){.name = body ? body->name : collider->name,
                         .object = s->object,
                         .body = s->body,
                         .collider = s->collider,
                         .thickness = s->thickness,
                         .deforms = body ? body->kinematics->deforms : collider_deforms(collider)};
  part->lines = s->lines;
  take_vertices(mesh, s, part, scratch);
  take_triangles(mesh, s, part, scratch);
  TRY(take_strands(mesh, s, part, scratch, err));
  TRY(join_places(mesh, part, scratch, err));
  take_edges(mesh, part, sides);
  mark_vertices(mesh, part);
  if (!body) return TRIBO_OK;
  mesh->body_vertices = mesh->vertex_count;
  mesh->body_edges = mesh->edge_count;
  mesh->body_triangles = mesh->triangle_count;
  return TRIBO_OK;
}

static tribo_status make_room(const builder *b, arena *memory, tribo_error *err) {
  surface_mesh *mesh = b->mesh;
  size_t vertices = 0, triangles = 0;
  for (size_t i = 0; i < b->count; i++) {
    vertices += b->sources[i].vertex_count;
    triangles += b->sources[i].triangle_count;
  }
  mesh->parts = ARENA_ARRAY(memory, surface_part, b->count);
  mesh->part = ARENA_ARRAY(memory, int32_t, vertices);
  mesh->own = ARENA_ARRAY(memory, int32_t, vertices);
  mesh->same = ARENA_ARRAY(memory, int32_t, vertices);
  mesh->strand = ARENA_ARRAY(memory, int32_t, vertices);
  mesh->arc = ARENA_ARRAY(memory, double, vertices);
  mesh->around = ARENA_ARRAY(memory, double, vertices);
  mesh->vertex_area = ARENA_ARRAY(memory, double, vertices);
  mesh->vertex_met = ARENA_ARRAY(memory, bool, vertices);
  mesh->rest = ARENA_ARRAY(memory, vec3, vertices);
  mesh->edges = ARENA_ARRAY(memory, int32_t, 6 * triangles);
  mesh->edge_area = ARENA_ARRAY(memory, double, 3 * triangles);
  mesh->edge_met = ARENA_ARRAY(memory, bool, 3 * triangles);
  mesh->triangles = ARENA_ARRAY(memory, int32_t, 3 * triangles);
  mesh->triangle_area = ARENA_ARRAY(memory, double, triangles);
  bool whole = mesh->parts && mesh->part && mesh->own && mesh->same && mesh->strand && mesh->arc &&
               mesh->around && mesh->vertex_area && mesh->vertex_met && mesh->rest && mesh->edges &&
               mesh->edge_area && mesh->edge_met && mesh->triangles && mesh->triangle_area;
  return whole ? TRIBO_OK : status_no_memory(err, "the surfaces of a scene");
}

static tribo_status take_parts(builder *b, arena *scratch, tribo_error *err) {
  size_t most_vertices = 0, most_triangles = 0;
  for (size_t i = 0; i < b->count; i++) {
    const source *s = &b->sources[i];
    if (s->vertex_count > most_vertices) most_vertices = s->vertex_count;
    if (s->triangle_count > most_triangles) most_triangles = s->triangle_count;
  }
  int32_t *numbers = ARENA_ARRAY(scratch, int32_t, 2 * most_vertices);
  side *sides = ARENA_ARRAY(scratch, side, 3 * most_triangles);
  if (!numbers || !sides) return status_no_memory(err, "the surfaces of a scene");
  for (size_t i = 0; i < b->count; i++) TRY(take_part(b, i, numbers, sides, err));
  return TRIBO_OK;
}

tribo_status surface_mesh_build(const model *m, arena *memory, surface_mesh *out,
                                tribo_error *err) {
  *out = (surface_mesh){.model = m};
  arena scratch = {0};
  builder b = {.model = m,
               .mesh = out,
               .sources = ARENA_ARRAY(&scratch, source, m->probe_count + m->surface_count + 1),
               .positions = ARENA_ARRAY(&scratch, vec3, m->vertex_count)};
  quat *turns = ARENA_ARRAY(&scratch, quat, m->rigid_count + 1);
  tribo_status status = TRIBO_OK;
  if (!b.sources || !b.positions || !turns)
    status = status_no_memory(err, "the surfaces of a scene");
  if (status == TRIBO_OK) {
    tasks one = {1};
    kinematics_start_turns(m, turns);
    kinematics_positions(m, &one, m->rest, turns, b.positions);
    list_sources(&b);
    status = make_room(&b, memory, err);
  }
  if (status == TRIBO_OK) status = take_parts(&b, &scratch, err);
  arena_free(&scratch);
  return status;
}

/* ---- where it is ------------------------------------------------------------------------------
 */

enum { GRAIN = 2048 };

typedef struct place_job {
  const surface_mesh *mesh;
  const surface_part *part;
  const vec3 *x; /* the nodes, or the vertices of a collider */
  mat3 frame;
  vec3 centre;
  vec3 *out;
} place_job;

static void place_nodes(void *context, size_t begin, size_t end) {
  const place_job *j = context;
  const model_body *body = &j->mesh->model->bodies[j->part->body];
  for (size_t v = (size_t)j->part->first_vertex + begin; v < (size_t)j->part->first_vertex + end;
       v++)
    j->out[v] = j->x[body->first_node + j->mesh->own[v]];
}

static void place_embedded(void *context, size_t begin, size_t end) {
  const place_job *j = context;
  const model_body *body = &j->mesh->model->bodies[j->part->body];
  for (size_t v = (size_t)j->part->first_vertex + begin; v < (size_t)j->part->first_vertex + end;
       v++) {
    int32_t own = j->mesh->own[v];
    vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
      sum = vec3_madd(sum, body->weight[own][k], j->x[body->anchor[own][k]]);
    j->out[v] = sum;
  }
}

static void place_rigid(void *context, size_t begin, size_t end) {
  const place_job *j = context;
  const model_body *body = &j->mesh->model->bodies[j->part->body];
  for (size_t v = (size_t)j->part->first_vertex + begin; v < (size_t)j->part->first_vertex + end;
       v++)
    j->out[v] = vec3_add(j->centre, mat3_mul_vec3(&j->frame, body->local[j->mesh->own[v]]));
}

static void place_collider(void *context, size_t begin, size_t end) {
  const place_job *j = context;
  for (size_t v = (size_t)j->part->first_vertex + begin; v < (size_t)j->part->first_vertex + end;
       v++)
    j->out[v] = j->x[j->mesh->own[v]];
}

void surface_mesh_place(const surface_mesh *mesh, const tasks *t, const vec3 *x, const quat *turns,
                        vec3 *out) {
  const model *m = mesh->model;
  for (int32_t p = 0; p < mesh->part_count; p++) {
    const surface_part *part = &mesh->parts[p];
    if (part->body < 0) break;
    const model_body *body = &m->bodies[part->body];
    place_job job = {.mesh = mesh, .part = part, .x = x, .out = out};
    if (!body->kinematics->deforms) {
      job.frame = quat_to_matrix(kinematics_turn(m, x, turns, (size_t)body->rigid));
      job.centre = x[m->rigids[body->rigid].node];
    }
    tasks_body place = body->kinematics->by_vertex ? place_nodes : place_embedded;
    if (!body->kinematics->deforms) place = place_rigid;
    tasks_for(t, (size_t)part->vertex_count, GRAIN, place, &job);
  }
}

void surface_mesh_place_colliders(const surface_mesh *mesh, const tasks *t, double seconds,
                                  vec3 *scratch, vec3 *out) {
  for (int32_t p = 0; p < mesh->part_count; p++) {
    const surface_part *part = &mesh->parts[p];
    if (part->collider < 0) continue;
    collider_vertices(&mesh->model->colliders[part->collider], t, seconds, scratch);
    place_job job = {.mesh = mesh, .part = part, .x = scratch, .out = out};
    tasks_for(t, (size_t)part->vertex_count, GRAIN, place_collider, &job);
  }
}

size_t surface_mesh_scratch(const surface_mesh *mesh) {
  size_t most = 1;
  for (size_t i = 0; i < mesh->model->collider_count; i++)
    if ((size_t)mesh->model->colliders[i].vertex_count > most)
      most = (size_t)mesh->model->colliders[i].vertex_count;
  return most;
}

bool surface_mesh_present(const surface_mesh *mesh, int32_t part, double seconds) {
  int32_t collider = mesh->parts[part].collider;
  return collider < 0 || collider_present(&mesh->model->colliders[collider], seconds);
}

mesh_row surface_mesh_row(const surface_mesh *mesh, const vec3 *x, int32_t vertex, vec3 at) {
  const surface_part *part = &mesh->parts[mesh->part[vertex]];
  mesh_row out;
  kinematic_row row = {.node = out.node, .block = out.block};
  kinematics_row_of(mesh->model, x, part->body, mesh->own[vertex], at, &row);
  assert(row.count <= MESH_ROW_MOST);
  out.count = row.count;
  return out;
}
