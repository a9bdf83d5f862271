/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mass_spring: a strand of nodes, with springs along its edges and in its bends, implicit (004,
 * section 5 after Baraff and Witkin 1998).
 *
 *   stretch  E S / (2 l) (|e| - l)^2                        an edge e of rest length l (m)
 *   bend     B / (2 l) |k|^2, k = 2 t1 x t2 / (1 + t1.t2)   a node between edges along t1 and t2
 *
 * |k| = 2 tan(angle / 2): the bend is that of a rod in the limit of many elements, which springs
 * between second neighbours are not. There is no twist, so a strand is straight at rest, and a
 * section has no spin. The stiffness of a bend is Gauss-Newton's, (B / l) dk^T dk, and that of an
 * edge leaves out what pushes sideways under compression: both are never negative.
 *
 * The nodes of a bend are three in a row: half a band of eight.
 */
#include <string.h>

#include "strand/strand.h"

enum { HALF_BAND = 8 };

static vec3 node(const double *q, int32_t i) { return vec3_from(q + 3 * (size_t)i); }

static double node_mass(const strand *s, int32_t i) {
  double edge = s->material.density * strand_area(&s->material) * s->length;
  return i == 0 || i == s->elements ? edge / 2 : edge;
}

static tribo_status create(const strand_def *def, arena *memory, strand *out, tribo_error *err) {
  int32_t nodes = def->elements + 1;
  if (def->rest)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "a strand of masses and springs is straight at rest; for a natural "
                       "curvature take a Super-helix");
  out->freedoms = 3 * nodes;
  out->factor.half = HALF_BAND;
  out->q = ARENA_ARRAY(memory, double, out->freedoms);
  out->v = ARENA_ARRAY(memory, double, out->freedoms);
  out->led = def->free_root ? NULL : ARENA_ARRAY(memory, bool, out->freedoms);
  if (!out->q || !out->v || (!def->free_root && !out->led))
    return status_no_memory(err, "a strand");
  for (int k = 0; k < 6 && !def->free_root; k++) out->led[k] = true;
  vec3 along = mat3_column(&def->frame, 0);
  for (int32_t i = 0; i < nodes; i++) {
    vec3 p = def->points ? def->points[i] : vec3_madd(def->root, i * def->length, along);
    out->q[3 * i] = p.x, out->q[3 * i + 1] = p.y, out->q[3 * i + 2] = p.z;
  }
  return TRIBO_OK;
}

static void prepare(strand *s, const strand_step *step) { (void)s, (void)step; }

/* ---- springs ---- */

typedef struct edge {
  vec3 t;
  double l;
} edge;

static edge edge_between(vec3 a, vec3 b) {
  vec3 e = vec3_sub(b, a);
  double l = fmax(vec3_norm(e), 1e-12);
  return (edge){vec3_scale(1 / l, e), l};
}

/* k of a bend, and dk by its three nodes. */
typedef struct bend {
  vec3 k;
  mat3 by[3];
} bend;

/* (f [a]x - k a^T) (I - t t^T) / (l (1 + c)): dk by the far end of an edge along t, with a the
 * tangent of the other edge. */
static mat3 bend_slope(double f, vec3 a, vec3 k, edge e, double one_and_cosine) {
  mat3 m = {{{-k.x * a.x, -f * a.z - k.x * a.y, f * a.y - k.x * a.z},
             {f * a.z - k.y * a.x, -k.y * a.y, -f * a.x - k.y * a.z},
             {-f * a.y - k.z * a.x, f * a.x - k.z * a.y, -k.z * a.z}}};
  vec3 along = mat3_mul_vec3(&m, e.t);
  mat3 out = mat3_outer(along, e.t);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.m[i][j] = (m.m[i][j] - out.m[i][j]) / (e.l * one_and_cosine);
  return out;
}

static bend bend_make(vec3 a, vec3 b, vec3 c) {
  edge first = edge_between(a, b), second = edge_between(b, c);
  double one_and_cosine = fmax(1 + vec3_dot(first.t, second.t), 1e-6);
  bend out = {.k = vec3_scale(2 / one_and_cosine, vec3_cross(first.t, second.t))};
  mat3 g1 = bend_slope(-2, second.t, out.k, first, one_and_cosine);
  mat3 g2 = bend_slope(2, first.t, out.k, second, one_and_cosine);
  mat3 back = mat3_scale(-1, &g2);
  out.by[0] = mat3_scale(-1, &g1), out.by[1] = mat3_add(&g1, &back), out.by[2] = g2;
  return out;
}

static void push(double *f, int32_t i, double scale, vec3 p) {
  f[3 * i] += scale * p.x, f[3 * i + 1] += scale * p.y, f[3 * i + 2] += scale * p.z;
}

/* The forces of springs and holds at x, times `scale`, added to f. */
static void add_forces(const strand *s, const double *x, double scale, double *f) {
  double stretching = strand_stretching(&s->material) / s->length;
  double bending = strand_bending(&s->material) / s->length;
  for (int32_t e = 0; e < s->elements; e++) {
    edge own = edge_between(node(x, e), node(x, e + 1));
    double pull = scale * stretching * (own.l - s->length);
    push(f, e, pull, own.t), push(f, e + 1, -pull, own.t);
  }
  for (int32_t i = 1; i < s->elements; i++) {
    bend own = bend_make(node(x, i - 1), node(x, i), node(x, i + 1));
    for (int c = 0; c < 3; c++)
      push(f, i - 1 + c, -scale * bending, mat3_tmul_vec3(&own.by[c], own.k));
  }
  for (size_t k = 0; k < s->hold_count; k++) {
    const strand_hold *hold = &s->holds[k];
    int32_t e = hold->place.element;
    double t = hold->place.s / s->length;
    vec3 at = vec3_madd(vec3_scale(1 - t, node(x, e)), t, node(x, e + 1));
    vec3 force = vec3_scale(scale * hold->stiffness, vec3_sub(hold->target, at));
    push(f, e, 1 - t, force), push(f, e + 1, t, force);
  }
}

/* ---- stiffness ---- */

static void add_block(band *a, int32_t i, int32_t j, double scale, const mat3 *m) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      if (3 * j + c <= 3 * i + r) *band_at(a, 3 * i + r, 3 * j + c) += scale * m->m[r][c];
}

static void add_edges(strand *s, const double *x, double scale) {
  double stretching = strand_stretching(&s->material) / s->length;
  for (int32_t e = 0; e < s->elements; e++) {
    edge own = edge_between(node(x, e), node(x, e + 1));
    double across = fmax(0, 1 - s->length / own.l);
    mat3 m = mat3_outer(own.t, own.t);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) m.m[r][c] = (1 - across) * m.m[r][c] + (r == c ? across : 0);
    add_block(&s->factor, e, e, scale * stretching, &m);
    add_block(&s->factor, e + 1, e + 1, scale * stretching, &m);
    add_block(&s->factor, e + 1, e, -scale * stretching, &m);
  }
}

static void add_bends(strand *s, const double *x, double scale) {
  double bending = strand_bending(&s->material) / s->length;
  for (int32_t i = 1; i < s->elements; i++) {
    bend own = bend_make(node(x, i - 1), node(x, i), node(x, i + 1));
    for (int a = 0; a < 3; a++) {
      mat3 turned = mat3_transposed(&own.by[a]);
      for (int b = 0; b <= a; b++) {
        mat3 m = mat3_mul(&turned, &own.by[b]);
        add_block(&s->factor, i - 1 + a, i - 1 + b, scale * bending, &m);
      }
    }
  }
}

static void add_holds(strand *s, double scale) {
  mat3 one = mat3_identity();
  for (size_t k = 0; k < s->hold_count; k++) {
    int32_t e = s->holds[k].place.element;
    double t = s->holds[k].place.s / s->length, own = scale * s->holds[k].stiffness;
    add_block(&s->factor, e, e, own * (1 - t) * (1 - t), &one);
    add_block(&s->factor, e + 1, e + 1, own * t * t, &one);
    add_block(&s->factor, e + 1, e, own * t * (1 - t), &one);
  }
}

/* out = L-part of the symmetric band a, times x. */
static void add_product(const band *a, const double *x, double *out) {
  for (int i = 0; i < a->n; i++)
    for (int j = i > a->half ? i - a->half : 0; j <= i; j++) {
      out[i] += *band_at(a, i, j) * x[j];
      if (j < i) out[j] += *band_at(a, i, j) * x[i];
    }
}

/* A = M (1 + h d) + h^2 K(x) and b = M v0 + h f(x) + h^2 K(x) v, with x = q + h v. */
static void linearise(strand *s, const strand_step *step, const double *at, double *rhs) {
  band *a = &s->factor;
  double h = step->h;
  memset(a->a, 0, band_size(a->n, a->half) * sizeof *a->a);
  memset(rhs, 0, (size_t)s->freedoms * sizeof *rhs);
  double *x = s->own;
  for (int32_t k = 0; k < s->freedoms; k++) x[k] = s->q[k] + h * at[k];
  add_edges(s, x, h * h);
  add_bends(s, x, h * h);
  add_holds(s, h * h);
  add_product(a, at, rhs);
  add_forces(s, x, h, rhs);
  for (int32_t i = 0; i <= s->elements; i++) {
    double m = node_mass(s, i);
    push(rhs, i, m, vec3_madd(node(s->v, i), h, step->gravity));
    for (int c = 0; c < 3; c++)
      *band_at(a, 3 * i + c, 3 * i + c) += m * (1 + h * s->material.damping);
  }
}

static void residual(strand *s, const strand_step *step, const double *v, double *out) {
  double h = step->h, *x = s->own;
  for (int32_t k = 0; k < s->freedoms; k++) x[k] = s->q[k] + h * v[k], out[k] = 0;
  add_forces(s, x, h, out);
  for (int32_t i = 0; i <= s->elements; i++) {
    vec3 change = vec3_madd(node(s->v, i), -(1 + h * s->material.damping), node(v, i));
    push(out, i, node_mass(s, i), vec3_madd(change, h, step->gravity));
  }
  for (int32_t k = 0; s->led && k < s->freedoms; k++)
    if (s->led[k]) out[k] = 0;
}

/* ---- what contacts ask ---- */

static void jacobian(const strand *s, const strand_place *at, strand_jacobian *out) {
  double t = at->s / s->length;
  out->first = 3 * at->element, out->count = 6, out->drift = vec3_make(0, 0, 0);
  for (int k = 0; k < 6; k++) {
    double weight = k < 3 ? 1 - t : t;
    out->column[k] =
        vec3_make(k % 3 == 0 ? weight : 0, k % 3 == 1 ? weight : 0, k % 3 == 2 ? weight : 0);
    if (!s->led || !s->led[out->first + k]) continue;
    out->drift = vec3_madd(out->drift, s->v[out->first + k], out->column[k]);
    out->column[k] = vec3_make(0, 0, 0);
  }
}

static vec3 point(const strand *s, const strand_place *at, vec3 *tangent) {
  vec3 a = node(s->q, at->element), b = node(s->q, at->element + 1);
  if (tangent) *tangent = vec3_normalized(vec3_sub(b, a));
  return vec3_madd(a, at->s / s->length, vec3_sub(b, a));
}

static void commit(strand *s, const strand_step *step, const double *v) {
  for (int32_t k = 0; k < s->freedoms; k++) {
    s->v[k] = v[k];
    s->q[k] += step->h * v[k];
  }
}

static double kinetic(const strand *s, const strand_step *step) {
  (void)step;
  double sum = 0;
  for (int32_t i = 0; i <= s->elements; i++) sum += node_mass(s, i) * vec3_norm2(node(s->v, i)) / 2;
  return sum;
}

static double elastic(const strand *s) {
  double stretching = strand_stretching(&s->material) / s->length, sum = 0;
  double bending = strand_bending(&s->material) / s->length;
  for (int32_t e = 0; e < s->elements; e++) {
    double longer = edge_between(node(s->q, e), node(s->q, e + 1)).l - s->length;
    sum += stretching * longer * longer / 2;
  }
  for (int32_t i = 1; i < s->elements; i++)
    sum +=
        bending / 2 * vec3_norm2(bend_make(node(s->q, i - 1), node(s->q, i), node(s->q, i + 1)).k);
  return sum;
}

static double height(const strand *s, vec3 gravity) {
  double sum = 0;
  for (int32_t i = 0; i <= s->elements; i++)
    sum -= node_mass(s, i) * vec3_dot(gravity, node(s->q, i));
  return sum;
}

static tribo_status create_with_room(const strand_def *def, arena *memory, strand *out,
                                     tribo_error *err) {
  TRY(create(def, memory, out, err));
  out->own = ARENA_ARRAY(memory, double, out->freedoms);
  return out->own ? TRIBO_OK : status_no_memory(err, "a strand");
}

const strand_model strand_mass_spring = {
    .name = "mass_spring",
    .about = "nodes with springs along edges and in bends, implicit; no twist, straight at rest",
    .create = create_with_room,
    .prepare = prepare,
    .linearise = linearise,
    .residual = residual,
    .jacobian = jacobian,
    .point = point,
    .commit = commit,
    .kinetic = kinetic,
    .elastic = elastic,
    .height = height,
};
