/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coulomb/contact_newton.h"

#include <float.h>
#include <string.h>

#include "coulomb/contact_linear.h"

/* Algorithm 2's constants; its interval of steps ends at 1, because a longer Newton step never
 * paid. */
static const double GOLDSTEIN_LOW = 0.1, GOLDSTEIN_HIGH = 0.9;
enum { SEARCH = 12 };

/* Newton gives up when this part of its iterations did not halve the residual. */
enum { PATIENCE_PART = 4 };

/* What stands in for the rank that W lacks: small against its diagonal of 1. The step it gives
 * misses the exact one by this over the smallest eigenvalue that is not 0. */
static const double REGULAR = 1e-10;

typedef struct newton {
  const contact_unit *p;
  const contact_function *function;
  contact_linear *linear;
  contact_scale *scale;
  vec3 *r, *u, *f, *step, *push; /* push = W step */
  vec3 *r_try, *u_try;
  mat3 *by_u, *by_r;
} newton;

static bool allocate(newton *s, arena *scratch) {
  size_t n = (size_t)s->p->count;
  s->scale = ARENA_ARRAY(scratch, contact_scale, n);
  s->u = ARENA_ARRAY(scratch, vec3, n);
  s->f = ARENA_ARRAY(scratch, vec3, n);
  s->step = ARENA_ARRAY(scratch, vec3, n);
  s->push = ARENA_ARRAY(scratch, vec3, n);
  s->r_try = ARENA_ARRAY(scratch, vec3, n);
  s->u_try = ARENA_ARRAY(scratch, vec3, n);
  s->by_u = ARENA_ARRAY(scratch, mat3, n);
  s->by_r = ARENA_ARRAY(scratch, mat3, n);
  return s->scale && s->u && s->f && s->step && s->push && s->r_try && s->u_try && s->by_u &&
         s->by_r;
}

static void measure_scale(newton *s) {
  for (int32_t i = 0; i < s->p->count; i++) {
    const mat3 *w = &s->p->w.blocks[s->p->pattern.diagonal[i]];
    double t = (w->m[1][1] + w->m[2][2]) / 2;
    s->scale[i] = (contact_scale){w->m[0][0] > 0 ? 1 / w->m[0][0] : 1, t > 0 ? 1 / t : 1};
  }
}

/* |f|^2 / 2, with the slopes. */
static double linearise(newton *s) {
  double sum = 0;
  for (int32_t i = 0; i < s->p->count; i++) {
    contact_sample at = s->function->slope(s->u[i], s->r[i], s->scale[i]);
    s->f[i] = at.f;
    s->by_u[i] = at.by_u;
    s->by_r[i] = at.by_r;
    sum += vec3_norm2(at.f);
  }
  return sum / 2;
}

/* The same of a step of length a. */
static double try_length(newton *s, double a) {
  double sum = 0;
  for (int32_t i = 0; i < s->p->count; i++) {
    s->r_try[i] = vec3_madd(s->r[i], a, s->step[i]);
    s->u_try[i] = vec3_madd(s->u[i], a, s->push[i]);
    sum += vec3_norm2(s->function->value(s->u_try[i], s->r_try[i], s->scale[i]));
  }
  return sum / 2;
}

/* Algorithm 2. The slope at 0 is that of the linear model, -2 merit for an exact step. Returns the
 * merit of what is in r_try. */
static double search(newton *s, double merit) {
  double low = 0, high = 1, a = 1, slope = -2 * merit, best = INFINITY, best_at = 1;
  for (int i = 0; i < SEARCH; i++) {
    double value = try_length(s, a), mean = (value - merit) / a;
    if (value < best) best = value, best_at = a;
    bool enough = mean <= GOLDSTEIN_LOW * slope, not_short = mean >= GOLDSTEIN_HIGH * slope;
    if (enough && (not_short || a >= 1)) return value;
    if (enough)
      low = a;
    else
      high = a;
    a = (low + high) / 2;
  }
  return best_at == a ? best : try_length(s, best_at);
}

static void iterate(newton *s, const contact_goal *goal, contact_track *track, int *iterations) {
  double stood = track->residual;
  int since = 0;
  while (track->residual > goal->residual && *iterations < goal->iterations) {
    ++*iterations;
    double merit = linearise(s);
    if (!contact_linear_factor(s->linear, s->by_u, s->by_r, REGULAR)) return;
    if (!contact_linear_solve(s->linear, s->f, s->step)) return;
    for (int32_t i = 0; i < s->p->count; i++) s->step[i] = vec3_scale(-1, s->step[i]);
    bcsr_multiply_rows(&s->p->w, s->step, 0, (size_t)s->p->count, s->push);
    double next = search(s, merit);
    memcpy(s->r, s->r_try, (size_t)s->p->count * sizeof *s->r);
    contact_unit_velocity(s->p, s->r, s->u);
    contact_track_note(track, s->u, s->r);
    if (!isfinite(next)) return;
    /* Not monotone by design: the natural map may rise while the merit falls. */
    if (track->residual < 0.5 * stood)
      stood = track->residual, since = 0;
    else if (++since > goal->iterations / PATIENCE_PART)
      return;
  }
}

tribo_status contact_newton_run(const contact_unit *p, const contact_function *function,
                                const contact_goal *goal, arena *scratch, vec3 *r, contact_run *run,
                                tribo_error *err) {
  newton s = {.p = p, .function = function, .r = r};
  contact_track track;
  if (!allocate(&s, scratch)) return status_no_memory(err, "Newton's method on contacts");
  TRY(contact_track_begin(p, r, s.u, scratch, &track, err));
  TRY(contact_linear_create(p, &s.linear, err));
  measure_scale(&s);
  int iterations = 0;
  iterate(&s, goal, &track, &iterations);
  contact_linear_free(s.linear);
  contact_track_end(&track, iterations, r, run);
  return TRIBO_OK;
}

static tribo_status solve_alart_curnier(const contact_unit *p, const contact_goal *goal,
                                        arena *scratch, vec3 *r, contact_run *run,
                                        tribo_error *err) {
  run->used = contact_alart_curnier.name;
  return contact_newton_run(p, &contact_function_alart_curnier, goal, scratch, r, run, err);
}

static tribo_status solve_fischer_burmeister(const contact_unit *p, const contact_goal *goal,
                                             arena *scratch, vec3 *r, contact_run *run,
                                             tribo_error *err) {
  run->used = contact_fischer_burmeister.name;
  return contact_newton_run(p, &contact_function_fischer_burmeister, goal, scratch, r, run, err);
}

const contact_solver contact_alart_curnier = {
    .name = "alart-curnier",
    .about = "nonsmooth Newton on the Alart-Curnier function",
    .caps = {.singular = true, .direct = true, .iterations = 200},
    .solve = solve_alart_curnier,
};

const contact_solver contact_fischer_burmeister = {
    .name = "fischer-burmeister",
    .about = "nonsmooth Newton on the Fischer-Burmeister function of the cone",
    .caps = {.singular = true, .direct = true, .iterations = 200},
    .solve = solve_fischer_burmeister,
};
