/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/texture.h"

#include "claims.h"

static double sample(const texture *t, double u, double v) {
  double out[TEXTURE_DEPTH] = {0};
  texture_sample(t, u, v, out);
  return out[0];
}

/* A gradient a + b x + c y over the middles of texels, y from the top, is met exactly between them.
 */
static void sampling__is_exact_for_a_linear_gradient(void **state) {
  (void)state;
  enum { W = 7, H = 5 };
  float texels[W * H];
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) texels[W * y + x] = (float)(3 + 0.5 * x - 0.25 * y);
  texture t = {W, H, 1, false, texels};
  uint64_t seed = 5;
  for (int i = 0; i < 200; i++) {
    double x = claim_between(&seed, 0, W - 1), y = claim_between(&seed, 0, H - 1);
    claim_near(sample(&t, (x + 0.5) / W, 1 - (y + 0.5) / H), 3 + 0.5 * x - 0.25 * y, 1e-12);
  }
}

static void sampling__has_v_upward(void **state) {
  (void)state;
  const float texels[] = {1, 2, 3, 4}; /* top row 1 2 */
  texture t = {2, 2, 1, false, texels};
  claim_near(sample(&t, 0.25, 0.75), 1, 0);
  claim_near(sample(&t, 0.75, 0.75), 2, 0);
  claim_near(sample(&t, 0.25, 0.25), 3, 0);
}

static void wrap__repeat_goes_round_and_clamp_stays(void **state) {
  (void)state;
  const float texels[] = {0, 8};
  texture round = {2, 1, 1, true, texels}, held = {2, 1, 1, false, texels};
  claim_near(sample(&round, 0, 0.5), 4, 1e-12); /* between the last texel and the first */
  claim_near(sample(&held, 0, 0.5), 0, 0);
  claim_near(sample(&held, -7, 3), 0, 0);
  claim_near(sample(&held, 1e9, -1e9), 8, 0);
  claim_near(sample(&round, 1.75, 0.5), 8, 1e-12);
  claim_near(sample(&round, -0.25, 12.5), 8, 1e-12);
  claim_near(sample(&round, -1e-18, 0.5), 4, 1e-6); /* rounds to a whole turn */
}

static void border__is_one_texel_wide(void **state) {
  (void)state;
  enum { W = 16 };
  float texels[W];
  for (int x = 0; x < W; x++) texels[x] = x < 8 ? 0 : 1;
  texture t = {W, 1, 1, false, texels};
  /* the border lies at u = 1/2: half a texel before it all is old, half a texel behind all new */
  claim_near(sample(&t, 0.5 - 0.5 / W, 0.5), 0, 1e-12);
  claim_near(sample(&t, 0.5, 0.5), 0.5, 1e-12);
  claim_near(sample(&t, 0.5 + 0.5 / W, 0.5), 1, 1e-12);
}

static void one_texel__is_the_same_everywhere(void **state) {
  (void)state;
  const float texel[] = {0.25f, 0.75f};
  for (int repeat = 0; repeat < 2; repeat++) {
    texture t = {1, 1, 2, repeat, texel};
    uint64_t seed = 9;
    for (int i = 0; i < 50; i++) {
      double out[2];
      texture_sample(&t, claim_between(&seed, -3, 3), claim_between(&seed, -3, 3), out);
      claim_near(out[0], 0.25, 1e-15);
      claim_near(out[1], 0.75, 1e-15);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sampling__is_exact_for_a_linear_gradient),
      cmocka_unit_test(sampling__has_v_upward),
      cmocka_unit_test(wrap__repeat_goes_round_and_clamp_stays),
      cmocka_unit_test(border__is_one_texel_wide),
      cmocka_unit_test(one_texel__is_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
