/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/memory.h"

#include <math.h>

#include "kinds/kind.h"
#include "scene/quality.h"

/* Bytes, fitted to measured peaks: see docs/wedge.md#memory. */
static const double PROGRAM = 17.5e6, A_THREAD = 1.5e6;
static const double A_JSON_VALUE = 80, A_JSON_LETTER = 1; /* cJSON's node with malloc's own share */
static const double A_TRIANGLE = 1e3;                     /* of what is touched and not solved */

/* Of a method, for each vertex of cloth (times the logarithm), tet, and node of a solid^(4/3). */
typedef struct method_cost {
  double cloth, cloth_log, tet, node;
} method_cost;

static const method_cost COSTS[] = {
    [TRIBO_METHOD_FORWARDING] = {600, 1000, 1e3, 630},
    [TRIBO_METHOD_ELASTIC] = {600, 1000, 1e3, 630},
    [TRIBO_METHOD_PROJECTIVE] = {6e3, 0, 1.8e3, 0},
    [TRIBO_METHOD_BARRIER] = {600, 1000, 1e3, 630},
};

static double of_object(const tribo_object_def *o, const method_cost *cost) {
  const tribo_kind_info *kind = tribo_kind_at((size_t)o->kind);
  double nodes = (double)(o->cage_count ? o->cage_count : o->vertex_count);
  if (kind->mesh == TRIBO_MESH_TETS && o->tet_count)
    return cost->tet * (double)o->tet_count + cost->node * pow(nodes, 4.0 / 3);
  if (kind->deforms && kind->simulated)
    return nodes * (cost->cloth + cost->cloth_log * log2(nodes > 2 ? nodes : 2));
  return A_TRIANGLE * (double)o->triangle_count;
}

static double of_motion(const tribo_object_def *o) {
  double values = o->motion.points ? 3 * (double)(o->motion.sample_count * o->vertex_count)
                                   : 16 * (double)o->motion.sample_count;
  for (size_t i = 0; i < o->pin_count; i++)
    values += 3 * (double)(o->pins[i].target_count * o->pins[i].vertex_count);
  values +=
      (double)o->structure_map.width * o->structure_map.height * o->structure_map.channels / 2;
  values += (double)o->friction_map.width * o->friction_map.height * o->friction_map.channels / 2;
  return values * sizeof(double);
}

/* Values of the tree, and letters of its text about. */
static double of_json(const cJSON *value) {
  enum { LETTERS_A_NUMBER = 18 };
  double sum = 0;
  for (const cJSON *item = value ? value->child : NULL; item; item = item->next) {
    sum += A_JSON_VALUE + of_json(item);
    if (cJSON_IsNumber(item))
      sum += A_JSON_LETTER * (item->valuedouble == floor(item->valuedouble) ? 3 : LETTERS_A_NUMBER);
  }
  return sum;
}

tribo_status memory_estimate(const tribo_scene *scene, const cJSON *json, int threads,
                             double *bytes, tribo_error *err) {
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  const method_cost *cost = &COSTS[plan.scene.world.method];
  double bodies = 0, file = of_json(json);
  for (size_t i = 0; i < plan.scene.objects.count; i++) {
    const tribo_object_def *o = &plan.scene.objects.data[i];
    bodies += of_object(o, cost) + of_motion(o);
  }
  bodies += A_THREAD * (threads > 1 ? threads - 1 : 0);
  *bytes = PROGRAM + (file > bodies ? file : bodies);
  quality_plan_free(&plan);
  return TRIBO_OK;
}
