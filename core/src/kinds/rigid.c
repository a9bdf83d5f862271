/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind rigid: the inside of triangles whose holes count as closed, which keeps its shape
 * (model/rigid.h).
 */
#include <stddef.h>

#include "kinds/content.h"
#include "kinds/kind.h"
#include "kinds/mesh_check.h"
#include "model/kinematics.h"
#include "model/rigid.h"

/* The centre of mass, and the turning. */
static size_t node_count(const tribo_object_def *def) {
  (void)def;
  return 2;
}

static tribo_status build(builder *b, size_t object, model_body *body, tribo_error *err) {
  const tribo_object_def *def = &b->objects[object];
  model *m = b->m;
  model_rigid *rigid = &m->rigids[m->rigid_count];
  vec3 centre;
  TRY(rigid_measure(def->name, def->positions, def->vertex_count, def->triangles,
                    def->triangle_count, def->rigid.density, rigid, &centre, err));
  rigid->body = (int32_t)(body - m->bodies);
  rigid->node = body->first_node;
  m->rest[rigid->node] = centre; /* that of the turning is 0, and so is its lumped mass */
  m->mass[rigid->node] = rigid->mass;
  m->start_velocity[rigid->node] = vec3_from(def->object.velocity);
  m->start_velocity[rigid->node + 1] = vec3_scale(rigid->length, vec3_from(def->object.spin));

  vec3 *local = builder_keep(b, def->vertex_count, sizeof *local);
  if (!local) return status_no_memory(err, body->name);
  for (size_t i = 0; i < def->vertex_count; i++) {
    vec3 arm = vec3_sub(vec3_from(def->positions + 3 * i), centre);
    local[i] = quat_unrotate(rigid->turn, arm);
  }
  body->kinematics = &kinematics_rigid;
  body->rigid = (int32_t)m->rigid_count++;
  body->local = local;
  return TRIBO_OK;
}

static double mass(const tribo_object_def *def) {
  return def->rigid.density * content_enclosed(def);
}

const kind_row kind_rigid = {
    .about =
        {.kind = TRIBO_RIGID,
         .name = "rigid",
         .article = "a rigid body",
         .about =
             "a body that keeps its shape, the inside of triangles whose holes count as closed.",
         .group = "rigid",
         .key = "rigid",
         .mesh = TRIBO_MESH_TRIANGLES,
         .simulated = true,
         .turns = true,
         .contact = TRIBO_CONTACT_AUTO,
         .role = TRIBO_ROLE_BOTH},
    .params = offsetof(tribo_object_def, rigid),
    .check = mesh_check_surface,
    .node_count = node_count,
    .build = build,
    .mass = mass,
};
