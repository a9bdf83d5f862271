/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * constrained: the first half of a forwarding step, equation (23): the elastic step that stays
 * outside.
 *
 *   min Phi(x)  subject to  c_i(x) = gap_i + sum by_node . (x[node] - at[node]) >= 0
 *
 * Phi is the objective, in which the friction of the last step is already a constant force
 * (objective.push). At the solution grad Phi = sum lambda_i by_node, lambda >= 0, and
 * lambda_i c_i = 0: lambda are contact forces in newtons, h lambda the impulses r_N of the paper.
 * Two ways to solve it, `native` (ours) and `ipopt` (the paper's), agree to tolerance.
 */
#ifndef CONTACT_CONSTRAINED_H
#define CONTACT_CONSTRAINED_H

#include "contact/set.h"
#include "linsys/linsys.h"
#include "potential/objective.h"

typedef struct constrained_options {
  double tolerance; /* imbalance of forces against the forces that balance */
  double gap;       /* metres: how far a constraint may be violated, or a force act at a distance */
  double cones; /* how far the largest friction may be from mu times the normal force, relative */
  int iterations;
} constrained_options;

typedef enum constrained_outcome {
  CONSTRAINED_CONVERGED,
  CONSTRAINED_STALLED,    /* no decrease to be found */
  CONSTRAINED_UNFINISHED, /* still going down when the iterations ran out */
  CONSTRAINED_NO_ROOM, /* forces balance, and yet contacts stay closed: they contradict each other
                        */
  CONSTRAINED_CURVED,  /* solved, but the surfaces curve too much for linear contacts */
  CONSTRAINED_BROKEN   /* the start has no finite energy, or the linear solver gave none */
} constrained_outcome;

typedef struct constrained_report {
  constrained_outcome outcome;
  int iterations, linear_iterations;
  int revisions;    /* factorisations more, because other contacts were active than was guessed */
  double residual;  /* imbalance of forces, relative */
  double violation; /* metres */
  double cones;
  double linear_seconds, assembly_seconds;
} constrained_report;

#endif
