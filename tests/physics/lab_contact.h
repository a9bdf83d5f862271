/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_contact: what the tests of contact share: centres and speeds of bodies, the energy of all of
 * them, and runs that keep watch over energy and penetration.
 */
#ifndef TESTS_PHYSICS_LAB_CONTACT_H
#define TESTS_PHYSICS_LAB_CONTACT_H

#include "model/rigid.h"
#include "physics/lab.h"
#include "scenes/scenes_contact.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_turned.h"

static const double LAB_G = 9.81, LAB_PI = 3.14159265358979323846;

/* The sum of mass times position or velocity over a body's nodes, divided by its mass. A rigid
 * body's turning has no mass of its own. */
static inline vec3 lab_mean(const simulation *s, size_t body, const vec3 *of_nodes) {
  const model *m = simulation_model(s);
  const model_body *b = &m->bodies[body];
  vec3 sum = {0, 0, 0};
  double mass = 0;
  for (int32_t i = b->first_node; i < b->first_node + b->node_count; i++) {
    sum = vec3_madd(sum, m->mass[i], of_nodes[i]);
    mass += m->mass[i];
  }
  return vec3_scale(1 / mass, sum);
}

static inline vec3 lab_centre(const simulation *s, size_t body) {
  return lab_mean(s, body, simulation_state(s)->x);
}

static inline vec3 lab_velocity(const simulation *s, size_t body) {
  return lab_mean(s, body, simulation_state(s)->v);
}

/* -sum m g . x */
static inline double lab_height_energy(const simulation *s) {
  const model *m = simulation_model(s);
  double sum = 0;
  for (int32_t i = 0; i < m->node_count; i++)
    sum -= m->mass[i] * vec3_dot(m->gravity, simulation_state(s)->x[i]);
  return sum;
}

/* Kinetic, elastic and that of height. */
static inline double lab_energy(const simulation *s, const tribo_report *report) {
  return report->kinetic_energy + report->elastic_energy + lab_height_energy(s);
}

typedef struct lab_watch {
  double energy;      /* now */
  double growth;      /* of the energy in one step, at most, J */
  double penetration; /* as reported, at most, m */
} lab_watch;

static inline lab_watch lab_watch_start(simulation *s) {
  tribo_report report = lab_steps(s, 0);
  return (lab_watch){.energy = lab_energy(s, &report), .growth = -INFINITY};
}

static inline void lab_watch_steps(simulation *s, int count, lab_watch *w) {
  for (int i = 0; i < count; i++) {
    tribo_report report = lab_steps(s, 1);
    double energy = lab_energy(s, &report);
    w->growth = fmax(w->growth, energy - w->energy);
    w->penetration = fmax(w->penetration, report.max_penetration);
    w->energy = energy;
  }
}

/* Down a ramp that descends towards +x. */
static inline vec3 lab_downhill(double degrees) {
  double angle = degrees * LAB_PI / 180;
  return vec3_make(cos(angle), 0, -sin(angle));
}

static inline simulation *lab_compile(tribo_scene *scene, int threads) {
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, threads, NULL, &s, err));
  tribo_scene_free(scene);
  return s;
}

#endif
