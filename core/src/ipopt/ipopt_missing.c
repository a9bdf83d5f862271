/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_missing: what a build without Ipopt has in place of ipopt_constrained.c and
 * ipopt_friction.c.
 */
#include "base/status.h"
#include "ipopt/ipopt_constrained.h"
#include "ipopt/ipopt_friction.h"

bool ipopt_available(void) { return false; }

static tribo_status missing(tribo_error *err) {
  return status_fail(err, TRIBO_UNAVAILABLE,
                     "this build has no Ipopt: install coinor-libipopt-dev and libmumps-seq-dev "
                     "(scripts/setup does) and configure again, or choose the native solver");
}

tribo_status ipopt_constrained_create(objective *o, const ipopt_options *options, arena *memory,
                                      ipopt_constrained **out, tribo_error *err) {
  (void)o, (void)options, (void)memory;
  *out = NULL;
  return missing(err);
}

tribo_status ipopt_constrained_minimize(ipopt_constrained *s, const contact_set *set,
                                        const constrained_options *options, vec3 *x, double *lambda,
                                        constrained_report *report, tribo_error *err) {
  (void)s, (void)set, (void)options, (void)x, (void)lambda;
  *report = (constrained_report){.outcome = CONSTRAINED_BROKEN};
  return missing(err);
}

void ipopt_constrained_free(ipopt_constrained *s) { (void)s; }

tribo_status ipopt_friction_solve(const friction_problem *p, double tolerance, int iterations,
                                  arena *memory, vec3 *impulse, friction_report *report,
                                  tribo_error *err) {
  (void)p, (void)tolerance, (void)iterations, (void)memory, (void)impulse;
  *report = (friction_report){0};
  return missing(err);
}
