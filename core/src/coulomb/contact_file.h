/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_file: contact problems from and to FCLIB files (io/fclib.h).
 */
#ifndef COULOMB_CONTACT_FILE_H
#define COULOMB_CONTACT_FILE_H

#include "coulomb/contact_problem.h"
#include "io/fclib.h"

/* A problem that owns its memory, with a start or an answer. */
typedef struct contact_stored {
  arena memory;
  bcsr_pattern pattern;
  contact_problem problem;
  vec3 *r; /* what the file gives, or 0 */
  bool given;
  char title[128];
} contact_stored;

/* Checked (contact_problem_check). Entries of W may come in any order and add up. `out` must stay
 * where it is. */
tribo_status contact_file_read(const char *path, contact_stored *out, tribo_error *err);
tribo_status contact_file_take(const char *name, const fclib_problem *from, contact_stored *out,
                               tribo_error *err);
void contact_stored_free(contact_stored *s);

/* r: NULL or what becomes the file's solution. */
tribo_status contact_file_write(const char *path, const contact_problem *p, const vec3 *r,
                                const char *title, fclib_storage storage, tribo_error *err);

#endif
