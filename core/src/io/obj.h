/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * obj: Wavefront OBJ. Reads v, vt, f (triangles, quads, n-gons; negative indices; v, v/t, v//n,
 * v/t/n) and l; passes over everything else. Polygons become fans around their first corner; uvs
 * are kept when every corner of every face has one. Faults name the line.
 */
#ifndef IO_OBJ_H
#define IO_OBJ_H

#include "base/status.h"
#include "io/mesh.h"

tribo_status obj_read(const char *path, mesh *out, tribo_error *err);

/* The same from memory (size bytes, closed by a 0 at text[size]); name stands for the path in
 * messages. */
tribo_status obj_parse(const char *name, const char *text, size_t size, mesh *out,
                       tribo_error *err);

/* Vertices, triangles with their uvs, edges; tets have no place in the format. Complete or absent.
 * Numbers keep all their bits. */
tribo_status obj_write(const char *path, const mesh *m, tribo_error *err);

#endif
