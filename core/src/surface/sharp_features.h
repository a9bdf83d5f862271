/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sharp_features: the sharp edges and corners (geom/sharp.h) of a surface, which touch cloth
 * between its vertices: an edge of cloth that lies across an edge, a triangle that lies on a
 * corner.
 *
 * Which way is out follows from where an obstacle is solid, not from where the cloth happens to be:
 * an edge with the outward normals n1 and n2 of its faces can push along any n between them, and a
 * line of cloth with direction d only across d. So
 *
 *   n = |d . n2| n1 + |d . n1| n2      where d enters by one face and leaves by the other,
 *
 * and the gap has a sign. A line that rises from both faces does not press on the edge now; it may
 * by the end of the step, and has the normal of the face that it is more along. Likewise a triangle
 * presses on a corner along its own normal, if no edge falls away from the corner by less than the
 * triangle does.
 *
 * Where the gap is negative the place on the cloth is looked up: cloth that passes below a bar is
 * not deep inside of its upper edges.
 *
 * Exact meshes and boxes have sharp features. Smooth surfaces have none, and neither have sheets,
 * which have no inside.
 */
#ifndef SURFACE_SHARP_FEATURES_H
#define SURFACE_SHARP_FEATURES_H

#include "geom/bvh.h"
#include "geom/sharp.h"
#include "surface/surface.h"

typedef struct sharp_features {
  const surface *surface;
  sharp_parts parts;
  const vec3 *shape; /* a box: its corners in the surface's frame; NULL: the vertices of the mesh */
  bool placed;       /* somewhere, once */
  rigid_map frame;   /* where that was, of what keeps its shape */
  vec3 *at, *before; /* of places, in the world, at the end and the start of the step */
  vec3 (*normals)[2];
  bool *convex;    /* of edges, now */
  bool *is_corner; /* of places */
  bvh_box *edge_boxes, *corner_boxes;
  bvh edges, corners;
  double fastest; /* way of a place in the step, m */
} sharp_features;

/* No edge, no corner: there are none. The surface stays where it is. */
tribo_status sharp_features_create(const surface *s, arena *memory, sharp_features *out,
                                   tribo_error *err);

/* Puts them where surface_place has put the surface. */
void sharp_features_place(sharp_features *r, const tasks *t);

/* Whether an edge, or a corner at its end, may be within reach of a point. */
bool sharp_features_near(const sharp_features *r, vec3 point, double reach);

/* One place of cloth and the obstacle. */
typedef struct sharp_hit {
  int32_t part;     /* number of the edge or corner */
  double weight[3]; /* of the cloth's corners */
  vec3 point;       /* there, on the cloth */
  vec3 normal;      /* unit, from the obstacle */
  double gap;       /* m; without any thickness */
  vec3 way;         /* of the obstacle there, in the step, m */
} sharp_hit;

enum { SHARP_FEATURES_MOST = 6 };

/* What an edge, or a triangle, of cloth meets within reach: the nearest of each direction and
 * place, ascending by gap. Safe for many threads at a time. */
int sharp_features_meet_edge(const sharp_features *r, const vec3 x[2], double reach,
                             sharp_hit hits[SHARP_FEATURES_MOST]);
int sharp_features_meet_triangle(const sharp_features *r, const vec3 x[3], double reach,
                                 sharp_hit hits[SHARP_FEATURES_MOST]);

#endif
