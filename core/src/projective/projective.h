/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective: a step of cloth and soft solids by Projective Dynamics with dry frictional contact
 * (Ly, Jouve, Boissieux, Bertails-Descoubes 2020, Algorithm 1), for layout and preview: a given
 * number of cheap iterations instead of a tolerance.
 *
 * An iteration has a local part, elements and contacts each by themselves, and a global one, a
 * solve with a matrix P that is factored once for the whole bake. It is written in velocities (6)
 * and as a correction: with g = b - P v, what the momentum of the step lacks at v,
 *
 *   v' = v + P^-1 (g + r),     P = M + h^2 sum w A^T A,
 *
 * which is (7) without solving for what is there already. g takes the elastic forces at
 * x0 + h v (projective_cloth.h, projective_solid.h, projective_damping.h), r are the contact
 * impulses (projective_contact.h). The start is the last velocity, at which g holds what contacts
 * bore in the last step: what rests stays. Anderson's acceleration (anderson.h) makes of ten
 * iterations what were thirty.
 *
 * A step cannot fail but by leaving the range of numbers, and none is cut: h is part of P.
 */
#ifndef PROJECTIVE_PROJECTIVE_H
#define PROJECTIVE_PROJECTIVE_H

#include "contact/find.h"
#include "energy/pin.h"
#include "energy/wind.h"
#include "friction/pairs.h"
#include "linsys/prefactor.h"
#include "math/anderson.h"
#include "projective/layers_cones.h"
#include "projective/projective_between.h"
#include "projective/projective_cloth.h"
#include "projective/projective_contact.h"
#include "projective/projective_damping.h"
#include "projective/projective_descent.h"
#include "projective/projective_edges.h"
#include "projective/projective_guard.h"
#include "projective/projective_layers.h"
#include "projective/projective_passing.h"
#include "projective/projective_solid.h"
#include "projective/projective_solid_contact.h"

typedef struct projective_options {
  double h; /* of every step, seconds */
  int iterations;
  double gap; /* metres: what moves by a thousandth of this in a step does not slip */
  mls_transport transport;
  tasks tasks;
} projective_options;

typedef struct projective_report {
  int iterations;
  int contacts;       /* that bear something */
  double residual;    /* what the momentum lacks at the end, relative to what balances */
  double friction;    /* mean Alart-Curnier error at the end, relative to the mean impulse */
  double penetration; /* metres, by the contacts as they were linearised */
  double detect_seconds, local_seconds, contact_seconds, solve_seconds, mix_seconds;
  bool finite;
  guard_made made; /* energy that contacts made, and that was taken away */
  passing_report passing;
  bool tangled; /* contacts between cloths contradict each other: held back the careful way, too, or
                   something passed all the same */
} projective_report;

typedef struct projective {
  const model *model;
  const pairs *pairs;
  projective_options options;
  projective_cloth cloth;
  projective_solid solid;
  projective_damping damping;
  prefactor *matrix;
  double stiffness; /* of cloth, h^2 of the elements over the mass, where it is largest */
  size_t stiffest;  /* the body */
  anderson mixing;
  contact_finder finder;
  projective_edges edges;
  skins skins;
  projective_solid_contact solid_contact;
  projective_layers layers;
  projective_guard guard;
  projective_descent descent;
  layers_cones layers_cones;
  projective_passing passing;
  bool *touches_obstacle; /* nodes that touch an obstacle */
  arena memory, step;     /* of the whole, and of one step */

  /* of all nodes */
  double *elastic; /* of bodies: scratch */
  double *mass;    /* what resists a change of velocity by itself: mass and its damping, kg */
  double *soft;    /* stiffness of soft pins, N/m */
  vec3 *target;    /* of pins, at the end of the step */
  vec3 *start;     /* positions */
  vec3 *carried;   /* momentum at the end of the step without any force from within, N s */
  vec3 *v, *g, *change;
  vec4 *x;   /* start + h v */
  vec3 *air; /* drag at x, its gradient; NULL: there is none */
  vec3 *x_air;
  wind_element *wind;
  vec3 *before, *velocities; /* of all vertices, at the start */

  /* the step's result; arrays of the step's arena */
  contact_set set;
  projective_contact *contacts; /* of the set, in its order */
  friction_cone *cones;
  vec3 *impulses; /* (N, t, b), N s */
} projective;

typedef struct projective_start {
  double seconds;
  const vec3 *x, *v;
  const quat *turns;
  const touch *touches; /* ascending by key */
  size_t touch_count;
} projective_start;

/* The model has no rigid bodies. */
tribo_status projective_create(const model *m, const pairs *mu, const projective_options *options,
                               projective *out, tribo_error *err);
void projective_free(projective *p);

/* x: the nodes at the end of the step. */
tribo_status projective_solve(projective *p, const projective_start *start, vec3 *x,
                              projective_report *report, tribo_error *err);

/* g and, where there is air, drag at the velocities v. */
void projective_residual(projective *p);

/* Elastic energies at x, of each body, joules: those that the method moves by, which differ from
 * the model's where strains are large. */
const double *projective_elastic(projective *p, const vec3 *x);

/* The contacts that are still deep inside (contact/narrow_phase.h), or near what has two sides;
 * touches has room for set.count. Returns how many. Friction is not forwarded here. */
size_t projective_touches(const projective *p, touch *touches);

#endif
