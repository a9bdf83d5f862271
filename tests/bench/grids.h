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

/* A cloth that lies on a ball of tetrahedra, as two simulated bodies do: first the rows of the
 * cloth, then those of the ball. `contacts`: every vertex of the cloth within `share` of the radius
 * from the axis couples with the GRID_NEAR vertices of the ball's surface that are nearest, and
 * these with each other, as a smooth surface through them has it. share = 0: the bodies alone. */
enum { GRID_NEAR = 10 };

typedef struct grid_ball {
  int32_t side, *row; /* of each point of the lattice; -1: none */
  int32_t count;
  int32_t *surface; /* points of the lattice */
  size_t surface_count;
  int32_t *tets;
  size_t tet_count;
} grid_ball;

static inline vec3 grid_ball_point(const grid_ball *b, int32_t i) {
  double centre = 0.5 * (b->side - 1);
  vec3 p = grid_solid_point(i, b->side);
  return vec3_sub(p, vec3_make(centre, centre, centre));
}

static inline grid_ball grid_ball_create(int32_t side, int32_t first_row) {
  static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  size_t points = (size_t)(side * side * side);
  grid_ball b = {.side = side,
                 .row = malloc(points * sizeof *b.row),
                 .surface = malloc(points * sizeof *b.surface),
                 .tets = malloc(24 * points * sizeof *b.tets)};
  int *cubes = calloc(points, sizeof *cubes);
  if (!b.row || !b.surface || !b.tets || !cubes) abort();
  double radius = 0.5 * (side - 1) + 1e-9;
  for (int filling = 0; filling < 2; filling++) {
    for (int32_t i = 0; filling && i < (int32_t)points; i++) {
      b.row[i] = cubes[i] ? first_row + b.count++ : -1;
      if (cubes[i] && cubes[i] < 8) b.surface[b.surface_count++] = i;
    }
    for (int32_t i = 0; i < (int32_t)points; i++) {
      int32_t corner[8], x = i / side / side, y = i / side % side, z = i % side;
      bool inside = x + 1 < side && y + 1 < side && z + 1 < side;
      for (int c = 0; c < 8 && inside; c++) {
        corner[c] = ((x + (c & 1)) * side + y + ((c >> 1) & 1)) * side + z + (c >> 2);
        inside = vec3_norm(grid_ball_point(&b, corner[c])) < radius;
      }
      for (int c = 0; c < 8 && inside && !filling; c++) cubes[corner[c]]++;
      for (int t = 0; t < 6 && inside && filling; t++, b.tet_count++) {
        const int corners[4] = {0, paths[t][0], paths[t][1], 7};
        for (int k = 0; k < 4; k++) b.tets[4 * b.tet_count + (size_t)k] = b.row[corner[corners[k]]];
      }
    }
  }
  free(cubes);
  return b;
}

/* The cloth spans two and a half diameters. */
static inline vec3 grid_drape_point(int32_t i, int32_t side, double radius) {
  double step = 5 * radius / (side - 1);
  double x = i / side * step - 2.5 * radius, y = i % side * step - 2.5 * radius;
  double over = radius * radius - x * x - y * y;
  return vec3_make(x, y, over > 0 ? sqrt(over) + 0.1 : 0.3 * sin(0.7 * x) * cos(0.9 * y));
}

static inline void grid_nearest(const grid_ball *b, vec3 p, int32_t *rows) {
  double far[GRID_NEAR];
  for (int k = 0; k < GRID_NEAR; k++) far[k] = INFINITY;
  for (size_t s = 0; s < b->surface_count; s++) {
    double d = vec3_norm(vec3_sub(grid_ball_point(b, b->surface[s]), p));
    int32_t row = b->row[b->surface[s]];
    for (int k = 0; k < GRID_NEAR; k++)
      if (d < far[k]) {
        double next = far[k];
        int32_t next_row = rows[k];
        far[k] = d, rows[k] = row;
        d = next, row = next_row;
      }
  }
}

static inline grid *grid_drape(int32_t side, int32_t ball_side, double share, double stiffness,
                               size_t *contacts) {
  int32_t vertices = side * side;
  grid *cloth = grid_cloth(side, stiffness);
  grid_ball ball = grid_ball_create(ball_side, vertices);
  double radius = 0.5 * (ball_side - 1);
  size_t pairs = (size_t)bcsr_block_count(&cloth->pattern);
  int32_t *springs = malloc(2 * pairs * sizeof *springs);
  int32_t *touching = malloc((1 + GRID_NEAR) * (size_t)vertices * sizeof *touching);
  if (!springs || !touching) abort();
  for (int32_t i = 0; i < vertices; i++)
    for (int32_t k = cloth->pattern.row_start[i]; k < cloth->pattern.row_start[i + 1]; k++)
      springs[2 * k] = i, springs[2 * k + 1] = cloth->pattern.columns[k];
  *contacts = 0;
  for (int32_t i = 0; i < vertices; i++) {
    vec3 p = grid_drape_point(i, side, radius);
    if (sqrt(p.x * p.x + p.y * p.y) >= share * radius) continue;
    int32_t *rows = touching + (1 + GRID_NEAR) * (*contacts)++;
    rows[0] = i;
    grid_nearest(&ball, p, rows + 1);
  }
  bcsr_clique_set sets[] = {
      {springs, pairs, 2}, {ball.tets, ball.tet_count, 4}, {touching, *contacts, 1 + GRID_NEAR}};
  grid *g = calloc(1, sizeof *g);
  int32_t rows = vertices + ball.count;
  if (!g || bcsr_analyze(rows, sets, 3, &g->memory, &g->pattern, NULL) != TRIBO_OK) abort();
  g->a = (bcsr){&g->pattern, ARENA_ARRAY(&g->memory, mat3, bcsr_block_count(&g->pattern))};
  g->points = ARENA_ARRAY(&g->memory, vec3, rows);
  if (!g->a.blocks || !g->points) abort();
  for (int32_t i = 0; i < vertices; i++) g->points[i] = grid_drape_point(i, side, radius);
  for (int32_t i = 0; i < ball_side * ball_side * ball_side; i++)
    if (ball.row[i] >= 0) g->points[ball.row[i]] = grid_ball_point(&ball, i);
  grid_fill(g, stiffness);
  free(ball.row);
  free(ball.surface);
  free(ball.tets);
  free(springs);
  free(touching);
  grid_free(cloth);
  return g;
}

#endif
