/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coulomb/contact_solver.h"

#include <math.h>
#include <string.h>

const contact_solver *const contact_solvers[] = {&contact_auto,
                                                 &contact_gauss_seidel,
                                                 &contact_mixed,
                                                 &contact_prox,
                                                 &contact_staggered,
                                                 &contact_alart_curnier,
                                                 &contact_fischer_burmeister,
                                                 &contact_pivoting,
                                                 &contact_interior,
                                                 &contact_admm};
const size_t contact_solver_count = sizeof contact_solvers / sizeof *contact_solvers;

const contact_solver *contact_solver_find(const char *name) {
  for (size_t i = 0; i < contact_solver_count; i++)
    if (strcmp(contact_solvers[i]->name, name) == 0) return contact_solvers[i];
  return NULL;
}

/* ---- the best iterate ---- */

tribo_status contact_track_begin(const contact_unit *p, const vec3 *r, vec3 *u, arena *scratch,
                                 contact_track *out, tribo_error *err) {
  *out =
      (contact_track){.p = p, .best = ARENA_ARRAY(scratch, vec3, p->count), .residual = INFINITY};
  if (!out->best) return status_no_memory(err, "a contact solver");
  memcpy(out->best, r, (size_t)p->count * sizeof *r);
  contact_unit_velocity(p, r, u);
  out->residual = contact_unit_residual(p, u, r);
  return TRIBO_OK;
}

double contact_track_note(contact_track *t, const vec3 *u, const vec3 *r) {
  /* Every solver stops at a residual of 0; contact_solve says what it was. */
  if (t->p->tasks && tasks_stopped(t->p->tasks)) return t->residual = 0;
  double residual = contact_unit_residual(t->p, u, r);
  if (residual < t->residual) {
    t->residual = residual;
    memcpy(t->best, r, (size_t)t->p->count * sizeof *r);
  }
  return residual;
}

void contact_track_end(const contact_track *t, int iterations, vec3 *r, contact_run *run) {
  memcpy(r, t->best, (size_t)t->p->count * sizeof *r);
  run->iterations = iterations;
  run->residual = t->residual;
}

/* ---- group by group ---- */

typedef struct job {
  const contact_problem *p;
  const contact_solver *solver;
  contact_groups groups;
  double residual, enough; /* allowed over all contacts */
  int iterations;
  const tasks *tasks;
  vec3 *r;
  contact_run *runs;
  tribo_status *status;
  tribo_error *errors;
} job;

/* Each group gets the share of the residual that its contacts are of all: squares add up. */
static tribo_status solve_group(const job *j, size_t g, arena *memory, tribo_error *err) {
  size_t begin = j->groups.start[g], count = j->groups.start[g + 1] - begin;
  const int32_t *contact = j->groups.contact + begin;
  contact_unit unit;
  TRY(contact_unit_make(j->p, contact, count, memory, &unit, err));
  unit.tasks = j->tasks;
  vec3 *r = ARENA_ARRAY(memory, vec3, count);
  if (!r) return status_no_memory(err, "a group of contacts");
  for (size_t i = 0; i < count; i++) r[i] = contact_unit_in(&unit, (int32_t)i, j->r[contact[i]]);
  double share = (double)count / (double)contact_problem_count(j->p);
  contact_goal goal = {.residual = j->residual * sqrt(share),
                       .iterations = j->iterations,
                       .enough = j->enough * sqrt(share)};
  TRY(j->solver->solve(&unit, &goal, memory, r, &j->runs[g], err));
  for (size_t i = 0; i < count; i++) j->r[contact[i]] = contact_unit_out(&unit, (int32_t)i, r[i]);
  return TRIBO_OK;
}

static void solve_groups(void *context, size_t begin, size_t end) {
  job *j = context;
  arena memory = {0};
  for (size_t g = begin; g < end; g++) {
    arena_reset(&memory);
    j->status[g] = solve_group(j, g, &memory, &j->errors[g]);
  }
  arena_free(&memory);
}

static tribo_status one_group(size_t count, arena *memory, contact_groups *out, tribo_error *err) {
  *out = (contact_groups){.count = count > 0,
                          .start = ARENA_ARRAY(memory, size_t, 2),
                          .contact = ARENA_ARRAY(memory, int32_t, count)};
  if (!out->start || !out->contact) return status_no_memory(err, "the groups of contacts");
  out->start[1] = count;
  for (size_t i = 0; i < count; i++) out->contact[i] = (int32_t)i;
  return TRIBO_OK;
}

static double blocks_of(const job *j, size_t g) {
  const bcsr_pattern *pattern = j->p->w.pattern;
  double blocks = 0;
  for (size_t k = j->groups.start[g]; k < j->groups.start[g + 1]; k++) {
    int32_t i = j->groups.contact[k];
    blocks += pattern->row_start[i + 1] - pattern->row_start[i];
  }
  return blocks;
}

static void gather(const job *j, contact_solve_report *report) {
  report->groups = j->groups.count;
  double visited = 0, blocks = 0;
  for (size_t g = 0; g < j->groups.count; g++) {
    size_t size = j->groups.start[g + 1] - j->groups.start[g];
    if (j->runs[g].iterations > report->iterations) report->iterations = j->runs[g].iterations;
    double own = blocks_of(j, g);
    visited += j->runs[g].sweeps * own;
    blocks += own;
    if (size <= report->largest) continue;
    report->largest = size;
    report->used = j->runs[g].used;
  }
  report->sweeps = (int)ceil(visited / fmax(1, blocks));
}

static tribo_status solve_all(job *j, const contact_solve_options *options, arena *memory,
                              contact_solve_report *report, tribo_error *err) {
  size_t count = contact_problem_count(j->p);
  if (options->whole)
    TRY(one_group(count, memory, &j->groups, err));
  else
    TRY(contact_groups_find(j->p->w.pattern, memory, &j->groups, err));
  j->runs = ARENA_ARRAY(memory, contact_run, j->groups.count);
  j->status = ARENA_ARRAY(memory, tribo_status, j->groups.count);
  j->errors = ARENA_ARRAY(memory, tribo_error, j->groups.count);
  if (!j->runs || !j->status || !j->errors) return status_no_memory(err, "the groups of contacts");
  tasks_for(&options->tasks, j->groups.count, 1, solve_groups, j);
  for (size_t g = 0; g < j->groups.count; g++)
    if (j->status[g] != TRIBO_OK) {
      if (err) *err = j->errors[g];
      return j->status[g];
    }
  gather(j, report);
  return TRIBO_OK;
}

tribo_status contact_solve(const contact_problem *p, const contact_solver *solver,
                           const contact_solve_options *options, vec3 *r,
                           contact_solve_report *report, tribo_error *err) {
  *report = (contact_solve_report){.used = solver->name};
  if (p->drill && !solver->caps.drilling)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "solver '%s' knows no drilling friction; take 'auto', or leave mu_drill out",
                       solver->name);
  job j = {.p = p,
           .solver = solver,
           .residual = options->tolerance * (1 + contact_problem_norm(p)),
           .enough = options->enough * (1 + contact_problem_norm(p)),
           .iterations = options->iterations > 0 ? options->iterations : solver->caps.iterations,
           .tasks = &options->tasks,
           .r = r};
  arena memory = {0};
  tribo_status status = solve_all(&j, options, &memory, report, err);
  arena_free(&memory);
  TRY(status);
  TRY(tasks_check(&options->tasks, err));
  report->residual = contact_problem_residual(p, r, NULL);
  report->converged = report->residual <= options->tolerance;
  return TRIBO_OK;
}
