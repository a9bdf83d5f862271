/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_drift: a point that slides on a ramp with a structure, by an integrator that shares no line
 * with the core: what a simulated block is measured against.
 *
 * On the ramp x is downhill and y = normal x downhill; the structure (where sliding meets mu_t;
 * mu_b across it) is turned by an angle from x towards y. Maximum dissipation over the ellipse
 * |D^-1 f| <= g cos(slope), D = diag(mu_t, mu_b) in the axes of the structure, gives a point that
 * slides at v the acceleration
 *
 *   a(v) = g sin(slope) x - g cos(slope) D^2 v / |D v|.
 *
 * a depends on the direction of v only. So a start from rest is a straight line, s = a t^2/2, in
 * the direction that its own acceleration has: drift_from_rest. Any other start bends towards that
 * line: drift_advance, by the classical Runge-Kutta method. Valid while the point slides; one that
 * comes to rest is a bug of the caller, and fails.
 */
#ifndef TESTS_PHYSICS_LAB_DRIFT_H
#define TESTS_PHYSICS_LAB_DRIFT_H

#include "claims.h"

typedef struct drift_ramp {
  double gravity;    /* m/s^2 */
  double slope;      /* radians */
  double mu_t, mu_b; /* along and across the structure */
  double structure;  /* radians */
} drift_ramp;

typedef struct drift_point {
  double x[2], v[2]; /* downhill and across; m, m/s */
} drift_point;

static inline void drift_acceleration(const drift_ramp *r, const double v[2], double a[2]) {
  double c = cos(r->structure), s = sin(r->structure);
  double along = r->mu_t * (c * v[0] + s * v[1]), across = r->mu_b * (c * v[1] - s * v[0]);
  double length = hypot(along, across), held = r->gravity * cos(r->slope);
  assert_true(hypot(v[0], v[1]) > 0);
  /* without friction along v there is none at all */
  double t = length > 0 ? -held * r->mu_t * along / length : 0;
  double b = length > 0 ? -held * r->mu_b * across / length : 0;
  a[0] = r->gravity * sin(r->slope) + c * t - s * b;
  a[1] = s * t + c * b;
}

/* The direction in which a point at rest sets out, as an angle from downhill; and its acceleration
 * in that direction, not above 0 when it sticks. With e the direction, a(e) x e = 0, and a(e).e
 * falls short of 0 for what sticks; the root is bracketed by the downhill direction and the
 * direction of least friction within 90 degrees of it, and found by bisection. */
static inline double drift_heading(const drift_ramp *r, double *acceleration) {
  double turn = remainder(r->structure, 2 * acos(0)); /* a line has no sign: within 90 degrees */
  if (r->mu_t > r->mu_b) turn += turn > 0 ? -acos(0) : acos(0);
  double low = 0, high = turn, a[2];
  for (int k = 0; k < 200; k++) {
    double middle = (low + high) / 2, e[2] = {cos(middle), sin(middle)};
    drift_acceleration(r, e, a);
    bool onward = (e[0] * a[1] - e[1] * a[0]) * turn > 0; /* a points further towards the end */
    if (onward)
      low = middle;
    else
      high = middle;
  }
  double found = (low + high) / 2, e[2] = {cos(found), sin(found)};
  drift_acceleration(r, e, a);
  *acceleration = e[0] * a[0] + e[1] * a[1];
  return found;
}

/* Exactly; fails where the point would stick. */
static inline drift_point drift_from_rest(const drift_ramp *r, double seconds) {
  double a, heading = drift_heading(r, &a), c = cos(heading), s = sin(heading);
  assert_true(a > 0);
  double way = 0.5 * a * seconds * seconds, speed = a * seconds;
  return (drift_point){{way * c, way * s}, {speed * c, speed * s}};
}

static inline void drift_advance(const drift_ramp *r, double seconds, int steps, drift_point *p) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double h = seconds / steps;
  for (int k = 0; k < steps; k++) {
    drift_point next = *p;
    double slope[2] = {0, 0}; /* the last stage's acceleration */
    for (int stage = 0; stage < 4; stage++) {
      double v[2], a[2];
      for (int i = 0; i < 2; i++) v[i] = p->v[i] + h * at[stage] * slope[i];
      drift_acceleration(r, v, a);
      for (int i = 0; i < 2; i++) {
        next.x[i] += h * weight[stage] * v[i];
        next.v[i] += h * weight[stage] * a[i];
        slope[i] = a[i];
      }
    }
    *p = next;
  }
}

#endif
