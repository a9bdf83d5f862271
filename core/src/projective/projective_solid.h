/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_solid: tetrahedra as Projective Dynamics wants them (Bouaziz et al. 2014): energies
 * that are distances from shapes without stress, so that a constant matrix bounds their Hessian
 * from above whatever the shape. With F = R S, R the nearest rotation (never a reflection: of an
 * inverted tet the least stretch is negative), per rest volume
 *
 *   W = mu |F - R|^2 + 3 lambda/2 d^2,   d the distance from the shapes with tr S = 3.
 *
 * As long as the nearest of those has the same R, 3 d^2 = (tr S - 3)^2, and W is the corotated
 * material, Hooke's law in the strain e = S - I with the Lame constants of energy/solid.h:
 * mu |e|^2 + lambda/2 (tr e)^2. docs/projective.md measures what larger strains make of it.
 *
 * The bound. tr S = max <Q, F> over all rotations Q is a convex function of F. So |F - R|^2 =
 * |F|^2 - 2 tr S + 3 has a Hessian below 2; where tr S < 3 that of (tr S - 3)^2/2 is below the one
 * of <R, F>^2/2, which is below |R|^2 = 3. Where tr S > 3, {tr S <= 3} is a convex set, and the
 * square of a distance from such a set, halved, has a Hessian below 1. In all, W is below
 * 2 mu + 3 lambda.
 *
 * The distance from that set. By the stretches s0 >= s1 >= |s2| it is a tetrahedron, whose face
 * s0 + s1 + s2 = 3 is met at s - t, t = (tr S - 3)/3. Only where a tet is three times as long as
 * at rest and thin besides does that go past the edge s0 = 3, s1 + s2 = 0 of the face; the nearest
 * point is then on the edge, and has another R.
 */
#ifndef PROJECTIVE_PROJECTIVE_SOLID_H
#define PROJECTIVE_PROJECTIVE_SOLID_H

#include "model/model.h"
#include "projective/projective_gather.h"

/* One array a constant: eight tets are worked on at a time. The last ones may be there only to make
 * up the number; they bear nothing. */
typedef struct projective_solid {
  const model *model;
  tasks tasks;
  size_t count, padded;
  int32_t *corner[4]; /* nodes */
  double *b[9];       /* inverse_rest, row by row */
  double *polar;      /* volume 2 mu, J */
  double *trace;      /* volume lambda, J */
  vec4 *force;        /* scratch: of corner k of tet e at 4 e + k */
  projective_gather own;
  void (*blocks)(const struct projective_solid *s, const vec4 *x, size_t begin, size_t end);
} projective_solid;

/* Memory from `memory`. Of the model's terms those of solids. */
tribo_status projective_solid_create(const model *m, const tasks *t, arena *memory,
                                     projective_solid *out, tribo_error *err);

/* Joules, added to the sums of the pieces that nodes belong to. piece_of: NULL: all are of one. */
void projective_solid_energies(const projective_solid *s, const vec4 *x, const int32_t *piece_of,
                               double *sums);

/* Of all together; for those who check the forces. */
static inline double projective_solid_energy(const projective_solid *s, const vec4 *x) {
  double sum = 0;
  projective_solid_energies(s, x, NULL, &sum);
  return sum;
}

/* Adds the matrix that bounds the Hessian, times scale, to values over model.pattern. */
void projective_solid_matrix(const projective_solid *s, double scale, double *values);

/* As in projective_cloth.h: first of every tet by itself, then what the tets of nodes say, newtons,
 * which is added to out. */
void projective_solid_elements(projective_solid *s, const vec4 *x);
void projective_solid_add(const projective_solid *s, size_t begin, size_t end, vec4 *out);

#endif
