/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind solid: tets that deform, or tets of a cage that carry a surface of triangles along
 * (model/cage.h).
 */
#include <math.h>
#include <stddef.h>

#include "energy/solid.h"
#include "geom/topology.h"
#include "kinds/content.h"
#include "kinds/kind.h"
#include "kinds/mesh_check.h"
#include "model/cage.h"
#include "model/stiffness.h"

static size_t node_count(const tribo_object_def *def) {
  return def->cage ? def->cage_count : def->vertex_count;
}

static tribo_status build(builder *b, size_t object, model_body *body, tribo_error *err) {
  const tribo_object_def *def = &b->objects[object];
  model *m = b->m;
  double *full = NULL; /* of tets that are not: the part that is */
  if (def->cage) TRY(cage_embed(def, &m->memory, &b->scratch, body, &full, err));
  builder_place(b, def, body);
  const tribo_solid_params *p = &def->solid;
  const element_kernel *kernel = p->model == TRIBO_SOLID_NEO_HOOKEAN
                                     ? &solid_kernel_neo_hookean
                                     : &solid_kernel_stable_neo_hookean;
  int32_t *tets = builder_globalized(b, def->tets, 4 * def->tet_count, body->first_node);
  if (!tets) return status_no_memory(err, body->name);
  double *painted;
  TRY(stiffness_of_nodes(def, body, &b->scratch, &painted, err));

  const element_set *set;
  void *data;
  int32_t *order;
  TRY(builder_add_term(b, kernel, tets, def->tet_count, sizeof(solid_element), p->damping_stiffness,
                       &set, &data, &order, err));
  solid_element *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[4];
    builder_gather(m, set->vertices + 4 * e, 4, rest);
    double part = full ? full[order[e]] : 1;
    double young = p->young * stiffness_of_element(painted, body, set->vertices + 4 * e, 4);
    solid_element_init(rest, young * fmax(part, CAGE_LEAST_STIFFNESS), p->poisson, &elements[e]);
    double density = p->density * fmax(part, CAGE_LEAST_DENSITY);
    builder_lump(m, set->vertices + 4 * e, 4, density * elements[e].volume, p->damping_mass);
  }
  topology_list skin;
  TRY(topology_boundary(tets, def->tet_count, &b->scratch, &skin, err));
  TRY(builder_add_skin(b, def, skin.vertices, skin.count, err));
  builder_spin(b, def, body);
  return TRIBO_OK;
}

/* As in projective/projective_solid.h. */
static double weight(const tribo_object_def *def) {
  const tribo_solid_params *p = &def->solid;
  double nu = p->poisson, mu = p->young / (2 * (1 + nu));
  return 2 * mu + 3 * p->young * nu / ((1 + nu) * (1 - 2 * nu));
}

static double density(const tribo_object_def *def) { return def->solid.density; }

/* Of what the surface in a cage encloses: the cage reaches beyond it. */
static double mass(const tribo_object_def *def) {
  return def->solid.density * (def->cage ? fabs(content_enclosed(def)) : content_of_tets(def));
}

const kind_row kind_solid = {
    .about = {.kind = TRIBO_SOLID,
              .name = "solid",
              .article = "a solid",
              .about = "a volume of tets that deforms.",
              .group = "solid",
              .key = "elastic",
              .mesh = TRIBO_MESH_TETS,
              .simulated = true,
              .deforms = true,
              .pinnable = true,
              .feels_air = true,
              .contact = TRIBO_CONTACT_MLS,
              .role = TRIBO_ROLE_BOTH},
    .params = offsetof(tribo_object_def, solid),
    .check = mesh_check_volume,
    .node_count = node_count,
    .terms = 1,
    .build = build,
    .weight = weight,
    .density = density,
    .mass = mass,
};
