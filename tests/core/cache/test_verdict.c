/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bakes.h"

#include "scene/compile.h"
#include "scenes/scenes.h"

/* A small sheet that falls through a larger one, a step a frame: they do not see each other. */
static tribo_scene *make_fall(void) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  mesh lying = shape_sheet(6, 6, 1, 1), upright = shape_sheet(4, 4, 0.5, 0.5);
  shape_turn(&upright, 0, acos(-1) / 2);
  shape_move(&upright, 0.23, 0.47, 0.15);
  tribo_object_def one = tribo_object_default(TRIBO_CLOTH), two = one;
  one.name = "sheet";
  two.name = "blade";
  two.object.velocity[2] = -1;
  claim_ok(scenes_add(scene, one, &lying, NULL, err));
  claim_ok(scenes_add(scene, two, &upright, NULL, err));
  tribo_scene_world(scene)->gravity[2] = 0;
  *tribo_scene_time(scene) = (tribo_time_params){.start = 11, .end = 16, .fps = 10, .substeps = 1};
  return scene;
}

static const tribo_verdict *verdict_in(const char *folder, tribo_cache **cache) {
  const tribo_verdict *v = NULL;
  claim_ok(tribo_cache_open(scratch_path(folder), cache, err));
  claim_ok(tribo_cache_verdict(*cache, &v, err));
  return v;
}

static void a_verdict__names_frames_worst_and_objects(void **unused) {
  (void)unused;
  tribo_scene *scene = make_fall();
  claim_ok(bake(scene, "fall", FRESH, NULL, err));
  assert_int_equal(lines_of(in("fall", VERDICT_FILE)), 6);
  tribo_cache *cache = NULL;
  const tribo_verdict *v = verdict_in("fall", &cache);
  assert_int_equal(v->frames, 6);
  assert_int_equal(v->counted, 6);
  assert_int_equal(v->reasons, TRIBO_ROUGH_CROSSINGS);
  assert_int_equal(v->range_count, 1);
  assert_int_equal(v->ranges[0].first, 13); /* 0.2 s on */
  assert_true(v->worst >= 13 && v->worst <= 16);
  assert_string_equal(v->object, "sheet");
  assert_string_equal(v->other, "blade");
  char begin[64];
  snprintf(begin, sizeof begin, "%d frames rough: 13 to %d; worst %d: sheet crosses blade at ",
           v->rough, v->ranges[0].last, v->worst);
  assert_memory_equal(v->text, begin, strlen(begin));
  manifest m = manifest_in("fall");
  assert_string_equal(m.said, v->text);
  manifest_free(&m);
  tribo_cache_free(cache);
  tribo_scene_free(scene);
}

static void crossings_and_pierced_triangles__read_back(void **unused) {
  (void)unused;
  tribo_scene *scene = make_fall();
  claim_ok(bake(scene, "back", FRESH, NULL, err));
  simulation *sim = NULL;
  claim_ok(compile_simulation(scene, 1, NULL, &sim, err));
  tribo_cache *cache = NULL;
  verdict_in("back", &cache);
  for (int frame = 11; frame <= 16; frame++) {
    tribo_report report;
    if (frame > 11) claim_ok(simulation_steps(sim, 1, &report, err));
    size_t count, wanted;
    const tribo_crossing *c, *d = simulation_crossings(sim, &wanted);
    claim_ok(tribo_cache_crossings(cache, frame, &c, &count, err));
    assert_int_equal(count, wanted);
    for (size_t i = 0; i < count; i++) {
      assert_string_equal(c[i].object, d[i].object);
      assert_string_equal(c[i].other, d[i].other);
      assert_string_equal(c[i].edge_of, d[i].edge_of);
      assert_int_equal(c[i].count, d[i].count);
      assert_int_equal(c[i].new_count, d[i].new_count);
      assert_true(c[i].depth == d[i].depth);
      assert_memory_equal(c[i].place, d[i].place, sizeof c[i].place);
      assert_memory_equal(c[i].edge, d[i].edge, sizeof c[i].edge);
      assert_memory_equal(c[i].triangle, d[i].triangle, sizeof c[i].triangle);
    }
    static const char *const names[] = {"sheet", "blade", "nobody"};
    for (size_t k = 0; k < 3; k++) {
      const int32_t *t, *u = simulation_pierced(sim, k, &wanted);
      claim_ok(tribo_cache_pierced(cache, frame, names[k], &t, &count, err));
      assert_int_equal(count, wanted);
      if (count) assert_memory_equal(t, u, 3 * count * sizeof *t);
    }
  }
  claim_fails(tribo_cache_crossings(cache, 17, &(const tribo_crossing *){NULL}, &(size_t){0}, err),
              TRIBO_BAD_INPUT, "frame 17");
  tribo_cache_free(cache);
  simulation_free(sim);
  tribo_scene_free(scene);
}

static void a_resumed_bake__has_the_same_verdict_to_the_last_byte(void **unused) {
  (void)unused;
  tribo_scene *scene = make_fall();
  claim_ok(bake(scene, "whole", FRESH, NULL, err));
  for (int stop = 11; stop < 16; stop++) {
    char folder[16];
    snprintf(folder, sizeof folder, "stop%d", stop);
    watch w = {.stop_at = stop};
    assert_int_equal(bake(scene, folder, FRESH, &w, NULL), TRIBO_CANCELLED);
    tribo_cache *cache = NULL;
    assert_int_equal(verdict_in(folder, &cache)->frames, stop - 10);
    tribo_cache_free(cache);
    FILE *torn = fopen(in(folder, VERDICT_FILE), "a"); /* killed within the next frame */
    fputs("{\"frame\": 1", torn);
    fclose(torn);
    claim_ok(bake(scene, folder, RESUME, NULL, err));
    claim_same_file(in(folder, VERDICT_FILE), in("whole", VERDICT_FILE));
  }
  tribo_scene_free(scene);
}

static void a_calm_bake__has_no_rough_frames(void **unused) {
  (void)unused;
  tribo_scene *scene = make_scene();
  claim_ok(bake(scene, "calm", FRESH, NULL, err));
  tribo_cache *cache = NULL;
  const tribo_verdict *v = verdict_in("calm", &cache);
  assert_int_equal(v->rough, 0);
  assert_string_equal(v->text, "6 frames, none rough");
  tribo_cache_free(cache);
  tribo_scene_free(scene);
}

static void a_damaged_verdict__is_refused(void **unused) {
  (void)unused;
  static const char *const bad[] = {
      "{}",
      "[]",
      "nonsense",
      "{\"frame\": 12, \"rough\": []}",
      "{\"frame\": 11, \"rough\": 3}",
      ("{\"frame\": 11, \"rough\": [7, \"x\"], \"pairs\": [3, {}], \"pierced\": {\"sheet\": [-1, "
       "\"a\", 1e99, 4]}}")};
  tribo_scene *scene = make_fall();
  claim_ok(bake(scene, "bad", FRESH, NULL, err));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    FILE *file = fopen(in("bad", VERDICT_FILE), "w");
    fprintf(file, "%s\n", bad[i]);
    fclose(file);
    tribo_cache *cache = NULL;
    const tribo_verdict *v;
    const int32_t *t;
    size_t count;
    claim_ok(tribo_cache_open(scratch_path("bad"), &cache, err));
    claim_fails(tribo_cache_verdict(cache, &v, err), TRIBO_BAD_INPUT, VERDICT_FILE);
    tribo_error err;
    tribo_status status = tribo_cache_pierced(cache, 11, "sheet", &t, &count, &err);
    assert_int_equal(status, i < 5 ? TRIBO_BAD_INPUT : TRIBO_OK);
    if (i == 5) assert_int_equal(count, 1);
    tribo_cache_free(cache);
  }
  tribo_scene_free(scene);
}

static void a_bake_of_before__goes_on_without(void **unused) {
  (void)unused;
  tribo_scene *scene = make_fall();
  watch w = {.stop_at = 13};
  assert_int_equal(bake(scene, "old", FRESH, &w, NULL), TRIBO_CANCELLED);
  manifest m = manifest_in("old");
  m.verdict = false;
  claim_ok(manifest_write(in("old", MANIFEST_FILE), &m, err));
  manifest_free(&m);
  assert_int_equal(remove(in("old", VERDICT_FILE)), 0);
  claim_ok(bake(scene, "old", RESUME, NULL, err));
  assert_false(exists(in("old", VERDICT_FILE)));
  tribo_cache *cache = NULL;
  const tribo_verdict *v;
  claim_ok(tribo_cache_open(scratch_path("old"), &cache, err));
  assert_false(tribo_cache_about(cache)->verdict);
  claim_fails(tribo_cache_verdict(cache, &v, err), TRIBO_BAD_INPUT, "before there were any");
  tribo_cache_free(cache);
  tribo_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_verdict__names_frames_worst_and_objects),
      cmocka_unit_test(crossings_and_pierced_triangles__read_back),
      cmocka_unit_test(a_resumed_bake__has_the_same_verdict_to_the_last_byte),
      cmocka_unit_test(a_calm_bake__has_no_rough_frames),
      cmocka_unit_test(a_damaged_verdict__is_refused),
      cmocka_unit_test(a_bake_of_before__goes_on_without)};
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
