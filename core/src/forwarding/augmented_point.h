/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * augmented_point: one contact of a contact_term: its gap and slip, the force it answers with, and
 * how that force changes. Shared by contact_term.c and contact_bonds.c; nobody else needs it.
 */
#ifndef FORWARDING_AUGMENTED_POINT_H
#define FORWARDING_AUGMENTED_POINT_H

#include "forwarding/augmented.h"
#include "friction/ellipse.h"
#include "math/hypotenuse.h"

/* How many times stiffer a sticking contact is than what it holds. */
static const double CONTACT_GRIP_STIFFNESS = 100;

/* The free rows of a contact's nodes, -1 for hard-pinned ones. */
static inline int32_t contact_row(const augmented *t, size_t entry) {
  return t->model->row_of_node[t->set->node[entry]];
}

/* Gap and slip at x. The gap is measured from where the set was linearised, the slip from the start
 * of the step. */
static inline vec3 contact_reach(const augmented *t, size_t i, const vec3 *x) {
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
static inline vec3 contact_aim(const augmented *t, size_t i, vec3 at) {
  vec3 f = t->force[i];
  return vec3_make(f.x - t->rho[i] * at.x, f.y - t->s[i] * at.y, f.z - t->s[i] * at.z);
}

/* The size of a tangential force as its ellipse sees it: radius[i] on the rim, whatever the
 * direction. */
static inline double contact_size(const augmented *t, size_t i, double y, double z) {
  const friction_cone *c = &t->cones[i];
  double wide_t = cone_shape_t(c), wide_b = cone_shape_b(c);
  if ((wide_t == 0 && y != 0) || (wide_b == 0 && z != 0)) return INFINITY;
  return hypotenuse(wide_t > 0 ? y / wide_t : 0, wide_b > 0 ? z / wide_b : 0);
}

/* The friction of a slipping contact that aims at z: the nearest on the rim from outside, straight
 * outwards from inside. dp, which may be NULL: its derivative by z. */
static inline vec3 contact_rim(const augmented *t, size_t i, vec3 z, double dp[2][2]) {
  const friction_cone *c = &t->cones[i];
  double radius = t->radius[i], size = hypotenuse(z.y, z.z), seen = contact_size(t, i, z.y, z.z);
  double p[2] = {z.y, z.z};
  if (size > 0 && (c->mu_t == c->mu_b || seen < radius)) {
    double fit = radius / seen;
    p[0] *= fit, p[1] *= fit;
    if (dp) {
      double y = z.y / size, x = z.z / size;
      dp[0][0] = fit * x * x, dp[1][1] = fit * y * y;
      dp[0][1] = dp[1][0] = -fit * x * y;
    }
  } else {
    ellipse_project(radius * cone_shape_t(c), radius * cone_shape_b(c), p, p, dp);
  }
  return vec3_make(0, p[0], p[1]);
}

/* The nearest force that a contact can bear. */
static inline vec3 contact_bear(const augmented *t, size_t i, vec3 z) {
  vec3 f = {fmax(0, z.x), 0, 0};
  if (t->frozen) return vec3_make(f.x, t->force[i].y, t->force[i].z);
  if (!t->friction || !(t->radius[i] > 0)) return f;
  bool inside = contact_size(t, i, z.y, z.z) <= t->radius[i];
  vec3 rim = inside ? z : contact_rim(t, i, z, NULL);
  return vec3_make(f.x, rim.y, rim.z);
}

static inline contact_grip contact_grip_of(const augmented *t, size_t i, vec3 z, double fit) {
  if (!t->friction || t->frozen || !(t->radius[i] > 0)) return CONTACT_OPEN;
  return contact_size(t, i, z.y, z.z) <= t->radius[i] * (1 + fit) ? CONTACT_STICKS : CONTACT_SLIPS;
}

/* The force that a node of entry e feels from the force f of its contact. */
static inline vec3 contact_felt(const augmented *t, size_t e, vec3 f) {
  return mat3_tmul_vec3(&t->rows[e], f);
}

/* Minus its derivative by gap and slip. A slipping contact resists being turned, not being moved
 * on. */
static inline mat3 contact_stiffness(const augmented *t, size_t i, vec3 at) {
  mat3 k = {0};
  if (t->pushes[i]) k.m[0][0] = t->rho[i];
  if (t->grip[i] == CONTACT_STICKS) k.m[1][1] = k.m[2][2] = t->s[i];
  if (t->grip[i] == CONTACT_SLIPS) {
    vec3 z = contact_aim(t, i, at);
    double dp[2][2];
    if (z.y == 0 && z.z == 0) return k;
    contact_rim(t, i, z, dp);
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++) k.m[1 + a][1 + b] = t->s[i] * dp[a][b];
  }
  return k;
}

#endif
