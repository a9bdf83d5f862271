/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding/forwarding_worst.h"

#include "contact/record.h"
#include "coulomb/contact_problem.h"

static bool solved(const forwarding *f, const forwarding_report *report) {
  return report->constrained.outcome == CONSTRAINED_CONVERGED &&
         (f->set.count == 0 || report->friction.converged);
}

/* A surface that is not the contact's own and opposes it at the same point. */
static const contact_point *find_opposite(const contact_set *set, const contact_point *c) {
  const contact_point *most = NULL;
  double opposed = 0;
  for (size_t i = 0; i < set->count; i++) {
    const contact_point *other = &set->contacts[i];
    if (other->probe != c->probe || other->number != c->number || other->surface == c->surface)
      continue;
    double along = vec3_dot(other->normal, c->normal);
    if (along < opposed) most = other, opposed = along;
  }
  return most;
}

/* Where contacts were linearised anew and could not be solved again, the deepest there; else the
 * deepest of those that were solved. */
static bool find_gap(const forwarding *f, const vec3 *x, forwarding_worst *out) {
  const contact_set *set = &f->set;
  double worst = f->options.constrained.gap;
  for (size_t i = 0; i < set->count; i++) {
    double depth = -contact_set_gap(set, i, x);
    if (depth > worst) worst = out->value = depth, out->contact = &set->contacts[i];
  }
  if (f->deepest_depth > worst) out->value = f->deepest_depth, out->contact = &f->deepest;
  if (!out->contact) return false;
  out->criterion = FORWARDING_GAP;
  out->opposite = find_opposite(set, out->contact);
  return true;
}

/* By the natural map of Coulomb's law at each contact (contact_problem.h). */
static bool find_friction(const forwarding *f, const vec3 *x, const forwarding_report *report,
                          forwarding_worst *out) {
  const contact_set *set = &f->set;
  double worst = 0;
  for (size_t i = 0; i < set->count; i++) {
    const friction_cone *c = &f->cones[i];
    vec3 slip = contact_slip(set, i, c->normal, f->velocity);
    vec3 u = {contact_set_gap(set, i, x) / f->objective->h, vec3_dot(slip, c->t),
              vec3_dot(slip, c->b)};
    contact_coefficients grip = {c->mu_t, c->mu_b};
    double off = vec3_norm(contact_problem_law(grip, u, f->impulse[i]));
    if (off > worst) worst = off, out->contact = &set->contacts[i];
  }
  bool off = !f->rigid && report->constrained.violation > f->options.constrained.gap;
  out->criterion = off ? FORWARDING_OFF : FORWARDING_FRICTION;
  out->value = off ? report->constrained.violation : report->friction.residual;
  return out->contact != NULL;
}

static void find_force(const forwarding *f, const forwarding_report *report,
                       forwarding_worst *out) {
  const newton *n = f->newton;
  const vec3 *left = n->constrained ? n->balance : n->gradient;
  double worst = -1;
  out->criterion = FORWARDING_BALANCE;
  out->value = report->constrained.residual;
  for (int32_t i = 0; i < f->model->node_count; i++) {
    if (f->model->row_of_node[i] < 0 || !(vec3_norm2(left[i]) > worst)) continue;
    worst = vec3_norm2(left[i]);
    out->node = i;
  }
}

forwarding_worst forwarding_find_worst(const forwarding *f, const vec3 *x,
                                       const forwarding_report *report) {
  forwarding_worst out = {.node = -1};
  if (solved(f, report) || find_gap(f, x, &out)) return out;
  bool balanced = report->constrained.residual <= f->options.constrained.tolerance;
  if (f->set.count > 0 && (f->rigid || balanced) && find_friction(f, x, report, &out)) return out;
  find_force(f, report, &out);
  return out;
}
