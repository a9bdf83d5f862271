/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "energy/wind.h"

#include "core/model/differences.h"

static const int32_t TRIANGLE[3] = {0, 1, 2};
static const element_set SET = {.count = 1, .arity = 3, .vertices = TRIANGLE};
static const tasks ONE = {1};

static wind_element prepared(const wind_air *air, double h, const vec3 *x, const vec3 *v) {
  wind_element w;
  wind_prepare(&SET, air, h, x, v, &ONE, &w);
  return w;
}

static void random_triangle(uint64_t *seed, vec3 *x, vec3 *v) {
  for (int a = 0; a < 3; a++) {
    x[a] = random_point(seed, 1);
    v[a] = random_point(seed, 3);
  }
}

static void derivatives_agree_with_differences(void **state) {
  (void)state;
  uint64_t seed = 51;
  wind_air air = {{3, -2, 1}, 1.2, 1.1};
  for (int trial = 0; trial < 50; trial++) {
    vec3 x[3], v[3], moved[3];
    random_triangle(&seed, x, v);
    wind_element w = prepared(&air, 0.02, x, v);
    for (int a = 0; a < 3; a++) moved[a] = vec3_add(x[a], random_point(&seed, 0.1));
    claim_derivatives(&wind_kernel, &w, moved, 1e-3);
    claim_projection(&wind_kernel, &w, moved);
  }
}

/* A plate of 1 m^2 held square to the wind: 1/2 rho C_d A w^2, shared by the corners. */
static void a_plate_held_in_the_wind_feels_the_drag_equation(void **state) {
  (void)state;
  vec3 x[3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, v[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, g[3];
  wind_air air = {{5, 0, 4}, 1.2, 1.1}; /* the part along the plate has no grip on it */
  for (int steps = 1; steps < 1000; steps *= 10) {
    wind_element w = prepared(&air, 0.04 / steps, x, v);
    wind_kernel.gradient(&w, 0, x, g);
    for (int a = 0; a < 3; a++) {
      claim_near(-g[a].z, 0.5 * 1.2 * 1.1 * 4 * 4 / 3, 1e-12);
      claim_near(g[a].x, 0, 1e-12);
      claim_near(g[a].y, 0, 1e-12);
    }
  }
}

static void a_triangle_without_area_feels_nothing(void **state) {
  (void)state;
  vec3 x[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, v[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, g[3];
  wind_air air = {{0, 0, 4}, 1.2, 1.1};
  wind_element w = prepared(&air, 0.04, x, v);
  wind_kernel.gradient(&w, 0, x, g);
  for (int a = 0; a < 3; a++) claim_near(vec3_max_abs(g[a]), 0, 0);
}

/* Whatever the step and wherever it ends, the force times the way is not positive. */
static void still_air_never_adds_energy(void **state) {
  (void)state;
  uint64_t seed = 52;
  wind_air air = {{0, 0, 0}, 1.2, 1.1};
  double most = 0;
  for (int trial = 0; trial < 500; trial++) {
    vec3 x[3], v[3], end[3], g[3];
    double h = pow(10, claim_between(&seed, -4, 0)), work = 0;
    random_triangle(&seed, x, v);
    wind_element w = prepared(&air, h, x, v);
    for (int a = 0; a < 3; a++) end[a] = vec3_add(x[a], random_point(&seed, 1));
    wind_kernel.gradient(&w, 0, end, g);
    for (int a = 0; a < 3; a++) work -= vec3_dot(g[a], vec3_sub(end[a], x[a]));
    claim_below(work, 1e-15 * w.stiffness);
    most = fmax(most, -work);
  }
  assert_true(most > 0);
}

/* A rigid plate free to move along its normal, by implicit Euler: m (v1 - v0)/h + grad E = 0. The
 * gap to the wind must close steadily and never change sign, for steps short and absurdly long. */
static void a_plate_takes_up_the_speed_of_the_wind_without_overshoot(void **state) {
  (void)state;
  double mass = 0.05;
  wind_air air = {{0, 0, 4}, 1.2, 1.1};
  for (double h = 1e-3; h < 200; h *= 10) {
    vec3 x[3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, v[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double speed = 0;
    for (int step = 0; step < 2000; step++) {
      wind_element w = prepared(&air, h, x, v);
      /* Along the normal E = k/2 (z - z_carried)^2: one Newton step is exact. */
      vec3 g[3], free_fall[3];
      for (int a = 0; a < 3; a++) free_fall[a] = vec3_add(x[a], vec3_make(0, 0, h * speed));
      wind_kernel.gradient(&w, 0, free_fall, g);
      double force = -(g[0].z + g[1].z + g[2].z);
      double next = speed + force / (mass / h + w.stiffness) / h;
      assert_true(next >= speed);
      claim_below(next, 4 * (1 + 1e-12));
      speed = next;
      for (int a = 0; a < 3; a++) {
        v[a] = vec3_make(0, 0, speed);
        x[a].z += h * speed;
      }
    }
    claim_near(speed, 4, 0.1); /* the gap closes as m / (1/2 rho C_d A t) = 0.04 m/s after 2 s */
  }
}

static void preparing_is_the_same_on_any_number_of_threads(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  static int32_t vertices[3 * COUNT];
  static vec3 x[3 * COUNT], v[3 * COUNT];
  static wind_element one[COUNT], three[COUNT];
  uint64_t seed = 53;
  for (int i = 0; i < 3 * COUNT; i++) {
    vertices[i] = i;
    x[i] = random_point(&seed, 1);
    v[i] = random_point(&seed, 1);
  }
  wind_air air = {{1, 2, 3}, 1.2, 1.1};
  element_set set = {.count = COUNT, .arity = 3, .vertices = vertices};
  wind_prepare(&set, &air, 0.01, x, v, &ONE, one);
  wind_prepare(&set, &air, 0.01, x, v, &(tasks){3}, three);
  assert_memory_equal(one, three, sizeof one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_agree_with_differences),
      cmocka_unit_test(a_plate_held_in_the_wind_feels_the_drag_equation),
      cmocka_unit_test(a_triangle_without_area_feels_nothing),
      cmocka_unit_test(still_air_never_adds_energy),
      cmocka_unit_test(a_plate_takes_up_the_speed_of_the_wind_without_overshoot),
      cmocka_unit_test(preparing_is_the_same_on_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
