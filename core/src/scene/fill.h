/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fill: tets for a solid of which there is only a surface (docs/tets.md).
 *
 * Between the surface's own vertices where it is clean (geom/tetrahedralise.h), in a lattice around
 * it where it is not (geom/lattice.h).
 */
#ifndef SCENE_FILL_H
#define SCENE_FILL_H

#include "base/status.h"
#include "tribo/scene.h"

/* As tribo_fill_tets. */
tribo_status fill_tets(const tribo_object_def *surface, const tribo_fill_params *params,
                       tribo_tets *out, tribo_error *err);
void fill_free(tribo_tets *tets);

/* What the user should know of tets that were made: "" where all went as asked. */
void fill_note(const tribo_tets *made, char out[TRIBO_MESSAGE_SIZE]);

/* As tribo_scene_add_filled. */
tribo_status fill_add(tribo_scene *scene, const tribo_object_def *surface,
                      const tribo_fill_params *params, size_t *index, tribo_error *err);

#endif
