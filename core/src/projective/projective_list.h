/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_list: what touched between vertices in the last step of the method projective, for
 * those who look on: cloth on sharp obstacles (projective_edges.h) and on cloth
 * (projective_layers.h). A contact stands under the vertex of its own side that has the largest
 * share of it.
 */
#ifndef PROJECTIVE_PROJECTIVE_LIST_H
#define PROJECTIVE_PROJECTIVE_LIST_H

#include "contact/record.h"
#include "projective/projective.h"

/* Those that bear nothing too. */
size_t projective_list_count(const projective *p);

/* The record of one that bears something: 1; else 0. x: the nodes at the end of the step. */
size_t projective_list_record(const projective *p, const vec3 *x, size_t i, contact_record *out);

/* How many contacts between cloths bear something, and by how much they are nearer than their
 * thickness at the end of the step, at most, m. */
void projective_list_layers(const projective *p, const vec3 *x, int *count, double *depth);

#endif
