/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/contact_rigid.h"

#include <math.h>
#include <string.h>

#include "contact/contact_export.h"
#include "contact/set_rows.h"

/* Sweeps over a working set that may yet grow, and how often it is looked at before it is solved.
 */
enum { ROUGH_SWEEPS = 12, ROUGH_ROUNDS = 12 };

/* Sweeps from the step's own start, where nothing was solved; and how many times as fast as what
 * these leave the answer that was not may leave things. */
enum { CALM_SWEEPS = 300, WILD = 10 };

/* Impulses of all contacts, and what they make of the velocities of all nodes. */
typedef struct answer {
  vec3 *impulse, *change;
  double *torque;
} answer;

/* The contacts that are solved; all others bear nothing, and open. */
typedef struct working {
  const friction_problem *all;
  vec3 *impulse; /* of all contacts, as are torque and in */
  double *torque;
  vec3 *change;        /* of all nodes */
  answer first, rough; /* where the step began; and an answer that was not good enough */
  bool *in;
  size_t count;
  size_t *which; /* ascending */
  arena memory;  /* of a round */
  friction_problem part;
  contact_set set;
  contact_stored local;
} working;

/* ---- who is solved ----------------------------------------------------------------------------
 */

/* The normal velocity that impulses leave, with the room: below 0 the contact would be inside. */
static double closing(const friction_problem *p, size_t i, const vec3 *change) {
  double u = p->room[i];
  for (size_t e = p->set->start[i]; e < p->set->start[i + 1]; e++)
    u += vec3_dot(p->set->by_node[e], change[p->set->node[e]]);
  return u;
}

/* Takes in what would be inside by more than `slack`, m/s. Returns how many came. */
static size_t take_in(working *w, double slack) {
  const friction_problem *p = w->all;
  size_t came = 0, count = 0;
  for (size_t i = 0; i < p->set->count; i++) {
    bool comes = !w->in[i] && closing(p, i, w->change) < -slack;
    w->in[i] |= comes;
    came += comes;
    if (w->in[i]) w->which[count++] = i;
  }
  w->count = count;
  return came;
}

static void respond(working *w) {
  friction_respond(w->all, w->impulse, w->change);
  friction_respond_drill(w->all, w->torque, w->change);
}

static bool make_answer(const friction_problem *p, arena *scratch, answer *out) {
  *out = (answer){.impulse = ARENA_ARRAY(scratch, vec3, p->set->count),
                  .change = ARENA_ARRAY(scratch, vec3, p->node_count),
                  .torque = ARENA_ARRAY(scratch, double, p->set->count)};
  return out->impulse && out->change && out->torque;
}

static void copy_answer(const working *w, const answer *from, const answer *to) {
  memcpy(to->impulse, from->impulse, w->all->set->count * sizeof *to->impulse);
  memcpy(to->torque, from->torque, w->all->set->count * sizeof *to->torque);
  memcpy(to->change, from->change, w->all->node_count * sizeof *to->change);
}

static double fastest(const working *w, const vec3 *change) {
  double most = 0;
  for (size_t i = 0; i < w->all->node_count; i++) most = fmax(most, vec3_norm(change[i]));
  return most;
}

static tribo_status begin(const friction_problem *p, arena *scratch, vec3 *impulse, double *torque,
                          vec3 *change, working *out, tribo_error *err) {
  size_t count = p->set->count;
  *out = (working){.all = p,
                   .impulse = impulse,
                   .torque = torque,
                   .change = change,
                   .in = ARENA_ARRAY(scratch, bool, count),
                   .which = ARENA_ARRAY(scratch, size_t, count)};
  if (!out->in || !out->which || !make_answer(p, scratch, &out->first) ||
      !make_answer(p, scratch, &out->rough))
    return status_no_memory(err, "the contacts of rigid bodies");
  for (size_t i = 0; i < count; i++) out->in[i] = impulse[i].x > 0;
  respond(out);
  copy_answer(out, &(answer){impulse, change, torque}, &out->first);
  take_in(out, 0);
  return TRIBO_OK;
}

/* ---- their problem ----------------------------------------------------------------------------
 */

static tribo_status pick(working *w, tribo_error *err) {
  const friction_problem *p = w->all;
  arena_reset(&w->memory);
  friction_cone *cones = ARENA_ARRAY(&w->memory, friction_cone, w->count);
  double *room = ARENA_ARRAY(&w->memory, double, w->count);
  vec3 *given = ARENA_ARRAY(&w->memory, vec3, w->count);
  if (!cones || !room || !given) return status_no_memory(err, "the contacts of rigid bodies");
  TRY(set_rows_pick(p->set, w->which, w->count, &w->memory, &w->set, err));
  for (size_t k = 0; k < w->count; k++) {
    cones[k] = p->cones[w->which[k]];
    room[k] = p->room[w->which[k]];
    given[k] = p->given[w->which[k]];
  }
  w->part = *p;
  w->part.set = &w->set;
  w->part.cones = cones;
  w->part.room = room;
  w->part.given = given;
  return contact_export_within(&w->part, &w->memory, &w->local, err);
}

/* Torques stand after all impulses (contact_problem.h). */
static void give(const working *w, vec3 *r) {
  const contact_problem *p = &w->local.problem;
  for (size_t k = 0; k < w->count; k++) {
    r[k] = w->impulse[w->which[k]];
    if (contact_kind(p->drill, k) == CONTACT_DRILLS)
      r[p->drill[k]] = vec3_make(w->torque[w->which[k]], 0, 0);
  }
}

static void take(const working *w, const vec3 *r) {
  const contact_problem *p = &w->local.problem;
  for (size_t k = 0; k < w->count; k++) {
    bool drills = contact_kind(p->drill, k) == CONTACT_DRILLS;
    w->impulse[w->which[k]] = r[k];
    w->torque[w->which[k]] = drills ? r[p->drill[k]].x : 0;
  }
}

static tribo_status solve(working *w, const contact_solver *by,
                          const contact_solve_options *options, contact_solve_report *report,
                          tribo_error *err) {
  contact_solve_report now;
  TRY(pick(w, err));
  give(w, w->local.r);
  TRY(contact_solve(&w->local.problem, by, options, w->local.r, &now, err));
  take(w, w->local.r);
  respond(w);
  now.iterations += report->iterations;
  now.sweeps += report->sweeps;
  *report = now;
  return TRIBO_OK;
}

static double slack_of(const working *w, const contact_solve_options *options) {
  double most = options->tolerance * (1 + contact_problem_norm(&w->local.problem));
  return most / sqrt((double)w->all->set->count);
}

/* What has no solution (two bodies in one place) has no limit to its impulses either, and an answer
 * that was left off may throw things. A few sweeps from where the step began throw nothing: where
 * the answer moves things much faster than these do, they stand in its place. */
static tribo_status calm(working *w, const contact_solve_options *options,
                         contact_solve_report *report, tribo_error *err) {
  const answer now = {w->impulse, w->change, w->torque};
  contact_solve_options few = *options;
  contact_solve_report solved = *report;
  few.iterations = CALM_SWEEPS;
  copy_answer(w, &now, &w->rough);
  copy_answer(w, &w->first, &now);
  TRY(solve(w, &contact_gauss_seidel, &few, report, err));
  if (fastest(w, w->rough.change) > WILD * fastest(w, w->change)) return TRIBO_OK;
  copy_answer(w, &w->rough, &now);
  solved.iterations = report->iterations;
  solved.sweeps = report->sweeps;
  *report = solved;
  return TRIBO_OK;
}

static tribo_status solve_growing(working *w, const contact_solve_options *options,
                                  contact_solve_report *report, tribo_error *err) {
  contact_solve_options rough = *options;
  rough.iterations = ROUGH_SWEEPS; /* too few to count */
  size_t came = 1;
  for (int round = 0; round < ROUGH_ROUNDS && came; round++) {
    TRY(solve(w, &contact_gauss_seidel, &rough, report, err));
    came = take_in(w, slack_of(w, options));
  }
  do TRY(solve(w, &contact_auto, options, report, err));
  while (take_in(w, slack_of(w, options)));
  return report->converged ? TRIBO_OK : calm(w, options, report, err);
}

tribo_status contact_rigid_solve(const friction_problem *p, const contact_solve_options *options,
                                 arena *scratch, vec3 *impulse, double *torque, vec3 *change,
                                 contact_solve_report *report, tribo_error *err) {
  working w;
  *report = (contact_solve_report){.converged = true, .used = contact_auto.name};
  TRY(begin(p, scratch, impulse, torque, change, &w, err));
  tribo_status status = w.count ? solve_growing(&w, options, report, err) : TRIBO_OK;
  arena_free(&w.memory);
  return status;
}
