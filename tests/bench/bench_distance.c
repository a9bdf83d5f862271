/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_distance [--quick] [--triangles N]
 *
 * The distance to a mesh beside two others on the same input, measured in turn within one run:
 * asking all triangles, and the kd-tree for the nearest of as many points (the middles of the
 * triangles), which knows neither foot nor side and is what one cannot hope to beat. Medians;
 * ratios above 1 where the distance is faster. One thread is timed by its processor time; two
 * threads, and what is gained by them, by the clock, which only a quiet machine makes fair.
 * --triangles asks for one of the sizes only. The mesh is a ball with bumps; queries lie within a
 * fiftieth of its radius of it, as probes do, or anywhere about it. The table of docs/distance.md
 * comes from here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/measure.h"
#include "geom/ccd.h"
#include "geom/kdtree.h"
#include "geom/mesh_distance.h"

enum { MOST_REPEATS = 21, BRUTE = 50 };

typedef enum row { BUILD, REFIT, NEAR_REACH, NEAR, ANYWHERE, SWEEP, ROWS } row;
typedef enum who { OURS, ALL, POINTS, OURS_BY_CLOCK, OURS_ON_TWO, WHO } who;

static const char *const row_names[ROWS] = {"build",
                                            "refit",
                                            "near, within reach",
                                            "near, any reach",
                                            "anywhere, any reach",
                                            "first hit of a moving point"};

static vec3 anywhere(void) {
  vec3 p = {between(-1.5, 1.5), 0, 0};
  p.y = between(-1.5, 1.5);
  p.z = between(-1.5, 1.5);
  return p;
}

typedef struct bench {
  vec3 *points, *middles, *near, *far, *ends;
  int32_t *triangles;
  size_t point_count, triangle_count, query_count;
  double *reach, *no_limit, *slack;
  arena memory;
  mesh_distance mesh;
  kdtree tree;
  mesh_foot *feet;
  ccd_mesh_hit *hits;
  kdtree_hit *nearest;
  double seconds[ROWS][WHO][MOST_REPEATS];
  double sums[ROWS][WHO]; /* of the first BRUTE distances: what all must agree on */
} bench;

/* A ball of n rings and 2 n sectors. */
static void make_ball(bench *b, size_t n) {
  const double pi = 3.14159265358979323846;
  size_t sectors = 2 * n;
  b->point_count = (n + 1) * sectors;
  b->triangle_count = 2 * n * sectors;
  b->points = malloc(b->point_count * sizeof *b->points);
  b->triangles = malloc(3 * b->triangle_count * sizeof *b->triangles);
  b->middles = malloc(b->triangle_count * sizeof *b->middles);
  for (size_t i = 0; i < b->point_count; i++) {
    double up = pi * (double)(i / sectors) / (double)n;
    double round = 2 * pi * (double)(i % sectors) / (double)sectors;
    double radius = 1 + 0.1 * sin(6 * up) * cos(5 * round) * sin(up);
    b->points[i] =
        vec3_scale(radius, vec3_make(sin(up) * cos(round), sin(up) * sin(round), cos(up)));
  }
  int32_t *v = b->triangles;
  for (size_t r = 0; r < n; r++)
    for (size_t k = 0; k < sectors; k++, v += 6) {
      size_t next = (k + 1) % sectors, up = r * sectors, down = up + sectors;
      v[0] = v[3] = (int32_t)(up + k);
      v[1] = (int32_t)(down + k);
      v[2] = v[4] = (int32_t)(down + next);
      v[5] = (int32_t)(up + next);
    }
  for (size_t i = 0; i < b->triangle_count; i++) {
    const int32_t *c = b->triangles + 3 * i;
    vec3 sum = vec3_add(b->points[c[0]], vec3_add(b->points[c[1]], b->points[c[2]]));
    b->middles[i] = vec3_scale(1.0 / 3, sum);
  }
}

static void make_queries(bench *b, size_t count) {
  b->query_count = count;
  b->near = malloc(count * sizeof *b->near);
  b->far = malloc(count * sizeof *b->far);
  b->ends = malloc(count * sizeof *b->ends);
  b->reach = malloc(count * sizeof *b->reach);
  b->no_limit = malloc(count * sizeof *b->no_limit);
  b->slack = malloc(count * sizeof *b->slack);
  b->feet = malloc(count * sizeof *b->feet);
  b->hits = malloc(count * sizeof *b->hits);
  b->nearest = malloc(count * sizeof *b->nearest);
  for (size_t i = 0; i < count; i++) {
    size_t triangle = (size_t)between(0, (double)b->triangle_count);
    b->near[i] = vec3_scale(between(0.98, 1.02), b->middles[triangle]);
    b->far[i] = anywhere();
    b->ends[i] = vec3_madd(b->near[i], 0.05, anywhere());
    b->reach[i] = 0.05;
    b->no_limit[i] = INFINITY;
    b->slack[i] = 1e-4;
  }
}

static void must(tribo_status status, const tribo_error *err) {
  if (status == TRIBO_OK) return;
  fprintf(stderr, "bench_distance: %s\n", err->message);
  exit(1);
}

static double sum_feet(const bench *b) {
  double sum = 0;
  for (size_t i = 0; i < BRUTE; i++) sum += fabs(b->feet[i].distance);
  return sum;
}

static double run_ours(bench *b, row r, int threads) {
  tasks t = tasks_create(threads);
  tribo_error err;
  if (r == BUILD) {
    arena_reset(&b->memory);
    must(mesh_distance_build(&t, b->points, b->point_count, b->triangles, b->triangle_count,
                             &b->memory, &b->mesh, &err),
         &err);
  } else if (r == REFIT) {
    mesh_distance_refit(&t, b->points, &b->mesh);
  } else if (r == SWEEP) {
    ccd_mesh m = {b->points, b->points, b->triangles, &b->mesh.tree};
    ccd_mesh_batch(&t, &m, b->near, b->ends, b->slack, b->query_count, b->hits);
  } else {
    mesh_distance_batch(&t, &b->mesh, r == ANYWHERE ? b->far : b->near,
                        r == NEAR_REACH ? b->reach : b->no_limit, b->query_count, b->feet);
    return sum_feet(b);
  }
  return 0;
}

/* The first BRUTE queries, by asking every triangle. */
static double run_all(bench *b, row r) {
  double sum = 0;
  for (size_t i = 0; i < BRUTE; i++) {
    double best = r == SWEEP ? 1 : INFINITY;
    for (size_t k = 0; k < b->triangle_count; k++) {
      const int32_t *v = b->triangles + 3 * k;
      const vec3 x[4] = {b->near[i], b->points[v[0]], b->points[v[1]], b->points[v[2]]};
      if (r == SWEEP) {
        const vec3 y[4] = {b->ends[i], x[1], x[2], x[3]};
        ccd_hit hit;
        if (ccd_point_triangle(x, y, b->slack[i], &hit) != CCD_FREE) best = fmin(best, hit.time);
      } else {
        best =
            fmin(best, distance_point_triangle(r == ANYWHERE ? b->far[i] : x[0], x + 1).distance2);
      }
    }
    sum += r == SWEEP ? best : sqrt(best);
  }
  return sum;
}

static void run_points(bench *b, row r) {
  tasks t = tasks_create(1);
  tribo_error err;
  if (r == BUILD || r == REFIT)
    must(kdtree_build(&t, b->middles, b->triangle_count, &b->tree, &err), &err);
  else
    kdtree_nearest_batch(&t, &b->tree, r == ANYWHERE ? b->far : b->near, b->query_count, 1,
                         b->nearest);
}

static void measure(bench *b, row r, int repeat) {
  double clock = clock_seconds(), start = thread_seconds();
  b->sums[r][OURS] = run_ours(b, r, 1);
  b->seconds[r][OURS][repeat] = thread_seconds() - start;
  b->seconds[r][OURS_BY_CLOCK][repeat] = clock_seconds() - clock;
  if (r > REFIT) {
    start = thread_seconds();
    b->sums[r][ALL] = run_all(b, r);
    b->seconds[r][ALL][repeat] =
        (thread_seconds() - start) * (double)b->query_count / (double)BRUTE;
  }
  start = thread_seconds();
  run_points(b, r);
  b->seconds[r][POINTS][repeat] = thread_seconds() - start;
  clock = clock_seconds();
  run_ours(b, r, 2);
  b->seconds[r][OURS_ON_TWO][repeat] = clock_seconds() - clock;
}

static void print_row(bench *b, row r, int repeats) {
  double middle[WHO], unit = r <= REFIT ? 1e3 : 1e6 / (double)b->query_count;
  for (int w = 0; w < WHO; w++) {
    sort_values(b->seconds[r][w], (size_t)repeats);
    middle[w] = b->seconds[r][w][repeats / 2];
  }
  printf("| %zu | %s, %s | %.3g |", b->triangle_count, row_names[r], r <= REFIT ? "ms" : "us",
         middle[OURS] * unit);
  if (r <= REFIT)
    printf(" - | - |");
  else
    printf(" %.3g | %.0f |", middle[ALL] * unit, middle[ALL] / middle[OURS]);
  if (r == SWEEP)
    printf(" - | - |");
  else
    printf(" %.3g | %.2f |", middle[POINTS] * unit, middle[POINTS] / middle[OURS]);
  printf(" %.3g | %.2f |", middle[OURS_ON_TWO] * unit, middle[OURS_BY_CLOCK] / middle[OURS_ON_TWO]);
  if (r > REFIT && r != SWEEP && b->sums[r][OURS] != b->sums[r][ALL])
    printf(" (distances add up to %.17g, asking all to %.17g)", b->sums[r][OURS], b->sums[r][ALL]);
  printf("\n");
  fflush(stdout);
}

static void run(size_t rings, size_t queries, int repeats) {
  bench *b = calloc(1, sizeof *b);
  make_ball(b, rings);
  make_queries(b, queries);
  for (int repeat = 0; repeat < repeats; repeat++)
    for (row r = 0; r < ROWS; r++) measure(b, r, repeat);
  for (row r = 0; r < ROWS; r++) print_row(b, r, repeats);
  kdtree_free(&b->tree);
  arena_free(&b->memory);
  void *all[] = {b->points, b->triangles, b->middles, b->near, b->far,  b->ends,
                 b->reach,  b->no_limit,  b->slack,   b->feet, b->hits, b->nearest};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(b);
}

int main(int count, char **words) {
  static const struct {
    size_t rings, queries;
    int repeats;
  } sizes[] = {{16, 10000, 21}, {50, 10000, 21}, {160, 10000, 5}, {320, 10000, 3}};
  bool quick = false;
  size_t only = 0;
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "--quick") == 0) {
      quick = true;
    } else if (strcmp(words[i], "--triangles") == 0 && i + 1 < count) {
      only = (size_t)strtoul(words[++i], NULL, 10);
    } else {
      fprintf(stderr, "usage: bench_distance [--quick] [--triangles N]\n");
      return 2;
    }
  }
  printf(
      "| triangles | what | Tribo | asking all | ratio | kd-tree | ratio | Tribo, 2 threads | "
      "gain |\n|---|---|---|---|---|---|---|---|---|\n");
  for (size_t s = 0; s < (quick ? 2 : sizeof sizes / sizeof *sizes); s++) {
    if (only && 4 * sizes[s].rings * sizes[s].rings != only) continue;
    run(sizes[s].rings, quick ? 500 : sizes[s].queries, quick ? 1 : sizes[s].repeats);
  }
  return 0;
}
