/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/closed.h"

#include "skins.h"

static tribo_status check(const skin *s, tribo_error *err) {
  return closed_check(s->vertices, s->vertex_count, s->triangles, s->triangle_count, err);
}

static void clean_surfaces_pass_turned_and_far_from_the_origin_too(void **state) {
  for (int n = 1; n < 9; n++) {
    skin ball = skin_sphere(n, 1, *state), box = skin_box(n, vec3_make(1, 2, 0.3), *state);
    claim_ok(check(&ball, err));
    claim_ok(check(&box, err));
    uint64_t seed = (uint64_t)n;
    vec3 a = vec3_normalized(skin_random(&seed, 1));
    vec3 b = vec3_normalized(vec3_cross(a, skin_random(&seed, 1))), c = vec3_cross(a, b);
    for (size_t i = 0; i < box.vertex_count; i++) {
      vec3 p = box.vertices[i];
      box.vertices[i] =
          vec3_add(vec3_scale(p.x, a), vec3_add(vec3_scale(p.y, b), vec3_scale(p.z, c)));
    }
    skin_move(&box, 100, -30, 7);
    claim_ok(check(&box, err));
    claim_near(closed_volume(box.vertices, box.triangles, box.triangle_count), 8 * 0.6, 1e-9);
  }
}

static void parts_apart_and_cavities_pass(void **state) {
  skin a = skin_sphere(5, 1, *state), b = skin_sphere(5, 0.4, *state),
       c = skin_sphere(5, 1, *state);
  skin_turn_all(&b);
  skin_move(&c, 3, 0, 0);
  skin hollow = skin_both(&a, &b, *state), s = skin_both(&hollow, &c, *state);
  claim_ok(check(&s, err));
}

static void a_hole_is_named_by_its_edge_and_place(void **state) {
  skin s = skin_box(2, vec3_make(1, 1, 1), *state);
  s.triangle_count--;
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "the surface is open: the edge between vertices");
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "merge vertices");
}

static void an_edge_of_three_triangles_is_refused(void **state) {
  skin s = skin_box(1, vec3_make(1, 1, 1), *state), t = s;
  t.triangles = ARENA_ARRAY(*state, int32_t, 3 * (s.triangle_count + 1));
  t.vertices = ARENA_ARRAY(*state, vec3, s.vertex_count + 1);
  memcpy(t.triangles, s.triangles, 3 * s.triangle_count * sizeof *t.triangles);
  memcpy(t.vertices, s.vertices, s.vertex_count * sizeof *t.vertices);
  t.vertices[t.vertex_count++] = vec3_make(5, 5, 5);
  memcpy(t.triangles + 3 * t.triangle_count++, (int32_t[3]){t.triangles[0], t.triangles[1], 8},
         3 * sizeof *t.triangles);
  claim_fails(check(&t, err), TRIBO_BAD_INPUT, "has 3 triangles");
}

static void a_turned_triangle_is_named(void **state) {
  skin s = skin_sphere(4, 1, *state);
  skin_turn_over(&s, 7);
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "wound against each other");
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "7");
}

static void an_inside_out_surface_is_refused(void **state) {
  skin s = skin_sphere(4, 1, *state);
  skin_turn_all(&s);
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "inside out");
}

static void a_loose_vertex_is_named(void **state) {
  skin s = skin_sphere(4, 1, *state);
  s.vertices[s.vertex_count++] = vec3_make(9, 8, 7); /* the box left room */
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "at (9, 8, 7) belongs to no triangle");
}

static void spheres_that_cut_each_other_are_refused_at_the_first_place(void **state) {
  skin a = skin_sphere(8, 1, *state), b = skin_sphere(8, 1, *state);
  skin_move(&b, 1.3, 0.1, 0.2);
  skin s = skin_both(&a, &b, *state);
  tribo_error error;
  assert_int_equal(check(&s, &error), TRIBO_BAD_INPUT);
  const char *at = strstr(error.message, "meet at (");
  assert_non_null(at);
  vec3 p;
  assert_int_equal(sscanf(at, "meet at (%lf, %lf, %lf)", &p.x, &p.y, &p.z), 3);
  claim_near(vec3_norm(p), 1, 0.03); /* on both spheres */
  claim_near(vec3_norm(vec3_sub(p, vec3_make(1.3, 0.1, 0.2))), 1, 0.03);
}

/* Pushing one vertex of a sphere through the other side cuts whatever is there. */
static void a_vertex_pushed_through_the_other_side_cuts(void **state) {
  skin s = skin_sphere(6, 1, *state);
  claim_ok(check(&s, err));
  s.vertices[10] = vec3_scale(-1.7, s.vertices[10]);
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "cuts itself");
}

static void nothing_encloses_nothing(void **state) {
  skin s = {.vertices = ARENA_ARRAY(*state, vec3, 1), .triangles = ARENA_ARRAY(*state, int32_t, 1)};
  claim_fails(check(&s, err), TRIBO_BAD_INPUT, "no triangles");
}

static void soups_are_refused_without_harm(void **state) {
  uint64_t seed = 21;
  for (int round = 1; round < 200; round++) {
    skin s = skin_soup((size_t)round % 40 + 1, &seed, *state);
    tribo_error error;
    assert_int_equal(check(&s, &error), TRIBO_BAD_INPUT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
      CLAIM(clean_surfaces_pass_turned_and_far_from_the_origin_too),
      CLAIM(parts_apart_and_cavities_pass),
      CLAIM(a_hole_is_named_by_its_edge_and_place),
      CLAIM(an_edge_of_three_triangles_is_refused),
      CLAIM(a_turned_triangle_is_named),
      CLAIM(an_inside_out_surface_is_refused),
      CLAIM(a_loose_vertex_is_named),
      CLAIM(spheres_that_cut_each_other_are_refused_at_the_first_place),
      CLAIM(a_vertex_pushed_through_the_other_side_cuts),
      CLAIM(nothing_encloses_nothing),
      CLAIM(soups_are_refused_without_harm),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
