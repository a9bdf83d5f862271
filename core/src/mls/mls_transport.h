/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls_transport: the velocity of the surface at a contact from those of the samples, and impulses
 * back the same way (section 4.1.3).
 *
 * The contact Jacobian is a row of 3x3 blocks: v(x) = sum B_i v_i over the samples in reach, or
 * over the vertices of their triangles, B = sum B_i / 3 (a centroid's velocity is the mean of its
 * corners'). An impulse r at the contact goes to sample i as B_i^T r. With the shares l_i (9):
 *
 *   parallel  B_i = l_i Q_i, Q_i the smallest rotation from n_i to the unit gradient g at x:
 *             Q = I + [z] + [z]^2 / (1 + n . g), z = n x g. The paper's. (Its text writes the
 *             gradient where the unit gradient belongs; with another length Q is no rotation.)
 *             Tangential and normal velocities stay so. Conserves neither momentum where the
 *             surface is curved: sum B_i^T r != r, and the velocity of a translating body is seen
 *             wrong, by a share of the order of R times the curvature (its square where samples
 *             lie evenly around x). On a plane it equals `plain`.
 *   plain     B_i = l_i I. Conserves linear momentum and reproduces translations. Angular momentum
 *             it misses by (x - xm) x r, xm = sum l_i p_i, as it sees a turning body at xm.
 *   rigid     B_i = l_i (I - [x - xm] T^-1 [p_i - xm]), T = sum l_i (|y|^2 I - y y^T), y = p_i -
 * xm: the shares' mean velocity plus the turning about xm that fits the samples best. Reproduces
 * every rigid motion, and so conserves linear and angular momentum.
 *
 * All three map samples that do not move to zero. Defined: an empty patch gives no blocks. Where
 * the gradient is 0, Q = I. Where g = -n, every half turn about a tangent is smallest; the tangent
 * is chosen from n alone. Where the samples do not fix a turning (one sample, or all on a line;
 * eigenvalues of T below MLS_SLENDER of the largest), that turning is taken as 0: `rigid` is then
 * exact but for it, and with one sample it is `plain`.
 */
#ifndef MLS_MLS_TRANSPORT_H
#define MLS_MLS_TRANSPORT_H

#include "mls/mls_patch.h"

#define MLS_SLENDER 1e-10

typedef enum mls_transport { MLS_PARALLEL, MLS_PLAIN, MLS_RIGID } mls_transport;

/* Q of (4.1.3): the smallest rotation from the unit vector `from` to the unit vector `to`. */
mat3 mls_rotation(vec3 from, vec3 to);

/* One block for each member of the patch. */
void mls_patch_transport(const mls_patch *patch, mls_transport transport, mat3 *by_member);

/* The same for each of its vertices (surfaces from triangles). */
void mls_transport_to_vertices(const mls_patch *patch, const mat3 *by_member, mat3 *by_vertex);

/* sum B_i v_i: with the samples' velocities and index = patch->samples, or with the vertices' and
 * index = patch->vertices. */
vec3 mls_transport_velocity(const mat3 *blocks, const int32_t *index, size_t count,
                            const vec3 *velocities);

#endif
