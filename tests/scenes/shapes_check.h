/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_check: what a mesh is worth, by plain counting and measuring.
 */
#ifndef TESTS_SCENES_SHAPES_CHECK_H
#define TESTS_SCENES_SHAPES_CHECK_H

#include "scenes/shapes.h"

/* Of a mesh's triangles. An edge is sound when one or two triangles share it and two run along it
 * in opposite directions; a vertex, when its triangles form one fan. */
typedef struct surface_report {
  size_t bad_edges, open_edges; /* not sound; with one triangle only */
  size_t fans;                  /* of all vertices; as many as vertices when each is sound */
  size_t used;                  /* vertices in a triangle */
  long euler;                   /* vertices - edges + triangles */
  size_t parts;                 /* connected pieces */
  double volume;                /* enclosed; positive when the front is outside */
  double least_angle;           /* of a triangle, degrees */
  double shortest, longest;     /* edges, m */
} surface_report;

/* Of its tets. */
typedef struct solid_report {
  double volume, least_volume;          /* of all; of the smallest tet, negative when inverted */
  double least_dihedral, most_dihedral; /* degrees */
  size_t used;                          /* vertices in a tet */
  surface_report skin;
} solid_report;

/* False: no memory. */
bool surface_measure(const mesh *m, surface_report *out);
bool solid_measure(const mesh *m, solid_report *out);

/* How deep point x is within a closed surface, by looking at every triangle: the distance to the
 * surface, negative inside (the angle that the surface fills, seen from x, tells). */
double surface_distance(const mesh *m, const double x[3]);

#endif
