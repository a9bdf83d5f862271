/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_list: what touched between vertices in the last step of the method projective, for
 * those who look on: cloth on sharp obstacles (projective_edges.h) and on cloth
 * (projective_layers.h). A contact stands under the vertex of its own side that has the largest
 * share of it.
 */
#ifndef PROJECTIVE_PROJECTIVE_LIST_H
#define PROJECTIVE_PROJECTIVE_LIST_H

#include "projective/projective.h"

typedef struct projective_listed {
  int32_t node; /* whose share is largest, */
  int32_t body; /* and its body */
  const char *surface;
  vec3 point;   /* on the other side, m */
  vec3 slip;    /* m/s, in the world */
  double gap;   /* m, thickness taken off, at the end of the step */
  vec3 impulse; /* (N, t, b), N s */
  const friction_cone *cone;
} projective_listed;

/* Those that bear nothing too. */
size_t projective_list_count(const projective *p);

/* x: the nodes at the end of the step. */
projective_listed projective_list_at(const projective *p, const vec3 *x, size_t i);

/* How many contacts between cloths bear something, and by how much they are nearer than their
 * thickness at the end of the step, at most, m. */
void projective_list_layers(const projective *p, const vec3 *x, int *count, double *depth);

#endif
