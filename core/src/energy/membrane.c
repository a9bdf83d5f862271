/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With the shape functions' gradients b_1, b_2 (the rows of Dm^-1, in (warp, weft)) and
 * b_0 = -(b_1 + b_2), F = sum x_a b_a^T; its columns are written f0 (warp) and f1 (weft).
 */
#include "energy/membrane.h"

#include "energy/block.h"
#include "math/eigen.h"

/* ------------------------------------------------------------------------------------- setup -- */

/* Below these a direction or an area is a result of rounding. */
#define PERPENDICULAR 1e-6
#define NO_AREA       1e-12

bool membrane_element_init(const vec3 rest[3], vec3 warp_direction,
                           const membrane_material *material, membrane_element *out) {
  vec3 e1 = vec3_sub(rest[1], rest[0]), e2 = vec3_sub(rest[2], rest[0]);
  vec3 cross = vec3_cross(e1, e2);
  double twice_area = vec3_norm(cross);
  if (!(twice_area > NO_AREA * (vec3_norm2(e1) + vec3_norm2(e2)))) return false;
  vec3 normal = vec3_scale(1 / twice_area, cross);
  vec3 wanted = vec3_normalized(warp_direction);
  vec3 along = vec3_madd(wanted, -vec3_dot(wanted, normal), normal);
  if (!(vec3_norm(along) > PERPENDICULAR)) return false;
  vec3 warp = vec3_normalized(along), weft = vec3_cross(normal, warp);

  /* Dm = [a b; c d], whose determinant is twice the area, since (warp, weft, normal) turns right.
   */
  double a = vec3_dot(e1, warp), b = vec3_dot(e2, warp);
  double c = vec3_dot(e1, weft), d = vec3_dot(e2, weft);
  *out = (membrane_element){
      .inverse_rest = {{d / twice_area, -b / twice_area}, {-c / twice_area, a / twice_area}},
      .area = 0.5 * twice_area,
      .warp = material->warp,
      .weft = material->weft,
      .shear = material->shear,
      .cross = material->poisson * sqrt(material->warp * material->weft)};
  return true;
}

bool membrane_element_init_uv(const vec3 rest[3], const double uv[3][2],
                              const membrane_material *material, membrane_element *out) {
  double u1 = uv[1][0] - uv[0][0], v1 = uv[1][1] - uv[0][1];
  double u2 = uv[2][0] - uv[0][0], v2 = uv[2][1] - uv[0][1];
  double det = u1 * v2 - u2 * v1;
  if (!(fabs(det) > NO_AREA * (u1 * u1 + v1 * v1 + u2 * u2 + v2 * v2))) return false;
  /* dx/du: the combination of edges along which u grows by 1 and v by 0. */
  vec3 e1 = vec3_sub(rest[1], rest[0]), e2 = vec3_sub(rest[2], rest[0]);
  vec3 warp = vec3_madd(vec3_scale(v2 / det, e1), -v1 / det, e2);
  return membrane_element_init(rest, warp, material, out);
}

/* -------------------------------------------------------------------------- strain and stress --
 */

typedef struct deformation {
  const membrane_element *element;
  vec3 f0, f1;
  double e00, e11, shear_angle; /* E00, E11, 2 E01 */
  double s00, s11, s01;         /* S = dW/dE, second Piola-Kirchhoff, N/m */
} deformation;

static inline deformation deform(const void *data, size_t e, const vec3 *x) {
  const membrane_element *m = (const membrane_element *)data + e;
  vec3 e1 = vec3_sub(x[1], x[0]), e2 = vec3_sub(x[2], x[0]);
  deformation d = {.element = m};
  d.f0 = vec3_madd(vec3_scale(m->inverse_rest[0][0], e1), m->inverse_rest[1][0], e2);
  d.f1 = vec3_madd(vec3_scale(m->inverse_rest[0][1], e1), m->inverse_rest[1][1], e2);
  d.e00 = 0.5 * (vec3_norm2(d.f0) - 1);
  d.e11 = 0.5 * (vec3_norm2(d.f1) - 1);
  d.shear_angle = vec3_dot(d.f0, d.f1);
  d.s00 = m->warp * d.e00 + m->cross * d.e11;
  d.s11 = m->weft * d.e11 + m->cross * d.e00;
  d.s01 = m->shear * d.shear_angle;
  return d;
}

static double membrane_energy(const void *data, size_t e, const vec3 *x) {
  deformation d = deform(data, e, x);
  return 0.5 * d.element->area * (d.s00 * d.e00 + d.s11 * d.e11 + d.s01 * d.shear_angle);
}

/* A P b_a with P = F S. */
static void membrane_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  deformation d = deform(data, e, x);
  const membrane_element *m = d.element;
  vec3 p0 = vec3_madd(vec3_scale(m->area * d.s00, d.f0), m->area * d.s01, d.f1);
  vec3 p1 = vec3_madd(vec3_scale(m->area * d.s01, d.f0), m->area * d.s11, d.f1);
  for (int a = 0; a < 2; a++)
    g[a + 1] = vec3_madd(vec3_scale(m->inverse_rest[a][0], p0), m->inverse_rest[a][1], p1);
  g[0] = vec3_scale(-1, vec3_add(g[1], g[2]));
}

/* ----------------------------------------------------------------------------------- Hessian -- */

/* A motion of x_a strains by dE00 = r0 . dx, dE11 = r1 . dx, 2 dE01 = r2 . dx. */
typedef struct strain_rates {
  vec3 r0, r1, r2;
} strain_rates;

static inline strain_rates rates(const deformation *d, int a) {
  const double *b = d->element->inverse_rest[a];
  return (strain_rates){vec3_scale(b[0], d->f0), vec3_scale(b[1], d->f1),
                        vec3_madd(vec3_scale(b[1], d->f0), b[0], d->f1)};
}

/* Block (a, b): A (b_a . S b_b I + the strains' moduli). */
static inline void write_exact(const deformation *d, double *h) {
  const membrane_element *m = d->element;
  strain_rates r[2] = {rates(d, 0), rates(d, 1)};
  for (int a = 0; a < 2; a++) {
    /* What a unit motion of x_a adds to S00, S11, S01. */
    vec3 t0 = vec3_madd(vec3_scale(m->area * m->warp, r[a].r0), m->area * m->cross, r[a].r1);
    vec3 t1 = vec3_madd(vec3_scale(m->area * m->weft, r[a].r1), m->area * m->cross, r[a].r0);
    vec3 t2 = vec3_scale(m->area * m->shear, r[a].r2);
    const double *p = m->inverse_rest[a];
    for (int b = a; b < 2; b++) {
      mat3 x = mat3_outer(t0, r[b].r0), y = mat3_outer(t1, r[b].r1), z = mat3_outer(t2, r[b].r2);
      mat3 block = mat3_add(&x, &y);
      block = mat3_add(&block, &z);
      const double *q = m->inverse_rest[b];
      double stress =
          p[0] * (d->s00 * q[0] + d->s01 * q[1]) + p[1] * (d->s01 * q[0] + d->s11 * q[1]);
      for (int i = 0; i < 3; i++) block.m[i][i] += m->area * stress;
      if (a == b) block_symmetrize(&block);
      block_put(3, a + 1, b + 1, &block, h);
    }
  }
  block_close(3, h);
}

static vec3 any_perpendicular(vec3 unit) {
  vec3 axis = fabs(unit.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  return vec3_normalized(vec3_cross(unit, axis));
}

/* A rotation whose first two columns span f0 and f1, and whose third is then the normal. */
static mat3 plane_frame(vec3 f0, vec3 f1) {
  vec3 along = vec3_norm2(f0) >= vec3_norm2(f1) ? f0 : f1;
  double length2 = vec3_norm2(along);
  vec3 t = length2 > 0 ? vec3_normalized(along) : (vec3){1, 0, 0};
  vec3 normal = vec3_cross(f0, f1);
  double area = vec3_norm(normal);
  vec3 n = area > 1e-12 * length2 ? vec3_scale(1 / area, normal) : any_perpendicular(t);
  return mat3_from_columns(t, vec3_normalized(vec3_cross(n, t)), n);
}

/* The nearest semi-definite 2x2 matrix [*a *b; *b *c]. */
static void clamp2(double *a, double *b, double *c) {
  double mean = 0.5 * (*a + *c), half = 0.5 * (*a - *c), radius = sqrt(half * half + *b * *b);
  double low = mean - radius, high = mean + radius;
  if (low >= 0) return;
  if (high <= 0) {
    *a = *b = *c = 0;
    return;
  }
  double scale = high / (high - low); /* high v v^T = high (S - low I) / (high - low) */
  *a = scale * (*a - low);
  *c = scale * (*c - low);
  *b *= scale;
}

static void write_projected(const deformation *d, double *h) {
  const membrane_element *m = d->element;
  mat3 frame = plane_frame(d->f0, d->f1);
  vec3 f0 = mat3_tmul_vec3(&frame, d->f0), f1 = mat3_tmul_vec3(&frame, d->f1);

  /* The plane's part, over (df0.x, df0.y, df1.x, df1.y). */
  double r0[4] = {f0.x, f0.y, 0, 0}, r1[4] = {0, 0, f1.x, f1.y}, r2[4] = {f1.x, f1.y, f0.x, f0.y};
  double k[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      k[i][j] = k[j][i] = m->warp * r0[i] * r0[j] + m->weft * r1[i] * r1[j] +
                          m->cross * (r0[i] * r1[j] + r1[i] * r0[j]) + m->shear * r2[i] * r2[j];
  for (int i = 0; i < 2; i++) {
    k[i][i] += d->s00;
    k[i + 2][i + 2] += d->s11;
    k[i][i + 2] += d->s01;
    k[i + 2][i] += d->s01;
  }
  eigen_project_psd(4, &k[0][0]);

  double s00 = d->s00, s01 = d->s01, s11 = d->s11;
  clamp2(&s00, &s01, &s11);

  for (int a = 0; a < 2; a++)
    for (int b = a; b < 2; b++) {
      const double *p = m->inverse_rest[a], *q = m->inverse_rest[b];
      double pq[2][2] = {{m->area * p[0] * q[0], m->area * p[0] * q[1]},
                         {m->area * p[1] * q[0], m->area * p[1] * q[1]}};
      mat3 block = {{{0}}};
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          block.m[i][j] = pq[0][0] * k[i][j] + pq[0][1] * k[i][j + 2] + pq[1][0] * k[i + 2][j] +
                          pq[1][1] * k[i + 2][j + 2];
      block.m[2][2] = pq[0][0] * s00 + (pq[0][1] + pq[1][0]) * s01 + pq[1][1] * s11;
      mat3 turned = block_rotated(&frame, &block);
      if (a == b) block_symmetrize(&turned);
      block_put(3, a + 1, b + 1, &turned, h);
    }
  block_close(3, h);
}

/* Whether the stress pulls in every direction, rounding near rest let pass. */
static inline bool tense(const deformation *d) {
  double slack = 1e-14 * (d->element->warp + d->element->weft);
  double a = d->s00 + slack, c = d->s11 + slack;
  return a >= 0 && c >= 0 && a * c >= d->s01 * d->s01;
}

static void membrane_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind,
                             double *h) {
  deformation d = deform(data, e, x);
  if (kind == HESSIAN_EXACT || tense(&d))
    write_exact(&d, h);
  else
    write_projected(&d, h);
}

const element_kernel membrane_kernel = {.name = "membrane",
                                        .arity = 3,
                                        .energy = membrane_energy,
                                        .gradient = membrane_gradient,
                                        .hessian = membrane_hessian};
