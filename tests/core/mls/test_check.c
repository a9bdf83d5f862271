/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls_shapes.h"

/* A sheet whose triangles grow from one side to the other, up to `most` times. */
static shape graded_sheet(int n, double most, arena *memory) {
  uint64_t seed = 41;
  shape s = mls_sheet(n, 1.0 / n, 0, 0, &seed, memory);
  for (size_t i = 0; i < s.vertex_count; i++) {
    vec3 *x = &s.vertices[i];
    double grown = exp(log(most) * (x->x + 1));
    *x = vec3_make(x->x * grown, x->y * grown, 0.1 * sin(3 * x->x));
  }
  return s;
}

static mls_surface local(const shape *mesh, mls_kernel kernel, double epsilon, double scale,
                         arena *memory) {
  mls_surface s = mls_of(mesh, kernel, epsilon, memory);
  double *spacing = ARENA_ARRAY(memory, double, s.count);
  mls_spacing_of_mesh(&s, spacing);
  claim_ok(mls_set_radii(spacing, scale, &s, err));
  return s;
}

static void local_radii__leave_no_hole_where_a_fixed_one_does(void **unused) {
  (void)unused;
  arena memory = {0};
  tasks one = tasks_create(1);
  shape mesh = graded_sheet(12, 10, &memory);
  mls_surface s = local(&mesh, MLS_CUBIC, 0, 1.0001, &memory);
  mls_search search = {&s, mls_find_all};
  mls_error e;
  claim_ok(mls_measure_error(&one, &s, &search, 4, &e, err));
  assert_int_equal(e.places, 15 * mesh.triangle_count);
  assert_int_equal(e.uncovered, 0);
  assert_true(s.reach > 5 * s.radii[0]);
  claim_ok(mls_set_radius(s.radii[0], &s, err));
  claim_ok(mls_measure_error(&one, &s, &search, 4, &e, err));
  assert_true(e.uncovered > mesh.triangle_count);
  arena_free(&memory);
}

/* Section 4.1.4 asks for a radius above half of the largest triangle's diameter. Read as its
 * longest side that leaves the corners of equilateral triangles, at 0.577 of a side from every
 * centroid, uncovered. */
static void half_a_side__is_too_small_a_radius(void **unused) {
  (void)unused;
  arena memory = {0};
  uint64_t seed = 42;
  tasks one = tasks_create(1);
  shape mesh = mls_sheet(6, 1, 0, 0, &seed, &memory);
  mls_surface s = mls_of(&mesh, MLS_CUBIC, 0, &memory);
  mls_search search = {&s, mls_find_all};
  mls_error e;
  claim_ok(mls_set_radius(0.57, &s, err));
  claim_ok(mls_measure_error(&one, &s, &search, 3, &e, err));
  assert_int_equal(e.uncovered, 3 * mesh.triangle_count);
  claim_ok(mls_set_radius(0.58, &s, err));
  claim_ok(mls_measure_error(&one, &s, &search, 3, &e, err));
  assert_int_equal(e.uncovered, 0);
  arena_free(&memory);
}

static void under_sampling__is_reported_where_it_is(void **unused) {
  (void)unused;
  arena memory = {0};
  uint64_t seed = 43;
  tasks one = tasks_create(1);
  shape mesh = mls_sheet(6, 1, 0, 0, &seed, &memory);
  mls_surface s = mls_of(&mesh, MLS_CUBIC, 0, &memory);
  mls_search search = {&s, mls_find_all};
  mls_thin_list thin;

  /* Six centroids around every inner vertex; at the sharp corners of the sheet one, in the blunt
   * ones two, on its rim three. */
  claim_ok(mls_set_radius(0.6, &s, err));
  claim_ok(mls_under_sampled(&one, &s, &search, 1, &memory, &thin, err));
  assert_int_equal(thin.count, 0);
  claim_ok(mls_under_sampled(&one, &s, &search, 2, &memory, &thin, err));
  assert_int_equal(thin.count, 2);
  assert_int_equal(thin.list[0].sample, 0);
  assert_int_equal(thin.list[0].active, 1);
  assert_int_equal(thin.list[1].sample, (int)s.count - 1);
  assert_int_equal(thin.list[1].active, 1);

  /* A centroid sees itself and the three across its sides. Without sample 30, inside the sheet,
   * the three around it see one less, and nobody else falls below four. */
  mls_thin_list before, after;
  claim_ok(mls_under_sampled(&one, &s, &search, 4, &memory, &before, err));
  s.samples[30].radius = 0;
  claim_ok(mls_under_sampled(&one, &s, &search, 4, &memory, &after, err));
  assert_int_equal(after.count, before.count + 3);
  const int32_t around[3] = {19, 29, 31};
  size_t known = 0, found = 0;
  for (size_t i = 0; i < after.count; i++)
    if (known < before.count && after.list[i].sample == before.list[known].sample) {
      known++;
    } else {
      assert_int_equal(after.list[i].sample, around[found++]);
      assert_int_equal(after.list[i].active, 3);
    }
  assert_int_equal(known, before.count);

  /* A cloud is asked at its points. */
  mls_surface cloud;
  vec3 points[3] = {{0, 0, 0}, {0.5, 0, 0}, {3, 0, 0}}, up[3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  claim_ok(mls_from_points(MLS_CUBIC, 0, points, up, NULL, 3, &memory, &cloud, err));
  claim_ok(mls_set_radius(1, &cloud, err));
  search.context = &cloud;
  claim_ok(mls_under_sampled(&one, &cloud, &search, 2, &memory, &thin, err));
  assert_int_equal(thin.count, 1);
  assert_int_equal(thin.list[0].sample, 2);
  assert_int_equal(thin.list[0].active, 1);
  arena_free(&memory);
}

/* An offset of the potential is a distance of the zero set, exactly so on a plane. */
static void the_error__is_zero_on_a_plane_and_the_offset_when_shifted(void **unused) {
  (void)unused;
  arena memory = {0};
  uint64_t seed = 44;
  tasks one = tasks_create(1);
  shape mesh = mls_sheet(8, 0.1, 0, 0, &seed, &memory);
  for (int k = 0; k < 3; k++) {
    mls_surface s = local(&mesh, KERNELS[k], 1e-3, MLS_SCALE, &memory);
    mls_search search = {&s, mls_find_all};
    mls_error e;
    claim_ok(mls_measure_error(&one, &s, &search, 4, &e, err));
    assert_int_equal(e.uncovered + e.lost, 0);
    claim_below(e.worst, 1e-15);
    claim_near(e.size, 1.2, 1e-12);
    for (size_t i = 0; i < s.count; i++) s.samples[i].value = -0.01;
    claim_ok(mls_measure_error(&one, &s, &search, 4, &e, err));
    assert_int_equal(e.uncovered + e.lost, 0);
    claim_near(e.worst, 0.01, 1e-15);
    claim_near(e.mean, 0.01, 1e-15);
  }
  arena_free(&memory);
}

/* Centroids lie inside the sphere by up to h^2/6 and planes bulge by about as much: the square. */
static void the_error_of_a_sphere__falls_with_the_square_of_the_spacing(void **unused) {
  (void)unused;
  tasks one = tasks_create(1);
  const double scales[3] = {1.5, 2, 3};
  for (int k = 0; k < 3; k++)
    for (int r = 0; r < 3; r++) {
      double before = 0;
      for (int n = 6; n <= 24; n *= 2) {
        arena memory = {0};
        kdtree tree = {0};
        shape mesh = mls_sphere(n, &memory);
        mls_surface s = local(&mesh, KERNELS[k], 0.1, scales[r], &memory);
        claim_ok(mls_tree_build(&one, &s, &memory, &tree, err));
        mls_search search = mls_tree_search(&tree);
        mls_error e;
        claim_ok(mls_measure_error(&one, &s, &search, 3, &e, err));
        assert_int_equal(e.uncovered + e.lost, 0);
        assert_true(e.worst_sample >= 0 && e.mean <= e.worst);
        print_message(
            "sphere, kernel %d, scale %.1f, %zu triangles: worst %.3f%% of the size, "
            "mean %.3f%%\n",
            k, scales[r], mesh.triangle_count, 100 * e.worst / e.size, 100 * e.mean / e.size);
        if (before > 0) claim_near(before / e.worst, 4, 1);
        before = e.worst;
        kdtree_free(&tree);
        arena_free(&memory);
      }
    }
}

static void the_spacing_of_a_cloud__is_the_distance_to_its_ring(void **unused) {
  (void)unused;
  arena memory = {0};
  uint64_t seed = 45;
  tasks one = tasks_create(1);
  kdtree tree = {0};
  shape mesh = mls_sheet(8, 0.5, 0, 0, &seed, &memory);
  vec3 *up = ARENA_ARRAY(&memory, vec3, mesh.vertex_count);
  double *spacing = ARENA_ARRAY(&memory, double, mesh.vertex_count);
  for (size_t i = 0; i < mesh.vertex_count; i++) up[i] = vec3_make(0, 0, 1);
  mls_surface s;
  claim_ok(
      mls_from_points(MLS_CUBIC, 0, mesh.vertices, up, NULL, mesh.vertex_count, &memory, &s, err));
  claim_ok(mls_tree_build(&one, &s, &memory, &tree, err));
  claim_ok(mls_spacing_of_points(&one, &s, &tree, 6, &memory, spacing, err));
  claim_near(spacing[4 * 9 + 4], 0.5, 1e-14); /* inside: the ring of six */
  /* a sharp corner: two at 1, one at sqrt 3, two at 2, the next at sqrt 7 times the side */
  claim_near(spacing[0], 0.5 * sqrt(7), 1e-14);
  claim_ok(mls_spacing_of_points(&one, &s, &tree, 500, &memory, spacing, err));
  claim_below(3.9, spacing[0]); /* fewer samples than asked for: the farthest */
  kdtree_free(&tree);
  arena_free(&memory);
}

/* The tree finds what testing every sample finds, and threads change no bit of anything. */
static void results__do_not_depend_on_threads_nor_on_who_searches(void **unused) {
  (void)unused;
  enum { QUERIES = 3000 };
  uint64_t seed = 46;
  for (int k = 0; k < 3; k++) {
    arena memory = {0};
    shape mesh = mls_sphere(16, &memory);
    mls_value *first = NULL;
    mls_error first_error = {0};
    mls_thin_list first_thin = {0};
    mls_sample *samples = NULL;
    vec3 *queries = ARENA_ARRAY(&memory, vec3, QUERIES);
    for (int i = 0; i < QUERIES; i++)
      queries[i] =
          vec3_madd(vec3_normalized(mls_random_vector(&seed, 1)), 0.1, mls_random_vector(&seed, 1));
    for (int threads = 1; threads <= 3; threads++) {
      tasks t = tasks_create(threads);
      kdtree tree = {0};
      mls_surface s = local(&mesh, KERNELS[k], 0.01, MLS_SCALE, &memory);
      mls_update(&t, mesh.vertices, &s);
      claim_ok(mls_tree_build(&t, &s, &memory, &tree, err));
      mls_search search = mls_tree_search(&tree);
      mls_lists lists;
      mls_value *values = ARENA_ARRAY(&memory, mls_value, QUERIES);
      claim_ok(search.find(search.context, &t, queries, QUERIES, s.reach, &memory, &lists, err));
      mls_evaluate_batch(&t, &s, queries, QUERIES, &lists, MLS_HESSIAN, values);
      mls_error e;
      mls_thin_list thin;
      claim_ok(mls_measure_error(&t, &s, &search, 2, &e, err));
      claim_ok(mls_under_sampled(&t, &s, &search, 14, &memory, &thin, err));
      if (threads == 1) {
        first = values, first_error = e, first_thin = thin, samples = s.samples;
        int32_t *all = mls_everyone(s.count, &memory);
        for (int i = 0; i < QUERIES; i += 100) {
          mls_value v = mls_evaluate(&s, queries[i], all, s.count, MLS_VALUE);
          assert_int_equal(v.active, values[i].active);
          claim_near(v.value, values[i].value, 1e-14);
        }
        assert_true(thin.count > 0 && thin.count < s.count);
      }
      for (int i = 0; i < QUERIES; i++) {
        assert_true(values[i].value == first[i].value && values[i].active == first[i].active);
        assert_memory_equal(&values[i].hessian, &first[i].hessian, sizeof(mat3));
        assert_memory_equal(&values[i].gradient, &first[i].gradient, sizeof(vec3));
      }
      assert_memory_equal(s.samples, samples, s.count * sizeof *samples);
      assert_true(e.worst == first_error.worst && e.mean == first_error.mean);
      assert_int_equal(e.worst_sample, first_error.worst_sample);
      assert_int_equal(thin.count, first_thin.count);
      assert_memory_equal(thin.list, first_thin.list, thin.count * sizeof *thin.list);
      kdtree_free(&tree);
    }
    arena_free(&memory);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_radii__leave_no_hole_where_a_fixed_one_does),
      cmocka_unit_test(half_a_side__is_too_small_a_radius),
      cmocka_unit_test(under_sampling__is_reported_where_it_is),
      cmocka_unit_test(the_error__is_zero_on_a_plane_and_the_offset_when_shifted),
      cmocka_unit_test(the_error_of_a_sphere__falls_with_the_square_of_the_spacing),
      cmocka_unit_test(the_spacing_of_a_cloud__is_the_distance_to_its_ring),
      cmocka_unit_test(results__do_not_depend_on_threads_nor_on_who_searches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
