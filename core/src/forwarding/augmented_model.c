/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linear model of a contact_term: which bonds hold, what they do to the system, and how the
 * guess is revised.
 */
#include <float.h>
#include <string.h>

#include "forwarding/augmented_point.h"
#include "math/hypotenuse.h"

/* The slip that is none, as a part of the depth that is none. */
static const double STILL = 1e-3;

/* ---- the direction ----------------------------------------------------------------------------
 */

/* The force of a contact in its present bonds, whether it could bear it or not, when gap and slip
 * are `at`. */
static vec3 bonded_force(const augmented *t, size_t i, vec3 at) {
  vec3 z = contact_aim(t, i, at), f = {t->pushes[i] ? z.x : 0, 0, 0};
  if (t->frozen) {
    f.y = t->force[i].y;
    f.z = t->force[i].z;
  }
  if (t->grip[i] == CONTACT_OPEN) return f;
  vec3 drag = t->grip[i] == CONTACT_SLIPS ? contact_rim(t, i, z, NULL) : z;
  return vec3_make(f.x, drag.y, drag.z);
}

static void add_bonds(augmented *t, size_t i) {
  const contact_set *set = t->set;
  const int32_t *block = t->block + t->first_block[i];
  for (size_t a = set->start[i]; a < set->start[i + 1]; a++) {
    mat3 transposed = mat3_transposed(&t->rows[a]), stiff = mat3_mul(&transposed, &t->bond[i]);
    for (size_t b = set->start[i]; b < set->start[i + 1]; b++, block++) {
      if (*block < 0) continue;
      mat3 bond = mat3_mul(&stiff, &t->rows[b]);
      t->bonded.blocks[*block] = mat3_add(&t->bonded.blocks[*block], &bond);
    }
  }
}

static void push_rows(const augmented *t, size_t i, vec3 f, vec3 *rows) {
  for (size_t e = t->set->start[i]; e < t->set->start[i + 1]; e++) {
    int32_t row = contact_row(t, e);
    if (row >= 0) rows[row] = vec3_add(rows[row], contact_felt(t, e, f));
  }
}

/* Into the pattern that holds the bonds too. */
static void copy_hessian(augmented *t, const bcsr *hessian) {
  size_t blocks = (size_t)bcsr_block_count(hessian->pattern);
  if (t->bonded.pattern == hessian->pattern) {
    memcpy(t->bonded.blocks, hessian->blocks, blocks * sizeof *hessian->blocks);
  } else {
    memset(t->bonded.blocks, 0,
           (size_t)bcsr_block_count(t->bonded.pattern) * sizeof *t->bonded.blocks);
    for (size_t k = 0; k < blocks; k++) t->bonded.blocks[t->wide_of_free[k]] = hessian->blocks[k];
  }
}

const bcsr *augmented_bond(augmented *t, const vec3 *x, bool again, const bcsr *hessian,
                           vec3 *rows) {
  copy_hessian(t, hessian);
  for (size_t i = 0; i < t->set->count; i++) {
    /* Slipping is not linear; it is linearised where the last try led. */
    vec3 at = contact_reach(t, i, x), base = again ? t->ahead[i] : at;
    t->bond[i] = contact_stiffness(t, i, base);
    t->held[i] = vec3_add(bonded_force(t, i, base), mat3_mul_vec3(&t->bond[i], vec3_sub(base, at)));
    t->ahead[i] = at;
    if (!t->pushes[i] && t->grip[i] == CONTACT_OPEN && !t->frozen) continue;
    push_rows(t, i, t->held[i], rows);
    add_bonds(t, i);
  }
  return &t->bonded;
}

void augmented_go_on(augmented *t, const vec3 *d) {
  const contact_set *set = t->set;
  for (size_t i = 0; i < set->count; i++) {
    vec3 further = {0, 0, 0};
    for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
      further = vec3_add(further, mat3_mul_vec3(&t->rows[e], d[set->node[e]]));
    t->ahead[i] = vec3_add(t->ahead[i], further);
    t->held[i] = vec3_sub(t->held[i], mat3_mul_vec3(&t->bond[i], further));
  }
}

/* The friction of a slipping contact stays as the linear model has it, but for the size of its
 * cone. Where it is turned to is seen in the next model: turning it round by round, with a
 * stiffness that was right somewhere else, need not converge. */
static void slip_on(augmented *t, size_t i, double radius_before, vec3 *next) {
  double grown = radius_before > 0 ? t->radius[i] / radius_before : 1;
  next->y = grown * t->held[i].y;
  next->z = grown * t->held[i].z;
  double size = contact_size(t, i, next->y, next->z), fit = size > 0 ? t->radius[i] / size : 0;
  t->force[i].y = fit * next->y;
  t->force[i].z = fit * next->z;
}

contact_gap augmented_correct(augmented *t, vec3 *rows) {
  double worst = 0, apart = 0, largest = 0, changed = 0, size = 0;
  memset(rows, 0, (size_t)t->model->row_count * sizeof *rows);
  for (size_t i = 0; i < t->set->count; i++) {
    if (!t->pushes[i] && t->grip[i] == CONTACT_OPEN) continue;
    double was = t->radius[i];
    t->force[i] = bonded_force(t, i, t->ahead[i]);
    if (t->friction && t->follow) {
      double radius = cone_mu(&t->cones[i]) * fmax(0, t->force[i].x);
      apart = fmax(apart, fabs(radius - t->radius[i]));
      largest = fmax(largest, radius);
      t->radius[i] = radius;
    }
    vec3 next = bonded_force(t, i, t->ahead[i]);
    if (t->grip[i] == CONTACT_SLIPS) slip_on(t, i, was, &next);
    vec3 change = vec3_sub(next, t->held[i]);
    t->held[i] = vec3_add(t->held[i], change);
    worst = fmax(worst, fmax(fabs(change.x) / t->rho[i], hypotenuse(change.y, change.z) / t->s[i]));
    changed += vec3_norm2(change);
    size += vec3_norm2(t->force[i]);
    push_rows(t, i, change, rows);
  }
  return (contact_gap){.metres = worst,
                       .cones = apart > 0 ? apart / fmax(largest, apart) : 0,
                       .forces = changed > 0 ? sqrt(changed / fmax(size, changed)) : 0};
}

/* Whether a contact will slip once it has friction is told by how far it slid without: by what
 * would hold it back against its own node's stiffness. */
static contact_grip first_grip(augmented *t, size_t i, vec3 slid) {
  if (!(t->radius[i] > 0)) return CONTACT_OPEN;
  double k = t->s[i] / CONTACT_GRIP_STIFFNESS;
  vec3 z = vec3_madd(t->force[i], -k, slid);
  if (contact_size(t, i, z.y, z.z) <= t->radius[i]) return CONTACT_STICKS;
  vec3 rim = contact_rim(t, i, z, NULL);
  t->force[i].y = rim.y;
  t->force[i].z = rim.z;
  return CONTACT_SLIPS;
}

/* How a contact grips where the direction leads. `still`: a slip, in metres, that is none. On the
 * rim of its cone and without slip a contact may be called either, and rounding would call it now
 * this, now that: it stays what it was. */
static contact_grip revised_grip(augmented *t, size_t i, double still, double fit) {
  vec3 u = t->ahead[i], f = t->held[i], z = contact_aim(t, i, u);
  contact_grip was = t->grip[i], grip = contact_grip_of(t, i, z, fit);
  if (grip == CONTACT_OPEN) return grip;
  if (was == CONTACT_OPEN) return first_grip(t, i, u);
  /* Friction that drives is none: it was guessed the wrong way round, or too large. */
  if (was == CONTACT_SLIPS && u.y * f.y + u.z * f.z > still * hypotenuse(f.y, f.z))
    return CONTACT_STICKS;
  if (was == CONTACT_STICKS && contact_size(t, i, z.y, z.z) - t->radius[i] <= still * t->s[i])
    return was;
  return was == CONTACT_SLIPS && hypotenuse(u.y, u.z) <= still ? was : grip;
}

/* A slip, in metres, that is none. */
static double still_within(const augmented *t, double slack) {
  return fmax(slack * STILL, 16 * DBL_EPSILON * t->model->size);
}

size_t augmented_revise(augmented *t, double slack, double fit) {
  size_t changed = 0;
  double still = still_within(t, slack);
  t->turned = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    bool pushes = t->pushes[i] ? t->force[i].x > 0 : t->ahead[i].x < -slack;
    if (!pushes || !t->pushes[i]) {
      t->force[i] = t->frozen ? vec3_make(0, t->force[i].y, t->force[i].z) : vec3_make(0, 0, 0);
      t->radius[i] = 0;
    }
    contact_grip grip = revised_grip(t, i, still, fit);
    t->turned += pushes != t->pushes[i];
    changed += pushes != t->pushes[i] || grip != t->grip[i];
    t->pushes[i] = pushes;
    t->grip[i] = grip;
  }
  return changed;
}

void augmented_freeze(augmented *t, const vec3 *x) {
  t->frozen = true;
  augmented_restore(t, x);
}

void augmented_thaw(augmented *t, const vec3 *x) {
  t->frozen = false;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 at = contact_reach(t, i, x);
    t->force[i].x = fmax(0, contact_aim(t, i, at).x);
    t->pushes[i] = t->force[i].x > 0;
    t->radius[i] = cone_mu(&t->cones[i]) * t->force[i].x;
    t->grip[i] = first_grip(t, i, at);
    if (t->grip[i] == CONTACT_OPEN) t->force[i].y = t->force[i].z = 0;
  }
}

/* ---- without bonds ----------------------------------------------------------------------------
 */

/* The friction of maximal dissipation (18) against the slip u: the point of the ellipse where its
 * rim is at right angles to -u. */
static vec3 drag_against(const augmented *t, size_t i, double radius, vec3 u) {
  double a = cone_shape_t(&t->cones[i]), b = cone_shape_b(&t->cones[i]);
  double size = hypotenuse(a * u.y, b * u.z), scale = size > 0 ? -radius / size : 0;
  return vec3_make(0, scale * a * a * u.y, scale * b * b * u.z);
}

bool augmented_answers(const augmented *t, const vec3 *x, double slack, double fit) {
  double still = still_within(t, slack);
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 u = contact_reach(t, i, x), f = t->force[i];
    if (u.x < -slack || (f.x > 0 && (u.x > slack || fabs(u.x - t->offset[i].x) > slack / 8)))
      return false;
    double radius = cone_mu(&t->cones[i]) * fmax(0, f.x);
    if (hypotenuse(u.y, u.z) <= still) {
      if (contact_size(t, i, f.y, f.z) > radius * (1 + fit)) return false;
    } else {
      vec3 drag = drag_against(t, i, radius, u);
      if (hypotenuse(f.y - drag.y, f.z - drag.z) > fit * radius) return false;
    }
  }
  return true;
}

/* ---- the quadratic model by itself, for settle.h -----------------------------------------------
 */

void augmented_stand(augmented *t, const vec3 *x) {
  for (size_t i = 0; i < t->set->count; i++) t->ahead[i] = contact_reach(t, i, x);
}

const bcsr *augmented_bond_here(augmented *t, const bcsr *hessian, vec3 *rows) {
  copy_hessian(t, hessian);
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 z = contact_aim(t, i, t->ahead[i]);
    t->pushes[i] = z.x > 0;
    t->grip[i] = contact_grip_of(t, i, z, 0);
    if (!t->pushes[i] && t->grip[i] == CONTACT_OPEN && !t->frozen) continue;
    t->bond[i] = contact_stiffness(t, i, t->ahead[i]);
    push_rows(t, i, contact_bear(t, i, z), rows);
    add_bonds(t, i);
  }
  return &t->bonded;
}

void augmented_along(const augmented *t, const vec3 *rows, vec3 *along) {
  for (size_t i = 0; i < t->set->count; i++) {
    along[i] = vec3_make(0, 0, 0);
    for (size_t e = t->set->start[i]; e < t->set->start[i + 1]; e++) {
      int32_t row = contact_row(t, e);
      if (row >= 0) along[i] = vec3_add(along[i], mat3_mul_vec3(&t->rows[e], rows[row]));
    }
  }
}

double augmented_resistance(const augmented *t, const vec3 *along, double length) {
  double sum = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 at = vec3_madd(t->ahead[i], length, along[i]);
    sum -= vec3_dot(contact_bear(t, i, contact_aim(t, i, at)), along[i]);
  }
  return sum;
}

void augmented_move(augmented *t, const vec3 *along, double length) {
  for (size_t i = 0; i < t->set->count; i++) t->ahead[i] = vec3_madd(t->ahead[i], length, along[i]);
}

double augmented_take(augmented *t) {
  double changed = 0, size = 0;
  for (size_t i = 0; i < t->set->count; i++) {
    vec3 f = contact_bear(t, i, contact_aim(t, i, t->ahead[i]));
    changed += vec3_norm2(vec3_sub(f, t->force[i]));
    size += vec3_norm2(f);
    t->force[i] = f;
  }
  if (!t->frozen) augmented_load_cones(t);
  return changed > 0 ? sqrt(changed / fmax(size, changed)) : 0;
}
