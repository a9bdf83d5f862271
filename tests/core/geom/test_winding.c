/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/winding.h"

#include "geom/orient.h"
#include "skins.h"

static double brute(const skin *s, vec3 p) {
  double sum = 0;
  for (size_t i = 0; i < s->triangle_count; i++) {
    const int32_t *t = s->triangles + 3 * i;
    sum +=
        winding_of_triangle(p, (vec3[3]){s->vertices[t[0]], s->vertices[t[1]], s->vertices[t[2]]});
  }
  return sum;
}

static winding built(const skin *s, arena *memory) {
  winding w;
  claim_ok(winding_build(s->vertices, s->triangles, s->triangle_count, memory, &w, err));
  return w;
}

static void a_closed_surface_winds_once_around_its_inside_and_not_around_its_outside(void **state) {
  skin s = skin_sphere(20, 1, *state);
  winding w = built(&s, *state);
  uint64_t seed = 3;
  for (int i = 0; i < 2000; i++) {
    vec3 p = skin_random(&seed, 1.5);
    double r = vec3_norm(p);
    if (r > 0.985 && r < 1.001) continue; /* between the sphere and its triangles */
    claim_near(brute(&s, p), r < 1 ? 1 : 0, 1e-12);
    claim_near(winding_number(&w, p), r < 1 ? 1 : 0, 0.02);
    assert_int_equal(winding_inside(&w, p), r < 1);
  }
}

static void far_clusters_as_dipoles_change_it_by_less_than_a_fiftieth(void **state) {
  uint64_t seed = 11;
  double worst = 0;
  for (int round = 0; round < 6; round++) {
    skin ball = skin_sphere(24, 1, *state), s = ball;
    if (round % 2) s.triangle_count = (size_t)(claim_random(&seed) * (double)ball.triangle_count);
    winding w = built(&s, *state);
    for (int i = 0; i < 1000; i++) {
      vec3 p = skin_random(&seed, 2);
      worst = fmax(worst, fabs(winding_number(&w, p) - brute(&s, p)));
    }
  }
  claim_below(worst, 0.02);
  assert_true(worst > 1e-6); /* the dipoles were used */
}

/* Each of two shells is off by a fiftieth at most. */
static void overlaps_cavities_and_turned_shells_count_as_they_are_wound(void **state) {
  skin a = skin_sphere(8, 1, *state), b = skin_sphere(8, 0.5, *state);
  skin twice = skin_both(&a, &b, *state);
  winding w = built(&twice, *state);
  claim_near(winding_number(&w, vec3_make(0.01, 0.02, 0.03)), 2, 0.04);
  skin_turn_all(&b);
  skin hollow = skin_both(&a, &b, *state);
  w = built(&hollow, *state);
  claim_near(winding_number(&w, vec3_make(0.01, 0.02, 0.03)), 0, 0.04);
  claim_near(winding_number(&w, vec3_make(0.7, 0.02, 0.03)), 1, 0.04);
  skin_turn_all(&a);
  w = built(&a, *state);
  claim_near(winding_number(&w, vec3_make(0.01, 0.02, 0.03)), -1, 0.02);
  assert_true(winding_inside(&w, vec3_make(0.01, 0.02, 0.03)));
}

static void a_small_hole_leaves_the_inside_inside(void **state) {
  skin s = skin_sphere(16, 1, *state);
  for (size_t i = 0; i < s.triangle_count; i++) { /* everything above z = 0.9 is missing */
    const int32_t *t = s.triangles + 3 * i;
    if (s.vertices[t[0]].z < 0.9) continue;
    memcpy(s.triangles + 3 * i--, s.triangles + 3 * --s.triangle_count, 3 * sizeof *t);
  }
  winding w = built(&s, *state);
  assert_true(winding_inside(&w, vec3_make(0, 0, 0)));
  assert_true(winding_inside(&w, vec3_make(0, 0, 0.8)));
  assert_true(winding_inside(&w, vec3_make(0, 0, -0.95)));
  assert_false(winding_inside(&w, vec3_make(0, 0, 1.05)));
  assert_false(winding_inside(&w, vec3_make(1.1, 0, 0)));
}

static void triangles_turned_over_are_turned_back_by_their_neighbours(void **state) {
  skin s = skin_sphere(10, 1, *state);
  int32_t *before = malloc(3 * s.triangle_count * sizeof *before), *agreed;
  size_t turned;
  memcpy(before, s.triangles, 3 * s.triangle_count * sizeof *before);
  uint64_t seed = 5;
  size_t wrong = 0;
  for (size_t i = 0; i < s.triangle_count; i++)
    if (claim_random(&seed) < 0.3) skin_turn_over(&s, i), wrong++;
  assert_true(wrong > 100);
  claim_ok(
      orient_surface(s.vertices, s.triangles, s.triangle_count, *state, &agreed, &turned, err));
  assert_int_equal(turned, wrong);
  winding w;
  claim_ok(winding_build(s.vertices, agreed, s.triangle_count, *state, &w, err));
  claim_near(winding_number(&w, vec3_make(0.1, 0.1, 0.1)), 1, 0.02);
  free(before);
}

static void shells_that_agree_in_themselves_stay_as_they_are(void **state) {
  skin a = skin_sphere(6, 1, *state), b = skin_sphere(6, 0.5, *state);
  skin_turn_all(&b);
  skin s = skin_both(&a, &b, *state);
  int32_t *agreed;
  size_t turned;
  claim_ok(
      orient_surface(s.vertices, s.triangles, s.triangle_count, *state, &agreed, &turned, err));
  assert_int_equal(turned, 0);
  assert_memory_equal(agreed, s.triangles, 3 * s.triangle_count * sizeof *agreed);
}

static void soups_and_nothing_at_all_are_oriented_and_wound_without_harm(void **state) {
  uint64_t seed = 77;
  for (int round = 0; round < 50; round++) {
    skin s = skin_soup((size_t)round, &seed, *state);
    int32_t *agreed;
    size_t turned;
    claim_ok(
        orient_surface(s.vertices, s.triangles, s.triangle_count, *state, &agreed, &turned, err));
    winding w;
    claim_ok(winding_build(s.vertices, agreed, s.triangle_count, *state, &w, err));
    for (size_t i = 0; i < s.vertex_count; i++) /* at the vertices, too */
      assert_true(isfinite(winding_number(&w, s.vertices[i])));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(a_closed_surface_winds_once_around_its_inside_and_not_around_its_outside),
      CLAIM(far_clusters_as_dipoles_change_it_by_less_than_a_fiftieth),
      CLAIM(overlaps_cavities_and_turned_shells_count_as_they_are_wound),
      CLAIM(a_small_hole_leaves_the_inside_inside),
      CLAIM(triangles_turned_over_are_turned_back_by_their_neighbours),
      CLAIM(shells_that_agree_in_themselves_stay_as_they_are),
      CLAIM(soups_and_nothing_at_all_are_oriented_and_wound_without_harm),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
