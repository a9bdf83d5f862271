/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "projective/projective_solid.h"

#include <math.h>

#include "energy/solid.h"
#include "math/svd3.h"

/* Tets that are worked on at a time. */
enum { LANES = 8 };

/* Newton's iteration for R squares its error every round. A tet that is flatter or larger than
 * this, or that takes more rounds, has its singular values asked for instead. */
enum { ROUNDS = 10 };
static const double FLATTEST = 0.01;  /* det F */
static const double LARGEST = 100;    /* |F|^2 */
static const double SETTLED2 = 1e-18; /* |change of R|^2: the next would be of rounding */

/* ---- by singular values -----------------------------------------------------------------------
 */

/* The stretches s and what they are nearest to with the trace 3. */
typedef struct stretches {
  mat3 u, v;
  double s[3], nearest[3];
} stretches;

static stretches stretches_of(const mat3 *f) {
  stretches out;
  vec3 s;
  svd3_decompose(f, &out.u, &s, &out.v);
  double excess = (s.x + s.y + s.z - 3) / 3;
  vec3 near = {s.x - excess, s.y - excess, s.z - excess};
  if (excess > 0 && near.y + near.z < 0) {
    double half = fmin(0.5 * (s.y - s.z), 3);
    near = vec3_make(3, half, -half);
  }
  for (int i = 0; i < 3; i++) out.s[i] = (&s.x)[i], out.nearest[i] = (&near.x)[i];
  return out;
}

static mat3 deformation(const projective_solid *s, size_t e, const vec4 *x) {
  vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = vec3_from(x[s->corner[k][e]].at);
  mat3 edges =
      mat3_from_columns(vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0]), vec3_sub(at[3], at[0]));
  mat3 b;
  for (int k = 0; k < 9; k++) b.m[k / 3][k % 3] = s->b[k][e];
  return mat3_mul(&edges, &b);
}

void projective_solid_energies(const projective_solid *s, const vec4 *x, const int32_t *piece_of,
                               double *sums) {
  for (size_t e = 0; e < s->count; e++) {
    mat3 f = deformation(s, e, x);
    stretches by = stretches_of(&f);
    for (int i = 0; i < 3; i++) {
      double strain = by.s[i] - 1, off = by.s[i] - by.nearest[i];
      sums[piece_of ? piece_of[s->corner[0][e]] : 0] +=
          0.5 * s->polar[e] * strain * strain + 1.5 * s->trace[e] * off * off;
    }
  }
}

/* V dW/dF = U diag(V dW/ds) V^T, of one tet. */
static mat3 stress_by_stretches(const projective_solid *s, size_t e, const mat3 *f) {
  stretches by = stretches_of(f);
  mat3 scaled = by.u;
  for (int i = 0; i < 3; i++) {
    double along = s->polar[e] * (by.s[i] - 1) + 3 * s->trace[e] * (by.s[i] - by.nearest[i]);
    for (int r = 0; r < 3; r++) scaled.m[r][i] *= along;
  }
  return mat3_mul_t(&scaled, &by.v);
}

/* ---- eight at a time --------------------------------------------------------------------------
 */

#define INLINE __attribute__((always_inline)) static inline

/* A 3 x 3 matrix of each lane; [3 row + column]. */
typedef struct wide {
  double at[9][LANES];
} wide;

INLINE wide deform_block(const projective_solid *s, const vec4 *x, size_t e) {
  wide edges, f;
  for (size_t l = 0; l < LANES; l++) {
    const double *x0 = x[s->corner[0][e + l]].at;
    for (int c = 0; c < 3; c++) {
      const double *xc = x[s->corner[c + 1][e + l]].at;
      for (int r = 0; r < 3; r++) edges.at[3 * r + c][l] = xc[r] - x0[r];
    }
  }
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      for (size_t l = 0; l < LANES; l++)
        f.at[3 * r + c][l] = edges.at[3 * r][l] * s->b[c][e + l] +
                             edges.at[3 * r + 1][l] * s->b[3 + c][e + l] +
                             edges.at[3 * r + 2][l] * s->b[6 + c][e + l];
  return f;
}

INLINE void cofactors(const wide *x, wide *out) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      for (size_t l = 0; l < LANES; l++)
        out->at[3 * r + c][l] = x->at[3 * r1 + c1][l] * x->at[3 * r2 + c2][l] -
                                x->at[3 * r1 + c2][l] * x->at[3 * r2 + c1][l];
    }
}

INLINE void determinants(const wide *x, const wide *cofactor, double *out) {
  for (size_t l = 0; l < LANES; l++)
    out[l] = x->at[0][l] * cofactor->at[0][l] + x->at[1][l] * cofactor->at[1][l] +
             x->at[2][l] * cofactor->at[2][l];
}

/* R <- (R + R^-T) / 2, from F. odd: lanes that are not for this; theirs is I. */
INLINE void rotate_block(const wide *f, double *odd, wide *r) {
  wide cofactor;
  double det[LANES], size[LANES], change[LANES];
  cofactors(f, &cofactor);
  determinants(f, &cofactor, det);
  for (size_t l = 0; l < LANES; l++) size[l] = 0;
  for (int k = 0; k < 9; k++)
    for (size_t l = 0; l < LANES; l++) size[l] += f->at[k][l] * f->at[k][l];
  for (size_t l = 0; l < LANES; l++) odd[l] = det[l] > FLATTEST && size[l] < LARGEST ? 0.0 : 1.0;
  for (int k = 0; k < 9; k++)
    for (size_t l = 0; l < LANES; l++)
      r->at[k][l] = odd[l] > 0 ? (k % 4 == 0 ? 1.0 : 0.0) : f->at[k][l];
  double most = 1;
  for (int round = 0; round < ROUNDS && most > SETTLED2; round++) {
    cofactors(r, &cofactor);
    determinants(r, &cofactor, det);
    for (size_t l = 0; l < LANES; l++) det[l] = 0.5 / det[l];
    for (size_t l = 0; l < LANES; l++) change[l] = 0;
    for (int k = 0; k < 9; k++)
      for (size_t l = 0; l < LANES; l++) {
        double next = 0.5 * r->at[k][l] + det[l] * cofactor.at[k][l];
        double by = next - r->at[k][l];
        change[l] += by * by;
        r->at[k][l] = next;
      }
    most = 0;
    for (size_t l = 0; l < LANES; l++) most = change[l] > most ? change[l] : most;
  }
  for (size_t l = 0; l < LANES; l++) odd[l] = change[l] > SETTLED2 ? 1.0 : odd[l];
}

/* V dW/dF = 2 mu F + (lambda (tr S - 3) - 2 mu) R. Past what the header says of the edge a lane is
 * odd: s1 + s2 = tr S - s0 < 2 t, where s0 <= |F|. */
INLINE void stress_block(const projective_solid *s, size_t e, const wide *f, wide *p, double *odd) {
  wide r;
  double trace[LANES], size[LANES];
  rotate_block(f, odd, &r);
  for (size_t l = 0; l < LANES; l++) trace[l] = size[l] = 0;
  for (int k = 0; k < 9; k++)
    for (size_t l = 0; l < LANES; l++) {
      trace[l] += r.at[k][l] * f->at[k][l];
      size[l] += f->at[k][l] * f->at[k][l];
    }
  for (size_t l = 0; l < LANES; l++)
    odd[l] = trace[l] / 3 + 2 < sqrt(size[l]) && trace[l] > 3 ? 1.0 : odd[l];
  for (int k = 0; k < 9; k++)
    for (size_t l = 0; l < LANES; l++) {
      double on_r = s->trace[e + l] * (trace[l] - 3) - s->polar[e + l];
      p->at[k][l] = s->polar[e + l] * f->at[k][l] + on_r * r.at[k][l];
    }
}

static void mend(const projective_solid *s, size_t e, size_t lane, const wide *f, wide *p) {
  mat3 own;
  for (int k = 0; k < 9; k++) own.m[k / 3][k % 3] = f->at[k][lane];
  mat3 stress = stress_by_stretches(s, e + lane, &own);
  for (int k = 0; k < 9; k++) p->at[k][lane] = stress.m[k / 3][k % 3];
}

/* Eight tets from e on: the forces on their corners. The loops over lanes become vectors. */
INLINE void solid_block(const projective_solid *s, const vec4 *x, size_t e) {
  wide f = deform_block(s, x, e), p, g;
  double odd[LANES];
  stress_block(s, e, &f, &p, odd);
  for (size_t l = 0; l < LANES; l++)
    if (odd[l] > 0 && s->polar[e + l] > 0) mend(s, e, l, &f, &p);
  for (int r = 0; r < 3; r++)
    for (int a = 0; a < 3; a++)
      for (size_t l = 0; l < LANES; l++)
        g.at[3 * r + a][l] = p.at[3 * r][l] * s->b[3 * a][e + l] +
                             p.at[3 * r + 1][l] * s->b[3 * a + 1][e + l] +
                             p.at[3 * r + 2][l] * s->b[3 * a + 2][e + l];
  for (size_t l = 0; l < LANES; l++) {
    vec4 *force = s->force + 4 * (e + l);
    force[0] = (vec4){{0, 0, 0, 0}};
    for (int r = 0; r < 3; r++) {
      const double g1 = g.at[3 * r][l], g2 = g.at[3 * r + 1][l], g3 = g.at[3 * r + 2][l];
      force[0].at[r] = g1 + g2 + g3;
      force[1].at[r] = -g1, force[2].at[r] = -g2, force[3].at[r] = -g3;
    }
  }
}

/* One copy for each width of vectors; nothing is fused, so the bits are the same. */
#define DEFINE_BLOCKS(name, target)                                                                \
  target static void name(const projective_solid *s, const vec4 *x, size_t begin, size_t end) {    \
    for (size_t block = begin; block < end; block++) solid_block(s, x, LANES *block);              \
  }

DEFINE_BLOCKS(blocks_plain, )
#ifdef __x86_64__
DEFINE_BLOCKS(blocks_avx2, __attribute__((target("avx2"))))
DEFINE_BLOCKS(blocks_avx512, __attribute__((target("avx512f,avx512dq,avx512vl"))))

static void choose_blocks(projective_solid *s) {
  bool widest = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
  s->blocks = widest ? blocks_avx512 : __builtin_cpu_supports("avx2") ? blocks_avx2 : blocks_plain;
}
#else
static void choose_blocks(projective_solid *s) { s->blocks = blocks_plain; }
#endif

typedef struct solid_job {
  const projective_solid *s;
  const vec4 *x;
} solid_job;

static void run_blocks(void *context, size_t begin, size_t end) {
  const solid_job *job = context;
  job->s->blocks(job->s, job->x, begin, end);
}

void projective_solid_elements(projective_solid *s, const vec4 *x) {
  solid_job job = {s, x};
  tasks_for(&s->tasks, s->padded / LANES, 32, run_blocks, &job);
}

/* Every node gathers what concerns it, always in the same order. */
void projective_solid_add(const projective_solid *s, size_t begin, size_t end, vec4 *out) {
  if (s->count > 0) projective_gather_add(&s->own, s->force, begin, end, out);
}

/* ---- setting up -------------------------------------------------------------------------------
 */

static bool is_solid(const energy_term *term) {
  return term->kernel == &solid_kernel_neo_hookean ||
         term->kernel == &solid_kernel_stable_neo_hookean;
}

static bool allocate(size_t tets, arena *memory, projective_solid *s) {
  bool whole = true;
  size_t count = (tets + LANES - 1) / LANES * LANES;
  s->count = tets;
  s->padded = count;
  for (int k = 0; k < 4; k++) whole &= !!(s->corner[k] = ARENA_ARRAY(memory, int32_t, count));
  for (int k = 0; k < 9; k++) whole &= !!(s->b[k] = ARENA_ARRAY(memory, double, count));
  s->polar = ARENA_ARRAY(memory, double, count);
  s->trace = ARENA_ARRAY(memory, double, count);
  s->force = ARENA_ARRAY(memory, vec4, 4 * count);
  return whole && s->polar && s->trace && s->force;
}

static void take_terms(projective_solid *s) {
  const model *m = s->model;
  size_t e = 0;
  for (size_t k = 0; k < m->elastic_count; k++) {
    const energy_term *term = &m->elastics[k].term;
    const solid_element *elements = term->data;
    for (size_t i = 0; is_solid(term) && i < term->set->count; i++, e++) {
      const solid_element *of = &elements[i];
      for (int c = 0; c < 4; c++) s->corner[c][e] = term->set->vertices[4 * i + (size_t)c];
      for (int c = 0; c < 9; c++) s->b[c][e] = of->inverse_rest.m[c / 3][c % 3];
      s->polar[e] = of->volume * 2 * of->mu;
      s->trace[e] = of->volume * of->lambda;
    }
  }
}

tribo_status projective_solid_create(const model *m, const tasks *t, arena *memory,
                                     projective_solid *out, tribo_error *err) {
  *out = (projective_solid){.model = m, .tasks = *t};
  size_t tets = 0;
  for (size_t k = 0; k < m->elastic_count; k++)
    if (is_solid(&m->elastics[k].term)) tets += m->elastics[k].term.set->count;
  choose_blocks(out);
  if (!allocate(tets, memory, out)) return status_no_memory(err, "solids");
  take_terms(out);
  return projective_gather_create((const int32_t *const *)out->corner, 4, tets, m->node_count,
                                  memory, &out->own)
             ? TRIBO_OK
             : status_no_memory(err, "solids");
}

/* 2 mu + 3 lambda of |dF|^2, dF = sum dx_a b_a^T. */
void projective_solid_matrix(const projective_solid *s, double scale, double *values) {
  const bcsr_pattern *pattern = &s->model->pattern;
  for (size_t e = 0; e < s->count; e++) {
    double b[4][3], bound = scale * (s->polar[e] + 3 * s->trace[e]);
    for (int c = 0; c < 3; c++) {
      for (int a = 0; a < 3; a++) b[a + 1][c] = s->b[3 * a + c][e];
      b[0][c] = -(b[1][c] + b[2][c] + b[3][c]);
    }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        values[bcsr_find(pattern, s->corner[i][e], s->corner[j][e])] +=
            bound * (b[i][0] * b[j][0] + b[i][1] * b[j][1] + b[i][2] * b[j][2]);
  }
}
