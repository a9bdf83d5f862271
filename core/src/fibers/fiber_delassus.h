/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fiber_delassus: W = J A^-1 J^T of the contacts between strands (004, section 4.2), and what their
 * impulses do to the strands.
 *
 * A contact has a side on each of its strands. With A = L L^T of a strand and Y = L^-1 J^T, three
 * columns a side, the strand's part of W is Y^T Y: only half of each solve is ever made, and the
 * strand's answer to impulses is L^-T (Y r). Where A is diagonal (explicit models) a side couples
 * only with those that hang on the same nodes, and W stays sparse along the strand.
 */
#ifndef FIBERS_FIBER_DELASSUS_H
#define FIBERS_FIBER_DELASSUS_H

#include "fibers/fibers.h"

/* The side of a contact on a strand: J^T of it, three numbers a freedom: along n, t, b. */
typedef struct fiber_side {
  int32_t contact;
  int32_t first, count; /* freedoms */
  vec3 *rows;           /* count, with the side's sign */
  vec3 drift;           /* along n, t, b, with the side's sign */
} fiber_side;

typedef struct fiber_delassus {
  const fibers *f;
  const fiber_contact *contacts;
  size_t count;
  size_t *start;     /* by strand: of sides */
  fiber_side *sides; /* by strand, then by contact */
  int32_t (*own)[2]; /* by contact: its sides; -1: none */
  double **half;     /* by strand: Y, freedoms x 3 sides; NULL: no side */
  double **product;  /* by strand: Y^T Y, by rows; NULL where A is diagonal */
  bcsr_pattern pattern;
  bcsr w;
} fiber_delassus;

/* The sides and the pattern: once a step. */
tribo_status fiber_delassus_make(const fibers *f, const fiber_contact *contacts, size_t count,
                                 arena *memory, fiber_delassus *out, tribo_error *err);

/* W, and J v_free with what led roots move at, for the factors and free velocities as they are. */
void fiber_delassus_fill(fiber_delassus *d, vec3 *velocity);

/* v = v_free + A^-1 J^T r of strand i; v: its freedoms. Strands may be asked side by side. */
void fiber_delassus_respond(const fiber_delassus *d, size_t i, const vec3 *r, double *v);

/* f += J^T r of strand i. */
void fiber_delassus_push(const fiber_delassus *d, size_t i, const vec3 *r, double *f);

#endif
