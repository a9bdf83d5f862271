/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_capstan: cloth over a cylinder, one end lower than the other: Euler's rope, whose weight
 * counts (Larionov, Fan and Pai 2021, Fig. 6 and appendix B).
 *
 * The formula is that of an inextensible rope at rest. Cloth that is let go without stress is not
 * at rest: while it gets taut it slips by a millimetre or two and gains some millimetres a second,
 * and every millimetre of slip raises the coefficient that would still hold it by 0.0006. So the
 * threshold is looked for from rest: the cloth is first left to itself in thick air, with a
 * friction of 1 and then with the friction that is asked for, until it hangs taut and still; then
 * the air is gone. In thick air it would take minutes to slip away.
 */
#ifndef TESTS_PHYSICS_LAB_CAPSTAN_H
#define TESTS_PHYSICS_LAB_CAPSTAN_H

#include "physics/lab_contact.h"

typedef struct capstan {
  int cells;      /* of the cloth, a metre */
  double width;   /* of the cloth, m; the formula does not ask for it */
  int sides;      /* of the cylinder */
  int iterations; /* of the method projective; 0: the method forwarding */
  double stretch; /* stiffness of the cloth, N/m; 0: the scene's */
} capstan;

/* With ends that hang down by `low` and `high` metres from the axis, the lower one begins to pull
 * the cloth down where (low - k) / (high + k) = exp(pi mu), k = 2 mu R / (1 + mu^2): (30) with its
 * slip of the pen mended. */
static inline double capstan_formula(double radius, double low, double high) {
  double least = 0, most = 1;
  for (int k = 0; k < 60; k++) {
    double mu = 0.5 * (least + most), weight = 2 * mu * radius / (1 + mu * mu);
    if ((low - weight) / (high + weight) > exp(LAB_PI * mu))
      least = mu;
    else
      most = mu;
  }
  return 0.5 * (least + most);
}

/* The edges of the cloth are those of a flat sheet; it lies as close above the cylinder as the
 * waves of the smooth surface let it, which rise by 0.23 radius / sides^2. */
static inline simulation *capstan_make(const capstan *c, double mu, double damping) {
  scene_cloth_cylinder_params p = scene_cloth_cylinder_defaults();
  p.cells = c->cells * c->width, p.width = c->width, p.sides = c->sides;
  p.lift = 0.24 * p.radius / (c->sides * c->sides);
  p.mu = mu, p.damping = damping;
  if (c->stretch > 0) p.stretch = c->stretch;
  tribo_scene *scene = NULL;
  claim_ok(scene_cloth_cylinder(&p, &scene, err));
  if (c->iterations > 0) {
    tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
    tribo_scene_solver(scene)->projective_iterations = c->iterations;
  }
  return lab_compile(scene, 1);
}

/* From `from`, or from the start where that is NULL, to rest at this friction. The caller frees. */
static inline state capstan_rest(const capstan *c, double mu, const state *from) {
  simulation *s = capstan_make(c, mu, 50);
  if (from) claim_ok(simulation_restore(s, from, err));
  tribo_report report = lab_steps(s, from ? 30 : 60);
  claim_below(report.kinetic_energy, 1e-5); /* as at 4 mm/s, before it is stopped */
  state rest = lab_copy(s);
  for (size_t i = 0; i < rest.node_count; i++) rest.v[i] = vec3_make(0, 0, 0);
  simulation_free(s);
  return rest;
}

typedef struct capstan_course {
  double way, speed; /* of the cloth's centre towards its lower end, m and m/s */
  double penetration;
} capstan_course;

/* Two seconds, or until it has moved by 6 mm, from rest at a friction that surely holds. */
static inline capstan_course capstan_run(const capstan *c, const state *held, double mu) {
  state rest = capstan_rest(c, mu, held);
  simulation *s = capstan_make(c, mu, 0);
  claim_ok(simulation_restore(s, &rest, err));
  state_free(&rest);
  vec3 start = lab_centre(s, 0);
  capstan_course course = {0};
  for (int k = 0; k < 200 && course.way < 0.006; k++) {
    tribo_report report = lab_steps(s, 1);
    course.penetration = fmax(course.penetration, report.max_penetration);
    course.way = lab_centre(s, 0).x - start.x;
    course.speed = lab_velocity(s, 0).x;
  }
  simulation_free(s);
  return course;
}

/* What slips gains speed, e-fold in about 0.4 s, since the lower end gets longer. What holds gives
 * way by 2 mm at most, where it is as far as 0.5% above the threshold, and swings a little. */
static inline bool capstan_slips(const capstan_course *course) {
  return course->way > 0.003 && course->speed > 0.002;
}

/* By bisection, to 0.5%. */
static inline double capstan_threshold(const capstan *c, double *penetration) {
  state held = capstan_rest(c, 1, NULL);
  double slips = 0.13, holds = 0.15;
  *penetration = 0;
  capstan_course low = capstan_run(c, &held, slips), high = capstan_run(c, &held, holds);
  assert_true(capstan_slips(&low));
  assert_false(capstan_slips(&high));
  while (holds - slips > 0.0007) {
    double mu = 0.5 * (slips + holds);
    capstan_course course = capstan_run(c, &held, mu);
    *penetration = fmax(*penetration, course.penetration);
    if (capstan_slips(&course))
      slips = mu;
    else
      holds = mu;
  }
  state_free(&held);
  return 0.5 * (slips + holds);
}

#endif
