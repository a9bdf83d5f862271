/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "model/collider.h"

static const double triangle[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int32_t corners[3] = {0, 1, 2};

typedef struct fixture {
  arena memory;
  tribo_object_def def;
  tribo_time_params time;
  model_collider c;
  vec3 at[3];
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  f->def = tribo_object_default(TRIBO_COLLIDER);
  f->def.name = "ramp";
  f->def.positions = triangle, f->def.vertex_count = 3;
  f->def.triangles = corners, f->def.triangle_count = 1;
  f->time = tribo_time_defaults();
  f->time.start = 11, f->time.fps = 32; /* frames are exact in seconds */
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  arena_free(&f->memory);
  free(f);
  return 0;
}

static void build(fixture *f) {
  claim_ok(collider_build(&f->def, 5, &f->time, &f->memory, &f->c, err));
}

/* Where the three vertices are at a frame. */
static const vec3 *at_frame(fixture *f, double frame) {
  tasks t = tasks_create(2);
  collider_vertices(&f->c, &t, (frame - f->time.start) / f->time.fps, f->at);
  return f->at;
}

static void claim_point(vec3 p, double x, double y, double z) {
  claim_near(p.x, x, 1e-14);
  claim_near(p.y, y, 1e-14);
  claim_near(p.z, z, 1e-14);
}

static void what_has_no_motion_stands_still(void **state) {
  fixture *f = *state;
  build(f);
  assert_int_equal(f->c.object, 5);
  assert_string_equal(f->c.name, "ramp");
  assert_false(collider_deforms(&f->c));
  for (double frame = 0; frame < 100; frame += 33)
    assert_memory_equal(at_frame(f, frame), triangle, sizeof triangle);
  rigid_map map = collider_map(&f->c, 3);
  assert_true(map.scale == 1 && map.turn.w == 1 && map.turn.x == 0 && map.shift.z == 0);
}

static void vertices_go_linearly_from_sample_to_sample(void **state) {
  fixture *f = *state;
  double points[27];
  for (int i = 0; i < 27; i++) points[i] = i < 9 ? i : i < 18 ? 2 * i : -i;
  f->def.motion = (tribo_motion_def){NULL, points, 3, 13, 0.5};
  build(f);
  assert_true(collider_deforms(&f->c));
  memset(points, 0, sizeof points); /* it has its own copy */
  claim_point(at_frame(f, 13)[2], 6, 7, 8);
  claim_point(at_frame(f, 13.125)[2], 0.75 * 6 + 0.25 * 30, 0.75 * 7 + 0.25 * 32, 14.5);
  claim_point(at_frame(f, 13.5)[0], 18, 20, 22);
  claim_point(at_frame(f, 13.75)[0], 0, 0.5, 1);
  claim_point(at_frame(f, 14)[0], -18, -19, -20);
}

static void outside_its_samples_it_rests(void **state) {
  fixture *f = *state;
  double points[18];
  for (int i = 0; i < 18; i++) points[i] = i;
  f->def.motion = (tribo_motion_def){NULL, points, 2, 13, 4};
  build(f);
  assert_memory_equal(at_frame(f, -1e6), points, sizeof f->at);
  assert_memory_equal(at_frame(f, 11), points, sizeof f->at);
  assert_memory_equal(at_frame(f, 17), points + 9, sizeof f->at);
  assert_memory_equal(at_frame(f, 1e9), points + 9, sizeof f->at);
  f->def.motion.sample_count = 1;
  build(f);
  assert_memory_equal(at_frame(f, 15), points, sizeof f->at);
}

/* A 4x4 matrix that turns about an axis, scales and shifts. */
static void turning(vec3 axis, double angle, double scale, vec3 shift, double out[16]) {
  vec3 n = vec3_normalized(axis), columns[3];
  const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    vec3 e = unit[k];
    columns[k] = vec3_add(vec3_scale(c, e), vec3_scale(s, vec3_cross(n, e)));
    columns[k] = vec3_scale(scale, vec3_madd(columns[k], (1 - c) * vec3_dot(n, e), n));
  }
  const double m[16] = {columns[0].x,
                        columns[1].x,
                        columns[2].x,
                        shift.x,
                        columns[0].y,
                        columns[1].y,
                        columns[2].y,
                        shift.y,
                        columns[0].z,
                        columns[1].z,
                        columns[2].z,
                        shift.z,
                        0,
                        0,
                        0,
                        1};
  memcpy(out, m, sizeof m);
}

static void claim_transformed(fixture *f, const double m[16], double tolerance) {
  for (int v = 0; v < 3; v++) {
    vec3 p = vec3_from(triangle + 3 * v);
    claim_near(f->at[v].x, vec3_dot(vec3_from(m), p) + m[3], tolerance);
    claim_near(f->at[v].y, vec3_dot(vec3_from(m + 4), p) + m[7], tolerance);
    claim_near(f->at[v].z, vec3_dot(vec3_from(m + 8), p) + m[11], tolerance);
  }
}

static void transforms_are_met_at_their_samples_for_any_turn(void **state) {
  fixture *f = *state;
  uint64_t seed = 3;
  for (int round = 0; round < 200; round++) {
    double m[32];
    for (int s = 0; s < 2; s++) {
      vec3 axis = {claim_between(&seed, -1, 1), claim_between(&seed, -1, 1),
                   claim_between(&seed, -1, 1)};
      vec3 shift = {claim_between(&seed, -9, 9), claim_between(&seed, -9, 9), 1};
      double angle = round % 4 == 0 ? M_PI : claim_between(&seed, -M_PI, M_PI);
      turning(axis, angle, claim_between(&seed, 0.1, 3), shift, m + 16 * s);
    }
    f->def.motion = (tribo_motion_def){m, NULL, 2, 11, 2};
    build(f);
    at_frame(f, 11);
    claim_transformed(f, m, 2e-14);
    at_frame(f, 13);
    claim_transformed(f, m + 16, 2e-14);
  }
}

static void turn_goes_evenly_along_the_shorter_arc(void **state) {
  fixture *f = *state;
  vec3 axis = {1, -2, 0.5}, from = {1, 2, 3}, to = {-1, 0, 5};
  const double angles[][2] = {{0, 1}, {0.3, 3}, {-0.5, 2.5}, {3, 3.5}, {0, 1e-5}, {2.8, -2.9}};
  for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
    double m[32], between[16], a = angles[k][0], b = angles[k][1];
    turning(axis, a, 1, from, m);
    turning(axis, b, 3, to, m + 16);
    f->def.motion = (tribo_motion_def){m, NULL, 2, 11, 1};
    build(f);
    if (b - a > M_PI) b -= 2 * M_PI;
    if (b - a < -M_PI) b += 2 * M_PI;
    for (double on = 0.1; on < 1; on += 0.2) {
      vec3 shift = vec3_madd(vec3_scale(1 - on, from), on, to);
      turning(axis, (1 - on) * a + on * b, 1 + 2 * on, shift, between);
      at_frame(f, 11 + on);
      claim_transformed(f, between, 1e-13);
    }
  }
}

/* A host's matrices are floats: the map is a rotation to rounding nevertheless. */
static void matrices_of_floats_give_true_rotations(void **state) {
  fixture *f = *state;
  double m[16];
  turning((vec3){1, 2, 3}, 1, 2, (vec3){0}, m);
  for (int i = 0; i < 16; i++) m[i] = (double)(float)m[i];
  f->def.motion = (tribo_motion_def){m, NULL, 1, 11, 1};
  build(f);
  rigid_map map = collider_map(&f->c, 0);
  quat q = map.turn;
  claim_near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
  claim_near(map.scale, 2, 1e-6);
  at_frame(f, 11);
  claim_transformed(f, m, 1e-6);
}

static bool there_at(const fixture *f, double frame) {
  return collider_present(&f->c, (frame - f->time.start) / f->time.fps);
}

static void what_is_not_limited_is_always_there(void **state) {
  fixture *f = *state;
  build(f);
  assert_true(there_at(f, -1000) && there_at(f, 11) && there_at(f, 1e6));
}

static void what_is_limited_is_there_from_a_frame_to_before_another(void **state) {
  fixture *f = *state;
  static const double ranges[] = {12, 14.5, 20, INFINITY};
  f->def.presence = (tribo_presence_def){true, ranges, 2};
  build(f);
  const double away[] = {0, 11, 11.99, 14.5, 17, 19.99}, there[] = {12, 12.01, 14.49, 20, 1e6};
  for (size_t i = 0; i < sizeof away / sizeof *away; i++) assert_false(there_at(f, away[i]));
  for (size_t i = 0; i < sizeof there / sizeof *there; i++) assert_true(there_at(f, there[i]));
  f->def.presence.range_count = 0;
  build(f);
  assert_false(there_at(f, 11) || there_at(f, 12) || there_at(f, 1e6));
}

/* Steps are counted in seconds, which round: 0.1 has no end, and neither has 1/24 s. */
static void rounded_times_of_steps_find_their_frame(void **state) {
  fixture *f = *state;
  static const double rates[] = {24, 29.97, 30, 59.94, 1e-3, 1e6};
  f->time.start = 1;
  for (int r = 0; r < 6; r++)
    for (int frame = 2; frame < 200000; frame = 3 * frame + 1)
      for (int substeps = 1; substeps < 40; substeps += 3) {
        f->time.fps = rates[r];
        f->def.presence = (tribo_presence_def){true, (double[]){frame, frame + 1}, 1};
        build(f);
        double h = 1 / (f->time.fps * substeps);
        int64_t steps = (int64_t)(frame - 1) * substeps; /* that end at the frame */
        for (int k = -1; k < substeps + 1; k++) {
          bool there = collider_present(&f->c, (double)(steps + k - 1) * h + h);
          assert_int_equal(there, k >= 0 && k < substeps);
        }
      }
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CLAIM(what_is_not_limited_is_always_there),
      CLAIM(what_is_limited_is_there_from_a_frame_to_before_another),
      CLAIM(rounded_times_of_steps_find_their_frame),
      CLAIM(what_has_no_motion_stands_still),
      CLAIM(vertices_go_linearly_from_sample_to_sample),
      CLAIM(outside_its_samples_it_rests),
      CLAIM(transforms_are_met_at_their_samples_for_any_turn),
      CLAIM(turn_goes_evenly_along_the_shorter_arc),
      CLAIM(matrices_of_floats_give_true_rotations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
