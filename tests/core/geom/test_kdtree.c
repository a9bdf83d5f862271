/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "geom/kdtree_layout.h"

enum { MANY = 5000, QUERIES = 60 };

static uint64_t seed = 20240229;

static vec3 random_point(double size) {
  vec3 p = {claim_between(&seed, -size, size), 0, 0};
  p.y = claim_between(&seed, -size, size);
  p.z = claim_between(&seed, -size, size);
  return p;
}

/* ------------------------------------------------------------------------- sets of points */

static void make_random(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++) points[i] = random_point(1);
}

static void make_clusters(vec3 *points, size_t count) {
  vec3 centre = {0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    if (i % 100 == 0) centre = random_point(1);
    points[i] = vec3_add(centre, random_point(i % 3 ? 1e-3 : 1e-6));
  }
}

/* Distances between points of a grid tie by the dozen, and cuts run through equal coordinates. */
static void make_grid(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    points[i] = vec3_make((double)(i % 17) / 8 - 1, (double)(i / 17 % 17) / 8 - 1,
                          (double)(i / 289) / 8 - 1);
}

static void make_one_place(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++) points[i] = vec3_make(0.25, -0.5, 0.125);
}

static void make_few_places(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    points[i] = i % 7 ? vec3_make(0.5, 0.5, 0.5) : vec3_make((double)(i % 3), 0, -1);
}

static void make_line(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    points[i] = vec3_scale(claim_between(&seed, -1, 1), vec3_make(1, 0.5, -0.25));
}

static void make_plane(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    points[i] = random_point(1);
    points[i].y = 0.125;
  }
}

/* Already in order, and in the reverse of it. */
static void make_stairs(vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    points[i] = vec3_make((double)i / (double)count, 0, -(double)i / (double)count);
}

static const struct {
  const char *name;
  void (*make)(vec3 *points, size_t count);
} sets[] = {{"random", make_random},       {"clusters", make_clusters},     {"grid", make_grid},
            {"one place", make_one_place}, {"few places", make_few_places}, {"line", make_line},
            {"plane", make_plane},         {"stairs", make_stairs}};

enum { SETS = sizeof sets / sizeof *sets };

/* ------------------------------------------------------------- what testing every point finds */

static int compare_hits(const void *a, const void *b) {
  const kdtree_hit *x = a, *y = b;
  if (x->distance2 != y->distance2) return x->distance2 < y->distance2 ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/* All points, sorted; returns how many are within the radius. */
static size_t test_all(const vec3 *points, size_t count, vec3 q, double radius, kdtree_hit *hits) {
  size_t within = 0;
  for (size_t i = 0; i < count; i++) {
    vec3 d = vec3_sub(points[i], q);
    hits[i] = (kdtree_hit){(d.x * d.x + d.y * d.y) + d.z * d.z, (int32_t)i};
    if (hits[i].distance2 <= radius * radius) within++;
  }
  qsort(hits, count, sizeof *hits, compare_hits);
  return within;
}

static void claim_same_hits(const kdtree_hit *a, const kdtree_hit *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(a[i].index, b[i].index);
    assert_memory_equal(&a[i].distance2, &b[i].distance2, sizeof(double));
  }
}

static void claim_finds_all(const kdtree *tree, const vec3 *points, size_t count, vec3 q,
                            double radius) {
  kdtree_hit *wanted = malloc((count + 1) * sizeof *wanted);
  kdtree_hit *hits = malloc((count + 1) * sizeof *hits);
  size_t within = test_all(points, count, q, radius, wanted);
  assert_int_equal(kdtree_radius(tree, q, radius, KDTREE_SORTED, hits, count), within);
  claim_same_hits(hits, wanted, within);
  /* As stored: the same hits, in the order of the leaves. */
  assert_int_equal(kdtree_radius(tree, q, radius, KDTREE_AS_STORED, hits, count), within);
  for (size_t i = 0, place = 0; i < within; i++, place++) {
    while (place < count && tree->order[place] != hits[i].index) place++;
    assert_true(place < count);
  }
  qsort(hits, within, sizeof *hits, compare_hits);
  claim_same_hits(hits, wanted, within);
  static const size_t ks[] = {0, 1, 2, 10, 37};
  for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
    size_t k = ks[i] < count ? ks[i] : count;
    kdtree_hit nearest[37];
    assert_int_equal(kdtree_nearest(tree, q, ks[i], nearest), k);
    claim_same_hits(nearest, wanted, k);
  }
  free(wanted);
  free(hits);
}

static void claim_set_is_searched(const vec3 *points, size_t count, double scale) {
  tasks one = tasks_create(1);
  kdtree tree = {0};
  claim_ok(kdtree_build(&one, points, count, &tree, err));
  assert_int_equal(tree.count, count);
  static const double radii[] = {0, 0.125, 0.25, 0.7, 4, INFINITY, 1e-3};
  for (size_t i = 0; i < QUERIES; i++) {
    /* A point itself, a place of the grid, and somewhere. */
    vec3 q = random_point(1.5 * scale);
    if (i % 3 == 0 && count) q = points[i * 977 % count];
    if (i % 3 == 1) q = vec3_scale(scale, vec3_make((double)(i % 4) / 8, 0.5, (double)i / 64));
    claim_finds_all(&tree, points, count, q, radii[i % 7] * scale);
  }
  kdtree_free(&tree);
}

/* ------------------------------------------------------------------------------------- claims */

static void every_set__is_searched_as_if_every_point_were_tested(void **unused) {
  (void)unused;
  vec3 *points = malloc(MANY * sizeof *points);
  for (size_t s = 0; s < SETS; s++) {
    sets[s].make(points, MANY);
    claim_set_is_searched(points, MANY, 1);
    claim_set_is_searched(points, MANY - 1, 1);
  }
  free(points);
}

static void every_small_number_of_points__makes_a_sound_tree(void **unused) {
  (void)unused;
  vec3 points[140] = {{0, 0, 0}};
  for (size_t count = 0; count < sizeof points / sizeof *points; count++) {
    make_random(points, count);
    claim_set_is_searched(points, count, 1);
    make_grid(points, count);
    claim_set_is_searched(points, count, 1);
  }
}

static void huge_and_tiny_coordinates__are_searched_by_the_same_formula(void **unused) {
  (void)unused;
  static const double scales[] = {1e-300, 1e-160, 1e-20, 1e20, 1e150, 1e155, 5e307};
  vec3 *points = malloc(MANY * sizeof *points);
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
    make_random(points, MANY);
    for (size_t i = 0; i < MANY; i++) points[i] = vec3_scale(scales[s], points[i]);
    claim_set_is_searched(points, MANY, scales[s]);
  }
  /* Small differences far from the origin, where coordinates have few digits left. */
  for (size_t i = 0; i < MANY; i++) points[i] = vec3_add(random_point(1e-9), vec3_make(1e6, 1, -1));
  kdtree tree = {0};
  tasks one = tasks_create(1);
  claim_ok(kdtree_build(&one, points, MANY, &tree, err));
  for (size_t i = 0; i < QUERIES; i++)
    claim_finds_all(&tree, points, MANY, points[i], claim_between(&seed, 0, 1e-9));
  kdtree_free(&tree);
  free(points);
}

static void points_exactly_on_the_rim__are_found(void **unused) {
  (void)unused;
  vec3 *points = malloc(MANY * sizeof *points);
  make_random(points, MANY);
  kdtree tree = {0};
  tasks one = tasks_create(1);
  claim_ok(kdtree_build(&one, points, MANY, &tree, err));
  for (size_t i = 0; i < 2000; i++) {
    /* The far corner of nowhere: the distance of a box and of a point in it differ by roundings. */
    vec3 q = random_point(3), d = vec3_sub(points[i], q);
    double radius = sqrt((d.x * d.x + d.y * d.y) + d.z * d.z);
    while (radius * radius < (d.x * d.x + d.y * d.y) + d.z * d.z) radius = nextafter(radius, 9);
    kdtree_hit hits[MANY];
    size_t found = kdtree_radius(&tree, q, radius, KDTREE_AS_STORED, hits, MANY), at = 0;
    while (at < found && hits[at].index != (int32_t)i) at++;
    assert_true(at < found);
  }
  kdtree_free(&tree);
  free(points);
}

static void an_empty_tree_or_a_negative_radius__finds_nothing(void **unused) {
  (void)unused;
  tasks two = tasks_create(2);
  kdtree tree = {0};
  kdtree_hit hit;
  vec3 q = {1, 2, 3};
  double radius = INFINITY;
  size_t start[2];
  for (int built = 0; built < 2; built++) {
    assert_int_equal(kdtree_radius(&tree, q, INFINITY, KDTREE_SORTED, &hit, 1), 0);
    assert_int_equal(kdtree_nearest(&tree, q, 1, &hit), 0);
    assert_int_equal(
        kdtree_radius_batch(&two, &tree, &q, &radius, 1, KDTREE_SORTED, start, &hit, 1), 0);
    assert_int_equal(start[1], 0);
    assert_int_equal(kdtree_nearest_batch(&two, &tree, &q, 1, 1, &hit), 0);
    claim_ok(kdtree_build(&two, NULL, 0, &tree, err));
  }
  claim_ok(kdtree_build(&two, &q, 1, &tree, err));
  assert_int_equal(kdtree_radius(&tree, q, 0, KDTREE_SORTED, &hit, 1), 1);
  assert_int_equal(kdtree_radius(&tree, q, -1, KDTREE_SORTED, &hit, 1), 0);
  assert_int_equal(kdtree_radius(&tree, q, (double)NAN, KDTREE_SORTED, &hit, 1), 0);
  assert_int_equal(kdtree_radius_batch(&two, &tree, &q, &radius, 0, KDTREE_SORTED, start, NULL, 0),
                   0);
  kdtree_free(&tree);
}

static void a_point_that_is_nowhere__is_named_and_leaves_the_tree_empty(void **unused) {
  (void)unused;
  vec3 points[100];
  tasks one = tasks_create(1);
  kdtree tree = {0};
  make_random(points, 100);
  points[63].y = (double)NAN;
  claim_fails(kdtree_build(&one, points, 100, &tree, err), TRIBO_BAD_INPUT, "point 63");
  points[63].y = 0;
  points[99].z = -INFINITY;
  claim_fails(kdtree_build(&one, points, 100, &tree, err), TRIBO_BAD_INPUT, "point 99");
  assert_int_equal(tree.count, 0);
  kdtree_free(&tree);
}

static void too_little_room__is_told_by_the_count_and_never_overrun(void **unused) {
  (void)unused;
  vec3 *points = malloc(MANY * sizeof *points);
  make_random(points, MANY);
  tasks one = tasks_create(1);
  kdtree tree = {0};
  claim_ok(kdtree_build(&one, points, MANY, &tree, err));
  kdtree_hit all[MANY], hits[MANY + 1];
  vec3 q = {0.1, 0.2, 0.3};
  size_t within = kdtree_radius(&tree, q, 0.4, KDTREE_AS_STORED, all, MANY);
  assert_true(within > 100);
  assert_int_equal(kdtree_radius(&tree, q, 0.4, KDTREE_SORTED, NULL, 0), within);
  for (size_t room = 1; room < within; room += 7) {
    hits[room].index = -7;
    assert_int_equal(kdtree_radius(&tree, q, 0.4, KDTREE_SORTED, hits, room), within);
    claim_same_hits(hits, all, room);
    assert_int_equal(hits[room].index, -7);
  }
  hits[within].index = -7;
  assert_int_equal(kdtree_radius(&tree, q, 0.4, KDTREE_AS_STORED, hits, within), within);
  claim_same_hits(hits, all, within);
  assert_int_equal(hits[within].index, -7);
  kdtree_free(&tree);
  free(points);
}

/* Batches with room to spare, with just enough, and with the room shared out badly: the queries of
 * one end of the batch have nearly all the hits. */
static void a_batch__finds_what_single_queries_find_with_any_room_and_threads(void **unused) {
  (void)unused;
  vec3 *points = malloc(MANY * sizeof *points);
  make_random(points, MANY);
  tasks one = tasks_create(1);
  kdtree tree = {0};
  claim_ok(kdtree_build(&one, points, MANY, &tree, err));
  enum { COUNT = 501 };
  double radii[COUNT];
  size_t start[COUNT + 1], total = 0;
  for (size_t i = 0; i < COUNT; i++) radii[i] = i < 450 ? 0.01 : i % 10 ? 0.3 : -1;
  for (size_t i = 0; i < COUNT; i++)
    total += kdtree_radius(&tree, points[i], radii[i], KDTREE_SORTED, NULL, 0);
  kdtree_hit *hits = malloc((5 * total + 1) * sizeof *hits), single[MANY];
  for (int threads = 1; threads <= 3; threads++) {
    tasks t = tasks_create(threads);
    const size_t rooms[] = {0, total / 2, total - 1, total, total + 1, 5 * total};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++)
      for (int sorting = KDTREE_AS_STORED; sorting <= KDTREE_SORTED; sorting++) {
        memset(start, 0xa5, sizeof start);
        hits[rooms[r]].index = -7;
        assert_int_equal(
            kdtree_radius_batch(&t, &tree, points, radii, COUNT, (kdtree_sorting)sorting, start,
                                rooms[r] ? hits : NULL, rooms[r]),
            total);
        assert_int_equal(hits[rooms[r]].index, -7);
        for (size_t i = 0; i < COUNT; i++) {
          size_t found =
              kdtree_radius(&tree, points[i], radii[i], (kdtree_sorting)sorting, single, MANY);
          assert_int_equal(start[i + 1] - start[i], found);
          if (rooms[r] >= total) claim_same_hits(hits + start[i], single, found);
        }
      }
    assert_int_equal(kdtree_nearest_batch(&t, &tree, points, COUNT, 8, hits), 8);
    for (size_t i = 0; i < COUNT; i++) {
      assert_int_equal(kdtree_nearest(&tree, points[i], 8, single), 8);
      claim_same_hits(hits + 8 * i, single, 8);
    }
  }
  free(hits);
  kdtree_free(&tree);
  free(points);
}

static void claim_same_tree(const kdtree *a, const kdtree *b) {
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->depth, b->depth);
  size_t leaves = (size_t)1 << a->depth;
  assert_memory_equal(a->order, b->order, a->count * sizeof *a->order);
  assert_memory_equal(a->coordinates, b->coordinates,
                      (3 * a->count + KDTREE_LEAF_BOX * leaves) * sizeof(double));
  for (size_t node = 1; node < leaves; node++) {
    assert_memory_equal(&a->nodes[node].low, &b->nodes[node].low, sizeof(double));
    assert_memory_equal(&a->nodes[node].high, &b->nodes[node].high, sizeof(double));
    assert_int_equal(a->nodes[node].axis, b->nodes[node].axis);
  }
}

static void the_tree__is_the_same_for_any_number_of_threads(void **unused) {
  (void)unused;
  enum { COUNT = 70001 };
  vec3 *points = malloc(COUNT * sizeof *points);
  for (size_t s = 0; s < SETS; s++) {
    sets[s].make(points, COUNT);
    kdtree first = {0}, other = {0};
    tasks one = tasks_create(1);
    claim_ok(kdtree_build(&one, points, COUNT, &first, err));
    for (int threads = 2; threads <= 3; threads++) {
      tasks t = tasks_create(threads);
      claim_ok(kdtree_build(&t, points, COUNT, &other, err));
      claim_same_tree(&first, &other);
    }
    kdtree_free(&first);
    kdtree_free(&other);
  }
  free(points);
}

static void building_anew_with_no_more_points__allocates_nothing(void **unused) {
  (void)unused;
  enum { COUNT = 20000 };
  vec3 *points = malloc(COUNT * sizeof *points);
  make_random(points, COUNT);
  tasks two = tasks_create(2);
  kdtree tree = {0};
  claim_ok(kdtree_build(&two, points, COUNT, &tree, err));
  kdtree before = tree;
  static const size_t counts[] = {COUNT, 17, 0, COUNT / 2, 1, COUNT};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    make_random(points, counts[i]);
    claim_ok(kdtree_build(&two, points, counts[i], &tree, err));
    assert_ptr_equal(tree.order, before.order);
    assert_ptr_equal(tree.coordinates, before.coordinates);
    assert_ptr_equal(tree.nodes, before.nodes);
    assert_ptr_equal(tree.records, before.records);
    assert_int_equal(tree.memory.used, before.memory.used);
    assert_int_equal(tree.memory.high_water, before.memory.high_water);
    vec3 q = random_point(1);
    if (counts[i]) claim_finds_all(&tree, points, counts[i], q, 0.2);
  }
  kdtree_free(&tree);
  free(points);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_set__is_searched_as_if_every_point_were_tested),
      cmocka_unit_test(every_small_number_of_points__makes_a_sound_tree),
      cmocka_unit_test(huge_and_tiny_coordinates__are_searched_by_the_same_formula),
      cmocka_unit_test(points_exactly_on_the_rim__are_found),
      cmocka_unit_test(an_empty_tree_or_a_negative_radius__finds_nothing),
      cmocka_unit_test(a_point_that_is_nowhere__is_named_and_leaves_the_tree_empty),
      cmocka_unit_test(too_little_room__is_told_by_the_count_and_never_overrun),
      cmocka_unit_test(a_batch__finds_what_single_queries_find_with_any_room_and_threads),
      cmocka_unit_test(the_tree__is_the_same_for_any_number_of_threads),
      cmocka_unit_test(building_anew_with_no_more_points__allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
