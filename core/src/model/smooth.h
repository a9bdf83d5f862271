/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * smooth: the smooth surface of an object (mls/mls.h) as its parameters make it of a mesh, and how
 * far that strays from the mesh.
 *
 * A sample reaches as far as its triangle is long. Where that is farther than the shape is thick,
 * or turns, the surface lies off the mesh, has holes, or has its inside outside. So it is asked at
 * places on the mesh, and off it to both sides, what contact would ask: the gap. On the mesh that
 * is how far it strays; at a distance d from the mesh, outside, it strays by d where it says that
 * this is inside, and inside the other way round. It may stray by
 *
 *   a = min(5% of the local size, a quarter of the spacing)
 *
 * the local size being how thick a closed mesh is there, along the normal inwards, and no more than
 * surface.thickness, where that is given: so far it may stray and not be seen.
 */
#ifndef MODEL_SMOOTH_H
#define MODEL_SMOOTH_H

#include "geom/kdtree.h"
#include "mls/mls.h"
#include "tribo/scene.h"

/* Samples with their radii, and a tree of them, which the caller frees. The triangles, and the
 * vertices, stay the caller's. */
tribo_status smooth_make(const char *name, const tribo_surface_params *params,
                         const int32_t *triangles, size_t count, const vec3 *vertices,
                         const tasks *t, arena *memory, mls_surface *out, kdtree *tree,
                         tribo_error *err);

typedef struct smooth_stray {
  double share;    /* the worst distance in parts of what is allowed there; above 1: it strays */
  double distance; /* that one, m; infinite: there is no surface */
  vec3 place;      /* on the mesh or beside it */
} smooth_stray;

/* Of a mesh at rest, cut as `params` say. closed: it has an inside. Large meshes are looked at in
 * places, those first whose samples reach farthest. soon: ends where it has found one that strays.
 * What cannot be cut so finely strays by nothing. */
tribo_status smooth_measure(const tribo_surface_params *params, const int32_t *triangles,
                            size_t count, const vec3 *vertices, size_t vertex_count, bool closed,
                            bool soon, smooth_stray *out, tribo_error *err);

#endif
