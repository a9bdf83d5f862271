/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/friction.h"

#include <stdlib.h>

#include "barrier/painted.h"
#include "friction/ellipse.h"

/* How stiff friction is beside what it holds; any number above 0 leads to the same end. */
static const double GRIP = 1;
/* Two contacts of one vertex with the same part have the same friction where their normals are this
 * close (cosine). */
static const double SAME_SIDE = 0.7;
/* The stiffness of a contact stays what it is while its force is between these parts of the load
 * that it was chosen for. */
static const double LEAST_LOAD = 0.5, MOST_LOAD = 2;

/* Kind and first feature, which a vertex's contacts have in common. */
static uint64_t owner_of(uint64_t key) { return key >> 32; }

/* ---- what the last step bore ------------------------------------------------------------------
 */

static size_t first_touch(const barrier *b, uint64_t key) {
  size_t low = 0, high = b->touch_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (b->touches[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void friction_load(barrier *b) {
  for (size_t i = 0; i < b->touch_count; i++) {
    const touch *t = &b->touches[i];
    int32_t owner = (int32_t)(t->key >> 32 & 0x7fffffff), part = (int32_t)t->side;
    if (part < 0 || part >= b->mesh.part_count) continue;
    if (t->key >> 63 && owner < b->mesh.edge_count)
      barrier_scale_bear_edge(&b->scale, owner, part, t->torque);
    if (!(t->key >> 63) && owner < b->mesh.vertex_count)
      barrier_scale_bear(&b->scale, owner, part, t->torque);
  }
}

/* The friction that a contact starts with: its own of the last step, else that of its vertex with
 * the same part. */
static vec3 touch_force(const barrier *b, const barrier_contact *c) {
  size_t at = first_touch(b, c->key);
  if (at < b->touch_count && b->touches[at].key == c->key) return b->touches[at].force;
  if (c->key >> 63) return vec3_make(0, 0, 0);
  for (at = first_touch(b, owner_of(c->key) << 32);
       at < b->touch_count && owner_of(b->touches[at].key) == owner_of(c->key); at++)
    if (b->touches[at].side == c->other) return b->touches[at].force;
  return vec3_make(0, 0, 0);
}

/* ---- contacts ---------------------------------------------------------------------------------
 */

/* Newtons a metre by which what hangs on a contact resists a slip. */
static double stiffness_at(const barrier *b, const barrier_contact *c) {
  double give = 0;
  for (int i = 0; i < 4; i++) {
    int32_t v = c->vertex[i];
    if (c->weight[i] == 0 || b->held[v]) continue;
    mesh_row row = surface_mesh_row(&b->mesh, b->x, v, b->places[v]);
    for (int k = 0; k < row.count; k++) {
      int32_t node = row.node[k];
      if (b->model->row_of_node[node] < 0 || !(b->stiffness[node] > 0)) continue;
      give += c->weight[i] * c->weight[i] * mat3_frobenius2(&row.block[k]) / 3 / b->stiffness[node];
    }
  }
  return give > 0 ? 1 / give : 0;
}

static barrier_rub rub_of(const barrier *b, const barrier_contact *c) {
  barrier_rub r = {.key = c->key,
                   .cone = barrier_cone(b, c),
                   .load = c->force,
                   .rho = GRIP * stiffness_at(b, c),
                   .other = c->other};
  for (int i = 0; i < 4; i++) {
    r.vertex[i] = c->vertex[i];
    r.weight[i] = c->weight[i];
  }
  return r;
}

static bool rubs(const barrier_rub *r) {
  return r->load > 0 && r->rho > 0 && cone_mu(&r->cone) > 0;
}

static void start_with(barrier_rub *r, vec3 force) {
  r->r[0] = vec3_dot(force, r->cone.t);
  r->r[1] = vec3_dot(force, r->cone.b);
  ellipse_project(r->load * r->cone.mu_t, r->load * r->cone.mu_b, r->r, r->r, NULL);
}

tribo_status friction_begin(barrier *b, tribo_error *err) {
  b->rubs.count = 0;
  for (size_t i = 0; i < b->contacts.count; i++) {
    barrier_rub r = rub_of(b, &b->contacts.data[i]);
    if (!rubs(&r)) continue;
    start_with(&r, vec3_scale(-1, touch_force(b, &b->contacts.data[i])));
    if (!ARRAY_PUSH(b->rubs, r)) return status_no_memory(err, "contacts");
  }
  return TRIBO_OK;
}

/* They stand in the order of contacts, owner by owner. The one with the key, else one of the same
 * vertex on the same side; NULL: none. */
static const barrier_rub *rub_before(const barrier_rub_list *list, const barrier_contact *c) {
  size_t low = 0, high = list->count;
  uint64_t first = owner_of(c->key) << 32;
  const barrier_rub *close = NULL;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (list->data[middle].key < first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < list->count && owner_of(list->data[low].key) == owner_of(c->key); low++) {
    const barrier_rub *r = &list->data[low];
    if (r->key == c->key) return r;
    if (!(c->key >> 63) && r->other == c->other && !close &&
        vec3_dot(r->cone.normal, c->normal) > SAME_SIDE)
      close = r;
  }
  return close;
}

/* Forces that come and go in turns are led to their mean: from the sixth time on half of a change
 * is taken, then less and less. */
static double part_of_change(int times) { return times < 10 ? 1 : 0.5; }

tribo_status friction_follow(barrier *b, int times, double size, double *changed,
                             tribo_error *err) {
  double sum = 0, part = part_of_change(times);
  b->next_rubs.count = 0;
  for (size_t i = 0; i < b->contacts.count; i++) {
    const barrier_contact *c = &b->contacts.data[i];
    barrier_rub r = rub_of(b, c);
    if (!rubs(&r)) continue;
    const barrier_rub *was = rub_before(&b->rubs, c);
    vec3 before = was ? barrier_rub_force(was, was->f) : vec3_scale(-1, touch_force(b, c));
    if (was) r.load = was->load + part * (r.load - was->load);
    start_with(&r, before);
    double u[2];
    barrier_rub_slip(&r, b->places, b->start, u);
    barrier_rub_energy(&r, u);
    vec3 after = barrier_rub_force(&r, r.f);
    sum += vec3_norm2(vec3_sub(after, was ? before : vec3_make(0, 0, 0)));
    if (!ARRAY_PUSH(b->next_rubs, r)) return status_no_memory(err, "contacts");
  }
  barrier_rub_list swap = b->rubs;
  b->rubs = b->next_rubs;
  b->next_rubs = swap;
  *changed = size > 0 ? sqrt(sum) / size : 0;
  return TRIBO_OK;
}

const barrier_rub *friction_of(const barrier *b, uint64_t key) {
  barrier_contact c = {.key = key, .other = -1};
  const barrier_rub *r = rub_before(&b->rubs, &c);
  return r && r->key == key ? r : NULL;
}

/* ---- what the next step starts from -----------------------------------------------------------
 */

size_t barrier_touch_count(const barrier *b) { return b->contacts.count; }

/* The load that the next step makes a contact as stiff as: what it bore. But where that is near the
 * load that it is stiff for now, that one: stiffness that followed the force step by step would
 * have no place to come to rest, loads would wander from contact to contact, and friction after
 * them. Forces out of balance are no load: those of a gap that has nearly gone would make a spring
 * which throws things in the next step. */
static double load_of(const barrier *b, const barrier_contact *c) {
  double held = 2 * c->of.band * c->of.stiffness, part = c->force / held;
  return !b->balanced || (part > LEAST_LOAD && part < MOST_LOAD) ? held : c->force;
}

static int compare_touches(const void *left, const void *right) {
  uint64_t a = ((const touch *)left)->key, b = ((const touch *)right)->key;
  return (a > b) - (a < b);
}

size_t barrier_touches(const barrier *b, touch *touches) {
  size_t count = 0, kept = 0;
  for (size_t i = 0; i < b->contacts.count; i++) {
    const barrier_contact *c = &b->contacts.data[i];
    if (!(c->force > 0)) continue;
    const barrier_rub *r = rub_before(&b->rubs, c);
    vec3 force =
        r && r->key == c->key ? vec3_scale(-1, barrier_rub_force(r, r->f)) : vec3_make(0, 0, 0);
    touches[count++] =
        (touch){.key = c->key, .force = force, .torque = load_of(b, c), .side = c->other};
  }
  if (count) qsort(touches, count, sizeof *touches, compare_touches);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || touches[i].key != touches[kept - 1].key) touches[kept++] = touches[i];
  return kept;
}
