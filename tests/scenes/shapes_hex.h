/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_hex: solids of hexahedral cells, five tets a cell. Vertices of a cell are even and odd in
 * turn; the even ones span the tet in the middle. Where two cells share a face they agree on who is
 * even, and so on the diagonal of the face.
 */
#ifndef TESTS_SCENES_SHAPES_HEX_H
#define TESTS_SCENES_SHAPES_HEX_H

#include "scenes/shapes.h"

/* A block with its corner at the origin, nx x ny x nz cells. Vertex (i, j, k) is number
 * (k (ny + 1) + j) (nx + 1) + i. */
mesh shape_brick(int nx, int ny, int nz, double width, double depth, double height);

/* A hollow ball around the origin: a cube whose faces have n x n cells, blown up to a sphere, and
 * `layers` cells from the inside to the outside. 30 n^2 layers tets. The outermost vertices are the
 * last 6 n^2 + 2. */
mesh shape_shell(int n, int layers, double inner, double outer);

/* A full ball: a rounded cube of n x n x n cells inside a shell. */
mesh shape_ball(int n, int layers, double radius);

/* A tube around the z axis, from z = -length/2 to length/2. `around` must be even. Vertex
 * (i, j, k), around, outwards and along, is number (i (across + 1) + j) (along + 1) + k. */
mesh shape_tube(int around, int across, int along, double inner, double outer, double length);

/* A square stool that stands on z = 0: a seat, and four legs of cells under its corners that slant
 * outwards by `slant` metres a metre. All cells but those of the seat's height have about the same
 * size. */
typedef struct stool_form {
  int cells;      /* of the seat along an edge */
  int seat_cells; /* of the seat's height */
  int leg_cells;  /* of a leg's width; a leg stands `inset` cells from the edge */
  int inset;
  int height_cells;           /* of a leg's length */
  double width, seat, height; /* of the seat along an edge, of its thickness, of the legs; m */
  double slant;
} stool_form;
mesh shape_stool(const stool_form *form);

#endif
