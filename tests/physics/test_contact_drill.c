/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drilling friction (document 002, section 4.4): what spins on the spot is held back by a torque of
 * mu_drill times the normal force, together with the friction of what slides in one ellipsoid.
 */
#include "physics/lab_contact.h"

static const double RADIUS = 0.2, DT = 0.005;

static tribo_friction_params rubs(double mu, double mu_drill) {
  tribo_friction_params f = tribo_friction_defaults();
  f.mu = mu, f.mu_drill = mu_drill;
  return f;
}

/* A sphere of RADIUS over the origin, its lowest point at `height`. */
static void add_sphere(tribo_scene *scene, const char *name, double height, double speed,
                       double spin) {
  mesh globe = shape_globe(6, RADIUS);
  shape_move(&globe, 0, 0, height + RADIUS);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = name;
  def.object.velocity[0] = speed;
  def.object.spin[2] = spin;
  def.surface.contact = TRIBO_CONTACT_SPHERE;
  claim_ok(scenes_add(scene, def, &globe, NULL, err));
}

static void add_box(tribo_scene *scene, const char *name, double side, double height, double low,
                    double spin) {
  mesh solid = shape_block(1, 1, 1, side, side, height), box = shape_skin(&solid);
  mesh_free(&solid);
  shape_move(&box, -side / 2, -side / 2, low);
  tribo_object_def def = tribo_object_default(TRIBO_RIGID);
  def.name = name;
  def.object.spin[2] = spin;
  claim_ok(scenes_add(scene, def, &box, NULL, err));
}

static tribo_object_def floor_def(void) {
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "floor";
  return def;
}

static void add_floor(tribo_scene *scene, tribo_object_def def) {
  mesh plane = shape_sheet(1, 1, 40, 40);
  shape_move(&plane, -20, -20, 0);
  claim_ok(scenes_add(scene, def, &plane, NULL, err));
}

static tribo_scene *start(void) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, DT);
  lab_gravity(scene, 0, 0, -LAB_G);
  return scene;
}

static void rub(tribo_scene *scene, const char *a, const char *b, double mu, double mu_drill) {
  tribo_friction_params f = rubs(mu, mu_drill);
  claim_ok(tribo_scene_set_pair(scene, a, b, &f, err));
}

static vec3 spin_of(const simulation *s, size_t k) {
  const model_rigid *r = &simulation_model(s)->rigids[k];
  return vec3_scale(1 / r->length, simulation_state(s)->v[r->node + 1]);
}

static double moment(const simulation *s, size_t k) {
  return simulation_model(s)->rigids[k].inertia.x;
}

/* ---- spinning on the spot ---- */

/* Slows down by mu_drill m g / I, stops when that has eaten the spin, and stays. */
static void claim_drills(simulation *s, double inertia, double spin, double mu_drill) {
  const model_rigid *r = &simulation_model(s)->rigids[0];
  double slows = mu_drill * r->mass * LAB_G / inertia;
  int steps = (int)(0.6 * spin / slows / DT), rest = (int)(spin / slows / DT) + 2;
  lab_steps(s, steps);
  claim_near(spin_of(s, 0).z, spin - slows * DT * steps, 1e-7 * spin);
  lab_steps(s, rest - steps);
  claim_below(vec3_norm(spin_of(s, 0)), 1e-7 * spin);
  vec3 at = lab_centre(s, 0); /* nothing holds a sphere from rolling, or a plate on ice */
  lab_steps(s, 100);
  claim_below(vec3_norm(spin_of(s, 0)), 1e-7 * spin);
  claim_below(vec3_norm(vec3_sub(lab_centre(s, 0), at)), 1e-7);
}

static void spinning_sphere__slows_by_the_formula_stops_and_stays(void **unused) {
  (void)unused;
  const double mus[] = {0.5, 0.1, 1}, drills[] = {0.02, 0.005, 0.1};
  for (int k = 0; k < 3; k++) {
    tribo_scene *scene = start();
    add_sphere(scene, "top", 0, 0, 20);
    add_floor(scene, floor_def());
    rub(scene, "top", "floor", mus[k], drills[k]);
    simulation *s = lab_simulation(scene);
    claim_drills(s, moment(s, 0), 20, drills[k]);
    simulation_free(s);
  }
}

/* What the contact says it bears: at the limit as long as it spins, against it, and nothing after.
 */
static void torque__is_told_of_the_contact(void **unused) {
  (void)unused;
  for (int side = -1; side < 2; side += 2) {
    tribo_scene *scene = start();
    add_sphere(scene, "top", 0, 0, 20 * side);
    add_floor(scene, floor_def());
    rub(scene, "top", "floor", 0.5, 0.02);
    simulation *s = lab_simulation(scene);
    double weight = simulation_model(s)->rigids[0].mass * LAB_G;
    lab_steps(s, 20);
    size_t count;
    const tribo_contact *c = simulation_contacts(s, &count);
    assert_int_equal(count, 1);
    claim_near(c->torque, -0.02 * side * weight, 1e-6 * weight);
    assert_int_equal(c->state, TRIBO_SLIP);
    lab_steps(s, 600);
    c = simulation_contacts(s, &count);
    assert_int_equal(count, 1);
    claim_near(c->torque, 0, 1e-9 * weight);
    assert_int_equal(c->state, TRIBO_STICK);
    simulation_free(s);
  }
}

/* The torques are in the state: from a copy of it the next steps have the same bits. */
static void restored_state__drills_on_to_the_same_bits(void **unused) {
  (void)unused;
  tribo_scene *scene = start();
  add_box(scene, "plate", 0.4, 0.05, 0, 8);
  add_sphere(scene, "top", 0.05, 0.3, -9);
  add_floor(scene, floor_def());
  rub(scene, "top", "plate", 0.4, 0.01);
  rub(scene, "plate", "floor", 0.2, 0.03);
  simulation *s = lab_simulation(scene);
  lab_steps(s, 10);
  state middle = lab_copy(s);
  double most = 0;
  for (size_t i = 0; i < middle.touch_count; i++) most = fmax(most, fabs(middle.touches[i].torque));
  assert_true(most > 0);
  lab_steps(s, 10);
  uint64_t on = state_hash(simulation_state(s));
  lab_put_back(s, &middle);
  lab_steps(s, 10);
  assert_true(state_hash(simulation_state(s)) == on);
  simulation_free(s);
}

/* Four corners share the load, and their torques add up; without other friction nothing else
 * brakes. */
static void spinning_plate__is_braked_by_the_torques_of_its_corners(void **unused) {
  (void)unused;
  tribo_scene *scene = start();
  add_box(scene, "plate", 0.4, 0.05, 0, 8);
  add_floor(scene, floor_def());
  rub(scene, "plate", "floor", 0, 0.02);
  simulation *s = lab_simulation(scene);
  double inertia = simulation_model(s)->rigids[0].inertia.z; /* the largest: about the vertical */
  claim_drills(s, inertia, 8, 0.02);
  simulation_free(s);
}

/* ---- sliding and spinning: maximum dissipation on the ellipsoid ---- */

typedef struct motion {
  double slip, spin; /* m/s of the lowest point, rad/s about the vertical */
} motion;

typedef struct sphere_law {
  double mu, mu_drill, mass, inertia, radius;
} sphere_law;

/* f = -m g D^2 (u, w) / |D (u, w)|; a sliding sphere's lowest point is braked by f/m and by the
 * rolling that f brings about, f r^2/I. */
static motion brakes(const sphere_law *l, motion at) {
  double force = l->mass * LAB_G, size = hypot(l->mu * at.slip, l->mu_drill * at.spin);
  double drag = -force * l->mu * l->mu * at.slip / size;
  double torque = -force * l->mu_drill * l->mu_drill * at.spin / size;
  return (motion){drag * (1 / l->mass + l->radius * l->radius / l->inertia), torque / l->inertia};
}

static motion integrate(const sphere_law *l, motion at, double seconds) {
  const int steps = 20000;
  double h = seconds / steps;
  for (int i = 0; i < steps; i++) { /* Runge and Kutta's fourth order */
    motion a = brakes(l, at);
    motion b = brakes(l, (motion){at.slip + h / 2 * a.slip, at.spin + h / 2 * a.spin});
    motion c = brakes(l, (motion){at.slip + h / 2 * b.slip, at.spin + h / 2 * b.spin});
    motion d = brakes(l, (motion){at.slip + h * c.slip, at.spin + h * c.spin});
    at.slip += h / 6 * (a.slip + 2 * b.slip + 2 * c.slip + d.slip);
    at.spin += h / 6 * (a.spin + 2 * b.spin + 2 * c.spin + d.spin);
  }
  return at;
}

static motion slide_and_spin(double mu, double mu_drill, double dt, double seconds, motion from,
                             sphere_law *law) {
  tribo_scene *scene = start();
  lab_time(scene, dt);
  add_sphere(scene, "top", 0, from.slip, from.spin);
  add_floor(scene, floor_def());
  rub(scene, "top", "floor", mu, mu_drill);
  simulation *s = lab_simulation(scene);
  lab_steps(s, (int)lround(seconds / dt));
  double height = lab_centre(s, 0).z;
  const model_rigid *r = &simulation_model(s)->rigids[0];
  *law = (sphere_law){mu, mu_drill, r->mass, r->inertia.x, height};
  vec3 spin = spin_of(s, 0);
  motion at = {lab_velocity(s, 0).x - spin.y * height, spin.z};
  simulation_free(s);
  return at;
}

/* The step is of first order: its error halves with it, and is small where it is short. */
static void sliding_and_spinning_sphere__dissipates_most_on_the_ellipsoid(void **unused) {
  (void)unused;
  const double mu = 0.2, mu_drill = 0.03, seconds = 0.2;
  const motion starts[] = {{2, 5}, {2, 20}, {1.6, 40}};
  for (int k = 0; k < 3; k++) {
    sphere_law law;
    motion coarse = slide_and_spin(mu, mu_drill, 0.002, seconds, starts[k], &law);
    motion fine = slide_and_spin(mu, mu_drill, 0.001, seconds, starts[k], &law);
    motion exact = integrate(&law, starts[k], seconds);
    double lost[2] = {starts[k].slip - exact.slip, starts[k].spin - exact.spin};
    double slip = fabs(fine.slip - exact.slip) / lost[0];
    double spin = fabs(fine.spin - exact.spin) / lost[1];
    print_message("slip %.4g, spin %.4g after %g s; off by %.2g and %.2g of what was lost\n",
                  exact.slip, exact.spin, seconds, slip, spin);
    claim_below(slip, 0.01);
    claim_below(spin, 0.01);
    claim_near(fabs(coarse.spin - exact.spin) / fabs(fine.spin - exact.spin), 2, 0.3);
    /* Coulomb's cone alone would have braked it otherwise */
    assert_true(fabs(starts[k].slip - 3.5 * mu * LAB_G * seconds - exact.slip) > 0.02 * lost[0]);
  }
}

/* ---- what turns on what ---- */

/* A sphere that spins on a box on ice: both end at the spin that keeps angular momentum. */
static void sphere_on_a_box__hands_its_spin_over_until_both_turn_alike(void **unused) {
  (void)unused;
  tribo_scene *scene = start();
  add_box(scene, "table", 0.5, 0.1, 0, 0);
  add_sphere(scene, "top", 0.1, 0, 10);
  add_floor(scene, floor_def());
  rub(scene, "table", "floor", 0, 0);
  rub(scene, "table", "top", 0.5, 0.05);
  rub(scene, "top", "floor", 0, 0);
  simulation *s = lab_simulation(scene);
  double of_box = simulation_model(s)->rigids[0].inertia.z, of_sphere = moment(s, 1);
  double mass = simulation_model(s)->rigids[1].mass, torque = 0.05 * mass * LAB_G;
  lab_steps(s, 10);
  claim_near(spin_of(s, 1).z, 10 - torque / of_sphere * 10 * DT, 1e-5);
  claim_near(spin_of(s, 0).z, torque / of_box * 10 * DT, 1e-5);
  double broad_phase = 10 / (torque * (1 / of_box + 1 / of_sphere));
  lab_steps(s, (int)(broad_phase / DT) + 20);
  double both = 10 * of_sphere / (of_sphere + of_box);
  claim_near(spin_of(s, 0).z, both, 1e-4);
  claim_near(spin_of(s, 1).z, both, 1e-4);
  simulation_free(s);
}

enum { TURNS = 5 };

/* A turntable takes along what stands on its axis. */
static void turntable__spins_up_what_stands_on_its_axis(void **unused) {
  (void)unused;
  const double speed = 4, seconds = 1;
  double maps[16 * TURNS];
  for (int k = 0; k < TURNS; k++) {
    double a = speed * seconds * k / (TURNS - 1);
    const double map[16] = {cos(a), -sin(a), 0, 0, sin(a), cos(a), 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(maps + 16 * k, map, sizeof map);
  }
  tribo_scene *scene = start();
  add_sphere(scene, "top", 0, 0, 0);
  tribo_object_def table = floor_def();
  table.motion = (tribo_motion_def){.transforms = maps,
                                    .sample_count = TURNS,
                                    .start = tribo_scene_time(scene)->start,
                                    .interval = seconds / DT / (TURNS - 1)};
  add_floor(scene, table);
  rub(scene, "top", "floor", 0.5, 0.01);
  simulation *s = lab_simulation(scene);
  double gains = 0.01 * simulation_model(s)->rigids[0].mass * LAB_G / moment(s, 0);
  lab_steps(s, 10);
  claim_near(spin_of(s, 0).z, gains * 10 * DT, 1e-6);
  lab_steps(s, (int)(speed / gains / DT));
  claim_near(spin_of(s, 0).z, speed, 1e-5);
  simulation_free(s);
}

/* ---- bits ---- */

static tribo_scene *several(void) {
  tribo_scene *scene = start();
  add_box(scene, "table", 0.5, 0.1, 0, 3);
  add_sphere(scene, "top", 0.1, 0.3, 10);
  add_floor(scene, floor_def());
  rub(scene, "table", "floor", 0.2, 0.01);
  rub(scene, "table", "top", 0.5, 0.05);
  rub(scene, "top", "floor", 0.3, 0.02);
  return scene;
}

static void drilling__leaves_the_same_bits_for_any_threads_and_when_resumed(void **unused) {
  (void)unused;
  simulation *one = lab_compile(several(), 1), *two = lab_compile(several(), 2);
  simulation *resumed = lab_compile(several(), 1);
  lab_steps(one, 15);
  lab_goes_on_to_the_same_bits(one, resumed, 15);
  lab_steps(two, 30);
  lab_same_bits(one, two);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spinning_sphere__slows_by_the_formula_stops_and_stays),
      cmocka_unit_test(torque__is_told_of_the_contact),
      cmocka_unit_test(restored_state__drills_on_to_the_same_bits),
      cmocka_unit_test(spinning_plate__is_braked_by_the_torques_of_its_corners),
      cmocka_unit_test(sliding_and_spinning_sphere__dissipates_most_on_the_ellipsoid),
      cmocka_unit_test(sphere_on_a_box__hands_its_spin_over_until_both_turn_alike),
      cmocka_unit_test(turntable__spins_up_what_stands_on_its_axis),
      cmocka_unit_test(drilling__leaves_the_same_bits_for_any_threads_and_when_resumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
