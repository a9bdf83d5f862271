/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * objective: the function of the end positions x whose minimum is the backward Euler step.
 *
 *   Phi(x) = sum_i m_i |x_i - y_i|^2 / (2 h^2)         inertia, y = x0 + h v0 + h^2 g
 *          + sum_r |x_r - y_r|^2_{M_r} / (2 h^2)       inertia of frames (model/kinematics.h)
 *          + V(x)                                       elastic energies
 *          + sum_i a_i m_i |x_i - x0_i|^2 / (2 h)       damping by mass
 *          + (x - x0)^T D (x - x0) / (2 h)              damping by stiffness
 *          + F(x)                                       forces: soft pins, drag (potential/force.h)
 *          - sum_i push_i . (x_i - x0_i)                friction carried over from the last step
 *
 * Setting the gradient to zero gives m (v - v0) / h = forces at the end of the step. D is the
 * projected Hessian at the start, times the body's coefficient: a constant, positive semi-definite
 * matrix, so the damping part is never negative, is zero without motion, and cannot add energy.
 */
#ifndef POTENTIAL_OBJECTIVE_H
#define POTENTIAL_OBJECTIVE_H

#include "potential/force.h"

typedef struct objective {
  const model *model;
  tasks tasks;
  double h;
  vec3 *start;         /* x0 */
  vec3 *predicted;     /* y */
  vec3 *push;          /* a constant force on each node, set by the caller after objective_begin */
  mat3 *turning;       /* M_r: the inertia of each frame at the start, over length^2 */
  vec3 *inertia;       /* scratch: forces of inertia, for the scale of the stopping test */
  bcsr damping;        /* D; blocks are NULL when nothing is damped that way */
  force_set forces;    /* soft pins, drag */
  double *energies;    /* scratch: one an element of the largest set */
  vec3 *moved, *drawn; /* scratch: x - x0 and D (x - x0) */
} objective;

/* Memory from `memory`; no step is set yet. */
tribo_status objective_create(const model *m, const tasks *t, arena *memory, objective *out,
                              tribo_error *err);

/* A step of h seconds from x0, v0 and the orientations `turns` that ends at time `end_seconds`. */
void objective_begin(objective *o, const vec3 *x0, const vec3 *v0, const quat *turns, double h,
                     double end_seconds);

double objective_energy(objective *o, const vec3 *x);

/* Writes the gradient at every vertex; at hard-pinned ones it is minus the force the pin must bear.
 * scale: the size of the forces that have to balance, against which the imbalance is measured. */
void objective_gradient(objective *o, const vec3 *x, vec3 *g, double *scale);

/* Writes the Hessian over all vertices. */
void objective_hessian(objective *o, const vec3 *x, hessian_kind kind, bcsr *h);

/* Where a step leads when forces stay as they are, and do not change the shape of what deforms:
 * each body flies on, and gives way as a whole to all that pulls at it besides. pull: minus the
 * gradient at the start, and what is not part of the objective. x: free nodes are written. */
void objective_go_on(const objective *o, const vec3 *pull, vec3 *x);

/* The Euclidean norm over the vertices that are free to move. */
double objective_free_norm(const objective *o, const vec3 *g);

#endif
