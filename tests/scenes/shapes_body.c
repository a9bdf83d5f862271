/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_body.h"

#include <math.h>

#include "scenes/shapes_skin.h"

/* ---- the body ---------------------------------------------------------------------------------
 */

/* The shoulders slope by 30 degrees: a strap on them needs a coefficient of tan 30 = 0.58 or so.
 * The arms hang, so that a strap that slips has nothing to catch it. */
static const double SHOULDER[3] = {0.175, 0, 0.48}, ELBOW[3] = {0.27, 0, 0.25};

/* A body is symmetric: fields are asked at the mirrored point of the right half. */
double body_field(const void *context, const double at[3]) {
  (void)context;
  const double flat = 0.68; /* of the trunk: its depth by its width */
  double x[3] = {fabs(at[0]), at[1], at[2]}, wide[3] = {x[0], x[1] / flat, x[2]};
  double hips = field_cone(wide, (double[3]){0, 0, 0.17}, (double[3]){0, 0, 0.22}, 0.135, 0.135);
  double chest = field_cone(wide, (double[3]){0, 0, 0.22}, (double[3]){0, 0, 0.40}, 0.135, 0.155);
  /* Distances in the stretched space are too large along y: scaled back at the front and back. */
  double trunk = field_union(hips, chest, 0.05);
  double away = hypot(wide[0], wide[1]);
  trunk *= away > 0
               ? (fabs(wide[0]) + flat * fabs(wide[1])) / (fabs(wide[0]) + fabs(wide[1]) + 1e-12)
               : flat;
  double slope = field_cone(x, (double[3]){0, 0, 0.595}, SHOULDER, 0.045, 0.055);
  double arm = field_cone(x, SHOULDER, ELBOW, 0.055, 0.042);
  double neck = field_capsule(x, (double[3]){0, 0, 0.5}, (double[3]){0, 0, 0.7}, 0.05);
  double f = field_union(trunk, slope, 0.07);
  f = field_union(f, arm, 0.04);
  return field_union(f, neck, 0.05);
}

static const double LOW[3] = {-0.48, -0.25, -0.1}, HIGH[3] = {0.48, 0.25, 0.82};

mesh shape_body(double size) { return shape_stuffed(body_field, NULL, LOW, HIGH, size); }

mesh shape_body_skin(double size) { return shape_field_skin(body_field, NULL, LOW, HIGH, size); }

/* ---- the top ----------------------------------------------------------------------------------
 */

/* Negative where there is cloth: above the hem, outside the armholes and the sleeves below them,
 * and outside a square neckline that goes down deeper in front. The straps rise from the outer ends
 * of the chest, upright: drawn tight without friction they would cross the sloping shoulder at a
 * right angle, which is further out. */
static double top_field(const void *context, const double at[3]) {
  (void)context;
  double x[3] = {fabs(at[0]), at[1], at[2]};
  double hem = 0.1 - x[2];
  double hole = field_capsule(x, (double[3]){0.275, 0, 0.62}, (double[3]){0.275, 0, 0.44}, 0.12);
  double sleeve = field_cone(x, (double[3]){0.24, 0, 0.38}, ELBOW, 0.095, 0.1);
  double deep = 0.22 - 0.2 * x[1]; /* front is -y */
  double across = x[0] / 0.125, down = (x[2] - 0.63) / deep;
  double neck = 0.1 * (1 - pow(pow(across, 4) + pow(down, 4), 0.25));
  return fmax(hem, fmax(-fmin(hole, sleeve), neck));
}

mesh shape_tank_top(double size, double gap) {
  mesh skin = shape_body_skin(size), top = {0};
  if (skin.positions) top = shape_clipped(&skin, top_field, NULL);
  mesh_free(&skin);
  for (size_t v = 0; v < top.vertex_count; v++) {
    vec3 x = field_onto(body_field, NULL, vec3_from(top.positions + 3 * v));
    x = vec3_madd(x, gap, vec3_normalized(field_gradient(body_field, NULL, x)));
    top.positions[3 * v] = x.x;
    top.positions[3 * v + 1] = x.y;
    top.positions[3 * v + 2] = x.z;
  }
  return top;
}
