/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * elements: the one loop behind every energy.
 *
 * An energy is a sum over small elements: a tetrahedron, a triangle, a hinge, a pin. A kernel says
 * what one element does, with three verbs; this file does what all of them share: visit elements on
 * several cores, add gradients to vertices and Hessian blocks to the matrix. Elements are sorted
 * into parts (geom/dissect.h): parts of one level share no vertex, so they can be worked on in
 * parallel without conflict and every sum is formed in the same order for any number of threads.
 */
#ifndef ENERGY_ELEMENTS_H
#define ENERGY_ELEMENTS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "geom/dissect.h"
#include "math/bcsr.h"

enum { ELEMENT_MAX_ARITY = 5, ELEMENT_MAX_DOFS = 3 * ELEMENT_MAX_ARITY };

/* Exact: the true second derivative. Projected: a positive semi-definite stand-in for it, with
 * which Newton's direction is always one of descent. */
typedef enum hessian_kind { HESSIAN_EXACT, HESSIAN_PROJECTED } hessian_kind;

/* The verbs of one element e of a set whose constants are `data`. x holds the element's own
 * `arity` positions. gradient writes arity vectors; hessian writes a (3 arity)^2 row-major,
 * symmetric matrix, of which nothing is assumed before. */
typedef struct element_kernel {
  const char *name;
  int arity;
  double (*energy)(const void *data, size_t e, const vec3 *x);
  void (*gradient)(const void *data, size_t e, const vec3 *x, vec3 *g);
  void (*hessian)(const void *data, size_t e, const vec3 *x, hessian_kind kind, double *h);
} element_kernel;

/* Which vertices an element touches, and where its blocks go. Constant once built. */
typedef struct element_set {
  size_t count;
  int arity;
  const int32_t *vertices; /* count * arity, global vertex numbers, part after part */
  dissection parts;
  int32_t *slots; /* count * arity^2 places in the matrix */
} element_set;

/* Sorts `count` elements into parts and writes in `order` the sequence in which the caller must
 * store their constants (order[new] = old). */
tribo_status elements_arrange(const int32_t *vertices, size_t count, int arity,
                              const vec3 *positions, size_t vertex_count, arena *memory,
                              element_set *out, int32_t *order, tribo_error *err);

/* Finds the matrix slots, once the pattern over all vertices is known. */
tribo_status elements_bind(element_set *set, const bcsr_pattern *pattern, arena *memory,
                           tribo_error *err);

/* One energy of the model: what (kernel), where (set), with which constants (data). */
typedef struct energy_term {
  const element_kernel *kernel;
  const element_set *set;
  const void *data;
} energy_term;

/* Sum over elements; scratch holds one double an element. */
double elements_energy(const energy_term *term, const tasks *t, const vec3 *x, double *scratch);

/* Adds to g (all vertices) and to h. */
void elements_gradient(const energy_term *term, const tasks *t, const vec3 *x, vec3 *g);
void elements_hessian(const energy_term *term, const tasks *t, const vec3 *x, hessian_kind kind,
                      double scale, bcsr *h);

#endif
