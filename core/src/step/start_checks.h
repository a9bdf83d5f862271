/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * start_checks: what is said, before the first step or when a collider appears, of what is inside
 * of surfaces and is pushed out (contact/feel.h), and of smooth surfaces off their meshes.
 */
#ifndef STEP_START_CHECKS_H
#define STEP_START_CHECKS_H

#include "base/log.h"
#include "contact/find.h"

typedef struct start_checks {
  const model *model;
  contact_finder *finder;   /* finds points in surfaces; what nothing touches has none: NULL */
  double step_seconds;      /* of a substep */
  double contact_tolerance; /* m */
  log_sink log;
} start_checks;

/* A smooth surface that the user insists on, and that lies off its mesh (model/smooth.h). */
void start_checks_straying(const start_checks *c);

/* What starts inside something; depth: of the deepest, m, 0 where nothing does. now: the moment
 * that all start from; velocities: of all vertices. */
tribo_status start_checks_inside(const start_checks *c, const contact_moment *now,
                                 const vec3 *velocities, double *depth, tribo_error *err);

/* What is inside of a collider that appears in the step that starts at now->start. */
tribo_status start_checks_appearing(const start_checks *c, const contact_moment *now,
                                    const vec3 *velocities, tribo_error *err);

/* Whether a collider appears within `h` seconds. */
bool start_checks_appears(const model *m, double seconds, double h);

#endif
