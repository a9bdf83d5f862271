/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * augmented: contacts as Newton's method can carry them: an augmented Lagrangian.
 *
 * Non-penetration c_i(x) >= 0 of a contact set with forces lambda_i (23):
 *
 *   L_N = sum_i ( max(0, lambda_i - rho_i c_i)^2 - lambda_i^2 ) / (2 rho_i)
 *
 * and, where friction takes part, for a given disc of friction, of radius R_i (the coefficient
 * times the normal force), or an ellipse whose longer half-axis is R_i, the principle of maximal
 * dissipation (18). It is the potential max -r . u_i over the disc, of the way u_i that the contact
 * slips in the step:
 *
 *   L_T = sum_i ( |z_i|^2 - dist(z_i, disc_i)^2 - |r_i|^2 ) / (2 s_i),    z_i = r_i - s_i u_i
 *
 * Both are smooth once and convex. Their gradients are contact forces, max(0, lambda - rho c) along
 * the normal and the projection of z on the disc along the tangents. Where the forces of two
 * successive rounds agree with lambda and r, x obeys the constraint and the law; where besides
 * R = mu lambda, it obeys Coulomb. So friction is solved with the elasticity of the bodies: the
 * effective mass (24) is that of M + h^2 K, not of M alone.
 *
 * The bonds of a contact couple its nodes. With an external surface these are the three numbers of
 * one vertex, and the system keeps its pattern; two simulated bodies couple anew, and the pattern
 * is widened by what the set couples. It depends on the set alone, never on the past: a bake that
 * resumes finds the same ordering, and the same bits.
 */
#ifndef FORWARDING_AUGMENTED_H
#define FORWARDING_AUGMENTED_H

#include "contact/set.h"
#include "friction/cone.h"
#include "linsys/linsys.h"
#include "model/model.h"

typedef enum contact_grip { CONTACT_OPEN, CONTACT_STICKS, CONTACT_SLIPS } contact_grip;

typedef struct augmented {
  const model *model;
  linsys_options linear_options;
  arena memory; /* lives for one set */
  const contact_set *set;
  const friction_cone *cones;
  bool friction;
  const vec3 *start; /* nodes at the start of the step */
  double h;
  vec3 *force;              /* (lambda, r) in the frame of the cone, newtons; the caller's */
  mat3 *rows;               /* an entry: d(gap, slip along t, slip along b) / d x[node] */
  vec3 *offset;             /* a contact: what gap and slip are at x = 0, in effect */
  bool stiff;               /* rho and s are chosen */
  double *rho, *s, *radius; /* R_i */
  bool frozen;              /* friction is a constant load: the normal forces are being found */
  bool follow;              /* cones follow the normal forces as these are corrected */
  size_t turned;            /* normal bonds that the last revision changed */
  bool *pushes;             /* the normal bond is in force */
  contact_grip *grip;       /* the tangential one */
  vec3 *saved_force;
  double *saved_radius;
  /* of the linear model in the making: */
  vec3 *ahead; /* gap and slip where the direction leads */
  vec3 *held;  /* forces that balance there */
  mat3 *bond;  /* how forces fall with gap and slip */

  bcsr_pattern wide; /* the pattern that the set has widened */
  arena wide_memory;
  linsys *wide_linear;   /* NULL: never needed */
  int32_t *wide_of_free; /* where each block of free_pattern went */
  bcsr bonded;           /* Hessian of Phi and of the bonds, over free nodes */
  int32_t *block;        /* where each pair of each contact stands in bonded, row by row */
  size_t *first_block;   /* of each contact in `block` */
} augmented;

/* What a minimisation is to respect. */
typedef struct contact_task {
  const contact_set *set;
  const friction_cone *cones; /* of each contact */
  bool friction;              /* false: the normal parts alone (23) */
  bool first;                 /* of the step: the forces are those that the last one ended with */
  const vec3 *start;          /* nodes at the start of the step */
  double h;
  vec3 *force; /* (N, t, b) of each contact, newtons: a guess, and the solution */
} contact_task;

void augmented_create(const model *m, const linsys_options *linear, augmented *out);
void augmented_free(augmented *t);

/* `own` is the solver that serves the model's own pattern; *linear is the one that serves this set.
 */
tribo_status augmented_begin(augmented *t, const contact_task *task, linsys *own, linsys **linear,
                             tribo_error *err);

/* Chooses rho and s from the first Hessian of Phi over free nodes that it is given: well above what
 * the bodies themselves oppose to being moved at the contact. Before that they are 0: the forces
 * are the guess wherever x is, and the violation is not known (infinite). */
void augmented_stiffen(augmented *t, const bcsr *hessian);

/* Which bonds hold at x. */
void augmented_guess(augmented *t, const vec3 *x);

/* Which bonds hold by the guessed forces, where a step begins: x does not know of contacts yet. */
void augmented_recall(augmented *t);

/* R = mu lambda, of the normal forces as they are now. */
void augmented_load_cones(augmented *t);

/* R goes a part of the way there. */
void augmented_ease_cones(augmented *t, double part);

/* What is added to Phi, and how fast it changes along d. */
double augmented_energy(const augmented *t, const vec3 *x);
double augmented_slope(const augmented *t, const vec3 *x, const vec3 *d);

/* g -= contact forces. Returns their size on free nodes. */
double augmented_gradient(const augmented *t, const vec3 *x, vec3 *g);

/* How far the forces are from those that the last round assumed, in metres, which bounds
 * penetration, forces at a distance and creeping where a contact should stick; and how far R is
 * from mu lambda, relative to the largest. */
void augmented_violation(const augmented *t, const vec3 *x, double *metres, double *cones);

/* Whether the forces of the last step are what the contacts answer with at x, by their laws and not
 * by bonds: what pushes is closed and the rest open, to `slack` metres; what does not slip bears
 * what it can, and what slips bears the most, against its slip, to `fit`, relative. What pushes
 * must not move by an eighth of the slack either: a step that closes a gap leaves a speed and a
 * force that would open it again. */
bool augmented_answers(const augmented *t, const vec3 *x, double slack, double fit);

/* Takes the forces at x for the next round; returns by how much they changed, relative. */
double augmented_update(augmented *t, const vec3 *x);

/* Softer bonds, for patience; and stiff ones again. */
void augmented_soften(augmented *t);
void augmented_harden(augmented *t);

/* Keeps forces and cones, and brings them back, with the bonds that hold at x. */
void augmented_save(augmented *t);
void augmented_restore(augmented *t, const vec3 *x);

/* The linear model at x: the Hessian and all bonds in force; rows += their forces, over free nodes.
 * again: after a revision, with what the direction before it has shown. */
const bcsr *augmented_bond(augmented *t, const vec3 *x, bool again, const bcsr *hessian,
                           vec3 *rows);

/* The direction goes on by d, over all nodes. */
void augmented_go_on(augmented *t, const vec3 *d);

/* One round of the multiplier method on the linear model: forces take up what the bonds left open,
 * cones follow the normal forces, and rows become what is out of balance by that, over free nodes.
 */
typedef struct contact_gap {
  double metres; /* that bonds in force were open, at most */
  double cones;  /* change of the cones, relative to the largest */
  double forces; /* what is out of balance, relative to all contact forces */
} contact_gap;
contact_gap augmented_correct(augmented *t, vec3 *rows);

/* After the corrections the forces are those of the linear model. Lets go of contacts that pull,
 * takes in those that the direction would push through by more than `slack`, and changes grips to
 * what they are ahead, a cone being taken for wider by `fit`. Returns how many bonds changed. */
size_t augmented_revise(augmented *t, double slack, double fit);

/* The quadratic model by itself, for forwarding/multipliers.h; `ahead` is where it stands, rows and
 * along are what a direction over free nodes does to gap and slip. */
void augmented_stand(augmented *t, const vec3 *x);
/* The Hessian and the bonds that hold there; rows += their forces. */
const bcsr *augmented_bond_here(augmented *t, const bcsr *hessian, vec3 *rows);
void augmented_along(const augmented *t, const vec3 *rows, vec3 *along);
/* How fast the term grows, `length` along the way. */
double augmented_resistance(const augmented *t, const vec3 *along, double length);
void augmented_move(augmented *t, const vec3 *along, double length);
/* Takes the forces there, and cones by them; returns by how much they changed, relative. */
double augmented_take(augmented *t);

/* Friction becomes a constant load, as (23) has it, with the forces that were saved; and comes back
 * to life, with cones and grips from the forces that were found. */
void augmented_freeze(augmented *t, const vec3 *x);
void augmented_thaw(augmented *t, const vec3 *x);

#endif
