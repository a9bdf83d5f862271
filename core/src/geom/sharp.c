/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/sharp.h"

#include <math.h>
#include <stdlib.h>

#include "geom/places.h"
#include "geom/topology.h"

bool sharp_normals(const sharp_edge *edge, const vec3 *places, vec3 normals[2]) {
  vec3 x0 = places[edge->place[0]], e = vec3_sub(places[edge->place[1]], x0);
  vec3 left = vec3_sub(places[edge->place[2]], x0), right = vec3_sub(places[edge->place[3]], x0);
  normals[0] = vec3_normalized(vec3_cross(e, left));
  normals[1] = vec3_normalized(vec3_cross(right, e));
  return vec3_norm2(normals[0]) > 0 && vec3_norm2(normals[1]) > 0 &&
         vec3_dot(normals[0], right) < 0;
}

/* The mesh with one vertex a place. */
typedef struct welded {
  const vec3 *points;
  int32_t *triangles; /* of vertices: the first of each place stands for it */
  size_t count;       /* of triangles, those without three different corners left out */
  size_t vertex_count;
} welded;

static tribo_status weld(const vec3 *points, size_t point_count, const int32_t *triangles,
                         size_t count, arena *scratch, welded *out, tribo_error *err) {
  int32_t *place = ARENA_ARRAY(scratch, int32_t, point_count);
  int32_t *first = ARENA_ARRAY(scratch, int32_t, point_count);
  int32_t *kept = ARENA_ARRAY(scratch, int32_t, 3 * count);
  size_t places;
  if (!place || !first || !kept) return status_no_memory(err, "the edges of a mesh");
  TRY(places_number(points, point_count, place, &places, err));
  for (size_t i = point_count; i-- > 0;) first[place[i]] = (int32_t)i;
  *out = (welded){.points = points, .triangles = kept, .vertex_count = point_count};
  for (size_t t = 0; t < count; t++) {
    int32_t *to = kept + 3 * out->count;
    for (int k = 0; k < 3; k++) to[k] = first[place[triangles[3 * t + (size_t)k]]];
    out->count += to[0] != to[1] && to[1] != to[2] && to[2] != to[0];
  }
  return TRIBO_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool same_edge(const int32_t *a, const int32_t *b) {
  return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* Hinges are sorted by edge: of those with more than two triangles there are several in a row. */
static bool crowded(const topology_list *hinges, size_t i) {
  const int32_t *h = hinges->vertices + 4 * i;
  return (i > 0 && same_edge(h - 4, h)) || (i + 1 < hinges->count && same_edge(h, h + 4));
}

static void keep_edges(const welded *w, const topology_list *hinges, sharp_parts *out) {
  for (size_t i = 0; i < hinges->count; i++) {
    const int32_t *h = hinges->vertices + 4 * i;
    sharp_edge edge = {{h[0], h[1], h[2], h[3]}};
    vec3 normals[2];
    if (crowded(hinges, i) || !sharp_normals(&edge, w->points, normals)) continue;
    if (vec3_dot(normals[0], normals[1]) < cos(SHARP_ANGLE)) out->edges[out->edge_count++] = edge;
  }
}

/* ---- corners --------------------------------------------------------------------------------- */

/* What is around every vertex. */
typedef struct fans {
  double *lack;  /* of the angles to a full turn */
  vec3 *normal;  /* weighted by angles */
  int32_t *bent; /* sharp edges that end there */
} fans;

static bool measure_fans(const welded *w, const sharp_parts *parts, arena *scratch, fans *out) {
  *out = (fans){ARENA_ARRAY(scratch, double, w->vertex_count),
                ARENA_ARRAY(scratch, vec3, w->vertex_count),
                ARENA_ARRAY(scratch, int32_t, w->vertex_count)};
  if (!out->lack || !out->normal || !out->bent) return false;
  for (size_t i = 0; i < w->vertex_count; i++) out->lack[i] = 4 * acos(0);
  for (size_t t = 0; t < w->count; t++) {
    const int32_t *v = w->triangles + 3 * t;
    for (int k = 0; k < 3; k++) {
      vec3 a = vec3_sub(w->points[v[(k + 1) % 3]], w->points[v[k]]);
      vec3 b = vec3_sub(w->points[v[(k + 2) % 3]], w->points[v[k]]);
      vec3 across = vec3_cross(a, b);
      double angle = atan2(vec3_norm(across), vec3_dot(a, b));
      out->lack[v[k]] -= angle;
      out->normal[v[k]] = vec3_madd(out->normal[v[k]], angle, vec3_normalized(across));
    }
  }
  for (size_t e = 0; e < parts->edge_count; e++)
    for (int k = 0; k < 2; k++) out->bent[parts->edges[e].place[k]]++;
  return true;
}

/* Whether every edge falls away from its vertices; `tip[v]` becomes false where one does not. */
static void level(const welded *w, const fans *f, bool *tip) {
  for (size_t c = 0; c < 3 * w->count; c++) {
    int32_t a = w->triangles[c], b = w->triangles[c % 3 == 2 ? c - 2 : c + 1];
    vec3 way = vec3_sub(w->points[b], w->points[a]);
    if (!(vec3_dot(way, f->normal[a]) < 0)) tip[a] = false;
    if (!(vec3_dot(way, f->normal[b]) > 0)) tip[b] = false;
  }
}

static tribo_status keep_corners(const welded *w, const topology_list *hinges, arena *memory,
                                 arena *scratch, sharp_parts *out, tribo_error *err) {
  fans f;
  bool *tip = ARENA_ARRAY(scratch, bool, w->vertex_count);
  int32_t *number = ARENA_ARRAY(scratch, int32_t, w->vertex_count);
  if (!tip || !number || !measure_fans(w, out, scratch, &f))
    return status_no_memory(err, "the corners of a mesh");
  for (size_t i = 0; i < w->vertex_count; i++)
    tip[i] = f.bent[i] > 2 || (f.bent[i] > 0 && f.lack[i] > SHARP_ANGLE);
  level(w, &f, tip);
  for (size_t i = 0; i < w->vertex_count; i++) out->corner_count += tip[i];
  out->corners = ARENA_ARRAY(memory, int32_t, out->corner_count);
  out->around_start = ARENA_ARRAY(memory, int32_t, out->corner_count + 2);
  if (!out->corners || !out->around_start) return status_no_memory(err, "the corners of a mesh");
  for (size_t i = 0, k = 0; i < w->vertex_count; i++)
    if (tip[i]) number[i] = (int32_t)k, out->corners[k++] = (int32_t)i;
  /* every edge once, by both of its ends */
  int32_t *next = out->around_start + 1;
  for (size_t i = 0; i < 2 * hinges->count; i++) {
    int32_t v = hinges->vertices[4 * (i / 2) + i % 2];
    if (tip[v]) next[number[v] + 1]++;
  }
  for (size_t k = 0; k < out->corner_count; k++) next[k + 1] += next[k];
  out->around = ARENA_ARRAY(memory, int32_t, next[out->corner_count]);
  if (!out->around) return status_no_memory(err, "the corners of a mesh");
  for (size_t i = 0; i < 2 * hinges->count; i++) {
    const int32_t *h = hinges->vertices + 4 * (i / 2);
    if (tip[h[i % 2]]) out->around[next[number[h[i % 2]]]++] = h[1 - i % 2];
  }
  return TRIBO_OK;
}

/* ---- places ---------------------------------------------------------------------------------- */

static int32_t take_place(int32_t *place_of_vertex, int32_t vertex, sharp_parts *out) {
  if (place_of_vertex[vertex] == 0) {
    out->vertices[out->place_count++] = vertex;
    place_of_vertex[vertex] = (int32_t)out->place_count;
  }
  return place_of_vertex[vertex] - 1;
}

/* From vertices of the mesh to places of those that are needed. */
static tribo_status number_parts(const welded *w, arena *memory, arena *scratch, sharp_parts *out,
                                 tribo_error *err) {
  size_t around = (size_t)out->around_start[out->corner_count];
  int32_t *of = ARENA_ARRAY(scratch, int32_t, w->vertex_count);
  out->vertices = ARENA_ARRAY(memory, int32_t, 4 * out->edge_count + out->corner_count + around);
  if (!of || !out->vertices) return status_no_memory(err, "the corners of a mesh");
  for (size_t i = 0; i < 4 * out->edge_count; i++) {
    int32_t *place = &out->edges[i / 4].place[i % 4];
    *place = take_place(of, *place, out);
  }
  for (size_t k = 0; k < out->corner_count; k++)
    out->corners[k] = take_place(of, out->corners[k], out);
  for (size_t k = 0; k < around; k++) out->around[k] = take_place(of, out->around[k], out);
  return TRIBO_OK;
}

static tribo_status find(const welded *w, arena *memory, arena *scratch, sharp_parts *out,
                         tribo_error *err) {
  topology_list hinges;
  TRY(topology_hinges(w->triangles, w->count, scratch, &hinges, err));
  out->edges = ARENA_ARRAY(memory, sharp_edge, hinges.count);
  if (!out->edges) return status_no_memory(err, "the edges of a mesh");
  keep_edges(w, &hinges, out);
  TRY(keep_corners(w, &hinges, memory, scratch, out, err));
  return number_parts(w, memory, scratch, out, err);
}

tribo_status sharp_find(const vec3 *points, size_t point_count, const int32_t *triangles,
                        size_t triangle_count, arena *memory, sharp_parts *out, tribo_error *err) {
  *out = (sharp_parts){0};
  arena scratch = {0};
  welded w;
  tribo_status status = weld(points, point_count, triangles, triangle_count, &scratch, &w, err);
  if (status == TRIBO_OK) status = find(&w, memory, &scratch, out, err);
  arena_free(&scratch);
  return status;
}
