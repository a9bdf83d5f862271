/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * faults: what is odd about a surface that can be simulated nevertheless: seams that nobody joined,
 * triangles wound against their neighbours, closed parts whose front is inside.
 *
 * A seam is an open edge in one place with another, within a ten-thousandth of the mean side.
 * Windings and closed parts are judged as if seams were joined, so that a ball in loose triangles
 * is seen to be inside out, too; boxes that stand side by side have no open edges, and stay apart.
 */
#ifndef GEOM_FAULTS_H
#define GEOM_FAULTS_H

#include <stdint.h>

#include "base/status.h"
#include "math/vec3.h"

typedef struct mesh_faults {
  size_t pieces;   /* connected through vertices */
  size_t joined;   /* the same, were the seams joined */
  size_t seams;    /* open edges in one place with another open edge between other vertices */
  int32_t seam[2]; /* the first: two vertices in one place that nobody joined */
  size_t turned;   /* triangles wound against the greater part of the surface they belong to; 0 of a
                      surface that has but one side, where no winding agrees */
  size_t first_turned;
  size_t inside_out;       /* closed parts with a negative volume that are no cavities of others */
  size_t first_inside_out; /* a triangle of the first */
  double join_distance;    /* within which vertices count as one place, metres */
} mesh_faults;

/* The indices have been checked: in range, and different within a triangle. */
tribo_status mesh_faults_find(const vec3 *positions, size_t vertex_count, const int32_t *triangles,
                              size_t count, mesh_faults *out, tribo_error *err);

#endif
