/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * surface: the surfaces that probes touch, smooth (section 4), exact or analytic, behind one
 * question: how far, which way, and what moves there?
 *
 * What keeps its shape (a collider that stands or moves by a map, a rigid body) is asked in its own
 * frame: trees are built once. What deforms is sampled anew at every linearisation. A collider is
 * taken where it is at the end of the step, so that a contact already knows its motion; a simulated
 * body where its nodes are.
 *
 * A sheet has two sides, and no inside. Its triangles are wound alike first, so that front and
 * behind mean the same all over what is connected, a part. A point is on a side of a part; which
 * one is known from where it was (surface/path.h), and for what touches from the last step (touch).
 */
#ifndef SURFACE_SURFACE_H
#define SURFACE_SURFACE_H

#include "geom/ccd.h"
#include "geom/kdtree.h"
#include "geom/mesh_distance.h"
#include "geom/primitive.h"
#include "mls/mls_transport.h"
#include "model/kinematics.h"
#include "surface/moment.h"

typedef enum surface_form { SURFACE_MLS, SURFACE_MESH, SURFACE_PRIMITIVE } surface_form;

typedef struct surface {
  const model *model;
  const model_surface *def;
  surface_form form;
  bool deforms;
  bool absent;  /* a collider that is not there when the step ends: it is not placed, nor asked */
  bool appears; /* one that was not there when the step began */
  arena memory;

  mls_surface mls;
  kdtree tree;
  mesh_distance mesh; /* of a closed smooth one too, for what is deep inside; of a primitive where
                         something is painted on it */
  primitive shape;

  rigid_map frame;        /* from the frame it is asked in to the world */
  rigid_map frame_before; /* the same at the start of the step */
  size_t vertex_count;    /* of the mesh it is made from: the object's, or a finer one */
  int32_t *triangles;
  size_t triangle_count;
  vec3 *vertices;        /* now; in the frame */
  vec3 *vertices_before; /* what deforms: at the start of the step */
  bvh swept;             /* over the way of the triangles from there to here */
  bvh_box *boxes;
  int32_t (*parent)[3]; /* finer mesh: the object's vertices each of its own lies between, */
  double (*weight)[3];  /* and its share of them, */
  int32_t *source;      /* and the triangle that each of its own is a part of; all NULL: the mesh is
                           the object's own */
  bool *turned;  /* of two sides: triangles of the object that are wound the other way here; */
  int32_t *part; /* and what each is connected with, a number. Else NULL */
} surface;

tribo_status surface_create(const model *m, const model_surface *def, const tasks *t, surface *out,
                            tribo_error *err);
void surface_free(surface *s);

/* Puts the surface where it is at the moment. One that appears has no way behind it: it is where it
 * is at the end of the step from the start of that on, and still. */
tribo_status surface_place(surface *s, const tasks *t, const contact_moment *moment, arena *scratch,
                           tribo_error *err);

typedef struct surface_hit {
  bool near;    /* something is within reach: the rest is set */
  bool through; /* held by a triangle, of a smooth surface too: see path.h, surface_inside */
  double gap;
  double allowed;   /* set by contact/narrow_phase.h */
  vec3 normal;      /* unit, in the world */
  vec3 foot;        /* where on the surface, in the world */
  int32_t triangle; /* SURFACE_MESH, and through: where the foot is */
  double weight[3];
  int32_t side; /* of what has two: 1 + the part, negative behind; else 0 */
} surface_hit;

/* Safe for many threads at a time. For SURFACE_MLS the reach is that of its samples, if smaller. Of
 * two sides it is the front. */
surface_hit surface_query(const surface *s, vec3 point, double reach);

/* The triangle's part as seen from the front (1) or from behind (-1), as in surface_hit. A smooth
 * surface is of one part. 0 where there is one side. */
int32_t surface_side_of(const surface *s, int32_t triangle, int sign);
static inline int surface_sign(int64_t side) { return side < 0 ? -1 : 1; }

/* The same hit as seen from a side. */
void surface_turn(surface_hit *hit, int32_t side);

/* The same at the start of the step, of what keeps its shape. */
surface_hit surface_query_before(const surface *s, vec3 point, double reach);

/* Whether the surface has an inside that surface_inside can tell of. */
bool surface_has_inside(const surface *s);

/* Prepares for it: the exact mesh of what deforms goes where its samples are. */
void surface_fit_inside(surface *s, const tasks *t);

/* The way out for a point inside, however deep: by the exact mesh, of a smooth surface too. Not
 * near: it is outside. */
surface_hit surface_inside(const surface *s, vec3 point);

/* How many samples of a smooth surface are in reach of a point; as many as any need of another. */
int32_t surface_samples(const surface *s, vec3 point);

/* How the gap and the place that is touched hang on the nodes of the surface's body. */
typedef struct surface_side {
  size_t count;
  int32_t *node;         /* ascending, each once */
  vec3 *by_node;         /* d gap / d x[node] */
  mat3 *carry;           /* velocity of the surface at the contact = sum carry v[node] + drift */
  vec3 surface_velocity; /* of a collider that deforms */
  vec3 by_point;         /* d gap / d point: the normal */
  kinematic_row row;     /* scratch */
} surface_side;

/* `place`: where the probe takes hold. What keeps its shape, and a smooth surface with rigid
 * transport, move there as they would as one piece: forces on both sides then have one line and no
 * torque together. The exact mesh of what deforms is held at the foot. Memory from scratch. */
tribo_status surface_sides(const surface *s, const contact_moment *moment, const surface_hit *hit,
                           vec3 place, mls_transport transport, arena *scratch, surface_side *out,
                           tribo_error *err);

/* A collider that keeps its shape: the way of what rides on it and was at `before` at the start of
 * the step, and the rotation vector of the step. */
vec3 surface_carried(const surface *s, vec3 before);
vec3 surface_turned(const surface *s);

#endif
