/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_export: the friction problem of a step (friction_problem.h), which is never assembled
 * there, as a contact problem with its matrix: for other solvers, for other programs, for a bug
 * report.
 *
 *   W = J M^-1 J^T (the lumped effective mass)      q = (room, slip) - W r0
 *
 * With r0 taken off, r = 0 means no impulse at all, and the answer is the step's impulse.
 */
#ifndef CONTACT_CONTACT_EXPORT_H
#define CONTACT_CONTACT_EXPORT_H

#include "contact/friction_problem.h"
#include "coulomb/contact_file.h"

/* r is r0, what the step starts from. `out` must stay where it is. */
tribo_status contact_export_problem(const friction_problem *from, contact_stored *out,
                                    tribo_error *err);

/* The same in memory of the caller: nothing is to be freed. */
tribo_status contact_export_within(const friction_problem *from, arena *memory, contact_stored *out,
                                   tribo_error *err);

/* The same, to <folder>/contacts_<number>.hdf5; the folder is made. TRIBO_UNAVAILABLE without
 * HDF5. */
tribo_status contact_export_write(const friction_problem *from, const char *folder, int number,
                                  tribo_error *err);

#endif
