/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/svd3.h"

#include <float.h>

enum { MOST_SWEEPS = 16 }; /* five are typical; the limit is for NaN, which never converges */

/* Cosine of the angle between two columns below which they count as orthogonal: a few roundings of
 * a dot product. */
#define ORTHOGONAL (4 * DBL_EPSILON)

static bool orthogonal(double dot, double norm2_i, double norm2_j) {
  double product = norm2_i * norm2_j;
  if (product > 1e-250) return dot * dot <= ORTHOGONAL * ORTHOGONAL * product;
  return fabs(dot) <= ORTHOGONAL * sqrt(norm2_i) * sqrt(norm2_j); /* the product underflows */
}

static inline void rotate(double c, double s, vec3 *i, vec3 *j) {
  vec3 kept = *i;
  *i = (vec3){c * kept.x - s * j->x, c * kept.y - s * j->y, c * kept.z - s * j->z};
  *j = (vec3){s * kept.x + c * j->x, s * kept.y + c * j->y, s * kept.z + c * j->z};
}

/* Turns columns i and j of b (and of v with them) until they are orthogonal. True when they were
 * not. The smaller of the two possible angles is taken, as convergence needs. */
static inline bool make_orthogonal(vec3 *bi, vec3 *bj, vec3 *vi, vec3 *vj) {
  double norm2_i = vec3_norm2(*bi), norm2_j = vec3_norm2(*bj), dot = vec3_dot(*bi, *bj);
  if (orthogonal(dot, norm2_i, norm2_j)) return false;
  double h = norm2_j - norm2_i, twice = 2 * dot, t, c;
  if (fabs(twice) < 2e-3 * fabs(h)) {
    /* Near the end angles are small: two terms of the series for the tangent leave 1e-12 of the dot
     * product, three terms for the cosine are exact to rounding, and both roots are saved. */
    double ratio = twice / h;
    t = ratio * (0.5 - 0.125 * ratio * ratio);
    double t2 = t * t;
    c = 1 - t2 * (0.5 - 0.375 * t2);
  } else {
    t = copysign(1, h) * twice / (fabs(h) + sqrt(h * h + twice * twice));
    c = 1 / sqrt(1 + t * t);
  }
  double s = c * t;
  rotate(c, s, bi, bj);
  rotate(c, s, vi, vj);
  return true;
}

/* Exchanges two columns; the sign keeps v a rotation. */
static inline void exchange(vec3 *i, vec3 *j) {
  vec3 kept = *i;
  *i = *j;
  *j = vec3_scale(-1, kept);
}

static inline void order(vec3 *bi, vec3 *bj, vec3 *vi, vec3 *vj) {
  if (vec3_norm2(*bi) >= vec3_norm2(*bj)) return;
  exchange(bi, bj);
  exchange(vi, vj);
}

static inline void sort_columns(vec3 b[3], vec3 v[3]) {
  order(&b[0], &b[1], &v[0], &v[1]);
  order(&b[0], &b[2], &v[0], &v[2]);
  order(&b[1], &b[2], &v[1], &v[2]);
}

/* Any unit vector at a right angle to the unit vector u. */
static vec3 perpendicular(vec3 u) {
  vec3 axis = fabs(u.x) <= fabs(u.y) && fabs(u.x) <= fabs(u.z) ? (vec3){1, 0, 0}
              : fabs(u.y) <= fabs(u.z)                         ? (vec3){0, 1, 0}
                                                               : (vec3){0, 0, 1};
  return vec3_normalized(vec3_cross(u, axis));
}

static double largest_entry(const mat3 *a) {
  double largest = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) largest = fmax(largest, fabs(a->m[r][c]));
  return largest;
}

/* Squares of entries must neither overflow nor vanish: a power of two brings them near 1, exactly.
 * Returns the exponent taken out. */
static int scale_to_one(mat3 *a) {
  double largest = largest_entry(a);
  if ((largest > 0x1p-100 && largest < 0x1p100) || largest == 0 || !isfinite(largest)) return 0;
  int exponent;
  frexp(largest, &exponent);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) a->m[r][c] = ldexp(a->m[r][c], -exponent);
  return exponent;
}

void svd3_decompose(const mat3 *a, mat3 *u, vec3 *s, mat3 *v) {
  mat3 scaled = *a;
  int exponent = scale_to_one(&scaled);

  /* b = a v with columns that become orthogonal. Long columns first: fewer sweeps. */
  vec3 bc[3] = {mat3_column(&scaled, 0), mat3_column(&scaled, 1), mat3_column(&scaled, 2)};
  vec3 vc[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  sort_columns(bc, vc);
  bool turned = true;
  for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
    turned = make_orthogonal(&bc[0], &bc[1], &vc[0], &vc[1]);
    turned |= make_orthogonal(&bc[0], &bc[2], &vc[0], &vc[2]);
    turned |= make_orthogonal(&bc[1], &bc[2], &vc[1], &vc[2]);
  }
  sort_columns(bc, vc);

  /* u is completed by cross products, so it is a rotation whatever the rank; the third stretch is
   * measured along u's third column and takes its sign from there. */
  double s0 = vec3_norm(bc[0]), s1 = vec3_norm(bc[1]);
  vec3 u0 = s0 > 0 ? vec3_scale(1 / s0, bc[0]) : (vec3){1, 0, 0};
  vec3 u1 = s1 > 1e-140 * s0 ? vec3_scale(1 / s1, bc[1]) : perpendicular(u0);
  u1 = vec3_normalized(vec3_madd(u1, -vec3_dot(u0, u1), u0));
  vec3 u2 = vec3_cross(u0, u1);
  double s2 = vec3_dot(u2, bc[2]);
  if (fabs(s2) > s1) s2 = copysign(s1, s2); /* equal but for rounding */

  *u = mat3_from_columns(u0, u1, u2);
  *v = mat3_from_columns(vc[0], vc[1], vc[2]);
  *s = exponent ? (vec3){ldexp(s0, exponent), ldexp(s1, exponent), ldexp(s2, exponent)}
                : (vec3){s0, s1, s2};
}
