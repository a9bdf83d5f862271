/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_solid_contact: contact and friction of solids with obstacles in the local step.
 *
 * The splitting of Ly et al. 2020, (8), P = D + C with C at the velocities at hand, leaves D to
 * choose. They take D = M, which makes every contact an equation of its own. In a solid an impulse
 * on a node is felt by a whole neighbourhood, and each iteration then mends only M/P of what is
 * wrong: a block of rubber would tremble, and since contacts push and never pull, hop. Here D is
 * what the contact nodes c of a body have together, D^-1 = K = (P^-1)_cc:
 *
 *   v'_c = v_c + K (g_c + r),   r by Signorini and Coulomb,
 *
 * solved by rounds over the contacts, each with its own 1/m = sum w_a w_b K_ab, from the impulses
 * of the last iteration. Were P the true Hessian, two iterations would do.
 *
 * P is constant, and so is K: the answer of a body's skin to an impulse on one of its nodes is
 * asked for when the node first touches something, by a solve that three nodes share, and is kept
 * for the whole bake. A body with a larger skin than there is room for has D = M.
 *
 * Contacts of vertices that a cage of tets carries (model/cage.h) hang on four nodes, with weights.
 */
#ifndef PROJECTIVE_PROJECTIVE_SOLID_CONTACT_H
#define PROJECTIVE_PROJECTIVE_SOLID_CONTACT_H

#include "contact/set.h"
#include "linsys/prefactor.h"
#include "model/model.h"
#include "projective/projective_contact.h"

/* What is known of P^-1 on the skin of a body. */
typedef struct press_skin {
  int32_t *slot; /* of each node of the body; -1: it is not on the skin */
  int32_t slots;
  double *answer; /* slots x slots, a row for each slot that is known; NULL: too many */
  bool *known;
} press_skin;

typedef struct press_contact {
  size_t number; /* in the set */
  int count;     /* of nodes; 1 or more */
  int32_t place[4];
  double weight[4];
  double mass;  /* m, kg; 0: all its nodes are pinned */
  vec3 impulse; /* (N, t, b), N s */
} press_contact;

/* z += k by, over `count` numbers of k. */
typedef void (*press_spread)(const double *k, size_t count, vec3 by, double *const z[3]);

/* A body that touches, in one step. Places are numbers among its nodes that do. */
typedef struct press_body {
  int32_t *node;
  size_t node_count;
  double *k; /* node_count x node_count, or NULL: `inverse` is its diagonal */
  double *inverse;
  double *z[3]; /* scratch: v' of each */
  press_spread spread;
  press_contact *contacts;
  size_t count;
} press_body;

typedef struct projective_solid_contact {
  const model *model;
  tasks tasks;
  press_spread spread;
  press_skin *skins;        /* of each body; those of solids have slots */
  vec3 *impulse, *velocity; /* scratch: of all nodes */
  int32_t *place;           /* scratch: of all nodes */
  press_body *bodies;       /* of the step; from its arena */
  size_t count;
} projective_solid_contact;

tribo_status projective_solid_contact_create(const model *m, const tasks *t, arena *memory,
                                             projective_solid_contact *out, tribo_error *err);

/* Takes over the contacts of solids in `contacts`, one for each of the set: they are `pressed`
 * then, and have shift and cone already. */
tribo_status projective_solid_contact_begin(projective_solid_contact *p, const contact_set *set,
                                            const double *mass, prefactor *matrix,
                                            projective_contact *contacts, arena *step,
                                            tribo_error *err);

/* r is added to g. */
void projective_solid_contact_update(projective_solid_contact *p,
                                     const projective_contact *contacts, const vec3 *v, vec3 *g);

/* At the end of the step: impulse, mass and velocity of those contacts. */
void projective_solid_contact_finish(const projective_solid_contact *p, const vec3 *v,
                                     projective_contact *contacts);

#endif
