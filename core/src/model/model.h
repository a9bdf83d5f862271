/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model: the scene compiled for solving. Constant once built; one arena holds all of it.
 *
 * Nodes are what is solved for, three numbers each; vertices are what the artist sees. The nodes of
 * all bodies stand in one array, body after body, and so do the vertices. Cloth and solids have
 * their vertices for nodes; a rigid body has two nodes, the centre of mass and the turning since
 * the start of the step, a rotation vector times the body's length; the vertices of an embedded
 * surface lie in the tets of a cage (model/kinematics.h). Colliders are no bodies.
 * A hard-pinned node has no row in the system: it is given, not solved for.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "energy/elements.h"
#include "energy/wind.h"
#include "math/quat.h"
#include "model/paint.h"
#include "tribo/scene.h"

struct kinematics;

typedef struct model_body {
  const char *name;
  tribo_kind kind;
  bool sheet, tets; /* of its kind: triangles are its matter; it is made of tets */
  size_t object;    /* its number in the scene */
  int32_t first_vertex, vertex_count;
  int32_t first_node, node_count;
  const struct kinematics *kinematics; /* how vertices hang on nodes (model/kinematics.h) */
  int32_t rigid;                       /* kinematics_rigid: its number among the rigid bodies */
  const vec3 *local; /* kinematics_rigid: vertices about the centre, along the principal axes */
  const int32_t (
      *anchor)[4]; /* kinematics_embedded: nodes of the model, those of each vertex's tet, */
  const double (*weight)[4]; /* and its barycentric coordinates there */
} model_body;

/* Principal axes are the axes of the body's own frame. */
typedef struct model_rigid {
  int32_t body, node; /* node: centre of mass; node + 1: turning */
  double mass;
  vec3 inertia;  /* principal moments, kg m^2, ascending */
  double length; /* sqrt(mean moment / mass), metres: what turns radians into metres */
  quat turn;     /* from the body's frame to the world, at the start */
} model_rigid;

/* Something that is touched but not simulated. Its motion is given: nothing, a map a sample, or all
 * vertices a sample; time in seconds since the first frame. */
typedef struct model_collider {
  const char *name;
  size_t object;
  int32_t vertex_count;
  const vec3 *rest;
  const vec3 *samples;           /* sample_count x vertex_count in world space, or NULL */
  const rigid_map *maps;         /* sample_count from rest to the world, or NULL */
  size_t sample_count, capacity; /* samples, and room for them (model/extend.h) */
  double start, interval;
  bool there_first;       /* before the first switch */
  const double *switches; /* seconds, ascending: it appears, or vanishes */
  size_t switch_count, switch_capacity;
} model_collider;

/* What others touch of a body or a collider. */
typedef struct model_surface {
  size_t object;
  int32_t body, collider; /* one of the two; the other is -1 */
  tribo_surface_params params;
  const int32_t *triangles; /* of the body's or collider's own vertices, from 0 */
  size_t triangle_count;
  bool closed;
  bool wished;   /* the user says how it is touched; not "auto" */
  double strays; /* smooth by wish, and this far off its mesh: m; 0: it keeps close */
  vec3 strays_at;
  bool two_sided; /* touched from the side that a point is on; else behind is inside */
  double spacing; /* mean length of the triangles' sides at rest */
} model_surface;

/* The vertices of a body that touch others. */
typedef struct model_probes {
  size_t object;
  int32_t body;
  tribo_surface_params params;
  const int32_t *vertices; /* ascending, the body's own, from 0 */
  size_t count;
  const int32_t *triangles; /* that they are the corners of */
  size_t triangle_count;
  bool lines; /* of a rod: they are segments, a b b each */
  double spacing;
} model_probes;

/* Nodes that follow a track of samples; time in seconds since the first frame. */
typedef struct model_pin {
  size_t object, number;   /* the pin's number among those of the scene's object */
  const int32_t *vertices; /* global numbers of nodes */
  size_t vertex_count;
  double stiffness;    /* 0: hard */
  const double *share; /* soft, in a cage: the part of the stiffness that each has; NULL: all */
  const vec3 *samples; /* sample_count x vertex_count */
  size_t sample_count, capacity; /* samples, and room for them (model/extend.h) */
  double start, interval;
  bool follows;                 /* it has targets; without, the one sample is where it is */
  const struct cage_hold *cage; /* how its vertices hang on nodes; NULL: they are nodes */
  const struct rod_hold *rod;   /* hard, of a rod: its points and directors; else NULL */
  const int32_t *elements;      /* soft: the number of each vertex among the soft pins */
} model_pin;

/* An elastic energy and how strongly its Hessian damps motion. */
typedef struct model_elastic {
  energy_term term;
  double damping_stiffness;
} model_elastic;

/* The triangles of one body that the air pushes on. */
typedef struct model_skin {
  element_set set;
  wind_air air;
  size_t first; /* number of its first triangle among those of all skins */
} model_skin;

typedef struct model {
  arena memory;
  model_body *bodies;
  size_t body_count;

  int32_t node_count, row_count;
  int32_t *row_of_node; /* -1: hard-pinned */
  int32_t *node_of_row;
  double *mass;         /* lumped, kg; 0 for the turning of a rigid body, see rigids */
  double *mass_damping; /* kg/s: the mass-proportional damping of each vertex */
  vec3 *rest;           /* also the positions at the start */
  vec3 *start_velocity;
  int32_t vertex_count; /* of all bodies */

  model_rigid *rigids;
  size_t rigid_count;

  model_collider *colliders;
  size_t collider_count;
  model_surface *surfaces; /* in the order of the scene's objects */
  size_t surface_count;
  model_probes *probes; /* in the order of the scene's objects */
  size_t probe_count;
  paint *paints;       /* of each object of the scene, on the triangles of its outline */
  size_t object_count; /* of the scene */

  model_elastic *elastics;
  size_t elastic_count;
  bool damped; /* some elastic has damping_stiffness > 0 */

  model_pin *pins;
  size_t pin_count;
  element_set soft_pins; /* one element a softly pinned vertex */

  model_skin *skins;
  size_t skin_count, skin_triangles; /* bodies the air pushes on, and triangles of all of them */

  vec3 gravity;

  bcsr_pattern pattern;      /* over all vertices */
  bcsr_pattern free_pattern; /* over the free ones: pattern itself when nothing is pinned */
  int32_t *free_blocks;      /* where block k of free_pattern stands in pattern; NULL: same place */
  size_t largest_set;        /* elements of the largest set: the scratch that energies need */
  double size;               /* diagonal of the bodies' bounding box at rest, metres */
  double smallest;           /* the same of the smallest body alone */
} model;

/* The part of a that concerns free vertices: out has free_pattern, and shares a's blocks when
 * nothing is pinned (out->blocks may then be NULL before). */
void model_restrict(const model *m, const tasks *t, const bcsr *a, bcsr *out);

/* Of `count` samples the one before a time, and how far on to the next, from 0 to below 1. */
size_t model_sample_before(double seconds, double start, double interval, size_t count, double *on);

/* Where pin `p` wants its vertex number i at a time. */
vec3 model_pin_target(const model_pin *p, size_t i, double seconds);

/* Of the object that a surface belongs to. */
const char *model_surface_name(const model *m, int32_t surface);

void model_free(model *m);

#endif
