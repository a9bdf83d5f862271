/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * geo: Houdini's JSON .geo, written only: positions, optional velocities "v", and tets
 * (Tetrahedron_run), triangles (Polygon_run, clockwise seen from outside) or polylines
 * (PolygonCurve_run). One file a frame. Values are stored as floats, as Houdini does by default.
 */
#ifndef IO_GEO_H
#define IO_GEO_H

#include "base/status.h"
#include "io/mesh.h"

/* positions: 3 a vertex of m, in place of m's own; velocities may be NULL. A mesh with tets is
 * written as tets, otherwise as triangles, otherwise as polylines: edges that begin where the one
 * before ended belong to the same curve. Complete or absent. */
tribo_status geo_write(const char *path, const mesh *m, const double *positions,
                       const double *velocities, tribo_error *err);

#endif
