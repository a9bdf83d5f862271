/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mesh: from the polygons of a geometry to triangles, and what is connected.
 */
#ifndef HOUDINI_MESH_H
#define HOUDINI_MESH_H

#include "geo.h"

/* The triangles of a polygon of `count` corners, as numbers of its corners from 0: count - 2 of
 * them, wound as the core wants them (space.h). A polygon of four is cut along the diagonal that
 * leaves both triangles right side up, the shorter of two; one of more by cutting off ears.
 * scratch: as
 * many numbers as it has corners. */
void hou_polygon_cut(const hou_geo *geo, size_t prim, int32_t *scratch, int32_t *corners);

/* The lowest point that every point is connected to by primitives; parents: point_count long. */
void hou_connected(const hou_geo *geo, int32_t *parents);

/* Whether triangles of any vertices close a surface; -1 without memory. */
int hou_triangles_closed(const int32_t *triangles, size_t count);

#endif
