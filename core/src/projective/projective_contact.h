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
#ifndef PROJECTIVE_PROJECTIVE_CONTACT_H
#define PROJECTIVE_PROJECTIVE_CONTACT_H

#include <math.h>
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
typedef struct projective_stencil {
  int32_t node[4];
  double weight[4];  /* of their velocities in u; they sum to 0 */
  double inverse[4]; /* 1/M_i; 0: held */
  double mass;       /* m, kg */
  vec3 shift;        /* (N, t, b), m/s */
  vec3 impulse;      /* (N, t, b), N s */
  double passes;     /* m/s: what approaches faster than this may pass within the step */
  int32_t layer;
  friction_cone cone;
} projective_stencil;

/* (N, t, b) in the world, and back. */
static inline vec3 projective_to_world(const friction_cone *c, vec3 r) {
  return vec3_madd(vec3_madd(vec3_scale(r.x, c->normal), r.y, c->t), r.z, c->b);
}
static inline vec3 projective_to_frame(const friction_cone *c, vec3 v) {
  return vec3_make(vec3_dot(c->normal, v), vec3_dot(c->t, v), vec3_dot(c->b, v));
}

/* What the law asks for: r at a contact of effective mass m whose velocity without r is d. Within
 * a disc the nearest point needs no equation to be solved. */
static inline vec3 projective_bear(const friction_cone *c, vec3 d, double mass) {
  if (d.x >= 0) return vec3_make(0, 0, 0);
  if (c->mu_t != c->mu_b) return vec3_scale(-1, cone_residual(c, vec3_make(0, 0, 0), d, mass));
  vec3 r = vec3_scale(-mass, d);
  double slip2 = r.y * r.y + r.z * r.z, most = c->mu_t * r.x;
  if (slip2 <= most * most) return r;
  double kept = most / sqrt(slip2);
  return vec3_make(r.x, r.y * kept, r.z * kept);
}

/* (N, t, b) of the relative velocity: what must not approach, and what slips. */
static inline vec3 projective_contact_velocity(const projective_contact *c, vec3 v) {
  return vec3_add(projective_to_frame(&c->cone, v), c->shift);
}

/* v and g of the node; r is added to g, and kept. */
static inline void projective_contact_update(projective_contact *c, vec3 v, vec3 *g) {
  vec3 d = projective_contact_velocity(c, vec3_madd(v, 1 / c->mass, *g));
  c->impulse = projective_bear(&c->cone, d, c->mass);
  *g = vec3_add(*g, projective_to_world(&c->cone, c->impulse));
}

/* Of a meeting, u = sum w_i f_i / M_i in the world, with r of the last iteration in f: it is taken
 * back first, which is r/m, since sum w_i^2 / M_i = 1/m. Keeps the new r, and returns by how much
 * it has changed, in the world. */
static inline vec3 projective_stencil_revise(projective_stencil *m, vec3 u) {
  vec3 d = vec3_add(projective_to_frame(&m->cone, u), m->shift);
  d = vec3_madd(d, -1 / m->mass, m->impulse);
  vec3 r = projective_bear(&m->cone, d, m->mass), change = vec3_sub(r, m->impulse);
  m->impulse = r;
  return projective_to_world(&m->cone, change);
}

/* With v and g of all nodes: adds r of the last iteration to g, and revises it. */
void projective_stencil_resume(const projective_stencil *m, vec3 *g);
void projective_stencil_update(projective_stencil *m, const vec3 *v, vec3 *g);

/* Slows down what would pass, by a normal impulse on v itself; false: nothing would. */
bool projective_stencil_separate(projective_stencil *m, vec3 *v);
vec3 projective_stencil_velocity(const projective_stencil *m, const vec3 *v);

#endif
