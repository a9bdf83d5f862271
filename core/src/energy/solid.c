/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With the shape functions' gradients b_1, b_2, b_3 (the rows of Dm^-1) and b_0 = -(b_1 + b_2 +
 * b_3), F = sum x_a b_a^T. What depends on J is written with the deformed edges e_a = x_a - x_0,
 * since J = e_1 . (e_2 x e_3) / (6 V):
 *
 *   dJ/dx_1 = (e_2 x e_3) / (6 V),   d2J/dx_1 dx_2 = -[e_3]x / (6 V),   and cyclically.
 */
#include "energy/solid.h"

#include "energy/block.h"
#include "math/eigen.h"
#include "math/svd3.h"

void solid_element_init(const vec3 rest[4], double young, double poisson, solid_element *out) {
  mat3 dm = mat3_from_columns(vec3_sub(rest[1], rest[0]), vec3_sub(rest[2], rest[0]),
                              vec3_sub(rest[3], rest[0]));
  *out = (solid_element){.inverse_rest = mat3_inverse(&dm),
                         .volume = mat3_det(&dm) / 6,
                         .mu = young / (2 * (1 + poisson)),
                         .lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

typedef struct deformation {
  const solid_element *element;
  mat3 edges; /* columns e_1, e_2, e_3 */
  mat3 f;
} deformation;

static inline deformation deform(const void *data, size_t e, const vec3 *x) {
  deformation d = {.element = (const solid_element *)data + e};
  d.edges = mat3_from_columns(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0]), vec3_sub(x[3], x[0]));
  d.f = mat3_mul(&d.edges, &d.element->inverse_rest);
  return d;
}

static inline double volume_ratio(const deformation *d) {
  return mat3_det(&d->edges) / (6 * d->element->volume);
}

/* ------------------------------------------------------------------------- the volume's part -- */

/* g' and g'' */
typedef struct slope {
  double first, second;
} slope;

/* The derivatives at the floor or above, continued below as those of a quadratic. */
static inline slope neo_hookean_slope(const solid_element *m, double j) {
  double at = fmax(j, SOLID_LOG_FLOOR), l = log(at);
  double first = (m->lambda * l - m->mu) / at;
  double second = (m->lambda * (1 - l) + m->mu) / (at * at);
  return (slope){first + second * (j - at), second};
}

static inline slope stable_slope(const solid_element *m, double j) {
  double k = m->lambda + m->mu;
  return (slope){k * (j - 1) - m->mu, k};
}

/* ------------------------------------------------------------------------------------ energy -- */

/* With G = F - I, |F|^2 - 3 = 2 tr G + |G|^2 and J - 1 = tr G + G's second and third invariants. In
 * mu/2 (|F|^2 - 3) - mu (J - 1) the traces cancel; left out, the energy of a small strain is not
 * the difference of two large numbers, and a line search near the minimum can still see it fall. */
typedef struct smallness {
  double shape;  /* 1/2 (|F|^2 - 3) - (J - 1) */
  double change; /* J - 1 */
} smallness;

static inline smallness small_terms(const mat3 *f) {
  mat3 g = *f;
  for (int i = 0; i < 3; i++) g.m[i][i] -= 1;
  double trace = g.m[0][0] + g.m[1][1] + g.m[2][2];
  double second = g.m[0][0] * g.m[1][1] - g.m[0][1] * g.m[1][0] + g.m[1][1] * g.m[2][2] -
                  g.m[1][2] * g.m[2][1] + g.m[2][2] * g.m[0][0] - g.m[2][0] * g.m[0][2];
  double higher = second + mat3_det(&g);
  return (smallness){0.5 * mat3_frobenius2(&g) - higher, trace + higher};
}

static double neo_hookean_energy(const void *data, size_t e, const vec3 *x) {
  deformation d = deform(data, e, x);
  const solid_element *m = d.element;
  smallness s = small_terms(&d.f);
  double below = 1 + s.change - SOLID_LOG_FLOOR;
  if (below >= 0) {
    double l = log1p(s.change);
    return m->volume * (m->mu * (s.shape + (s.change - l)) + 0.5 * m->lambda * l * l);
  }
  double l = log(SOLID_LOG_FLOOR);
  slope at = neo_hookean_slope(m, SOLID_LOG_FLOOR);
  double g = l * (0.5 * m->lambda * l - m->mu) + below * (at.first + 0.5 * at.second * below);
  return m->volume * (m->mu * (s.shape + s.change) + g);
}

static double stable_energy(const void *data, size_t e, const vec3 *x) {
  deformation d = deform(data, e, x);
  const solid_element *m = d.element;
  smallness s = small_terms(&d.f);
  return m->volume * (m->mu * s.shape + 0.5 * (m->lambda + m->mu) * s.change * s.change);
}

/* ---------------------------------------------------------------------------------- gradient -- */

/* V P b_a with P = mu F + g' dJ/dF, that is V mu F b_a + g'/6 (e_b x e_c). */
static inline void write_gradient(const deformation *d, slope s, vec3 *g) {
  const solid_element *m = d->element;
  mat3 shape = mat3_mul_t(&d->f, &m->inverse_rest); /* columns F b_a */
  mat3 volume = mat3_cofactor(&d->edges);           /* columns e_b x e_c */
  for (int a = 0; a < 3; a++)
    g[a + 1] = vec3_madd(vec3_scale(m->volume * m->mu, mat3_column(&shape, a)), s.first / 6,
                         mat3_column(&volume, a));
  g[0] = vec3_scale(-1, vec3_add(vec3_add(g[1], g[2]), g[3]));
}

static void neo_hookean_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  deformation d = deform(data, e, x);
  write_gradient(&d, neo_hookean_slope(d.element, volume_ratio(&d)), g);
}

static void stable_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  deformation d = deform(data, e, x);
  write_gradient(&d, stable_slope(d.element, volume_ratio(&d)), g);
}

/* ----------------------------------------------------------------------------------- Hessian -- */

/* Block (a, b): V (mu b_a . b_b I + g'' dJ/dx_a dJ/dx_b^T + g' d2J/dx_a dx_b). */
static inline void write_exact(const deformation *d, slope s, double *h) {
  const solid_element *m = d->element;
  mat3 dots = mat3_mul_t(&m->inverse_rest, &m->inverse_rest);
  mat3 faces = mat3_cofactor(&d->edges);
  double outer = s.second / (36 * m->volume), cross = s.first / 6;
  for (int a = 0; a < 3; a++)
    for (int b = a; b < 3; b++) {
      mat3 block = mat3_outer(vec3_scale(outer, mat3_column(&faces, a)), mat3_column(&faces, b));
      for (int i = 0; i < 3; i++) block.m[i][i] += m->volume * m->mu * dots.m[a][b];
      if (a == b) {
        block_symmetrize(&block);
      } else {
        /* (a, b, c) is cyclic for (0, 1) and (1, 2) and runs backwards for (0, 2). */
        vec3 q = vec3_scale(b - a == 1 ? cross : -cross, mat3_column(&d->edges, 3 - a - b));
        block.m[0][1] += q.z;
        block.m[0][2] -= q.y;
        block.m[1][2] += q.x;
        block.m[1][0] -= q.z;
        block.m[2][0] += q.y;
        block.m[2][1] -= q.x;
      }
      block_put(4, a + 1, b + 1, &block, h);
    }
  block_close(4, h);
}

static inline bool surely_positive(const mat3 *a) {
  double minor = a->m[0][0] * a->m[1][1] - a->m[0][1] * a->m[0][1];
  double scale = fabs(a->m[0][0]) + fabs(a->m[1][1]) + fabs(a->m[2][2]);
  return a->m[0][0] > 1e-12 * scale && minor > 1e-12 * scale * scale &&
         mat3_det(a) > 1e-12 * scale * scale * scale;
}

/* In the frames of F = U diag(s) V^T the second derivative of psi falls apart. dF_ij and dF_ji
 * (i != j, k the third) meet only each other, with the matrix
 *
 *   mu        -g' s_k
 *   -g' s_k   mu           eigenvalues mu - g' s_k (flip), mu + g' s_k (twist),
 *
 * and the stretches dF_00, dF_11, dF_22 meet each other with
 *
 *   A_ij = mu d_ij + g'' J_i J_j + g' J_ij,   J_i = dJ/ds_i, J_ij = s_k for i != j and 0 else.
 *
 * Each part is clamped, and the blocks are put together in U's frame with V^T b_a. */
static inline void write_projected(const deformation *d, slope g, double *h) {
  const solid_element *m = d->element;
  mat3 u, v;
  vec3 stretch;
  svd3_decompose(&d->f, &u, &stretch, &v);
  double s[3] = {stretch.x, stretch.y, stretch.z};
  double j1[3] = {s[1] * s[2], s[2] * s[0], s[0] * s[1]};

  mat3 same, swapped; /* by pair i, j: what dF_ij and dF_ji do to themselves and to each other */
  mat3 a;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double flip = fmax(0, m->mu - g.first * s[k]), twist = fmax(0, m->mu + g.first * s[k]);
    same.m[i][j] = same.m[j][i] = m->volume * 0.5 * (flip + twist);
    swapped.m[i][j] = swapped.m[j][i] = m->volume * 0.5 * (flip - twist);
    a.m[i][j] = a.m[j][i] = m->volume * (g.second * j1[i] * j1[j] + g.first * s[k]);
    a.m[i][i] = m->volume * (m->mu + g.second * j1[i] * j1[i]);
  }
  if (!surely_positive(&a)) eigen_project_psd(3, &a.m[0][0]);

  mat3 bv = mat3_mul(&m->inverse_rest, &v); /* row a: V^T b_a */
  for (int p = 0; p < 3; p++)
    for (int q = p; q < 3; q++) {
      const double *x = bv.m[p], *y = bv.m[q];
      mat3 block;
      for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        block.m[i][i] =
            a.m[i][i] * x[i] * y[i] + same.m[i][j] * x[j] * y[j] + same.m[i][k] * x[k] * y[k];
        block.m[i][j] = a.m[i][j] * x[i] * y[j] + swapped.m[i][j] * x[j] * y[i];
        block.m[j][i] = a.m[i][j] * x[j] * y[i] + swapped.m[i][j] * x[i] * y[j];
      }
      mat3 turned = block_rotated(&u, &block);
      if (p == q) block_symmetrize(&turned);
      block_put(4, p + 1, q + 1, &turned, h);
    }
  block_close(4, h);
}

static inline void write_hessian(const deformation *d, slope s, hessian_kind kind, double *h) {
  if (kind == HESSIAN_EXACT)
    write_exact(d, s, h);
  else
    write_projected(d, s, h);
}

static void neo_hookean_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind,
                                double *h) {
  deformation d = deform(data, e, x);
  write_hessian(&d, neo_hookean_slope(d.element, volume_ratio(&d)), kind, h);
}

static void stable_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind,
                           double *h) {
  deformation d = deform(data, e, x);
  write_hessian(&d, stable_slope(d.element, volume_ratio(&d)), kind, h);
}

const element_kernel solid_kernel_neo_hookean = {.name = "neo-Hookean",
                                                 .arity = 4,
                                                 .energy = neo_hookean_energy,
                                                 .gradient = neo_hookean_gradient,
                                                 .hessian = neo_hookean_hessian};

const element_kernel solid_kernel_stable_neo_hookean = {.name = "stable neo-Hookean",
                                                        .arity = 4,
                                                        .energy = stable_energy,
                                                        .gradient = stable_gradient,
                                                        .hessian = stable_hessian};
