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

void shape_move(mesh *m, double x, double y, double z);

#endif
