/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mesh_check: whether a mesh can be simulated or touched, for the rows of the table of kinds. Reads
 * only; a message names the object, the index, the value and the remedy.
 */
#ifndef KINDS_MESH_CHECK_H
#define KINDS_MESH_CHECK_H

#include "base/status.h"
#include "tribo/scene.h"

/* Farther out than this, differences of positions lose the digits that strains need, in metres. */
#define MESH_CHECK_FARTHEST 1e9

/* An element is flat when its area or volume is below this share of its longest edge squared or
 * cubed: there its shape is lost to rounding, whatever the scale of the mesh. */
#define MESH_CHECK_FLAT 1e-10

/* Coordinates are finite and near enough; word: "vertex". */
tribo_status mesh_check_points(const tribo_object_def *def, const double *points, size_t count,
                               const char *word, tribo_error *err);

/* Triangles that are touched: indices, UVs; one without area has no normal and is passed over, but
 * not all may be such. */
tribo_status mesh_check_surface(const tribo_object_def *def, tribo_error *err);

/* Triangles that are matter: each has an area, since it has a mass and a strain, and every vertex
 * belongs to one. */
tribo_status mesh_check_sheet(const tribo_object_def *def, tribo_error *err);

/* Tets, of the vertices or of a cage: each has a volume, no node is alone; and the triangles that a
 * cage carries. */
tribo_status mesh_check_volume(const tribo_object_def *def, tribo_error *err);

/* "object 'name': ..." */
tribo_status mesh_check_refuse(tribo_error *err, const tribo_object_def *def, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

#endif
