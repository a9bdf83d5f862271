/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An open sheet is felt from both sides: from where a thing is, however its triangles are wound,
 * for cloth, solids and rigid bodies, whether the sheet stands, moves, deforms or appears.
 */
#include "physics/lab_thing.h"

static const double STEP = 0.01, SIZE = 0.3, WIDTH = 1;
enum { STEPS = 24, SAMPLE_COUNT = STEPS + 2 };

typedef enum winding { UP, DOWN, MIXED } winding;
typedef enum motion_form { STANDS, RISES, RISES_BY_POINTS } motion_form;

typedef struct sheet {
  int form;
  winding wound;
  motion_form motion;
  double thickness;
  bool projective;
  bool from_below; /* the thing comes from there, without gravity */
  double height;   /* of the thing's nearer side, from the sheet */
  double speed;    /* of the thing towards the sheet, m/s */
} sheet;

static double risen(const sheet *s, int step) { return s->motion == STANDS ? 0 : 0.01 * step; }

static mesh sheet_shape(const sheet *s) {
  mesh m = shape_sheet(6, 6, WIDTH, WIDTH);
  uint64_t seed = 3;
  for (size_t t = 0; t < m.triangle_count; t++) {
    bool turned = s->wound == DOWN || (s->wound == MIXED && claim_between(&seed, 0, 1) < 0.5);
    int32_t *v = m.triangles + 3 * t, second = v[1];
    v[1] = turned ? v[2] : v[1];
    v[2] = turned ? second : v[2];
  }
  shape_move(&m, -WIDTH / 2, -WIDTH / 2, 0);
  return m;
}

static void add_sheet(tribo_scene *scene, const sheet *s) {
  mesh shape = sheet_shape(s);
  size_t count = shape.vertex_count;
  double transforms[16 * SAMPLE_COUNT] = {0};
  double *points = calloc(3 * count * SAMPLE_COUNT, sizeof *points);
  for (int k = 0; k < SAMPLE_COUNT; k++) {
    double *t = transforms + 16 * k;
    t[0] = t[5] = t[10] = t[15] = 1;
    t[11] = risen(s, k);
    for (size_t i = 0; i < 3 * count; i++)
      points[3 * count * (size_t)k + i] = shape.positions[i] + (i % 3 == 2 ? t[11] : 0);
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "sheet";
  def.surface.contact = s->form;
  def.surface.thickness = s->thickness;
  def.motion = (tribo_motion_def){.transforms = s->motion == RISES ? transforms : NULL,
                                  .points = s->motion == RISES_BY_POINTS ? points : NULL,
                                  .sample_count = s->motion == STANDS ? 0 : SAMPLE_COUNT,
                                  .start = 1,
                                  .interval = 1};
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
  free(points);
}

static simulation *make(tribo_kind kind, const sheet *s) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  if (s->projective) tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  if (s->from_below) lab_gravity(scene, 0, 0, 0);
  double tall = kind == TRIBO_CLOTH ? 0 : SIZE;
  double z = s->from_below ? -s->height - tall : s->height;
  lab_add_thing(scene, kind, 4, SIZE, vec3_make(0.02, 0.03, z));
  add_sheet(scene, s);
  simulation *made = lab_compile(scene, 1);
  state moving = lab_copy(made);
  const model *m = simulation_model(made);
  for (int32_t i = 0; i < m->node_count; i++) {
    bool turning = m->rigid_count > 0 && i == m->rigids[0].node + 1;
    moving.v[i].z += turning ? 0 : s->from_below ? s->speed : -s->speed;
  }
  lab_put_back(made, &moving);
  return made;
}

/* The deepest vertex beyond the sheet, m. */
static double beyond(const simulation *made, const sheet *s, int step) {
  double worst = 0;
  for (int32_t v = 0; v < simulation_model(made)->vertex_count; v++) {
    double z = simulation_positions(made)[v].z - risen(s, step);
    worst = fmax(worst, s->thickness + (s->from_below ? z : -z));
  }
  return worst;
}

static void claim_stopped(tribo_kind kind, sheet s) {
  simulation *made = make(kind, &s);
  double worst = 0;
  for (int i = 1; i <= STEPS; i++) {
    tribo_report report;
    claim_ok(simulation_steps(made, 1, &report, err));
    worst = fmax(worst, beyond(made, &s, i));
  }
  /* `projective` stops in a step what comes in it, to what its iterations leave */
  double most = s.projective ? 5e-3 * SIZE : 1e-4 * SIZE;
  if (s.form == TRIBO_CONTACT_MLS) most = fmax(most, 1e-3 * SIZE);
  if (worst >= most)
    print_message(
        "kind %d, form %d, wound %d, motion %d, below %d, projective %d, height %g, "
        "speed %g, thickness %g\n",
        (int)kind, s.form, (int)s.wound, (int)s.motion, s.from_below, s.projective, s.height,
        s.speed, s.thickness);
  claim_below(worst, most);
  simulation_free(made);
}

/* Laid on it, dropped on it, and shot at it. */
static void claim_felt(tribo_kind kind, sheet s) {
  s.height = s.thickness;
  claim_stopped(kind, s);
  s.height = s.thickness + 0.01;
  s.speed = 0.5;
  claim_stopped(kind, s);
  s.height = s.thickness + 0.05;
  s.speed = 8;
  claim_stopped(kind, s);
}

static void claim_all(tribo_kind kind, bool projective) {
  for (winding w = UP; w <= MIXED; w++) {
    claim_felt(kind, (sheet){.form = TRIBO_CONTACT_MESH, .wound = w, .projective = projective});
    claim_felt(kind, (sheet){.form = TRIBO_CONTACT_MESH,
                             .wound = w,
                             .projective = projective,
                             .from_below = true,
                             .thickness = 0.004});
  }
  claim_felt(kind, (sheet){.form = TRIBO_CONTACT_MLS, .wound = MIXED, .projective = projective});
  for (motion_form m = RISES; m <= RISES_BY_POINTS; m++)
    claim_felt(
        kind,
        (sheet){.form = TRIBO_CONTACT_MESH, .wound = DOWN, .motion = m, .projective = projective});
}

static void cloth__is_stopped_from_either_side(void **unused) {
  (void)unused;
  claim_all(TRIBO_CLOTH, false);
}

static void projective_cloth__is_stopped_from_either_side(void **unused) {
  (void)unused;
  claim_all(TRIBO_CLOTH, true);
}

static void solid__is_stopped_from_either_side(void **unused) {
  (void)unused;
  claim_all(TRIBO_SOLID, false);
  claim_all(TRIBO_SOLID, true);
}

static void rigid_body__is_stopped_from_either_side(void **unused) {
  (void)unused;
  claim_all(TRIBO_RIGID, false);
}

/* What lies on it is pressed in by the rounding of every step; the side that it is on is part of
 * the state. */
static void side__is_part_of_the_state(void **unused) {
  (void)unused;
  for (int projective = 0; projective < 2; projective++) {
    sheet s = {.form = TRIBO_CONTACT_MESH, .wound = MIXED, .projective = projective > 0};
    simulation *through = make(TRIBO_CLOTH, &s), *resumed = make(TRIBO_CLOTH, &s);
    lab_steps(through, 7);
    const state *now = simulation_state(through);
    size_t known = 0;
    for (size_t i = 0; i < now->touch_count; i++) known += now->touches[i].side != 0;
    assert_true(known == 25);
    lab_goes_on_to_the_same_bits(through, resumed, 9);
    simulation_free(through);
  }
}

/* A cloth as a surface: a rigid block falls on one whose triangles point down. */
static void block__lies_on_a_cloth_that_is_wound_downwards(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  lab_add_thing(scene, TRIBO_RIGID, 0, 0.2, vec3_make(0, 0, 0.005));
  sheet s = {.wound = DOWN};
  mesh shape = sheet_shape(&s);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "net";
  def.cloth.stretch = 1e5;
  def.cloth.shear = 3e4;
  def.surface.contact = TRIBO_CONTACT_MESH;
  def.surface.role = TRIBO_ROLE_SURFACE;
  int32_t rim[49];
  size_t count = 0;
  for (int32_t v = 0; v < (int32_t)shape.vertex_count; v++)
    if (fmax(fabs(shape.positions[3 * v]), fabs(shape.positions[3 * v + 1])) > 0.49)
      rim[count++] = v;
  tribo_pin_def pin = {.vertices = rim, .vertex_count = count};
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
  simulation *made = lab_compile(scene, 1);
  for (int i = 0; i < 60; i++) {
    tribo_report report;
    claim_ok(simulation_steps(made, 1, &report, err));
  }
  assert_true(lab_centre(made, 0).z > 0); /* 1.7 m of free fall */
  simulation_free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__is_stopped_from_either_side),
      cmocka_unit_test(projective_cloth__is_stopped_from_either_side),
      cmocka_unit_test(solid__is_stopped_from_either_side),
      cmocka_unit_test(rigid_body__is_stopped_from_either_side),
      cmocka_unit_test(side__is_part_of_the_state),
      cmocka_unit_test(block__lies_on_a_cloth_that_is_wound_downwards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
