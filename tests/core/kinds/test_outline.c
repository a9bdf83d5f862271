/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/shells.h"
#include "geom/topology.h"
#include "kinds/build.h"

/* ---- the choice ------------------------------------------------------------------------------ */

/* Chooses, also when the shape is turned and scaled; frees it. */
static int chosen_with(shell s, double spacing) {
  tribo_surface_params params = tribo_object_default(TRIBO_COLLIDER).surface;
  params.spacing = spacing;
  int first = -1;
  for (int turn = 0; turn < 3; turn++) {
    int contact;
    topology_fault fault;
    size_t count = s.triangles.count / 3;
    claim_ok(topology_check_closed(s.triangles.data, count, &fault, err));
    claim_ok(outline_choose(s.triangles.data, count, s.positions.data, s.positions.count / 3,
                            fault.kind == TOPOLOGY_CLOSED, &params, &contact, err));
    if (turn == 0) first = contact;
    assert_int_equal(contact, first);
    for (size_t v = 0; v < s.positions.count / 3; v++) {
      double *p = s.positions.data + 3 * v, x = p[0], y = p[1], z = p[2];
      double along = 0.6 * y - 0.8 * z, up = 0.8 * y + 0.6 * z;
      p[0] = 7 * (0.28 * x - 0.96 * along), p[1] = 7 * (0.96 * x + 0.28 * along) + 3, p[2] = 7 * up;
    }
    params.spacing *= 7;
  }
  shell_free(&s);
  return first;
}

static int chosen(shell s) { return chosen_with(s, 0); }

static void round_shapes_are_smooth(void **state) {
  (void)state;
  assert_int_equal(chosen(sphere(16, 12)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(sphere(64, 48)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(sphere(256, 128)), TRIBO_CONTACT_MLS); /* slivers at the poles alone */
  assert_int_equal(chosen(sphere(64, 16)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(torus(48, 24, 1, 0.3)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(torus(96, 48, 1, 0.3)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(tube(32, 8, 1, 2)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(tube(11, 7, 1, 4)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(sheet(20, 0.1)), TRIBO_CONTACT_MLS);
}

static void shapes_with_corners_and_flat_ones_are_not(void **state) {
  (void)state;
  assert_int_equal(chosen(box(1)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen(box(8)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen(sheet(1, 0)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen(sheet(30, 0)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen(sheet(2, 0.1)), TRIBO_CONTACT_MESH);    /* 8 triangles */
  assert_int_equal(chosen(tube(7, 1, 1, 4)), TRIBO_CONTACT_MESH); /* 51 degrees */
  assert_int_equal(chosen(tube(7, 9, 1, 4)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen(tube(10, 9, 1, 4)), TRIBO_CONTACT_MESH);
}

/* Outside of a rim samples of the cap are heard that put a point inside which is a quarter of the
 * radius off the side, however finely both are cut. Without caps there is no rim. */
static void cylinder_with_caps_is_not_smooth(void **state) {
  (void)state;
  for (int sides = 16; sides <= 64; sides *= 2)
    for (int rings = sides / 2; rings <= sides; rings += sides / 4) {
      assert_int_equal(chosen(cylinder(sides, rings, 0.5, 0.5 * 3.4)), TRIBO_CONTACT_MESH);
      assert_int_equal(chosen(cylinder(sides, rings, 0.5, 0.5 * 2.9)), TRIBO_CONTACT_MESH);
      assert_int_equal(chosen(tube(sides, rings, 0.5, 0.5 * 3.4)), TRIBO_CONTACT_MLS);
    }
}

/* Strips as long as the side see around it. With 32 of them, 11.25 degrees each, 60 degrees are
 * 5.3: that many times as long as wide they may be. */
static void side_of_strips_is_not_smooth_when_they_are_longer_than_it_bends(void **state) {
  (void)state;
  double width = 2 * M_PI / 32;
  assert_int_equal(chosen(tube(32, 1, 1, 4.8 * width)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(tube(32, 1, 1, 5.8 * width)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen(tube(32, 2, 1, 5.8 * width)), TRIBO_CONTACT_MLS);
  assert_int_equal(chosen(tube(11, 1, 1, 4)), TRIBO_CONTACT_MESH);
}

/* The fan of a cap reaches 8/3 of the radius, past the rim and down the side, however finely that
 * is cut. */
static void caps_of_one_polygon_are_not_smooth(void **state) {
  (void)state;
  for (int sides = 24; sides <= 64; sides += 8)
    for (int rings = 1; rings <= 2 * sides; rings *= 2)
      assert_int_equal(chosen(cylinder_of_polygons(sides, rings, 0.25, 1.6)), TRIBO_CONTACT_MESH);
  assert_int_equal(chosen_with(cylinder_of_polygons(32, 32, 0.25, 1.6), 0.05), TRIBO_CONTACT_MESH);
}

static void automatic_choice_is_made_by_kind_and_shape(void **state) {
  (void)state;
  arena memory = {0};
  outline o;
  shell s = box(4);
  tribo_object_def def = object_of(&s, TRIBO_RIGID);
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_int_equal(o.contact, TRIBO_CONTACT_MESH);
  def.kind = TRIBO_CLOTH;
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_int_equal(o.contact, TRIBO_CONTACT_MLS);
  def.kind = TRIBO_COLLIDER, def.surface.contact = TRIBO_CONTACT_BOX;
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_int_equal(o.contact, TRIBO_CONTACT_BOX);
  shell_free(&s);

  mesh m = shape_block(3, 3, 3, 1, 1, 1);
  def = tribo_object_default(TRIBO_SOLID);
  def.positions = m.positions, def.vertex_count = m.vertex_count;
  def.tets = m.tets, def.tet_count = m.tet_count;
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_int_equal(o.contact, TRIBO_CONTACT_MLS);
  mesh_free(&m);
  arena_free(&memory);
}

/* ---- triangles and vertices ------------------------------------------------------------------ */

static void solid_shows_the_boundary_of_its_tets_wound_outward(void **state) {
  (void)state;
  enum { N = 3 };
  arena memory = {0};
  mesh m = shape_block(N, N, N, 1, 1, 1);
  tribo_object_def def = tribo_object_default(TRIBO_SOLID);
  def.positions = m.positions, def.vertex_count = m.vertex_count;
  def.tets = m.tets, def.tet_count = m.tet_count;
  outline o;
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_true(o.closed);
  assert_int_equal(o.triangle_count, 6 * 2 * N * N);
  assert_int_equal(o.vertex_count, (N + 1) * (N + 1) * (N + 1) - (N - 1) * (N - 1) * (N - 1));
  for (size_t i = 1; i < o.vertex_count; i++) assert_true(o.vertices[i - 1] < o.vertices[i]);
  /* Two sides of 1/3 and a diagonal. */
  claim_near(o.spacing, (2 + sqrt(2)) / 9, 1e-14);
  double volume = 0;
  for (size_t i = 0; i < o.triangle_count; i++) {
    vec3 p[3];
    for (int a = 0; a < 3; a++) p[a] = vec3_from(m.positions + 3 * o.triangles[3 * i + (size_t)a]);
    volume += vec3_dot(p[0], vec3_cross(p[1], p[2])) / 6;
  }
  claim_near(volume, 1, 1e-14);
  mesh_free(&m);
  arena_free(&memory);
}

static void closed_means_two_triangles_wound_against_each_other_at_every_edge(void **state) {
  (void)state;
  arena memory = {0};
  outline o;
  shell s = torus(7, 5, 1, 0.3);
  tribo_object_def def = object_of(&s, TRIBO_COLLIDER);
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_true(o.closed);
  for (size_t i = 0; i < s.triangles.count / 3; i++) { /* one turned over */
    int32_t *t = s.triangles.data + 3 * i, kept = t[1];
    t[1] = t[2], t[2] = kept;
    claim_ok(outline_trace(&def, &memory, &o, err));
    assert_false(o.closed);
    t[2] = t[1], t[1] = kept;
  }
  def.triangle_count--; /* a hole */
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_false(o.closed);
  def.triangle_count++;
  add_triangle(&s, 0, 5, 12); /* a third at an edge */
  def = object_of(&s, TRIBO_COLLIDER);
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_false(o.closed);
  shell_free(&s);
  arena_free(&memory);
}

/* Splitting an edge with a triangle of no area leaves a closed mesh closed. */
static void flat_triangles_are_left_out_unless_they_may_gain_an_area(void **state) {
  (void)state;
  arena memory = {0};
  outline o;
  shell s = {0};
  add_point(&s, 0, 0, 0), add_point(&s, 1, 0, 0), add_point(&s, 0, 1, 0), add_point(&s, 0, 0, 1);
  int32_t middle = add_point(&s, 0.5, 0.5, 0);
  add_point(&s, 9, 9, 9); /* of no triangle */
  add_triangle(&s, 0, 2, 1), add_triangle(&s, 0, 1, 3), add_triangle(&s, 0, 3, 2);
  add_triangle(&s, 1, middle, 3), add_triangle(&s, middle, 2, 3), add_triangle(&s, 1, 2, middle);
  tribo_object_def def = object_of(&s, TRIBO_RIGID);
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_true(o.closed);
  assert_int_equal(o.flat, 1);
  assert_int_equal(o.triangle_count, 5);
  assert_int_equal(o.vertex_count, 5);
  def.kind = TRIBO_COLLIDER;
  def.motion = (tribo_motion_def){NULL, s.positions.data, 1, 1, 1};
  claim_ok(outline_trace(&def, &memory, &o, err));
  assert_int_equal(o.flat, 0);
  assert_int_equal(o.triangle_count, 6);
  shell_free(&s);
  arena_free(&memory);
}

/* ---- roles ----------------------------------------------------------------------------------- */

static void roles_follow_kind_and_wish(void **state) {
  (void)state;
  const struct {
    tribo_kind kind;
    int contact, role;
    bool touches, is_touched;
  } cases[] = {
      {TRIBO_COLLIDER, TRIBO_CONTACT_AUTO, TRIBO_ROLE_AUTO, false, true},
      {TRIBO_COLLIDER, TRIBO_CONTACT_AUTO, TRIBO_ROLE_POINTS, false, true},
      {TRIBO_COLLIDER, TRIBO_CONTACT_NONE, TRIBO_ROLE_AUTO, false, false},
      {TRIBO_RIGID, TRIBO_CONTACT_AUTO, TRIBO_ROLE_AUTO, true, true},
      {TRIBO_RIGID, TRIBO_CONTACT_AUTO, TRIBO_ROLE_POINTS, true, false},
      {TRIBO_RIGID, TRIBO_CONTACT_AUTO, TRIBO_ROLE_SURFACE, true, true},
      {TRIBO_CLOTH, TRIBO_CONTACT_AUTO, TRIBO_ROLE_AUTO, true, false},
      {TRIBO_CLOTH, TRIBO_CONTACT_MLS, TRIBO_ROLE_AUTO, true, true},
      {TRIBO_CLOTH, TRIBO_CONTACT_MESH, TRIBO_ROLE_POINTS, true, false},
      {TRIBO_CLOTH, TRIBO_CONTACT_AUTO, TRIBO_ROLE_SURFACE, true, true},
      {TRIBO_CLOTH, TRIBO_CONTACT_AUTO, TRIBO_ROLE_BOTH, true, true},
      {TRIBO_CLOTH, TRIBO_CONTACT_NONE, TRIBO_ROLE_BOTH, false, false},
  };
  arena memory = {0};
  shell s = sphere(8, 6);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tribo_object_def def = object_of(&s, cases[i].kind);
    def.surface.contact = cases[i].contact, def.surface.role = cases[i].role;
    outline o;
    claim_ok(outline_trace(&def, &memory, &o, err));
    if (o.touches != cases[i].touches || o.is_touched != cases[i].is_touched)
      fail_msg("case %zu: touches %d, is touched %d", i, o.touches, o.is_touched);
  }
  shell_free(&s);
  arena_free(&memory);
}

static void model_has_surfaces_and_feelers_in_the_order_of_the_scene(void **state) {
  (void)state;
  shell ball = sphere(16, 12), floor_mesh = sheet(1, 0), cloth_mesh = sheet(4, 0);
  mesh block_mesh = shape_block(2, 2, 2, 1, 1, 1);
  enum { FLOOR, CLOTH, GHOST, BLOCK, BALL, COUNT };
  tribo_object_def objects[COUNT] = {[FLOOR] = object_of(&floor_mesh, TRIBO_COLLIDER),
                                     [CLOTH] = object_of(&cloth_mesh, TRIBO_CLOTH),
                                     [GHOST] = object_of(&cloth_mesh, TRIBO_CLOTH),
                                     [BLOCK] = tribo_object_default(TRIBO_SOLID),
                                     [BALL] = object_of(&ball, TRIBO_COLLIDER)};
  objects[GHOST].surface.contact = TRIBO_CONTACT_NONE;
  objects[BLOCK].name = "block";
  objects[BLOCK].positions = block_mesh.positions;
  objects[BLOCK].vertex_count = block_mesh.vertex_count;
  objects[BLOCK].tets = block_mesh.tets, objects[BLOCK].tet_count = block_mesh.tet_count;
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  model m;
  claim_ok(model_build(objects, COUNT, &world, &time, &m, err));

  assert_int_equal(m.object_count, COUNT);
  assert_int_equal(m.collider_count, 2);
  assert_int_equal(m.colliders[1].object, BALL);
  assert_int_equal(m.surface_count, 3);
  static const size_t touched[3] = {FLOOR, BLOCK, BALL};
  static const int shapes[3] = {TRIBO_CONTACT_MESH, TRIBO_CONTACT_MLS, TRIBO_CONTACT_MLS};
  for (size_t i = 0; i < 3; i++) {
    const model_surface *s = &m.surfaces[i];
    assert_int_equal(s->object, touched[i]);
    assert_int_equal(s->params.contact, shapes[i]);
    assert_int_equal(s->closed, touched[i] != FLOOR);
    if (touched[i] == BLOCK) {
      assert_int_equal(s->collider, -1);
      assert_int_equal(m.bodies[s->body].object, BLOCK);
    } else {
      assert_int_equal(s->body, -1);
      assert_int_equal(m.colliders[s->collider].object, touched[i]);
    }
  }
  assert_int_equal(m.probe_count, 2);
  assert_int_equal(m.bodies[m.probes[0].body].object, CLOTH);
  assert_int_equal(m.probes[0].count, 25);
  assert_int_equal(m.bodies[m.probes[1].body].object, BLOCK);
  assert_int_equal(m.probes[1].count, 26); /* all but the one inside */
  model_free(&m);
  mesh_free(&block_mesh);
  shell_free(&ball);
  shell_free(&floor_mesh);
  shell_free(&cloth_mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_shapes_are_smooth),
      cmocka_unit_test(shapes_with_corners_and_flat_ones_are_not),
      cmocka_unit_test(cylinder_with_caps_is_not_smooth),
      cmocka_unit_test(side_of_strips_is_not_smooth_when_they_are_longer_than_it_bends),
      cmocka_unit_test(caps_of_one_polygon_are_not_smooth),
      cmocka_unit_test(automatic_choice_is_made_by_kind_and_shape),
      cmocka_unit_test(solid_shows_the_boundary_of_its_tets_wound_outward),
      cmocka_unit_test(closed_means_two_triangles_wound_against_each_other_at_every_edge),
      cmocka_unit_test(flat_triangles_are_left_out_unless_they_may_gain_an_area),
      cmocka_unit_test(roles_follow_kind_and_wish),
      cmocka_unit_test(model_has_surfaces_and_feelers_in_the_order_of_the_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
