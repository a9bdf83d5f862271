/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A collider that is there for a part of the time: what lies on it falls from the very step it
 * vanishes in, what falls is caught from the step on that it appears in, what is inside of it then
 * comes out as what starts inside does; with every method.
 */
#include "physics/lab_thing.h"

static const double STEP = 0.005, SIZE = 0.4;
enum { SUBSTEPS = 4 };

/* The steps that end at a frame or before; the first frame is 1. */
static int steps_to(double frame) { return (int)lround((frame - 1) * SUBSTEPS); }

/* Every way through the solvers, with what it moves. */
typedef struct way {
  const char *name;
  tribo_kind kind;
  int method, backend, mass;
} way;

static const way WAYS[] = {
    {"cloth", TRIBO_CLOTH, TRIBO_METHOD_FORWARDING, 0, TRIBO_EFFECTIVE_MASS_ELASTIC},
    {"cloth, lumped", TRIBO_CLOTH, TRIBO_METHOD_FORWARDING, 0, TRIBO_EFFECTIVE_MASS_LUMPED},
    {"cloth by ipopt", TRIBO_CLOTH, TRIBO_METHOD_FORWARDING, TRIBO_BACKEND_IPOPT, 0},
    {"solid", TRIBO_SOLID, TRIBO_METHOD_FORWARDING, 0, TRIBO_EFFECTIVE_MASS_ELASTIC},
    {"rigid", TRIBO_RIGID, TRIBO_METHOD_FORWARDING, 0, TRIBO_EFFECTIVE_MASS_ELASTIC},
    {"cloth, fast", TRIBO_CLOTH, TRIBO_METHOD_PROJECTIVE, 0, 0},
    {"solid, fast", TRIBO_SOLID, TRIBO_METHOD_PROJECTIVE, 0, 0},
};
enum { COUNT = sizeof WAYS / sizeof *WAYS };

static bool have_ipopt(void) {
  tribo_scene *scene = lab_scene();
  tribo_error error = {0};
  tribo_status status = tribo_scene_set(scene, "solver.backend", "ipopt", &error);
  tribo_scene_free(scene);
  return status == TRIBO_OK;
}

static bool can(const way *w) { return w->backend != TRIBO_BACKEND_IPOPT || have_ipopt(); }

static tribo_scene *scene_by(const way *w) {
  tribo_scene *scene = lab_scene();
  tribo_scene_time(scene)->fps = 1 / (STEP * SUBSTEPS);
  tribo_scene_time(scene)->substeps = SUBSTEPS;
  tribo_scene_world(scene)->method = w->method;
  tribo_scene_solver(scene)->backend = w->backend;
  tribo_scene_solver(scene)->effective_mass = w->mass;
  return scene;
}

typedef struct plate {
  int form;
  double top;       /* of the block, or where the sheet is */
  bool thin;        /* a sheet that is open, not a block */
  bool by_points;   /* it may deform */
  bool always;      /* there all the time */
  double ranges[4]; /* frames */
  size_t range_count;
  double from_above; /* metres that it comes down within the frame before `arrives` */
  double arrives;
} plate;

/* With 25 samples of its motion, one a frame, where it moves. */
static void add_plate(tribo_scene *scene, const plate *p) {
  enum { SAMPLES = 25 };
  int n = p->form == TRIBO_CONTACT_MLS ? 20 : 1;
  mesh m;
  if (p->thin) {
    m = shape_sheet(1, 1, 1, 1);
    shape_move(&m, -0.5, -0.5, p->top);
  } else {
    mesh brick = shape_brick(n, n, n > 1 ? 8 : 1, 1, 1, 0.4);
    m = shape_skin(&brick);
    mesh_free(&brick);
    shape_move(&m, -0.5, -0.5, p->top - 0.4);
  }
  double transforms[16 * SAMPLES] = {0};
  for (int k = 0; k < SAMPLES; k++) {
    for (int i = 0; i < 4; i++) transforms[16 * k + 5 * i] = 1;
    transforms[16 * k + 11] = k + 1 < p->arrives ? p->from_above : 0;
  }
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "plate";
  def.surface.contact = p->form;
  def.presence = (tribo_presence_def){.limited = !p->always, .ranges = p->ranges, p->range_count};
  if (p->from_above != 0)
    def.motion = (tribo_motion_def){.transforms = transforms, NULL, SAMPLES, 1, 1};
  if (p->by_points) def.motion = (tribo_motion_def){.points = m.positions, .sample_count = 1};
  def.motion.start = def.motion.interval = 1;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
}

static simulation *make(const way *w, const plate *p, double height, int threads) {
  tribo_scene *scene = scene_by(w);
  lab_add_thing(scene, w->kind, 4, SIZE, vec3_make(0.05, 0, height));
  add_plate(scene, p);
  return lab_compile(scene, threads);
}

static double lowest(const simulation *s) {
  double z = INFINITY;
  for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
    z = fmin(z, simulation_positions(s)[v].z);
  return z;
}

static double fastest(const simulation *s) {
  double v = 0;
  for (int32_t i = 0; i < simulation_model(s)->vertex_count; i++)
    v = fmax(v, vec3_norm(simulation_velocities(s)[i]));
  return v;
}

static size_t contacts(const simulation *s) {
  size_t count;
  simulation_contacts(s, &count);
  return count;
}

/* Backward Euler: after k steps g h^2 k (k + 1) / 2. */
static void claim_falls(simulation *s, const char *name) {
  vec3 centre = lab_centre(s, 0), velocity = lab_velocity(s, 0);
  assert_true(contacts(s) > 0);
  for (int k = 1; k <= 8; k++) {
    tribo_report report = lab_steps(s, 1);
    double fallen = k * STEP * velocity.z - LAB_G * STEP * STEP * k * (k + 1) / 2;
    double off = fabs(lab_centre(s, 0).z - centre.z - fallen);
    if (off > 1e-7 * SIZE || contacts(s) > 0) print_message("%s, %d steps after\n", name, k);
    claim_below(off, 1e-7 * SIZE);
    assert_int_equal(contacts(s), 0);
    assert_int_equal(report.contacts, 0);
    assert_int_equal(simulation_state(s)->touch_count, 0);
  }
}

static void what_lies_on_a_plate__falls_from_the_step_it_vanishes_in(void **unused) {
  (void)unused;
  static const int forms[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_BOX, TRIBO_CONTACT_MLS};
  static const double frames[] = {4, 3.6, 2.5}; /* between the ends of two steps, too */
  for (int k = 0; k < COUNT; k++)
    for (int f = 0; f < 3 && can(&WAYS[k]); f++) {
      plate p = {.form = forms[f], .ranges = {1, frames[f]}, .range_count = 1};
      simulation *s = make(&WAYS[k], &p, 0, 1);
      /* the first step to end at the frame or after it is without */
      int last = (int)ceil((frames[f] - 1) * SUBSTEPS) - 1;
      lab_steps(s, last);
      claim_below(-lowest(s), 2e-3);
      claim_falls(s, WAYS[k].name);
      simulation_free(s);
    }
}

/* Until it touches nothing is different from a plate that was there before. */
static void what_falls__is_caught_by_a_plate_that_appears(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    if (!can(&WAYS[k]) || WAYS[k].backend == TRIBO_BACKEND_IPOPT) continue;
    plate late = {.form = TRIBO_CONTACT_MESH, .ranges = {8, INFINITY}, .range_count = 1};
    plate there = {.form = TRIBO_CONTACT_MESH, .always = true};
    simulation *a = make(&WAYS[k], &late, 0.2, 1), *b = make(&WAYS[k], &there, 0.2, 1);
    size_t touched = 0;
    for (int i = 0; i < 60; i++) {
      lab_steps(a, 1);
      lab_steps(b, 1);
      lab_same_bits(a, b);
      touched += contacts(a);
    }
    assert_true(touched > 0);
    claim_below(-lowest(a), 1e-3);
    simulation_free(a);
    simulation_free(b);
  }
}

/* It appears in the step within which the cloth would pass, and has no thickness. */
static void sheet_that_appears_in_the_step_of_the_passing__holds(void **unused) {
  (void)unused;
  const int passing = 20; /* steps */
  double fall = LAB_G * STEP * STEP * passing * (passing - 1) / 2;
  for (int k = 0; k < COUNT; k++) {
    if (!can(&WAYS[k])) continue;
    plate p = {.form = TRIBO_CONTACT_MESH,
               .thin = true,
               .top = -fall - 1e-3,
               .ranges = {1 + passing / (double)SUBSTEPS, INFINITY},
               .range_count = 1};
    simulation *s = make(&WAYS[k], &p, 0, 1);
    lab_steps(s, passing - 1);
    claim_near(lowest(s), -fall, 1e-6);
    lab_steps(s, 1);
    assert_true(contacts(s) > 0);
    lab_steps(s, 40);
    claim_below(p.top - lowest(s), 1e-3 * SIZE);
    simulation_free(s);
  }
}

enum { WORDS = 1024 };

static void listen(void *user, tribo_log_level level, const char *message) {
  char *words = user; /* all of them */
  size_t length = strlen(words);
  if (level == TRIBO_LOG_WARNING) snprintf(words + length, WORDS - length, "%s\n", message);
}

/* Falls for a while through where the block will be. */
static void claim_pushed_out(const way *w, const plate *p, double depth) {
  tribo_scene *scene = scene_by(w);
  int before = steps_to(p->ranges[0]) - 1;
  double fall = LAB_G * STEP * STEP * before * (before + 1) / 2, falling = LAB_G * STEP * before;
  lab_add_thing(scene, w->kind, 4, SIZE, vec3_make(0.05, 0, fall - depth));
  add_plate(scene, p);
  char words[WORDS] = "", expected[64];
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, 1, &(log_sink){listen, words}, &s, err));
  tribo_scene_free(scene);
  lab_steps(s, before);
  claim_near(lowest(s), -depth, 1e-6);
  assert_string_equal(words, "");
  snprintf(expected, sizeof expected, "is %.2g", depth);
  double off = p->form == TRIBO_CONTACT_MLS ? 1e-3 : 0, most = 0;
  /* h sqrt(2 g d) a step is not slower than the fall; the last step is short */
  int steps = (int)ceil(sqrt(2 * depth / LAB_G) / STEP) + 2;
  /* a wave in a solid arrives at a free end with twice its speed */
  double bound = (w->kind == TRIBO_SOLID ? 2 : 1.1) * fmax(falling, sqrt(2 * LAB_G * depth));
  if (p->form == TRIBO_CONTACT_MLS && p->by_points) bound += 0.005 / STEP; /* test_contact_inside */
  for (int i = 0; i < steps; i++) {
    lab_steps(s, 1);
    most = fmax(most, fastest(s));
  }
  if (!strstr(words, "object 'thing': vertex ") || (off == 0 && !strstr(words, expected)) ||
      !strstr(words, "inside the surface of 'plate' when that appears, at "))
    fail_msg("%s, form %d, depth %g: '%s'", w->name, p->form, depth, words);
  if (lowest(s) < -1e-3 * SIZE - off || most > bound)
    print_message("%s, form %d, depth %g, by points %d\n", w->name, p->form, depth, p->by_points);
  claim_below(-lowest(s), 1e-3 * SIZE + off);
  claim_below(most, bound);
  lab_steps(s, 50);
  claim_below(-lowest(s), 1e-3 * SIZE + off);
  simulation_free(s);
}

static void what_is_inside_of_what_appears__comes_out(void **unused) {
  (void)unused;
  static const plate blocks[] = {
      {.form = TRIBO_CONTACT_MESH, .ranges = {3, INFINITY}, .range_count = 1},
      {.form = TRIBO_CONTACT_MESH, .by_points = true, .ranges = {3, INFINITY}, .range_count = 1},
      {.form = TRIBO_CONTACT_BOX, .ranges = {3, INFINITY}, .range_count = 1},
      {.form = TRIBO_CONTACT_MLS, .ranges = {3, INFINITY}, .range_count = 1},
      {.form = TRIBO_CONTACT_MLS, .by_points = true, .ranges = {3, INFINITY}, .range_count = 1}};
  for (int k = 0; k < COUNT; k++) {
    /* Ipopt takes a hundred times as long, and is handed the same contacts */
    int count = WAYS[k].backend == TRIBO_BACKEND_IPOPT ? 1 : WAYS[k].kind == TRIBO_CLOTH ? 5 : 3;
    for (int b = 0; b < count && can(&WAYS[k]); b++)
      for (double depth = 0.03; depth < 0.13; depth += 0.09)
        claim_pushed_out(&WAYS[k], &blocks[b], depth);
  }
}

/* Until it appears it is somewhere else: the way from there is not one that it goes. */
static void plate_that_comes_through_while_it_is_away__takes_nothing_along(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    if (!can(&WAYS[k]) || WAYS[k].backend == TRIBO_BACKEND_IPOPT) continue;
    plate jumps = {.form = TRIBO_CONTACT_MESH,
                   .top = -0.2,
                   .ranges = {6, INFINITY},
                   .range_count = 1,
                   .from_above = 3,
                   .arrives = 6};
    plate there = {.form = TRIBO_CONTACT_MESH, .top = -0.2, .always = true};
    simulation *a = make(&WAYS[k], &jumps, 0, 1), *b = make(&WAYS[k], &there, 0, 1);
    lab_steps(a, 70);
    lab_steps(b, 70);
    assert_true(contacts(a) > 0);
    lab_same_bits(a, b);
    simulation_free(a);
    simulation_free(b);
  }
}

/* Cloth that lies on bars between its vertices is held by their edges (surface/sharp_features.h).
 */
static void bars_between_vertices__let_go_when_they_vanish(void **unused) {
  (void)unused;
  const way *fast = &WAYS[5];
  tribo_scene *scene = scene_by(fast);
  lab_add_thing(scene, TRIBO_CLOTH, 2, SIZE, vec3_make(0, 0, 0));
  static const char *const names[] = {"left", "right"};
  static const double ranges[] = {1, 4};
  for (int i = 0; i < 2; i++) {
    mesh bar = scenes_block_shape(1, 0.04, 1, 0.1);
    shape_move(&bar, i ? 0.1 : -0.1, 0, -0.1);
    tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
    def.name = names[i];
    def.surface.contact = TRIBO_CONTACT_MESH;
    def.presence = (tribo_presence_def){true, ranges, 1};
    claim_ok(scenes_add(scene, def, &bar, NULL, err));
  }
  simulation *s = lab_compile(scene, 1);
  lab_steps(s, steps_to(4) - 1);
  claim_below(-lowest(s), 0.02);
  claim_falls(s, "on bars");
  simulation_free(s);
}

static void plate_that_comes_and_goes__gives_the_same_bits(void **unused) {
  (void)unused;
  plate p = {.form = TRIBO_CONTACT_MESH, .top = -0.01, .ranges = {2, 6, 8, 30}, .range_count = 2};
  for (int k = 0; k < COUNT; k++) {
    if (WAYS[k].backend == TRIBO_BACKEND_IPOPT) continue;
    for (int first = 3; first < 32; first += 7) {
      simulation *one = make(&WAYS[k], &p, 0, 1), *two = make(&WAYS[k], &p, 0, 2);
      lab_steps(one, first);
      lab_goes_on_to_the_same_bits(one, two, 40 - first);
      simulation_free(one);
    }
  }
}

/* As if it were not in the scene, and nothing is looked at. */
static void plate_that_is_never_there__is_not_touched(void **unused) {
  (void)unused;
  for (int k = 0; k < COUNT; k++) {
    if (!can(&WAYS[k])) continue;
    plate p = {.form = TRIBO_CONTACT_MESH, .range_count = 0};
    simulation *s = make(&WAYS[k], &p, 0, 1);
    tribo_report report = lab_steps(s, 20);
    claim_near(lab_velocity(s, 0).z, -LAB_G * 20 * STEP, 1e-6);
    assert_int_equal(report.contacts, 0);
    simulation_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_lies_on_a_plate__falls_from_the_step_it_vanishes_in),
      cmocka_unit_test(what_falls__is_caught_by_a_plate_that_appears),
      cmocka_unit_test(sheet_that_appears_in_the_step_of_the_passing__holds),
      cmocka_unit_test(what_is_inside_of_what_appears__comes_out),
      cmocka_unit_test(plate_that_comes_through_while_it_is_away__takes_nothing_along),
      cmocka_unit_test(bars_between_vertices__let_go_when_they_vanish),
      cmocka_unit_test(plate_that_comes_and_goes__gives_the_same_bits),
      cmocka_unit_test(plate_that_is_never_there__is_not_touched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
