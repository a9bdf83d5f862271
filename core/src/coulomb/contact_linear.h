/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_linear: the linear systems of Newton's method on a contact problem,
 *
 *   (A (W + e I) + B) x = y      A, B: a 3x3 block a contact
 *
 * which are not symmetric where contacts slide. Few contacts: dense (linsys/dense_lu.h); many:
 * sparse, KLU, with what is 0 left out. Neither asks BLAS, whose bits depend on the processor. e >
 * 0 stands in for what W lacks in rank.
 */
#ifndef COULOMB_CONTACT_LINEAR_H
#define COULOMB_CONTACT_LINEAR_H

#include "coulomb/contact_problem.h"

typedef struct contact_linear contact_linear;

tribo_status contact_linear_create(const contact_unit *p, contact_linear **out, tribo_error *err);

/* False when the matrix cannot be inverted. */
bool contact_linear_factor(contact_linear *s, const mat3 *a, const mat3 *b, double e);

/* y and x may be the same. False when the answer is not finite. */
bool contact_linear_solve(contact_linear *s, const vec3 *y, vec3 *x);

void contact_linear_free(contact_linear *s);

#endif
