/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Derivatives of the frame. A segment moves by p = de and q = dd. In its own axes (t, a, b) its
 * frame turns by
 *
 *   w_t = b.q/h + (s/h) w_a,   w_a = -b.p/L,   w_b = a.p/L,    h = d.a, s = d.t, L = |e|,
 *
 * and along a straight path these rates themselves change by (z = t.p/L)
 *
 *   w_a' = w_t w_b - 2 w_a z,   w_b' = -w_t w_a - 2 w_b z,
 *   w_t' = -w_t A + 2 w_a C - A B + y B w_b + (1 + y^2) w_a w_b - y A w_a + y w_a'
 *
 * with A = a.q/h, B = b.q/h, C = t.q/h, y = s/h: sums of products of linear forms, whose symmetric
 * parts are the Hessian. The second derivative of kappa is D' + c x S' + (c.D') c from these, and
 * dc x S + (dc.D) c + (c.D) dc, dc = d kappa / 2.
 */
#include "energy/rod.h"

#include <string.h>

/* ---- the gauge and stretching ---------------------------------------------------------------- */

enum { STRETCH_DOFS = 9, BEND_DOFS = 15, MOVES = 12 };

static double stretch_energy(const void *data, size_t e, const vec3 *x) {
  const rod_stretch *k = (const rod_stretch *)data + e;
  vec3 edge = vec3_sub(x[1], x[0]), d = x[2];
  double strain = vec3_norm(edge) / k->length - 1, r2 = k->radius * k->radius;
  double over = vec3_norm2(d) / r2 - 1, lean = vec3_dot(d, edge) / k->length;
  return 0.5 * k->stiffness * k->length * strain * strain +
         0.5 * k->gauge * (0.25 * r2 * over * over + lean * lean);
}

static void stretch_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  const rod_stretch *k = (const rod_stretch *)data + e;
  vec3 edge = vec3_sub(x[1], x[0]), d = x[2];
  double length = vec3_norm(edge), over = vec3_norm2(d) / (k->radius * k->radius) - 1;
  double lean = k->gauge * vec3_dot(d, edge) / (k->length * k->length);
  vec3 pull = vec3_scale(k->stiffness * (length / k->length - 1), vec3_normalized(edge));
  pull = vec3_madd(pull, lean, d);
  g[0] = vec3_scale(-1, pull);
  g[1] = pull;
  g[2] = vec3_madd(vec3_scale(0.5 * k->gauge * over, d), lean, edge);
}

/* Blocks by the edge and the director, then by the three vertices. */
static void stretch_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind,
                            double *h) {
  const rod_stretch *k = (const rod_stretch *)data + e;
  vec3 edge = vec3_sub(x[1], x[0]), d = x[2], t = vec3_normalized(edge);
  double length = vec3_norm(edge), L2 = k->length * k->length, r2 = k->radius * k->radius;
  double over = vec3_norm2(d) / r2 - 1, lean = k->gauge * vec3_dot(d, edge) / L2;
  double pull = length > 0 ? k->stiffness * (1 / k->length - 1 / length) : 0;
  if (kind == HESSIAN_PROJECTED) pull = fmax(pull, 0), over = fmax(over, 0), lean = 0;

  mat3 one = mat3_identity(), tt = mat3_outer(t, t), dd = mat3_outer(d, d);
  mat3 by_edge = mat3_scale(pull, &one), by_director = mat3_scale(0.5 * k->gauge * over, &one);
  mat3 along = mat3_scale(k->stiffness / k->length - pull, &tt);
  mat3 leaning = mat3_scale(k->gauge / L2, &dd);
  by_edge = mat3_add(&by_edge, &along);
  by_edge = mat3_add(&by_edge, &leaning);
  mat3 longer = mat3_scale(k->gauge / r2, &dd), ee = mat3_outer(edge, edge);
  mat3 leant = mat3_scale(k->gauge / L2, &ee);
  by_director = mat3_add(&by_director, &longer);
  by_director = mat3_add(&by_director, &leant);
  mat3 ed = mat3_outer(d, edge), mixed = mat3_scale(k->gauge / L2, &ed); /* edge by director */
  mat3 turned = mat3_scale(lean, &one);
  mixed = mat3_add(&mixed, &turned);

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double *row[3] = {h + STRETCH_DOFS * i, h + STRETCH_DOFS * (3 + i),
                        h + STRETCH_DOFS * (6 + i)};
      row[0][j] = row[1][3 + j] = by_edge.m[i][j];
      row[0][3 + j] = row[1][j] = -by_edge.m[i][j];
      row[0][6 + j] = -mixed.m[i][j];
      row[1][6 + j] = mixed.m[i][j];
      row[2][j] = -mixed.m[j][i];
      row[2][3 + j] = mixed.m[j][i];
      row[2][6 + j] = by_director.m[i][j];
    }
}

const element_kernel rod_stretch_kernel = {.name = "rod_stretch",
                                           .arity = 3,
                                           .energy = stretch_energy,
                                           .gradient = stretch_gradient,
                                           .hessian = stretch_hessian};

/* ---- the frames ------------------------------------------------------------------------------ */

typedef struct frame {
  vec3 axis[3];  /* t, a, b */
  double length; /* |e| */
  double height; /* d . a */
  double lean;   /* d . t / height */
} frame;

static frame frame_of(vec3 edge, vec3 d) {
  frame f = {.length = vec3_norm(edge)};
  vec3 t = vec3_scale(1 / f.length, edge);
  double along = vec3_dot(d, t);
  vec3 across = vec3_madd(d, -along, t);
  f.height = vec3_norm(across);
  f.lean = along / f.height;
  f.axis[0] = t;
  f.axis[1] = vec3_scale(1 / f.height, across);
  f.axis[2] = vec3_cross(t, f.axis[1]);
  return f;
}

/* kappa/2 = tan(phi/2) n */
static vec3 half_curvature(const frame *one, const frame *two) {
  double r[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r[i][j] = vec3_dot(one->axis[i], two->axis[j]);
  double scale = 1 / (1 + r[0][0] + r[1][1] + r[2][2]);
  return vec3_make(scale * (r[2][1] - r[1][2]), scale * (r[0][2] - r[2][0]),
                   scale * (r[1][0] - r[0][1]));
}

vec3 rod_curvature(const vec3 x[5]) {
  frame one = frame_of(vec3_sub(x[1], x[0]), x[3]), two = frame_of(vec3_sub(x[2], x[1]), x[4]);
  return vec3_scale(2, half_curvature(&one, &two));
}

/* ---- bending and twisting -------------------------------------------------------------------- */

/* Linear forms of the twelve numbers that move: e1, d1, e2, d2. */
typedef struct joint {
  const rod_bend *element;
  frame frames[2];
  double c[3];             /* kappa/2 */
  double moment[3];        /* K (kappa - kappa0) */
  double sum[3][MOVES];    /* S */
  double apart[3][MOVES];  /* D */
  double rate[3][MOVES];   /* d kappa */
  double turning[2][3][6]; /* w of each frame, by its own e and d */
  double by_turning[2][3]; /* dE / dw */
} joint;

static void put(vec3 v, double scale, double *out) {
  out[0] = scale * v.x;
  out[1] = scale * v.y;
  out[2] = scale * v.z;
}

static void turning_of(const frame *f, double w[3][6]) {
  memset(w, 0, 3 * sizeof *w);
  put(f->axis[2], -1 / f->length, w[1]);
  put(f->axis[1], 1 / f->length, w[2]);
  put(f->axis[2], -f->lean / f->length, w[0]);
  put(f->axis[2], 1 / f->height, w[0] + 3);
}

static vec3 triple(const double *v) { return vec3_make(v[0], v[1], v[2]); }

static double energy_of(const joint *j) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double off = 2 * j->c[i] - j->element->rest[i];
    sum += 0.5 * j->element->stiffness[i] * off * off;
  }
  return sum;
}

static void measure(const void *data, size_t e, const vec3 *x, joint *j) {
  j->element = (const rod_bend *)data + e;
  j->frames[0] = frame_of(vec3_sub(x[1], x[0]), x[3]);
  j->frames[1] = frame_of(vec3_sub(x[2], x[1]), x[4]);
  put(half_curvature(&j->frames[0], &j->frames[1]), 1, j->c);
}

/* Rates of the frames, and dE/dw = -+(m + (c.m) c) + m x c of the first and the second. */
static void differentiate(joint *j) {
  for (int i = 0; i < 3; i++)
    j->moment[i] = j->element->stiffness[i] * (2 * j->c[i] - j->element->rest[i]);
  vec3 c = triple(j->c), m = triple(j->moment);
  vec3 apart = vec3_madd(m, vec3_dot(c, m), c), sum = vec3_cross(m, c);
  put(vec3_sub(sum, apart), 1, j->by_turning[0]);
  put(vec3_add(sum, apart), 1, j->by_turning[1]);
  for (int f = 0; f < 2; f++) turning_of(&j->frames[f], j->turning[f]);
}

static void rates(joint *j) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 6; k++) {
      j->apart[i][k] = -j->turning[0][i][k];
      j->apart[i][6 + k] = j->turning[1][i][k];
      j->sum[i][k] = j->turning[0][i][k];
      j->sum[i][6 + k] = j->turning[1][i][k];
    }
  const double *c = j->c;
  for (int k = 0; k < MOVES; k++) {
    double along = c[0] * j->apart[0][k] + c[1] * j->apart[1][k] + c[2] * j->apart[2][k];
    for (int i = 0; i < 3; i++) {
      int u = (i + 1) % 3, v = (i + 2) % 3;
      j->rate[i][k] = j->apart[i][k] + c[u] * j->sum[v][k] - c[v] * j->sum[u][k] + along * c[i];
    }
  }
}

/* h += scale (a b^T + b a^T)/2, of `count` numbers in rows of MOVES */
static void add_product(double scale, const double *a, const double *b, int count, double *h) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) h[MOVES * i + k] += 0.5 * scale * (a[i] * b[k] + b[i] * a[k]);
}

/* g . w' of one frame */
static void add_turning(const frame *f, const double w[3][6], const double g[3], double *h) {
  double a[6] = {0}, b[6] = {0}, t[6] = {0}, z[6] = {0};
  put(f->axis[0], 1 / f->height, t + 3);
  put(f->axis[1], 1 / f->height, a + 3);
  put(f->axis[2], 1 / f->height, b + 3);
  put(f->axis[0], 1 / f->length, z);
  double y = f->lean, about_a = g[1] + y * g[0];
  add_product(about_a, w[0], w[2], 6, h);
  add_product(-2 * about_a, w[1], z, 6, h);
  add_product(-g[2], w[0], w[1], 6, h);
  add_product(-2 * g[2], w[2], z, 6, h);
  add_product(-g[0], w[0], a, 6, h);
  add_product(2 * g[0], w[1], t, 6, h);
  add_product(-g[0], a, b, 6, h);
  add_product(y * g[0], b, w[2], 6, h);
  add_product((1 + y * y) * g[0], w[1], w[2], 6, h);
  add_product(-y * g[0], a, w[1], 6, h);
}

/* m . (dc x S) + (dc . D)(c . m) + (c . D)(m . dc) */
static void add_curving(const joint *j, double *h) {
  const double *c = j->c, *m = j->moment;
  double load = c[0] * m[0] + c[1] * m[1] + c[2] * m[2], along[MOVES], work[MOVES];
  for (int k = 0; k < MOVES; k++) {
    along[k] = c[0] * j->apart[0][k] + c[1] * j->apart[1][k] + c[2] * j->apart[2][k];
    work[k] = m[0] * j->rate[0][k] + m[1] * j->rate[1][k] + m[2] * j->rate[2][k];
  }
  add_product(0.5, along, work, MOVES, h);
  for (int i = 0; i < 3; i++) {
    int u = (i + 1) % 3, v = (i + 2) % 3;
    add_product(0.5 * load, j->rate[i], j->apart[i], MOVES, h);
    add_product(0.5 * m[i], j->rate[u], j->sum[v], MOVES, h);
    add_product(-0.5 * m[i], j->rate[v], j->sum[u], MOVES, h);
  }
}

/* Of the five vertices those that move the edges and directors: e1, d1, e2, d2, with their signs.
 */
static const struct {
  int count, move[2];
  double sign[2];
} MOVES_OF[5] = {{1, {0, 0}, {-1, 0}},
                 {2, {0, 2}, {1, -1}},
                 {1, {2, 0}, {1, 0}},
                 {1, {1, 0}, {1, 0}},
                 {1, {3, 0}, {1, 0}}};

static void spread(const double *by_move, double *h) {
  memset(h, 0, BEND_DOFS * BEND_DOFS * sizeof *h);
  for (int p = 0; p < 5; p++)
    for (int q = 0; q < 5; q++)
      for (int a = 0; a < MOVES_OF[p].count; a++)
        for (int b = 0; b < MOVES_OF[q].count; b++) {
          double sign = MOVES_OF[p].sign[a] * MOVES_OF[q].sign[b];
          const double *from = by_move + MOVES * 3 * MOVES_OF[p].move[a] + 3 * MOVES_OF[q].move[b];
          for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
              h[BEND_DOFS * (3 * p + i) + 3 * q + k] += sign * from[MOVES * i + k];
        }
  for (int i = 0; i < BEND_DOFS; i++) /* symmetric to the bit, whatever the order of the sums */
    for (int k = 0; k < i; k++) h[BEND_DOFS * i + k] = h[BEND_DOFS * k + i];
}

static double bend_energy(const void *data, size_t e, const vec3 *x) {
  joint j;
  measure(data, e, x, &j);
  return energy_of(&j);
}

static void bend_gradient(const void *data, size_t e, const vec3 *x, vec3 *g) {
  joint j;
  measure(data, e, x, &j);
  differentiate(&j);
  double by_move[MOVES] = {0};
  for (int f = 0; f < 2; f++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 6; k++) by_move[6 * f + k] += j.by_turning[f][i] * j.turning[f][i][k];
  vec3 e1 = triple(by_move), e2 = triple(by_move + 6);
  g[0] = vec3_scale(-1, e1);
  g[1] = vec3_sub(e1, e2);
  g[2] = e2;
  g[3] = triple(by_move + 3);
  g[4] = triple(by_move + 9);
}

static void bend_hessian(const void *data, size_t e, const vec3 *x, hessian_kind kind, double *h) {
  joint j;
  measure(data, e, x, &j);
  differentiate(&j);
  rates(&j);
  double by_move[MOVES * MOVES] = {0};
  for (int i = 0; i < 3; i++)
    add_product(j.element->stiffness[i], j.rate[i], j.rate[i], MOVES, by_move);
  if (kind == HESSIAN_EXACT) {
    for (int f = 0; f < 2; f++)
      add_turning(&j.frames[f], (const double(*)[6])j.turning[f], j.by_turning[f],
                  by_move + f * 6 * (MOVES + 1));
    add_curving(&j, by_move);
  }
  spread(by_move, h);
}

const element_kernel rod_bend_kernel = {.name = "rod_bend",
                                        .arity = 5,
                                        .energy = bend_energy,
                                        .gradient = bend_gradient,
                                        .hessian = bend_hessian};
