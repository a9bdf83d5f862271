/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_linsys [--quick | --direct | --contact | --kinds]
 *
 * Compares the linear solvers on matrices like those of a step, everything measured in turn within
 * one run: times are medians, and the ratios are what travels from machine to machine. The tables
 * of docs/linear_solvers.md come from here.
 */
#include <cholmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "bench/grids.h"
#include "linsys/linsys.h"

int openblas_get_num_threads(void);
void openblas_set_num_threads(int count);

enum { MOST_REPEATS = 41, VARIANTS = 8, TOGETHER = 3 };

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of all threads. With one thread and on a busy machine it is steadier than the clock. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* CHOLMOD as it comes, on the scalar matrix, for comparison. */
typedef struct plain {
  cholmod_common common;
  cholmod_sparse *a;
  cholmod_factor *l;
  cholmod_dense *x, *y, *e;
} plain;

static plain *plain_create(const grid *g) {
  const bcsr_pattern *p = &g->pattern;
  plain *c = calloc(1, sizeof *c);
  if (!c) abort();
  cholmod_l_start(&c->common);
  c->common.print = 0;
  size_t n = 3 * (size_t)p->rows, entries = 9 * (size_t)bcsr_block_count(p);
  c->a = cholmod_l_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, &c->common);
  if (!c->a) abort();
  SuiteSparse_long *start = c->a->p, *index = c->a->i, at = 0;
  double *value = c->a->x;
  for (int32_t j = 0; j < p->rows; j++)
    for (int col = 0; col < 3; col++) {
      start[3 * j + col] = at;
      for (int32_t k = p->diagonal[j]; k < p->row_start[j + 1]; k++)
        for (int row = k == p->diagonal[j] ? col : 0; row < 3; row++) {
          index[at] = 3 * (SuiteSparse_long)p->columns[k] + row;
          value[at++] = g->a.blocks[k].m[col][row];
        }
    }
  start[n] = at;
  c->common.nmethods = 2;
  c->common.method[0].ordering = CHOLMOD_METIS;
  c->common.method[1].ordering = CHOLMOD_AMD;
  c->common.supernodal = CHOLMOD_SUPERNODAL;
  c->l = cholmod_l_analyze(c->a, &c->common);
  if (!c->l) abort();
  return c;
}

static void plain_free(plain *c) {
  cholmod_l_free_sparse(&c->a, &c->common);
  cholmod_l_free_factor(&c->l, &c->common);
  cholmod_l_free_dense(&c->x, &c->common);
  cholmod_l_free_dense(&c->y, &c->common);
  cholmod_l_free_dense(&c->e, &c->common);
  cholmod_l_finish(&c->common);
  free(c);
}

/* One competitor: plain CHOLMOD with a number of BLAS threads, or a backend with a number of ours.
 */
typedef struct variant {
  const char *name;
  linsys_kind kind;
  int threads;
  bool plain;
  linsys *solver;
  plain *reference;
  double create, factor[MOST_REPEATS], solve[MOST_REPEATS];
  double cpu_factor[MOST_REPEATS], cpu_solve[MOST_REPEATS], cpu_together[MOST_REPEATS];
} variant;

static bool variant_open(variant *v, const grid *g) {
  double begin = clock_seconds();
  if (v->plain) {
    v->reference = plain_create(g);
  } else {
    linsys_options options = {
        .kind = v->kind, .tasks = {v->threads}, .cg_tolerance = 1e-6, .cg_iterations = 20000};
    if (linsys_create(&options, &g->pattern, &v->solver, NULL) != TRIBO_OK) return false;
  }
  v->create = clock_seconds() - begin;
  return true;
}

/* Solves for `count` right-hand sides at once. */
static void variant_solve(variant *v, const grid *g, double *b, size_t count, double *x) {
  size_t n = 3 * (size_t)g->pattern.rows;
  if (v->plain) {
    cholmod_dense right = {n, count, n * count, n, b, NULL, CHOLMOD_REAL, CHOLMOD_DOUBLE};
    cholmod_l_solve2(CHOLMOD_A, v->reference->l, &right, NULL, &v->reference->x, NULL,
                     &v->reference->y, &v->reference->e, &v->reference->common);
    memcpy(x, v->reference->x->x, count * n * sizeof *x);
  } else {
    linsys_outcome outcome;
    linsys_solve(v->solver, b, (int)count, x, &outcome, NULL);
    if (outcome != LINSYS_DONE) printf("  %s did not get through\n", v->name);
  }
}

static void variant_run(variant *v, const grid *g, double *b, double *x, int repeat) {
  double begin = clock_seconds(), cpu_begin = cpu_seconds();
  if (v->plain) {
    openblas_set_num_threads(v->threads);
    cholmod_l_factorize(v->reference->a, v->reference->l, &v->reference->common);
  } else {
    linsys_outcome outcome;
    linsys_values(v->solver, &g->a);
    linsys_factor(v->solver, &outcome, NULL);
  }
  double middle = clock_seconds(), cpu_middle = cpu_seconds();
  variant_solve(v, g, b, 1, x);
  double end = clock_seconds(), cpu_end = cpu_seconds();
  v->factor[repeat] = middle - begin;
  v->solve[repeat] = end - middle;
  v->cpu_factor[repeat] = cpu_middle - cpu_begin;
  v->cpu_solve[repeat] = cpu_end - cpu_middle;
  if (v->kind == LINSYS_CG) return;
  variant_solve(v, g, b, TOGETHER, x);
  v->cpu_together[repeat] = cpu_seconds() - cpu_end;
}

static double residual(const grid *g, const double *b, const double *x) {
  size_t n = 3 * (size_t)g->pattern.rows;
  double *ax = malloc(n * sizeof *ax), r2 = 0, b2 = 0;
  if (!ax) abort();
  bcsr_multiply(&g->a, &(tasks){1}, (const vec3 *)x, (vec3 *)ax);
  for (size_t i = 0; i < n; i++) {
    r2 += (b[i] - ax[i]) * (b[i] - ax[i]);
    b2 += b[i] * b[i];
  }
  free(ax);
  return sqrt(r2 / b2);
}

/* Runs all variants in turn, `repeats` times; ratios are to the first. */
static void compare_variants(const char *title, const grid *g, variant *variants, int count,
                             int repeats) {
  size_t n = 3 * (size_t)g->pattern.rows;
  double *b = malloc(TOGETHER * n * sizeof *b), *x = malloc(TOGETHER * n * sizeof *x);
  if (!b || !x) abort();
  srand(5);
  for (size_t i = 0; i < TOGETHER * n; i++) b[i] = (double)rand() / RAND_MAX - 0.5;
  printf("\n%s: %d vertices, %d blocks\n", title, g->pattern.rows, bcsr_block_count(&g->pattern));
  printf("  %-20s %9s %9s %9s %9s | %9s %9s %9s %9s | %9s %6s\n", "", "create ms", "factor ms",
         "solve ms", "x", "cpu: fac.", "solve", "3 solves", "cpu x", "residual", "iter");
  bool open[VARIANTS];
  double errors[VARIANTS];
  for (int v = 0; v < count; v++) open[v] = variant_open(&variants[v], g);
  for (int r = -1; r < repeats; r++) /* once to warm up */
    for (int v = 0; v < count; v++)
      if (open[v]) {
        variant_run(&variants[v], g, b, x, r < 0 ? 0 : r);
        errors[v] = residual(g, b, x);
      }
  double first = 0, first_cpu = 0;
  for (int i = 0; i < count; i++) {
    variant *v = &variants[i];
    if (!open[i]) {
      printf("  %-20s not on this machine\n", v->name);
      continue;
    }
    double factor = median(v->factor, repeats), solve = median(v->solve, repeats);
    double cpu_factor = median(v->cpu_factor, repeats), cpu_solve = median(v->cpu_solve, repeats);
    if (i == 0) first = factor + solve, first_cpu = cpu_factor + cpu_solve;
    printf("  %-20s %9.1f %9.2f %9.3f %9.2f | %9.2f %9.3f %9.3f %9.2f | %9.1e %6d\n", v->name,
           1e3 * v->create, 1e3 * factor, 1e3 * solve, first / (factor + solve), 1e3 * cpu_factor,
           1e3 * cpu_solve, 1e3 * median(v->cpu_together, repeats),
           first_cpu / (cpu_factor + cpu_solve), errors[i],
           v->solver ? linsys_iterations(v->solver) : 0);
  }
  fflush(stdout);
  for (int v = 0; v < count; v++) {
    if (variants[v].reference) plain_free(variants[v].reference);
    linsys_free(variants[v].solver);
  }
  free(b);
  free(x);
}

static void compare_direct(const char *title, grid *g, int repeats) {
  variant variants[] = {
      {.name = "plain CHOLMOD, 1", .plain = true, .threads = 1},
      {.name = "plain CHOLMOD, 2", .plain = true, .threads = 2},
      {.name = "cholmod, 1", .kind = LINSYS_CHOLMOD, .threads = 1},
      {.name = "cholmod, 2", .kind = LINSYS_CHOLMOD, .threads = 2},
      {.name = "pardiso, 1", .kind = LINSYS_PARDISO, .threads = 1},
      {.name = "pardiso, 2", .kind = LINSYS_PARDISO, .threads = 2},
  };
  compare_variants(title, g, variants, sizeof variants / sizeof *variants, repeats);
  grid_free(g);
}

static void compare_kinds(const char *title, grid *g, int repeats) {
  variant variants[] = {
      {.name = "cholmod, 1", .kind = LINSYS_CHOLMOD, .threads = 1},
      {.name = "cholmod, 2", .kind = LINSYS_CHOLMOD, .threads = 2},
      {.name = "cg, 1", .kind = LINSYS_CG, .threads = 1},
      {.name = "cg, 2", .kind = LINSYS_CG, .threads = 2},
  };
  compare_variants(title, g, variants, sizeof variants / sizeof *variants, repeats);
  grid_free(g);
}

typedef struct analysis {
  double seconds[MOST_REPEATS], factor[MOST_REPEATS];
} analysis;

static linsys *analyse(const grid *g, const linsys *like, analysis *a, int repeat) {
  linsys_options options = {.kind = LINSYS_CHOLMOD, .tasks = {1}};
  linsys *solver;
  double begin = cpu_seconds();
  if (linsys_create_like(like, &options, &g->pattern, &solver, NULL) != TRIBO_OK) abort();
  double middle = cpu_seconds();
  linsys_outcome outcome;
  linsys_values(solver, &g->a);
  linsys_factor(solver, &outcome, NULL);
  linsys_factor(solver, &outcome,
                NULL); /* the first one also meets its memory for the first time */
  double end = cpu_seconds();
  linsys_factor(solver, &outcome, NULL);
  a->seconds[repeat] = middle - begin;
  a->factor[repeat] = cpu_seconds() - end;
  return solver;
}

/* A cloth comes to lie on a ball, both simulated: the pattern has new couplings. */
static void compare_contact(int32_t cloth, int32_t ball, double share, int repeats) {
  size_t none, contacts;
  grid *apart = grid_drape(cloth, ball, 0, 1e3, &none);
  grid *touching = grid_drape(cloth, ball, share, 1e3, &contacts);
  analysis before, anew, like;
  for (int r = 0; r < repeats; r++) {
    linsys *base = analyse(apart, NULL, &before, r);
    linsys_free(analyse(touching, NULL, &anew, r));
    linsys_free(analyse(touching, base, &like, r));
    linsys_free(base);
  }
  double old = median(anew.seconds, repeats), now = median(like.seconds, repeats);
  double old_factor = median(anew.factor, repeats), now_factor = median(like.factor, repeats);
  printf("  %6d %6d %8zu %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", cloth * cloth,
         apart->pattern.rows - cloth * cloth, contacts, 1e3 * median(before.factor, repeats),
         1e3 * old, 1e3 * now, old / now, 1e3 * old_factor, 1e3 * now_factor,
         now_factor / old_factor);
  fflush(stdout);
  grid_free(apart);
  grid_free(touching);
}

static void compare_contacts(int repeats) {
  printf(
      "\na cloth on a ball, one thread, processor ms: analysis and factorisation when they "
      "touch\n");
  printf("  %6s %6s %8s %9s %9s %9s %9s %9s %9s %9s\n", "cloth", "ball", "contacts", "apart",
         "analysis", "like", "x", "factor", "like", "ratio");
  if (repeats == 1) {
    compare_contact(20, 9, 0.5, 1);
    return;
  }
  const double shares[] = {0.2, 0.5, 0.8, 0.95};
  for (int s = 0; s < 4; s++) compare_contact(60, 14, shares[s], repeats);
  for (int s = 0; s < 4; s++) compare_contact(100, 14, shares[s], repeats);
  for (int s = 0; s < 4; s++) compare_contact(40, 19, shares[s], repeats);
}

static void compare_all_direct(void) {
  compare_direct("cloth", grid_cloth(20, 1e3), 41);
  compare_direct("cloth", grid_cloth(45, 1e3), 41);
  compare_direct("cloth", grid_cloth(100, 1e3), 11);
  compare_direct("solid", grid_solid(8, 1e3), 41);
  compare_direct("solid", grid_solid(12, 1e3), 41);
  compare_direct("solid", grid_solid(22, 1e3), 7);
}

static void compare_all_kinds(void) {
  const double stiffness[] = {1e2, 1e4};
  for (int s = 0; s < 2; s++) {
    char title[64];
    snprintf(title, sizeof title, "cloth, stiffness %g", stiffness[s]);
    compare_kinds(title, grid_cloth(50, stiffness[s]), 5);
    compare_kinds(title, grid_cloth(100, stiffness[s]), 3);
    compare_kinds(title, grid_cloth(200, stiffness[s]), 3);
    compare_kinds(title, grid_cloth(316, stiffness[s]), 3);
    snprintf(title, sizeof title, "solid, stiffness %g", stiffness[s]);
    compare_kinds(title, grid_solid(10, stiffness[s]), 5);
    compare_kinds(title, grid_solid(16, stiffness[s]), 3);
    compare_kinds(title, grid_solid(22, stiffness[s]), 3);
    compare_kinds(title, grid_solid(31, stiffness[s]), 1);
  }
}

int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  bool quick = strcmp(part, "--quick") == 0, direct = strcmp(part, "--direct") == 0;
  bool contact = strcmp(part, "--contact") == 0, kinds = strcmp(part, "--kinds") == 0;
  if (argc > 1 && !quick && !direct && !contact && !kinds) {
    fprintf(stderr, "usage: bench_linsys [--quick | --direct | --contact | --kinds]\n");
    return 2;
  }
  printf(
      "number of threads behind the name; x: how many times as fast as the first line, factor and\n"
      "solve; cpu: milliseconds of all threads together, the steadier ones on a busy machine\n");
  if (quick) {
    compare_direct("cloth", grid_cloth(20, 1e3), 1);
    compare_kinds("solid", grid_solid(6, 1e3), 1);
    compare_contacts(1);
    return 0;
  }
  if (argc == 1 || direct) compare_all_direct();
  if (argc == 1 || contact) compare_contacts(7);
  if (argc == 1 || kinds) compare_all_kinds();
  return 0;
}
