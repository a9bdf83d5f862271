/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proximity/stencil.h"

#include <string.h>

#include "geom/distance.h"

/* ---- which points, with which weights ---------------------------------------------------------
 */

/* Corners that a feature of a triangle has, a bit each; corner k is point k + 1 of the stencil. */
static const unsigned corners_of[] = {
    [DISTANCE_CORNER_0] = 1, [DISTANCE_CORNER_1] = 2, [DISTANCE_CORNER_2] = 4,
    [DISTANCE_SIDE_01] = 3,  [DISTANCE_SIDE_12] = 6,  [DISTANCE_SIDE_20] = 5,
    [DISTANCE_FACE] = 7};

static int bits_of(unsigned taking) { return __builtin_popcount(taking); }

/* w' of a feature of a triangle: weights move from its first corner to each of the others. */
static void move_in_triangle(stencil *s) {
  int first = -1;
  for (int k = 1; k < 4; k++) {
    if (!(s->taking >> k & 1)) continue;
    if (first < 0) {
      first = k;
      continue;
    }
    s->by[first][s->free] = 1;
    s->by[k][s->free++] = -1;
  }
}

/* Unit, and with digits where the two almost touch: there the normal of the face or of both edges
 * is taken instead of a difference that has none. */
static vec3 direction(const stencil *s, const vec3 x[4], vec3 apart) {
  vec3 across = {0, 0, 0};
  if (s->type == STENCIL_POINT_FACE)
    across = vec3_cross(vec3_sub(x[2], x[1]), vec3_sub(x[3], x[1]));
  if (s->type == STENCIL_EDGE_EDGE) across = vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[3], x[2]));
  if (vec3_dot(across, apart) < 0) across = vec3_scale(-1, across);
  return vec3_normalized(vec3_dot(across, apart) > 0 ? across : apart);
}

static void measure(stencil *s, const vec3 x[4]) {
  static const stencil_type by_bits[] = {[2] = STENCIL_POINT_POINT, [3] = STENCIL_POINT_EDGE};
  vec3 apart = {0, 0, 0};
  for (int i = 0; i < 4; i++) apart = vec3_madd(apart, s->weight[i], vec3_sub(x[i], x[0]));
  if (bits_of(s->taking) < 4) s->type = by_bits[bits_of(s->taking)];
  s->distance = vec3_norm(apart);
  s->normal = direction(s, x, apart);
}

stencil stencil_vertex_face(const vec3 x[4]) {
  distance_foot f = distance_point_triangle(x[0], x + 1);
  stencil s = {.type = STENCIL_POINT_FACE, .taking = 1 | corners_of[f.feature] << 1};
  s.weight[0] = 1;
  for (int k = 0; k < 3; k++) s.weight[k + 1] = -f.weight[k];
  move_in_triangle(&s);
  measure(&s, x);
  return s;
}

/* Ends of an edge that take part at parameter t. */
static unsigned ends_at(double t) { return t <= 0 ? 1 : t >= 1 ? 2 : 3; }

stencil stencil_edge_edge(const vec3 x[4]) {
  double a, b;
  distance_edge_edge(x, x + 2, &a, &b);
  unsigned first = ends_at(a), second = ends_at(b);
  stencil s = {
      .type = STENCIL_EDGE_EDGE, .weight = {1 - a, a, b - 1, -b}, .taking = first | second << 2};
  if (first == 3) {
    s.by[0][s.free] = -1;
    s.by[1][s.free++] = 1;
  }
  if (second == 3) {
    s.by[2][s.free] = 1;
    s.by[3][s.free++] = -1;
  }
  measure(&s, x);
  return s;
}

double stencil_vertex_face_distance(const vec3 x[4], unsigned *taking) {
  distance_foot f = distance_point_triangle(x[0], x + 1);
  *taking = 1 | corners_of[f.feature] << 1;
  return sqrt(f.distance2);
}

double stencil_edge_edge_distance(const vec3 x[4], unsigned *taking) {
  double a, b, d2 = distance_edge_edge(x, x + 2, &a, &b);
  *taking = ends_at(a) | ends_at(b) << 2;
  return sqrt(d2);
}

/* ---- derivatives ------------------------------------------------------------------------------
 */

void stencil_gradient(const stencil *s, vec3 g[4]) {
  for (int i = 0; i < 4; i++) g[i] = vec3_scale(2 * s->weight[i] * s->distance, s->normal);
}

/* G^-1; a direction without length has no inverse and is left out. */
static void invert(const vec3 t[2], int count, double inverse[2][2]) {
  memset(inverse, 0, 4 * sizeof(double));
  double aa = vec3_norm2(t[0]), bb = vec3_norm2(t[1]), ab = vec3_dot(t[0], t[1]);
  double det = aa * bb - ab * ab;
  if (count == 1 && aa > 0) inverse[0][0] = 1 / aa;
  if (count < 2 || !(det > 0)) return;
  inverse[0][0] = bb / det;
  inverse[1][1] = aa / det;
  inverse[0][1] = inverse[1][0] = -ab / det;
}

void stencil_hessian(const stencil *s, const vec3 x[4], double h[144]) {
  vec3 t[2] = {{0, 0, 0}, {0, 0, 0}}, r = vec3_scale(s->distance, s->normal), row[4][2];
  double inverse[2][2];
  for (int a = 0; a < s->free; a++)
    for (int i = 0; i < 4; i++) t[a] = vec3_madd(t[a], s->by[i][a], vec3_sub(x[i], x[0]));
  invert(t, s->free, inverse);
  for (int i = 0; i < 4; i++)
    for (int a = 0; a < 2; a++)
      row[i][a] = vec3_madd(vec3_scale(s->by[i][a], r), s->weight[i], t[a]);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      mat3 block = mat3_identity();
      block = mat3_scale(s->weight[i] * s->weight[j], &block);
      for (int a = 0; a < s->free; a++)
        for (int b = 0; b < s->free; b++) {
          mat3 part = mat3_outer(vec3_scale(-inverse[a][b], row[i][a]), row[j][b]);
          block = mat3_add(&block, &part);
        }
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) h[12 * (3 * i + k) + 3 * j + l] = 2 * block.m[k][l];
    }
}

/* ---- the mollifier ----------------------------------------------------------------------------
 */

double stencil_mollifier_bound(const vec3 rest[4]) {
  return 1e-3 * vec3_norm2(vec3_sub(rest[1], rest[0])) * vec3_norm2(vec3_sub(rest[3], rest[2]));
}

/* With u and v the edges, c = |u|^2 |v|^2 - (u . v)^2. Second derivatives of c by u and v. */
static void bend(vec3 u, vec3 v, mat3 second[2][2]) {
  double uu = vec3_norm2(u), vv = vec3_norm2(v), uv = vec3_dot(u, v);
  mat3 one = mat3_identity();
  mat3 vvt = mat3_outer(v, v), uut = mat3_outer(u, u), uvt = mat3_outer(u, v),
       vut = mat3_outer(v, u);
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) {
      double d = one.m[k][l];
      second[0][0].m[k][l] = 2 * (vv * d - vvt.m[k][l]);
      second[1][1].m[k][l] = 2 * (uu * d - uut.m[k][l]);
      second[0][1].m[k][l] = 4 * uvt.m[k][l] - 2 * vut.m[k][l] - 2 * uv * d;
    }
  second[1][0] = mat3_transposed(&second[0][1]);
}

double stencil_mollifier(const vec3 x[4], double bound, vec3 g[4], double h[144]) {
  static const double sign[4] = {-1, 1, -1, 1};
  vec3 u = vec3_sub(x[1], x[0]), v = vec3_sub(x[3], x[2]);
  double c = vec3_norm2(vec3_cross(u, v)), s = c / bound;
  bool fades = s < 1;
  if (g) memset(g, 0, 4 * sizeof *g);
  if (h) memset(h, 0, 144 * sizeof *h);
  if (!fades) return 1;
  double first = 2 * (1 - s) / bound, second = -2 / (bound * bound);
  double uv = vec3_dot(u, v);
  vec3 by[2] = {vec3_scale(2, vec3_madd(vec3_scale(vec3_norm2(v), u), -uv, v)),
                vec3_scale(2, vec3_madd(vec3_scale(vec3_norm2(u), v), -uv, u))};
  for (int i = 0; g && i < 4; i++) g[i] = vec3_scale(sign[i] * first, by[i / 2]);
  if (h) {
    mat3 curve[2][2];
    bend(u, v, curve);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        mat3 outer = mat3_outer(by[i / 2], by[j / 2]);
        for (int k = 0; k < 3; k++)
          for (int l = 0; l < 3; l++)
            h[12 * (3 * i + k) + 3 * j + l] =
                sign[i] * sign[j] * (second * outer.m[k][l] + first * curve[i / 2][j / 2].m[k][l]);
      }
  }
  return s * (2 - s);
}
