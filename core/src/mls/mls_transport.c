/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls/mls_transport.h"

#include <string.h>

#include "math/eigen.h"

/* [a], with [a] b = a x b */
static mat3 cross_matrix(vec3 a) {
  return (mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

/* A half turn about the tangent t: 2 t t^T - I. The axis least along n gives the tangent. */
static mat3 half_turn(vec3 n) {
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  vec3 axis = x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1};
  vec3 t = vec3_normalized(vec3_cross(n, axis));
  mat3 q = mat3_outer(vec3_scale(2, t), t);
  for (int i = 0; i < 3; i++) q.m[i][i] -= 1;
  return q;
}

mat3 mls_rotation(vec3 from, vec3 to) {
  vec3 z = vec3_cross(from, to), middle = vec3_add(from, to);
  /* 1 + cos = |from + to|^2 / 2, which keeps its digits near the half turn, where the sum of the
   * two vectors is small. */
  double cosine1 = 0.5 * vec3_norm2(middle);
  if (!(cosine1 > 1e-24)) return half_turn(from);
  mat3 turn = cross_matrix(z), square = mat3_mul(&turn, &turn);
  mat3 q = mat3_identity();
  square = mat3_scale(1 / cosine1, &square);
  q = mat3_add(&q, &turn);
  return mat3_add(&q, &square);
}

static void parallel(const mls_patch *patch, mat3 *blocks) {
  vec3 to = vec3_normalized(patch->at.gradient);
  bool flat = !(vec3_norm2(to) > 0);
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    mat3 q = flat ? mat3_identity() : mls_rotation(m->n, to);
    blocks[i] = mat3_scale(m->share, &q);
  }
}

static void plain(const mls_patch *patch, mat3 *blocks) {
  mat3 eye = mat3_identity();
  for (size_t i = 0; i < patch->count; i++) blocks[i] = mat3_scale(patch->members[i].share, &eye);
}

/* T^-1, without the turnings that T does not fix. */
static mat3 invert_inertia(mat3 *t) {
  double values[3], vectors[9];
  mat3 inverse = {0};
  eigen_symmetric(3, &t->m[0][0], values, vectors);
  for (int e = 0; e < 3; e++) {
    if (!(values[e] > MLS_SLENDER * values[2])) continue;
    vec3 v = {vectors[e], vectors[3 + e], vectors[6 + e]};
    mat3 part = mat3_outer(vec3_scale(1 / values[e], v), v);
    inverse = mat3_add(&inverse, &part);
  }
  return inverse;
}

static void rigid(const mls_patch *patch, mat3 *blocks) {
  vec3 arm = {0, 0, 0}; /* x - xm = sum l d */
  for (size_t i = 0; i < patch->count; i++)
    arm = vec3_madd(arm, patch->members[i].share, patch->members[i].d);
  mat3 t = {0};
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    vec3 y = vec3_sub(arm, m->d); /* p - xm = (x - xm) - (x - p) */
    mat3 part = mat3_outer(vec3_scale(-m->share, y), y);
    for (int k = 0; k < 3; k++) part.m[k][k] += m->share * vec3_norm2(y);
    t = mat3_add(&t, &part);
  }
  mat3 inverse = invert_inertia(&t), out = cross_matrix(vec3_scale(-1, arm));
  mat3 lever = mat3_mul(&out, &inverse);
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    mat3 in = cross_matrix(vec3_sub(arm, m->d)), b = mat3_mul(&lever, &in);
    for (int k = 0; k < 3; k++) b.m[k][k] += 1;
    blocks[i] = mat3_scale(m->share, &b);
  }
}

void mls_patch_transport(const mls_patch *patch, mls_transport transport, mat3 *by_member) {
  switch (transport) {
    case MLS_PARALLEL: parallel(patch, by_member); break;
    case MLS_PLAIN: plain(patch, by_member); break;
    case MLS_RIGID: rigid(patch, by_member); break;
  }
}

void mls_transport_to_vertices(const mls_patch *patch, const mat3 *by_member, mat3 *by_vertex) {
  memset(by_vertex, 0, patch->vertex_count * sizeof *by_vertex);
  if (!patch->vertex_count) return;
  for (size_t i = 0; i < patch->count; i++) {
    mat3 third = mat3_scale(1.0 / 3, &by_member[i]);
    for (int k = 0; k < 3; k++) {
      mat3 *v = &by_vertex[patch->members[i].corner[k]];
      *v = mat3_add(v, &third);
    }
  }
}

vec3 mls_transport_velocity(const mat3 *blocks, const int32_t *index, size_t count,
                            const vec3 *velocities) {
  vec3 v = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    v = vec3_add(v, mat3_mul_vec3(&blocks[i], velocities[index[i]]));
  return v;
}
