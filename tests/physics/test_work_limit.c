/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step may cost: also where no solution is found, or there is none, a step ends after so
 * much work, with the best that was found, and the next ones go on from there.
 */
#include "physics/lab_contact.h"

/* Iterations of all kinds that a step of the scenes below may take; what it took before there was a
 * limit was some hundred thousand. */
enum { MOST_ITERATIONS = 9000 };

static void add(tribo_scene *scene, tribo_object_def def, mesh shape, double x, double y,
                double z) {
  shape_move(&shape, x, y, z);
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
}

static tribo_object_def named(tribo_kind kind, const char *name) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = name;
  return def;
}

static void add_floor(tribo_scene *scene) {
  add(scene, named(TRIBO_COLLIDER, "floor"), shape_sheet(1, 1, 8, 8), -4, -4, 0);
}

/* A block about its centre. */
static mesh block(double x, double y, double z) {
  mesh solid = shape_block(1, 1, 1, x, y, z), skin = shape_skin(&solid);
  mesh_free(&solid);
  shape_move(&skin, -x / 2, -y / 2, -z / 2);
  return skin;
}

static simulation *ready(tribo_scene *scene) {
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  return lab_compile(scene, 1);
}

/* Steps, each with its limit; the fastest that anything is at the end. */
static double fastest_after(simulation *s, int count) {
  tribo_report report;
  for (int i = 0; i < count; i++) {
    claim_ok(simulation_steps(s, 1, &report, err));
    assert_true(report.newton_iterations < MOST_ITERATIONS);
  }
  double fastest = 0;
  for (size_t i = 0; i < simulation_state(s)->node_count; i++)
    fastest = fmax(fastest, vec3_norm(simulation_state(s)->v[i]));
  return fastest;
}

/* Rows of four bricks to one, two centimetres between them, and a ball that arrives at 6 m/s. */
static void wall_hit_by_a_ball__takes_no_longer_than_it_may(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / 288);
  add_floor(scene);
  for (int row = 0; row < 4; row++)
    for (int place = 0; place < 4 - row; place++) {
      char name[32];
      snprintf(name, sizeof name, "brick %d.%d", row, place);
      add(scene, named(TRIBO_RIGID, name), block(0.2, 0.4, 0.2), 0,
          0.42 * (place - 1.5 + 0.5 * row), 0.1 + 0.2 * row);
    }
  tribo_object_def ball = named(TRIBO_RIGID, "ball");
  ball.object.velocity[0] = 6;
  add(scene, ball, shape_globe(16, 0.15), -0.27, 0.05, 0.3);
  simulation *s = ready(scene);
  claim_below(fastest_after(s, 12), 8);
  assert_true(lab_velocity(s, 10).x < 5); /* it has hit */
  simulation_free(s);
}

/* Every way out of one is a way into the other. */
static void boxes_in_one_place__do_not_hang_nor_explode(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / 288);
  add_floor(scene);
  add(scene, named(TRIBO_RIGID, "one"), block(0.2, 0.2, 0.2), 0, 0, 0.5);
  add(scene, named(TRIBO_RIGID, "other"), block(0.2, 0.2, 0.2), 0, 0, 0.5);
  simulation *s = ready(scene);
  claim_below(fastest_after(s, 24), 6);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(wall_hit_by_a_ball__takes_no_longer_than_it_may),
      cmocka_unit_test(boxes_in_one_place__do_not_hang_nor_explode),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
