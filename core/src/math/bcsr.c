/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "math/bcsr.h"

#include <assert.h>
#include <stdlib.h>

enum { MULTIPLY_GRAIN = 256 };

typedef struct place {
  uint32_t set, element;
} place;

/* Which elements touch a row. */
typedef struct incidence {
  size_t *start; /* row r has places[start[r]] to places[start[r + 1]] */
  place *places;
} incidence;

static void incidence_free(incidence *touching) {
  free(touching->start);
  free(touching->places);
}

/* A counting sort. Counts are kept two places up, so that filling a row moves start[row + 1] from
 * its beginning to its end, where it belongs. */
static bool incidence_build(int32_t rows, const bcsr_clique_set *sets, size_t set_count,
                            incidence *out) {
  *out = (incidence){.start = calloc((size_t)rows + 2, sizeof *out->start)};
  if (!out->start) return false;
  for (size_t s = 0; s < set_count; s++)
    for (size_t i = 0; i < sets[s].count * (size_t)sets[s].arity; i++) {
      assert(sets[s].rows[i] < rows);
      if (sets[s].rows[i] >= 0) out->start[sets[s].rows[i] + 2]++;
    }
  for (int32_t r = 0; r <= rows; r++) out->start[r + 1] += out->start[r];

  out->places = malloc((out->start[rows + 1] + 1) * sizeof *out->places);
  if (!out->places) return false;
  for (size_t s = 0; s < set_count; s++)
    for (size_t e = 0; e < sets[s].count; e++)
      for (int k = 0; k < sets[s].arity; k++) {
        int32_t row = sets[s].rows[e * (size_t)sets[s].arity + (size_t)k];
        if (row >= 0) out->places[out->start[row + 1]++] = (place){(uint32_t)s, (uint32_t)e};
      }
  return true;
}

/* The rows coupled with `row`, itself first, each once; their number. seen[r] == row marks those
 * already found. */
static int32_t neighbours(const incidence *touching, const bcsr_clique_set *sets, int32_t row,
                          int32_t *seen, int32_t *found) {
  int32_t count = 0;
  found[count++] = row;
  seen[row] = row;
  for (size_t i = touching->start[row]; i < touching->start[row + 1]; i++) {
    const bcsr_clique_set *set = &sets[touching->places[i].set];
    const int32_t *element = set->rows + touching->places[i].element * (size_t)set->arity;
    for (int k = 0; k < set->arity; k++) {
      int32_t other = element[k];
      if (other < 0 || seen[other] == row) continue;
      seen[other] = row;
      found[count++] = other;
    }
  }
  return count;
}

static void forget(int32_t rows, int32_t *seen) {
  for (int32_t r = 0; r < rows; r++) seen[r] = -1;
}

static tribo_status build(int32_t rows, const bcsr_clique_set *sets, const incidence *touching,
                          int32_t *seen, int32_t *found, arena *memory, bcsr_pattern *out,
                          tribo_error *err) {
  *out = (bcsr_pattern){.rows = rows,
                        .row_start = ARENA_ARRAY(memory, int32_t, rows + 1),
                        .diagonal = ARENA_ARRAY(memory, int32_t, rows)};
  if (!out->row_start || !out->diagonal) return status_no_memory(err, "the matrix pattern");

  int64_t total = 0;
  forget(rows, seen);
  for (int32_t r = 0; r < rows; r++) {
    out->row_start[r] = (int32_t)total;
    total += neighbours(touching, sets, r, seen, found);
    if (total > INT32_MAX)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "the system matrix has more than %d blocks; use a coarser mesh",
                         INT32_MAX);
  }
  out->row_start[rows] = (int32_t)total;
  out->columns = ARENA_ARRAY(memory, int32_t, total);
  if (!out->columns) return status_no_memory(err, "the matrix pattern");

  /* The pattern is symmetric: giving row r to each of its neighbours, for ascending r, leaves every
   * row's columns in ascending order without any sorting. diagonal is the cursor meanwhile. */
  for (int32_t r = 0; r < rows; r++) out->diagonal[r] = out->row_start[r];
  forget(rows, seen);
  for (int32_t r = 0; r < rows; r++) {
    int32_t count = neighbours(touching, sets, r, seen, found);
    for (int32_t i = 0; i < count; i++) out->columns[out->diagonal[found[i]]++] = r;
  }
  for (int32_t r = 0; r < rows; r++) out->diagonal[r] = bcsr_find(out, r, r);
  return TRIBO_OK;
}

tribo_status bcsr_analyze(int32_t rows, const bcsr_clique_set *sets, size_t set_count,
                          arena *memory, bcsr_pattern *out, tribo_error *err) {
  assert(rows >= 0);
  incidence touching;
  int32_t *seen = malloc(((size_t)rows + 1) * sizeof *seen);
  int32_t *found = malloc(((size_t)rows + 1) * sizeof *found);
  tribo_status status;
  if (incidence_build(rows, sets, set_count, &touching) && seen && found)
    status = build(rows, sets, &touching, seen, found, memory, out, err);
  else
    status = status_no_memory(err, "the matrix pattern");
  incidence_free(&touching);
  free(seen);
  free(found);
  return status;
}

int32_t bcsr_find(const bcsr_pattern *pattern, int32_t row, int32_t column) {
  int32_t low = pattern->row_start[row], high = pattern->row_start[row + 1];
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (pattern->columns[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pattern->row_start[row + 1] && pattern->columns[low] == column ? low : -1;
}

void bcsr_multiply_rows(const bcsr *a, const vec3 *x, size_t begin, size_t end, vec3 *y) {
  const bcsr_pattern *pattern = a->pattern;
  for (size_t r = begin; r < end; r++) {
    vec3 sum = {0, 0, 0};
    for (int32_t k = pattern->row_start[r]; k < pattern->row_start[r + 1]; k++)
      sum = vec3_add(sum, mat3_mul_vec3(&a->blocks[k], x[pattern->columns[k]]));
    y[r] = sum;
  }
}

typedef struct product {
  const bcsr *a;
  const vec3 *x;
  vec3 *y;
} product;

static void multiply_piece(void *context, size_t begin, size_t end) {
  const product *job = context;
  bcsr_multiply_rows(job->a, job->x, begin, end, job->y);
}

void bcsr_multiply(const bcsr *a, const tasks *t, const vec3 *x, vec3 *y) {
  product job = {a, x, y};
  tasks_for(t, (size_t)a->pattern->rows, MULTIPLY_GRAIN, multiply_piece, &job);
}
