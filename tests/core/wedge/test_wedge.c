/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h" /* first: its parameters are called state */
#include "scratch.h"

#include <math.h>

#include "base/file.h"
#include "scenes/scenes.h"
#include "wedge/attempt.h"
#include "wedge/embedded.h"
#include "wedge/key.h"
#include "wedge/memory.h"
#include "wedge/outcome.h"
#include "wedge/values.h"

/* ---- values ---- */

static cJSON *values_of(const char *text) {
  cJSON *list = NULL;
  claim_ok(values_parse(text, &list, err));
  return list;
}

static double value_at(const cJSON *list, int i) {
  return cJSON_GetArrayItem(list, i)->valuedouble;
}

static void values__of_a_range_meet_its_ends_exactly(void **unused) {
  (void)unused;
  static const char *const texts[] = {"0.1:0.7:7", "0.1:0.7:7:log"};
  for (size_t k = 0; k < 2; k++) {
    cJSON *list = values_of(texts[k]);
    assert_int_equal(cJSON_GetArraySize(list), 7);
    assert_true(value_at(list, 0) == 0.1 && value_at(list, 6) == 0.7);
    for (int i = 0; i < 7; i++) {
      double share = i / 6.0;
      double wanted = k == 0 ? 0.1 + 0.6 * share : 0.1 * pow(7, share);
      assert_true(fabs(value_at(list, i) - wanted) < 1e-15);
    }
    cJSON_Delete(list);
  }
}

static void values__by_chance_spread_evenly(void **unused) {
  (void)unused;
  cJSON *list = values_of("2:4:20000:random=5");
  double sum = 0, square = 0;
  for (const cJSON *v = list->child; v; v = v->next) {
    assert_true(v->valuedouble >= 2 && v->valuedouble < 4);
    sum += v->valuedouble - 3;
    square += (v->valuedouble - 3) * (v->valuedouble - 3);
  }
  /* Mean 0 and variance 1/3, each within five standard deviations of 20000 draws. */
  assert_true(fabs(sum / 20000) < 5 * sqrt(1.0 / 3 / 20000));
  assert_true(fabs(square / 20000 - 1.0 / 3) < 5 * sqrt(4.0 / 45 / 20000));
  cJSON_Delete(list);
}

static void values__are_numbers_words_or_vectors(void **unused) {
  (void)unused;
  cJSON *list = values_of("good,0.5,final");
  assert_string_equal(cJSON_GetArrayItem(list, 0)->valuestring, "good");
  assert_true(value_at(list, 1) == 0.5);
  cJSON_Delete(list);
  list = values_of("[0,0,1],[0,0,2]");
  assert_int_equal(cJSON_GetArraySize(list), 2);
  assert_int_equal(cJSON_GetArraySize(cJSON_GetArrayItem(list, 1)), 3);
  cJSON_Delete(list);
  static const char *const bad[] = {"1:2:0", "1:2:x", "1:2:3:lag", "0:2:3:log",
                                    "a,,b",  "",      "1:2:1e9"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    claim_fails(values_parse(bad[i], &list, err), TRIBO_BAD_INPUT, "'");
}

/* ---- keys ---- */

static const char SCENE[] =
    "{\"objects\": [{\"name\": \"a,b\", \"mesh\": \"m.obj\", \"pin\": {\"vertices\": [0]}},"
    "{\"name\": \"c.d\", \"mesh\": \"m.obj\", \"transform\": [0,-1,0,5, 1,0,0,6, 0,0,1,7, "
    "0,0,0,1]}],"
    "\"friction\": {\"pairs\": [{\"a\": \"x\", \"b\": \"a,b\", \"mu\": 1}]}}";

static void set_in(cJSON *scene, const char *key, const char *value) {
  cJSON *json = cJSON_Parse(value);
  claim_ok(key_set(scene, key, json, err));
  cJSON_Delete(json);
}

static cJSON *object_at(cJSON *scene, int i) {
  return cJSON_GetArrayItem(cJSON_GetObjectItem(scene, "objects"), i);
}

static void keys__find_names_with_commas_and_points(void **unused) {
  (void)unused;
  cJSON *scene = cJSON_Parse(SCENE);
  set_in(scene, "objects[c.d].elastic.young", "7");
  set_in(scene, "objects[a,b].pin[0].stiffness", "8");
  set_in(scene, "friction.pairs[a,b,x].mu", "9");
  set_in(scene, "friction.pairs[x,c.d].mu", "10");
  cJSON *listed = cJSON_GetObjectItem(cJSON_GetObjectItem(scene, "friction"), "pairs");
  assert_int_equal(cJSON_GetArraySize(listed), 2);
  assert_true(cJSON_GetObjectItem(cJSON_GetArrayItem(listed, 0), "mu")->valuedouble == 9);
  assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(listed, 1), "b")->valuestring, "c.d");
  cJSON *elastic = cJSON_GetObjectItem(object_at(scene, 1), "elastic");
  assert_true(cJSON_GetObjectItem(elastic, "young")->valuedouble == 7);
  cJSON *pin = cJSON_GetObjectItem(object_at(scene, 0), "pin");
  assert_true(cJSON_GetObjectItem(pin, "stiffness")->valuedouble == 8);
  cJSON_Delete(scene);
}

/* T = (R_z(90 degrees), (5, 6, 7)): a turn about z by -90 gives the identity at the same place. */
static void keys__move_turn_and_grow_objects(void **unused) {
  (void)unused;
  static const double wanted[16] = {2, 0, 0, 6, 0, 2, 0, 6, 0, 0, 2, 4, 0, 0, 0, 1};
  cJSON *scene = cJSON_Parse(SCENE);
  set_in(scene, "objects[c.d].turn", "[0, 0, -90]");
  set_in(scene, "objects[c.d].move", "[1, 0, -3]");
  set_in(scene, "objects[c.d].grow", "2");
  cJSON *t = cJSON_GetObjectItem(object_at(scene, 1), "transform");
  for (int i = 0; i < 16; i++) assert_true(fabs(value_at(t, i) - wanted[i]) < 1e-12);
  cJSON_Delete(scene);
}

static void keys__that_lead_nowhere_are_refused(void **unused) {
  (void)unused;
  static const struct {
    const char *key, *word;
  } bad[] = {{"objects[a].young", "has no 'a'"},
             {"objects[9].young", "has no '9'"},
             {"objects[", "is no key"},
             {"a..b", "is no key"},
             {"objects[a,b]", "is no key"},
             {"friction.pairs.mu", "has nothing inside"},
             {"time.end", "does not change"},
             {"objects[a,b].grow", "a factor"},
             {"objects[a,b].move", "three numbers"},
             {"nothing[0].a", "has no list"}};
  cJSON *scene = cJSON_Parse(SCENE), *value = cJSON_Parse("\"word\"");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    claim_fails(key_set(scene, bad[i].key, value, err), TRIBO_BAD_INPUT, bad[i].word);
  cJSON_Delete(scene);
  cJSON_Delete(value);
}

/* ---- the folder ---- */

static const char *in(const char *folder, const char *file) {
  char name[256];
  snprintf(name, sizeof name, "%s/%s", folder, file);
  return scratch_path(name);
}

static const char *write_bundle(void) {
  tribo_scene *scene = NULL;
  claim_ok(scene_hanging_cloth(3, &scene, err));
  tribo_scene_time(scene)->end = tribo_scene_time(scene)->start + 1;
  claim_ok(tribo_scene_write(scene, scratch_path("bundle"), err));
  tribo_scene_free(scene);
  return in("bundle", "scene.json");
}

static void wedge__is_read_as_it_was_written(void **unused) {
  (void)unused;
  char bundle[512];
  snprintf(bundle, sizeof bundle, "%s", write_bundle());
  tribo_wedge *made = NULL, *read = NULL;
  claim_ok(wedge_create(scratch_path("wedge"), &made, err));
  claim_ok(wedge_vary(made, "air_density", "1,2,1", false, err));
  claim_ok(wedge_vary(made, "objects[sheet].drag", "3,4,3", true, err));
  claim_fails(wedge_vary(made, "wind", "1,2", true, err), TRIBO_BAD_INPUT, "give as many");
  claim_ok(wedge_spread(made, bundle, err));
  claim_ok(wedge_write(made, err));
  claim_ok(wedge_open(scratch_path("wedge"), &read, err));
  assert_int_equal(read->items.count, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_true(read->items.data[i].hash == made->items.data[i].hash);
    assert_string_equal(read->items.data[i].label, made->items.data[i].label);
    assert_true(read->items.data[i].memory == made->items.data[i].memory);
  }
  assert_int_equal(read->items.data[2].same_as, 0);
  assert_string_equal(read->items.data[1].label, "air_density 2, drag (sheet) 4");
  wedge_free(made);
  wedge_free(read);
}

static void wedge__that_is_damaged_is_refused(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "",
      "{",
      "[]",
      "{\"tribo_wedge\": 2, \"items\": []}",
      ("{\"tribo_wedge\": 1, \"items\": [{\"hash\": \"../../../../etc/pa\", \"values\": {}, "
       "\"start\": 1, \"end\": 2, \"memory\": 1}]}"),
      "{\"tribo_wedge\": 1, \"items\": [{\"hash\": \"0123456789abcdef\"}]}"};
  claim_ok(file_make_folder(scratch_path("damaged"), err));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    tribo_wedge *wedge = NULL;
    claim_ok(file_write(in("damaged", WEDGE_FILE), texts[i], strlen(texts[i]), err));
    claim_fails(wedge_open(scratch_path("damaged"), &wedge, err), TRIBO_BAD_INPUT, "is no wedge");
    assert_null(wedge);
  }
}

static void attempts__sum_up_and_the_last_one_counts(void **unused) {
  (void)unused;
  char bundle[512];
  snprintf(bundle, sizeof bundle, "%s", write_bundle());
  tribo_wedge *w = NULL;
  claim_ok(wedge_create(scratch_path("tried"), &w, err));
  claim_ok(wedge_spread(w, bundle, err));
  tribo_wedge_attempt *a = NULL;
  claim_ok(attempt_begin(w, 0, &a, err));
  attempt_beat(a, 5e6);
  attempt_end(a, -1, 9, 7e6, "");
  claim_ok(attempt_begin(w, 0, &a, err));
  attempt_end(a, 3, 0, 6e6, "a \"step\"\nfailed");
  attempts all;
  claim_ok(attempts_read(w, w->items.data[0].hash, &all, err));
  assert_int_equal(all.count, 2);
  assert_true(all.peak_memory == 7e6 && all.seconds >= 0);
  assert_int_equal(all.exit_code, 3);
  assert_string_equal(all.message, "a \"step\"\nfailed");
  tribo_wedge_outcome outcome;
  claim_ok(outcome_of(w, 0, &outcome, err));
  assert_int_equal(outcome.state, TRIBO_WEDGE_FAILED);
  claim_ok(wedge_write(w, err));
  claim_ok(sheet_write(w, err));
  wedge_free(w);
}

static void words__are_replaced_and_no_others(void **unused) {
  (void)unused;
  const embedded_word words[] = {{"@FOLDER_JSON@", "\"@TASKS@\""}};
  char *text = embedded_fill("flamenco_job.json", words, 1);
  assert_non_null(strstr(text, "{\"folder\": \"@TASKS@\", \"tasks\": \"@TASKS@\""));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values__of_a_range_meet_its_ends_exactly),
                                     cmocka_unit_test(values__by_chance_spread_evenly),
                                     cmocka_unit_test(values__are_numbers_words_or_vectors),
                                     cmocka_unit_test(keys__find_names_with_commas_and_points),
                                     cmocka_unit_test(keys__move_turn_and_grow_objects),
                                     cmocka_unit_test(keys__that_lead_nowhere_are_refused),
                                     cmocka_unit_test(wedge__is_read_as_it_was_written),
                                     cmocka_unit_test(wedge__that_is_damaged_is_refused),
                                     cmocka_unit_test(attempts__sum_up_and_the_last_one_counts),
                                     cmocka_unit_test(words__are_replaced_and_no_others)};
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
