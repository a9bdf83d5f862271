/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The straps of a tank top on sloping shoulders: friction keeps them on, and nothing else does.
 */
#include "claims.h" /* first: its parameters are called state */

#include "scenes/scenes_contact.h"
#include "tribo/sim.h"

typedef struct dressed {
  scene_garment_params params;
  tribo_sim *sim;
  double *start; /* of the top's vertices */
  size_t vertices;
  double crest; /* straps are what starts less than 3 cm below their highest point */
  double deepest;
} dressed;

static dressed put_on(double mu, double soft) {
  dressed d = {.params = scene_garment_defaults()};
  d.params.mu = mu, d.params.soft = soft, d.params.dt = 0.01;
  d.params.cloth_size = 0.03, d.params.body_size = soft != 0 ? 0.035 : 0.025;
  tribo_scene *scene = NULL;
  claim_ok(scene_garment(&d.params, &scene, err));
  claim_ok(tribo_sim_create(scene, NULL, &d.sim, err));
  tribo_scene_free(scene);
  assert_string_equal(tribo_sim_object_name(d.sim, 0), "top");
  d.vertices = tribo_sim_vertex_count(d.sim, 0);
  d.start = malloc(3 * d.vertices * sizeof *d.start);
  assert_non_null(d.start);
  memcpy(d.start, tribo_sim_positions(d.sim, 0), 3 * d.vertices * sizeof *d.start);
  for (size_t v = 0; v < d.vertices; v++) d.crest = fmax(d.crest, d.start[3 * v + 2]);
  return d;
}

static void wear_until(dressed *d, double seconds) {
  while (tribo_sim_time(d->sim) < seconds - 1e-9) {
    tribo_report report;
    claim_ok(tribo_sim_frame(d->sim, &report, err));
    claim_solved(report);
    d->deepest = fmax(d->deepest, report.max_penetration);
  }
}

static void take_off(dressed *d) {
  tribo_sim_free(d->sim);
  free(d->start);
}

/* How far the top of a strap (side -1: that at -x) is from where the body would have carried it. */
static double strayed(const dressed *d, double side) {
  const double *now = tribo_sim_positions(d->sim, 0);
  double sum[3] = {0, 0, 0}, count = 0;
  for (size_t v = 0; v < d->vertices; v++) {
    const double *from = d->start + 3 * v;
    if (from[2] < d->crest - 0.03 || side * from[0] < 0) continue;
    double carried[3];
    scene_garment_carries(&d->params, tribo_sim_time(d->sim), from, carried);
    for (int k = 0; k < 3; k++) sum[k] += now[3 * v + (size_t)k] - carried[k];
    count++;
  }
  assert_true(count > 5);
  double way = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / count;
  print_message("    mu %g, %.2f s: the strap at %cx is %.4f m off its place\n", d->params.mu,
                tribo_sim_time(d->sim), side < 0 ? '-' : '+', way);
  return way;
}

/* The top is put on 1 cm above the skin, and the first centimetre is the way down to it. */
static void straps_stay(double soft) {
  dressed d = put_on(0.8, soft);
  for (double t = 0.5; t < 1.75; t += 0.5) {
    wear_until(&d, t);
    claim_below(strayed(&d, -1), 0.02);
    claim_below(strayed(&d, 1), 0.02);
  }
  print_message("    deepest: %.2g m\n", d.deepest); /* more than 1e-4: docs/scenes.md */
  take_off(&d);
}

/* The upper arms are 0.25 m long: the straps are below them, and so is the top. */
static void straps_slide_off(double soft) {
  dressed d = put_on(0, soft);
  wear_until(&d, 0.6);
  assert_true(strayed(&d, -1) > 0.3);
  assert_true(strayed(&d, 1) > 0.3);
  claim_below(d.deepest, 1e-4);
  take_off(&d);
}

static void straps_stay_on_the_shoulders_at_0_8_while_the_body_twists(void **unused) {
  (void)unused;
  straps_stay(0);
}

static void straps_slide_off_the_shoulders_without_friction(void **unused) {
  (void)unused;
  straps_slide_off(0);
}

static void straps_stay_on_a_soft_body_at_0_8(void **unused) {
  (void)unused;
  straps_stay(1);
}

static void straps_slide_off_a_soft_body_without_friction(void **unused) {
  (void)unused;
  straps_slide_off(1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(straps_stay_on_the_shoulders_at_0_8_while_the_body_twists),
      cmocka_unit_test(straps_slide_off_the_shoulders_without_friction),
      cmocka_unit_test(straps_stay_on_a_soft_body_at_0_8),
      cmocka_unit_test(straps_slide_off_a_soft_body_without_friction),
  };
  return cmocka_run_group_tests_name("garment", tests, NULL, NULL);
}
