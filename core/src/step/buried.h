/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * buried: what is inside of surfaces at the start, or when a collider appears, is pushed out
 * (contact/narrow_phase.h). It is told of: a smooth surface that lies off its mesh does this where
 * the mesh looks free. What is outside of a mesh and only nearer to it than the thickness is noted:
 * things that stand on each other are.
 */
#ifndef STEP_BURIED_H
#define STEP_BURIED_H

#include "base/log.h"
#include "contact/find.h"

/* The deepest of what is buried. */
typedef struct buried_told {
  double depth;          /* metres, what is missing of the thickness included; 0: nothing is */
  const char *what, *in; /* the objects that a warning named; NULL: none was given */
} buried_told;

/* Looks at `now`, and tells `log`. slack: metres that are not worth a word. */
tribo_status buried_at_start(contact_finder *finder, const contact_moment *now,
                             const vec3 *velocities, double slack, const log_sink *log,
                             buried_told *told, tribo_error *err);

/* The same of what is inside of surfaces that appear in the step from `now`. */
tribo_status buried_by_appearing(contact_finder *finder, const contact_moment *now,
                                 const vec3 *velocities, double slack, const log_sink *log,
                                 tribo_error *err);

#endif
