/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written with plain numbers in one order: what programs print of it does not change.
 */
#include "kinds/content.h"

#include <math.h>

static void edge(const double *positions, int32_t from, int32_t to, double *out) {
  for (int k = 0; k < 3; k++) out[k] = positions[3 * to + k] - positions[3 * from + k];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double content_area(const tribo_object_def *o) {
  double sum = 0;
  for (size_t t = 0; t < o->triangle_count; t++) {
    const int32_t *v = &o->triangles[3 * t];
    double a[3], b[3], n[3];
    edge(o->positions, v[0], v[1], a);
    edge(o->positions, v[0], v[2], b);
    cross(a, b, n);
    sum += sqrt(dot(n, n)) / 2;
  }
  return sum;
}

double content_of_tets(const tribo_object_def *o) {
  double sum = 0;
  for (size_t t = 0; t < o->tet_count; t++) {
    const int32_t *v = &o->tets[4 * t];
    double a[3], b[3], c[3], n[3];
    edge(o->positions, v[0], v[1], a);
    edge(o->positions, v[0], v[2], b);
    edge(o->positions, v[0], v[3], c);
    cross(a, b, n);
    sum += fabs(dot(n, c)) / 6;
  }
  return sum;
}

/* By tets with one corner on the first vertex. */
double content_enclosed(const tribo_object_def *o) {
  double sum = 0;
  for (size_t t = 0; t < o->triangle_count; t++) {
    const int32_t *v = &o->triangles[3 * t];
    double a[3], b[3], c[3], n[3];
    edge(o->positions, 0, v[0], a);
    edge(o->positions, 0, v[1], b);
    edge(o->positions, 0, v[2], c);
    cross(a, b, n);
    sum += dot(n, c) / 6;
  }
  return sum;
}
