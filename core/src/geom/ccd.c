/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/ccd.h"

#include <float.h>

#include "geom/distance.h"

enum { MOST_STEPS = 1000, PLAIN_STEPS = 8, MOST_HALVINGS = 30, BATCH_GRAIN = 32 };

/* A hit leaves at most this part of the first gap. */
static const double leftover = 1e-6;

/* Two convex things: points 0 to split - 1, and the rest, of four. */
typedef struct pair {
  int split; /* 1: a point and a triangle; 2: two edges */
  vec3 at[4], move[4];
} pair;

/* Where the four are seen from: about their middle, and moving along with it, so that neither a
 * place far out nor a motion in common costs digits or steps. */
static pair pair_of(const vec3 start[4], const vec3 end[4], int split) {
  pair p = {.split = split};
  vec3 middle = {0, 0, 0}, mean = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    p.move[i] = vec3_sub(end[i], start[i]);
    middle = vec3_madd(middle, 0.25, start[i]);
    mean = vec3_madd(mean, 0.25, p.move[i]);
  }
  for (int i = 0; i < 4; i++) {
    p.at[i] = vec3_sub(start[i], middle);
    p.move[i] = vec3_sub(p.move[i], mean);
  }
  return p;
}

/* How coarse the coordinates are: what rounding may have done to a distance. */
static double blur_of(const pair *p, const vec3 start[4], const vec3 end[4]) {
  double given = 0, seen = 0;
  for (int i = 0; i < 4; i++) {
    given = fmax(given, fmax(vec3_max_abs(start[i]), vec3_max_abs(end[i])));
    seen = fmax(seen, vec3_max_abs(p->at[i]) + vec3_max_abs(p->move[i]));
  }
  return DBL_EPSILON * (8 * given + 32 * seen);
}

static void places_at(const pair *p, double time, vec3 x[4]) {
  for (int i = 0; i < 4; i++) x[i] = vec3_madd(p->at[i], time, p->move[i]);
}

/* Distance, weights of the closest points, and the direction from the second to the first. Where
 * the two are close, the difference of the closest points has no digits left, but the normal of the
 * face, or of the two edges, has. */
static double closest(int split, const vec3 x[4], double weight[4], vec3 *direction) {
  double distance2;
  vec3 apart, across = {0, 0, 0};
  if (split == 1) {
    distance_foot f = distance_point_triangle(x[0], x + 1);
    distance2 = f.distance2;
    apart = vec3_sub(x[0], f.foot);
    weight[0] = 1;
    for (int i = 0; i < 3; i++) weight[i + 1] = f.weight[i];
    if (f.feature == DISTANCE_FACE) across = vec3_cross(vec3_sub(x[2], x[1]), vec3_sub(x[3], x[1]));
  } else {
    double s, t;
    distance2 = distance_edge_edge(x, x + 2, &s, &t);
    apart = vec3_sub(distance_along(x[0], x[1], s), distance_along(x[2], x[3], t));
    weight[0] = 1 - s;
    weight[1] = s;
    weight[2] = 1 - t;
    weight[3] = t;
    if (s > 0 && s < 1 && t > 0 && t < 1)
      across = vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[3], x[2]));
  }
  if (vec3_dot(across, apart) < 0) across = vec3_scale(-1, across);
  *direction = vec3_normalized(vec3_dot(across, apart) > 0 ? across : apart);
  return sqrt(distance2);
}

static double fastest(const vec3 *move, int count) {
  double speed2 = 0;
  for (int i = 0; i < count; i++) speed2 = fmax(speed2, vec3_norm2(move[i]));
  return sqrt(speed2);
}

/* For how long the plane across `direction` keeps the two at least `gap` apart: the distance of two
 * convex things is no less than that of their shadows on a line, and the shadows' ends move
 * straight. 0 when it does not now, and infinite when it does for ever. */
static double separated_for(const pair *p, const vec3 x[4], vec3 direction, double gap) {
  double time = INFINITY;
  for (int i = 0; i < p->split; i++)
    for (int j = p->split; j < 4; j++) {
      double now = vec3_dot(direction, vec3_sub(x[i], x[j])) - gap;
      double speed = vec3_dot(direction, vec3_sub(p->move[i], p->move[j]));
      if (now <= 0) return 0;
      if (speed < 0) time = fmin(time, now / -speed);
    }
  return time;
}

/* The three differences whose volume is 0 when the four lie in a plane: between the two, and along
 * the triangle's or the two edges. */
static void differences(int split, const vec3 x[4], vec3 d[3]) {
  d[0] = vec3_sub(x[0], x[split]);
  d[1] = split == 1 ? vec3_sub(x[2], x[1]) : vec3_sub(x[1], x[0]);
  d[2] = split == 1 ? vec3_sub(x[3], x[1]) : vec3_sub(x[3], x[2]);
}

/* For how long, at least, the plane that turns with the triangle (or with the two edges) keeps the
 * two apart: the two bounds above creep where a triangle tilts about the very place that is near.
 * The distance from that plane is volume / area, a cubic over the length of a quadratic; over a
 * span of time each stays between the least and the greatest of its Bernstein coefficients. Spans
 * are halved until one is surely free. */
static double turning_for(const pair *p, double time, double gap) {
  vec3 x[4], now[3], then[3];
  places_at(p, time, x);
  differences(p->split, x, now);
  double span = 1 - time;
  for (int k = 0; k < MOST_HALVINGS; k++, span /= 2) {
    places_at(p, time + span, x);
    differences(p->split, x, then);
    vec3 first = vec3_cross(now[1], now[2]), last = vec3_cross(then[1], then[2]);
    vec3 middle = vec3_add(vec3_cross(now[1], then[2]), vec3_cross(then[1], now[2]));
    double area = fmax(fmax(vec3_norm(first), vec3_norm(last)), vec3_norm(middle) / 2);
    double side = vec3_dot(now[0], first) < 0 ? -1 : 1, third = side / 3;
    double least = side * vec3_dot(now[0], first);
    least = fmin(least, third * (vec3_dot(then[0], first) + vec3_dot(now[0], middle)));
    least = fmin(least, third * (vec3_dot(now[0], last) + vec3_dot(then[0], middle)));
    least = fmin(least, side * vec3_dot(then[0], last));
    /* What the volumes may have lost in rounding. */
    double length = fmax(vec3_norm(now[0]), vec3_norm(then[0]));
    double sides =
        fmax(vec3_norm(now[1]), vec3_norm(then[1])) * fmax(vec3_norm(now[2]), vec3_norm(then[2]));
    if (least - 32 * DBL_EPSILON * length * sides > gap * area) return span;
  }
  return 0;
}

static ccd_outcome advance(const vec3 start[4], const vec3 end[4], int split, double slack,
                           ccd_hit *hit) {
  pair p = pair_of(start, end, split);
  double speed = fastest(p.move, split) + fastest(p.move + split, 4 - split);
  double blur = blur_of(&p, start, end), near = 0;
  hit->time = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    vec3 x[4];
    places_at(&p, hit->time, x);
    double gap = closest(split, x, hit->weight, &hit->direction) - slack;
    if (step == 0) near = fmax(leftover * gap, 2 * blur);
    if (!(gap > near)) return CCD_HIT;
    /* Half of what counts as near is kept: rounding does not use it up. */
    double by_plane = separated_for(&p, x, hit->direction, slack + near / 2);
    double by_speed = speed > 0 ? (gap - near / 2) / speed : INFINITY;
    double free = fmax(by_plane, by_speed);
    if (step >= PLAIN_STEPS && hit->time + free < 1)
      free = fmax(free, turning_for(&p, hit->time, slack + near / 2));
    hit->time += free;
    if (!(hit->time < 1)) {
      hit->time = 1;
      return CCD_FREE;
    }
  }
  return CCD_UNSURE;
}

ccd_outcome ccd_point_triangle(const vec3 start[4], const vec3 end[4], double slack, ccd_hit *hit) {
  return advance(start, end, 1, slack, hit);
}

ccd_outcome ccd_edge_edge(const vec3 start[4], const vec3 end[4], double slack, ccd_hit *hit) {
  return advance(start, end, 2, slack, hit);
}

/* ----------------------------------------------------------------------------- a whole mesh -- */

typedef struct first_search {
  const ccd_mesh *m;
  vec3 from, to;
  double slack;
  ccd_mesh_hit best;
} first_search;

static double try_triangle(void *context, int32_t place, double limit) {
  first_search *s = context;
  int32_t triangle = s->m->tree->order[place];
  const int32_t *v = s->m->triangles + 3 * triangle;
  const vec3 start[4] = {s->from, s->m->start[v[0]], s->m->start[v[1]], s->m->start[v[2]]};
  const vec3 end[4] = {s->to, s->m->end[v[0]], s->m->end[v[1]], s->m->end[v[2]]};
  ccd_hit hit;
  ccd_outcome outcome = ccd_point_triangle(start, end, s->slack, &hit);
  if (outcome == CCD_FREE) return limit;
  if (s->best.outcome != CCD_FREE &&
      (hit.time > s->best.time || (hit.time == s->best.time && triangle > s->best.triangle)))
    return limit;
  s->best =
      (ccd_mesh_hit){hit.time, {hit.weight[1], hit.weight[2], hit.weight[3]}, triangle, outcome};
  return hit.time;
}

ccd_mesh_hit ccd_mesh_first(const ccd_mesh *m, vec3 from, vec3 to, double slack) {
  first_search s = {m, from, to, slack, {1, {0}, -1, CCD_FREE}};
  bvh_along(m->tree, from, to, slack, try_triangle, &s);
  return s.best;
}

typedef struct first_batch {
  const ccd_mesh *m;
  const vec3 *from, *to;
  const double *slack;
  ccd_mesh_hit *hits;
} first_batch;

static void try_batch(void *context, size_t begin, size_t end) {
  const first_batch *job = context;
  for (size_t i = begin; i < end; i++)
    job->hits[i] = ccd_mesh_first(job->m, job->from[i], job->to[i], job->slack[i]);
}

void ccd_mesh_batch(const tasks *t, const ccd_mesh *m, const vec3 *from, const vec3 *to,
                    const double *slack, size_t count, ccd_mesh_hit *hits) {
  first_batch job = {m, from, to, slack, hits};
  tasks_for(t, count, BATCH_GRAIN, try_batch, &job);
}
