/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prefactor: a symmetric positive definite matrix of plain numbers that stays what it is: factored
 * once, then solved again and again for three right-hand sides at once, the x, y and z of every
 * row.
 *
 * Projective Dynamics asks for nothing else (Bouaziz et al. 2014): its matrix acts on the three
 * coordinates alike, so that a ninth of the numbers of a matrix of blocks says it all, and a number
 * of L that was fetched from memory serves three unknowns. A row of the right-hand side stands in
 * one register.
 *
 * The order of elimination and the supernodes are those of cholmod.c. Subtrees of the elimination
 * tree run side by side; what they leave to the rows above them is kept apart and added in one
 * order, so that bits do not depend on the number of threads. The cutting into subtrees does not
 * depend on it either. Nothing is allocated after prefactor_create.
 */
#ifndef LINSYS_PREFACTOR_H
#define LINSYS_PREFACTOR_H

#include "base/status.h"
#include "math/bcsr.h"

typedef struct prefactor prefactor;

/* values: one for each entry of pattern->columns, both triangles. places: where each row stands in
 * the vectors of prefactor_solve; NULL: one after another. None is needed afterwards. A matrix that
 * is not positive definite is bad input. */
tribo_status prefactor_create(const bcsr_pattern *pattern, const double *values,
                              const int32_t *places, const tasks *t, prefactor **out,
                              tribo_error *err);

/* x = A^-1 b, which may be the same; what is at no row's place is neither read nor written. */
void prefactor_solve(prefactor *p, const vec3 *b, vec3 *x);

/* Numbers of L, zeros that are kept included. */
size_t prefactor_size(const prefactor *p);

void prefactor_free(prefactor *p);

#endif
