/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_damping.h"

#include <math.h>

#include "energy/membrane.h"
#include "energy/solid.h"
#include "math/hypotenuse.h"
#include "math/svd3.h"
#include "projective/projective_cloth.h"

/* Elements that are worth a thread. */
enum { GRAIN = 512 };

/* A hinge whose triangle is thinner than this, against its size, has no angle. */
static const double THIN = 1e-9;

static size_t element_count(const projective_damping *d) {
  return d->triangle_count + d->tet_count + d->hinge_count;
}

/* ---- setting up -------------------------------------------------------------------------------
 */

typedef enum damped_kind { UNDAMPED, TRIANGLE, TET, HINGE } damped_kind;

static damped_kind kind_of(const model_elastic *elastic) {
  const element_kernel *kernel = elastic->term.kernel;
  if (!(elastic->damping_stiffness > 0)) return UNDAMPED;
  if (kernel == &membrane_kernel) return TRIANGLE;
  if (kernel == &bending_kernel) return HINGE;
  bool solid = kernel == &solid_kernel_neo_hookean || kernel == &solid_kernel_stable_neo_hookean;
  return solid ? TET : UNDAMPED;
}

static damped_triangle make_triangle(const membrane_element *m, const int32_t *nodes, double beta) {
  damped_triangle out = {.warp = beta * m->area * m->warp,
                         .weft = beta * m->area * m->weft,
                         .cross = beta * m->area * m->cross,
                         .shear = beta * m->area * m->shear};
  for (int k = 0; k < 3; k++) out.node[k] = nodes[k];
  for (int k = 0; k < 4; k++) out.b[k / 2][k % 2] = m->inverse_rest[k / 2][k % 2];
  return out;
}

static damped_tet make_tet(const solid_element *s, const int32_t *nodes, double beta) {
  damped_tet out = {
      .b = s->inverse_rest, .mu = beta * s->volume * s->mu, .lambda = beta * s->volume * s->lambda};
  for (int k = 0; k < 4; k++) out.node[k] = nodes[k];
  return out;
}

static damped_hinge make_hinge(const projective_fold *f, double beta) {
  damped_hinge out = {.stiffness = beta * f->stiffness};
  for (int k = 0; k < 4; k++) out.node[k] = f->node[k], out.weight[k] = f->weight[k];
  return out;
}

static void take_terms(projective_damping *d) {
  const model *m = d->model;
  size_t triangle = 0, tet = 0, hinge = 0;
  for (size_t k = 0; k < m->elastic_count; k++) {
    const energy_term *term = &m->elastics[k].term;
    const int32_t *nodes = term->set->vertices;
    double beta = m->elastics[k].damping_stiffness;
    damped_kind kind = kind_of(&m->elastics[k]);
    for (size_t i = 0; kind != UNDAMPED && i < term->set->count; i++)
      if (kind == TRIANGLE) {
        const membrane_element *of = term->data;
        d->triangles[triangle++] = make_triangle(of + i, nodes + 3 * i, beta);
      } else if (kind == TET) {
        const solid_element *of = term->data;
        d->tets[tet++] = make_tet(of + i, nodes + 4 * i, beta);
      } else {
        const bending_element *of = term->data;
        projective_fold f = projective_fold_make(of + i, nodes + 4 * i, m->rest);
        d->hinges[hinge++] = make_hinge(&f, beta);
      }
  }
}

/* The fourth corner of a triangle is its first once more, and feels nothing. */
static bool make_gather(projective_damping *d, arena *memory) {
  size_t count = element_count(d);
  int32_t *corners[4];
  for (int k = 0; k < 4; k++) {
    if (!(corners[k] = ARENA_ARRAY(memory, int32_t, count))) return false;
    int32_t *out = corners[k];
    for (size_t e = 0; e < d->triangle_count; e++) *out++ = d->triangles[e].node[k % 3];
    for (size_t e = 0; e < d->tet_count; e++) *out++ = d->tets[e].node[k];
    for (size_t e = 0; e < d->hinge_count; e++) *out++ = d->hinges[e].node[k];
  }
  return projective_gather_create((const int32_t *const *)corners, 4, count, d->model->node_count,
                                  memory, &d->own);
}

tribo_status projective_damping_create(const model *m, const tasks *t, arena *memory,
                                       projective_damping *out, tribo_error *err) {
  *out = (projective_damping){.model = m, .tasks = *t};
  for (size_t k = 0; k < m->elastic_count; k++) {
    size_t count = m->elastics[k].term.set->count;
    damped_kind kind = kind_of(&m->elastics[k]);
    out->triangle_count += kind == TRIANGLE ? count : 0;
    out->tet_count += kind == TET ? count : 0;
    out->hinge_count += kind == HINGE ? count : 0;
  }
  if (element_count(out) == 0) return TRIBO_OK;
  out->triangles = ARENA_ARRAY(memory, damped_triangle, out->triangle_count);
  out->tets = ARENA_ARRAY(memory, damped_tet, out->tet_count);
  out->hinges = ARENA_ARRAY(memory, damped_hinge, out->hinge_count);
  out->force = ARENA_ARRAY(memory, vec4, 4 * element_count(out));
  if (!out->triangles || !out->tets || !out->hinges || !out->force)
    return status_no_memory(err, "damping");
  take_terms(out);
  return make_gather(out, memory) ? TRIBO_OK : status_no_memory(err, "damping");
}

/* ---- the matrix -------------------------------------------------------------------------------
 */

/* What of dF a corner's velocity makes, as in projective_cloth.c and projective_solid.c. */
static void triangle_shares(const damped_triangle *t, double share[3][2]) {
  for (int c = 0; c < 2; c++) {
    for (int k = 1; k < 3; k++) share[k][c] = t->b[k - 1][c];
    share[0][c] = -(share[1][c] + share[2][c]);
  }
}

static void tet_shares(const damped_tet *t, double share[4][3]) {
  for (int c = 0; c < 3; c++) {
    for (int k = 1; k < 4; k++) share[k][c] = t->b.m[k - 1][c];
    share[0][c] = -(share[1][c] + share[2][c] + share[3][c]);
  }
}

/* The form of a triangle is at most max(warp + cross, 2 shear) |df0|^2, and so with weft; that of a
 * tet (2 mu + 3 lambda) |dF|^2; of a hinge K |t1 + t2|^2. */
void projective_damping_matrix(const projective_damping *d, double scale, double *values) {
  const bcsr_pattern *p = &d->model->pattern;
  for (size_t e = 0; e < d->triangle_count; e++) {
    const damped_triangle *t = &d->triangles[e];
    double share[3][2], warp = scale * fmax(t->warp + t->cross, 2 * t->shear),
                        weft = scale * fmax(t->weft + t->cross, 2 * t->shear);
    triangle_shares(t, share);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        values[bcsr_find(p, t->node[i], t->node[j])] +=
            warp * share[i][0] * share[j][0] + weft * share[i][1] * share[j][1];
  }
  for (size_t e = 0; e < d->tet_count; e++) {
    const damped_tet *t = &d->tets[e];
    double share[4][3], bound = scale * (2 * t->mu + 3 * t->lambda);
    tet_shares(t, share);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        values[bcsr_find(p, t->node[i], t->node[j])] +=
            bound *
            (share[i][0] * share[j][0] + share[i][1] * share[j][1] + share[i][2] * share[j][2]);
  }
  for (size_t e = 0; e < d->hinge_count; e++) {
    const damped_hinge *h = &d->hinges[e];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        values[bcsr_find(p, h->node[i], h->node[j])] +=
            scale * h->stiffness * h->weight[i] * h->weight[j];
  }
}

/* ---- a step -----------------------------------------------------------------------------------
 */

static vec3 triangle_column(const damped_triangle *t, int c, const vec3 *of) {
  double share[3][2];
  vec3 sum = {0, 0, 0};
  triangle_shares(t, share);
  for (int k = 0; k < 3; k++) sum = vec3_madd(sum, share[k][c], of[t->node[k]]);
  return sum;
}

static void frame_triangle(damped_triangle *t, const vec3 *x) {
  vec3 f0 = triangle_column(t, 0, x), f1 = triangle_column(t, 1, x);
  double c00 = vec3_norm2(f0), c11 = vec3_norm2(f1), c01 = vec3_dot(f0, f1);
  double largest2 = 0.5 * (c00 + c11 + hypotenuse(c00 - c11, 2 * c01));
  double kept = 1 / sqrt(fmax(1, largest2));
  t->g[0] = vec3_scale(kept, f0);
  t->g[1] = vec3_scale(kept, f1);
}

static mat3 tet_change(const damped_tet *t, const vec3 *of) {
  vec3 o = of[t->node[0]];
  mat3 edges = mat3_from_columns(vec3_sub(of[t->node[1]], o), vec3_sub(of[t->node[2]], o),
                                 vec3_sub(of[t->node[3]], o));
  return mat3_mul(&edges, &t->b);
}

static void frame_tet(damped_tet *t, const vec3 *x) {
  mat3 f = tet_change(t, x), u, v;
  vec3 stretches;
  svd3_decompose(&f, &u, &stretches, &v);
  t->g = mat3_scale(1 / fmax(1, stretches.x), &f);
}

/* How the angle of energy/bending.h answers. Where the opposite vertices are nearer to the edge
 * than at rest it answers more than the matrix is made for; that much is left out. */
static void frame_hinge(damped_hinge *h, const vec3 *x) {
  vec3 x0 = x[h->node[0]], e = vec3_sub(x[h->node[1]], x0);
  double length2 = vec3_norm2(e), size = 0, most = 0;
  for (int k = 0; k < 4; k++) h->gradient[k] = vec3_make(0, 0, 0);
  for (int k = 2; k < 4; k++) {
    vec3 r = vec3_sub(x[h->node[k]], x0), n = k == 2 ? vec3_cross(e, r) : vec3_cross(r, e);
    double n2 = vec3_norm2(n), along = vec3_dot(r, e) / length2;
    if (!(n2 > THIN * THIN * length2 * vec3_norm2(r))) continue;
    vec3 own = h->gradient[k] = vec3_scale(-sqrt(length2) / n2, n);
    h->gradient[0] = vec3_madd(h->gradient[0], along - 1, own);
    h->gradient[1] = vec3_madd(h->gradient[1], -along, own);
  }
  for (int k = 0; k < 4; k++) {
    size += vec3_norm2(h->gradient[k]);
    most += h->weight[k] * h->weight[k];
  }
  double kept = size > most ? sqrt(most / size) : 1;
  for (int k = 0; k < 4; k++) h->gradient[k] = vec3_scale(kept, h->gradient[k]);
}

typedef struct damping_job {
  projective_damping *d;
  const vec3 *at; /* positions, or velocities */
} damping_job;

static void frame_elements(void *context, size_t begin, size_t end) {
  const damping_job *job = context;
  projective_damping *d = job->d;
  for (size_t i = begin; i < end; i++) {
    size_t e = i;
    if (e < d->triangle_count) {
      frame_triangle(&d->triangles[e], job->at);
    } else if ((e -= d->triangle_count) < d->tet_count) {
      frame_tet(&d->tets[e], job->at);
    } else {
      frame_hinge(&d->hinges[e - d->tet_count], job->at);
    }
  }
}

void projective_damping_begin(projective_damping *d, const vec3 *x) {
  damping_job job = {d, x};
  tasks_for(&d->tasks, element_count(d), GRAIN, frame_elements, &job);
}

static vec4 minus(vec3 f) { return (vec4){{-f.x, -f.y, -f.z, 0}}; }

static void damp_triangle(const damped_triangle *t, const vec3 *v, vec4 *force) {
  vec3 f0 = triangle_column(t, 0, v), f1 = triangle_column(t, 1, v);
  double e00 = vec3_dot(t->g[0], f0), e11 = vec3_dot(t->g[1], f1);
  double twist = t->shear * (vec3_dot(t->g[0], f1) + vec3_dot(t->g[1], f0));
  double along = t->warp * e00 + t->cross * e11, across = t->weft * e11 + t->cross * e00;
  vec3 p0 = vec3_madd(vec3_scale(along, t->g[0]), twist, t->g[1]);
  vec3 p1 = vec3_madd(vec3_scale(twist, t->g[0]), across, t->g[1]);
  double share[3][2];
  triangle_shares(t, share);
  for (int k = 0; k < 3; k++)
    force[k] = minus(vec3_madd(vec3_scale(share[k][0], p0), share[k][1], p1));
  force[3] = (vec4){{0, 0, 0, 0}};
}

static void damp_tet(const damped_tet *t, const vec3 *v, vec4 *force) {
  mat3 change = tet_change(t, v), turned = mat3_transposed(&t->g),
       rate = mat3_mul(&turned, &change);
  double trace = rate.m[0][0] + rate.m[1][1] + rate.m[2][2];
  mat3 stress;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      stress.m[r][c] = t->mu * (rate.m[r][c] + rate.m[c][r]) + (r == c ? t->lambda * trace : 0);
  mat3 p = mat3_mul(&t->g, &stress), g = mat3_mul_t(&p, &t->b);
  vec3 sum = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    vec3 on = mat3_column(&g, k);
    sum = vec3_add(sum, on);
    force[k + 1] = minus(on);
  }
  force[0] = (vec4){{sum.x, sum.y, sum.z, 0}};
}

static void damp_hinge(const damped_hinge *h, const vec3 *v, vec4 *force) {
  double rate = 0;
  for (int k = 0; k < 4; k++) rate += vec3_dot(h->gradient[k], v[h->node[k]]);
  for (int k = 0; k < 4; k++) force[k] = minus(vec3_scale(h->stiffness * rate, h->gradient[k]));
}

static void damp_elements(void *context, size_t begin, size_t end) {
  const damping_job *job = context;
  const projective_damping *d = job->d;
  for (size_t i = begin; i < end; i++) {
    size_t e = i;
    vec4 *force = d->force + 4 * i;
    if (e < d->triangle_count)
      damp_triangle(&d->triangles[e], job->at, force);
    else if ((e -= d->triangle_count) < d->tet_count)
      damp_tet(&d->tets[e], job->at, force);
    else
      damp_hinge(&d->hinges[e - d->tet_count], job->at, force);
  }
}

void projective_damping_elements(projective_damping *d, const vec3 *v) {
  damping_job job = {d, v};
  tasks_for(&d->tasks, element_count(d), GRAIN, damp_elements, &job);
}

void projective_damping_add(const projective_damping *d, size_t begin, size_t end, vec4 *out) {
  if (element_count(d) > 0) projective_gather_add(&d->own, d->force, begin, end, out);
}
