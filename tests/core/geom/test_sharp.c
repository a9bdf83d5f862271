/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/sharp.h"

#include "scenes/shapes_turned.h"
#include "skins.h"

static sharp_parts find(const vec3 *points, size_t count, const int32_t *triangles,
                        size_t triangle_count, arena *memory) {
  sharp_parts parts;
  claim_ok(sharp_find(points, count, triangles, triangle_count, memory, &parts, err));
  return parts;
}

/* However its sides are cut: 12 edges in n pieces each, and 8 corners, each with what is around. */
static void box__has_its_edges_and_corners(void **memory) {
  for (int n = 1; n < 4; n++) {
    skin box = skin_bar(n, n, n, vec3_make(1, 2, 3), *memory);
    sharp_parts p =
        find(box.vertices, box.vertex_count, box.triangles, box.triangle_count, *memory);
    assert_int_equal(p.edge_count, 12 * n);
    assert_int_equal(p.corner_count, 8);
    vec3 *places = ARENA_ARRAY(*memory, vec3, p.place_count);
    for (size_t i = 0; i < p.place_count; i++) places[i] = box.vertices[p.vertices[i]];
    for (size_t e = 0; e < p.edge_count; e++) {
      vec3 normals[2], a = places[p.edges[e].place[0]], b = places[p.edges[e].place[1]];
      assert_true(sharp_normals(&p.edges[e], places, normals));
      claim_near(vec3_dot(normals[0], normals[1]), 0, 1e-15);
      /* outwards, and across the edge */
      for (int k = 0; k < 2; k++) {
        assert_true(vec3_dot(normals[k], a) > 0.9);
        claim_near(vec3_dot(normals[k], vec3_sub(b, a)), 0, 1e-15);
      }
    }
    for (size_t k = 0; k < p.corner_count; k++) {
      vec3 c = places[p.corners[k]];
      claim_near(vec3_norm2(c), 14, 1e-14);
      assert_true(p.around_start[k + 1] - p.around_start[k] >= 3);
      for (int32_t i = p.around_start[k]; i < p.around_start[k + 1]; i++)
        assert_true(vec3_dot(vec3_sub(places[p.around[i]], c), c) < -0.5);
    }
  }
}

/* Each side on vertices of its own, as a seam of UVs leaves them. */
static void seams__do_not_hide_an_edge(void **memory) {
  skin box = skin_bar(1, 1, 1, vec3_make(1, 1, 1), *memory);
  size_t corners = 3 * box.triangle_count;
  vec3 *points = ARENA_ARRAY(*memory, vec3, corners);
  int32_t *triangles = ARENA_ARRAY(*memory, int32_t, corners);
  for (size_t c = 0; c < corners; c++) {
    points[c] = box.vertices[box.triangles[c]];
    triangles[c] = (int32_t)c;
  }
  sharp_parts p = find(points, corners, triangles, box.triangle_count, *memory);
  assert_int_equal(p.edge_count, 12);
  assert_int_equal(p.corner_count, 8);
}

static sharp_parts of_mesh(mesh m, arena *memory) {
  sharp_parts p =
      find((const vec3 *)m.positions, m.vertex_count, m.triangles, m.triangle_count, memory);
  mesh_free(&m);
  return p;
}

/* A room, seen from inside, has hollow edges only; a sphere bends a little everywhere; a sheet has
 * rims. */
static void hollow_smooth_and_open_meshes__have_none(void **memory) {
  skin box = skin_bar(2, 2, 2, vec3_make(1, 1, 1), *memory);
  for (size_t t = 0; t < box.triangle_count; t++) {
    int32_t *v = box.triangles + 3 * t, first = v[0];
    v[0] = v[1], v[1] = first;
  }
  sharp_parts room =
      find(box.vertices, box.vertex_count, box.triangles, box.triangle_count, *memory);
  sharp_parts globe = of_mesh(shape_globe(8, 1), *memory);
  sharp_parts sheet = of_mesh(shape_sheet(3, 3, 1, 1), *memory);
  assert_int_equal(room.edge_count + room.corner_count, 0);
  assert_int_equal(globe.edge_count + globe.corner_count, 0);
  assert_int_equal(sheet.edge_count + sheet.corner_count, 0);
}

/* Of a cylinder of 24 sides the two rims are sharp, and neither its side nor any corner. */
static void cylinder__has_two_rims(void **memory) {
  sharp_parts p = of_mesh(shape_cylinder(24, 1, 2), *memory);
  assert_int_equal(p.edge_count, 48);
  assert_int_equal(p.corner_count, 0);
}

/* A cube whose sides are cut in four and blown up: every vertex is a corner. */
static void faceted_ball__is_sharp_everywhere(void **memory) {
  sharp_parts p = of_mesh(shape_globe(2, 1), *memory);
  assert_int_equal(p.corner_count, 26);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(box__has_its_edges_and_corners, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(seams__do_not_hide_an_edge, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(hollow_smooth_and_open_meshes__have_none, open_arena,
                                      close_arena),
      cmocka_unit_test_setup_teardown(cylinder__has_two_rims, open_arena, close_arena),
      cmocka_unit_test_setup_teardown(faceted_ball__is_sharp_everywhere, open_arena, close_arena),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
