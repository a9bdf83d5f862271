/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_interior: a primal-dual interior-point method with Nesterov and Todd's scaling, carried
 * over from second-order cone programs to De Saxce's form of Coulomb's law.
 *
 *   W r + q + |z_T| n = z      r, z in the interior of K      r o z = m e, m -> 0
 *
 * z_T is u_T, so the lift of the normal velocity is a function of z and is linearised with the
 * rest: E dz, E = n (z_T / |z_T|)^T. With dz = c - T dr from the scaled complementarity (T r = z),
 * and (I - E)^-1 = I + E because E^2 = 0, what is left is
 *
 *   ((I + E) W + T) dr = c - (I + E) F
 *
 * T is positive definite: nothing asks W for its rank. Near the rims r_N - |r_T| loses its digits
 * and the last few orders do not come; by then everyone's case is plain, and Newton's method on the
 * Alart-Curnier function takes the last steps.
 */
#include <float.h>
#include <string.h>

#include "coulomb/contact_linear.h"
#include "coulomb/contact_newton.h"
#include "math/hypotenuse.h"

static const double TO_THE_RIM = 0.995;

/* The tip of |z_T| is rounded off by this much of the gap: a sticking contact goes there. */
static const double ROUNDED = 0.1;

/* A corrected step shorter than this is given up for one that only centres. */
static const double SHORT = 0.3, CENTRE = 0.5;
enum { PATIENCE = 15, POLISH = 30 };

typedef struct scaling {
  vec3 w;      /* of determinant 1 */
  double eta;  /* squared, it makes T = eta^2 (2 w w^T - J) */
  vec3 lambda; /* what r and z both are in the scaled space */
} scaling;

typedef struct interior {
  const contact_unit *p;
  contact_linear *linear;
  vec3 *r, *z, *u, *f, *c, *y, *dr, *dz, *dr0, *dz0;
  scaling *at;
  mat3 *lift, *t;
} interior;

static bool allocate(interior *s, arena *scratch) {
  size_t n = (size_t)s->p->count;
  vec3 **arrays[] = {&s->r, &s->z, &s->u, &s->f, &s->c, &s->y, &s->dr, &s->dz, &s->dr0, &s->dz0};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!(*arrays[i] = ARENA_ARRAY(scratch, vec3, n))) return false;
  s->at = ARENA_ARRAY(scratch, scaling, n);
  s->lift = ARENA_ARRAY(scratch, mat3, n);
  s->t = ARENA_ARRAY(scratch, mat3, n);
  return s->at && s->lift && s->t;
}

/* ---- the algebra of the cone ---- */

/* x_N^2 - |x_T|^2 without the cancellation. */
static double determinant(vec3 x) {
  double length = hypotenuse(x.y, x.z);
  return (x.x - length) * (x.x + length);
}

static vec3 product(vec3 x, vec3 y) {
  return vec3_make(vec3_dot(x, y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z);
}

/* y with x o y = d */
static vec3 divide(vec3 x, vec3 d) {
  double det = determinant(x), dot = x.y * d.y + x.z * d.z;
  double n = (x.x * d.x - dot) / det;
  return vec3_make(n, (d.y - n * x.y) / x.x, (d.z - n * x.z) / x.x);
}

/* H x with H = [w_N, w_T^T; w_T, I + w_T w_T^T / (1 + w_N)]; its inverse is that of (w_N, -w_T). */
static vec3 turn(vec3 w, vec3 x) {
  double dot = w.y * x.y + w.z * x.z, along = x.x + dot / (1 + w.x);
  return vec3_make(w.x * x.x + dot, x.y + along * w.y, x.z + along * w.z);
}

static vec3 mirrored(vec3 x) { return vec3_make(x.x, -x.y, -x.z); }

static scaling scale(vec3 r, vec3 z) {
  double of_r = sqrt(determinant(r)), of_z = sqrt(determinant(z));
  vec3 a = vec3_scale(1 / of_r, r), b = vec3_scale(1 / of_z, z);
  double gamma = sqrt((1 + vec3_dot(a, b)) / 2);
  scaling s = {.w = vec3_scale(1 / (2 * gamma), vec3_add(b, mirrored(a))),
               .eta = sqrt(of_z / of_r)};
  s.lambda = vec3_scale(s.eta, turn(s.w, r));
  return s;
}

/* The longest a <= most with x + a d in the cone. */
static double room(vec3 x, vec3 d, double most) {
  double a = d.x * d.x - d.y * d.y - d.z * d.z;
  double b = x.x * d.x - x.y * d.y - x.z * d.z, c = determinant(x);
  double reach = most;
  double under = b * b - a * c;
  if (under >= 0) {
    /* a s^2 + 2 b s + c = 0, the smallest root above 0 */
    double q = -(b + (b >= 0 ? sqrt(under) : -sqrt(under)));
    double first = a != 0 ? q / a : INFINITY, second = q != 0 ? c / q : INFINITY;
    if (first > 0 && first < reach) reach = first;
    if (second > 0 && second < reach) reach = second;
  }
  if (d.x < 0 && -x.x / d.x < reach) reach = -x.x / d.x;
  return reach;
}

/* ---- one iteration ---- */

static double gap(const interior *s) {
  double sum = 0;
  for (int32_t i = 0; i < s->p->count; i++) sum += vec3_dot(s->r[i], s->z[i]);
  return sum / s->p->count;
}

/* F = W r + q + |z_T| n - z, and the matrices of this iterate. */
static void linearise(interior *s) {
  contact_unit_velocity(s->p, s->r, s->u);
  double rounding = ROUNDED * gap(s);
  for (int32_t i = 0; i < s->p->count; i++) {
    vec3 z = s->z[i];
    double length = sqrt(z.y * z.y + z.z * z.z + rounding * rounding);
    s->f[i] = vec3_sub(s->u[i], z);
    s->f[i].x += length - rounding;
    s->lift[i] = mat3_identity();
    if (length > 0) s->lift[i].m[0][1] = z.y / length, s->lift[i].m[0][2] = z.z / length;
    s->at[i] = scale(s->r[i], z);
    vec3 w = s->at[i].w;
    double square = s->at[i].eta * s->at[i].eta;
    mat3 t = mat3_outer(w, w);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        t.m[a][b] = square * (2 * t.m[a][b] - (a == b ? (a ? -1 : 1) : 0));
    s->t[i] = t;
  }
}

/* The step for the right-hand side d of lambda o (H dr + H^-1 dz) = d, into dr and dz. */
static bool direction(interior *s, double centre, bool second, vec3 *dr, vec3 *dz) {
  for (int32_t i = 0; i < s->p->count; i++) {
    const scaling *at = &s->at[i];
    vec3 d = vec3_scale(-1, product(at->lambda, at->lambda));
    d.x += centre;
    if (second) {
      vec3 a = vec3_scale(at->eta, turn(at->w, s->dr0[i]));
      vec3 b = vec3_scale(1 / at->eta, turn(mirrored(at->w), s->dz0[i]));
      d = vec3_sub(d, product(a, b));
    }
    s->c[i] = vec3_scale(at->eta, turn(at->w, divide(at->lambda, d)));
    s->y[i] = vec3_sub(s->c[i], mat3_mul_vec3(&s->lift[i], s->f[i]));
  }
  if (!contact_linear_solve(s->linear, s->y, dr)) return false;
  for (int32_t i = 0; i < s->p->count; i++)
    dz[i] = vec3_sub(s->c[i], mat3_mul_vec3(&s->t[i], dr[i]));
  return true;
}

static double longest(const interior *s, const vec3 *dr, const vec3 *dz) {
  double a = 1 / TO_THE_RIM;
  for (int32_t i = 0; i < s->p->count; i++) {
    a = room(s->r[i], dr[i], a);
    a = room(s->z[i], dz[i], a);
  }
  return fmin(1, TO_THE_RIM * a);
}

static double gap_after(const interior *s, double a) {
  double sum = 0;
  for (int32_t i = 0; i < s->p->count; i++)
    sum += vec3_dot(vec3_madd(s->r[i], a, s->dr0[i]), vec3_madd(s->z[i], a, s->dz0[i]));
  return sum / s->p->count;
}

/* Mehrotra's predictor and corrector. False when it cannot go on. */
static bool advance(interior *s) {
  double m = gap(s);
  if (!contact_linear_factor(s->linear, s->lift, s->t, 0)) return false;
  if (!direction(s, 0, false, s->dr0, s->dz0)) return false;
  double ratio = gap_after(s, longest(s, s->dr0, s->dz0)) / m;
  double sigma = fmin(1, fmax(0, ratio));
  if (!direction(s, sigma * sigma * sigma * m, true, s->dr, s->dz)) return false;
  double a = longest(s, s->dr, s->dz);
  if (a < SHORT) {
    if (!direction(s, CENTRE * m, false, s->dr, s->dz)) return false;
    a = longest(s, s->dr, s->dz);
  }
  if (!(a > 1e-8)) return false;
  for (int32_t i = 0; i < s->p->count; i++) {
    s->r[i] = vec3_madd(s->r[i], a, s->dr[i]);
    s->z[i] = vec3_madd(s->z[i], a, s->dz[i]);
    if (!(determinant(s->r[i]) > 0) || !(determinant(s->z[i]) > 0)) return false;
  }
  return true;
}

/* Well inside both cones: of the size that an impulse or velocity has in unit problems. */
static void start(interior *s) {
  for (int32_t i = 0; i < s->p->count; i++) {
    s->r[i] = vec3_make(1, 0, 0);
    s->z[i] = vec3_make(1, 0, 0);
  }
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  interior s = {.p = p};
  contact_track track;
  if (!allocate(&s, scratch)) return status_no_memory(err, "the interior-point method");
  TRY(contact_track_begin(p, r, s.u, scratch, &track, err));
  TRY(contact_linear_create(p, &s.linear, err));
  start(&s);
  int iterations = 0, since = 0;
  double stood = INFINITY;
  linearise(&s);
  while (track.residual > goal->residual && iterations < goal->iterations) {
    iterations++;
    if (!advance(&s)) break;
    linearise(&s);
    double now = contact_track_note(&track, s.u, s.r);
    if (now < 0.7 * stood)
      stood = now, since = 0;
    else if (++since > PATIENCE)
      break;
  }
  contact_linear_free(s.linear);
  contact_track_end(&track, iterations, r, run);
  run->used = contact_interior.name;
  if (track.residual <= goal->residual || iterations >= goal->iterations) return TRIBO_OK;
  contact_goal last = {goal->residual, POLISH};
  TRY(contact_newton_run(p, &contact_function_alart_curnier, &last, scratch, r, run, err));
  run->iterations += iterations;
  return TRIBO_OK;
}

const contact_solver contact_interior = {
    .name = "interior",
    .about = "primal-dual interior-point method",
    .caps = {.singular = true, .direct = true, .iterations = 100},
    .solve = solve,
};
