/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scatter: friction problems made by hand, and a solver of another kind to compare with: slow and
 * simple, proximal steps in the whole space of impulses.
 */
#ifndef TESTS_CORE_CONTACT_SCATTER_H
#define TESTS_CORE_CONTACT_SCATTER_H

#include "claims.h"
#include "contact/friction_problem.h"

enum { SCATTER_ENTRIES = 3 };

typedef struct scatter {
  contact_point *contacts;
  size_t *start;
  int32_t *node;
  vec3 *by_node, *turn, *at, *velocity, *given, *impulse;
  mat3 *carry, *inverse_mass;
  friction_cone *cones;
  double *room;
  contact_set set;
  friction_problem p;
} scatter;

static inline void *scatter_array(size_t count, size_t size) {
  void *array = calloc(count + 1, size);
  assert_non_null(array);
  return array;
}

static inline scatter *scatter_make(size_t nodes, size_t contacts) {
  scatter *s = scatter_array(1, sizeof *s);
  size_t entries = SCATTER_ENTRIES * contacts;
  s->contacts = scatter_array(contacts, sizeof *s->contacts);
  s->start = scatter_array(contacts, sizeof *s->start);
  s->node = scatter_array(entries, sizeof *s->node);
  s->by_node = scatter_array(entries, sizeof *s->by_node);
  s->carry = scatter_array(entries, sizeof *s->carry);
  s->turn = scatter_array(entries, sizeof *s->turn);
  s->at = scatter_array(nodes, sizeof *s->at);
  s->velocity = scatter_array(nodes, sizeof *s->velocity);
  s->inverse_mass = scatter_array(nodes, sizeof *s->inverse_mass);
  s->given = scatter_array(contacts, sizeof *s->given);
  s->impulse = scatter_array(contacts, sizeof *s->impulse);
  s->cones = scatter_array(contacts, sizeof *s->cones);
  s->room = scatter_array(contacts, sizeof *s->room);
  s->set = (contact_set){.contacts = s->contacts,
                         .start = s->start,
                         .node = s->node,
                         .by_node = s->by_node,
                         .carry = s->carry,
                         .turn = s->turn,
                         .at = s->at};
  s->p = (friction_problem){.set = &s->set,
                            .cones = s->cones,
                            .inverse_mass = s->inverse_mass,
                            .node_count = nodes,
                            .velocity = s->velocity,
                            .room = s->room,
                            .given = s->given};
  return s;
}

static inline void scatter_free(scatter *s) {
  void *arrays[] = {s->contacts, s->start,        s->node,  s->by_node, s->carry, s->turn, s->at,
                    s->velocity, s->inverse_mass, s->given, s->impulse, s->cones, s->room, s};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

/* A contact without entries yet; its tangents are turned about the normal by `turn`. */
static inline void scatter_contact(scatter *s, vec3 normal, double turn, double mu, double room) {
  size_t i = s->set.count++;
  vec3 odd = fabs(normal.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  vec3 t = vec3_normalized(vec3_madd(odd, -vec3_dot(odd, normal), normal));
  vec3 b = vec3_cross(normal, t);
  vec3 turned = vec3_madd(vec3_scale(cos(turn), t), sin(turn), b);
  s->cones[i] = cone_isotropic(normal, turned, vec3_cross(normal, turned), mu);
  s->contacts[i] = (contact_point){.key = i, .normal = normal};
  s->room[i] = room;
  s->start[i + 1] = s->start[i];
}

/* The last contact also moves with `share` of this node. Nodes must ascend. */
static inline void scatter_entry(scatter *s, int32_t node, double share) {
  size_t e = s->start[s->set.count]++;
  mat3 one = mat3_identity();
  s->node[e] = node;
  s->carry[e] = mat3_scale(share, &one);
  s->by_node[e] = vec3_scale(share, s->contacts[s->set.count - 1].normal);
}

static inline vec3 scatter_out(const friction_cone *c, vec3 r) {
  return vec3_madd(vec3_madd(vec3_scale(r.x, c->normal), r.y, c->t), r.z, c->b);
}

static inline vec3 scatter_world(const scatter *s, size_t i) {
  return scatter_out(&s->cones[i], s->impulse[i]);
}

/* The velocity of a node after the impulses. */
static inline vec3 scatter_velocity(const scatter *s, int32_t node) {
  vec3 change = {0, 0, 0};
  for (size_t i = 0; i < s->set.count; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      if (s->node[e] != node) continue;
      vec3 d = vec3_sub(s->impulse[i], s->given[i]), tangent = d;
      tangent.x = 0;
      change = vec3_madd(change, d.x, s->by_node[e]);
      change = vec3_add(change, mat3_tmul_vec3(&s->carry[e], scatter_out(&s->cones[i], tangent)));
    }
  return vec3_add(s->velocity[node], mat3_mul_vec3(&s->inverse_mass[node], change));
}

/* Velocities of a contact in its frame, the normal one with its room, for given node velocities. */
static inline vec3 scatter_slip(const scatter *s, size_t i, const vec3 *v) {
  vec3 slip = vec3_scale(-1, s->contacts[i].surface_velocity);
  double opening = s->room[i];
  for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
    slip = vec3_add(slip, mat3_mul_vec3(&s->carry[e], v[s->node[e]]));
    opening += vec3_dot(s->by_node[e], vec3_sub(v[s->node[e]], s->velocity[s->node[e]]));
  }
  return vec3_make(opening, vec3_dot(s->cones[i].t, slip), vec3_dot(s->cones[i].b, slip));
}

/* Contacts between random nodes and the ground or one another, pressed together by impulses that
 * the velocities already hold; every shape of inverse mass, one node pinned. */
static inline scatter *scatter_random(int nodes, int contacts, double mu, uint64_t *seed) {
  scatter *s = scatter_make((size_t)nodes, (size_t)contacts);
  for (int i = 0; i < nodes; i++) {
    mat3 a;
    for (int e = 0; e < 9; e++) a.m[e / 3][e % 3] = claim_between(seed, -1, 1);
    s->inverse_mass[i] = mat3_mul_t(&a, &a);
    for (int c = 0; c < 3; c++) s->inverse_mass[i].m[c][c] += 1;
    s->velocity[i] = (vec3){claim_between(seed, -1, 1), claim_between(seed, -1, 1),
                            claim_between(seed, -0.3, 0.3)};
  }
  if (nodes > 3) s->inverse_mass[1] = (mat3){0};
  for (int i = 0; i < contacts; i++) {
    vec3 n =
        vec3_normalized((vec3){claim_between(seed, -0.4, 0.4), claim_between(seed, -0.4, 0.4), 1});
    bool presses = claim_random(seed) < 0.7;
    scatter_contact(s, n, claim_between(seed, 0, 6), mu * claim_between(seed, 0, 2),
                    presses ? 0 : claim_between(seed, 0, 0.5));
    int32_t a = (int32_t)(claim_random(seed) * nodes), b = (int32_t)(claim_random(seed) * nodes);
    scatter_entry(s, a < b ? a : b, 1);
    if (a != b) scatter_entry(s, a < b ? b : a, -claim_between(seed, 0.3, 1));
    s->contacts[i].surface_velocity = (vec3){claim_between(seed, -0.2, 0.2), 0, 0};
    s->given[i] = (vec3){presses ? claim_between(seed, 0.2, 1) : 0, claim_between(seed, -0.1, 0.1),
                         claim_between(seed, -0.1, 0.1)};
    s->impulse[i] = s->given[i];
  }
  return s;
}

static inline void scatter_velocities(const scatter *s, vec3 *v) {
  for (size_t i = 0; i < s->p.node_count; i++) v[i] = scatter_velocity(s, (int32_t)i);
}

/* A proximal step; how far it went, which is 0 where Coulomb's law holds. */
static inline double scatter_prox(scatter *s, double step, vec3 *v) {
  double moved = 0;
  scatter_velocities(s, v);
  for (size_t i = 0; i < s->set.count; i++) {
    vec3 u = scatter_slip(s, i, v), before = s->impulse[i], *r = &s->impulse[i];
    *r = vec3_madd(*r, -step, u);
    r->x = fmax(r->x, 0);
    double radius = cone_mu(&s->cones[i]) * r->x, length = hypot(r->y, r->z);
    if (length > radius) {
      r->y *= radius / length;
      r->z *= radius / length;
    }
    moved = fmax(moved, vec3_max_abs(vec3_sub(*r, before)));
  }
  return moved;
}

/* The velocities of the nodes under Coulomb's law, or NULL where the steps find none (impulses that
 * jam grow for ever). The impulses are left as they were. */
static inline vec3 *scatter_reference(scatter *s, double tolerance, int steps) {
  vec3 *kept = scatter_array(s->set.count, sizeof *kept);
  vec3 *v = scatter_array(s->p.node_count, sizeof *v);
  memcpy(kept, s->impulse, s->set.count * sizeof *kept);
  double moved = INFINITY;
  for (int k = 0; k < steps && moved > tolerance; k++) moved = scatter_prox(s, 0.02, v);
  scatter_velocities(s, v);
  memcpy(s->impulse, kept, s->set.count * sizeof *kept);
  free(kept);
  if (moved <= tolerance) return v;
  free(v);
  return NULL;
}

/* The largest difference of velocities, against the largest velocity. */
static inline double scatter_difference(const scatter *s, const vec3 *reference) {
  double off = 0, size = 0;
  for (size_t i = 0; i < s->p.node_count; i++) {
    vec3 v = scatter_velocity(s, (int32_t)i);
    off = fmax(off, vec3_norm(vec3_sub(v, reference[i])));
    size = fmax(size, vec3_norm(v));
  }
  return off / size;
}

#endif
