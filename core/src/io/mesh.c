/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/mesh.h"

#include <math.h>
#include <stdlib.h>

void mesh_free(mesh *m) {
  free(m->positions);
  free(m->triangles);
  free(m->uvs);
  free(m->tets);
  free(m->edges);
  *m = (mesh){0};
}

tribo_status mesh_check_finite(const mesh *m, const char *path, tribo_error *err) {
  for (size_t i = 0; i < 3 * m->vertex_count; i++)
    if (!isfinite(m->positions[i]))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "cannot write '%s': the %c coordinate of vertex %zu is %g", path,
                         "xyz"[i % 3], i / 3, m->positions[i]);
  for (size_t i = 0; m->uvs && i < 6 * m->triangle_count; i++)
    if (!isfinite(m->uvs[i]))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "cannot write '%s': the %c value of corner %zu of triangle %zu is %g",
                         path, "uv"[i % 2], i / 2 % 3, i / 6, m->uvs[i]);
  return TRIBO_OK;
}
