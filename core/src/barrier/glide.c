/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/glide.h"

#include <stdlib.h>
#include <string.h>

/* What stays of the cover of samples when delta is taken off, at least, in parts of the spacing. */
static const double LEAST_COVER = 0.2;

/* ---- making one -------------------------------------------------------------------------------
 */

static bool is_smooth(const model_surface *d) {
  return d->collider >= 0 && d->wished && d->params.contact == TRIBO_CONTACT_MLS && !d->two_sided &&
         !(d->strays > 0);
}

enum { USUAL = 128 };

/* Psi in the surface's own frame. */
static mls_value value_at(const surface *s, vec3 local, mls_order order, int32_t *nearest) {
  kdtree_hit usual[USUAL], *list = usual;
  int32_t numbers[USUAL], *index = numbers;
  mls_value none = {0};
  size_t count = kdtree_radius(&s->tree, local, s->mls.reach, KDTREE_AS_STORED, list, USUAL);
  if (count == 0) return none;
  if (count > USUAL) {
    list = malloc(count * (sizeof *list + sizeof *index));
    if (!list) return none;
    index = (int32_t *)(void *)(list + count);
    kdtree_radius(&s->tree, local, s->mls.reach, KDTREE_AS_STORED, list, count);
  }
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    index[i] = list[i].index;
    double away = vec3_norm2(vec3_sub(s->mls.samples[index[i]].point, local));
    if (away < least) least = away, *nearest = index[i];
  }
  mls_value at = mls_evaluate(&s->mls, local, index, count, order);
  if (list != usual) free(list);
  return at;
}

/* Four vertices that are far from being in one plane. */
static bool take_corners(const surface_mesh *m, const surface_part *p, glide_part *out) {
  int32_t *c = out->corner, first = p->first_vertex, end = first + p->vertex_count;
  c[0] = first;
  for (int k = 1; k < 4; k++) {
    double most = 0;
    for (int32_t v = first; v < end; v++) {
      vec3 a = vec3_sub(m->rest[v], m->rest[c[0]]);
      vec3 b = k > 1 ? vec3_sub(m->rest[c[1]], m->rest[c[0]]) : a;
      vec3 d = k > 2 ? vec3_sub(m->rest[c[2]], m->rest[c[0]]) : a;
      double size = k == 1   ? vec3_norm(a)
                    : k == 2 ? vec3_norm(vec3_cross(a, b))
                             : fabs(vec3_dot(vec3_cross(b, d), a));
      if (size > most) most = size, c[k] = v;
    }
    if (!(most > 0)) return false;
  }
  mat3 sides = mat3_from_columns(vec3_sub(m->rest[c[1]], m->rest[c[0]]),
                                 vec3_sub(m->rest[c[2]], m->rest[c[0]]),
                                 vec3_sub(m->rest[c[3]], m->rest[c[0]]));
  out->at_rest = mat3_inverse(&sides);
  return true;
}

/* The largest Psi on the mesh: at its vertices, and in the middle of its edges. False: some place
 * is out of reach of all samples. */
static bool measure_delta(const surface_mesh *m, const surface_part *p, glide_part *out) {
  int32_t nearest;
  out->delta = 0;
  for (int32_t v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
    mls_value at = value_at(&out->of, m->rest[v], MLS_VALUE, &nearest);
    if (at.active == 0) return false;
    out->delta = fmax(out->delta, at.value);
  }
  for (int32_t e = p->first_edge; e < p->first_edge + p->edge_count; e++) {
    vec3 ends = vec3_add(m->rest[m->edges[2 * (size_t)e]], m->rest[m->edges[2 * (size_t)e + 1]]);
    mls_value at = value_at(&out->of, vec3_scale(0.5, ends), MLS_VALUE, &nearest);
    if (at.active == 0) return false;
    out->delta = fmax(out->delta, at.value);
  }
  return true;
}

static void measure_box(const surface_mesh *m, const surface_part *p, glide_part *out) {
  for (int k = 0; k < 3; k++) out->low[k] = INFINITY, out->high[k] = -INFINITY;
  for (int32_t v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++)
    for (int k = 0; k < 3; k++) {
      out->low[k] = fmin(out->low[k], (&m->rest[v].x)[k]);
      out->high[k] = fmax(out->high[k], (&m->rest[v].x)[k]);
    }
}

/* The height to which the samples cover the mesh (mls.h), less delta, is enough. */
static bool covers(const surface_part *p, const glide_part *out) {
  return p->spacing > 0 && out->delta < LEAST_COVER * p->spacing;
}

tribo_status glide_create(const surface_mesh *mesh, const tasks *t, arena *memory, glide *out,
                          tribo_error *err) {
  *out = (glide){.mesh = mesh, .parts = ARENA_ARRAY(memory, glide_part, mesh->part_count + 1)};
  if (!out->parts) return status_no_memory(err, "smooth surfaces");
  for (int32_t p = 0; p < mesh->part_count; p++)
    for (size_t k = 0; k < mesh->model->surface_count; k++) {
      const model_surface *d = &mesh->model->surfaces[k];
      const surface_part *part = &mesh->parts[p];
      if (part->collider < 0 || d->collider != part->collider || part->deforms || !is_smooth(d))
        continue;
      glide_part *one = &out->parts[out->count];
      *one = (glide_part){.part = p};
      TRY(surface_create(mesh->model, d, t, &one->of, err));
      measure_box(mesh, part, one);
      if (take_corners(mesh, part, one) && measure_delta(mesh, part, one) && covers(part, one))
        out->count++;
      else
        surface_free(&one->of);
    }
  size_t left = (size_t)out->count * (size_t)mesh->body_vertices;
  out->left = ARENA_ARRAY(memory, double, left + 1);
  if (!out->left) return status_no_memory(err, "smooth surfaces");
  return TRIBO_OK;
}

void glide_free(glide *s) {
  for (int32_t k = 0; k < s->count; k++) surface_free(&s->parts[k].of);
  s->count = 0;
}

double glide_height(const glide *s, int32_t part) {
  for (int32_t k = 0; s && k < s->count; k++)
    if (s->parts[k].part == part) return s->parts[k].delta;
  return 0;
}

/* ---- asking it --------------------------------------------------------------------------------
 */

glide_place glide_place_of(const glide *s, int32_t number, const vec3 *x) {
  const glide_part *p = &s->parts[number];
  const int32_t *c = p->corner;
  mat3 sides = mat3_from_columns(vec3_sub(x[c[1]], x[c[0]]), vec3_sub(x[c[2]], x[c[0]]),
                                 vec3_sub(x[c[3]], x[c[0]]));
  mat3 map = mat3_mul(&sides, &p->at_rest);
  vec3 moved = mat3_mul_vec3(&map, s->mesh->rest[c[0]]);
  return (glide_place){.of = p,
                       .shift = vec3_sub(x[c[0]], moved),
                       .back = mat3_inverse(&map),
                       .scale = cbrt(fabs(mat3_det(&map)))};
}

static bool is_far(const glide_part *p, vec3 local) {
  double reach = p->of.mls.reach;
  for (int k = 0; k < 3; k++) {
    double c = (&local.x)[k];
    if (c < p->low[k] - reach || c > p->high[k] + reach) return true;
  }
  return false;
}

glide_gap glide_ask(const glide_place *at, const surface_mesh *mesh, vec3 point) {
  glide_gap gap = {0};
  vec3 local = mat3_mul_vec3(&at->back, vec3_sub(point, at->shift));
  if (is_far(at->of, local)) return gap;
  int32_t nearest = 0;
  mls_value psi = value_at(&at->of->of, local, MLS_HESSIAN, &nearest);
  if (psi.active == 0 || !(vec3_norm2(psi.gradient) > 0)) return gap;
  gap.near = true;
  gap.height = at->scale * (psi.value - at->of->delta);
  gap.by_point = vec3_scale(at->scale, mat3_tmul_vec3(&at->back, psi.gradient));
  mat3 turned = mat3_transposed(&at->back), bend = mat3_mul(&turned, &psi.hessian);
  bend = mat3_mul(&bend, &at->back);
  gap.bend = mat3_scale(at->scale, &bend);
  int32_t own = at->of->of.source ? at->of->of.source[nearest] : nearest;
  gap.triangle = mesh->parts[at->of->part].first_triangle + own;
  return gap;
}
