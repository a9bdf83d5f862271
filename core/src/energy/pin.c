/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/pin.h"

static const pin_element *element(const void *data, size_t e) {
  return (const pin_element *)data + e;
}

static double pin_energy(const void *data, size_t e, const vec3 *x) {
  const pin_element *p = element(data, e);
  return 0.5 * p->stiffness * vec3_norm2(vec3_sub(x[0], p->target));
}

static void pin_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  const pin_element *p = element(data, e);
  g[0] = vec3_scale(p->stiffness, vec3_sub(x[0], p->target));
}

static void pin_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind, double *h) {
  (void)x, (void)kind; /* constant, and semi-definite */
  for (int i = 0; i < 9; i++) h[i] = i % 4 == 0 ? element(data, e)->stiffness : 0;
}

const element_kernel pin_kernel = {.name = "pin",
                                   .arity = 1,
                                   .energy = pin_energy,
                                   .gradient = pin_gradient,
                                   .hessian = pin_hessian};
