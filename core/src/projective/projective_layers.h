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
#ifndef PROJECTIVE_PROJECTIVE_LAYERS_H
#define PROJECTIVE_PROJECTIVE_LAYERS_H

#include "friction/pairs.h"
#include "model/model.h"
#include "projective/projective_contact.h"
#include "projective/projective_find.h"

/* What it takes to see, in floats, that a meeting is not driven together. Most are not, so the rest
 * of a meeting is seldom fetched. */
typedef struct layers_gate {
  float weight[4];
  float normal[3], shift; /* of the velocity along it, m/s */
  int32_t node[4];
} layers_gate;

/* x, y, z and 0. */
typedef struct layers_speed {
  float at[4];
} layers_speed;

typedef struct projective_layers {
  const model *model;
  const pairs *pairs;
  double h;
  layers_finder finder;
  double *inverse;      /* of nodes: 1/M_i; 0: held */
  layers_speed *driven; /* scratch, of nodes: where what is known drives them, m/s */
  float fastest;        /* of them */

  /* of the step; from its arena */
  projective_stencil *stencils; /* layer by layer */
  layers_gate *gates;           /* beside them */
  float *passes;                /* and how fast they may come together without passing, m/s */
  int32_t *place;               /* and where they are among the live ones; -1: nowhere */
  bool *near;                   /* scratch */
  size_t count;

  /* those that bore something or were driven together when all were looked at: copies, side by
   * side, and which they are */
  projective_stencil *live, *spare;
  int32_t *live_of;
  size_t live_count;
} projective_layers;

/* Nothing is there to touch where no cloth has a thickness. */
tribo_status projective_layers_create(const model *m, const pairs *mu, double h, const tasks *t,
                                      arena *memory, projective_layers *out, tribo_error *err);

/* The contacts of a step from x, v. mass: of nodes. grounded: nodes that touch an obstacle, from
 * which layers are counted. */
tribo_status projective_layers_detect(projective_layers *l, const vec3 *x, const vec3 *v,
                                      const double *mass, const bool *touches_obstacle, arena *step,
                                      tribo_error *err);

/* The local step, in two parts around that of the obstacles: what was borne in the last iteration
 * is added to g; then all is revised. round: of the step, from 0. */
void projective_layers_resume(const projective_layers *l, vec3 *g);
void projective_layers_update(projective_layers *l, int round, const vec3 *v, vec3 *g);

/* After the last iteration: what would still pass each other is slowed down, by impulses on the
 * masses alone. Few iterations may leave stiff cloth where it shall not be; layers that have passed
 * would never find back. Cloth at rest passes nothing, so each impulse is a projection on
 * velocities that are allowed, and rest among them: it takes energy, however many there are and
 * however they contradict each other. */
void projective_layers_separate(projective_layers *l, vec3 *v);

#endif
