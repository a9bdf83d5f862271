/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls_kernel: how much a sample counts at a distance (Larionov, Fan, Pai 2021, section 4.1.1).
 *
 * With u = (r/R)^2 and t = r/R, for r < R (a sample has no say beyond), all 1 at r = 0:
 *
 *   interpolating (10)   w = C ((u + e)^-2 - (1 + e)^-2)          C = e^2 (1 + e)^2 / (1 + 2e)
 *                          = e^2/(1 + 2e) (1 - u) (1 + u + 2e) / (u + e)^2
 *   cubic                w = 1 - 3 t^2 + 2 t^3 = (1 - t)^2 (1 + 2t)
 *   smooth               w = C ((u + e)^-2 - (1 + e)^-2 + 2 (1 + e)^-3 (u - 1))
 *                          = e^2/(1 + 3e) (1 - u)^2 (1 + 3e + 2u) / (u + e)^2
 *
 * The factored forms are what is computed: they lose no digits near the rim. The paper's
 * interpolating kernel reaches 0 at R with the slope -4 C / (R (1 + e)^3), not 0: the potential's
 * gradient jumps where a sample comes into reach or leaves it. `smooth` is ours: the same kernel
 * less its tangent in u at the rim, which interpolates as well and has a continuous gradient, as
 * the cubic has. The second derivative jumps at the rim with all three.
 *
 * A kernel is used as w, w'/r and (w'' - w'/r)/r^2: with d = x - s the gradient of w(|d|) is then
 * slope d, its Hessian slope I + curve d d^T, and nothing is divided by r. (The cubic's curve grows
 * as 1/r, slower than d d^T vanishes; on the sample it is a large finite number times zero.)
 */
#ifndef MLS_MLS_KERNEL_H
#define MLS_MLS_KERNEL_H

#include <math.h>
#include <stdbool.h>

typedef enum mls_kernel {
  MLS_INTERPOLATING, /* (10) */
  MLS_CUBIC,
  MLS_SMOOTH /* (10) with the slope taken out at the rim */
} mls_kernel;

/* What epsilon and R may be, so that no power of them leaves the range of a double. */
#define MLS_EPSILON_MIN 1e-9
#define MLS_EPSILON_MAX 1e3
#define MLS_RADIUS_MIN  1e-30
#define MLS_RADIUS_MAX  1e30

typedef struct mls_radial {
  double value, slope, curve; /* w, w'/r, (w'' - w'/r)/r^2 */
} mls_radial;

/* r < R, by so much that r^2 times the rounded 1/R^2 is below 1 and no weight below 0. */
static inline bool mls_in_reach(double r2, double reach2) { return r2 < reach2 * (1 - 1e-15); }

/* r2 = r^2 < R^2, k = 1/R^2 */
static inline mls_radial mls_interpolating(double r2, double k, double epsilon) {
  double u = r2 * k, b = 1 + epsilon, s = 1 / (u + epsilon);
  double top = epsilon * epsilon / (1 + 2 * epsilon), c = top * b * b;
  return (mls_radial){top * (1 - u) * (b + u + epsilon) * (s * s), -4 * c * k * (s * s * s),
                      24 * c * (k * k) * (s * s) * (s * s)};
}

static inline mls_radial mls_smooth(double r2, double k, double epsilon) {
  double u = r2 * k, b = 1 / (1 + epsilon), s = 1 / (u + epsilon);
  double top = epsilon * epsilon / (1 + 3 * epsilon);
  double c = top * (1 + epsilon) * (1 + epsilon) * (1 + epsilon);
  /* s^3 - b^3 = (s - b)(s^2 + s b + b^2), and s - b = (1 - u) s b */
  double cubes = (1 - u) * s * b * (s * s + s * b + b * b);
  return (mls_radial){top * ((1 - u) * (1 - u)) * (1 + 3 * epsilon + 2 * u) * (s * s),
                      -4 * c * k * cubes, 24 * c * (k * k) * (s * s) * (s * s)};
}

static inline mls_radial mls_cubic(double r2, double k) {
  double t = sqrt(r2 * k);
  return (mls_radial){((1 - t) * (1 - t)) * (1 + 2 * t), -6 * k * (1 - t),
                      6 * (k * k) / (t + 1e-150)};
}

static inline mls_radial mls_kernel_radial(mls_kernel kernel, double epsilon, double r2, double k) {
  return kernel == MLS_CUBIC           ? mls_cubic(r2, k)
         : kernel == MLS_INTERPOLATING ? mls_interpolating(r2, k, epsilon)
                                       : mls_smooth(r2, k, epsilon);
}

typedef struct mls_profile {
  double value, first, second; /* w, w', w'' */
} mls_profile;

/* The kernel as a function of the distance r >= 0; zeros from R on. */
static inline mls_profile mls_kernel_profile(mls_kernel kernel, double epsilon, double radius,
                                             double r) {
  double k = 1 / (radius * radius);
  if (!mls_in_reach(r * r, radius * radius)) return (mls_profile){0, 0, 0};
  mls_radial w = mls_kernel_radial(kernel, epsilon, r * r, k);
  return (mls_profile){w.value, w.slope * r, w.slope + w.curve * (r * r)};
}

#endif
