/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kind cloth: triangles that stretch and shear along their warp and weft, and bend over their
 * edges.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "energy/bending.h"
#include "energy/membrane.h"
#include "geom/topology.h"
#include "kinds/content.h"
#include "kinds/kind.h"
#include "kinds/mesh_check.h"
#include "model/stiffness.h"
#include "model/warp.h"

#define refuse mesh_check_refuse

/* ---- the check ------------------------------------------------------------------------------- */

static tribo_status check_warp_from_uv(const tribo_object_def *def, tribo_error *err) {
  if (!def->uvs)
    return refuse(err, def,
                  "elastic.warp_from is uv, but the mesh has no uvs; unwrap it, or use axis");
  for (size_t i = 0; i < def->triangle_count; i++) {
    const double *uv = def->uvs + 6 * i;
    double u1 = uv[2] - uv[0], v1 = uv[3] - uv[1], u2 = uv[4] - uv[0], v2 = uv[5] - uv[1];
    double edge2 = fmax(u1 * u1 + v1 * v1, u2 * u2 + v2 * v2);
    if (fabs(u1 * v2 - u2 * v1) > MESH_CHECK_FLAT * edge2) continue;
    return refuse(err, def,
                  "elastic.warp_from is uv, but triangle %zu has no area in the uvs; unwrap it "
                  "again, or use axis",
                  i);
  }
  return TRIBO_OK;
}

static tribo_status check_warp_from_axis(const tribo_object_def *def, tribo_error *err) {
  const double *given = def->cloth.warp_axis;
  double largest = vec3_max_abs(vec3_from(given));
  if (largest == 0)
    return refuse(err, def, "elastic.warp_axis is (0, 0, 0); give a direction in the rest shape");
  vec3 axis = vec3_normalized(vec3_scale(1 / largest, warp_axis_of(def)));
  for (size_t i = 0; i < def->triangle_count; i++) {
    const int32_t *t = def->triangles + 3 * i;
    vec3 p = vec3_from(def->positions + 3 * (size_t)t[0]);
    vec3 q = vec3_from(def->positions + 3 * (size_t)t[1]);
    vec3 r = vec3_from(def->positions + 3 * (size_t)t[2]);
    vec3 normal = vec3_normalized(vec3_cross(vec3_sub(q, p), vec3_sub(r, p)));
    vec3 along = vec3_madd(axis, -vec3_dot(axis, normal), normal);
    if (vec3_norm(along) > 1e-6) continue;
    return refuse(err, def,
                  "elastic.warp_axis (%g, %g, %g) is perpendicular to triangle %zu (vertices %d, "
                  "%d, %d) and leaves no direction there; tilt it, or use warp_from uv",
                  given[0], given[1], given[2], i, t[0], t[1], t[2]);
  }
  return TRIBO_OK;
}

static tribo_status check(const tribo_object_def *def, tribo_error *err) {
  TRY(mesh_check_sheet(def, err));
  return def->cloth.warp_from == TRIBO_WARP_FROM_UV ? check_warp_from_uv(def, err)
                                                    : check_warp_from_axis(def, err);
}

/* ---- into the model -------------------------------------------------------------------------- */

static size_t node_count(const tribo_object_def *def) { return def->vertex_count; }

static membrane_material membrane_of(const tribo_cloth_params *p, double times) {
  return (membrane_material){.warp = times * p->stretch,
                             .weft = times * (p->stretch_weft > 0 ? p->stretch_weft : p->stretch),
                             .poisson = p->poisson,
                             .shear = times * p->shear};
}

static tribo_status add_membrane(builder *b, const tribo_object_def *def, const model_body *body,
                                 const int32_t *triangles, const double *painted,
                                 tribo_error *err) {
  model *m = b->m;
  const tribo_cloth_params *p = &def->cloth;
  const element_set *set;
  void *data;
  int32_t *order;
  TRY(builder_add_term(b, &membrane_kernel, triangles, def->triangle_count,
                       sizeof(membrane_element), p->damping_stiffness, &set, &data, &order, err));
  membrane_element *elements = data;
  vec3 axis = warp_axis_of(def);
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[3];
    builder_gather(m, set->vertices + 3 * e, 3, rest);
    membrane_material material =
        membrane_of(p, stiffness_of_element(painted, body, set->vertices + 3 * e, 3));
    bool sound;
    if (p->warp_from == TRIBO_WARP_FROM_UV) {
      double uv[3][2];
      memcpy(uv, def->uvs + 6 * order[e], sizeof uv);
      sound = membrane_element_init_uv(rest, (const double(*)[2])uv, &material, &elements[e]);
    } else {
      sound = membrane_element_init(rest, axis, &material, &elements[e]);
    }
    if (!sound)
      return status_fail(err, TRIBO_BAD_INPUT, "object '%s': triangle %d has no warp direction: %s",
                         body->name, (int)order[e],
                         p->warp_from == TRIBO_WARP_FROM_UV
                             ? "it has no area in UV; unwrap it, or set elastic.warp_from to 'axis'"
                             : "it is perpendicular to elastic.warp_axis; choose another axis, or "
                               "set elastic.warp_from to 'uv'");
    builder_lump(m, set->vertices + 3 * e, 3, p->density * elements[e].area, p->damping_mass);
  }
  return TRIBO_OK;
}

static tribo_status add_bending(builder *b, const tribo_object_def *def, const model_body *body,
                                const int32_t *triangles, const double *painted, tribo_error *err) {
  const tribo_cloth_params *p = &def->cloth;
  if (p->bend == 0) return TRIBO_OK;
  topology_list hinges;
  TRY(topology_hinges(triangles, def->triangle_count, &b->scratch, &hinges, err));

  const element_set *set;
  void *data;
  int32_t *order;
  TRY(builder_add_term(b, &bending_kernel, hinges.vertices, hinges.count, sizeof(bending_element),
                       p->damping_stiffness, &set, &data, &order, err));
  bending_element *elements = data;
  for (size_t e = 0; e < set->count; e++) {
    vec3 rest[4];
    builder_gather(b->m, set->vertices + 4 * e, 4, rest);
    double times = stiffness_of_element(painted, body, set->vertices + 4 * e, 4);
    bending_element_init(rest, times * p->bend, &elements[e]);
    if (p->rest_angle == TRIBO_REST_ANGLE_FLAT) elements[e].rest_angle = 0;
  }
  return TRIBO_OK;
}

static tribo_status build(builder *b, size_t object, model_body *body, tribo_error *err) {
  const tribo_object_def *def = &b->objects[object];
  builder_place(b, def, body);
  int32_t *triangles =
      builder_globalized(b, def->triangles, 3 * def->triangle_count, body->first_node);
  if (!triangles) return status_no_memory(err, body->name);
  double *painted;
  TRY(stiffness_of_nodes(def, body, &b->scratch, &painted, err));
  TRY(add_membrane(b, def, body, triangles, painted, err));
  TRY(add_bending(b, def, body, triangles, painted, err));
  TRY(builder_add_skin(b, def, triangles, def->triangle_count, err));
  builder_spin(b, def, body);
  return TRIBO_OK;
}

/* ---- the row --------------------------------------------------------------------------------- */

/* As in projective/projective_cloth.c. */
static double weight(const tribo_object_def *def) {
  const tribo_cloth_params *p = &def->cloth;
  double weft = p->stretch_weft > 0 ? p->stretch_weft : p->stretch;
  double cross = p->poisson * sqrt(p->stretch * weft);
  double thread = fmax(p->stretch, weft) - cross - 2 * p->shear;
  return 2 * p->shear + 2 * cross + fmax(thread, 0);
}

static double density(const tribo_object_def *def) { return def->cloth.density; }

static double mass(const tribo_object_def *def) { return def->cloth.density * content_area(def); }

const kind_row kind_cloth = {
    .about = {.kind = TRIBO_CLOTH,
              .name = "cloth",
              .article = "a cloth",
              .about = "a surface of triangles.",
              .group = "cloth",
              .key = "elastic",
              .mesh = TRIBO_MESH_TRIANGLES,
              .simulated = true,
              .deforms = true,
              .sheet = true,
              .pinnable = true,
              .feels_air = true,
              .contact = TRIBO_CONTACT_MLS,
              .role = TRIBO_ROLE_POINTS},
    .params = offsetof(tribo_object_def, cloth),
    .check = check,
    .node_count = node_count,
    .terms = 2, /* membrane and bending */
    .build = build,
    .weight = weight,
    .density = density,
    .mass = mass,
};
