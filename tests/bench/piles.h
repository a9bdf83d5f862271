/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * piles: contact problems of rigid bodies, made from scratch: towers, walls, heaps of spheres, one
 * body on many points. W = J M^-1 J^T and q = J v, with v the velocities that gravity and what
 * moved before would give. For tests and benches alike.
 */
#ifndef TESTS_BENCH_PILES_H
#define TESTS_BENCH_PILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/contact_file.h"

enum { PILE_BODIES = 4096, PILE_CONTACTS = 16384 };

typedef struct pile_body {
  vec3 at, velocity, spin;
  double mass;
  vec3 inertia; /* about the axes of the world */
} pile_body;

typedef struct pile_contact {
  int a, b; /* from b to a; -1: the ground */
  vec3 at, normal;
  contact_coefficients grip;
} pile_contact;

typedef struct pile {
  pile_body *bodies;
  pile_contact *contacts;
  int body_count, contact_count;
  double step; /* seconds of gravity in q */
} pile;

static inline double pile_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) * 0x1p-53;
}

static inline pile pile_make(double step) {
  pile p = {.bodies = calloc(PILE_BODIES, sizeof *p.bodies),
            .contacts = calloc(PILE_CONTACTS, sizeof *p.contacts),
            .step = step};
  if (!p.bodies || !p.contacts) abort();
  return p;
}

static inline void pile_free(pile *p) {
  free(p->bodies);
  free(p->contacts);
}

static inline int pile_box(pile *p, vec3 at, vec3 half, double density) {
  if (p->body_count == PILE_BODIES) abort();
  double m = density * 8 * half.x * half.y * half.z;
  vec3 s = {half.x * half.x, half.y * half.y, half.z * half.z};
  p->bodies[p->body_count] =
      (pile_body){.at = at,
                  .mass = m,
                  .inertia = {m * (s.y + s.z) / 3, m * (s.z + s.x) / 3, m * (s.x + s.y) / 3}};
  return p->body_count++;
}

static inline int pile_sphere(pile *p, vec3 at, double radius, double density) {
  if (p->body_count == PILE_BODIES) abort();
  double m = density * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
  double i = 0.4 * m * radius * radius;
  p->bodies[p->body_count] = (pile_body){.at = at, .mass = m, .inertia = {i, i, i}};
  return p->body_count++;
}

static inline void pile_touch(pile *p, int a, int b, vec3 at, vec3 normal,
                              contact_coefficients grip) {
  if (p->contact_count == PILE_CONTACTS) abort();
  p->contacts[p->contact_count++] = (pile_contact){a, b, at, vec3_normalized(normal), grip};
}

/* The corners of a rectangle at height z. */
static inline void pile_touch_face(pile *p, int a, int b, double x0, double x1, double y0,
                                   double y1, double z, contact_coefficients grip) {
  for (int k = 0; k < 4; k++)
    pile_touch(p, a, b, vec3_make(k & 1 ? x1 : x0, k & 2 ? y1 : y0, z), vec3_make(0, 0, 1), grip);
}

/* Everyone gets a velocity and a spin of about these sizes. */
static inline void pile_shake(pile *p, double velocity, double spin, uint64_t seed) {
  for (int i = 0; i < p->body_count; i++) {
    double r[6];
    for (int k = 0; k < 6; k++) r[k] = 2 * pile_random(&seed) - 1;
    p->bodies[i].velocity = vec3_make(velocity * r[0], velocity * r[1], velocity * r[2]);
    p->bodies[i].spin = vec3_make(spin * r[3], spin * r[4], spin * r[5]);
  }
}

/* ---- kinds ---- */

static inline pile pile_tower(int boxes, contact_coefficients grip) {
  pile p = pile_make(0.01);
  for (int i = 0; i < boxes; i++) {
    int box = pile_box(&p, vec3_make(0, 0, 0.5 + i), vec3_make(0.5, 0.5, 0.5), 1000);
    pile_touch_face(&p, box, i ? box - 1 : -1, -0.5, 0.5, -0.5, 0.5, i, grip);
  }
  return p;
}

/* Bricks of 2 x 1 x 1 in running bond. */
static inline pile pile_wall(int wide, int high, contact_coefficients grip) {
  pile p = pile_make(0.01);
  for (int row = 0; row < high; row++)
    for (int k = 0; k < wide; k++) {
      double x = 2 * k + (row % 2);
      int brick = pile_box(&p, vec3_make(x, 0, 0.5 + row), vec3_make(1, 0.5, 0.5), 1000);
      if (row == 0) {
        pile_touch_face(&p, brick, -1, x - 1, x + 1, -0.5, 0.5, 0, grip);
        continue;
      }
      for (int below = (row - 1) * wide; below < row * wide; below++) {
        double other = p.bodies[below].at.x, low = fmax(x, other) - 1, high_x = fmin(x, other) + 1;
        if (high_x - low > 0.1)
          pile_touch_face(&p, brick, below, low, high_x, -0.5, 0.5, row, grip);
      }
    }
  return p;
}

/* Spheres of about one size on a lattice, pushed about: neighbours touch that are near enough. */
static inline pile pile_heap(int across, int layers, contact_coefficients grip, uint64_t seed) {
  pile p = pile_make(0.01);
  for (int z = 0; z < layers; z++)
    for (int y = 0; y < across; y++)
      for (int x = 0; x < across; x++) {
        double shift = z % 2 ? 0.5 : 0;
        vec3 at = {x + shift + 0.1 * (pile_random(&seed) - 0.5),
                   y + shift + 0.1 * (pile_random(&seed) - 0.5), 0.5 + 0.7071 * z};
        int ball = pile_sphere(&p, at, 0.5, 1000);
        if (z == 0) pile_touch(&p, ball, -1, vec3_make(at.x, at.y, 0), vec3_make(0, 0, 1), grip);
        for (int other = 0; other < ball; other++) {
          vec3 apart = vec3_sub(at, p.bodies[other].at);
          if (vec3_norm(apart) < 1.02)
            pile_touch(&p, ball, other, vec3_madd(p.bodies[other].at, 0.5, apart), apart, grip);
        }
      }
  return p;
}

/* One slab on many points: as hyperstatic as can be. */
static inline pile pile_slab(int across, contact_coefficients grip, uint64_t seed) {
  pile p = pile_make(0.01);
  int slab = pile_box(&p, vec3_make(0, 0, 0.1), vec3_make(1, 1, 0.1), 1000);
  for (int y = 0; y < across; y++)
    for (int x = 0; x < across; x++) {
      vec3 at = {2.0 * x / (across - 1) - 1, 2.0 * y / (across - 1) - 1, 0};
      vec3 normal = {0.1 * (pile_random(&seed) - 0.5), 0.1 * (pile_random(&seed) - 0.5), 1};
      pile_touch(&p, slab, -1, at, normal, grip);
    }
  return p;
}

/* ---- the problem ---- */

static inline mat3 pile_frame(vec3 n) {
  vec3 odd = fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  vec3 t = vec3_normalized(vec3_madd(odd, -vec3_dot(odd, n), n)), b = vec3_cross(n, t);
  return (mat3){{{n.x, n.y, n.z}, {t.x, t.y, t.z}, {b.x, b.y, b.z}}};
}

static inline mat3 pile_cross(vec3 a) {
  return (mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

/* The two halves of a contact's rows at a body: frame, and frame times -[arm]x. */
static inline void pile_rows(const pile *p, const pile_contact *c, int body, mat3 *shift,
                             mat3 *turn) {
  *shift = pile_frame(c->normal);
  vec3 arm = vec3_sub(c->at, p->bodies[body].at);
  mat3 cross = pile_cross(vec3_scale(-1, arm));
  *turn = mat3_mul(shift, &cross);
  if (body == c->b) *shift = mat3_scale(-1, shift), *turn = mat3_scale(-1, turn);
}

static inline mat3 pile_couple(const pile *p, const pile_contact *c, const pile_contact *d,
                               int body) {
  mat3 s, t, s2, t2;
  pile_rows(p, c, body, &s, &t);
  pile_rows(p, d, body, &s2, &t2);
  vec3 i = p->bodies[body].inertia;
  mat3 inverse = {{{1 / i.x, 0, 0}, {0, 1 / i.y, 0}, {0, 0, 1 / i.z}}};
  mat3 turned = mat3_mul(&t, &inverse), linear = mat3_mul_t(&s, &s2);
  linear = mat3_scale(1 / p->bodies[body].mass, &linear);
  turned = mat3_mul_t(&turned, &t2);
  return mat3_add(&linear, &turned);
}

/* Whether they share a body, which W then adds. */
static inline int pile_shared(const pile_contact *c, const pile_contact *d, int body[2]) {
  int count = 0;
  int of_c[2] = {c->a, c->b};
  for (int k = 0; k < 2; k++)
    if (of_c[k] >= 0 && (of_c[k] == d->a || of_c[k] == d->b)) body[count++] = of_c[k];
  return count;
}

static inline void pile_problem(const pile *p, const char *title, contact_stored *out) {
  *out = (contact_stored){0};
  size_t n = (size_t)p->contact_count, pairs = 0, room = 64 * n + 64;
  int32_t *rows = malloc(2 * room * sizeof *rows);
  int body[2];
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++) {
      if (!pile_shared(&p->contacts[i], &p->contacts[j], body)) continue;
      if (pairs == room) rows = realloc(rows, 2 * (room *= 2) * sizeof *rows);
      if (!rows) abort();
      rows[2 * pairs] = (int32_t)i;
      rows[2 * pairs++ + 1] = (int32_t)j;
    }
  bcsr_clique_set set = {rows, pairs, 2};
  tribo_error err;
  if (bcsr_analyze((int32_t)n, &set, 1, &out->memory, &out->pattern, &err) != TRIBO_OK) abort();
  free(rows);
  mat3 *blocks = ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&out->pattern));
  vec3 *q = ARENA_ARRAY(&out->memory, vec3, n);
  contact_coefficients *grip = ARENA_ARRAY(&out->memory, contact_coefficients, n);
  out->r = ARENA_ARRAY(&out->memory, vec3, n);
  if (!blocks || !q || !grip || !out->r) abort();
  for (int32_t i = 0; i < (int32_t)n; i++) {
    const pile_contact *c = &p->contacts[i];
    grip[i] = c->grip;
    for (int32_t k = out->pattern.row_start[i]; k < out->pattern.row_start[i + 1]; k++) {
      const pile_contact *d = &p->contacts[out->pattern.columns[k]];
      int shared = pile_shared(c, d, body);
      for (int b = 0; b < shared; b++) {
        mat3 part = pile_couple(p, c, d, body[b]);
        blocks[k] = mat3_add(&blocks[k], &part);
      }
    }
    int sides[2] = {c->a, c->b};
    for (int b = 0; b < 2; b++) {
      if (sides[b] < 0) continue;
      mat3 s, t;
      pile_rows(p, c, sides[b], &s, &t);
      vec3 v = p->bodies[sides[b]].velocity;
      v.z -= 9.81 * p->step;
      q[i] = vec3_add(q[i], mat3_mul_vec3(&s, v));
      q[i] = vec3_add(q[i], mat3_mul_vec3(&t, p->bodies[sides[b]].spin));
    }
  }
  out->problem = (contact_problem){.w = {&out->pattern, blocks}, .q = q, .grip = grip};
  snprintf(out->title, sizeof out->title, "%s", title);
}

#endif
