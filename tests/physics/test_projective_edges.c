/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coarse cloth on sharp obstacles with the method projective: what touches between vertices.
 */
#include "physics/lab_poking.h"
#include "physics/lab_projective.h"
#include "scenes/shapes_turned.h"

static const double H = 0.005;

typedef struct laid {
  poking_box box;
  int contact; /* TRIBO_CONTACT_* of the obstacle */
  int cells;   /* of the cloth, 0.2 m each */
  vec3 at;     /* the middle of the cloth */
  double turn; /* of the cloth about z */
  double mu, stretch, bend;
} laid;

static void add_box(tribo_scene *scene, const char *name, const poking_box *box, int contact) {
  mesh shape = poking_mesh(box);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = name;
  def.surface.contact = contact;
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
}

static simulation *lay(const laid *l) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  tribo_scene_friction(scene)->mu = l->mu;
  double size = 0.2 * l->cells;
  mesh sheet = shape_sheet(l->cells, l->cells, size, size);
  shape_move(&sheet, -0.5 * size, -0.5 * size, 0);
  shape_turn(&sheet, 2, l->turn);
  shape_move(&sheet, l->at.x, l->at.y, l->at.z);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.cloth.stretch = l->stretch;
  def.cloth.shear = 0.3 * l->stretch;
  def.cloth.bend = l->bend;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  add_box(scene, "box", &l->box, l->contact);
  return projective_make(scene, 30, 1);
}

static void claim_holds(const laid *l, double seconds) {
  simulation *s = lay(l);
  vec3 size = vec3_sub(l->box.high, l->box.low);
  double depth = 1e-3 * fmax(size.x, fmax(size.y, size.z));
  int worst = 0;
  for (int k = 0; k < (int)(seconds / H); k++) {
    lab_steps(s, 1);
    int found = poking_count(s, l->box, depth);
    worst = found > worst ? found : worst;
  }
  assert_int_equal(worst, 0);
  simulation_free(s);
}

static const int kinds[] = {TRIBO_CONTACT_BOX, TRIBO_CONTACT_MESH};

/* No vertex is over the bar. */
static void thin_bar__holds_cloth_between_its_vertices(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    laid l = {.box = {{-0.02, -1, -0.5}, {0.02, 1, 0}},
              .contact = kinds[k],
              .cells = 5,
              .at = {0, 0, 0.05},
              .mu = 1,
              .stretch = 200,
              .bend = 1e-3};
    claim_holds(&l, 1);
  }
}

static void box__holds_cloth_that_hangs_over_all_of_its_edges(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    laid l = {.box = {{-0.25, -0.25, -0.5}, {0.25, 0.25, 0}},
              .contact = kinds[k],
              .cells = 6,
              .at = {0.03, 0.02, 0.05},
              .turn = 0.4,
              .mu = 0.5,
              .stretch = 200,
              .bend = 1e-3};
    claim_holds(&l, 1.5);
  }
}

/* A ball of 48 triangles; to a hundredth of its radius. */
static void faceted_ball__holds_cloth_of_longer_edges(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  mesh sheet = shape_sheet(5, 5, 1, 1), ball = shape_globe(2, 0.25),
       smaller = shape_globe(2, 0.2475);
  shape_move(&sheet, -0.5, -0.48, 0.3);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.cloth.stretch = 200;
  def.cloth.shear = 60;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "ball";
  def.surface.contact = TRIBO_CONTACT_MESH;
  claim_ok(scenes_add(scene, def, &ball, NULL, err));
  simulation *s = projective_make(scene, 30, 1);
  for (int k = 0; k < 200; k++) {
    lab_steps(s, 1);
    assert_int_equal(poking_meets(s, &smaller), 0);
  }
  simulation_free(s);
  mesh_free(&smaller);
}

/* ---- friction ---------------------------------------------------------------------------------
 */

/* A stiff sheet of 0.6 x 0.4 m across two bars that descend towards +x, no vertex over a bar. How
 * it moves along follows from Coulomb alone, as on a ramp. */
typedef struct rails {
  double degrees, mu;
  int contact;
  const double *transforms; /* of the bars: one a step, or NULL */
  size_t samples;
  bool deforms;                /* points instead, the same motion */
  double sheet_grip, bar_grip; /* multipliers; 0: unpainted */
  bool combed;                 /* the sheet, along `structure`; mu_along and mu_across then count */
  vec3 structure;
  double mu_along, mu_across, mu_dynamic;
  double speed; /* of the sheet at the start, downhill */
} rails;

enum { RAIL_VERTICES = 8 };

/* The vertices of a bar as the transforms move them. */
static double *rail_points(const rails *r, const mesh *bar) {
  assert_int_equal(bar->vertex_count, RAIL_VERTICES);
  double *points = malloc(3 * RAIL_VERTICES * r->samples * sizeof *points);
  assert_non_null(points);
  for (size_t k = 0; k < r->samples; k++)
    for (size_t i = 0; i < 3 * RAIL_VERTICES; i++)
      points[3 * RAIL_VERTICES * k + i] =
          bar->positions[i] + r->transforms[16 * k + 4 * (i % 3) + 3];
  return points;
}

static void add_rail(tribo_scene *scene, const rails *r, double x) {
  poking_box box = {
      {x - 0.01, -0.3, -0.1}, {x + 0.01, 0.3, 0}, {0, 0, 0}, r->degrees * LAB_PI / 180};
  mesh bar = poking_mesh(&box);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = x > 0 ? "lower" : "upper";
  def.surface.contact = r->contact;
  double *points = r->deforms ? rail_points(r, &bar) : NULL;
  def.motion.transforms = points ? NULL : r->transforms;
  def.motion.points = points;
  def.motion.sample_count = r->samples;
  def.motion.start = 1;
  def.motion.interval = 1;
  double grip[RAIL_VERTICES];
  for (int i = 0; i < RAIL_VERTICES; i++) grip[i] = r->bar_grip;
  if (r->bar_grip > 0) def.vertex_friction = grip;
  claim_ok(scenes_add(scene, def, &bar, NULL, err));
  free(points);
}

static simulation *lay_on_rails(const rails *r) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  tribo_scene_friction(scene)->mu = r->mu;
  mesh sheet = shape_sheet(3, 2, 0.6, 0.4);
  shape_move(&sheet, -0.3, -0.2, 0);
  shape_turn(&sheet, 1, r->degrees * LAB_PI / 180);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.cloth.bend = 10;
  double grip[12], structure[12][3];
  for (int i = 0; i < 12; i++) {
    grip[i] = r->sheet_grip;
    memcpy(structure[i], &r->structure, sizeof structure[i]);
  }
  if (r->sheet_grip > 0) def.vertex_friction = grip;
  if (r->combed) def.vertex_structure = &structure[0][0];
  vec3 v = vec3_scale(r->speed, lab_downhill(r->degrees));
  memcpy(def.object.velocity, &v, sizeof v);
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  add_rail(scene, r, -0.2);
  add_rail(scene, r, 0.2);
  if (r->combed || r->mu_dynamic > 0) {
    tribo_friction_params law = tribo_friction_defaults();
    law.mu = r->mu;
    if (r->combed) law.mu_along = r->mu_along, law.mu_across = r->mu_across;
    if (r->mu_dynamic > 0) law.mu_dynamic = r->mu_dynamic, law.stribeck_velocity = 0.02;
    claim_ok(tribo_scene_set_pair(scene, "sheet", "lower", &law, err));
    claim_ok(tribo_scene_set_pair(scene, "sheet", "upper", &law, err));
  }
  return projective_make(scene, 30, 1);
}

/* After 0.2 s, and 50 mm at most. */
static double speed_on_rails(const rails *r) {
  simulation *s = lay_on_rails(r);
  lab_steps(s, 40);
  double speed = vec3_dot(lab_velocity(s, 0), lab_downhill(r->degrees));
  simulation_free(s);
  return speed;
}

static double rail_speed(double degrees, double mu, int contact) {
  rails r = {.degrees = degrees, .mu = mu, .contact = contact};
  return speed_on_rails(&r);
}

static void claim_rails(const rails *r, double mu) {
  double angle = r->degrees * LAB_PI / 180, g = 40 * H * LAB_G;
  double expected = r->speed + g * (sin(angle) - mu * cos(angle));
  claim_near(speed_on_rails(r), expected, 1e-3 * g * sin(angle));
}

static void sheet_on_two_bars__slides_and_holds_as_on_a_ramp(void **unused) {
  (void)unused;
  double angle = 15 * LAB_PI / 180, tangent = tan(angle);
  for (int k = 0; k < 2; k++) {
    const double mus[] = {0, 0.15, 0.99 * tangent};
    for (int i = 0; i < 3; i++) {
      double expected = 40 * H * LAB_G * (sin(angle) - mus[i] * cos(angle));
      claim_near(rail_speed(15, mus[i], kinds[k]), expected, 1e-3 * 40 * H * LAB_G * sin(angle));
    }
    claim_near(rail_speed(15, 1.01 * tangent, kinds[k]), 0, 1e-6);
  }
}

/* Multipliers of both sides, structures and what slides count as on a face. */
static void what_is_painted__counts_on_edges(void **unused) {
  (void)unused;
  double angle = 15 * LAB_PI / 180;
  for (int k = 0; k < 2; k++) {
    rails grip = {
        .degrees = 15, .mu = 0.4, .contact = kinds[k], .sheet_grip = 0.5, .bar_grip = 0.8};
    claim_rails(&grip, 0.4 * 0.5 * 0.8);
    rails combed = {.degrees = 15, .mu = 0.2, .contact = kinds[k]};
    combed.combed = true, combed.mu_along = 0.1, combed.mu_across = 0.5;
    combed.structure = vec3_make(cos(angle), 0, -sin(angle));
    claim_rails(&combed, 0.1);
    combed.structure = vec3_make(0, 1, 0);
    claim_near(speed_on_rails(&combed), 0, 1e-5);
    rails sliding = {.degrees = 15, .mu = 0.5, .contact = kinds[k], .mu_dynamic = 0.2};
    claim_near(speed_on_rails(&sliding), 0, 1e-5);
    sliding.speed = 0.1;
    claim_rails(&sliding, 0.2);
  }
}

/* What holds the sheet is listed, under its vertices: together it is its weight. */
static void contacts__with_edges_are_listed(void **unused) {
  (void)unused;
  rails r = {.degrees = 15, .mu = 0.5, .contact = TRIBO_CONTACT_BOX};
  simulation *s = lay_on_rails(&r);
  tribo_report report = lab_steps(s, 40);
  size_t count;
  const tribo_contact *all = simulation_contacts(s, &count);
  assert_int_equal(count, report.contacts);
  assert_int_equal(report.cloth_contacts, 0);
  vec3 force = {0, 0, 0}, up = {sin(15 * LAB_PI / 180), 0, cos(15 * LAB_PI / 180)};
  for (size_t i = 0; i < count; i++) {
    force = vec3_add(force, vec3_from(all[i].force));
    claim_near(vec3_dot(vec3_from(all[i].position), up), 0, 1e-5); /* the sheet sags */
    bool lower = vec3_dot(vec3_from(all[i].position), lab_downhill(15)) > 0;
    assert_string_equal(all[i].surface, lower ? "lower" : "upper");
    assert_true(all[i].object == 0 && all[i].vertex >= 0 && all[i].vertex < 12);
    claim_below(vec3_norm(vec3_from(all[i].slip)), 1e-5);
  }
  double weight = lab_mass(s) * LAB_G;
  claim_near(force.z, weight, 1e-3 * weight);
  claim_below(hypot(force.x, force.y), 1e-3 * weight);
  simulation_free(s);
}

/* Bars that set off at 0.2 m/s take the sheet along: at mu g, until it is as fast as they are. */
static void bars_that_move__take_the_sheet_along(void **unused) {
  (void)unused;
  enum { STEPS = 40 };
  const double speed = 0.2, mu = 0.4;
  static double transforms[16 * (STEPS + 2)];
  for (int k = 0; k < STEPS + 2; k++) {
    double *m = transforms + 16 * k;
    m[0] = m[5] = m[10] = m[15] = 1;
    m[7] = speed * H * k;
  }
  for (int k = 0; k < 2; k++) {
    rails r = {.mu = mu,
               .contact = TRIBO_CONTACT_MESH,
               .transforms = transforms,
               .samples = STEPS + 2,
               .deforms = k == 1};
    simulation *s = lay_on_rails(&r);
    lab_steps(s, 5);
    claim_near(lab_velocity(s, 0).y, 5 * H * mu * LAB_G, 1e-3 * speed);
    lab_steps(s, STEPS - 5);
    claim_near(lab_velocity(s, 0).y, speed, 1e-6);
    simulation_free(s);
  }
}

/* A cloth half on a box and half beside it: on top friction holds mu L w, and the edge, which the
 * cloth turns around by a quarter turn, makes exp(mu pi/2) times that of it (Euler). It holds what
 * hangs, L w, where mu exp(mu pi/2) > 1, which is from 0.475 on. Coarse cloth cuts the corner; the
 * two are far on either side. */
static double fallen(double mu) {
  laid l = {.box = {{-1, -1, -2}, {0, 1, 0}},
            .contact = TRIBO_CONTACT_BOX,
            .cells = 5,
            .at = {0.01, 0.03, 0.001},
            .mu = mu,
            .stretch = 200,
            .bend = 1e-3};
  simulation *s = lay(&l);
  lab_steps(s, 200);
  double z = lab_centre(s, 0).z;
  assert_int_equal(poking_count(s, l.box, 2e-3), 0);
  simulation_free(s);
  return z;
}

static void cloth_over_the_edge_of_a_box__holds_by_friction_or_slides_off(void **unused) {
  (void)unused;
  assert_true(fallen(0.9) > -0.3);
  assert_true(fallen(0.1) < -1);
}

/* ---- bits -------------------------------------------------------------------------------------
 */

static simulation *corner(int threads) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, H);
  mesh sheet = shape_sheet(30, 30, 1, 1);
  shape_move(&sheet, -0.4, -0.45, 0.02);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.cloth.stretch = 200;
  def.cloth.shear = 60;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  poking_box box = {{-0.25, -0.25, -0.5}, {0.25, 0.25, 0}, {0, 0, 0}, 0};
  add_box(scene, "box", &box, TRIBO_CONTACT_MESH);
  return projective_make(scene, 8, threads);
}

static void threads_and_a_state_put_back__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = corner(1), *two = corner(2), *resumed = corner(2);
  tribo_report report = lab_steps(one, 40);
  assert_true(report.contacts > 50);
  lab_steps(two, 40);
  lab_same_bits(one, two);
  lab_goes_on_to_the_same_bits(one, resumed, 5);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thin_bar__holds_cloth_between_its_vertices),
      cmocka_unit_test(box__holds_cloth_that_hangs_over_all_of_its_edges),
      cmocka_unit_test(faceted_ball__holds_cloth_of_longer_edges),
      cmocka_unit_test(sheet_on_two_bars__slides_and_holds_as_on_a_ramp),
      cmocka_unit_test(what_is_painted__counts_on_edges),
      cmocka_unit_test(contacts__with_edges_are_listed),
      cmocka_unit_test(bars_that_move__take_the_sheet_along),
      cmocka_unit_test(cloth_over_the_edge_of_a_box__holds_by_friction_or_slides_off),
      cmocka_unit_test(threads_and_a_state_put_back__leave_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
