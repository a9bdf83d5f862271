/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bakes.h"

#include <cjson/cJSON.h>

#include "scene/compile.h"
#include "scenes/scenes_contact.h"

/* A block on a ramp of 10 degrees, a step a frame: it sticks at 0.3 and slides at 0.1. */
static tribo_scene *make_block(double mu) {
  scene_block_slide_params p = scene_block_slide_defaults();
  p.mu = mu, p.cells = 2, p.seconds = 0.05;
  tribo_scene *scene = NULL;
  claim_ok(scene_block_slide(&p, &scene, err));
  assert_int_equal(tribo_scene_time(scene)->end, FRAMES);
  assert_int_equal(tribo_scene_time(scene)->substeps, 1);
  return scene;
}

static tribo_status bake_contacts(const tribo_scene *scene, const char *folder, mode how, int stop,
                                  bool contacts, int threads, tribo_error *error) {
  watch w = {.stop_at = stop};
  tribo_bake_options options = {.threads = threads,
                                .resume = how == RESUME,
                                .overwrite = how == OVERWRITE,
                                .contacts = contacts,
                                .progress = on_progress,
                                .log = on_log,
                                .user = &w};
  return bake_run(scene, scratch_path(folder), &options, error);
}

/* ---- what a line says ---- */

static double number(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsNumber(item)) fail_msg("%s is no number", key);
  return item->valuedouble;
}

static const char *word(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsString(item)) fail_msg("%s is no text", key);
  return item->valuestring;
}

static void claim_vector(const cJSON *object, const char *key, const double wanted[3]) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
  assert_int_equal(cJSON_GetArraySize(list), 3);
  for (int k = 0; k < 3; k++) assert_true(cJSON_GetArrayItem(list, k)->valuedouble == wanted[k]);
}

static void claim_contact(const cJSON *item, const tribo_contact *c) {
  assert_string_equal(word(item, "object"), "block");
  assert_true(number(item, "vertex") == c->vertex);
  assert_string_equal(word(item, "surface"), c->surface);
  claim_vector(item, "point", c->position);
  claim_vector(item, "normal", c->normal);
  assert_true(number(item, "gap") == c->gap);
  assert_true(number(item, "mu") == c->mu);
  claim_vector(item, "force", c->force);
  assert_true(number(item, "torque") == c->torque);
  claim_vector(item, "slip", c->slip);
  assert_string_equal(word(item, "state"), c->state == TRIBO_STICK ? "stick" : "slip");
}

static void contacts__of_a_bake_are_those_of_the_simulation_to_the_last_bit(void **unused) {
  (void)unused;
  tribo_scene *scene = make_block(0.3);
  claim_ok(bake_contacts(scene, "block", FRESH, 0, true, 1, err));
  assert_int_equal(lines_of(in("block", CONTACTS_FILE)), FRAMES);
  simulation *sim = NULL;
  claim_ok(compile_simulation(scene, 1, NULL, &sim, err));
  file_text text;
  claim_ok(file_read(in("block", CONTACTS_FILE), &text, err));
  const char *at = text.data;
  for (int frame = 1; frame <= FRAMES; frame++) {
    tribo_report report;
    if (frame > 1) claim_ok(simulation_steps(sim, 1, &report, err));
    size_t count;
    const tribo_contact *contacts = simulation_contacts(sim, &count);
    cJSON *line = cJSON_ParseWithOpts(at, &at, false);
    assert_non_null(line);
    assert_int_equal(*at++, '\n');
    assert_true(number(line, "frame") == frame);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(line, "contacts");
    assert_true(cJSON_IsArray(list));
    assert_int_equal(cJSON_GetArraySize(list), count);
    assert_int_equal(count, frame == 1 ? 0 : 9); /* before the first step nothing pushes */
    for (size_t i = 0; i < count; i++)
      claim_contact(cJSON_GetArrayItem(list, (int)i), &contacts[i]);
    cJSON_Delete(line);
  }
  assert_int_equal(*at, 0);
  free(text.data);
  simulation_free(sim);
  tribo_scene_free(scene);
}

/* ---- what the numbers mean ---- */

static vec3 momentum(const simulation *s) {
  vec3 sum = {0, 0, 0};
  for (int32_t i = 0; i < simulation_model(s)->node_count; i++)
    sum = vec3_madd(sum, simulation_model(s)->mass[i], simulation_state(s)->v[i]);
  return sum;
}

static double whole_mass(const model *m) {
  double sum = 0;
  for (int32_t i = 0; i < m->node_count; i++) sum += m->mass[i];
  return sum;
}

/* Where the vertex is now lies above the contact's point by its gap, and the point on the ramp. */
static void claim_place(const simulation *s, const tribo_contact *c) {
  const double slope = tan(10 * acos(-1) / 180);
  vec3 point = vec3_from(c->position);
  vec3 above = vec3_madd(point, c->gap, vec3_from(c->normal));
  claim_below(vec3_norm(vec3_sub(above, simulation_positions(s)[c->vertex])), 1e-15);
  claim_near(point.z, -slope * point.x, 1e-12);
  claim_near(c->gap, 0, 1e-10);
}

/* By a step, forces times h change momentum by what gravity does not: sum F = (p - p0)/h - m g. On
 * the cone friction is mu N against the slip; inside it, nothing slips. */
static void claim_forces(double mu, tribo_contact_state wanted) {
  tribo_scene *scene = make_block(mu);
  simulation *s = NULL;
  claim_ok(compile_simulation(scene, 1, NULL, &s, err));
  tribo_scene_free(scene);
  const double h = 0.01;
  double weight = 9.81 * whole_mass(simulation_model(s));
  for (int step = 0; step < 40; step++) {
    vec3 before = momentum(s), sum = {0, 0, 0};
    tribo_report report;
    claim_ok(simulation_steps(s, 1, &report, err));
    size_t count;
    const tribo_contact *contacts = simulation_contacts(s, &count);
    for (size_t i = 0; i < count; i++) {
      const tribo_contact *c = &contacts[i];
      vec3 force = vec3_from(c->force), n = vec3_from(c->normal), slip = vec3_from(c->slip);
      sum = vec3_add(sum, force);
      claim_below(vec3_norm(vec3_madd(vec3_from(c->impulse), -h, force)), 1e-12);
      claim_place(s, c);
      if (step < 20) continue; /* while the weight builds up the pressure, some slip */
      assert_int_equal(c->state, wanted);
      double pressed = vec3_dot(force, n);
      vec3 friction = vec3_madd(force, -pressed, n);
      if (wanted == TRIBO_SLIP)
        claim_below(vec3_norm(vec3_madd(friction, mu * pressed / vec3_norm(slip), slip)),
                    1e-3 * mu * pressed);
      else
        claim_below(vec3_norm(slip), 1e-5);
    }
    vec3 balance = vec3_scale(1 / h, vec3_sub(momentum(s), before));
    balance.z += weight;
    claim_below(vec3_norm(vec3_sub(sum, balance)), 1e-5 * weight);
  }
  simulation_free(s);
}

static void contacts__that_stick_hold_the_block_with_forces_inside_the_cone(void **unused) {
  (void)unused;
  claim_forces(0.3, TRIBO_STICK);
}

static void contacts__that_slip_brake_the_block_with_mu_times_the_pressure(void **unused) {
  (void)unused;
  claim_forces(0.1, TRIBO_SLIP);
}

/* ---- the promises of a bake ---- */

static void claim_same_contacts(const char *folder) {
  static const char *const files[] = {"block.pc2", "block.msh", CONTACTS_FILE, CHECKPOINT_FILE};
  for (size_t i = 0; i < 4; i++) claim_same_file(in(folder, files[i]), in("whole", files[i]));
  claim_status(folder, MANIFEST_DONE);
}

static void contacts__resumed_at_any_frame_and_by_any_threads_are_the_same_bytes(void **unused) {
  (void)unused;
  tribo_scene *scene = make_block(0.1);
  claim_ok(bake_contacts(scene, "whole", FRESH, 0, true, 1, err));
  claim_ok(bake_contacts(scene, "threads", FRESH, 0, true, 3, err));
  claim_same_contacts("threads");
  for (int frame = 1; frame < FRAMES; frame++) {
    char folder[32];
    snprintf(folder, sizeof folder, "part%d", frame);
    claim_fails(bake_contacts(scene, folder, FRESH, frame, true, 1, err), TRIBO_CANCELLED, "");
    assert_int_equal(lines_of(in(folder, CONTACTS_FILE)), frame);
    FILE *torn = fopen(in(folder, CONTACTS_FILE), "ab");
    fputs("{\"frame\": 9}\n{\"fra", torn);
    fclose(torn);
    /* also without being asked again: a bake that began with contacts goes on with them */
    claim_ok(bake_contacts(scene, folder, RESUME, 0, frame % 2 == 0, 1, err));
    claim_same_contacts(folder);
  }
  tribo_scene_free(scene);
}

static void contacts__cannot_be_asked_for_when_it_is_too_late(void **unused) {
  (void)unused;
  tribo_scene *scene = make_block(0.1);
  claim_fails(bake_contacts(scene, "late", FRESH, 3, false, 1, err), TRIBO_CANCELLED, "");
  assert_false(exists(in("late", CONTACTS_FILE)));
  claim_fails(bake_contacts(scene, "late", RESUME, 0, true, 1, err), TRIBO_BAD_INPUT,
              "begun without --contacts");
  claim_status("late", MANIFEST_CANCELLED);
  claim_ok(bake_contacts(scene, "late", OVERWRITE, 0, true, 1, err));
  assert_int_equal(lines_of(in("late", CONTACTS_FILE)), FRAMES);

  /* and an overwrite without takes the file away with the rest */
  claim_ok(bake_contacts(scene, "late", OVERWRITE, 0, false, 1, err));
  assert_false(exists(in("late", CONTACTS_FILE)));
  tribo_scene_free(scene);
}

static void claim_same_contact(const tribo_contact *found, tribo_contact expected) {
  assert_string_equal(found->surface, expected.surface);
  assert_memory_equal(found->position, expected.position, sizeof expected.position);
  assert_memory_equal(found->force, expected.force, sizeof expected.force);
  assert_memory_equal(found->slip, expected.slip, sizeof expected.slip);
  assert_memory_equal(found->normal, expected.normal, sizeof expected.normal);
  assert_true(found->gap == expected.gap && found->mu == expected.mu);
  assert_true(found->object == expected.object && found->vertex == expected.vertex);
  assert_int_equal(found->state, expected.state);
}

/* Read back from the cache, in any order, also while frames are still being added. */
static void contacts__are_read_back_to_the_last_bit(void **unused) {
  (void)unused;
  tribo_scene *scene = make_block(0.3);
  claim_fails(bake_contacts(scene, "read", FRESH, 4, true, 1, err), TRIBO_CANCELLED, "");
  tribo_cache *cache = NULL;
  const tribo_contact *found;
  size_t found_count;
  claim_ok(tribo_cache_open(scratch_path("read"), &cache, err));
  claim_ok(tribo_cache_contacts(cache, 1, &found, &found_count, err));
  assert_int_equal(found_count, 0);
  claim_fails(tribo_cache_contacts(cache, 5, &found, &found_count, err), TRIBO_BAD_INPUT,
              "no contacts of frame 5");
  claim_fails(tribo_cache_contacts(cache, 0, &found, &found_count, err), TRIBO_BAD_INPUT,
              "no contacts of frame 0");
  claim_ok(bake_contacts(scene, "read", RESUME, 0, true, 1, err));
  simulation *sim = NULL;
  claim_ok(compile_simulation(scene, 1, NULL, &sim, err));
  for (int frame = 2; frame <= FRAMES; frame++) {
    tribo_report report;
    claim_ok(simulation_steps(sim, 1, &report, err));
    size_t count;
    const tribo_contact *wanted = simulation_contacts(sim, &count);
    claim_ok(tribo_cache_contacts(cache, 1, &found, &found_count, err));
    claim_ok(tribo_cache_contacts(cache, frame, &found, &found_count, err));
    assert_int_equal(found_count, count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) claim_same_contact(&found[i], wanted[i]);
  }
  simulation_free(sim);

  /* Damage is a message, not a crash; and what an overwrite wrote anew is found. */
  file_text text;
  claim_ok(file_read(in("read", CONTACTS_FILE), &text, err));
  char *force = strstr(text.data, "\"force\"");
  memcpy(force, "\"farce\"", 7);
  claim_ok(file_write(in("read", CONTACTS_FILE), text.data, text.size, err));
  free(text.data);
  claim_fails(tribo_cache_contacts(cache, 2, &found, &found_count, err), TRIBO_BAD_INPUT,
              "damaged where frame 2");
  tribo_scene *slippery = make_block(0.1);
  claim_ok(bake_contacts(slippery, "read", OVERWRITE, 0, true, 1, err));
  claim_ok(tribo_cache_contacts(cache, FRAMES, &found, &found_count, err));
  assert_int_equal(found[0].state, TRIBO_SLIP);
  claim_ok(bake_contacts(slippery, "read", OVERWRITE, 0, false, 1, err));
  tribo_cache_free(cache);
  claim_ok(tribo_cache_open(scratch_path("read"), &cache, err));
  claim_fails(tribo_cache_contacts(cache, 2, &found, &found_count, err), TRIBO_BAD_INPUT,
              "bake with --contacts");
  tribo_cache_free(cache);
  tribo_scene_free(slippery);
  tribo_scene_free(scene);
}

static void contacts__of_somebody_else_are_in_the_way_only_when_asked_for(void **unused) {
  (void)unused;
  tribo_scene *scene = make_block(0.1);
  claim_ok(file_make_folder(scratch_path("foreign"), err));
  claim_ok(file_write(in("foreign", CONTACTS_FILE), "precious", 8, err));
  claim_fails(bake_contacts(scene, "foreign", FRESH, 0, true, 1, err), TRIBO_BAD_INPUT,
              CONTACTS_FILE);
  claim_ok(bake_contacts(scene, "foreign", FRESH, 0, false, 1, err));
  file_text kept;
  claim_ok(file_read(in("foreign", CONTACTS_FILE), &kept, err));
  assert_string_equal(kept.data, "precious");
  free(kept.data);
  tribo_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts__of_a_bake_are_those_of_the_simulation_to_the_last_bit),
      cmocka_unit_test(contacts__that_stick_hold_the_block_with_forces_inside_the_cone),
      cmocka_unit_test(contacts__that_slip_brake_the_block_with_mu_times_the_pressure),
      cmocka_unit_test(contacts__resumed_at_any_frame_and_by_any_threads_are_the_same_bytes),
      cmocka_unit_test(contacts__are_read_back_to_the_last_bit),
      cmocka_unit_test(contacts__cannot_be_asked_for_when_it_is_too_late),
      cmocka_unit_test(contacts__of_somebody_else_are_in_the_way_only_when_asked_for),
  };
  return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
