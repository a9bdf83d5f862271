/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_law: one contact of a contact_term: its gap and slip, the force it answers with, and how
 * that force changes. Shared by contact_term.c and contact_bonds.c; nobody else needs it.
 */
#ifndef SOLVE_CONTACT_LAW_H
#define SOLVE_CONTACT_LAW_H

#include "solve/contact_term.h"

/* How many times stiffer a sticking contact is than what it holds. */
static const double CONTACT_GRIP_STIFFNESS = 100;

/* The free rows of a contact's nodes, -1 for hard-pinned ones. */
static inline int32_t contact_row(const contact_term *t, size_t entry) {
  return t->model->row_of_node[t->set->node[entry]];
}

/* Gap and slip at x. The gap is measured from where the set was linearised, the slip from the start
 * of the step. */
static inline vec3 contact_reach(const contact_term *t, size_t i, const vec3 *x) {
  const contact_set *set = t->set;
  vec3 sum = t->offset[i];
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++) {
    int32_t node = set->node[e];
    vec3 slip = mat3_mul_vec3(&t->rows[e], vec3_sub(x[node], t->start[node]));
    sum.x += vec3_dot(set->by_node[e], vec3_sub(x[node], set->at[node]));
    sum.y += slip.y;
    sum.z += slip.z;
  }
  return sum;
}

/* z: where the forces would go from the gap and slip at hand. */
static inline vec3 contact_aim(const contact_term *t, size_t i, vec3 at) {
  vec3 f = t->force[i];
  return vec3_make(f.x - t->rho[i] * at.x, f.y - t->s[i] * at.y, f.z - t->s[i] * at.z);
}

/* The nearest force that a contact can bear. */
static inline vec3 contact_bear(const contact_term *t, size_t i, vec3 z) {
  vec3 f = {fmax(0, z.x), 0, 0};
  if (t->frozen) return vec3_make(f.x, t->force[i].y, t->force[i].z);
  double size = t->friction ? hypot(z.y, z.z) : 0;
  if (size > 0 && t->radius[i] > 0) {
    double fit = fmin(1, t->radius[i] / size);
    f.y = fit * z.y;
    f.z = fit * z.z;
  }
  return f;
}

static inline contact_grip contact_grip_of(const contact_term *t, size_t i, vec3 z, double fit) {
  if (!t->friction || t->frozen || !(t->radius[i] > 0)) return CONTACT_OPEN;
  return hypot(z.y, z.z) <= t->radius[i] * (1 + fit) ? CONTACT_STICKS : CONTACT_SLIPS;
}

/* The force that a node of entry e feels from the force f of its contact. */
static inline vec3 contact_felt(const contact_term *t, size_t e, vec3 f) {
  return mat3_tmul_vec3(&t->rows[e], f);
}

/* Minus its derivative by gap and slip. A slipping contact resists being turned, not being moved
 * on. */
static inline mat3 contact_stiffness(const contact_term *t, size_t i, vec3 at) {
  mat3 k = {0};
  if (t->pushes[i]) k.m[0][0] = t->rho[i];
  if (t->grip[i] == CONTACT_STICKS) k.m[1][1] = k.m[2][2] = t->s[i];
  if (t->grip[i] == CONTACT_SLIPS) {
    vec3 z = contact_aim(t, i, at);
    double size = hypot(z.y, z.z);
    if (!(size > 0)) return k;
    double y = z.y / size, x = z.z / size, turn = t->s[i] * t->radius[i] / size;
    k.m[1][1] = turn * x * x;
    k.m[1][2] = k.m[2][1] = -turn * x * y;
    k.m[2][2] = turn * y * y;
  }
  return k;
}

#endif
