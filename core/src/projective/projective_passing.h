/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_passing: the last word of a step of the method projective: no cloth passes cloth.
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
 * What crossed at the first frame is left alone, with its neighbours: it may come free.
 */
#ifndef PROJECTIVE_PROJECTIVE_PASSING_H
#define PROJECTIVE_PROJECTIVE_PASSING_H

#include "base/array.h"
#include "projective/projective_contact.h"
#include "projective/projective_find.h"

typedef struct passing_hit {
  int32_t node[4];
  double weight[4]; /* they sum to 0 */
  vec3 normal;      /* unit, at the time of impact, from the second to the first */
  double gap;       /* at the start of the step, along the normal, m */
  double least;     /* the gap that stays, m */
} passing_hit;

typedef struct projective_passing {
  layers_finder *finder; /* whose trees are moved */
  const model *model;
  double h;
  bool *tangled;       /* nodes that crossed something at the first frame, and those beside them */
  bool starts_tangled; /* there are any */
  bool *asks;          /* scratch, of vertices and edges of the finder */
  bool *moved;         /* nodes that an impulse has changed */
  int32_t *zone;       /* of nodes: union-find */
  vec3 *zone_v;        /* of roots: momentum, then velocity */
  double *zone_mass;
  vec3 *before; /* v when the step's contacts were found */
  ARRAY(passing_hit) hits;
} projective_passing;

tribo_status projective_passing_create(const model *m, layers_finder *finder, const tasks *t,
                                       arena *memory, projective_passing *out, tribo_error *err);
void projective_passing_free(projective_passing *p);

typedef struct passing_report {
  int stopped; /* pairs that would have met */
  int zoned;   /* nodes that went on in zones */
  int passed;  /* pairs that meet all the same: two pins drive them through each other */
} passing_report;

/* From the velocities v0 with which contacts were found, at x0, to the last ones v: changes v so
 * that nothing passes. inverse: 1/M of nodes, 0: held. Contacts with obstacles are kept. */
tribo_status projective_passing_stop(projective_passing *p, const vec3 *x0, const vec3 *v0,
                                     const double *inverse, const projective_contact *obstacles,
                                     size_t obstacle_count, vec3 *v, passing_report *report,
                                     tribo_error *err);

#endif
