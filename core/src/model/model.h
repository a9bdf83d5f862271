/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model: the scene compiled for solving. Constant once built; one arena holds all of it.
 *
 * The vertices of all bodies stand in one array, body after body. A hard-pinned vertex has no row
 * in the system: its position is given, not solved for.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/elements.h"
#include "model/wind.h"
#include "tribo/scene.h"

typedef struct model_body {
  const char *name;
  tribo_kind kind;
  int32_t first_vertex, vertex_count;
} model_body;

/* Vertices that follow a track of samples; time in seconds since the first frame. */
typedef struct model_pin {
  const int32_t *vertices; /* global */
  size_t vertex_count;
  double stiffness;    /* 0: hard */
  const vec3 *samples; /* sample_count x vertex_count */
  size_t sample_count;
  double start, interval;
  const int32_t *elements; /* soft: the number of each vertex among the soft pins */
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

  int32_t vertex_count, row_count;
  int32_t *row_of_vertex; /* -1: hard-pinned */
  int32_t *vertex_of_row;
  double *mass;         /* lumped, kg */
  double *mass_damping; /* kg/s: the mass-proportional damping of each vertex */
  vec3 *rest;           /* also the positions at the start */
  vec3 *start_velocity;

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
  double size;               /* diagonal of the bounding box at rest, metres */
} model;

/* Builds from objects that scene_add has checked. start_frame and fps turn the frames of pin
 * targets into seconds. */
tribo_status model_build(const tribo_object_def *objects, size_t object_count,
                         const tribo_world_params *world, const tribo_time_params *time, model *out,
                         tribo_error *err);

/* The part of a that concerns free vertices: out has free_pattern, and shares a's blocks when
 * nothing is pinned (out->blocks may then be NULL before). */
void model_restrict(const model *m, const tasks *t, const bcsr *a, bcsr *out);

/* Where pin `p` wants its vertex number i at a time. */
vec3 model_pin_target(const model_pin *p, size_t i, double seconds);

void model_free(model *m);

#endif
