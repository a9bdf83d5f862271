/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_problem_api: the public functions of tribo/contact_problem.h: what is passed is looked at
 * once, here.
 */
#include "tribo/contact_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "coulomb/contact_file.h"
#include "coulomb/contact_solver.h"

struct tribo_contact_problem {
  contact_stored stored;
};

enum { MOST_NAMES = 32 };
static const double TOLERANCE = 1e-8;

static tribo_status missing(tribo_error *err, const char *function, const char *what) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s: %s is NULL", function, what);
}

tribo_status tribo_contact_problem_read(const char *path, tribo_contact_problem **out,
                                        tribo_error *err) {
  if (!out) return missing(err, __func__, "out");
  *out = NULL;
  if (!path) return missing(err, __func__, "path");
  tribo_contact_problem *made = calloc(1, sizeof *made);
  if (!made) return status_no_memory(err, "a contact problem");
  tribo_status status = contact_file_read(path, &made->stored, err);
  if (status == TRIBO_OK)
    *out = made;
  else
    free(made);
  return status;
}

tribo_status tribo_contact_problem_write(const tribo_contact_problem *problem, const char *path,
                                         tribo_error *err) {
  if (!problem) return missing(err, __func__, "problem");
  if (!path) return missing(err, __func__, "path");
  const contact_stored *s = &problem->stored;
  return contact_file_write(path, &s->problem, s->given ? s->r : NULL, s->title, FCLIB_COLUMNS,
                            err);
}

void tribo_contact_problem_free(tribo_contact_problem *problem) {
  if (!problem) return;
  contact_stored_free(&problem->stored);
  free(problem);
}

static void about_cones(const contact_problem *p, tribo_contact_info *out) {
  size_t count = contact_problem_count(p);
  out->mu_low = count ? INFINITY : 0;
  for (size_t i = 0; i < count; i++) {
    contact_coefficients g = p->grip[i];
    out->mu_low = fmin(out->mu_low, fmin(g.t, g.b));
    out->mu_high = fmax(out->mu_high, fmax(g.t, g.b));
    out->elliptic += g.t != g.b;
    out->frictionless += g.t == 0 && g.b == 0;
  }
}

tribo_status tribo_contact_problem_about(const tribo_contact_problem *problem,
                                         tribo_contact_info *out, tribo_error *err) {
  if (!problem) return missing(err, __func__, "problem");
  if (!out) return missing(err, __func__, "out");
  const contact_stored *s = &problem->stored;
  const contact_problem *p = &s->problem;
  *out = (tribo_contact_info){.title = s->title,
                              .contacts = contact_problem_count(p),
                              .blocks = (size_t)bcsr_block_count(p->w.pattern),
                              .asymmetry = contact_problem_asymmetry(&p->w),
                              .q_norm = contact_problem_norm(p),
                              .has_impulses = s->given,
                              .residual = contact_problem_residual(p, s->r, NULL)};
  about_cones(p, out);
  arena memory = {0};
  contact_groups groups;
  tribo_status status = contact_groups_find(p->w.pattern, &memory, &groups, err);
  if (status == TRIBO_OK) {
    out->groups = groups.count;
    for (size_t g = 0; g < groups.count; g++) {
      size_t size = groups.start[g + 1] - groups.start[g];
      if (size > out->largest) out->largest = size;
    }
  }
  arena_free(&memory);
  return status;
}

static tribo_status find_solver(const char *name, const contact_solver **out, tribo_error *err) {
  *out = contact_solver_find(name);
  if (*out) return TRIBO_OK;
  const char *names[MOST_NAMES];
  size_t count = 0;
  for (; count < contact_solver_count && count < MOST_NAMES; count++)
    names[count] = contact_solvers[count]->name;
  const char *meant = text_suggest(name, names, count);
  return status_fail(err, TRIBO_BAD_INPUT,
                     meant ? "there is no contact solver '%s'; did you mean '%s'?"
                           : "there is no contact solver '%s'; '%s' chooses by itself",
                     name, meant ? meant : contact_auto.name);
}

tribo_status tribo_contact_problem_solve(tribo_contact_problem *problem,
                                         const tribo_contact_options *options,
                                         tribo_contact_report *report, tribo_error *err) {
  if (!problem) return missing(err, __func__, "problem");
  if (!report) return missing(err, __func__, "report");
  tribo_contact_options o = options ? *options : (tribo_contact_options){0};
  if (!(o.tolerance >= 0) || !isfinite(o.tolerance))
    return status_fail(err, TRIBO_BAD_INPUT, "the tolerance is %g; it must be above 0",
                       o.tolerance);
  TRY(tasks_check_threads(o.threads, err));
  const contact_solver *solver;
  TRY(find_solver(o.solver ? o.solver : contact_auto.name, &solver, err));
  contact_stored *s = &problem->stored;
  if (o.cold) memset(s->r, 0, contact_problem_count(&s->problem) * sizeof *s->r);
  contact_solve_options inner = {.tolerance = o.tolerance > 0 ? o.tolerance : TOLERANCE,
                                 .iterations = o.iterations,
                                 .tasks = tasks_create(o.threads)};
  contact_solve_report found;
  double begin = clock_seconds();
  TRY(contact_solve(&s->problem, solver, &inner, s->r, &found, err));
  s->given = true;
  *report = (tribo_contact_report){.groups = found.groups,
                                   .largest = found.largest,
                                   .iterations = found.iterations,
                                   .residual = found.residual,
                                   .seconds = clock_seconds() - begin,
                                   .converged = found.converged,
                                   .used = found.used};
  return TRIBO_OK;
}

const double *tribo_contact_problem_impulses(const tribo_contact_problem *problem) {
  return problem ? (const double *)problem->stored.r : NULL;
}

const char *tribo_contact_solver_name(size_t index) {
  return index < contact_solver_count ? contact_solvers[index]->name : NULL;
}

const char *tribo_contact_solver_about(size_t index) {
  return index < contact_solver_count ? contact_solvers[index]->about : NULL;
}
