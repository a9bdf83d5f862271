/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Soft cubes of 0.3 m that fall on each other on a floor, at quality good, with nothing else set.
 */
#include "core/geom/skins.h"
#include "physics/lab.h"
#include "scenes/shapes_turned.h"
#include "tribo/sim.h"

enum { CUBES = 3, CELLS = 3, FRAMES = 48, VERTICES = (CELLS + 1) * (CELLS + 1) * (CELLS + 1) };
static const double SIDE = 0.3, GAP = 0.03;

typedef struct heard {
  char words[4096];
} heard;

static void listen(void *user, tribo_log_level level, const char *message) {
  heard *h = user;
  size_t used = strlen(h->words);
  if (level >= TRIBO_LOG_WARNING)
    snprintf(h->words + used, sizeof h->words - used, "%s\n", message);
}

static void add_floor(tribo_scene *scene) {
  mesh sheet = shape_sheet(4, 4, 4, 4);
  shape_move(&sheet, -2, -2, 0);
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "floor";
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
}

static tribo_sim *simulated(tribo_scene *scene, heard *h) {
  tribo_sim *sim;
  claim_ok(tribo_scene_set(scene, "quality", "good", err));
  tribo_sim_options options = {.threads = 1, .log = listen, .log_user = h};
  claim_ok(tribo_sim_create(scene, &options, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

static tribo_sim *pile(double young, heard *h) {
  tribo_scene *scene = lab_scene();
  add_floor(scene);
  static const double aside[CUBES] = {0, 0.03, -0.02}, turned[CUBES] = {0, 0.2, 0.5};
  static const char *const names[CUBES] = {"low", "middle", "high"};
  for (int k = 0; k < CUBES; k++) {
    mesh cube = shape_block(CELLS, CELLS, CELLS, SIDE, SIDE, SIDE);
    shape_move(&cube, -SIDE / 2, -SIDE / 2, 0);
    shape_turn(&cube, 2, turned[k]);
    shape_move(&cube, aside[k], 0, 0.02 + (SIDE + GAP) * k);
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = names[k];
    def.solid.young = young;
    def.solid.damping_stiffness = 0.004;
    claim_ok(scenes_add(scene, def, &cube, NULL, err));
  }
  return simulated(scene, h);
}

static double mean_height(tribo_sim *sim, size_t object) {
  double sum = 0;
  for (int i = 0; i < VERTICES; i++) sum += tribo_sim_positions(sim, object)[3 * i + 2];
  return sum / VERTICES;
}

static double largest_way(tribo_sim *sim, size_t object, const double *before) {
  const double *now = tribo_sim_positions(sim, object);
  double way = 0;
  for (int i = 0; i < 3 * VERTICES; i += 3)
    way = fmax(way, vec3_norm(vec3_sub(vec3_from(now + i), vec3_from(before + i))));
  return way;
}

/* Firmer, a column of them does not buckle under its own weight: h^3 = 7.84 E I / (rho g A), 0.84 m
 * for 0.1 MPa. */
static void claim_stands(double young) {
  heard h = {{0}};
  tribo_sim *sim = pile(young, &h);
  static double before[CUBES][3 * VERTICES];
  tribo_report report;
  for (int frame = 1; frame < FRAMES; frame++) {
    for (size_t k = 0; k < CUBES; k++)
      memcpy(before[k], tribo_sim_positions(sim, k), sizeof before[0]);
    claim_ok(tribo_sim_frame(sim, &report, err));
    assert_int_equal(report.rough, 0);
  }
  assert_int_equal(report.crossings, 0);
  for (size_t k = 0; k < CUBES; k++) {
    double height = mean_height(sim, k), way = largest_way(sim, k, before[k]);
    print_message("    %.1e Pa: cube %zu at %.3f m, %.2f mm a frame\n", young, k, height,
                  1e3 * way);
    claim_near(height, SIDE * ((double)k + 0.5), 0.1 * SIDE * (double)(k + 1));
    claim_below(way, 0.002);
  }
  assert_string_equal(h.words, "");
  tribo_sim_free(sim);
}

static void firm_cubes__stack_and_come_to_rest(void **unused) {
  (void)unused;
  claim_stands(3e5);
  claim_stands(1e6);
}

/* Squeezed to half their height: by the energies of the other methods' material there would be a
 * quarter more than there was. */
static void squeezed_cubes__are_not_said_to_gain_energy(void **unused) {
  (void)unused;
  heard h = {{0}};
  tribo_sim *sim = pile(3e4, &h);
  double lowest = INFINITY;
  for (int frame = 1; frame < 12; frame++) {
    tribo_report report;
    claim_ok(tribo_sim_frame(sim, &report, err));
    assert_int_equal(report.rough & TRIBO_ROUGH_ENERGY, 0);
    lowest = fmin(lowest, mean_height(sim, 0));
  }
  claim_below(lowest, 0.35 * SIDE); /* of 0.5 */
  tribo_sim_free(sim);
}

/* The vertices of a lattice are no nodes, and the fast method has no contacts between them. */
static void lattice__is_told_to_touch_colliders_alone(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  add_floor(scene);
  arena memory = {0};
  for (int k = 0; k < 2; k++) {
    skin box = skin_bar(3, 3, 3, vec3_make(0.1, 0.1, 0.1), &memory);
    for (size_t i = 0; i < box.vertex_count; i++) box.vertices[i].z += 0.1 + 0.25 * k;
    tribo_object_def def = tribo_object_default(TRIBO_SOLID);
    def.name = k ? "upper" : "lower";
    def.positions = &box.vertices->x;
    def.vertex_count = box.vertex_count;
    def.triangles = box.triangles;
    def.triangle_count = box.triangle_count;
    tribo_fill_params fill = tribo_fill_defaults();
    fill.from = k ? TRIBO_TETS_LATTICE : TRIBO_TETS_FILL;
    fill.cells = 3;
    claim_ok(tribo_scene_add_filled(scene, &def, &fill, NULL, err));
  }
  heard h = {{0}};
  tribo_sim *sim = simulated(scene, &h);
  assert_non_null(strstr(h.words, "object 'upper' is carried by a lattice"));
  assert_null(strstr(h.words, "object 'lower' is carried"));
  tribo_sim_free(sim);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(firm_cubes__stack_and_come_to_rest),
                                     cmocka_unit_test(squeezed_cubes__are_not_said_to_gain_energy),
                                     cmocka_unit_test(lattice__is_told_to_touch_colliders_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
