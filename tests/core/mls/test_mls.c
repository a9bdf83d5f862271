/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mls_shapes.h"

static void kernels__fall_from_one_to_zero_and_have_the_derivatives_they_claim(void **unused) {
  (void)unused;
  const double radius = 0.7;
  for (int k = 0; k < 3; k++)
    for (double epsilon = 1e-2; epsilon < 2; epsilon *= 10) {
      claim_near(mls_kernel_profile(KERNELS[k], epsilon, radius, 0).value, 1, 1e-15);
      claim_near(mls_kernel_profile(KERNELS[k], epsilon, radius, 0).first, 0, 0);
      mls_profile beyond = mls_kernel_profile(KERNELS[k], epsilon, radius, radius);
      assert_true(beyond.value == 0 && beyond.first == 0 && beyond.second == 0);
      for (double t = 0.05; t < 0.99; t += 0.07) {
        const double h = 1e-4 * radius, r = t * radius;
        mls_profile w[5];
        for (int i = 0; i < 5; i++)
          w[i] = mls_kernel_profile(KERNELS[k], epsilon, radius, r + (i - 2) * h);
        double first = (w[0].value - 8 * w[1].value + 8 * w[3].value - w[4].value) / (12 * h);
        double second = (w[0].first - 8 * w[1].first + 8 * w[3].first - w[4].first) / (12 * h);
        /* a fourth-order formula, on features of the width sqrt(epsilon) */
        claim_near(w[2].first, first, 1e-8 / epsilon);
        claim_near(w[2].second, second, 1e-8 / (epsilon * epsilon));
        assert_true(w[2].first < 0 && w[2].value > 0 && w[2].value < 1);
      }
    }
}

/* The paper asks for continuous derivatives; its interpolating kernel has them inside only. */
static void at_the_rim__the_interpolating_kernel_alone_has_a_slope(void **unused) {
  (void)unused;
  const double radius = 2, e = 0.1, rim = radius * (1 - 1e-9);
  double c = e * e * (1 + e) * (1 + e) / (1 + 2 * e), slope = -4 * c / (radius * pow(1 + e, 3));
  claim_near(mls_kernel_profile(MLS_INTERPOLATING, e, radius, rim).first, slope, 1e-8);
  claim_below(slope, -0.015);
  claim_near(mls_kernel_profile(MLS_SMOOTH, e, radius, rim).first, 0, 1e-9);
  claim_near(mls_kernel_profile(MLS_CUBIC, e, radius, rim).first, 0, 1e-8);
}

/* Where a second sample comes into reach, the gradient jumps by its excess times the slope of its
 * kernel over the first one's weight; only the interpolating kernel has a slope to jump by. */
static void across_a_rim__only_the_interpolating_kernels_gradient_jumps(void **unused) {
  (void)unused;
  arena memory = {0};
  const double e = 0.1, radius = 1, step = 1e-9;
  vec3 points[2] = {{0, 0, 0}, {1.3, 0, 0}}, normals[2] = {{0, 0, 1}, {0, 0, 1}};
  double values[2] = {0, 0.5};
  int32_t both[2] = {0, 1};
  for (int k = 0; k < 3; k++) {
    mls_surface s;
    claim_ok(mls_from_points(KERNELS[k], e, points, normals, values, 2, &memory, &s, err));
    claim_ok(mls_set_radius(radius, &s, err));
    mls_value out = mls_evaluate(&s, (vec3){0.3 - step, 0, 0}, both, 2, MLS_GRADIENT);
    mls_value in = mls_evaluate(&s, (vec3){0.3 + step, 0, 0}, both, 2, MLS_GRADIENT);
    assert_int_equal(out.active, 1);
    assert_int_equal(in.active, 2);
    double c = e * e * (1 + e) * (1 + e) / (1 + 2 * e), slope = 4 * c / pow(1 + e, 3);
    double jump = KERNELS[k] == MLS_INTERPOLATING ? 0.5 * slope / out.weight : 0;
    claim_near(in.gradient.x - out.gradient.x, jump, 1e-7);
  }
  arena_free(&memory);
}

/* Against the formulas as printed: more samples than a chunk, some out of reach, in any order. */
static void the_potential__is_the_papers(void **unused) {
  (void)unused;
  enum { COUNT = 333 };
  uint64_t seed = 31;
  arena memory = {0};
  for (int k = 0; k < 3; k++) {
    arena_reset(&memory);
    vec3 points[COUNT], normals[COUNT];
    double values[COUNT], radii[COUNT];
    for (int i = 0; i < COUNT; i++) {
      points[i] = mls_random_vector(&seed, 1);
      normals[i] = mls_random_vector(&seed, 1);
      values[i] = claim_between(&seed, -1, 1);
      radii[i] = claim_between(&seed, 0.5, 1.2);
    }
    mls_surface s;
    claim_ok(mls_from_points(KERNELS[k], 0.01, points, normals, values, COUNT, &memory, &s, err));
    claim_ok(mls_set_radii(radii, 1, &s, err));
    assert_true(s.reach > 1.1 && s.reach < 1.2);
    int32_t *all = mls_everyone(COUNT, &memory), *back = mls_everyone(COUNT, &memory);
    for (int i = 0; i < COUNT; i++) back[i] = COUNT - 1 - i;
    int long_lists = 0;
    for (int round = 0; round < 20; round++) {
      vec3 q = mls_random_vector(&seed, 1);
      mls_value v = mls_evaluate(&s, q, all, COUNT, MLS_HESSIAN);
      mls_value r = mls_evaluate(&s, q, back, COUNT, MLS_HESSIAN);
      if (v.active > 64) long_lists++;
      claim_near(v.value, mls_by_the_paper(&s, q), 1e-13);
      claim_near(r.value, v.value, 1e-13);
      claim_below(vec3_max_abs(vec3_sub(r.gradient, v.gradient)), 1e-12);
      mls_value less = mls_evaluate(&s, q, all, COUNT, MLS_VALUE);
      assert_true(less.value == v.value && vec3_max_abs(less.gradient) == 0);
    }
    assert_true(long_lists > 5);
  }
  arena_free(&memory);
}

static void a_plane__is_reproduced_with_its_distance(void **unused) {
  (void)unused;
  uint64_t seed = 32;
  arena memory = {0};
  for (int k = 0; k < 3; k++)
    for (int round = 0; round < 10; round++) {
      arena_reset(&memory);
      shape sheet = mls_sheet(6, 0.25, 0, 0, &seed, &memory);
      mat3 turn = mls_random_rotation(&seed);
      vec3 shift = mls_random_vector(&seed, 2), normal = mat3_column(&turn, 2);
      for (size_t i = 0; i < sheet.vertex_count; i++)
        sheet.vertices[i] = vec3_add(mat3_mul_vec3(&turn, sheet.vertices[i]), shift);
      mls_surface s = mls_of(&sheet, KERNELS[k], 1e-3, &memory);
      claim_ok(mls_set_radius(0.5, &s, err));
      vec3 q = vec3_add(shift, mls_random_vector(&seed, 0.2));
      mls_value v = mls_evaluate(&s, q, mls_everyone(s.count, &memory), s.count, MLS_HESSIAN);
      assert_true(v.active > 3);
      claim_near(v.value, vec3_dot(normal, vec3_sub(q, shift)), 1e-14);
      claim_below(vec3_max_abs(vec3_sub(v.gradient, normal)), 1e-13);
      /* rounding of psi (1e-16) over the square of the kernel's finest feature, 5e-4 */
      claim_below(sqrt(mat3_frobenius2(&v.hessian)), 1e-11);
    }
  arena_free(&memory);
}

/* Samples on a sphere see each other's planes -|d|^2/2 off: the zero set bulges out by the mean of
 * that over the kernel, proportional to R^2, and R goes with the spacing. */
static void a_sphere__converges_with_the_square_of_the_spacing(void **unused) {
  (void)unused;
  for (int k = 0; k < 3; k++) {
    double before = 0;
    for (int n = 8; n <= 32; n *= 2) {
      arena memory = {0};
      shape mesh = mls_sphere(n, &memory);
      mls_surface flat = mls_of(&mesh, KERNELS[k], 0.1, &memory), s;
      vec3 *points = ARENA_ARRAY(&memory, vec3, flat.count);
      double *spacing = ARENA_ARRAY(&memory, double, flat.count);
      for (size_t i = 0; i < flat.count; i++) points[i] = vec3_normalized(flat.samples[i].point);
      claim_ok(
          mls_from_points(KERNELS[k], 0.1, points, points, NULL, flat.count, &memory, &s, err));
      mls_spacing_of_mesh(&flat, spacing);
      claim_ok(mls_set_radii(spacing, MLS_SCALE, &s, err));
      int32_t *all = mls_everyone(s.count, &memory);
      uint64_t seed = 33;
      double sum = 0, worst = 0;
      for (int i = 0; i < 200; i++) {
        vec3 q = vec3_normalized(mls_random_vector(&seed, 1));
        mls_value v = mls_evaluate(&s, q, all, s.count, MLS_GRADIENT);
        assert_true(v.active >= 6 && v.value < 0);
        sum -= v.value / 200;
        worst = fmax(worst, -v.value);
      }
      print_message("sphere, kernel %d, %zu samples: mean error %.3e, worst %.3e%s", k, s.count,
                    sum, worst, before > 0 ? "" : "\n");
      if (before > 0) print_message(", %.2f times smaller\n", before / sum);
      if (before > 0) claim_near(before / sum, 4, 0.3);
      before = sum;
      arena_free(&memory);
    }
  }
}

static void a_rigid_motion__changes_nothing_but_directions(void **unused) {
  (void)unused;
  uint64_t seed = 34;
  arena memory = {0};
  for (int k = 0; k < 3; k++) {
    arena_reset(&memory);
    shape sheet = mls_sheet(5, 0.3, 0.8, 0.1, &seed, &memory);
    mls_surface s = mls_of(&sheet, KERNELS[k], 0.05, &memory);
    claim_ok(mls_set_radius(0.5, &s, err));
    int32_t *all = mls_everyone(s.count, &memory);
    vec3 q = {0.07, -0.1, 0.09};
    mls_value before = mls_evaluate(&s, q, all, s.count, MLS_HESSIAN);
    mat3 turn = mls_random_rotation(&seed);
    vec3 shift = mls_random_vector(&seed, 1);
    vec3 *moved = ARENA_ARRAY(&memory, vec3, sheet.vertex_count);
    for (size_t i = 0; i < sheet.vertex_count; i++)
      moved[i] = vec3_add(mat3_mul_vec3(&turn, sheet.vertices[i]), shift);
    tasks one = tasks_create(1);
    mls_update(&one, moved, &s);
    vec3 there = vec3_add(mat3_mul_vec3(&turn, q), shift);
    mls_value after = mls_evaluate(&s, there, all, s.count, MLS_HESSIAN);
    claim_near(after.value, before.value, 1e-14);
    vec3 gradient = mat3_mul_vec3(&turn, before.gradient);
    claim_below(vec3_max_abs(vec3_sub(after.gradient, gradient)), 1e-13);
    mat3 half = mat3_mul(&turn, &before.hessian), hessian = mat3_mul_t(&half, &turn);
    for (int i = 0; i < 9; i++)
      claim_near(after.hessian.m[i / 3][i % 3], hessian.m[i / 3][i % 3], 1e-11);
    claim_below(0.1, sqrt(mat3_frobenius2(&hessian))); /* there is something to turn */
  }
  arena_free(&memory);
}

/* At a sample the others weigh epsilon^2 (u^-2 - 1): a tenth of epsilon is a hundredth of the
 * error. */
static void interpolating_kernels__meet_the_values_at_the_samples(void **unused) {
  (void)unused;
  uint64_t seed = 35;
  arena memory = {0};
  for (int k = 0; k < 3; k += 2) {
    double before = 0;
    for (double epsilon = 1e-3; epsilon > 1e-6; epsilon *= 0.1) {
      arena_reset(&memory);
      seed = 35;
      shape sheet = mls_sheet(5, 0.3, 0.8, 0.1, &seed, &memory);
      mls_surface s = mls_of(&sheet, KERNELS[k], epsilon, &memory);
      claim_ok(mls_set_radius(0.5, &s, err));
      for (size_t i = 0; i < s.count; i++) s.samples[i].value = claim_between(&seed, -1, 1);
      double worst = 0;
      for (size_t i = 0; i < s.count; i++) {
        mls_value v = mls_evaluate(&s, s.samples[i].point, mls_everyone(s.count, &memory), s.count,
                                   MLS_VALUE);
        worst = fmax(worst, fabs(v.value - s.samples[i].value));
      }
      if (before > 0) claim_near(before / worst, 100, 5);
      before = worst;
    }
    claim_below(before, 1e-8);
  }
  arena_free(&memory);
}

static void shares__add_to_one(void **unused) {
  (void)unused;
  uint64_t seed = 36;
  arena memory = {0};
  shape sheet = mls_sheet(8, 0.2, 0.5, 0.1, &seed, &memory);
  for (int k = 0; k < 3; k++) {
    mls_surface s = mls_of(&sheet, KERNELS[k], 1e-4, &memory);
    claim_ok(mls_set_radius(0.6, &s, err));
    for (int round = 0; round < 20; round++) {
      mls_patch patch;
      vec3 slopes = {0, 0, 0};
      double sum = 0;
      claim_ok(mls_patch_create(&s, mls_random_vector(&seed, 0.3), mls_everyone(s.count, &memory),
                                s.count, &memory, &patch, err));
      assert_true(patch.count > 3);
      for (size_t i = 0; i < patch.count; i++) {
        assert_true(patch.members[i].share > 0);
        sum += patch.members[i].share;
        slopes = vec3_madd(slopes, patch.members[i].slope, patch.members[i].d);
      }
      claim_near(sum, 1, 1e-14);
      /* the derivative of a share is a - l grad log W, and the shares' derivatives add to 0 */
      claim_below(vec3_max_abs(vec3_sub(slopes, patch.at.pull)),
                  1e-13 * (1 + vec3_max_abs(patch.at.pull)));
    }
  }
  arena_free(&memory);
}

static void flipping_all_normals__flips_the_sign_to_the_bit(void **unused) {
  (void)unused;
  uint64_t seed = 37;
  arena memory = {0};
  shape sheet = mls_sheet(5, 0.3, 0.8, 0.1, &seed, &memory), flipped = sheet;
  flipped.triangles = ARENA_ARRAY(&memory, int32_t, 3 * sheet.triangle_count);
  for (size_t i = 0; i < 3 * sheet.triangle_count; i++)
    flipped.triangles[i] = sheet.triangles[3 * (i / 3) + (i % 3 == 0 ? 0 : 3 - i % 3)];
  for (int k = 0; k < 3; k++) {
    mls_surface s = mls_of(&sheet, KERNELS[k], 0.01, &memory);
    mls_surface f = mls_of(&flipped, KERNELS[k], 0.01, &memory);
    claim_ok(mls_set_radius(0.5, &s, err));
    claim_ok(mls_set_radius(0.5, &f, err));
    int32_t *all = mls_everyone(s.count, &memory);
    for (size_t i = 0; i < s.count; i++) {
      s.samples[i].value = claim_between(&seed, -1, 1);
      f.samples[i].value = -s.samples[i].value;
    }
    mls_value a = mls_evaluate(&s, (vec3){0.1, 0.1, 0.1}, all, s.count, MLS_HESSIAN);
    mls_value b = mls_evaluate(&f, (vec3){0.1, 0.1, 0.1}, all, s.count, MLS_HESSIAN);
    assert_true(a.value == -b.value && a.value != 0);
    for (int i = 0; i < 9; i++)
      assert_true(a.hessian.m[i / 3][i % 3] == -b.hessian.m[i / 3][i % 3]);
  }
  arena_free(&memory);
}

static bool all_finite(const mls_patch *p) {
  bool finite = isfinite(p->at.value) && vec3_finite(p->at.gradient) && vec3_finite(p->at.pull) &&
                isfinite(mat3_frobenius2(&p->at.hessian));
  for (size_t i = 0; i < p->vertex_count; i++) finite = finite && vec3_finite(p->by_vertex[i]);
  return finite;
}

static void degenerate_queries__have_the_outcome_that_is_written(void **unused) {
  (void)unused;
  uint64_t seed = 38;
  arena memory = {0};
  for (int k = 0; k < 3; k++) {
    arena_reset(&memory);
    shape sheet = mls_sheet(3, 0.5, 0.8, 0.1, &seed, &memory);
    /* the first triangle loses its area: two corners in one place */
    vec3 *x = sheet.vertices;
    x[sheet.triangles[1]] = x[sheet.triangles[0]];
    mls_surface s = mls_of(&sheet, KERNELS[k], 1e-5, &memory);
    claim_ok(mls_set_radius(0.6, &s, err));
    int32_t *all = mls_everyone(s.count, &memory);
    assert_true(s.samples[0].radius == 0);
    mls_patch patch;

    claim_ok(mls_patch_create(&s, s.samples[0].point, all, 1, &memory, &patch, err));
    assert_int_equal(patch.at.active, 0);
    assert_true(patch.at.value == 0 && vec3_max_abs(patch.at.gradient) == 0);

    claim_ok(mls_patch_create(&s, s.samples[0].point, all, s.count, &memory, &patch, err));
    assert_true(patch.at.active > 0 && all_finite(&patch));
    for (size_t i = 0; i < patch.count; i++) assert_int_not_equal(patch.samples[i], 0);

    claim_ok(mls_patch_create(&s, (vec3){9, 9, 9}, all, s.count, &memory, &patch, err));
    assert_int_equal(patch.at.active, 0);
    assert_int_equal(patch.count, 0);
    assert_int_equal(patch.vertex_count, 0);
    assert_true(patch.at.value == 0 && patch.at.weight == 0);
    claim_ok(mls_patch_create(&s, (vec3){NAN, 0, 0}, all, s.count, &memory, &patch, err));
    assert_int_equal(patch.at.active, 0);

    /* one sample alone: its plane, up to the very rim */
    const mls_sample *only = &s.samples[7];
    for (double t = 0; t < 1; t = t == 0 ? 0.3 : 1 - 0.1 * (1 - t)) {
      if (t == 1) break;
      vec3 q = vec3_madd(only->point, t * only->radius, vec3_normalized((vec3){1, 2, 2}));
      claim_ok(mls_patch_create(&s, q, all + 7, 1, &memory, &patch, err));
      assert_true(all_finite(&patch));
      if (patch.at.active == 0) continue;
      claim_near(patch.at.value, vec3_dot(only->normal, vec3_sub(q, only->point)), 1e-15);
      if (t < 0.999) claim_below(vec3_max_abs(vec3_sub(patch.at.gradient, only->normal)), 1e-11);
    }

    /* on every sample */
    for (size_t i = 0; i < s.count; i++) {
      claim_ok(mls_patch_create(&s, s.samples[i].point, all, s.count, &memory, &patch, err));
      assert_true(all_finite(&patch));
      size_t n = 3 * (1 + patch.vertex_count);
      double *h = ARENA_ARRAY(&memory, double, n *n);
      mls_patch_add_hessian(&patch, 1, h);
      for (size_t j = 0; j < n * n; j++) assert_true(isfinite(h[j]));
    }
  }
  arena_free(&memory);
}

/* A triangle that loses its area counts no more, and counts again when it has one. */
static void an_update__finds_the_triangles_without_area(void **unused) {
  (void)unused;
  uint64_t seed = 39;
  arena memory = {0};
  shape sheet = mls_sheet(3, 0.5, 0.8, 0.1, &seed, &memory);
  mls_surface s = mls_of(&sheet, MLS_CUBIC, 0, &memory);
  claim_ok(mls_set_radius(0.6, &s, err));
  tasks one = tasks_create(1);
  assert_int_equal(mls_update(&one, sheet.vertices, &s), 0);
  vec3 *x = sheet.vertices, kept = x[0];
  /* vertex 0 belongs to the first triangle only; onto the line of the other two */
  x[0] = vec3_scale(0.5, vec3_add(x[sheet.triangles[1]], x[sheet.triangles[2]]));
  assert_int_equal(mls_update(&one, x, &s), 1);
  assert_true(s.samples[0].radius == 0 && vec3_max_abs(s.samples[0].normal) == 0);
  x[0] = kept;
  assert_int_equal(mls_update(&one, x, &s), 0);
  assert_true(s.samples[0].radius == 0.6);
  claim_near(vec3_norm(s.samples[0].normal), 1, 1e-15);
  arena_free(&memory);
}

static void bad_input__is_refused_by_name(void **unused) {
  (void)unused;
  arena memory = {0};
  mls_surface s;
  vec3 p[2] = {{0, 0, 0}, {1, 0, 0}}, n[2] = {{0, 0, 1}, {0, 0, 0}};
  double spacing[2] = {1, 0};
  claim_fails(mls_from_points(MLS_CUBIC, 0, p, n, NULL, 2, &memory, &s, err), TRIBO_BAD_INPUT,
              "sample 1");
  claim_fails(mls_from_points(MLS_SMOOTH, 0, p, n, NULL, 1, &memory, &s, err), TRIBO_BAD_INPUT,
              "epsilon");
  claim_ok(
      mls_from_points(MLS_CUBIC, 0, p, (vec3[2]){{0, 0, 2}, {0, 3, 0}}, NULL, 2, &memory, &s, err));
  assert_true(s.samples[1].normal.y == 1);
  claim_fails(mls_set_radii(spacing, 2, &s, err), TRIBO_BAD_INPUT, "sample 1");
  claim_fails(mls_set_radius(NAN, &s, err), TRIBO_BAD_INPUT, "sample 0");
  arena_free(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels__fall_from_one_to_zero_and_have_the_derivatives_they_claim),
      cmocka_unit_test(at_the_rim__the_interpolating_kernel_alone_has_a_slope),
      cmocka_unit_test(across_a_rim__only_the_interpolating_kernels_gradient_jumps),
      cmocka_unit_test(the_potential__is_the_papers),
      cmocka_unit_test(a_plane__is_reproduced_with_its_distance),
      cmocka_unit_test(a_sphere__converges_with_the_square_of_the_spacing),
      cmocka_unit_test(a_rigid_motion__changes_nothing_but_directions),
      cmocka_unit_test(interpolating_kernels__meet_the_values_at_the_samples),
      cmocka_unit_test(shares__add_to_one),
      cmocka_unit_test(flipping_all_normals__flips_the_sign_to_the_bit),
      cmocka_unit_test(degenerate_queries__have_the_outcome_that_is_written),
      cmocka_unit_test(an_update__finds_the_triangles_without_area),
      cmocka_unit_test(bad_input__is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
