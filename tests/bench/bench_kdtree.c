/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_kdtree [--quick] [--leaf N] [--points N]
 *
 * The kd-tree beside Debian's nanoflann, measured in turn within one run: medians, and ratios above
 * 1 where the kd-tree is faster. One thread is timed by its processor time; two threads, and
 * what is gained by them, by the clock, which only a quiet machine makes fair.
 * --leaf sets the size of nanoflann's leaves (its own default: 10), --points asks for one of the
 * sizes only. Points and queries lie anywhere in a cube, or on a sphere as the samples of a surface
 * do. The tables of docs/kdtree.md come from here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/measure.h"
#include "bench/peer_nanoflann.h"
#include "geom/kdtree.h"

#ifndef TRIBO_NANOFLANN
/* Without the peer its columns stay empty. */
struct peer_tree {
  int nothing;
};
peer_tree *peer_create(const double *points, size_t count, size_t leaf) {
  (void)points, (void)count, (void)leaf;
  return NULL;
}
void peer_build(peer_tree *tree) { (void)tree; }
void peer_free(peer_tree *tree) { (void)tree; }
size_t peer_radius(peer_tree *tree, const double *queries, size_t count, double radius,
                   int sorted) {
  (void)tree, (void)queries, (void)count, (void)radius, (void)sorted;
  return 0;
}
size_t peer_nearest(peer_tree *tree, const double *queries, size_t count, size_t k) {
  (void)tree, (void)queries, (void)count, (void)k;
  return 0;
}
#endif

enum { MOST_REPEATS = 31, NEIGHBOURS = 30, K = 10, MOST_HITS = 4096 };

typedef enum row { FIRST_BUILD, REBUILD, RADIUS, RADIUS_SORTED, NEAREST, ROWS } row;
typedef enum who { OURS, PEER, OURS_BY_CLOCK, OURS_ON_TWO, WHO } who;

static const char *const row_names[ROWS] = {"first build", "rebuild", "radius, 30 on average",
                                            "the same, sorted", "10 nearest"};

static vec3 anywhere(void) {
  vec3 p = {between(-1, 1), 0, 0};
  p.y = between(-1, 1);
  p.z = between(-1, 1);
  return p;
}

static vec3 on_sphere(void) {
  for (;;) {
    vec3 p = anywhere();
    double r = vec3_norm(p);
    if (r > 0.1 && r < 1) return vec3_scale(1 / r, p);
  }
}

typedef struct bench {
  size_t count, query_count, leaf;
  vec3 *points, *queries;
  double radius, *radii;
  kdtree tree;
  peer_tree *peer;
  size_t *start;
  kdtree_hit *hits;
  size_t capacity;
  double seconds[ROWS][WHO][MOST_REPEATS];
  size_t found[ROWS][WHO];
} bench;

static void must_build(const tasks *t, bench *b) {
  tribo_error err;
  if (kdtree_build(t, b->points, b->count, &b->tree, &err) == TRIBO_OK) return;
  fprintf(stderr, "bench_kdtree: %s\n", err.message);
  exit(1);
}

static size_t run_ours(bench *b, row r, int threads) {
  tasks t = tasks_create(threads);
  size_t found = 0;
  if (r == FIRST_BUILD) kdtree_free(&b->tree);
  if (r <= REBUILD) {
    must_build(&t, b);
  } else if (threads > 1 && r == NEAREST) {
    found =
        b->query_count * kdtree_nearest_batch(&t, &b->tree, b->queries, b->query_count, K, b->hits);
  } else if (threads > 1) {
    found = kdtree_radius_batch(&t, &b->tree, b->queries, b->radii, b->query_count,
                                r == RADIUS ? KDTREE_AS_STORED : KDTREE_SORTED, b->start, b->hits,
                                b->capacity);
  } else {
    /* As the peer does it: one query after the other, into the same memory. */
    for (size_t i = 0; i < b->query_count; i++)
      found += r == NEAREST ? kdtree_nearest(&b->tree, b->queries[i], K, b->hits)
                            : kdtree_radius(&b->tree, b->queries[i], b->radius,
                                            r == RADIUS ? KDTREE_AS_STORED : KDTREE_SORTED, b->hits,
                                            MOST_HITS);
  }
  return found;
}

static size_t run_peer(bench *b, row r) {
  const double *queries = &b->queries[0].x;
  if (r == FIRST_BUILD) {
    peer_free(b->peer);
    b->peer = peer_create(&b->points[0].x, b->count, b->leaf);
  }
  if (r <= REBUILD) peer_build(b->peer);
  if (r == RADIUS || r == RADIUS_SORTED)
    return peer_radius(b->peer, queries, b->query_count, b->radius, r == RADIUS_SORTED);
  return r == NEAREST ? peer_nearest(b->peer, queries, b->query_count, K) : 0;
}

static void measure(bench *b, row r, int repeat) {
  double clock = clock_seconds(), start = thread_seconds();
  b->found[r][OURS] = run_ours(b, r, 1);
  b->seconds[r][OURS][repeat] = thread_seconds() - start;
  b->seconds[r][OURS_BY_CLOCK][repeat] = clock_seconds() - clock;
  start = thread_seconds();
  b->found[r][PEER] = run_peer(b, r);
  b->seconds[r][PEER][repeat] = thread_seconds() - start;
  clock = clock_seconds();
  b->found[r][OURS_ON_TWO] = run_ours(b, r, 2);
  b->seconds[r][OURS_ON_TWO][repeat] = clock_seconds() - clock;
}

static void print_row(bench *b, const char *where, row r, int repeats) {
  double middle[WHO], unit = r <= REBUILD ? 1e3 : 1e6 / (double)b->query_count;
  for (int w = 0; w < WHO; w++) {
    sort_values(b->seconds[r][w], (size_t)repeats);
    middle[w] = b->seconds[r][w][repeats / 2];
  }
  printf("| %s | %zu | %s, %s | %.3g |", where, b->count, row_names[r], r <= REBUILD ? "ms" : "us",
         middle[OURS] * unit);
#ifdef TRIBO_NANOFLANN
  printf(" %.3g | %.2f |", middle[PEER] * unit, middle[PEER] / middle[OURS]);
  if (b->found[r][PEER] != b->found[r][OURS])
    printf(" (%zu hits, nanoflann %zu)", b->found[r][OURS], b->found[r][PEER]);
#else
  printf(" - | - |");
#endif
  printf(" %.3g | %.2f |\n", middle[OURS_ON_TWO] * unit,
         middle[OURS_BY_CLOCK] / middle[OURS_ON_TWO]);
  fflush(stdout);
}

static void run(const char *where, vec3 (*place)(void), size_t count, size_t queries, size_t leaf,
                int repeats) {
  bench *b = calloc(1, sizeof *b);
  b->count = count;
  b->query_count = queries;
  b->leaf = leaf;
  b->points = malloc(count * sizeof *b->points);
  b->queries = malloc(queries * sizeof *b->queries);
  b->radii = malloc(queries * sizeof *b->radii);
  b->start = malloc((queries + 1) * sizeof *b->start);
  b->capacity = queries * 3 * NEIGHBOURS + MOST_HITS;
  b->hits = malloc(b->capacity * sizeof *b->hits);
  const double pi = 3.14159265358979;
  b->radius = place == anywhere ? cbrt(8.0 * NEIGHBOURS / (double)count * 3 / (4 * pi))
                                : sqrt(4.0 * NEIGHBOURS / (double)count);
  for (size_t i = 0; i < count; i++) b->points[i] = place();
  for (size_t i = 0; i < queries; i++) {
    b->queries[i] = place();
    b->radii[i] = b->radius;
  }
  b->peer = peer_create(&b->points[0].x, count, leaf);
  for (int repeat = 0; repeat < repeats; repeat++)
    for (row r = 0; r < ROWS; r++) measure(b, r, repeat);
  for (row r = 0; r < ROWS; r++) print_row(b, where, r, repeats);
  peer_free(b->peer);
  kdtree_free(&b->tree);
  free(b->points);
  free(b->queries);
  free(b->radii);
  free(b->start);
  free(b->hits);
  free(b);
}

int main(int count, char **words) {
  static const struct {
    size_t points, queries;
    int repeats;
  } sizes[] = {{10000, 10000, 21}, {100000, 10000, 11}, {1000000, 20000, 5}};
  bool quick = false;
  size_t leaf = 10, only = 0;
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "--quick") == 0) {
      quick = true;
    } else if (strcmp(words[i], "--leaf") == 0 && i + 1 < count) {
      leaf = (size_t)strtoul(words[++i], NULL, 10);
    } else if (strcmp(words[i], "--points") == 0 && i + 1 < count) {
      only = (size_t)strtoul(words[++i], NULL, 10);
    } else {
      fprintf(stderr, "usage: bench_kdtree [--quick] [--leaf N] [--points N]\n");
      return 2;
    }
  }
#ifndef TRIBO_NANOFLANN
  printf("nanoflann was not found when this was built: its columns are left out\n");
#endif
  printf("| points | number | what | Tribo | nanoflann | ratio | Tribo, 2 threads | gain |\n");
  printf("|---|---|---|---|---|---|---|---|\n");
  for (size_t s = 0; s < (quick ? 1 : sizeof sizes / sizeof *sizes); s++) {
    if (only && sizes[s].points != only) continue;
    size_t queries = quick ? 500 : sizes[s].queries;
    int repeats = quick ? 1 : sizes[s].repeats;
    run("cube", anywhere, sizes[s].points, queries, leaf, repeats);
    run("sphere", on_sphere, sizes[s].points, queries, leaf, repeats);
  }
  return 0;
}
