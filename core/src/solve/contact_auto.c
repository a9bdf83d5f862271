/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve/contact_solver.h"

static tribo_status solve(const contact_unit *p, const contact_goal *goal, arena *scratch, vec3 *r,
                          contact_run *run, tribo_error *err) {
  return contact_gauss_seidel.solve(p, goal, scratch, r, run, err);
}

const contact_solver contact_auto = {.name = "auto",
                                     .about = "chooses",
                                     .caps = {.singular = true, .iterations = 1000},
                                     .solve = solve};
