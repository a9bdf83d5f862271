/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_cloth.h"

#include <math.h>
#include <string.h>

#include "energy/membrane.h"

/* Triangles come in blocks, as wide as the widest vectors. */
enum { BLOCK = 8 };

/* Of them, and of folds, what is worth a thread. */
enum { BLOCKS = 1024, FOLDS = 8192 };

/* A rest angle below this is one of rounding. */
static const double FLAT = 1e-9;

/* A triangle thinner than this, against its size, has no normal; nothing then turns it but its
 * threads and its neighbours. */
static const double THIN = 1e-9;

/* ---- forces -----------------------------------------------------------------------------------
 */

typedef double quad __attribute__((vector_size(32), may_alias));
typedef int64_t quad_mask __attribute__((vector_size(32)));

/* One copy for each width of vectors; nothing is fused, so the bits are the same. */
#define TARGET
#define NAME(function) function##_plain
#define WIDTH          4
#define lanes          quad
#define lanes_mask     quad_mask
#define SQRT(v)        ((quad){sqrt((v)[0]), sqrt((v)[1]), sqrt((v)[2]), sqrt((v)[3])})
#define JOIN(quads)    (quads)[0]
#define PART(v, which) (v)
#include "projective/projective_stretch.inl"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET         __attribute__((target("avx2")))
#define NAME(function) function##_avx2
#define WIDTH          4
#define lanes          quad
#define lanes_mask     quad_mask
#define SQRT(v)        _mm256_sqrt_pd(v)
#define JOIN(quads)    (quads)[0]
#define PART(v, which) (v)
#include "projective/projective_stretch.inl"

typedef double eight __attribute__((vector_size(64), may_alias));
typedef int64_t eight_mask __attribute__((vector_size(64)));

#define TARGET         __attribute__((target("avx512f,avx512dq,avx512vl")))
#define NAME(function) function##_avx512
#define WIDTH          8
#define lanes          eight
#define lanes_mask     eight_mask
#define SQRT(v)        _mm512_sqrt_pd(v)
#define JOIN(quads)    __builtin_shufflevector((quads)[0], (quads)[1], 0, 1, 2, 3, 4, 5, 6, 7)
#define PART(v, which)                                                                             \
  ((which) ? __builtin_shufflevector(v, v, 4, 5, 6, 7) : __builtin_shufflevector(v, v, 0, 1, 2, 3))
#include "projective/projective_stretch.inl"

static void choose_width(projective_cloth *c) {
  bool wide = __builtin_cpu_supports("avx2");
  bool widest = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
  c->stretch_blocks = widest ? stretch_avx512 : wide ? stretch_avx2 : stretch_plain;
  c->gather = widest ? gather_avx512 : wide ? gather_avx2 : gather_plain;
}
#else
static void choose_width(projective_cloth *c) {
  c->stretch_blocks = stretch_plain;
  c->gather = gather_plain;
}
#endif

typedef struct element_job {
  projective_cloth *c;
  const vec4 *x;
} element_job;

static void stretch_job(void *context, size_t begin, size_t end) {
  const element_job *job = context;
  job->c->stretch_blocks(&job->c->stretch, job->x, begin, end);
}

/* Where the hinge should be: bent as at rest, to the side that it is bent to, unless that is the
 * wrong one. */
static vec3 aim_fold(const projective_fold *f, const vec3 x[4], vec3 bent) {
  vec3 e = vec3_sub(x[1], x[0]);
  vec3 n1 = vec3_cross(e, vec3_sub(x[2], x[0])), n2 = vec3_cross(vec3_sub(x[3], x[0]), e);
  vec3 down = vec3_scale(-1, vec3_add(vec3_normalized(n1), vec3_normalized(n2)));
  double length = vec3_norm(bent);
  /* theta > 0: the opposite vertices have gone down against n1 and n2 */
  bool right_side = vec3_dot(bent, down) * f->bend > 0 && length > 1e-6 * fabs(f->bend);
  if (right_side) return vec3_scale(fabs(f->bend) / length, bent);
  return vec3_scale(f->bend, vec3_normalized(down));
}

static vec3 bend_of(const projective_fold *f, const vec4 *at, vec3 x[4]) {
  vec3 bent = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    x[k] = vec3_from(at[f->node[k]].at);
    bent = vec3_madd(bent, f->weight[k], x[k]);
  }
  return bent;
}

static void fold_job(void *context, size_t begin, size_t end) {
  const element_job *job = context;
  for (size_t i = begin; i < end; i++) {
    const projective_fold *f = &job->c->folds[i];
    vec3 x[4], bent = bend_of(f, job->x, x);
    vec3 aim = vec3_scale(f->stiffness, aim_fold(f, x, bent));
    for (int k = 0; k < 4; k++) {
      double w = f->weight[k];
      job->c->fold_force[4 * i + (size_t)k] = (vec4){{w * aim.x, w * aim.y, w * aim.z, 0}};
    }
  }
}

void projective_cloth_elements(projective_cloth *c, const vec4 *x) {
  element_job job = {c, x};
  tasks_for(&c->tasks, c->stretch.padded / BLOCK, BLOCKS, stretch_job, &job);
  tasks_for(&c->tasks, c->fold_count, FOLDS, fold_job, &job);
}

void projective_cloth_forces(const projective_cloth *c, const vec4 *x, size_t begin, size_t end,
                             vec4 *out) {
  c->gather(c, x, begin, end, out);
}

/* ---- energy -----------------------------------------------------------------------------------
 */

static double stretch_energy(const projective_stretch *s, size_t e, const vec4 *x) {
  vec3 x0 = vec3_from(x[s->corner[0][e]].at);
  vec3 e1 = vec3_sub(vec3_from(x[s->corner[1][e]].at), x0);
  vec3 e2 = vec3_sub(vec3_from(x[s->corner[2][e]].at), x0);
  vec3 f0 = vec3_madd(vec3_scale(s->b[0][e], e1), s->b[2][e], e2);
  vec3 f1 = vec3_madd(vec3_scale(s->b[1][e], e1), s->b[3][e], e2);
  /* |F - R|^2 = |F|^2 - 2 tr S + 2 */
  double size = vec3_norm2(f0) + vec3_norm2(f1);
  double trace = sqrt(size + 2 * vec3_norm(vec3_cross(f0, f1)));
  double l0 = vec3_norm(f0) - 1, l1 = vec3_norm(f1) - 1;
  return 0.5 * (s->polar[e] * (size - 2 * trace + 2) + s->trace[e] * (trace - 2) * (trace - 2) +
                s->thread[0][e] * l0 * l0 + s->thread[1][e] * l1 * l1);
}

static double *sum_of(int32_t node, const int32_t *piece_of, double *sums) {
  return &sums[piece_of ? piece_of[node] : 0];
}

void projective_cloth_energies(const projective_cloth *c, const vec4 *x, const int32_t *piece_of,
                               double *sums) {
  const bcsr_pattern *pattern = &c->model->pattern;
  const projective_stretch *s = &c->stretch;
  for (size_t e = 0; e < s->count; e++)
    *sum_of(s->corner[0][e], piece_of, sums) += stretch_energy(s, e, x);
  for (int32_t i = 0; c->bends && i < pattern->rows; i++)
    for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++)
      *sum_of(i, piece_of, sums) +=
          0.5 * c->bending[k] * vec3_dot(vec3_from(x[i].at), vec3_from(x[pattern->columns[k]].at));
  for (size_t i = 0; i < c->fold_count; i++) {
    const projective_fold *f = &c->folds[i];
    vec3 corner[4], bent = bend_of(f, x, corner);
    *sum_of(f->node[0], piece_of, sums) +=
        f->stiffness * (0.5 * f->bend * f->bend - vec3_dot(bent, aim_fold(f, corner, bent)));
  }
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static bool allocate_stretch(size_t triangles, arena *memory, projective_stretch *s) {
  bool whole = true;
  size_t count = (triangles + BLOCK - 1) / BLOCK * BLOCK;
  s->count = triangles;
  s->padded = count;
  for (int k = 0; k < 3; k++) whole &= !!(s->corner[k] = ARENA_ARRAY(memory, int32_t, count));
  for (int k = 0; k < 4; k++) whole &= !!(s->b[k] = ARENA_ARRAY(memory, double, count));
  for (int k = 0; k < 2; k++) {
    whole &= !!(s->thread[k] = ARENA_ARRAY(memory, double, count));
    whole &= !!(s->bound[k] = ARENA_ARRAY(memory, double, count));
  }
  s->polar = ARENA_ARRAY(memory, double, count);
  s->trace = ARENA_ARRAY(memory, double, count);
  s->force = ARENA_ARRAY(memory, vec4, 3 * count);
  return whole && s->polar && s->trace && s->force;
}

/* The bound of the weights: |F - R|^2 has its full Hessian below 2 of F's, (tr S)^2 below 2 of it
 * too (the gradient R of tr S has the square 2), threads below 1. A negative weight of threads
 * bends the other way and needs no bound as long as the thread is not pressed together. */
static void take_triangle(const membrane_element *m, const int32_t *nodes, size_t e,
                          projective_stretch *s) {
  double polar = 2 * m->shear, stiffness[2] = {m->warp, m->weft};
  for (int k = 0; k < 3; k++) s->corner[k][e] = nodes[k];
  for (int k = 0; k < 4; k++) s->b[k][e] = m->inverse_rest[k / 2][k % 2];
  s->polar[e] = m->area * polar;
  s->trace[e] = m->area * m->cross;
  for (int k = 0; k < 2; k++) {
    double thread = stiffness[k] - m->cross - polar;
    s->thread[k][e] = m->area * thread;
    s->bound[k][e] = m->area * (polar + 2 * m->cross + fmax(thread, 0));
  }
}

projective_fold projective_fold_make(const bending_element *b, const int32_t *nodes,
                                     const vec3 *rest) {
  projective_fold f = {.stiffness = b->stiffness, .bend = 2 * sin(0.5 * b->rest_angle)};
  vec3 x0 = rest[nodes[0]], edge = vec3_sub(rest[nodes[1]], x0);
  double length2 = vec3_norm2(edge);
  for (int k = 0; k < 4; k++) f.node[k] = nodes[k];
  for (int k = 2; k < 4; k++) {
    vec3 r = vec3_sub(rest[nodes[k]], x0);
    double s = vec3_dot(r, edge) / length2;
    double height = vec3_norm(vec3_madd(r, -s, edge));
    f.weight[0] += (s - 1) / height;
    f.weight[1] -= s / height;
    f.weight[k] = 1 / height;
  }
  return f;
}

static void add_to_bending(const projective_fold *f, const bcsr_pattern *pattern, double *values) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      values[bcsr_find(pattern, f->node[i], f->node[j])] +=
          f->stiffness * f->weight[i] * f->weight[j];
}

static void take_terms(const model *m, projective_cloth *c) {
  size_t e = 0;
  for (size_t k = 0; k < m->elastic_count; k++) {
    const energy_term *term = &m->elastics[k].term;
    const int32_t *nodes = term->set->vertices;
    for (size_t i = 0; i < term->set->count; i++) {
      if (term->kernel == &membrane_kernel) {
        take_triangle((const membrane_element *)term->data + i, nodes + 3 * i, e++, &c->stretch);
        continue;
      }
      if (term->kernel != &bending_kernel) break;
      projective_fold f =
          projective_fold_make((const bending_element *)term->data + i, nodes + 4 * i, m->rest);
      add_to_bending(&f, &m->pattern, c->bending);
      if (fabs(f.bend) > FLAT) c->folds[c->fold_count++] = f;
    }
  }
}

tribo_status projective_cloth_create(const model *m, const tasks *t, arena *memory,
                                     projective_cloth *out, tribo_error *err) {
  *out = (projective_cloth){.model = m, .tasks = *t};
  size_t triangles = 0, hinges = 0;
  for (size_t k = 0; k < m->elastic_count; k++) {
    const energy_term *term = &m->elastics[k].term;
    if (term->kernel == &membrane_kernel) triangles += term->set->count;
    if (term->kernel == &bending_kernel) hinges += term->set->count;
  }
  out->folds = ARENA_ARRAY(memory, projective_fold, hinges);
  out->bending = ARENA_ARRAY(memory, double, bcsr_block_count(&m->pattern));
  if (!allocate_stretch(triangles, memory, &out->stretch) || !out->folds || !out->bending)
    return status_no_memory(err, "cloth");
  out->bends = hinges > 0;
  choose_width(out);
  take_terms(m, out);

  int32_t *fold_nodes[4];
  bool whole = true;
  for (int k = 0; k < 4; k++) {
    whole &= !!(fold_nodes[k] = ARENA_ARRAY(memory, int32_t, out->fold_count));
    for (size_t f = 0; whole && f < out->fold_count; f++) fold_nodes[k][f] = out->folds[f].node[k];
  }
  out->fold_force = ARENA_ARRAY(memory, vec4, 4 * out->fold_count);
  whole = whole && out->fold_force &&
          projective_gather_create((const int32_t *const *)out->stretch.corner, 3, triangles,
                                   m->node_count, memory, &out->stretched) &&
          projective_gather_create((const int32_t *const *)fold_nodes, 4, out->fold_count,
                                   m->node_count, memory, &out->folded);
  return whole ? TRIBO_OK : status_no_memory(err, "cloth");
}

void projective_cloth_matrix(const projective_cloth *c, double scale, double *values) {
  const bcsr_pattern *pattern = &c->model->pattern;
  const projective_stretch *s = &c->stretch;
  for (int32_t k = 0; k < bcsr_block_count(pattern); k++) values[k] += scale * c->bending[k];
  for (size_t e = 0; e < s->count; e++) {
    double b[3][2] = {{-s->b[0][e] - s->b[2][e], -s->b[1][e] - s->b[3][e]},
                      {s->b[0][e], s->b[1][e]},
                      {s->b[2][e], s->b[3][e]}};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        values[bcsr_find(pattern, s->corner[i][e], s->corner[j][e])] +=
            scale * (s->bound[0][e] * b[i][0] * b[j][0] + s->bound[1][e] * b[i][1] * b[j][1]);
  }
}
