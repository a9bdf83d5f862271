/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is fast and thin takes along what is in its way: a plate that goes up by 0.05 to 1 m a step,
 * up to a hundred times its thickness, below what lies on it or falls towards it. Every vertex
 * stays on the side it came from.
 */
#include "physics/lab_thing.h"

static const double STEP = 0.01, WIDTH = 3, SIZE = 0.3;
enum { RESTING = 4, MOVING = 3, AFTER = 3, SAMPLE_COUNT = RESTING + MOVING + 1 };

typedef struct plate {
  double thick; /* 0: an open sheet, that is touched from above */
  int form;
  bool by_points; /* it moves vertex by vertex */
  double rise;    /* m a step */
  double width;   /* 0: WIDTH */
  bool projective;
} plate;

/* Where its upper side is after some steps. */
static double top_after(const plate *p, int steps) {
  return p->rise * fmin(fmax(steps - RESTING, 0), MOVING);
}

/* Around the origin, its upper side at z = 0. */
static mesh plate_shape(const plate *p) {
  int n = p->form == TRIBO_CONTACT_MLS ? 24 : 1;
  double w = p->width > 0 ? p->width : WIDTH;
  mesh m;
  if (p->thick > 0) {
    mesh brick = shape_brick(n, n, n > 1 ? 4 : 1, w, w, p->thick);
    m = shape_skin(&brick);
    mesh_free(&brick);
  } else
    m = shape_sheet(n, n, w, w);
  shape_move(&m, -w / 2, -w / 2, -p->thick);
  return m;
}

static void add_plate(tribo_scene *scene, const plate *p) {
  mesh shape = plate_shape(p);
  size_t count = shape.vertex_count;
  double transforms[16 * SAMPLE_COUNT] = {0};
  double *points = calloc(3 * count * SAMPLE_COUNT, sizeof *points);
  for (int k = 0; k < SAMPLE_COUNT; k++) {
    double *t = transforms + 16 * k;
    t[0] = t[5] = t[10] = t[15] = 1;
    t[11] = top_after(p, k);
    for (size_t i = 0; i < 3 * count; i++)
      points[3 * count * (size_t)k + i] = shape.positions[i] + (i % 3 == 2 ? t[11] : 0);
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "plate";
  def.surface.contact = p->form;
  def.motion = (tribo_motion_def){.transforms = p->by_points ? NULL : transforms,
                                  .points = p->by_points ? points : NULL,
                                  .sample_count = SAMPLE_COUNT,
                                  .start = 1,
                                  .interval = 1};
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
  free(points);
}

static void claim_taken_along(tribo_kind kind, double height, const plate *p) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  if (p->projective) tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  lab_add_thing(scene, kind, 4, SIZE, vec3_make(p->width > 0 ? 0 : 0.05, 0, height));
  add_plate(scene, p);
  simulation *s = lab_compile(scene, 1);
  for (int i = 1; i <= RESTING + MOVING + AFTER; i++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++) {
      double depth = top_after(p, i) - simulation_positions(s)[v].z;
      if (depth >= 1e-4 * SIZE)
        print_message("kind %d, form %d, thick %g, rise %g, by points %d, height %g, step %d\n",
                      (int)kind, p->form, p->thick, p->rise, p->by_points, height, i);
      claim_below(depth, 1e-4 * SIZE);
    }
  }
  simulation_free(s);
}

static const double RISES[] = {0.05, 0.125, 0.4, 1};
enum { RISE_COUNT = 4 };

static void claim_all(tribo_kind kind, plate p) {
  for (int k = 0; k < RISE_COUNT; k++) {
    p.rise = RISES[k];
    claim_taken_along(kind, 0, &p);
    claim_taken_along(kind, 0.02, &p); /* falling, not yet there */
  }
}

static void claim_plates(tribo_kind kind) {
  static const double thick[] = {0.1, 0.01};
  for (int k = 0; k < 2; k++) {
    claim_all(kind, (plate){.thick = thick[k], .form = TRIBO_CONTACT_MESH});
    claim_all(kind, (plate){.thick = thick[k], .form = TRIBO_CONTACT_MESH, .by_points = true});
    claim_all(kind, (plate){.thick = thick[k], .form = TRIBO_CONTACT_BOX});
  }
}

static void claim_sheets(tribo_kind kind) {
  claim_all(kind, (plate){.form = TRIBO_CONTACT_MESH});
  claim_all(kind, (plate){.form = TRIBO_CONTACT_MESH, .by_points = true});
  claim_all(kind, (plate){.form = TRIBO_CONTACT_PLANE});
  claim_all(kind, (plate){.form = TRIBO_CONTACT_MLS});
}

static void cloth__is_taken_along_by_plates(void **unused) {
  (void)unused;
  claim_plates(TRIBO_CLOTH);
}

static void cloth__is_taken_along_by_sheets(void **unused) {
  (void)unused;
  claim_sheets(TRIBO_CLOTH);
}

static void rigid_body__is_taken_along(void **unused) {
  (void)unused;
  claim_plates(TRIBO_RIGID);
  claim_sheets(TRIBO_RIGID);
}

static void solid__is_taken_along(void **unused) {
  (void)unused;
  claim_plates(TRIBO_SOLID);
  claim_sheets(TRIBO_SOLID);
}

/* Smooth ones must be thick enough for their samples. */
static void smooth_slab__takes_along_what_lies_on_it(void **unused) {
  (void)unused;
  for (int by_points = 0; by_points < 2; by_points++) {
    plate p = {.thick = 0.2, .form = TRIBO_CONTACT_MLS, .width = 1.2, .by_points = by_points > 0};
    claim_all(TRIBO_CLOTH, p);
  }
}

/* As wide as the cloth: its rim is just on the edges, where a plate meets it with two faces. */
static void rim_on_the_edge__is_taken_along(void **unused) {
  (void)unused;
  claim_all(TRIBO_CLOTH, (plate){.thick = 0.1, .form = TRIBO_CONTACT_MESH, .width = SIZE});
  claim_all(TRIBO_CLOTH, (plate){.thick = 0.01, .form = TRIBO_CONTACT_BOX, .width = SIZE});
}

/* The method `projective` looks for contacts once a step, where it begins. */
static void projective_cloth__is_taken_along(void **unused) {
  (void)unused;
  static const int forms[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_BOX};
  for (int k = 0; k < 2; k++)
    claim_all(TRIBO_CLOTH, (plate){.thick = 0.01, .form = forms[k], .projective = true});
}

/* ---- paddles ----------------------------------------------------------------------------------
 */

static const double DEGREE = 3.14159265358979323846 / 180;

/* A blade of 1 x 0.8 m, 1 cm thick, from the axis y along x, that turns upwards. */
static void add_paddle(tribo_scene *scene, int form, double turn) {
  mesh brick = shape_brick(1, 1, 1, 1, 0.8, 0.01), blade = shape_skin(&brick);
  mesh_free(&brick);
  shape_move(&blade, 0, -0.4, -0.01);
  double transforms[16 * SAMPLE_COUNT] = {0};
  for (int k = 0; k < SAMPLE_COUNT; k++) {
    double *t = transforms + 16 * k, a = turn * fmin(fmax(k - RESTING, 0), MOVING);
    t[0] = t[10] = cos(a);
    t[2] = -sin(a);
    t[8] = sin(a);
    t[5] = t[15] = 1;
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "paddle";
  def.surface.contact = form;
  def.motion = (tribo_motion_def){
      .transforms = transforms, .sample_count = SAMPLE_COUNT, .start = 1, .interval = 1};
  claim_ok(scenes_add(scene, def, &blade, NULL, err));
}

static void claim_swung(tribo_kind kind, int form, double turn) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  lab_add_thing(scene, kind, 4, SIZE, vec3_make(0.6, 0, 0));
  add_paddle(scene, form, turn);
  simulation *s = lab_compile(scene, 1);
  for (int i = 1; i <= RESTING + MOVING; i++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    double a = turn * fmax(i - RESTING, 0);
    int over = 0;
    for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++) {
      vec3 x = simulation_positions(s)[v];
      double along = cos(a) * x.x + sin(a) * x.z, depth = sin(a) * x.x - cos(a) * x.z;
      if (along > 1) continue; /* past the end of the blade, where it was thrown */
      over++;
      if (depth >= 1e-4 * SIZE)
        print_message("kind %d, form %d, %g degrees, step %d\n", (int)kind, form, turn / DEGREE, i);
      claim_below(depth, 1e-4 * SIZE);
    }
    assert_true(2 * over >= simulation_model(s)->vertex_count);
  }
  simulation_free(s);
}

static void paddle__swings_what_lies_on_it(void **unused) {
  (void)unused;
  static const double turns[] = {2, 10, 30};
  for (int k = 0; k < 3; k++)
    for (int kind = TRIBO_CLOTH; kind <= TRIBO_RIGID; kind++) {
      claim_swung((tribo_kind)kind, TRIBO_CONTACT_MESH, turns[k] * DEGREE);
      claim_swung((tribo_kind)kind, TRIBO_CONTACT_BOX, turns[k] * DEGREE);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__is_taken_along_by_plates),
      cmocka_unit_test(cloth__is_taken_along_by_sheets),
      cmocka_unit_test(rigid_body__is_taken_along),
      cmocka_unit_test(solid__is_taken_along),
      cmocka_unit_test(smooth_slab__takes_along_what_lies_on_it),
      cmocka_unit_test(rim_on_the_edge__is_taken_along),
      cmocka_unit_test(projective_cloth__is_taken_along),
      cmocka_unit_test(paddle__swings_what_lies_on_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
