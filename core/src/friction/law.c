/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction/law.h"

#include <math.h>
#include <string.h>

#include "friction/tensor.h"

/* A direction whose tangential part is shorter stands on the surface and combs nothing. */
static const double no_structure = 1e-6;

static bool any(const double v[3]) { return v[0] != 0 || v[1] != 0 || v[2] != 0; }

static tribo_status check_tensors(const tribo_friction_params *p, tribo_error *err) {
  if (!any(p->tensor_a) && !any(p->tensor_b)) return TRIBO_OK;
  if (p->mu_along >= 0 || p->mu_across >= 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "mu_%s is given beside tensor_a and tensor_b; leave one or the other out",
                       p->mu_along >= 0 ? "along" : "across");
  return tensor_check(p->tensor_a, p->tensor_b, err);
}

tribo_status law_check(const tribo_friction_params *p, tribo_error *err) {
  const struct {
    const char *name;
    double value;
  } open[3] = {
      {"mu_along", p->mu_along}, {"mu_across", p->mu_across}, {"mu_dynamic", p->mu_dynamic}};
  for (int i = 0; i < 3; i++)
    if (open[i].value < 0 && open[i].value != -1)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "%s is %g; give 0 or more, or leave it out (-1) to have it as mu",
                         open[i].name, open[i].value);
  if (p->mu_dynamic > p->mu)
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "mu_dynamic is %g, above mu, which is %g; what slides cannot hold better than "
        "what sticks: give at most mu",
        p->mu_dynamic, p->mu);
  return check_tensors(p, err);
}

friction_law law_make(const tribo_friction_params *p) {
  friction_law law = {.mu = p->mu,
                      .mu_along = p->mu_along < 0 ? p->mu : p->mu_along,
                      .mu_across = p->mu_across < 0 ? p->mu : p->mu_across,
                      .mu_dynamic = p->mu_dynamic < 0 ? p->mu : p->mu_dynamic,
                      .stribeck_velocity = p->stribeck_velocity,
                      .mu_drill = p->mu_drill,
                      .tensors = any(p->tensor_a) || any(p->tensor_b)};
  memcpy(law.tensor_a, p->tensor_a, sizeof law.tensor_a);
  memcpy(law.tensor_b, p->tensor_b, sizeof law.tensor_b);
  return law;
}

friction_law law_swapped(const friction_law *law) {
  friction_law other = *law;
  memcpy(other.tensor_a, law->tensor_b, sizeof other.tensor_a);
  memcpy(other.tensor_b, law->tensor_a, sizeof other.tensor_b);
  return other;
}

tribo_friction_params law_params(const friction_law *law) {
  tribo_friction_params p = {.mu = law->mu,
                             .mu_along = law->mu_along,
                             .mu_across = law->mu_across,
                             .mu_dynamic = law->mu_dynamic,
                             .stribeck_velocity = law->stribeck_velocity,
                             .mu_drill = law->mu_drill};
  if (law->tensors) p.mu_along = p.mu_across = -1; /* which they take the place of */
  memcpy(p.tensor_a, law->tensor_a, sizeof p.tensor_a);
  memcpy(p.tensor_b, law->tensor_b, sizeof p.tensor_b);
  return p;
}

double law_weakening(const friction_law *law, double slip_speed) {
  if (!(slip_speed > 0) || law->mu_dynamic >= law->mu) return 1;
  double least = law->mu_dynamic / law->mu;
  if (law->stribeck_velocity <= 0) return least;
  double fast = slip_speed / law->stribeck_velocity;
  return least + (1 - least) * exp(-fast * fast);
}

bool law_is_isotropic(const friction_law *law) {
  if (law->tensors)
    return !tensor_has_directions(law->tensor_a) && !tensor_has_directions(law->tensor_b);
  return law->mu_along == law->mu && law->mu_across == law->mu;
}

/* The unit direction in the tangent plane, or 0. */
static vec3 lay_down(vec3 s, vec3 normal) {
  vec3 flat = vec3_madd(s, -vec3_dot(s, normal), normal);
  double length = vec3_norm(flat);
  return length > no_structure ? vec3_scale(1 / length, flat) : vec3_make(0, 0, 0);
}

/* Mean direction of two lines, and d: 1 when they run the same way, 0 when they are perpendicular.
 * atan2 keeps the digits that acos loses at small angles. False without any structure. */
static bool mean_direction(vec3 normal, vec3 s_a, vec3 s_b, vec3 *t, double *d) {
  vec3 a = lay_down(s_a, normal), b = lay_down(s_b, normal);
  bool has_a = vec3_norm2(a) > 0, has_b = vec3_norm2(b) > 0;
  if (!has_a && !has_b) return false;
  *d = 1;
  *t = has_a ? a : b;
  if (has_a && has_b) {
    double with = vec3_dot(a, b), across = vec3_dot(vec3_cross(a, b), normal);
    *d = 1 - atan2(fabs(across), fabs(with)) / acos(0);
    *t = vec3_normalized(with < 0 ? vec3_sub(a, b) : vec3_add(a, b));
  }
  if (vec3_dot(*t, cone_tangent(normal)) < 0) *t = vec3_scale(-1, *t);
  return true;
}

static friction_cone cone_of_tensors(const friction_law *law, vec3 normal, vec3 s_a, vec3 s_b,
                                     double held) {
  friction_tensor tensor = {.kappa = held * law->mu};
  tensor_unpack(law->tensor_a, tensor.a);
  tensor_unpack(law->tensor_b, tensor.b);
  friction_cone cone = tensor_cone_checked(&tensor, normal, s_a, s_b);
  cone.mu_drill = held * law->mu_drill;
  return cone;
}

friction_cone law_cone(const friction_law *law, vec3 normal, vec3 s_a, vec3 s_b,
                       double slip_speed) {
  double held = law_weakening(law, slip_speed), d = 0;
  if (law->tensors) return cone_of_tensors(law, normal, s_a, s_b, held);
  vec3 t;
  if (law_is_isotropic(law) || !mean_direction(normal, s_a, s_b, &t, &d)) t = cone_tangent(normal);
  return (friction_cone){.normal = normal,
                         .t = t,
                         .b = vec3_cross(normal, t),
                         .mu_t = held * (d * law->mu_along + (1 - d) * law->mu),
                         .mu_b = held * (d * law->mu_across + (1 - d) * law->mu),
                         .mu_drill = held * law->mu_drill};
}
