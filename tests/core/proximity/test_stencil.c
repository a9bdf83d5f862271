/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"
#include "proximity/stencil.h"

static uint64_t seed = 57721;

static void random_points(vec3 x[4], double size) {
  for (int i = 0; i < 4; i++) {
    x[i].x = claim_between(&seed, -size, size);
    x[i].y = claim_between(&seed, -size, size);
    x[i].z = claim_between(&seed, -size, size);
  }
}

static stencil of(const vec3 x[4], bool edges) {
  return edges ? stencil_edge_edge(x) : stencil_vertex_face(x);
}

static double squared(const vec3 x[4], bool edges) {
  double d = of(x, edges).distance;
  return d * d;
}

static double *coordinate(vec3 x[4], int k) { return &((double *)x)[k]; }

/* Of points that stay of one type within the step of a difference. */
static bool stays(const vec3 x[4], bool edges, double step) {
  stencil s = of(x, edges);
  for (int k = 0; k < 12; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      vec3 y[4];
      memcpy(y, x, sizeof y);
      *coordinate(y, k) += 4 * sign * step;
      if (of(y, edges).taking != s.taking) return false;
    }
  return true;
}

static void claim_gradient(const vec3 x[4], bool edges) {
  vec3 g[4];
  stencil s = of(x, edges);
  stencil_gradient(&s, g);
  for (int k = 0; k < 12; k++) {
    vec3 y[4];
    memcpy(y, x, sizeof y);
    *coordinate(y, k) += 1e-5;
    double up = squared(y, edges);
    *coordinate(y, k) -= 2e-5;
    claim_near(*coordinate(g, k), (up - squared(y, edges)) / 2e-5, 1e-7);
  }
}

static void claim_hessian(const vec3 x[4], bool edges) {
  double h[144];
  stencil s = of(x, edges);
  stencil_hessian(&s, x, h);
  for (int k = 0; k < 12; k++) {
    vec3 y[4], up[4], down[4];
    memcpy(y, x, sizeof y);
    *coordinate(y, k) += 1e-6;
    stencil at = of(y, edges);
    stencil_gradient(&at, up);
    *coordinate(y, k) -= 2e-6;
    at = of(y, edges);
    stencil_gradient(&at, down);
    for (int l = 0; l < 12; l++) {
      double slope = (*coordinate(up, l) - *coordinate(down, l)) / 2e-6;
      claim_near(h[12 * k + l], slope, 2e-6 * (1 + fabs(slope)));
      claim_near(h[12 * k + l], h[12 * l + k], 1e-12);
    }
  }
}

static void derivatives__are_those_of_finite_differences(void **state) {
  (void)state;
  int seen[4] = {0};
  for (int n = 0; n < 4000; n++) {
    vec3 x[4];
    bool edges = n % 2;
    random_points(x, 1);
    if (n % 3 == 0) x[edges ? 1 : 0] = vec3_scale(3, x[edges ? 1 : 0]);
    stencil s = of(x, edges);
    double thin = vec3_norm2(
        vec3_cross(vec3_sub(x[edges ? 1 : 2], x[edges ? 0 : 1]), vec3_sub(x[3], x[edges ? 2 : 1])));
    if (s.distance < 0.05 || thin < 0.05 || !stays(x, edges, 1e-5)) continue;
    seen[s.type]++;
    claim_gradient(x, edges);
    claim_hessian(x, edges);
  }
  for (int k = 0; k < 4; k++) assert_true(seen[k] > 20);
}

static void distance__is_that_of_the_closest_points(void **state) {
  (void)state;
  for (int n = 0; n < 2000; n++) {
    vec3 x[4];
    random_points(x, 1);
    for (int edges = 0; edges < 2; edges++) {
      stencil s = of(x, edges);
      double least = INFINITY;
      for (int i = 0; i <= 40; i++)
        for (int j = 0; j <= (edges ? 40 : 40 - i); j++) {
          double a = i / 40., b = j / 40.;
          vec3 p = edges ? vec3_madd(x[0], a, vec3_sub(x[1], x[0])) : x[0];
          vec3 q =
              edges ? vec3_madd(x[2], b, vec3_sub(x[3], x[2]))
                    : vec3_madd(vec3_madd(x[1], a, vec3_sub(x[2], x[1])), b, vec3_sub(x[3], x[1]));
          least = fmin(least, vec3_norm(vec3_sub(p, q)));
        }
      claim_below(s.distance, least + 1e-12);
      claim_below(least, s.distance + 0.1);
      unsigned taking;
      double alone =
          edges ? stencil_edge_edge_distance(x, &taking) : stencil_vertex_face_distance(x, &taking);
      claim_near(alone, s.distance, 1e-14);
      assert_int_equal(taking, s.taking);
    }
  }
}

static void normal__keeps_its_digits_where_the_two_almost_touch(void **state) {
  (void)state;
  vec3 x[4] = {{0.3, 0.3, 1e-14}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  stencil s = stencil_vertex_face(x);
  claim_near(s.normal.z, 1, 1e-15);
  vec3 y[4] = {{-1, 0, 1e-14}, {1, 0, 1e-14}, {0, -1, 0}, {0, 1, 0}};
  s = stencil_edge_edge(y);
  claim_near(s.normal.z, 1, 1e-15);
}

static void mollifier__fades_parallel_edges_and_has_the_right_derivatives(void **state) {
  (void)state;
  int fading = 0;
  for (int n = 0; n < 3000; n++) {
    vec3 x[4], g[4], up[4], down[4];
    double h[144];
    random_points(x, 1);
    double bound = 1000 * stencil_mollifier_bound((const vec3 *)x); /* fades all but right angles */
    double value = stencil_mollifier(x, bound, g, h);
    assert_true(value >= 0 && value <= 1);
    if (value > 0.9) continue;
    fading++;
    for (int k = 0; k < 12; k++) {
      vec3 y[4];
      memcpy(y, x, sizeof y);
      *coordinate(y, k) += 1e-6;
      double above = stencil_mollifier(y, bound, up, NULL);
      *coordinate(y, k) -= 2e-6;
      double below = stencil_mollifier(y, bound, down, NULL);
      double size = 1 / bound;
      claim_near(*coordinate(g, k), (above - below) / 2e-6, 1e-8 * (1 + size));
      for (int l = 0; l < 12; l++)
        claim_near(h[12 * k + l], (*coordinate(up, l) - *coordinate(down, l)) / 2e-6,
                   1e-7 * (1 + size + size * size));
    }
  }
  assert_true(fading > 300);
  vec3 parallel[4] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.1, 0}, {1.2, 0.1, 0}};
  claim_near(stencil_mollifier(parallel, stencil_mollifier_bound(parallel), NULL, NULL), 0, 0);
  vec3 crossed[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, -0.5, 0.1}, {0.5, 0.5, 0.1}};
  claim_near(stencil_mollifier(crossed, stencil_mollifier_bound(crossed), NULL, NULL), 1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives__are_those_of_finite_differences),
      cmocka_unit_test(distance__is_that_of_the_closest_points),
      cmocka_unit_test(normal__keeps_its_digits_where_the_two_almost_touch),
      cmocka_unit_test(mollifier__fades_parallel_edges_and_has_the_right_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
