/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_passing: the last word of a step of the method projective: no cloth passes cloth, nor
 * an obstacle.
 *
 * Contacts (projective_layers.h) are linear, found at the start of a step and few a vertex, and a
 * given number of iterations does not solve them. In folds that are as small as the mesh that lets
 * vertices and edges through, and what has passed stays tangled. So when all is done the ways
 * x0 + s h v, 0 <= s <= 1, of what is in reach of each other are looked at by continuous collision
 * detection (geom/ccd.h), vertices with triangles and edges with edges. What would meet,
 *
 *   n . sum w_i (x0_i + h v_i) < floor,     n, w: normal and weights at the time of impact,
 *
 * is stopped by an impulse on the masses along n, inelastically (Bridson, Fedkiw, Anderson 2002).
 * Rest fulfils every such condition, so each impulse is a projection that takes energy. Where that
 * does not end, what still meets goes on as one, with the mean velocity of its masses (their rigid
 * impact zones, without turning): nothing in such a zone can pass, and momentum is kept.
 *
 * Obstacles take part with their meshes (skins.h), as what nothing can move; a zone with one goes
 * where what rides on it goes.
 *
 * What crossed at the first frame is left alone, with its neighbours: it may come free. So is what
 * crosses an obstacle when the step begins, and what comes from inside.
 */
#ifndef PROJECTIVE_PROJECTIVE_PASSING_H
#define PROJECTIVE_PROJECTIVE_PASSING_H

#include "base/array.h"
#include "projective/projective_contact.h"
#include "projective/projective_find.h"
#include "projective/skins.h"

typedef struct passing_hit {
  int32_t node[4];
  double weight[4];      /* they sum to 0; with an obstacle to 1, and those of no node are 0 */
  int32_t skin;          /* the obstacle; -1: cloth */
  vec3 surface_velocity; /* its velocity there, */
  double driven;         /* and along the normal, m/s */
  double impulse;        /* N s */
  vec3 normal;           /* unit, at the time of impact, from the second to the first */
  double gap;            /* at the start of the step, along the normal, m */
  double least;          /* the gap that stays, m */
} passing_hit;

typedef struct projective_passing {
  layers_finder *finder; /* whose trees are moved */
  skins *skins;
  const model *model;
  double h;
  bool *tangled;       /* nodes that crossed something at the first frame, and those beside them */
  bool starts_tangled; /* there are any */
  bool *asks;          /* scratch, of vertices and edges of the finder */
  bool any_asks;
  bool *moved;        /* nodes that an impulse has changed */
  int32_t *zone;      /* of nodes: union-find */
  int32_t *zone_skin; /* the obstacle that a zone holds on to; -1: none */
  vec3 *zone_v;       /* of roots: momentum, then velocity */
  double *zone_mass;
  double *inverse; /* of nodes: 1/M_i; 0: held */
  ARRAY(passing_hit) hits;
} projective_passing;

tribo_status projective_passing_create(const model *m, layers_finder *finder, skins *obstacles,
                                       const double *mass, const tasks *t, arena *memory,
                                       projective_passing *out, tribo_error *err);
void projective_passing_free(projective_passing *p);

typedef struct passing_report {
  int stopped;         /* pairs that would have met */
  int zoned;           /* nodes that went on in zones */
  int passed;          /* pairs that meet all the same: two pins drive them through each other */
  int32_t node, other; /* of the first of these; other: of cloth, -1 of an obstacle */
  int32_t skin;        /* the obstacle; -1: cloth */
} passing_report;

/* From the velocities v0 with which contacts were found, at x0, to the last ones v: changes v so
 * that nothing passes. Contacts with obstacles are kept. */
tribo_status projective_passing_stop(projective_passing *p, const vec3 *x0, const vec3 *v0,
                                     const projective_contact *obstacles, size_t obstacle_count,
                                     vec3 *v, passing_report *report, tribo_error *err);

/* Adds what of cloth and obstacles meets by v to the hits (passing_skins.c). */
tribo_status passing_meet_skins(projective_passing *p, const vec3 *v, tribo_error *err);

/* The gap that stays of this one, where a thickness is kept. */
double passing_least(double gap, double thickness);

/* Whether some direction of three keeps the two apart all the way: most pairs end here. */
bool passing_boxes_apart(const vec3 start[4], const vec3 end[4], int own);

#endif
