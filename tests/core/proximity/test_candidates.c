/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/proximity/litter.h"
#include "proximity/stencil.h"

typedef struct motion {
  vec3 *from, *to;
} motion;

/* Everything thrown about: by `size` from where it rests, then by `way`, and parts besides each as
 * a whole. */
static motion throw_about(litter *l, uint64_t *seed, double size, double way) {
  const surface_mesh *m = &l->mesh;
  motion t = {ARENA_ARRAY(&l->memory, vec3, m->vertex_count),
              ARENA_ARRAY(&l->memory, vec3, m->vertex_count)};
  for (int32_t p = 0; p < m->part_count; p++) {
    vec3 whole = litter_noise(seed, 10 * way);
    for (int32_t k = 0; k < m->parts[p].vertex_count; k++) {
      int32_t v = m->parts[p].first_vertex + k;
      t.from[v] = vec3_add(m->rest[v], litter_noise(seed, size));
      t.to[v] = vec3_add(t.from[v], vec3_add(litter_noise(seed, way), whole));
    }
  }
  return t;
}

static bool holds(const candidate_span *list, candidate c) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].a == c.a && list->data[i].b == c.b) return true;
  return false;
}

/* The least distance at some moments of the motion. */
static double least_distance(const motion *t, const int32_t v[4], bool faces) {
  double least = INFINITY;
  for (int k = 0; k <= 16; k++) {
    vec3 x[4];
    unsigned taking;
    for (int i = 0; i < 4; i++)
      x[i] = vec3_madd(t->from[v[i]], k / 16., vec3_sub(t->to[v[i]], t->from[v[i]]));
    least = fmin(least, faces ? stencil_vertex_face_distance(x, &taking)
                              : stencil_edge_edge_distance(x, &taking));
  }
  return least;
}

static bool may_meet(const surface_mesh *m, int32_t a, int32_t b) {
  const surface_part *one = &m->parts[a], *other = &m->parts[b];
  return (one->body >= 0 || other->body >= 0) && (a != b || one->deforms);
}

/* Against all pairs there are. Returns how many must be found. */
static size_t claim_complete(const litter *l, const candidates *c, const motion *t,
                             const double *reach) {
  const surface_mesh *m = &l->mesh;
  size_t near = 0;
  for (int faces = 0; faces < 2; faces++) {
    int32_t count_a = faces ? m->vertex_count : m->edge_count;
    int32_t count_b = faces ? m->triangle_count : m->edge_count;
    for (int32_t a = 0; a < count_a; a++)
      for (int32_t b = faces ? 0 : a + 1; b < count_b; b++) {
        int32_t v[4];
        candidate pair = {a, b};
        if (faces)
          candidate_face_vertices(m, pair, v);
        else
          candidate_edge_vertices(m, pair, v);
        int split = faces ? 1 : 2;
        int32_t part = m->part[v[0]], other = m->part[v[split]];
        if (!may_meet(m, part, other) || candidates_neighbours(m, v, split, v + split, 4 - split))
          continue;
        if (least_distance(t, v, faces) > reach[part] + reach[other]) continue;
        near++;
        assert_true(holds(faces ? &c->found_faces : &c->found_edges, pair));
      }
  }
  return near;
}

static void claim_sorted(const candidate_span *list) {
  for (size_t i = 1; i < list->count; i++) {
    candidate a = list->data[i - 1], b = list->data[i];
    assert_true(a.a < b.a || (a.a == b.a && a.b < b.b));
  }
}

static void search__finds_all_pairs_that_come_near(void **state) {
  (void)state;
  litter *l = litter_make();
  candidates c;
  claim_ok(candidates_create(&l->mesh, &l->memory, &c, err));
  uint64_t seed = 99;
  double reach[LITTER_OBJECTS] = {0.01, 0.004, 0.02, 0.001, 0.01};
  candidates_filter filter = {.reach = reach};
  tasks two = tasks_create(2);
  size_t near = 0, found = 0;
  for (int n = 0; n < 6; n++) {
    motion t = throw_about(l, &seed, 0.02, n % 2 ? 0.02 : 0);
    claim_ok(candidates_find(&c, &two, t.from, t.to, &filter, err));
    claim_sorted(&c.found_faces);
    claim_sorted(&c.found_edges);
    near += claim_complete(l, &c, &t, reach);
    found += c.found_faces.count + c.found_edges.count;
  }
  print_message("%zu of %zu candidates come near\n", near, found);
  assert_true(near > 300);
  claim_below((double)found, 12 * (double)near); /* and not just everything */
  candidates_free(&c);
  litter_free(l);
}

static void search__is_the_same_for_any_number_of_threads(void **state) {
  (void)state;
  litter *l = litter_make();
  candidates one, three;
  claim_ok(candidates_create(&l->mesh, &l->memory, &one, err));
  claim_ok(candidates_create(&l->mesh, &l->memory, &three, err));
  uint64_t seed = 7;
  double reach[LITTER_OBJECTS] = {0.01, 0.01, 0.01, 0.01, 0.01};
  candidates_filter filter = {.reach = reach};
  motion t = throw_about(l, &seed, 0.02, 0.05);
  tasks alone = {1}, many = {3};
  claim_ok(candidates_find(&one, &alone, t.from, t.to, &filter, err));
  claim_ok(candidates_find(&three, &many, t.from, t.to, &filter, err));
  assert_int_equal(one.found_faces.count, three.found_faces.count);
  assert_int_equal(one.found_edges.count, three.found_edges.count);
  assert_memory_equal(one.found_faces.data, three.found_faces.data,
                      one.found_faces.count * sizeof(candidate));
  assert_memory_equal(one.found_edges.data, three.found_edges.data,
                      one.found_edges.count * sizeof(candidate));
  candidates_free(&one);
  candidates_free(&three);
  litter_free(l);
}

static void filter__leaves_out_what_it_names(void **state) {
  (void)state;
  litter *l = litter_make();
  const surface_mesh *m = &l->mesh;
  candidates c;
  claim_ok(candidates_create(m, &l->memory, &c, err));
  uint64_t seed = 12;
  double reach[LITTER_OBJECTS] = {0.05, 0.05, 0.05, 0.05, 0.05};
  candidates_filter filter = {.reach = reach};
  motion t = throw_about(l, &seed, 0.02, 0);
  tasks one = {1};
  claim_ok(candidates_find(&c, &one, t.from, t.to, &filter, err));
  assert_true(c.found_faces.count > 10 && c.found_edges.count > 10);
  candidate face = c.found_faces.data[5], edge = c.found_edges.data[5];
  size_t faces = c.found_faces.count, edges = c.found_edges.count;
  filter.excluded_faces = &face, filter.excluded_face_count = 1;
  filter.excluded_edges = &edge, filter.excluded_edge_count = 1;
  claim_ok(candidates_find(&c, &one, t.from, t.to, &filter, err));
  assert_int_equal(c.found_faces.count, faces - 1);
  assert_int_equal(c.found_edges.count, edges - 1);
  assert_false(holds(&c.found_faces, face) || holds(&c.found_edges, edge));

  bool absent[LITTER_OBJECTS] = {false, true};
  filter.absent = absent;
  claim_ok(candidates_find(&c, &one, t.from, t.to, &filter, err));
  for (size_t i = 0; i < c.found_faces.count; i++) {
    assert_int_not_equal(m->part[c.found_faces.data[i].a], 1);
    assert_int_not_equal(surface_mesh_part_of_triangle(m, c.found_faces.data[i].b), 1);
  }

  bool *held = ARENA_ARRAY(&l->memory, bool, m->vertex_count);
  for (int32_t v = 0; v < m->vertex_count; v++) held[v] = true;
  filter.held = held;
  claim_ok(candidates_find(&c, &one, t.from, t.to, &filter, err));
  assert_int_equal(c.found_faces.count + c.found_edges.count, 0);
  candidates_free(&c);
  litter_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(search__finds_all_pairs_that_come_near),
      cmocka_unit_test(search__is_the_same_for_any_number_of_threads),
      cmocka_unit_test(filter__leaves_out_what_it_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
