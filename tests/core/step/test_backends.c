/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two ways of solving the paper's step, ours and Ipopt's, from the same states.
 */
#include "physics/lab_painted.h"

enum { STEPS = 6 };

static const char *const BACKENDS[] = {"native", "ipopt"};

/* Tolerances well below what the two must agree to. */
static simulation *with_backend(tribo_scene *scene, const char *backend) {
  claim_ok(tribo_scene_set(scene, "solver.backend", backend, err));
  claim_ok(tribo_scene_set(scene, "solver.effective_mass", "lumped", err));
  tribo_solver_params *solver = tribo_scene_solver(scene);
  solver->tolerance = 1e-10;
  solver->contact_tolerance = 1e-10;
  solver->friction_tolerance = 1e-10;
  solver->friction_iterations = 1000;
  return lab_simulation(scene);
}

static double largest(const state *s) {
  double size = 0;
  for (size_t i = 0; i < s->node_count; i++) size = fmax(size, vec3_norm(s->v[i]));
  return size;
}

/* Both take each step from where the native one has got to; velocities agree to 1e-6 of the largest
 * so far, or of what gravity alone would have added in a step: what sticks has none of its own, and
 * contact forces that take h g away are known no better. Returns the most contacts of a step. */
static int agree(simulation *s[2], double h) {
  double size = h * vec3_norm(simulation_model(s[0])->gravity);
  int contacts = 0;
  for (int step = 0; step < STEPS; step++) {
    state same = lab_copy(s[0]);
    lab_put_back(s[1], &same);
    tribo_report report = lab_steps(s[0], 1);
    lab_steps(s[1], 1);
    if (report.contacts > contacts) contacts = report.contacts;
    const state *ours = simulation_state(s[0]), *theirs = simulation_state(s[1]);
    size = fmax(size, largest(ours));
    for (size_t i = 0; i < ours->node_count; i++)
      claim_below(vec3_norm(vec3_sub(ours->v[i], theirs->v[i])), 1e-6 * size);
  }
  for (int k = 0; k < 2; k++) simulation_free(s[k]);
  return contacts;
}

static int agree_on(const char *name, const char *const *options, size_t count) {
  simulation *s[2];
  double h = 0;
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = NULL;
    claim_ok(scenes_make_with(name, options, count, &scene, err));
    const tribo_time_params *time = tribo_scene_time(scene);
    h = 1 / (time->fps * time->substeps);
    s[k] = with_backend(scene, BACKENDS[k]);
  }
  return agree(s, h);
}

static void cloth_on_a_ramp__slides_alike(void **unused) {
  (void)unused;
  const char *options[] = {"cells=5", "mu=0.1"};
  assert_int_equal(agree_on("cloth_slide", options, 2), 36);
}

static void cloth_on_a_ramp__sticks_alike(void **unused) {
  (void)unused;
  const char *options[] = {"cells=5", "mu=0.4"};
  assert_int_equal(agree_on("cloth_slide", options, 2), 36);
}

static void block_on_a_ramp__moves_alike(void **unused) {
  (void)unused;
  const char *options[] = {"cells=3", "mu=0.1"};
  assert_true(agree_on("block_slide", options, 2) > 0);
}

static void rigid_sphere__slides_and_begins_to_roll_alike(void **unused) {
  (void)unused;
  const char *options[] = {"cells=4"};
  assert_int_equal(agree_on("sphere_on_plane", options, 1), 1);
}

/* A small block sinks into a large one that lies free, on which it slides. */
static void two_solids__touch_alike(void **unused) {
  (void)unused;
  simulation *s[2];
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = lab_scene();
    lab_time(scene, 0.01);
    lab_gravity(scene, 0, 0, -9.81);
    mesh below = shape_block(4, 4, 2, 0.4, 0.4, 0.2), above = shape_block(2, 2, 2, 0.1, 0.1, 0.1);
    shape_move(&above, 0.14, 0.16, 0.202);
    tribo_object_def under = tribo_object_default(TRIBO_SOLID);
    tribo_object_def over = tribo_object_default(TRIBO_SOLID);
    under.name = "under";
    over.name = "over";
    over.object.velocity[0] = 0.5;
    over.object.velocity[2] = -0.5;
    under.surface.role = TRIBO_ROLE_SURFACE;
    claim_ok(scenes_add(scene, under, &below, NULL, err));
    claim_ok(scenes_add(scene, over, &above, NULL, err));
    s[k] = with_backend(scene, BACKENDS[k]);
  }
  assert_true(agree(s, 0.01) > 0);
}

/* A ramp of 30 degrees with a structure at 40 degrees to the way down, and what slides on it, set
 * off sideways; or what it holds, by grooves across the slope. */
static simulation *combed(tribo_kind kind, double mu_along, double mu_across, double structure,
                          const char *backend) {
  const lab_floor floor = {.slope = LAB_PI / 6, .low = -2, .high = 4, .half = 2};
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.01);
  mesh ramp = lab_floor_mesh(&floor);
  mesh body = lab_slider_mesh(&floor, kind, kind == TRIBO_RIGID ? 1 : 3, 0.2, 0, 0);
  double *lines = lab_combed(ramp.vertex_count, lab_floor_direction(&floor, structure));
  tribo_object_def under = tribo_object_default(TRIBO_COLLIDER), over = tribo_object_default(kind);
  under.name = "ramp";
  under.vertex_structure = lines;
  over.name = "slider";
  over.object.velocity[1] = mu_across < 1 ? 0.3 : 0;
  claim_ok(scenes_add(scene, under, &ramp, NULL, err));
  claim_ok(scenes_add(scene, over, &body, NULL, err));
  free(lines);
  tribo_friction_params friction = tribo_friction_defaults();
  friction.mu_along = mu_along;
  friction.mu_across = mu_across;
  claim_ok(tribo_scene_set_pair(scene, "slider", "ramp", &friction, err));
  return with_backend(scene, backend);
}

static void agree_combed(double mu_along, double mu_across, double structure) {
  for (int kind = TRIBO_CLOTH; kind <= TRIBO_RIGID; kind++) {
    simulation *s[2];
    for (int k = 0; k < 2; k++)
      s[k] = combed((tribo_kind)kind, mu_along, mu_across, structure, BACKENDS[k]);
    assert_true(agree(s, 0.01) > 0);
  }
}

static void oblique_structure__is_slid_along_alike(void **unused) {
  (void)unused;
  agree_combed(0.1, 0.45, 40 * LAB_PI / 180);
}

static void grooves_across_the_slope__hold_alike(void **unused) {
  (void)unused;
  agree_combed(0.1, 1.5, LAB_PI / 2);
}

static void ipopt__does_not_promise_the_same_bits(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = NULL;
    bool deterministic = k == 1;
    claim_ok(scenes_make_with("sphere_on_plane", NULL, 0, &scene, err));
    simulation *s = with_backend(scene, BACKENDS[k]);
    const char *name = simulation_linear_solver(s, &deterministic);
    assert_true(deterministic == (k == 0));
    assert_true((strcmp(name, "ipopt mumps") == 0) == (k == 1));
    simulation_free(s);
  }
}

static void linear_solver__that_ipopt_has_not_is_refused(void **unused) {
  (void)unused;
  tribo_scene *scene = NULL;
  simulation *s = NULL;
  claim_ok(scenes_make_with("sphere_on_plane", NULL, 0, &scene, err));
  claim_ok(tribo_scene_set(scene, "solver.backend", "ipopt", err));
  claim_ok(tribo_scene_set(scene, "solver.linear", "cg", err));
  claim_fails(compile_simulation(scene, 1, NULL, &s, err), TRIBO_BAD_INPUT,
              "solver.linear is 'cg', which solver.backend 'ipopt' does not have");
  tribo_scene_free(scene);
}

/* Without Ipopt the scene is refused as it is made, with what to install. */
static bool have_ipopt(void) {
  tribo_scene *scene = NULL;
  simulation *s = NULL;
  tribo_error error = {0};
  if (scenes_make_with("sphere_on_plane", NULL, 0, &scene, &error) != TRIBO_OK) return true;
  tribo_status status = tribo_scene_set(scene, "solver.backend", "ipopt", &error);
  if (status == TRIBO_OK) status = compile_simulation(scene, 1, NULL, &s, &error);
  if (status == TRIBO_UNAVAILABLE) printf("skipped: %s\n", error.message);
  simulation_free(s);
  tribo_scene_free(scene);
  return status != TRIBO_UNAVAILABLE || !strstr(error.message, "install");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_on_a_ramp__slides_alike),
      cmocka_unit_test(cloth_on_a_ramp__sticks_alike),
      cmocka_unit_test(block_on_a_ramp__moves_alike),
      cmocka_unit_test(rigid_sphere__slides_and_begins_to_roll_alike),
      cmocka_unit_test(two_solids__touch_alike),
      cmocka_unit_test(oblique_structure__is_slid_along_alike),
      cmocka_unit_test(grooves_across_the_slope__hold_alike),
      cmocka_unit_test(ipopt__does_not_promise_the_same_bits),
      cmocka_unit_test(linear_solver__that_ipopt_has_not_is_refused),
  };
  if (!have_ipopt()) return 77;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
