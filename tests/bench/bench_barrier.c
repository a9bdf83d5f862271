/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_barrier: what a step of the method `barrier` costs on cloth, and that nothing crosses.
 *
 *   bench_barrier [--quick] [SCENE] [CELLS] [SUBSTEPS] [FRAMES] [METHOD] [each]
 *
 * METHOD is the number of TRIBO_METHOD_...; with `each` there is a line a frame.
 *
 * edge: a cotton sheet of 1 m falls edge-first on a plane. ball: a sheet falls on a ball, flat.
 */
#include <math.h>
#include <string.h>

#include "measure.h"
#include "recipes.h"
#include "scene/compile.h"

typedef struct run {
  const char *name;
  int cells, substeps, frames, method;
  bool each; /* tell of every frame */
} run;

static void check(tribo_status status, const tribo_error *err) {
  if (status != TRIBO_OK) bench_die(err);
}

static tribo_object_def cotton(void) {
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.cloth.density = 0.2;
  def.cloth.stretch = 1000;
  def.surface.thickness = 0.001;
  return def;
}

static mesh ball_shape(int rings, double radius) {
  int around = 2 * rings;
  mesh m = shape_new((size_t)(around * (rings - 1) + 2), (size_t)(2 * around * (rings - 1)), 0);
  size_t t = 0;
  for (int i = 1; i < rings; i++)
    for (int j = 0; j < around; j++) {
      double a = 3.14159265358979 * i / rings, b = 6.28318530717959 * j / around;
      double *p = m.positions + 3 * (size_t)((i - 1) * around + j);
      p[0] = radius * sin(a) * cos(b), p[1] = radius * sin(a) * sin(b), p[2] = radius * cos(a);
    }
  int top = around * (rings - 1), bottom = top + 1;
  memcpy(m.positions + 3 * (size_t)top, (double[]){0, 0, radius, 0, 0, -radius},
         6 * sizeof(double));
  for (int j = 0; j < around; j++) {
    int k = (j + 1) % around, last = around * (rings - 2);
    int32_t *c = m.triangles;
    c[t++] = top, c[t++] = j, c[t++] = k;
    c[t++] = bottom, c[t++] = last + k, c[t++] = last + j;
    for (int i = 0; i + 2 < rings; i++) {
      int a = around * i;
      c[t++] = a + j, c[t++] = a + around + j, c[t++] = a + around + k;
      c[t++] = a + j, c[t++] = a + around + k, c[t++] = a + k;
    }
  }
  return m;
}

static tribo_scene *make(const run *r) {
  tribo_error err = {0};
  tribo_scene *scene = NULL;
  check(tribo_scene_create(&scene, &err), &err);
  tribo_scene_world(scene)->method = r->method;
  tribo_scene_time(scene)->substeps = r->substeps;
  tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_EVERY;
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  mesh sheet = shape_sheet(r->cells, r->cells, 1, 1);
  tribo_object_def floor = tribo_object_default(TRIBO_COLLIDER);
  floor.name = "floor";
  mesh ground;
  bool edge = strcmp(r->name, "edge") == 0;
  if (edge) {
    shape_turn(&sheet, 0, 1.5);
    shape_move(&sheet, 0, 0, 0.1);
    ground = shape_sheet(1, 1, 10, 10);
    shape_move(&ground, -5, -5, 0);
  } else {
    shape_move(&sheet, -0.5, -0.5, 0.31);
    ground = ball_shape(16, 0.3);
  }
  check(scenes_add(scene, cotton(), &sheet, NULL, &err), &err);
  check(scenes_add(scene, floor, &ground, NULL, &err), &err);
  return scene;
}

static void measure(const run *r) {
  tribo_error err = {0};
  simulation *s = NULL;
  tribo_scene *scene = make(r);
  check(compile_simulation(scene, 1, NULL, &s, &err), &err);
  double began = thread_seconds(), linear = 0;
  int iterations = 0, steps = 0, crossings = 0, cuts = 0, unsolved = 0, frictions = 0;
  for (int f = 0; f < r->frames; f++) {
    tribo_report report;
    check(simulation_steps(s, r->substeps, &report, &err), &err);
    iterations += report.newton_iterations;
    frictions += report.friction_iterations;
    steps += report.steps;
    cuts += report.cuts;
    linear += report.linear_seconds;
    unsolved += !report.converged;
    crossings += report.crossings > 0 ? report.crossings : 0;
    if (r->each)
      printf(
          "frame %d: %d its, %d frictions, %d cuts, res %.2g, contacts %d, crossings %d, %.3f s\n",
          f, report.newton_iterations, report.friction_iterations, report.cuts, report.residual,
          report.contacts, report.crossings, thread_seconds() - began);
  }
  double all = thread_seconds() - began;
  printf(
      "%-5s %3d cells %2d substeps %3d frames: %8.3f s, %6.1f ms a step, %5.1f iterations and "
      "%5.1f frictions a step, %2.0f%% linear, %d cuts, %d frames unsolved, %d crossings\n",
      r->name, r->cells, r->substeps, r->frames, all, 1e3 * all / steps, (double)iterations / steps,
      (double)frictions / steps, 100 * linear / all, cuts, unsolved, crossings);
  simulation_free(s);
  tribo_scene_free(scene);
}

int main(int argc, char **argv) {
  bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  run r = {"edge", quick ? 8 : 30, 1, quick ? 4 : 40, TRIBO_METHOD_BARRIER};
  if (!quick && argc > 1) r.name = argv[1];
  if (!quick && argc > 2) r.cells = atoi(argv[2]);
  if (!quick && argc > 3) r.substeps = atoi(argv[3]);
  if (!quick && argc > 4) r.frames = atoi(argv[4]);
  if (!quick && argc > 5) r.method = atoi(argv[5]);
  r.each = argc > 6;
  measure(&r);
  if (argc > 1) return 0;
  r.substeps = 4;
  measure(&r);
  r = (run){"ball", 40, 1, 40, TRIBO_METHOD_BARRIER};
  measure(&r);
  return 0;
}
