/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences are central and extrapolated once, so their error is step^4: with a step of 3e-4 of
 * the radius and epsilon of 0.05 or more (the kernel's finest feature is sqrt(epsilon) R wide) it
 * is below 1e-8 of the largest entry, and so is the rounding. Where a sample is within a few steps
 * of a rim the derivative itself jumps, and the case is drawn again.
 */
#include "mls_shapes.h"

#define STEP       3e-4
#define DIFFERENCE 1e-7

static const double OFFSETS[4] = {1, -1, 2, -2}, WEIGHTS[4] = {8, -8, -1, 1};

static double *at(vec3 *x, size_t i) {
  return i % 3 == 0 ? &x[i / 3].x : i % 3 == 1 ? &x[i / 3].y : &x[i / 3].z;
}

static double get(const vec3 *x, size_t i) { return *at((vec3 *)(uintptr_t)x, i); }

static bool near_a_rim(const mls_surface *s, vec3 q) {
  for (size_t i = 0; i < s->count; i++) {
    double r = vec3_norm(vec3_sub(q, s->samples[i].point));
    if (fabs(r - s->samples[i].radius) < 10 * STEP * s->samples[i].radius) return true;
  }
  return false;
}

/* Samples with random points, normals, values and radii about 1, all near the origin. */
static mls_surface cloud(size_t count, mls_kernel kernel, uint64_t *seed, arena *memory) {
  vec3 *points = ARENA_ARRAY(memory, vec3, count), *normals = ARENA_ARRAY(memory, vec3, count);
  double *values = ARENA_ARRAY(memory, double, count), *radii = ARENA_ARRAY(memory, double, count);
  for (size_t i = 0; i < count; i++) {
    points[i] = mls_random_vector(seed, 0.7);
    normals[i] = mls_random_vector(seed, 1);
    values[i] = claim_between(seed, -1, 1);
    radii[i] = claim_between(seed, 0.8, 1.3);
  }
  mls_surface s;
  double epsilon = claim_between(seed, 0.05, 0.5);
  claim_ok(mls_from_points(kernel, epsilon, points, normals, values, count, memory, &s, err));
  claim_ok(mls_set_radii(radii, 1, &s, err));
  return s;
}

static void derivatives_by_the_query__agree_with_differences(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  arena memory = {0};
  static const size_t counts[] = {1, 2, 3, 7, 70};
  for (int k = 0; k < 3; k++)
    for (size_t c = 0; c < 5; c++)
      for (int round = 0; round < 8; round++) {
        arena_reset(&memory);
        mls_surface s = cloud(counts[c], KERNELS[k], &seed, &memory);
        int32_t *all = mls_everyone(s.count, &memory);
        vec3 q = mls_random_vector(&seed, 0.4);
        mls_value here = mls_evaluate(&s, q, all, s.count, MLS_HESSIAN);
        if (here.active == 0 || near_a_rim(&s, q)) continue;
        double steepest = 1 + vec3_max_abs(here.gradient);
        double stiffest = steepest + sqrt(mat3_frobenius2(&here.hessian));
        for (size_t i = 0; i < 3; i++) {
          vec3 rates = {0, 0, 0};
          double slope = 0, weight_slope = 0;
          for (int o = 0; o < 4; o++) {
            vec3 moved = q;
            *at(&moved, i) += OFFSETS[o] * STEP;
            mls_value there = mls_evaluate(&s, moved, all, s.count, MLS_GRADIENT);
            double weight = WEIGHTS[o] / (12 * STEP);
            slope += weight * there.value;
            rates = vec3_madd(rates, weight, there.gradient);
            weight_slope += weight * there.weight;
          }
          claim_near(get(&here.gradient, i), slope, DIFFERENCE * steepest);
          for (size_t j = 0; j < 3; j++) {
            claim_near(here.hessian.m[j][i], get(&rates, j), DIFFERENCE * stiffest);
            assert_true(here.hessian.m[i][j] == here.hessian.m[j][i]);
          }
          claim_near(here.weight * get(&here.pull, i), weight_slope,
                     DIFFERENCE * (double)counts[c]);
        }
      }
  arena_free(&memory);
}

/* On a sample the cubic's third derivative jumps: differences of the gradient are off by about the
 * step times that jump, 12 / R^3 times the largest excess. */
static void on_a_sample__derivatives_agree_with_differences(void **unused) {
  (void)unused;
  uint64_t seed = 12;
  arena memory = {0};
  const double step = 1e-5;
  for (int k = 0; k < 3; k++)
    for (int round = 0; round < 10; round++) {
      arena_reset(&memory);
      mls_surface s = cloud(6, KERNELS[k], &seed, &memory);
      int32_t *all = mls_everyone(s.count, &memory);
      vec3 q = s.samples[2].point;
      if (near_a_rim(&s, q)) continue;
      mls_value here = mls_evaluate(&s, q, all, s.count, MLS_HESSIAN);
      double jump = 12 * 4 / 0.512; /* radii are 0.8 and more, excesses below 4 */
      double stiffest = 1 + sqrt(mat3_frobenius2(&here.hessian));
      for (size_t i = 0; i < 3; i++) {
        vec3 ahead = q, back = q;
        *at(&ahead, i) += step;
        *at(&back, i) -= step;
        mls_value a = mls_evaluate(&s, ahead, all, s.count, MLS_GRADIENT);
        mls_value b = mls_evaluate(&s, back, all, s.count, MLS_GRADIENT);
        claim_near(get(&here.gradient, i), (a.value - b.value) / (2 * step), 1e-7 * stiffest);
        for (size_t j = 0; j < 3; j++)
          claim_near(here.hessian.m[j][i], (get(&a.gradient, j) - get(&b.gradient, j)) / (2 * step),
                     step * jump + 1e-7 * stiffest);
      }
    }
  arena_free(&memory);
}

static void derivatives_by_the_samples__agree_with_differences(void **unused) {
  (void)unused;
  uint64_t seed = 13;
  arena memory = {0};
  static const size_t counts[] = {1, 2, 9};
  for (int k = 0; k < 3; k++)
    for (size_t c = 0; c < 3; c++)
      for (int round = 0; round < 6; round++) {
        arena_reset(&memory);
        mls_surface s = cloud(counts[c], KERNELS[k], &seed, &memory);
        int32_t *all = mls_everyone(s.count, &memory);
        vec3 q = mls_random_vector(&seed, 0.4), by_point[9], by_normal[9];
        if (near_a_rim(&s, q)) continue;
        mls_patch patch;
        claim_ok(mls_patch_create(&s, q, all, s.count, &memory, &patch, err));
        mls_patch_by_samples(&patch, by_point, by_normal);
        double steepest = 1;
        for (size_t m = 0; m < patch.count; m++)
          steepest = fmax(steepest, vec3_max_abs(by_point[m]));
        for (size_t m = 0; m < patch.count; m++)
          for (size_t i = 0; i < 3; i++) {
            mls_sample *sample = &s.samples[patch.samples[m]];
            double point = 0, normal = 0;
            for (int o = 0; o < 4; o++) {
              mls_sample kept = *sample;
              *at(&sample->point, i) += OFFSETS[o] * STEP;
              point +=
                  WEIGHTS[o] / (12 * STEP) * mls_evaluate(&s, q, all, s.count, MLS_VALUE).value;
              *sample = kept;
              *at(&sample->normal, i) += OFFSETS[o] * STEP;
              normal +=
                  WEIGHTS[o] / (12 * STEP) * mls_evaluate(&s, q, all, s.count, MLS_VALUE).value;
              *sample = kept;
            }
            claim_near(get(&by_point[m], i), point, DIFFERENCE * steepest);
            claim_near(get(&by_normal[m], i), normal, DIFFERENCE * steepest);
          }
      }
  arena_free(&memory);
}

/* A shaken sheet with sides about 0.5, its radii local, and a query near its middle. */
static bool sheet_case(mls_kernel kernel, double lift, uint64_t *seed, arena *memory, shape *sheet,
                       mls_surface *s, mls_patch *patch) {
  *sheet = mls_sheet(4, 0.5, 0.6, 0.15, seed, memory);
  *s = mls_of(sheet, kernel, claim_between(seed, 0.05, 0.5), memory);
  double *spacing = ARENA_ARRAY(memory, double, s->count);
  mls_spacing_of_mesh(s, spacing);
  claim_ok(mls_set_radii(spacing, MLS_SCALE, s, err));
  vec3 q = mls_random_vector(seed, 0.2);
  q.z = lift;
  if (near_a_rim(s, q)) return false;
  int32_t *all = mls_everyone(s->count, memory);
  claim_ok(mls_patch_create(s, q, all, s->count, memory, patch, err));
  return true;
}

/* The gradient by the query and the patch's vertices, after those have moved by `by` times the
 * direction. */
static void moved_gradient(const shape *sheet, mls_surface *s, const mls_patch *patch, vec3 dq,
                           const vec3 *dv, double by, arena *memory, vec3 *out, double *value) {
  tasks one = tasks_create(1);
  vec3 *vertices = ARENA_ARRAY(memory, vec3, sheet->vertex_count);
  memcpy(vertices, sheet->vertices, sheet->vertex_count * sizeof *vertices);
  for (size_t v = 0; v < patch->vertex_count; v++) {
    vec3 *x = &vertices[patch->vertices[v]];
    *x = vec3_madd(*x, by, dv[v]);
  }
  assert_int_equal(mls_update(&one, vertices, s), 0);
  mls_patch moved;
  claim_ok(mls_patch_create(s, vec3_madd(patch->query, by, dq), patch->samples, patch->count,
                            memory, &moved, err));
  assert_int_equal(moved.vertex_count, patch->vertex_count);
  *value = moved.at.value;
  out[0] = moved.at.gradient;
  memcpy(out + 1, moved.by_vertex, moved.vertex_count * sizeof *out);
}

static void derivatives_by_vertices__agree_with_differences(void **unused) {
  (void)unused;
  uint64_t seed = 14;
  arena memory = {0};
  int checked = 0;
  for (int k = 0; k < 3; k++)
    for (int round = 0; round < 6; round++) {
      arena_reset(&memory);
      shape sheet;
      mls_surface s;
      mls_patch patch;
      if (!sheet_case(KERNELS[k], claim_between(&seed, -0.2, 0.2), &seed, &memory, &sheet, &s,
                      &patch))
        continue;
      checked++;
      size_t n = 3 * (1 + patch.vertex_count);
      double *h = ARENA_ARRAY(&memory, double, n *n), stiffest = 0;
      vec3 *dv = ARENA_ARRAY(&memory, vec3, n / 3), *g = ARENA_ARRAY(&memory, vec3, n / 3);
      vec3 *product = ARENA_ARRAY(&memory, vec3, n / 3);
      mls_patch_add_hessian(&patch, 1, h);
      for (size_t i = 0; i < n * n; i++) stiffest = fmax(stiffest, fabs(h[i]));
      for (size_t i = 0; i < n; i++) {
        memset(dv, 0, n * sizeof(double));
        *at(dv, i) = 1;
        double slope = 0, *rates = ARENA_ARRAY(&memory, double, n);
        for (int o = 0; o < 4; o++) {
          double value, weight = WEIGHTS[o] / (12 * STEP);
          moved_gradient(&sheet, &s, &patch, dv[0], dv + 1, OFFSETS[o] * STEP, &memory, g, &value);
          slope += weight * value;
          for (size_t j = 0; j < n; j++) rates[j] += weight * get(g, j);
        }
        double mine = i < 3 ? get(&patch.at.gradient, i) : get(patch.by_vertex, i - 3);
        claim_near(mine, slope, DIFFERENCE * (1 + STEP * stiffest));
        mls_patch_hessian_times(&patch, dv[0], dv + 1, product, product + 1);
        for (size_t j = 0; j < n; j++) {
          claim_near(h[j * n + i], rates[j], DIFFERENCE * stiffest);
          claim_near(get(product, j), h[j * n + i], 1e-12 * stiffest);
          assert_true(h[j * n + i] == h[i * n + j]);
        }
      }
      for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
          claim_near(h[i * n + j], patch.at.hessian.m[i][j], 1e-12 * stiffest);
    }
  assert_true(checked >= 9);
  arena_free(&memory);
}

/* The product is linear, and the dense matrix adds up with its factor. */
static void the_product__is_the_dense_matrix_times_the_vector(void **unused) {
  (void)unused;
  uint64_t seed = 15;
  arena memory = {0};
  shape sheet;
  mls_surface s;
  mls_patch patch;
  while (!sheet_case(MLS_SMOOTH, 0.1, &seed, &memory, &sheet, &s, &patch)) continue;
  size_t n = 3 * (1 + patch.vertex_count);
  double *h = ARENA_ARRAY(&memory, double, n *n), largest = 0;
  vec3 *v = ARENA_ARRAY(&memory, vec3, n / 3), *hv = ARENA_ARRAY(&memory, vec3, n / 3);
  for (size_t i = 0; i < n / 3; i++) v[i] = mls_random_vector(&seed, 1);
  mls_patch_add_hessian(&patch, 2, h);
  mls_patch_add_hessian(&patch, -0.5, h);
  mls_patch_hessian_times(&patch, v[0], v + 1, hv, hv + 1);
  for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(h[i]));
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += h[i * n + j] * get(v, j);
    claim_near(1.5 * get(hv, i), sum, 1e-12 * largest * (double)n);
  }
  arena_free(&memory);
}

/* Oriented points have the query's block alone. */
static void the_hessian_of_points__is_that_of_the_query(void **unused) {
  (void)unused;
  uint64_t seed = 16;
  arena memory = {0};
  for (int k = 0; k < 3; k++) {
    mls_surface s = cloud(8, KERNELS[k], &seed, &memory);
    mls_patch patch;
    double h[9] = {0};
    vec3 v = mls_random_vector(&seed, 1), hv;
    claim_ok(mls_patch_create(&s, mls_random_vector(&seed, 0.3), mls_everyone(8, &memory), 8,
                              &memory, &patch, err));
    assert_int_equal(patch.vertex_count, 0);
    mls_patch_add_hessian(&patch, 1, h);
    mls_patch_hessian_times(&patch, v, NULL, &hv, NULL);
    double stiffest = 1 + sqrt(mat3_frobenius2(&patch.at.hessian));
    vec3 wanted = mat3_mul_vec3(&patch.at.hessian, v);
    claim_below(vec3_max_abs(vec3_sub(hv, wanted)), 1e-12 * stiffest);
    for (int i = 0; i < 9; i++)
      claim_near(h[i], patch.at.hessian.m[i / 3][i % 3], 1e-12 * stiffest);
  }
  arena_free(&memory);
}

static void the_gradient__has_no_sum_and_no_torque(void **unused) {
  (void)unused;
  uint64_t seed = 17;
  arena memory = {0};
  for (int k = 0; k < 3; k++) {
    arena_reset(&memory);
    shape sheet;
    mls_surface s;
    mls_patch patch;
    while (!sheet_case(KERNELS[k], 0.1, &seed, &memory, &sheet, &s, &patch)) continue;
    vec3 sum = patch.at.gradient, torque = vec3_cross(patch.query, patch.at.gradient);
    for (size_t v = 0; v < patch.vertex_count; v++) {
      sum = vec3_add(sum, patch.by_vertex[v]);
      torque = vec3_add(torque, vec3_cross(sheet.vertices[patch.vertices[v]], patch.by_vertex[v]));
    }
    claim_below(0.5, vec3_norm(patch.at.gradient));
    claim_below(vec3_max_abs(sum), 1e-14);
    claim_below(vec3_max_abs(torque), 1e-14);
  }
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_by_the_query__agree_with_differences),
      cmocka_unit_test(on_a_sample__derivatives_agree_with_differences),
      cmocka_unit_test(derivatives_by_the_samples__agree_with_differences),
      cmocka_unit_test(derivatives_by_vertices__agree_with_differences),
      cmocka_unit_test(the_product__is_the_dense_matrix_times_the_vector),
      cmocka_unit_test(the_hessian_of_points__is_that_of_the_query),
      cmocka_unit_test(the_gradient__has_no_sum_and_no_torque),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
