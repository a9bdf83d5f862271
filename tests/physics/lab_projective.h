/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_projective: scenes of contact, solved by the method projective.
 */
#ifndef TESTS_PHYSICS_LAB_PROJECTIVE_H
#define TESTS_PHYSICS_LAB_PROJECTIVE_H

#include "physics/lab_contact.h"

static inline simulation *projective_make(tribo_scene *scene, int iterations, int threads) {
  tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  tribo_scene_solver(scene)->projective_iterations = iterations;
  return lab_compile(scene, threads);
}

static inline simulation *projective_slide(double mu, double gap, int cells, int iterations) {
  scene_cloth_slide_params p = scene_cloth_slide_defaults();
  p.mu = mu, p.gap = gap, p.cells = cells;
  tribo_scene *scene = NULL;
  claim_ok(scene_cloth_slide(&p, &scene, err));
  return projective_make(scene, iterations, 1);
}

/* A square of cloth falls on a sphere that turns from 1 s on. */
static inline tribo_scene *projective_square(double mu, int cells) {
  scene_squares_params p = scene_squares_defaults();
  p.mu = mu, p.cells = cells;
  tribo_scene *scene = NULL;
  claim_ok(scene_squares(&p, &scene, err));
  return scene;
}

/* Three squares, one above the other, over the sphere, which stands still. */
static inline simulation *projective_stack(int cells, double thickness, int iterations,
                                           int threads) {
  scene_squares_params p = scene_squares_defaults();
  p.layers = 3, p.cells = cells, p.thickness = thickness, p.density = 1.5, p.spin = 0;
  tribo_scene *scene = NULL;
  claim_ok(scene_squares(&p, &scene, err));
  return projective_make(scene, iterations, threads);
}

#endif
