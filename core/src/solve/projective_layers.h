/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_layers: cloth that touches cloth, another or itself (Ly et al. 2020, section 4).
 *
 * The paper has contacts of two nodes (12). Here a vertex meets the inside of a triangle, and an
 * edge an edge: a contact of four nodes with weights, of which (12) is the case of two (see
 * projective_contact.h). Impulses on the two sides are equal and opposite.
 *
 * Cloth takes part where its surface.thickness is above 0; two cloths keep the larger of theirs
 * apart. Parts of one cloth that are closer than that at rest do not mind each other. Which side
 * is which is a matter of where things are at the start of a step: cloth has two of them.
 *
 * A node in a pile has several contacts. They are met one after another from the obstacle outwards,
 * layer by layer (4.2): each sees what those before it have just changed, and takes back what it
 * gave in the last iteration before it asks again. So impulses that fit are left as they are, which
 * would not be so if every iteration began anew.
 */
#ifndef SOLVE_PROJECTIVE_LAYERS_H
#define SOLVE_PROJECTIVE_LAYERS_H

#include "friction/pairs.h"
#include "geom/bvh_moving.h"
#include "model/model.h"
#include "solve/projective_contact.h"

/* What a vertex or an edge found near it, before the list is made. */
typedef struct layers_find {
  int32_t other;    /* triangle or edge */
  double distance2; /* m^2 */
  double weight[4]; /* of the four nodes: own first */
  vec3 normal;      /* unit, from the other to this */
} layers_find;

enum { LAYERS_MOST = 4 }; /* contacts that a vertex or an edge starts, at most */

/* Of triangles, or of edges. */
typedef struct layers_boxes {
  bvh_box *at, *velocity;
} layers_boxes;

typedef struct projective_layers {
  const model *model;
  const pairs *pairs;
  tasks tasks;
  double h;
  double thickest;
  double *thickness;                     /* of nodes: 0: does not take part */
  int32_t *body;                         /* of nodes */
  int32_t *vertices, *triangles, *edges; /* that take part: nodes, triples and pairs of them */
  size_t vertex_count, triangle_count, edge_count;
  bvh_moving triangle_tree, edge_tree;
  layers_boxes triangle_boxes, edge_boxes;
  layers_find *found; /* LAYERS_MOST for each vertex, then for each edge */
  int32_t *found_count;

  /* of the step; from its arena */
  projective_meeting *meetings; /* layer by layer */
  size_t count;
} projective_layers;

/* Nothing is there to touch where no cloth has a thickness. */
tribo_status projective_layers_create(const model *m, const pairs *mu, double h, const tasks *t,
                                      arena *memory, projective_layers *out, tribo_error *err);

/* The contacts of a step from x, v. mass: of nodes. grounded: nodes that touch an obstacle, from
 * which layers are counted. */
tribo_status projective_layers_detect(projective_layers *l, const vec3 *x, const vec3 *v,
                                      const double *mass, const bool *grounded, arena *step,
                                      tribo_error *err);

/* The local step, in two parts around that of the obstacles: what was borne in the last iteration
 * is added to g; then all is revised. */
void projective_layers_resume(const projective_layers *l, vec3 *g);
void projective_layers_update(projective_layers *l, bool first, const vec3 *v, vec3 *g);

/* After the last iteration: what still approaches is stopped, by impulses on the masses alone. Few
 * iterations may leave stiff cloth where it shall not be; layers that have passed each other would
 * never find back. */
void projective_layers_separate(projective_layers *l, vec3 *v);

#endif
