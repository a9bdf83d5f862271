/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forwarding: contact and friction in one step, by friction forwarding (section 5.5.1, Algorithm
 * 1).
 *
 *   1. the elastic step that stays outside, with the friction of the last step as a constant force:
 *      x*, contact forces lambda (23), under contacts linearised at the start; where the surface
 *      curves away from the linear model by more than allowed, once more, linearised at x*;
 *   2. impulses that obey Coulomb's law, given the velocities of 1 (24) to (28);
 *   3. velocities corrected by what the impulses changed (22).
 *
 * 2 and 3 let impulses act on the mass of the contact's nodes alone. In stiff bodies that is no
 * good guess of what they do: a small change of friction moves a node by far more than its
 * neighbours would allow, and the next step finds elastic energy that nobody put in
 * (docs/contact.md measures it). So by default the effective mass (24) is that of M + h^2 K, and
 * 1 to 3 become one minimisation: the friction of the last step is where it starts from, cones
 * follow the normal forces as it goes on (forwarding/augmented.h). The paper's way is kept,
 * `lumped`.
 *
 * With `ipopt` it is lumped, too, and Ipopt solves both halves, as in the paper (docs/ipopt.md).
 *
 * What a contact bore is handed back as touches and forwarded to the next step.
 */
#ifndef FORWARDING_FORWARDING_H
#define FORWARDING_FORWARDING_H

#include "contact/find.h"
#include "forwarding/newton.h"
#include "forwarding/staggered.h"
#include "friction/cone.h"
#include "friction/pairs.h"
#include "ipopt/ipopt_constrained.h"

typedef struct forwarding_options {
  constrained_options constrained;
  staggered_options friction;
  bool ipopt; /* in place of newton and staggered; implies lumped */
  ipopt_options with;
  bool elastic;    /* the effective mass; false: lumped, as in the paper */
  bool forward;    /* lumped: off, friction is felt by the corrector only (Figs. 13 and 14) */
  int relinearize; /* at most */
  mls_transport transport;
} forwarding_options;

typedef struct forwarding_report {
  constrained_report constrained; /* sums and worst cases over the linearisations */
  friction_report friction;
  int linearizations;
  int contacts; /* that bear something */
  double penetration;
} forwarding_report;

/* What has become of the step of rigid bodies: Newton's method may still hold it; it could not; the
 * solvers of contact problems could not either. */
typedef enum forwarding_wedged {
  FORWARDING_RESTS,
  FORWARDING_WEDGED,
  FORWARDING_STALLED
} forwarding_wedged;

typedef struct forwarding {
  const model *model;
  objective *objective;
  newton *newton;
  ipopt_constrained *ipopt; /* NULL: native */
  const pairs *pairs;
  forwarding_options options;
  bool rigid;  /* nothing but rigid bodies: the effective mass is their mass */
  bool drills; /* some pair has drilling friction; then rigid is true */
  forwarding_wedged wedged;
  int sweeps; /* of contact solvers that may still be made; the caller sets it */
  contact_finder finder;
  arena memory, step; /* of the whole, and of one step */

  vec3 *before, *vertices, *velocities; /* of all vertices: at the start, now, at the start */
  vec3 *velocity;                       /* of nodes, at the end of the step */
  vec3 *change;                         /* what impulses have changed of it */
  mat3 *inverse_mass;

  /* the step's result; arrays of the step's arena */
  contact_set set;
  friction_cone *cones;
  vec3 *force;           /* of the minimisation, (N, t, b), newtons */
  vec3 *given, *impulse; /* (N, t, b), newton seconds; impulse is the result */
  double *torque;        /* of drilling, newton metres; 0 where there is none */
  contact_point buried;  /* the deepest that hard pins hold inside: nothing can open it */
  double buried_depth;   /* m; 0: none is */
  contact_point deepest; /* where the last linear model failed (CONSTRAINED_CURVED) */
  double deepest_depth;  /* m; 0: it did not */
} forwarding;

tribo_status forwarding_create(const model *m, objective *o, newton *n, const pairs *mu,
                               const forwarding_options *options, forwarding *out,
                               tribo_error *err);
void forwarding_free(forwarding *f);

typedef struct forwarding_start {
  double seconds, h;
  const vec3 *x, *v;
  const quat *turns;
  const touch *touches; /* ascending by key */
  size_t touch_count;
} forwarding_start;

/* A step, with all its linearisations and the parts that it is cut into, may cost so much; counted,
 * so that it is the same on every machine. */
void forwarding_allow(forwarding *f);

/* Nothing of it is left: what is missing of the step gets one short try. */
bool forwarding_spent(const forwarding *f);

/* The objective has begun the step. x: a guess of the nodes at its end, and the result. */
tribo_status forwarding_solve(forwarding *f, const forwarding_start *start, vec3 *x,
                              forwarding_report *report, tribo_error *err);

/* The contacts that bear something, are still deep inside, or are near what has two sides; touches
 * has room for set.count. Returns how many. */
size_t forwarding_touches(const forwarding *f, touch *touches);

/* The deepest of the last step's contacts that nothing can open, since all their nodes are
 * hard-pinned, with its depth in metres; NULL when none is deeper than the tolerance. The step was
 * solved without them. */
const contact_point *forwarding_buried(const forwarding *f, double *depth);

/* The friction problem (24) about the last step's end, with lumped masses and the impulses it found
 * as a start, to <folder>/contacts_<number>.hdf5. */
tribo_status forwarding_export(forwarding *f, const char *folder, int number, tribo_error *err);

/* The force on the probe of contact i, in the world. */
vec3 forwarding_force(const forwarding *f, size_t i);

#endif
