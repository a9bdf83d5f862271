/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "scene/compile.h"
#include "small.h"
#include "tribo/sim.h"

static void scene_with_nothing_to_simulate_is_refused(void **unused) {
  (void)unused;
  tribo_scene *scene;
  compiled c;
  claim_ok(scene_create(&scene, err));
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT, "the scene has no objects");
  small_shell ramp;
  claim_ok(scene_add(scene, small_ramp_make(&ramp), NULL, err));
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "the scene has colliders only; add a cloth, a solid or a rigid body");
  scene_free(scene);
}

static void model_and_pairs_speak_of_the_objects_of_the_scene(void **unused) {
  (void)unused;
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  small_shell ramp, stone;
  small_sheet sheet;
  small_ramp_make(&ramp)->material = "wood";
  claim_ok(scene_add(scene, &ramp.def, NULL, err));
  claim_ok(scene_add(scene, small_stone_make(&stone), NULL, err));
  claim_ok(scene_add(scene, small_sheet_make(&sheet), NULL, err));
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu = 0.125;
  claim_ok(scene_set_pair(scene, "wood", "stone", &friction, err));
  compiled c;
  claim_ok(compile_scene(scene, &c, err));
  scene_free(scene); /* what was compiled stands alone */
  assert_int_equal(c.m.object_count, 3);
  assert_int_equal(c.m.body_count, 2);
  assert_int_equal(c.m.collider_count, 1);
  assert_int_equal(c.m.surface_count, 2);
  assert_int_equal(c.m.probe_count, 2);
  assert_string_equal(c.m.colliders[c.m.surfaces[0].collider].name, "ramp");
  assert_string_equal(c.m.bodies[c.m.surfaces[1].body].name, "stone");
  assert_int_equal(c.m.surfaces[1].triangles[1], 2);
  assert_true(pairs_law(&c.friction, c.m.surfaces[0].object, c.m.probes[0].object)->mu == 0.125);
  assert_true(pairs_law(&c.friction, c.m.surfaces[0].object, c.m.probes[1].object)->mu == 0.5);
  model_free(&c.m);
}

/* Nothing but a small sheet, which keeps its arrays. */
static tribo_scene *sheet_scene(small_sheet *sheet) {
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  claim_ok(scene_add(scene, small_sheet_make(sheet), NULL, err));
  return scene;
}

static void pair_of_unknown_names_is_refused_when_a_simulation_is_made(void **unused) {
  (void)unused;
  small_sheet sheet;
  tribo_scene *scene = sheet_scene(&sheet);
  tribo_friction_params friction = tribo_friction_defaults();
  claim_ok(scene_set_pair(scene, "sheet", "shet", &friction, err));
  tribo_sim *sim = NULL;
  claim_fails(tribo_sim_create(scene, NULL, &sim, err), TRIBO_BAD_INPUT,
              "friction.pairs[0]: no object or material is named 'shet'; did you mean 'sheet'?");
  assert_null(sim);
  scene_free(scene);
}

/* A law is refused where it is asked for and no method solves it: in the default or in a pair. */
static void friction_that_the_method_does_not_solve_is_refused(void **unused) {
  (void)unused;
  small_sheet sheet;
  tribo_scene *scene = sheet_scene(&sheet);
  compiled c;
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu_along = 0.1, friction.mu_dynamic = 0.25; /* these are solved */
  claim_ok(scene_set_pair(scene, "sheet", "sheet", &friction, err));
  claim_ok(compile_scene(scene, &c, err));
  model_free(&c.m);
  friction.mu_drill = 0.02;
  claim_ok(scene_set_pair(scene, "sheet", "sheet", &friction, err));
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "friction of 'sheet' and 'sheet': mu_drill is 0.02 m, but 'sheet' is a cloth, which "
              "has no turning of its own to hold back");
  friction.mu_drill = 0;
  claim_ok(scene_set_pair(scene, "sheet", "sheet", &friction, err));
  scene->friction.mu_dynamic = 0.75;
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "friction.default.mu_dynamic is 0.75, above mu, which is 0.5");
  scene->friction.mu_dynamic = -1, scene->friction.mu_drill = 0.01;
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "friction.default: mu_drill is 0.01 m, but 'sheet' is a cloth");
  scene->objects.data[0].surface.contact = TRIBO_CONTACT_NONE; /* it moves all the same */
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "friction.default: mu_drill is 0.01 m, but 'sheet' is a cloth");
  scene->objects.data[0].surface.contact = TRIBO_CONTACT_AUTO;
  scene->world.method = TRIBO_METHOD_ELASTIC;
  claim_ok(compile_scene(scene, &c, err));
  model_free(&c.m);
  scene_free(scene);
}

/* Tensors are of two surfaces, and count from their structures. */
static void tensors_without_a_pair_or_a_structure_are_refused(void **unused) {
  (void)unused;
  small_sheet sheet;
  tribo_scene *scene = sheet_scene(&sheet);
  compiled c;
  tribo_friction_params friction = tribo_friction_defaults();
  friction.tensor_a[0] = friction.tensor_b[0] = 0.25;
  claim_ok(scene_set_pair(scene, "sheet", "sheet", &friction, err));
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "friction of 'sheet' and 'sheet': tensor_a is [0.25 0 0], which has directions, but "
              "'sheet' has no structure to count them from");
  friction.tensor_a[1] = friction.tensor_b[1] = 0.25;
  claim_ok(scene_set_pair(scene, "sheet", "sheet", &friction, err));
  claim_ok(compile_scene(scene, &c, err));
  model_free(&c.m);
  scene->friction.tensor_b[0] = 1;
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "friction.default has tensor_a and tensor_b, which are of two surfaces; give them to "
              "a pair");
  scene_free(scene);
}

/* Cloth, solids and colliders, and what its own solver knows. */
static void scene_that_projective_dynamics_does_not_solve_is_refused(void **unused) {
  (void)unused;
  tribo_scene *scene;
  claim_ok(scene_create(&scene, err));
  small_sheet sheet;
  tribo_object_def def = *small_sheet_make(&sheet);
  claim_ok(scene_add(scene, &def, NULL, err));
  scene->world.method = TRIBO_METHOD_PROJECTIVE;
  compiled c;
  claim_ok(compile_scene(scene, &c, err));
  model_free(&c.m);
  scene->solver.backend = TRIBO_BACKEND_IPOPT;
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT, "solver.backend is 'ipopt'");
  scene->solver.backend = TRIBO_BACKEND_NATIVE;
  scene->friction.mu_drill = 0.01;
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "'sheet' is a cloth, which has no turning of its own to hold back");
  scene->friction.mu_drill = 0;
  scene->objects.data[0].kind = TRIBO_RIGID;
  claim_fails(compile_scene(scene, &c, err), TRIBO_BAD_INPUT,
              "object 'sheet' is a rigid body, but the method 'projective' moves cloth and solids "
              "only; set the method to 'forwarding'");
  scene->objects.data[0].kind = TRIBO_CLOTH;
  scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scene_with_nothing_to_simulate_is_refused),
      cmocka_unit_test(model_and_pairs_speak_of_the_objects_of_the_scene),
      cmocka_unit_test(pair_of_unknown_names_is_refused_when_a_simulation_is_made),
      cmocka_unit_test(friction_that_the_method_does_not_solve_is_refused),
      cmocka_unit_test(tensors_without_a_pair_or_a_structure_are_refused),
      cmocka_unit_test(scene_that_projective_dynamics_does_not_solve_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
