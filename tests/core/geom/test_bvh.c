/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/geom/solids.h"
#include "geom/bvh_layout.h"

enum { MANY = 3000, QUERIES = 200 };

static uint64_t seed = 1618;

static const tasks one = {1}, two = {2};

static vec3 random_point(double size) {
  vec3 p = {claim_between(&seed, -size, size), 0, 0};
  p.y = claim_between(&seed, -size, size);
  p.z = claim_between(&seed, -size, size);
  return p;
}

static bvh_box box_around(vec3 centre, vec3 half) {
  half = vec3_make(fabs(half.x), fabs(half.y), fabs(half.z));
  return (bvh_box){vec3_sub(centre, half), vec3_add(centre, half)};
}

/* ------------------------------------------------------------------------------ sets of boxes */

static void make_random(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) boxes[i] = box_around(random_point(1), random_point(0.05));
}

static void make_points(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) boxes[i] = box_around(random_point(1), vec3_make(0, 0, 0));
}

static void make_one_place(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++)
    boxes[i] = box_around(vec3_make(0.5, -0.25, 0.125), vec3_make(0.1, 0.1, 0.1));
}

/* Each ten times farther out than the last, over and over: bins cannot part them. */
static void make_far_and_near(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double size = pow(10, (double)(i % 40) - 30);
    boxes[i] = box_around(random_point(size), random_point(0.1 * size));
  }
}

/* So many scales that a tree which parts them one by one would be eighty nodes deep. */
static void make_deep(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double size = pow(16, -(double)(i % 250));
    boxes[i] = box_around(vec3_make(size, size, -size), vec3_make(0.1 * size, 0, 0.1 * size));
  }
}

static void make_nested(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double size = (double)(i + 1) / (double)count;
    boxes[i] = box_around(vec3_make(0, 0, 0), vec3_make(size, size, size));
  }
}

static void make_huge(bvh_box *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) boxes[i] = box_around(random_point(1e60), random_point(1e59));
}

static const struct {
  const char *name;
  void (*make)(bvh_box *boxes, size_t count);
  double size;
} sets[] = {{"random", make_random, 1},
            {"points", make_points, 1},
            {"one place", make_one_place, 1},
            {"far and near", make_far_and_near, 1},
            {"nested", make_nested, 1},
            {"huge", make_huge, 1e60},
            {"deep", make_deep, 1}};

enum { SETS = sizeof sets / sizeof *sets };

static const size_t counts[] = {1, 2, 3, 4, 5, 17, MANY};

enum { COUNTS = sizeof counts / sizeof *counts };

/* Runs a check on trees of every set and size. */
static void on_every_tree(void (*check)(const bvh *tree, const bvh_box *boxes, double size)) {
  bvh_box *boxes = malloc(MANY * sizeof *boxes);
  for (int s = 0; s < SETS; s++)
    for (int c = 0; c < COUNTS; c++) {
      arena memory = {0};
      bvh tree;
      sets[s].make(boxes, counts[c]);
      claim_ok(bvh_build(boxes, counts[c], &memory, &tree, err));
      check(&tree, boxes, sets[s].size);
      arena_free(&memory);
    }
  free(boxes);
}

/* ---------------------------------------------------------------------------------- the tree */

/* Children come behind their parents, so levels are known in one pass. */
static int levels_of(const bvh *tree) {
  int *level = calloc(tree->node_count, sizeof *level), most = 0;
  for (size_t n = 0; n < tree->node_count; n++) {
    if (level[n] + 1 > most) most = level[n] + 1;
    for (int i = 0; i < tree->nodes[n].count; i++)
      if (tree->nodes[n].child[i] >= 0) level[tree->nodes[n].child[i]] = level[n] + 1;
  }
  free(level);
  return most;
}

static void claim_whole(const bvh *tree, const bvh_box *boxes, double size) {
  (void)size;
  char *seen = calloc(tree->count, 1);
  for (size_t i = 0; i < tree->count; i++) {
    assert_true(tree->order[i] >= 0 && (size_t)tree->order[i] < tree->count);
    assert_false(seen[tree->order[i]]++);
  }
  free(seen);
  size_t items = 0, nodes = 1;
  for (size_t n = 0; n < tree->node_count; n++) {
    const bvh_node *node = &tree->nodes[n];
    for (int i = 0; i < node->count; i++) {
      int32_t child = node->child[i];
      if (child < 0) {
        assert_int_equal(~child, items); /* places ascend with the nodes */
        items++;
        const bvh_box *b = &boxes[tree->order[~child]];
        assert_true((double)node->low[0][i] < b->low.x && (double)node->high[0][i] > b->high.x);
        assert_true((double)node->low[1][i] < b->low.y && (double)node->high[1][i] > b->high.y);
        assert_true((double)node->low[2][i] < b->low.z && (double)node->high[2][i] > b->high.z);
        continue;
      }
      nodes++;
      assert_true((size_t)child > n && (size_t)child < tree->node_count);
      for (int k = 0; k < tree->nodes[child].count; k++)
        for (int a = 0; a < 3; a++) {
          assert_true(tree->nodes[child].low[a][k] >= node->low[a][i]);
          assert_true(tree->nodes[child].high[a][k] <= node->high[a][i]);
        }
    }
  }
  assert_int_equal(items, tree->count);
  assert_int_equal(nodes, tree->node_count);
  assert_true(levels_of(tree) <= BVH_MOST_LEVELS);
}

static void every_item_is_in_the_tree_once_and_inside_its_boxes(void **state) {
  (void)state;
  on_every_tree(claim_whole);
  /* The set made to be deep is: without a limit it would be deeper than the stacks allow. */
  bvh_box *boxes = malloc(MANY * sizeof *boxes);
  arena memory = {0};
  bvh tree;
  make_deep(boxes, MANY);
  claim_ok(bvh_build(boxes, MANY, &memory, &tree, err));
  assert_true(levels_of(&tree) > BVH_FREE_LEVELS);
  arena_free(&memory);
  free(boxes);
}

/* ------------------------------------------------------------------------------- the queries */

static double outside(double low, double high, double x) {
  return fmax(fmax(low - x, x - high), 0);
}

static double distance2(const bvh_box *b, vec3 q) {
  double x = outside(b->low.x, b->high.x, q.x), y = outside(b->low.y, b->high.y, q.y);
  double z = outside(b->low.z, b->high.z, q.z);
  return (x * x + y * y) + z * z;
}

typedef struct nearest_search {
  const bvh *tree;
  const bvh_box *boxes;
  vec3 q;
  double best2;
  int visits;
} nearest_search;

static double visit_nearest(void *context, int32_t place, double limit) {
  nearest_search *s = context;
  s->visits++;
  double d2 = distance2(&s->boxes[s->tree->order[place]], s->q);
  if (d2 < s->best2) s->best2 = d2;
  return fmin(limit, d2);
}

static void claim_nearest(const bvh *tree, const bvh_box *boxes, double size) {
  for (int i = 0; i < QUERIES; i++) {
    vec3 q = random_point(i % 2 ? 1.5 * size : 30 * size);
    double least2 = INFINITY, reach2 = i % 3 ? INFINITY : 0.01 * size * size;
    for (size_t k = 0; k < tree->count; k++) least2 = fmin(least2, distance2(&boxes[k], q));
    nearest_search s = {tree, boxes, q, INFINITY, 0};
    bvh_nearest(tree, q, reach2, visit_nearest, &s);
    if (least2 <= reach2) assert_true(s.best2 == least2);
    if (s.visits == 0) assert_true(least2 > reach2);
  }
}

static void the_nearest_box_is_that_of_asking_all(void **state) {
  (void)state;
  on_every_tree(claim_nearest);
}

static bool overlap(const bvh_box *a, const bvh_box *b, double margin) {
  return a->low.x <= b->high.x + margin && b->low.x <= a->high.x + margin &&
         a->low.y <= b->high.y + margin && b->low.y <= a->high.y + margin &&
         a->low.z <= b->high.z + margin && b->low.z <= a->high.z + margin;
}

/* Marks what a query lists; none twice. */
static void mark(const int32_t *items, size_t count, size_t limit, char *marks) {
  memset(marks, 0, limit);
  for (size_t i = 0; i < count; i++) {
    assert_true(items[i] >= 0 && (size_t)items[i] < limit);
    assert_false(marks[items[i]]++);
  }
}

/* All that overlap are listed, each once. */
static void claim_overlaps(const bvh *tree, const bvh_box *boxes, double size) {
  int32_t *items = malloc(tree->count * sizeof *items);
  char *marks = malloc(tree->count);
  for (int i = 0; i < QUERIES; i++) {
    bvh_box b = i % 4 ? box_around(random_point(size), random_point(0.2 * size))
                      : boxes[(size_t)i % tree->count];
    size_t found = bvh_overlap(tree, &b, items, tree->count);
    mark(items, found, tree->count, marks);
    for (size_t k = 0; k < tree->count; k++) {
      if (overlap(&boxes[k], &b, 0)) assert_true(marks[k]);
    }
    assert_int_equal(bvh_overlap(tree, &b, items, 1), found);
    assert_int_equal(bvh_overlap(tree, &b, NULL, 0), found);
  }
  free(items);
  free(marks);
}

static void all_boxes_that_overlap_a_box_are_listed(void **state) {
  (void)state;
  on_every_tree(claim_overlaps);
  /* Boxes of one size: what is listed is right to a part in 10^6. */
  bvh_box *boxes = malloc(MANY * sizeof *boxes);
  int32_t *items = malloc(MANY * sizeof *items);
  char *marks = malloc(MANY);
  arena memory = {0};
  bvh tree;
  make_random(boxes, MANY);
  claim_ok(bvh_build(boxes, MANY, &memory, &tree, err));
  for (int i = 0; i < QUERIES; i++) {
    bvh_box b = box_around(random_point(1), random_point(0.2));
    mark(items, bvh_overlap(&tree, &b, items, MANY), MANY, marks);
    for (int k = 0; k < MANY; k++)
      if (!overlap(&boxes[k], &b, 1e-6)) assert_false(marks[k]);
  }
  arena_free(&memory);
  free(boxes);
  free(items);
  free(marks);
}

/* By clipping the segment at the six planes, one after the other. */
static bool met(const bvh_box *b, vec3 from, vec3 to, double margin) {
  const double *low = &b->low.x, *high = &b->high.x, *p = &from.x, *q = &to.x;
  double enter = 0, leave = 1;
  for (int a = 0; a < 3; a++) {
    double bottom = low[a] - margin, top = high[a] + margin, way = q[a] - p[a];
    if (way == 0 && (p[a] < bottom || p[a] > top)) return false;
    if (way == 0) continue;
    double t0 = (bottom - p[a]) / way, t1 = (top - p[a]) / way;
    enter = fmax(enter, fmin(t0, t1));
    leave = fmin(leave, fmax(t0, t1));
  }
  return enter <= leave;
}

static void claim_segments(const bvh *tree, const bvh_box *boxes, double size) {
  int32_t *items = malloc(tree->count * sizeof *items);
  char *marks = malloc(tree->count);
  for (int i = 0; i < QUERIES; i++) {
    vec3 from = random_point(size), to = i % 5 ? random_point(size) : from;
    if (i % 3 == 0) to.y = from.y;
    if (i % 7 == 0) from = boxes[(size_t)i % tree->count].low;
    double margin = i % 2 ? 0.01 * size : 0;
    size_t found = bvh_segment(tree, from, to, margin, items, tree->count);
    mark(items, found, tree->count, marks);
    for (size_t k = 0; k < tree->count; k++) {
      if (met(&boxes[k], from, to, margin)) assert_true(marks[k]);
      if (size == 1 && vec3_max_abs(boxes[k].low) < 10 && !met(&boxes[k], from, to, margin + 1e-5))
        assert_false(marks[k]);
    }
    assert_int_equal(bvh_segment(tree, from, to, margin, NULL, 0), found);
  }
  free(items);
  free(marks);
}

static void all_boxes_that_a_segment_meets_are_listed(void **state) {
  (void)state;
  on_every_tree(claim_segments);
}

static void a_refitted_tree_has_the_boxes_of_its_items_on_any_number_of_threads(void **state) {
  (void)state;
  enum { CELLS = 60, COUNT = 2 * CELLS * CELLS };
  solid s = solid_sheet(CELLS, NULL);
  bvh_box *boxes = malloc(COUNT * sizeof *boxes);
  arena memory = {0};
  bvh a, b;
  bvh_triangle_boxes(&one, s.points, s.points, s.triangles, COUNT, 0, boxes);
  claim_ok(bvh_build(boxes, COUNT, &memory, &a, err));
  claim_ok(bvh_build(boxes, COUNT, &memory, &b, err));
  size_t bytes = a.node_count * sizeof *a.nodes;
  bvh_node *built = malloc(bytes);
  memcpy(built, a.nodes, bytes);
  bvh_refit(&two, boxes, &a);
  assert_memory_equal(a.nodes, built, bytes);
  vec3 *moved = malloc(s.point_count * sizeof *moved);
  for (size_t i = 0; i < s.point_count; i++) moved[i] = vec3_add(s.points[i], random_point(0.2));
  bvh_triangle_boxes(&two, s.points, moved, s.triangles, COUNT, 0.01, boxes);
  bvh_refit(&one, boxes, &a);
  bvh_refit(&two, boxes, &b);
  assert_true(a.part_count > 4 && a.crown_count > 0);
  assert_memory_equal(a.nodes, b.nodes, bytes);
  claim_whole(&a, boxes, 1);
  for (size_t i = 0; i < COUNT; i++)
    for (size_t c = 0; c < 3; c++) {
      vec3 middle =
          vec3_scale(0.5, vec3_add(solid_corner(&s, i, c), moved[s.triangles[3 * i + c]]));
      assert_true(distance2(&boxes[i], middle) == 0);
    }
  free(moved);
  free(built);
  free(boxes);
  arena_free(&memory);
  solid_free(&s);
}

static void bad_boxes_are_refused_by_number(void **state) {
  (void)state;
  arena memory = {0};
  bvh tree;
  bvh_box boxes[3];
  make_random(boxes, 3);
  boxes[1].high.y = INFINITY;
  claim_fails(bvh_build(boxes, 3, &memory, &tree, err), TRIBO_BAD_INPUT, "box 1");
  boxes[1].high.y = boxes[1].low.y - 1;
  claim_fails(bvh_build(boxes, 3, &memory, &tree, err), TRIBO_BAD_INPUT, "box 1");
  assert_int_equal(bvh_overlap(&tree, &boxes[0], NULL, 0), 0);
  claim_ok(bvh_build(boxes, 0, &memory, &tree, err));
  assert_int_equal(bvh_segment(&tree, boxes[0].low, boxes[0].high, 1, NULL, 0), 0);
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_is_in_the_tree_once_and_inside_its_boxes),
      cmocka_unit_test(the_nearest_box_is_that_of_asking_all),
      cmocka_unit_test(all_boxes_that_overlap_a_box_are_listed),
      cmocka_unit_test(all_boxes_that_a_segment_meets_are_listed),
      cmocka_unit_test(a_refitted_tree_has_the_boxes_of_its_items_on_any_number_of_threads),
      cmocka_unit_test(bad_boxes_are_refused_by_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
