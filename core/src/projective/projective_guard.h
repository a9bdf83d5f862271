/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_guard: a step shall not end with energy that nobody put in.
 *
 * Iterations that are cut short leave contacts whose impulses r belong to other velocities than
 * those at the end, and r . u > 0 is work that no obstacle does. With g = b - P v of projective.h,
 * what the momentum of the step lacks without contacts, r and what is left over do together
 *
 *   W = -sum g . v   over the nodes that are free,
 *
 * and for elastic energies E that are convex between the start x0 and the end x of the step, T the
 * kinetic energy and V that of height,
 *
 *   T + E + V <= T0 + E0 + V0 + W + work of pins, wind and springs.
 *
 * So W tells what is wrong at the price of one local step. A contact does no work where it holds
 * and takes energy where it slips. It may give what obstacles give that move, r . w, lift what has
 * got inside of one that rests, m g d, and let out what began inside at the speed u of
 * contact/narrow_phase.h, m u^2 / 2.
 *
 * Where W is more, energies are counted. Where they have grown, velocities go back towards what is
 * allowed and has no energy of its own: rest on obstacles that rest, their mean velocity where they
 * move, and that of the piece itself where it is free, which keeps its momentum;
 *
 *   v <- w + s (v - w),   s the largest of 0 to 1 with no more energy than was there.
 *
 * A piece is what hangs together by elements and, in a step, by contacts; what falls beside what
 * lies is not slowed.
 */
#ifndef PROJECTIVE_PROJECTIVE_GUARD_H
#define PROJECTIVE_PROJECTIVE_GUARD_H

#include "base/arena.h"
#include "model/model.h"

struct projective;
struct projective_start;

/* Of a piece, in one step. */
typedef struct guard_piece {
  int32_t root;     /* the piece that stands for all that touch */
  bool touches;     /* contacts of it bear something */
  bool lies;        /* on obstacles, or hangs on pins */
  double work;      /* W, joules */
  double given;     /* what may have come from obstacles */
  double driven;    /* by pins and wind */
  double mass;      /* kg */
  double carried;   /* kg: by how much `base` has been weighed */
  vec3 base;        /* w, m/s */
  double allowed;   /* T0 + E0 + V0 and what came from outside, joules */
  double now;       /* T + E + V with the share that is tried */
  double low, high; /* s is between them; 1: the piece is left alone */
} guard_piece;

typedef struct projective_guard {
  int32_t *piece_of; /* of nodes */
  guard_piece *pieces;
  size_t count;
  double *sums;
  vec3 *wanted; /* of nodes: the velocities of the iterations */
} projective_guard;

/* Energy that contacts have made in a step. */
typedef struct guard_made {
  double joules;
  double
      share; /* of mass times gravity times the scene's size, of the piece that made most of it */
  int32_t node; /* of that piece */
  bool again;   /* a piece went back by more than a tenth: the direction is wrong, too */
} guard_made;

tribo_status projective_guard_create(const model *m, arena *memory, projective_guard *out,
                                     tribo_error *err);

/* Counts it, with the velocities of the iterations and the impulses of the contacts, and takes it
 * away. */
guard_made projective_guard_hold(struct projective *p, const struct projective_start *start);

/* Whether a node is of a piece that went back by more than a tenth. */
bool projective_guard_again(projective_guard *g, int32_t node);

#endif
