/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What starts inside a closed surface is told of and comes out where it is nearest to the outside,
 * within the time of a fall through its depth, and not faster than that fall ends; whatever kind of
 * surface, however deep.
 */
#include "physics/lab_thing.h"

static const double STEP = 0.005, G = 9.81, BLOCK = 1, HEIGHT = 0.4, SIZE = 0.4;

typedef struct block {
  int form;
  bool by_points, projective;
} block;

static void add_block(tribo_scene *scene, const block *b) {
  int n = b->form == TRIBO_CONTACT_MLS ? 20 : 1;
  mesh brick = shape_brick(n, n, n > 1 ? 8 : 1, BLOCK, BLOCK, HEIGHT), skin = shape_skin(&brick);
  mesh_free(&brick);
  shape_move(&skin, -BLOCK / 2, -BLOCK / 2, -HEIGHT);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "block";
  def.surface.contact = b->form;
  if (b->by_points)
    def.motion =
        (tribo_motion_def){.points = skin.positions, .sample_count = 1, .start = 1, .interval = 1};
  claim_ok(scenes_add(scene, def, &skin, NULL, err));
}

static void listen(void *user, tribo_log_level level, const char *message) {
  char *words = user;
  if (level == TRIBO_LOG_WARNING) snprintf(words, 512, "%s", message);
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

/* off: how far a smooth surface may lie off its mesh, in metres. */
static void claim_out(tribo_kind kind, double depth, const block *b, double off) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  if (b->projective) tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  lab_add_thing(scene, kind, 5, SIZE, vec3_make(0.05, 0, -depth));
  add_block(scene, b);
  char words[512] = "", expected[64];
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, 1, &(log_sink){listen, words}, &s, err));
  tribo_scene_free(scene);
  snprintf(expected, sizeof expected, "starts %.2g", depth);
  if (!strstr(words, "object 'thing': vertex ") || (off == 0 && !strstr(words, expected)) ||
      !strstr(words, "inside the surface of 'block'"))
    fail_msg("kind %d, form %d, depth %g: '%s'", (int)kind, b->form, depth, words);
  /* h sqrt(2 g d) a step is not slower than the fall; the last step is short */
  int steps = (int)ceil(sqrt(2 * depth / G) / STEP) + 2;
  /* a wave in a solid arrives at a free end with twice its speed */
  double bound = (kind == TRIBO_SOLID ? 2 : 1.1) * sqrt(2 * G * (depth + off)), most = 0;
  for (int i = 0; i < steps; i++) {
    lab_steps(s, 1);
    most = fmax(most, fastest(s));
  }
  if (lowest(s) < -1e-4 * SIZE - off || most > bound)
    print_message("kind %d, form %d, depth %g, by points %d\n", (int)kind, b->form, depth,
                  b->by_points);
  claim_below(-lowest(s), 1e-4 * SIZE + off);
  claim_below(most, bound);
  for (int i = 0; i < 100; i++) lab_steps(s, 1);
  claim_below(-lowest(s), 1e-4 * SIZE + off);
  claim_below(lowest(s), 1e-3 * SIZE + off);
  simulation_free(s);
}

static const double DEPTHS[] = {0.002, 0.02, 0.15};

static void cloth__comes_out_of_any_surface(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    claim_out(TRIBO_CLOTH, DEPTHS[k], &(block){.form = TRIBO_CONTACT_BOX}, 0);
    claim_out(TRIBO_CLOTH, DEPTHS[k], &(block){.form = TRIBO_CONTACT_MESH}, 0);
    claim_out(TRIBO_CLOTH, DEPTHS[k], &(block){.form = TRIBO_CONTACT_MESH, .by_points = true}, 0);
  }
}

static void cloth__comes_out_of_smooth_surfaces(void **unused) {
  (void)unused;
  for (int k = 1; k < 3; k++) {
    claim_out(TRIBO_CLOTH, DEPTHS[k], &(block){.form = TRIBO_CONTACT_MLS}, 1e-3);
    claim_out(TRIBO_CLOTH, DEPTHS[k], &(block){.form = TRIBO_CONTACT_MLS, .by_points = true}, 1e-3);
  }
}

static void bodies__come_out(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++)
    for (int kind = TRIBO_SOLID; kind <= TRIBO_RIGID; kind++) {
      claim_out((tribo_kind)kind, DEPTHS[k], &(block){.form = TRIBO_CONTACT_MESH}, 0);
      claim_out((tribo_kind)kind, DEPTHS[k], &(block){.form = TRIBO_CONTACT_BOX}, 0);
    }
}

static void projective_cloth__comes_out(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++)
    claim_out(TRIBO_CLOTH, DEPTHS[k], &(block){.form = TRIBO_CONTACT_MESH, .projective = true}, 0);
}

/* A state holds all that the way out depends on. */
static void way_out__goes_on_to_the_same_bits(void **unused) {
  (void)unused;
  static const block blocks[] = {{.form = TRIBO_CONTACT_MESH},
                                 {.form = TRIBO_CONTACT_MLS},
                                 {.form = TRIBO_CONTACT_MESH, .projective = true}};
  for (int k = 0; k < 3; k++) {
    simulation *s[2];
    for (int j = 0; j < 2; j++) {
      tribo_scene *scene = lab_scene();
      lab_time(scene, STEP);
      if (blocks[k].projective) tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
      lab_add_thing(scene, TRIBO_CLOTH, 5, SIZE, vec3_make(0.05, 0, -0.15));
      add_block(scene, &blocks[k]);
      s[j] = lab_compile(scene, 1 + j);
    }
    lab_steps(s[0], 5);
    assert_true(lowest(s[0]) < -0.05);
    state half_way = lab_copy(s[0]);
    lab_put_back(s[1], &half_way);
    for (int j = 0; j < 2; j++) lab_steps(s[j], 40);
    size_t bytes = simulation_state(s[0])->node_count * sizeof(vec3);
    assert_memory_equal(simulation_state(s[0])->x, simulation_state(s[1])->x, bytes);
    claim_below(-lowest(s[0]), 1e-3);
    for (int j = 0; j < 2; j++) simulation_free(s[j]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth__comes_out_of_any_surface),
      cmocka_unit_test(cloth__comes_out_of_smooth_surfaces),
      cmocka_unit_test(bodies__come_out),
      cmocka_unit_test(projective_cloth__comes_out),
      cmocka_unit_test(way_out__goes_on_to_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
