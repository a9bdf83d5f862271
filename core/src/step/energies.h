/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * energies: the mechanical energy of each body at a state, and how much of it what is moved from
 * outside may put in. Solvers have no part in it: whatever method moves a scene, contact, friction
 * and damping only take energy away, and so does backward Euler.
 */
#ifndef STEP_ENERGIES_H
#define STEP_ENERGIES_H

#include "method/state.h"
#include "model/model.h"

/* Of a body or of all, joules. `stored` is what it could still turn into motion: elastic energy,
 * that of soft pins, and mass times -gravity times place. */
typedef struct energies {
  double kinetic, stored;
  double elastic; /* the part of `stored` that is elastic */
} energies;

/* out: one a body; scratch: one double an element of the largest set. seconds: for pins. own:
 * elastic energies of the bodies by another way than the model's; NULL: the model's count. */
void energies_of_bodies(const model *m, const tasks *t, const state *s, double seconds,
                        const double *own, double *scratch, energies *out);

/* How fast anything moves that is moved from outside between two times, m/s: colliders that are
 * there, the targets of pins, and the wind where it is felt. 0 where all stand still. scratch: room
 * for twice the vertices of the largest collider. */
double energies_outer_speed(const model *m, const tasks *t, double from, double to, vec3 *scratch);

/* Whether a collider appears between two times. */
bool energies_appearing(const model *m, double from, double to);

#endif
