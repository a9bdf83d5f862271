/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_admm: alternating directions on De Saxce's form, over-relaxed, with a penalty that
 * adapts.
 *
 *   (W + p I) r = p v - x - (q + s n)      s = |x_T|: x becomes -(u + s n), so x_T is -u_T
 *   v = P_K(r' + x / p)                    r' = a r + (1 - a) v, a = 1.6
 *   x = x + p (r' - v)
 *
 * One factorisation serves as long as p stays.
 */
#include <string.h>

#include "coulomb/contact_solver.h"
#include "linsys/linsys.h"

static const double RELAXED = 1.6, BALANCE = 10, ADAPT = 4;
enum { LOOK_EVERY = 5, ADAPT_EVERY = 20 };

typedef struct admm {
  const contact_unit *p;
  linsys *linear;
  bcsr a; /* the symmetric part of W, and p on its diagonal */
  double penalty;
  vec3 *r, *v, *x, *y, *u, *old;
} admm;

/* What W has over its symmetric part. */
static mat3 odd_part(const contact_unit *p, int32_t i, int32_t k) {
  int32_t back = bcsr_find(&p->pattern, p->pattern.columns[k], i);
  mat3 odd = p->w.blocks[k];
  for (int a = 0; a < 9; a++)
    odd.m[a / 3][a % 3] =
        (odd.m[a / 3][a % 3] - (back < 0 ? 0 : p->w.blocks[back].m[a % 3][a / 3])) / 2;
  return odd;
}

static tribo_status factor(admm *s, bool *done, tribo_error *err) {
  memcpy(s->a.blocks, s->p->w.blocks, (size_t)bcsr_block_count(&s->p->pattern) * sizeof(mat3));
  for (int32_t i = 0; i < s->p->count && !s->p->symmetric; i++)
    for (int32_t k = s->p->pattern.row_start[i]; k < s->p->pattern.row_start[i + 1]; k++) {
      mat3 odd = odd_part(s->p, i, k), minus = mat3_scale(-1, &odd);
      s->a.blocks[k] = mat3_add(&s->a.blocks[k], &minus);
    }
  for (int32_t i = 0; i < s->p->count; i++)
    for (int c = 0; c < 3; c++) s->a.blocks[s->p->pattern.diagonal[i]].m[c][c] += s->penalty;
  linsys_outcome outcome;
  linsys_values(s->linear, &s->a);
  TRY(linsys_factor(s->linear, &outcome, err));
  *done = outcome == LINSYS_DONE;
  return TRIBO_OK;
}

static tribo_status iterate(admm *s, tribo_error *err) {
  for (int32_t i = 0; i < s->p->count; i++) {
    vec3 x = s->x[i];
    s->y[i] = vec3_sub(vec3_madd(vec3_scale(-1, x), s->penalty, s->v[i]), s->p->q[i]);
    if (contact_kind(s->p->drill, (size_t)i) != CONTACT_DRILLING)
      s->y[i].x -= contact_unit_across(s->p, i, s->x);
    for (int32_t k = s->p->pattern.row_start[i];
         k < s->p->pattern.row_start[i + 1] && !s->p->symmetric; k++) {
      mat3 odd = odd_part(s->p, i, k);
      s->y[i] = vec3_sub(s->y[i], mat3_mul_vec3(&odd, s->r[s->p->pattern.columns[k]]));
    }
  }
  linsys_outcome outcome;
  TRY(linsys_solve(s->linear, (const double *)s->y, 1, (double *)s->r, &outcome, err));
  for (int32_t i = 0; i < s->p->count; i++) {
    s->y[i] = vec3_madd(vec3_scale(RELAXED, s->r[i]), 1 - RELAXED, s->v[i]);
    s->old[i] = s->v[i];
    s->v[i] = vec3_madd(s->y[i], 1 / s->penalty, s->x[i]);
  }
  contact_unit_project(s->p, s->v);
  for (int32_t i = 0; i < s->p->count; i++)
    s->x[i] = vec3_madd(s->x[i], s->penalty, vec3_sub(s->y[i], s->v[i]));
  return TRIBO_OK;
}

/* Primal against dual residual: |r - v| against p |v - old|. */
static bool unbalanced(admm *s) {
  double primal = 0, dual = 0;
  for (int32_t i = 0; i < s->p->count; i++) {
    primal += vec3_norm2(vec3_sub(s->r[i], s->v[i]));
    dual += vec3_norm2(vec3_sub(s->v[i], s->old[i]));
  }
  primal = sqrt(primal), dual = s->penalty * sqrt(dual);
  if (primal > BALANCE * dual)
    s->penalty *= ADAPT;
  else if (dual > BALANCE * primal)
    s->penalty /= ADAPT;
  else
    return false;
  return true;
}

static tribo_status run_admm(admm *s, const contact_goal *goal, contact_track *track,
                             int *iterations, tribo_error *err) {
  bool can;
  TRY(factor(s, &can, err));
  while (can && track->residual > goal->residual && *iterations < goal->iterations) {
    ++*iterations;
    TRY(iterate(s, err));
    if (*iterations % LOOK_EVERY == 0 || *iterations == goal->iterations) {
      contact_unit_velocity(s->p, s->v, s->u);
      contact_track_note(track, s->u, s->v);
    }
    if (*iterations % ADAPT_EVERY == 0 && unbalanced(s)) TRY(factor(s, &can, err));
  }
  return TRIBO_OK;
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  admm s = {.p = p, .penalty = 0.1, .a = {.pattern = &p->pattern}};
  size_t n = (size_t)p->count;
  vec3 **arrays[] = {&s.r, &s.v, &s.x, &s.y, &s.u, &s.old};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!(*arrays[i] = ARENA_ARRAY(scratch, vec3, n))) return status_no_memory(err, "ADMM");
  s.a.blocks = ARENA_ARRAY(scratch, mat3, bcsr_block_count(&p->pattern));
  if (!s.a.blocks) return status_no_memory(err, "ADMM");
  contact_track track;
  TRY(contact_track_begin(p, r, s.u, scratch, &track, err));
  memcpy(s.v, r, n * sizeof *r);
  contact_unit_project(p, s.v);
  for (int32_t i = 0; i < p->count; i++) {
    vec3 u = s.u[i];
    if (contact_kind(p->drill, (size_t)i) != CONTACT_DRILLING)
      u.x += contact_unit_across(p, i, s.u);
    s.x[i] = vec3_scale(-1, u);
  }
  linsys_options options = {.kind = LINSYS_CHOLMOD, .tasks = {1}};
  TRY(linsys_create(&options, &p->pattern, &s.linear, err));
  int iterations = 0;
  tribo_status status = run_admm(&s, goal, &track, &iterations, err);
  linsys_free(s.linear);
  contact_track_end(&track, iterations, r, run);
  run->used = contact_admm.name;
  return status;
}

const contact_solver contact_admm = {
    .name = "admm",
    .about = "alternating directions with an adaptive penalty",
    .caps = {.singular = true, .drilling = true, .iterations = 5000},
    .solve = solve,
};
