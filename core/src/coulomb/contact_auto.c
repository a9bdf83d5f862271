/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_auto: the default. Solvers in turn, each from the best impulses so far, until one reaches
 * the goal.
 *
 * Gauss-Seidel finds out cheaply who touches and who slides; Newton's method then needs a few
 * iterations, or says within a few that it was let in too early. Where impulses must travel far
 * (walls, heaps) alternating directions find it out sooner than sweeps do, so the two take turns in
 * front of Newton, and their turns grow. Towers that tremble are left for the interior point, which
 * starts from its own point. Where contacts drill, those that know no drilling miss their turns.
 * The turns were chosen on the files and the piles of bench_contact_problems
 * (docs/contact_problems.md).
 */
#include "coulomb/contact_solver.h"

#include <math.h>
#include <string.h>

typedef struct turn {
  const contact_solver *solver;
  int iterations;
  bool fresh; /* from no impulses, and kept where it is better */
} turn;

static const turn TURNS[] = {
    {&contact_gauss_seidel, 50},  {&contact_alart_curnier, 30},  {&contact_admm, 200},
    {&contact_alart_curnier, 30}, {&contact_gauss_seidel, 250},  {&contact_alart_curnier, 30},
    {&contact_admm, 600},         {&contact_alart_curnier, 30},  {&contact_gauss_seidel, 1250},
    {&contact_alart_curnier, 30}, {&contact_interior, 60},       {&contact_admm, 2000},
    {&contact_alart_curnier, 30}, {&contact_gauss_seidel, 5000},
};

/* In small groups a direct solver's iteration costs no more than sweeps do. Newton's method on the
 * cone's function and the interior point come before long sweeps there: of 357 groups of 4 to 55
 * contacts in a heap of boxes each of them alone solves 310, 300 sweeps 155. */
static const turn SMALL_TURNS[] = {
    {&contact_gauss_seidel, 50},
    {&contact_alart_curnier, 30},
    {&contact_fischer_burmeister, 40},
    {&contact_interior, 40},
    {&contact_fischer_burmeister, 60, .fresh = true},
    {&contact_alart_curnier, 60, .fresh = true},
    {&contact_admm, 400},
    {&contact_alart_curnier, 30},
    {&contact_fischer_burmeister, 40},
    {&contact_gauss_seidel, 500},
    {&contact_fischer_burmeister, 40},
    {&contact_alart_curnier, 30},
    {&contact_admm, 2000},
    {&contact_alart_curnier, 30},
    {&contact_gauss_seidel, 5000},
};
enum { SMALL = 64 };

/* Of these, the last so many are too long for a step, which is linearised anew. */
enum { LAST_TURNS = 3 };

/* Turns that aim at the goal. After them, what is enough will do: what is as tangled as that moves,
 * and does not have to stand still for long. */
enum { AIMED = 6 };

/* An iteration of a direct solver takes as long as so many sweeps, at least. It factors what is
 * dense for all but long walls, n^3 against the blocks of W that a sweep visits, in kernels that
 * are ten times as fast. */
enum { SWEEPS_DIRECT = 50, FASTER = 10 };

/* Newton's method that was let in too early is let in again at this part of the residual. Where its
 * iterations are dear it is let in no earlier than at this many times what is enough. */
static const double LET_IN = 0.1, LET_IN_DEAR = 10;
enum { DEAR = 100 };

/* A direct solver that may not take this part of its iterations would not get through. */
enum { WORTH_A_TRY = 3 };

static int sweeps_of(const contact_unit *p, const contact_solver *s) {
  if (!s->caps.direct) return 1;
  double n = p->count, blocks = bcsr_block_count(&p->pattern);
  return (int)fmin(1e6, fmax(SWEEPS_DIRECT, n * n * n / (FASTER * blocks)));
}

static const turn *turns_of(const contact_unit *p, const contact_goal *goal, size_t *count) {
  bool small = p->count <= SMALL;
  *count = small ? sizeof SMALL_TURNS / sizeof *SMALL_TURNS : sizeof TURNS / sizeof *TURNS;
  if (small && goal->enough > 0) *count -= LAST_TURNS;
  return small ? SMALL_TURNS : TURNS;
}

/* r gets better, or stays. */
static tribo_status take_turn(const contact_unit *p, const turn *t, const contact_goal *goal,
                              arena *scratch, double stands, vec3 *r, contact_run *run,
                              tribo_error *err) {
  if (!t->fresh) return t->solver->solve(p, goal, scratch, r, run, err);
  vec3 *anew = ARENA_ARRAY(scratch, vec3, p->count);
  if (!anew) return status_no_memory(err, "a contact solver");
  TRY(t->solver->solve(p, goal, scratch, anew, run, err));
  if (run->residual < stands) memcpy(r, anew, (size_t)p->count * sizeof *r);
  return TRIBO_OK;
}

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  int total = 0, sweeps = 0;
  double let_in = INFINITY;
  contact_run best = {.residual = INFINITY, .used = contact_auto.name};
  size_t count;
  const turn *turns = turns_of(p, goal, &count);
  for (size_t t = 0; t < count && sweeps < goal->iterations; t++) {
    const contact_solver *solver = turns[t].solver;
    if (p->drill && !solver->caps.drilling) continue;
    bool newton = solver == &contact_alart_curnier && !turns[t].fresh;
    int each = sweeps_of(p, solver), left = (goal->iterations - sweeps) / each;
    bool dear = each > DEAR && goal->enough > 0;
    if (newton && best.residual > (dear ? fmin(let_in, LET_IN_DEAR * goal->enough) : let_in))
      continue;
    if (left == 0 || (each > 1 && left < turns[t].iterations / WORTH_A_TRY)) continue;
    contact_goal part = {
        .residual = t < AIMED ? goal->residual : fmax(goal->residual, goal->enough),
        .iterations = turns[t].iterations < left ? turns[t].iterations : left};
    contact_run now = {0};
    TRY(take_turn(p, &turns[t], &part, scratch, best.residual, r, &now, err));
    total += now.iterations;
    sweeps += now.iterations * each;
    if (now.residual < best.residual) best = now;
    if (best.residual <= part.residual) break;
    if (newton) let_in = LET_IN * best.residual;
  }
  *run = (contact_run){
      .iterations = total, .sweeps = sweeps, .residual = best.residual, .used = best.used};
  return TRIBO_OK;
}

const contact_solver contact_auto = {
    .name = "auto",
    .about = "Gauss-Seidel, alternating directions and Newton in turn",
    .caps = {.singular = true, .direct = true, .drilling = true, .iterations = 1000000},
    .solve = solve,
};
