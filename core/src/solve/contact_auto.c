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
#include "solve/contact_solver.h"

typedef struct turn {
  const contact_solver *solver;
  int iterations;
} turn;

static const turn TURNS[] = {
    {&contact_gauss_seidel, 50},  {&contact_alart_curnier, 30},  {&contact_admm, 200},
    {&contact_alart_curnier, 30}, {&contact_gauss_seidel, 250},  {&contact_alart_curnier, 30},
    {&contact_admm, 600},         {&contact_alart_curnier, 30},  {&contact_gauss_seidel, 1250},
    {&contact_alart_curnier, 30}, {&contact_interior, 60},       {&contact_admm, 2000},
    {&contact_alart_curnier, 30}, {&contact_gauss_seidel, 5000},
};

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  int total = 0;
  contact_run best = {.residual = INFINITY, .used = contact_auto.name};
  for (size_t t = 0; t < sizeof TURNS / sizeof *TURNS && total < goal->iterations; t++) {
    if (p->drill && !TURNS[t].solver->caps.drilling) continue;
    int left = goal->iterations - total;
    contact_goal part = {goal->residual, TURNS[t].iterations < left ? TURNS[t].iterations : left};
    contact_run now = {0};
    TRY(TURNS[t].solver->solve(p, &part, scratch, r, &now, err));
    total += now.iterations;
    if (now.residual < best.residual) best = now;
    if (best.residual <= goal->residual) break;
  }
  *run = (contact_run){.iterations = total, .residual = best.residual, .used = best.used};
  return TRIBO_OK;
}

const contact_solver contact_auto = {
    .name = "auto",
    .about = "Gauss-Seidel, alternating directions and Newton in turn",
    .caps = {.singular = true, .direct = true, .drilling = true, .iterations = 10000},
    .solve = solve,
};
