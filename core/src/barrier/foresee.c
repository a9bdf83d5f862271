/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/foresee.h"

#include <string.h>

#include "geom/ccd.h"

/* In units of the contact's stiffness; and of its band. */
static const double STIFF = 100, STIFFER = 10, TARGET = 0.5;
/* What is left of a gap counts as run into. */
static const double KEEP = 0.1;
static const double END = 0.05; /* of an edge */

/* The first thing that one vertex or edge runs into. */
typedef struct first_hit {
  double time, gap;
  candidate pair;
  ccd_hit hit;
  int32_t vertex[4];
  barrier_constants of;
} first_hit;

/* Of one of two edges: the vertex there is what runs into something. */
static bool at_an_end(const ccd_hit *hit) {
  for (int i = 0; i < 4; i++)
    if (hit->weight[i] < END) return true;
  return false;
}

static void meet(const barrier *b, candidate c, bool face, first_hit *first) {
  const surface_mesh *m = &b->mesh;
  if (face ? !m->vertex_met[c.a] : !m->edge_met[c.a] || !m->edge_met[c.b]) return;
  int32_t v[4];
  vec3 from[4], to[4];
  if (face)
    candidate_face_vertices(m, c, v);
  else
    candidate_edge_vertices(m, c, v);
  barrier_constants k = face ? barrier_scale_face(&b->scale, c.a, m->part[v[1]])
                             : barrier_scale_edges(&b->scale, c.a, c.b);
  for (int i = 0; i < 4; i++) {
    from[i] = b->places[v[i]];
    to[i] = b->swept[v[i]];
  }
  unsigned taking;
  double gap = (face ? stencil_vertex_face_distance(from, &taking)
                     : stencil_edge_edge_distance(from, &taking)) -
               k.thickness;
  double slack = k.thickness + KEEP * fmin(gap, k.band);
  ccd_hit hit;
  ccd_outcome outcome =
      face ? ccd_point_triangle(from, to, slack, &hit) : ccd_edge_edge(from, to, slack, &hit);
  if (outcome == CCD_FREE || !(hit.time < first->time)) return;
  if (!face && at_an_end(&hit)) return;
  *first = (first_hit){hit.time, gap, c, hit, {v[0], v[1], v[2], v[3]}, k};
}

static bool is_listed(const barrier *b, candidate c, bool face) {
  for (size_t i = 0; i < b->ahead.count; i++) {
    const barrier_ahead *a = &b->ahead.data[i];
    if (a->face == face && a->pair.a == c.a && a->pair.b == c.b) return true;
  }
  return false;
}

/* Within the band the spring is stiffer than the barrier is there. */
static double stiffness_of(const first_hit *first) {
  double value, slope, curve = 0, s = first->gap / first->of.band;
  if (s < 1) barrier_law(s, &value, &slope, &curve);
  return first->of.stiffness * fmax(STIFF, STIFFER * curve);
}

static bool add(barrier *b, const first_hit *first, bool face) {
  barrier_ahead a = {.pair = first->pair,
                     .face = face,
                     .normal = first->hit.direction,
                     .thickness = first->of.thickness,
                     .target = TARGET * fmin(first->gap, first->of.band),
                     .stiffness = stiffness_of(first)};
  int split = face ? 1 : 2;
  for (int i = 0; i < 4; i++) {
    a.vertex[i] = first->vertex[i];
    a.weight[i] = i < split ? first->hit.weight[i] : -first->hit.weight[i];
  }
  return ARRAY_PUSH(b->ahead, a);
}

static double gap_with(const barrier_ahead *a, const vec3 *places) {
  double gap = -a->thickness;
  for (int i = 0; i < 4; i++)
    gap += a->weight[i] * vec3_dot(a->normal, vec3_sub(places[a->vertex[i]], places[a->vertex[0]]));
  return gap;
}

double foresee_force(const barrier *b, const barrier_ahead *a) {
  return a->stiffness * (a->target - gap_with(a, b->places));
}

static void drop_pulling(barrier *b) {
  size_t kept = 0;
  for (size_t i = 0; i < b->ahead.count; i++)
    if (gap_with(&b->ahead.data[i], b->swept) < b->ahead.data[i].target)
      b->ahead.data[kept++] = b->ahead.data[i];
  b->ahead.count = kept;
}

static bool look_in(barrier *b, const candidate_span *list, bool face, size_t *news) {
  for (size_t i = 0; i < list->count;) {
    int32_t a = list->data[i].a;
    first_hit first = {.time = 1};
    for (; i < list->count && list->data[i].a == a; i++) meet(b, list->data[i], face, &first);
    if (!(first.time < 1) || is_listed(b, first.pair, face)) continue;
    if (!add(b, &first, face)) return false;
    (*news)++;
  }
  return true;
}

/* Of what slides now, and would be driven by its friction after the motion. */
static void stop_driving(barrier *b, size_t *news) {
  for (size_t i = 0; i < b->rubs.count; i++) {
    barrier_rub *r = &b->rubs.data[i];
    double now[2], then[2];
    if (r->stuck) continue;
    barrier_rub_slip(r, b->places, b->start, now);
    barrier_rub_slip(r, b->swept, b->start, then);
    barrier_rub_energy(r, now);
    double beyond =
        fabs(r->r[0] + r->rho * now[0] - r->f[0]) + fabs(r->r[1] + r->rho * now[1] - r->f[1]);
    if (!(beyond > 0) || !barrier_rub_drives(r, then)) continue;
    r->stuck = true;
    (*news)++;
  }
}

tribo_status foresee_look(barrier *b, size_t *news, tribo_error *err) {
  *news = 0;
  drop_pulling(b);
  stop_driving(b, news);
  if (!look_in(b, &b->near.found_faces, true, news) ||
      !look_in(b, &b->near.found_edges, false, news))
    return status_no_memory(err, "contacts");
  return TRIBO_OK;
}
