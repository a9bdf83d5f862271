/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/proximity/litter.h"
#include "core/proximity/queries.h"
#include "proximity/stencil.h"

/* Queries of our own (make_ccd_queries.py); tests/bench/bench_ccd_queries.c runs others. */
static void queries__are_answered_without_a_miss(void **state) {
  (void)state;
  queries_count count = {0};
  const char *folder = TRIBO_SOURCE_DIR "/tests/core/proximity";
  static const char *const names[] = {"vertex-face.csv", "edge-edge.csv"};
  for (int i = 0; i < 2; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    assert_true(queries_read(path, &count));
  }
  print_message("%ld hits, %ld misses, %ld overlooked, %ld false alarms\n", count.hits,
                count.misses, count.overlooked, count.false_alarms);
  assert_true(count.hits > 100 && count.misses > 100);
  assert_int_equal(count.overlooked, 0);
  claim_below((double)count.false_alarms, 0.08 * (double)count.misses);
}

/* Up to the limit every pair keeps its share of its gap, and a little beyond the one that sets it
 * does not. */
static void limit__keeps_a_share_of_every_gap(void **state) {
  (void)state;
  litter *l = litter_make();
  const surface_mesh *m = &l->mesh;
  candidates c;
  claim_ok(candidates_create(m, &l->memory, &c, err));
  uint64_t seed = 31;
  double reach[LITTER_OBJECTS] = {0.02, 0.02, 0.02, 0.02, 0.02};
  candidates_filter filter = {.reach = reach};
  tasks one = {1}, three = {3};
  int limited = 0;
  for (int n = 0; n < 20; n++) {
    vec3 *from = ARENA_ARRAY(&l->memory, vec3, m->vertex_count);
    vec3 *to = ARENA_ARRAY(&l->memory, vec3, m->vertex_count);
    for (int32_t v = 0; v < m->vertex_count; v++) {
      from[v] = m->rest[v];
      to[v] = vec3_add(from[v], litter_noise(&seed, 0.06));
    }
    claim_ok(candidates_find(&c, &one, from, to, &filter, err));
    size_t faces = c.found_faces.count, edges = c.found_edges.count;
    double *thickness = ARENA_ARRAY(&l->memory, double, faces + edges);
    for (size_t i = 0; i < faces + edges; i++) thickness[i] = 0.001;
    step_limit_pairs pairs = {.mesh = m,
                              .faces = c.found_faces.data,
                              .edges = c.found_edges.data,
                              .face_count = faces,
                              .edge_count = edges,
                              .face_thickness = thickness,
                              .edge_thickness = thickness + faces};
    step_limit limit = step_limit_find(&pairs, &one, from, to, 0.1, NULL);
    step_limit same = step_limit_find(&pairs, &three, from, to, 0.1, NULL);
    assert_true(limit.time == same.time && limit.pair == same.pair);
    if (limit.time >= 1) continue;
    limited++;
    for (size_t k = 0; k < faces + edges; k++) {
      int32_t v[4];
      bool face = k < faces;
      if (face)
        candidate_face_vertices(m, c.found_faces.data[k], v);
      else
        candidate_edge_vertices(m, c.found_edges.data[k - faces], v);
      vec3 x[4], y[4];
      unsigned taking;
      for (int i = 0; i < 4; i++) {
        x[i] = from[v[i]];
        y[i] = vec3_madd(x[i], limit.time, vec3_sub(to[v[i]], x[i]));
      }
      double before =
          face ? stencil_vertex_face_distance(x, &taking) : stencil_edge_edge_distance(x, &taking);
      double after =
          face ? stencil_vertex_face_distance(y, &taking) : stencil_edge_edge_distance(y, &taking);
      assert_true(after >= 0.001 + 0.1 * (before - 0.001) - 1e-12);
      if ((int32_t)k == limit.pair)
        claim_near(after, 0.001 + 0.1 * (before - 0.001), 1e-5 * before);
    }
  }
  assert_true(limited > 10);
  candidates_free(&c);
  litter_free(l);
}

static void pair_without_a_gap__has_no_way(void **state) {
  (void)state;
  vec3 from[4] = {{0.2, 0.2, 0.0005}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  vec3 to[4] = {{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  claim_near(step_limit_pair(from, to, 1, 0.001, 0.1), 0, 0);
  claim_near(step_limit_pair(from, to, 1, 0.0001, 0.1), 1, 0);
}

/* Never later than the true time, and seldom much earlier. */
static void quick_limit__is_safe(void **state) {
  (void)state;
  uint64_t seed = 77;
  int limited = 0, early = 0;
  for (int n = 0; n < 4000; n++) {
    vec3 from[4], to[4];
    int split = 1 + n % 2;
    for (int i = 0; i < 4; i++) {
      from[i] = litter_noise(&seed, 1);
      to[i] = vec3_add(from[i], litter_noise(&seed, n % 3 ? 1 : 0.1));
    }
    stencil at;
    double quick = step_limit_quick(from, to, split, 0.01, 0.1, &at);
    double time = step_limit_pair(from, to, split, 0.01, 0.1);
    claim_below(quick, time + 1e-5);
    limited += time < 1;
    early += quick < 0.5 * time;
    if (quick >= 1) continue;
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += at.weight[i];
    claim_near(sum, 0, 1e-12);
  }
  assert_true(limited > 200);
  claim_below((double)early, 0.1 * limited);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(queries__are_answered_without_a_miss),
      cmocka_unit_test(limit__keeps_a_share_of_every_gap),
      cmocka_unit_test(quick_limit__is_safe),
      cmocka_unit_test(pair_without_a_gap__has_no_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
