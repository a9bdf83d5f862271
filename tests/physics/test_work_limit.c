/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step may cost: also where no solution is found, or there is none, a step ends after so
 * much work, with the best that was found, and the next ones go on from there.
 */
#include "physics/lab_contact.h"

/* Iterations of all kinds that a step of the scenes below may take: the sweeps that a step of rigid
 * bodies has (forwarding.c: 1,000 times solver.friction_iterations, over the few contacts that
 * bear), and a fifth on top for the other solvers. Without a limit it took some hundred thousand,
 * over all contacts. */
enum { MOST_ITERATIONS = 60000 };

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

/* ---- what nothing can solve ------------------------------------------------------------------ */

/* The warnings of a simulation, one after the other. */
typedef struct heard {
  char text[8192];
} heard;

static void listen(void *user, tribo_log_level level, const char *message) {
  heard *h = user;
  if (level != TRIBO_LOG_WARNING) return;
  size_t used = strlen(h->text);
  snprintf(h->text + used, sizeof h->text - used, "%s\n", message);
}

static simulation *heard_by(heard *h, tribo_scene *scene) {
  simulation *s = NULL;
  log_sink log = {listen, h};
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  claim_ok(compile_simulation(scene, 1, &log, &s, err));
  tribo_scene_free(scene);
  return s;
}

/* A plate that comes down on a cloth of 3 mm, which lies on another, to `least` metres, and goes up
 * again; a step is a frame. */
static tribo_scene *press(double least) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / 96);
  add_floor(scene);
  tribo_object_def cloth = named(TRIBO_CLOTH, "cloth"), plate = named(TRIBO_COLLIDER, "plate");
  cloth.surface.thickness = 0.003;
  add(scene, cloth, shape_sheet(8, 8, 0.3, 0.3), -0.15, -0.15, 0.0031);
  enum { FRAMES = 24, NUMBERS = 3 * 8 };
  double points[FRAMES * NUMBERS];
  mesh shape = block(0.2, 0.2, 0.05);
  assert_int_equal(shape.vertex_count * 3, NUMBERS);
  for (int f = 0; f < FRAMES; f++) {
    double height = fmax(least, 0.02 - (0.02 - least) * f / 8.0);
    if (f > 12) height = fmin(0.02, least + 0.002 * (f - 12));
    for (int i = 0; i < NUMBERS; i++)
      points[f * NUMBERS + i] = shape.positions[i] + (i % 3 == 2 ? 0.025 + height : 0);
  }
  plate.motion =
      (tribo_motion_def){.points = points, .sample_count = FRAMES, .start = 1, .interval = 1};
  claim_ok(scenes_add(scene, plate, &shape, NULL, err));
  return scene;
}

/* The cloth has 2 mm where it is 6 mm thick with both its sides. */
static void cloth_without_room__is_named_and_recovers(void **unused) {
  (void)unused;
  heard h = {{0}};
  simulation *s = heard_by(&h, press(0.002));
  fastest_after(s, 12);
  print_message("%s", h.text);
  assert_non_null(strstr(h.text, "of 'cloth' has no room between"));
  assert_non_null(strstr(h.text, "'floor'"));
  assert_non_null(strstr(h.text, "'plate'"));
  assert_non_null(strstr(h.text, "frame "));
  assert_null(strstr(h.text, "out of balance"));
  fastest_after(s, 8);
  lab_steps(s, 4); /* there is room again */
  simulation_free(s);
}

/* Everything but the corner that is held inside comes to its tolerance, in as little work as ever.
 */
static void pin_inside_a_collider__spoils_nothing_else(void **unused) {
  (void)unused;
  heard h = {{0}};
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / 96);
  add_floor(scene);
  double target[] = {-0.1, -0.1, -0.004};
  int32_t corner = 0;
  tribo_pin_def pin = {.vertices = &corner,
                       .vertex_count = 1,
                       .targets = target,
                       .target_count = 1,
                       .target_start = 1,
                       .target_interval = 1,
                       .params = tribo_pin_defaults()};
  tribo_object_def cloth = named(TRIBO_CLOTH, "cloth");
  cloth.pins = &pin, cloth.pin_count = 1;
  cloth.surface.thickness = 0.001;
  add(scene, cloth, shape_sheet(8, 8, 0.2, 0.2), -0.1, -0.1, 0.001);
  simulation *s = heard_by(&h, scene);
  int iterations = 0;
  for (int i = 0; i < 12; i++) iterations += lab_steps(s, 1).newton_iterations;
  print_message("%d iterations\n%s", iterations, h.text);
  assert_true(iterations < 12 * 30);
  assert_non_null(strstr(h.text, "vertex 0 of 'cloth' is pinned 0.005 m inside 'floor'"));
  for (int32_t v = 1; v < simulation_model(s)->vertex_count; v++)
    assert_true(simulation_positions(s)[v].z > 0.001 - 1e-5);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(wall_hit_by_a_ball__takes_no_longer_than_it_may),
      cmocka_unit_test(boxes_in_one_place__do_not_hang_nor_explode),
      cmocka_unit_test(cloth_without_room__is_named_and_recovers),
      cmocka_unit_test(pin_inside_a_collider__spoils_nothing_else),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
