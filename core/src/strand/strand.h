/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strand: one thin elastic rod in the freedoms of a model, and what a contact solver has to know of
 * it (004, section 3): the velocity of a step without contact, a factor of the matrix that says how
 * impulses change it, and how a point of the strand moves with the freedoms.
 *
 *   A v = b + J^T r      A = M (1 + h d) + h^2 K, v the velocities at the end of the step
 *
 * M (kg): mass, K (N/m): stiffness, h (s): the step, d (1/s): damping, r (N s): impulses of
 * contacts, J: the velocity of a point by the freedoms' velocities. A model is a row of a table
 * (strand_model): it keeps what it needs behind `own` and is asked through its functions only.
 *
 * A strand has elements of one rest length; a place on it is an element and the way s (m) from
 * where that begins. Where a model has a twist, a point of the surface moves with the spin of its
 * section, too; where it has none (mass_spring, corde's contacts) the surface moves as the centre
 * line does.
 */
#ifndef STRAND_STRAND_H
#define STRAND_STRAND_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "linsys/band.h"
#include "math/mat3.h"

typedef struct strand_model strand_model;

/* Of a full round section. Poisson's ratio is in the shear modulus: G = E / (2 (1 + nu)). */
typedef struct strand_material {
  double radius;       /* m */
  double density;      /* kg/m^3 */
  double young, shear; /* E, G: Pa */
  double damping;      /* d: 1/s, by mass */
} strand_material;

/* S (m^2), E S (N), B = E I (N m^2), C = G 2 I (N m^2) */
static inline double strand_area(const strand_material *m) { return M_PI * m->radius * m->radius; }
static inline double strand_stretching(const strand_material *m) {
  return m->young * strand_area(m);
}
static inline double strand_bending(const strand_material *m) {
  return m->young * strand_area(m) * m->radius * m->radius / 4;
}
static inline double strand_twisting(const strand_material *m) {
  return m->shear * strand_area(m) * m->radius * m->radius / 2;
}

/* How a strand begins. Points are for the models of nodes, curvatures for those of frames; `frame`
 * is the root's: the tangent in its first column, the axes of kappa_1 and kappa_2 in the others. */
typedef struct strand_def {
  strand_material material;
  int32_t elements;
  double length;      /* m, of an element at rest */
  const vec3 *points; /* elements + 1, or NULL: along the tangent, from `root` */
  vec3 root;          /* where it begins; with points: not looked at */
  mat3 frame; /* super_helix: of the root; others: the first column, where points are NULL */
  const double *rest;  /* super_helix: 3 an element, (kappa_1, kappa_2, tau) 1/m; NULL: straight */
  const double *start; /* super_helix: the same at the beginning; NULL: as at rest */
  bool free_root;      /* false: the root, with its direction, goes where it is led */
} strand_def;

typedef struct strand_place {
  int32_t element;
  double s;    /* m, from the element's beginning, of its rest length */
  vec3 offset; /* m, in the world, from the centre line to the point that is meant */
} strand_place;

/* The velocity of a place by the freedoms' velocities: columns first to first + count - 1, the
 * others are 0; and `drift` (m/s) with all of them 0, where a root is led. */
typedef struct strand_jacobian {
  int32_t first, count;
  vec3 *column; /* strand->freedoms at most */
  vec3 drift;
} strand_jacobian;

/* A place drawn to a target by springs, with their ends of the step: implicit. */
typedef struct strand_hold {
  strand_place place;
  vec3 target;      /* m */
  double stiffness; /* N/m; 0: none */
  mat3 frame;       /* of the section, the tangent first, where turning (N m a radian) is above 0 */
  double turning;   /* models that spin only */
} strand_hold;

typedef struct strand_step {
  double h;     /* s */
  vec3 gravity; /* m/s^2 */
} strand_step;

typedef struct strand {
  const strand_model *model;
  strand_material material;
  int32_t elements;
  double length;
  int32_t freedoms;
  double *q, *v; /* the state, by freedom; of a root that is free, and of frames: see the model */
  double *free;  /* velocities at the end of the step, without contact */
  band factor;   /* L of A */
  bool tensed;   /* A has the stiffness that forces give by turning with the strand */
  double rooted; /* m: up to this arc length a led root lets nothing move to speak of */
  bool *led;     /* by freedom: its velocity is given (`v` keeps it); contacts do not change it */
  vec3 root_velocity, root_spin; /* of a led root, in the step that comes: m/s, rad/s */
  const strand_hold *holds;
  size_t hold_count;
  void *own;
} strand;

struct strand_model {
  const char *name, *about;
  bool curved; /* between nodes its line is not straight */
  bool spins;  /* its sections turn: contacts feel spin times radius */
  bool linear; /* the step's equations are linear in v: linearising them anew changes nothing */
  double (*longest)(const strand *s); /* of explicit models: a step they bear, s; NULL: any */
  tribo_status (*create)(const strand_def *def, arena *memory, strand *out, tribo_error *err);
  /* Takes q, and what is led, into the step's kinematics: before all that follow. */
  void (*prepare)(strand *s, const strand_step *step);
  /* A and b about the velocities `at` at the end of the step: fills s->factor.a with A and `rhs`
   * with what A v is without contacts. A is positive definite by construction. */
  void (*linearise)(strand *s, const strand_step *step, const double *at, double *rhs);
  /* What is out of balance at the velocities v, N s by freedom, contacts left out. NULL where
   * `linear`. */
  void (*residual)(strand *s, const strand_step *step, const double *v, double *out);
  void (*jacobian)(const strand *s, const strand_place *at, strand_jacobian *out);
  vec3 (*point)(const strand *s, const strand_place *at, vec3 *tangent); /* offset is not added */
  void (*commit)(strand *s, const strand_step *step, const double *v);
  double (*kinetic)(const strand *s, const strand_step *step); /* J, as prepared */
  double (*elastic)(const strand *s);                          /* J */
  double (*height)(const strand *s, vec3 gravity);             /* J: potential of gravity */
};

extern const strand_model strand_mass_spring, strand_super_helix, strand_corde;
extern const strand_model *const strand_models[];
extern const size_t strand_model_count;

/* By name; NULL when there is none. */
const strand_model *strand_model_find(const char *name);

/* Memory for all that the strand has comes from `memory`. Numbers that no strand can have are
 * refused, with the number. */
tribo_status strand_create(const strand_model *model, const strand_def *def, arena *memory,
                           strand *out, tribo_error *err);

/* A step as far as contacts do not matter: kinematics, factor and free velocity. `scratch` holds
 * freedoms numbers. Where forces that press make A indefinite, A does without their stiffness
 * (`tensed` says which). False where even that cannot be factored: numbers that are not finite. */
bool strand_begin(strand *s, const strand_step *step, double *scratch);

/* The factor and free velocity anew about the velocities v at the end of the step: after contacts
 * have moved the strand far from where it was linearised. */
bool strand_relinearise(strand *s, const strand_step *step, const double *v, double *scratch);

/* The mass of the strand, kg. */
double strand_mass(const strand *s);

#endif
