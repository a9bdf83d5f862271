/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_between.h"

#include <math.h>
#include <stdlib.h>

#include "geom/distance.h"

/* Of the thickness: what is kept here; and of the mesh where a smooth surface has the say. */
static const double KEPT = 0.3, KEPT_OF_MESH = 0.2;

/* The part of a gap that is too small that a step opens again, as between layers of cloth. */
static const double RECOVERY = 0.2;

/* Contacts that a part of the cloth has here, at most. */
enum { MOST = 4 };

/* Two points this close, in parts of the thickness, have no direction between them. */
static const double TOUCHING = 1e-6;

/* A pair, measured where the step begins. */
typedef struct between {
  skins_pair pair;
  int own;
  int32_t corner[4];
  double weight[4]; /* of each side they sum to 1 */
  double distance;
  vec3 normal, surface_velocity;
} between;

static bool measure(const skins *s, const skins_couple *c, skins_pair pair, between *out) {
  const obstacle_skin *k = &s->list[c->skin];
  *out = (between){.pair = pair};
  vec3 x[4], own = {0, 0, 0}, other = {0, 0, 0};
  int count = out->own = skins_corners(s, c, pair, out->corner);
  for (int i = 0; i < 4; i++) x[i] = i < count ? s->x0[out->corner[i]] : k->before[out->corner[i]];
  if (count == 2) {
    double a, b;
    distance_edge_edge(x, x + 2, &a, &b);
    out->weight[0] = 1 - a, out->weight[1] = a, out->weight[2] = 1 - b, out->weight[3] = b;
  } else {
    distance_foot foot =
        count == 1 ? distance_point_triangle(x[0], x + 1) : distance_point_triangle(x[3], x);
    out->weight[count == 1 ? 0 : 3] = 1;
    for (int i = 0; i < 3; i++) out->weight[count == 1 ? i + 1 : i] = foot.weight[i];
  }
  for (int i = 0; i < 4; i++) {
    vec3 *side = i < count ? &own : &other;
    *side = vec3_madd(*side, out->weight[i], x[i]);
    if (i >= count)
      out->surface_velocity =
          vec3_madd(out->surface_velocity, out->weight[i], k->v[out->corner[i]]);
  }
  vec3 way = vec3_sub(own, other);
  out->distance = vec3_norm(way);
  if (!(out->distance > TOUCHING * c->thickness)) return false;
  out->normal = vec3_scale(1 / out->distance, way);
  return true;
}

/* Nearest first, of each part of the cloth. */
static int compare(const void *left, const void *right) {
  const between *a = left, *b = right;
  if (a->pair.kind != b->pair.kind) return a->pair.kind < b->pair.kind ? -1 : 1;
  if (a->pair.own != b->pair.own) return a->pair.own < b->pair.own ? -1 : 1;
  if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
  return (a->pair.other > b->pair.other) - (a->pair.other < b->pair.other);
}

/* Edges touch between their ends: there vertices and triangles see it. */
static bool is_inner(const between *b) {
  for (int i = 0; i < 4 && b->own == 2; i++)
    if (b->weight[i] == 0) return false;
  return true;
}

/* Whether it bears the cloth, or may by the end of the step: the cloth is outside, and not held
 * already. */
static tribo_status bears(skins *s, skins_couple *c, const between *b, const vec3 *v, bool *out,
                          tribo_error *err) {
  const obstacle_skin *k = &s->list[c->skin];
  double fall = s->h * s->h * vec3_norm(s->model->gravity),
         approach = -vec3_dot(b->normal, b->surface_velocity);
  for (int i = 0; i < b->own; i++) approach += b->weight[i] * vec3_dot(b->normal, v[b->corner[i]]);
  *out = false;
  if (!is_inner(b) || b->distance + 2 * s->h * fmin(0, approach) > KEPT * c->thickness + fall)
    return TRIBO_OK;
  int kind = PART_TRIANGLE - b->pair.kind;
  if (!k->two_sided && !(vec3_dot(b->normal, skins_outward(k, kind, b->pair.other, 0)) > 0))
    return TRIBO_OK;
  bool tangled;
  TRY(skins_tangled(s, c, b->pair, &tangled, err));
  *out = !tangled;
  return TRIBO_OK;
}

static double recover(double gap) { return gap > 0 ? gap : RECOVERY * gap; }

/* By the mesh. */
static edges_found found_of(const skins *s, const skins_couple *c, const between *b, double kept) {
  const obstacle_skin *k = &s->list[c->skin];
  edges_found found = {.surface = k->surface,
                       .probes = s->sheets[c->sheet].probes,
                       .count = b->own,
                       .normal = b->normal,
                       .surface_velocity = b->surface_velocity,
                       .moves = k->spread > 0 || vec3_norm2(k->mean) > 0,
                       .keeps = kept * c->thickness};
  for (int i = 0; i < b->own; i++) {
    found.node[i] = b->corner[i];
    found.weight[i] = b->weight[i];
    found.point = vec3_madd(found.point, b->weight[i], s->x0[b->corner[i]]);
  }
  found.gap = found.keeps + recover(b->distance - found.keeps) -
              s->h * vec3_dot(b->normal, b->surface_velocity);
  return found;
}

/* What is smooth bears by its own surface: a ball of facets that turns takes nothing along without
 * friction. But where its mesh is out of it, that is in the way. */
static edges_found smoothed(const skins *s, const skins_couple *c, const between *b,
                            const surface *by) {
  edges_found mesh = found_of(s, c, b, KEPT_OF_MESH), found = mesh;
  surface_hit hit = surface_query(by, found.point, 2 * c->thickness);
  if (!hit.near) return mesh;
  surface_turn(&hit, vec3_dot(hit.normal, b->normal) < 0 ? -hit.side : hit.side);
  found.keeps = KEPT * c->thickness;
  found.gap = found.keeps + recover(hit.gap - found.keeps);
  found.normal = hit.normal;
  return found.gap - found.keeps < mesh.gap - mesh.keeps ? found : mesh;
}

static tribo_status detect_couple(skins *s, skins_couple *c, const vec3 *x, const vec3 *v,
                                  const double *mass, projective_edges *out, arena *step,
                                  tribo_error *err) {
  between *list = ARENA_ARRAY(step, between, c->pairs.count);
  size_t count = 0;
  if (!list) return status_no_memory(err, "contacts");
  for (size_t i = 0; i < c->pairs.count; i++)
    count += measure(s, c, c->pairs.data[i], &list[count]);
  qsort(list, count, sizeof *list, compare);
  if (!projective_edges_grow(out, count, step)) return status_no_memory(err, "contacts");
  int taken = 0;
  for (size_t i = 0; i < count; i++) {
    bool same = i > 0 && list[i].pair.kind == list[i - 1].pair.kind &&
                list[i].pair.own == list[i - 1].pair.own;
    bool bearing;
    if (!same) taken = 0;
    if (taken == MOST) continue;
    TRY(bears(s, c, &list[i], v, &bearing, err));
    if (!bearing) continue;
    const surface *by = &out->finder->surfaces[s->list[c->skin].surface];
    edges_found found =
        by->form == SURFACE_MESH ? found_of(s, c, &list[i], KEPT) : smoothed(s, c, &list[i], by);
    TRY(projective_edges_add(out, &found, x, v, mass, err));
    taken++;
  }
  return TRIBO_OK;
}

tribo_status projective_between_detect(skins *s, const vec3 *x, const vec3 *v, const double *mass,
                                       projective_edges *out, arena *step, tribo_error *err) {
  for (size_t i = 0; i < s->couple_count; i++) {
    skins_couple *c = &s->couples[i];
    if (c->pairs.count > 0 && c->thickness > 0)
      TRY(detect_couple(s, c, x, v, mass, out, step, err));
  }
  return TRIBO_OK;
}
