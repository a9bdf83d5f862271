/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * matrix: the matrix of a Newton direction: the Hessian of the objective and what contacts add.
 *
 * Rows are the free nodes. A contact with the stiffness S (3x3, N/m) between the weighted places of
 * its vertices adds w_i w_j A_i^T S A_j between the nodes that vertices i and j hang on, A their
 * rows (model/kinematics.h). Where contacts couple rows that elements do not, the pattern is
 * widened and analysed anew, keeping the order of what was there (linsys_create_like). What comes
 * out depends on the contacts of the step alone, never on earlier steps.
 */
#ifndef BARRIER_MATRIX_H
#define BARRIER_MATRIX_H

#include "linsys/linsys.h"
#include "proximity/surface_mesh.h"

enum { HANGS_MOST = 4 * MESH_ROW_MOST };

/* Free rows that the four vertices of a contact hang on, with their blocks. */
typedef struct barrier_hang {
  int count;
  int32_t row[HANGS_MOST];
  int vertex[HANGS_MOST];   /* which of the four */
  double share[HANGS_MOST]; /* the row's block is this times one, */
  bool turns;               /* or else: */
  mat3 block[HANGS_MOST];
} barrier_hang;

typedef struct barrier_matrix {
  const surface_mesh *mesh;
  const model *model;
  linsys_options options;
  linsys *own, *wide;   /* for the model's pattern, and for a wider one */
  bcsr hessian;         /* of the objective over all nodes, */
  bcsr free;            /* over the free ones, */
  bcsr matrix;          /* and with contacts */
  bcsr_pattern pattern; /* of the wide one */
  int32_t *wide_of_free;
  bool widened; /* the matrix has the wide pattern */
  arena memory, pattern_memory;
  vec3 *rhs, *solution; /* of rows */
  int factorizations, analyses;
} barrier_matrix;

tribo_status barrier_matrix_create(const surface_mesh *mesh, const linsys_options *options,
                                   barrier_matrix *out, tribo_error *err);
void barrier_matrix_free(barrier_matrix *s);

/* A step begins: the pattern is the model's again. */
void barrier_matrix_begin(barrier_matrix *s);

/* Rows and blocks of four vertices at nodes x; places are those of the vertices. */
void barrier_matrix_hang_of(const barrier_matrix *s, const vec3 *x, const vec3 *places,
                            const int32_t vertex[4], barrier_hang *out);

/* Makes room for all couplings, and for no others than elements have besides, if any is missing. */
tribo_status barrier_matrix_reserve(barrier_matrix *s, const barrier_hang *hangs, size_t count,
                                    tribo_error *err);

/* Starts the matrix with s->hessian, which the caller has filled. */
void barrier_matrix_start(barrier_matrix *s, const tasks *t);

/* Adds w_i w_j S, and a full 12 x 12 one. */
void barrier_matrix_add(barrier_matrix *s, const barrier_hang *hang, const double weight[4],
                        const mat3 *stiffness);
void barrier_matrix_add_full(barrier_matrix *s, const barrier_hang *hang, const double h[144]);

/* The same matrix once more, as factored last. */
tribo_status barrier_matrix_again(barrier_matrix *s, const vec3 *force, vec3 *d, bool *solved,
                                  tribo_error *err);

/* d of all nodes from the forces on free nodes (minus the gradient); others stay as they are. */
tribo_status barrier_matrix_solve(barrier_matrix *s, const vec3 *force, vec3 *d, bool *solved,
                                  tribo_error *err);

#endif
