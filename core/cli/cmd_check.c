/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo check: reads a scene, makes it ready to run, says what is in it.
 */
#include <math.h>
#include <stdio.h>

#include "cli.h"

static void edge(const double *positions, int32_t from, int32_t to, double *out) {
  for (int k = 0; k < 3; k++) out[k] = positions[3 * to + k] - positions[3 * from + k];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double area(const tribo_object_def *o) {
  double sum = 0;
  for (size_t t = 0; t < o->triangle_count; t++) {
    const int32_t *v = &o->triangles[3 * t];
    double a[3], b[3], n[3];
    edge(o->positions, v[0], v[1], a);
    edge(o->positions, v[0], v[2], b);
    cross(a, b, n);
    sum += sqrt(dot(n, n)) / 2;
  }
  return sum;
}

static double volume(const tribo_object_def *o) {
  double sum = 0;
  for (size_t t = 0; t < o->tet_count; t++) {
    const int32_t *v = &o->tets[4 * t];
    double a[3], b[3], c[3], n[3];
    edge(o->positions, v[0], v[1], a);
    edge(o->positions, v[0], v[2], b);
    edge(o->positions, v[0], v[3], c);
    cross(a, b, n);
    sum += fabs(dot(n, c)) / 6;
  }
  return sum;
}

static void print_object(const tribo_object_def *o) {
  size_t pinned = 0;
  for (size_t i = 0; i < o->pin_count; i++) pinned += o->pins[i].vertex_count;
  bool solid = o->kind == TRIBO_SOLID;
  double mass = solid ? o->solid.density * volume(o) : o->cloth.density * area(o);
  printf("  %-16s %s, %zu vertices, %zu %s, %.6g kg", o->name, solid ? "solid" : "cloth",
         o->vertex_count, solid ? o->tet_count : o->triangle_count, solid ? "tets" : "triangles",
         mass);
  if (pinned) printf(", %zu pinned", pinned);
  printf("\n");
}

static void print_summary(tribo_scene *scene, const tribo_sim *sim) {
  size_t count = tribo_scene_object_count(scene);
  printf("%zu object%s\n", count, count == 1 ? "" : "s");
  for (size_t i = 0; i < count; i++) print_object(tribo_scene_object(scene, i));

  const tribo_time_params *time = tribo_scene_time(scene);
  printf("frames %d to %d at %.6g a second, %d substep%s of %.6g s\n", time->start, time->end,
         time->fps, time->substeps, time->substeps == 1 ? "" : "s",
         1 / (time->fps * time->substeps));
  bool deterministic;
  const char *solver = tribo_sim_linear_solver(sim, &deterministic);
  printf("linear solver %s, %s\n", solver,
         deterministic ? "the same bits for any number of threads"
                       : "equal to tolerance from run to run");
}

static void on_log(void *user, tribo_log_level level, const char *message) {
  (void)user;
  if (level == TRIBO_LOG_WARNING) cli_say("warning: %s", message);
}

static int run(const arguments *args) {
  tribo_scene *scene;
  tribo_error err = {0};
  tribo_status status = cli_read_scene(args, &scene, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);

  tribo_sim *sim = NULL;
  tribo_sim_options options = {.log = on_log};
  status = tribo_sim_create(scene, &options, &sim, &err);
  if (status == TRIBO_OK) {
    print_summary(scene, sim);
    printf("ok\n");
  }
  tribo_sim_free(sim);
  tribo_scene_free(scene);
  return status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
}

const command cmd_check = {
    .syntax = {.name = "check",
               .operand = "SCENE.json",
               .about = "Reads a scene, makes it ready to run and says what is in it.",
               .options = {{"method", "M", "sets method"},
                           {"linear", "L", "sets solver.linear"},
                           {"set", "key=value", "sets a key of the scene file: time.substeps=8"}}},
    .run = run,
};
