/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_ramp: block and cloth on a ramp, and what Coulomb says of them: along the ramp a body that
 * slides has the acceleration g (sin - mu cos), exactly, whatever its shape and stiffness; it comes
 * to rest where mu > tan and goes on where mu < tan.
 */
#ifndef TESTS_PHYSICS_LAB_RAMP_H
#define TESTS_PHYSICS_LAB_RAMP_H

#include "physics/lab_contact.h"

typedef struct ramp_case {
  bool cloth;
  int cells;
  double mu, degrees, dt;
} ramp_case;

static inline simulation *ramp_start(const ramp_case *c) {
  tribo_scene *scene = NULL;
  if (c->cloth) {
    scene_cloth_slide_params p = scene_cloth_slide_defaults();
    p.mu = c->mu, p.angle = c->degrees, p.cells = c->cells, p.dt = c->dt;
    claim_ok(scene_cloth_slide(&p, &scene, err));
  } else {
    scene_block_slide_params p = scene_block_slide_defaults();
    p.mu = c->mu, p.angle = c->degrees, p.cells = c->cells, p.dt = c->dt;
    claim_ok(scene_block_slide(&p, &scene, err));
  }
  return lab_simulation(scene);
}

static inline double ramp_speed(const simulation *s, const ramp_case *c) {
  return vec3_dot(lab_velocity(s, 0), lab_downhill(c->degrees));
}

static inline double ramp_place(const simulation *s, const ramp_case *c) {
  return vec3_dot(lab_centre(s, 0), lab_downhill(c->degrees));
}

/* g (sin - mu cos) */
static inline double ramp_coulomb(const ramp_case *c) {
  double angle = c->degrees * LAB_PI / 180;
  return LAB_G * (sin(angle) - c->mu * cos(angle));
}

/* Acceleration over the last `last` of `seconds`. */
static inline double ramp_acceleration(simulation *s, const ramp_case *c, double seconds,
                                       double last) {
  int count = (int)(last / c->dt + 0.5);
  lab_steps(s, (int)(seconds / c->dt + 0.5) - count);
  double before = ramp_speed(s, c);
  lab_steps(s, count);
  return (ramp_speed(s, c) - before) / (count * c->dt);
}

/* The block starts unstressed: its weight arrives at the ramp within about 0.2 s, in which it has
 * slid a little, and above the threshold it then slows down at g (mu cos - sin). */
static inline void ramp_claim_slides(const ramp_case *c) {
  simulation *s = ramp_start(c);
  double acceleration = ramp_acceleration(s, c, 1, 0.4);
  claim_near(acceleration, ramp_coulomb(c), 0.01 * ramp_coulomb(c));
  assert_true(ramp_speed(s, c) > 0.3 * ramp_coulomb(c));
  simulation_free(s);
}

/* At rest within 5 s, and a quarter of a second later still there, to 1e-8 m. */
static inline void ramp_claim_sticks(const ramp_case *c) {
  simulation *s = ramp_start(c);
  int most = (int)(5 / c->dt);
  for (int i = 0; fabs(ramp_speed(s, c)) > 1e-8 || i < 20; i += 10) {
    assert_true(i < most);
    lab_steps(s, 10);
  }
  double place = ramp_place(s, c);
  lab_steps(s, (int)(0.25 / c->dt));
  claim_near(ramp_place(s, c), place, 1e-8);
  simulation_free(s);
}

/* Whether it slides on, once the start is over: what slides gains speed by Coulomb's formula, what
 * sticks has none to gain, but for a last trembling that is far below half of that. */
static inline bool ramp_slides(const ramp_case *c) {
  simulation *s = ramp_start(c);
  double acceleration = ramp_acceleration(s, c, 0.6, 0.2);
  simulation_free(s);
  return acceleration > 0.5 * fabs(ramp_coulomb(c));
}

/* The coefficient at which sliding ends, between tan - 0.01 and tan + 0.01, to 5e-4. */
static inline double ramp_threshold(ramp_case c) {
  double tangent = tan(c.degrees * LAB_PI / 180), low = tangent - 0.01, high = tangent + 0.01;
  c.mu = low;
  assert_true(ramp_slides(&c));
  c.mu = high;
  assert_false(ramp_slides(&c));
  while (high - low > 5e-4) {
    c.mu = 0.5 * (low + high);
    if (ramp_slides(&c))
      low = c.mu;
    else
      high = c.mu;
  }
  return 0.5 * (low + high);
}

/* 1,000 steps from rest: how far the slowest and fastest vertex have come, a second. */
static inline double ramp_creep(simulation *s, double dt) {
  enum { STEPS = 1000 };
  const model *m = simulation_model(s);
  state before = lab_copy(s);
  lab_steps(s, STEPS);
  double most = 0;
  for (int32_t i = 0; i < m->node_count; i++)
    most = fmax(most, vec3_norm(vec3_sub(simulation_state(s)->x[i], before.x[i])));
  state_free(&before);
  return most / (STEPS * dt);
}

#endif
