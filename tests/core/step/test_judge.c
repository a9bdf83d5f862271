/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What came of a frame is judged by its outcome, whatever the method says of itself.
 */
#include "physics/lab.h"
#include "scenes/shapes.h"
#include "step/judge.h"

typedef struct heard {
  int warnings;
  char words[2048];
} heard;

static void listen(void *user, tribo_log_level level, const char *message) {
  heard *h = user;
  bool judged = strstr(message, "got through") || strstr(message, "gained energy") ||
                strstr(message, " m inside 'floor' at frame");
  if (level != TRIBO_LOG_WARNING || !judged) return;
  h->warnings++;
  size_t used = strlen(h->words);
  snprintf(h->words + used, sizeof h->words - used, "%s\n", message);
}

static simulation *compile(tribo_scene *scene, int threads, heard *h) {
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, threads, &(log_sink){listen, h}, &s, err));
  tribo_scene_free(scene);
  return s;
}

/* ---- crossings ---- */

/* Two sheets of cloth, the second upright through the middle of the first or `above` it, falling;
 * with the method forwarding they do not see each other. */
static tribo_scene *two_sheets(double above, double speed) {
  tribo_scene *scene = lab_scene();
  mesh lying = shape_sheet(6, 6, 1, 1), upright = shape_sheet(6, 6, 0.5, 0.5);
  shape_turn(&upright, 0, acos(-1) / 2);
  shape_move(&upright, 0.23, 0.47, above);
  tribo_object_def one = tribo_object_default(TRIBO_CLOTH), two = one;
  one.name = "lying";
  two.name = "upright";
  two.object.velocity[2] = -speed;
  claim_ok(scenes_add(scene, one, &lying, NULL, err));
  claim_ok(scenes_add(scene, two, &upright, NULL, err));
  tribo_world_params *world = tribo_scene_world(scene);
  world->gravity[2] = 0;
  tribo_scene_time(scene)->fps = 10;
  tribo_scene_time(scene)->substeps = 2;
  return scene;
}

static void what_gets_through__is_counted_and_told_once(void **unused) {
  (void)unused;
  heard h = {0};
  simulation *s = compile(two_sheets(0.11, 1), 1, &h);
  tribo_report report;
  claim_ok(simulation_steps(s, 2, &report, err)); /* by 0.1 m: not yet */
  assert_int_equal(report.crossings, 0);
  assert_int_equal(report.rough, 0);
  assert_true(report.converged);
  claim_ok(simulation_steps(s, 2, &report, err));
  assert_true(report.crossings > 0);
  assert_int_equal(report.new_crossings, report.crossings);
  assert_int_equal(report.rough, TRIBO_ROUGH_CROSSINGS);
  assert_false(report.converged);
  size_t count;
  const tribo_crossing *c = simulation_crossings(s, &count);
  assert_int_equal(count, 1);
  assert_string_equal(c->object, "lying");
  assert_string_equal(c->other, "upright");
  assert_int_equal(c->a, 0);
  assert_int_equal(c->b, 1);
  assert_int_equal(c->count, report.crossings);
  assert_int_equal(c->at_start, 0);
  claim_near(c->place[2], 0, 0.1);
  claim_ok(simulation_steps(s, 2, &report, err));
  assert_false(report.converged);
  assert_int_equal(h.warnings, 1);
  assert_non_null(strstr(h.words, "object 'lying' has got through 'upright' at frame 3:"));
  simulation_free(s);
}

static void what_crossed_at_the_first_frame__is_no_fault(void **unused) {
  (void)unused;
  heard h = {0};
  simulation *s = compile(two_sheets(-0.2, 0), 1, &h);
  tribo_report report;
  size_t count;
  const tribo_crossing *c = simulation_crossings(s, &count);
  assert_int_equal(count, 1);
  assert_true(c->count > 5);
  assert_int_equal(c->at_start, c->count);
  claim_ok(simulation_steps(s, 2, &report, err));
  assert_true(report.crossings > 5);
  assert_int_equal(report.new_crossings, 0);
  assert_int_equal(report.rough, 0);
  assert_true(report.converged);
  assert_int_equal(h.warnings, 0);
  simulation_free(s);
}

static void what_is_pierced__is_listed_for_every_object(void **unused) {
  (void)unused;
  heard h = {0};
  simulation *s = compile(two_sheets(-0.2, 0), 1, &h);
  for (size_t object = 0; object < 3; object++) {
    size_t count;
    const int32_t *t = simulation_pierced(s, object, &count);
    assert_int_equal(count > 0, object < 2);
    for (size_t i = 0; i < 3 * count; i++) assert_true(t[i] >= 0 && t[i] < 49);
  }
  simulation_free(s);
}

static void counting__takes_any_threads_and_only_frames(void **unused) {
  (void)unused;
  heard h = {0};
  simulation *one = compile(two_sheets(-0.2, 0), 1, &h), *two = compile(two_sheets(-0.2, 0), 3, &h);
  tribo_report a, b;
  claim_ok(simulation_steps(one, 1, &a, err));
  assert_int_equal(a.crossings, -1); /* half a frame */
  claim_ok(simulation_steps(one, 1, &a, err));
  claim_ok(simulation_steps(two, 2, &b, err));
  assert_int_equal(a.crossings, b.crossings);
  size_t count, other;
  const tribo_crossing *c = simulation_crossings(one, &count),
                       *d = simulation_crossings(two, &other);
  assert_int_equal(count, other);
  assert_memory_equal(c->place, d->place, sizeof c->place);
  assert_true(c->depth == d->depth);
  simulation_free(one);
  simulation_free(two);
}

static void what_has_no_contact__is_not_looked_at(void **unused) {
  (void)unused;
  heard h = {0};
  for (int off = 0; off < 2; off++) {
    tribo_scene *scene = two_sheets(0.05, 1);
    if (off)
      tribo_scene_solver(scene)->crossings = TRIBO_CROSSINGS_OFF;
    else
      scene->objects.data[0].surface.contact = TRIBO_CONTACT_NONE;
    simulation *s = compile(scene, 1, &h);
    tribo_report report;
    claim_ok(simulation_steps(s, 2, &report, err));
    assert_int_equal(report.crossings, off ? -1 : 0);
    assert_true(report.converged);
    simulation_free(s);
  }
}

/* ---- energy ---- */

typedef struct bench {
  simulation *s;
  tasks t;
  judge *judge;
  state end;
} bench;

/* A sheet that lies still, and a copy of its state to be changed. */
static bench lay_out(heard *h, bool go_on) {
  bench b = {.t = tasks_create(1)};
  b.s = compile(two_sheets(1, 0), 1, h);
  const model *m = simulation_model(b.s);
  judge_options how = {.crossings = TRIBO_CROSSINGS_OFF,
                       .substeps = 1,
                       .last_step = 100,
                       .contact_tolerance = 1e-5,
                       .go_on = go_on,
                       .log = {listen, h}};
  claim_ok(judge_create(m, &b.t, &how, simulation_positions(b.s), &b.judge, err));
  assert_true(state_create((size_t)m->node_count, m->rigid_count, &b.end));
  assert_true(state_copy(simulation_state(b.s), &b.end));
  b.end.step = 1;
  return b;
}

static void clear(bench *b) {
  judge_free(b->judge);
  state_free(&b->end);
  simulation_free(b->s);
}

/* Over a frame of 0.1 s, all of the first cloth gets this speed. */
static tribo_status judge_speed(bench *b, double speed, tribo_report *report, tribo_error *err) {
  const model_body *body = &simulation_model(b->s)->bodies[0];
  for (int32_t i = 0; i < body->node_count; i++) b->end.v[body->first_node + i].x = speed;
  *report = (tribo_report){.converged = true};
  judge_begin(b->judge, &b->t, simulation_state(b->s), 0);
  TRY(judge_end(b->judge, &b->t, &b->end, 0.1, simulation_positions(b->s), report, err));
  judge_contacts(b->judge, 0.1, true, report);
  return TRIBO_OK;
}

static void energy_from_nowhere__is_told_with_who_has_it(void **unused) {
  (void)unused;
  heard h = {0};
  bench b = lay_out(&h, false);
  tribo_report report;
  claim_ok(judge_speed(&b, 0.1, &report, err));
  assert_true(report.converged);
  claim_ok(judge_speed(&b, 2, &report, err));
  assert_int_equal(report.rough, TRIBO_ROUGH_ENERGY);
  assert_false(report.converged);
  assert_int_equal(h.warnings, 1);
  assert_non_null(strstr(h.words, "object 'lying' gained energy that nothing put in"));
  judge_gain gain = judge_gained(b.judge);
  claim_near(gain.after - gain.before, 0.2 * 2 * 2 / 2, 1e-9); /* 0.2 kg */
  clear(&b);
}

/* Not converged, as those who measure want to know; and yet nothing to look at. */
static void a_tolerance_that_is_missed_unseen__does_not_make_a_frame_rough(void **unused) {
  (void)unused;
  heard h = {0};
  bench b = lay_out(&h, false);
  for (int shows = 0; shows < 2; shows++) {
    tribo_report report = {.converged = false, .crossings = -1};
    judge_contacts(b.judge, 0.1, shows, &report);
    assert_false(report.converged);
    assert_int_equal(report.rough, shows ? TRIBO_ROUGH_STEPS : 0);
  }
  clear(&b);
}

static void an_explosion__ends_a_bake_or_is_told(void **unused) {
  (void)unused;
  for (int go_on = 0; go_on < 2; go_on++) {
    heard h = {0};
    bench b = lay_out(&h, go_on);
    tribo_report report;
    if (go_on)
      claim_ok(judge_speed(&b, 200, &report, err));
    else
      claim_fails(judge_speed(&b, 200, &report, err), TRIBO_NOT_CONVERGED, "'lying'");
    assert_int_equal(h.warnings, go_on);
    clear(&b);
  }
}

/* What falls, is bent and comes back, or hits the floor, only turns energy into another. */
static void energy_that_changes_its_kind__is_no_fault(void **unused) {
  (void)unused;
  static const char *const names[] = {"swinging_cube", "ball_on_trampoline", "sphere_on_plane"};
  for (int k = 0; k < 3; k++) {
    heard h = {0};
    tribo_scene *scene = NULL;
    claim_ok(scenes_make(names[k], 0, &scene, err));
    simulation *s = compile(scene, 1, &h);
    for (int frame = 0; frame < 4; frame++) {
      tribo_report report;
      claim_ok(simulation_steps(s, 2, &report, err));
      assert_int_equal(report.rough & TRIBO_ROUGH_ENERGY, 0);
    }
    simulation_free(s);
  }
}

/* A cube of soft jelly on a floor is squeezed by a third by its own weight. */
static void a_cube_that_its_weight_squeezes__gains_nothing(void **unused) {
  (void)unused;
  tribo_scene *scene = lab_scene();
  mesh box = shape_block(3, 3, 3, 1, 1, 1), floor = shape_sheet(1, 1, 6, 6);
  shape_move(&box, 0, 0, 0.1);
  shape_move(&floor, -3, -3, 0);
  tribo_object_def soft = tribo_object_default(TRIBO_SOLID);
  tribo_object_def flat = tribo_object_default(TRIBO_COLLIDER);
  soft.name = "box";
  soft.solid.density = 1050;
  soft.solid.young = 3e4;
  soft.solid.poisson = 0.47;
  flat.name = "floor";
  flat.surface.contact = TRIBO_CONTACT_PLANE;
  claim_ok(scenes_add(scene, soft, &box, NULL, err));
  claim_ok(scenes_add(scene, flat, &floor, NULL, err));
  tribo_scene_world(scene)->method = TRIBO_METHOD_PROJECTIVE;
  tribo_scene_time(scene)->fps = 24;
  tribo_scene_time(scene)->substeps = 8;
  heard h = {0};
  simulation *s = compile(scene, 1, &h);
  for (int frame = 0; frame < 20; frame++) {
    tribo_report report;
    claim_ok(simulation_steps(s, 8, &report, err));
    assert_int_equal(report.rough & TRIBO_ROUGH_ENERGY, 0);
  }
  simulation_free(s);
}

/* ---- depth ---- */

/* A box that begins 0.1 m in the floor is let out gently, without a force: it is inside all the
 * same. */
static void what_begins_inside__is_rough_until_it_is_out(void **unused) {
  (void)unused;
  static const int methods[] = {TRIBO_METHOD_FORWARDING, TRIBO_METHOD_PROJECTIVE};
  for (int k = 0; k < 2; k++) {
    tribo_scene *scene = lab_scene();
    mesh box = shape_block(2, 2, 2, 0.5, 0.5, 0.5), floor = shape_sheet(1, 1, 4, 4);
    shape_move(&box, 0, 0, -0.1);
    shape_move(&floor, -2, -2, 0);
    tribo_object_def soft = tribo_object_default(TRIBO_SOLID);
    tribo_object_def flat = tribo_object_default(TRIBO_COLLIDER);
    soft.name = "box";
    flat.name = "floor";
    flat.surface.contact = TRIBO_CONTACT_PLANE;
    claim_ok(scenes_add(scene, soft, &box, NULL, err));
    claim_ok(scenes_add(scene, flat, &floor, NULL, err));
    tribo_scene_world(scene)->method = methods[k];
    tribo_scene_time(scene)->fps = 24;
    tribo_scene_time(scene)->substeps = 8;
    heard h = {0};
    simulation *s = compile(scene, 1, &h);
    tribo_report report;
    for (int frame = 2; frame < 12; frame++) {
      claim_ok(simulation_steps(s, 8, &report, err));
      if (frame > 2) continue;
      assert_true(report.max_penetration > 0.05);
      assert_true(report.rough & TRIBO_ROUGH_DEEP);
      assert_false(report.converged);
      assert_string_equal(simulation_deepest(s).object, "box");
    }
    assert_int_equal(report.rough, 0);
    assert_int_equal(h.warnings, 0); /* that it begins there is told, and once is enough */
    simulation_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_gets_through__is_counted_and_told_once),
      cmocka_unit_test(what_crossed_at_the_first_frame__is_no_fault),
      cmocka_unit_test(what_is_pierced__is_listed_for_every_object),
      cmocka_unit_test(counting__takes_any_threads_and_only_frames),
      cmocka_unit_test(what_has_no_contact__is_not_looked_at),
      cmocka_unit_test(energy_from_nowhere__is_told_with_who_has_it),
      cmocka_unit_test(a_tolerance_that_is_missed_unseen__does_not_make_a_frame_rough),
      cmocka_unit_test(an_explosion__ends_a_bake_or_is_told),
      cmocka_unit_test(energy_that_changes_its_kind__is_no_fault),
      cmocka_unit_test(a_cube_that_its_weight_squeezes__gains_nothing),
      cmocka_unit_test(what_begins_inside__is_rough_until_it_is_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
