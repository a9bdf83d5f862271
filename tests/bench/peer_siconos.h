/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * peer_siconos: Siconos' solvers on the same problem, to be measured against.
 */
#ifndef TESTS_BENCH_PEER_SICONOS_H
#define TESTS_BENCH_PEER_SICONOS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum peer_kind { PEER_NSGS, PEER_NSN_AC } peer_kind;

typedef struct peer peer;

/* W as triplets of a 3 n x 3 n matrix. */
peer *peer_create(int contacts, size_t entries, const int *row, const int *column,
                  const double *value, const double *q, const double *mu);

/* Solves from r = 0. limit: what its own measure of the error must come below; `claims`: whether it
 * says that it did. Returns seconds of this thread's processor. */
double peer_solve(peer *p, peer_kind kind, double limit, int iterations, double *r, bool *claims);

void peer_free(peer *p);

#endif
