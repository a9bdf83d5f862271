/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/elements.h"

#include <assert.h>
#include <string.h>

/* Elements a thread should have before it is worth waking: a few tens of microseconds of work. */
enum { ENERGY_GRAIN = 512, GRADIENT_GRAIN = 512, HESSIAN_GRAIN = 128 };

tribo_status elements_arrange(const int32_t *vertices, size_t count, int arity,
                              const vec3 *positions, size_t vertex_count, arena *memory,
                              element_set *out, int32_t *order, tribo_error *err) {
  assert(arity >= 1 && arity <= ELEMENT_MAX_ARITY && count <= INT32_MAX);
  size_t n = (size_t)arity;
  int32_t *sorted = ARENA_ARRAY(memory, int32_t, count * n);
  if (!sorted) return status_no_memory(err, "the order of elements");
  *out = (element_set){.count = count, .arity = arity, .vertices = sorted};
  TRY(dissect_elements(vertices, count, arity, positions, vertex_count, memory, &out->parts, order,
                       err));
  for (size_t e = 0; e < count; e++)
    memcpy(sorted + e * n, vertices + (size_t)order[e] * n, n * sizeof *sorted);
  return TRIBO_OK;
}

tribo_status elements_bind(element_set *set, const bcsr_pattern *pattern, arena *memory,
                           tribo_error *err) {
  size_t n = (size_t)set->arity;
  set->slots = ARENA_ARRAY(memory, int32_t, set->count * n * n);
  if (!set->slots) return status_no_memory(err, "the matrix slots of elements");
  for (size_t e = 0; e < set->count; e++) {
    const int32_t *v = set->vertices + e * n;
    int32_t *slots = set->slots + e * n * n;
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++) {
        slots[a * n + b] = bcsr_find(pattern, v[a], v[b]);
        assert(slots[a * n + b] >= 0); /* the pattern was made without this set */
      }
  }
  return TRIBO_OK;
}

/* ------------------------------------------------------------------------------------- loops -- */

typedef struct element_job {
  const energy_term *term;
  const vec3 *x;
  const size_t *part_start; /* of the level's parts */
  double *energies;
  vec3 *g;
  bcsr *h;
  hessian_kind kind;
  double scale;
} element_job;

static const int32_t *gather(const element_set *set, size_t e, const vec3 *x, vec3 *own) {
  const int32_t *v = set->vertices + e * (size_t)set->arity;
  for (int a = 0; a < set->arity; a++) own[a] = x[v[a]];
  return v;
}

/* Level after level; within a level its parts side by side, where it has work for several threads.
 */
static void run_by_level(element_job *job, const tasks *t, size_t grain, tasks_body body) {
  const dissection *parts = &job->term->set->parts;
  for (size_t level = 0; level < parts->level_count; level++) {
    size_t first = parts->level_start[level], count = parts->level_start[level + 1] - first;
    job->part_start = parts->part_start + first;
    size_t elements = job->part_start[count] - job->part_start[0];
    tasks_for(t, count, elements >= 2 * grain ? 1 : count, body, job);
  }
}

static void energy_body(void *context, size_t begin, size_t end) {
  const element_job *job = context;
  const energy_term *term = job->term;
  vec3 own[ELEMENT_MAX_ARITY];
  for (size_t e = begin; e < end; e++) {
    gather(term->set, e, job->x, own);
    job->energies[e] = term->kernel->energy(term->data, e, own);
  }
}

double elements_energy(const energy_term *term, const tasks *t, const vec3 *x, double *scratch) {
  element_job job = {.term = term, .x = x, .energies = scratch};
  tasks_for(t, term->set->count, ENERGY_GRAIN, energy_body, &job);
  return tasks_sum(t, scratch, term->set->count);
}

static void gradient_body(void *context, size_t begin, size_t end) {
  const element_job *job = context;
  const energy_term *term = job->term;
  vec3 own[ELEMENT_MAX_ARITY], g[ELEMENT_MAX_ARITY];
  for (size_t e = job->part_start[begin]; e < job->part_start[end]; e++) {
    const int32_t *v = gather(term->set, e, job->x, own);
    term->kernel->gradient(term->data, e, own, g);
    for (int a = 0; a < term->set->arity; a++) job->g[v[a]] = vec3_add(job->g[v[a]], g[a]);
  }
}

void elements_gradient(const energy_term *term, const tasks *t, const vec3 *x, vec3 *g) {
  element_job job = {.term = term, .x = x, .g = g};
  run_by_level(&job, t, GRADIENT_GRAIN, gradient_body);
}

static void hessian_body(void *context, size_t begin, size_t end) {
  const element_job *job = context;
  const energy_term *term = job->term;
  size_t arity = (size_t)term->set->arity, n = 3 * arity;
  vec3 own[ELEMENT_MAX_ARITY];
  double h[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  for (size_t e = job->part_start[begin]; e < job->part_start[end]; e++) {
    gather(term->set, e, job->x, own);
    term->kernel->hessian(term->data, e, own, job->kind, h);
    const int32_t *slots = term->set->slots + e * arity * arity;
    for (size_t a = 0; a < arity; a++)
      for (size_t b = 0; b < arity; b++) {
        mat3 *block = &job->h->blocks[slots[a * arity + b]];
        const double *from = h + 3 * a * n + 3 * b;
        for (size_t i = 0; i < 3; i++)
          for (size_t j = 0; j < 3; j++) block->m[i][j] += job->scale * from[i * n + j];
      }
  }
}

void elements_hessian(const energy_term *term, const tasks *t, const vec3 *x, hessian_kind kind,
                      double scale, bcsr *h) {
  assert(term->set->slots || !term->set->count); /* elements_bind comes first */
  element_job job = {.term = term, .x = x, .h = h, .kind = kind, .scale = scale};
  run_by_level(&job, t, HESSIAN_GRAIN, hessian_body);
}
