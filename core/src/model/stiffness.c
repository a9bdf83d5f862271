/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stiffness.h"

#include <string.h>

#include "model/kinematics.h"

/* Nodes that carry vertices; weight[n] stays 0 where a node carries none. */
static void gather_vertices(const tribo_object_def *def, const model_body *body, double *sum,
                            double *weight) {
  for (size_t v = 0; v < def->vertex_count; v++)
    for (int a = 0; a < 4; a++) {
      double share = body->weight[v][a];
      if (!(share > 0)) continue;
      int32_t n = body->anchor[v][a] - body->first_node;
      sum[n] += share * def->vertex_stiffness[v];
      weight[n] += share;
    }
}

/* One layer of tets further in. False when nothing was left to do, or nothing could be done. */
static bool spread(const tribo_object_def *def, int32_t nodes, double *value, bool *known,
                   double *sum, double *weight) {
  memset(sum, 0, (size_t)nodes * sizeof *sum);
  memset(weight, 0, (size_t)nodes * sizeof *weight);
  for (size_t t = 0; t < def->tet_count; t++)
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        int32_t to = def->tets[4 * t + (size_t)a], from = def->tets[4 * t + (size_t)b];
        if (known[to] || !known[from]) continue;
        sum[to] += value[from];
        weight[to] += 1;
      }
  bool more = false;
  for (int32_t n = 0; n < nodes; n++) {
    if (known[n] || !(weight[n] > 0)) continue;
    value[n] = sum[n] / weight[n];
    known[n] = more = true;
  }
  return more;
}

tribo_status stiffness_of_nodes(const tribo_object_def *def, const model_body *body, arena *scratch,
                                double **out, tribo_error *err) {
  *out = NULL;
  if (!def->vertex_stiffness) return TRIBO_OK;
  size_t nodes = (size_t)body->node_count;
  double *value = ARENA_ARRAY(scratch, double, nodes);
  if (!value) return status_no_memory(err, "stiffness");
  if (body->kinematics->by_vertex) {
    memcpy(value, def->vertex_stiffness, def->vertex_count * sizeof *value);
    *out = value;
    return TRIBO_OK;
  }
  double *sum = ARENA_ARRAY(scratch, double, nodes), *weight = ARENA_ARRAY(scratch, double, nodes);
  bool *known = ARENA_ARRAY(scratch, bool, nodes);
  if (!sum || !weight || !known) return status_no_memory(err, "stiffness");
  gather_vertices(def, body, sum, weight);
  for (size_t n = 0; n < nodes; n++) {
    known[n] = weight[n] > 0;
    value[n] = known[n] ? sum[n] / weight[n] : 1;
  }
  while (spread(def, body->node_count, value, known, sum, weight)) continue;
  *out = value;
  return TRIBO_OK;
}

double stiffness_of_element(const double *of_nodes, const model_body *body, const int32_t *corners,
                            int count) {
  if (!of_nodes) return 1;
  double sum = 0;
  for (int a = 0; a < count; a++) sum += of_nodes[corners[a] - body->first_node];
  return sum / count;
}
