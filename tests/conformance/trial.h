/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trial: one body of a kind, moved by a method: the scene of every claim, and what is measured of
 * it. Everything goes through tribo/tribo.h, as a plugin would.
 */
#ifndef TESTS_CONFORMANCE_TRIAL_H
#define TESTS_CONFORMANCE_TRIAL_H

#include "claims.h"
#include "conformance/rows.h"

enum { MOST_VERTICES = 256 };

static const double TRIAL_G = 9.81, TRIAL_STEP = 0.01; /* m/s^2, s */

typedef struct trial {
  const method_row *method;
  const kind_row *kind;
} trial;

typedef struct setup {
  double gravity;     /* m/s^2, downwards */
  double velocity[3]; /* m/s */
  double spin[3];     /* rad/s */
  double lift;        /* of the body above z = 0, m */
  double drag;        /* object.drag */
  double ramp, mu;    /* a ramp that falls towards +x, degrees, and its friction; mu < 0: none */
  int frames;         /* how long a bake is */
  const tribo_pin_def *pin; /* may be NULL */
} setup;

/* ---- the scene ---- */

static inline double trial_radians(double degrees) {
  return degrees * 3.14159265358979323846 / 180;
}

static inline void trial_add_body(tribo_scene *scene, const trial *t, const setup *s) {
  mesh m = t->kind->shape();
  assert_non_null(m.positions);
  shape_move(&m, 0, 0, s->lift);
  if (s->mu >= 0) shape_turn(&m, 1, trial_radians(s->ramp));
  tribo_object_def def = tribo_object_default(t->kind->kind);
  def.name = "body";
  rows_give(&m, &def);
  def.solid.young = 1e6;
  def.object.drag = s->drag;
  memcpy(def.object.velocity, s->velocity, sizeof s->velocity);
  memcpy(def.object.spin, s->spin, sizeof s->spin);
  def.pins = s->pin, def.pin_count = s->pin != NULL;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  mesh_free(&m);
}

/* A sheet of 8 m, whose plane others touch. */
static inline void trial_add_ramp(tribo_scene *scene, const setup *s) {
  mesh m = shape_sheet(1, 1, 8, 8);
  assert_non_null(m.positions);
  shape_move(&m, -4, -4, 0);
  shape_turn(&m, 1, trial_radians(s->ramp));
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ramp";
  def.positions = m.positions, def.vertex_count = m.vertex_count;
  def.triangles = m.triangles, def.triangle_count = m.triangle_count;
  def.surface.contact = TRIBO_CONTACT_PLANE;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
  mesh_free(&m);
}

static inline tribo_scene *trial_scene(const trial *t, const setup *s) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_set(scene, "method", t->method->name, err));
  tribo_scene_world(scene)->gravity[2] = -s->gravity;
  tribo_scene_time(scene)->fps = 1 / TRIAL_STEP;
  tribo_scene_time(scene)->substeps = 1;
  tribo_scene_time(scene)->start = 1;
  tribo_scene_time(scene)->end = 1 + s->frames;
  tribo_scene_solver(scene)->tolerance = 1e-10;
  tribo_scene_solver(scene)->friction_tolerance = 1e-10;
  if (s->mu >= 0) tribo_scene_friction(scene)->mu = s->mu;
  trial_add_body(scene, t, s);
  if (s->mu >= 0) trial_add_ramp(scene, s);
  return scene;
}

static inline tribo_sim *trial_start(const trial *t, const setup *s, int threads) {
  tribo_scene *scene = trial_scene(t, s);
  tribo_sim_options options = {.threads = threads};
  tribo_sim *sim = NULL;
  claim_ok(tribo_sim_create(scene, &options, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

static inline tribo_report trial_steps(tribo_sim *sim, int count) {
  tribo_report report = {0};
  for (int i = 0; i < count; i++) claim_ok(tribo_sim_step(sim, &report, err));
  return report;
}

/* ---- what is measured ---- */

typedef struct motion {
  double mass;
  double momentum[3]; /* kg m/s */
  double size;        /* sum of m |v| */
  double height;      /* of the centre of mass, m */
  double centre[3];   /* m */
} motion;

static inline motion trial_measure(const trial *t, const tribo_sim *sim) {
  mesh m = t->kind->shape();
  assert_non_null(m.positions);
  assert_true(m.vertex_count <= MOST_VERTICES);
  assert_int_equal(tribo_sim_vertex_count(sim, 0), m.vertex_count);
  double masses[MOST_VERTICES] = {0};
  t->kind->masses(&m, masses);
  const double *x = tribo_sim_positions(sim, 0), *v = tribo_sim_velocities(sim, 0);
  motion sum = {0};
  for (size_t i = 0; i < m.vertex_count; i++) {
    double speed2 = 0;
    for (size_t c = 0; c < 3; c++) {
      sum.momentum[c] += masses[i] * v[3 * i + c];
      sum.centre[c] += masses[i] * x[3 * i + c];
      speed2 += v[3 * i + c] * v[3 * i + c];
    }
    sum.mass += masses[i];
    sum.size += masses[i] * sqrt(speed2);
  }
  for (int c = 0; c < 3; c++) sum.centre[c] /= sum.mass;
  sum.height = sum.centre[2];
  mesh_free(&m);
  return sum;
}

/* Speed of the centre of mass down a ramp, m/s. */
static inline double trial_speed_down(const motion *now, double degrees) {
  double angle = trial_radians(degrees);
  return (now->momentum[0] * cos(angle) - now->momentum[2] * sin(angle)) / now->mass;
}

#endif
