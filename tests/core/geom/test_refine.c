/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Refined meshes: the same shape in smaller triangles, each vertex a known share of its parents.
 */
#include "claims.h"
#include "geom/refine.h"
#include "scenes/shapes.h"

/* A block's skin with vertices out of place: triangles of many sizes. */
typedef struct sample {
  mesh skin;
  vec3 *vertices;
} sample;

static sample make(double shake) {
  mesh block = shape_block(2, 1, 3, 1, 0.4, 2);
  sample s = {.skin = shape_skin(&block)};
  mesh_free(&block);
  uint64_t seed = 17;
  s.vertices = calloc(s.skin.vertex_count, sizeof *s.vertices);
  for (size_t i = 0; i < s.skin.vertex_count; i++) {
    s.vertices[i] = vec3_from(s.skin.positions + 3 * i);
    s.vertices[i].x += claim_between(&seed, -shake, shake);
    s.vertices[i].z += claim_between(&seed, -shake, shake);
  }
  return s;
}

static void release(sample *s) {
  mesh_free(&s->skin);
  free(s->vertices);
}

static vec3 area(const vec3 *x, const int32_t *t) {
  return vec3_scale(0.5, vec3_cross(vec3_sub(x[t[1]], x[t[0]]), vec3_sub(x[t[2]], x[t[0]])));
}

static double longest_side(const vec3 *x, const int32_t *t) {
  double longest = 0;
  for (int k = 0; k < 3; k++)
    longest = fmax(longest, vec3_norm(vec3_sub(x[t[(k + 1) % 3]], x[t[k]])));
  return longest;
}

static refined refine(const sample *s, double spacing, arena *memory) {
  refined out;
  claim_ok(refine_mesh("block", s->vertices, s->skin.vertex_count, s->skin.triangles,
                       s->skin.triangle_count, spacing, memory, &out, err));
  return out;
}

/* The pieces of a triangle stand one after another: area vectors tell size and winding at once. */
static void pieces__fill_their_triangle_the_same_way_round(void **unused) {
  (void)unused;
  sample s = make(0.1);
  arena memory = {0};
  double spacings[] = {0.5, 0.2, 0.07};
  for (int k = 0; k < 3; k++) {
    refined out = refine(&s, spacings[k], &memory);
    size_t piece = 0;
    for (size_t i = 0; i < s.skin.triangle_count; i++) {
      const int32_t *whole = s.skin.triangles + 3 * i;
      double parts = ceil(longest_side(s.vertices, whole) / spacings[k] * (1 - 1e-9));
      vec3 all = area(s.vertices, whole);
      for (double n = 0; n < parts * parts; n++, piece++) {
        vec3 own = area(out.vertices, out.triangles + 3 * piece);
        vec3 share = vec3_scale(1 / (parts * parts), all);
        claim_below(vec3_norm(vec3_sub(own, share)), 1e-14);
      }
    }
    assert_int_equal(piece, out.triangle_count);
  }
  arena_free(&memory);
  release(&s);
}

static void sides__are_no_longer_than_asked(void **unused) {
  (void)unused;
  sample s = make(0.1);
  arena memory = {0};
  refined out = refine(&s, 0.15, &memory);
  for (size_t i = 0; i < out.triangle_count; i++)
    claim_below(longest_side(out.vertices, out.triangles + 3 * i), 0.15 * (1 + 1e-8));
  arena_free(&memory);
  release(&s);
}

static void vertices__are_shares_of_their_parents(void **unused) {
  (void)unused;
  sample s = make(0.1);
  arena memory = {0};
  refined out = refine(&s, 0.2, &memory);
  for (size_t i = 0; i < out.vertex_count; i++) {
    vec3 p = {0, 0, 0};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      assert_true(out.weight[i][k] >= 0);
      assert_true(out.parent[i][k] >= 0 && (size_t)out.parent[i][k] < s.skin.vertex_count);
      sum += out.weight[i][k];
      p = vec3_madd(p, out.weight[i][k], s.vertices[out.parent[i][k]]);
    }
    claim_near(sum, 1, 1e-15 * 3);
    claim_below(vec3_norm(vec3_sub(p, out.vertices[i])), 1e-15 * 3);
  }
  for (size_t i = 0; i < 3 * out.triangle_count; i++)
    assert_true(out.triangles[i] >= 0 && (size_t)out.triangles[i] < out.vertex_count);
  arena_free(&memory);
  release(&s);
}

/* Without spacing, or where nothing is too long, the mesh is its own copy, to the bit. */
static void fine_meshes__are_left_alone(void **unused) {
  (void)unused;
  sample s = make(0.1);
  arena memory = {0};
  double spacings[] = {0, 10};
  for (int k = 0; k < 2; k++) {
    refined out = refine(&s, spacings[k], &memory);
    assert_null(out.parent);
    assert_null(out.weight);
    assert_int_equal(out.vertex_count, s.skin.vertex_count);
    assert_int_equal(out.triangle_count, s.skin.triangle_count);
    assert_memory_equal(out.vertices, s.vertices, out.vertex_count * sizeof *out.vertices);
    assert_memory_equal(out.triangles, s.skin.triangles,
                        3 * out.triangle_count * sizeof *out.triangles);
  }
  arena_free(&memory);
  release(&s);
}

/* A side of exactly twice the spacing makes two parts, not three by rounding. */
static void even_sides__are_cut_evenly(void **unused) {
  (void)unused;
  vec3 vertices[] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0}};
  int32_t triangle[] = {0, 1, 2};
  arena memory = {0};
  refined out;
  claim_ok(refine_mesh("one", vertices, 3, triangle, 1, hypot(0.3, 0.3) / 3, &memory, &out, err));
  assert_int_equal(out.triangle_count, 9);
  assert_int_equal(out.vertex_count, 10);
  arena_free(&memory);
}

static void too_many_samples__are_refused_by_name(void **unused) {
  (void)unused;
  sample s = make(0);
  arena memory = {0};
  refined out;
  claim_fails(refine_mesh("block", s.vertices, s.skin.vertex_count, s.skin.triangles,
                          s.skin.triangle_count, 1e-4, &memory, &out, err),
              TRIBO_BAD_INPUT, "'block': surface.spacing of 0.0001");
  arena_free(&memory);
  release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces__fill_their_triangle_the_same_way_round),
      cmocka_unit_test(sides__are_no_longer_than_asked),
      cmocka_unit_test(vertices__are_shares_of_their_parents),
      cmocka_unit_test(fine_meshes__are_left_alone),
      cmocka_unit_test(even_sides__are_cut_evenly),
      cmocka_unit_test(too_many_samples__are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
