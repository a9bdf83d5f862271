/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/crossed_strands.h"

#include <stdlib.h>

#include "geom/distance.h"

/* Of the distance that two strands keep: nearer than that they cross. */
static const double SHARE = 0.5;

static tribo_status make_room(crossed_strands *c, arena *memory, tribo_error *err) {
  const surface_mesh *mesh = &c->mesh;
  size_t parts = (size_t)mesh->part_count, vertices = (size_t)mesh->vertex_count;
  c->reach = ARENA_ARRAY(memory, double, parts);
  c->apart = ARENA_ARRAY(memory, bool, parts *parts);
  c->held = ARENA_ARRAY(memory, bool, vertices);
  c->places = ARENA_ARRAY(memory, vec3, vertices);
  if (!c->reach || !c->apart || !c->held || !c->places) return status_no_memory(err, "crossings");
  for (size_t a = 0; a < parts; a++) {
    c->reach[a] = SHARE * mesh->parts[a].thickness;
    for (size_t b = 0; b < parts; b++)
      c->apart[a * parts + b] = !mesh->parts[a].lines || !mesh->parts[b].lines;
  }
  return candidates_create(mesh, memory, &c->near, err);
}

/* A number for two strands, the same whichever comes first. */
static uint64_t pair_of(const crossed_strands *c, strands_crossing x) {
  uint64_t strand[2];
  for (int k = 0; k < 2; k++) {
    int32_t v = c->mesh.edges[2 * (size_t)x.edge[k]];
    strand[k] = (uint64_t)(uint32_t)(c->mesh.parts[c->mesh.part[v]].first_vertex +
                                     c->mesh.strand[v]); /* fewer strands than vertices */
  }
  bool low = strand[0] < strand[1];
  return strand[low ? 0 : 1] << 32 | strand[low ? 1 : 0];
}

static int compare_pairs(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

tribo_status crossed_strands_create(const model *m, const tasks *t, const vec3 *positions,
                                    arena *memory, crossed_strands *out, tribo_error *err) {
  *out = (crossed_strands){0};
  for (size_t i = 0; i < m->probe_count; i++) out->any = out->any || m->probes[i].lines;
  if (!out->any) return TRIBO_OK;
  TRY(surface_mesh_build(m, memory, &out->mesh, err));
  TRY(make_room(out, memory, err));
  TRY(crossed_strands_count(out, t, positions, err));
  for (size_t i = 0; i < out->found.count; i++)
    if (!ARRAY_PUSH(out->started, pair_of(out, out->found.data[i])))
      return status_no_memory(err, "crossings");
  if (out->started.count)
    qsort(out->started.data, out->started.count, sizeof *out->started.data, compare_pairs);
  return TRIBO_OK;
}

void crossed_strands_free(crossed_strands *c) {
  if (c->any) candidates_free(&c->near);
  ARRAY_FREE(c->found);
  ARRAY_FREE(c->started);
}

static bool was_there(const crossed_strands *c, strands_crossing x) {
  uint64_t pair = pair_of(c, x);
  return c->started.count &&
         bsearch(&pair, c->started.data, c->started.count, sizeof *c->started.data, compare_pairs);
}

static strands_crossing measure(const crossed_strands *c, candidate pair) {
  const surface_mesh *mesh = &c->mesh;
  int32_t v[4];
  vec3 x[4];
  double s, t, keep = 0;
  candidate_edge_vertices(mesh, pair, v);
  for (int k = 0; k < 4; k++) x[k] = c->places[v[k]];
  for (int k = 0; k < 4; k += 2) keep += mesh->parts[mesh->part[v[k]]].thickness;
  strands_crossing out = {.edge = {pair.a, pair.b}};
  out.distance = sqrt(distance_edge_edge(x, x + 2, &s, &t));
  out.depth = keep - out.distance;
  vec3 one = vec3_madd(x[0], s, vec3_sub(x[1], x[0]));
  vec3 other = vec3_madd(x[2], t, vec3_sub(x[3], x[2]));
  out.place = vec3_scale(0.5, vec3_add(one, other));
  return out;
}

tribo_status crossed_strands_count(crossed_strands *c, const tasks *t, const vec3 *positions,
                                   tribo_error *err) {
  c->found.count = 0;
  if (!c->any) return TRIBO_OK;
  const surface_mesh *mesh = &c->mesh;
  for (int32_t v = 0; v < mesh->vertex_count; v++) {
    const surface_part *part = &mesh->parts[mesh->part[v]];
    const model_body *body = part->body >= 0 ? &mesh->model->bodies[part->body] : NULL;
    c->places[v] = body ? positions[body->first_vertex + mesh->own[v]] : mesh->rest[v];
  }
  candidates_filter filter = {.reach = c->reach, .apart = c->apart, .held = c->held};
  TRY(candidates_find(&c->near, t, c->places, c->places, &filter, err));
  for (size_t i = 0; i < c->near.found_edges.count; i++) {
    strands_crossing x = measure(c, c->near.found_edges.data[i]);
    if (!(x.distance < SHARE * (x.depth + x.distance))) continue;
    x.fresh = !was_there(c, x);
    if (!ARRAY_PUSH(c->found, x)) return status_no_memory(err, "crossings");
  }
  return TRIBO_OK;
}
