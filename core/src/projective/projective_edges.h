/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_edges: cloth, or a solid, that lies with an edge or a triangle on a sharp edge or a
 * corner of an obstacle (surface/sharp_features.h), between its vertices, which touch for
 * themselves.
 *
 * Such a contact has two or three nodes with weights w that sum to 1; the obstacle brings its
 * velocity as given (10). It is a stencil of projective_contact.h with weights of 0 for the nodes
 * it does not have, and takes part in the local step as those of cloth on cloth do: a node has
 * several of them, so each takes back what it gave before it asks again.
 */
#ifndef PROJECTIVE_PROJECTIVE_EDGES_H
#define PROJECTIVE_PROJECTIVE_EDGES_H

#include "contact/find.h"
#include "friction/pairs.h"
#include "projective/projective_contact.h"
#include "surface/sharp_features.h"

/* Cloth that may meet an obstacle with sharp features. */
typedef struct edges_cloth {
  int32_t probes;       /* number in the model */
  const int32_t *edges; /* pairs of the body's own vertices */
  size_t edge_count;
} edges_cloth;

/* Of all edges at a vertex. */
typedef struct edges_around {
  double length2, speed2; /* the longest, and the fastest of their ends; m^2, (m/s)^2 */
} edges_around;

typedef struct projective_edges {
  const model *model;
  const pairs *pairs;
  const contact_finder *finder;
  tasks tasks;
  double h, still; /* seconds, and m/s: what is slower sticks */
  sharp_features *obstacles;
  int32_t *surfaces; /* of the obstacles: numbers in the model */
  size_t obstacle_count;
  edges_cloth *cloths;
  size_t cloth_count;
  /* scratch, of one cloth: */
  edges_around *around; /* of vertices */
  bool *close;          /* vertices that may have something sharp beside them */
  bool *near;           /* edges, then triangles, that have */

  /* of the step; from its arena */
  projective_stencil *stencils;
  int32_t *with; /* surfaces that they touch */
  int32_t *by;   /* probes that touch */
  double *keeps; /* the distance that they keep, m */
  bool *moves;   /* the obstacle does */
  size_t count;
  size_t sharp_count; /* the first of them: the others are of projective_between.h */
} projective_edges;

/* The finder has its surfaces. still: see set_cones.h. */
tribo_status projective_edges_create(const model *m, const pairs *mu, const contact_finder *finder,
                                     double h, double still, const tasks *t, arena *memory,
                                     projective_edges *out, tribo_error *err);

/* The contacts of a step from x, v; surfaces are where contact_find has put them. margin: as
 * there. mass: of nodes. */
tribo_status projective_edges_detect(projective_edges *e, const vec3 *x, const vec3 *v,
                                     const double *mass, double margin, arena *step,
                                     tribo_error *err);

/* A contact that another has found (projective_between.h); there is room for it. */
typedef struct edges_found {
  int32_t surface, probes; /* numbers in the model */
  int count;               /* of nodes */
  int32_t node[3];
  double weight[3];
  vec3 normal, point;    /* unit, from the obstacle; on the cloth */
  vec3 surface_velocity; /* of the obstacle there, m/s */
  bool moves;
  double gap;   /* when the step ends, if the cloth stood still, m */
  double keeps; /* m */
} edges_found;

bool projective_edges_grow(projective_edges *e, size_t more, arena *step);
tribo_status projective_edges_add(projective_edges *e, const edges_found *found, const vec3 *x,
                                  const vec3 *v, const double *mass, tribo_error *err);

/* As those of projective_layers.h. */
void projective_edges_resume(const projective_edges *e, vec3 *g);
void projective_edges_update(projective_edges *e, bool first, const vec3 *v, vec3 *g);
void projective_edges_separate(projective_edges *e, vec3 *v);

#endif
