/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_barrier: what the tests of the method `barrier` share: scenes of it, and what they are made
 * of.
 */
#ifndef TESTS_PHYSICS_LAB_BARRIER_H
#define TESTS_PHYSICS_LAB_BARRIER_H

#include "physics/lab_contact.h"
#include "scenes/scenes_parts.h"

static inline simulation *lab_barrier(tribo_scene *scene) {
  simulation *s = NULL;
  tribo_scene_world(scene)->method = TRIBO_METHOD_BARRIER;
  claim_ok(compile_simulation(scene, 1, NULL, &s, err));
  tribo_scene_free(scene);
  return s;
}

static inline tribo_object_def lab_named(tribo_kind kind, const char *name) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = name;
  return def;
}

static inline void lab_add(tribo_scene *scene, tribo_object_def def, mesh m) {
  claim_ok(scenes_add(scene, def, &m, NULL, err));
}

/* The surface of a box with its corner there. */
static inline mesh lab_box(vec3 corner, vec3 size) {
  mesh block = shape_block(1, 1, 1, size.x, size.y, size.z), skin = shape_skin(&block);
  mesh_free(&block);
  shape_move(&skin, corner.x, corner.y, corner.z);
  return skin;
}

/* Steps of a scene in which all crossings of every frame are counted: there are none. */
static inline void lab_nothing_crosses(simulation *s, int frames, int substeps) {
  for (int f = 0; f < frames; f++) {
    tribo_report report;
    claim_ok(simulation_steps(s, substeps, &report, err));
    assert_int_equal(report.crossings, 0);
    assert_int_equal(report.rough & TRIBO_ROUGH_ENERGY, 0);
  }
}

/* The farthest that a node has come from where it was. */
static inline double lab_farthest(const simulation *s, const state *from) {
  double most = 0;
  for (size_t i = 0; i < from->node_count; i++)
    most = fmax(most, vec3_norm(vec3_sub(simulation_state(s)->x[i], from->x[i])));
  return most;
}

#endif
