/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/scale.h"

#include <string.h>

#include "model/rigid.h"
#include "proximity/stencil.h"

/* How much further than needed candidates are looked for, to serve for more than one motion. */
static const double ROOM = 12;
static const double BAND_OF_EDGE = 0.02, BAND_OF_THICKNESS = 0.25;
/* Thickness and band, at most, as parts of the distance at rest between features of one part. */
static const double THICKNESS_OF_REST = 0.5, BAND_OF_REST = 0.25;
/* A rod's edges count as no longer than so many of its thicknesses. */
static const double EDGE_OF_ROD = 10;
/* The thickness of a pair that starts within it, as a part of its distance at the start. */
static const double START_OF_REST = 0.9;

static size_t pair_of(const barrier_scale *s, int32_t a, int32_t b) {
  return (size_t)a * (size_t)s->mesh->part_count + (size_t)b;
}

void barrier_law(double s, double *value, double *slope, double *curve) {
  double l = log(s), t = s - 1;
  *value = -t * t * l;
  *slope = -2 * t * l - t * t / s;
  *curve = -2 * l - 4 * t / s + t * t / (s * s);
}

/* ---- parts ------------------------------------------------------------------------------------
 */

static double mass_of(const model *m, const model_body *b) {
  if (!b->kinematics->deforms) return m->rigids[b->rigid].mass;
  double mass = 0;
  int32_t points = kinematics_point_count(b);
  for (int32_t i = 0; i < points; i++) mass += m->mass[b->first_node + i];
  return mass;
}

/* kg/m^2; infinite of colliders. */
static double mass_an_area(const surface_mesh *m, int32_t part) {
  const surface_part *p = &m->parts[part];
  if (p->body < 0) return INFINITY;
  return p->area > 0 ? mass_of(m->model, &m->model->bodies[p->body]) / p->area : 0;
}

/* Edge length of a simulated part; edges that are long beside the whole part do not count. */
static double edge_of(const surface_mesh *m, int32_t part) {
  const surface_part *p = &m->parts[part];
  if (p->body < 0) return INFINITY;
  double edge = fmin(p->spacing, 0.2 * sqrt(p->area));
  return p->lines && p->thickness > 0 ? fmin(edge, EDGE_OF_ROD * p->thickness) : edge;
}

void barrier_scale_step(barrier_scale *s, double h, double gravity) {
  const surface_mesh *m = s->mesh;
  s->h = h;
  s->room = INFINITY;
  s->gravity = gravity;
  for (int32_t a = 0; a < m->part_count; a++) {
    s->reach[a] = 0;
    for (int32_t b = 0; b < m->part_count; b++) {
      size_t k = pair_of(s, a, b);
      double edge = fmin(edge_of(m, a), edge_of(m, b));
      double density = fmin(mass_an_area(m, a), mass_an_area(m, b));
      s->thickness[k] = m->parts[a].thickness + m->parts[b].thickness;
      if (!isfinite(edge)) continue; /* two colliders */
      s->band[k] = fmax(BAND_OF_EDGE * edge, BAND_OF_THICKNESS * s->thickness[k]);
      if (glide_has(s->glide, a) || glide_has(s->glide, b)) s->thickness[k] = 0;
      s->room = fmin(s->room, ROOM * s->band[k]);
      s->push[k] = density * (gravity / s->band[k] + 1 / (h * h));
      s->reach[a] = fmax(s->reach[a], m->parts[a].thickness + s->band[k] / 2);
    }
  }
  for (int32_t a = 0; a < m->part_count; a++) s->wide_reach[a] = s->reach[a] + s->room / 2;
}

/* ---- at rest ----------------------------------------------------------------------------------
 */

/* The distance to the next of the same part, as far as it counts. */
static tribo_status measure_rest(barrier_scale *s, const tasks *t, tribo_error *err) {
  const surface_mesh *m = s->mesh;
  arena scratch = {0};
  candidates near = {0};
  double *reach = ARENA_ARRAY(&scratch, double, m->part_count);
  bool *apart = ARENA_ARRAY(&scratch, bool, (size_t)m->part_count *(size_t)m->part_count);
  tribo_status status = reach && apart ? candidates_create(m, &scratch, &near, err)
                                       : status_no_memory(err, "contacts");
  if (status == TRIBO_OK) {
    for (int32_t a = 0; a < m->part_count; a++) {
      size_t k = pair_of(s, a, a);
      reach[a] = fmax(s->thickness[k] / THICKNESS_OF_REST, s->band[k] / BAND_OF_REST) / 2;
      for (int32_t b = 0; b < m->part_count; b++) apart[pair_of(s, a, b)] = a != b;
    }
    candidates_filter filter = {.reach = reach, .apart = apart};
    status = candidates_find(&near, t, m->rest, m->rest, &filter, err);
  }
  for (int faces = 0; status == TRIBO_OK && faces < 2; faces++) {
    const candidate_span *found = faces ? &near.found_faces : &near.found_edges;
    for (size_t i = 0; i < found->count; i++) {
      candidate c = found->data[i];
      int32_t v[4];
      vec3 x[4];
      unsigned taking;
      if (m->parts[m->part[faces ? c.a : m->edges[2 * (size_t)c.a]]].lines) continue;
      if (faces)
        candidate_face_vertices(m, c, v);
      else
        candidate_edge_vertices(m, c, v);
      for (int k = 0; k < 4; k++) x[k] = m->rest[v[k]];
      double d =
          faces ? stencil_vertex_face_distance(x, &taking) : stencil_edge_edge_distance(x, &taking);
      if (faces) s->vertex_rest[c.a] = fmin(s->vertex_rest[c.a], d);
      if (!faces) s->edge_rest[c.a] = fmin(s->edge_rest[c.a], d);
      if (!faces) s->edge_rest[c.b] = fmin(s->edge_rest[c.b], d);
    }
  }
  candidates_free(&near);
  arena_free(&scratch);
  return status;
}

tribo_status barrier_scale_create(const surface_mesh *mesh, double h, double gravity,
                                  const tasks *t, arena *memory, barrier_scale *out,
                                  tribo_error *err) {
  size_t parts = (size_t)mesh->part_count, vertices = (size_t)mesh->vertex_count;
  size_t edges = (size_t)mesh->edge_count;
  *out = (barrier_scale){.mesh = mesh,
                         .thickness = ARENA_ARRAY(memory, double, parts *parts),
                         .band = ARENA_ARRAY(memory, double, parts *parts),
                         .push = ARENA_ARRAY(memory, double, parts *parts),
                         .grain = ARENA_ARRAY(memory, double, parts),
                         .reach = ARENA_ARRAY(memory, double, parts),
                         .wide_reach = ARENA_ARRAY(memory, double, parts),
                         .vertex_rest = ARENA_ARRAY(memory, double, vertices),
                         .edge_rest = ARENA_ARRAY(memory, double, edges),
                         .vertex_start = ARENA_ARRAY(memory, double, vertices),
                         .edge_start = ARENA_ARRAY(memory, double, edges),
                         .vertex_load = ARENA_ARRAY(memory, double, vertices *parts),
                         .edge_load = ARENA_ARRAY(memory, double, edges *parts)};
  if (!out->thickness || !out->band || !out->push || !out->grain || !out->reach ||
      !out->wide_reach || !out->vertex_rest || !out->edge_rest || !out->vertex_start ||
      !out->edge_start || !out->vertex_load || !out->edge_load)
    return status_no_memory(err, "contacts");
  for (int32_t p = 0; p < mesh->part_count; p++)
    out->grain[p] = mesh->parts[p].area / fmax(1, mesh->parts[p].vertex_count);
  for (size_t v = 0; v < vertices; v++) out->vertex_rest[v] = out->vertex_start[v] = INFINITY;
  for (size_t e = 0; e < edges; e++) out->edge_rest[e] = out->edge_start[e] = INFINITY;
  barrier_scale_step(out, h, gravity);
  return measure_rest(out, t, err);
}

/* ---- of a contact -----------------------------------------------------------------------------
 */

barrier_constants barrier_scale_face(const barrier_scale *s, int32_t vertex, int32_t part) {
  const surface_mesh *m = s->mesh;
  int32_t own = m->part[vertex];
  size_t k = pair_of(s, own, part);
  barrier_constants c = {s->thickness[k], s->band[k], 0};
  if (own == part) {
    c.thickness = fmin(c.thickness, THICKNESS_OF_REST * s->vertex_rest[vertex]);
    c.band = fmin(c.band, BAND_OF_REST * s->vertex_rest[vertex]);
  }
  c.thickness = fmin(c.thickness, s->vertex_start[vertex]);
  double area = fmin(m->vertex_area[vertex], s->grain[part]);
  double load = s->vertex_load[(size_t)vertex * (size_t)m->part_count + (size_t)part];
  c.stiffness = fmax(area * s->push[k], load / (2 * c.band));
  return c;
}

barrier_constants barrier_scale_glide(const barrier_scale *s, int32_t vertex, int32_t part) {
  const surface_mesh *m = s->mesh;
  barrier_constants c = barrier_scale_face(s, vertex, part);
  c.thickness = m->parts[m->part[vertex]].thickness + m->parts[part].thickness;
  return c;
}

barrier_constants barrier_scale_edges(const barrier_scale *s, int32_t a, int32_t b) {
  const surface_mesh *m = s->mesh;
  int32_t one = surface_mesh_part_of_edge(m, a), other = surface_mesh_part_of_edge(m, b);
  size_t k = pair_of(s, one, other);
  barrier_constants c = {s->thickness[k], s->band[k], 0};
  if (one == other) {
    double rest = fmin(s->edge_rest[a], s->edge_rest[b]);
    c.thickness = fmin(c.thickness, THICKNESS_OF_REST * rest);
    c.band = fmin(c.band, BAND_OF_REST * rest);
  }
  c.thickness = fmin(c.thickness, fmin(s->edge_start[a], s->edge_start[b]));
  double load = s->edge_load[(size_t)a * (size_t)m->part_count + (size_t)other];
  c.stiffness = fmax(fmin(m->edge_area[a], m->edge_area[b]) * s->push[k], load / (2 * c.band));
  return c;
}

/* ---- the start of a step ----------------------------------------------------------------------
 */

double barrier_scale_rest(const barrier_scale *s, double band) {
  double wanted = s->gravity / (s->gravity + band / (s->h * s->h)), low = 0.1, high = 1;
  for (int k = 0; k < 40; k++) {
    double middle = (low + high) / 2, value, slope, curve;
    barrier_law(middle, &value, &slope, &curve);
    if (-slope > wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double left_of(const barrier_scale *s, double distance, const barrier_constants *c) {
  if (distance > c->thickness + 1e-3 * c->band) return INFINITY;
  return fmax(0, distance - START_OF_REST * barrier_scale_rest(s, c->band) * c->band);
}

double barrier_scale_left(const barrier_scale *s, double gap, const barrier_constants *c) {
  if (gap > 1e-3 * c->band) return 0;
  return START_OF_REST * barrier_scale_rest(s, c->band) * c->band - gap;
}

void barrier_scale_start(barrier_scale *s, const candidates *near, const vec3 *x) {
  const surface_mesh *m = s->mesh;
  for (int32_t v = 0; v < m->vertex_count; v++) s->vertex_start[v] = INFINITY;
  for (int32_t e = 0; e < m->edge_count; e++) s->edge_start[e] = INFINITY;
  memset(s->vertex_load, 0,
         (size_t)m->vertex_count * (size_t)m->part_count * sizeof *s->vertex_load);
  memset(s->edge_load, 0, (size_t)m->edge_count * (size_t)m->part_count * sizeof *s->edge_load);
  for (size_t i = 0; i < near->found_faces.count; i++) {
    candidate c = near->found_faces.data[i];
    int32_t v[4];
    vec3 y[4];
    unsigned taking;
    candidate_face_vertices(m, c, v);
    for (int k = 0; k < 4; k++) y[k] = x[v[k]];
    size_t pair = pair_of(s, m->part[v[0]], m->part[v[1]]);
    barrier_constants of = {s->thickness[pair], s->band[pair], 0};
    if (m->part[v[0]] == m->part[v[1]])
      of.thickness = fmin(of.thickness, THICKNESS_OF_REST * s->vertex_rest[c.a]);
    double left = left_of(s, stencil_vertex_face_distance(y, &taking), &of);
    s->vertex_start[c.a] = fmin(s->vertex_start[c.a], left);
  }
  for (size_t i = 0; i < near->found_edges.count; i++) {
    candidate c = near->found_edges.data[i];
    int32_t v[4];
    vec3 y[4];
    unsigned taking;
    candidate_edge_vertices(m, c, v);
    for (int k = 0; k < 4; k++) y[k] = x[v[k]];
    size_t pair = pair_of(s, m->part[v[0]], m->part[v[2]]);
    barrier_constants of = {s->thickness[pair], s->band[pair], 0};
    if (m->part[v[0]] == m->part[v[2]])
      of.thickness =
          fmin(of.thickness, THICKNESS_OF_REST * fmin(s->edge_rest[c.a], s->edge_rest[c.b]));
    double left = left_of(s, stencil_edge_edge_distance(y, &taking), &of);
    s->edge_start[c.a] = fmin(s->edge_start[c.a], left);
    s->edge_start[c.b] = fmin(s->edge_start[c.b], left);
  }
}

void barrier_scale_bear(barrier_scale *s, int32_t vertex, int32_t part, double force) {
  double *load = &s->vertex_load[(size_t)vertex * (size_t)s->mesh->part_count + (size_t)part];
  *load = fmax(*load, force);
}

void barrier_scale_bear_edge(barrier_scale *s, int32_t edge, int32_t part, double force) {
  double *load = &s->edge_load[(size_t)edge * (size_t)s->mesh->part_count + (size_t)part];
  *load = fmax(*load, force);
}
