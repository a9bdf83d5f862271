/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solids that came as a surface: what their vertices do, in tets that fit and in a lattice.
 */
#include "core/geom/skins.h"
#include "geom/closed.h"
#include "geom/tetrahedralise.h"
#include "lab.h"

/* A scene's object from a surface; `made` is freed by the caller once it was added. */
static tribo_object_def caged(const skin *s, int from, int cells, double size, tribo_tets *made) {
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.name = "blob";
  def.positions = &s->vertices->x;
  def.vertex_count = s->vertex_count;
  def.triangles = s->triangles;
  def.triangle_count = s->triangle_count;
  tribo_fill_params p = tribo_fill_defaults();
  p.from = from;
  p.cells = cells;
  p.size = size;
  claim_ok(tribo_fill_tets(&def, &p, made, err));
  def.cage = made->nodes;
  def.cage_count = made->node_count;
  def.tets = made->tets;
  def.tet_count = made->tet_count;
  return def;
}

static simulation *simulated(tribo_object_def *def, tribo_tets *made, double h) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, h);
  claim_ok(tribo_scene_add(scene, def, NULL, err));
  tribo_tets_free(made);
  return lab_simulation(scene);
}

static const int FROM[2] = {TRIBO_TETS_LATTICE, TRIBO_TETS_FILL};

/* How firmly a hard pin holds, in metres. The rim of a lattice is 1e-9 of its size wider than the
 * surface: nodes that have no more than that of a vertex are left free, and move by decimetres. */
static const double FIRM[2] = {1e-9, 1e-14};

static int ways(void) {
  if (tetrahedralise_available()) return 2;
  print_message("lattice only: the program tetgen is not there (scripts/setup installs it)\n");
  return 1;
}

/* Backward Euler: after n steps -g h^2 n (n + 1)/2, for every vertex. */
static void a_falling_body_takes_its_skin_along(void **memory) {
  for (int way = 0; way < ways(); way++) {
    skin s = skin_sphere(6, 0.5, *memory);
    tribo_tets made;
    tribo_object_def def = caged(&s, FROM[way], 8, 0, &made);
    simulation *sim = simulated(&def, &made, 0.01);
    assert_int_equal(simulation_model(sim)->vertex_count, s.vertex_count);
    lab_steps(sim, 10);
    const vec3 *x = simulation_positions(sim);
    for (size_t i = 0; i < s.vertex_count; i++) {
      vec3 fallen = vec3_add(s.vertices[i], vec3_make(0, 0, -9.81 * 1e-4 * 55));
      claim_below(vec3_norm(vec3_sub(x[i], fallen)), 1e-8);
      claim_near(simulation_velocities(sim)[i].z, -9.81 * 0.1, 1e-7);
    }
    simulation_free(sim);
  }
}

/* Mass is density times the volume inside: to rounding where tets fit, and as well as 20 places a
 * tet tell where they reach beyond. */
static void a_body_weighs_what_its_surface_encloses(void **memory) {
  for (int way = 0; way < ways(); way++)
    for (int shape = 0; shape < 3; shape++) {
      skin s =
          shape == 0 ? skin_sphere(12, 0.5, *memory) : skin_box(4, vec3_make(1, .3, .2), *memory);
      double volume = closed_volume(s.vertices, s.triangles, s.triangle_count);
      for (size_t i = 0; shape == 2 && i < s.vertex_count; i++) { /* turned against the lattice */
        vec3 p = s.vertices[i];
        s.vertices[i] = vec3_make(0.6 * p.x - 0.8 * p.y, 0.48 * p.x + 0.36 * p.y - 0.8 * p.z,
                                  0.64 * p.x + 0.48 * p.y + 0.6 * p.z);
      }
      tribo_tets made;
      tribo_object_def def = caged(&s, FROM[way], 15, 0, &made);
      simulation *sim = simulated(&def, &made, 0.01);
      double mass = lab_mass(sim);
      print_message("%s, shape %d: mass is %+.3f %% off\n", way ? "fill" : "lattice", shape,
                    100 * (mass / (1000 * volume) - 1));
      claim_near(mass, 1000 * volume, (way ? 1e-12 : 0.02) * 1000 * volume);
      simulation_free(sim);
    }
}

/* Vertices of the end x = -half are held; returns them. */
static size_t end_of(const skin *s, int32_t *out) {
  double least = INFINITY;
  for (size_t i = 0; i < s->vertex_count; i++) least = fmin(least, s->vertices[i].x);
  size_t count = 0;
  for (size_t i = 0; i < s->vertex_count; i++)
    if (s->vertices[i].x < least + 1e-9) out[count++] = (int32_t)i;
  return count;
}

/* A bar of 1 x 0.2 x 0.2 m. */
static skin bar(int across, arena *memory) {
  return skin_bar(5 * across, across, across, vec3_make(0.5, 0.1, 0.1), memory);
}

enum { END = 25 }; /* vertices of an end of bar(4) */

static void hard_pins_hold_the_skin_where_it_is_and_the_rest_sags(void **memory) {
  for (int way = 0; way < ways(); way++) {
    skin s = bar(4, *memory);
    int32_t held[200];
    tribo_pin_def pin = {.vertices = held, .vertex_count = end_of(&s, held)};
    assert_int_equal(pin.vertex_count, END);
    tribo_tets made;
    tribo_object_def def = caged(&s, FROM[way], 13, 0, &made);
    def.pins = &pin;
    def.pin_count = 1;
    simulation *sim = simulated(&def, &made, 0.02);
    lab_steps(sim, 10);
    const vec3 *x = simulation_positions(sim);
    for (size_t i = 0; i < pin.vertex_count; i++)
      claim_below(vec3_norm(vec3_sub(x[held[i]], s.vertices[held[i]])), FIRM[way]);
    assert_true(x[s.vertex_count - 1].z < s.vertices[s.vertex_count - 1].z - 0.01);
    simulation_free(sim);
  }
}

/* The end turns about the bar and moves: all its vertices stand where they are told, between
 * samples too, where targets go straight. */
static void hard_pins_that_move_rigidly_are_followed_exactly(void **memory) {
  for (int way = 0; way < ways(); way++) {
    skin s = bar(4, *memory);
    int32_t held[200];
    double targets[2 * 3 * END];
    tribo_pin_def pin = {.vertices = held,
                         .vertex_count = end_of(&s, held),
                         .targets = targets,
                         .target_count = 2,
                         .target_start = 1,
                         .target_interval = 5};
    for (size_t i = 0; i < END; i++) {
      vec3 p = s.vertices[held[i]];
      vec3 turned = vec3_make(p.x + 0.1, 0.8 * p.y - 0.6 * p.z, 0.6 * p.y + 0.8 * p.z + 0.05);
      memcpy(targets + 3 * i, &p, sizeof p);
      memcpy(targets + 3 * (END + i), &turned, sizeof turned);
    }
    tribo_tets made;
    tribo_object_def def = caged(&s, FROM[way], 13, 0, &made);
    def.pins = &pin;
    def.pin_count = 1;
    simulation *sim = simulated(&def, &made, 0.02);
    for (int step = 1; step <= 7; step++) {
      lab_steps(sim, 1);
      double u = fmin(1, step / 5.0);
      for (size_t i = 0; i < END; i++) {
        vec3 a = vec3_from(targets + 3 * i), b = vec3_from(targets + 3 * (END + i));
        vec3 wanted = vec3_madd(a, u, vec3_sub(b, a));
        claim_below(vec3_norm(vec3_sub(simulation_positions(sim)[held[i]], wanted)), FIRM[way]);
      }
    }
    simulation_free(sim);
  }
}

/* Springs carry the weight: k times the sum of the pinned vertices' sag is m g, whatever the tets,
 * because the weights of a vertex sum to 1 and those of a node's springs to its share. */
static void soft_pins_bear_the_weight(void **memory) {
  for (int way = 0; way < ways(); way++) {
    skin s = skin_sphere(5, 0.2, *memory);
    int32_t held[400];
    for (size_t i = 0; i < s.vertex_count; i++) held[i] = (int32_t)i;
    tribo_pin_def pin = {.vertices = held, .vertex_count = s.vertex_count};
    pin.params.stiffness = 50;
    tribo_tets made;
    tribo_object_def def = caged(&s, FROM[way], 6, 0, &made);
    def.pins = &pin;
    def.pin_count = 1;
    def.solid.damping_mass = 5;
    simulation *sim = simulated(&def, &made, 0.05);
    double weight = 9.81 * lab_mass(sim);
    lab_settle(sim, 1e-14, 400);
    double sum = 0;
    for (size_t i = 0; i < s.vertex_count; i++)
      sum += s.vertices[i].z - simulation_positions(sim)[i].z;
    claim_near(50 * sum, weight, 1e-4 * weight);
    simulation_free(sim);
  }
}

static double tip_sag(const skin *s, int from, int cells, double size, size_t *nodes) {
  int32_t held[200];
  tribo_pin_def pin = {.vertices = held, .vertex_count = end_of(s, held)};
  tribo_tets made;
  tribo_object_def def = caged(s, from, cells, size, &made);
  *nodes = made.node_count;
  def.pins = &pin;
  def.pin_count = 1;
  def.solid.young = 2e6;
  def.solid.poisson = 0.3;
  simulation *sim = simulated(&def, &made, 1); /* so long a step leaves no swing */
  lab_settle(sim, 1e-12, 60);
  double sag = 0;
  size_t tip = 0;
  for (size_t i = 0; i < s->vertex_count; i++)
    if (s->vertices[i].x > 0.5 - 1e-9) {
      sag += s->vertices[i].z - simulation_positions(sim)[i].z;
      tip++;
    }
  simulation_free(sim);
  return sag / (double)tip;
}

/* Euler and Timoshenko: w = q L^4 / (8 E I) + q L^2 / (2 k G A), k = 5/6. Linear tets are stiffer
 * than the bar they stand for, by what a coarse mesh costs in either way. */
static void a_bar_sags_alike_in_tets_that_fit_and_in_a_lattice(void **memory) {
  skin s = bar(6, *memory);
  double area = 0.04, inertia = 0.2 * 0.2 * 0.2 * 0.2 / 12, load = 1000 * 9.81 * area;
  double beam = load / (8 * 2e6 * inertia) + load / (2 * 5.0 / 6 * (2e6 / 2.6) * area);
  size_t nodes[3];
  double aligned = tip_sag(&s, TRIBO_TETS_LATTICE, 30, 0, &nodes[0]);
  double oblique = tip_sag(&s, TRIBO_TETS_LATTICE, 27, 0, &nodes[1]);
  print_message("beam %.5f m; lattice of 30: %.5f m, %zu nodes; of 27: %.5f m, %zu nodes\n", beam,
                aligned, nodes[0], oblique, nodes[1]);
  claim_near(aligned, beam, 0.15 * beam);
  claim_near(oblique, beam, 0.15 * beam);
  if (ways() == 1) return;
  double fit = tip_sag(&s, TRIBO_TETS_FILL, 1, 0.04, &nodes[2]);
  print_message("fill: %.5f m, %zu nodes\n", fit, nodes[2]);
  claim_near(fit, beam, 0.15 * beam);
  claim_near(aligned, fit, 0.05 * fit);
  claim_near(oblique, fit, 0.1 * fit);
}

static void threads_do_not_change_a_bit(void **memory) {
  skin s = skin_sphere(6, 0.5, *memory);
  int32_t held[3] = {0, 1, 2};
  tribo_pin_def pin = {.vertices = held, .vertex_count = 3};
  vec3 *kept = NULL;
  for (int threads = 1; threads <= 2; threads++) {
    tribo_tets made;
    tribo_object_def def = caged(&s, TRIBO_TETS_LATTICE, 9, 0, &made);
    def.pins = &pin;
    def.pin_count = 1;
    tribo_scene *scene = lab_scene();
    claim_ok(tribo_scene_add(scene, &def, NULL, err));
    tribo_tets_free(&made);
    simulation *sim = NULL;
    claim_ok(compile_simulation(scene, threads, NULL, &sim, err));
    tribo_scene_free(scene);
    lab_steps(sim, 4);
    if (threads == 1) {
      kept = malloc(s.vertex_count * sizeof *kept);
      memcpy(kept, simulation_positions(sim), s.vertex_count * sizeof *kept);
    } else {
      assert_memory_equal(kept, simulation_positions(sim), s.vertex_count * sizeof *kept);
    }
    simulation_free(sim);
  }
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(a_falling_body_takes_its_skin_along),
      CLAIM(a_body_weighs_what_its_surface_encloses),
      CLAIM(hard_pins_hold_the_skin_where_it_is_and_the_rest_sags),
      CLAIM(hard_pins_that_move_rigidly_are_followed_exactly),
      CLAIM(soft_pins_bear_the_weight),
      CLAIM(a_bar_sags_alike_in_tets_that_fit_and_in_a_lattice),
      CLAIM(threads_do_not_change_a_bit),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
