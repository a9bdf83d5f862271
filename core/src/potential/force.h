/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * force: what acts on bodies from outside, a row of a table each: soft pins, the air. A source
 * prepares the constants of its elements for one step; within the step it is an energy over them.
 * docs/add_a_force.md has the recipe.
 */
#ifndef POTENTIAL_FORCE_H
#define POTENTIAL_FORCE_H

#include "model/model.h"

/* A step of h seconds from x0 and v0 that ends at `end` seconds. */
typedef struct force_step {
  const vec3 *x0, *v0;
  double h, end;
  const tasks *tasks;
} force_step;

typedef struct force_source {
  const char *name;

  /* Constants of one step: so many elements of that size. */
  size_t (*element_count)(const model *m);
  size_t element_size;
  void (*prepare)(const model *m, const force_step *step, void *elements);

  /* Energies of a step, each with its part of the elements. */
  size_t (*term_count)(const model *m);
  energy_term (*term)(const model *m, const void *elements, size_t k);

  /* Adds, node by node, k of the quadratic k/2 |x|^2 that bounds the Hessian of the source whatever
   * the step, N/m. NULL: its Hessian has no such bound, or none is wanted: it acts as a force. */
  void (*bound)(const model *m, double *of_node);
} force_source;

extern const force_source force_pins, force_air;

/* All sources of a model. */
typedef struct force_set {
  const model *model;
  void **elements; /* a source */
} force_set;

tribo_status forces_create(const model *m, arena *memory, force_set *out, tribo_error *err);

/* Before the energies of a step are asked for. */
void forces_prepare(force_set *f, const force_step *step);

size_t forces_term_count(const model *m);
energy_term forces_term(const force_set *f, size_t k);

/* The bounds of all sources that have one, added to of_node. */
void forces_bound(const model *m, double *of_node);

#endif
