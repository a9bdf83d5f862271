/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_dancer.h"

#include <math.h>

#include "scenes/shapes_skin.h"

const double DANCER_WAIST = 1.1, DANCER_SHOULDER[3] = {0.16, 0.01, 1.365}, DANCER_FLAT = 0.72;

typedef const double place[3];

/* An upright cone with an oval section. Distances in the space where it is round are too large
 * along y: scaled back at the front and back. */
static double oval(const double x[3], double low, double high, double radius_low,
                   double radius_high) {
  double round[3] = {x[0], x[1] / DANCER_FLAT, x[2]}, sideways = fabs(round[0]);
  double forth = fabs(round[1]), away = sideways + forth;
  double scale = away > 0 ? (sideways + DANCER_FLAT * forth) / away : DANCER_FLAT;
  return scale *
         field_cone(round, (place){0, 0, low}, (place){0, 0, high}, radius_low, radius_high);
}

static double trunk(const double x[3]) {
  double f = oval(x, 0.89, 0.94, 0.165, 0.162);
  f = field_union(f, oval(x, 0.98, DANCER_WAIST, 0.14, 0.112), 0.05);
  f = field_union(f, oval(x, DANCER_WAIST, 1.27, 0.112, 0.138), 0.05);
  f = field_union(
      f, field_capsule(x, (place){0.068, -0.055, 1.25}, (place){0.066, -0.07, 1.245}, 0.06), 0.035);
  double slope = field_cone(x, (place){0, 0.015, 1.45}, DANCER_SHOULDER, 0.045, 0.05);
  return field_union(f, slope, 0.07);
}

double dancer_torso(const void *context, const double at[3]) {
  (void)context;
  /* She is symmetric: fields are asked at the mirrored point of the right half. */
  double x[3] = {fabs(at[0]), at[1], at[2]};
  place elbow = {0.36, 0.015, 1.165}, wrist = {0.53, -0.06, 1.01}, fingers = {0.585, -0.085, 0.955};
  double arm = field_cone(x, DANCER_SHOULDER, elbow, 0.047, 0.036);
  arm = field_union(arm, field_cone(x, elbow, wrist, 0.036, 0.026), 0.02);
  arm = field_union(arm, field_cone(x, wrist, fingers, 0.03, 0.028), 0.02);
  double neck = field_capsule(x, (place){0, 0.015, 1.4}, (place){0, 0, 1.56}, 0.046);
  return field_union(field_union(trunk(x), arm, 0.04), neck, 0.05);
}

static double leg(const double x[3]) {
  place hip = {0.088, 0, 0.87}, knee = {0.11, -0.005, 0.47}, ankle = {0.125, 0.02, 0.09};
  double f = field_cone(x, hip, knee, 0.088, 0.052);
  f = field_union(f, field_cone(x, knee, ankle, 0.052, 0.034), 0.03);
  double foot = field_cone(x, (place){0.126, 0.03, 0.04}, (place){0.15, -0.14, 0.028}, 0.04, 0.028);
  return field_union(f, foot, 0.04);
}

double dancer_field(const void *context, const double at[3]) {
  double x[3] = {fabs(at[0]), at[1], at[2]};
  double head = field_cone(x, (place){0, -0.02, 1.58}, (place){0, -0.005, 1.615}, 0.07, 0.085);
  double f = field_union(dancer_torso(context, x), leg(x), 0.03);
  return field_union(f, head, 0.03);
}

mesh shape_dancer(double size) {
  return shape_field_skin(dancer_field, NULL, (place){-0.75, -0.35, -0.12},
                          (place){0.75, 0.35, 1.85}, size);
}
