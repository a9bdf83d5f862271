/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/wind.h"

enum { PREPARE_GRAIN = 1024 };

static vec3 mean3(vec3 a, vec3 b, vec3 c) {
  return vec3_scale(1.0 / 3.0, vec3_add(vec3_add(a, b), c));
}

typedef struct prepare_job {
  const int32_t *vertices;
  const wind_air *air;
  double h;
  const vec3 *x, *v;
  wind_element *out;
} prepare_job;

static void prepare_body(void *context, size_t begin, size_t end) {
  const prepare_job *job = context;
  for (size_t e = begin; e < end; e++) {
    const int32_t *i = job->vertices + 3 * e;
    vec3 x0 = job->x[i[0]], x1 = job->x[i[1]], x2 = job->x[i[2]];
    vec3 twice_area = vec3_cross(vec3_sub(x1, x0), vec3_sub(x2, x0));
    vec3 n = vec3_normalized(twice_area);
    vec3 v = mean3(job->v[i[0]], job->v[i[1]], job->v[i[2]]);
    double speed = fabs(vec3_dot(vec3_sub(v, job->air->velocity), n));
    double c = 0.5 * job->air->density * job->air->drag * 0.5 * vec3_norm(twice_area) * speed;
    job->out[e] =
        (wind_element){.normal = n,
                       .carried = vec3_madd(mean3(x0, x1, x2), job->h, job->air->velocity),
                       .stiffness = c / job->h};
  }
}

void wind_prepare(const element_set *set, const wind_air *air, double h, const vec3 *x,
                  const vec3 *v, const tasks *t, wind_element *out) {
  prepare_job job = {set->vertices, air, h, x, v, out};
  tasks_for(t, set->count, PREPARE_GRAIN, prepare_body, &job);
}

static const wind_element *element(const void *data, size_t e) {
  return (const wind_element *)data + e;
}

/* How far the triangle lags behind the air, along its normal: h (v - w) . n. */
static double lag(const wind_element *w, const vec3 *x) {
  return vec3_dot(vec3_sub(mean3(x[0], x[1], x[2]), w->carried), w->normal);
}

static double wind_energy(const void *data, size_t e, const vec3 *x) {
  const wind_element *w = element(data, e);
  double d = lag(w, x);
  return 0.5 * w->stiffness * d * d;
}

static void wind_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  const wind_element *w = element(data, e);
  g[0] = g[1] = g[2] = vec3_scale(w->stiffness * lag(w, x) / 3, w->normal);
}

static void wind_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind, double *h) {
  (void)x, (void)kind; /* constant, and semi-definite: k/9 n n^T in every block */
  const wind_element *w = element(data, e);
  mat3 square = mat3_outer(w->normal, w->normal);
  mat3 block = mat3_scale(w->stiffness / 9, &square); /* in this order symmetric to the bit */
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) h[9 * i + j] = block.m[i % 3][j % 3];
}

const element_kernel wind_kernel = {.name = "wind",
                                    .arity = 3,
                                    .energy = wind_energy,
                                    .gradient = wind_gradient,
                                    .hessian = wind_hessian};
