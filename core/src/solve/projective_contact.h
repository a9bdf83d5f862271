/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_contact: contact and friction in the local step (Ly et al. 2020, section 3.3).
 *
 * The matrix of the global step is split, P = M + C, and the part C is taken at the velocities at
 * hand: with g = b - P v, what the momentum still lacks without contact,
 *
 *   M v' = f + r,   f = b - C v = M v + g                                             (8)
 *
 * so that every contact has an equation of its own. A contact of nodes i with weights w_i sees
 * u = sum w_i v_i + shift, and
 *
 *   u' = d + r/m,   d = sum w_i f_i / M_i + shift,   1/m = sum w_i^2 / M_i            (9), (12)
 *
 * r is what Signorini and Coulomb ask for: nothing where d leads away; else as much as stops the
 * approach, and of the friction cone's section what comes closest to stopping the slip. That is the
 * negative Alart-Curnier residual of (d, 0), so every cone of friction/cone.h will do. The shift
 * holds the obstacle's own velocity (10), and the gap that is still open: u_N >= -gap/h.
 */
#ifndef SOLVE_PROJECTIVE_CONTACT_H
#define SOLVE_PROJECTIVE_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "friction/cone.h"
#include "math/vec3.h"

/* Of one node with an obstacle. */
typedef struct projective_contact {
  int32_t node;
  bool held;     /* the node is pinned, and feels nothing */
  bool pressed;  /* of a solid: projective_press.h has it */
  double mass;   /* M_i, kg */
  vec3 shift;    /* (N, t, b), m/s */
  vec3 impulse;  /* (N, t, b), N s */
  vec3 velocity; /* (N, t, b) at the end of the step, m/s */
  friction_cone cone;
} projective_contact;

/* Of four nodes: cloth with cloth. */
typedef struct projective_meeting {
  int32_t node[4];
  double weight[4];  /* of their velocities in u; they sum to 0 */
  double inverse[4]; /* 1/M_i; 0: held */
  double mass;       /* m, kg */
  vec3 shift;        /* (N, t, b), m/s */
  vec3 impulse;      /* (N, t, b), N s */
  int32_t layer;
  friction_cone cone;
} projective_meeting;

/* v and g of the node; r is added to g, and kept. */
void projective_contact_update(projective_contact *c, vec3 v, vec3 *g);

/* What the law asks for: r at a contact of effective mass m whose velocity without r is d. */
vec3 projective_contact_bear(const friction_cone *c, vec3 d, double mass);

/* (N, t, b) in the world. */
vec3 projective_contact_world(const projective_contact *c, vec3 r);

/* (N, t, b) of the relative velocity: what must not approach, and what slips. */
vec3 projective_contact_velocity(const projective_contact *c, vec3 v);

/* The same of a meeting, with v and g of all nodes. r of the last iteration has been added to g
 * before, by projective_meeting_resume: it is taken back first. */
void projective_meeting_resume(const projective_meeting *m, vec3 *g);
void projective_meeting_update(projective_meeting *m, const vec3 *v, vec3 *g);

/* Stops what approaches, by a normal impulse on v itself; false: nothing did. */
bool projective_meeting_separate(projective_meeting *m, vec3 *v);
vec3 projective_meeting_velocity(const projective_meeting *m, const vec3 *v);

#endif
