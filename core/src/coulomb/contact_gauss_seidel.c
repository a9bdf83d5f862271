/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_gauss_seidel: contact after contact, each solved exactly (contact_local.h) with the
 * impulses of the others as they stand. Always in the same order: forth and back in turn took 1.7
 * times the sweeps or more on six of the piles of bench_contact_problems, fewer on one.
 */
#include <string.h>

#include "coulomb/contact_local.h"
#include "coulomb/contact_solver.h"
#include "math/anderson.h"

/* A residual costs as much as a sweep. */
enum { FIRST_LOOK = 2, LOOK_EVERY = 8 };

typedef struct sweeper {
  const contact_unit *p;
  contact_local *local;
  double *slip;
  vec3 *r;
} sweeper;

/* The block of one that drills, with what couples it to its torque. */
static contact_local make_drill(const contact_unit *p, int32_t i, int32_t d) {
  const bcsr_pattern *pattern = &p->pattern;
  const mat3 *own = &p->w.blocks[pattern->diagonal[i]];
  const mat3 *turn = &p->w.blocks[pattern->diagonal[d]];
  int32_t there = bcsr_find(pattern, i, d), back = bcsr_find(pattern, d, i);
  double w[4][4] = {{0}};
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) w[a][b] = own->m[a][b];
    if (there >= 0) w[a][3] = p->w.blocks[there].m[a][0];
    if (back >= 0) w[3][a] = p->w.blocks[back].m[0][a];
  }
  w[3][3] = turn->m[0][0];
  return contact_local_make_drill(w);
}

static tribo_status sweeper_make(const contact_unit *p, arena *scratch, vec3 *r, sweeper *out,
                                 tribo_error *err) {
  *out = (sweeper){.p = p,
                   .local = ARENA_ARRAY(scratch, contact_local, p->count),
                   .slip = ARENA_ARRAY(scratch, double, p->count),
                   .r = r};
  if (!out->local || !out->slip) return status_no_memory(err, "Gauss-Seidel");
  for (int32_t i = 0; i < p->count; i++) {
    contact_row_kind kind = contact_kind(p->drill, (size_t)i);
    if (kind == CONTACT_PLAIN)
      out->local[i] = contact_local_make(&p->w.blocks[p->pattern.diagonal[i]]);
    if (kind == CONTACT_DRILLS) out->local[i] = make_drill(p, i, p->drill[i]);
  }
  return TRIBO_OK;
}

/* What row i moves at without the impulse of its own. */
static vec3 without_own(const sweeper *s, int32_t i) {
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
  return q;
}

static void visit(sweeper *s, int32_t i) {
  contact_row_kind kind = contact_kind(s->p->drill, (size_t)i);
  if (kind == CONTACT_PLAIN) {
    s->r[i] = contact_local_solve(&s->local[i], without_own(s, i), &s->slip[i]);
  } else if (kind == CONTACT_DRILLS) {
    int32_t d = s->p->drill[i];
    vec3 none = {0, 0, 0};
    s->r[i] = s->r[d] = none; /* neither acts on the other */
    vec3 q = without_own(s, i);
    double spin = without_own(s, d).x;
    s->r[i] = contact_local_solve_drill(&s->local[i], q, spin, &s->slip[i], &s->r[d].x);
  }
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
    .caps = {.singular = true, .drilling = true, .iterations = 10000},
    .solve = solve,
};

/* ---- the same, mixed ---- */

/* Sweeps as a map r -> G(r), mixed by Anderson (math/anderson.h): where contacts are more than
 * bodies can tell apart, impulses travel through a pile sweep by sweep, and the mixing sees where
 * they go. An answer off its cones is put back on them. */
static tribo_status solve_mixed(const contact_unit *p, const contact_goal *goal, arena *scratch,
                                vec3 *r, contact_run *run, tribo_error *err) {
  sweeper s;
  contact_track track;
  anderson mixing;
  tasks one = {.threads = 1};
  size_t n = (size_t)p->count;
  vec3 *u = ARENA_ARRAY(scratch, vec3, n), *from = ARENA_ARRAY(scratch, vec3, n);
  if (!u || !from) return status_no_memory(err, "Gauss-Seidel");
  TRY(sweeper_make(p, scratch, r, &s, err));
  TRY(contact_track_begin(p, r, u, scratch, &track, err));
  TRY(anderson_create(3 * n, &one, scratch, &mixing, err));
  anderson_begin(&mixing);
  int done = 0;
  while (track.residual > goal->residual && done < goal->iterations) {
    done++;
    memcpy(from, r, n * sizeof *r);
    for (int32_t i = 0; i < p->count; i++) visit(&s, i);
    if (done <= FIRST_LOOK || done % LOOK_EVERY == 0 || done == goal->iterations) {
      contact_unit_velocity(p, r, u);
      contact_track_note(&track, u, r);
    }
    for (size_t i = 0; i < n; i++) u[i] = vec3_sub(r[i], from[i]);
    memcpy(r, from, n * sizeof *r);
    anderson_next(&mixing, &u->x, &r->x);
    contact_unit_project(p, r);
  }
  contact_track_end(&track, done, r, run);
  run->used = contact_mixed.name;
  return TRIBO_OK;
}

const contact_solver contact_mixed = {
    .name = "mixed",
    .about = "Gauss-Seidel whose sweeps are mixed by Anderson",
    .caps = {.singular = true, .drilling = true, .iterations = 10000},
    .solve = solve_mixed,
};
