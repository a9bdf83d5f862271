/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kinematics: how a body hangs on its nodes, a row of a table for each way: where its points are,
 * how they move, what a step leaves behind, kinetic energy. Called once a body, not once a vertex.
 *
 * Within a step `x` holds the nodes, and `turns` the orientation of each frame at the start of the
 * step. A frame is a node that is no point: a rotation vector theta on top of its orientation,
 * times the body's length (model/rigid.h), so that it is in metres: x[node] = length theta. At the
 * start of a step it is 0. The vertices of a rigid body stand at x[centre] + exp(theta) turn local.
 */
#ifndef MODEL_KINEMATICS_H
#define MODEL_KINEMATICS_H

#include "base/tasks.h"
#include "model/model.h"

/* How a point p moves: d p = sum block_k d x[node_k]. Who asks has room for as many entries as
 * kinematics_entries says. */
typedef struct kinematic_row {
  int count;
  int32_t *node;
  mat3 *block;
} kinematic_row;

/* The nodes of one moment. */
typedef struct kinematic_moment {
  const vec3 *x;
  const vec3 *v;     /* of velocities, predictions and energies; else NULL */
  const quat *turns; /* a frame */
} kinematic_moment;

/* The end of a step of h seconds, and where free motion would have led. x, v and turns go from its
 * start to its end. */
typedef struct kinematic_commit {
  const vec3 *end, *free_end;
  double h;
  vec3 *x, *v;
  quat *turns;
} kinematic_commit;

/* y, where free motion leads within h seconds, and the inertia of each frame there. */
typedef struct kinematic_prediction {
  double h;
  vec3 *y;
  mat3 *inertia; /* over length^2, a frame */
} kinematic_prediction;

typedef struct kinematics {
  const char *name;
  bool deforms;   /* its shape follows its nodes; else it keeps it, and turns */
  bool by_vertex; /* node number i of the body is its vertex number i */
  bool directors; /* its last nodes are directors, one a segment (energy/rod.h) */
  int frames;     /* so many of its nodes, the last ones, are frames */
  int entries;    /* of the row of a point, at most; 0: as many as the body has nodes */

  /* Of all vertices, into out[0] to out[vertex_count - 1]. */
  void (*positions)(const model *m, const tasks *t, const model_body *body, kinematic_moment at,
                    vec3 *out);
  void (*velocities)(const model *m, const tasks *t, const model_body *body, kinematic_moment at,
                     vec3 *out);

  /* Of a point that rides with the body's vertex `vertex` and stands at `at`. */
  void (*row)(const model *m, const model_body *body, const vec3 *x, int32_t vertex, vec3 at,
              kinematic_row *out);

  /* Whether every node that a vertex hangs on is hard-pinned. */
  bool (*held)(const model *m, const model_body *body, int32_t vertex);

  /* Pairs of nodes that belong together in the matrix whatever the energies; returns how many.
   * pairs NULL: only counts. The function NULL: none. */
  size_t (*couple)(const model_body *body, int32_t *pairs);

  void (*predict)(const model *m, const model_body *body, kinematic_moment start,
                  const kinematic_prediction *out);
  void (*commit)(const model *m, const model_body *body, const kinematic_commit *step);

  /* In joules, of nodes that have velocities v. */
  double (*kinetic)(const model *m, const model_body *body, const vec3 *v, const quat *turns);
} kinematics;

/* Vertices are nodes; vertices lie in the tets of a cage; a centre of mass and a frame; vertices
 * are nodes, and directors come after them (energy/rod.h). */
extern const kinematics kinematics_nodes, kinematics_embedded, kinematics_rigid, kinematics_rod;

/* Where all vertices are. */
void kinematics_positions(const model *m, const tasks *t, const vec3 *x, const quat *turns,
                          vec3 *out);

/* How fast they move when the nodes move with v: of a frame v is its length times the angular
 * velocity, and x is taken as 0. */
void kinematics_velocities(const model *m, const tasks *t, const vec3 *x, const quat *turns,
                           const vec3 *v, vec3 *out);

/* Entries that a row of a point of the body has at most. */
size_t kinematics_entries(const model *m, int32_t body);

/* The largest of all bodies. */
size_t kinematics_most_entries(const model *m);

/* An empty row with room for `entries`; its arrays are NULL without memory. */
kinematic_row kinematics_row_make(size_t entries, arena *memory);

/* How a point that rides with vertex `vertex` (the body's own) of body `body` moves; it stands at
 * `at`, which for what keeps its shape may be anywhere (the arm is measured from the centre), and
 * for the others is the vertex itself. Exact also where frames have turned. */
void kinematics_row_of(const model *m, const vec3 *x, int32_t body, int32_t vertex, vec3 at,
                       kinematic_row *out);

/* Whether every node that a vertex hangs on is hard-pinned. */
bool kinematics_is_held(const model *m, int32_t body, int32_t vertex);

/* Whether node number i of a body is its vertex number i, for all of its vertices; a body that was
 * filled with tets has other nodes behind these. */
bool kinematics_vertices_are_nodes(const model_body *body);

/* The orientation of frame k after what it turned in the step, and that at the first frame. */
quat kinematics_turn(const model *m, const vec3 *x, const quat *turns, size_t k);
void kinematics_start_turns(const model *m, quat *turns);

/* The node of frame k. */
int32_t kinematics_frame(const model *m, size_t k);

/* How fast a body turns about an axis, by the velocity of one of its nodes; 0 but for frames. */
vec3 kinematics_turn_about(const model *m, int32_t body, int32_t node, vec3 axis);

/* Of all bodies. */
void kinematics_predict(const model *m, kinematic_moment start, const kinematic_prediction *out);

/* A step is taken: v = (end - x) / h, x = end; a frame's turn goes into its orientation. */
void kinematics_commit(const model *m, const kinematic_commit *step);

double kinematics_kinetic(const model *m, const model_body *body, const vec3 *v, const quat *turns);

/* Nodes that are points: those before frames and directors. */
static inline int32_t kinematics_point_count(const model_body *body) {
  if (body->kinematics->by_vertex) return body->vertex_count;
  return body->node_count - body->kinematics->frames;
}

#endif
