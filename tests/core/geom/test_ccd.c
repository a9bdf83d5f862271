/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/geom/solids.h"
#include "geom/ccd.h"
#include "geom/distance.h"

static uint64_t seed = 271828;

static const tasks one = {1};

static vec3 random_point(double size) {
  vec3 p = {claim_between(&seed, -size, size), 0, 0};
  p.y = claim_between(&seed, -size, size);
  p.z = claim_between(&seed, -size, size);
  return p;
}

typedef struct pair {
  vec3 start[4], end[4];
  bool edges; /* or a point and a triangle */
} pair;

static ccd_outcome ask(const pair *p, double slack, ccd_hit *hit) {
  return (p->edges ? ccd_edge_edge : ccd_point_triangle)(p->start, p->end, slack, hit);
}

static double distance_at(const pair *p, double time) {
  vec3 x[4];
  double s, t;
  for (int i = 0; i < 4; i++) x[i] = vec3_madd(p->start[i], time, vec3_sub(p->end[i], p->start[i]));
  return sqrt(p->edges ? distance_edge_edge(x, x + 2, &s, &t)
                       : distance_point_triangle(x[0], x + 1).distance2);
}

static double size_of(const pair *p) {
  double size = 0;
  for (int i = 0; i < 4; i++)
    size = fmax(size, fmax(vec3_max_abs(p->start[i]), vec3_max_abs(p->end[i])));
  return size;
}

/* Free means that no moment is too close; a hit that none before it is, and that the two are as
 * close as promised when it comes. */
static void claim_sound(const pair *p, double slack, int samples) {
  ccd_hit hit;
  ccd_outcome outcome = ask(p, slack, &hit);
  double size = size_of(p), first = distance_at(p, 0), blur = 1e-14 * size;
  assert_int_not_equal(outcome, CCD_UNSURE);
  assert_true(hit.time >= 0 && hit.time <= 1);
  if (outcome == CCD_FREE) assert_true(hit.time == 1);
  for (int k = 0; k <= samples && first > slack; k++) {
    double time = hit.time * k / samples, distance = distance_at(p, time);
    if (distance < slack - 0.1 * blur)
      print_error("slack %.17g, time %.17g of %.17g: distance %.17g (outcome %d)\n", slack, time,
                  hit.time, distance, (int)outcome);
    assert_true(distance >= slack - 0.1 * blur);
  }
  if (outcome == CCD_HIT)
    claim_below(distance_at(p, hit.time),
                fmax(slack, first <= slack ? first : 0) + 1e-6 * fmax(first - slack, 0) + 2 * blur);
}

static pair random_pair(bool edges, double size, double speed) {
  pair p = {.edges = edges};
  for (int i = 0; i < 4; i++) {
    p.start[i] = random_point(size);
    p.end[i] = vec3_add(p.start[i], random_point(speed));
  }
  return p;
}

static void random_motions_agree_with_dense_sampling(void **state) {
  (void)state;
  static const double speeds[] = {0.01, 1, 1000};
  for (int i = 0; i < 6000; i++) {
    pair p = random_pair(i % 2, 1, speeds[i % 3]);
    claim_sound(&p, i % 5 ? 0.05 * (i % 5) : 0, 200);
  }
}

static void scales_and_places_far_out_change_nothing(void **state) {
  (void)state;
  static const double sizes[] = {1e-30, 1e-6, 1e6, 1e30};
  for (int i = 0; i < 4000; i++) {
    double size = sizes[i % 4];
    pair p = random_pair(i % 2, size, 2 * size);
    vec3 far_out = i % 3 ? vec3_make(0, 0, 0) : vec3_scale(1e6 * size, vec3_make(1, -2, 3));
    for (int k = 0; k < 4; k++) {
      p.start[k] = vec3_add(p.start[k], far_out);
      p.end[k] = vec3_add(p.end[k], far_out);
    }
    claim_sound(&p, i % 5 ? 0.01 * size : 0, 100);
  }
}

/* ------------------------------------------------- the cubic that says when four are coplanar */

static long double volume_at(const pair *p, long double time) {
  long double x[4][3];
  for (int i = 0; i < 4; i++) {
    const double *a = &p->start[i].x, *b = &p->end[i].x;
    for (int k = 0; k < 3; k++)
      x[i][k] = (long double)a[k] + time * ((long double)b[k] - (long double)a[k]);
  }
  for (int i = 1; i < 4; i++)
    for (int k = 0; k < 3; k++) x[i][k] -= x[0][k];
  return x[1][0] * (x[2][1] * x[3][2] - x[2][2] * x[3][1]) -
         x[1][1] * (x[2][0] * x[3][2] - x[2][2] * x[3][0]) +
         x[1][2] * (x[2][0] * x[3][1] - x[2][1] * x[3][0]);
}

/* The first time in [0, 1] at which the four lie in a plane and touch: a root of the cubic between
 * its turning points, by bisection, that is close enough to contact. 2: never. */
static double first_contact(const pair *p, double tolerance) {
  long double f0 = volume_at(p, 0), f1 = volume_at(p, 1), g = volume_at(p, -1),
              f2 = volume_at(p, 2);
  long double a = (f2 - 3 * f1 + 3 * f0 - g) / 6, b = (f1 + g) / 2 - f0, c = f1 - f0 - a - b;
  long double ends[4] = {0, 1, 1, 1}, root = b * b - 3 * a * c;
  if (root > 0) {
    /* Both turning points, without cancellation. */
    long double q = -(b + (b < 0 ? -1 : 1) * sqrtl(root)), t0 = q / (3 * a), t1 = c / q;
    ends[1] = fminl(fmaxl(fminl(t0, t1), 0), 1);
    ends[2] = fminl(fmaxl(fmaxl(t0, t1), 0), 1);
  }
  for (int k = 0; k < 3; k++) {
    long double low = ends[k], high = ends[k + 1], at_low = volume_at(p, low);
    if ((at_low > 0) == (volume_at(p, high) > 0)) continue;
    for (int i = 0; i < 80; i++) {
      long double middle = (low + high) / 2;
      if ((volume_at(p, middle) > 0) == (at_low > 0))
        low = middle;
      else
        high = middle;
    }
    if (distance_at(p, (double)low) < tolerance) return (double)low;
  }
  return 2;
}

static void the_roots_of_the_cubic_are_found_and_not_passed(void **state) {
  (void)state;
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    pair p = random_pair(i % 2, 1, 2);
    ccd_hit hit;
    ccd_outcome outcome = ask(&p, 0, &hit);
    double wanted = first_contact(&p, 1e-12);
    /* What touches must be a hit in time; a hit must touch, up to what is left of the gap. */
    if (wanted <= 1) {
      assert_int_equal(outcome, CCD_HIT);
      claim_below(hit.time, wanted + 1e-15);
      claim_below(distance_at(&p, hit.time), 1e-6 * distance_at(&p, 0) + 1e-13);
      hits++;
    } else if (outcome == CCD_HIT) {
      claim_below(distance_at(&p, hit.time), 1e-6 * distance_at(&p, 0) + 1e-13);
    }
  }
  assert_true(hits > 1000);
}

/* Aimed so that the two meet at a known time at the latest, at any speed. */
static void fast_motions_are_not_missed(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    pair p = random_pair(i % 2, 1, 1);
    double speed = pow(10, claim_between(&seed, -3, 8)), u = claim_random(&seed);
    double v = (1 - u) * claim_random(&seed), when = claim_between(&seed, 0.01, 0.99);
    vec3 at[4], way = vec3_scale(speed, vec3_normalized(random_point(1)));
    for (int k = 0; k < 4; k++) at[k] = vec3_madd(p.start[k], when, vec3_sub(p.end[k], p.start[k]));
    vec3 broad_phase;
    if (p.edges) {
      broad_phase = vec3_sub(distance_along(at[2], at[3], v),
                             vec3_sub(distance_along(at[0], at[1], u), at[0]));
    } else {
      broad_phase = vec3_madd(vec3_madd(vec3_scale(1 - u - v, at[1]), u, at[2]), v, at[3]);
    }
    /* Body 0 flies through the meeting point, keeping its shape at that moment. */
    vec3 shape = vec3_sub(at[1], at[0]);
    for (int k = 0; k <= p.edges; k++) {
      vec3 there = k ? vec3_add(broad_phase, shape) : broad_phase;
      p.start[k] = vec3_madd(there, -when, way);
      p.end[k] = vec3_madd(there, 1 - when, way);
    }
    ccd_hit hit;
    assert_int_equal(ask(&p, 1e-9 * (1 + speed), &hit), CCD_HIT);
    claim_below(hit.time, when);
  }
}

/* ------------------------------------------------------------------------------ hard cases */

static void sliding_along_a_face_is_free(void **state) {
  (void)state;
  static const double gaps[] = {1e-3, 1e-6, 1e-9};
  for (int k = 0; k < 3; k++) {
    pair p = {{{-3, -3, gaps[k]}, {-9, -9, 0}, {9, -9, 0}, {0, 9, 0}},
              {{3, 3, gaps[k]}, {-9, -9, 0}, {9, -9, 0}, {0, 9, 0}},
              false};
    ccd_hit hit;
    assert_int_equal(ask(&p, gaps[k] / 2, &hit), CCD_FREE);
    assert_int_equal(ask(&p, gaps[k] * 1.1, &hit), CCD_HIT);
    assert_true(hit.time == 0);
    /* A slope that comes down to the slack at half the way. */
    p.end[0].z = 0;
    assert_int_equal(ask(&p, gaps[k] / 2, &hit), CCD_HIT);
    claim_below(hit.time, 0.5);
    claim_near(hit.time, 0.5, 1e-5 + 3e-13 / gaps[k]); /* rounding, over the speed of closing in */
  }
}

static void grazing_an_edge_or_a_vertex_is_judged_by_the_slack(void **state) {
  (void)state;
  /* Past a corner at distance 1, and past a side at distance 1. */
  pair p = {{{-5, 0, 1}, {0, 0, 0}, {0, 1, -1}, {0, -1, -1}},
            {{5, 0, 1}, {0, 0, 0}, {0, 1, -1}, {0, -1, -1}},
            false};
  ccd_hit hit;
  assert_int_equal(ask(&p, 1 - 1e-4, &hit), CCD_FREE);
  assert_int_equal(ask(&p, 1 + 1e-4, &hit), CCD_HIT);
  claim_near(hit.time, 0.5 - 0.1 * sqrt(2e-4 + 1e-8), 1e-4);
  pair q = {{{-5, 0, 1}, {5, 0, 1}, {0, -7, 0}, {0, -3, 0}},
            {{-5, 0, 1}, {5, 0, 1}, {0, 3, 0}, {0, 7, 0}},
            true};
  assert_int_equal(ask(&q, 1 - 1e-4, &hit), CCD_FREE);
  assert_int_equal(ask(&q, 1 + 1e-4, &hit), CCD_HIT);
  claim_near(hit.time, 0.3, 1e-2);
  claim_sound(&p, 0.999, 2000);
  claim_sound(&q, 0.999, 2000);
}

static void coplanar_motion_is_seen(void **state) {
  (void)state;
  /* A point that comes in the plane of a triangle, and edges that meet in their plane end on. */
  pair p = {{{-2, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
            {{2, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
            false};
  ccd_hit hit;
  assert_int_equal(ask(&p, 0, &hit), CCD_HIT);
  claim_below(hit.time, 0.5);
  claim_near(hit.time, 0.5, 1e-6);
  pair q = {{{-3, 0, 0}, {-2, 0, 0}, {0, -1, 0}, {0, 1, 0}},
            {{1, 0, 0}, {2, 0, 0}, {0, -1, 0}, {0, 1, 0}},
            true};
  assert_int_equal(ask(&q, 0, &hit), CCD_HIT);
  claim_below(hit.time, 0.5);
  claim_near(hit.time, 0.5, 1e-6);
}

static void parallel_edges_meet_in_time(void **state) {
  (void)state;
  for (int i = 0; i < 3000; i++) {
    vec3 along = random_point(1), aside = random_point(1), a = random_point(1);
    aside = vec3_madd(aside, -vec3_dot(aside, along) / vec3_norm2(along), along);
    double tilt = i % 2 ? 1e-9 : 0, slide = i % 3 ? 0 : 0.25;
    pair p = {
        .start = {a, vec3_add(a, along), vec3_add(a, aside), vec3_add(vec3_add(a, aside), along)},
        .edges = true};
    p.start[3] = vec3_madd(p.start[3], tilt, random_point(1));
    for (int k = 0; k < 4; k++) p.end[k] = p.start[k];
    for (int k = 2; k < 4; k++) /* through the other, past it as far again */
      p.end[k] = vec3_madd(vec3_madd(p.start[k], -2, aside), slide, along);
    ccd_hit hit;
    assert_int_equal(ask(&p, 0, &hit), CCD_HIT);
    claim_below(hit.time, 0.5 + 1e-8);
    claim_near(hit.time, 0.5, 1e-5);
    claim_sound(&p, 0.01, 100);
  }
}

static void without_relative_motion_nothing_happens(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    pair p = random_pair(i % 2, 1, 0);
    vec3 common = i % 3 ? random_point(1e5) : vec3_make(0, 0, 0);
    for (int k = 0; k < 4; k++) p.end[k] = vec3_add(p.start[k], common);
    double gap = distance_at(&p, 0);
    ccd_hit hit;
    if (gap < 1e-6) continue;
    assert_int_equal(ask(&p, gap * 0.99, &hit), CCD_FREE);
    assert_int_equal(ask(&p, gap * 1.01, &hit), CCD_HIT);
    assert_true(hit.time == 0);
  }
}

static void triangles_and_edges_without_extent_are_hit(void **state) {
  (void)state;
  for (int i = 0; i < 4000; i++) {
    pair p = random_pair(i % 2, 1, 2);
    int kept = p.edges ? 2 : 1;
    for (int k = kept + 1; k < 4; k++) {
      if (i % 3 == 0 && k == 3) continue;
      p.start[k] = p.start[kept];
      p.end[k] = p.end[kept];
    }
    claim_sound(&p, 0.1, 100);
  }
}

/* As contacts do: from a gap of a hundredth to a ten-billionth of the size, moving and tilting any
 * way. Few are left undecided, and none is told late. */
static void pairs_that_almost_touch_are_decided_and_never_late(void **state) {
  (void)state;
  int unsure = 0, free_ones = 0;
  for (int i = 0; i < 10000; i++) {
    pair p = random_pair(i % 2, 1, 0);
    vec3 *x = p.start;
    double gap = pow(10, -claim_between(&seed, 2, 10)), u = claim_random(&seed);
    double v = (1 - u) * claim_random(&seed);
    vec3 normal, foot, shift;
    if (p.edges) {
      normal = vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[3], x[2]));
      foot = vec3_sub(distance_along(x[0], x[1], u), distance_along(x[2], x[3], v));
    } else {
      normal = vec3_cross(vec3_sub(x[2], x[1]), vec3_sub(x[3], x[1]));
      foot = vec3_madd(vec3_madd(vec3_scale(1 - u - v, x[1]), u, x[2]), v, x[3]);
      foot = vec3_sub(x[0], foot);
    }
    shift = vec3_madd(foot, gap, vec3_normalized(normal));
    for (int k = p.edges ? 2 : 1; k < 4; k++) x[k] = vec3_add(x[k], shift);
    for (int k = 0; k < 4; k++) p.end[k] = vec3_add(x[k], random_point(0.3));
    ccd_hit hit;
    ccd_outcome outcome = ask(&p, gap / 10, &hit);
    unsure += outcome == CCD_UNSURE;
    free_ones += outcome == CCD_FREE;
    for (int k = 0; k <= 50; k++)
      assert_true(distance_at(&p, hit.time * k / 50) >= gap / 10 - 1e-15);
  }
  assert_true(unsure < 50);
  assert_true(free_ones > 3000 && free_ones < 7000);
}

/* ------------------------------------------------------------------------------ whole meshes */

static double hills(double x, double y) { return 0.15 * sin(5 * x + 1) * cos(4 * y); }

static void the_first_triangle_of_a_moving_mesh_is_that_of_testing_all(void **state) {
  (void)state;
  enum { COUNT = 600 };
  const tasks two = {2};
  solid s = solid_sheet(20, hills), moved = solid_sheet(20, hills);
  const mat3 turn = turn_about(vec3_make(1, 1, 0.3), 0.4);
  solid_place(&moved, &turn, 1.1, vec3_make(0.2, 0.1, 0.3));
  bvh_box *boxes = malloc(s.triangle_count * sizeof *boxes);
  arena memory = {0};
  bvh tree;
  vec3 from[COUNT], to[COUNT];
  double slack[COUNT];
  ccd_mesh_hit hits[COUNT], again[COUNT];
  for (int still = 0; still < 2; still++) {
    const vec3 *end = still ? s.points : moved.points;
    bvh_triangle_boxes(&one, s.points, end, s.triangles, s.triangle_count, 0, boxes);
    claim_ok(bvh_build(boxes, s.triangle_count, &memory, &tree, err));
    ccd_mesh m = {s.points, end, s.triangles, &tree};
    for (int i = 0; i < COUNT; i++) {
      from[i] = random_point(0.8);
      to[i] = i % 9 ? vec3_add(from[i], random_point(i % 2 ? 2 : 0.1)) : from[i];
      slack[i] = i % 3 ? 0.01 : 0;
    }
    ccd_mesh_batch(&one, &m, from, to, slack, COUNT, hits);
    ccd_mesh_batch(&two, &m, from, to, slack, COUNT, again);
    assert_memory_equal(hits, again, sizeof hits);
    int found = 0;
    for (int i = 0; i < COUNT; i++) {
      double first = 2;
      for (size_t k = 0; k < s.triangle_count; k++) {
        const int32_t *v = s.triangles + 3 * k;
        const vec3 a[4] = {from[i], s.points[v[0]], s.points[v[1]], s.points[v[2]]};
        const vec3 b[4] = {to[i], end[v[0]], end[v[1]], end[v[2]]};
        ccd_hit hit;
        if (ccd_point_triangle(a, b, slack[i], &hit) != CCD_FREE) first = fmin(first, hit.time);
      }
      if (hits[i].outcome == CCD_FREE) {
        assert_int_equal(hits[i].triangle, -1);
        assert_true(first == 2);
        continue;
      }
      found++;
      claim_near(hits[i].time, first, 2e-5);
      /* Point and triangle are there. */
      double t = hits[i].time;
      const int32_t *v = s.triangles + 3 * hits[i].triangle;
      vec3 foot = {0, 0, 0}, x = distance_along(from[i], to[i], t);
      for (int c = 0; c < 3; c++)
        foot = vec3_madd(foot, hits[i].weight[c],
                         vec3_madd(s.points[v[c]], t, vec3_sub(end[v[c]], s.points[v[c]])));
      claim_below(vec3_norm(vec3_sub(x, foot)), slack[i] + 1e-5);
    }
    assert_true(found > COUNT / 10 && found < COUNT * 9 / 10);
  }
  arena_free(&memory);
  free(boxes);
  solid_free(&s);
  solid_free(&moved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_motions_agree_with_dense_sampling),
      cmocka_unit_test(scales_and_places_far_out_change_nothing),
      cmocka_unit_test(the_roots_of_the_cubic_are_found_and_not_passed),
      cmocka_unit_test(fast_motions_are_not_missed),
      cmocka_unit_test(sliding_along_a_face_is_free),
      cmocka_unit_test(grazing_an_edge_or_a_vertex_is_judged_by_the_slack),
      cmocka_unit_test(coplanar_motion_is_seen),
      cmocka_unit_test(parallel_edges_meet_in_time),
      cmocka_unit_test(without_relative_motion_nothing_happens),
      cmocka_unit_test(triangles_and_edges_without_extent_are_hit),
      cmocka_unit_test(pairs_that_almost_touch_are_decided_and_never_late),
      cmocka_unit_test(the_first_triangle_of_a_moving_mesh_is_that_of_testing_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
