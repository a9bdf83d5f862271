/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_rest: a tablecloth, a curtain and a flag without wind at quality good, of the cloth presets
 * of plugin_blender/logic/presets.py.
 */
#ifndef TESTS_PHYSICS_LAB_REST_H
#define TESTS_PHYSICS_LAB_REST_H

#include "lab.h"
#include "tribo/sim.h"

enum { REST_SIDE = 9, REST_VERTICES = REST_SIDE * REST_SIDE, REST_SQUARES = 8 * 8 };

typedef struct rest_material {
  const char *name;
  double density, stretch, shear, bend, mu, damping;
} rest_material;

static const rest_material REST_COTTON = {"cotton", 0.13, 8e3, 50, 8e-6, 0.5, 3},
                           REST_SILK = {"silk", 0.07, 1e4, 17, 2e-6, 0.3, 3},
                           REST_DENIM = {"denim", 0.4, 1e4, 120, 2e-5, 0.5, 4},
                           REST_LEATHER = {"leather", 0.9, 2e4, 7.5e3, 3e-4, 0.6, 3};

static const double REST_DRAG = 1.2;

/* A sheet of u by v metres with its middle at `at`, waved by a little so that it can fold. */
static inline void rest_sheet(tribo_scene *scene, const rest_material *of, const char *name, vec3 u,
                              vec3 v, vec3 at, const tribo_pin_def *pin) {
  double positions[3 * REST_VERTICES];
  int32_t triangles[6 * REST_SQUARES];
  vec3 across = vec3_normalized(vec3_cross(u, v));
  for (int j = 0, n = 0; j < REST_SIDE; j++)
    for (int i = 0; i < REST_SIDE; i++, n += 3) {
      vec3 p = vec3_madd(vec3_madd(at, i / 8.0 - 0.5, u), j / 8.0 - 0.5, v);
      p = vec3_madd(p, 0.02 * sin(1.1 * i), across);
      memcpy(&positions[n], &p, sizeof p);
    }
  for (int j = 0, n = 0; j < REST_SIDE - 1; j++)
    for (int i = 0; i < REST_SIDE - 1; i++, n += 6) {
      int32_t a = j * REST_SIDE + i, b = a + 1, c = a + REST_SIDE, d = c + 1;
      memcpy(&triangles[n], (int32_t[]){a, b, d, a, d, c}, 6 * sizeof(int32_t));
    }
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = name;
  def.positions = positions;
  def.vertex_count = REST_VERTICES;
  def.triangles = triangles;
  def.triangle_count = 2 * REST_SQUARES;
  def.pins = pin;
  def.pin_count = pin ? 1 : 0;
  def.cloth.density = of->density;
  def.cloth.stretch = of->stretch;
  def.cloth.shear = of->shear;
  def.cloth.bend = of->bend;
  def.cloth.damping_mass = of->damping;
  def.object.drag = REST_DRAG;
  def.surface.mu = of->mu;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
}

static inline void rest_table(tribo_scene *scene) {
  double positions[24];
  static const int32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  for (int i = 0; i < 8; i++)
    memcpy(&positions[3 * i],
           (double[]){i & 1 ? 0.35 : -0.35, i & 2 ? 0.35 : -0.35, i & 4 ? 0.775 : 0.725},
           3 * sizeof(double));
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "table";
  def.positions = positions;
  def.vertex_count = 8;
  def.triangles = triangles;
  def.triangle_count = 12;
  def.surface.mu = 0.4;
  claim_ok(tribo_scene_add(scene, &def, NULL, err));
}

static inline tribo_sim *rest_simulation(const rest_material *of) {
  tribo_scene *scene = lab_scene();
  int32_t top[5], side[REST_SIDE];
  for (int i = 0; i < 5; i++) top[i] = 8 * REST_SIDE + 2 * i;
  for (int i = 0; i < REST_SIDE; i++) side[i] = i * REST_SIDE;
  tribo_pin_def rail = {.vertices = top, .vertex_count = 5, .params = tribo_pin_defaults()};
  tribo_pin_def pole = {
      .vertices = side, .vertex_count = REST_SIDE, .params = tribo_pin_defaults()};
  vec3 x = {1.2, 0, 0}, y = {0, 1.2, 0}, z = {0, 0, 1};
  rest_sheet(scene, of, "tablecloth", x, y, vec3_make(0, 0, 0.85), NULL);
  rest_sheet(scene, of, "curtain", x, z, vec3_make(3, 0, 1), &rail);
  rest_sheet(scene, of, "flag", x, vec3_scale(0.8, z), vec3_make(-3, 0, 2), &pole);
  rest_table(scene);
  claim_ok(tribo_scene_set(scene, "quality", "good", err));
  tribo_sim *sim;
  claim_ok(tribo_sim_create(scene, &(tribo_sim_options){.threads = 1}, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

/* The way of the fastest vertex in the frame that follows after `seconds`, in metres. */
static inline double rest_way(tribo_sim *sim, double seconds) {
  vec3 before[3 * REST_VERTICES];
  while (tribo_sim_time(sim) < seconds - 1e-9) claim_ok(tribo_sim_frame(sim, NULL, err));
  for (size_t k = 0; k < 3; k++)
    memcpy(&before[k * REST_VERTICES], tribo_sim_positions(sim, k), REST_VERTICES * sizeof(vec3));
  claim_ok(tribo_sim_frame(sim, NULL, err));
  double way = 0;
  for (size_t k = 0; k < 3; k++)
    for (size_t v = 0; v < REST_VERTICES; v++) {
      vec3 now = vec3_from(tribo_sim_positions(sim, k) + 3 * v);
      way = fmax(way, vec3_norm(vec3_sub(now, before[k * REST_VERTICES + v])));
    }
  return way;
}

/* A second to fall, and three to rest. */
static inline void rest_claim(const rest_material *of) {
  tribo_sim *sim = rest_simulation(of);
  assert_true(rest_way(sim, 0.25) > 0.005); /* it did fall */
  double way = rest_way(sim, 4);
  print_message("%s: %.2f mm a frame after 4 s\n", of->name, 1000 * way);
  claim_below(way, 0.001);
  tribo_sim_free(sim);
}

#endif
