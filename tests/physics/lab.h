/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab: what the physics tests share: a simulation made from a scene, states set by hand, sums over
 * bodies.
 */
#ifndef TESTS_PHYSICS_LAB_H
#define TESTS_PHYSICS_LAB_H

#include "claims.h"
#include "math/mat3.h"
#include "scene/compile.h"
#include "scenes/scenes.h"

static inline tribo_scene *lab_scene(void) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  return scene;
}

/* Time steps of h seconds, one a frame. */
static inline void lab_time(tribo_scene *scene, double h) {
  tribo_scene_time(scene)->fps = 1 / h;
  tribo_scene_time(scene)->substeps = 1;
}

static inline void lab_gravity(tribo_scene *scene, double x, double y, double z) {
  memcpy(tribo_scene_world(scene)->gravity, (double[]){x, y, z}, 3 * sizeof(double));
}

/* Compiles the scene and frees it. */
static inline simulation *lab_simulation(tribo_scene *scene) {
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, 0, NULL, &s, err));
  tribo_scene_free(scene);
  return s;
}

static inline tribo_report lab_steps(simulation *s, int count) {
  tribo_report report;
  claim_ok(simulation_steps(s, count, &report, err));
  claim_solved(report);
  return report;
}

/* A copy of the state that a test may change and put back with simulation_restore. */
static inline state lab_copy(const simulation *s) {
  const state *from = simulation_state(s);
  state copy;
  assert_true(state_create(from->node_count, from->rigid_count, &copy));
  assert_true(state_copy(from, &copy));
  return copy;
}

static inline void lab_put_back(simulation *s, state *changed) {
  claim_ok(simulation_restore(s, changed, err));
  state_free(changed);
}

static inline void lab_same_bits(const simulation *a, const simulation *b) {
  assert_true(state_hash(simulation_state(a)) == state_hash(simulation_state(b)));
}

/* Puts the state of the one into the other, which has just been made, and steps both: as a bake
 * that is stopped and resumed. Frees the other. */
static inline void lab_goes_on_to_the_same_bits(simulation *through, simulation *resumed,
                                                int steps) {
  state kept = lab_copy(through);
  lab_put_back(resumed, &kept);
  lab_steps(through, steps);
  lab_steps(resumed, steps);
  lab_same_bits(through, resumed);
  simulation_free(resumed);
}

/* How far the nodes of two simulations of one thing are from each other, in the mean. */
static inline double lab_mean_distance(const simulation *a, const simulation *b) {
  const state *of_a = simulation_state(a), *of_b = simulation_state(b);
  double sum = 0;
  for (size_t i = 0; i < of_a->node_count; i++) sum += vec3_norm(vec3_sub(of_a->x[i], of_b->x[i]));
  return sum / (double)of_a->node_count;
}

/* Shakes positions and velocities of all vertices by up to these amounts. */
static inline void lab_shake(simulation *s, double position, double velocity, uint64_t seed) {
  state shaken = lab_copy(s);
  for (size_t i = 0; i < 3 * shaken.node_count; i++) {
    (&shaken.x->x)[i] += claim_between(&seed, -position, position);
    (&shaken.v->x)[i] += claim_between(&seed, -velocity, velocity);
  }
  lab_put_back(s, &shaken);
}

static inline vec3 lab_momentum(const simulation *s) {
  const model *m = simulation_model(s);
  vec3 sum = {0, 0, 0};
  for (int32_t i = 0; i < m->node_count; i++)
    sum = vec3_madd(sum, m->mass[i], simulation_state(s)->v[i]);
  return sum;
}

static inline double lab_mass(const simulation *s) {
  const model *m = simulation_model(s);
  double sum = 0;
  for (int32_t i = 0; i < m->node_count; i++) sum += m->mass[i];
  return sum;
}

/* Steps until the body is at rest: kinetic energy below `energy`. Fails the test after `most`. */
static inline void lab_settle(simulation *s, double energy, int most) {
  for (int i = 0; i < most; i++)
    if (lab_steps(s, 1).kinetic_energy < energy) return;
  fail_msg("not at rest after %d steps", most);
}

#endif
