/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/prefactor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linsys/prefactor_sweep.h"
#include "linsys/supernodal.h"

/* Subtrees up to this share of the numbers of L are jobs of their own. */
static const double JOB_SHARE = 1.0 / 8;

/* Below so many numbers a solve takes a third of a millisecond, and other threads come too late. */
static const size_t SHARED = 600000;

/* Supernodes [begin, end), a whole subtree. What it leaves to the `above` rows that its root has
 * below the diagonal stands in x from `slot` on until all jobs are done. */
typedef struct prefactor_job {
  int32_t begin, end;
  int32_t slot, above;
} prefactor_job;

struct prefactor {
  arena memory;
  tasks tasks;
  const prefactor_sweep *sweep;
  int32_t rows;
  supernodal_shape shape;
  int32_t *parent;   /* of supernodes; -1: none */
  size_t *values_at; /* of fronts */
  double *values;
  int32_t *target; /* beside shape.rows: where a row stands in x */
  prefactor_job *jobs;
  size_t job_count;
  int32_t *top; /* supernodes above all jobs, ascending */
  size_t top_count;
  prefactor_row *x; /* of all rows in the order of elimination; then the slots of jobs */

  const vec3 *b; /* of the solve at hand */
  vec3 *out;
};

static int32_t width_of(const prefactor *p, int32_t node) {
  return p->shape.first[node + 1] - p->shape.first[node];
}

static int32_t height_of(const prefactor *p, int32_t node) {
  return (int32_t)(p->shape.rows_at[node + 1] - p->shape.rows_at[node]);
}

static size_t size_of(const prefactor *p, int32_t node) {
  return (size_t)width_of(p, node) * (size_t)height_of(p, node);
}

/* ---- the factorisation, once ------------------------------------------------------------------
 */

typedef struct factoring {
  prefactor *p;
  const bcsr_pattern *pattern;
  const double *values;
  int32_t *place;   /* of a row of the matrix in the order of elimination */
  int32_t *local;   /* of such a row in the front at hand */
  double *front;    /* height x height, by columns, lower triangle */
  double **updates; /* what a supernode leaves to its parent; NULL: nothing, or taken */
} factoring;

static void take_entries(const factoring *f, int32_t node, double *front) {
  const prefactor *p = f->p;
  size_t height = (size_t)height_of(p, node);
  memset(front, 0, height * height * sizeof *front);
  for (int32_t c = p->shape.first[node]; c < p->shape.first[node + 1]; c++) {
    int32_t row = p->shape.order[c];
    double *column = front + (size_t)(c - p->shape.first[node]) * height;
    for (int32_t k = f->pattern->row_start[row]; k < f->pattern->row_start[row + 1]; k++) {
      int32_t at = f->place[f->pattern->columns[k]];
      if (at >= c) column[f->local[at]] = f->values[k];
    }
  }
}

/* Adds what a child has left, whose rows below are among those of the front. */
static void take_child(const factoring *f, int32_t node, int32_t child, double *front) {
  const prefactor *p = f->p;
  size_t height = (size_t)height_of(p, node);
  size_t below = (size_t)(height_of(p, child) - width_of(p, child));
  const int32_t *rows = p->shape.rows + p->shape.rows_at[child] + width_of(p, child);
  const double *from = f->updates[child];
  for (size_t j = 0; j < below; j++) {
    double *to = front + (size_t)f->local[rows[j]] * height;
    for (size_t i = j; i < below; i++) to[f->local[rows[i]]] += from[j * below + i];
  }
}

/* The first `width` columns of a symmetric matrix; false: not positive definite. */
static bool eliminate(double *front, size_t height, size_t width) {
  for (size_t k = 0; k < width; k++) {
    double *column = front + k * height;
    if (!(column[k] > 0) || !isfinite(column[k])) return false;
    column[k] = sqrt(column[k]);
    double inverse = 1 / column[k];
    for (size_t i = k + 1; i < height; i++) column[i] *= inverse;
    for (size_t j = k + 1; j < height; j++) {
      double *to = front + j * height, factor = column[j];
      if (factor == 0) continue;
      for (size_t i = j; i < height; i++) to[i] -= factor * column[i];
    }
  }
  return true;
}

/* By rows, as the sweeps want them, with the inverse of the diagonal. */
static void keep_rows(const double *front, size_t height, size_t width, double *to) {
  for (size_t r = 0; r < height; r++)
    for (size_t j = 0; j < width; j++)
      to[r * width + j] = j < r ? front[j * height + r] : j == r ? 1 / front[j * height + r] : 0;
}

typedef enum front_outcome { FRONT_DONE, FRONT_NO_MEMORY, FRONT_INDEFINITE } front_outcome;

static front_outcome factor_front(factoring *f, int32_t node, const int32_t *child,
                                  const int32_t *sibling) {
  prefactor *p = f->p;
  size_t height = (size_t)height_of(p, node), width = (size_t)width_of(p, node);
  const int32_t *rows = p->shape.rows + p->shape.rows_at[node];
  for (size_t i = 0; i < height; i++) f->local[rows[i]] = (int32_t)i;
  take_entries(f, node, f->front);
  for (int32_t c = child[node]; c >= 0; c = sibling[c]) {
    if (!f->updates[c]) continue;
    take_child(f, node, c, f->front);
    free(f->updates[c]);
    f->updates[c] = NULL;
  }
  if (!eliminate(f->front, height, width)) return FRONT_INDEFINITE;
  keep_rows(f->front, height, width, p->values + p->values_at[node]);
  size_t below = height - width;
  if (below == 0) return FRONT_DONE;
  double *update = malloc(below * below * sizeof *update);
  if (!update) return FRONT_NO_MEMORY;
  for (size_t j = 0; j < below; j++)
    memcpy(update + j * below, f->front + (width + j) * height + width, below * sizeof *update);
  f->updates[node] = update;
  return FRONT_DONE;
}

static tribo_status factor_all(factoring *f, arena *scratch, tribo_error *err) {
  prefactor *p = f->p;
  size_t count = (size_t)p->shape.count, most = 0;
  int32_t *child = ARENA_ARRAY(scratch, int32_t, count);
  int32_t *sibling = ARENA_ARRAY(scratch, int32_t, count);
  for (int32_t n = 0; n < p->shape.count; n++)
    if ((size_t)height_of(p, n) > most) most = (size_t)height_of(p, n);
  f->place = ARENA_ARRAY(scratch, int32_t, p->rows);
  f->local = ARENA_ARRAY(scratch, int32_t, p->rows);
  f->front = ARENA_ARRAY(scratch, double, most *most);
  f->updates = ARENA_ARRAY(scratch, double *, count);
  if (!child || !sibling || !f->place || !f->local || !f->front || !f->updates)
    return status_no_memory(err, "the factorisation");
  for (int32_t i = 0; i < p->rows; i++) f->place[p->shape.order[i]] = i;
  for (size_t n = 0; n < count; n++) child[n] = sibling[n] = -1;
  for (size_t n = count; n-- > 0;) {
    if (p->parent[n] < 0) continue;
    sibling[n] = child[p->parent[n]];
    child[p->parent[n]] = (int32_t)n;
  }
  front_outcome outcome = FRONT_DONE;
  for (int32_t n = 0; n < p->shape.count && outcome == FRONT_DONE; n++)
    outcome = factor_front(f, n, child, sibling);
  for (size_t n = 0; n < count; n++) free(f->updates[n]);
  if (outcome == FRONT_NO_MEMORY) return status_no_memory(err, "the factorisation");
  if (outcome == FRONT_INDEFINITE)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the matrix of the step is not positive definite; a mass or a stiffness is "
                       "beyond what numbers hold");
  return TRIBO_OK;
}

/* ---- the plan of the solves -------------------------------------------------------------------
 */

static tribo_status find_parents(prefactor *p, arena *scratch, tribo_error *err) {
  int32_t count = p->shape.count;
  int32_t *owner = ARENA_ARRAY(scratch, int32_t, p->rows);
  p->parent = ARENA_ARRAY(&p->memory, int32_t, count);
  p->values_at = ARENA_ARRAY(&p->memory, size_t, (size_t)count + 1);
  if (!owner || !p->parent || !p->values_at) return status_no_memory(err, "the factorisation");
  for (int32_t n = 0; n < count; n++) {
    for (int32_t c = p->shape.first[n]; c < p->shape.first[n + 1]; c++) owner[c] = n;
    p->values_at[n + 1] = p->values_at[n] + size_of(p, n);
  }
  for (int32_t n = 0; n < count; n++) {
    bool root = height_of(p, n) == width_of(p, n);
    p->parent[n] = root ? -1 : owner[p->shape.rows[p->shape.rows_at[n] + (size_t)width_of(p, n)]];
  }
  return TRIBO_OK;
}

/* The largest subtrees that are small enough. Supernodes are in postorder: a subtree is a run. */
static tribo_status cut_into_jobs(prefactor *p, arena *scratch, int32_t *slots, tribo_error *err) {
  size_t count = (size_t)p->shape.count;
  double *work = ARENA_ARRAY(scratch, double, count);
  int32_t *size = ARENA_ARRAY(scratch, int32_t, count);
  p->jobs = ARENA_ARRAY(&p->memory, prefactor_job, count);
  p->top = ARENA_ARRAY(&p->memory, int32_t, count);
  if (!work || !size || !p->jobs || !p->top) return status_no_memory(err, "the factorisation");
  for (size_t n = 0; n < count; n++) {
    work[n] += (double)size_of(p, (int32_t)n);
    size[n]++;
    if (p->parent[n] < 0) continue;
    work[p->parent[n]] += work[n];
    size[p->parent[n]] += size[n];
  }
  double most = JOB_SHARE * (double)p->values_at[count];
  for (size_t n = 0; n < count; n++) {
    if (work[n] > most) {
      p->top[p->top_count++] = (int32_t)n;
      continue;
    }
    if (p->parent[n] >= 0 && work[p->parent[n]] <= most) continue;
    int32_t above = height_of(p, (int32_t)n) - width_of(p, (int32_t)n);
    p->jobs[p->job_count++] =
        (prefactor_job){(int32_t)n - size[n] + 1, (int32_t)n + 1, p->rows + *slots, above};
    *slots += above;
  }
  return TRIBO_OK;
}

/* Rows that a subtree leaves to supernodes above it are among those that its root does: both lists
 * ascend. */
static void aim_job(prefactor *p, const prefactor_job *job) {
  int32_t root = job->end - 1, after = p->shape.first[job->end];
  const int32_t *above = p->shape.rows + p->shape.rows_at[root] + width_of(p, root);
  for (int32_t n = job->begin; n < job->end; n++) {
    int32_t k = 0;
    for (size_t i = p->shape.rows_at[n]; i < p->shape.rows_at[n + 1]; i++) {
      int32_t row = p->shape.rows[i];
      while (row >= after && above[k] < row) k++;
      p->target[i] = row < after ? row : job->slot + k;
    }
  }
}

static tribo_status plan(prefactor *p, arena *scratch, tribo_error *err) {
  int32_t slots = 0;
  size_t total = p->shape.rows_at[p->shape.count];
  TRY(cut_into_jobs(p, scratch, &slots, err));
  p->target = ARENA_ARRAY(&p->memory, int32_t, total);
  p->x = ARENA_ARRAY(&p->memory, prefactor_row, p->rows + slots);
  p->values = ARENA_ARRAY(&p->memory, double, p->values_at[p->shape.count]);
  if (!p->target || !p->x || !p->values) return status_no_memory(err, "the factorisation");
  memcpy(p->target, p->shape.rows, total * sizeof *p->target);
  for (size_t j = 0; j < p->job_count; j++) aim_job(p, &p->jobs[j]);
  return TRIBO_OK;
}

tribo_status prefactor_create(const bcsr_pattern *pattern, const double *values,
                              const int32_t *places, const tasks *t, prefactor **out,
                              tribo_error *err) {
  prefactor *p = calloc(1, sizeof *p);
  *out = NULL;
  if (!p) return status_no_memory(err, "the factorisation");
  p->tasks = *t;
  p->rows = pattern->rows;
  p->sweep = prefactor_sweep_best();
  arena scratch = {0};
  factoring work = {.p = p, .pattern = pattern, .values = values};
  tribo_status status = linsys_cholmod_shape(pattern, &p->memory, &p->shape, err);
  if (status == TRIBO_OK) status = find_parents(p, &scratch, err);
  if (status == TRIBO_OK) status = plan(p, &scratch, err);
  if (status == TRIBO_OK) status = factor_all(&work, &scratch, err);
  arena_free(&scratch);
  for (int32_t c = 0; status == TRIBO_OK && places && c < p->rows; c++)
    p->shape.order[c] = places[p->shape.order[c]];
  if (status == TRIBO_OK)
    *out = p;
  else
    prefactor_free(p);
  return status;
}

void prefactor_free(prefactor *p) {
  if (!p) return;
  arena_free(&p->memory);
  free(p);
}

size_t prefactor_size(const prefactor *p) { return p->values_at[p->shape.count]; }

/* ---- solving ----------------------------------------------------------------------------------
 */

static prefactor_front front_of(const prefactor *p, int32_t node) {
  int32_t width = width_of(p, node);
  return (prefactor_front){width, height_of(p, node), p->values + p->values_at[node],
                           p->shape.first[node],
                           p->target + p->shape.rows_at[node] + (size_t)width};
}

static void fetch(prefactor *p, int32_t node) {
  for (int32_t c = p->shape.first[node]; c < p->shape.first[node + 1]; c++) {
    vec3 b = p->b[p->shape.order[c]];
    p->x[c] = (prefactor_row){{b.x, b.y, b.z, 0}};
  }
}

static void deliver(const prefactor *p, int32_t node) {
  for (int32_t c = p->shape.first[node]; c < p->shape.first[node + 1]; c++) {
    const double *x = p->x[c].at;
    p->out[p->shape.order[c]] = vec3_make(x[0], x[1], x[2]);
  }
}

static void forward_jobs(void *context, size_t begin, size_t end) {
  prefactor *p = context;
  for (const prefactor_job *job = p->jobs + begin; job < p->jobs + end; job++) {
    memset(p->x + job->slot, 0, (size_t)job->above * sizeof *p->x);
    for (int32_t n = job->begin; n < job->end; n++) fetch(p, n);
    for (int32_t n = job->begin; n < job->end; n++) {
      prefactor_front front = front_of(p, n);
      p->sweep->forward(&front, p->x);
    }
  }
}

/* The rows above job j, as they stand in x. */
static const int32_t *rows_above(const prefactor *p, const prefactor_job *job) {
  int32_t root = job->end - 1;
  return p->shape.rows + p->shape.rows_at[root] + width_of(p, root);
}

static void pass_top(prefactor *p) {
  for (size_t k = 0; k < p->top_count; k++) fetch(p, p->top[k]);
  for (const prefactor_job *job = p->jobs; job < p->jobs + p->job_count; job++) {
    const int32_t *rows = rows_above(p, job);
    for (int32_t i = 0; i < job->above; i++)
      for (int c = 0; c < 3; c++) p->x[rows[i]].at[c] += p->x[job->slot + i].at[c];
  }
  for (size_t k = 0; k < p->top_count; k++) {
    prefactor_front front = front_of(p, p->top[k]);
    p->sweep->forward(&front, p->x);
  }
  for (size_t k = p->top_count; k-- > 0;) {
    prefactor_front front = front_of(p, p->top[k]);
    p->sweep->backward(&front, p->x);
    deliver(p, p->top[k]);
  }
}

static void backward_jobs(void *context, size_t begin, size_t end) {
  prefactor *p = context;
  for (const prefactor_job *job = p->jobs + begin; job < p->jobs + end; job++) {
    const int32_t *rows = rows_above(p, job);
    for (int32_t i = 0; i < job->above; i++) p->x[job->slot + i] = p->x[rows[i]];
    for (int32_t n = job->end - 1; n >= job->begin; n--) {
      prefactor_front front = front_of(p, n);
      p->sweep->backward(&front, p->x);
      deliver(p, n);
    }
  }
}

void prefactor_solve(prefactor *p, const vec3 *b, vec3 *x) {
  tasks threads = {prefactor_size(p) > SHARED ? p->tasks.threads : 1};
  p->b = b;
  p->out = x;
  tasks_for(&threads, p->job_count, 1, forward_jobs, p);
  pass_top(p);
  tasks_for(&threads, p->job_count, 1, backward_jobs, p);
}
