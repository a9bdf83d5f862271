/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mesh: geometry as files bring it, before any physics. Owned arrays; zeroed is empty.
 */
#ifndef IO_MESH_H
#define IO_MESH_H

#include "base/status.h"

typedef struct mesh {
  size_t vertex_count, triangle_count, tet_count, edge_count;
  double *positions;  /* 3 a vertex */
  int32_t *triangles; /* 3 a triangle; polygons arrive as fans */
  double *uvs;        /* 2 a triangle corner (6 a triangle), or NULL when the file has none */
  int32_t *tets;      /* 4 a tet */
  int32_t *edges;     /* 2 an edge, of polylines */
} mesh;

void mesh_free(mesh *m);

/* TRIBO_BAD_INPUT when a position or uv is not finite, for writers of text: a file with a "nan" in
 * it is one that no reader takes. */
tribo_status mesh_check_finite(const mesh *m, const char *path, tribo_error *err);

#endif
