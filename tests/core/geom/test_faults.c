/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/faults.h"

#include "skins.h"

static mesh_faults faults_of(const skin *s) {
  mesh_faults out;
  claim_ok(
      mesh_faults_find(s->vertices, s->vertex_count, s->triangles, s->triangle_count, &out, err));
  return out;
}

static void claim_clean(const skin *s, size_t pieces) {
  mesh_faults f = faults_of(s);
  assert_int_equal(f.pieces, pieces);
  assert_int_equal(f.joined, pieces);
  assert_int_equal(f.seams, 0);
  assert_int_equal(f.turned, 0);
  assert_int_equal(f.inside_out, 0);
}

/* Every triangle with three vertices of its own, as an STL file has them. */
static skin apart(const skin *s, arena *memory) {
  skin t = {.vertices = ARENA_ARRAY(memory, vec3, 3 * s->triangle_count),
            .triangles = ARENA_ARRAY(memory, int32_t, 3 * s->triangle_count),
            .vertex_count = 3 * s->triangle_count,
            .triangle_count = s->triangle_count};
  for (size_t i = 0; i < t.vertex_count; i++) {
    t.vertices[i] = s->vertices[s->triangles[i]];
    t.triangles[i] = (int32_t)i;
  }
  return t;
}

static void sound_surfaces_have_no_faults(void **state) {
  skin ball = skin_sphere(4, 1, *state), box = skin_box(2, vec3_make(1, 2, 0.3), *state);
  claim_clean(&ball, 1);
  claim_clean(&box, 1);
  ball.triangle_count -= 5; /* a hole is none */
  claim_clean(&ball, 1);
  skin beside = skin_box(2, vec3_make(1, 2, 0.3), *state);
  skin_move(&beside, 2, 0, 0); /* faces in one place, but no open edge */
  skin both = skin_both(&box, &beside, *state);
  claim_clean(&both, 2);
}

static void loose_triangles_are_pieces_with_seams_between_them(void **state) {
  skin ball = skin_sphere(3, 1, *state), loose = apart(&ball, *state);
  mesh_faults f = faults_of(&loose);
  assert_int_equal(f.pieces, ball.triangle_count);
  assert_int_equal(f.joined, 1);
  assert_int_equal(f.seams, 3 * ball.triangle_count / 2); /* its edges */
  vec3 gap = vec3_sub(loose.vertices[f.seam[0]], loose.vertices[f.seam[1]]);
  assert_true(f.seam[0] != f.seam[1]);
  claim_below(vec3_norm(gap), f.join_distance);
  assert_int_equal(f.inside_out, 0);
  skin_turn_all(&loose);
  assert_int_equal(faults_of(&loose).inside_out, 1);
}

/* A strip bent to a ring whose ends lie on each other: one piece with a seam. */
static void seam_within_one_piece_is_found(void **state) {
  enum { STEPS = 12 };
  skin s = {.vertices = ARENA_ARRAY(*state, vec3, 2 * (STEPS + 1)),
            .triangles = ARENA_ARRAY(*state, int32_t, 6 * STEPS),
            .vertex_count = 2 * (STEPS + 1),
            .triangle_count = 2 * STEPS};
  for (int i = 0; i <= STEPS; i++) {
    double turn = 2 * 3.14159265358979323846 * (i % STEPS) / STEPS;
    for (int k = 0; k < 2; k++) s.vertices[2 * i + k] = vec3_make(cos(turn), sin(turn), 0.2 * k);
  }
  for (int32_t i = 0; i < STEPS; i++) {
    int32_t a = 2 * i, both[6] = {a, a + 2, a + 1, a + 1, a + 2, a + 3};
    memcpy(s.triangles + 6 * i, both, sizeof both);
  }
  mesh_faults f = faults_of(&s);
  assert_int_equal(f.pieces, 1);
  assert_int_equal(f.seams, 1);
  vec3 gap = vec3_sub(s.vertices[f.seam[0]], s.vertices[f.seam[1]]);
  assert_true(f.seam[0] != f.seam[1]);
  claim_below(vec3_norm(gap), 1e-12);
}

static void turned_triangles_are_counted_and_a_band_with_one_side_has_none(void **state) {
  skin ball = skin_sphere(4, 1, *state);
  skin_turn_over(&ball, 7);
  skin_turn_over(&ball, 40);
  mesh_faults f = faults_of(&ball);
  assert_int_equal(f.turned, 2);
  assert_int_equal(f.first_turned, 7);
  skin loose = apart(&ball, *state);
  assert_int_equal(faults_of(&loose).turned, 2);
  const double pi = 3.14159265358979323846;
  enum { STEPS = 16 };
  vec3 points[2 * STEPS];
  int32_t triangles[6 * STEPS];
  for (int i = 0; i < STEPS; i++)
    for (int k = 0; k < 2; k++) {
      double turn = 2 * pi * i / STEPS, out = 1 + (k ? 0.3 : -0.3) * cos(turn / 2);
      points[2 * i + k] =
          vec3_make(out * cos(turn), out * sin(turn), (k ? 0.3 : -0.3) * sin(turn / 2));
    }
  for (int32_t i = 0; i < STEPS; i++) {
    bool last = i == STEPS - 1;
    int32_t a = 2 * i, b = last ? 1 : a + 2, d = last ? 0 : a + 3;
    int32_t both[6] = {a, b, a + 1, a + 1, b, d};
    memcpy(triangles + 6 * i, both, sizeof both);
  }
  skin band = {.vertices = points,
               .triangles = triangles,
               .vertex_count = 2 * STEPS,
               .triangle_count = 2 * STEPS};
  f = faults_of(&band);
  assert_int_equal(f.turned, 0);
  assert_int_equal(f.seams, 0);
}

static void only_shells_whose_front_is_inside_are_inside_out_not_cavities(void **state) {
  skin a = skin_sphere(5, 1, *state), hole = skin_sphere(5, 0.4, *state),
       c = skin_sphere(5, 1, *state);
  skin_turn_all(&hole);
  skin_move(&c, 3, 0, 0);
  skin hollow = skin_both(&a, &hole, *state), s = skin_both(&hollow, &c, *state);
  claim_clean(&s, 3);
  skin_turn_all(&c);
  s = skin_both(&hollow, &c, *state);
  mesh_faults f = faults_of(&s);
  assert_int_equal(f.inside_out, 1);
  assert_true(f.first_inside_out >= hollow.triangle_count);
  c.triangle_count--; /* an open one has no inside */
  assert_int_equal(faults_of(&c).inside_out, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CLAIM(f) cmocka_unit_test_setup_teardown(f, open_arena, close_arena)
      CLAIM(sound_surfaces_have_no_faults),
      CLAIM(loose_triangles_are_pieces_with_seams_between_them),
      CLAIM(seam_within_one_piece_is_found),
      CLAIM(turned_triangles_are_counted_and_a_band_with_one_side_has_none),
      CLAIM(only_shells_whose_front_is_inside_are_inside_out_not_cavities),
#undef CLAIM
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
