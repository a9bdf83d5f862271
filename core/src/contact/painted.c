/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/painted.h"

#include <math.h>
#include <stdlib.h>

#include "geom/distance.h"
#include "model/kinematics.h"

/* ---- the surface's mesh ---------------------------------------------------------------------- */

/* A place on the mesh that the surface is made from, in its frame. */
typedef struct place {
  int32_t triangle; /* of the surface's own, maybe finer, mesh; -1: none */
  double weight[3];
} place;

static int32_t source_of(const surface *s, int32_t triangle) {
  return s->source ? s->source[triangle] : triangle;
}

/* Of the object's triangle that a finer one is a part of: barycentric coordinates. */
static void source_weight(const surface *s, const place *at, double out[3]) {
  for (int j = 0; j < 3; j++) {
    out[j] = s->source ? 0 : at->weight[j];
    for (int k = 0; s->source && k < 3; k++)
      out[j] += at->weight[k] * s->weight[s->triangles[3 * at->triangle + k]][j];
  }
  if (!s->turned || !s->turned[source_of(s, at->triangle)]) return;
  double second = out[1];
  out[1] = out[2];
  out[2] = second;
}

/* Its sides. Those of the finer triangle are f_k = sum c_kj e_j with the differences c of
 * barycentric coordinates, whatever became of the mesh since: solved for e. */
static void sides_as_wound(const surface *s, int32_t triangle, vec3 out[2]) {
  const int32_t *t = s->triangles + 3 * triangle;
  vec3 f0 = vec3_sub(s->vertices[t[1]], s->vertices[t[0]]);
  vec3 f1 = vec3_sub(s->vertices[t[2]], s->vertices[t[0]]);
  out[0] = f0;
  out[1] = f1;
  if (!s->source) return;
  const double *w0 = s->weight[t[0]], *w1 = s->weight[t[1]], *w2 = s->weight[t[2]];
  double c00 = w1[1] - w0[1], c01 = w1[2] - w0[2], c10 = w2[1] - w0[1], c11 = w2[2] - w0[2];
  double determinant = c00 * c11 - c01 * c10;
  out[0] = vec3_scale(1 / determinant, vec3_sub(vec3_scale(c11, f0), vec3_scale(c01, f1)));
  out[1] = vec3_scale(1 / determinant, vec3_sub(vec3_scale(c00, f1), vec3_scale(c10, f0)));
}

static void source_sides(const surface *s, int32_t triangle, vec3 out[2]) {
  bool turned = s->turned && s->turned[source_of(s, triangle)];
  vec3 wound[2];
  sides_as_wound(s, triangle, wound);
  out[0] = wound[turned];
  out[1] = wound[!turned];
}

/* ---- samples in reach ------------------------------------------------------------------------ */

/* Most places have few. */
enum { USUAL_NEAR = 256 };
typedef struct nearby {
  kdtree_hit usual[USUAL_NEAR], *list;
  size_t count;
} nearby;

static bool find_nearby(const surface *s, vec3 foot, nearby *out) {
  kdtree_sorting as = KDTREE_AS_STORED;
  out->list = out->usual;
  out->count = kdtree_radius(&s->tree, foot, s->mls.reach, as, out->usual, USUAL_NEAR);
  if (out->count <= USUAL_NEAR) return true;
  out->list = malloc(out->count * sizeof *out->list);
  if (out->list) kdtree_radius(&s->tree, foot, s->mls.reach, as, out->list, out->count);
  return out->list;
}

static void free_nearby(nearby *n) {
  if (n->list != n->usual) free(n->list);
}

/* A point of a triangle is within reach of its sample; so the closest triangle is among them. */
static place closest(const surface *s, vec3 foot, const nearby *near) {
  place best = {.triangle = -1};
  double least = INFINITY;
  for (size_t i = 0; i < near->count; i++) {
    int32_t triangle = near->list[i].index;
    vec3 c[3];
    for (int k = 0; k < 3; k++) c[k] = s->vertices[s->triangles[3 * triangle + k]];
    distance_foot d = distance_point_triangle(foot, c);
    bool tie = d.distance2 == least && triangle < best.triangle;
    if (!(d.distance2 < least || tie)) continue;
    least = d.distance2;
    best = (place){triangle, {d.weight[0], d.weight[1], d.weight[2]}};
  }
  return best;
}

/* What the grain runs along, by the frames of all samples in reach. */
static vec3 smooth_structure(const surface *s, const paint *p, vec3 foot, vec3 normal,
                             const nearby *near, int32_t source, const double grain[2]) {
  paint_mean mean = paint_mean_start(normal);
  for (size_t i = 0; i < near->count; i++) {
    int32_t triangle = near->list[i].index, from = source_of(s, triangle);
    const mls_sample *sample = &s->mls.samples[triangle];
    double r2 = vec3_norm2(vec3_sub(foot, sample->point)), reach2 = sample->radius * sample->radius;
    if (p->island[from] != p->island[source] || !mls_in_reach(r2, reach2)) continue;
    double weight = mls_kernel_radial(s->mls.kernel, s->mls.epsilon, r2, 1 / reach2).value;
    vec3 sides[2];
    source_sides(s, triangle, sides);
    paint_mean_add(paint_carry(p, (size_t)from, grain, sides), sample->normal, weight, &mean);
  }
  return paint_mean_direction(&mean);
}

/* ---- the two sides --------------------------------------------------------------------------- */

/* On what is exact, and where a point went through a smooth surface: a triangle is known. */
static place known_place(const surface *s, const surface_hit *hit, vec3 foot) {
  if (s->form != SURFACE_PRIMITIVE)
    return (place){hit->triangle, {hit->weight[0], hit->weight[1], hit->weight[2]}};
  mesh_foot on;
  mesh_distance_query(&s->mesh, foot, INFINITY, &on);
  return (place){on.triangle, {on.weight[0], on.weight[1], on.weight[2]}};
}

/* In the surface's frame. near: the samples around the foot on a smooth surface, else NULL. */
static paint_value look_up(const surface *s, const paint *p, const place *at, vec3 foot,
                           vec3 normal, const nearby *near) {
  if (at->triangle < 0) return paint_none();
  size_t source = (size_t)source_of(s, at->triangle);
  double weight[3], grain[2];
  vec3 sides[2];
  source_weight(s, at, weight);
  source_sides(s, at->triangle, sides);
  paint_value value = paint_at_place(p, source, weight, sides, normal);
  if (!near || !(vec3_norm2(value.structure) > 0)) return value;
  paint_grain(p, source, weight, grain);
  value.structure = smooth_structure(s, p, foot, normal, near, (int32_t)source, grain);
  return value;
}

bool painted_surface(const surface *s, const surface_hit *hit, paint_value *out) {
  const paint *p = &s->model->paints[s->def->object];
  *out = paint_none();
  if (!paint_any(p)) return true;
  vec3 foot = rigid_map_unapply(&s->frame, hit->foot);
  vec3 normal = quat_rotate(quat_conjugate(s->frame.turn), hit->normal);
  if (s->form == SURFACE_MLS && !hit->through) {
    nearby near;
    if (!find_nearby(s, foot, &near)) return false;
    place at = closest(s, foot, &near);
    *out = look_up(s, p, &at, foot, normal, &near);
    free_nearby(&near);
  } else {
    place at = known_place(s, hit, foot);
    *out = look_up(s, p, &at, foot, normal, NULL);
  }
  out->structure = quat_rotate(s->frame.turn, out->structure);
  return true;
}

static paint_value probe_side_of(const probes *f, const model *m, const contact_moment *moment,
                                 size_t i, const surface_hit *hit) {
  const paint *p = &m->paints[f->def->object];
  if (!paint_any(p)) return paint_none();
  const vec3 *positions = moment->vertices + f->body->first_vertex;
  if (!f->skin || (f->form == PROBES_BLUNT && i < f->def->count))
    return paint_at_vertex(p, f->def->vertices[i], hit->normal, positions);
  quat turn = kinematics_turn(m, moment->x, moment->turns, (size_t)f->body->rigid);
  vec3 arm = vec3_sub(hit->foot, moment->x[f->body->first_node]);
  mesh_foot on;
  if (!mesh_distance_query(f->skin, quat_rotate(quat_conjugate(turn), arm), INFINITY, &on))
    return paint_none();
  const int32_t *t = p->triangles + 3 * on.triangle;
  vec3 sides[2] = {vec3_sub(positions[t[1]], positions[t[0]]),
                   vec3_sub(positions[t[2]], positions[t[0]])};
  return paint_at_place(p, (size_t)on.triangle, on.weight, sides, hit->normal);
}

bool painted_at(const probes *f, const surface *s, const contact_moment *moment, size_t i,
                const surface_hit *hit, contact_paint *out) {
  paint_value below, above = probe_side_of(f, s->model, moment, i, hit);
  if (!painted_surface(s, hit, &below)) return false;
  *out = (contact_paint){.probe_structure = above.structure,
                         .surface_structure = below.structure,
                         .probe_friction = above.friction,
                         .surface_friction = below.friction};
  return true;
}
