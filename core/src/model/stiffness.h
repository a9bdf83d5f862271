/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stiffness: how stiff a body is from place to place, painted as a multiplier a vertex.
 *
 * Where vertices are nodes, they have it. In a cage a node has the mean of the vertices that it
 * carries, by their weights; one that carries none has the mean of its neighbours that have a
 * value, those next to the surface first. An element has the mean of its corners.
 */
#ifndef MODEL_STIFFNESS_H
#define MODEL_STIFFNESS_H

#include "model/model.h"

/* One number a node of the body in `scratch`; *out is NULL where nothing is painted. */
tribo_status stiffness_of_nodes(const tribo_object_def *def, const model_body *body, arena *scratch,
                                double **out, tribo_error *err);

/* Of an element with these corners (nodes of the model); 1 where of_nodes is NULL. */
double stiffness_of_element(const double *of_nodes, const model_body *body, const int32_t *corners,
                            int count);

#endif
