/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_check.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/kind.h"
#include "kinds/mesh_check.h"
#include "math/vec3.h"
#include "scene/params.h"

static const double FARTHEST = SCENE_FARTHEST;

#define refuse mesh_check_refuse

/* ---- geometry -------------------------------------------------------------------------------- */

static tribo_status check_kind(const tribo_object_def *def, tribo_error *err) {
  char known[KIND_LIST_SIZE];
  if (kind_at((size_t)def->kind)) return TRIBO_OK;
  kind_list("tribo_", "", " or ", known);
  for (char *c = known; *c; c++) /* as C has them; the joints stay as they are */
    if (strncmp(c, " or ", 4) == 0)
      c += 3;
    else
      *c = (char)toupper((unsigned char)*c);
  return refuse(err, def, "kind %d is unknown; give %s", (int)def->kind, known);
}

/* What is made of tets has triangles only with a cage, which carries them along. */
static tribo_status check_parts(const tribo_object_def *def, tribo_error *err) {
  TRY(check_kind(def, err));
  const char *a_kind = kind_of(def)->about.article;
  bool solid = kind_of(def)->about.mesh == TRIBO_MESH_TETS;
  bool lines = kind_of(def)->about.mesh == TRIBO_MESH_SEGMENTS;
  if (!solid && def->tet_count)
    return refuse(err, def, "%s has no tets; give %s only, or make it a solid", a_kind,
                  lines ? "segments" : "triangles");
  if (!lines && def->segment_count)
    return refuse(err, def, "%s has no segments; leave them out, or make it a rod", a_kind);
  if (lines && (def->triangle_count || def->uvs))
    return refuse(err, def, "a rod has no triangles; give segments only, or make it a cloth");
  if (!solid && (def->cage || def->cage_count))
    return refuse(err, def, "%s has no cage; leave it out, or make it a solid", a_kind);
  if (!def->cage != !def->cage_count)
    return refuse(err, def, "cage_count is %zu, but the cage %s; give both or neither",
                  def->cage_count, def->cage ? "is given" : "is NULL");
  if (solid && !def->cage && def->triangle_count)
    return refuse(err, def,
                  "a solid takes tets only, its surface is found from them; leave the triangles "
                  "out, or give the tets nodes of their own as a cage");
  if (solid && !def->cage && def->uvs)
    return refuse(err, def, "a solid has no uvs; leave them out");
  if (def->vertex_count == 0 || !def->positions)
    return refuse(err, def, "it has no vertices; give positions, 3 numbers a vertex");
  if (solid && (def->tet_count == 0 || !def->tets))
    return refuse(err, def, "it has no tets; a solid is made of them");
  if (lines && (def->segment_count == 0 || !def->segments))
    return refuse(err, def, "it has no segments; a rod is made of them");
  if (!lines && (!solid || def->cage) && (def->triangle_count == 0 || !def->triangles))
    return refuse(err, def, "it has no triangles; %s is made of them",
                  solid ? "the surface in a cage" : a_kind);
  return TRIBO_OK;
}

/* All sums of the scene fit. Called before anything is read. */
static tribo_status check_sums(const tribo_scene *scene, const tribo_object_def *def,
                               tribo_error *err) {
  size_t points = 0, in_use = 0;
  for (size_t i = 0; i < scene->objects.count; i++) {
    const tribo_object_def *o = &scene->objects.data[i];
    points += o->vertex_count + o->cage_count;
    in_use += o->triangle_count + o->tet_count + o->segment_count;
    points += o->segment_count; /* a node each */
  }
  if (def->vertex_count > SCENE_MOST - points)
    return refuse(err, def, "%zu vertices are too many; a scene takes %zu, and %zu are in use",
                  def->vertex_count, SCENE_MOST, points);
  if (def->cage_count > SCENE_MOST - points - def->vertex_count)
    return refuse(err, def,
                  "%zu nodes of a cage are too many; a scene takes %zu vertices and nodes, and %zu "
                  "are in use",
                  def->cage_count, SCENE_MOST, points + def->vertex_count);
  if (def->triangle_count > SCENE_MOST - in_use)
    return refuse(err, def,
                  "%zu triangles are too many; a scene takes %zu elements, and %zu are in use",
                  def->triangle_count, SCENE_MOST, in_use);
  if (def->segment_count > SCENE_MOST - in_use || def->segment_count > SCENE_MOST / 4)
    return refuse(err, def,
                  "%zu segments are too many; a scene takes %zu elements, and %zu are in use",
                  def->segment_count, SCENE_MOST, in_use);
  if (def->tet_count > SCENE_MOST - in_use - def->triangle_count)
    return refuse(err, def, "%zu tets are too many; a scene takes %zu elements, and %zu are in use",
                  def->tet_count, SCENE_MOST, in_use + def->triangle_count);
  return TRIBO_OK;
}

/* ---- pins ------------------------------------------------------------------------------------ */

static tribo_status check_targets(const tribo_object_def *def, size_t number, tribo_error *err) {
  const tribo_pin_def *pin = &def->pins[number];
  if (!pin->targets && pin->target_count == 0) return TRIBO_OK;
  if (!pin->targets || pin->target_count == 0)
    return refuse(err, def, "pin %zu: targets %s, but target_count is %zu; give both or neither",
                  number, pin->targets ? "are given" : "are missing", pin->target_count);
  if (pin->target_count > SIZE_MAX / 64 / pin->vertex_count)
    return refuse(err, def, "pin %zu: %zu targets are too many", number, pin->target_count);
  if (!isfinite(pin->target_start))
    return refuse(err, def, "pin %zu: target_start is %g; give a frame", number, pin->target_start);
  if (!(pin->target_interval > 0) || !isfinite(pin->target_interval))
    return refuse(err, def, "pin %zu: target_interval is %g; give a number of frames above 0",
                  number, pin->target_interval);
  for (size_t i = 0; i < pin->target_count * pin->vertex_count; i++) {
    vec3 p = vec3_from(pin->targets + 3 * i);
    size_t sample = i / pin->vertex_count;
    int32_t vertex = pin->vertices[i % pin->vertex_count];
    if (!vec3_finite(p))
      return refuse(err, def,
                    "pin %zu: target of vertex %d in sample %zu is (%g, %g, %g); every coordinate "
                    "must be a finite number",
                    number, vertex, sample, p.x, p.y, p.z);
    if (vec3_max_abs(p) > FARTHEST)
      return refuse(err, def,
                    "pin %zu: target of vertex %d in sample %zu is (%g, %g, %g); keep every "
                    "coordinate within %g m of the origin",
                    number, vertex, sample, p.x, p.y, p.z, FARTHEST);
  }
  return TRIBO_OK;
}

/* pin_of: for every vertex, 1 + the number of the pin that holds it, or 0. */
static tribo_status check_pin(const tribo_object_def *def, size_t number, uint32_t *pin_of,
                              tribo_error *err) {
  const tribo_pin_def *pin = &def->pins[number];
  if (pin->vertex_count == 0 || !pin->vertices)
    return refuse(err, def, "pin %zu has no vertices; give some or remove it", number);
  for (size_t i = 0; i < pin->vertex_count; i++) {
    int32_t v = pin->vertices[i];
    if (v < 0 || (size_t)v >= def->vertex_count)
      return refuse(err, def, "pin %zu holds vertex %d, but the object has %zu vertices", number, v,
                    def->vertex_count);
    if (pin_of[v] == number + 1)
      return refuse(err, def, "pin %zu names vertex %d twice; name it once", number, v);
    if (pin_of[v])
      return refuse(err, def, "vertex %d is held by pin %u and by pin %zu; keep it in one", v,
                    (unsigned)(pin_of[v] - 1), number);
    pin_of[v] = (uint32_t)number + 1;
  }
  tribo_status status = params_check("pin", &pin->params, err);
  if (status != TRIBO_OK)
    return status_prefix(err, status, "object '%s': pin %zu: ", def->name, number);
  return check_targets(def, number, err);
}

static tribo_status check_pins(const tribo_object_def *def, tribo_error *err) {
  if (def->pin_count == 0) return TRIBO_OK;
  const tribo_kind_info *about = &kind_of(def)->about;
  if (!about->simulated)
    return refuse(err, def, "%s stays where its motion puts it; leave its %zu pins out",
                  about->article, def->pin_count);
  if (!about->pinnable)
    return refuse(err, def,
                  "%s cannot be pinned; make it a collider with an animation, or leave its %zu "
                  "pins out",
                  about->article, def->pin_count);
  if (!def->pins) return refuse(err, def, "pin_count is %zu, but pins is NULL", def->pin_count);
  if (def->pin_count > def->vertex_count)
    return refuse(err, def, "%zu pins for %zu vertices; each needs a vertex of its own",
                  def->pin_count, def->vertex_count);
  uint32_t *pin_of = calloc(def->vertex_count, sizeof *pin_of);
  if (!pin_of) return status_no_memory(err, "the check of an object");
  tribo_status status = TRIBO_OK;
  for (size_t i = 0; i < def->pin_count && status == TRIBO_OK; i++)
    status = check_pin(def, i, pin_of, err);
  free(pin_of);
  return status;
}

/* ---------------------------------------------------------------------------------------------- */

static tribo_status check_params(const tribo_object_def *def, tribo_error *err) {
  tribo_status status = params_check("object", &def->object, err);
  if (status == TRIBO_OK) status = params_check("surface", &def->surface, err);
  const char *group = kind_of(def)->about.group;
  if (status == TRIBO_OK && group) status = params_check(group, kind_params(def), err);
  return status_prefix(err, status, "object '%s': ", def->name);
}

tribo_status scene_check_object(const tribo_scene *scene, const tribo_object_def *def,
                                tribo_error *err) {
  TRY(scene_check_name(scene, def->name, err));
  TRY(check_parts(def, err));
  TRY(check_sums(scene, def, err));
  TRY(check_params(def, err));
  TRY(mesh_check_points(def, def->positions, def->vertex_count, "vertex", err));
  TRY(kind_of(def)->check(def, err));
  TRY(check_pins(def, err));
  TRY(scene_check_maps(def, err));
  return scene_check_contact(def, err);
}
