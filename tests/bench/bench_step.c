/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_step [--quick]: where the time of a step goes, on a hanging cloth of 20,000 triangles and a
 * swinging solid of 50,000 tets: the share inside the linear solver, the speed-up from one thread
 * to two, and the linear solvers against each other. All figures of a line are ratios of one run;
 * the variants take turns, frame by frame, so that a noisy machine disturbs all alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/recipes.h"
#include "tribo/sim.h"

enum { MOST_FRAMES = 16 };

typedef struct variant {
  const char *linear;
  int threads;
  tribo_sim *sim; /* NULL: not on this machine */
  double frame_seconds[MOST_FRAMES], seconds, linear_seconds, assembly_seconds;
  int newton_iterations;
} variant;

static void prepare(const char *name, int resolution, variant *v) {
  tribo_error err = {0};
  tribo_scene *scene = NULL;
  if (scenes_make(name, resolution, &scene, &err) != TRIBO_OK) bench_die(&err);
  if (tribo_scene_set(scene, "solver.linear", v->linear, &err) != TRIBO_OK) bench_die(&err);
  tribo_sim_options options = {.threads = v->threads};
  tribo_status status = tribo_sim_create(scene, &options, &v->sim, &err);
  tribo_scene_free(scene);
  if (status == TRIBO_UNAVAILABLE)
    printf("  (%s left out: %s)\n", v->linear, err.message);
  else if (status != TRIBO_OK)
    bench_die(&err);
}

static void run_frame(variant *v, int frame) {
  tribo_error err = {0};
  tribo_report report;
  if (!v->sim) return;
  if (tribo_sim_frame(v->sim, &report, &err) != TRIBO_OK) bench_die(&err);
  v->frame_seconds[frame] = report.seconds;
  v->seconds += report.seconds;
  v->linear_seconds += report.linear_seconds;
  v->assembly_seconds += report.assembly_seconds;
  v->newton_iterations += report.newton_iterations;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* How many times as fast as `first`, on the median frame. */
static double speed(const variant *first, const variant *v, int frames) {
  double ratios[MOST_FRAMES];
  for (int f = 0; f < frames; f++) ratios[f] = first->frame_seconds[f] / v->frame_seconds[f];
  qsort(ratios, (size_t)frames, sizeof *ratios, ascending);
  return (ratios[(frames - 1) / 2] + ratios[frames / 2]) / 2;
}

static void bench(const char *title, const char *name, int resolution, int frames) {
  variant variants[] = {{.linear = "cholmod", .threads = 1}, {.linear = "cholmod", .threads = 2},
                        {.linear = "pardiso", .threads = 1}, {.linear = "pardiso", .threads = 2},
                        {.linear = "cg", .threads = 1},      {.linear = "cg", .threads = 2},
                        {.linear = "auto", .threads = 1},    {.linear = "auto", .threads = 2}};
  size_t count = sizeof variants / sizeof *variants;
  printf("%s, %d frames of 4 steps\n", title, frames);
  for (size_t k = 0; k < count; k++) prepare(name, resolution, &variants[k]);
  for (int f = 0; f < frames; f++)
    for (size_t k = 0; k < count; k++) run_frame(&variants[k], f);
  printf("  %-8s %7s %10s %12s %12s %14s %14s\n", "linear", "threads", "s a frame", "in linear",
         "in assembly", "newton a step", "against first");
  for (size_t k = 0; k < count; k++) {
    const variant *v = &variants[k];
    if (v->sim)
      printf("  %-8s %7d %10.3f %11.1f%% %11.1f%% %14.1f %13.2fx\n", v->linear, v->threads,
             v->seconds / frames, 100 * v->linear_seconds / v->seconds,
             100 * v->assembly_seconds / v->seconds, v->newton_iterations / (4.0 * frames),
             speed(&variants[0], v, frames));
    tribo_sim_free(v->sim);
  }
}

int main(int count, char **words) {
  bool quick = count > 1 && strcmp(words[1], "--quick") == 0;
  if (quick) {
    bench("cloth, 200 triangles", "hanging_cloth", 10, 1);
    bench("solid, 384 tets", "swinging_cube", 4, 1);
    return 0;
  }
  bench("cloth, 20,000 triangles", "hanging_cloth", 100, 3);
  bench("solid, 48,000 tets", "swinging_cube", 20, 3);
  return 0;
}
