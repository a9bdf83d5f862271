/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/disc.h"

#include <float.h>
#include <math.h>

#include "math/hypotenuse.h"

/* On the rim: (D + s I) y = b with |y| = radius, s > 0. Newton on 1/|y(s)| - 1/radius, which is
 * nearly linear and concave: it approaches from the left and cannot overshoot. */
static void on_the_rim(const double axis[2], const double d[2], const double b[2], double radius,
                       double y[2]) {
  double along = axis[0] * b[0] + axis[1] * b[1], across = axis[0] * b[1] - axis[1] * b[0];
  double s = 0, u = 0, v = 0;
  for (int i = 0; i < 60; i++) {
    u = along / (d[0] + s);
    v = across / (d[1] + s);
    double length = sqrt(u * u + v * v);
    if (length <= radius * (1 + 4 * DBL_EPSILON)) break;
    double slope = (u * u / (d[0] + s) + v * v / (d[1] + s)) / length;
    s += (length - radius) / radius * (length / slope);
  }
  double length = sqrt(u * u + v * v), fit = length > 0 ? radius / length : 0;
  y[0] = fit * (axis[0] * u - axis[1] * v);
  y[1] = fit * (axis[1] * u + axis[0] * v);
}

void disc_least(double d00, double d01, double d11, const double g[2], const double y0[2],
                double radius, double y[2]) {
  double b[2] = {d00 * y0[0] + d01 * y0[1] - g[0], d01 * y0[0] + d11 * y0[1] - g[1]};
  double det = d00 * d11 - d01 * d01;
  y[0] = (d11 * b[0] - d01 * b[1]) / det;
  y[1] = (d00 * b[1] - d01 * b[0]) / det;
  if (y[0] * y[0] + y[1] * y[1] <= radius * radius) return;
  double mean = (d00 + d11) / 2, half = (d00 - d11) / 2, spread = hypotenuse(half, d01);
  double axis[2] = {1, 0};
  if (spread > 0) {
    /* of the larger eigenvalue mean + spread; the longer of two forms of its vector */
    double u[2] = {half + spread, d01};
    if (half < 0) u[0] = d01, u[1] = spread - half;
    double length = hypotenuse(u[0], u[1]);
    axis[0] = u[0] / length, axis[1] = u[1] / length;
  }
  double d[2] = {mean + spread, mean - spread};
  on_the_rim(axis, d, b, radius, y);
}
