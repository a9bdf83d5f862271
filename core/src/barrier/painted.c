/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/painted.h"

#include <stdlib.h>

/* Slower is stuck, m/s: in the mean the step went no further than this part of the band. */
static const double STILL = 1e-3;

/* ---- paint ------------------------------------------------------------------------------------
 */

static const paint *paint_of(const barrier *b, int32_t part) {
  const paint *p = &b->model->paints[b->mesh.parts[part].object];
  return paint_any(p) ? p : NULL;
}

/* At a vertex: paint asks for the places of all vertices of the object. */
static paint_value at_vertex(const barrier *b, int32_t vertex, vec3 normal) {
  const surface_mesh *m = &b->mesh;
  int32_t part = m->part[vertex];
  const paint *p = paint_of(b, part);
  const surface_part *of = &m->parts[part];
  int32_t last = m->own[of->first_vertex + of->vertex_count - 1];
  vec3 *own = p ? malloc(((size_t)last + 1) * sizeof *own) : NULL;
  if (!own) return paint_none();
  for (int32_t i = of->first_vertex; i < of->first_vertex + of->vertex_count; i++)
    own[m->own[i]] = b->places[i];
  paint_value value = paint_at_vertex(p, m->own[vertex], normal, own);
  free(own);
  return value;
}

static paint_value at_triangle(const barrier *b, const barrier_contact *c) {
  const surface_mesh *m = &b->mesh;
  const surface_part *part = &m->parts[c->other];
  const paint *p = paint_of(b, c->other);
  if (!p) return paint_none();
  const int32_t *t = m->triangles + 3 * (size_t)c->triangle;
  double weight[3] = {0, 0, 0};
  vec3 x[3];
  for (int k = 0; k < 3; k++) {
    x[k] = b->places[t[k]];
    for (int i = 1; i < 4; i++)
      if (c->vertex[i] == t[k] || (!part->deforms && c->vertex[i] == m->same[t[k]]))
        weight[k] -= c->weight[i];
  }
  vec3 sides[2] = {vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])};
  return paint_at_place(p, (size_t)(c->triangle - part->first_triangle), weight, sides, c->normal);
}

static int32_t nearest_end(const barrier_contact *c, int first) {
  return fabs(c->weight[first]) >= fabs(c->weight[first + 1]) ? c->vertex[first]
                                                              : c->vertex[first + 1];
}

/* ---- the cone ---------------------------------------------------------------------------------
 */

/* Across the normal, at the start of the step; 0 for what stuck. */
static double slip_speed(const barrier *b, const barrier_contact *c) {
  vec3 slip = {0, 0, 0};
  for (int i = 0; i < 4; i++)
    if (c->weight[i] != 0) slip = vec3_madd(slip, c->weight[i], b->velocities[c->vertex[i]]);
  double speed = vec3_norm(vec3_madd(slip, -vec3_dot(slip, c->normal), c->normal));
  return speed > STILL * c->of.band / b->h ? speed : 0;
}

friction_cone barrier_cone(const barrier *b, const barrier_contact *c) {
  const surface_mesh *m = &b->mesh;
  int32_t part = m->part[c->vertex[0]];
  const friction_law *law = pairs_law(b->pairs, m->parts[part].object, m->parts[c->other].object);
  double speed = law->mu_dynamic < law->mu ? slip_speed(b, c) : 0;
  paint_value one = paint_none(), other = paint_none();
  bool edges = c->key >> 63;
  if (paint_of(b, part)) one = at_vertex(b, edges ? nearest_end(c, 0) : c->vertex[0], c->normal);
  if (paint_of(b, c->other))
    other = edges ? at_vertex(b, nearest_end(c, 2), vec3_scale(-1, c->normal)) : at_triangle(b, c);
  friction_cone cone = law_cone(law, c->normal, one.structure, other.structure, speed);
  cone.mu_t *= one.friction * other.friction;
  cone.mu_b *= one.friction * other.friction;
  return cone;
}
