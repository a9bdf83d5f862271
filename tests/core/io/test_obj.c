/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/obj.h"

#include "base/file.h"
#include "claims.h"
#include "scratch.h"

#define PARSE obj_parse
#define NAME  "sheet.obj"
#include "core/io/parsing.h"

#define FOUR "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void obj__reads_vertices_and_triangles(void **state) {
  (void)state;
  mesh m;
  claim_ok(
      parse("# a sheet\nv 0 0.5 -1e-3\nv 1 0 0 1.0\n\nv 1 1 0 0.5 0.5 0.5\nf 1 2 3\n", &m, err));
  assert_int_equal(m.vertex_count, 3);
  assert_int_equal(m.triangle_count, 1);
  claim_near(m.positions[1], 0.5, 0);
  claim_near(m.positions[2], -1e-3, 0);
  claim_near(m.positions[7], 1, 0);
  claim_indices(m.triangles, (int32_t[]){0, 1, 2}, 3);
  assert_null(m.uvs);
  assert_null(m.tets);
  mesh_free(&m);
}

static void obj__fans_polygons_from_their_first_corner(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "v 0 2 0\nf 1 2 3 4\nf 5 4 3 2 1\n", &m, err));
  assert_int_equal(m.triangle_count, 5);
  claim_indices(m.triangles, (int32_t[]){0, 1, 2, 0, 2, 3, 4, 3, 2, 4, 2, 1, 4, 1, 0}, 15);
  mesh_free(&m);
}

static void obj__takes_every_form_of_corner(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "vt 0 0\nvn 0 0 1\nf 1 2/1 3//1\nf 1/1/1 2/1/ 4/\n", &m, err));
  claim_indices(m.triangles, (int32_t[]){0, 1, 2, 0, 1, 3}, 6);
  assert_null(m.uvs);
  mesh_free(&m);
}

static void obj__counts_negative_indices_backwards(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "vt 0 0\nvt 1 2\nf -4/-2 -3/-1 -1/-1\nv 9 9 9\nf -1/1 1/1 2/1\n", &m, err));
  claim_indices(m.triangles, (int32_t[]){0, 1, 3, 4, 0, 1}, 6);
  claim_near(m.uvs[0], 0, 0);
  claim_near(m.uvs[3], 2, 0);
  mesh_free(&m);
}

static void obj__takes_faces_before_their_vertices(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse("f 1 2 3\n" FOUR, &m, err));
  claim_indices(m.triangles, (int32_t[]){0, 1, 2}, 3);
  mesh_free(&m);
}

static void obj__keeps_uvs_when_every_corner_has_one(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "vt 0 0\nvt 1 0 0\nvt 1 1\nvt 0.25\nf 1/1 2/2 3/3 4/4\n", &m, err));
  static const double uvs[] = {0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0.25, 0};
  for (int i = 0; i < 12; i++) claim_near(m.uvs[i], uvs[i], 0);
  mesh_free(&m);
}

static void obj__leaves_uvs_out_when_one_corner_has_none(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "vt 0 0\nf 1/1 2/1 3/1\nf 1/1 3 4/1\nf 1/1 2/1 4/1\n", &m, err));
  assert_int_equal(m.triangle_count, 3);
  assert_null(m.uvs);
  mesh_free(&m);
}

static void obj__reads_polylines_as_edges(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "vt 0 0\nl 1 2/1 3\nl -1 -2 # the end\n", &m, err));
  assert_int_equal(m.edge_count, 3);
  claim_indices(m.edges, (int32_t[]){0, 1, 1, 2, 3, 2}, 6);
  assert_int_equal(m.triangle_count, 0);
  mesh_free(&m);
}

static void obj__passes_over_what_it_does_not_know(void **state) {
  (void)state;
  mesh m;
  claim_ok(
      parse("mtllib x.mtl\no thing\n" FOUR "g a b\nusemtl red\ns off\nvp 1\nf 1 2 3\n", &m, err));
  assert_int_equal(m.triangle_count, 1);
  mesh_free(&m);
}

static void obj__takes_windows_lines_and_joined_lines(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse("v 0 0 0\r\nv 1 0 0\r\n\tv\t1 1 0\r\nf 1\\\n 2 \\\r\n3\r\n", &m, err));
  assert_int_equal(m.triangle_count, 1);
  claim_near(m.positions[6], 1, 0);
  mesh_free(&m);
  claim_refused("v 0 0 \\\n0\nv 1 x 0\n", "'sheet.obj' line 3: vertex 2");
}

static void obj__needs_no_newline_at_the_end(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(FOUR "f 1 2 3", &m, err));
  assert_int_equal(m.triangle_count, 1);
  mesh_free(&m);
}

static void obj__refuses_an_index_beyond_the_vertices(void **state) {
  (void)state;
  claim_refused(FOUR "f 1 2 3\nf 1 2 900\nf 1 2 3\n",
                "'sheet.obj' line 6: face uses vertex 900, but the file defines only 4");
  claim_refused(FOUR "l 1 5\n", "line 5: line uses vertex 5, but the file defines only 4");
  claim_refused(FOUR "vt 0 0\nf 1/1 2/1 3/7\n", "line 6: face uses texture coordinate 7");
  claim_refused(FOUR "f 1 2 99999999999\n", "line 5: face uses vertex 99999999999");
}

static void obj__refuses_index_zero_and_too_negative_ones(void **state) {
  (void)state;
  claim_refused(FOUR "f 0 1 2\n", "line 5: face uses vertex 0, but OBJ counts from 1");
  claim_refused(FOUR "f -1 -2 -5\n", "line 5: face uses vertex -5, but only 4 are defined before");
  claim_refused(FOUR "f -1/-1 -2 -3\n", "texture coordinate -1, but only 0");
  claim_refused(FOUR "f 1 2 -9223372036854775808\n", "uses vertex -9223372036854775808");
}

static void obj__refuses_malformed_corners(void **state) {
  (void)state;
  claim_refused(FOUR "f 1 2 x\n", "line 5: face has the corner 'x'");
  claim_refused(FOUR "f 1 2 3.5\n", "line 5: face has the corner '3.5'");
  claim_refused(FOUR "f 1 2 /1\n", "expected v, v/t, v//n or v/t/n");
  claim_refused(FOUR "f 1 2 1/1/1/1\n", "corner '1/1/1/1'");
  claim_refused(FOUR "f 1 2 99999999999999999999\n", "corner '99999999999999999999'");
}

static void obj__refuses_too_few_corners(void **state) {
  (void)state;
  claim_refused(FOUR "f 1 2\n", "line 5: face has 2 corners, but needs at least 3");
  claim_refused(FOUR "f\n", "line 5: face has 0 corners");
  claim_refused(FOUR "l 1\n", "line 5: line has 1 vertices, but needs at least 2");
}

static void obj__refuses_coordinates_that_are_not_finite_numbers(void **state) {
  (void)state;
  claim_refused("v 0 0 0\nv 0 nan 0\n",
                "line 2: vertex 2 has the y coordinate 'nan'; it must be a finite number");
  claim_refused("v inf 0 0\n", "line 1: vertex 1 has the x coordinate 'inf'");
  claim_refused("v 0 0 1e999\n", "vertex 1 has the z coordinate '1e999'");
  claim_refused("v 0 0 1,5\n", "vertex 1 has the z coordinate '1,5'");
  claim_refused("v 0 0\n", "line 1: vertex 1 has only 2 of 3 coordinates");
  claim_refused(FOUR "vt nan 0\n", "line 5: texture coordinate 1 has the u value 'nan'");
  claim_refused(FOUR "vt\n", "line 5: texture coordinate 1 has the u value nothing");
}

static void obj__refuses_a_file_without_vertices(void **state) {
  (void)state;
  claim_refused("", "'sheet.obj' holds no vertices");
  claim_refused("# only words\n", "is it a Wavefront OBJ file?");
}

static void obj__takes_zeros_in_the_text_for_letters(void **state) {
  (void)state;
  mesh m;
  claim_fails(obj_parse("zero.obj", "v 0 0 \0 0\n", 10, &m, err), TRIBO_BAD_INPUT,
              "vertex 1 has the z coordinate '?'");
}

static void obj__reads_back_every_bit_it_wrote(void **state) {
  (void)state;
  enum { VERTICES = 500, TRIANGLES = 300, EDGES = 20 };
  double positions[3 * VERTICES], uvs[6 * TRIANGLES];
  int32_t triangles[3 * TRIANGLES], edges[2 * EDGES];
  uint64_t seed = 3;
  for (int i = 0; i < 3 * VERTICES; i++)
    positions[i] = claim_between(&seed, -1, 1) * pow(10, claim_between(&seed, -40, 40));
  positions[0] = -0.0;
  for (int i = 0; i < 6 * TRIANGLES; i++) uvs[i] = claim_random(&seed);
  for (int i = 0; i < 3 * TRIANGLES; i++) triangles[i] = (int32_t)(claim_random(&seed) * VERTICES);
  for (int i = 0; i < 2 * EDGES; i++) edges[i] = (int32_t)(claim_random(&seed) * VERTICES);
  mesh m = {.vertex_count = VERTICES, .triangle_count = TRIANGLES, .edge_count = EDGES};
  m.positions = positions;
  m.triangles = triangles;
  m.uvs = uvs;
  m.edges = edges;

  mesh back;
  claim_ok(obj_write(scratch_path("round.obj"), &m, err));
  claim_ok(obj_read(scratch_path("round.obj"), &back, err));
  assert_int_equal(back.vertex_count, VERTICES);
  assert_int_equal(back.triangle_count, TRIANGLES);
  assert_int_equal(back.edge_count, EDGES);
  assert_memory_equal(back.positions, positions, sizeof positions);
  assert_memory_equal(back.triangles, triangles, sizeof triangles);
  assert_memory_equal(back.uvs, uvs, sizeof uvs);
  assert_memory_equal(back.edges, edges, sizeof edges);
  mesh_free(&back);
}

static void obj__writes_no_number_that_it_would_refuse(void **state) {
  (void)state;
  double positions[6] = {0, 0, 0, 0, 0, (double)NAN};
  mesh m = {.vertex_count = 2, .positions = positions};
  claim_fails(obj_write(scratch_path("nan.obj"), &m, err), TRIBO_BAD_INPUT,
              "the z coordinate of vertex 1 is nan");
  assert_int_not_equal(access(scratch_path("nan.obj"), F_OK), 0);
}

static void obj__says_which_file_is_missing(void **state) {
  (void)state;
  mesh m;
  claim_fails(obj_read("nowhere.obj", &m, err), TRIBO_BAD_INPUT, "cannot read 'nowhere.obj'");
  mesh_free(&m);
}

static void obj__says_when_it_cannot_write(void **state) {
  (void)state;
  double positions[3] = {0};
  mesh m = {.vertex_count = 1, .positions = positions};
  claim_fails(obj_write("nowhere/x.obj", &m, err), TRIBO_IO, "cannot write 'nowhere/x.obj'");
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(obj__reads_vertices_and_triangles),
      cmocka_unit_test(obj__fans_polygons_from_their_first_corner),
      cmocka_unit_test(obj__takes_every_form_of_corner),
      cmocka_unit_test(obj__counts_negative_indices_backwards),
      cmocka_unit_test(obj__takes_faces_before_their_vertices),
      cmocka_unit_test(obj__keeps_uvs_when_every_corner_has_one),
      cmocka_unit_test(obj__leaves_uvs_out_when_one_corner_has_none),
      cmocka_unit_test(obj__reads_polylines_as_edges),
      cmocka_unit_test(obj__passes_over_what_it_does_not_know),
      cmocka_unit_test(obj__takes_windows_lines_and_joined_lines),
      cmocka_unit_test(obj__needs_no_newline_at_the_end),
      cmocka_unit_test(obj__refuses_an_index_beyond_the_vertices),
      cmocka_unit_test(obj__refuses_index_zero_and_too_negative_ones),
      cmocka_unit_test(obj__refuses_malformed_corners),
      cmocka_unit_test(obj__refuses_too_few_corners),
      cmocka_unit_test(obj__refuses_coordinates_that_are_not_finite_numbers),
      cmocka_unit_test(obj__refuses_a_file_without_vertices),
      cmocka_unit_test(obj__takes_zeros_in_the_text_for_letters),
      cmocka_unit_test(obj__reads_back_every_bit_it_wrote),
      cmocka_unit_test(obj__writes_no_number_that_it_would_refuse),
      cmocka_unit_test(obj__says_which_file_is_missing),
      cmocka_unit_test(obj__says_when_it_cannot_write),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
