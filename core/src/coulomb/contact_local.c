/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coulomb/contact_local.h"

#include <float.h>

#include "math/eigen.h"
#include "math/hypotenuse.h"

contact_local contact_local_make(const mat3 *w) {
  contact_local c = {.normal = w->m[0][0], .axis = {1, 0}};
  if (!(c.normal > 0)) return c;
  double n = (w->m[0][1] + w->m[1][0]) / 2, m = (w->m[0][2] + w->m[2][0]) / 2;
  double cross = (w->m[1][2] + w->m[2][1]) / 2;
  double s00 = w->m[1][1] - n * n / c.normal, s01 = cross - n * m / c.normal;
  double s11 = w->m[2][2] - m * m / c.normal;
  double mean = (s00 + s11) / 2, half = (s00 - s11) / 2, spread = hypotenuse(half, s01);
  if (spread > 0) {
    double a[2] = {half + spread, s01};
    if (half < 0) a[0] = s01, a[1] = spread - half;
    double length = hypotenuse(a[0], a[1]);
    c.axis[0] = a[0] / length, c.axis[1] = a[1] / length;
  }
  /* What rounding leaves of a singular S counts as 0. */
  double nothing = 64 * DBL_EPSILON * (w->m[1][1] + w->m[2][2]);
  c.d[0] = mean + spread > nothing ? mean + spread : 0;
  c.d[1] = mean - spread > nothing ? mean - spread : 0;
  c.w[0] = c.axis[0] * n + c.axis[1] * m;
  c.w[1] = c.axis[0] * m - c.axis[1] * n;
  return c;
}

/* The normal eliminated, and what is left turned to its axes. */
contact_local contact_local_make_drill(double w[4][4]) {
  contact_local c = {.normal = w[0][0]};
  if (!(c.normal > 0)) return c;
  double s[9], values[3], vectors[9], across[3], trace = 0;
  for (int i = 0; i < 3; i++) {
    across[i] = (w[0][i + 1] + w[i + 1][0]) / 2;
    trace += w[i + 1][i + 1];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      s[3 * i + j] = (w[i + 1][j + 1] + w[j + 1][i + 1]) / 2 - across[i] * across[j] / c.normal;
  eigen_symmetric(3, s, values, vectors);
  for (int k = 0; k < 3; k++) {
    int from = 2 - k; /* the largest first */
    c.d[k] = values[from] > 64 * DBL_EPSILON * trace ? values[from] : 0;
    for (int i = 0; i < 3; i++) {
      c.axes.m[k][i] = vectors[3 * i + from];
      c.w[k] += c.axes.m[k][i] * across[i];
    }
  }
  return c;
}

/* ---- what slides ----
 * n: how many components are across, 2 or 3; a constant wherever these are called from. */

typedef struct trial {
  double t[CONTACT_ACROSS], length, normal; /* r_T in the eigenvectors, its length, r_N */
} trial;

static inline trial at_slip(int n, const contact_local *c, double q, const double *b, double a) {
  trial r = {0};
  double square = 0, push = q;
  for (int k = 0; k < n; k++) {
    r.t[k] = -b[k] / (c->d[k] + a);
    square += r.t[k] * r.t[k];
    push += c->w[k] * r.t[k];
  }
  r.length = sqrt(square);
  r.normal = -push / c->normal;
  return r;
}

/* How fast normal / length - 1 grows with a. */
static inline double grows(int n, const contact_local *c, const trial *r, double a) {
  double push = 0, square = 0;
  for (int k = 0; k < n; k++) {
    push += c->w[k] * r->t[k] / (c->d[k] + a);
    square += r->t[k] * r->t[k] / (c->d[k] + a);
  }
  double normal = push / c->normal, length = -square / r->length;
  return (normal - r->normal * length / r->length) / r->length;
}

static inline trial slide(int n, const contact_local *c, double q, const double *b, double *slip) {
  double low = 0, high = INFINITY, a = *slip;
  double smallest = DBL_EPSILON * (c->d[0] + c->normal);
  if (!(a > smallest)) a = smallest;
  trial r = at_slip(n, c, q, b, a);
  for (int i = 0; i < 100; i++) {
    double over = r.normal / r.length - 1;
    if (fabs(over) <= 4 * DBL_EPSILON) break;
    if (over < 0)
      low = a;
    else
      high = a;
    double slope = grows(n, c, &r, a), next = slope > 0 ? a - over / slope : -1;
    if (!(next > low && next < high)) next = high < INFINITY ? low + (high - low) / 2 : 4 * a;
    if (next == a || !(next > low && next < high)) break;
    a = next;
    r = at_slip(n, c, q, b, a);
  }
  *slip = a;
  /* On the rim to the last bit. */
  r.normal = fmax(r.normal, 0);
  double fit = r.length > 0 ? r.normal / r.length : 0;
  for (int k = 0; k < n; k++) r.t[k] *= fit;
  return r;
}

/* q: what pushes in, below 0; b across, in the eigenvectors. */
static inline trial borne(int n, const contact_local *c, double q, const double *b, double *slip) {
  double guess = *slip, largest = 0;
  *slip = 0;
  for (int k = 0; k < n; k++) largest = fmax(largest, fabs(b[k]));
  if (largest == 0) return (trial){.normal = -q / c->normal};
  if (c->d[n - 1] > 0) {
    trial r = at_slip(n, c, q, b, 0);
    if (r.length <= r.normal) return r;
  }
  *slip = guess;
  return slide(n, c, q, b, slip);
}

vec3 contact_local_solve(const contact_local *c, vec3 q, double *slip) {
  if (q.x >= 0 || !(c->normal > 0)) {
    *slip = 0;
    return vec3_make(0, 0, 0);
  }
  double lift = q.x / c->normal;
  double b[2] = {c->axis[0] * q.y + c->axis[1] * q.z - c->w[0] * lift,
                 c->axis[0] * q.z - c->axis[1] * q.y - c->w[1] * lift};
  trial r = borne(2, c, q.x, b, slip);
  return vec3_make(r.normal, c->axis[0] * r.t[0] - c->axis[1] * r.t[1],
                   c->axis[1] * r.t[0] + c->axis[0] * r.t[1]);
}

vec3 contact_local_solve_drill(const contact_local *c, vec3 q, double q_d, double *slip,
                               double *torque) {
  *torque = 0;
  if (q.x >= 0 || !(c->normal > 0)) {
    *slip = 0;
    return vec3_make(0, 0, 0);
  }
  double lift = q.x / c->normal, b[CONTACT_ACROSS];
  vec3 across = mat3_mul_vec3(&c->axes, vec3_make(q.y, q.z, q_d));
  b[0] = across.x - c->w[0] * lift, b[1] = across.y - c->w[1] * lift;
  b[2] = across.z - c->w[2] * lift;
  trial r = borne(3, c, q.x, b, slip);
  vec3 back = mat3_tmul_vec3(&c->axes, vec3_make(r.t[0], r.t[1], r.t[2]));
  *torque = back.z;
  return vec3_make(r.normal, back.x, back.y);
}
