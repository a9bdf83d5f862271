/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * eights: eight boxes, edges or triangles at a time, and which of them may be near one, each told
 * by a bit; with the widest vectors that the processor has. A bit may be set for what is just out
 * of reach, never missing for what is not: who needs to know measures (distance.h).
 */
#ifndef GEOM_EIGHTS_H
#define GEOM_EIGHTS_H

#include <stdint.h>

enum { EIGHT = 8 };

/* Boxes that move: low and high of x, y, z, and of their velocities, rounded outward. */
typedef struct eight_boxes {
  _Alignas(64) float low[3][EIGHT], high[3][EIGHT];
  float slow[3][EIGHT], fast[3][EIGHT];
} eight_boxes;

/* All within `near` + `time` * the largest difference of velocities, and within `most`, of a box
 * with these velocities. */
typedef struct one_box {
  float low[3], high[3], slow[3], fast[3];
  float near, time, most;
} one_box;

/* Edges from a to a + u. Numbers stand in doubles, as vectors want them beside places. */
typedef struct eight_edges {
  _Alignas(64) double a[3][EIGHT], u[3][EIGHT];
  double length2[EIGHT];
  double number[EIGHT], end[2][EIGHT]; /* of the edge, and of its vertices */
} eight_edges;

typedef struct one_edge {
  double a[3], u[3], length2, number, end[2];
  double most; /* how near another must pass */
  double sine; /* at what angle, at least */
} one_edge;

/* Triangles c, c + u, c + w. */
typedef struct eight_triangles {
  _Alignas(64) double c[3][EIGHT], u[3][EIGHT], w[3][EIGHT];
} eight_triangles;

typedef struct one_point {
  double at[3];
  _Alignas(32) float most2[EIGHT]; /* how near each must be, squared */
} one_point;

typedef struct eights {
  unsigned (*reached)(const eight_boxes *boxes, const one_box *asked);

  /* How far each of them may be to be in reach, squared. */
  void (*limits)(const eight_boxes *boxes, const one_box *asked, float limit2[EIGHT]);

  /* Edges of a lower number, without a common end, that pass this one within both: where the lines
   * through them are closest, both are between their ends. Edges of one flat sheet never do,
   * however near they are. */
  unsigned (*crossed)(const eight_edges *edges, const one_edge *asked);

  /* Triangles within reach of the point, and beyond their corners some more. */
  unsigned (*touched)(const eight_triangles *triangles, const one_point *asked);
} eights;

/* For what is asked of boxes. */
float eights_above(double x);

/* The fastest that this processor has. */
const eights *eights_best(void);

#endif
