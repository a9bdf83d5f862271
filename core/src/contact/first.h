/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * first: of the many places where a finely cut rigid body is near a surface, those that may touch
 * first.
 *
 * A ball of 500 vertices that falls on a floor has half of them within reach of the step's motion,
 * and touches with one or two. Place i is left out where another place j faces the same way and is
 * nearer by more than the body may turn i in before j, at the start and where both would fly:
 *
 *   gap_i - gap_j > rest + TURNS |x_i - x_j|                       metres
 *
 * What is as near as `rest` always stays. That is a guess about a step, no bound: what was left out
 * and goes in all the same is found when gaps are looked at where the step has led
 * (solve/forwarding.h), and held in the next solve.
 */
#ifndef CONTACT_FIRST_H
#define CONTACT_FIRST_H

#include "contact/narrow_phase.h"

typedef struct first_place {
  size_t i; /* point or segment, */
  double part;
  surface_hit hit;
  double gap, flown; /* thickness taken off; and at the end of the step, if nothing touched */
} first_place;

/* Whether places of the pair may be left out: of few none are. */
bool first_counts(const narrow_pair *pair, size_t count);

/* How near a place always stays, metres. margin: what is looked for beyond the motion. */
double first_rest(const narrow_pair *pair, double margin);

/* Fills in gap and flown. */
void first_measure(const narrow_pair *pair, first_place *place);

/* Keeps those that may touch first, in their order; returns how many. */
size_t first_choose(first_place *places, size_t count, double rest, arena *memory);

#endif
