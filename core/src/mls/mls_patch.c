/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Second derivative of the normal. For a fixed y, y . n has the gradient G_k = -(y . h_k) n / c by
 * corner k. Differentiated once more, with dc/dx_l = h_l, n . E = 0, and s_kl = 1, -1 or 0 as l
 * follows k, precedes it or is it,
 *
 *   dG_k/dx_l = (n S^T + S n^T - (E_k . E_l)(n . y) n n^T) / c^2 - s_kl (n m^T - m n^T) / (2c),
 *   S = ((y . h_k) h_l + (y . h_l) h_k) / 2,   m = n x y,
 *
 * where h_l x h_k = -s_kl c n has been used to write it so that exchanging k and l transposes it.
 */
#include "mls/mls_patch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void set_triangle(const mls_surface *surface, int32_t sample, mls_member *m) {
  const int32_t *v = surface->triangles + 3 * (size_t)sample;
  vec3 x[3] = {surface->vertices[v[0]], surface->vertices[v[1]], surface->vertices[v[2]]};
  for (int k = 0; k < 3; k++) {
    m->edge[k] = vec3_sub(x[(k + 1) % 3], x[(k + 2) % 3]);
    m->h[k] = vec3_cross(m->edge[k], m->n);
  }
  m->area = vec3_norm(vec3_cross(m->edge[0], m->edge[1]));
}

/* The distinct vertices of the members' triangles, and where each corner is among them. */
static bool number_vertices(const int32_t *triangles, arena *memory, mls_patch *p) {
  p->vertices = ARENA_ARRAY(memory, int32_t, 3 * p->count);
  if (!p->vertices) return false;
  for (size_t i = 0; i < p->count; i++)
    memcpy(p->vertices + 3 * i, triangles + 3 * (size_t)p->samples[i], 3 * sizeof *p->vertices);
  qsort(p->vertices, 3 * p->count, sizeof *p->vertices, ascending);
  for (size_t i = 0; i < 3 * p->count; i++)
    if (i == 0 || p->vertices[i] != p->vertices[i - 1])
      p->vertices[p->vertex_count++] = p->vertices[i];
  for (size_t i = 0; i < p->count; i++)
    for (int k = 0; k < 3; k++) {
      const int32_t *wanted = triangles + 3 * (size_t)p->samples[i] + k;
      const int32_t *found =
          bsearch(wanted, p->vertices, p->vertex_count, sizeof *p->vertices, ascending);
      p->members[i].corner[k] = (int32_t)(found - p->vertices);
    }
  return true;
}

static inline vec3 by_distance(const mls_member *m) {
  return vec3_madd(vec3_scale(m->share, m->n), m->excess * m->slope, m->d);
}

void mls_patch_by_samples(const mls_patch *patch, vec3 *by_point, vec3 *by_normal) {
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    by_point[i] = vec3_scale(-1, by_distance(m));
    by_normal[i] = vec3_scale(m->share, m->d);
  }
}

/* out += what the corners receive from a derivative by the point and one by the normal. */
static void to_corners(const mls_member *m, vec3 by_point, vec3 by_normal, vec3 *out) {
  for (int k = 0; k < 3; k++) {
    vec3 *v = &out[m->corner[k]];
    *v = vec3_madd(*v, 1.0 / 3, by_point);
    *v = vec3_madd(*v, -vec3_dot(by_normal, m->h[k]) / m->area, m->n);
  }
}

/* The gradients by the vertices of Psi and of log W. */
static void add_gradients(mls_patch *p) {
  for (size_t i = 0; i < p->count; i++) {
    const mls_member *m = &p->members[i];
    to_corners(m, vec3_scale(-1, by_distance(m)), vec3_scale(m->share, m->d), p->by_vertex);
    to_corners(m, vec3_scale(-m->slope, m->d), (vec3){0, 0, 0}, p->pull);
  }
}

tribo_status mls_patch_create(const mls_surface *surface, vec3 query, const int32_t *neighbours,
                              size_t count, arena *memory, mls_patch *out, tribo_error *err) {
  *out = (mls_patch){.query = query,
                     .at = mls_evaluate(surface, query, neighbours, count, MLS_HESSIAN)};
  out->members = ARENA_ARRAY(memory, mls_member, out->at.active);
  out->samples = ARENA_ARRAY(memory, int32_t, out->at.active);
  if (!out->members || !out->samples) return status_no_memory(err, "the neighbours of a contact");
  for (size_t i = 0; i < count; i++) {
    const mls_sample *s = &surface->samples[neighbours[i]];
    vec3 d = vec3_sub(query, s->point);
    double r2 = vec3_norm2(d), reach2 = s->radius * s->radius;
    if (!mls_in_reach(r2, reach2)) continue;
    mls_radial w = mls_kernel_radial(surface->kernel, surface->epsilon, r2, 1 / reach2);
    mls_member *m = &out->members[out->count++];
    out->samples[out->count - 1] = neighbours[i];
    *m = (mls_member){.d = d,
                      .n = s->normal,
                      .share = w.value / out->at.weight,
                      .excess = s->value + vec3_dot(s->normal, d) - out->at.value,
                      .slope = w.slope / out->at.weight,
                      .curve = w.curve / out->at.weight};
    if (surface->triangles) set_triangle(surface, neighbours[i], m);
  }
  assert(out->count == (size_t)out->at.active);
  if (!surface->triangles) return TRIBO_OK;
  bool numbered = number_vertices(surface->triangles, memory, out);
  out->by_vertex = ARENA_ARRAY(memory, vec3, out->vertex_count); /* zeroed */
  out->pull = ARENA_ARRAY(memory, vec3, out->vertex_count);
  if (!numbered || !out->by_vertex || !out->pull)
    return status_no_memory(err, "the vertices of a contact");
  add_gradients(out);
  return TRIBO_OK;
}

/* How a member moves with the query and the vertices: the rates of d, n, the area, and the
 * corners. */
typedef struct rates {
  vec3 d, n, corners[3];
  double area;
} rates;

static rates member_rates(const mls_member *m, vec3 query, const vec3 *vertices, bool meshed) {
  rates r = {.d = query};
  for (int k = 0; meshed && k < 3; k++) {
    vec3 v = r.corners[k] = vertices[m->corner[k]];
    r.d = vec3_madd(r.d, -1.0 / 3, v);
    r.n = vec3_madd(r.n, -vec3_dot(m->n, v) / m->area, m->h[k]);
    r.area += vec3_dot(m->h[k], v);
  }
  return r;
}

/* out += d/dt of the gradient of y . n, y held. */
static void turn_normal(const mls_member *m, const rates *r, vec3 y, vec3 *out) {
  for (int k = 0; k < 3; k++) {
    vec3 edge_rate = vec3_sub(r->corners[(k + 1) % 3], r->corners[(k + 2) % 3]);
    vec3 h_rate = vec3_add(vec3_cross(edge_rate, m->n), vec3_cross(m->edge[k], r->n));
    double yh = vec3_dot(y, m->h[k]);
    double along = yh * r->area / m->area - vec3_dot(y, h_rate);
    vec3 *v = &out[m->corner[k]];
    *v = vec3_madd(*v, along / m->area, m->n);
    *v = vec3_madd(*v, -yh / m->area, r->n);
  }
}

void mls_patch_hessian_times(const mls_patch *patch, vec3 query, const vec3 *vertices,
                             vec3 *out_query, vec3 *out_vertices) {
  bool meshed = patch->vertex_count > 0;
  double psi_rate = 0, log_w_rate = 0; /* G . v and A . v */
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    rates r = member_rates(m, query, vertices, meshed);
    psi_rate += vec3_dot(by_distance(m), r.d) + m->share * vec3_dot(m->d, r.n);
    log_w_rate += m->slope * vec3_dot(m->d, r.d);
  }
  *out_query = (vec3){0, 0, 0};
  for (size_t i = 0; i < patch->vertex_count; i++) out_vertices[i] = (vec3){0, 0, 0};
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    rates r = member_rates(m, query, vertices, meshed);
    double weight_rate = m->slope * vec3_dot(m->d, r.d); /* of w, over W */
    double share_rate = weight_rate - m->share * log_w_rate;
    double excess_rate = vec3_dot(m->n, r.d) + vec3_dot(m->d, r.n) - psi_rate;
    /* the rates of g = e a + l n and of l d */
    double along = m->excess * (m->curve * vec3_dot(m->d, r.d) - m->slope * log_w_rate) +
                   excess_rate * m->slope;
    vec3 g = vec3_madd(vec3_scale(along, m->d), m->excess * m->slope, r.d);
    g = vec3_madd(vec3_madd(g, share_rate, m->n), m->share, r.n);
    vec3 ld = vec3_madd(vec3_scale(share_rate, m->d), m->share, r.d);
    *out_query = vec3_add(*out_query, g);
    if (!meshed) continue;
    to_corners(m, vec3_scale(-1, g), ld, out_vertices);
    turn_normal(m, &r, vec3_scale(m->share, m->d), out_vertices);
  }
}

/* h[row][column] += scale block, and its transpose across the diagonal. */
static void add_block(double *h, size_t n, size_t row, size_t column, double scale,
                      const mat3 *block) {
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++) {
      double value = scale * block->m[a][b];
      h[(3 * row + a) * n + 3 * column + b] += value;
      if (row != column) h[(3 * column + b) * n + 3 * row + a] += value;
    }
}

/* s (a b^T + b a^T), to the bit symmetric */
static mat3 product(double s, vec3 a, vec3 b) {
  mat3 ab = mat3_outer(a, b), ba = mat3_outer(b, a), sum = mat3_add(&ab, &ba);
  return mat3_scale(s, &sum);
}

/* d^2 (y . n) / dx_k dx_l */
static mat3 normal_block(const mls_member *m, vec3 y, int k, int l) {
  double inverse = 1 / (m->area * m->area);
  vec3 s = vec3_scale(0.5, vec3_add(vec3_scale(vec3_dot(y, m->h[k]), m->h[l]),
                                    vec3_scale(vec3_dot(y, m->h[l]), m->h[k])));
  mat3 block = product(inverse, m->n, s);
  mat3 nn = mat3_outer(m->n, m->n);
  nn = mat3_scale(-vec3_dot(m->edge[k], m->edge[l]) * vec3_dot(m->n, y) * inverse, &nn);
  block = mat3_add(&block, &nn);
  if (k == l) return block;
  double half = (l == (k + 1) % 3 ? -0.5 : 0.5) / m->area;
  vec3 across = vec3_cross(m->n, y);
  mat3 nm = mat3_outer(vec3_scale(half, m->n), across);
  mat3 mn = mat3_outer(vec3_scale(-half, across), m->n);
  mat3 turn = mat3_add(&nm, &mn);
  return mat3_add(&block, &turn);
}

/* The member's block D_i carried to the query and the corners; `place` says where those are in h:
 * the query, then the corners. */
static void add_member(const mls_member *m, bool meshed, double scale, const size_t place[4],
                       size_t n, double *h) {
  mat3 dd = product(m->slope, m->d, m->n), outer = mat3_outer(m->d, m->d), eye = mat3_identity();
  mat3 hw1 = mat3_scale(m->excess * m->slope, &eye);
  mat3 hw2 = mat3_scale(m->excess * m->curve, &outer);
  dd = mat3_add(&dd, &hw1);
  dd = mat3_add(&dd, &hw2);
  add_block(h, n, place[0], place[0], scale, &dd);
  if (!meshed) return;

  vec3 y = vec3_scale(m->share, m->d);
  mat3 third = mat3_scale(-1.0 / 3, &dd), ninth = mat3_scale(1.0 / 9, &dd);
  /* (slope d d^T + share I) dn/dx_l = turned[l] n^T */
  vec3 turned[3];
  for (int l = 0; l < 3; l++) {
    vec3 v = vec3_scale(m->share, m->h[l]);
    v = vec3_madd(v, m->slope * vec3_dot(m->d, m->h[l]), m->d);
    turned[l] = vec3_scale(-1 / m->area, v);
    mat3 block = mat3_outer(turned[l], m->n);
    block = mat3_add(&block, &third);
    add_block(h, n, place[0], place[l + 1], scale, &block);
  }
  for (int k = 0; k < 3; k++)
    for (int l = k; l < 3; l++) {
      mat3 block = normal_block(m, y, k, l);
      mat3 kl = mat3_outer(vec3_scale(-1.0 / 3, turned[l]), m->n);
      mat3 lk = mat3_outer(m->n, vec3_scale(-1.0 / 3, turned[k]));
      mat3 both = mat3_add(&kl, &lk);
      block = mat3_add(&block, &ninth);
      block = mat3_add(&block, &both);
      add_block(h, n, place[k + 1], place[l + 1], scale, &block);
    }
}

void mls_patch_add_hessian(const mls_patch *patch, double scale, double *hessian) {
  bool meshed = patch->vertex_count > 0;
  size_t n = 3 * (1 + patch->vertex_count);
  for (size_t i = 0; i < patch->count; i++) {
    const mls_member *m = &patch->members[i];
    size_t place[4] = {0};
    for (int k = 0; meshed && k < 3; k++) place[k + 1] = 1 + (size_t)m->corner[k];
    add_member(m, meshed, scale, place, n, hessian);
  }
  /* - (A G^T + G A^T) */
  for (size_t i = 0; i <= patch->vertex_count; i++)
    for (size_t j = i; j <= patch->vertex_count; j++) {
      vec3 gi = i ? patch->by_vertex[i - 1] : patch->at.gradient;
      vec3 gj = j ? patch->by_vertex[j - 1] : patch->at.gradient;
      vec3 ai = i ? patch->pull[i - 1] : patch->at.pull,
           aj = j ? patch->pull[j - 1] : patch->at.pull;
      mat3 ag = mat3_outer(ai, gj), ga = mat3_outer(gi, aj), block = mat3_add(&ag, &ga);
      add_block(hessian, n, i, j, -scale, &block);
    }
}
