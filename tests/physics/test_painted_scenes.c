/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The painted planes of scenes_contact.h: boxes go where the picture leads them. A line of the
 * picture is where dy/dx = tan(angle of the structure), x downhill.
 */
#include "physics/lab_painted.h"

static const double SLOPE = 20, LENGTH = 6, HALF = 1.5; /* of the scenes: degrees, m */
enum { MOST_BOXES = 5 };

typedef struct boxes {
  simulation *s;
  int count;
  drift_point start[MOST_BOXES];
} boxes;

static drift_point box_at(const boxes *b, int k) {
  const lab_floor f = {.slope = SLOPE * LAB_PI / 180};
  return lab_on_floor(&f, lab_centre(b->s, (size_t)k), lab_velocity(b->s, (size_t)k));
}

static boxes start(const char *name, const char *const *words, size_t count) {
  tribo_scene *scene = NULL;
  boxes b = {0};
  claim_ok(scenes_make_with(name, words, count, &scene, err));
  b.count = (int)tribo_scene_object_count(scene) - 1;
  assert_true(b.count <= MOST_BOXES);
  b.s = lab_simulation(scene);
  for (int k = 0; k < b.count; k++) b.start[k] = box_at(&b, k);
  return b;
}

/* ---- figure 3 -------------------------------------------------------------------------------- */

static double turned(int field, double x, double y) {
  double turn = 35 * LAB_PI / 180, out = sin(0.5 * LAB_PI * fmin(1, fmax(-1, y / HALF)));
  return field == 2 ? turn * sin(2 * LAB_PI * x / 3) : field == 0 ? -turn * out : turn * out;
}

/* y of the line through `from`, at x. */
static double line_at(int field, const drift_point *from, double x) {
  enum { STEPS = 2000 };
  double y = from->x[1], h = (x - from->x[0]) / STEPS;
  for (int k = 0; k < STEPS; k++) {
    double at = from->x[0] + k * h, middle = y + h / 2 * tan(turned(field, at, y));
    y += h * tan(turned(field, at + h / 2, middle));
  }
  return y;
}

typedef struct passage {
  double first, last; /* width of the row at the start and after 3 m */
  double off;         /* of a box from the line it started on, at most, m */
} passage;

static double width(const double *y, int count) {
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < count; k++) low = fmin(low, y[k]), high = fmax(high, y[k]);
  return high - low;
}

/* Each box over 3 m from its start, or until its middle leaves the plane. */
static passage pass(const char *word, int field) {
  boxes b = start("painted_plane", &word, 1);
  assert_int_equal(b.count, MOST_BOXES);
  double from[MOST_BOXES], to[MOST_BOXES];
  bool there[MOST_BOXES] = {false};
  passage p = {0};
  for (int k = 0; k < b.count; k++) from[k] = to[k] = b.start[k].x[1];
  for (int step = 0; step < 520; step++) {
    lab_steps(b.s, 1);
    for (int k = 0; k < b.count; k++) {
      drift_point at = box_at(&b, k);
      there[k] = there[k] || at.x[0] > b.start[k].x[0] + 3 || fabs(at.x[1]) > HALF;
      if (there[k]) continue;
      to[k] = at.x[1];
      p.off = fmax(p.off, fabs(at.x[1] - line_at(field, &b.start[k], at.x[0])));
    }
  }
  for (int k = 0; k < b.count; k++) assert_true(there[k]);
  simulation_free(b.s);
  p.first = width(from, b.count);
  p.last = width(to, b.count);
  print_message("the row %.3g m wide, then %.3g m; off the lines by %.3g m\n", p.first, p.last,
                p.off);
  return p;
}

static const double BOX = 0.24; /* its side */

static void channel__draws_the_row_together(void **unused) {
  (void)unused;
  passage p = pass("field=0", 0);
  claim_below(p.last, p.first / 4);
  claim_below(p.off, BOX / 2);
}

/* Where lines part, so does a box from the line that it started on. */
static void spread__draws_the_row_apart(void **unused) {
  (void)unused;
  passage p = pass("field=1", 1);
  claim_below(4 * p.first, p.last);
  claim_below(p.off, BOX);
}

static void slalom__leads_every_box_along_its_wave(void **unused) {
  (void)unused;
  claim_below(pass("field=2", 2).off, BOX / 2);
}

/* ---- figure 12 ------------------------------------------------------------------------------- */

/* Where the boxes leave the plane: how far apart. */
static double exits(const char *word) {
  boxes b = start("painted_exit", &word, 1);
  assert_int_equal(b.count, 3);
  double y[3] = {0, 0, 0};
  bool out[3] = {false, false, false};
  for (int step = 0; step < 520; step++) {
    lab_steps(b.s, 1);
    for (int k = 0; k < 3; k++) {
      drift_point at = box_at(&b, k);
      if (!out[k]) y[k] = at.x[1];
      out[k] = out[k] || at.x[0] > LENGTH;
    }
  }
  assert_true(out[0] && out[1] && out[2]);
  simulation_free(b.s);
  print_message("leave at %.3f, %.3f, %.3f m\n", y[0], y[1], y[2]);
  return width(y, 3);
}

static void exit__is_one_place_for_all_that_follow_the_lines(void **unused) {
  (void)unused;
  claim_below(exits("across=2"), BOX);
  claim_near(exits("across=0.15"), 2, 1e-3);
}

/* ---- figure 7 -------------------------------------------------------------------------------- */

/* Of the way, the picture having 256 steps. */
static void oblique_plane__leads_the_box_as_maximum_dissipation_says(void **unused) {
  (void)unused;
  for (int degrees = 0; degrees <= 60; degrees += 15) {
    char word[32];
    const char *words[] = {word};
    snprintf(word, sizeof word, "structure=%d", degrees);
    boxes b = start("painted_oblique", words, 1);
    lab_steps(b.s, 300);
    drift_point at = box_at(&b, 0);
    drift_ramp ramp = {.gravity = LAB_G,
                       .slope = SLOPE * LAB_PI / 180,
                       .mu_t = 0.1,
                       .mu_b = 0.3,
                       .structure = degrees * LAB_PI / 180};
    drift_point should = drift_from_rest(&ramp, 1.5);
    double off =
        hypot(at.x[0] - b.start[0].x[0] - should.x[0], at.x[1] - b.start[0].x[1] - should.x[1]);
    print_message("%d degrees: to (%.3f, %.3f) m, off by %.2g of the way\n", degrees,
                  at.x[0] - b.start[0].x[0], at.x[1] - b.start[0].x[1],
                  off / hypot(should.x[0], should.x[1]));
    claim_below(off, 0.01 * hypot(should.x[0], should.x[1]));
    simulation_free(b.s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(channel__draws_the_row_together),
      cmocka_unit_test(spread__draws_the_row_apart),
      cmocka_unit_test(slalom__leads_every_box_along_its_wave),
      cmocka_unit_test(exit__is_one_place_for_all_that_follow_the_lines),
      cmocka_unit_test(oblique_plane__leads_the_box_as_maximum_dissipation_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
