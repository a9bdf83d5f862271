/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/feelers.h"

#include <assert.h>

#include "geom/topology.h"
#include "model/kinematics.h"

/* ---- round ones -------------------------------------------------------------------------------
 */

/* Such points are on no vertex: what is painted at a contact is looked up on the mesh. */
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
  tribo_status status =
      primitive_fit(kind, out->body->local, (size_t)out->body->vertex_count, out->def->triangles,
                    out->def->triangle_count, &shape, &worst, err);
  TRY(status_prefix(err, status, "object '%s': ", out->body->name));
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
  feelers_span *spans = ARENA_ARRAY(memory, feelers_span, steps);
  if (!spans) return status_no_memory(err, out->body->name);
  for (size_t i = 0; i < steps; i++) spans[i] = (feelers_span){.end = {(int32_t)i, (int32_t)i + 1}};
  out->local = local;
  out->count = steps + 1;
  out->spans = spans;
  out->span_count = steps;
  out->thickness += shape.radius;
  return TRIBO_OK;
}

/* ---- blunt ones -------------------------------------------------------------------------------
 */

/* Planes at a vertex that count as one, and how well all of them must be met. */
static const double SAME_PLANE = 1e-6, MET = 1e-3;

enum { MOST_PLANES = 3 };
typedef struct corner {
  vec3 normal[MOST_PLANES]; /* of the planes that meet at a vertex */
  int count;
  bool simple; /* no more than three */
} corner;

static void corner_add(vec3 normal, corner *c) {
  for (int k = 0; k < c->count; k++)
    if (vec3_norm2(vec3_sub(normal, c->normal[k])) < SAME_PLANE * SAME_PLANE) return;
  if (c->count == MOST_PLANES)
    c->simple = false;
  else
    c->normal[c->count++] = normal;
}

/* The shortest d with normal_k . d = -1 for all k: d = sum a_k normal_k with the Gram matrix of the
 * normals, (n_j . n_k) a_k = -1. */
static bool corner_inwards(const corner *c, vec3 *d) {
  mat3 gram = mat3_identity();
  for (int j = 0; j < c->count; j++)
    for (int k = 0; k < c->count; k++) gram.m[j][k] = vec3_dot(c->normal[j], c->normal[k]);
  if (!c->simple || c->count == 0 || fabs(mat3_det(&gram)) < SAME_PLANE) return false;
  mat3 inverse = mat3_inverse(&gram);
  vec3 one = {c->count > 0 ? -1 : 0, c->count > 1 ? -1 : 0, c->count > 2 ? -1 : 0};
  vec3 a = mat3_mul_vec3(&inverse, one);
  const double by[MOST_PLANES] = {a.x, a.y, a.z};
  *d = vec3_make(0, 0, 0);
  for (int k = 0; k < c->count; k++) *d = vec3_madd(*d, by[k], c->normal[k]);
  for (int k = 0; k < c->count; k++)
    if (!(fabs(vec3_dot(c->normal[k], *d) + 1) < MET)) return false;
  return vec3_norm(*d) <= FEELERS_FARTHEST;
}

static double least_extent(const feelers *f) {
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < f->count; i++) {
    vec3 p = f->body->local[f->def->vertices[i]];
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  return fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z));
}

/* The planes at every vertex of the body. */
static tribo_status find_corners(const feelers *f, arena *scratch, corner **out, tribo_error *err) {
  *out = ARENA_ARRAY(scratch, corner, (size_t)f->body->vertex_count);
  if (!*out) return status_no_memory(err, f->body->name);
  for (int32_t v = 0; v < f->body->vertex_count; v++) (*out)[v].simple = true;
  const vec3 *x = f->body->local;
  for (size_t t = 0; t < f->def->triangle_count; t++) {
    const int32_t *v = f->def->triangles + 3 * t;
    vec3 n = vec3_cross(vec3_sub(x[v[1]], x[v[0]]), vec3_sub(x[v[2]], x[v[0]]));
    for (int k = 0; k < 3; k++) corner_add(vec3_normalized(n), &(*out)[v[k]]);
  }
  return TRIBO_OK;
}

/* Bent by less than this, an edge is as good as flat: cosine. */
static const double FLAT = 0.985;

static corner edge_corner(const vec3 *x, const int32_t *hinge) {
  corner c = {.simple = true};
  vec3 e = vec3_sub(x[hinge[1]], x[hinge[0]]);
  corner_add(vec3_normalized(vec3_cross(e, vec3_sub(x[hinge[2]], x[hinge[0]]))), &c);
  corner_add(vec3_normalized(vec3_cross(vec3_sub(x[hinge[3]], x[hinge[0]]), e)), &c);
  return c;
}

/* How many spans a sharp edge is cut into; 0 where it is flat. */
static size_t edge_spans(const vec3 *x, const int32_t *hinge, double apart) {
  corner c = edge_corner(x, hinge);
  if (c.count < 2 || vec3_dot(c.normal[0], c.normal[1]) > FLAT) return 0;
  double parts = ceil(vec3_norm(vec3_sub(x[hinge[1]], x[hinge[0]])) / apart * (1 - 1e-9));
  return (size_t)fmin(fmax(parts, 1), 1000);
}

/* The number of the feeler at a vertex; all vertices of triangles are feelers, ascending. */
static int32_t feeler_at(const model_feelers *def, int32_t vertex) {
  size_t low = 0, high = def->count - 1;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (def->vertices[middle] < vertex)
      low = middle + 1;
    else
      high = middle;
  }
  assert(def->vertices[low] == vertex);
  return (int32_t)low;
}

typedef struct blunt_points {
  vec3 *local;
  int32_t *rides;
  int32_t (*between)[2];
  size_t count;
  feelers_span *spans;
  size_t span_count;
} blunt_points;

static void add_edge(const feelers *f, const int32_t *hinge, size_t spans, vec3 inwards,
                     double radius, blunt_points *to) {
  const vec3 *x = f->body->local;
  vec3 way = vec3_sub(x[hinge[1]], x[hinge[0]]);
  int32_t last = feeler_at(f->def, hinge[0]), end = feeler_at(f->def, hinge[1]);
  for (size_t k = 1; k < spans; k++) {
    double part = (double)k / (double)spans;
    size_t i = to->count++;
    to->local[i] = vec3_add(vec3_madd(x[hinge[0]], part, way), vec3_scale(radius, inwards));
    to->rides[i] = hinge[0];
    to->between[i][0] = last;
    to->between[i][1] = k + 1 < spans ? (int32_t)i + 1 : end;
    to->spans[to->span_count++] = (feelers_span){{last, (int32_t)i}, inwards};
    last = (int32_t)i;
  }
  to->spans[to->span_count++] = (feelers_span){{last, end}, inwards};
}

static bool add_corners(const feelers *f, const corner *corners, double radius, blunt_points *to) {
  vec3 d;
  for (size_t i = 0; i < f->count; i++, to->count++) {
    int32_t v = f->def->vertices[i];
    if (!corner_inwards(&corners[v], &d)) return false;
    to->local[i] = vec3_madd(f->body->local[v], radius, d);
    to->rides[i] = v;
    to->between[i][0] = to->between[i][1] = -1;
  }
  return true;
}

static bool add_edges(const feelers *f, const topology_list *edges, double apart, double radius,
                      blunt_points *to) {
  vec3 d;
  for (size_t e = 0; e < edges->count; e++) {
    const int32_t *hinge = edges->vertices + 4 * e;
    size_t spans = edge_spans(f->body->local, hinge, apart);
    corner c = edge_corner(f->body->local, hinge);
    if (spans == 0) continue;
    if (!corner_inwards(&c, &d)) return false;
    add_edge(f, hinge, spans, d, radius, to);
  }
  return true;
}

/* All points, vertices first. Where a corner has no inside the body keeps its vertices. */
static tribo_status make_blunt(arena *memory, feelers *out, tribo_error *err) {
  double size = least_extent(out), radius = FEELERS_BLUNT_PART * size;
  double apart = FEELERS_EDGE_PART * size;
  out->form = FEELERS_VERTICES;
  if (!(radius > 0)) return TRIBO_OK;
  corner *corners;
  topology_list edges;
  TRY(find_corners(out, memory, &corners, err));
  TRY(topology_hinges(out->def->triangles, out->def->triangle_count, memory, &edges, err));
  size_t count = out->count, spans = 0;
  for (size_t e = 0; e < edges.count; e++) {
    size_t of_edge = edge_spans(out->body->local, edges.vertices + 4 * e, apart);
    spans += of_edge;
    count += of_edge > 0 ? of_edge - 1 : 0;
  }
  blunt_points points = {.local = ARENA_ARRAY(memory, vec3, count),
                         .rides = ARENA_ARRAY(memory, int32_t, count),
                         .between = arena_alloc(memory, count, sizeof *points.between),
                         .spans = ARENA_ARRAY(memory, feelers_span, spans)};
  if (!points.local || !points.rides || !points.between || !points.spans)
    return status_no_memory(err, out->body->name);
  if (!add_corners(out, corners, radius, &points)) return TRIBO_OK;
  if (!add_edges(out, &edges, apart, radius, &points)) return TRIBO_OK;
  out->form = FEELERS_BLUNT;
  out->local = points.local;
  out->rides = points.rides;
  out->between = (const int32_t(*)[2])points.between;
  out->count = points.count;
  out->spans = points.spans;
  out->span_count = points.span_count;
  out->blunt = radius;
  out->thickness += radius;
  return TRIBO_OK;
}

tribo_status feelers_create(const model *m, const model_feelers *def, feelers_form form,
                            arena *memory, feelers *out, tribo_error *err) {
  *out = (feelers){.form = form,
                   .def = def,
                   .body = &m->bodies[def->body],
                   .count = def->count,
                   .thickness = def->params.thickness};
  if (form == FEELERS_VERTICES) return TRIBO_OK;
  assert(!out->body->kinematics->deforms);
  if (form == FEELERS_BLUNT)
    TRY(make_blunt(memory, out, err));
  else if (def->params.contact == TRIBO_CONTACT_SPHERE)
    TRY(make_fat(PRIMITIVE_SPHERE, memory, out, err));
  else
    TRY(make_fat(PRIMITIVE_CAPSULE, memory, out, err));
  bool painted = out->local && paint_any(&m->paints[def->object]);
  return painted ? make_skin(memory, out, err) : TRIBO_OK;
}

int32_t feelers_vertex(const feelers *f, size_t i) {
  if (i >= f->count) return feelers_vertex(f, (size_t)f->spans[i - f->count].end[0]);
  switch (f->form) {
    case FEELERS_VERTICES: return f->def->vertices[i];
    case FEELERS_BLUNT: return f->rides[i];
    case FEELERS_ROUND: break;
  }
  return (int32_t)i;
}

uint32_t feelers_number(const feelers *f, size_t i) {
  return f->form == FEELERS_VERTICES ? (uint32_t)f->def->vertices[i] : (uint32_t)i;
}

vec3 feelers_point(const feelers *f, const model *m, const contact_moment *moment, size_t i) {
  if (!f->local) return moment->vertices[f->body->first_vertex + f->def->vertices[i]];
  quat turn = kinematics_turn(m, moment->x, moment->turns, (size_t)f->body->rigid);
  return vec3_add(moment->x[f->body->first_node], quat_rotate(turn, f->local[i]));
}

vec3 feelers_place(const feelers *f, const model *m, const contact_moment *moment, size_t i,
                   double part) {
  if (i < f->count) return feelers_point(f, m, moment, i);
  const int32_t *end = f->spans[i - f->count].end;
  vec3 from = feelers_point(f, m, moment, (size_t)end[0]);
  return vec3_madd(from, part, vec3_sub(feelers_point(f, m, moment, (size_t)end[1]), from));
}

vec3 feelers_edge(const feelers *f, const model *m, const contact_moment *moment, size_t i,
                  vec3 normal) {
  const vec3 none = {0, 0, 0};
  if (i < f->count || !(f->blunt > 0)) return none;
  quat turn = kinematics_turn(m, moment->x, moment->turns, (size_t)f->body->rigid);
  vec3 inwards = quat_rotate(turn, f->spans[i - f->count].inwards);
  return vec3_dot(inwards, normal) > 1 ? vec3_scale(-f->blunt, inwards) : none;
}

double feelers_thickness(const feelers *f, const model *m, const contact_moment *moment, size_t i,
                         vec3 normal) {
  double edge = -vec3_dot(feelers_edge(f, m, moment, i, normal), normal);
  return f->thickness + fmax(0, edge - f->blunt);
}

vec3 feelers_before(const feelers *f, const contact_moment *moment, size_t i) {
  if (!f->local) return moment->before[f->body->first_vertex + f->def->vertices[i]];
  quat turn = moment->turns[f->body->rigid];
  return vec3_add(moment->x_before[f->body->first_node], quat_rotate(turn, f->local[i]));
}

vec3 feelers_place_before(const feelers *f, const contact_moment *moment, size_t i, double part) {
  if (i < f->count) return feelers_before(f, moment, i);
  const int32_t *end = f->spans[i - f->count].end;
  vec3 from = feelers_before(f, moment, (size_t)end[0]);
  return vec3_madd(from, part, vec3_sub(feelers_before(f, moment, (size_t)end[1]), from));
}

double feelers_speed(const feelers *f, const vec3 *velocities, size_t i) {
  assert(!f->local);
  return vec3_norm(velocities[f->body->first_vertex + f->def->vertices[i]]);
}
