/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/contact_rigid.h"

#include <string.h>

#include "contact/contact_export.h"

/* Torques stand after all impulses (contact_problem.h). */
static void give_torques(const contact_problem *p, const double *torque, size_t count, vec3 *r) {
  for (size_t i = 0; i < count; i++)
    if (contact_kind(p->drill, i) == CONTACT_DRILLS) r[p->drill[i]] = vec3_make(torque[i], 0, 0);
}

static void take_torques(const contact_problem *p, const vec3 *r, size_t count, double *torque) {
  for (size_t i = 0; i < count; i++)
    torque[i] = contact_kind(p->drill, i) == CONTACT_DRILLS ? r[p->drill[i]].x : 0;
}

tribo_status contact_rigid_solve(const friction_problem *p, const contact_solve_options *options,
                                 arena *scratch, vec3 *impulse, double *torque, vec3 *change,
                                 contact_solve_report *report, tribo_error *err) {
  size_t count = p->set->count;
  contact_stored local;
  TRY(contact_export_within(p, scratch, &local, err));
  memcpy(local.r, impulse, count * sizeof *impulse);
  give_torques(&local.problem, torque, count, local.r);
  TRY(contact_solve(&local.problem, &contact_auto, options, local.r, report, err));
  memcpy(impulse, local.r, count * sizeof *impulse);
  take_torques(&local.problem, local.r, count, torque);
  friction_respond(p, impulse, change);
  friction_respond_drill(p, torque, change);
  return TRIBO_OK;
}
