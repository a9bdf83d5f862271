/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * msh: Gmsh meshes, ASCII, versions 2.2 and 4.1. Takes triangles (type 2) and tets (type 4), passes
 * over other element types and unknown sections; a file with neither is refused. Node tags may be
 * any; nodes keep the order of the file. When there are tets, nodes that no tet uses are dropped
 * with no fault (Gmsh writes geometry points too) and the rest keep their order; triangles on
 * dropped nodes go with them.
 */
#ifndef IO_MSH_H
#define IO_MSH_H

#include "base/status.h"
#include "io/mesh.h"

tribo_status msh_read(const char *path, mesh *out, tribo_error *err);
tribo_status msh_parse(const char *name, const char *text, size_t size, mesh *out,
                       tribo_error *err);

/* Version 4.1 ASCII; tets and triangles. Complete or absent; numbers keep all their bits. */
tribo_status msh_write(const char *path, const mesh *m, tribo_error *err);

#endif
