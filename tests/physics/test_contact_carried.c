/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colliders that move carry along what rests on them, as far as friction reaches, and nothing
 * beyond.
 */
#include "physics/lab_contact.h"

enum { SAMPLES = 101, SETTLED = 40 }; /* steps of 0.01 s; the plate sets out at SETTLED */
static const double DT = 0.01;

/* x(t) of a plate that accelerates at 1 m/s^2 from 0 at SETTLED, sampled at the steps. */
static double travelled(int step) {
  double t = fmax(0, step - SETTLED) * DT;
  return 0.5 * t * t;
}

static double turned(int step) { /* rad */
  double t = fmax(0, step - SETTLED) * DT;
  return t * t;
}

static mesh make_plate(void) {
  mesh plate = shape_sheet(4, 4, 2, 2);
  shape_move(&plate, -1, -1, 0);
  return plate;
}

/* A block of 0.1 m whose middle is at (x, 0). */
static void add_block(tribo_scene *scene, tribo_kind kind, double x) {
  mesh block = shape_brick(2, 2, 2, 0.1, 0.1, 0.1);
  if (kind == TRIBO_RIGID) {
    mesh tets = block;
    const int32_t box[] = {0, 6,  8,  0, 8,  2, 18, 20, 26, 18, 26, 24, 0, 2, 20, 0, 20, 18,
                           6, 24, 26, 6, 26, 8, 0,  18, 24, 0,  24, 6,  2, 8, 26, 2, 26, 20};
    block = shape_keep(&tets, box, 12);
    mesh_free(&tets);
  }
  shape_move(&block, x - 0.05, -0.05, 0);
  tribo_object_def def = tribo_object_default(kind);
  def.name = "block";
  def.solid.young = 1e6;
  claim_ok(scenes_add(scene, def, &block, NULL, err));
}

typedef enum plate_motion { TRANSFORMS, POINTS, TURNTABLE } plate_motion;

static void add_plate(tribo_scene *scene, plate_motion motion, int form) {
  mesh plate = make_plate();
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "plate";
  def.surface.contact = form;
  def.motion.sample_count = SAMPLES;
  def.motion.start = tribo_scene_time(scene)->start;
  def.motion.interval = 1;
  size_t count = plate.vertex_count;
  double *points = malloc(SAMPLES * 3 * count * sizeof *points);
  double *maps = calloc(SAMPLES * 16, sizeof *maps);
  assert_true(points && maps);
  for (int k = 0; k < SAMPLES; k++) {
    double c = motion == TURNTABLE ? cos(turned(k)) : 1;
    double s = motion == TURNTABLE ? sin(turned(k)) : 0, x = motion == TURNTABLE ? 0 : travelled(k);
    const double map[16] = {c, -s, 0, x, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(maps + 16 * k, map, sizeof map);
    for (size_t v = 0; v < count; v++) {
      memcpy(points + 3 * ((size_t)k * count + v), plate.positions + 3 * v, 3 * sizeof(double));
      points[3 * ((size_t)k * count + v)] += x;
    }
  }
  def.motion.transforms = motion == POINTS ? NULL : maps;
  def.motion.points = motion == POINTS ? points : NULL;
  claim_ok(scenes_add(scene, def, &plate, NULL, err));
  free(points);
  free(maps);
}

static simulation *carried(tribo_kind kind, plate_motion motion, int form, double mu, double x) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, DT);
  tribo_scene_friction(scene)->mu = mu;
  add_block(scene, kind, x);
  add_plate(scene, motion, form);
  return lab_simulation(scene);
}

/* The mean of the vertices that touch. */
static vec3 feet(const simulation *s) {
  vec3 sum = {0, 0, 0};
  int count = 0;
  for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
    if (simulation_positions(s)[v].z < 0.02) {
      sum = vec3_add(sum, simulation_positions(s)[v]);
      count++;
    }
  assert_true(count > 0);
  return vec3_scale(1.0 / count, sum);
}

static const int FORMS[] = {TRIBO_CONTACT_PLANE, TRIBO_CONTACT_MESH};

/* 1 m/s^2 is a fifth of what mu = 0.5 can give: no slip, to 1e-6 m over 0.18 m. */
static void block__is_carried_along_without_slip(void **unused) {
  (void)unused;
  for (int motion = TRANSFORMS; motion <= POINTS; motion++)
    for (int form = motion == POINTS; form < 2; form++) {
      simulation *s = carried(TRIBO_RIGID, (plate_motion)motion, FORMS[form], 0.5, 0);
      lab_steps(s, SETTLED);
      vec3 start = feet(s);
      lab_steps(s, 60);
      claim_near(feet(s).x - start.x, travelled(100), 1e-6);
      simulation_free(s);
    }
}

static void block_without_friction__stays_where_it_is(void **unused) {
  (void)unused;
  for (int kind = TRIBO_SOLID; kind <= TRIBO_RIGID; kind++)
    for (int motion = TRANSFORMS; motion <= POINTS; motion++) {
      simulation *s = carried((tribo_kind)kind, (plate_motion)motion, TRIBO_CONTACT_MESH, 0, 0);
      vec3 start = lab_centre(s, 0);
      lab_steps(s, 100);
      claim_near(lab_centre(s, 0).x, start.x, 1e-9);
      simulation_free(s);
    }
}

/* mu g = 0.49 m/s^2 < 1: it lags, and moves as Coulomb says, within 1%. */
static void block_with_little_friction__lags_behind_by_coulombs_formula(void **unused) {
  (void)unused;
  simulation *s = carried(TRIBO_RIGID, TRANSFORMS, TRIBO_CONTACT_MESH, 0.05, 0);
  lab_steps(s, 100);
  claim_near(lab_velocity(s, 0).x, 0.05 * LAB_G * 0.6, 0.01 * 0.05 * LAB_G * 0.6);
  simulation_free(s);
}

/* At 0.5 m from the axis, 2 rad/s^2 and up to 1.2 rad/s: 1 and 0.72 m/s^2 of the 4.9 that friction
 * has. It goes round with the table, 0.36 rad, without spiralling in or out: to 1e-9 m. */
static void turntable__carries_a_block_round(void **unused) {
  (void)unused;
  for (int form = 0; form < 2; form++) {
    simulation *s = carried(TRIBO_RIGID, TURNTABLE, FORMS[form], 0.5, 0.5);
    lab_steps(s, SETTLED);
    vec3 start = feet(s);
    lab_steps(s, 60);
    double c = cos(turned(100)), n = sin(turned(100));
    vec3 wanted = {c * start.x - n * start.y, n * start.x + c * start.y, start.z};
    claim_below(vec3_norm(vec3_sub(feet(s), wanted)), 1e-9);
    claim_near(simulation_state(s)->v[1].z / simulation_model(s)->rigids[0].length, 1.19, 1e-9);
    simulation_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block__is_carried_along_without_slip),
      cmocka_unit_test(block_without_friction__stays_where_it_is),
      cmocka_unit_test(block_with_little_friction__lags_behind_by_coulombs_formula),
      cmocka_unit_test(turntable__carries_a_block_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
