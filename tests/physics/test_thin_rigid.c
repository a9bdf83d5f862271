/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigid bodies on what is thin, narrow or pointed: between their vertices they are held by their
 * edges and faces. What is claimed is counted on the meshes (lab_pierced.h).
 */
#include "physics/lab_pierced.h"
#include "scenes/scenes_parts.h"

/* What a judge of pictures lets pass of what rests, and what a step leaves of what hits, m. */
static const double SEEN = 1e-5, HIT = 2e-4;

static void add(tribo_scene *scene, tribo_kind kind, const char *name, mesh shape, vec3 at,
                vec3 velocity) {
  tribo_object_def def = tribo_object_default(kind);
  def.name = name;
  if (kind != TRIBO_COLLIDER)
    for (int c = 0; c < 3; c++) def.object.velocity[c] = (&velocity.x)[c];
  shape_move(&shape, at.x, at.y, at.z);
  claim_ok(scenes_add(scene, def, &shape, NULL, err));
}

static void put(tribo_scene *scene, tribo_kind kind, const char *name, mesh shape, double x,
                double y, double z) {
  add(scene, kind, name, shape, vec3_make(x, y, z), vec3_make(0, 0, 0));
}

/* A block about its centre, of eight vertices. */
static mesh block(double x, double y, double z) {
  mesh b = scenes_block_shape(1, x, y, z);
  shape_move(&b, 0, 0, -z / 2);
  return b;
}

/* Along the x axis, about its centre; of so many sides. */
static mesh rod(int sides, double radius, double length) {
  mesh m = shape_cylinder(sides, radius, length);
  double middle = 0;
  for (size_t v = 0; v < m.vertex_count; v++)
    middle += m.positions[3 * v + 2] / (double)m.vertex_count;
  shape_move(&m, 0, 0, -middle);
  shape_turn(&m, 1, LAB_PI / 2);
  return m;
}

/* Four sides and a tip at the origin. */
static mesh spike(double half, double height) {
  mesh m = shape_new(5, 6, 0);
  const double at[] = {-half,   -half, -height, half,    -half, -height, half, half,
                       -height, -half, half,    -height, 0,     0,       0};
  const int32_t sides[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 0, 2, 1, 0, 3, 2};
  memcpy(m.positions, at, sizeof at);
  memcpy(m.triangles, sides, sizeof sides);
  return m;
}

static tribo_scene *lab(void) {
  tribo_scene *scene = lab_scene();
  lab_time(scene, 1.0 / 192);
  tribo_scene_friction(scene)->mu = 0.5;
  tribo_scene_solver(scene)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  return scene;
}

typedef struct end {
  double deepest, last, fastest; /* m, the last in the end; m/s */
  vec3 centre;                   /* of body 0 */
} end;

static end run(tribo_scene *scene, int steps) {
  simulation *s = lab_compile(scene, 1);
  end e = {0};
  for (int k = 0; k < steps; k++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    if (k % 4 != 3 && k + 1 != steps) continue;
    lab_pierced found = lab_pierce(s);
    e.deepest = fmax(e.deepest, found.deepest);
    e.last = found.deepest;
    if (found.deepest > SEEN)
      print_message("step %d, rough %u: mesh %zu is %.3g mm in %zu at %.4f %.4f %.4f\n", k,
                    report.rough, found.a, 1e3 * found.deepest, found.b, found.at.x, found.at.y,
                    found.at.z);
  }
  for (size_t i = 0; i < simulation_state(s)->node_count; i++)
    e.fastest = fmax(e.fastest, vec3_norm(simulation_state(s)->v[i]));
  e.centre = lab_centre(s, 0);
  print_message("deepest %.2g mm, fastest %.2g m/s, centre %.6f %.6f %.6f\n", 1e3 * e.deepest,
                e.fastest, e.centre.x, e.centre.y, e.centre.z);
  simulation_free(s);
  return e;
}

static void holds(end e, double height) {
  claim_below(e.deepest, SEEN);
  claim_below(e.fastest, 1e-3);
  claim_near(e.centre.z, height, SEEN);
}

/* The rails run along x, a third of the crate apart. */
static void crate_on_two_rails__rests(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  put(scene, TRIBO_RIGID, "crate", block(0.3, 0.3, 0.3), 0, 0, 0.172);
  put(scene, TRIBO_COLLIDER, "left", block(2, 0.03, 0.04), 0, -0.05, 0);
  put(scene, TRIBO_COLLIDER, "right", block(2, 0.03, 0.04), 0, 0.05, 0);
  holds(run(scene, 120), 0.17);
}

static void crate_on_short_bars__rests(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  put(scene, TRIBO_RIGID, "crate", block(0.3, 0.3, 0.3), 0, 0, 0.172);
  put(scene, TRIBO_COLLIDER, "left", block(0.2, 0.03, 0.04), 0.01, -0.05, 0);
  put(scene, TRIBO_COLLIDER, "right", block(0.2, 0.03, 0.04), -0.01, 0.05, 0);
  holds(run(scene, 120), 0.17);
}

static void box_on_a_spike__stays_on_its_tip(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  put(scene, TRIBO_RIGID, "box", block(0.2, 0.2, 0.1), 0, 0, 0.051);
  put(scene, TRIBO_COLLIDER, "spike", spike(0.05, 0.3), 0, 0, 0);
  end e = run(scene, 60); /* it stands in balance, which will not last for ever */
  claim_below(e.deepest, SEEN);
  claim_near(e.centre.z, 0.05, SEEN);
}

static void box_on_spikes__rests(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  put(scene, TRIBO_RIGID, "box", block(0.2, 0.2, 0.1), 0, 0, 0.051);
  put(scene, TRIBO_COLLIDER, "one", spike(0.02, 0.3), 0.05, 0.003, 0);
  put(scene, TRIBO_COLLIDER, "two", spike(0.02, 0.3), -0.03, 0.05, 0);
  put(scene, TRIBO_COLLIDER, "three", spike(0.02, 0.3), -0.03, -0.05, 0);
  holds(run(scene, 120), 0.05);
}

static void box_on_the_edge_of_a_table__rests_or_falls(void **unused) {
  (void)unused;
  for (int over = 0; over < 2; over++) {
    tribo_scene *scene = lab();
    put(scene, TRIBO_RIGID, "box", block(0.2, 0.2, 0.1), over ? 0.03 : -0.03, 0, 0.051);
    put(scene, TRIBO_COLLIDER, "table", block(1, 1, 0.04), -0.5, 0, -0.02);
    if (!over) {
      holds(run(scene, 120), 0.05);
      continue;
    }
    end e = run(scene, 120);
    claim_below(e.deepest, HIT);
    claim_below(e.last, SEEN);
    claim_below(e.centre.z, -0.1);
  }
}

static void plank_across_wires__rests(void **unused) {
  (void)unused;
  static const double radius[] = {0.002, 0.005};
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = lab();
    put(scene, TRIBO_RIGID, "plank", block(0.1, 1, 0.02), 0, 0, radius[k] + 0.011);
    put(scene, TRIBO_COLLIDER, "left", rod(8, radius[k], 1), 0, -0.31, 0);
    put(scene, TRIBO_COLLIDER, "right", rod(8, radius[k], 1), 0, 0.27, 0);
    mesh wire = rod(8, radius[k], 1);
    double top = 0;
    for (size_t v = 0; v < wire.vertex_count; v++) top = fmax(top, wire.positions[3 * v + 2]);
    mesh_free(&wire);
    holds(run(scene, 120), top + 0.01);
  }
}

/* A box leans over a short bar and a floor: its faces lie on corners of both. */
static void box_thrown_at_bars__never_goes_in(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  mesh box = block(0.2, 0.15, 0.1);
  shape_turn(&box, 0, 0.4);
  shape_turn(&box, 1, 0.3);
  add(scene, TRIBO_RIGID, "box", box, vec3_make(0, 0, 0.4), vec3_make(0.7, 0.2, -1));
  put(scene, TRIBO_COLLIDER, "floor", block(3, 3, 0.1), 0, 0, -0.05);
  put(scene, TRIBO_COLLIDER, "bar", block(0.1, 0.04, 0.1), 0.03, 0.02, 0.05);
  put(scene, TRIBO_COLLIDER, "rod", rod(12, 0.01, 0.6), 0.2, 0.1, 0.08);
  end e = run(scene, 240);
  claim_below(e.deepest, HIT);
  claim_below(e.last, SEEN);
}

/* So coarse that its sides are chords, over a pole of 16 sides. */
static mesh ring(int around, int across, double major, double minor) {
  mesh m = shape_new((size_t)(around * across), (size_t)(2 * around * across), 0);
  for (int i = 0; i < around; i++)
    for (int j = 0; j < across; j++) {
      double a = 2 * LAB_PI * i / around, b = 2 * LAB_PI * j / across;
      double *p = m.positions + 3 * (i * across + j), r = major + minor * cos(b);
      p[0] = r * cos(a), p[1] = r * sin(a), p[2] = minor * sin(b);
      int i2 = (i + 1) % around, j2 = (j + 1) % across;
      int32_t q[4] = {i * across + j, i2 * across + j, i2 * across + j2, i * across + j2};
      int32_t *t = m.triangles + 6 * (i * across + j);
      t[0] = q[0], t[1] = q[1], t[2] = q[2], t[3] = q[0], t[4] = q[2], t[5] = q[3];
    }
  return m;
}

static void ring_on_a_pole__never_goes_in(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  mesh torus = ring(8, 4, 0.14, 0.03), pole = shape_cylinder(16, 0.02, 0.8);
  shape_turn(&torus, 0, 0.25);
  put(scene, TRIBO_RIGID, "ring", torus, 0.04, 0, 0.45);
  double low = INFINITY;
  for (size_t v = 0; v < pole.vertex_count; v++) low = fmin(low, pole.positions[3 * v + 2]);
  put(scene, TRIBO_COLLIDER, "pole", pole, 0, 0, -low);
  put(scene, TRIBO_COLLIDER, "floor", block(3, 3, 0.1), 0, 0, -0.05);
  end e = run(scene, 240);
  claim_below(e.deepest, HIT);
  claim_below(e.last, SEEN);
  claim_below(hypot(e.centre.x, e.centre.y), 0.13); /* around the pole */
}

/* Ten bricks, and a ball at 6 m/s. */
static void wall_hit_by_a_ball__ends_apart(void **unused) {
  (void)unused;
  tribo_scene *scene = lab();
  put(scene, TRIBO_COLLIDER, "floor", shape_sheet(1, 1, 8, 8), -4, -4, 0);
  static char names[10][32];
  int count = 0;
  for (int row = 0; row < 4; row++)
    for (int place = 0; place < 4 - row; place++, count++) {
      snprintf(names[count], sizeof names[count], "brick %d.%d", row, place);
      put(scene, TRIBO_RIGID, names[count], block(0.2, 0.4, 0.2), 0,
          0.42 * (place - 1.5 + 0.5 * row), 0.1 + 0.2 * row);
    }
  add(scene, TRIBO_RIGID, "ball", shape_globe(12, 0.15), vec3_make(-0.4, 0.05, 0.5),
      vec3_make(6, 0, 0));
  end e = run(scene, 96);
  claim_below(e.deepest, HIT);
  claim_below(e.last, SEEN);
}

static simulation *thrown(int threads) {
  tribo_scene *scene = lab();
  mesh box = block(0.2, 0.15, 0.1);
  shape_turn(&box, 0, 0.4);
  add(scene, TRIBO_RIGID, "box", box, vec3_make(0, 0, 0.2), vec3_make(0.7, 0.2, -1));
  put(scene, TRIBO_COLLIDER, "bar", block(0.3, 0.04, 0.1), 0.03, 0.02, 0.05);
  put(scene, TRIBO_COLLIDER, "spike", spike(0.02, 0.3), -0.05, 0.1, 0.11);
  return lab_compile(scene, threads);
}

static void same_bits(const simulation *a, const simulation *b) {
  size_t bytes = (size_t)simulation_model(a)->vertex_count * sizeof(vec3);
  assert_memory_equal(simulation_positions(a), simulation_positions(b), bytes);
}

/* Also from a state in the midst of it. */
static void edges_and_corners__are_the_same_for_any_threads_and_after_a_restart(void **unused) {
  (void)unused;
  simulation *one = thrown(1), *three = thrown(3);
  for (int k = 0; k < 30; k++) {
    tribo_report report;
    claim_ok(simulation_steps(one, 1, &report, err));
    claim_ok(simulation_steps(three, 1, &report, err));
    same_bits(one, three);
  }
  simulation *again = thrown(1);
  claim_ok(simulation_restore(again, simulation_state(one), err));
  for (int k = 0; k < 30; k++) {
    tribo_report report;
    claim_ok(simulation_steps(one, 1, &report, err));
    claim_ok(simulation_steps(again, 1, &report, err));
  }
  same_bits(one, again);
  simulation_free(one);
  simulation_free(three);
  simulation_free(again);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(crate_on_two_rails__rests),
      cmocka_unit_test(crate_on_short_bars__rests),
      cmocka_unit_test(box_on_a_spike__stays_on_its_tip),
      cmocka_unit_test(box_on_spikes__rests),
      cmocka_unit_test(box_on_the_edge_of_a_table__rests_or_falls),
      cmocka_unit_test(plank_across_wires__rests),
      cmocka_unit_test(box_thrown_at_bars__never_goes_in),
      cmocka_unit_test(ring_on_a_pole__never_goes_in),
      cmocka_unit_test(wall_hit_by_a_ball__ends_apart),
      cmocka_unit_test(edges_and_corners__are_the_same_for_any_threads_and_after_a_restart),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
