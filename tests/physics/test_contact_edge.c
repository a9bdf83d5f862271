/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sharp edges. The rim of a cloth that lies just on the edge of a block, at no distance from two of
 * its faces, is borne by the one below it: the cloth stays, and a step costs what it costs anywhere
 * else. In an inner corner both faces count.
 */
#include "physics/lab_contact.h"
#include "scenes/scenes_parts.h"

static const double STEP = 0.01;

/* Newton iterations a step that a rim on an edge may take. */
enum { ENOUGH = 15, STEPS = 40 };

static void add_cloth(tribo_scene *scene, int cells, double size, double x, double speed) {
  mesh m = shape_sheet(cells, cells, size, size);
  shape_move(&m, x - size / 2, -size / 2, 0);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.object.velocity[0] = speed;
  claim_ok(scenes_add(scene, def, &m, NULL, err));
}

static void add_collider(tribo_scene *scene, int form, mesh *m) {
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "collider";
  def.surface.contact = form;
  claim_ok(scenes_add(scene, def, m, NULL, err));
}

/* As modellers make one: n sides, a polygon for either end, its top at z = 0. */
static mesh capped_cylinder(int n, double radius, double height) {
  mesh m = shape_new((size_t)(2 * n), (size_t)(4 * n - 4), 0);
  int32_t *t = m.triangles;
  for (int i = 0; i < n; i++) {
    int a = 2 * i, b = 2 * ((i + 1) % n);
    double angle = 2 * LAB_PI * i / n;
    for (int k = 0; k < 2; k++) {
      double *p = m.positions + 3 * (a + k);
      p[0] = radius * sin(angle), p[1] = radius * cos(angle), p[2] = (k - 1) * height;
    }
    memcpy(t, (int32_t[]){a, a + 1, b + 1, a, b + 1, b}, 6 * sizeof *t);
    t += 6;
  }
  for (int i = 1; i + 1 < n; i++, t += 6)
    memcpy(t, (int32_t[]){1, 2 * i + 3, 2 * i + 1, 0, 2 * i, 2 * i + 2}, 6 * sizeof *t);
  return m;
}

typedef struct course {
  int most; /* iterations in a step */
  double mean;
} course;

static course run(simulation *s) {
  course c = {0};
  for (int i = 0; i < STEPS; i++) {
    int iterations = lab_steps(s, 1).newton_iterations;
    c.most = iterations > c.most ? iterations : c.most;
    c.mean += (double)iterations / STEPS;
  }
  return c;
}

/* The rim on the edges all around: nothing hangs over, and nothing moves. */
static void rim_on_the_edges__lies_still(void **unused) {
  (void)unused;
  static const int forms[] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_BOX}, cells[] = {4, 9, 16};
  for (int f = 0; f < 2; f++)
    for (int k = 0; k < 3; k++) {
      tribo_scene *scene = lab_scene();
      lab_time(scene, STEP);
      add_cloth(scene, cells[k], 1, 0, 0);
      mesh block = scenes_block_shape(1, 1, 1, 0.5);
      shape_move(&block, 0, 0, -0.5);
      add_collider(scene, forms[f], &block);
      simulation *s = lab_compile(scene, 1);
      course c = run(s);
      print_message("rim of %2d cells, form %d: %d iterations at most, %.2f a step\n", cells[k],
                    forms[f], c.most, c.mean);
      claim_below(c.most, ENOUGH);
      claim_below(c.mean, 2);
      for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++)
        claim_near(simulation_positions(s)[v].z, 0, 1e-5);
      simulation_free(s);
    }
}

/* A row of vertices on the edge, and what is past it hangs down. */
static void row_on_an_edge__bears_what_hangs(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  add_cloth(scene, 8, 1, 0.125, 0);
  mesh block = scenes_block_shape(1, 1, 1, 0.5);
  shape_move(&block, 0, 0, -0.5);
  add_collider(scene, TRIBO_CONTACT_MESH, &block);
  simulation *s = lab_compile(scene, 1);
  course c = run(s);
  print_message("row on an edge: %d iterations at most, %.2f a step\n", c.most, c.mean);
  claim_below(c.most, ENOUGH);
  for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++) {
    vec3 x = simulation_positions(s)[v];
    if (x.x < 0.5 - 1e-4 && fabs(x.y) < 0.5 - 1e-4) claim_below(-x.z, 1e-4);
  }
  simulation_free(s);
}

/* A cloth as wide as the cylinder: the middles of its sides are on the edge, its corners hang. */
static void cloth_on_a_capped_cylinder__is_cheap(void **unused) {
  (void)unused;
  for (int cells = 16; cells <= 20; cells += 4) {
    tribo_scene *scene = lab_scene();
    lab_time(scene, STEP);
    add_cloth(scene, cells, 2, 0, 0);
    mesh cylinder = capped_cylinder(32, 1, 2);
    add_collider(scene, TRIBO_CONTACT_MESH, &cylinder);
    simulation *s = lab_compile(scene, 1);
    course c = run(s);
    print_message("%d cells on a cylinder: %d iterations at most, %.2f a step\n", cells, c.most,
                  c.mean);
    claim_below(c.most, ENOUGH);
    simulation_free(s);
  }
}

/* Along a floor into a wall, without friction: both hold. */
static void inner_corner__holds_on_both_sides(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  lab_time(scene, STEP);
  tribo_scene_friction(scene)->mu = 0;
  add_cloth(scene, 4, 0.4, 0, 2);
  mesh m = shape_new(6, 4, 0);
  static const double x[] = {-2, -2, 0, -2, 2, 0, 0.3, -2, 0, 0.3, 2, 0, 0.3, -2, 2, 0.3, 2, 2};
  static const int32_t t[] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
  memcpy(m.positions, x, sizeof x);
  memcpy(m.triangles, t, sizeof t);
  add_collider(scene, TRIBO_CONTACT_MESH, &m);
  simulation *s = lab_compile(scene, 1);
  double right = -INFINITY;
  for (int i = 0; i < STEPS; i++) {
    lab_steps(s, 1);
    for (int32_t v = 0; v < simulation_model(s)->vertex_count; v++) {
      vec3 at = simulation_positions(s)[v];
      right = fmax(right, at.x);
      claim_below(at.x - 0.3, 1e-4);
      claim_below(-at.z, 1e-4);
    }
  }
  claim_near(right, 0.3, 1e-4);
  simulation_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rim_on_the_edges__lies_still),
      cmocka_unit_test(row_on_an_edge__bears_what_hangs),
      cmocka_unit_test(cloth_on_a_capped_cylinder__is_cheap),
      cmocka_unit_test(inner_corner__holds_on_both_sides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
