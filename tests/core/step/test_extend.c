/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */

#include "core/model/closed.h"
#include "scenes/scenes.h"
#include "scenes/shapes.h"
#include "tribo/sim.h"

/* Motions that are told as the simulation goes on, frame by frame, as Blender's timeline does. */

enum { FRAMES = 6, SIDE = 5, VERTICES = (SIDE + 1) * (SIDE + 1) };

typedef enum motion { BY_TRANSFORM, BY_VERTEX } motion;

/* Where a box is at a frame: it rises and turns. */
static void place(int frame, double out[16]) {
  double angle = 0.05 * frame;
  double m[16] = {cos(angle), -sin(angle), 0, 0.01 * frame, sin(angle), cos(angle), 0, 0,
                  0,          0,           1, 0.02 * frame, 0,          0,          0, 1};
  memcpy(out, m, sizeof m);
}

static void move(const double m[16], const double *from, size_t count, double *to) {
  for (size_t v = 0; v < count; v++)
    for (size_t r = 0; r < 3; r++)
      to[3 * v + r] = m[4 * r] * from[3 * v] + m[4 * r + 1] * from[3 * v + 1] +
                      m[4 * r + 2] * from[3 * v + 2] + m[4 * r + 3];
}

/* Samples of the box and of two held corners of a sheet that lies above it, at frames 1, 2, ... */
typedef struct tracks {
  double transforms[FRAMES * 16], points[FRAMES * 8 * 3], targets[FRAMES * 2 * 3];
} tracks;

static tracks make_tracks(const closed *box) {
  static const double corners[6] = {-0.5, -0.5, 0.16, 0.5, -0.5, 0.16};
  tracks t;
  for (int f = 0; f < FRAMES; f++) {
    double *m = t.transforms + 16 * f;
    place(f, m);
    move(m, box->positions, 8, t.points + 24 * f);
    move(m, corners, 2, t.targets + 6 * f);
  }
  return t;
}

/* The first `known` samples of everything. kind of the sheet: a cloth, or a slab in a lattice. */
static tribo_sim *make(const closed *box, const tracks *t, motion how, double stiffness,
                       size_t known, int threads) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  tribo_object_def under = closed_object(box, "box");
  under.kind = TRIBO_COLLIDER;
  under.motion = (tribo_motion_def){.transforms = how == BY_TRANSFORM ? t->transforms : NULL,
                                    .points = how == BY_VERTEX ? t->points : NULL,
                                    .sample_count = known,
                                    .start = 1,
                                    .interval = 1};
  claim_ok(tribo_scene_add(scene, &under, NULL, err));
  mesh sheet = shape_sheet(SIDE, SIDE, 1, 1);
  for (size_t v = 0; v < VERTICES; v++) {
    sheet.positions[3 * v] -= 0.5;
    sheet.positions[3 * v + 1] -= 0.5;
    sheet.positions[3 * v + 2] = 0.16;
  }
  const int32_t held[2] = {0, SIDE};
  tribo_pin_def pin = {.vertices = held,
                       .vertex_count = 2,
                       .targets = t->targets,
                       .target_count = known,
                       .target_start = 1,
                       .target_interval = 1,
                       .params = {.stiffness = stiffness}};
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  def.pins = &pin;
  def.pin_count = 1;
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  tribo_scene_time(scene)->end = FRAMES;
  tribo_scene_time(scene)->substeps = 2;
  tribo_sim *sim = NULL;
  tribo_sim_options options = {.threads = threads};
  claim_ok(tribo_sim_create(scene, &options, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

static void claim_told_as_known(motion how, double stiffness) {
  closed *box = closed_box(0.6, 0.6, 0.3);
  tracks t = make_tracks(box);
  tribo_sim *known = make(box, &t, how, stiffness, FRAMES, 1);
  tribo_sim *told = make(box, &t, how, stiffness, 1, 2);
  size_t width = how == BY_TRANSFORM ? 16 : 24, touched = 0;
  const double *samples = how == BY_TRANSFORM ? t.transforms : t.points;
  for (size_t f = 1; f < FRAMES; f++) {
    claim_ok(tribo_sim_extend_motion(told, 0, samples + width * f, err));
    claim_ok(tribo_sim_extend_targets(told, 1, 0, t.targets + 6 * f, err));
    claim_ok(tribo_sim_frame(known, NULL, err));
    claim_ok(tribo_sim_frame(told, NULL, err));
    assert_true(tribo_sim_hash(known) == tribo_sim_hash(told));
    size_t count;
    tribo_sim_contacts(told, &count);
    touched += count;
  }
  assert_true(touched > 0); /* the box has taken part */
  tribo_sim_free(known);
  tribo_sim_free(told);
  free(box);
}

static void transforms__told_frame_by_frame_give_the_same_bits(void **unused) {
  (void)unused;
  claim_told_as_known(BY_TRANSFORM, 0);
}

static void vertices__told_frame_by_frame_give_the_same_bits(void **unused) {
  (void)unused;
  claim_told_as_known(BY_VERTEX, 0);
}

static void soft_pins__told_frame_by_frame_give_the_same_bits(void **unused) {
  (void)unused;
  claim_told_as_known(BY_TRANSFORM, 500);
}

/* A brick in a lattice, held at the four vertices of a side: nodes follow what the vertices do. */
static tribo_sim *make_jelly(double stiffness, const double *targets, size_t known) {
  closed *brick = closed_box(0.1, 0.2, 0.3);
  tribo_object_def def = closed_object(brick, "jelly");
  def.kind = TRIBO_SOLID;
  const int32_t held[4] = {0, 1, 2, 3};
  tribo_pin_def pin = {.vertices = held,
                       .vertex_count = 4,
                       .targets = targets,
                       .target_count = known,
                       .target_start = 1,
                       .target_interval = 0.5,
                       .params = {.stiffness = stiffness}};
  def.pins = &pin;
  def.pin_count = 1;
  tribo_fill_params params = tribo_fill_defaults();
  params.from = TRIBO_TETS_LATTICE;
  params.cells = 3;
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add_filled(scene, &def, &params, NULL, err));
  tribo_sim *sim = NULL;
  claim_ok(tribo_sim_create(scene, NULL, &sim, err));
  tribo_scene_free(scene);
  free(brick);
  return sim;
}

static void pins_in_a_cage__told_as_they_go_give_the_same_bits(void **unused) {
  (void)unused;
  enum { SAMPLES = 7 };
  closed *brick = closed_box(0.1, 0.2, 0.3);
  double targets[SAMPLES * 12];
  for (int s = 0; s < SAMPLES; s++) {
    double m[16];
    place(s, m);
    move(m, brick->positions, 4, targets + 12 * s);
    targets[12 * s] += 0.001 * s; /* not rigidly */
  }
  free(brick);
  for (double stiffness = 0; stiffness <= 300; stiffness += 300) {
    tribo_sim *known = make_jelly(stiffness, targets, SAMPLES);
    tribo_sim *told = make_jelly(stiffness, targets, 1);
    for (int s = 1; s < SAMPLES; s += 2) {
      for (int k = s; k < s + 2; k++)
        claim_ok(tribo_sim_extend_targets(told, 0, 0, targets + 12 * k, err));
      claim_ok(tribo_sim_frame(known, NULL, err));
      claim_ok(tribo_sim_frame(told, NULL, err));
      assert_true(tribo_sim_hash(known) == tribo_sim_hash(told));
    }
    tribo_sim_free(known);
    tribo_sim_free(told);
  }
}

/* A box below a cloth that falls: there, away, there again. */
static tribo_sim *make_blinking(const closed *box, const tribo_presence_def *presence) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  tribo_object_def under = closed_object(box, "box");
  under.kind = TRIBO_COLLIDER;
  under.presence = *presence;
  claim_ok(tribo_scene_add(scene, &under, NULL, err));
  mesh sheet = shape_sheet(SIDE, SIDE, 0.5, 0.5);
  shape_move(&sheet, -0.25, -0.25, 0.15);
  tribo_object_def def = tribo_object_default(TRIBO_CLOTH);
  def.name = "sheet";
  claim_ok(scenes_add(scene, def, &sheet, NULL, err));
  tribo_scene_time(scene)->substeps = 2;
  tribo_sim *sim = NULL;
  claim_ok(tribo_sim_create(scene, NULL, &sim, err));
  tribo_scene_free(scene);
  return sim;
}

static void presence__told_frame_by_frame_gives_the_same_bits(void **unused) {
  (void)unused;
  static const double ranges[] = {1, 4, 6, INFINITY};
  closed *box = closed_box(0.6, 0.6, 0.3);
  tribo_sim *known = make_blinking(box, &(tribo_presence_def){true, ranges, 2});
  tribo_sim *told = make_blinking(box, &(tribo_presence_def){0});
  size_t touched[10] = {0};
  for (int frame = 2; frame < 10; frame++) {
    claim_ok(tribo_sim_extend_presence(told, 0, frame, frame < 4 || frame >= 6, err));
    claim_ok(tribo_sim_frame(known, NULL, err));
    claim_ok(tribo_sim_frame(told, NULL, err));
    assert_true(tribo_sim_hash(known) == tribo_sim_hash(told));
    tribo_sim_contacts(told, &touched[frame]);
  }
  assert_true(touched[3] > 0 && touched[4] == 0 && touched[5] == 0 && touched[6] > 0);
  tribo_sim_free(known);
  tribo_sim_free(told);
  free(box);
}

static void presence__is_told_in_order(void **unused) {
  (void)unused;
  closed *box = closed_box(0.6, 0.6, 0.3);
  tribo_sim *sim = make_blinking(box, &(tribo_presence_def){0});
  claim_fails(tribo_sim_extend_presence(sim, 1, 2, true, err), TRIBO_BAD_INPUT,
              "object 1 is no collider; only such can appear and vanish");
  claim_fails(tribo_sim_extend_presence(sim, 0, NAN, false, err), TRIBO_BAD_INPUT, "at nan s");
  claim_ok(tribo_sim_extend_presence(sim, 0, 5, false, err));
  claim_fails(tribo_sim_extend_presence(sim, 0, 4, true, err), TRIBO_BAD_INPUT,
              "object 'box' cannot appear or vanish at 0.125 s, which is before 0.166667 s");
  claim_fails(tribo_sim_extend_presence(NULL, 0, 4, true, err), TRIBO_BAD_INPUT, "NULL");
  tribo_sim_free(sim);
  free(box);
}

static void extending__refuses_what_has_no_motion(void **unused) {
  (void)unused;
  closed *box = closed_box(0.6, 0.6, 0.3);
  tracks t = make_tracks(box);
  tribo_sim *sim = make(box, &t, BY_TRANSFORM, 0, 1, 1);
  uint64_t before = tribo_sim_hash(sim);
  double bad[16];
  memcpy(bad, t.transforms, sizeof bad);
  claim_fails(tribo_sim_extend_motion(sim, 1, bad, err), TRIBO_BAD_INPUT, "is no collider");
  claim_fails(tribo_sim_extend_targets(sim, 1, 1, bad, err), TRIBO_BAD_INPUT, "no pin 1");
  bad[0] = NAN;
  claim_fails(tribo_sim_extend_motion(sim, 0, bad, err), TRIBO_BAD_INPUT, "number 0");
  bad[0] = 3;
  claim_fails(tribo_sim_extend_motion(sim, 0, bad, err), TRIBO_BAD_INPUT, "keep the shape");
  claim_fails(tribo_sim_extend_motion(NULL, 0, bad, err), TRIBO_BAD_INPUT, "NULL");
  assert_true(tribo_sim_hash(sim) == before);
  tribo_sim_free(sim);
  free(box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms__told_frame_by_frame_give_the_same_bits),
      cmocka_unit_test(vertices__told_frame_by_frame_give_the_same_bits),
      cmocka_unit_test(soft_pins__told_frame_by_frame_give_the_same_bits),
      cmocka_unit_test(pins_in_a_cage__told_as_they_go_give_the_same_bits),
      cmocka_unit_test(presence__told_frame_by_frame_gives_the_same_bits),
      cmocka_unit_test(presence__is_told_in_order),
      cmocka_unit_test(extending__refuses_what_has_no_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
