/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tensor: friction tensors (Pabst, Thomaszewski and Strasser 2009) as cones; document 002,
 * Appendix A.
 *
 * A tensor gives the force of a contact that slides directly, f = -r_N L v/|v| with
 * L = kappa (Q_A + R Q_B R^T), each Q in the frame of its own surface's structure direction s and
 * n x s, and R the turn about n from s_A to s_B (signed: eq. 26 loses the sign). All such f make up
 * the ellipse whose half-axes are the singular values of L; that is the cone.
 *
 * Inside a cone the force is the one that dissipates most. The tensor's own force is that one in
 * every direction only if L is a multiple of 1: maximum dissipation asks for
 * L L^T v / |L^T v| = L v / |v| for all v, hence L^T = c 1. (Table 1, note 4 of the document
 * promises it for every symmetric positive definite tensor; its eq. 41 does not.) So
 *
 * - a symmetric, positive semidefinite L is taken: cone and tensor agree along both axes of the
 *   ellipse, and in between the cone's force dissipates at least as much;
 * - an L that is not symmetric is refused: its force has a part that turns with the motion, which
 *   no cone with maximum dissipation has, even where the ellipse is a circle;
 * - an L with a negative eigenvalue is refused: it would drive the motion.
 *
 * A scene's tensors (params.inl) are symmetric as they stand, and are checked once for all turns of
 * the one against the other: the least eigenvalues of Q_A and Q_B must not sum up to less than 0.
 */
#ifndef FRICTION_TENSOR_H
#define FRICTION_TENSOR_H

#include <stdbool.h>

#include "base/status.h"
#include "friction/cone.h"

typedef struct friction_tensor {
  double a[2][2], b[2][2]; /* Q_A, Q_B: rows and columns along s and n x s */
  double kappa;            /* >= 0 */
} friction_tensor;

/* The symmetric matrix of (along, across, between). */
void tensor_unpack(const double packed[3], double q[2][2]);

/* Whether it has directions, so that its surface needs a structure. */
bool tensor_has_directions(const double packed[3]);

/* Whether the sum is one of a cone, however the two are turned. The message names both. */
tribo_status tensor_check(const double a[3], const double b[3], tribo_error *err);

/* The cone of symmetric tensors that passed. Where a surface has no structure, its tensor counts
 * with its mean over all directions. */
friction_cone tensor_cone_checked(const friction_tensor *tensor, vec3 normal, vec3 s_a, vec3 s_b);

/* Directions as for law_cone. Where one has no structure its Q must be a multiple of 1. */
tribo_status tensor_cone(const friction_tensor *tensor, vec3 normal, vec3 s_a, vec3 s_b,
                         friction_cone *out, tribo_error *err);

#endif
