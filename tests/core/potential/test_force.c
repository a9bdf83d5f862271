/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "potential/force.h"

#include "claims.h"
#include "energy/pin.h"
#include "energy/wind.h"
#include "kinds/build.h"

/* Two triangles of cloth in a wind. One vertex is pinned hard, one softly, 300 N/m, to a target
 * that moves upwards by 1 m a second. */
typedef struct lab {
  model model;
  arena memory;
  tasks tasks;
  force_set forces;
  vec3 *v;
} lab;

static const double H = 0.02, STIFFNESS = 300;

static void open_lab(lab *l) {
  static const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0.3, 0, 1, 0};
  static const int32_t halves[] = {0, 1, 2, 0, 2, 3}, hard = 0, soft = 2;
  *l = (lab){.tasks = tasks_create(1)};
  tribo_time_params time = tribo_time_defaults();
  double frames = time.fps, targets[] = {1, 1, 0.3, 1, 1, 1.3};
  tribo_pin_def pins[2] = {{.vertices = &hard, .vertex_count = 1, .params = tribo_pin_defaults()},
                           {.vertices = &soft,
                            .vertex_count = 1,
                            .targets = targets,
                            .target_count = 2,
                            .target_start = time.start,
                            .target_interval = frames,
                            .params = {.stiffness = STIFFNESS}}};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.positions = square, def.vertex_count = 4;
  def.triangles = halves, def.triangle_count = 2;
  def.pins = pins, def.pin_count = 2;
  def.object.drag = 1.2;
  tribo_world_params world = tribo_world_defaults();
  memcpy(world.wind, (double[]){3, -1, 5}, sizeof world.wind);
  world.air_density = 1.2;
  claim_ok(model_build(&def, 1, &world, &time, &l->model, err));
  claim_ok(forces_create(&l->model, &l->memory, &l->forces, err));
  l->v = ARENA_ARRAY(&l->memory, vec3, l->model.node_count);
  forces_prepare(&l->forces,
                 &(force_step){l->model.rest, l->v, H, 0.25, &l->tasks}); /* ends at 0.25 s */
}

static void close_lab(lab *l) {
  arena_free(&l->memory);
  model_free(&l->model);
}

static void terms__stand_source_by_source(void **unused) {
  (void)unused;
  lab l;
  open_lab(&l);
  assert_int_equal(forces_term_count(&l.model), 2);
  assert_ptr_equal(forces_term(&l.forces, 0).kernel, &pin_kernel);
  assert_ptr_equal(forces_term(&l.forces, 1).kernel, &wind_kernel);
  assert_int_equal(forces_term(&l.forces, 1).set->count, 2);
  close_lab(&l);
}

static void soft_pins__pull_to_where_targets_are_at_the_end(void **unused) {
  (void)unused;
  lab l;
  open_lab(&l);
  vec3 g[4] = {{0, 0, 0}};
  energy_term term = forces_term(&l.forces, 0);
  elements_gradient(&term, &l.tasks, l.model.rest, g);
  claim_below(vec3_norm(vec3_sub(g[2], vec3_make(0, 0, -STIFFNESS * 0.25))), 1e-9);
  for (int i = 0; i < 4; i++)
    if (i != 2) claim_near(vec3_norm(g[i]), 0, 0);
  close_lab(&l);
}

/* Of air that blows at 5 m/s against a flat half: 1/2 rho C_d A u^2, along its normal. */
static void air__pushes_along_normals(void **unused) {
  (void)unused;
  lab l;
  open_lab(&l);
  vec3 g[4] = {{0, 0, 0}}, sum = {0, 0, 0}, wanted = {0, 0, 0}, wind = {3, -1, 5};
  energy_term term = forces_term(&l.forces, 1);
  elements_gradient(&term, &l.tasks, l.model.rest, g);
  for (int i = 0; i < 4; i++) sum = vec3_sub(sum, g[i]);
  for (size_t e = 0; e < 2; e++) {
    const int32_t *t = term.set->vertices + 3 * e;
    const vec3 *x = l.model.rest;
    vec3 n = vec3_cross(vec3_sub(x[t[1]], x[t[0]]), vec3_sub(x[t[2]], x[t[0]]));
    double area = vec3_norm(n) / 2, u = vec3_dot(wind, vec3_normalized(n));
    wanted = vec3_madd(wanted, 0.5 * 1.2 * 1.2 * area * fabs(u) * u, vec3_normalized(n));
  }
  claim_below(vec3_norm(vec3_sub(sum, wanted)), 1e-12 * vec3_norm(wanted));
  close_lab(&l);
}

/* Hard pins have none, the air has none that holds for every step. */
static void bounds__are_those_of_springs(void **unused) {
  (void)unused;
  lab l;
  open_lab(&l);
  double bound[4] = {1, 1, 1, 1};
  forces_bound(&l.model, bound);
  for (int i = 0; i < 4; i++) claim_near(bound[i], i == 2 ? 1 + STIFFNESS : 1, 0);
  close_lab(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms__stand_source_by_source),
      cmocka_unit_test(soft_pins__pull_to_where_targets_are_at_the_end),
      cmocka_unit_test(air__pushes_along_normals),
      cmocka_unit_test(bounds__are_those_of_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
