/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step/contacts.h"

#include "math/hypotenuse.h"

static void put(double *to, vec3 from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

/* Friction within a thousandth of the cone counts as slip: iterations end a little beside it. A
 * contact that drills has a torque (impulse) in the cone, too. */
static tribo_contact_state state_of(const friction_cone *cone, vec3 impulse, double torque) {
  const double inside = 1 - 1e-3;
  double most_t = inside * cone->mu_t * impulse.x, most_b = inside * cone->mu_b * impulse.x;
  /* in the ellipse of (most_t, most_b), without dividing by a coefficient that may be 0 */
  double across = hypotenuse(impulse.y * most_b, impulse.z * most_t), most = most_t * most_b;
  if (cone->mu_drill > 0)
    across = hypotenuse(across, most * torque / (inside * cone->mu_drill * impulse.x));
  return across < most ? TRIBO_STICK : TRIBO_SLIP;
}

tribo_status contacts_reserve(contacts *c, const stepper *s, tribo_error *err) {
  size_t most = s->by->record_count(s->self);
  c->records = NULL;
  c->listed = NULL;
  c->record_count = c->count = 0;
  if (most == 0) return TRIBO_OK;
  arena_reset(&c->memory);
  c->records = ARENA_ARRAY(&c->memory, contact_record, most);
  c->listed = ARENA_ARRAY(&c->memory, tribo_contact, most);
  return c->records && c->listed ? TRIBO_OK : status_no_memory(err, "contacts");
}

/* Force f = r / h of the impulse r of a step of h seconds. */
static void list(const contact_record *from, double h, tribo_contact *out) {
  const friction_cone *cone = from->cone;
  vec3 r = from->impulse;
  vec3 impulse = vec3_madd(vec3_madd(vec3_scale(r.x, cone->normal), r.y, cone->t), r.z, cone->b);
  *out = (tribo_contact){.object = (size_t)from->body,
                         .vertex = from->vertex,
                         .surface = from->surface,
                         .gap = from->gap,
                         .torque = from->torque,
                         .mu = cone_mu(cone),
                         .state = state_of(cone, r, h * from->torque)};
  put(out->position, from->point);
  put(out->normal, cone->normal);
  put(out->impulse, impulse);
  put(out->force, vec3_scale(1 / h, impulse));
  put(out->slip, from->slip);
}

void contacts_take(contacts *c, const stepper *s, const contact_moment *end) {
  if (!c->records) return;
  c->record_count = s->by->records(s->self, end, s->guess, c->records);
  for (size_t i = 0; i < c->record_count; i++)
    if (c->records[i].impulse.x > 0) list(&c->records[i], s->h, &c->listed[c->count++]);
}

void contacts_judge(const contacts *c, judge *j) {
  for (size_t i = 0; i < c->record_count; i++) {
    const contact_record *r = &c->records[i];
    double gap = r->gap - r->allowed;
    if (gap < 0) judge_inside(j, (size_t)r->body, r->vertex, r->surface, gap, r->allowed > 0);
  }
  for (size_t i = 0; i < c->count; i++) {
    const tribo_contact *l = &c->listed[i];
    if (l->gap < 0) judge_inside(j, l->object, l->vertex, l->surface, l->gap, false);
  }
}

void contacts_free(contacts *c) { arena_free(&c->memory); }
