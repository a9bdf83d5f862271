/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The meshes that the scenes of contact are made of.
 */
#include "base/arena.h"
#include "claims.h"
#include "mls/mls.h"
#include "scenes/shapes_body.h"
#include "scenes/shapes_check.h"
#include "scenes/shapes_dancer.h"
#include "scenes/shapes_dress.h"
#include "scenes/shapes_hex.h"
#include "scenes/shapes_stuffed.h"
#include "scenes/shapes_turned.h"

#define PI 3.14159265358979323846

/* Closed, of one piece or more, every edge between two triangles and every vertex one fan, the
 * front outside. */
static void claim_closed(const surface_report *r, size_t vertices, size_t parts, long euler) {
  assert_int_equal(r->open_edges, 0);
  assert_int_equal(r->bad_edges, 0);
  assert_int_equal(r->fans, vertices);
  assert_int_equal(r->used, vertices);
  assert_int_equal(r->parts, parts);
  assert_int_equal(r->euler, euler);
  assert_true(r->volume > 0);
}

static surface_report closed_surface(mesh m, long euler) {
  surface_report r;
  assert_non_null(m.positions);
  assert_true(surface_measure(&m, &r));
  claim_closed(&r, m.vertex_count, 1, euler);
  mesh_free(&m);
  return r;
}

/* Positive tets with no vertex left over, and a skin that is closed and encloses their volume. */
static solid_report sound_solid(mesh m, size_t tets, size_t vertices, size_t parts, long euler,
                                double least_dihedral) {
  solid_report r;
  assert_non_null(m.positions);
  assert_true(solid_measure(&m, &r));
  assert_int_equal(m.tet_count, tets);
  assert_int_equal(m.vertex_count, vertices);
  assert_int_equal(r.used, vertices);
  assert_true(r.least_volume > 0);
  claim_closed(&r.skin, r.skin.used, parts, euler);
  claim_near(r.skin.volume, r.volume, 1e-12 * r.volume);
  claim_below(least_dihedral, r.least_dihedral);
  claim_below(r.most_dihedral, 180 - least_dihedral);
  mesh_free(&m);
  return r;
}

static void a_brick_is_a_block_of_five_tets_a_cell(void **state) {
  (void)state;
  solid_report r = sound_solid(shape_brick(4, 4, 4, 0.2, 0.2, 0.2), 320, 125, 1, 2, 54);
  claim_near(r.volume, 0.008, 1e-15);
  r = sound_solid(shape_brick(3, 2, 1, 0.3, 0.2, 0.1), 30, 24, 1, 2, 54);
  claim_near(r.volume, 0.006, 1e-15);
}

static void a_shell_is_a_hollow_ball_with_two_surfaces(void **state) {
  (void)state;
  solid_report r = sound_solid(shape_shell(10, 3, 0.35, 0.5), 9000, 2408, 2, 4, 30);
  double exact = 4 * PI / 3 * (0.5 * 0.5 * 0.5 - 0.35 * 0.35 * 0.35);
  claim_near(r.volume, exact, 0.02 * exact);
  sound_solid(shape_shell(3, 1, 0.3, 0.5), 270, 112, 2, 4, 20);
}

static void a_ball_is_full_and_its_surface_round(void **state) {
  (void)state;
  mesh m = shape_ball(4, 2, 1);
  assert_non_null(m.positions);
  for (size_t v = m.vertex_count - 98; v < m.vertex_count; v++) {
    const double *x = m.positions + 3 * v;
    claim_near(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1, 1e-15);
  }
  solid_report coarse = sound_solid(m, 5 * 16 * 16, 125 + 2 * 98, 1, 2, 20);
  /* The surface is inscribed: what is missing falls with the square of the cells' size. */
  solid_report fine = sound_solid(shape_ball(8, 3, 1), 5 * 64 * 26, 729 + 3 * 386, 1, 2, 20);
  claim_near((4 * PI / 3 - coarse.volume) / (4 * PI / 3 - fine.volume), 4, 0.2);
}

static void a_tube_is_a_thick_ring(void **state) {
  (void)state;
  solid_report r =
      sound_solid(shape_tube(48, 3, 4, 0.2, 0.3, 0.15), 5 * 48 * 12, 48 * 20, 1, 0, 35);
  double exact = 24 * sin(2 * PI / 48) * (0.09 - 0.04) * 0.15;
  claim_near(r.volume, exact, 1e-14);
}

static void a_cylinder_is_a_closed_stack_of_antiprisms(void **state) {
  (void)state;
  for (int sides = 7; sides <= 56; sides *= 2) {
    surface_report r = closed_surface(shape_cylinder(sides, 0.5, 6), 2);
    claim_below(20, r.least_angle); /* in the caps */
    claim_below(r.longest, 2 * r.shortest);
    /* A stack of antiprisms: in the middle of each the section is a polygon of 2 n corners. */
    double end = 0.5 * sides * sin(2 * PI / sides) * 0.25, half = cos(0.5 * PI / sides);
    double middle = sides * sin(PI / sides) * 0.25 * half * half;
    claim_near(r.volume, 6 * (2 * end + 4 * middle) / 6, 1e-12);
  }
}

/* Where Psi of the mesh's smooth surface (cubic kernel, usual radii) is 0 on a ray from the axis.
 */
static double smooth_radius(const mls_surface *s, const int32_t *all, double angle, double z) {
  double low = 0.45, high = 0.55;
  for (int k = 0; k < 50; k++) {
    double r = 0.5 * (low + high);
    mls_value psi =
        mls_evaluate(s, vec3_make(r * cos(angle), r * sin(angle), z), all, s->count, MLS_VALUE);
    assert_true(psi.active > 0);
    if (psi.value < 0)
      low = r;
    else
      high = r;
  }
  return low;
}

static void the_smooth_surface_of_a_cylinder_runs_near_the_vertices(void **state) {
  (void)state;
  static const int sides[3] = {7, 16, 30};
  for (int k = 0; k < 3; k++) {
    arena memory = {0};
    mls_surface smooth;
    mesh m = shape_cylinder(sides[k], 0.5, 6);
    assert_non_null(m.positions);
    claim_ok(mls_from_triangles(MLS_CUBIC, 1e-5, m.triangles, m.triangle_count,
                                (const vec3 *)m.positions, &memory, &smooth, err));
    double *spacing = ARENA_ARRAY(&memory, double, m.triangle_count);
    int32_t *all = ARENA_ARRAY(&memory, int32_t, m.triangle_count);
    for (size_t t = 0; t < m.triangle_count; t++) all[t] = (int32_t)t;
    mls_spacing_of_mesh(&smooth, spacing);
    claim_ok(mls_set_radii(spacing, MLS_SCALE, &smooth, err));
    for (int i = 0; i < 40; i++)
      for (int j = 0; j < 10; j++) {
        double r = smooth_radius(&smooth, all, 0.03 * i, 0.06 * j);
        claim_below(r, 0.5 + 0.24 * 0.5 / (sides[k] * sides[k])); /* the lift of the cloth */
        claim_below(0.5 - 0.5 * 0.5 / (sides[k] * sides[k]), r);
      }
    arena_free(&memory);
    mesh_free(&m);
  }
}

static void a_globe_is_a_sphere_of_even_triangles(void **state) {
  (void)state;
  for (int n = 2; n <= 16; n *= 2) {
    mesh m = shape_globe(n, 0.25);
    assert_int_equal(m.vertex_count, 6 * n * n + 2);
    assert_int_equal(m.triangle_count, 12 * n * n);
    surface_report r = closed_surface(m, 2);
    claim_below(30, r.least_angle);
    claim_near(4 * PI / 3 / 64 - r.volume, 0.06 / (n * n), 0.02 / (n * n));
  }
}

static void a_disc_faces_up_and_has_one_rim(void **state) {
  (void)state;
  surface_report r;
  mesh m = shape_disc(12, 1.5);
  assert_non_null(m.positions);
  assert_true(surface_measure(&m, &r));
  assert_int_equal(m.triangle_count, 6 * 12 * 12);
  assert_int_equal(r.open_edges, 6 * 12);
  assert_int_equal(r.bad_edges, 0);
  assert_int_equal(r.fans, m.vertex_count);
  assert_int_equal(r.euler, 1);
  claim_below(35, r.least_angle);
  for (size_t v = m.vertex_count - 72; v < m.vertex_count; v++)
    claim_near(hypot(m.positions[3 * v], m.positions[3 * v + 1]), 1.5, 1e-14);
  for (size_t t = 0; t < m.triangle_count; t++) {
    const double *a = m.positions + 3 * m.triangles[3 * t];
    const double *b = m.positions + 3 * m.triangles[3 * t + 1];
    const double *c = m.positions + 3 * m.triangles[3 * t + 2];
    assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
  }
  mesh_free(&m);
}

static void a_stool_stands_on_four_feet(void **state) {
  (void)state;
  stool_form form = {.cells = 24,
                     .seat_cells = 2,
                     .leg_cells = 3,
                     .inset = 1,
                     .height_cells = 28,
                     .width = 0.4,
                     .seat = 0.035,
                     .height = 0.46,
                     .slant = 0.15};
  mesh m = shape_stool(&form);
  size_t feet = 0;
  assert_non_null(m.positions);
  for (size_t v = 0; v < m.vertex_count; v++) feet += fabs(m.positions[3 * v + 2]) < 1e-15;
  assert_int_equal(feet, 4 * 16);
  solid_report r = sound_solid(m, 10800, 3667, 1, 2, 45);
  /* Slanting a leg keeps its sections, and so its volume. */
  double exact = 0.4 * 0.4 * 0.035 + 4 * 0.05 * 0.05 * 0.46;
  claim_near(r.volume, exact, 1e-14);
}

static double blob(const void *context, const double x[3]) {
  (void)context;
  double f = field_capsule(x, (double[3]){0, 0, 0}, (double[3]){1, 0.2, 0.1}, 0.3);
  return field_union(
      f, field_cone(x, (double[3]){0.5, 0, 0}, (double[3]){0.5, 0.7, 0.6}, 0.2, 0.15), 0.1);
}

static const double BLOB_LOW[3] = {-0.6, -0.6, -0.6}, BLOB_HIGH[3] = {1.6, 1.2, 1.2};

static void stuffing_gives_sound_tets_on_the_zero_of_a_field(void **state) {
  (void)state;
  for (double size = 0.15; size > 0.05; size *= 0.8) {
    mesh m = shape_stuffed(blob, NULL, BLOB_LOW, BLOB_HIGH, size);
    assert_non_null(m.positions);
    mesh skin = shape_skin(&m);
    for (size_t v = 0; v < skin.vertex_count; v++)
      claim_near(blob(NULL, skin.positions + 3 * v), 0, 1e-12);
    mesh_free(&skin);
    sound_solid(m, m.tet_count, m.vertex_count, 1, 2, 10.7);
  }
}

static double ball_field(const void *context, const double x[3]) {
  const double *c = context;
  return sqrt(pow(x[0] - c[0], 2) + pow(x[1] - c[1], 2) + pow(x[2] - c[2], 2)) - 1;
}

static void stuffing_fills_a_ball_to_second_order(void **state) {
  (void)state;
  const double centre[3] = {0.03, -0.02, 0.01}, low[3] = {-2, -2, -2}, high[3] = {2, 2, 2};
  double missing[2];
  for (int k = 0; k < 2; k++) {
    mesh m = shape_stuffed(ball_field, centre, low, high, k ? 0.1 : 0.2);
    missing[k] = 4 * PI / 3 - sound_solid(m, m.tet_count, m.vertex_count, 1, 2, 10.7).volume;
  }
  claim_near(missing[0] / missing[1], 4, 0.4);
}

static double below_plane(const void *context, const double x[3]) {
  (void)context;
  return x[2] + 0.1 * x[0] - 0.2;
}

static void a_clipped_surface_ends_on_the_line_of_the_cut(void **state) {
  (void)state;
  mesh m = shape_stuffed(blob, NULL, BLOB_LOW, BLOB_HIGH, 0.08), skin = shape_skin(&m);
  mesh part = shape_clipped(&skin, below_plane, NULL);
  surface_report r;
  assert_non_null(part.positions);
  assert_true(surface_measure(&part, &r));
  assert_int_equal(r.bad_edges, 0);
  assert_int_equal(r.fans, part.vertex_count);
  assert_int_equal(r.parts, 1);
  assert_int_equal(r.euler, 1); /* a disc: the blob without its arm's end */
  size_t rim = 0;
  for (size_t v = 0; v < part.vertex_count; v++) {
    double f = below_plane(NULL, part.positions + 3 * v);
    claim_below(f, 1e-12);
    rim += f > -1e-12;
  }
  assert_int_equal(rim, r.open_edges);
  mesh_free(&m);
  mesh_free(&skin);
  mesh_free(&part);
}

static void a_body_has_sound_tets_and_an_even_skin(void **state) {
  (void)state;
  mesh body = shape_body(0.03);
  assert_non_null(body.positions);
  sound_solid(body, body.tet_count, body.vertex_count, 1, 2, 10.7);
  for (double size = 0.032; size > 0.015; size *= 0.75) {
    surface_report r = closed_surface(shape_body_skin(size), 2);
    claim_below(20, r.least_angle);
    claim_below(0.25 * size, r.shortest);
    claim_below(r.longest, 1.5 * size);
  }
}

static void a_tank_top_is_a_tube_with_two_straps(void **state) {
  (void)state;
  const double gap = 0.004;
  mesh top = shape_tank_top(0.017, gap), skin = shape_body_skin(0.017);
  surface_report r;
  assert_non_null(top.positions);
  assert_non_null(skin.positions);
  assert_true(surface_measure(&top, &r));
  assert_int_equal(r.bad_edges, 0);
  assert_int_equal(r.fans, top.vertex_count);
  assert_int_equal(r.parts, 1);
  assert_int_equal(r.euler, -2); /* a sphere with four holes: hem, neck, two arms */
  claim_below(8, r.least_angle);
  for (size_t v = 0; v < top.vertex_count; v += 7)
    claim_near(surface_distance(&skin, top.positions + 3 * v), gap, 0.5 * gap);
  mesh_free(&top);
  mesh_free(&skin);
}

static void a_dancer_has_an_even_skin(void **state) {
  (void)state;
  for (double size = 0.028; size > 0.02; size *= 0.8) {
    surface_report r = closed_surface(shape_dancer(size), 2);
    claim_below(20, r.least_angle);
    claim_below(0.25 * size, r.shortest);
    claim_below(r.longest, 1.7 * size);
  }
}

/* Every edge has one triangle or two, and no part of the cloth is in the skin. */
static surface_report sound_cloth(mesh cloth, const mesh *skin, double gap, long euler) {
  surface_report r;
  assert_non_null(cloth.positions);
  assert_true(surface_measure(&cloth, &r));
  assert_int_equal(r.bad_edges, 0);
  assert_int_equal(r.fans, cloth.vertex_count);
  assert_int_equal(r.used, cloth.vertex_count);
  assert_int_equal(r.parts, 1);
  assert_int_equal(r.euler, euler);
  for (size_t v = 0; v < cloth.vertex_count; v += 29)
    claim_below(0.7 * gap, surface_distance(skin, cloth.positions + 3 * v));
  mesh_free(&cloth);
  return r;
}

static void a_dress_is_a_tube_with_two_straps_and_a_petticoat_one_without(void **state) {
  (void)state;
  mesh skin = shape_dancer(0.025);
  assert_non_null(skin.positions);
  for (double size = 0.05; size > 0.014; size *= 0.6) {
    dress_cut cut = {.size = size, .gap = 0.009, .under = 0.016, .flare = 0.7, .length = 0.6};
    surface_report r = sound_cloth(shape_dress(&cut), &skin, cut.gap, -2); /* four holes */
    claim_below(9, r.least_angle);
    claim_below(r.longest, 2.6 * size);
    r = sound_cloth(shape_petticoat(&cut), &skin, cut.gap, 0);
    claim_below(20, r.least_angle);
    claim_below(r.longest, 1.7 * size);
  }
  mesh_free(&skin);
}

static void a_turned_profile_is_closed_with_corners_and_all(void **state) {
  (void)state;
  const turned_corner cup[] = {{0, 0}, {3, 0}, {3, 5}, {2.5, 5}, {2.5, 1}, {0, 1}};
  surface_report r = closed_surface(shape_profile(cup, 6, 0.4), 2);
  double exact = PI * (9 * 5 - 2.5 * 2.5 * 4);
  claim_near(r.volume, exact, 0.02 * exact);
  claim_below(20, r.least_angle);
}

static void distance_to_a_surface_is_signed(void **state) {
  (void)state;
  mesh block = shape_brick(2, 2, 2, 2, 2, 2), m = shape_skin(&block);
  claim_near(surface_distance(&m, (double[3]){1, 1, 1.5}), -0.5, 1e-15);
  claim_near(surface_distance(&m, (double[3]){1, 1, 2.25}), 0.25, 1e-15);
  claim_near(surface_distance(&m, (double[3]){3, 3, 1}), sqrt(2), 1e-15);
  mesh_free(&block);
  mesh_free(&m);
}

static void faults_of_a_mesh_are_seen(void **state) {
  (void)state;
  surface_report r;
  mesh m = shape_globe(4, 1);
  assert_non_null(m.positions);
  int32_t first = m.triangles[0]; /* one triangle turned over: its three edges */
  m.triangles[0] = m.triangles[1];
  m.triangles[1] = first;
  assert_true(surface_measure(&m, &r));
  assert_int_equal(r.bad_edges, 3);
  m.triangle_count -= 2; /* a square left out: four open edges */
  assert_true(surface_measure(&m, &r));
  assert_int_equal(r.open_edges, 4);
  mesh_free(&m);

  solid_report s;
  mesh block = shape_brick(1, 1, 1, 1, 1, 1);
  int32_t turned = block.tets[4];
  block.tets[4] = block.tets[5];
  block.tets[5] = turned;
  assert_true(solid_measure(&block, &s));
  claim_near(s.least_volume, -1.0 / 6, 1e-15);
  mesh_free(&block);
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(a_brick_is_a_block_of_five_tets_a_cell),
      cmocka_unit_test(a_shell_is_a_hollow_ball_with_two_surfaces),
      cmocka_unit_test(a_ball_is_full_and_its_surface_round),
      cmocka_unit_test(a_tube_is_a_thick_ring),
      cmocka_unit_test(a_cylinder_is_a_closed_stack_of_antiprisms),
      cmocka_unit_test(the_smooth_surface_of_a_cylinder_runs_near_the_vertices),
      cmocka_unit_test(a_globe_is_a_sphere_of_even_triangles),
      cmocka_unit_test(a_disc_faces_up_and_has_one_rim),
      cmocka_unit_test(a_stool_stands_on_four_feet),
      cmocka_unit_test(stuffing_gives_sound_tets_on_the_zero_of_a_field),
      cmocka_unit_test(stuffing_fills_a_ball_to_second_order),
      cmocka_unit_test(a_clipped_surface_ends_on_the_line_of_the_cut),
      cmocka_unit_test(a_body_has_sound_tets_and_an_even_skin),
      cmocka_unit_test(a_tank_top_is_a_tube_with_two_straps),
      cmocka_unit_test(a_dancer_has_an_even_skin),
      cmocka_unit_test(a_dress_is_a_tube_with_two_straps_and_a_petticoat_one_without),
      cmocka_unit_test(a_turned_profile_is_closed_with_corners_and_all),
      cmocka_unit_test(distance_to_a_surface_is_signed),
      cmocka_unit_test(faults_of_a_mesh_are_seen),
  };
  return cmocka_run_group_tests(claims, NULL, NULL);
}
