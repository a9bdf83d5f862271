/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forwarding_worst: what kept the last solution of forwarding_solve from its tolerances, and where.
 */
#ifndef FORWARDING_FORWARDING_WORST_H
#define FORWARDING_FORWARDING_WORST_H

#include "forwarding/forwarding.h"

typedef enum forwarding_criterion {
  FORWARDING_MET,
  FORWARDING_BALANCE,  /* forces are out of balance */
  FORWARDING_FRICTION, /* a contact's force is not what Coulomb's law says */
  FORWARDING_OFF,      /* a contact pushes from afar, or slips where it should stick */
  FORWARDING_GAP       /* a contact is left inside */
} forwarding_criterion;

typedef struct forwarding_worst {
  forwarding_criterion criterion;
  double value;                  /* metres of a gap and of what is off; relative of the others */
  const contact_point *contact;  /* of all but forces */
  const contact_point *opposite; /* of a gap: another surface that opposes it there; or NULL */
  int32_t node;                  /* of forces: the node where they are worst; -1: there is none */
} forwarding_worst;

/* x: what forwarding_solve gave with the report. */
forwarding_worst forwarding_find_worst(const forwarding *f, const vec3 *x,
                                       const forwarding_report *report);

#endif
