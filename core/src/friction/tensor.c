/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/tensor.h"

#include <math.h>

/* Relative to the largest entry: what differs by less was meant to be equal. */
static const double alike = 1e-9, no_structure = 1e-6;

static double largest_entry(const double q[2][2]) {
  return fmax(fmax(fabs(q[0][0]), fabs(q[1][1])), fmax(fabs(q[0][1]), fabs(q[1][0])));
}

static bool is_multiple_of_one(const double q[2][2]) {
  double small = alike * largest_entry(q);
  return fabs(q[0][0] - q[1][1]) <= small && fabs(q[0][1]) <= small && fabs(q[1][0]) <= small;
}

static tribo_status check_entries(const friction_tensor *tensor, tribo_error *err) {
  for (int i = 0; i < 4; i++) {
    int r = i / 2, c = i % 2;
    if (!isfinite(tensor->a[r][c]) || !isfinite(tensor->b[r][c]))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "friction tensor: entry (%d, %d) is %g and %g; give finite numbers", r, c,
                         tensor->a[r][c], tensor->b[r][c]);
  }
  if (!(tensor->kappa >= 0) || !isfinite(tensor->kappa))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "friction tensor: its factor is %g; give a finite number of at least 0",
                       tensor->kappa);
  return TRIBO_OK;
}

/* Adds kappa R Q R^T, R turning t to the tangential part of s. */
static tribo_status add_turned(const double q[2][2], double kappa, vec3 normal, vec3 t, vec3 s,
                               const char *whose, double sum[2][2], tribo_error *err) {
  double x = vec3_dot(s, t), y = vec3_dot(s, vec3_cross(normal, t)), length = hypot(x, y);
  double c = 1, sn = 0;
  if (length > no_structure) {
    c = x / length, sn = y / length;
  } else if (!is_multiple_of_one(q)) {
    return status_fail(err, TRIBO_BAD_INPUT,
                       "friction tensor of surface %s is [%g %g; %g %g], which has directions, but "
                       "the surface has no structure there; give it one, or a multiple of 1",
                       whose, q[0][0], q[0][1], q[1][0], q[1][1]);
  }
  const double turn[2][2] = {{c, -sn}, {sn, c}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++) sum[i][j] += kappa * turn[i][k] * q[k][l] * turn[j][l];
  return TRIBO_OK;
}

tribo_status tensor_cone(const friction_tensor *tensor, vec3 normal, vec3 s_a, vec3 s_b,
                         friction_cone *out, tribo_error *err) {
  TRY(check_entries(tensor, err));
  vec3 t = cone_tangent(normal), b = vec3_cross(normal, t);
  double l[2][2] = {{0}};
  TRY(add_turned(tensor->a, tensor->kappa, normal, t, s_a, "A", l, err));
  TRY(add_turned(tensor->b, tensor->kappa, normal, t, s_b, "B", l, err));

  double small = alike * tensor->kappa * (largest_entry(tensor->a) + largest_entry(tensor->b));
  if (fabs(l[0][1] - l[1][0]) > small)
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "friction tensor: the sum [%g %g; %g %g] is not symmetric, so its force does "
        "not dissipate the most there can be and no cone has it; make Q_A and Q_B "
        "symmetric",
        l[0][0], l[0][1], l[1][0], l[1][1]);

  /* Eigenvectors of a symmetric 2x2: half the angle of (l00 - l11, 2 l01). */
  double mean = 0.5 * (l[0][0] + l[1][1]), half = 0.5 * (l[0][0] - l[1][1]),
         off = 0.5 * (l[0][1] + l[1][0]), spread = hypot(half, off);
  double angle = spread > small ? 0.5 * atan2(off, half) : 0, c = cos(angle), s = sin(angle);
  double most = mean + spread, least = mean - spread;
  if (least < -small)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "friction tensor: the sum [%g %g; %g %g] has the negative eigenvalue %g and "
                       "would drive the motion; make Q_A and Q_B positive definite",
                       l[0][0], l[0][1], l[1][0], l[1][1], least);

  /* As with structure directions, t is where sliding is easiest. */
  *out = (friction_cone){.normal = normal,
                         .t = vec3_madd(vec3_scale(-s, t), c, b),
                         .b = vec3_madd(vec3_scale(-c, t), -s, b),
                         .mu_t = fmax(0, least),
                         .mu_b = fmax(0, most)};
  return TRIBO_OK;
}
