/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * skin: the surface that others touch, as a mesh to look at: the mesh it is made from, each vertex
 * walked down to the zero of the surface's distance (Newton's path of mls/mls_check.h) and out
 * again by its thickness. Where the surface has too few samples, it says so.
 */
#ifndef SURFACE_SKIN_H
#define SURFACE_SKIN_H

#include "surface/surface.h"

/* What a vertex of a skin stands on. THIN: fewer than three samples blend there, and facets of the
 * mesh show through. HOLE: no sample is in reach, or no zero was found; things fall through. */
typedef enum skin_state { SKIN_WHOLE, SKIN_THIN, SKIN_HOLE } skin_state;

typedef struct skin {
  vec3 *vertices; /* in the world, at the first frame; where there is a hole, of the mesh */
  uint8_t *state; /* of each, a skin_state */
  size_t vertex_count;
  int32_t *triangles;
  size_t triangle_count;
} skin;

/* Of one surface of a model; spacing: sides of its triangles at most, in metres; 0: those of the
 * surface's own mesh. In `memory`. */
tribo_status skin_make(const model *m, const model_surface *def, double spacing, const tasks *t,
                       arena *memory, skin *out, tribo_error *err);

#endif
