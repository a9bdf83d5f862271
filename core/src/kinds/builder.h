/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * builder: what the rows of the table of kinds build a model with: nodes and their start, masses,
 * elastic terms, the triangles that the air pushes on.
 */
#ifndef KINDS_BUILDER_H
#define KINDS_BUILDER_H

#include "model/model.h"

/* Work space of building a model. `scratch` dies with it. */
typedef struct builder {
  model *m;
  const tribo_object_def *objects;
  const tribo_world_params *world;
  const tribo_time_params *time;
  element_set **sets; /* every set made so far: their union gives the matrix */
  size_t set_count;
  arena scratch;
} builder;

/* In the model's memory; NULL without memory. */
void *builder_keep(builder *b, size_t count, size_t size);

/* Element indices of an object as node numbers of the model, in scratch. */
int32_t *builder_globalized(builder *b, const int32_t *local, size_t count, int32_t first);

/* Rest positions of an element's corners. */
void builder_gather(const model *m, const int32_t *vertices, int arity, vec3 *out);

/* The vertices themselves are the nodes, unless a cage has its own: where they are, and their
 * common velocity. */
void builder_place(builder *b, const tribo_object_def *def, const model_body *body);

/* Adds the turning about the centre of mass; called when the masses are known. */
void builder_spin(builder *b, const tribo_object_def *def, const model_body *body);

/* An element's mass goes in equal parts to its vertices. */
void builder_lump(model *m, const int32_t *vertices, int arity, double mass, double damping);

/* Sorts elements into a set of the model; order[new] says where each came from. */
tribo_status builder_add_set(builder *b, const int32_t *vertices, size_t count, int arity,
                             element_set *out, int32_t **order, tribo_error *err);

/* A new elastic term, its constants still to be filled in. */
tribo_status builder_add_term(builder *b, const element_kernel *kernel, const int32_t *vertices,
                              size_t count, size_t element_size, double damping_stiffness,
                              const element_set **set, void **data, int32_t **order,
                              tribo_error *err);

/* The triangles that the air pushes on; nodes of the model. */
tribo_status builder_add_skin(builder *b, const tribo_object_def *def, const int32_t *triangles,
                              size_t count, tribo_error *err);

#endif
