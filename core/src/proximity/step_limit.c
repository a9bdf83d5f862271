/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proximity/step_limit.h"

#include "geom/ccd.h"
#include "geom/distance.h"

enum { GRAIN = 64 };

double step_limit_pair(const vec3 from[4], const vec3 to[4], int split, double thickness,
                       double keep) {
  double p, q;
  double distance2 = split == 1 ? distance_point_triangle(from[0], from + 1).distance2
                                : distance_edge_edge(from, from + 2, &p, &q);
  double gap = sqrt(distance2) - thickness;
  if (!(gap > 0)) return 0;
  ccd_hit hit;
  double slack = thickness + keep * gap;
  ccd_outcome outcome =
      split == 1 ? ccd_point_triangle(from, to, slack, &hit) : ccd_edge_edge(from, to, slack, &hit);
  return outcome == CCD_FREE ? 1 : hit.time;
}

/* For how long the plane across the closest points keeps `gap` between the sides, which move by
 * `way` in a unit of time. */
static double plane_for(const vec3 x[4], const vec3 way[4], int split, vec3 normal, double gap) {
  double time = INFINITY;
  for (int i = 0; i < split; i++)
    for (int j = split; j < 4; j++) {
      double now = vec3_dot(normal, vec3_sub(x[i], x[j])) - gap;
      double speed = vec3_dot(normal, vec3_sub(way[i], way[j]));
      if (!(now > 0)) return 0;
      if (speed < 0 && now < -speed * time) time = now / -speed;
    }
  return time;
}

double step_limit_quick(const vec3 from[4], const vec3 to[4], int split, double thickness,
                        double keep, stencil *at) {
  enum { MOST_STEPS = 16 };
  vec3 x[4], way[4];
  double fastest2 = 0, time = 0;
  for (int i = 0; i < 4; i++) way[i] = vec3_sub(to[i], from[i]);
  for (int i = 0; i < split; i++)
    for (int j = split; j < 4; j++) {
      double speed2 = vec3_norm2(vec3_sub(way[i], way[j]));
      if (speed2 > fastest2) fastest2 = speed2;
    }
  double fastest = sqrt(fastest2);
  /* Most pairs are free by their distance alone. */
  unsigned taking;
  double start = (split == 1 ? stencil_vertex_face_distance(from, &taking)
                             : stencil_edge_edge_distance(from, &taking)) -
                 thickness;
  if (!(start > 0)) return 0;
  double least = keep * start;
  if (start - least >= fastest) return 1;
  for (int step = 0; step < MOST_STEPS; step++) {
    for (int i = 0; i < 4; i++) x[i] = vec3_madd(from[i], time, way[i]);
    *at = split == 1 ? stencil_vertex_face(x) : stencil_edge_edge(x);
    double gap = at->distance - thickness;
    if (step > 0 && gap <= 2 * least) return time;
    double plain = (gap - least) / fastest;
    double plane = plane_for(x, way, split, at->normal, thickness + least);
    time += plain > plane ? plain : plane;
    if (!(time < 1)) return 1;
  }
  for (int i = 0; i < 4; i++) x[i] = vec3_madd(from[i], time, way[i]);
  *at = split == 1 ? stencil_vertex_face(x) : stencil_edge_edge(x);
  return time;
}

typedef struct limit_job {
  const step_limit_pairs *pairs;
  const vec3 *from, *to;
  double keep;
  double *times;
  double *lowest; /* of each block of pairs */
  int32_t *pair;
} limit_job;

/* The limit of pair k, seen from a motion that ends at `until`; in units of the whole motion. */
static double limit_of(const limit_job *j, size_t k, double until) {
  const step_limit_pairs *p = j->pairs;
  bool face = k < p->face_count;
  size_t i = face ? k : k - p->face_count;
  int32_t v[4];
  vec3 from[4], to[4];
  if (face)
    candidate_face_vertices(p->mesh, p->faces[i], v);
  else
    candidate_edge_vertices(p->mesh, p->edges[i], v);
  for (int a = 0; a < 4; a++) {
    from[a] = j->from[v[a]];
    to[a] = until < 1 ? vec3_madd(from[a], until, vec3_sub(j->to[v[a]], from[a])) : j->to[v[a]];
  }
  double thickness = face ? p->face_thickness[i] : p->edge_thickness[i];
  double time = step_limit_pair(from, to, face ? 1 : 2, thickness, j->keep);
  return time < 1 ? time * until : 1;
}

/* Within a block the motion is cut as limits are found: blocks are fixed, so the answer is too. */
static void limit_blocks(void *context, size_t begin, size_t end) {
  const limit_job *j = context;
  size_t count = j->pairs->face_count + j->pairs->edge_count;
  for (size_t block = begin; block < end; block++) {
    double lowest = 1;
    int32_t pair = -1;
    for (size_t k = GRAIN * block; k < count && k < GRAIN * (block + 1); k++) {
      double time = limit_of(j, k, j->times ? 1 : lowest);
      if (j->times) j->times[k] = time;
      if (time < lowest) lowest = time, pair = (int32_t)k;
    }
    j->lowest[block] = lowest;
    j->pair[block] = pair;
  }
}

step_limit step_limit_find(const step_limit_pairs *pairs, const tasks *t, const vec3 *from,
                           const vec3 *to, double keep, double *times) {
  size_t count = pairs->face_count + pairs->edge_count, blocks = (count + GRAIN - 1) / GRAIN;
  step_limit limit = {1, -1};
  if (count == 0) return limit;
  arena scratch = {0};
  limit_job job = {.pairs = pairs,
                   .from = from,
                   .to = to,
                   .keep = keep,
                   .times = times,
                   .lowest = ARENA_ARRAY(&scratch, double, blocks),
                   .pair = ARENA_ARRAY(&scratch, int32_t, blocks)};
  /* Without memory nothing may move. */
  if (!job.lowest || !job.pair) {
    arena_free(&scratch);
    return (step_limit){0, 0};
  }
  tasks_for(t, blocks, 1, limit_blocks, &job);
  for (size_t b = 0; b < blocks; b++)
    if (job.lowest[b] < limit.time) limit = (step_limit){job.lowest[b], job.pair[b]};
  arena_free(&scratch);
  return limit;
}
