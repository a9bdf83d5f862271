/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes: the meshes that scenes are made of. A shape whose arrays are NULL says that memory ran
 * out.
 */
#ifndef TESTS_SCENES_SHAPES_H
#define TESTS_SCENES_SHAPES_H

#include "io/mesh.h"

/* A sheet in the plane z = 0 with its corner at the origin: columns x rows squares, two triangles
 * each, diagonals alternating so that no direction is favoured. Vertex (i, j) is number
 * j (columns + 1) + i; UVs are 0 to 1. */
mesh shape_sheet(int columns, int rows, double width, double height);

/* A block with its corner at the origin, nx x ny x nz cubes of six tets each. Vertex (i, j, k) is
 * number (k (ny + 1) + j) (nx + 1) + i. */
mesh shape_block(int nx, int ny, int nz, double width, double depth, double height);

/* A solid ring around the z axis with a square section, of
 * `around` x `across` x `across` cubes of six tets. */
mesh shape_ring(int around, int across, double radius, double thickness);

/* Arrays of these lengths, not set; without UVs. */
mesh shape_new(size_t vertices, size_t triangles, size_t tets);

void shape_move(mesh *m, double x, double y, double z);

/* Turns around an axis through the origin: 0, 1, 2 for x, y, z; by the right-hand rule. */
void shape_turn(mesh *m, int axis, double radians);

/* Some of the triangles of m, or any others on its vertices, and only the vertices they use, in the
 * order in which m has them. */
mesh shape_keep(const mesh *m, const int32_t *triangles, size_t count);

/* The triangles that bound the tets, wound around the outward normal, on their own vertices. */
mesh shape_skin(const mesh *solid);

#endif
