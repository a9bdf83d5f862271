/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/contact_local.h"

#include <float.h>

contact_local contact_local_make(const mat3 *w) {
  contact_local c = {.normal = w->m[0][0], .axis = {1, 0}};
  if (!(c.normal > 0)) return c;
  double n = (w->m[0][1] + w->m[1][0]) / 2, m = (w->m[0][2] + w->m[2][0]) / 2;
  double cross = (w->m[1][2] + w->m[2][1]) / 2;
  double s00 = w->m[1][1] - n * n / c.normal, s01 = cross - n * m / c.normal;
  double s11 = w->m[2][2] - m * m / c.normal;
  double mean = (s00 + s11) / 2, half = (s00 - s11) / 2, spread = hypot(half, s01);
  if (spread > 0) {
    double a[2] = {half + spread, s01};
    if (half < 0) a[0] = s01, a[1] = spread - half;
    double length = hypot(a[0], a[1]);
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

typedef struct trial {
  double t[2], length, normal; /* r_T in the eigenvectors, its length, r_N */
} trial;

static trial at_slip(const contact_local *c, double q, const double b[2], double a) {
  trial r = {.t = {-b[0] / (c->d[0] + a), -b[1] / (c->d[1] + a)}};
  r.length = sqrt(r.t[0] * r.t[0] + r.t[1] * r.t[1]);
  r.normal = -(q + c->w[0] * r.t[0] + c->w[1] * r.t[1]) / c->normal;
  return r;
}

static vec3 from_axes(const contact_local *c, double normal, const double t[2], double fit) {
  return vec3_make(normal, fit * (c->axis[0] * t[0] - c->axis[1] * t[1]),
                   fit * (c->axis[1] * t[0] + c->axis[0] * t[1]));
}

static vec3 slide(const contact_local *c, double q, const double b[2], double *slip) {
  double low = 0, high = INFINITY, a = *slip;
  double smallest = DBL_EPSILON * (c->d[0] + c->normal);
  if (!(a > smallest)) a = smallest;
  trial r = at_slip(c, q, b, a);
  for (int i = 0; i < 100; i++) {
    double over = r.normal / r.length - 1;
    if (fabs(over) <= 4 * DBL_EPSILON) break;
    if (over < 0)
      low = a;
    else
      high = a;
    double e = c->d[0] + a, f = c->d[1] + a;
    double normal = (c->w[0] * r.t[0] / e + c->w[1] * r.t[1] / f) / c->normal;
    double length = -(r.t[0] * r.t[0] / e + r.t[1] * r.t[1] / f) / r.length;
    double slope = (normal - r.normal * length / r.length) / r.length;
    double next = slope > 0 ? a - over / slope : -1;
    if (!(next > low && next < high)) next = high < INFINITY ? low + (high - low) / 2 : 4 * a;
    if (next == a || !(next > low && next < high)) break;
    a = next;
    r = at_slip(c, q, b, a);
  }
  *slip = a;
  /* On the rim to the last bit. */
  double normal = fmax(r.normal, 0);
  return from_axes(c, normal, r.t, r.length > 0 ? normal / r.length : 0);
}

vec3 contact_local_solve(const contact_local *c, vec3 q, double *slip) {
  double guess = *slip;
  *slip = 0;
  if (q.x >= 0 || !(c->normal > 0)) return vec3_make(0, 0, 0);
  double lift = q.x / c->normal;
  double b[2] = {c->axis[0] * q.y + c->axis[1] * q.z - c->w[0] * lift,
                 c->axis[0] * q.z - c->axis[1] * q.y - c->w[1] * lift};
  if (b[0] == 0 && b[1] == 0) return vec3_make(-lift, 0, 0);
  if (c->d[1] > 0) {
    trial r = at_slip(c, q.x, b, 0);
    if (r.length <= r.normal) return from_axes(c, r.normal, r.t, 1);
  }
  *slip = guess;
  return slide(c, q.x, b, slip);
}
