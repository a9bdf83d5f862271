/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fibers: strands in frictional contact with each other, themselves and obstacles, by the way of
 * 004: all contacts of a step become one problem u = W r + q in the contacts' own unknowns
 * (section 4.2), which the room coulomb solves by groups of connected strands (section 4.5).
 *
 *   W = J A^-1 J^T     q = J v_free + w      A, v_free: of each strand (strand.h)
 *
 * u (m/s): velocity of the first side against the second, along n, t, b; r (N s): impulses on the
 * first side; w: what obstacles and led roots move at, and the gap g (m): g / h where sides are
 * apart, so that they may close and not cross, and a part of it where they are too deep. Blocks of
 * W stand only between contacts that share a strand.
 *
 * Beyond the paper: gaps that have not closed are looked ahead at, impulses are carried along the
 * arc length from step to step, what several elements find at one place is one contact, and strands
 * whose equations the answer meets badly are linearised anew and the contacts solved again.
 */
#ifndef FIBERS_FIBERS_H
#define FIBERS_FIBERS_H

#include "base/tasks.h"
#include "coulomb/contact_solver.h"
#include "geom/mesh_distance.h"
#include "geom/primitive.h"
#include "strand/strand.h"

/* A body that is moved from outside. Its surface, where it is now, and how it moves in the step. */
typedef struct fiber_obstacle {
  primitive shape;             /* where mesh is NULL */
  const mesh_distance *mesh;   /* closed, or looked at from its front */
  vec3 velocity, spin, centre; /* m/s of the centre, rad/s, m */
  double mu;                   /* strands against it */
} fiber_obstacle;

/* b: of the second strand, or ~number of an obstacle. */
typedef struct fiber_contact {
  int32_t a, b;
  strand_place at[2]; /* offsets: from the centre lines to the surfaces */
  double arc[2];      /* m, from the roots; of an obstacle 0 */
  vec3 n, t, b_axis;  /* n: from b to a; t: with strand a */
  vec3 foot;          /* of an obstacle: where it is touched */
  double gap, mu;
  vec3 r; /* (N, t, b), N s */
} fiber_contact;

typedef struct fibers {
  /* The caller's. */
  strand *strands;
  size_t count;
  const fiber_obstacle *obstacles;
  size_t obstacle_count;
  strand_step step;
  double mu;                    /* strand against strand */
  double tolerance;             /* of the contact problem, relative; 0: 1e-8 */
  const contact_solver *solver; /* NULL: several in turn */
  int passes;                   /* times that strands may be linearised anew; 0: never */
  tasks tasks;
  /* Its own: contacts of the last step in order, and memory for two steps. */
  fiber_contact *contacts;
  size_t contact_count;
  arena memory[2];
  int turn;
} fibers;

typedef struct fibers_report {
  size_t contacts, groups, largest; /* largest: contacts of that group */
  size_t active;                    /* contacts that bear an impulse */
  double nu;                        /* 3 contacts over freedoms (004, section 4.4.2) */
  double residual;                  /* relative: contact_problem_residual, in units of q and W */
  bool converged;
  int iterations, passes; /* passes: that were taken beyond the first */
  const char *used;
  double deepest; /* m: the least gap at the beginning of the step, 0 where none is negative */
  double fastest; /* m/s: the fastest node at the end of the step */
} fibers_report;

/* One step; strands are committed. TRIBO_BAD_INPUT names a strand whose step is too long for its
 * model, or whose numbers are not finite. Same bits for any number of threads. */
tribo_status fibers_advance(fibers *f, fibers_report *report, tribo_error *err);

/* Frees what is its own. */
void fibers_free(fibers *f);

#endif
