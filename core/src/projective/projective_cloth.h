/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_cloth: the energies of cloth as Projective Dynamics wants them (Bouaziz et al. 2014;
 * Ly et al. 2020, section 2.3): each is a distance from the shapes without stress,
 * w/2 |A x - p|^2 with p the nearest of them, so that w A^T A bounds its Hessian from above
 * whatever the shape. The weights come from the materials of energy/membrane.h and
 * energy/bending.h, with which the energies agree to the second order in the strain;
 * docs/projective.md has the derivation and measures the rest.
 *
 * Stretch. F = [f0 f1] takes warp and weft into space, F = R S its polar decomposition, R without
 * stress. Per rest area, with 2 G for `shear` twice, c for poisson sqrt(warp weft),
 *
 *   W = G |F - R|^2 + c/2 (tr S - 2)^2 + w0/2 (|f0| - 1)^2 + w1/2 (|f1| - 1)^2,
 *   w0 = warp - c - 2 G,  w1 = weft - c - 2 G.
 *
 * At small strain e that is 1/2 (warp e00^2 + weft e11^2 + 2 c e00 e11) + G/2 (2 e01)^2, the
 * membrane's. In 3D, R = [f0 + f1 x n, n x f0 + f1] / tr S with the normal n = f0 x f1 / |f0 x f1|,
 * so no triangle needs a decomposition; with n written out, dW/dF = F A with A symmetric, 2 x 2:
 * forces without a torque, for any F.
 *
 * Bending. t1 and t2 lead from a hinge's edge to the two opposite vertices, at right angles and of
 * length 1 at rest; t1 + t2 = 2 sin(theta/2) n is linear in the positions if the feet of the
 * heights are those of the rest shape. E = K/2 |t1 + t2 - p|^2, p of length 2 sin(theta0/2): for
 * small angles that is the hinge's K/2 (theta - theta0)^2. For what is flat at rest p = 0, and the
 * force is linear with a constant matrix (Bergou et al. 2006).
 */
#ifndef PROJECTIVE_PROJECTIVE_CLOTH_H
#define PROJECTIVE_PROJECTIVE_CLOTH_H

#include "energy/bending.h"
#include "model/model.h"
#include "projective/projective_gather.h"

/* The constants of all triangles, one array a constant: eight triangles are worked on at a time.
 * The last ones may be there only to make up the number; they bear nothing. */
typedef struct projective_stretch {
  size_t count, padded;
  int32_t *corner[3]; /* nodes */
  double *b[4];       /* inverse_rest 00, 01, 10, 11 */
  double *polar;      /* area 2 G, N m */
  double *trace;      /* area c */
  double *thread[2];  /* area w0, area w1 */
  double *bound[2];   /* area times the weights of f0 and f1 in the matrix */
  vec4 *force;        /* scratch: of corner k of triangle e at 3 e + k */
} projective_stretch;

/* Hinges that are not flat at rest; what is linear in them is in the matrix. */
typedef struct projective_fold {
  int32_t node[4];
  double weight[4];
  double stiffness; /* K, N m */
  double bend;      /* 2 sin(theta0/2), with its sign */
} projective_fold;

typedef struct projective_cloth {
  const model *model;
  tasks tasks;
  projective_stretch stretch;
  projective_fold *folds;
  size_t fold_count;
  vec4 *fold_force; /* scratch: of node k of fold f at 4 f + k */
  double *bending;  /* the linear part, N/m: one for each entry of model.pattern */
  bool bends;
  void (*stretch_blocks)(const projective_stretch *s, const vec4 *x, size_t begin, size_t end);
  void (*gather)(const struct projective_cloth *c, const vec4 *x, size_t begin, size_t end,
                 vec4 *out);
  projective_gather stretched; /* which entries of stretch.force are a node's own */
  projective_gather folded;    /* the same of fold_force */
} projective_cloth;

/* Of a hinge of energy/bending.h: t1 + t2 = sum weight x, and its length at rest. */
projective_fold projective_fold_make(const bending_element *b, const int32_t *nodes,
                                     const vec3 *rest);

/* Memory from `memory`. Of the model's terms those of cloth. */
tribo_status projective_cloth_create(const model *m, const tasks *t, arena *memory,
                                     projective_cloth *out, tribo_error *err);

/* Joules, added to the sums of the pieces that nodes belong to. piece_of: NULL: all are of one. */
void projective_cloth_energies(const projective_cloth *c, const vec4 *x, const int32_t *piece_of,
                               double *sums);

/* Of all together; for those who check the forces. */
static inline double projective_cloth_energy(const projective_cloth *c, const vec4 *x) {
  double sum = 0;
  projective_cloth_energies(c, x, NULL, &sum);
  return sum;
}

/* Adds the matrix that bounds the Hessian, times scale, to values over model.pattern. */
void projective_cloth_matrix(const projective_cloth *c, double scale, double *values);

/* The elastic forces at x, in two parts: first of every element by itself, then of the nodes from
 * begin to end - 1 what their elements say, newtons, out[0] that of `begin`. Nodes may be asked for
 * in any order and from several threads. */
void projective_cloth_elements(projective_cloth *c, const vec4 *x);
void projective_cloth_forces(const projective_cloth *c, const vec4 *x, size_t begin, size_t end,
                             vec4 *out);

#endif
