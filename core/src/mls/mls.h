/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls: a smooth implicit surface through oriented samples (Larionov, Fan, Pai 2021, section 4.1).
 *
 * A sample is a point p, a unit normal n, the value c that the potential has there (0 on the
 * surface; -h moves the surface out by h) and a radius R. At x, over the samples with |x - p| < R,
 *
 *   Psi(x) = sum w_i psi_i / sum w_i,   psi_i = c_i + n_i . (x - p_i),   w_i = w(|x - p_i|; R_i),
 *
 * with a kernel of mls_kernel.h (9). Psi < 0 is inside. R belongs to the sample, not to the query:
 * so Psi is as smooth as the kernel also where the radius varies. R is held fixed in every
 * derivative; the caller chooses when to set it anew.
 *
 * Here: the samples, their radii, and Psi with its derivatives by x, for one query or many.
 * mls_patch.h has the derivatives by samples and vertices, mls_transport.h the contact Jacobian,
 * mls_check.h what tells whether a surface is good enough. Who finds the neighbours is not known
 * here: they come as lists of sample numbers, which may hold samples out of reach but no sample
 * twice. The order of a list decides the last bits of the sums, and nothing else.
 *
 * Defined, never NaN:
 * - a query out of every sample's reach: active = 0, and value and derivatives are all 0. The paper
 *   leaves such points out of the solve; look at `active` before using the value;
 * - a query on a sample: every kernel has its derivatives there;
 * - one active sample: Psi is that sample's plane;
 * - a triangle without area (height below MLS_FLAT of the longest side): its sample has no normal
 *   and no radius, and counts nowhere until the triangle has area again.
 * A query at the very rim of the only samples it sees has derivatives that are finite but without
 * meaning: there Psi jumps to "not covered" anyway (4.1.4).
 */
#ifndef MLS_MLS_H
#define MLS_MLS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "math/mat3.h"
#include "mls/mls_kernel.h"

#define MLS_FLAT 1e-12

/* One cache line: neighbours are gathered from all over the place. */
typedef struct mls_sample {
  vec3 point, normal;
  double value;
  double radius; /* 0: does not count */
} mls_sample;

typedef struct mls_surface {
  mls_kernel kernel;
  double epsilon; /* of the interpolating kernels */
  size_t count;
  mls_sample *samples;
  double *radii;            /* what samples[i].radius is while its triangle has area */
  double reach;             /* the largest of them: how far to look for neighbours */
  const int32_t *triangles; /* three vertices a sample, or NULL for oriented points */
  const vec3 *vertices;     /* where the samples were last taken from; NULL for points */
} mls_surface;

/* Samples at the centroids of triangles, with the triangles' normals (4.1.2); values are 0. The
 * triangles stay the caller's and must stay valid, and so must the vertices of each update. Radii
 * are not set yet. Indices are the caller's to check, as in topology.h. */
tribo_status mls_from_triangles(mls_kernel kernel, double epsilon, const int32_t *triangles,
                                size_t count, const vec3 *vertices, arena *memory, mls_surface *out,
                                tribo_error *err);

/* Samples from any oriented points; values may be NULL for zeros. Normals need not have length 1,
 * but must have a direction. Radii are not set yet. */
tribo_status mls_from_points(mls_kernel kernel, double epsilon, const vec3 *points,
                             const vec3 *normals, const double *values, size_t count, arena *memory,
                             mls_surface *out, tribo_error *err);

/* Takes points and normals anew from moved vertices; radii and values stay. Returns how many
 * triangles have no area. For surfaces from triangles only. */
size_t mls_update(const tasks *t, const vec3 *vertices, mls_surface *surface);

/* The same radius for all, as in the paper. So that no hole opens in a mesh it must exceed the
 * largest distance from a centroid to its corners, up to 2/3 of a longest side. (4.1.4 asks for
 * half of the largest triangle's diameter: where that means a side, equilateral triangles have
 * their corners at 0.577 of it, out of reach of all.) */
tribo_status mls_set_radius(double radius, mls_surface *surface, tribo_error *err);

/* Each sample's own radius: scale times its spacing. */
tribo_status mls_set_radii(const double *spacing, double scale, mls_surface *surface,
                           tribo_error *err);

/* The spacing of a mesh: the distance from a centroid to its farthest corner. Every point of the
 * triangle is that near, so with a scale above 1 no hole opens on the mesh, however the sizes
 * vary, and the surface is covered to the height R sqrt(1 - 1/scale^2) on both sides. MLS_SCALE
 * reaches the next ring of triangles (docs/mls.md has the errors of other choices). */
#define MLS_SCALE 2.0
void mls_spacing_of_mesh(const mls_surface *surface, double *spacing);

typedef struct mls_value {
  double value;
  vec3 gradient;
  mat3 hessian;   /* symmetric to the bit */
  vec3 pull;      /* grad log W, W = sum w_i */
  double weight;  /* W */
  int32_t active; /* samples in reach */
} mls_value;

typedef enum mls_order { MLS_VALUE, MLS_GRADIENT, MLS_HESSIAN } mls_order;

/* Psi and its derivatives by x up to `order`; what is not asked for is 0. */
mls_value mls_evaluate(const mls_surface *surface, vec3 query, const int32_t *neighbours,
                       size_t count, mls_order order);

/* The neighbours of many queries: those of query i are index[start[i]] to index[start[i+1] - 1]. */
typedef struct mls_lists {
  const size_t *start;
  const int32_t *index;
} mls_lists;

/* Bits do not depend on the number of threads. */
void mls_evaluate_batch(const tasks *t, const mls_surface *surface, const vec3 *queries,
                        size_t count, const mls_lists *neighbours, mls_order order, mls_value *out);

/* How the functions that go over a whole surface ask for neighbours: all samples within `reach` of
 * each place, in memory from the arena, the same for any number of threads. */
typedef struct mls_search {
  void *context;
  tribo_status (*find)(void *context, const tasks *t, const vec3 *places, size_t count,
                       double reach, arena *memory, mls_lists *out, tribo_error *err);
} mls_search;

#endif
