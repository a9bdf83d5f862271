/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cage: a solid whose tets have nodes of their own and carry a surface along: what its vertices
 * hang on, how full its tets are, and what a pin on a vertex holds.
 *
 * Tets that fit the surface (every vertex is a node) are full. Those of a lattice or of a cage made
 * by hand reach beyond it: the part of a tet that is inside is found by asking for the winding
 * number (geom/winding.h) at 20 places in it, where the surface comes near, and scales the tet's
 * density and stiffness. Empty tets keep a little of both, or the nodes beyond them would float.
 */
#ifndef MODEL_CAGE_H
#define MODEL_CAGE_H

#include "model/model.h"

/* What an empty tet has of a full one. */
#define CAGE_LEAST_DENSITY   0.01
#define CAGE_LEAST_STIFFNESS 0.1

/* Hangs the vertices of the object on the nodes of the body: kinematics, anchor and weight. *full
 * is NULL where the tets fit, and else, in scratch, the inner part of every tet. */
tribo_status cage_embed(const tribo_object_def *def, arena *memory, arena *scratch,
                        model_body *body, double **full, tribo_error *err);

/* Nodes to hold in place of vertices. */
typedef struct cage_hold {
  int32_t *nodes; /* of the model */
  size_t count;
  vec3 *targets; /* samples x count */
  double *share; /* soft: of the pin's stiffness; NULL: hard */

  size_t vertex_count; /* of the pin */
  vec3 *rest;          /* of each vertex */
  int32_t (*at)[4]; /* for each vertex and node of its tet, the place among nodes; -1: not held */
  double (*weight)[4];
  double *sum; /* of each node, over the vertices that it carries */
} cage_hold;

/* Where the nodes go for one sample of the pin's targets (3 a vertex; NULL: it has none), into
 * `out`, one a node. rest: of all nodes of the model. */
void cage_aim(const cage_hold *hold, const vec3 *rest, const double *targets, vec3 *out);

/* The nodes that carry the vertices of a pin.
 *
 * Hard: each goes where the vertices it carries take it: turned as the pin's vertices turn together
 * (the best rotation from their rest to their targets), shifted as its own do in the mean, by their
 * weights. So the vertices stay put when they stand still or move rigidly (but for nodes that
 * have less than a millionth of a vertex and are left free), and are followed within the size of a
 * tet when they are bent. Soft: a spring a node and vertex, with the vertex's weight.
 * A vertex that is a node is held exactly in either case. */
tribo_status cage_pin(const tribo_object_def *object, const tribo_pin_def *pin,
                      const model_body *body, const vec3 *rest, arena *memory, arena *scratch,
                      cage_hold *out, tribo_error *err);

#endif
