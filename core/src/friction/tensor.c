/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/tensor.h"

#include <math.h>

#include "math/hypotenuse.h"

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

/* A direction's angle against t, as cosine and sine; false: it has none. */
static bool direction_of(vec3 normal, vec3 t, vec3 s, double *c, double *sn) {
  double x = vec3_dot(s, t), y = vec3_dot(s, vec3_cross(normal, t)), length = hypotenuse(x, y);
  *c = 1, *sn = 0;
  if (!(length > no_structure)) return false;
  *c = x / length, *sn = y / length;
  return true;
}

/* Adds kappa R Q R^T, R turning t to the tangential part of s; without one, the mean of Q over all
 * turns, half its trace. */
static void add_turned(const double q[2][2], double kappa, vec3 normal, vec3 t, vec3 s,
                       double sum[2][2]) {
  double c, sn, mean = (q[0][0] + q[1][1]) / 2;
  if (!direction_of(normal, t, s, &c, &sn)) {
    sum[0][0] += kappa * mean;
    sum[1][1] += kappa * mean;
    return;
  }
  const double turn[2][2] = {{c, -sn}, {sn, c}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++) sum[i][j] += kappa * turn[i][k] * q[k][l] * turn[j][l];
}

/* L in the frame t, n x t, and what counts as 0 in it. */
static double sum_of(const friction_tensor *tensor, vec3 normal, vec3 t, vec3 s_a, vec3 s_b,
                     double l[2][2]) {
  for (int i = 0; i < 4; i++) l[i / 2][i % 2] = 0;
  add_turned(tensor->a, tensor->kappa, normal, t, s_a, l);
  add_turned(tensor->b, tensor->kappa, normal, t, s_b, l);
  return alike * tensor->kappa * (largest_entry(tensor->a) + largest_entry(tensor->b));
}

/* Eigenvectors of a symmetric 2x2: half the angle of (l00 - l11, 2 l01). */
typedef struct axes {
  double least, most, angle; /* of the most */
} axes;

static axes axes_of(double along, double across, double off, double small) {
  double mean = 0.5 * (along + across), half = 0.5 * (along - across),
         spread = hypotenuse(half, off);
  return (axes){mean - spread, mean + spread, spread > small ? 0.5 * atan2(off, half) : 0};
}

friction_cone tensor_cone_checked(const friction_tensor *tensor, vec3 normal, vec3 s_a, vec3 s_b) {
  vec3 t = cone_tangent(normal), b = vec3_cross(normal, t);
  double l[2][2], small = sum_of(tensor, normal, t, s_a, s_b, l);
  axes on = axes_of(l[0][0], l[1][1], 0.5 * (l[0][1] + l[1][0]), small);
  double c = cos(on.angle), s = sin(on.angle);
  /* As with structure directions, t is where sliding is easiest. */
  return (friction_cone){.normal = normal,
                         .t = vec3_madd(vec3_scale(-s, t), c, b),
                         .b = vec3_madd(vec3_scale(-c, t), -s, b),
                         .mu_t = fmax(0, on.least),
                         .mu_b = fmax(0, on.most)};
}

static tribo_status check_structure(const double q[2][2], vec3 normal, vec3 s, const char *whose,
                                    tribo_error *err) {
  double c, sn;
  if (direction_of(normal, cone_tangent(normal), s, &c, &sn) || is_multiple_of_one(q))
    return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "friction tensor of surface %s is [%g %g; %g %g], which has directions, but "
                     "the surface has no structure there; give it one, or a multiple of 1",
                     whose, q[0][0], q[0][1], q[1][0], q[1][1]);
}

tribo_status tensor_cone(const friction_tensor *tensor, vec3 normal, vec3 s_a, vec3 s_b,
                         friction_cone *out, tribo_error *err) {
  TRY(check_entries(tensor, err));
  TRY(check_structure(tensor->a, normal, s_a, "A", err));
  TRY(check_structure(tensor->b, normal, s_b, "B", err));
  double l[2][2], small = sum_of(tensor, normal, cone_tangent(normal), s_a, s_b, l);
  if (fabs(l[0][1] - l[1][0]) > small)
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "friction tensor: the sum [%g %g; %g %g] is not symmetric, so its force does "
        "not dissipate the most there can be and no cone has it; make Q_A and Q_B "
        "symmetric",
        l[0][0], l[0][1], l[1][0], l[1][1]);
  double least = axes_of(l[0][0], l[1][1], 0.5 * (l[0][1] + l[1][0]), small).least;
  if (least < -small)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "friction tensor: the sum [%g %g; %g %g] has the negative eigenvalue %g and "
                       "would drive the motion; make Q_A and Q_B positive definite",
                       l[0][0], l[0][1], l[1][0], l[1][1], least);
  *out = tensor_cone_checked(tensor, normal, s_a, s_b);
  return TRIBO_OK;
}

/* ---- as scenes have them --------------------------------------------------------------------- */

void tensor_unpack(const double packed[3], double q[2][2]) {
  q[0][0] = packed[0], q[1][1] = packed[1];
  q[0][1] = q[1][0] = packed[2];
}

bool tensor_has_directions(const double packed[3]) {
  friction_tensor tensor = {.kappa = 1};
  tensor_unpack(packed, tensor.a);
  const friction_tensor *t = &tensor;
  return !is_multiple_of_one(t->a);
}

tribo_status tensor_check(const double a[3], const double b[3], tribo_error *err) {
  double size = fabs(a[0]) + fabs(a[1]) + fabs(a[2]) + fabs(b[0]) + fabs(b[1]) + fabs(b[2]);
  double least = axes_of(a[0], a[1], a[2], 0).least + axes_of(b[0], b[1], b[2], 0).least;
  if (least >= -alike * size) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "tensor_a is [%g %g %g] and tensor_b [%g %g %g], whose sum can have the "
                     "eigenvalue %g: such friction drives the motion instead of dissipating the "
                     "most; let |between| be at most the root of along times across, and no "
                     "number of along and across below 0",
                     a[0], a[1], a[2], b[0], b[1], b[2], least);
}
