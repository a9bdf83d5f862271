/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/foresee.h"

#include "proximity/step_limit.h"

/* In units of the contact's stiffness; and of its band. */
static const double STIFF = 100, STIFFER = 10, TARGET = 0.5;
/* A contact is foreseen where a motion leaves less than this part of its gap. */
static const double KEEP = 0.1;
static const double END = 0.05; /* of an edge */

/* ---- when pairs meet --------------------------------------------------------------------------
 */

enum { GRAIN = 64 };

/* A candidate, its four points and its constants. */
typedef struct pair {
  candidate c;
  bool face;
  int32_t vertex[4];
  vec3 from[4], to[4];
  barrier_constants of;
  double gap;
} pair;

static pair pair_of(const barrier *b, candidate c, bool face) {
  pair p = {.c = c, .face = face};
  if (face)
    candidate_face_vertices(&b->mesh, c, p.vertex);
  else
    candidate_edge_vertices(&b->mesh, c, p.vertex);
  p.of = face ? barrier_scale_face(&b->scale, c.a, b->mesh.part[p.vertex[1]])
              : barrier_scale_edges(&b->scale, c.a, c.b);
  for (int i = 0; i < 4; i++) {
    p.from[i] = b->places[p.vertex[i]];
    p.to[i] = b->swept[p.vertex[i]];
  }
  return p;
}

static double gap_of(const pair *p) {
  unsigned taking;
  double distance = p->face ? stencil_vertex_face_distance(p->from, &taking)
                            : stencil_edge_edge_distance(p->from, &taking);
  return distance - p->of.thickness;
}

/* When the gap has come down to KEEP of what it is, or a little earlier; 1: it does not. */
static double time_of(const pair *p, stencil *at) {
  return step_limit_quick(p->from, p->to, p->face ? 1 : 2, p->of.thickness, KEEP, at);
}

static void time_pairs(void *context, size_t begin, size_t end) {
  barrier *b = context;
  size_t faces = b->near.found_faces.count;
  for (size_t k = begin; k < end; k++) {
    stencil hit;
    pair p = k < faces ? pair_of(b, b->near.found_faces.data[k], true)
                       : pair_of(b, b->near.found_edges.data[k - faces], false);
    b->times.data[k] = time_of(&p, &hit);
  }
}

tribo_status foresee_times(barrier *b, double *limit, tribo_error *err) {
  size_t count = b->near.found_faces.count + b->near.found_edges.count;
  *limit = 1;
  if (!ARRAY_RESERVE(b->times, count)) return status_no_memory(err, "contacts");
  tasks_for(&b->options.tasks, count, GRAIN, time_pairs, b);
  for (size_t k = 0; k < count; k++)
    if (b->times.data[k] < *limit) *limit = b->times.data[k], b->first = k;
  return TRIBO_OK;
}

/* ---- springs ----------------------------------------------------------------------------------
 */

/* An edge-edge contact near an end of an edge is that of the vertex there. */
static bool at_an_end(const stencil *hit) {
  for (int i = 0; i < 4; i++)
    if (fabs(hit->weight[i]) < END) return true;
  return false;
}

static bool is_listed(const barrier *b, candidate c, bool face) {
  for (size_t i = 0; i < b->ahead.count; i++) {
    const barrier_ahead *a = &b->ahead.data[i];
    if (a->face == face && a->pair.a == c.a && a->pair.b == c.b) return true;
  }
  return false;
}

/* Within the band the spring is stiffer than the barrier is there. */
static double stiffness_of(const pair *p) {
  double value, slope, curve = 0, s = p->gap / p->of.band;
  if (s < 1) barrier_law(s, &value, &slope, &curve);
  return p->of.stiffness * fmax(STIFF, STIFFER * curve);
}

/* Shell of a smooth surface, m: the height of the surface above the mesh that motions are swept
 * against, and the thickness that a vertex keeps from it (barrier/glide.h). */
static double shell_of(const barrier *b, const pair *p) {
  int32_t part = b->mesh.part[p->vertex[1]];
  if (!p->face || p->vertex[0] >= b->mesh.body_vertices || !glide_has(&b->glide, part)) return 0;
  return glide_height(&b->glide, part) + barrier_scale_glide(&b->scale, p->c.a, part).thickness;
}

static bool add(barrier *b, const pair *p, const stencil *hit) {
  double shell = shell_of(b, p);
  barrier_ahead a = {.pair = p->c,
                     .face = p->face,
                     .normal = hit->normal,
                     .thickness = p->of.thickness + shell,
                     .target = shell > 0 ? TARGET * p->of.band : fmin(p->gap, TARGET * p->of.band),
                     .stiffness = stiffness_of(p)};
  for (int i = 0; i < 4; i++) {
    a.vertex[i] = p->vertex[i];
    a.weight[i] = hit->weight[i];
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

static bool may_meet(const barrier *b, candidate c, bool face) {
  const surface_mesh *m = &b->mesh;
  return face ? m->vertex_met[c.a] : m->edge_met[c.a] && m->edge_met[c.b];
}

/* The first thing that each vertex or edge runs into. */
static bool look_in(barrier *b, const candidate_span *list, bool face, const double *times,
                    size_t *news) {
  for (size_t i = 0, end; i < list->count; i = end) {
    size_t first = i;
    for (end = i; end < list->count && list->data[end].a == list->data[i].a; end++)
      if (may_meet(b, list->data[end], face) && times[end] < times[first]) first = end;
    if (!(times[first] < 1) || !may_meet(b, list->data[first], face)) continue;
    stencil hit;
    pair p = pair_of(b, list->data[first], face);
    p.gap = gap_of(&p);
    if (!(p.gap > 0) || !(time_of(&p, &hit) < 1) || (!face && at_an_end(&hit))) continue;
    if (is_listed(b, p.c, face)) continue;
    if (!add(b, &p, &hit)) return false;
    (*news)++;
  }
  return true;
}

/* Sliding contacts whose friction would drive them after the motion are taken for sticking ones. */
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
  const double *times = b->times.data;
  if (!look_in(b, &b->near.found_faces, true, times, news) ||
      !look_in(b, &b->near.found_edges, false, times + b->near.found_faces.count, news))
    return status_no_memory(err, "contacts");
  return TRIBO_OK;
}
