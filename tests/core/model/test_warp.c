/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "kinds/build.h"
#include "model/model.h"
#include "model/warp.h"

/* A square that x stands upright on, as a curtain in the yz plane, and one in the xz plane. */
static const double CURTAIN[] = {0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1};
static const double SCREEN[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
static const int32_t SQUARE[] = {0, 1, 2, 0, 2, 3};

static tribo_object_def cloth_of(const double *positions) {
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "cloth";
  def.positions = positions;
  def.vertex_count = 4;
  def.triangles = SQUARE;
  def.triangle_count = 2;
  return def;
}

static void warp__is_the_axis_where_that_will_do(void **unused) {
  (void)unused;
  tribo_object_def def = cloth_of(SCREEN);
  assert_true(warp_axis_of(&def).x == 1);
  memcpy(def.cloth.warp_axis, (double[]){0.5, 2, 1}, sizeof def.cloth.warp_axis);
  vec3 given = warp_axis_of(&def);
  assert_true(given.x == 0.5 && given.y == 2 && given.z == 1);
}

static void warp__lies_in_a_curtain_that_the_default_stands_upright_on(void **unused) {
  (void)unused;
  tribo_object_def def = cloth_of(CURTAIN);
  claim_near(warp_axis_of(&def).x, 0, 1e-12);
  model m;
  tribo_world_params world = tribo_world_defaults();
  tribo_time_params time = tribo_time_defaults();
  claim_ok(model_build(&def, 1, &world, &time, &m, err));
  model_free(&m);
}

static void warp__leaves_a_direction_on_all_sides_of_a_box(void **unused) {
  (void)unused;
  static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int32_t sides[] = {0, 1, 2, 0, 1, 3, 0, 2, 3};
  tribo_object_def def = cloth_of(corners);
  def.triangles = sides;
  def.triangle_count = 3;
  vec3 axis = vec3_normalized(warp_axis_of(&def));
  claim_below(vec3_max_abs(axis), 0.99);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warp__is_the_axis_where_that_will_do),
      cmocka_unit_test(warp__lies_in_a_curtain_that_the_default_stands_upright_on),
      cmocka_unit_test(warp__leaves_a_direction_on_all_sides_of_a_box),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
