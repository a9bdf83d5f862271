/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mls_patch: the samples that a query sees, and how Psi depends on them (section 4.1.2).
 *
 * Psi depends on the query x and the samples through d_i = x - p_i and n_i only. With W = sum w_i,
 * the shares l_i = w_i / W, a_i = grad w_i / W and the excess e_i = psi_i - Psi,
 *
 *   dPsi/dd_i = g_i = e_i a_i + l_i n_i,   dPsi/dn_i = l_i d_i,
 *   dPsi/dx = sum g_i,   dPsi/dp_i = -g_i.
 *
 * The second derivative in all (d, n) is a block for each sample and one term of rank two,
 *
 *   Hess = diag D_i - (A G^T + G A^T),   G = grad Psi = (g, l d),   A = grad log W = (a, 0),
 *   D_i = [ a n^T + n a^T + e Hess w / W    a d^T + l I ]
 *         [ d a^T + l I                     0           ].
 *
 * For a surface from triangles it is carried on to their vertices. A triangle with the unit normal
 * n, twice the area c and the side E_k = x_{k+1} - x_{k+2} opposite corner k turns by
 *
 *   dn/dx_k = -h_k n^T / c,   h_k = E_k x n;
 *
 * p is the mean of the corners. So the Hessian of one contact by (x, vertices) is again a sum of
 * one 12 x 12 block a triangle and a rank-two term. It is offered in the two forms a constrained
 * Newton can use: times a vector (no matrix, linear in the number of samples), or as one dense
 * symmetric matrix over the query and the distinct vertices of the patch, to scatter into blocks.
 * Both are exact; neither is definite.
 *
 * Psi does not change when the query and the vertices move rigidly together: an impulse along the
 * gradient by (x, vertices) conserves linear and angular momentum, whatever the kernel.
 */
#ifndef MLS_MLS_PATCH_H
#define MLS_MLS_PATCH_H

#include "mls/mls.h"

/* One sample in reach. */
typedef struct mls_member {
  vec3 d, n;           /* x - p, normal */
  double share;        /* l */
  double excess;       /* e */
  double slope, curve; /* a = slope d; Hess w / W = slope I + curve d d^T */
  /* of the sample's triangle; unset for oriented points */
  int32_t corner[3];  /* places in the patch's vertices */
  vec3 edge[3], h[3]; /* E_k, E_k x n */
  double area;        /* c, twice the area */
} mls_member;

typedef struct mls_patch {
  vec3 query;
  mls_value at; /* with the Hessian by x */
  size_t count; /* at.active */
  int32_t *samples;
  mls_member *members;
  size_t vertex_count; /* 0 for oriented points */
  int32_t *vertices;   /* ascending, each once */
  vec3 *by_vertex;     /* dPsi/dx of each */
  vec3 *pull;          /* d log W/dx of each */
} mls_patch;

/* All that is asked for below is read off the patch; the surface may go. Members are in the order
 * of `neighbours`. A query out of reach of all gives an empty patch. */
tribo_status mls_patch_create(const mls_surface *surface, vec3 query, const int32_t *neighbours,
                              size_t count, arena *memory, mls_patch *out, tribo_error *err);

/* dPsi/dp and dPsi/dn of every member. The normal is taken as free: its length is not held. */
void mls_patch_by_samples(const mls_patch *patch, vec3 *by_point, vec3 *by_normal);

/* Hess Psi times (query, vertices). Without vertices those arrays may be NULL. */
void mls_patch_hessian_times(const mls_patch *patch, vec3 query, const vec3 *vertices,
                             vec3 *out_query, vec3 *out_vertices);

/* hessian += scale Hess Psi, dense, 3 (1 + vertex_count) square, row-major, symmetric to the bit
 * if it was: the query first, then the vertices of the patch. */
void mls_patch_add_hessian(const mls_patch *patch, double scale, double *hessian);

#endif
