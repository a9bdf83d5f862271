/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/tangled.h"

#include <string.h>

#include "geom/distance.h"
#include "geom/winding.h"

static const double PUSH = 2; /* of the weight */

tribo_status tangled_create(const surface_mesh *mesh, arena *memory, tangled *out,
                            tribo_error *err) {
  size_t vertices = (size_t)mesh->vertex_count;
  *out = (tangled){.mesh = mesh,
                   .lost = ARENA_ARRAY(memory, bool, vertices *(size_t)mesh->part_count),
                   .free_end = ARENA_ARRAY(memory, vec3, mesh->model->node_count)};
  if (!out->lost || !out->free_end) return status_no_memory(err, "crossings");
  return crossings_mesh_build(mesh->rest, vertices, mesh->triangles, (size_t)mesh->triangle_count,
                              0, memory, &out->crossings, err);
}

void tangled_free(tangled *t) { ARRAY_FREE(t->found); }

static bool *lost_of(const tangled *t, int32_t vertex, int32_t part) {
  return &t->lost[(size_t)vertex * (size_t)t->mesh->part_count + (size_t)part];
}

static bool is_body(const tangled *t, int32_t part) { return t->mesh->parts[part].body >= 0; }

/* An edge through a triangle: what is simulated of the two is lost to the other. */
static bool note_crossing(tangled *t, crossing c, const bool *absent) {
  const surface_mesh *m = t->mesh;
  const int32_t *edge = t->crossings.edges + 2 * (size_t)c.edge;
  const int32_t *triangle = m->triangles + 3 * (size_t)c.triangle;
  int32_t a = m->part[edge[0]], b = m->part[triangle[0]];
  bool same = a == b && !(is_body(t, a) && m->parts[a].deforms);
  if (same || absent[a] || absent[b] || (!is_body(t, a) && !is_body(t, b))) return false;
  for (int k = 0; k < 2 && is_body(t, a); k++) *lost_of(t, edge[k], b) = true;
  for (int k = 0; k < 3 && is_body(t, b); k++) *lost_of(t, triangle[k], a) = true;
  return true;
}

/* Vertices inside of a closed part that something crosses. */
static tribo_status find_inside(tangled *t, const vec3 *places, int32_t part, tribo_error *err) {
  const surface_mesh *m = t->mesh;
  const surface_part *p = &m->parts[part];
  bool crossed = false;
  for (int32_t v = 0; v < m->body_vertices; v++) crossed = crossed || *lost_of(t, v, part);
  if (!crossed || !p->closed) return TRIBO_OK;
  arena scratch = {0};
  winding w;
  tribo_status status = winding_build(places, m->triangles + 3 * (size_t)p->first_triangle,
                                      (size_t)p->triangle_count, &scratch, &w, err);
  for (int32_t v = 0; status == TRIBO_OK && v < m->body_vertices; v++)
    if (m->part[v] != part && winding_number(&w, places[v]) > 0.5) *lost_of(t, v, part) = true;
  arena_free(&scratch);
  return status;
}

tribo_status tangled_look(tangled *t, const tasks *with, const vec3 *x, const vec3 *places,
                          const bool *absent, bool appears, tribo_error *err) {
  const surface_mesh *m = t->mesh;
  size_t nodes = (size_t)m->model->node_count * sizeof *x;
  t->any = false;
  if (t->known && !appears && memcmp(t->free_end, x, nodes) == 0) return TRIBO_OK;
  memset(t->lost, 0, (size_t)m->vertex_count * (size_t)m->part_count * sizeof *t->lost);
  t->found.count = 0;
  crossings_mesh_move(with, places, &t->crossings);
  TRY(crossings_find(with, &t->crossings, &t->crossings, &t->found, err));
  for (size_t i = 0; i < t->found.count; i++)
    if (note_crossing(t, t->found.data[i], absent)) t->any = true;
  for (int32_t p = 0; t->any && p < m->part_count; p++) TRY(find_inside(t, places, p, err));
  return TRIBO_OK;
}

/* The closest place of a part's surface. */
static vec3 closest(const surface_mesh *m, int32_t part, const vec3 *places, vec3 q) {
  const surface_part *p = &m->parts[part];
  double least = INFINITY;
  vec3 best = q;
  for (int32_t i = p->first_triangle; i < p->first_triangle + p->triangle_count; i++) {
    const int32_t *c = m->triangles + 3 * (size_t)i;
    vec3 corners[3] = {places[c[0]], places[c[1]], places[c[2]]};
    distance_foot f = distance_point_triangle(q, corners);
    if (f.distance2 < least) least = f.distance2, best = f.foot;
  }
  return best;
}

tribo_status tangled_push(const tangled *t, const vec3 *x, const vec3 *places, vec3 *push,
                          tribo_error *err) {
  const surface_mesh *m = t->mesh;
  const model *of = m->model;
  for (int32_t part = 0; t->any && part < m->part_count; part++) {
    const surface_part *p = &m->parts[part];
    if (!p->closed) continue;
    arena scratch = {0};
    winding w;
    tribo_status status = winding_build(places, m->triangles + 3 * (size_t)p->first_triangle,
                                        (size_t)p->triangle_count, &scratch, &w, err);
    double pull = PUSH * fmax(vec3_norm(of->gravity), sqrt(p->area));
    for (int32_t v = 0; status == TRIBO_OK && v < m->body_vertices; v++) {
      if (!*lost_of(t, v, part) || !(winding_number(&w, places[v]) > 0.5)) continue;
      vec3 out = vec3_normalized(vec3_sub(closest(m, part, places, places[v]), places[v]));
      mesh_row row = surface_mesh_row(m, x, v, places[v]);
      for (int k = 0; k < row.count; k++) {
        double mass = of->mass[row.node[k]];
        vec3 force = mat3_tmul_vec3(&row.block[k], vec3_scale(mass * pull, out));
        push[row.node[k]] = vec3_add(push[row.node[k]], force);
      }
    }
    arena_free(&scratch);
    TRY(status);
  }
  return TRIBO_OK;
}

void tangled_end(tangled *t, const vec3 *x, bool whole) {
  t->known = whole && !t->any;
  if (t->known) memcpy(t->free_end, x, (size_t)t->mesh->model->node_count * sizeof *x);
}
