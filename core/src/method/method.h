/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * method: the contract of a way to take a time step. A method is a folder and a row of
 * step/methods.c; no method knows another.
 *
 * A row says what the method can do, and scene/compile.c refuses the rest by object, reason and
 * remedy. The step (step/step.c) owns what all methods share: cutting a step in halves, what
 * happens on a failure, committing the state, reports, records and the judgement of a frame.
 *
 * One step goes from the state at `window.seconds` to positions of all nodes `window.h` later. It
 * commits nothing and may be asked for again with a shorter h. Inside of a step impulses (N s) are
 * what contacts bear; they become forces (N) at two borders: the warm start (touch) and the report.
 */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "base/log.h"
#include "contact/find.h"
#include "contact/record.h"
#include "friction/pairs.h"
#include "method/state.h"
#include "method/trouble.h"
#include "model/model.h"
#include "tribo/scene.h"

/* Input of a method: what a simulation is made of. All of it outlives the method. */
typedef struct method_input {
  const model *model;
  const pairs *friction; /* coefficients of the scene's objects */
  const tribo_solver_params *solver;
  double seconds; /* of a step that is not cut */
  const tasks *tasks;
  arena *memory; /* work space, as long as the simulation lives */
} method_input;

typedef struct method_window {
  double seconds, h; /* the step goes from `seconds` to `seconds` + h */
  bool parts;        /* a part of a step that was cut: what it may cost counts for all parts */
} method_window;

typedef enum method_outcome {
  METHOD_CONVERGED,
  METHOD_STALLED,    /* no decrease of the potential was found */
  METHOD_UNFINISHED, /* still going down when the iterations ran out */
  METHOD_NO_ROOM,    /* forces balance, and yet contacts stay closed: they contradict each other */
  METHOD_CURVED,     /* solved, but surfaces curve too much for contacts that are linear */
  METHOD_BROKEN      /* no finite numbers: positions are of no use */
} method_outcome;

/* Result of a step. Costs count whether or not the step is taken, the rest only where it is. */
typedef struct method_result {
  method_outcome outcome;
  bool spent;     /* nothing is left of what the whole step may cost */
  bool goes_on;   /* positions are of use whatever the outcome, but METHOD_BROKEN: no need to cut */
  bool law_holds; /* contacts obey Coulomb's law to its tolerance */
  bool tangled;   /* contacts between cloths contradict each other */
  int iterations, linear_iterations, linearizations, friction_iterations;
  double linear_seconds, assembly_seconds;
  double residual;              /* imbalance of forces or momentum, relative */
  double friction_residual;     /* of the law, relative */
  double penetration;           /* m, of points in surfaces */
  double cloth_depth;           /* m, of cloth in the thickness of cloth */
  double held_back;             /* J that contacts made, and that was taken away */
  int contacts, cloth_contacts; /* that bear something */
  const vec3 *free_motion; /* nodes at the end without any force from within, for bodies that turn;
                              NULL: none does */
} method_result;

/* Abilities of a method; scene/compile.c refuses the rest. */
typedef struct method_abilities {
  unsigned kinds;      /* that it moves: bits 1 << TRIBO_CLOTH and so on */
  const char *moves;   /* the same in words, "cloth and solids only" */
  bool contact;        /* off: nothing touches anything */
  bool self_contact;   /* what has a thickness touches itself and others that have one */
  bool directions;     /* mu_along, mu_across */
  bool speeds;         /* mu_dynamic */
  bool drilling;       /* mu_drill, where nothing but rigid bodies moves */
  bool ipopt;          /* solver.backend 'ipopt' */
  bool cuts;           /* a step may fail, and is then taken in parts */
  bool no_crossings;   /* promises that nothing ever crosses */
  const char *instead; /* name of a method that gets through where this does not; NULL: none */
} method_abilities;

typedef struct method {
  const char *name; /* as in the scene file */
  method_abilities can;

  tribo_status (*create)(const method_input *in, void **self, tribo_error *err);
  void (*free)(void *self);

  /* x: positions of all nodes at the end, rotation vectors of what turns among them. */
  tribo_status (*step)(void *self, const method_window *window, const state *start, vec3 *x,
                       method_result *result, tribo_error *err);

  /* Explanations of the last step, with x as it gave them: which test failed, and where; and the
   * deepest vertex that a hard pin holds inside something. */
  trouble (*explain)(void *self, const vec3 *x, trouble_time time);
  trouble (*explain_pins)(void *self, const vec3 *x, trouble_time time);

  /* Records of the last step, at most as many as record_count says. Nodes and vertices of `end` are
   * where it ended; x: as step gave them. */
  size_t (*record_count)(const void *self);
  size_t (*records)(const void *self, const contact_moment *end, const vec3 *x,
                    contact_record *out);

  /* Warm start of the next step: ascending by key, at most warm_count. */
  size_t (*warm_count)(const void *self);
  size_t (*warm)(const void *self, touch *out);

  /* Pairs exist that can meet. */
  bool (*touching)(const void *self);

  const char *(*linear_solver)(const void *self, bool *deterministic);

  /* ---- what a method need not have: NULL ---- */

  /* Before a step: moves what stands where the method cannot begin. */
  tribo_status (*lift)(void *self, double seconds, state *start, tribo_error *err);
  /* Finder of points in surfaces; NULL: the step makes a finder of its own. */
  contact_finder *(*finder)(void *self);
  /* Elastic energy of each body at x, J, where the method moves by other energies than the model's.
   */
  const double *(*elastic)(void *self, const vec3 *x);
  /* The contact problem that the last step ended with, as a file (docs/contact_problems.md). */
  tribo_status (*export_problem)(void *self, const char *folder, int number, tribo_error *err);
  /* Warnings about the model, once; and about the last step, in the method's own words. first: it
   * was the first of its frame. */
  void (*tell_model)(void *self, const log_sink *log);
  void (*tell_step)(void *self, double seconds, bool first, const log_sink *log);
} method;

/* Contact parameters that methods share. */
double method_gap(const model *m, const tribo_solver_params *solver); /* tolerance of gaps, m */
mls_transport method_transport(const tribo_solver_params *solver);

#endif
