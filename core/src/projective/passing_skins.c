/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * passing_skins: what of cloth and the meshes of obstacles would meet within a step.
 */
#include <math.h>

#include "geom/ccd.h"
#include "projective/projective_passing.h"

typedef struct skins_search {
  projective_passing *p;
  skins_couple *couple;
  const vec3 *v;
  tribo_status status;
  tribo_error *err;
} skins_search;

/* A pair where the step begins and ends. */
typedef struct skins_way {
  int own;
  int32_t corner[4];
  vec3 start[4], end[4];
} skins_way;

static skins_way way_of(const skins_search *s, skins_pair pair) {
  const skins *all = s->p->skins;
  const obstacle_skin *k = &all->list[s->couple->skin];
  skins_way way;
  vec3 mean = {0, 0, 0};
  way.own = skins_corners(all, s->couple, pair, way.corner);
  for (int i = 0; i < 4; i++) {
    int32_t corner = way.corner[i];
    vec3 v = i < way.own ? s->v[corner] : k->v[corner];
    way.start[i] = i < way.own ? all->x0[corner] : k->before[corner];
    way.end[i] = vec3_madd(way.start[i], all->h, v);
    mean = vec3_madd(mean, 0.25 * all->h, v);
  }
  for (int i = 0; i < 4; i++) way.end[i] = vec3_sub(way.end[i], mean);
  return way;
}

/* From the obstacle to the cloth. */
static ccd_outcome detect(const skins_way *way, ccd_hit *hit) {
  if (way->own == 1) return ccd_point_triangle(way->start, way->end, 0, hit);
  if (way->own == 2) return ccd_edge_edge(way->start, way->end, 0, hit);
  vec3 start[4] = {way->start[3], way->start[0], way->start[1], way->start[2]};
  vec3 end[4] = {way->end[3], way->end[0], way->end[1], way->end[2]};
  ccd_hit other;
  ccd_outcome outcome = ccd_point_triangle(start, end, 0, &other);
  *hit = (ccd_hit){.time = other.time,
                   .weight = {other.weight[1], other.weight[2], other.weight[3], other.weight[0]},
                   .direction = vec3_scale(-1, other.direction)};
  return outcome;
}

static passing_hit hit_of(const skins_search *s, const skins_way *way, const ccd_hit *hit) {
  const obstacle_skin *k = &s->p->skins->list[s->couple->skin];
  passing_hit out = {.normal = hit->direction, .skin = s->couple->skin};
  for (int i = 0; i < 4; i++) {
    bool own = i < way->own;
    double weight = own ? hit->weight[i] : -hit->weight[i];
    out.node[i] = way->corner[own ? i : 0];
    out.weight[i] = own ? weight : 0;
    out.gap += weight * vec3_dot(out.normal, way->start[i]);
    if (!own) out.surface_velocity = vec3_madd(out.surface_velocity, -weight, k->v[way->corner[i]]);
  }
  out.driven = vec3_dot(out.normal, out.surface_velocity);
  out.least = passing_least(out.gap, s->couple->thickness);
  return out;
}

/* What has no thickness lies at the obstacle itself, but for roundings. */
static const double ROUNDING = 1e-9;

/* Of the thickness: what lies that near to an obstacle when a step begins, as cloth that is laid
 * exactly on a floor, has no side yet that it could pass from. Its contacts give it one. */
static const double SIDELESS = 1e-6;

static bool is_touching(const skins_search *s, const passing_hit *hit) {
  double u = -hit->driven;
  for (int i = 0; i < 4; i++) u += hit->weight[i] * vec3_dot(hit->normal, s->v[hit->node[i]]);
  return hit->gap < s->couple->reach || hit->gap + s->p->h * u > -ROUNDING;
}

/* What comes from inside goes on, and so does what crosses already. */
static void look_at(void *context, skins_pair pair) {
  skins_search *s = context;
  if (s->status != TRIBO_OK) return;
  skins *all = s->p->skins;
  skins_way way = way_of(s, pair);
  if (passing_boxes_apart(way.start, way.end, way.own)) return;
  ccd_hit hit;
  if (detect(&way, &hit) == CCD_FREE) return;
  const obstacle_skin *k = &all->list[s->couple->skin];
  int kind = PART_TRIANGLE - pair.kind;
  if (!k->two_sided && !(vec3_dot(hit.direction, skins_outward(k, kind, pair.other, hit.time)) > 0))
    return;
  passing_hit new = hit_of(s, &way, &hit);
  if (s->couple->thickness == 0 && is_touching(s, &new)) return;
  if (fabs(new.gap) <= SIDELESS * s->couple->thickness) return;
  bool tangled;
  s->status = skins_tangled(all, s->couple, pair, &tangled, s->err);
  if (s->status != TRIBO_OK || tangled) return;
  if (!ARRAY_PUSH(s->p->hits, new)) s->status = status_no_memory(s->err, "what passes");
}

tribo_status passing_meet_skins(projective_passing *p, const vec3 *v, tribo_error *err) {
  for (size_t i = 0; i < p->skins->couple_count; i++) {
    skins_couple *c = &p->skins->couples[i];
    skins_search s = {p, c, v, TRIBO_OK, err};
    for (size_t k = 0; k < c->pairs.count; k++) look_at(&s, c->pairs.data[k]);
    skins_visit(p->skins, c, v, look_at, &s);
    TRY(s.status);
  }
  return TRIBO_OK;
}
