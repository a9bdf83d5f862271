/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/exact.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- expansions -------------------------------------------------------------------------------
 * A number as a sum of doubles, of ascending size, none of which overlaps another. The last is the
 * largest, and has the sign of all. */

enum { MOST = 96 }; /* 24 products of three, of four doubles each */

typedef struct expansion {
  int count;
  double part[MOST + 1];
} expansion;

/* a + b = *sum + *error (Knuth). */
static void two_sum(double a, double b, double *sum, double *error) {
  double s = a + b, bb = s - a;
  *error = (a - (s - bb)) + (b - bb);
  *sum = s;
}

static void two_product(double a, double b, double *product, double *error) {
  *product = a * b;
  *error = fma(a, b, -*product);
}

/* e += b; zeros are left out. */
static void grow(expansion *e, double b) {
  double carried = b;
  int kept = 0;
  for (int i = 0; i < e->count; i++) {
    double error;
    two_sum(carried, e->part[i], &carried, &error);
    if (error != 0) e->part[kept++] = error;
  }
  if (carried != 0) e->part[kept++] = carried;
  e->count = kept;
}

static int sign_of(const expansion *e) {
  if (e->count == 0) return 0;
  return e->part[e->count - 1] > 0 ? 1 : -1;
}

/* e += sign a b c */
static void add_product(expansion *e, double sign, double a, double b, double c) {
  double high, low, part[4];
  two_product(a, b, &high, &low);
  two_product(high, sign * c, &part[1], &part[0]);
  two_product(low, sign * c, &part[3], &part[2]);
  for (int i = 0; i < 4; i++)
    if (part[i] != 0) grow(e, part[i]);
}

/* ---- determinants -----------------------------------------------------------------------------
 */

enum { ONES = 3 }; /* the column of ones, beside x, y and z */

static double entry(const vec3 *row, int column) {
  return column == 0 ? row->x : column == 1 ? row->y : column == 2 ? row->z : 1.0;
}

/* e += sign times the determinant of these rows and columns, expanded along the first row; of what
 * was multiplied before, `factor` has up to three numbers. The ones come last, so that there are
 * never more than three that are not 1. */
static void add_minor(expansion *e, double sign, const vec3 *const *rows, const int *columns,
                      int size, const double factor[3]) {
  if (size == 0) {
    add_product(e, sign, factor[0], factor[1], factor[2]);
    return;
  }
  for (int j = 0; j < size; j++) {
    int rest[3], kept = 0;
    for (int k = 0; k < size; k++)
      if (k != j) rest[kept++] = columns[k];
    double next[3] = {factor[0], factor[1], factor[2]};
    if (columns[j] != ONES) {
      int free = next[0] == 1 ? 0 : next[1] == 1 ? 1 : 2;
      next[free] = entry(rows[0], columns[j]);
    }
    if (next[0] == 0 || next[1] == 0 || next[2] == 0) continue;
    add_minor(e, j % 2 ? -sign : sign, rows + 1, rest, size - 1, next);
  }
}

static int minor_sign(const vec3 *const *rows, const int *columns, int size) {
  expansion e = {.count = 0};
  const double one[3] = {1, 1, 1};
  add_minor(&e, 1, rows, columns, size, one);
  return sign_of(&e);
}

/* Of exact_orient in doubles: Shewchuk's bound (7 + 56 u) u of the products' sizes, u = 2^-53. */
static const double ERROR = 8 * DBL_EPSILON / 2;

static bool filtered(vec3 a, vec3 b, vec3 c, vec3 d, int *sign) {
  vec3 p = vec3_sub(a, d), q = vec3_sub(b, d), r = vec3_sub(c, d);
  double pq = p.x * q.y, qp = p.y * q.x, qr = q.x * r.y, rq = q.y * r.x;
  double rp = r.x * p.y, pr = r.y * p.x;
  double det = p.z * (qr - rq) + q.z * (rp - pr) + r.z * (pq - qp);
  double size = (fabs(qr) + fabs(rq)) * fabs(p.z) + (fabs(rp) + fabs(pr)) * fabs(q.z) +
                (fabs(pq) + fabs(qp)) * fabs(r.z);
  *sign = det > 0 ? 1 : -1;
  return fabs(det) > ERROR * size + DBL_MIN;
}

static const int ALL[4] = {0, 1, 2, ONES};

int exact_orient(vec3 a, vec3 b, vec3 c, vec3 d) {
  int sign;
  if (filtered(a, b, c, d, &sign)) return sign;
  const vec3 *rows[4] = {&a, &b, &c, &d};
  return minor_sign(rows, ALL, 4);
}

/* ---- simulation of simplicity -----------------------------------------------------------------
 */

/* Coordinate j (0 to 2) of row i (0 to 3) has e^(2^(3 i + 2 - j)) added. The determinant is then a
 * polynomial of e, whose sign near 0 is that of its first coefficient that is not 0. The
 * coefficient of e^mask is the minor without the rows and columns whose bits are in the mask, if
 * none has two; which with the fourth row's 1 alone is not 0, so that three rows do. */
static int perturbed(const vec3 *const rows[4]) {
  for (int mask = 1; mask < 512; mask++) {
    int left[4] = {0, 1, 2, ONES}, columns = 4, sign = 1;
    const vec3 *kept[4];
    int rows_kept = 0;
    bool sound = true;
    for (int i = 0; i < 4 && sound; i++) {
      int bits = i < 3 ? mask >> (3 * i) & 7 : 0;
      if (bits == 0) {
        kept[rows_kept++] = rows[i];
        continue;
      }
      int column = bits == 1 ? 2 : bits == 2 ? 1 : bits == 4 ? 0 : -1, at = 0;
      while (at < columns && left[at] != column) at++;
      sound = column >= 0 && at < columns;
      if (!sound) break;
      if ((rows_kept + at) % 2)
        sign = -sign; /* its place among the rows and columns that are left */
      columns--;
      for (int k = at; k < columns; k++) left[k] = left[k + 1];
    }
    if (!sound) continue;
    int minor = minor_sign(kept, left, columns);
    if (minor) return sign * minor;
  }
  return 1; /* not reached */
}

int exact_side(const exact_point points[4]) {
  int sign;
  if (filtered(points[0].at, points[1].at, points[2].at, points[3].at, &sign)) return sign;
  const exact_point *sorted[4] = {&points[0], &points[1], &points[2], &points[3]};
  int parity = 1;
  for (int i = 1; i < 4; i++)
    for (int k = i; k > 0 && sorted[k - 1]->number > sorted[k]->number; k--) {
      const exact_point *swapped = sorted[k];
      sorted[k] = sorted[k - 1];
      sorted[k - 1] = swapped;
      parity = -parity;
    }
  const vec3 *rows[4];
  for (int i = 0; i < 4; i++) rows[i] = &sorted[i]->at;
  sign = minor_sign(rows, ALL, 4);
  return parity * (sign ? sign : perturbed(rows));
}
