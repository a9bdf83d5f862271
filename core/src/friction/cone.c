/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/cone.h"

#include <assert.h>
#include <stddef.h>

#include "friction/ellipse.h"
#include "friction/secular.h"

enum { MOST = SECULAR_MOST, ROWS = MOST + 1 };

/* Smaller coefficients are 0, so that squares stay within double range. */
static const double least_mu = 1e-100;

vec3 cone_tangent(vec3 n) {
  vec3 axis = fabs(n.x) < 0.6 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
  return vec3_normalized(vec3_sub(axis, vec3_scale(vec3_dot(axis, n), n)));
}

/* ---- projection ------------------------------------------------------------------------------ */

/* n tangential components with coefficients above 0; row 0 of vectors is the normal. */
typedef struct task {
  int n;
  const double *mu, *z;
} task;

/* p and dp between K and its polar cone, |z| about 1. With g_i = 1/(d_i + u) for z_N >= 0, and
 * g_i = 1/(1 + v d_i) otherwise:
 *
 *   E = sum w_i^2 (1 + d_i) g_i          E dp_NN = sum w_i^2 g_i       E dp_Ni = p_N mu_i w_i g_i
 *   E dp_ii = d_i g_i (w_i^2 + c sum_{j != i} w_j^2 (1 + d_j) g_j)
 *   E dp_ij = -e mu_i w_i g_i mu_j w_j g_j
 *
 * where c = 1, e = 1 - u for z_N >= 0, and c = v, e = v - 1 otherwise. */
static void project_on_boundary(const task *k, double *p, double (*dp)[ROWS]) {
  const double *mu = k->mu, *z = k->z;
  bool above = z[0] >= 0;
  double alpha[MOST] = {0}, beta[MOST] = {0};
  int terms = 0;
  for (int i = 0; i < k->n; i++) {
    double c = mu[i] * fabs(z[i + 1]);
    if (c < 1e-280) continue; /* nothing beside the others */
    alpha[terms] = (above ? mu[i] * mu[i] : 1) / c;
    beta[terms] = (above ? 1 : mu[i] * mu[i]) / c;
    terms++;
  }
  double x = secular_root(terms, alpha, beta, fabs(z[0]), 1);

  double w[MOST], g[MOST], share[MOST], length = 0, all = 0;
  for (int i = 0; i < k->n; i++) {
    double d = mu[i] * mu[i];
    g[i] = 1 / (above ? d + x : 1 + x * d);
    w[i] = mu[i] * z[i + 1] * (above ? 1 : x) * g[i];
    share[i] = w[i] * w[i] * (1 + d) * g[i];
    length += w[i] * w[i];
    all += share[i];
  }
  p[0] = sqrt(length);
  for (int i = 0; i < k->n; i++) p[i + 1] = mu[i] * w[i];
  if (!dp) return;

  double c = above ? 1 : x, e = above ? 1 - x : x - 1;
  dp[0][0] = 0;
  for (int i = 0; i < k->n; i++) {
    double others = 0;
    dp[0][0] += w[i] * w[i] * g[i] / all;
    dp[0][i + 1] = dp[i + 1][0] = p[0] * (mu[i] * w[i] * g[i] / all);
    for (int j = 0; j < k->n; j++) {
      if (j == i) continue;
      others += share[j];
      dp[i + 1][j + 1] = -e * ((mu[i] * w[i] * g[i]) * (mu[j] * w[j] * g[j])) / all;
    }
    dp[i + 1][i + 1] = mu[i] * mu[i] * g[i] * ((w[i] * w[i] + c * others) / all);
  }
}

static void set_identity(int rows, double (*dp)[ROWS]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) dp[i][j] = i == j;
}

static void project_wide(const task *k, double *p, double (*dp)[ROWS]) {
  const double *z = k->z;
  int rows = k->n + 1;
  double inside = 0, across = 0, size = 0;
  for (int i = 0; i < rows; i++) size = fmax(size, fabs(z[i]));
  double unit[ROWS];
  for (int i = 0; i < rows; i++) unit[i] = size > 0 ? z[i] / size : 0;
  for (int i = 0; i < k->n; i++) {
    double a = unit[i + 1] / k->mu[i], b = unit[i + 1] * k->mu[i];
    inside += a * a;
    across += b * b;
  }
  if (unit[0] >= 0 && inside <= unit[0] * unit[0]) {
    for (int i = 0; i < rows; i++) p[i] = z[i];
    if (dp) set_identity(rows, dp);
    return;
  }
  if (unit[0] <= 0 && across <= unit[0] * unit[0]) {
    for (int i = 0; i < rows; i++) p[i] = 0;
    if (dp)
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) dp[i][j] = 0;
    return;
  }
  project_on_boundary(&(task){k->n, k->mu, unit}, p, dp);
  for (int i = 0; i < rows; i++) p[i] *= size;
}

/* n tangential components, of which those without a coefficient are dropped: K lies in the space of
 * the others, and projecting on that space first changes nothing. dp is (n+1) x (n+1). */
static void project(int n, const double *mu, const double *z, double *p, double *dp) {
  int wide[ROWS] = {0}, rows = 1;
  double kept_mu[MOST], from[ROWS] = {z[0]}, to[ROWS], derivative[ROWS][ROWS];
  for (int i = 0; i < n; i++) {
    assert(mu[i] >= 0 && mu[i] <= 1 / least_mu);
    if (mu[i] < least_mu) continue;
    kept_mu[rows - 1] = mu[i], from[rows] = z[i + 1], wide[rows] = i + 1;
    rows++;
  }
  project_wide(&(task){rows - 1, kept_mu, from}, to, dp ? derivative : NULL);
  for (int i = 0; i <= n; i++) p[i] = 0;
  for (int i = 0; i < rows; i++) p[wide[i]] = to[i];
  if (!dp) return;
  for (int i = 0; i < (n + 1) * (n + 1); i++) dp[i] = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) dp[wide[i] * (n + 1) + wide[j]] = derivative[i][j];
}

vec3 cone_project(const friction_cone *c, vec3 z, mat3 *dp) {
  const double mu[2] = {c->mu_t, c->mu_b}, from[3] = {z.x, z.y, z.z};
  double to[3];
  project(2, mu, from, to, dp ? &dp->m[0][0] : NULL);
  return vec3_from(to);
}

void cone_project_drill(const friction_cone *c, const double z[4], double p[4], double dp[4][4]) {
  const double mu[3] = {c->mu_t, c->mu_b, c->mu_drill};
  project(3, mu, z, p, dp ? &dp[0][0] : NULL);
}

/* ---- residual -------------------------------------------------------------------------------- */

vec3 cone_residual(const friction_cone *c, vec3 r, vec3 v, double rho) {
  double normal = fmax(0, r.x - rho * v.x), p[2];
  const double tangent[2] = {r.y - rho * v.y, r.z - rho * v.z};
  ellipse_project(c->mu_t * normal, c->mu_b * normal, tangent, p, NULL);
  return vec3_make(r.x - normal, r.y - p[0], r.z - p[1]);
}
