/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_damping: damping in proportion to stiffness for Projective Dynamics, as the other
 * methods have it (docs/step.md): forces -beta K v with K the stiffness at the start of the step,
 * here that of projective_cloth.h and projective_solid.h without stress. It is linear within a
 * step, so beta h times the bound of K joins the constant matrix P, and the local step has forces
 * of velocities, each element by itself:
 *
 *   triangles  T = G C[e],  e = sym(G^T dF/dt),  C the Hooke's law of the membrane
 *   tets       T = G (2 mu e + lambda tr(e) I),  e as above
 *   hinges     K dtheta/dt grad theta
 *
 * with grad theta, and G = F / max(1, the largest stretch), at the start of the step: at rest e is
 * the rate of strain, and it is never more than the bound is made for. What moves or turns as a
 * whole has neither e (F^T w x F has no symmetric part) nor dtheta/dt: damping takes nothing from
 * it. It never adds energy: every force is that of a semi-definite form of the velocities.
 */
#ifndef PROJECTIVE_PROJECTIVE_DAMPING_H
#define PROJECTIVE_PROJECTIVE_DAMPING_H

#include "math/mat3.h"
#include "model/model.h"
#include "projective/projective_gather.h"

/* All weights are beta times those of the elastic energies. */
typedef struct damped_triangle {
  int32_t node[3];
  double b[2][2];                  /* inverse_rest */
  double warp, weft, cross, shear; /* times the area, N m s */
  vec3 g[2];                       /* the columns of G; of the step */
} damped_triangle;

typedef struct damped_tet {
  int32_t node[4];
  mat3 b;            /* inverse_rest */
  double mu, lambda; /* times the volume, J s */
  mat3 g;            /* G; of the step */
} damped_tet;

typedef struct damped_hinge {
  int32_t node[4];
  double weight[4]; /* of the rest shape, as in projective_cloth.h, 1/m */
  double stiffness; /* N m s */
  vec3 gradient[4]; /* of theta, 1/m; of the step */
} damped_hinge;

/* Elements of all three kinds are numbered through: triangles, tets, hinges. */
typedef struct projective_damping {
  const model *model;
  tasks tasks;
  damped_triangle *triangles;
  damped_tet *tets;
  damped_hinge *hinges;
  size_t triangle_count, tet_count, hinge_count;
  vec4 *force; /* scratch: of corner k of element e at 4 e + k */
  projective_gather own;
} projective_damping;

/* Memory from `memory`. Of the model's terms those that are damped; there may be none. */
tribo_status projective_damping_create(const model *m, const tasks *t, arena *memory,
                                       projective_damping *out, tribo_error *err);

/* Adds the matrix that bounds beta K, times scale, to values over model.pattern. */
void projective_damping_matrix(const projective_damping *d, double scale, double *values);

/* The frames of a step that starts at x. */
void projective_damping_begin(projective_damping *d, const vec3 *x);

/* As in projective_cloth.h: first of every element by itself, then what those of some nodes say,
 * newtons, which is added to out. */
void projective_damping_elements(projective_damping *d, const vec3 *v);
void projective_damping_add(const projective_damping *d, size_t begin, size_t end, vec4 *out);

#endif
