/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_mls [--quick]
 *
 * What a query of an MLS surface costs: finding its neighbours, the potential and its derivatives,
 * and the patch with the gradients by the samples. Beside the evaluation in
 * columns stands the same sum written sample by sample, in one run. Medians of processor time, one
 * thread. The table of docs/mls.md comes from here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "mls/mls_patch.h"
#include "mls/mls_tree.h"

enum { REPEATS = 7 };

/* Points spread over the unit sphere along a spiral, as evenly as makes no difference. */
static void spiral(size_t count, double lift, vec3 *out) {
  for (size_t i = 0; i < count; i++) {
    double z = 1 - (2 * (double)i + 1) / (double)count, angle = 2.399963229728653 * (double)i;
    double r = sqrt(1 - z * z);
    out[i] = vec3_scale(1 + lift * sin((double)i), (vec3){r * cos(angle), r * sin(angle), z});
  }
}

/* mls_evaluate with MLS_HESSIAN, sample by sample. */
static mls_value one_by_one(const mls_surface *s, vec3 q, const int32_t *list, size_t count) {
  double w = 0, n = 0;
  vec3 gw = {0, 0, 0}, gn = {0, 0, 0};
  mat3 hw = {0}, hn = {0};
  for (size_t i = 0; i < count; i++) {
    const mls_sample *p = &s->samples[list[i]];
    vec3 d = vec3_sub(q, p->point);
    double r2 = vec3_norm2(d), k = 1 / (p->radius * p->radius);
    if (!(r2 * k < 1)) continue;
    mls_radial f = mls_kernel_radial(s->kernel, s->epsilon, r2, k);
    double psi = p->value + vec3_dot(p->normal, d);
    vec3 g = vec3_scale(f.slope, d);
    mat3 h = mat3_outer(vec3_scale(f.curve, d), d), gp = mat3_outer(g, p->normal);
    for (int a = 0; a < 3; a++) h.m[a][a] += f.slope;
    w += f.value;
    n += f.value * psi;
    gw = vec3_add(gw, g);
    gn = vec3_madd(vec3_madd(gn, psi, g), f.value, p->normal);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        hw.m[a][b] += h.m[a][b];
        hn.m[a][b] += psi * h.m[a][b] + gp.m[a][b] + gp.m[b][a];
      }
  }
  mls_value v = {.value = n / w, .weight = w, .pull = vec3_scale(1 / w, gw)};
  v.gradient = vec3_scale(1 / w, vec3_madd(gn, -v.value, gw));
  mat3 pg = mat3_outer(v.pull, v.gradient);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      v.hessian.m[a][b] = (hn.m[a][b] - v.value * hw.m[a][b]) / w - (pg.m[a][b] + pg.m[b][a]);
  return v;
}

typedef enum row { SEARCH, VALUE, GRADIENT, HESSIAN, ONE_BY_ONE, PATCH, ROWS } row;

static const char *const names[ROWS] = {"neighbours (kd-tree)",
                                        "value",
                                        "and gradient",
                                        "and Hessian",
                                        "the same, sample by sample",
                                        "patch and sample gradients"};

/* A patch for every query, and the gradients of its samples. */
static bool patches(const mls_surface *s, const vec3 *q, size_t queries, const mls_lists *lists,
                    double *sink) {
  enum { MOST = 512 };
  vec3 by_point[MOST], by_normal[MOST];
  arena memory = {0};
  bool fits = true;
  for (size_t i = 0; fits && i < queries; i++) {
    mls_patch patch;
    size_t count = lists->start[i + 1] - lists->start[i];
    arena_reset(&memory);
    fits = mls_patch_create(s, q[i], lists->index + lists->start[i], count, &memory, &patch,
                            NULL) == TRIBO_OK &&
           patch.count <= MOST;
    if (!fits) break;
    mls_patch_by_samples(&patch, by_point, by_normal);
    *sink += patch.count ? by_point[0].x : 0;
  }
  arena_free(&memory);
  return fits;
}

int main(int argc, char **argv) {
  bool quick = argc > 1 && !strcmp(argv[1], "--quick");
  size_t count = quick ? 2000 : 50000, queries = quick ? 1000 : 50000;
  arena memory = {0}, scratch = {0};
  tasks one = tasks_create(1);
  tribo_error err = {0};
  vec3 *points = ARENA_ARRAY(&memory, vec3, count), *q = ARENA_ARRAY(&memory, vec3, queries);
  double *spacing = ARENA_ARRAY(&memory, double, count), sink = 0;
  mls_value *values = ARENA_ARRAY(&memory, mls_value, queries);
  mls_value *plain = ARENA_ARRAY(&memory, mls_value, queries);
  if (!points || !q || !spacing || !values || !plain) return 1;
  spiral(count, 0, points);
  spiral(queries, 1e-3, q);
  static const char *const kernels[3] = {"interpolating", "cubic", "smooth"};
  for (int k = 0; k < 3; k++) {
    mls_surface s;
    kdtree tree = {0};
    if (mls_from_points((mls_kernel)k, 0.01, points, points, NULL, count, &memory, &s, &err) ||
        mls_tree_build(&one, &s, &memory, &tree, &err) ||
        mls_spacing_of_points(&one, &s, &tree, MLS_RING, &memory, spacing, &err) ||
        mls_set_radii(spacing, MLS_SCALE, &s, &err)) {
      fprintf(stderr, "%s\n", err.message);
      return 1;
    }
    mls_search search = mls_tree_search(&tree);
    double seconds[ROWS][REPEATS], in_reach = 0;
    for (int r = 0; r < REPEATS; r++) {
      mls_lists lists = {0};
      arena_reset(&scratch);
      double start = thread_seconds();
      if (search.find(search.context, &one, q, queries, s.reach, &scratch, &lists, &err)) return 1;
      seconds[SEARCH][r] = thread_seconds() - start;
      for (int order = 0; order < 3; order++) {
        start = thread_seconds();
        mls_evaluate_batch(&one, &s, q, queries, &lists, (mls_order)order, values);
        seconds[VALUE + order][r] = thread_seconds() - start;
      }
      start = thread_seconds();
      for (size_t i = 0; i < queries; i++)
        plain[i] =
            one_by_one(&s, q[i], lists.index + lists.start[i], lists.start[i + 1] - lists.start[i]);
      seconds[ONE_BY_ONE][r] = thread_seconds() - start;
      start = thread_seconds();
      if (!patches(&s, q, queries, &lists, &sink)) return 1;
      seconds[PATCH][r] = thread_seconds() - start;
    }
    for (size_t i = 0; i < queries; i++) in_reach += (double)values[i].active / (double)queries;
    printf("%s, %zu samples, %.1f in reach of a query; nanoseconds a query:\n", kernels[k], count,
           in_reach);
    for (int i = 0; i < ROWS; i++) {
      sort_values(seconds[i], REPEATS);
      printf("  %-28s %8.0f\n", names[i], 1e9 * seconds[i][REPEATS / 2] / (double)queries);
    }
    kdtree_free(&tree);
  }
  if (sink == 1) printf("\n"); /* so that nothing is left out */
  arena_free(&memory);
  arena_free(&scratch);
  return 0;
}
