/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bcsr: symmetric block-sparse matrices with 3x3 blocks, a pattern analysed once and values that
 * change.
 *
 * Both triangles are stored: a product is then a gather by rows, which threads share without
 * conflict and without changing the order of any sum. Columns ascend within a row and every row has
 * its diagonal block.
 */
#ifndef MATH_BCSR_H
#define MATH_BCSR_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "math/mat3.h"

typedef struct bcsr_pattern {
  int32_t rows;       /* block rows = block columns */
  int32_t *row_start; /* rows + 1 */
  int32_t *columns;   /* row_start[rows] */
  int32_t *diagonal;  /* rows: where the diagonal block of a row stands */
} bcsr_pattern;

typedef struct bcsr {
  const bcsr_pattern *pattern;
  mat3 *blocks; /* one for each entry of pattern->columns */
} bcsr;

/* Every pair (i, j) of an element's rows couples. elements: count groups of `arity` row indices;
 * a negative index is a row that is not in the system and is passed over. Several groups of sets
 * are given as an array. Memory comes from `memory`. */
typedef struct bcsr_clique_set {
  const int32_t *rows; /* count * arity */
  size_t count;
  int arity;
} bcsr_clique_set;

tribo_status bcsr_analyze(int32_t rows, const bcsr_clique_set *sets, size_t set_count,
                          arena *memory, bcsr_pattern *out, tribo_error *err);

/* Where block (row, column) stands; -1 when it is not in the pattern. */
int32_t bcsr_find(const bcsr_pattern *pattern, int32_t row, int32_t column);

static inline int32_t bcsr_block_count(const bcsr_pattern *pattern) {
  return pattern->row_start[pattern->rows];
}

/* y = a x, for the rows from begin to before end. */
void bcsr_multiply_rows(const bcsr *a, const vec3 *x, size_t begin, size_t end, vec3 *y);

/* y = a x */
void bcsr_multiply(const bcsr *a, const tasks *t, const vec3 *x, vec3 *y);

#endif
