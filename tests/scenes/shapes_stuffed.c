/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_stuffed.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"

/* ---- fields -----------------------------------------------------------------------------------
 */

double field_cone(const double x[3], const double a[3], const double b[3], double radius_a,
                  double radius_b) {
  vec3 from = vec3_from(a), ab = vec3_sub(vec3_from(b), from), ax = vec3_sub(vec3_from(x), from);
  double t = vec3_dot(ax, ab) / vec3_dot(ab, ab);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return vec3_norm(vec3_madd(ax, -t, ab)) - (radius_a + t * (radius_b - radius_a));
}

double field_capsule(const double x[3], const double a[3], const double b[3], double radius) {
  return field_cone(x, a, b, radius, radius);
}

double field_union(double f, double g, double round) {
  double near = fmax(round - fabs(f - g), 0) / round;
  return fmin(f, g) - 0.25 * round * near * near;
}

/* The point on segment ab where the field is 0; a is inside, b outside. */
static vec3 cut_point(shape_field field, const void *context, vec3 a, vec3 b) {
  for (int k = 0; k < 48; k++) {
    vec3 middle = vec3_scale(0.5, vec3_add(a, b));
    double x[3] = {middle.x, middle.y, middle.z};
    if (field(context, x) < 0)
      a = middle;
    else
      b = middle;
  }
  return vec3_scale(0.5, vec3_add(a, b));
}

/* ---- lattice ----------------------------------------------------------------------------------
 */

/* Points in units of half a cube: all coordinates even (corners), or all odd (middles). */
typedef struct lattice {
  shape_field field;
  const void *context;
  double low[3], half; /* origin; half a cube's side */
  int cubes[3];
  size_t corners, points;
  vec3 *places;      /* of all points, moved onto the surface where they are near */
  signed char *side; /* -1 inside, 0 on the surface, 1 outside */
  int32_t *number;   /* in the mesh; -1: not in it yet */
  int32_t *cuts;     /* numbers of the vertices on the seven edges that start at a point */
} lattice;

enum { WAYS = 7 };

/* Edges from a point; their opposites are the other seven. */
static const int WAY[WAYS][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2}, {1, 1, 1},
                                 {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

static bool lattice_has(const lattice *l, const int at[3]) {
  for (int a = 0; a < 3; a++)
    if (at[a] < (at[0] & 1) || at[a] > 2 * l->cubes[a] - (at[0] & 1)) return false;
  return true;
}

static size_t lattice_index(const lattice *l, const int at[3]) {
  int odd = at[0] & 1, nx = l->cubes[0] + 1 - odd, ny = l->cubes[1] + 1 - odd;
  size_t within =
      ((size_t)(at[2] / 2) * (size_t)ny + (size_t)(at[1] / 2)) * (size_t)nx + (size_t)(at[0] / 2);
  return odd ? l->corners + within : within;
}

static void lattice_at(const lattice *l, size_t index, int at[3]) {
  int odd = index >= l->corners;
  size_t within = odd ? index - l->corners : index;
  size_t nx = (size_t)(l->cubes[0] + 1 - odd), ny = (size_t)(l->cubes[1] + 1 - odd);
  at[0] = 2 * (int)(within % nx) + odd;
  at[1] = 2 * (int)(within / nx % ny) + odd;
  at[2] = 2 * (int)(within / nx / ny) + odd;
}

static void lattice_free(lattice *l) {
  free(l->places);
  free(l->side);
  free(l->number);
  free(l->cuts);
}

static bool lattice_make(shape_field field, const void *context, const double low[3],
                         const double high[3], double size, lattice *l) {
  *l = (lattice){.field = field, .context = context, .half = 0.5 * size};
  size_t middles = 1;
  l->corners = 1;
  for (int a = 0; a < 3; a++) {
    l->cubes[a] = (int)ceil((high[a] - low[a]) / size);
    l->low[a] = 0.5 * (low[a] + high[a] - l->cubes[a] * size);
    l->corners *= (size_t)(l->cubes[a] + 1);
    middles *= (size_t)l->cubes[a];
  }
  l->points = l->corners + middles;
  l->places = malloc(l->points * sizeof *l->places);
  l->side = malloc(l->points);
  l->number = malloc(l->points * sizeof *l->number);
  l->cuts = malloc(WAYS * l->points * sizeof *l->cuts);
  if (!l->places || !l->side || !l->number || !l->cuts) return false;
  for (size_t p = 0; p < l->points; p++) {
    int at[3];
    lattice_at(l, p, at);
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = l->low[a] + l->half * at[a];
    double value = field(context, x);
    l->places[p] = vec3_from(x);
    l->side[p] = (signed char)(value < 0 ? -1 : value > 0 ? 1 : 0);
    l->number[p] = -1;
  }
  for (size_t c = 0; c < WAYS * l->points; c++) l->cuts[c] = -1;
  return true;
}

/* Moves points onto the surface that it passes nearer than this part of an edge: so no cut is left
 * that would make a flat tet. The two limits are those of the paper. */
static void lattice_warp(lattice *l) {
  const double near_long = 0.24999, near_short = 0.41189;
  for (size_t p = 0; p < l->points; p++) {
    if (l->side[p] == 0) continue;
    int at[3], to[3];
    double nearest = INFINITY;
    vec3 place = l->places[p];
    lattice_at(l, p, at);
    for (int w = 0; w < 2 * WAYS; w++) {
      for (int a = 0; a < 3; a++) to[a] = at[a] + (w < WAYS ? 1 : -1) * WAY[w % WAYS][a];
      if (!lattice_has(l, to)) continue;
      size_t q = lattice_index(l, to);
      if (l->side[p] * l->side[q] >= 0) continue;
      vec3 from = l->places[p], other = l->places[q];
      vec3 cut = l->side[p] < 0 ? cut_point(l->field, l->context, from, other)
                                : cut_point(l->field, l->context, other, from);
      double along = vec3_norm(vec3_sub(cut, from)), edge = vec3_norm(vec3_sub(other, from));
      if (along > edge * (w % WAYS < 3 ? near_long : near_short) || along >= nearest) continue;
      nearest = along;
      place = cut;
    }
    if (nearest == INFINITY) continue;
    l->places[p] = place;
    l->side[p] = 0;
  }
}

/* ---- tets -------------------------------------------------------------------------------------
 */

typedef struct stuffing {
  lattice *l;
  ARRAY(double) positions;
  ARRAY(int32_t) tets;
  bool failed;
} stuffing;

static int32_t add_vertex(stuffing *s, vec3 x) {
  int32_t number = (int32_t)(s->positions.count / 3);
  if (!ARRAY_PUSH(s->positions, x.x) || !ARRAY_PUSH(s->positions, x.y) ||
      !ARRAY_PUSH(s->positions, x.z))
    s->failed = true;
  return number;
}

static int32_t point_vertex(stuffing *s, size_t p) {
  if (s->l->number[p] < 0) s->l->number[p] = add_vertex(s, s->l->places[p]);
  return s->l->number[p];
}

/* The vertex where the surface cuts the edge between two points, `in` inside and `out` outside. */
static int32_t cut_vertex(stuffing *s, size_t in, size_t out) {
  lattice *l = s->l;
  int a[3], b[3], way = 0;
  lattice_at(l, in, a);
  lattice_at(l, out, b);
  for (int w = 0; w < 2 * WAYS; w++) {
    int sign = w < WAYS ? 1 : -1, same = 0;
    for (int k = 0; k < 3; k++) same += b[k] - a[k] == sign * WAY[w % WAYS][k];
    if (same == 3) way = w;
  }
  int32_t *cut = &l->cuts[WAYS * (way < WAYS ? in : out) + (size_t)(way % WAYS)];
  if (*cut < 0)
    *cut = add_vertex(s, cut_point(l->field, l->context, l->places[in], l->places[out]));
  return *cut;
}

static void add_tet(stuffing *s, int32_t a, int32_t b, int32_t c, int32_t d) {
  if (!ARRAY_PUSH(s->tets, a) || !ARRAY_PUSH(s->tets, b) || !ARRAY_PUSH(s->tets, c) ||
      !ARRAY_PUSH(s->tets, d))
    s->failed = true;
}

static double cut_length(const stuffing *s, int32_t a, int32_t b) {
  return vec3_norm(
      vec3_sub(vec3_from(s->positions.data + 3 * a), vec3_from(s->positions.data + 3 * b)));
}

/* Where two inside points a, b and an outside one share a face, the face is cut into a quad, and
 * both tets at it must cut the quad along the same diagonal: the one from the point that comes
 * first. */
static void put_two_in_two_out(stuffing *s, const size_t p[4]) {
  int32_t a = point_vertex(s, p[0]), b = point_vertex(s, p[1]);
  int32_t ao = cut_vertex(s, p[0], p[2]), ap = cut_vertex(s, p[0], p[3]);
  int32_t bo = cut_vertex(s, p[1], p[2]), bp = cut_vertex(s, p[1], p[3]);
  add_tet(s, a, b, bo, bp);
  if (s->failed) return;
  if (cut_length(s, ao, bp) <= cut_length(s, ap, bo)) { /* on the surface: nobody's but ours */
    add_tet(s, a, bp, ao, ap);
    add_tet(s, a, bo, ao, bp);
  } else {
    add_tet(s, a, bo, ao, ap);
    add_tet(s, a, bp, bo, ap);
  }
}

static void put_three_in(stuffing *s, const size_t p[4]) {
  int32_t a = point_vertex(s, p[0]), b = point_vertex(s, p[1]), c = point_vertex(s, p[2]);
  int32_t ao = cut_vertex(s, p[0], p[3]), bo = cut_vertex(s, p[1], p[3]);
  int32_t co = cut_vertex(s, p[2], p[3]);
  add_tet(s, a, b, c, co);
  add_tet(s, a, b, co, bo);
  add_tet(s, a, bo, co, ao);
}

static void put_pyramid(stuffing *s, const size_t p[4]) {
  int32_t a = point_vertex(s, p[0]), b = point_vertex(s, p[1]), z = point_vertex(s, p[3]);
  int32_t ao = cut_vertex(s, p[0], p[2]), bo = cut_vertex(s, p[1], p[2]);
  add_tet(s, a, b, bo, z);
  add_tet(s, a, bo, ao, z);
}

/* What ranks first: inside before outside before on the surface; then by number. */
static bool ranks_before(const stuffing *s, size_t p, size_t q) {
  static const int ranks[3] = {0, 2, 1};
  int rank_p = ranks[s->l->side[p] + 1], rank_q = ranks[s->l->side[q] + 1];
  return rank_p != rank_q ? rank_p < rank_q : p < q;
}

/* The part of a lattice tet that is inside. */
static void put_tet(stuffing *s, const size_t corners[4]) {
  size_t p[4] = {corners[0], corners[1], corners[2], corners[3]};
  int in = 0, out = 0;
  for (int c = 0; c < 4; c++) {
    in += s->l->side[p[c]] < 0;
    out += s->l->side[p[c]] > 0;
  }
  if (in == 0) return;
  if (out == 0) {
    add_tet(s, point_vertex(s, p[0]), point_vertex(s, p[1]), point_vertex(s, p[2]),
            point_vertex(s, p[3]));
    return;
  }
  if (in == 1) {
    int32_t v[4];
    size_t inside = 0;
    for (int c = 0; c < 4; c++)
      if (s->l->side[p[c]] < 0) inside = p[c];
    for (int c = 0; c < 4; c++)
      v[c] = s->l->side[p[c]] > 0 ? cut_vertex(s, inside, p[c]) : point_vertex(s, p[c]);
    add_tet(s, v[0], v[1], v[2], v[3]);
    return;
  }
  /* In rank order. An odd number of swaps turns the tet inside out, and its parts with it. */
  bool odd = false;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++)
      if (ranks_before(s, p[j], p[i])) {
        size_t t = p[i];
        p[i] = p[j];
        p[j] = t;
        odd = !odd;
      }
  size_t first = s->tets.count;
  if (in == 3)
    put_three_in(s, p);
  else if (out == 2)
    put_two_in_two_out(s, p);
  else
    put_pyramid(s, p);
  if (odd && !s->failed)
    for (size_t t = first; t < s->tets.count; t += 4) {
      int32_t swapped = s->tets.data[t];
      s->tets.data[t] = s->tets.data[t + 1];
      s->tets.data[t + 1] = swapped;
    }
}

/* The four tets around the edge between two neighbouring middles. */
static void put_around(stuffing *s, const int at[3], int axis) {
  static const int ring[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const lattice *l = s->l;
  int u = (axis + 1) % 3, v = (axis + 2) % 3, next[3] = {at[0], at[1], at[2]};
  next[axis] += 2;
  if (!lattice_has(l, next)) return;
  for (int r = 0; r < 4; r++) {
    size_t p[4] = {lattice_index(l, at), lattice_index(l, next)};
    for (int k = 0; k < 2; k++) {
      int corner[3];
      corner[axis] = at[axis] + 1;
      corner[u] = at[u] + ring[(r + k) % 4][0];
      corner[v] = at[v] + ring[(r + k) % 4][1];
      p[2 + k] = lattice_index(l, corner);
    }
    put_tet(s, p);
  }
}

mesh shape_stuffed(shape_field field, const void *context, const double low[3],
                   const double high[3], double size) {
  lattice l;
  stuffing s = {.l = &l};
  mesh m = {0};
  if (lattice_make(field, context, low, high, size, &l)) {
    lattice_warp(&l);
    for (size_t p = l.corners; p < l.points && !s.failed; p++)
      for (int axis = 0; axis < 3; axis++) {
        int at[3];
        lattice_at(&l, p, at);
        put_around(&s, at, axis);
      }
    if (!s.failed && s.tets.count) {
      m = (mesh){.positions = s.positions.data,
                 .vertex_count = s.positions.count / 3,
                 .tets = s.tets.data,
                 .tet_count = s.tets.count / 4};
      s.positions.data = NULL;
      s.tets.data = NULL;
    }
  }
  ARRAY_FREE(s.positions);
  ARRAY_FREE(s.tets);
  lattice_free(&l);
  return m;
}

/* ---- clipping a surface -----------------------------------------------------------------------
 */

typedef struct clipping {
  const mesh *m;
  shape_field field;
  const void *context;
  vec3 *places;
  signed char *side;
  int32_t *number;
  ARRAY(double) positions;
  ARRAY(int32_t) triangles;
  ARRAY(int32_t) cuts; /* inside vertex, outside vertex, number; three a cut */
  bool failed;
} clipping;

static void clip_warp(clipping *c) {
  const double near = 0.3;
  for (int pass = 0; pass < 2; pass++) /* inside vertices first, so that the order of triangles */
    for (size_t k = 0; k < 6 * c->m->triangle_count; k++) { /* does not matter much */
      size_t t = k / 6, e = k % 6 / 2, flip = k % 2;
      int32_t p = c->m->triangles[3 * t + (e + flip) % 3];
      int32_t q = c->m->triangles[3 * t + (e + 1 - flip) % 3];
      if (c->side[p] * c->side[q] >= 0 || c->side[p] != (pass == 0 ? -1 : 1)) continue;
      vec3 from = c->places[p], to = c->places[q];
      vec3 cut = pass == 0 ? cut_point(c->field, c->context, from, to)
                           : cut_point(c->field, c->context, to, from);
      if (vec3_norm(vec3_sub(cut, from)) > near * vec3_norm(vec3_sub(to, from))) continue;
      c->places[p] = cut;
      c->side[p] = 0;
    }
}

static int32_t clip_add(clipping *c, vec3 x) {
  int32_t number = (int32_t)(c->positions.count / 3);
  if (!ARRAY_PUSH(c->positions, x.x) || !ARRAY_PUSH(c->positions, x.y) ||
      !ARRAY_PUSH(c->positions, x.z))
    c->failed = true;
  return number;
}

static int32_t clip_vertex(clipping *c, int32_t p) {
  if (c->number[p] < 0) c->number[p] = clip_add(c, c->places[p]);
  return c->number[p];
}

/* Cuts are few, on lines across the surface: looked up by going through them. */
static int32_t clip_cut(clipping *c, int32_t in, int32_t out) {
  for (size_t k = 0; k < c->cuts.count; k += 3)
    if (c->cuts.data[k] == in && c->cuts.data[k + 1] == out) return c->cuts.data[k + 2];
  int32_t number = clip_add(c, cut_point(c->field, c->context, c->places[in], c->places[out]));
  if (!ARRAY_PUSH(c->cuts, in) || !ARRAY_PUSH(c->cuts, out) || !ARRAY_PUSH(c->cuts, number))
    c->failed = true;
  return number;
}

static void clip_put(clipping *c, int32_t p, int32_t q, int32_t r) {
  if (!ARRAY_PUSH(c->triangles, p) || !ARRAY_PUSH(c->triangles, q) || !ARRAY_PUSH(c->triangles, r))
    c->failed = true;
}

static void clip_triangle(clipping *c, const int32_t *corner) {
  int in = 0, out = 0, turn = 0;
  for (int k = 0; k < 3; k++) {
    in += c->side[corner[k]] < 0;
    out += c->side[corner[k]] > 0;
  }
  if (in == 0) return;
  if (in == 2 && out == 1) { /* turn until the third is outside: a quad */
    while (c->side[corner[(turn + 2) % 3]] <= 0) turn++;
    int32_t p = corner[turn % 3], q = corner[(turn + 1) % 3], o = corner[(turn + 2) % 3];
    int32_t a = clip_vertex(c, p), b = clip_vertex(c, q);
    int32_t bo = clip_cut(c, q, o), ao = clip_cut(c, p, o);
    clip_put(c, a, b, bo);
    clip_put(c, a, bo, ao);
    return;
  }
  int32_t inside = corner[0], v[3];
  for (int k = 0; k < 3; k++)
    if (c->side[corner[k]] < 0) inside = corner[k];
  for (int k = 0; k < 3; k++)
    v[k] = c->side[corner[k]] > 0 ? clip_cut(c, inside, corner[k]) : clip_vertex(c, corner[k]);
  clip_put(c, v[0], v[1], v[2]);
}

mesh shape_clipped(const mesh *m, shape_field field, const void *context) {
  clipping c = {.m = m, .field = field, .context = context};
  mesh kept = {0};
  c.places = malloc((m->vertex_count + 1) * sizeof *c.places);
  c.side = malloc(m->vertex_count + 1);
  c.number = malloc((m->vertex_count + 1) * sizeof *c.number);
  if (c.places && c.side && c.number) {
    for (size_t v = 0; v < m->vertex_count; v++) {
      double value = field(context, m->positions + 3 * v);
      c.places[v] = vec3_from(m->positions + 3 * v);
      c.side[v] = (signed char)(value < 0 ? -1 : value > 0 ? 1 : 0);
      c.number[v] = -1;
    }
    clip_warp(&c);
    for (size_t t = 0; t < m->triangle_count && !c.failed; t++)
      clip_triangle(&c, m->triangles + 3 * t);
    if (!c.failed && c.triangles.count) {
      kept = (mesh){.positions = c.positions.data,
                    .vertex_count = c.positions.count / 3,
                    .triangles = c.triangles.data,
                    .triangle_count = c.triangles.count / 3};
      c.positions.data = NULL;
      c.triangles.data = NULL;
    }
  }
  ARRAY_FREE(c.positions);
  ARRAY_FREE(c.triangles);
  ARRAY_FREE(c.cuts);
  free(c.places);
  free(c.side);
  free(c.number);
  return kept;
}
