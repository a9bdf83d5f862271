/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * grids: system matrices like those of a time step, for the benchmarks: a cloth (triangles with
 * hinges) and a solid (cubes of tetrahedra). The matrix is mass plus springs along all couplings,
 * with `stiffness` = spring / mass: what h^2 k / m is in a step.
 */
#ifndef BENCH_GRIDS_H
#define BENCH_GRIDS_H

#include <stdlib.h>

#include "math/bcsr.h"

typedef struct grid {
  arena memory;
  bcsr_pattern pattern;
  bcsr a;
  vec3 *points;
} grid;

/* Adds a spring between i and j: mostly along its direction, a little across. */
static inline void grid_spring(grid *g, int32_t i, int32_t j, double stiffness) {
  vec3 d = vec3_normalized(vec3_sub(g->points[i], g->points[j]));
  mat3 k = mat3_outer(d, d);
  for (int c = 0; c < 3; c++) k.m[c][c] += 0.02;
  mat3 plus = mat3_scale(stiffness, &k), minus = mat3_scale(-stiffness, &k);
  const bcsr_pattern *p = &g->pattern;
  mat3 *ii = &g->a.blocks[p->diagonal[i]], *jj = &g->a.blocks[p->diagonal[j]];
  mat3 *ij = &g->a.blocks[bcsr_find(p, i, j)], *ji = &g->a.blocks[bcsr_find(p, j, i)];
  *ii = mat3_add(ii, &plus);
  *jj = mat3_add(jj, &plus);
  *ij = mat3_add(ij, &minus);
  *ji = mat3_add(ji, &minus);
}

static inline void grid_fill(grid *g, double stiffness) {
  for (int32_t i = 0; i < g->pattern.rows; i++)
    for (int c = 0; c < 3; c++) g->a.blocks[g->pattern.diagonal[i]].m[c][c] += 1;
  for (int32_t i = 0; i < g->pattern.rows; i++)
    for (int32_t k = g->pattern.diagonal[i] + 1; k < g->pattern.row_start[i + 1]; k++)
      grid_spring(g, i, g->pattern.columns[k], stiffness);
}

static inline grid *grid_create(int32_t rows, const bcsr_clique_set *sets, size_t set_count,
                                double stiffness, vec3 (*point)(int32_t i, int32_t side),
                                int32_t side) {
  grid *g = calloc(1, sizeof *g);
  if (!g || bcsr_analyze(rows, sets, set_count, &g->memory, &g->pattern, NULL) != TRIBO_OK) abort();
  g->a = (bcsr){&g->pattern, ARENA_ARRAY(&g->memory, mat3, bcsr_block_count(&g->pattern))};
  g->points = ARENA_ARRAY(&g->memory, vec3, rows);
  if (!g->a.blocks || !g->points) abort();
  for (int32_t i = 0; i < rows; i++) g->points[i] = point(i, side);
  grid_fill(g, stiffness);
  return g;
}

static inline vec3 grid_cloth_point(int32_t i, int32_t side) {
  double x = i / side, y = i % side;
  return (vec3){x, y, 0.3 * sin(0.7 * x) * cos(0.9 * y)}; /* wrinkled: no direction is soft */
}

static inline vec3 grid_solid_point(int32_t i, int32_t side) {
  int32_t xy = i / side;
  return (vec3){xy / side, xy % side, i % side};
}

/* side x side vertices, two triangles a square, one hinge (four vertices) an inner edge. */
static inline grid *grid_cloth(int32_t side, double stiffness) {
  size_t most = 3 * (size_t)(side * side), count = 0;
  int32_t *hinges = malloc(4 * most * sizeof *hinges);
  if (!hinges) abort();
  for (int32_t x = 0; x + 1 < side; x++)
    for (int32_t y = 0; y + 1 < side; y++) {
      int32_t a = x * side + y, b = a + 1, c = a + side, d = c + 1;
      const int32_t found[3][4] = {{a, b, c, d}, /* the diagonal b-c */
                                   {b, d, c, y + 2 < side ? d + 1 : -1},
                                   {c, d, b, x + 2 < side ? c + side : -1}};
      for (int h = 0; h < 3; h++, count++)
        for (int k = 0; k < 4; k++) hinges[4 * count + (size_t)k] = found[h][k];
    }
  bcsr_clique_set set = {hinges, count, 4};
  grid *g = grid_create(side * side, &set, 1, stiffness, grid_cloth_point, side);
  free(hinges);
  return g;
}

/* side^3 vertices, six tetrahedra a cube around one diagonal: a 15-point stencil. */
static inline grid *grid_solid(int32_t side, double stiffness) {
  static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  size_t most = 6 * (size_t)side * (size_t)side * (size_t)side, count = 0;
  int32_t *tets = malloc(4 * most * sizeof *tets);
  if (!tets) abort();
  for (int32_t x = 0; x + 1 < side; x++)
    for (int32_t y = 0; y + 1 < side; y++)
      for (int32_t z = 0; z + 1 < side; z++)
        for (int t = 0; t < 6; t++, count++) {
          const int corners[4] = {0, paths[t][0], paths[t][1], 7};
          for (int k = 0; k < 4; k++) {
            int c = corners[k];
            tets[4 * count + (size_t)k] =
                ((x + (c & 1)) * side + y + ((c >> 1) & 1)) * side + z + (c >> 2);
          }
        }
  bcsr_clique_set set = {tets, count, 4};
  grid *g = grid_create(side * side * side, &set, 1, stiffness, grid_solid_point, side);
  free(tets);
  return g;
}

static inline void grid_free(grid *g) {
  arena_free(&g->memory);
  free(g);
}

#endif
