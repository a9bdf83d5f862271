/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pills and bars laid across each other touch where no vertex and no point of theirs is. Each is
 * placed so that they cross in the middle between two points, which is the worst. What is claimed
 * is measured by formulas of lines, from where the bodies are, and asks no contact.
 */
#include "physics/lab_contact.h"
#include "scenes/scenes_parts.h"

static const double RADIUS = 0.02, LENGTH = 0.09; /* a pill: 5 spans */

typedef enum stick_kind { PILL, BAR, BOX } stick_kind;

/* Along y around the origin. A pill's axis is LENGTH long; a bar stands on its edge, which is at
 * RADIUS from its axis and LENGTH long. */
static tribo_object_def make_stick(stick_kind kind, mesh *out) {
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  if (kind == PILL) {
    *out = shape_globe(4, RADIUS);
    for (size_t v = 0; v < out->vertex_count; v++) {
      double *y = out->positions + 3 * v + 1;
      if (fabs(*y) > 1e-9 * RADIUS) *y += copysign(LENGTH / 2, *y);
    }
    def.surface.contact = TRIBO_CONTACT_CAPSULE;
    return def;
  }
  double side = sqrt(2) * RADIUS;
  *out = scenes_block_shape(1, side, LENGTH, side);
  shape_move(out, 0, 0, -side / 2);
  shape_turn(out, 1, LAB_PI / 4);
  def.surface.contact = kind == BAR ? TRIBO_CONTACT_MESH : TRIBO_CONTACT_BOX;
  return def;
}

static void add_stick(tribo_scene *scene, const char *name, tribo_object_def def, mesh *shape,
                      double turn, vec3 at) {
  def.name = name;
  shape_turn(shape, 2, turn);
  shape_move(shape, at.x, at.y, at.z);
  claim_ok(scenes_add(scene, def, shape, NULL, err));
}

/* Which way the axis points that was y. */
static vec3 axis_of(const simulation *s, size_t body, double turn) {
  quat first = simulation_model(s)->rigids[body].turn, now = simulation_state(s)->turns[body];
  vec3 start = {-sin(turn), cos(turn), 0};
  return quat_rotate(now, quat_rotate(quat_conjugate(first), start));
}

/* From the lower line to the upper one, along what is perpendicular to both. */
static double between_lines(vec3 a, vec3 along_a, vec3 b, vec3 along_b) {
  return fabs(vec3_dot(vec3_sub(b, a), vec3_normalized(vec3_cross(along_a, along_b))));
}

/* Two that fly at each other, and stay together: nothing bounces. At `angle` across. */
static double least_gap(stick_kind a, stick_kind b, double angle, double h) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, h);
  lab_gravity(scene, 0, 0, 0);
  tribo_scene_friction(scene)->mu = 0.5;
  mesh shape;
  tribo_object_def def = make_stick(a, &shape);
  add_stick(scene, "below", def, &shape, 0, vec3_make(0, 0, 0));
  def = make_stick(b, &shape);
  def.object.velocity[2] = -0.5;
  add_stick(scene, "above", def, &shape, angle, vec3_make(0, 0, 2.3 * RADIUS));
  simulation *s = lab_simulation(scene);
  double least = INFINITY, last = 0;
  for (int k = 0; k < (int)(0.1 / h); k++) {
    lab_steps(s, 1);
    last =
        between_lines(lab_centre(s, 0), axis_of(s, 0, 0), lab_centre(s, 1), axis_of(s, 1, angle));
    last -= 2 * RADIUS;
    least = fmin(least, last);
  }
  print_message("%d across %d at %.0f degrees: least gap %.2g, last %.2g of a radius\n", a, b,
                angle * 180 / LAB_PI, least / RADIUS, last / RADIUS);
  claim_below(last, 1e-4 * RADIUS); /* they did meet */
  simulation_free(s);
  return least;
}

static void crossed_pills_and_bars__keep_their_distance(void **unused) {
  (void)unused;
  const stick_kind kinds[][2] = {{PILL, PILL}, {BAR, BAR},  {BOX, BOX}, {BAR, BOX},
                                 {PILL, BAR},  {BAR, PILL}, {PILL, BOX}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int angle = 30; angle <= 90; angle += 30)
      claim_below(-least_gap(kinds[k][0], kinds[k][1], angle * LAB_PI / 180, 0.005), 1e-4 * RADIUS);
}

/* On two others that lie on the floor. */
static void pill_across_two__rests_on_them(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.005);
  tribo_scene_friction(scene)->mu = 0.5;
  mesh shape;
  for (int k = 0; k < 2; k++) {
    tribo_object_def def = make_stick(PILL, &shape);
    add_stick(scene, k ? "left" : "right", def, &shape, 0,
              vec3_make(k ? -0.04 : 0.04, 0.003, RADIUS));
  }
  tribo_object_def def = make_stick(PILL, &shape);
  add_stick(scene, "across", def, &shape, LAB_PI / 2, vec3_make(0, 0, 3.001 * RADIUS));
  claim_ok(scenes_add_ramp(scene, "floor", 0, -1, 1, 1, err));
  simulation *s = lab_simulation(scene);
  double worst = 0;
  for (int k = 0; k < 200; k++) {
    lab_steps(s, 1);
    if (k > 20) worst = fmax(worst, fabs(lab_centre(s, 2).z - 3 * RADIUS));
  }
  print_message("across two pills: off by %.2g of a radius\n", worst / RADIUS);
  claim_below(worst, 1e-4 * RADIUS);
  simulation_free(s);
}

static double clamped(double t) { return fmin(1, fmax(0, t)); }

/* Between two segments of length LENGTH around their centres. */
static double between_pills(vec3 a, vec3 along_a, vec3 b, vec3 along_b) {
  vec3 p = vec3_madd(a, -LENGTH / 2, along_a), q = vec3_madd(b, -LENGTH / 2, along_b);
  vec3 r = vec3_sub(p, q);
  double across = vec3_dot(along_a, along_b), to_a = vec3_dot(along_a, r) / LENGTH;
  double to_b = vec3_dot(along_b, r) / LENGTH;
  double s = clamped((across * to_b - to_a) / (1 - across * across)), t = across * s + to_b;
  if (t < 0 || t > 1) {
    t = clamped(t);
    s = clamped(across * t - to_a);
  }
  vec3 apart = vec3_madd(r, LENGTH * s, along_a);
  return vec3_norm(vec3_madd(apart, -LENGTH * t, along_b));
}

/* Eight that spin fly at each other from all sides, and meet anywhere along each other. */
static void pills_in_a_crowd__never_overlap(void **unused) {
  (void)unused;
  enum { PILLS = 8 };
  tribo_scene *scene = lab_scene();
  lab_time(scene, 0.005);
  lab_gravity(scene, 0, 0, 0);
  tribo_scene_friction(scene)->mu = 0.3;
  tribo_scene_solver(scene)->contact_tolerance = 1e-6; /* a step leaves twice as much of a pill */
  double turns[PILLS];
  uint64_t seed = 5;
  for (int k = 0; k < PILLS; k++) {
    mesh shape;
    tribo_object_def def = make_stick(PILL, &shape);
    vec3 at = {0.16 * (k % 2) - 0.08, 0.15 * (k / 2 % 2) - 0.075, 0.12 * (k / 4) - 0.06};
    turns[k] = claim_between(&seed, 0, LAB_PI);
    for (int c = 0; c < 3; c++) {
      def.object.velocity[c] = -8 * (&at.x)[c];
      def.object.spin[c] = claim_between(&seed, -5, 5);
    }
    char name[16];
    snprintf(name, sizeof name, "pill%02d", k);
    add_stick(scene, name, def, &shape, turns[k], at);
  }
  simulation *s = lab_simulation(scene);
  double least = INFINITY;
  for (int step = 0; step < 40; step++) {
    lab_steps(s, 1);
    for (size_t i = 0; i < PILLS; i++)
      for (size_t j = 0; j < i; j++)
        least = fmin(least, between_pills(lab_centre(s, i), axis_of(s, i, turns[i]),
                                          lab_centre(s, j), axis_of(s, j, turns[j])));
  }
  print_message("in a crowd: least gap %.2g of a radius\n", (least - 2 * RADIUS) / RADIUS);
  claim_below(least, 2.001 * RADIUS); /* they did meet */
  claim_below(2 * RADIUS - least, 1e-4 * RADIUS);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(crossed_pills_and_bars__keep_their_distance),
      cmocka_unit_test(pill_across_two__rests_on_them),
      cmocka_unit_test(pills_in_a_crowd__never_overlap),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
