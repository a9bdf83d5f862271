/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coulomb/contact_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in ---- */

static tribo_status fill_matrix(const fclib_problem *from, contact_stored *out, tribo_error *err) {
  /* A pair of contacts is an element: the pattern comes out symmetric, whatever the file says. */
  int32_t *pairs = malloc((2 * from->entries + 1) * sizeof *pairs);
  if (!pairs) return status_no_memory(err, "the contact problem");
  size_t count = 0;
  int32_t row = -1, column = -1;
  for (size_t k = 0; k < from->entries; k++) {
    int32_t i = from->row[k] / 3, j = from->column[k] / 3;
    if (i == row && j == column) continue;
    row = pairs[2 * count] = i;
    column = pairs[2 * count + 1] = j;
    count++;
  }
  bcsr_clique_set set = {.rows = pairs, .count = count, .arity = 2};
  tribo_status status = bcsr_analyze(from->contacts, &set, 1, &out->memory, &out->pattern, err);
  free(pairs);
  TRY(status);
  mat3 *blocks = ARENA_ARRAY(&out->memory, mat3, bcsr_block_count(&out->pattern));
  if (!blocks) return status_no_memory(err, "the contact problem");
  for (size_t k = 0; k < from->entries; k++) {
    int32_t i = from->row[k], j = from->column[k], at = bcsr_find(&out->pattern, i / 3, j / 3);
    blocks[at].m[i % 3][j % 3] += from->value[k];
  }
  out->problem.w = (bcsr){.pattern = &out->pattern, .blocks = blocks};
  return TRIBO_OK;
}

static tribo_status fill(const fclib_problem *from, contact_stored *out, tribo_error *err) {
  TRY(fill_matrix(from, out, err));
  size_t count = (size_t)from->contacts;
  vec3 *q = ARENA_ARRAY(&out->memory, vec3, count);
  contact_coefficients *grip = ARENA_ARRAY(&out->memory, contact_coefficients, count);
  out->r = ARENA_ARRAY(&out->memory, vec3, count);
  if (!q || !grip || !out->r) return status_no_memory(err, "the contact problem");
  for (size_t i = 0; i < count; i++) {
    q[i] = vec3_from(from->q + 3 * i);
    grip[i] = (contact_coefficients){from->mu[i], from->mu_b ? from->mu_b[i] : from->mu[i]};
    if (from->r) out->r[i] = vec3_from(from->r + 3 * i);
  }
  out->given = from->r != NULL;
  out->problem.q = q;
  out->problem.grip = grip;
  memcpy(out->title, from->title, sizeof out->title);
  return contact_problem_check(&out->problem, err);
}

tribo_status contact_file_take(const char *name, const fclib_problem *from, contact_stored *out,
                               tribo_error *err) {
  *out = (contact_stored){0};
  tribo_status status = fill(from, out, err);
  if (status == TRIBO_OK) return status;
  contact_stored_free(out);
  return status_prefix(err, status, "'%s': ", name);
}

tribo_status contact_file_read(const char *path, contact_stored *out, tribo_error *err) {
  *out = (contact_stored){0};
  fclib_problem raw;
  TRY(fclib_read(path, &raw, err));
  tribo_status status = contact_file_take(path, &raw, out, err);
  fclib_free(&raw);
  return status;
}

void contact_stored_free(contact_stored *s) {
  arena_free(&s->memory);
  *s = (contact_stored){0};
}

/* ---- out ---- */

static bool allocate(const contact_problem *p, bool with_r, fclib_problem *out) {
  size_t count = contact_problem_count(p), most = 9 * (size_t)bcsr_block_count(p->w.pattern);
  *out = (fclib_problem){.contacts = (int32_t)count,
                         .row = malloc((most + 1) * sizeof *out->row),
                         .column = malloc((most + 1) * sizeof *out->column),
                         .value = malloc((most + 1) * sizeof *out->value),
                         .q = malloc((3 * count + 1) * sizeof *out->q),
                         .mu = malloc((count + 1) * sizeof *out->mu),
                         .mu_b = malloc((count + 1) * sizeof *out->mu_b)};
  if (with_r) out->r = malloc((3 * count + 1) * sizeof *out->r);
  return out->row && out->column && out->value && out->q && out->mu && out->mu_b &&
         (!with_r || out->r);
}

/* Row after row, or column after column: then by the blocks across the diagonal, which the pattern
 * has because it is symmetric, and which are not the same transposed where W is not. */
static void take_matrix(const contact_problem *p, bool columns, fclib_problem *out) {
  const bcsr_pattern *pattern = p->w.pattern;
  for (int32_t i = 0; i < pattern->rows; i++)
    for (int a = 0; a < 3; a++)
      for (int32_t k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
        int32_t j = pattern->columns[k], at = columns ? bcsr_find(pattern, j, i) : k;
        for (int b = 0; b < 3; b++) {
          out->row[out->entries] = columns ? 3 * j + b : 3 * i + a;
          out->column[out->entries] = columns ? 3 * i + a : 3 * j + b;
          const mat3 *block = &p->w.blocks[at];
          out->value[out->entries++] = columns ? block->m[b][a] : block->m[a][b];
        }
      }
}

static void take(const contact_problem *p, const vec3 *r, const char *title, bool columns,
                 fclib_problem *out) {
  take_matrix(p, columns, out);
  bool round = true;
  for (size_t i = 0; i < contact_problem_count(p); i++) {
    memcpy(out->q + 3 * i, &p->q[i], sizeof *p->q);
    if (r) memcpy(out->r + 3 * i, &r[i], sizeof *r);
    out->mu[i] = p->grip[i].t;
    out->mu_b[i] = p->grip[i].b;
    round = round && p->grip[i].t == p->grip[i].b;
  }
  if (round) {
    free(out->mu_b);
    out->mu_b = NULL;
  }
  snprintf(out->title, sizeof out->title, "%.*s", (int)sizeof out->title - 1, title ? title : "");
}

tribo_status contact_file_write(const char *path, const contact_problem *p, const vec3 *r,
                                const char *title, fclib_storage storage, tribo_error *err) {
  fclib_problem raw;
  tribo_status status;
  if (p->drill)
    return status_fail(err, TRIBO_UNAVAILABLE,
                       "'%s': FCLIB files know no drilling friction; leave mu_drill out to write "
                       "contact problems",
                       path);
  if (allocate(p, r != NULL, &raw)) {
    take(p, r, title, storage == FCLIB_COLUMNS, &raw);
    status = fclib_write(path, &raw, storage, err);
  } else {
    status = status_no_memory(err, "the contact problem");
  }
  fclib_free(&raw);
  return status;
}
