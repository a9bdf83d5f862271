/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * barrier: a step without crossings: backward Euler as the minimum of an incremental potential with
 * a barrier on every gap, and exact friction.
 *
 *   min Phi(x) + B(x) + D(x)
 *
 * Phi is the objective (potential/objective.h), B the log barrier (barrier/contacts.h), D the
 * envelope of friction (barrier/rub.h). A projected Newton method goes from the start of the step
 * to the minimum by motions each of which is free of contact on its whole way
 * (proximity/step_limit.h): if nothing crosses at the start, nothing does at the end, whatever the
 * tolerance, the iterations or the step. Colliders and hard pins move along as far as the way is
 * free, until they are where the end of the step has them.
 *
 * A direction takes care of what it would run into: pairs that the motion would cross take part in
 * its model with a spring to a part of their band, and it is solved again (`foresee`); so one
 * contact ahead does not stop all others.
 */
#ifndef BARRIER_BARRIER_H
#define BARRIER_BARRIER_H

#include "barrier/matrix.h"
#include "barrier/rub.h"
#include "barrier/tangled.h"
#include "contact/set.h"
#include "friction/pairs.h"
#include "potential/objective.h"

typedef struct barrier_options {
  double h;         /* of a step, seconds */
  double tolerance; /* imbalance of forces against the forces that balance */
  double friction;  /* change of friction forces, against the same */
  int iterations;
  linsys_options linear;
  tasks tasks;
} barrier_options;

typedef enum barrier_outcome {
  BARRIER_CONVERGED,
  BARRIER_UNFINISHED, /* iterations ran out */
  BARRIER_STALLED,    /* no lower energy was found */
  BARRIER_STUCK,   /* solved, but for colliders or pins that did not get to where they should be */
  BARRIER_CROSSED, /* something touched at the start */
  BARRIER_BROKEN   /* no finite energy, or no direction */
} barrier_outcome;

/* The obstacle that stops a hard pin or a collider: `other` stops `part`, parts of the surface
 * mesh; -1: there is none. */
typedef struct barrier_obstacle {
  int32_t part, other;
  int32_t vertex; /* of the first part: its own number */
  double left;    /* of its way, m */
} barrier_obstacle;

typedef struct barrier_report {
  barrier_outcome outcome;
  int iterations, factorizations, analyses, frictions;
  int contacts;    /* within their bands */
  double residual; /* imbalance, relative */
  double friction; /* error of Coulomb's law at the end, relative to the same forces */
  double progress; /* how far colliders and pins got, 0 to 1; */
  bool lags;       /* and some collider not to where it should be */
  barrier_obstacle obstacle;
  double search_seconds, limit_seconds, contact_seconds, assembly_seconds, solve_seconds;
} barrier_report;

/* A contact that a direction would run into (barrier/foresee.h). */
typedef struct barrier_ahead {
  candidate pair;
  bool face;
  int32_t vertex[4];
  double weight[4];
  vec3 normal;
  double thickness, target, stiffness;
} barrier_ahead;

typedef struct barrier {
  const model *model;
  const pairs *pairs;
  barrier_options options;
  objective *objective;
  surface_mesh mesh;
  barrier_scale scale;
  glide glide;
  candidates near;
  barrier_matrix system;
  tangled tangled;
  arena memory;

  /* the step */
  double h;
  const quat *turns;
  vec3 *x, *trial; /* nodes */
  vec3 *gradient, *force, *direction;
  vec3 *given;                         /* the whole way of hard-pinned nodes */
  vec3 *places, *trial_places, *swept; /* vertices of the mesh at x, at the trial, at a full step */
  vec3 *velocities;                    /* of vertices of the mesh, at the start */
  vec3 *start;                         /* at the start of the step */
  vec3 *anchor;  /* vertices where candidates were looked for with room around, */
  bool anchored; /* if they were */
  vec3 *collider_start, *collider_end, *scratch;
  bool *held, *absent;
  double progress;   /* of what is given, */
  bool waits;        /* which stands still for some iterations, for others to get out of its way */
  bool balanced;     /* forces were, where the last step ended */
  bool rests;        /* the last step of Newton went no farther than roundings */
  double *stiffness; /* of nodes: a third of the trace of the diagonal */
  bool turns_bodies; /* there are rigid bodies: vertices do not move straight */
  barrier_contact_list contacts, others;
  barrier_rub_list rubs, next_rubs;
  ARRAY(barrier_hang) hangs;
  ARRAY(barrier_ahead) ahead;
  ARRAY(double) times; /* of candidates (barrier/foresee.h) */
  double limit;        /* how much of the direction is free */
  size_t first;        /* candidate that limits it */
  const touch *touches;
  size_t touch_count;
} barrier;

typedef struct barrier_start {
  double seconds, h;
  const vec3 *x, *v;
  const quat *turns;
  const touch *touches; /* ascending by key */
  size_t touch_count;
} barrier_start;

/* o serves the model and must outlive it. */
tribo_status barrier_create(const model *m, objective *o, const pairs *mu,
                            const barrier_options *options, barrier *out, tribo_error *err);
void barrier_free(barrier *b);

/* x: the nodes at the end of the step. What is accepted never crosses, also where the outcome is
 * not BARRIER_CONVERGED. */
tribo_status barrier_solve(barrier *b, const barrier_start *start, vec3 *x, barrier_report *report,
                           tribo_error *err);

/* How many contacts bear something, and what of them the next step starts from; touches has room
 * for barrier_touch_count. */
size_t barrier_touch_count(const barrier *b);
size_t barrier_touches(const barrier *b, touch *touches);

#endif
