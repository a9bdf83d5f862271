/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strand/helix.h"

/* A_k(x) = sum of (-x)^i / (2 i + k)!: cos, sin x / x, ... of the square root of x. The derivative
 * of A_k is -(A_{k+1} - k A_{k+2}) / 2, without a division by x. */
enum { STUMPFF = 6, TERMS = 24 };
static const double SERIES_UP_TO = 25; /* beyond, terms grow before they fall */

static void stumpff(double x, double a[STUMPFF]) {
  if (x <= SERIES_UP_TO) {
    double fourth = 1. / 24, fifth = 1. / 120;
    a[4] = a[5] = 0;
    for (int i = 0; i < TERMS; i++) {
      a[4] += fourth, a[5] += fifth;
      if (fabs(fourth) < 1e-19) break;
      fourth *= -x / ((2 * i + 5.) * (2 * i + 6.));
      fifth *= -x / ((2 * i + 6.) * (2 * i + 7.));
    }
    double inverse_factorial[] = {1, 1, 0.5, 1. / 6};
    for (int k = 3; k >= 0; k--) a[k] = inverse_factorial[k] - x * a[k + 2];
    return;
  }
  double r = sqrt(x), inverse_factorial = 1;
  a[0] = cos(r), a[1] = sin(r) / r;
  for (int k = 2; k < STUMPFF; k++) {
    if (k > 3) inverse_factorial /= k - 2;
    a[k] = (inverse_factorial - a[k - 2]) / x;
  }
}

typedef struct coefficients {
  double a1, b, c, bx, cx; /* sin |phi| / |phi|; b and c with their derivatives by x */
} coefficients;

static coefficients coefficients_at(double x) {
  double a[STUMPFF];
  stumpff(x, a);
  return (coefficients){
      .a1 = a[1], .b = a[2], .c = a[3], .bx = -(a[3] - 2 * a[4]) / 2, .cx = -(a[4] - 3 * a[5]) / 2};
}

static const vec3 E0 = {1, 0, 0};

static vec3 axis(int i) { return vec3_make(i == 0, i == 1, i == 2); }

/* e + f phi x e + g phi x (phi x e) */
static vec3 turned(vec3 phi, double f, double g, vec3 e) {
  vec3 once = vec3_cross(phi, e);
  return vec3_madd(vec3_madd(e, f, once), g, vec3_cross(phi, once));
}

static mat3 turned_axes(vec3 phi, double f, double g) {
  return mat3_from_columns(turned(phi, f, g, axis(0)), turned(phi, f, g, axis(1)),
                           turned(phi, f, g, axis(2)));
}

/* The derivative of J(phi) e by phi along d. */
static vec3 slope(const coefficients *c, vec3 phi, vec3 d, vec3 e) {
  vec3 once = vec3_cross(phi, e), across = vec3_cross(d, e);
  double x = 2 * vec3_dot(phi, d);
  vec3 sum = vec3_madd(vec3_scale(c->b, across), c->bx * x, once);
  sum = vec3_madd(sum, c->c, vec3_add(vec3_cross(d, once), vec3_cross(phi, across)));
  return vec3_madd(sum, c->cx * x, vec3_cross(phi, once));
}

helix_point helix_at(vec3 k, double s) {
  vec3 phi = vec3_scale(s, k);
  coefficients c = coefficients_at(vec3_norm2(phi));
  helix_point out = {.rho = vec3_scale(s, turned(phi, c.b, c.c, E0)),
                     .turn = turned_axes(phi, c.a1, c.b)};
  mat3 spin = turned_axes(phi, c.b, c.c);
  out.by_turn = mat3_scale(s, &spin);
  mat3 by = mat3_from_columns(slope(&c, phi, axis(0), E0), slope(&c, phi, axis(1), E0),
                              slope(&c, phi, axis(2), E0));
  out.by_rho = mat3_scale(s * s, &by);
  return out;
}

vec3 helix_place(vec3 k, double s, vec3 *tangent) {
  vec3 phi = vec3_scale(s, k);
  coefficients c = coefficients_at(vec3_norm2(phi));
  if (tangent) *tangent = turned(phi, c.a1, c.b, E0);
  return vec3_scale(s, turned(phi, c.b, c.c, E0));
}
