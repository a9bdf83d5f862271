/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Derivatives of theta. Triangle t = 1, 2 has its apex at height h above the edge of length l; s
 * says where the foot of the height divides the edge. Its frame is (along, up, normal): along the
 * edge, from the foot to the apex, and n_t/|n_t|. A motion of the four vertices enters by
 *
 *   d = sum c_i dx_i,   c = (s - 1, -s, 1 at the apex): the apex against the foot, and
 *   q = sum o_i dx_i,   o = (-1, 1, 0, 0): the turning and stretching of the edge.
 *
 * Then dh = up . d, the normal turns by -(normal . d / h) up - (normal . q / l) along, and the foot
 * moves by ds = along . d / l + h up . q / l^2. Moving an apex along its normal opens the hinge by
 * 1/h, so, writing v (x) c for the vector that has c_i v at vertex i,
 *
 *   grad theta = - sum_t c (x) normal / h.
 *
 * Its derivative by these rates, where the unsymmetric parts of the two triangles cancel, is a sum
 * of two symmetric products for each triangle, with {a, b} = a b^T + b a^T:
 *
 *   Hess theta = sum_t {c (x) normal / h, c (x) up / h}
 *                    + {o (x) normal / l, c (x) along / h + o (x) up / (2 l)}.
 *
 * In each product a is at a right angle to b, so its two eigenvectors are a/|a| +- b/|b|, with the
 * eigenvalues +-|a| |b|.
 */
#include "energy/bending.h"

#include <string.h>

#define PI 3.14159265358979323846

/* Below this t, w is zero for all purposes (its square is under the rounding of anything else). */
#define FADED_OUT 1e-16

enum { DOFS = 12 };

static const double EDGE[4] = {-1, 1, 0, 0};

typedef struct side {
  vec3 up, normal; /* unit vectors */
  double height;
  double area; /* twice the triangle's, |n| */
  double c[4];
} side;

typedef struct hinge {
  const bending_element *element;
  vec3 along; /* unit vector */
  double length;
  side sides[2];
  double difference; /* theta - theta0, wrapped */
  double t[2];       /* of the guard; both 1 or more when there is nothing to guard */
} hinge;

double bending_angle(const vec3 x[4]) {
  vec3 e = vec3_sub(x[1], x[0]);
  vec3 n1 = vec3_cross(e, vec3_sub(x[2], x[0])), n2 = vec3_cross(vec3_sub(x[3], x[0]), e);
  return atan2(vec3_dot(vec3_cross(n1, n2), vec3_normalized(e)), vec3_dot(n1, n2));
}

void bending_element_init(const vec3 rest[4], double rigidity, bending_element *out) {
  vec3 e = vec3_sub(rest[1], rest[0]);
  double n1 = vec3_norm(vec3_cross(e, vec3_sub(rest[2], rest[0])));
  double n2 = vec3_norm(vec3_cross(e, vec3_sub(rest[3], rest[0])));
  double f1 = BENDING_FADE * n1, f2 = BENDING_FADE * n2;
  *out = (bending_element){.stiffness = rigidity * vec3_norm2(e) / (0.5 * (n1 + n2)),
                           .rest_angle = bending_angle(rest),
                           .fade_area = {1 / (f1 * f1), 1 / (f2 * f2)}};
}

/* False when a triangle has collapsed so far that the hinge has no effect. */
static inline bool measure(const void *data, size_t e, const vec3 *x, hinge *k) {
  k->element = (const bending_element *)data + e;
  vec3 edge = vec3_sub(x[1], x[0]), r[2] = {vec3_sub(x[2], x[0]), vec3_sub(x[3], x[0])};
  vec3 n[2] = {vec3_cross(edge, r[0]), vec3_cross(r[1], edge)};
  double length2 = vec3_norm2(edge);
  for (int i = 0; i < 2; i++) {
    double area2 = vec3_norm2(n[i]);
    k->t[i] = area2 * k->element->fade_area[i];
    if (!(k->t[i] > FADED_OUT)) return false;
    k->sides[i].area = sqrt(area2);
  }
  k->length = sqrt(length2);
  k->along = vec3_scale(1 / k->length, edge);
  for (int i = 0; i < 2; i++) {
    side *t = &k->sides[i];
    double s = vec3_dot(r[i], edge) / length2;
    t->height = t->area / k->length;
    t->normal = vec3_scale(1 / t->area, n[i]);
    t->up = i == 0 ? vec3_cross(t->normal, k->along) : vec3_cross(k->along, t->normal);
    t->c[0] = s - 1;
    t->c[1] = -s;
    t->c[2] = i == 0 ? 1 : 0;
    t->c[3] = i == 0 ? 0 : 1;
  }
  double theta = atan2(vec3_dot(vec3_cross(n[0], n[1]), k->along), vec3_dot(n[0], n[1]));
  double d = theta - k->element->rest_angle;
  k->difference = d > PI ? d - 2 * PI : d <= -PI ? d + 2 * PI : d;
  return true;
}

/* out += scale (v (x) weights) */
static inline void add_vector(double scale, const double weights[4], vec3 v, double out[DOFS]) {
  for (int i = 0; i < 4; i++) {
    out[3 * i] += scale * weights[i] * v.x;
    out[3 * i + 1] += scale * weights[i] * v.y;
    out[3 * i + 2] += scale * weights[i] * v.z;
  }
}

/* h += scale a a^T, lower triangle */
static inline void add_square(double scale, const double a[DOFS], double *h) {
  for (int i = 0; i < DOFS; i++)
    for (int j = 0; j <= i; j++) h[i * DOFS + j] += scale * a[i] * a[j];
}

/* h += scale (a b^T + b a^T), lower triangle */
static inline void add_product(double scale, const double a[DOFS], const double b[DOFS],
                               double *h) {
  for (int i = 0; i < DOFS; i++)
    for (int j = 0; j <= i; j++) h[i * DOFS + j] += scale * (a[i] * b[j] + b[i] * a[j]);
}

static inline void mirror(double *h) {
  for (int i = 0; i < DOFS; i++)
    for (int j = 0; j < i; j++) h[j * DOFS + i] = h[i * DOFS + j];
}

static inline void angle_gradient(const hinge *k, double g[DOFS]) {
  memset(g, 0, DOFS * sizeof *g);
  for (int i = 0; i < 2; i++)
    add_vector(-1 / k->sides[i].height, k->sides[i].c, k->sides[i].normal, g);
}

/* The two products of side i: {a[0], b[0]} + {a[1], b[1]} */
static inline void angle_products(const hinge *k, int i, double a[2][DOFS], double b[2][DOFS]) {
  const side *t = &k->sides[i];
  memset(a, 0, 2 * sizeof *a);
  memset(b, 0, 2 * sizeof *b);
  add_vector(1 / t->height, t->c, t->normal, a[0]);
  add_vector(1 / t->height, t->c, t->up, b[0]);
  add_vector(1 / k->length, EDGE, t->normal, a[1]);
  add_vector(1 / t->height, t->c, k->along, b[1]);
  add_vector(0.5 / k->length, EDGE, t->up, b[1]);
}

static void add_angle_hessian(const hinge *k, double scale, double *h) {
  for (int i = 0; i < 2; i++) {
    double a[2][DOFS], b[2][DOFS];
    angle_products(k, i, a, b);
    add_product(scale, a[0], b[0], h);
    add_product(scale, a[1], b[1], h);
  }
}

/* ------------------------------------------------------------------------------------- guard -- */

/* w, w', w'' of the fade */
typedef struct fade {
  double w, w1, w2;
} fade;

static inline fade fade_at(double t) {
  if (t >= 1) return (fade){1, 0, 0};
  double u = 1 - t;
  return (fade){1 - u * u * u, 3 * u * u, -6 * u};
}

static inline bool guarded(const hinge *k) { return k->t[0] < 1 || k->t[1] < 1; }

/* grad t of side i, from |n| = l h: grad |n| = h o (x) along + l c (x) up. */
static void fade_gradient(const hinge *k, int i, double g[DOFS]) {
  const side *t = &k->sides[i];
  double scale = 2 * t->area * k->element->fade_area[i];
  memset(g, 0, DOFS * sizeof *g);
  add_vector(scale * t->height, EDGE, k->along, g);
  add_vector(scale * k->length, t->c, t->up, g);
}

/* h += scale Hess t, lower triangle. With the corners p_0, p_1, p_2 and E_i the edge opposite p_i,
 * n = p_0 x p_1 + p_1 x p_2 + p_2 x p_0 changes by E_i x dp_i, so
 * d2|n|^2/dp_i dp_j = 2 (E_i . E_j I - E_j E_i^T - [n]x) for j after i, without [n]x for j = i. */
static void add_fade_hessian(const hinge *k, int i, const vec3 *x, double scale, double *h) {
  int corner[3] = {0, 1, i == 0 ? 2 : 3};
  vec3 p[3] = {x[0], x[1], x[corner[2]]};
  vec3 edges[3] = {vec3_sub(p[2], p[1]), vec3_sub(p[0], p[2]), vec3_sub(p[1], p[0])};
  vec3 n = vec3_cross(edges[2], vec3_scale(-1, edges[1]));
  double factor = 2 * scale * k->element->fade_area[i];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b <= a; b++) {
      mat3 outer = mat3_outer(edges[b], edges[a]);
      mat3 block = mat3_scale(-1, &outer);
      for (int j = 0; j < 3; j++) block.m[j][j] += vec3_dot(edges[a], edges[b]);
      if (a != b) {
        vec3 m = vec3_scale(b == (a + 1) % 3 ? -1 : 1, n);
        mat3 cross = {{{0, -m.z, m.y}, {m.z, 0, -m.x}, {-m.y, m.x, 0}}};
        block = mat3_add(&block, &cross);
      }
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          h[(3 * corner[a] + r) * DOFS + 3 * corner[b] + c] += factor * block.m[r][c];
    }
}

/* grad (w1 w2 d) */
static void faded_gradient(const hinge *k, const double angle[DOFS], double g[DOFS]) {
  fade f[2] = {fade_at(k->t[0]), fade_at(k->t[1])};
  for (int j = 0; j < DOFS; j++) g[j] = f[0].w * f[1].w * angle[j];
  for (int i = 0; i < 2; i++) {
    double t[DOFS];
    fade_gradient(k, i, t);
    for (int j = 0; j < DOFS; j++) g[j] += k->difference * f[1 - i].w * f[i].w1 * t[j];
  }
}

/* h += scale Hess (w1 w2 d), lower triangle */
static void add_faded_hessian(const hinge *k, const vec3 *x, const double angle[DOFS], double scale,
                              double *h) {
  fade f[2] = {fade_at(k->t[0]), fade_at(k->t[1])};
  double t[2][DOFS], d = k->difference;
  for (int i = 0; i < 2; i++) fade_gradient(k, i, t[i]);
  add_angle_hessian(k, scale * f[0].w * f[1].w, h);
  for (int i = 0; i < 2; i++) {
    double other = scale * f[1 - i].w;
    add_product(other * f[i].w1, angle, t[i], h);
    add_square(other * d * f[i].w2, t[i], h);
    add_fade_hessian(k, i, x, other * d * f[i].w1, h);
  }
  add_product(scale * d * f[0].w1 * f[1].w1, t[0], t[1], h);
}

/* ------------------------------------------------------------------------------------- verbs -- */

/* w1 w2 d */
static inline double faded_difference(const hinge *k) {
  return guarded(k) ? fade_at(k->t[0]).w * fade_at(k->t[1]).w * k->difference : k->difference;
}

static double bending_energy(const void *data, size_t e, const vec3 *x) {
  hinge k;
  if (!measure(data, e, x, &k)) return 0;
  double d = faded_difference(&k);
  return 0.5 * k.element->stiffness * d * d;
}

static void bending_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  hinge k;
  memset(g, 0, 4 * sizeof *g);
  if (!measure(data, e, x, &k)) return;
  double d[DOFS];
  angle_gradient(&k, d);
  if (guarded(&k)) {
    double angle[DOFS];
    memcpy(angle, d, sizeof d);
    faded_gradient(&k, angle, d);
  }
  double scale = k.element->stiffness * faded_difference(&k);
  for (int i = 0; i < 4; i++) g[i] = vec3_scale(scale, vec3_from(d + 3 * i));
}

static void bending_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind,
                            double *h) {
  hinge k;
  memset(h, 0, DOFS * DOFS * sizeof *h);
  if (!measure(data, e, x, &k)) return;
  double stiffness = k.element->stiffness, angle[DOFS];
  angle_gradient(&k, angle);
  if (guarded(&k)) {
    double g[DOFS];
    faded_gradient(&k, angle, g);
    add_square(stiffness, g, h);
    if (kind == HESSIAN_EXACT) add_faded_hessian(&k, x, angle, stiffness * faded_difference(&k), h);
  } else {
    add_square(stiffness, angle, h);
    if (kind == HESSIAN_EXACT) add_angle_hessian(&k, stiffness * k.difference, h);
  }
  mirror(h);
}

const element_kernel bending_kernel = {.name = "bending",
                                       .arity = 4,
                                       .energy = bending_energy,
                                       .gradient = bending_gradient,
                                       .hessian = bending_hessian};
