/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_convergence [--quick]: what iterations of the method projective are good for, as lines of
 * words and numbers that scripts/plot_convergence.py draws:
 *
 *   error SECONDS ITERATIONS VALUE    the mean Alart-Curnier error, by the mean impulse, of one
 * step of Square1 from the state at that time (the paper's Fig. 6) apart ITERATIONS MEAN MOST how
 * far cloth on a cylinder is, after 0.2 s, from where the method forwarding has it, m
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/compile.h"
#include "scenes/scenes.h"

static tribo_error err;

static void must(tribo_status status) {
  if (status == TRIBO_OK) return;
  fprintf(stderr, "bench_convergence: %s\n", err.message);
  exit(1);
}

/* By the method forwarding where there are no iterations. */
static simulation *start(const char *recipe, const char *const *words, size_t count,
                         int iterations) {
  tribo_scene *scene;
  simulation *s;
  must(scenes_make_with(recipe, words, count, &scene, &err));
  tribo_scene_world(scene)->method = iterations ? TRIBO_METHOD_PROJECTIVE : TRIBO_METHOD_FORWARDING;
  if (iterations) tribo_scene_solver(scene)->projective_iterations = iterations;
  must(compile_simulation(scene, 1, NULL, &s, &err));
  tribo_scene_free(scene);
  return s;
}

static double step(simulation *s, int count) {
  tribo_report report = {0};
  must(simulation_steps(s, count, &report, &err));
  return report.friction_residual;
}

/* One step from the same states, with more and more iterations. */
static void print_errors(const char *cells, const int *iterations, int count, const int *at,
                         int times) {
  const char *const words[] = {cells, "mu=0.3"};
  const double dt = 0.005;
  simulation *film = start("squares", words, 2, 20);
  for (int t = 0; t < times; t++) {
    step(film, at[t] - (t > 0 ? at[t - 1] : 0));
    for (int k = 0; k < count; k++) {
      simulation *s = start("squares", words, 2, iterations[k]);
      must(simulation_restore(s, simulation_state(film), &err));
      printf("error %g %d %.4e\n", at[t] * dt, iterations[k], step(s, 1));
      simulation_free(s);
    }
    fflush(stdout);
  }
  simulation_free(film);
}

/* The scene of tests/physics/test_projective.c. */
static simulation *draped(const char *cells, int iterations) {
  const char *const words[] = {cells, "mu=0.145", "stretch=2000"};
  simulation *s = start("cloth_cylinder", words, 3, iterations);
  step(s, 20);
  return s;
}

static void print_distances(const char *cells, const int *iterations, int count) {
  simulation *wanted = draped(cells, 0);
  const state *to = simulation_state(wanted);
  for (int k = 0; k < count; k++) {
    simulation *s = draped(cells, iterations[k]);
    double sum = 0, most = 0;
    for (size_t i = 0; i < to->node_count; i++) {
      double off = vec3_norm(vec3_sub(simulation_state(s)->x[i], to->x[i]));
      sum += off;
      most = fmax(most, off);
    }
    printf("apart %d %.4e %.4e\n", iterations[k], sum / (double)to->node_count, most);
    simulation_free(s);
  }
  simulation_free(wanted);
}

int main(int argc, char **argv) {
  static const int iterations[] = {1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100};
  static const int film[] = {60, 120, 200, 300}; /* falling, lying down, at rest, turning */
  enum { COUNT = sizeof iterations / sizeof *iterations };
  if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
    print_errors("cells=9", iterations, 3, film, 1);
    print_distances("cells=4", iterations, 3);
    return 0;
  }
  print_errors("cells=76", iterations, COUNT, film, 4);
  print_distances("cells=8", iterations, COUNT);
  return 0;
}
