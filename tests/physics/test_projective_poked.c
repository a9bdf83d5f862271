/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Obstacles whose vertices and edges come between the vertices of cloth, with the method
 * projective: nothing goes through, at any frame, by the exact count of edges through triangles.
 */
#include "physics/lab_projective.h"
#include "scenes/shapes_turned.h"
#include "tribo/sim.h"

enum { FRAMES = 30, SAMPLES = FRAMES + 1 };

typedef struct poker {
  mesh (*shape)(void);
  vec3 shift;   /* at the start */
  vec3 speed;   /* m/s */
  double turns; /* about the axis, each second */
  int axis;
  double swells; /* it breathes by this part of its size, vertex by vertex */
} poker;

typedef struct poked {
  poker by[3];
  int count;
  int cells;
  double size, height; /* of the cloth, m */
} poked;

/* ---- shapes -----------------------------------------------------------------------------------
 */

static void stretch(mesh *m, double (*factor)(vec3 direction)) {
  for (size_t i = 0; i < m->vertex_count; i++) {
    vec3 *x = (vec3 *)(m->positions + 3 * i);
    *x = vec3_scale(factor(vec3_scale(1 / vec3_norm(*x), *x)), *x);
  }
}

static double horns(vec3 d) { return fabs(d.x) > 0.6 && fabs(d.x) < 0.78 && d.z > 0.6 ? 1.7 : 1; }

static mesh horned_ball(void) {
  mesh ball = shape_globe(7, 0.22);
  stretch(&ball, horns);
  return ball;
}

static double lumps(vec3 d) { return 1 + 0.12 * sin(9 * d.x) * sin(11 * d.y + 1) * cos(7 * d.z); }

static mesh lumpy_head(void) {
  mesh head = shape_globe(14, 0.25);
  stretch(&head, lumps);
  return head;
}

static mesh plain_ball(void) { return shape_globe(8, 0.2); }

static mesh spike(void) {
  const turned_ring rings[] = {{0, 0, 1, 0}, {0.04, 0, 6, 0}, {0, 0.5, 1, 0}};
  return shape_turned(rings, 3);
}

static mesh along_y(double radius, int sides) {
  mesh rod = shape_cylinder(sides, radius, 1.6);
  shape_turn(&rod, 0, 0.5 * LAB_PI);
  return rod;
}

static mesh wire(void) { return along_y(0.004, 6); }
static mesh bar(void) { return along_y(0.012, 4); }

static mesh crate(void) {
  mesh block = shape_block(1, 1, 1, 0.3, 0.3, 0.3), skin = shape_skin(&block);
  mesh_free(&block);
  shape_move(&skin, -0.15, -0.15, -0.15);
  shape_turn(&skin, 0, 0.6);
  shape_turn(&skin, 1, 0.7);
  return skin;
}

static mesh open_sheet(void) {
  mesh sheet = shape_sheet(9, 9, 1, 1);
  for (size_t i = 0; i < sheet.vertex_count; i++) {
    double *x = sheet.positions + 3 * i;
    x[2] = 0.06 * sin(17 * x[0]) * sin(19 * x[1]);
  }
  shape_move(&sheet, -0.5, -0.5, 0);
  return sheet;
}

/* ---- motion -----------------------------------------------------------------------------------
 */

static vec3 turned(vec3 x, int axis, double angle) {
  double c = cos(angle), s = sin(angle);
  double *at = &x.x, a = at[(axis + 1) % 3], b = at[(axis + 2) % 3];
  at[(axis + 1) % 3] = c * a - s * b;
  at[(axis + 2) % 3] = s * a + c * b;
  return x;
}

static double *transforms(const poker *p) {
  double *out = calloc(16 * SAMPLES, sizeof *out);
  assert_non_null(out);
  for (int k = 0; k < SAMPLES; k++) {
    double seconds = k / 24.0, angle = 2 * LAB_PI * p->turns * seconds, *m = out + 16 * k;
    for (int c = 0; c < 3; c++) {
      vec3 column = turned(vec3_make(c == 0, c == 1, c == 2), p->axis, angle);
      for (int r = 0; r < 3; r++) m[4 * r + c] = (&column.x)[r];
    }
    vec3 to = vec3_madd(p->shift, seconds, p->speed); /* about the place where it starts */
    vec3 shift = vec3_sub(to, turned(p->shift, p->axis, angle));
    m[3] = shift.x, m[7] = shift.y, m[11] = shift.z, m[15] = 1;
  }
  return out;
}

static double *points(const poker *p, const mesh *shape) {
  double *out = calloc(3 * SAMPLES * shape->vertex_count, sizeof *out);
  assert_non_null(out);
  for (size_t k = 0; k < SAMPLES; k++)
    for (size_t i = 0; i < shape->vertex_count; i++) {
      double swell = p->swells * sin(2 * LAB_PI * (double)k / 24);
      vec3 x = vec3_from(shape->positions + 3 * i);
      x = vec3_madd(x, swell, vec3_sub(x, p->shift));
      memcpy(out + 3 * (k * shape->vertex_count + i), &x, sizeof x);
    }
  return out;
}

static void add_poker(tribo_scene *scene, const poker *p, const char *name) {
  mesh shape = p->shape();
  shape_move(&shape, p->shift.x, p->shift.y, p->shift.z);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = name;
  bool still = p->turns == 0 && p->swells == 0 && vec3_norm2(p->speed) == 0;
  double *track = still ? NULL : p->swells != 0 ? points(p, &shape) : transforms(p);
  if (p->swells != 0)
    def.motion.points = track;
  else
    def.motion.transforms = track;
  def.motion.sample_count = still ? 0 : SAMPLES;
  def.motion.start = 1;
  def.motion.interval = 1;
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
  free(track);
}

/* ---- scenes -----------------------------------------------------------------------------------
 */

/* Cotton, at quality good, or with its thickness in 4 substeps. */
static tribo_scene *lay(const poked *p, int substeps) {
  tribo_scene *scene = lab_scene();
  mesh sheet = shape_sheet(p->cells, p->cells, p->size, p->size);
  shape_move(&sheet, -0.5 * p->size, -0.5 * p->size + 0.013, 0);
  shape_move(&sheet, 0, 0, p->height);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  if (substeps > 0) def.surface.thickness = 0.003;
  def.cloth.density = 0.13;
  def.cloth.stretch = 8e3;
  def.cloth.shear = 50;
  def.cloth.bend = 8e-6;
  def.cloth.damping_mass = 3;
  def.object.drag = 1.2;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  static const char *const names[] = {"first", "second", "third"};
  for (int k = 0; k < p->count; k++) add_poker(scene, &p->by[k], names[k]);
  tribo_scene_friction(scene)->mu = 0.5;
  claim_ok(tribo_scene_set(scene, "solver.crossings", "every", err));
  if (substeps > 0) {
    tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
    tribo_scene_time(scene)->fps = 24;
    tribo_scene_time(scene)->substeps = substeps;
  } else {
    claim_ok(tribo_scene_set(scene, "quality", "good", err));
  }
  return scene;
}

static tribo_sim *start(const poked *p, int substeps, int threads) {
  tribo_scene *scene = lay(p, substeps);
  tribo_sim *sim;
  claim_ok(tribo_sim_create(scene, &(tribo_sim_options){.threads = threads}, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

static void claim_passes_nothing(const char *name, const poked *p) {
  for (int k = 0; k < 2; k++) {
    tribo_sim *sim = start(p, k == 0 ? 0 : 4, 1);
    int worst = 0, grazing = 0, contacts = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
      tribo_report report;
      claim_ok(tribo_sim_frame(sim, &report, err));
      worst = report.crossings > worst ? report.crossings : worst;
      grazing = report.grazing > grazing ? report.grazing : grazing;
      contacts = report.contacts > contacts ? report.contacts : contacts;
    }
    print_message("    %s, %s: %d crossings at worst, %d grazing, up to %d contacts\n", name,
                  k == 0 ? "good" : "4 substeps", worst, grazing, contacts);
    assert_int_equal(worst, 0);
    assert_int_equal(grazing, 0);
    assert_true(contacts > 0);
    tribo_sim_free(sim);
  }
}

static void horned_ball__pokes_through_no_cloth(void **unused) {
  (void)unused;
  claim_passes_nothing(
      "horned ball",
      &(poked){.by = {{.shape = horned_ball}}, .count = 1, .cells = 14, .size = 1, .height = 0.42});
}

static void lumpy_head__lies_under_coarse_cloth(void **unused) {
  (void)unused;
  claim_passes_nothing(
      "lumpy head",
      &(poked){.by = {{.shape = lumpy_head}}, .count = 1, .cells = 11, .size = 1, .height = 0.32});
}

static void spike__rises_into_cloth_from_below(void **unused) {
  (void)unused;
  poked p = {.by = {{.shape = spike, .shift = {0.02, 0.03, -0.3}, .speed = {0, 0, 0.5}},
                    {.shape = crate, .shift = {0.2, -0.2, -0.2}}},
             .count = 2,
             .cells = 12,
             .size = 0.9,
             .height = 0.3};
  claim_passes_nothing("spike", &p);
}

static void bars_and_wire__hold_cloth_between_its_vertices(void **unused) {
  (void)unused;
  poked p = {.by = {{.shape = wire, .shift = {0.03, 0, 0}},
                    {.shape = bar, .shift = {-0.31, 0, -0.02}},
                    {.shape = bar, .shift = {0.33, 0, -0.03}}},
             .count = 3,
             .cells = 12,
             .size = 1,
             .height = 0.05};
  claim_passes_nothing("bars and a wire", &p);
}

static const poked TURNING = {
    .by = {{.shape = horned_ball, .shift = {-0.15, 0, -0.45}, .speed = {0.3, 0, 0.9}, .turns = 1},
           {.shape = crate, .shift = {0.3, 0.2, -0.2}, .turns = -0.7, .axis = 2}},
    .count = 2,
    .cells = 14,
    .size = 1,
    .height = 0.1};

static void what_moves_and_turns__takes_cloth_along(void **unused) {
  (void)unused;
  claim_passes_nothing("moving and turning", &TURNING);
}

static void what_swells__lifts_cloth(void **unused) {
  (void)unused;
  claim_passes_nothing("swelling", &(poked){.by = {{.shape = plain_ball, .swells = 0.4}},
                                            .count = 1,
                                            .cells = 12,
                                            .size = 0.9,
                                            .height = 0.24});
}

static void open_sheet__has_two_sides(void **unused) {
  (void)unused;
  claim_passes_nothing(
      "open sheet",
      &(poked){.by = {{.shape = open_sheet}}, .count = 1, .cells = 9, .size = 0.7, .height = 0.12});
}

/* ---- bits -------------------------------------------------------------------------------------
 */

static mesh flat(void) {
  mesh sheet = shape_sheet(3, 3, 2, 2);
  shape_move(&sheet, -1, -1, 0);
  return sheet;
}

/* Where both are added at one place, and nothing is moved: the cloth has no side of the floor yet.
 */
static void cloth_laid_exactly_on_a_floor__is_lifted_by_its_thickness(void **unused) {
  (void)unused;
  poked p = {.by = {{.shape = flat}}, .count = 1, .cells = 9, .size = 0.9};
  tribo_sim *sim = start(&p, 4, 1);
  for (int frame = 0; frame < 12; frame++) {
    tribo_report report;
    claim_ok(tribo_sim_frame(sim, &report, err));
    assert_int_equal(report.crossings, 0);
    assert_int_equal(report.rough & TRIBO_ROUGH_TANGLED, 0);
  }
  const double *x = tribo_sim_positions(sim, 0);
  for (size_t i = 0; i < 100; i++) claim_near(x[3 * i + 2], 0.003, 1e-4);
  tribo_sim_free(sim);
}

static void threads_and_resume__leave_the_same_bits(void **unused) {
  (void)unused;
  simulation *one = lab_compile(lay(&TURNING, 4), 1), *two = lab_compile(lay(&TURNING, 4), 2);
  lab_steps(one, 60);
  lab_steps(two, 60);
  lab_same_bits(one, two);
  lab_goes_on_to_the_same_bits(one, lab_compile(lay(&TURNING, 4), 2), 12);
  simulation_free(one);
  simulation_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(horned_ball__pokes_through_no_cloth),
      cmocka_unit_test(lumpy_head__lies_under_coarse_cloth),
      cmocka_unit_test(spike__rises_into_cloth_from_below),
      cmocka_unit_test(bars_and_wire__hold_cloth_between_its_vertices),
      cmocka_unit_test(what_moves_and_turns__takes_cloth_along),
      cmocka_unit_test(what_swells__lifts_cloth),
      cmocka_unit_test(open_sheet__has_two_sides),
      cmocka_unit_test(cloth_laid_exactly_on_a_floor__is_lifted_by_its_thickness),
      cmocka_unit_test(threads_and_resume__leave_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
