/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/elements.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Elements a thread should have before it is worth waking: a few tens of microseconds of work. */
enum { ENERGY_GRAIN = 512, GRADIENT_GRAIN = 256, HESSIAN_GRAIN = 64 };

enum { UNCOLORED = -1 };

/* --------------------------------------------------------------------------------- colouring -- */

static int lowest_bit(uint64_t bits) {
  int i = 0;
  for (; !(bits & 1); bits >>= 1) i++;
  return i;
}

/* Greedy, in element order: the smallest colour that no earlier element at one of the vertices has.
 * A vertex keeps its 64 colours in one word. Elements that find all of them taken wait for another
 * round with the next 64; colours of a later round never hinder an earlier one, so the result is
 * that of words of unlimited length. Returns the number of colours. */
static size_t color_greedily(const int32_t *vertices, size_t count, size_t arity,
                             size_t vertex_count, uint64_t *taken, int32_t *color) {
  size_t color_count = 0, left = count;
  for (size_t e = 0; e < count; e++) color[e] = UNCOLORED;
  for (int32_t base = 0; left; base += 64) {
    memset(taken, 0, vertex_count * sizeof *taken);
    for (size_t e = 0; e < count; e++) {
      if (color[e] != UNCOLORED) continue;
      const int32_t *v = vertices + e * arity;
      uint64_t used = 0;
      for (size_t a = 0; a < arity; a++) used |= taken[v[a]];
      if (!~used) continue;
      int bit = lowest_bit(~used);
      for (size_t a = 0; a < arity; a++) taken[v[a]] |= UINT64_C(1) << bit;
      color[e] = base + bit;
      if ((size_t)color[e] >= color_count) color_count = (size_t)color[e] + 1;
      left--;
    }
  }
  return color_count;
}

tribo_status elements_color(const int32_t *vertices, size_t count, int arity, size_t vertex_count,
                            arena *memory, element_set *out, int32_t *order, tribo_error *err) {
  assert(arity >= 1 && arity <= ELEMENT_MAX_ARITY && count <= INT32_MAX);
  size_t n = (size_t)arity;
  uint64_t *taken = malloc((vertex_count + 1) * sizeof *taken);
  int32_t *color = malloc((count + 1) * sizeof *color);
  int32_t *sorted = ARENA_ARRAY(memory, int32_t, count * n);
  size_t color_count = 0, *start = NULL;
  if (taken && color && sorted) {
    color_count = color_greedily(vertices, count, n, vertex_count, taken, color);
    start = ARENA_ARRAY(memory, size_t, color_count + 1);
  }
  if (!start) {
    free(taken);
    free(color);
    return status_no_memory(err, "the colouring of elements");
  }

  /* A counting sort by colour: stable, so a colour keeps the order of its elements. While it runs,
   * start[c] is where the next element of colour c goes, and ends where colour c + 1 begins. */
  for (size_t e = 0; e < count; e++) start[color[e]]++;
  for (size_t c = 0, sum = 0; c <= color_count; c++) {
    size_t size = start[c];
    start[c] = sum;
    sum += size;
  }
  for (size_t e = 0; e < count; e++) {
    size_t place = start[color[e]]++;
    order[place] = (int32_t)e;
    memcpy(sorted + place * n, vertices + e * n, n * sizeof *sorted);
  }
  memmove(start + 1, start, color_count * sizeof *start);
  start[0] = 0;

  *out = (element_set){.count = count,
                       .arity = arity,
                       .vertices = sorted,
                       .color_count = color_count,
                       .color_start = start};
  free(taken);
  free(color);
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
  size_t first; /* element: the colour's */
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

static void run_by_color(element_job *job, const tasks *t, size_t grain, tasks_body body) {
  const element_set *set = job->term->set;
  for (size_t c = 0; c < set->color_count; c++) {
    job->first = set->color_start[c];
    tasks_for(t, set->color_start[c + 1] - job->first, grain, body, job);
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
  for (size_t e = job->first + begin; e < job->first + end; e++) {
    const int32_t *v = gather(term->set, e, job->x, own);
    term->kernel->gradient(term->data, e, own, g);
    for (int a = 0; a < term->set->arity; a++) job->g[v[a]] = vec3_add(job->g[v[a]], g[a]);
  }
}

void elements_gradient(const energy_term *term, const tasks *t, const vec3 *x, vec3 *g) {
  element_job job = {.term = term, .x = x, .g = g};
  run_by_color(&job, t, GRADIENT_GRAIN, gradient_body);
}

static void hessian_body(void *context, size_t begin, size_t end) {
  const element_job *job = context;
  const energy_term *term = job->term;
  size_t arity = (size_t)term->set->arity, n = 3 * arity;
  vec3 own[ELEMENT_MAX_ARITY];
  double h[ELEMENT_MAX_DOFS * ELEMENT_MAX_DOFS];
  for (size_t e = job->first + begin; e < job->first + end; e++) {
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
  run_by_color(&job, t, HESSIAN_GRAIN, hessian_body);
}
