/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * direction: the Newton direction of a step: the matrix of objective, contacts, friction and what
 * is foreseen (barrier/foresee.h), and where it leads.
 */
#ifndef BARRIER_DIRECTION_H
#define BARRIER_DIRECTION_H

#include "barrier/barrier.h"

/* How much of the way of what is given is left to go for the directions to come. */
static inline double direction_left(const barrier *b) { return b->waits ? 0 : 1 - b->progress; }

/* Vertices of the mesh with the nodes at x and colliders as far as `progress`. */
void direction_place(const barrier *b, const vec3 *x, double progress, vec3 *out);

/* The candidates of a motion, into b->near. Those of a short one are looked for with some room
 * around (barrier/scale.h), and serve until something has moved by half of it. */
tribo_status direction_search(barrier *b, const vec3 *from, const vec3 *to, barrier_report *report,
                              tribo_error *err);

/* Adds to nodes what a force at the weighted places of four vertices is for them. */
void direction_add_at(const barrier *b, const int32_t vertex[4], const double weight[4], vec3 force,
                      vec3 *out);

/* Fills b->system.hessian and b->stiffness at b->x. */
void direction_take_hessian(barrier *b, hessian_kind kind, barrier_report *report);

/* b->direction, b->swept and the candidates of the whole way; solved for anew while it runs into
 * what it does not know of, if it looks `ahead`. *found: false where the matrix is not definite. */
tribo_status direction_find(barrier *b, bool exact, bool ahead, bool *found, barrier_report *report,
                            tribo_error *err);

/* Sweeps b->direction: its end into b->swept, the contacts on the way, and b->limit. */
tribo_status direction_sweep(barrier *b, barrier_report *report, tribo_error *err);

/* b->x and a part of the direction. */
void direction_go(const barrier *b, double length, vec3 *x);

#endif
