/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contact_problem: Coulomb's law at a set of contacts, in the contacts' own unknowns. One problem,
 * many solvers; one function that measures any answer.
 *
 *   u = W r + q      W positive semi-definite (the Delassus operator J M^-1 J^T), 3 x 3 blocks
 *   r in K           r_N >= 0 and |(r_t / mu_t, r_b / mu_b)| <= r_N
 *   u + s n in K*    perpendicular to r, with s = |(mu_t u_t, mu_b u_b)|   (De Saxce's form)
 *
 * W is symmetric where masses alone make it. Integrators that linearise turning bodies write files
 * where it is not quite, so no solver needs it to be.
 *
 * The last line says in one: no penetration (0 <= u_N perpendicular to r_N >= 0) and the friction
 * that dissipates most. Impulses and velocities of a contact stand as (N, t, b).
 *
 * Drilling (002, 4.4). A contact may bear a torque about its normal, too: r_d, with a term
 * (r_d / mu_d)^2 under the root and the angular velocity u_d against it, and s with mu_d u_d. It
 * stands in a row of W of its own, after those of all contacts, as (d, 0, 0); its mu_d is grip.t.
 *
 * Every cone is made round. With D = diag(1, mu_t, mu_b), r = D r', u' = D u, W' = D W D, q' = D q
 * the law is the same with both coefficients 1: an elliptic cone costs a solver nothing, and none
 * knows of it. A direction without friction would give W' a row of zeros; it gets a diagonal of its
 * own instead and q' = 0, so its r' stays 0. Units go the same way: W' has a mean diagonal of 1 and
 * q' a norm of 1 a contact. That is the `unit` problem, of all contacts or of a group of them.
 */
#ifndef COULOMB_CONTACT_PROBLEM_H
#define COULOMB_CONTACT_PROBLEM_H

#include "math/bcsr.h"
#include "math/hypotenuse.h"

typedef struct contact_coefficients {
  double t, b; /* mu_t, mu_b >= 0 */
} contact_coefficients;

typedef struct contact_problem {
  bcsr w;
  const vec3 *q;
  const contact_coefficients *grip;
  const int32_t *drill; /* a row: that of its drilling, -1: it has none; a row of drilling: itself.
                           NULL: no contact drills */
} contact_problem;

/* The rows: contacts, and their drillings. */
static inline size_t contact_problem_count(const contact_problem *p) {
  return (size_t)p->w.pattern->rows;
}

/* Of drill: what row i is. */
typedef enum contact_row_kind { CONTACT_PLAIN, CONTACT_DRILLS, CONTACT_DRILLING } contact_row_kind;
static inline contact_row_kind contact_kind(const int32_t *drill, size_t i) {
  if (!drill || drill[i] < 0) return CONTACT_PLAIN;
  return drill[i] == (int32_t)i ? CONTACT_DRILLING : CONTACT_DRILLS;
}

/* |q| over all contacts. */
double contact_problem_norm(const contact_problem *p);

/* The nearest impulse that the cone bears, in the ordinary metric. */
vec3 contact_problem_project(contact_coefficients grip, vec3 r);

/* The natural map of De Saxce's form at one contact, r - P_K(r - (u + s n)): 0 where Coulomb's law
 * holds, and nowhere else. */
vec3 contact_problem_law(contact_coefficients grip, vec3 u, vec3 r);

/* The square of its norm at one that drills, by mu_d. */
double contact_problem_law_drill(contact_coefficients grip, double mu_d, vec3 u, double u_d, vec3 r,
                                 double r_d);

/* Its norm over all contacts, u computed anew, over 1 + |q|. velocity (NULL: not wanted) gets u. */
double contact_problem_residual(const contact_problem *p, const vec3 *r, vec3 *velocity);

/* The largest |W - W^T| over the largest |W|. */
double contact_problem_asymmetry(const bcsr *w);

/* Numbers that a solver may not meet: not finite, mu below 0, a negative diagonal. The message
 * names the contact. */
tribo_status contact_problem_check(const contact_problem *p, tribo_error *err);

/* ---- groups ---- */

/* Contacts that see each other through W, directly or by way of others (004, section 4.5): the
 * connected parts of W. Numbered by their first contact; contacts ascend within a group. */
typedef struct contact_groups {
  size_t count;
  size_t *start;    /* count + 1 */
  int32_t *contact; /* of the problem */
} contact_groups;

tribo_status contact_groups_find(const bcsr_pattern *pattern, arena *memory, contact_groups *out,
                                 tribo_error *err);

/* ---- the unit problem ---- */

/* Stays where it was made: w points into it. */
typedef struct contact_unit {
  int32_t count;
  bcsr_pattern pattern;
  bcsr w; /* W', mean diagonal 1 */
  vec3 *q;
  vec3 *scale; /* a row: diag of D; 0 where there is no friction */
  contact_coefficients *grip;
  int32_t *drill; /* as in the problem */
  bool symmetric;
  double r_unit, u_unit; /* r = r_unit D r', D u = u_unit u' */
  const tasks *tasks;    /* whether to give up; NULL: never */
} contact_unit;

/* Of the contacts listed, ascending, which must be coupled with no others. */
tribo_status contact_unit_make(const contact_problem *p, const int32_t *contact, size_t count,
                               arena *memory, contact_unit *out, tribo_error *err);

/* Between the two, contact i of the unit problem. */
static inline vec3 contact_unit_in(const contact_unit *p, int32_t i, vec3 r) {
  vec3 d = p->scale[i];
  return vec3_make(r.x / (d.x * p->r_unit), d.y > 0 ? r.y / (d.y * p->r_unit) : 0,
                   d.z > 0 ? r.z / (d.z * p->r_unit) : 0);
}

static inline vec3 contact_unit_out(const contact_unit *p, int32_t i, vec3 r) {
  vec3 d = p->scale[i];
  return vec3_make(p->r_unit * d.x * r.x, p->r_unit * d.y * r.y, p->r_unit * d.z * r.z);
}

/* The length of what must not be longer than r_N: the tangents, and the torque of one that drills.
 */
static inline double contact_unit_across(const contact_unit *p, int32_t i, const vec3 *r) {
  double tangent = hypotenuse(r[i].y, r[i].z);
  return contact_kind(p->drill, (size_t)i) == CONTACT_DRILLS ? hypotenuse(tangent, r[p->drill[i]].x)
                                                             : tangent;
}

/* Puts all contacts on their cones. */
void contact_unit_project(const contact_unit *p, vec3 *r);

/* u' = W' r' + q' */
void contact_unit_velocity(const contact_unit *p, const vec3 *r, vec3 *u);

/* The norm of the natural map in true units, for velocities u' that belong to r'; not over 1 + |q|.
 * What contact_problem_residual measures, from the inside. */
double contact_unit_residual(const contact_unit *p, const vec3 *u, const vec3 *r);

#endif
