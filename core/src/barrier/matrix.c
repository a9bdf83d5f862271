/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "barrier/matrix.h"

#include <stdlib.h>
#include <string.h>

static bool is_embedded(const model_body *body) {
  return body->kinematics->deforms && !body->kinematics->by_vertex;
}

tribo_status barrier_matrix_create(const surface_mesh *mesh, const linsys_options *options,
                                   barrier_matrix *out, tribo_error *err) {
  const model *m = mesh->model;
  *out = (barrier_matrix){.mesh = mesh, .model = m, .options = *options};
  size_t rows = (size_t)m->row_count;
  out->hessian.pattern = &m->pattern;
  out->hessian.blocks = ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&m->pattern));
  out->free.pattern = &m->free_pattern;
  out->free.blocks = m->free_blocks
                         ? ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&m->free_pattern))
                         : out->hessian.blocks;
  out->matrix.pattern = &m->free_pattern;
  out->rhs = ARENA_ARRAY(&out->memory, vec3, rows);
  out->solution = ARENA_ARRAY(&out->memory, vec3, rows);
  if (!out->hessian.blocks || !out->free.blocks || !out->rhs || !out->solution)
    return status_no_memory(err, "the system of a step");
  return linsys_create(options, &m->free_pattern, &out->own, err);
}

void barrier_matrix_free(barrier_matrix *s) {
  linsys_free(s->wide);
  linsys_free(s->own);
  arena_free(&s->pattern_memory);
  arena_free(&s->memory);
  *s = (barrier_matrix){0};
}

void barrier_matrix_begin(barrier_matrix *s) {
  s->widened = false;
  linsys_begin(s->own);
}

void barrier_matrix_hang_of(const barrier_matrix *s, const vec3 *x, const vec3 *places,
                            const int32_t vertex[4], barrier_hang *out) {
  const model *m = s->model;
  const surface_mesh *mesh = s->mesh;
  out->count = 0;
  out->turns = false;
  for (int i = 0; i < 4; i++) {
    int32_t v = vertex[i];
    if (v >= mesh->body_vertices) continue;
    const model_body *body = &m->bodies[mesh->parts[mesh->part[v]].body];
    if (body->kinematics->by_vertex) {
      int32_t at = m->row_of_node[body->first_node + mesh->own[v]];
      if (at >= 0) out->row[out->count] = at, out->vertex[out->count] = i;
      if (at >= 0) out->block[out->count] = mat3_identity(), out->share[out->count++] = 1;
      continue;
    }
    if (!body->kinematics->deforms) out->turns = true;
    mesh_row row = surface_mesh_row(mesh, x, v, places[v]);
    for (int k = 0; k < row.count; k++) {
      int32_t at = m->row_of_node[row.node[k]];
      if (at < 0 || (is_embedded(body) && row.block[k].m[0][0] == 0)) continue;
      out->row[out->count] = at;
      out->vertex[out->count] = i;
      out->share[out->count] = row.block[k].m[0][0];
      out->block[out->count++] = row.block[k];
    }
  }
}

/* ---- the pattern ------------------------------------------------------------------------------
 */

static const bcsr_pattern *pattern_of(const barrier_matrix *s) {
  return s->widened ? &s->pattern : &s->model->free_pattern;
}

static bool holds(const bcsr_pattern *pattern, const barrier_hang *h) {
  for (int i = 0; i < h->count; i++)
    for (int j = 0; j < i; j++)
      if (bcsr_find(pattern, h->row[i], h->row[j]) < 0) return false;
  return true;
}

/* Two rows for each coupling of `base`, above the diagonal. */
static size_t list_couplings(const bcsr_pattern *base, int32_t *out) {
  size_t count = 0;
  for (int32_t row = 0; row < base->rows; row++)
    for (int32_t k = base->row_start[row]; k < base->row_start[row + 1]; k++)
      if (base->columns[k] >= row) {
        if (out) out[2 * count] = row, out[2 * count + 1] = base->columns[k];
        count++;
      }
  return count;
}

static bool same_pattern(const bcsr_pattern *a, const bcsr_pattern *b) {
  return a->rows == b->rows && a->columns && b->columns &&
         bcsr_block_count(a) == bcsr_block_count(b) &&
         memcmp(a->row_start, b->row_start, ((size_t)a->rows + 1) * sizeof *a->row_start) == 0 &&
         memcmp(a->columns, b->columns, (size_t)bcsr_block_count(a) * sizeof *a->columns) == 0;
}

static tribo_status analyze(const barrier_matrix *s, const barrier_hang *hangs, size_t count,
                            arena *scratch, arena *memory, bcsr_pattern *out, tribo_error *err) {
  const bcsr_pattern *base = pattern_of(s);
  size_t pairs = list_couplings(base, NULL);
  int32_t *couplings = ARENA_ARRAY(scratch, int32_t, 2 * pairs);
  int32_t *rows = ARENA_ARRAY(scratch, int32_t, HANGS_MOST * count);
  if (!couplings || !rows) return status_no_memory(err, "the pattern of contacts");
  list_couplings(base, couplings);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < HANGS_MOST; k++)
      rows[HANGS_MOST * i + (size_t)k] = k < hangs[i].count ? hangs[i].row[k] : -1;
  bcsr_clique_set sets[2] = {{couplings, pairs, 2}, {rows, count, HANGS_MOST}};
  return bcsr_analyze(s->model->row_count, sets, 2, memory, out, err);
}

/* Places of the free pattern's blocks in the wide one. */
static void locate(barrier_matrix *s) {
  const bcsr_pattern *base = &s->model->free_pattern;
  for (int32_t row = 0; row < base->rows; row++)
    for (int32_t k = base->row_start[row]; k < base->row_start[row + 1]; k++)
      s->wide_of_free[k] = bcsr_find(&s->pattern, row, base->columns[k]);
}

tribo_status barrier_matrix_reserve(barrier_matrix *s, const barrier_hang *hangs, size_t count,
                                    tribo_error *err) {
  bool fits = true;
  for (size_t i = 0; fits && i < count; i++) fits = holds(pattern_of(s), &hangs[i]);
  if (fits) return TRIBO_OK;
  arena scratch = {0};
  bcsr_pattern next = {0};
  tribo_status status = analyze(s, hangs, count, &scratch, &scratch, &next, err);
  if (status == TRIBO_OK && !(s->wide && same_pattern(&next, &s->pattern))) {
    arena fresh = {0};
    status = analyze(s, hangs, count, &scratch, &fresh, &next, err);
    linsys_free(s->wide);
    s->wide = NULL;
    arena_free(&s->pattern_memory);
    s->pattern_memory = fresh;
    s->pattern = next;
    s->matrix.blocks = ARENA_ARRAY(&s->pattern_memory, mat3, bcsr_block_count(&next));
    s->wide_of_free =
        ARENA_ARRAY(&s->pattern_memory, int32_t, bcsr_block_count(&s->model->free_pattern));
    if (status == TRIBO_OK && (!s->matrix.blocks || !s->wide_of_free))
      status = status_no_memory(err, "the pattern of contacts");
    if (status == TRIBO_OK) {
      s->analyses++;
      status = linsys_create_like(s->own, &s->options, &s->pattern, &s->wide, err);
    }
    if (status == TRIBO_OK) locate(s);
  }
  arena_free(&scratch);
  s->widened = status == TRIBO_OK;
  if (s->widened) linsys_begin(s->wide);
  return status;
}

/* ---- the matrix -------------------------------------------------------------------------------
 */

void barrier_matrix_start(barrier_matrix *s, const tasks *t) {
  model_restrict(s->model, t, &s->hessian, &s->free);
  if (!s->widened) return;
  memset(s->matrix.blocks, 0, (size_t)bcsr_block_count(&s->pattern) * sizeof *s->matrix.blocks);
  for (int32_t k = 0; k < bcsr_block_count(&s->model->free_pattern); k++)
    s->matrix.blocks[s->wide_of_free[k]] = s->free.blocks[k];
}

static void add_block(barrier_matrix *s, const barrier_hang *h, int i, int j, const mat3 *block) {
  mat3 *blocks = s->widened ? s->matrix.blocks : s->free.blocks;
  mat3 *to = &blocks[bcsr_find(pattern_of(s), h->row[i], h->row[j])];
  mat3 add;
  if (h->turns) {
    mat3 transposed = mat3_transposed(&h->block[i]), left = mat3_mul(&transposed, block);
    add = mat3_mul(&left, &h->block[j]);
  } else {
    add = mat3_scale(h->share[i] * h->share[j], block);
  }
  *to = mat3_add(to, &add);
}

void barrier_matrix_add(barrier_matrix *s, const barrier_hang *hang, const double weight[4],
                        const mat3 *stiffness) {
  for (int i = 0; i < hang->count; i++)
    for (int j = 0; j < hang->count; j++) {
      mat3 block = mat3_scale(weight[hang->vertex[i]] * weight[hang->vertex[j]], stiffness);
      add_block(s, hang, i, j, &block);
    }
}

void barrier_matrix_add_full(barrier_matrix *s, const barrier_hang *hang, const double h[144]) {
  for (int i = 0; i < hang->count; i++)
    for (int j = 0; j < hang->count; j++) {
      const double *from = h + 36 * hang->vertex[i] + 3 * hang->vertex[j];
      mat3 block;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) block.m[k][l] = from[12 * k + l];
      add_block(s, hang, i, j, &block);
    }
}

tribo_status barrier_matrix_again(barrier_matrix *s, const vec3 *force, vec3 *d, bool *solved,
                                  tribo_error *err) {
  const model *m = s->model;
  linsys_outcome outcome;
  for (int32_t row = 0; row < m->row_count; row++) s->rhs[row] = force[m->node_of_row[row]];
  TRY(linsys_solve(s->widened ? s->wide : s->own, &s->rhs->x, 1, &s->solution->x, &outcome, err));
  *solved = outcome != LINSYS_NOT_POSITIVE_DEFINITE;
  for (int32_t row = 0; row < m->row_count; row++) {
    d[m->node_of_row[row]] = s->solution[row];
    *solved = *solved && vec3_finite(s->solution[row]);
  }
  return TRIBO_OK;
}

tribo_status barrier_matrix_solve(barrier_matrix *s, const vec3 *force, vec3 *d, bool *solved,
                                  tribo_error *err) {
  linsys *by = s->widened ? s->wide : s->own;
  bcsr matrix = {pattern_of(s), s->widened ? s->matrix.blocks : s->free.blocks};
  linsys_outcome outcome;
  *solved = false;
  linsys_values(by, &matrix);
  s->factorizations++;
  TRY(linsys_factor(by, &outcome, err));
  if (outcome == LINSYS_NOT_POSITIVE_DEFINITE) return TRIBO_OK;
  return barrier_matrix_again(s, force, d, solved, err);
}
