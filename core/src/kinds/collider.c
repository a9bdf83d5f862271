/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind collider: triangles that others touch, which move only as they are told
 * (model/collider.h).
 */
#include "model/collider.h"

#include "kinds/kind.h"
#include "kinds/mesh_check.h"

static tribo_status build(builder *b, size_t object, model_body *body, tribo_error *err) {
  (void)body;
  model *m = b->m;
  return collider_build(&b->objects[object], object, b->time, &m->memory,
                        &m->colliders[m->collider_count++], err);
}

const kind_row kind_collider = {
    .about = {.kind = TRIBO_COLLIDER,
              .name = "collider",
              .article = "a collider",
              .about = "triangles that others touch; it is not simulated and moves only as it is "
                       "told.",
              .mesh = TRIBO_MESH_TRIANGLES,
              .contact = TRIBO_CONTACT_AUTO,
              .role = TRIBO_ROLE_SURFACE},
    .check = mesh_check_surface,
    .build = build,
};
