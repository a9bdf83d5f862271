/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/rub.h"

#include "friction/ellipse.h"

void barrier_rub_slip(const barrier_rub *c, const vec3 *x, const vec3 *start, double u[2]) {
  vec3 slip = {0, 0, 0};
  for (int i = 0; i < 4; i++)
    if (c->weight[i] != 0)
      slip = vec3_madd(slip, c->weight[i], vec3_sub(x[c->vertex[i]], start[c->vertex[i]]));
  u[0] = vec3_dot(slip, c->cone.t);
  u[1] = vec3_dot(slip, c->cone.b);
}

static void project(const barrier_rub *c, const double u[2], double dp[2][2], double f[2]) {
  double z[2] = {c->r[0] + c->rho * u[0], c->r[1] + c->rho * u[1]};
  ellipse_project(c->load * c->cone.mu_t, c->load * c->cone.mu_b, z, f, dp);
}

double barrier_rub_energy(barrier_rub *c, const double u[2]) {
  project(c, u, NULL, c->f);
  double d0 = c->f[0] - c->r[0], d1 = c->f[1] - c->r[1];
  return c->f[0] * u[0] + c->f[1] * u[1] - (d0 * d0 + d1 * d1) / (2 * c->rho);
}

void barrier_rub_bear(barrier_rub *c, const double u[2], double stiffness[2][2]) {
  project(c, u, stiffness, c->f);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) stiffness[i][j] *= c->rho;
}

double barrier_rub_residual(const barrier_rub *c, const double u[2]) {
  double z[2] = {c->f[0] + c->rho * u[0], c->f[1] + c->rho * u[1]}, p[2];
  ellipse_project(c->load * c->cone.mu_t, c->load * c->cone.mu_b, z, p, NULL);
  return sqrt((c->f[0] - p[0]) * (c->f[0] - p[0]) + (c->f[1] - p[1]) * (c->f[1] - p[1]));
}

bool barrier_rub_drives(const barrier_rub *c, const double u[2]) {
  return c->f[0] * u[0] + c->f[1] * u[1] < 0;
}
