/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_gauss_seidel: contact after contact, each solved exactly (contact_local.h) with the
 * impulses of the others as they stand. Always in the same order: forth and back in turn took 1.7
 * times the sweeps or more on six of the piles of bench_contact_problems, fewer on one.
 */
#include <string.h>

#include "solve/contact_local.h"
#include "solve/contact_solver.h"

/* A residual costs as much as a sweep. */
enum { FIRST_LOOK = 2, LOOK_EVERY = 8 };

typedef struct sweeper {
  const contact_unit *p;
  contact_local *local;
  double *slip;
  vec3 *r;
} sweeper;

static tribo_status sweeper_make(const contact_unit *p, arena *scratch, vec3 *r, sweeper *out,
                                 tribo_error *err) {
  *out = (sweeper){.p = p,
                   .local = ARENA_ARRAY(scratch, contact_local, p->count),
                   .slip = ARENA_ARRAY(scratch, double, p->count),
                   .r = r};
  if (!out->local || !out->slip) return status_no_memory(err, "Gauss-Seidel");
  for (int32_t i = 0; i < p->count; i++)
    out->local[i] = contact_local_make(&p->w.blocks[p->pattern.diagonal[i]]);
  return TRIBO_OK;
}

static void visit(sweeper *s, int32_t i) {
  const bcsr_pattern *pattern = &s->p->pattern;
  vec3 q = s->p->q[i];
  int32_t own = pattern->diagonal[i];
  for (int32_t k = pattern->row_start[i]; k < own; k++)
    q = vec3_add(q, mat3_mul_vec3(&s->p->w.blocks[k], s->r[pattern->columns[k]]));
  for (int32_t k = own + 1; k < pattern->row_start[i + 1]; k++)
    q = vec3_add(q, mat3_mul_vec3(&s->p->w.blocks[k], s->r[pattern->columns[k]]));
  /* The contact is solved with the symmetric part of its block; the rest acts as it last was. */
  if (!s->p->symmetric) {
    const mat3 *w = &s->p->w.blocks[own];
    mat3 back = mat3_transposed(w);
    vec3 twice = vec3_sub(mat3_mul_vec3(w, s->r[i]), mat3_mul_vec3(&back, s->r[i]));
    q = vec3_madd(q, 0.5, twice);
  }
  s->r[i] = contact_local_solve(&s->local[i], q, &s->slip[i]);
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  sweeper s;
  contact_track track;
  vec3 *u = ARENA_ARRAY(scratch, vec3, p->count);
  if (!u) return status_no_memory(err, "Gauss-Seidel");
  TRY(sweeper_make(p, scratch, r, &s, err));
  TRY(contact_track_begin(p, r, u, scratch, &track, err));
  int done = 0;
  while (track.residual > goal->residual && done < goal->iterations) {
    done++;
    for (int32_t i = 0; i < p->count; i++) visit(&s, i);
    if (done > FIRST_LOOK && done % LOOK_EVERY && done < goal->iterations) continue;
    contact_unit_velocity(p, r, u);
    contact_track_note(&track, u, r);
  }
  contact_track_end(&track, done, r, run);
  run->used = contact_gauss_seidel.name;
  return TRIBO_OK;
}

const contact_solver contact_gauss_seidel = {
    .name = "gauss-seidel",
    .about = "contact by contact, each solved exactly",
    .caps = {.singular = true, .iterations = 10000},
    .solve = solve,
};
