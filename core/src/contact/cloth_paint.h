/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cloth_paint: what is painted on cloth where it touches something, also between its vertices.
 * There it is looked up inside of a triangle, so a map is seen as sharp as it is; a place on an
 * edge belongs to the first of the triangles around it.
 */
#ifndef CONTACT_CLOTH_PAINT_H
#define CONTACT_CLOTH_PAINT_H

#include "model/model.h"

/* The place is given by weights of one, two or three nodes: a vertex, or the corners of an edge or
 * a triangle of the cloth. x: of all nodes. normal: unit, across the contact. */
paint_value cloth_paint(const model *m, const model_probes *cloth, const int32_t *nodes,
                        const double *weights, int count, const vec3 *x, vec3 normal);

#endif
