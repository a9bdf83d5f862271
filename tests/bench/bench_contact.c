/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_contact [--quick | PART [WORD]]: what a step with frictional contact costs. The parts, all
 * of them in one run where none is named:
 *
 *   ways    our two ways and Ipopt's, on cloth over a cylinder and a ball on a trampoline;
 *   growth  how the cost grows with the number of elements;
 *   ramp    a cloth on a ramp against one numeric factorisation of its own matrix, in processor
 *           time, which does not know of what else the machine does;
 *   tables  every scene of the paper's Tables 1 and 2 beside the paper's own seconds, and the
 *           processor time of all threads; with a word, those with it in their name.
 *
 * Ways that are compared take turns, step by step, so that a noisy machine disturbs all alike.
 * Steps count from the first one with contacts on, or with as many as a row of the tables asks for:
 * flight is cheap and would flatter. The paper's figures are means over whole simulations, on
 * another machine; they are beside ours for orientation.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "bench/recipes.h"
#include "linsys/linsys.h"
#include "potential/objective.h"
#include "scene/compile.h"
#include "tribo/sim.h"

enum { MOST_STEPS = 32, UNTIL_CONTACT = 400 };

/* Seconds of the processor that a scene gets to come to its contacts. */
static const double APPROACH = 120;

/* One way to solve a scene. */
typedef struct runner {
  const char *backend, *mass;
  tribo_sim *sim; /* NULL: not on this machine, or given up */
  int steps, contacts, unfinished, iterations, solved;
  double step_seconds[MOST_STEPS], deepest;
  double work[MOST_STEPS], solved_work; /* processor time */
  tribo_error why;
} runner;

typedef struct example {
  const char *name, *options[RECIPE_WORDS];
} example;

/* As the paper counts: triangles and tets with at least one free vertex. */
static size_t count_elements(const tribo_scene *scene) {
  size_t count = 0;
  for (size_t o = 0; o < tribo_scene_object_count(scene); o++) {
    const tribo_object_def *d = tribo_scene_object(scene, o);
    if (d->kind != TRIBO_SOLID && d->kind != TRIBO_CLOTH) continue;
    bool solid = d->kind == TRIBO_SOLID, *held = calloc(d->vertex_count + 1, sizeof *held);
    if (!held) exit(1);
    for (size_t p = 0; p < d->pin_count; p++)
      for (size_t i = 0; d->pins[p].params.stiffness == 0 && i < d->pins[p].vertex_count; i++)
        held[d->pins[p].vertices[i]] = true;
    size_t arity = solid ? 4 : 3, elements = solid ? d->tet_count : d->triangle_count;
    const int32_t *corners = solid ? d->tets : d->triangles;
    for (size_t i = 0; i < elements; i++) {
      bool moves = false;
      for (size_t k = 0; k < arity; k++) moves |= !held[corners[arity * i + k]];
      count += moves;
    }
    free(held);
  }
  return count;
}

static double step_of(const tribo_scene *scene) {
  const tribo_time_params *time = tribo_scene_time((tribo_scene *)scene);
  return 1 / (time->fps * time->substeps);
}

static void give_up(runner *r, const tribo_error *err) {
  r->why = *err;
  tribo_sim_free(r->sim);
  r->sim = NULL;
}

static void start(runner *r, tribo_scene *scene) {
  tribo_error err = {0};
  if (tribo_scene_set(scene, "solver.backend", r->backend, &err) != TRIBO_OK ||
      tribo_scene_set(scene, "solver.effective_mass", r->mass, &err) != TRIBO_OK ||
      tribo_scene_set(scene, "solver.on_failure", "continue", &err) != TRIBO_OK)
    bench_die(&err);
  tribo_sim_options options = {0};
  if (tribo_sim_create(scene, &options, &r->sim, &err) != TRIBO_OK) give_up(r, &err);
}

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool step(runner *r, tribo_report *report) {
  tribo_error err = {0};
  if (!r->sim) return false;
  if (tribo_sim_step(r->sim, report, &err) == TRIBO_OK) return true;
  give_up(r, &err);
  return false;
}

/* Up to the first step with so many contacts, or as far as the time allows. */
static void approach(runner *r, int contacts) {
  double began = processor_seconds();
  tribo_report report;
  for (int i = 0; i < UNTIL_CONTACT && processor_seconds() - began < APPROACH; i++)
    if (!step(r, &report) || report.contacts >= contacts) return;
}

static void measure(runner *r) {
  tribo_report report;
  double began = processor_seconds();
  if (!step(r, &report)) return;
  r->work[r->steps] = processor_seconds() - began;
  r->step_seconds[r->steps++] = report.seconds;
  r->iterations += report.newton_iterations;
  if (report.newton_iterations > 0) { /* what rests or slides steadily is not solved */
    r->solved++;
    r->solved_work += r->work[r->steps - 1];
  }
  r->unfinished += !report.converged;
  r->deepest = fmax(r->deepest, report.max_penetration);
  if (report.contacts > r->contacts) r->contacts = report.contacts;
}

/* Steps in turn, until there are enough or they have taken too long. */
static void take_turns(runner *runners, size_t count, int contacts, int steps, double budget) {
  for (size_t k = 0; k < count; k++) approach(&runners[k], contacts);
  double began = clock_seconds();
  for (int i = 0; i < steps && (i < 2 || clock_seconds() - began < budget); i++)
    for (size_t k = 0; k < count; k++) measure(&runners[k]);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *values, int count) {
  double sorted[MOST_STEPS];
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static double mean(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

/* ---- the ways against each other --------------------------------------------------------------
 */

static void compare(const char *title, const example *e, int steps) {
  runner ways[] = {{.backend = "native", .mass = "elastic"},
                   {.backend = "native", .mass = "lumped"},
                   {.backend = "ipopt", .mass = "lumped"}};
  enum { WAYS = sizeof ways / sizeof *ways };
  tribo_scene *scene = bench_scene(e->name, e->options);
  printf("%s, %zu elements\n", title, count_elements(scene));
  for (int k = 0; k < WAYS; k++) start(&ways[k], scene);
  take_turns(ways, WAYS, 1, steps, 30);
  printf("  %-8s %-8s %9s %9s %9s %11s %13s\n", "backend", "mass", "s a step", "contacts",
         "iterated", "unfinished", "against first");
  for (int k = 0; k < WAYS; k++) {
    runner *r = &ways[k];
    if (!r->sim || r->steps == 0) {
      printf("  %-8s %-8s left out: %s\n", r->backend, r->mass, r->why.message);
      continue;
    }
    double ratios[MOST_STEPS];
    int both = r->steps < ways[0].steps ? r->steps : ways[0].steps;
    for (int i = 0; i < both; i++) ratios[i] = r->step_seconds[i] / ways[0].step_seconds[i];
    printf("  %-8s %-8s %9.4f %9d %9.1f %11d", r->backend, r->mass, mean(r->step_seconds, r->steps),
           r->contacts, r->iterations / (double)r->steps, r->unfinished);
    if (both > 0) printf(" %12.2fx", median(ratios, both));
    printf("\n");
  }
  for (int k = 0; k < WAYS; k++) tribo_sim_free(ways[k].sim);
  tribo_scene_free(scene);
}

/* ---- growth -----------------------------------------------------------------------------------
 */

static void grow(const example *examples, size_t count, int steps) {
  printf("growth: cloth over a cylinder, mu 0.13\n");
  printf("  %9s %9s %15s %14s\n", "elements", "s a step", "us an element", "growth ~ n^");
  double last_seconds = 0, last_elements = 0;
  for (size_t k = 0; k < count; k++) {
    runner r = {.backend = "native", .mass = "elastic"};
    tribo_scene *scene = bench_scene(examples[k].name, examples[k].options);
    double elements = (double)count_elements(scene);
    start(&r, scene);
    take_turns(&r, 1, 1, steps, 15);
    if (r.steps == 0) {
      printf("  %9.0f left out: %s\n", elements, r.why.message);
    } else {
      double seconds = mean(r.step_seconds, r.steps);
      printf("  %9.0f %9.4f %15.2f", elements, seconds, 1e6 * seconds / elements);
      if (last_seconds > 0)
        printf(" %14.2f", log(seconds / last_seconds) / log(elements / last_elements));
      printf("\n");
      last_seconds = seconds;
      last_elements = elements;
    }
    tribo_sim_free(r.sim);
    tribo_scene_free(scene);
  }
}

/* ---- against a factorisation ------------------------------------------------------------------
 */

/* Processor time of one numeric factorisation of the system of the scene's first step. */
static double factorisation(const tribo_scene *scene) {
  enum { TIMES = 9 };
  tribo_error err = {0};
  simulation *s = NULL;
  if (compile_simulation((tribo_scene *)scene, 0, NULL, &s, &err) != TRIBO_OK) bench_die(&err);
  const model *m = simulation_model(s);
  tasks t = tasks_create(0);
  arena memory = {0};
  objective o;
  if (objective_create(m, &t, &memory, &o, &err) != TRIBO_OK) bench_die(&err);
  double h = step_of(scene), seconds[TIMES];
  objective_begin(&o, m->rest, m->start_velocity, simulation_state(s)->turns, h, h);
  bcsr a = {&m->pattern, ARENA_ARRAY(&memory, mat3, bcsr_block_count(&m->pattern))};
  linsys_options options = {.kind = LINSYS_CHOLMOD, .tasks = t};
  linsys *solver = NULL;
  if (!a.blocks || linsys_create(&options, &m->pattern, &solver, &err) != TRIBO_OK) bench_die(&err);
  objective_hessian(&o, m->rest, HESSIAN_PROJECTED, &a);
  for (int i = 0; i < TIMES; i++) {
    linsys_outcome outcome;
    linsys_values(solver, &a);
    double began = processor_seconds();
    if (linsys_factor(solver, &outcome, &err) != TRIBO_OK) bench_die(&err);
    seconds[i] = processor_seconds() - began;
  }
  linsys_free(solver);
  arena_free(&memory);
  simulation_free(s);
  return median(seconds, TIMES);
}

static void against_factorisation(const char *title, const example *e, int steps) {
  runner r = {.backend = "native", .mass = "elastic"};
  tribo_scene *scene = bench_scene(e->name, e->options);
  start(&r, scene);
  take_turns(&r, 1, 1, steps, 15);
  printf("%s\n", title);
  if (r.steps == 0) {
    printf("  left out: %s\n", r.why.message);
  } else {
    double one = factorisation(scene), work = median(r.work, r.steps);
    printf("  %.2f ms a step, %.2f ms a factorisation of its matrix: %.2f of them a step\n",
           1e3 * work, 1e3 * one, work / one);
    if (r.solved > 0)
      printf("  %d of %d steps were solved, in %.2f ms each: %.2f of them\n", r.solved, r.steps,
             1e3 * r.solved_work / r.solved, r.solved_work / r.solved / one);
    else
      printf("  none of %d steps was solved\n", r.steps);
  }
  tribo_sim_free(r.sim);
  tribo_scene_free(scene);
}

/* ---- the paper's tables -----------------------------------------------------------------------
 */

typedef struct table_row {
  const char *title;
  example example;
  double paper; /* seconds a frame, which is a step */
  const char *paper_elements;
  int contacts; /* to begin with */
} table_row;

#define CYLINDER(cells, mu)                                                                        \
  {                                                                                                \
    "cloth_cylinder", { "cells=" cells, "mu=" mu }                                                 \
  }
#define TOUCHING "height=0.01"

static const table_row TABLES[] = {
    {"cylinder, mu 0.12", CYLINDER("16", "0.12"), 0.05, "2K", 1},
    {"cylinder, mu 0.13", CYLINDER("16", "0.13"), 0.07, "2K", 1},
    {"cylinder, mu 0.14", CYLINDER("16", "0.14"), 0.07, "2K", 1},
    {"cylinder, mu 0.15", CYLINDER("16", "0.15"), 0.14, "2K", 1},
    {"cylinder, mu 0.16", CYLINDER("16", "0.16"), 0.15, "2K", 1},
    {"cylinder, mu 0.2", CYLINDER("16", "0.2"), 0.19, "2K", 1},
    {"cylinder, mu 0.13", CYLINDER("7", "0.13"), 0.03, "392", 1},
    {"cylinder, mu 0.13", CYLINDER("30", "0.13"), 0.47, "7K", 1},
    {"ball spin, mu 0.01", {"ball_spin", {"mu=0.01", TOUCHING}}, 0.30, "9K", 1},
    {"ball spin, mu 0.5", {"ball_spin", {"mu=0.5", TOUCHING}}, 0.36, "9K", 1},
    {"ball spin, mu 1", {"ball_spin", {"mu=1", TOUCHING}}, 0.35, "9K", 1},
    {"stool, mu 0.2", {"stool_chatter", {"mu=0.2"}}, 0.54, "11K", 1},
    {"belt drive, mu 0.02", {"belt_drive", {"mu=0.02"}}, 0.58, "8K", 1},
    {"belt drive, mu 0.2", {"belt_drive", {"mu=0.2"}}, 0.51, "8K", 1},
    {"glass pinch, mu 0.15", {"glass_pinch", {"mu=0.15", "size=0.00157"}}, 3.07, "45K", 1},
    {"trampoline, mu 0.2", {"ball_on_trampoline", {TOUCHING}}, 0.43, "8K", 1},
    {"trampoline, mu 0.2",
     {"ball_on_trampoline", {"cells=22", "layers=3", "rings=49", "dt=0.005", TOUCHING}},
     4.73,
     "58K",
     40},
    {"garment, rigid, mu 0", {"garment", {"mu=0"}}, 0.49, "5K", 1},
    {"garment, rigid, mu 0.8", {"garment", {"mu=0.8"}}, 0.75, "5K", 1},
    {"garment, soft, mu 0",
     {"garment", {"mu=0", "soft=1", "body_size=0.0152", "dt=0.001"}},
     5.36,
     "88K",
     100},
    {"garment, soft, mu 0.8",
     {"garment", {"mu=0.8", "soft=1", "body_size=0.0152", "dt=0.001"}},
     7.29,
     "88K",
     100},
};

static const table_row QUICK_TABLES[] = {
    {"cylinder, mu 0.13", CYLINDER("2", "0.13"), 0.03, "392", 1},
    {"ball spin, mu 0.5", {"ball_spin", {"cells=2", "layers=1", TOUCHING}}, 0.36, "9K", 1},
};

static void tables(const table_row *rows, size_t count, const char *word, int steps,
                   double budget) {
  printf("the paper's Tables 1 and 2; seconds a step (native, elastic)\n");
  printf("  %-22s %9s %9s %8s %7s %8s %9s %9s %9s %11s %9s\n", "scene", "elements", "paper's", "dt",
         "paper", "ours", "ratio", "processor", "contacts", "unfinished", "deepest");
  for (size_t k = 0; k < count; k++) {
    const table_row *row = &rows[k];
    if (word && !strstr(row->title, word)) continue;
    runner r = {.backend = "native", .mass = "elastic"};
    tribo_scene *scene = bench_scene(row->example.name, row->example.options);
    start(&r, scene);
    take_turns(&r, 1, row->contacts, steps, budget);
    printf("  %-22s %9zu %9s %8g %7.2f", row->title, count_elements(scene), row->paper_elements,
           step_of(scene), row->paper);
    if (r.steps == 0)
      printf(" left out: %s\n", r.why.message);
    else
      printf(" %8.3f %9.2f %9.3f %9d %11d %9.1e\n", mean(r.step_seconds, r.steps),
             row->paper / mean(r.step_seconds, r.steps), mean(r.work, r.steps), r.contacts,
             r.unfinished, r.deepest);
    fflush(stdout);
    tribo_sim_free(r.sim);
    tribo_scene_free(scene);
  }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void run_quick(const char *word) {
  static const example small = CYLINDER("2", "0.13");
  static const example sizes[] = {CYLINDER("2", "0.13"), CYLINDER("3", "0.13")};
  static const example ramp = {"cloth_slide", {"cells=5"}};
  compare("cloth over a cylinder, mu 0.13", &small, 2);
  grow(sizes, COUNT(sizes), 2);
  against_factorisation("cloth of 6 x 6 vertices on a ramp", &ramp, 4);
  tables(QUICK_TABLES, COUNT(QUICK_TABLES), word, 2, 1);
}

static void run_ways(const char *word) {
  (void)word;
  static const example slips = CYLINDER("16", "0.13"), sticks = CYLINDER("16", "0.16");
  static const example trampoline = {"ball_on_trampoline", {TOUCHING}};
  compare("cloth over a cylinder, mu 0.13", &slips, 12);
  compare("cloth over a cylinder, mu 0.16", &sticks, 12);
  compare("ball on a trampoline", &trampoline, 8);
}

static void run_growth(const char *word) {
  (void)word;
  static const example sizes[] = {CYLINDER("7", "0.13"), CYLINDER("16", "0.13"),
                                  CYLINDER("30", "0.13"), CYLINDER("61", "0.13")};
  grow(sizes, COUNT(sizes), 8);
}

static void run_ramp(const char *word) {
  (void)word;
  static const example sticks = {"cloth_slide", {"cells=39", "mu=0.177"}};
  static const example slides = {"cloth_slide", {"cells=39", "mu=0.176"}};
  static const example slips = {"cloth_slide", {"cells=39", "mu=0.1"}};
  against_factorisation("cloth of 40 x 40 vertices on a ramp, mu 0.177: it rests", &sticks, 32);
  against_factorisation("the same, mu 0.176: it slides", &slides, 32);
  against_factorisation("the same, mu 0.1", &slips, 32);
}

static void run_tables(const char *word) { tables(TABLES, COUNT(TABLES), word, 6, 4); }

static const struct {
  const char *name;
  void (*run)(const char *word);
} PARTS[] = {{"--quick", run_quick}, /* by name only */
             {"ways", run_ways},
             {"growth", run_growth},
             {"ramp", run_ramp},
             {"tables", run_tables}};

int main(int count, char **words) {
  bool any = false;
  for (size_t k = 0; k < COUNT(PARTS); k++) {
    bool named = count > 1 && strcmp(words[1], PARTS[k].name) == 0;
    if (named || (count == 1 && k > 0)) PARTS[k].run(count > 2 ? words[2] : NULL);
    any |= named || count == 1;
  }
  if (!any) fprintf(stderr, "bench_contact: no part is called '%s'\n", words[1]);
  return any ? 0 : 2;
}
