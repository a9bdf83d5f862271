/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/embed.h"

#include "scenes/shapes.h"
#include "skins.h"

static tasks one = {1};

static void points_in_tets_are_given_back_by_their_weights(void **state) {
  mesh block = shape_block(5, 4, 3, 1, 0.8, 0.6);
  uint64_t seed = 8;
  enum { COUNT = 3000 };
  vec3 *points = ARENA_ARRAY(*state, vec3, COUNT);
  for (int i = 0; i < COUNT; i++) {
    double x = claim_random(&seed), y = 0.8 * claim_random(&seed);
    points[i] = vec3_make(x, y, 0.6 * claim_random(&seed));
  }
  const vec3 *nodes = (const vec3 *)block.positions;
  embedding e;
  claim_ok(embed_points(&one, nodes, block.vertex_count, block.tets, block.tet_count, points, COUNT,
                        *state, &e, err));
  assert_false(e.exact);
  for (int i = 0; i < COUNT; i++) {
    vec3 p = {0};
    double sum = 0;
    for (int a = 0; a < 4; a++) {
      assert_true(e.weight[i][a] >= -1e-12 && e.weight[i][a] <= 1 + 1e-12);
      p = vec3_madd(p, e.weight[i][a], nodes[e.anchor[i][a]]);
      sum += e.weight[i][a];
    }
    claim_near(sum, 1, 1e-15 * 8);
    claim_below(vec3_norm(vec3_sub(p, points[i])), 1e-14);
  }
  mesh_free(&block);
}

static void a_point_that_is_a_node_hangs_on_it_alone(void **state) {
  mesh block = shape_block(3, 3, 3, 1, 1, 1);
  const vec3 *nodes = (const vec3 *)block.positions;
  embedding e;
  claim_ok(embed_points(&one, nodes, block.vertex_count, block.tets, block.tet_count, nodes,
                        block.vertex_count, *state, &e, err));
  assert_true(e.exact);
  for (size_t i = 0; i < block.vertex_count; i++) {
    assert_int_equal(e.anchor[i][0], i);
    assert_true(e.weight[i][0] == 1);
    for (int a = 1; a < 4; a++) {
      assert_true(e.weight[i][a] == 0);
      for (int b = 0; b < a; b++) assert_int_not_equal(e.anchor[i][a], e.anchor[i][b]);
    }
  }
  mesh_free(&block);
}

static void a_point_outside_is_refused_by_number_and_place(void **state) {
  mesh block = shape_block(2, 2, 2, 1, 1, 1);
  vec3 points[3] = {{0.5, 0.5, 0.25}, {1 + 1e-9, 0.3, 0.3}, {0.5, 1.25, 0.5}};
  embedding e;
  claim_ok(embed_points(&one, (const vec3 *)block.positions, block.vertex_count, block.tets,
                        block.tet_count, points, 2, *state, &e, err));
  claim_fails(embed_points(&one, (const vec3 *)block.positions, block.vertex_count, block.tets,
                           block.tet_count, points, 3, *state, &e, err),
              TRIBO_BAD_INPUT, "vertex 2 at (0.5, 1.25, 0.5) lies outside");
  mesh_free(&block);
}

static void the_first_and_deepest_tet_is_that_of_trying_them_all(void **state) {
  uint64_t seed = 31;
  enum { TETS = 300, POINTS = 500 };
  vec3 *nodes = ARENA_ARRAY(*state, vec3, 4 * TETS), *points = ARENA_ARRAY(*state, vec3, POINTS);
  int32_t *tets = ARENA_ARRAY(*state, int32_t, 4 * TETS);
  for (int t = 0; t < TETS; t++) { /* a crowd of tets of all sizes that overlap */
    vec3 at = skin_random(&seed, 1);
    double size = claim_between(&seed, 0.02, 0.9);
    for (int a = 0; a < 4; a++) {
      tets[4 * t + a] = 4 * t + a;
      nodes[4 * t + a] = vec3_add(at, skin_random(&seed, size));
    }
    if (tet_volume(nodes, tets + 4 * t) < 0) {
      int32_t kept = tets[4 * t];
      tets[4 * t] = tets[4 * t + 1];
      tets[4 * t + 1] = kept;
    }
  }
  for (int i = 0; i < POINTS; i++) { /* in the middle of one, so held by one at least */
    const int32_t *t = tets + 4 * (i % TETS);
    points[i] = vec3_scale(
        0.25, vec3_add(vec3_add(nodes[t[0]], nodes[t[1]]), vec3_add(nodes[t[2]], nodes[t[3]])));
  }
  embedding e;
  claim_ok(embed_points(&one, nodes, 4 * TETS, tets, TETS, points, POINTS, *state, &e, err));
  for (int i = 0; i < POINTS; i++) {
    double deepest = -INFINITY;
    const int32_t *best = NULL;
    for (int t = 0; t < TETS; t++) { /* weights as ratios of volumes */
      double least = INFINITY;
      for (int a = 0; a < 4; a++) {
        vec3 x[4];
        int32_t self[4] = {0, 1, 2, 3};
        for (int b = 0; b < 4; b++) x[b] = b == a ? points[i] : nodes[tets[4 * t + b]];
        least = fmin(least, tet_volume(x, self) / tet_volume(nodes, tets + 4 * t));
      }
      if (least > deepest + 1e-9) deepest = least, best = tets + 4 * t;
    }
    assert_memory_equal(e.anchor[i], best, 4 * sizeof *best);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(points_in_tets_are_given_back_by_their_weights),
      CLAIM(a_point_that_is_a_node_hangs_on_it_alone),
      CLAIM(a_point_outside_is_refused_by_number_and_place),
      CLAIM(the_first_and_deepest_tet_is_that_of_trying_them_all),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
