/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In contact too, results are the same bits for any number of threads, and a state that is put back
 * goes on to the same bits.
 */
#include "physics/lab_contact.h"

typedef tribo_scene *(*recipe)(void);

static tribo_scene *cylinder(void) {
  scene_cloth_cylinder_params p = scene_cloth_cylinder_defaults();
  p.cells = 7;
  tribo_scene *scene = NULL;
  claim_ok(scene_cloth_cylinder(&p, &scene, err));
  return scene;
}

static tribo_scene *block(void) {
  scene_block_slide_params p = scene_block_slide_defaults();
  tribo_scene *scene = NULL;
  claim_ok(scene_block_slide(&p, &scene, err));
  return scene;
}

/* The ball falls on the sheet's outer part, which the rim holds. */
static tribo_scene *trampoline(void) {
  scene_ball_on_trampoline_params p = scene_ball_on_trampoline_defaults();
  p.cells = 4, p.layers = 1, p.rings = 8, p.height = 0.001, p.aside = 0.9;
  tribo_scene *scene = NULL;
  claim_ok(scene_ball_on_trampoline(&p, &scene, err));
  return scene;
}

/* A rigid body under one that deforms. */
static tribo_scene *cloth_on_ball(void) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh globe = shape_globe(6, 0.2), sheet = shape_sheet(8, 8, 0.6, 0.6);
  shape_move(&sheet, -0.3, -0.28, 0.201);
  tribo_object_def ball = tribo_object_default(TRIBO_RIGID), cloth;
  ball.name = "ball";
  ball.object.spin[2] = 3;
  claim_ok(scenes_add(scene, ball, &globe, NULL, err));
  cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.name = "cloth";
  cloth.object.velocity[2] = -1;
  claim_ok(scenes_add(scene, cloth, &sheet, NULL, err));
  return scene;
}

/* Steps that go on with the forces of the last one, without being solved. */
static tribo_scene *sliding(void) {
  scene_cloth_slide_params p = scene_cloth_slide_defaults();
  p.mu = 0.1;
  tribo_scene *scene = NULL;
  claim_ok(scene_cloth_slide(&p, &scene, err));
  return scene;
}

static const recipe RECIPES[] = {cylinder, block, trampoline, cloth_on_ball, sliding};
static const int STEPS[] = {4, 8, 12, 4, 40};
enum { COUNT = 5 };

static void run(simulation *s, int steps, bool touching) {
  tribo_report report;
  claim_ok(simulation_steps(s, steps, &report, err));
  if (touching) assert_true(report.contacts > 0);
}

static void threads__leave_the_same_bits(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    simulation *one = lab_compile(RECIPES[k](), 1), *two = lab_compile(RECIPES[k](), 2);
    run(one, STEPS[k], true);
    run(two, STEPS[k], true);
    assert_true(simulation_state(one)->touch_count > 0);
    lab_same_bits(one, two);
    simulation_free(one);
    simulation_free(two);
  }
}

/* The state is all that the next step depends on: what a simulation remembers otherwise (patterns,
 * guesses) must not show. */
static void state_put_back_in_contact__goes_on_to_the_same_bits(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    simulation *through = lab_compile(RECIPES[k](), 1), *resumed = lab_compile(RECIPES[k](), 1);
    run(through, STEPS[k], true);
    state saved = lab_copy(through);
    run(through, STEPS[k], true);
    lab_put_back(resumed, &saved);
    run(resumed, STEPS[k], true);
    lab_same_bits(through, resumed);
    simulation_free(through);
    simulation_free(resumed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads__leave_the_same_bits),
      cmocka_unit_test(state_put_back_in_contact__goes_on_to_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
