/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact and friction take energy out of motion, never in: kinetic, elastic and potential energy
 * together do not grow from one step to the next by more than 1e-6 of the scene's scale m g size.
 * And what was pushed in, by the reports, is below 1e-4 of the object's size.
 */
#include "physics/lab_contact.h"

/* Runs the scene and frees it. */
static void claim_passive(tribo_scene *scene, double size, int steps) {
  /* What is left inside is lifted out again: m g times the depth. That must not count. */
  tribo_scene_solver(scene)->contact_tolerance = 1e-7;
  simulation *s = lab_simulation(scene);
  lab_watch w = lab_watch_start(s);
  double scale = lab_mass(s) * LAB_G * size;
  lab_watch_steps(s, steps, &w);
  claim_below(w.growth, 1e-6 * scale);
  claim_below(w.penetration, 1e-4 * size);
  simulation_free(s);
}

static void block_that_slides_down_a_ramp__gains_no_energy(void **unused) {
  (void)unused;
  const double mus[] = {0, 0.1, 0.176};
  for (int k = 0; k < 3; k++) {
    scene_block_slide_params p = scene_block_slide_defaults();
    tribo_scene *scene = NULL;
    p.mu = mus[k], p.cells = 3;
    claim_ok(scene_block_slide(&p, &scene, err));
    claim_passive(scene, p.size, 60);
  }
}

static void cloth_on_a_ramp__gains_no_energy(void **unused) {
  (void)unused;
  const double mus[] = {0, 0.1, 0.177, 0.4};
  for (int k = 0; k < 4; k++) {
    scene_cloth_slide_params p = scene_cloth_slide_defaults();
    tribo_scene *scene = NULL;
    p.mu = mus[k], p.cells = 6;
    claim_ok(scene_cloth_slide(&p, &scene, err));
    claim_passive(scene, p.size, 60);
  }
}

static void block_dropped_on_a_plane__gains_no_energy(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    scene_block_slide_params p = scene_block_slide_defaults();
    tribo_scene *scene = NULL;
    p.mu = k ? 0.5 : 0, p.angle = 0, p.cells = 3, p.gap = 0.1;
    claim_ok(scene_block_slide(&p, &scene, err));
    claim_passive(scene, p.size, 60);
  }
}

/* The stiffest cloth of the scenes, part of it sticking and part slipping. */
static void cloth_over_a_cylinder__gains_no_energy(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    scene_cloth_cylinder_params p = scene_cloth_cylinder_defaults();
    tribo_scene *scene = NULL;
    p.mu = k ? 0.145 : 0.12, p.cells = 7;
    claim_ok(scene_cloth_cylinder(&p, &scene, err));
    claim_passive(scene, p.length, 100);
  }
}

static void sphere_on_a_plane__gains_no_energy(void **unused) {
  (void)unused;
  scene_sphere_on_plane_params p = scene_sphere_on_plane_defaults();
  tribo_scene *scene = NULL;
  claim_ok(scene_sphere_on_plane(&p, &scene, err));
  claim_passive(scene, 2 * p.radius, 200);
}

static void sphere_dropped_on_a_plane__gains_no_energy(void **unused) {
  (void)unused;
  scene_sphere_on_plane_params p = scene_sphere_on_plane_defaults();
  tribo_scene *scene = NULL;
  p.gap = 0.1;
  claim_ok(scene_sphere_on_plane(&p, &scene, err));
  claim_passive(scene, 2 * p.radius, 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_that_slides_down_a_ramp__gains_no_energy),
      cmocka_unit_test(cloth_on_a_ramp__gains_no_energy),
      cmocka_unit_test(block_dropped_on_a_plane__gains_no_energy),
      cmocka_unit_test(cloth_over_a_cylinder__gains_no_energy),
      cmocka_unit_test(sphere_on_a_plane__gains_no_energy),
      cmocka_unit_test(sphere_dropped_on_a_plane__gains_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
