/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene_folder.h"

/* ---- what is read ---------------------------------------------------------------------------- */

static void smallest_scene_has_defaults(void **state) {
  (void)state;
  tribo_scene *scene = parsed("{\"tribo\": 1}"), *made;
  claim_ok(scene_create(&made, err));
  assert_true(scene_hash(scene) == scene_hash(made));
  scene_free(scene);
  scene_free(made);
}

static void settings_are_read(void **state) {
  (void)state;
  tribo_scene *scene = parsed(
      "{\"tribo\": 1, \"gravity\": [0, 1, 2], \"air_density\": 1.25, \"method\": \"elastic\","
      "\"time\": {\"start\": -3, \"end\": 7, \"fps\": 25.5, \"substeps\": 2},"
      "\"solver\": {\"linear\": \"cg\", \"on_failure\": \"continue\", \"tolerance\": 1e-9}}");
  assert_true(scene->world.gravity[1] == 1 && scene->world.air_density == 1.25);
  assert_int_equal(scene->time.start, -3);
  assert_int_equal(scene->time.end, 7);
  assert_true(scene->time.fps == 25.5);
  assert_int_equal(scene->solver.linear, TRIBO_LINEAR_CG);
  assert_int_equal(scene->solver.on_failure, TRIBO_ON_FAILURE_CONTINUE);
  assert_true(scene->solver.tolerance == 1e-9);
  scene_free(scene);
}

static void objects_are_read_with_their_meshes(void **state) {
  (void)state;
  tribo_scene *scene = parsed(SCENE(
      "{\"name\": \"block\", \"kind\": \"solid\", \"mesh\": \"block.msh\", \"velocity\": [1, 2, 3],"
      "\"elastic\": {\"young\": 2e4, \"model\": \"neo_hookean\"}},"
      "{\"name\": \"sheet\", \"kind\": \"cloth\", \"mesh\": \"uv.obj\", \"drag\": 1.2,"
      "\"elastic\": {\"bend\": 0.5, \"warp_from\": \"uv\"},"
      "\"pin\": {\"vertices\": [2], \"stiffness\": 7}}"));
  assert_int_equal(scene->objects.count, 2);
  const tribo_object_def *block = &scene->objects.data[0], *sheet = &scene->objects.data[1];
  assert_string_equal(block->name, "block");
  assert_int_equal(block->tet_count, 2);
  assert_int_equal(block->vertex_count, 5);
  assert_true(block->solid.young == 2e4 && block->object.velocity[2] == 3);
  assert_int_equal(block->solid.model, TRIBO_SOLID_NEO_HOOKEAN);
  assert_int_equal(sheet->triangle_count, 1);
  assert_true(sheet->uvs && sheet->uvs[2] == 1 && sheet->cloth.bend == 0.5);
  assert_int_equal(sheet->pin_count, 1);
  assert_int_equal(sheet->pins[0].vertices[0], 2);
  assert_true(sheet->pins[0].params.stiffness == 7);
  assert_null(sheet->pins[0].targets);
  scene_free(scene);
}

static void transform_moves_the_mesh(void **state) {
  (void)state;
  tribo_scene *scene = parsed(TRANSFORM("0, -2, 0, 10,  2, 0, 0, 20,  0, 0, 2, 30,  0, 0, 0, 1"));
  const double *p = scene->objects.data[0].positions;
  assert_true(p[0] == 10 && p[1] == 20 && p[2] == 30);
  assert_true(p[3] == 10 && p[4] == 22 && p[5] == 30);
  assert_true(p[6] == 8 && p[7] == 20 && p[11] == 32);
  scene_free(scene);
}

static void animation_of_the_pinned_vertices_is_read_in_their_order(void **state) {
  (void)state;
  tribo_scene *scene = parsed(PIN(", \"animation\": \"pins.pc2\""));
  const tribo_pin_def *pin = &scene->objects.data[0].pins[0];
  assert_int_equal(pin->target_count, 3);
  assert_true(pin->target_start == 5 && pin->target_interval == 0.5);
  assert_true(pin->targets[0] == 0 && pin->targets[5] == 5);
  assert_true(pin->targets[6] == 100 && pin->targets[17] == 305);
  scene_free(scene);
}

static void animation_of_the_whole_object_gives_the_pinned_vertices(void **state) {
  (void)state;
  tribo_scene *scene = parsed(PIN(", \"animation\": \"whole.pc2\""));
  const tribo_pin_def *pin = &scene->objects.data[0].pins[0];
  assert_int_equal(pin->target_count, 3);
  assert_true(pin->targets[0] == 0 && pin->targets[3] == 9 && pin->targets[5] == 11);
  assert_true(pin->targets[6] == 100 && pin->targets[9] == 109);
  scene_free(scene);
}

static void targets_are_read_in_place(void **state) {
  (void)state;
  tribo_scene *scene =
      parsed(SHEET(", \"pin\": [{\"vertices\": [1], \"targets\": [[[0.1, 0, 1]], [[0.2, 0, 1]]]},"
                   "{\"vertices\": [2], \"targets\": [[[1, 1, 1]]], \"target_start\": -2.5, "
                   "\"target_interval\": 24}]"));
  const tribo_pin_def *pin = scene->objects.data[0].pins;
  assert_int_equal(pin[0].target_count, 2);
  assert_true(pin[0].targets[3] == 0.2 && pin[0].target_start == 1 && pin[0].target_interval == 1);
  assert_true(pin[1].target_start == -2.5 && pin[1].target_interval == 24);
  scene_free(scene);
}

static void example_of_the_reference_is_a_scene(void **state) {
  (void)state;
  char *markdown;
  claim_ok(tribo_scene_reference(&markdown, err));
  char *text = strstr(markdown, "```json\n");
  assert_non_null(text);
  text += strlen("```json\n");
  char *end = strstr(text, "```");
  assert_non_null(end);
  *end = 0;
  tribo_scene *scene = parsed(text);
  assert_int_equal(scene->objects.count, 4);
  assert_int_equal(scene->objects.data[3].pin_count, 2);
  assert_int_equal(scene->pairs.count, 2);
  scene_free(scene);
  free(markdown);
}

static void colliders_and_rigid_bodies_are_read(void **state) {
  (void)state;
  tribo_scene *scene =
      parsed(SCENE("{\"name\": \"ramp\", \"kind\": \"collider\", \"mesh\": \"ramp.obj\", "
                   "\"animation\": \"ramp.pc2\", \"material\": \"wood\", "
                   "\"surface\": {\"contact\": \"mls\", \"radius\": 0.5}},"
                   "{\"name\": \"glass\", \"kind\": \"rigid\", \"mesh\": \"glass.obj\", "
                   "\"velocity\": [0, 0, 1], \"spin\": [1, 2, 3], \"rigid\": {\"density\": 2500}},"
                   "{\"name\": \"door\", \"kind\": \"collider\", \"mesh\": \"glass.obj\", "
                   "\"transforms\": [[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], [1,0,0,4, 0,1,0,0, "
                   "0,0,1,0, 0,0,0,1]], "
                   "\"motion_start\": 3, \"motion_interval\": 0.5},"
                   "{\"name\": \"jelly\", \"kind\": \"solid\", \"mesh\": \"inside.obj\", "
                   "\"cage\": \"block.msh\", \"pin\": {\"vertices\": [2]}}"));
  const tribo_object_def *ramp = tribo_scene_object(scene, 0),
                         *glass = tribo_scene_object(scene, 1);
  const tribo_object_def *door = tribo_scene_object(scene, 2),
                         *jelly = tribo_scene_object(scene, 3);
  assert_int_equal(ramp->kind, TRIBO_COLLIDER);
  assert_int_equal(ramp->triangle_count, 2);
  assert_string_equal(ramp->material, "wood");
  assert_int_equal(ramp->surface.contact, TRIBO_CONTACT_MLS);
  assert_true(ramp->surface.radius == 0.5 && ramp->motion.points[12] == 100);
  assert_int_equal(ramp->motion.sample_count, 3);
  assert_true(ramp->motion.start == 5 && ramp->motion.interval == 0.5);
  assert_int_equal(glass->kind, TRIBO_RIGID);
  assert_true(glass->rigid.density == 2500 && glass->object.spin[2] == 3);
  assert_null(glass->material);
  assert_int_equal(door->motion.sample_count, 2);
  assert_true(door->motion.transforms[19] == 4 && door->motion.start == 3);
  assert_true(door->motion.interval == 0.5 && !door->motion.points);
  assert_int_equal(jelly->cage_count, 5);
  assert_int_equal(jelly->tet_count, 2);
  assert_int_equal(jelly->vertex_count, 3);
  assert_int_equal(jelly->pins[0].vertices[0], 2);
  scene_free(scene);
}

#define FRICTION(inner) "{\"tribo\": 1, \"friction\": {" inner "}}"

static void friction_is_read(void **state) {
  (void)state;
  tribo_scene *scene =
      parsed(FRICTION("\"combine\": \"maximum\", \"default\": {\"mu\": 0.25}, \"pairs\": ["
                      "{\"a\": \"wood\", \"b\": \"glass\", \"mu\": 0.125},"
                      "{\"a\": \"wood\", \"b\": \"wood\", \"mu\": 2, \"mu_along\": 0.5, "
                      "\"mu_across\": 4, \"mu_dynamic\": 1, \"stribeck_velocity\": 0.25, "
                      "\"mu_drill\": 0.125}, {\"a\": \"wood\", \"b\": \"ice\", \"mu\": 1, "
                      "\"tensor_a\": [0.25, 0.5, 0.125], \"tensor_b\": [0.5, 0.5, 0]}]"));
  assert_int_equal(scene->combine.combine, TRIBO_COMBINE_MAXIMUM);
  assert_true(scene->friction.mu == 0.25);
  assert_int_equal(scene->pairs.count, 3);
  const tribo_friction_params *ice = &scene->pairs.data[2].friction;
  assert_true(ice->tensor_a[0] == 0.25 && ice->tensor_a[1] == 0.5 && ice->tensor_a[2] == 0.125);
  assert_true(ice->tensor_b[1] == 0.5 && ice->tensor_b[2] == 0);
  assert_string_equal(scene->pairs.data[0].b, "glass");
  const tribo_friction_params *glass = &scene->pairs.data[0].friction,
                              *wood = &scene->pairs.data[1].friction;
  assert_true(glass->mu == 0.125 && glass->mu_along == -1 && glass->mu_drill == 0);
  assert_true(wood->mu == 2 && wood->mu_along == 0.5 && wood->mu_across == 4);
  assert_true(wood->mu_dynamic == 1 && wood->stribeck_velocity == 0.25 && wood->mu_drill == 0.125);
  scene_free(scene);
}

static void friction_that_does_not_fit_is_refused(void **state) {
  (void)state;
  claim_refused("{\"tribo\": 1, \"friction\": 0.5}", "friction must be an object {}, not a number");
  claim_refused(FRICTION("\"mu\": 1"),
                "friction: unknown key 'mu'; it belongs to surface of an "
                "object, or to friction.default and friction.pairs");
  claim_refused(FRICTION("\"combine\": \"mean\""),
                "friction.combine is 'mean'; give one of: geometric_mean, average");
  claim_refused(FRICTION("\"default\": {\"mu\": -1}"), "friction.default.mu is -1; give 0 to");
  claim_refused(FRICTION("\"pairs\": {}"), "friction.pairs must be an array [], not an object {}");
  claim_refused(FRICTION("\"pairs\": [1]"),
                "friction.pairs[0]: it must be an object {}, not a number");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"y\"}]"),
                "friction.pairs[0]: key 'mu' is missing; give \"mu\": number from 0");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": 1, \"mu\": 1}]"),
                "friction.pairs[0]: b must be a name in quotes, not a number");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"y\", \"mu\": -1}]"),
                "friction.pairs[0]: mu is -1; give 0 to 1e+06");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"y\", \"mu\": 1}, "
                         "{\"a\": \"y\", \"b\": \"x\", \"mu\": 1}]"),
                "friction.pairs[1]: it names 'y' and 'x' again, as pairs[0] does; keep one");
  claim_refused(
      FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"y\", \"mu\": 0.5, "
               "\"mu_dynamic\": 1}]"),
      "friction.pairs[0]: friction of 'x' and 'y': mu_dynamic is 1, above mu, which is 0.5");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"y\", \"mu\": 1, "
                         "\"mu_across\": -0.5}]"),
                "mu_across is -0.5; give 0 or more, or leave it out (-1) to have it as mu");
  claim_refused(FRICTION("\"default\": {\"mu_along\": -2}"),
                "friction.default.mu_along is -2; give -1 to 1e+06");
  claim_refused(FRICTION("\"default\": {\"mu_drill\": -0.1}"),
                "friction.default.mu_drill is -0.1 m; give 0 to 1e+06 m");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"y\", \"mu\": 1, "
                         "\"tensor_a\": [1, 1, 2]}]"),
                "friction.pairs[0]: friction of 'x' and 'y': tensor_a is [1 1 2] and tensor_b [0 0 "
                "0], whose sum can have the eigenvalue -1");
  claim_refused(FRICTION("\"pairs\": [{\"a\": \"x\", \"b\": \"x\", \"mu\": 1, "
                         "\"tensor_a\": [1, 1, 0]}]"),
                "tensor_a and tensor_b differ, but both are of 'x'; give it one");
  claim_refused(FRICTION("\"default\": {\"stribeck_velocity\": \"slow\"}"),
                "friction.default.stribeck_velocity must be a number");
}

#define RAMP(more)                                                                                 \
  SCENE("{\"name\": \"ramp\", \"kind\": \"collider\", \"mesh\": \"ramp.obj\"" more "}")

static void motion_that_does_not_fit_is_refused(void **state) {
  (void)state;
  claim_refused(RAMP(", \"animation\": \"pins.pc2\""),
                "objects[0] 'ramp': 'pins.pc2' has 2 vertices; expected 4, the object's");
  claim_refused(RAMP(", \"animation\": \"ramp.mdd\""), "animation 'ramp.mdd' must be a .pc2 file");
  claim_refused(RAMP(", \"animation\": \"ramp.pc2\", \"points\": []"),
                "it has more than one of animation, points and transforms; keep one");
  claim_refused(RAMP(", \"animation\": \"ramp.pc2\", \"motion_start\": 1"),
                "motion_start and motion_interval go with points or transforms");
  claim_refused(RAMP(", \"points\": []"), "points must be an array of samples, not an empty array");
  claim_refused(RAMP(", \"points\": [[[0, 0, 0]]]"),
                "points[0] has 1 points; give 4, one for each vertex");
  claim_refused(RAMP(", \"points\": [1]"), "points[0] must be an array of points, not a number");
  claim_refused(RAMP(", \"points\": [[[0, 0, 0], 1, 1, 1]]"),
                "points[0][1] must be three numbers [x, y, z], not a number");
  claim_refused(RAMP(", \"transforms\": [[1, 2]]"),
                "transforms[0] must be an array of 16 numbers, not an array of 2 values");
  claim_refused(RAMP(", \"transforms\": [[1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,0,1]]"),
                "object 'ramp': transform 0 of its motion mirrors the mesh");
}

static void keys_of_another_kind_are_refused(void **state) {
  (void)state;
  claim_refused(RAMP(", \"elastic\": {}"),
                "objects[0] 'ramp': kind 'collider' has no key 'elastic'");
  claim_refused(RAMP(", \"velocity\": [0, 0, 0]"), "kind 'collider' has no key 'velocity'; remove");
  claim_refused(RAMP(", \"spin\": [0, 0, 0]"), "kind 'collider' has no key 'spin'; remove");
  claim_refused(RAMP(", \"pin\": {}"), "kind 'collider' has no key 'pin'");
  claim_refused(SHEET(", \"animation\": \"a.pc2\""),
                "kind 'cloth' has no key 'animation'; remove it; the animation of pinned vertices");
  claim_refused(BLOCK(", \"rigid\": {}"),
                "kind 'solid' has no key 'rigid'; remove it; the density");
  claim_refused(
      RAMP(", \"density\": 1"),
      "unknown key 'density'; it belongs to elastic of a solid, or to elastic of a cloth, "
      "or to rigid of a rigid body");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void missing_files_are_named(void **state) {
  (void)state;
  tribo_scene *scene;
  claim_fails(scene_file_read(scratch_path("none.json"), &scene, err), TRIBO_BAD_INPUT,
              "/none.json': No such file or directory");
  assert_null(scene);
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": \"none.obj\"}"),
                "'scene.json': objects[0] 'a': cannot read '");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": \"none.obj\"}"),
                "/none.obj': No such file or directory");
  claim_refused(PIN(", \"animation\": \"none.pc2\""), "/none.pc2': No such file or directory");
}

static void syntax_faults_have_line_and_column(void **state) {
  (void)state;
  claim_refused("{\"tribo\": 1,\n \"time\": {\"end\": 5,}}", "line 2, column 20: not JSON");
  claim_refused("{\"tribo\": 1", "line 1, column 12: the file ends in the middle of a value");
  claim_refused("", "line 1, column 1");
}

static void deep_nesting_is_harmless(void **state) {
  (void)state;
  enum { DEPTH = 200000 };
  char *text = malloc(DEPTH + 1);
  memset(text, '[', DEPTH);
  text[DEPTH] = 0;
  claim_refused(text, "line 1, column");
  for (size_t i = 0; i + 5 <= DEPTH; i += 5) memcpy(text + i, "{\"a\":", 5);
  claim_refused(text, "line 1, column");
  free(text);
}

/* Files in the folder that the fuzzer uses: if they went bad it would no longer get past them. */
static void seeds_of_the_fuzzer_are_scenes(void **state) {
  (void)state;
  static const char *const seeds[] = {"example",  "smallest", "targets",
                                      "settings", "contact",  "maps"};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    char path[512];
    snprintf(path, sizeof path, TRIBO_SOURCE_DIR "/tests/fuzz/corpus/json/%s.json", seeds[i]);
    file_text text;
    tribo_scene *scene = NULL;
    claim_ok(file_read(path, &text, err));
    claim_ok(scene_file_parse(seeds[i], TRIBO_SOURCE_DIR "/tests/fuzz/scene", text.data, text.size,
                              &scene, err));
    scene_free(scene);
    free(text.data);
  }
}

static void version_is_required(void **state) {
  (void)state;
  claim_refused("{}", "key 'tribo' is missing; give \"tribo\": 1");
  claim_refused("{\"tribo\": 2}", "tribo is 2; this program reads version 1");
  claim_refused("{\"tribo\": \"1\"}", "tribo must be the number 1, not a string");
  claim_refused("[]", "the scene must be an object {}, not an empty array");
}

static void unknown_keys_are_refused_with_a_suggestion(void **state) {
  (void)state;
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": \"sheet.obj\"},"
                      "{\"name\": \"sheet\", \"kind\": \"cloth\", \"mesh\": \"sheet.obj\","
                      "\"elastc\": {}}"),
                "'scene.json': objects[1] 'sheet': unknown key 'elastc'; did you mean 'elastic'?");
  claim_refused("{\"tribo\": 1, \"gravty\": 1}", "unknown key 'gravty'; did you mean 'gravity'?");
  claim_refused("{\"tribo\": 1, \"time\": {\"substep\": 1}}",
                "time: unknown key 'substep'; did you mean 'substeps'?");
  claim_refused(SHEET(", \"elastic\": {\"strech\": 1}"),
                "objects[0] 'sheet': elastic: unknown key 'strech'; did you mean 'stretch'?");
  claim_refused(PIN(", \"stifness\": 1"),
                "objects[0] 'sheet': pin 0: unknown key 'stifness'; did you mean 'stiffness'?");
  claim_refused("{\"tribo\": 1, \"quite different\": 1}", "unknown key 'quite different'; remove");
}

static void keys_in_the_wrong_place_are_told_their_own(void **state) {
  (void)state;
  claim_refused(SHEET(", \"elastic\": {\"young\": 1e5}"),
                "elastic: unknown key 'young'; it belongs to elastic of a solid");
  claim_refused("{\"tribo\": 1, \"substeps\": 4}", "unknown key 'substeps'; it belongs to time");
  claim_refused("{\"tribo\": 1, \"solver\": {\"gravity\": 4}}",
                "solver: unknown key 'gravity'; it belongs to the top of the scene file");
}

static void keys_that_stand_twice_are_refused(void **state) {
  (void)state;
  claim_refused("{\"tribo\": 1, \"tribo\": 1}", "key 'tribo' stands twice; keep one");
  claim_refused("{\"tribo\": 1, \"time\": {\"end\": 1, \"fps\": 2, \"end\": 1}}",
                "time: key 'end' stands twice");
  claim_refused(SHEET(", \"mesh\": \"sheet.obj\""), "objects[0] 'sheet': key 'mesh' stands twice");
}

static void unknown_kinds_are_refused_by_name(void **state) {
  (void)state;
  claim_refused(SCENE("{\"kind\": \"clot\"}"),
                "kind 'clot' is unknown; give cloth, solid, rigid, collider or rod");
  claim_refused(
      SCENE("{\"kind\": 1}"),
      "kind must be \"cloth\", \"solid\", \"rigid\", \"collider\" or \"rod\", not a number");
  claim_refused(SCENE("{\"name\": \"a\\nb\"}"), "objects[0] 'a?b': key 'kind' is missing");
}

static void wrong_types_name_key_and_what_is_expected(void **state) {
  (void)state;
  claim_refused("{\"tribo\": 1, \"time\": 5}", "time must be an object {}, not a number");
  claim_refused("{\"tribo\": 1, \"objects\": {}}", "objects must be an array [], not an object {}");
  claim_refused(SCENE("7"), "objects[0]: it must be an object {}, not a number");
  claim_refused("{\"tribo\": 1, \"gravity\": 9.81}",
                "gravity must be three numbers [x, y, z], not a number");
  claim_refused("{\"tribo\": 1, \"gravity\": [0, 0, null]}", "not an array with null in it");
  claim_refused("{\"tribo\": 1, \"method\": 1}", "method must be a word in quotes, not a number");
  claim_refused("{\"tribo\": 1, \"method\": \"elastik\"}",
                "method is 'elastik'; give one of: forwarding, elastic, projective");
  claim_refused("{\"tribo\": 1, \"time\": {\"end\": true}}",
                "time.end must be a whole number, not true");
  claim_refused(SCENE("{\"name\": 5, \"kind\": \"cloth\", \"mesh\": \"sheet.obj\"}"),
                "name must be a string, not a number");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": 1}"),
                "mesh must be a path in quotes, not a number");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\"}"),
                "objects[0] 'a': key 'mesh' is missing; give \"mesh\": path");
  claim_refused(SHEET(", \"elastic\": []"), "elastic must be an object {}, not an empty array");
  claim_refused(SHEET(", \"pin\": 5"), "pin 0: it must be an object {}, not a number");
  claim_refused(SHEET(", \"pin\": {}"), "pin 0: key 'vertices' is missing");
  claim_refused(PIN(", \"stiffness\": \"hard\""), "pin.stiffness must be a number, not a string");
}

static void values_out_of_range_are_named(void **state) {
  (void)state;
  claim_refused(BLOCK(", \"elastic\": {\"density\": -5}"),
                "'scene.json': objects[0] 'block': elastic.density is -5 kg/m^3; give 1e-06 to "
                "1e+06 kg/m^3");
  claim_refused("{\"tribo\": 1, \"air_density\": 1e999}", "air_density is inf kg/m^3");
  claim_refused("{\"tribo\": 1, \"time\": {\"start\": 5, \"end\": 4}}",
                "time.end is 4, before time.start 5");
}

static void meshes_that_do_not_fit_the_kind_are_refused(void **state) {
  (void)state;
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": \"block.msh\"}"),
                "objects[0] 'a': mesh 'block.msh' must be an .obj file, for a cloth");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"solid\", \"mesh\": \"sheet.obj\"}"),
                "objects[0] 'a': object 'a': its surface is open and encloses nothing");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"solid\", \"mesh\": \"sheet.pc2\"}"),
                "objects[0] 'a': mesh 'sheet.pc2' must be a Gmsh .msh file with tets, for a solid");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": \"points.obj\"}"),
                "objects[0] 'a': 'points.obj' has no triangles");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"solid\", \"mesh\": \"skin.msh\"}"),
                "objects[0] 'a': 'skin.msh' has no tets");
}

static void bad_meshes_are_refused_in_the_words_of_the_scene(void **state) {
  (void)state;
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"solid\", \"mesh\": \"inverted.msh\"}"),
                "'scene.json': object 'a': tet 0 (vertices 1, 0, 2, 3) is inverted");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"solid\", \"mesh\": \"flat.msh\"}"),
                "'scene.json': object 'a': tet 0 (vertices 0, 1, 2, 3) is flat");
  claim_refused(SCENE("{\"name\": \"a\", \"kind\": \"cloth\", \"mesh\": \"far.obj\"}"), "far.obj");
  claim_refused(SHEET(", \"elastic\": {\"warp_from\": \"uv\"}"),
                "object 'sheet': elastic.warp_from is uv, but the mesh has no uvs");
  claim_refused(SHEET("}, {\"name\": \"SHEET\", \"kind\": \"cloth\", \"mesh\": \"sheet.obj\""),
                "object 'SHEET': the name differs from objects[0] 'sheet' only in case");
}

static void transforms_that_mirror_or_squash_are_refused(void **state) {
  (void)state;
  claim_refused(TRANSFORM("-1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1"),
                "objects[0] 'block': transform mirrors the mesh (determinant -1)");
  claim_refused(TRANSFORM("1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 0, 0,  0, 0, 0, 1"),
                "transform squashes the mesh flat (determinant 0)");
  claim_refused(TRANSFORM("1, 0, 0, 0,  1, 0, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1"), "squashes");
  claim_refused(TRANSFORM("1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  5, 0, 0, 1"),
                "transform ends in the row (5, 0, 0, 1)");
  claim_refused(TRANSFORM("1, 0, 0, 1e999,  0, 1, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1"),
                "transform[3] is inf");
  claim_refused(TRANSFORM("1, 0, 0"), "transform must be 16 numbers, not an array of 3 values");
  tribo_scene *tiny =
      parsed(TRANSFORM("1e-4, 0, 0, 0,  0, 1e-4, 0, 0,  0, 0, 1e-4, 0, 0, 0, 0, 1"));
  scene_free(tiny);
}

static void pins_that_do_not_fit_are_refused(void **state) {
  (void)state;
  claim_refused(PIN(", \"animation\": \"wrong.pc2\""),
                "objects[0] 'sheet': pin 0: 'wrong.pc2' has 12 vertices; expected 2 (the pinned "
                "ones) or 4 (the object's)");
  claim_refused(PIN(", \"animation\": \"empty.pc2\""), "pin 0: 'empty.pc2' has no samples");
  claim_refused(PIN(", \"animation\": \"pins.mdd\""), "animation 'pins.mdd' must be a .pc2 file");
  claim_refused(PIN(", \"animation\": 1"), "animation must be a path in quotes, not a number");
  claim_refused(SHEET(", \"pin\": {\"vertices\": [0, 4]}"),
                "pin 0: vertices[1] is 4; give a whole number from 0 to 3, the object has 4");
  claim_refused(SHEET(", \"pin\": {\"vertices\": [0.5]}"), "vertices[0] is 0.5");
  claim_refused(SHEET(", \"pin\": {\"vertices\": [1e99]}"), "vertices[0] is 1e+99");
  claim_refused(SHEET(", \"pin\": {\"vertices\": [\"a\"]}"),
                "vertices[0] must be a vertex number, not a string");
  claim_refused(SHEET(", \"pin\": {\"vertices\": []}"), "vertices is empty");
  claim_refused(SHEET(", \"pin\": {\"vertices\": 5}"),
                "vertices must be an array of vertex numbers, not a number");
  claim_refused(SHEET(", \"pin\": [{\"vertices\": [0]}, {\"vertices\": [0]}]"),
                "object 'sheet': vertex 0 is held by pin 0 and by pin 1");
}

static void targets_that_do_not_fit_are_refused(void **state) {
  (void)state;
  claim_refused(PIN(", \"animation\": \"pins.pc2\", \"targets\": []"),
                "pin 0: it has both animation and targets; keep one");
  claim_refused(PIN(", \"target_start\": 1"), "target_start and target_interval go with targets");
  claim_refused(PIN(", \"targets\": []"),
                "targets must be an array of samples, not an empty array");
  claim_refused(PIN(", \"targets\": [1]"), "targets[0] must be an array of points, not a number");
  claim_refused(PIN(", \"targets\": [[[0, 0, 0]]]"),
                "targets[0] has 1 points; give 2, one for each of vertices");
  claim_refused(PIN(", \"targets\": [[[0, 0, 0], [0, 0]]]"),
                "targets[0][1] must be three numbers [x, y, z], not an array of 2 values");
  claim_refused(PIN(", \"targets\": [[[0, 0, 0], [0, 0, 1e999]]]"),
                "object 'sheet': pin 0: target of vertex 3 in sample 0 is (0, 0, inf)");
  claim_refused(PIN(", \"targets\": [[[0, 0, 0], [0, 0, 1]]], \"target_interval\": 0"),
                "object 'sheet': pin 0: target_interval is 0");
  claim_refused(PIN(", \"targets\": [[[0, 0, 0], [0, 0, 1]]], \"target_start\": \"a\""),
                "target_start must be a number of frames, not a string");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smallest_scene_has_defaults),
      cmocka_unit_test(settings_are_read),
      cmocka_unit_test(objects_are_read_with_their_meshes),
      cmocka_unit_test(transform_moves_the_mesh),
      cmocka_unit_test(animation_of_the_pinned_vertices_is_read_in_their_order),
      cmocka_unit_test(animation_of_the_whole_object_gives_the_pinned_vertices),
      cmocka_unit_test(targets_are_read_in_place),
      cmocka_unit_test(example_of_the_reference_is_a_scene),
      cmocka_unit_test(colliders_and_rigid_bodies_are_read),
      cmocka_unit_test(friction_is_read),
      cmocka_unit_test(friction_that_does_not_fit_is_refused),
      cmocka_unit_test(motion_that_does_not_fit_is_refused),
      cmocka_unit_test(keys_of_another_kind_are_refused),
      cmocka_unit_test(missing_files_are_named),
      cmocka_unit_test(syntax_faults_have_line_and_column),
      cmocka_unit_test(deep_nesting_is_harmless),
      cmocka_unit_test(seeds_of_the_fuzzer_are_scenes),
      cmocka_unit_test(version_is_required),
      cmocka_unit_test(unknown_keys_are_refused_with_a_suggestion),
      cmocka_unit_test(keys_in_the_wrong_place_are_told_their_own),
      cmocka_unit_test(keys_that_stand_twice_are_refused),
      cmocka_unit_test(unknown_kinds_are_refused_by_name),
      cmocka_unit_test(wrong_types_name_key_and_what_is_expected),
      cmocka_unit_test(values_out_of_range_are_named),
      cmocka_unit_test(meshes_that_do_not_fit_the_kind_are_refused),
      cmocka_unit_test(bad_meshes_are_refused_in_the_words_of_the_scene),
      cmocka_unit_test(transforms_that_mirror_or_squash_are_refused),
      cmocka_unit_test(pins_that_do_not_fit_are_refused),
      cmocka_unit_test(targets_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, write_folder, scratch_remove);
}
