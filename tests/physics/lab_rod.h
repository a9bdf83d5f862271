/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_rod: rods for tests, and the answers that they are compared with, by means of their own.
 */
#ifndef TESTS_PHYSICS_LAB_ROD_H
#define TESTS_PHYSICS_LAB_ROD_H

#include "physics/lab.h"

#define LAB_PI 3.14159265358979323846

/* A line of points. */
typedef struct lab_line {
  double *positions;
  int32_t *segments;
  size_t points;
  bool ring;
} lab_line;

static inline lab_line lab_line_make(size_t points, bool ring) {
  lab_line l = {.positions = calloc(3 * points, sizeof(double)),
                .segments = calloc(2 * points, sizeof(int32_t)),
                .points = points,
                .ring = ring};
  assert_true(l.positions && l.segments);
  for (size_t i = 0; i < points; i++) {
    l.segments[2 * i] = (int32_t)i;
    l.segments[2 * i + 1] = (int32_t)((i + 1) % points);
  }
  return l;
}

static inline void lab_line_free(lab_line *l) {
  free(l->positions);
  free(l->segments);
}

static inline tribo_object_def lab_rod(const lab_line *l, const char *name) {
  tribo_object_def def = tribo_object_default(TRIBO_ROD);
  def.name = name;
  def.positions = l->positions;
  def.vertex_count = l->points;
  def.segments = l->segments;
  def.segment_count = l->points - !l->ring;
  return def;
}

/* B = E pi r^4 / 4, N m^2 */
static inline double lab_bending(const tribo_rod_params *p) {
  return p->young * LAB_PI * pow(p->radius, 4) / 4;
}

/* N/m, under 9.81 m/s^2 */
static inline double lab_weight(const tribo_rod_params *p) {
  return 9.81 * p->density * LAB_PI * p->radius * p->radius;
}

/* ---- the elastica that hangs from a horizontal clamp ---- */

/* At u from the free end: the angle to the vertical, its rate, and how far it is from the end,
 * across and down. */
typedef struct lab_bent {
  double angle, rate, reach, drop;
} lab_bent;

static inline lab_bent lab_bent_rate(lab_bent y, double u, double g) {
  return (lab_bent){y.rate, g * u * sin(y.angle), sin(y.angle), cos(y.angle)};
}

static inline lab_bent lab_bent_add(lab_bent a, double t, lab_bent b) {
  return (lab_bent){a.angle + t * b.angle, a.rate + t * b.rate, a.reach + t * b.reach,
                    a.drop + t * b.drop};
}

/* angle'' = G u sin(angle), angle'(0) = 0, by Runge and Kutta's rule, to u = 1. */
static inline lab_bent lab_bent_end(double angle, double g) {
  enum { STEPS = 4000 };
  double h = 1.0 / STEPS;
  lab_bent y = {angle, 0, 0, 0};
  for (int i = 0; i < STEPS; i++) {
    double u = i * h;
    lab_bent a = lab_bent_rate(y, u, g);
    lab_bent b = lab_bent_rate(lab_bent_add(y, h / 2, a), u + h / 2, g);
    lab_bent c = lab_bent_rate(lab_bent_add(y, h / 2, b), u + h / 2, g);
    lab_bent d = lab_bent_rate(lab_bent_add(y, h, c), u + h, g);
    y = lab_bent_add(y, h / 6, a);
    y = lab_bent_add(y, h / 3, b);
    y = lab_bent_add(y, h / 3, c);
    y = lab_bent_add(y, h / 6, d);
  }
  return y;
}

/* Drop over reach, of the end's angle for which it is level at u = 1. */
static inline double lab_hanging(double g) {
  double low = log(1e-30), high = log(LAB_PI / 2);
  for (int i = 0; i < 200; i++) {
    double middle = (low + high) / 2;
    *(lab_bent_end(exp(middle), g).angle < LAB_PI / 2 ? &low : &high) = middle;
  }
  lab_bent end = lab_bent_end(exp(low), g);
  return end.drop / end.reach;
}

#endif
