/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/ellipse.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "friction/secular.h"

/* Ratios beyond which a half-axis, or all of the body, is a point to the other. Squares and their
 * products stay within double range. */
static const double thin = 1e-100, far = 1e100;

/* From here on: half-axes are positive, the longest is 1, and z lies outside. dp is n x n. */
static void project_outside(int n, const double *a, const double *z, double *p, double *dp) {
  double alpha[SECULAR_MOST] = {0}, beta[SECULAR_MOST] = {0};
  int terms = 0;
  for (int i = 0; i < n; i++) {
    double c = a[i] * fabs(z[i]);
    if (c < 1e-280) continue; /* z_i is nothing to a_i, which is at least `thin` */
    alpha[terms] = a[i] * a[i] / c, beta[terms] = 1 / c;
    terms++;
  }
  double s = secular_root(terms, alpha, beta, 1, 0);

  /* p/a has length 1 at the root; dividing by the length found puts p on the boundary itself. */
  double length = 0, normal[SECULAR_MOST], k[SECULAR_MOST], largest = 0;
  for (int i = 0; i < n; i++) {
    double d = a[i] * a[i];
    p[i] = a[i] * z[i] / (d + s);
    length += p[i] * p[i];
    k[i] = d / (d + s);
    normal[i] = z[i] / (d + s);
    largest = fmax(largest, fabs(normal[i]));
  }
  length = sqrt(length);
  for (int i = 0; i < n; i++) p[i] *= a[i] / length;
  if (!dp) return;

  double all = 0;
  for (int i = 0; i < n; i++) {
    normal[i] /= largest;
    all += k[i] * normal[i] * normal[i];
  }
  for (int i = 0; i < n; i++) {
    double others = 0;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      others += k[j] * normal[j] * normal[j];
      dp[i * n + j] = -(k[i] * normal[i]) * (k[j] * normal[j]) / all;
    }
    dp[i * n + i] = k[i] * (others / all);
  }
}

/* Far away the nearest point is that with the outer normal z: p_i = d_i z_i / |a z|, to a
 * rounding; it does not move when z does. */
static void project_far(int n, const double *a, const double *z, double largest, double *p) {
  double length = 0;
  for (int i = 0; i < n; i++) {
    p[i] = a[i] * (z[i] / largest);
    length += p[i] * p[i];
  }
  length = sqrt(length);
  for (int i = 0; i < n; i++) p[i] = length > 0 ? p[i] * (a[i] / length) : 0;
}

static void project(int n, const double *axes, const double *z, double *p, double *dp) {
  double longest = 0, size = 0;
  for (int i = 0; i < n; i++) {
    assert(axes[i] >= 0);
    longest = fmax(longest, axes[i]);
  }
  if (dp) memset(dp, 0, (size_t)(n * n) * sizeof *dp);

  /* What has no width keeps p_i = 0. The rest, in units of the longest half-axis. */
  int wide[SECULAR_MOST], m = 0;
  double a[SECULAR_MOST], u[SECULAR_MOST], q[SECULAR_MOST], dq[SECULAR_MOST * SECULAR_MOST];
  for (int i = 0; i < n; i++)
    if (axes[i] > thin * longest) {
      a[m] = axes[i] / longest, u[m] = z[i], wide[m] = i;
      size = fmax(size, fabs(z[i]));
      m++;
    }
  for (int i = 0; i < n; i++) p[i] = 0;
  if (m == 0) return;
  if (size >= far * longest) {
    project_far(m, a, u, size, q);
    for (int i = 0; i < m; i++) p[wide[i]] = longest * q[i];
    return;
  }
  double inside = 0;
  for (int i = 0; i < m; i++) {
    double w = u[i] / longest / a[i];
    inside += w * w;
  }
  if (inside <= 1) {
    for (int i = 0; i < m; i++) p[wide[i]] = u[i];
    if (dp)
      for (int i = 0; i < m; i++) dp[wide[i] * n + wide[i]] = 1;
    return;
  }
  for (int i = 0; i < m; i++) u[i] /= longest;
  project_outside(m, a, u, q, dp ? dq : NULL);
  for (int i = 0; i < m; i++) {
    p[wide[i]] = longest * q[i];
    if (dp)
      for (int j = 0; j < m; j++) dp[wide[i] * n + wide[j]] = dq[i * m + j];
  }
}

void ellipse_project(double a, double b, const double z[2], double p[2], double dp[2][2]) {
  const double axes[2] = {a, b};
  project(2, axes, z, p, dp ? &dp[0][0] : NULL);
}

void ellipsoid_project(const double axes[3], const double z[3], double p[3], double dp[3][3]) {
  project(3, axes, z, p, dp ? &dp[0][0] : NULL);
}
