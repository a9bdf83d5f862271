/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contacts: the contacts of a frame's last step for those who look on. One writer of tribo_contact,
 * from the records of whatever method found them.
 */
#ifndef STEP_CONTACTS_H
#define STEP_CONTACTS_H

#include "step/judge.h"
#include "step/step.h"

typedef struct contacts {
  contact_record *records; /* all that were found, */
  size_t record_count;
  tribo_contact *listed; /* and those that bear something */
  size_t count;
  arena memory;
} contacts;

/* Room for those of the last step, before the state moves: afterwards nothing may fail any more. */
tribo_status contacts_reserve(contacts *c, const stepper *s, tribo_error *err);

/* Takes them. end: nodes and vertices where the step ended. */
void contacts_take(contacts *c, const stepper *s, const contact_moment *end);

/* Depths of points inside of surfaces, with a force or without one: what began there is let out
 * without one, and how deep it may stay meanwhile counts as outside for the step, but not for who
 * looks at the frame. */
void contacts_judge(const contacts *c, judge *j);

void contacts_free(contacts *c);

#endif
