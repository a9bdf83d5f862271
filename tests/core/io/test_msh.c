/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/msh.h"

#include "claims.h"
#include "scratch.h"

#define PARSE msh_parse
#define NAME  "ball.msh"
#include "core/io/parsing.h"

#define HEAD_22  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD_41  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define NODES_41                                                                                   \
  "$Nodes\n2 4 1 4\n0 1 0 1\n1\n0 0 0\n3 1 0 3\n2\n3\n4\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static void msh__reads_version_2_2(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(HEAD_22 NODES_22
                 "$Elements\n3\n1 15 2 0 1 1\n2 2 2 0 1 1 2 3\n3 4 2 0 1 1 2 3 4\n$EndElements\n",
                 &m, err));
  assert_int_equal(m.vertex_count, 4);
  assert_int_equal(m.triangle_count, 1);
  assert_int_equal(m.tet_count, 1);
  claim_indices(m.triangles, (int32_t[]){0, 1, 2}, 3);
  claim_indices(m.tets, (int32_t[]){0, 1, 2, 3}, 4);
  claim_near(m.positions[11], 1, 0);
  mesh_free(&m);
}

static void msh__reads_version_4_1(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(HEAD_41 "$Entities\n1 0 0 1\n$EndEntities\n" NODES_41
                         "$Elements\n3 3 1 3\n0 1 15 1\n1 1\n2 1 2 1\n2 1 2 3\n3 1 4 1\n"
                         "3 1 2 3 4\n$EndElements\n",
                 &m, err));
  assert_int_equal(m.vertex_count, 4);
  claim_indices(m.triangles, (int32_t[]){0, 1, 2}, 3);
  claim_indices(m.tets, (int32_t[]){0, 1, 2, 3}, 4);
  claim_near(m.positions[3], 1, 0);
  mesh_free(&m);
}

static void msh__takes_any_node_tags_in_any_order(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(HEAD_22 "$Nodes\n4\n900 0 0 0\n-3 1 0 0\n9223372036854775807 0 1 0\n7 0 0 1\n"
                         "$EndNodes\n$Elements\n1\n1 4 0 7 -3 9223372036854775807 900\n"
                         "$EndElements\n",
                 &m, err));
  claim_indices(m.tets, (int32_t[]){3, 1, 2, 0}, 4);
  claim_near(m.positions[3], 1, 0);
  mesh_free(&m);
}

static void msh__passes_over_parameters_of_nodes(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(HEAD_41 "$Nodes\n1 3 1 3\n2 1 1 3\n1\n2\n3\n0 0 0 0.5 0.5\n1 0 0 0.1 0.1\n"
                         "0 1 0 0.2 0.2\n$EndNodes\n$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n"
                         "$EndElements\n",
                 &m, err));
  claim_near(m.positions[3], 1, 0);
  claim_near(m.positions[7], 1, 0);
  mesh_free(&m);
}

static void msh__drops_nodes_that_no_tet_uses(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(HEAD_22 "$Nodes\n6\n1 9 9 9\n2 0 0 0\n3 1 0 0\n4 8 8 8\n5 0 1 0\n6 0 0 1\n"
                         "$EndNodes\n$Elements\n3\n1 2 0 1 2 3\n2 2 0 6 5 2\n3 4 0 2 3 5 6\n"
                         "$EndElements\n",
                 &m, err));
  assert_int_equal(m.vertex_count, 4);
  claim_indices(m.tets, (int32_t[]){0, 1, 2, 3}, 4);
  assert_int_equal(m.triangle_count, 1);
  claim_indices(m.triangles, (int32_t[]){3, 2, 0}, 3);
  static const double expected[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < 12; i++) claim_near(m.positions[i], expected[i], 0);
  mesh_free(&m);
}

static void msh__keeps_all_nodes_of_a_surface(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse(HEAD_22 NODES_22 "$Elements\n1\n1 2 0 2 3 4\n$EndElements\n", &m, err));
  assert_int_equal(m.vertex_count, 4);
  claim_indices(m.triangles, (int32_t[]){1, 2, 3}, 3);
  mesh_free(&m);
}

static void msh__passes_over_unknown_sections_and_blank_lines(void **state) {
  (void)state;
  mesh m;
  claim_ok(parse("$Comments\nby hand\n$EndComments\r\n\n" HEAD_22
                 "\n$PhysicalNames\n1\n3 1 \"ball\"\n$EndPhysicalNames\n" NODES_22
                 "$Elements\n\n1\n\n1 4 0 1 2 3 4\n\n$EndElements\n"
                 "$NodeData\n1\n\"heat\"\n$EndNodeData",
                 &m, err));
  assert_int_equal(m.tet_count, 1);
  mesh_free(&m);
}

static void msh__refuses_binary_files_with_advice(void **state) {
  (void)state;
  claim_refused("$MeshFormat\n4.1 1 8\n\1\n$EndMeshFormat\n",
                "'ball.msh' line 2: binary MSH files are not supported; save it");
  claim_refused("$MeshFormat\n2.2 1 8\n", "ASCII");
}

static void msh__refuses_other_versions_with_advice(void **state) {
  (void)state;
  claim_refused("$MeshFormat\n4 0 8\n$EndMeshFormat\n",
                "line 2: MSH version '4' is not supported, only 2.2 and 4.1; save it from Gmsh");
  claim_refused("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "MSH version '3.0'");
  claim_refused("$MeshFormat\n\n", "ends inside section $MeshFormat");
  claim_refused("$MeshFormat\n2.2\n", "expected the file type, a whole number, but found nothing");
  claim_refused("$MeshFormat\n2.2 0 8\n", "expected $EndMeshFormat, but found nothing");
}

static void msh__refuses_what_is_no_gmsh_mesh(void **state) {
  (void)state;
  claim_refused("", "'ball.msh' has no $MeshFormat; is it a Gmsh mesh?");
  claim_refused("v 0 0 0\n", "line 1: expected $MeshFormat, but found 'v'");
  claim_refused("$NOD\n1\n1 0 0 0\n$ENDNOD\n", "section '$NOD' never ends");
  claim_refused(NODES_22, "line 1: expected $MeshFormat, but found '$Nodes'");
  claim_refused(HEAD_22 "stray\n", "line 4: expected a section such as $Nodes, but found 'stray'");
}

static void msh__refuses_duplicate_tags(void **state) {
  (void)state;
  claim_refused(HEAD_22 "$Nodes\n3\n1 0 0 0\n5 1 0 0\n1 0 1 0\n$EndNodes\n",
                "line 8: node tag 1 was used before, in line 6");
}

static void msh__refuses_unknown_tags(void **state) {
  (void)state;
  claim_refused(HEAD_22 NODES_22 "$Elements\n1\n7 4 0 1 2 3 9\n$EndElements\n",
                "line 13: element 7 uses node 9, which $Nodes does not define");
  claim_refused(HEAD_22
                "$Nodes\n3\n1 0 0 0\n5 1 0 0\n8 0 1 0\n$EndNodes\n"
                "$Elements\n1\n1 2 0 1 6 8\n$EndElements\n",
                "uses node 6");
  claim_refused(HEAD_22 "$Elements\n1\n1 2 0 1 6 8\n$EndElements\n", "$Elements comes before");
  claim_refused(HEAD_22 "$Nodes\n0\n$EndNodes\n$Elements\n1\n1 2 0 1 6 8\n$EndElements\n",
                "uses node 1");
}

static void msh__refuses_coordinates_that_are_not_finite_numbers(void **state) {
  (void)state;
  claim_refused(HEAD_22 "$Nodes\n1\n4 0 nan 0\n$EndNodes\n",
                "line 6: node 4 has the y coordinate 'nan'; it must be a finite number");
  claim_refused(HEAD_41 "$Nodes\n1 1 8 8\n3 1 0 1\n8\n0 0 1e400\n$EndNodes\n",
                "line 8: node 8 has the z coordinate '1e400'");
  claim_refused(HEAD_22 "$Nodes\n1\n4 0 0\n$EndNodes\n", "node 4 has the z coordinate nothing");
}

static void msh__refuses_counts_that_the_file_cannot_hold(void **state) {
  (void)state;
  claim_refused(HEAD_22 "$Nodes\n2000000000\n1 0 0 0\n$EndNodes\n",
                "line 5: the number of nodes is 2000000000, but only 19 bytes follow");
  claim_refused(HEAD_22 "$Nodes\n-1\n$EndNodes\n",
                "the number of nodes is -1; it must lie between");
  claim_refused(HEAD_22 "$Nodes\n99999999999\n$EndNodes\n", "the number of nodes is 99999999999");
  claim_refused(HEAD_41 "$Nodes\n1 2000000000 1 1\n$EndNodes\n",
                "the number of nodes is 2000000000");
  claim_refused(HEAD_41 "$Nodes\n1 1 1 1\n3 1 0 2000000000\n1\n0 0 0\n$EndNodes\n",
                "line 6: the number of nodes in a block is 2000000000");
  claim_refused(HEAD_22 NODES_22 "$Elements\n2000000000\n$EndElements\n",
                "the number of elements is 2000000000");
}

static void msh__refuses_counts_that_do_not_match(void **state) {
  (void)state;
  claim_refused(HEAD_22 "$Nodes\n2\n1 0 0 0\n$EndNodes\n$Comments\n",
                "line 7: section $Nodes ends too early, at '$EndNodes'");
  claim_refused(HEAD_22 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
                "line 7: expected $EndNodes, but found '2'; is a count too small?");
  claim_refused(HEAD_41 "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Comments\n",
                "the blocks hold 1 nodes, but $Nodes announced 2");
  claim_refused(HEAD_41 "$Nodes\n1 1 1 2\n3 1 0 2\n1\n2\n0 0 0\n1 1 1\n$EndNodes\n",
                "the blocks so far hold 2 nodes, but $Nodes announced 1");
  claim_refused(HEAD_41 NODES_41 "$Elements\n1 2 1 2\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
                "the blocks hold 1 elements, but $Elements announced 2");
  claim_refused(HEAD_22 NODES_22 NODES_22, "a second $Nodes section");
}

static void msh__refuses_malformed_elements(void **state) {
  (void)state;
  claim_refused(HEAD_22 NODES_22 "$Elements\n1\n1 4 0 1 2 3\n$EndElements\n",
                "line 13: expected an element's node, a whole number, but found nothing");
  claim_refused(HEAD_22 NODES_22 "$Elements\n1\n1 2 0 1 2 3 4\n$EndElements\n",
                "element 1 has '4' after its 3 nodes");
  claim_refused(HEAD_22 NODES_22 "$Elements\n1\n1 2 -1 1 2 3\n$EndElements\n", "announces -1 tags");
  claim_refused(HEAD_22 NODES_22 "$Elements\n1\n1 tri 0 1 2 3\n$EndElements\n",
                "expected an element's type, a whole number, but found 'tri'");
}

static void msh__refuses_a_file_cut_off_anywhere(void **state) {
  (void)state;
  static const char whole[] =
      HEAD_41 NODES_41 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
  for (size_t size = 0; size + 2 < sizeof whole; size++) {
    char *part = malloc(size + 1);
    memcpy(part, whole, size);
    part[size] = 0;
    mesh m;
    assert_int_equal(msh_parse("cut.msh", part, size, &m, NULL), TRIBO_BAD_INPUT);
    free(part);
  }
}

static void msh__refuses_a_mesh_without_triangles_and_tets(void **state) {
  (void)state;
  claim_refused(HEAD_22 NODES_22 "$Elements\n2\n1 15 0 1\n2 15 0 2\n$EndElements\n",
                "only 2 other elements (first of type 15); mesh it in Gmsh with order 1");
  claim_refused(HEAD_22 NODES_22, "'ball.msh' holds no elements");
}

static void msh__reads_back_every_bit_it_wrote(void **state) {
  (void)state;
  enum { VERTICES = 400, TETS = 400, TRIANGLES = 150 };
  double positions[3 * VERTICES];
  int32_t tets[4 * TETS], triangles[3 * TRIANGLES];
  uint64_t seed = 5;
  for (int i = 0; i < 3 * VERTICES; i++)
    positions[i] = claim_between(&seed, -1, 1) * pow(10, claim_between(&seed, -40, 40));
  for (int i = 0; i < 4 * TETS; i++) tets[i] = i % VERTICES; /* every vertex is used */
  for (int i = 0; i < 3 * TRIANGLES; i++) triangles[i] = (int32_t)(claim_random(&seed) * VERTICES);
  mesh m = {.vertex_count = VERTICES, .triangle_count = TRIANGLES, .tet_count = TETS};
  m.positions = positions;
  m.triangles = triangles;
  m.tets = tets;

  mesh back;
  claim_ok(msh_write(scratch_path("round.msh"), &m, err));
  claim_ok(msh_read(scratch_path("round.msh"), &back, err));
  assert_int_equal(back.vertex_count, VERTICES);
  assert_int_equal(back.triangle_count, TRIANGLES);
  assert_int_equal(back.tet_count, TETS);
  assert_memory_equal(back.positions, positions, sizeof positions);
  assert_memory_equal(back.triangles, triangles, sizeof triangles);
  assert_memory_equal(back.tets, tets, sizeof tets);
  mesh_free(&back);
}

static void msh__says_which_file_it_cannot_reach(void **state) {
  (void)state;
  mesh m;
  claim_fails(msh_read("nowhere.msh", &m, err), TRIBO_BAD_INPUT, "cannot read 'nowhere.msh'");
  double positions[3] = {(double)INFINITY, 0, 0};
  m = (mesh){.vertex_count = 1, .positions = positions};
  claim_fails(msh_write(scratch_path("x.msh"), &m, err), TRIBO_BAD_INPUT,
              "the x coordinate of vertex 0 is inf");
  positions[0] = 0;
  claim_fails(msh_write("nowhere/x.msh", &m, err), TRIBO_IO, "cannot write 'nowhere/x.msh'");
}

int main(void) {
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(msh__reads_version_2_2),
      cmocka_unit_test(msh__reads_version_4_1),
      cmocka_unit_test(msh__takes_any_node_tags_in_any_order),
      cmocka_unit_test(msh__passes_over_parameters_of_nodes),
      cmocka_unit_test(msh__drops_nodes_that_no_tet_uses),
      cmocka_unit_test(msh__keeps_all_nodes_of_a_surface),
      cmocka_unit_test(msh__passes_over_unknown_sections_and_blank_lines),
      cmocka_unit_test(msh__refuses_binary_files_with_advice),
      cmocka_unit_test(msh__refuses_other_versions_with_advice),
      cmocka_unit_test(msh__refuses_what_is_no_gmsh_mesh),
      cmocka_unit_test(msh__refuses_duplicate_tags),
      cmocka_unit_test(msh__refuses_unknown_tags),
      cmocka_unit_test(msh__refuses_coordinates_that_are_not_finite_numbers),
      cmocka_unit_test(msh__refuses_counts_that_the_file_cannot_hold),
      cmocka_unit_test(msh__refuses_counts_that_do_not_match),
      cmocka_unit_test(msh__refuses_malformed_elements),
      cmocka_unit_test(msh__refuses_a_file_cut_off_anywhere),
      cmocka_unit_test(msh__refuses_a_mesh_without_triangles_and_tets),
      cmocka_unit_test(msh__reads_back_every_bit_it_wrote),
      cmocka_unit_test(msh__says_which_file_it_cannot_reach),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
