/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_descent: a step whose contacts are too stiff for its iterations, once more and more
 * carefully: down the potential of the step,
 *
 *   Phi(v) = 1/2 |v - v~|^2_M + E(x0 + h v),   v~ = v0 + h M^-1 f,
 *
 * from rest, and never up. A contact that bears something keeps its normal velocity, instead of
 * being left with what an impulse on its mass alone makes of it: of the direction P^-1 (g + r) that
 * part is taken off. What is left leads downwards, since g + r has nothing along it. Directions
 * are conjugate (Polak and Ribiere), and go as far as the slope along them says, by a secant, and
 * no further than obstacles allow. Rest is allowed, so that Phi ends below what it is there: of
 * what had no energy to begin with nothing can fly off.
 */
#ifndef PROJECTIVE_PROJECTIVE_DESCENT_H
#define PROJECTIVE_PROJECTIVE_DESCENT_H

#include "base/arena.h"
#include "friction/cone.h"
#include "model/model.h"

struct projective;

/* A contact of up to four nodes, with an obstacle or between bodies. */
typedef struct descent_contact {
  int count;
  bool stuck;           /* it keeps its place; else it may slip */
  bool closed, blocked; /* in this search: its normal velocity, or slip, is left as it is */
  int32_t node[4];
  double weight[4], inverse[4]; /* 1/M_i; 0: held */
  double mass;                  /* 1/m = sum w_i^2 / M_i, kg */
  double least;                 /* normal velocity of the nodes that is allowed, m/s */
  const friction_cone *cone;
  vec3 shift;   /* (N, t, b), m/s */
  vec3 impulse; /* (N, t, b), N s */
  vec3 *tell;   /* where the impulse goes */
} descent_contact;

typedef struct projective_descent {
  bool *descends;            /* nodes of pieces that do */
  vec3 *lacking;             /* of nodes: g, without contacts */
  vec3 *driven;              /* scratch: g / M */
  vec3 *direction;           /* of all that is searched along */
  vec3 *last;                /* g + r of the last iteration */
  vec3 *from;                /* velocities */
  descent_contact *contacts; /* of the step; from its arena */
  size_t count;
} projective_descent;

tribo_status projective_descent_create(const model *m, arena *memory, projective_descent *out,
                                       tribo_error *err);

/* The velocities and impulses of the step's contacts. */
tribo_status projective_descent_run(struct projective *p, tribo_error *err);

#endif
