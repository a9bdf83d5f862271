/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_fibers [--quick] [SCENE...]: Table I of document 004 row by row: processor time of a step
 * on one thread, solved to 1e-8 (the paper: to about 1e-3), beside theirs of 2011 (Core 2 Duo, 2.1
 * GHz).
 */
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"
#include "scenes/scenes_fibers.h"

typedef struct figures {
  int steps, unsolved;
  size_t most, largest;
  double mean_contacts, seconds, longest, nu, worst;
} figures;

static void die(const tribo_error *err) {
  fprintf(stderr, "%s\n", err->message);
  exit(1);
}

static void run(const char *name, bool quick) {
  tribo_error err = {0};
  fiber_scene s;
  figures f = {0};
  fibers_report report = {0};
  if (fiber_scene_make(name, -1, 1, &s, &err) != TRIBO_OK) die(&err);
  int steps = quick ? 3 : (int)(s.seconds / s.f.step.h);
  for (f.steps = 0; f.steps < steps; f.steps++) {
    double begin = thread_seconds();
    if (fiber_scene_step(&s, &report, &err) != TRIBO_OK) die(&err);
    double took = thread_seconds() - begin;
    f.seconds += took;
    if (took > f.longest) f.longest = took;
    f.mean_contacts += (double)report.contacts;
    if (report.contacts > f.most) f.most = report.contacts, f.nu = report.nu;
    if (report.largest > f.largest) f.largest = report.largest;
    if (report.residual > f.worst) f.worst = report.residual;
    f.unsolved += !report.converged;
  }
  printf(
      "| %s %s (%zu, %d) | %.2g | %.4g | %zu (%d) | %.2f | %.3f | %.3f | %.0f | %.0f x | %d of %d "
      "| "
      "%.0e |\n",
      s.label ? s.label : "-", s.name, s.f.count, s.f.strands[0].elements, s.f.mu, 1e3 * s.f.step.h,
      f.most, s.their_contacts, f.nu, 1e3 * f.seconds / f.steps, 1e3 * f.longest, 1e3 * s.theirs,
      s.theirs / (f.seconds / f.steps), f.unsolved, f.steps, f.worst);
  printf("  mean contacts %.1f, largest group %zu, fastest at the end %.2e m/s, deepest %.2e m\n",
         f.mean_contacts / f.steps, f.largest, report.fastest, report.deepest);
  fflush(stdout);
  fiber_scene_free(&s);
}

static int growth(void) {
  size_t mats[] = {2, 6, 20, 60};
  double first = 0, strands = 0;
  printf(
      "| strands | contacts, most | ms a step, mean | longest | n^ since the row before | not "
      "solved |\n");
  for (size_t k = 0; k < sizeof mats / sizeof *mats; k++) {
    tribo_error err = {0};
    fiber_scene s;
    fibers_report report;
    if (fiber_scene_mats(mats[k], 1, &s, &err) != TRIBO_OK) die(&err);
    int steps = (int)(s.seconds / s.f.step.h + 0.5), unsolved = 0;
    double seconds = 0, longest = 0, n = (double)s.f.count;
    size_t most = 0;
    for (int i = 0; i < steps; i++) {
      double begin = thread_seconds();
      if (fiber_scene_step(&s, &report, &err) != TRIBO_OK) die(&err);
      double took = thread_seconds() - begin;
      seconds += took, longest = took > longest ? took : longest;
      most = report.contacts > most ? report.contacts : most;
      unsolved += !report.converged;
    }
    double mean = seconds / steps;
    printf("| %zu | %zu | %.1f | %.1f | %.2f | %d of %d |\n", s.f.count, most, 1e3 * mean,
           1e3 * longest, k ? log(mean / first) / log(n / strands) : 0, unsolved, steps);
    fflush(stdout);
    first = mean, strands = n;
    fiber_scene_free(&s);
  }
  return 0;
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "--growth") == 0) return growth();
  bool quick = count > 1 && strcmp(words[1], "--quick") == 0;
  printf(
      "| scene (strands, elements) | mu | dt, ms | most contacts (theirs) | nu there | ms a step, "
      "mean | longest | theirs | ratio | not solved | worst residual |\n");
  for (int i = quick ? 2 : 1; i < count; i++) run(words[i], quick);
  for (int i = 0; count <= (quick ? 2 : 1) && fiber_scene_names[i]; i++)
    run(fiber_scene_names[i], quick);
  return 0;
}
