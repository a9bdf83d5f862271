/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rigid: bodies that do not deform: their mass, and how they turn.
 *
 * Mass, centre and inertia are exact integrals over the inside of a closed triangle mesh: by the
 * divergence theorem, sums over the tets that the triangles span with a reference point. Holes
 * count as closed (geom/holes.h).
 *
 * Within a step a body turns by a rotation vector theta on top of its orientation R at the start,
 * and the step's energy has the term (theta - theta_free)^T I (theta - theta_free) / (2 h^2), I the
 * inertia in the world at the start. theta_free is where free rotation, with its angular momentum
 * L = I w kept, takes the body in h seconds. So torques T of the step (gradients of the other
 * terms) change L by h T exactly: L' = L + I (theta - theta_free) / h, and a free body keeps L to
 * rounding, wobbling as it should.
 *
 * What is solved for is not theta but length * theta, length^2 being the mean moment over the
 * mass. That makes metres of it, with newtons for its gradient and the mass for its inertia (on the
 * mean), so that one tolerance serves both nodes of the body.
 */
#ifndef MODEL_RIGID_H
#define MODEL_RIGID_H

#include "base/status.h"
#include "model/model.h"

/* Fills mass, inertia, length and turn of `out`, and the centre of mass. Refuses, in the name of
 * the object: meshes with overfull edges, with triangles wound against each other, inside out, or
 * without volume, as open sheets are. Indices have been checked. */
tribo_status rigid_measure(const char *name, const double *positions, size_t vertex_count,
                           const int32_t *triangles, size_t triangle_count, double density,
                           model_rigid *out, vec3 *centre, tribo_error *err);

/* The inertia about the world's axes. */
mat3 rigid_inertia(const model_rigid *r, quat turn);

/* I w */
vec3 rigid_momentum(const model_rigid *r, quat turn, vec3 spin);

/* w^T I w / 2 */
double rigid_spin_energy(const model_rigid *r, quat turn, vec3 spin);

/* theta_free. Several full turns within h are counted as such. */
vec3 rigid_free_rotation(const model_rigid *r, quat turn, vec3 spin, double h);

/* The end of a step that turned the body by theta where it would have turned by theta_free:
 * orientation and spin go from those at its start to those at its end. */
void rigid_turn(const model_rigid *r, vec3 theta, vec3 theta_free, double h, quat *turn,
                vec3 *spin);

#endif
