/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "peer_siconos.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>

struct peer {
  FrictionContactProblem *blocks, *sparse;
  int contacts;
  double *u;
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static FrictionContactProblem *make(int contacts, NumericsMatrix *w, const double *q,
                                    const double *mu) {
  size_t size = 3 * (size_t)contacts;
  double *own_q = malloc(size * sizeof *own_q), *own_mu = malloc((size_t)contacts * sizeof *own_mu);
  if (!own_q || !own_mu) abort();
  memcpy(own_q, q, size * sizeof *q);
  memcpy(own_mu, mu, (size_t)contacts * sizeof *mu);
  return frictionContactProblem_new_with_data(3, contacts, w, own_q, own_mu);
}

/* Gauss-Seidel is fastest on blocks, Newton on the sparse matrix: each gets what it likes. */
peer *peer_create(int contacts, size_t entries, const int *row, const int *column,
                  const double *value, const double *q, const double *mu) {
  peer *p = calloc(1, sizeof *p);
  if (!p) abort();
  int size = 3 * contacts;
  NumericsMatrix *w = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(w, (CS_INT)entries);
  w->matrix2->origin = NSM_TRIPLET;
  for (size_t k = 0; k < entries; k++) NM_zentry(w, row[k], column[k], value[k], 0);
  SparseBlockStructuredMatrix *blocks = SBM_new();
  SBM_from_csparse(3, NM_csc(w), blocks);
  p->sparse = make(contacts, w, q, mu);
  p->blocks = make(contacts, NM_new_SBM(size, size, blocks), q, mu);
  p->contacts = contacts;
  p->u = calloc((size_t)size, sizeof *p->u);
  if (!p->u) abort();
  numerics_set_verbose(0);
  return p;
}

double peer_solve(peer *p, peer_kind kind, double limit, int iterations, double *r, bool *claims) {
  static const int IDS[] = {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_NSN_AC};
  SolverOptions *options = solver_options_create(IDS[kind]);
  options->dparam[SICONOS_DPARAM_TOL] = limit;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
  size_t size = 3 * (size_t)p->contacts;
  memset(r, 0, size * sizeof *r);
  memset(p->u, 0, size * sizeof *p->u);
  double begin = seconds();
  int info = fc3d_driver(kind == PEER_NSGS ? p->blocks : p->sparse, r, p->u, options);
  double took = seconds() - begin;
  *claims = info == 0;
  solver_options_delete(options);
  return took;
}

void peer_free(peer *p) {
  frictionContactProblem_free(p->sparse);
  frictionContactProblem_free(p->blocks);
  free(p->u);
  free(p);
}
