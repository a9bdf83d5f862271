/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every kind of object is held to the same manners: what it cannot use it refuses, with the
 * object's name, the place in the data and a remedy, and a refusal leaves the scene as it was. The
 * rows are in rows.h.
 */
#include "conformance/trial.h"

/* One object of the kind, whose arrays a claim may spoil. */
typedef struct sample {
  mesh shape;
  tribo_object_def def;
} sample;

static sample sample_make(const kind_row *kind) {
  sample s = {.shape = kind->shape(), .def = tribo_object_default(kind->kind)};
  assert_non_null(s.shape.positions);
  s.def.name = "thing";
  rows_give(&s.shape, &s.def);
  return s;
}

/* Refused with each of the words, and nothing was added. Frees the sample. */
static void claim_refused(sample *s, const char *const *words) {
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  uint64_t before = tribo_scene_hash(scene);
  claim_fails(tribo_scene_add(scene, &s->def, NULL, err), TRIBO_BAD_INPUT, "'thing'");
  for (; *words; words++)
    claim_fails(tribo_scene_add(scene, &s->def, NULL, err), TRIBO_BAD_INPUT, *words);
  assert_int_equal(tribo_scene_object_count(scene), 0);
  assert_true(tribo_scene_hash(scene) == before);
  tribo_scene_free(scene);
  mesh_free(&s->shape);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void is_taken_as_it_is(void **state) {
  sample s = sample_make(*state);
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, &s.def, NULL, err));
  assert_int_equal(tribo_scene_object_count(scene), 1);
  tribo_scene_free(scene);
  mesh_free(&s.shape);
}

static void a_vertex_that_is_no_number_is_refused(void **state) {
  sample s = sample_make(*state);
  s.shape.positions[3 * 5 + 1] = NAN;
  claim_refused(&s, WORDS("vertex 5", "nan"));
}

static void an_index_out_of_range_is_refused(void **state) {
  const kind_row *kind = *state;
  sample s = sample_make(kind);
  bool tets = kind->kind == TRIBO_SOLID, lines = kind->kind == TRIBO_ROD;
  int32_t *list = tets ? s.shape.tets : lines ? s.shape.edges : s.shape.triangles;
  list[(tets ? 4 : lines ? 2 : 3) * 2] = 4711;
  claim_refused(&s, WORDS(tets ? "tet 2" : lines ? "segment 2" : "triangle 2", "4711"));
}

static void an_object_without_its_parts_is_refused(void **state) {
  const kind_row *kind = *state;
  sample s = sample_make(kind);
  s.def.triangles = s.def.tets = s.def.segments = NULL;
  s.def.triangle_count = s.def.tet_count = s.def.segment_count = 0;
  claim_refused(&s, WORDS(kind->without_parts));
}

static void a_density_below_its_range_is_refused(void **state) {
  sample s = sample_make(*state);
  s.def.cloth.density = s.def.solid.density = s.def.rigid.density = s.def.rod.density = -2;
  claim_refused(&s, WORDS("density", "-2", "give 1e-06 to"));
}

static void a_name_is_given_once(void **state) {
  sample s = sample_make(*state);
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, &s.def, NULL, err));
  claim_fails(tribo_scene_add(scene, &s.def, NULL, err), TRIBO_BAD_INPUT, "'thing'");
  assert_int_equal(tribo_scene_object_count(scene), 1);
  tribo_scene_free(scene);
  mesh_free(&s.shape);
}

static void air_is_felt_or_refused(void **state) {
  const kind_row *kind = *state;
  sample s = sample_make(kind);
  s.def.object.drag = 1;
  if (!kind->dragged) {
    claim_refused(&s, WORDS("drag is 1", "leave drag out"));
    return;
  }
  tribo_scene *scene = NULL;
  claim_ok(tribo_scene_create(&scene, err));
  claim_ok(tribo_scene_add(scene, &s.def, NULL, err));
  tribo_scene_free(scene);
  mesh_free(&s.shape);
}

/* A pinned corner stays where it is while the rest falls. */
static void claim_held(const kind_row *kind, const tribo_pin_def *pin) {
  const setup s = {.gravity = TRIAL_G, .mu = -1, .frames = 1, .pin = pin};
  for (size_t m = 0; m < METHOD_COUNT; m++) {
    if (!(METHODS[m].moves & 1u << kind->kind)) continue;
    tribo_sim *sim = trial_start(&(trial){&METHODS[m], kind}, &s, 1);
    const double *x = tribo_sim_positions(sim, 0);
    double first[3] = {x[0], x[1], x[2]};
    double last = x[3 * tribo_sim_vertex_count(sim, 0) - 1];
    trial_steps(sim, 10);
    x = tribo_sim_positions(sim, 0);
    for (int c = 0; c < 3; c++) assert_true(x[c] == first[c]);
    assert_true(x[3 * tribo_sim_vertex_count(sim, 0) - 1] < last - 1e-3);
    tribo_sim_free(sim);
  }
}

static void pins_hold_or_are_refused(void **state) {
  const kind_row *kind = *state;
  const int32_t corner = 0;
  tribo_pin_def pin = {.vertices = &corner, .vertex_count = 1, .params = tribo_pin_defaults()};
  if (kind->pinnable) {
    claim_held(kind, &pin);
    return;
  }
  sample s = sample_make(kind);
  s.def.pins = &pin;
  s.def.pin_count = 1;
  claim_refused(&s, WORDS("pin"));
}

/* What the motion depends on is in the hash, so that a stale cache is found out. */
static void every_change_of_a_parameter_changes_the_hash(void **state) {
  uint64_t hashes[2];
  for (int k = 0; k < 2; k++) {
    sample s = sample_make(*state);
    if (k == 1)
      s.def.cloth.density = s.def.solid.density = s.def.rigid.density = s.def.rod.density = 17;
    tribo_scene *scene = NULL;
    claim_ok(tribo_scene_create(&scene, err));
    claim_ok(tribo_scene_add(scene, &s.def, NULL, err));
    hashes[k] = tribo_scene_hash(scene);
    tribo_scene_free(scene);
    mesh_free(&s.shape);
  }
  assert_true(hashes[0] != hashes[1]);
}

int main(void) {
  static const struct {
    const char *name;
    CMUnitTestFunction check;
  } claims[] = {
      {"is taken as it is", is_taken_as_it_is},
      {"a vertex that is no number is refused", a_vertex_that_is_no_number_is_refused},
      {"an index out of range is refused", an_index_out_of_range_is_refused},
      {"an object without its parts is refused", an_object_without_its_parts_is_refused},
      {"a density below its range is refused", a_density_below_its_range_is_refused},
      {"a name is given once", a_name_is_given_once},
      {"air is felt or refused", air_is_felt_or_refused},
      {"pins hold or are refused", pins_hold_or_are_refused},
      {"every change of a parameter changes the hash",
       every_change_of_a_parameter_changes_the_hash},
  };
  enum { CLAIM_COUNT = sizeof claims / sizeof *claims };
  static char names[KIND_COUNT * CLAIM_COUNT][96];
  static struct CMUnitTest all[KIND_COUNT * CLAIM_COUNT];
  size_t count = 0;
  for (size_t k = 0; k < KIND_COUNT; k++)
    for (size_t c = 0; c < CLAIM_COUNT; c++, count++) {
      snprintf(names[count], sizeof names[count], "%s: %s", KINDS[k].name, claims[c].name);
      all[count] = (struct CMUnitTest){.name = names[count],
                                       .test_func = claims[c].check,
                                       .initial_state = (void *)(uintptr_t)&KINDS[k]};
    }
  return _cmocka_run_group_tests("conformance_kinds", all, count, NULL, NULL);
}
