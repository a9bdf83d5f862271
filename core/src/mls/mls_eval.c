/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Psi = N/W with N = sum w psi and W = sum w. The sums of w, w psi and their derivatives are taken
 * in one pass, so that a query may have any number of neighbours; then
 *
 *   grad Psi = (grad N - Psi grad W) / W,
 *   Hess Psi = (Hess N - Psi Hess W - grad W grad Psi^T - grad Psi grad W^T) / W.
 *
 * The samples in reach are packed into columns on the stack, a chunk at a time. Sums run in LANES
 * separate partial sums, a fixed shape that the compiler can keep in vector registers without
 * leave to reorder; the end of a chunk is filled up with samples of no weight.
 */
#include "mls/mls.h"

enum { CHUNK = 64, LANES = 4, GRAIN = 256 };

typedef struct columns {
  double dx[CHUNK], dy[CHUNK], dz[CHUNK]; /* x - p */
  double nx[CHUNK], ny[CHUNK], nz[CHUNK];
  double c[CHUNK], r2[CHUNK], k[CHUNK]; /* value, |x - p|^2, R^2 and then 1/R^2 */
  double w[CHUNK], slope[CHUNK], curve[CHUNK], psi[CHUNK];
} columns;

/* One partial sum a lane. Hessians as xx, yy, zz, xy, xz, yz. */
typedef struct sums {
  double w[LANES], n[LANES];
  double gw[3][LANES], gn[3][LANES];
  double hw[6][LANES], hn[6][LANES];
} sums;

/* Packs samples from *next on until the chunk is full or the list ends; returns how many. */
static size_t gather(const mls_surface *surface, vec3 q, const int32_t *neighbours, size_t count,
                     size_t *next, columns *restrict c) {
  size_t m = 0;
  for (; *next < count && m < CHUNK; ++*next) {
    const mls_sample *s = &surface->samples[neighbours[*next]];
    vec3 d = vec3_sub(q, s->point);
    double r2 = vec3_norm2(d), reach2 = s->radius * s->radius;
    if (!mls_in_reach(r2, reach2)) continue;
    c->dx[m] = d.x, c->dy[m] = d.y, c->dz[m] = d.z;
    c->nx[m] = s->normal.x, c->ny[m] = s->normal.y, c->nz[m] = s->normal.z;
    c->c[m] = s->value, c->r2[m] = r2, c->k[m] = reach2;
    m++;
  }
  return m;
}

/* Lanes beyond the samples must hold numbers, and are then given no weight. */
static size_t fill_up(size_t m, columns *restrict c) {
  size_t padded = (m + LANES - 1) / LANES * LANES;
  for (size_t i = m; i < padded; i++) {
    c->dx[i] = c->dy[i] = c->dz[i] = c->nx[i] = c->ny[i] = c->nz[i] = 0;
    c->c[i] = c->r2[i] = 0;
    c->k[i] = 1;
  }
  return padded;
}

static void weigh(const mls_surface *surface, size_t m, size_t padded, columns *restrict c) {
  double epsilon = surface->epsilon;
  for (size_t i = 0; i < padded; i++) c->k[i] = 1 / c->k[i];
#define WEIGH(radial)                                                                              \
  for (size_t i = 0; i < padded; i++) {                                                            \
    mls_radial w = radial;                                                                         \
    c->w[i] = w.value, c->slope[i] = w.slope, c->curve[i] = w.curve;                               \
  }
  switch (surface->kernel) {
    case MLS_CUBIC: WEIGH(mls_cubic(c->r2[i], c->k[i])) break;
    case MLS_INTERPOLATING: WEIGH(mls_interpolating(c->r2[i], c->k[i], epsilon)) break;
    case MLS_SMOOTH: WEIGH(mls_smooth(c->r2[i], c->k[i], epsilon)) break;
  }
#undef WEIGH
  for (size_t i = m; i < padded; i++) c->w[i] = c->slope[i] = c->curve[i] = 0;
  for (size_t i = 0; i < padded; i++)
    c->psi[i] = c->c[i] + (c->nx[i] * c->dx[i] + c->ny[i] * c->dy[i] + c->nz[i] * c->dz[i]);
}

static void add_values(const columns *restrict c, size_t padded, sums *restrict s) {
  for (size_t i = 0; i < padded; i += LANES)
    for (size_t l = 0; l < LANES; l++) {
      s->w[l] += c->w[i + l];
      s->n[l] += c->w[i + l] * c->psi[i + l];
    }
}

/* grad w = slope d; grad (w psi) = psi grad w + w n */
static void add_gradients(const columns *restrict c, const double *restrict d,
                          const double *restrict n, size_t padded, double *restrict gw,
                          double *restrict gn) {
  double w[LANES] = {0}, wn[LANES] = {0};
  for (size_t i = 0; i < padded; i += LANES)
    for (size_t l = 0; l < LANES; l++) {
      double g = c->slope[i + l] * d[i + l];
      w[l] += g;
      wn[l] += c->psi[i + l] * g + c->w[i + l] * n[i + l];
    }
  for (size_t l = 0; l < LANES; l++) gw[l] += w[l], gn[l] += wn[l];
}

/* One entry (a, b) of the Hessians: Hess w = slope I + curve d d^T,
 * Hess (w psi) = psi Hess w + grad w n^T + n grad w^T. `diagonal` is 1 where a = b, else 0. */
static void add_hessians(const columns *restrict c, const double *da, const double *na,
                         const double *db, const double *nb, double diagonal, size_t padded,
                         double *restrict hw, double *restrict hn) {
  double w[LANES] = {0}, wn[LANES] = {0};
  for (size_t i = 0; i < padded; i += LANES)
    for (size_t l = 0; l < LANES; l++) {
      size_t j = i + l;
      double h = diagonal * c->slope[j] + c->curve[j] * da[j] * db[j];
      w[l] += h;
      wn[l] += c->psi[j] * h + c->slope[j] * (da[j] * nb[j] + na[j] * db[j]);
    }
  for (size_t l = 0; l < LANES; l++) hw[l] += w[l], hn[l] += wn[l];
}

static double across(const double lanes[LANES]) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static vec3 across3(double lanes[3][LANES]) {
  return (vec3){across(lanes[0]), across(lanes[1]), across(lanes[2])};
}

static mat3 across6(double lanes[6][LANES]) {
  double xx = across(lanes[0]), yy = across(lanes[1]), zz = across(lanes[2]);
  double xy = across(lanes[3]), xz = across(lanes[4]), yz = across(lanes[5]);
  return (mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

static void finish(sums *s, mls_order order, mls_value *out) {
  double inverse = 1 / out->weight;
  out->value = across(s->n) * inverse;
  if (order < MLS_GRADIENT) return;
  vec3 gw = across3(s->gw), gn = across3(s->gn);
  out->pull = vec3_scale(inverse, gw);
  out->gradient = vec3_scale(inverse, vec3_madd(gn, -out->value, gw));
  if (order < MLS_HESSIAN) return;
  mat3 hw = across6(s->hw), hn = across6(s->hn);
  const double *pull = &out->pull.x, *g = &out->gradient.x;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      out->hessian.m[a][b] =
          (hn.m[a][b] - out->value * hw.m[a][b]) * inverse - (pull[a] * g[b] + g[a] * pull[b]);
}

mls_value mls_evaluate(const mls_surface *surface, vec3 query, const int32_t *neighbours,
                       size_t count, mls_order order) {
  columns c;
  sums s = {0};
  mls_value out = {0};
  for (size_t next = 0; next < count;) {
    size_t m = gather(surface, query, neighbours, count, &next, &c);
    size_t padded = fill_up(m, &c);
    out.active += (int32_t)m;
    weigh(surface, m, padded, &c);
    add_values(&c, padded, &s);
    if (order < MLS_GRADIENT) continue;
    add_gradients(&c, c.dx, c.nx, padded, s.gw[0], s.gn[0]);
    add_gradients(&c, c.dy, c.ny, padded, s.gw[1], s.gn[1]);
    add_gradients(&c, c.dz, c.nz, padded, s.gw[2], s.gn[2]);
    if (order < MLS_HESSIAN) continue;
    add_hessians(&c, c.dx, c.nx, c.dx, c.nx, 1, padded, s.hw[0], s.hn[0]);
    add_hessians(&c, c.dy, c.ny, c.dy, c.ny, 1, padded, s.hw[1], s.hn[1]);
    add_hessians(&c, c.dz, c.nz, c.dz, c.nz, 1, padded, s.hw[2], s.hn[2]);
    add_hessians(&c, c.dx, c.nx, c.dy, c.ny, 0, padded, s.hw[3], s.hn[3]);
    add_hessians(&c, c.dx, c.nx, c.dz, c.nz, 0, padded, s.hw[4], s.hn[4]);
    add_hessians(&c, c.dy, c.ny, c.dz, c.nz, 0, padded, s.hw[5], s.hn[5]);
  }
  out.weight = across(s.w);
  if (out.active > 0) finish(&s, order, &out);
  return out;
}

typedef struct batch {
  const mls_surface *surface;
  const vec3 *queries;
  const mls_lists *lists;
  mls_order order;
  mls_value *out;
} batch;

static void evaluate_range(void *context, size_t begin, size_t end) {
  const batch *b = context;
  for (size_t i = begin; i < end; i++) {
    size_t first = b->lists->start[i], last = b->lists->start[i + 1];
    b->out[i] =
        mls_evaluate(b->surface, b->queries[i], b->lists->index + first, last - first, b->order);
  }
}

void mls_evaluate_batch(const tasks *t, const mls_surface *surface, const vec3 *queries,
                        size_t count, const mls_lists *neighbours, mls_order order,
                        mls_value *out) {
  batch b = {surface, queries, neighbours, order, out};
  tasks_for(t, count, GRAIN, evaluate_range, &b);
}
