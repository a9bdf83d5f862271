/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The material of solids of the method projective beside that of Newton's method: a bar that hangs,
 * that sticks out from its clamped end, and that is twisted. docs/projective.md has the numbers.
 */
#include "physics/lab_projective.h"

enum { ALONG = 8, ACROSS = 2, COLUMNS = ALONG + 1, ROWS = ACROSS + 1 };
static const double LENGTH = 0.8, WIDTH = 0.2;

typedef enum bar_load { HANGS, STICKS_OUT, TWISTED } bar_load;

typedef struct bar {
  bar_load load;
  double young, poisson;
} bar;

static size_t node(int i, int j, int k) { return (size_t)((k * ROWS + j) * COLUMNS + i); }

/* One end is clamped; the other, if the bar is twisted, turned by a quarter about the axis. */
static tribo_scene *bar_scene(const bar *b) {
  mesh shape = shape_block(ALONG, ACROSS, ACROSS, LENGTH, WIDTH, WIDTH);
  int32_t held[2 * ROWS * ROWS];
  double targets[2 * ROWS * ROWS][3];
  size_t count = 0;
  for (int end = 0; end < (b->load == TWISTED ? 2 : 1); end++)
    for (int n = 0; n < ROWS * ROWS; n++) {
      held[count] = (int32_t)node(end * ALONG, n % ROWS, n / ROWS);
      const double *at = shape.positions + 3 * held[count];
      double y = at[1] - WIDTH / 2, z = at[2] - WIDTH / 2;
      memcpy(targets[count++],
             (double[]){at[0], WIDTH / 2 + (end ? -z : y), WIDTH / 2 + (end ? y : z)},
             sizeof *targets);
    }
  tribo_pin_def pin = {.vertices = held,
                       .vertex_count = count,
                       .targets = &targets[0][0],
                       .target_count = 1,
                       .target_interval = 1};
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "bar";
  def.solid.young = b->young;
  def.solid.poisson = b->poisson;
  def.pins = &pin;
  def.pin_count = 1;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1); /* so long a step is as good as a static solve */
  lab_gravity(scene, b->load == HANGS ? 9.81 : 0, 0, b->load == STICKS_OUT ? -9.81 : 0);
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
  return scene;
}

/* At rest. */
static simulation *rest(const bar *b, bool projective) {
  tribo_scene *scene = bar_scene(b);
  tribo_scene_world(scene)->method = TRIBO_METHOD_ELASTIC;
  simulation *s = projective ? projective_make(scene, 100, 1) : lab_compile(scene, 1);
  for (int k = 0; k < 60; k++)
    if (lab_steps(s, 2).kinetic_energy < 1e-13) return s;
  fail_msg("not at rest");
  return s;
}

/* How much longer, narrower in the middle, and lower at its end. */
typedef struct bar_shape {
  double longer, narrower, lower;
} bar_shape;

static bar_shape measure(const simulation *s) {
  const vec3 *x = simulation_state(s)->x;
  vec3 end = x[node(ALONG, 1, 1)];
  double width = x[node(ALONG / 2, ACROSS, 1)].y - x[node(ALONG / 2, 0, 1)].y;
  return (bar_shape){end.x - LENGTH, WIDTH - width, WIDTH / 2 - end.z};
}

static void compare(const bar *b, bar_shape *ours, bar_shape *newton) {
  simulation *s[2] = {rest(b, true), rest(b, false)};
  *ours = measure(s[0]);
  *newton = measure(s[1]);
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
}

static double percent(double ours, double newton) { return 100 * (ours / newton - 1); }

/* By small parts of its length the two agree; the others grow softer or stiffer by as much as they
 * are strained. */
static void hanging_bar__stretches_and_narrows_as_with_newtons_method(void **unused) {
  (void)unused;
  const double strains[] = {0.001, 0.01, 0.1};
  const double poissons[] = {0.3, 0.45};
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 3; k++) {
      bar b = {HANGS, 1000 * 9.81 * LENGTH / strains[k], poissons[p]};
      bar_shape ours, newton;
      compare(&b, &ours, &newton);
      print_message(
          "    Poisson %.2f, strain %.3f: %.4f mm longer, Newton's %.4f mm: %+.2f%%; "
          "%.4f mm narrower, %.4f mm: %+.2f%%\n",
          poissons[p], strains[k], 1e3 * ours.longer, 1e3 * newton.longer,
          percent(ours.longer, newton.longer), 1e3 * ours.narrower, 1e3 * newton.narrower,
          percent(ours.narrower, newton.narrower));
      claim_near(ours.longer, newton.longer, 1.5 * strains[k] * newton.longer);
      claim_near(ours.narrower, newton.narrower, 3 * strains[k] * newton.narrower);
    }
}

static void cantilever__droops_as_with_newtons_method(void **unused) {
  (void)unused;
  const double youngs[] = {4e6, 4e5};
  for (int k = 0; k < 2; k++) {
    bar b = {STICKS_OUT, youngs[k], 0.3};
    bar_shape ours, newton;
    compare(&b, &ours, &newton);
    print_message("    %.0e Pa: %.3f mm lower, Newton's %.3f mm: %+.2f%%\n", youngs[k],
                  1e3 * ours.lower, 1e3 * newton.lower, percent(ours.lower, newton.lower));
    claim_near(ours.lower, newton.lower, 0.02 * newton.lower);
  }
}

/* By a quarter: shear of a fifth at the skin. Where nodes are, against how far they came. */
static void twisted_bar__is_where_newtons_method_has_it(void **unused) {
  (void)unused;
  bar b = {TWISTED, 1e6, 0.3};
  simulation *s[2] = {rest(&b, true), rest(&b, false)};
  double off = 0, way = 0;
  for (size_t i = 0; i < simulation_state(s[0])->node_count; i++) {
    vec3 at = simulation_state(s[1])->x[i];
    off += vec3_norm(vec3_sub(simulation_state(s[0])->x[i], at));
    way += vec3_norm(vec3_sub(at, simulation_model(s[1])->rest[i]));
  }
  print_message("    twisted by 90 degrees: %.2f%% off\n", 100 * off / way);
  claim_below(off, 0.02 * way);
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hanging_bar__stretches_and_narrows_as_with_newtons_method),
      cmocka_unit_test(cantilever__droops_as_with_newtons_method),
      cmocka_unit_test(twisted_bar__is_where_newtons_method_has_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
