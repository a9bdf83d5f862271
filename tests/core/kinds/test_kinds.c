/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims about every row of the table of kinds, whatever rows there are.
 */
#include "claims.h"
#include "kinds/kind.h"
#include "scene/params.h"
#include "scene/scene.h"

/* Numbers are in hashes of scenes, names in scene files and manifests: neither may change. */
static void rows__keep_their_numbers_and_names(void **unused) {
  (void)unused;
  static const char *const names[] = {"cloth", "solid", "rigid", "collider"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_string_equal(kind_at(i)->about.name, names[i]);
    assert_ptr_equal(kind_named(names[i]), kind_at(i));
  }
  for (size_t i = 0; kind_at(i); i++) assert_int_equal((int)kind_at(i)->about.kind, (int)i);
  assert_null(kind_named("clot"));
  assert_null(kind_at((size_t)-1));
  assert_null(tribo_kind_at((size_t)-1));
}

static void rows__are_whole(void **unused) {
  (void)unused;
  for (size_t i = 0; kind_at(i); i++) {
    const kind_row *k = kind_at(i);
    const tribo_kind_info *about = &k->about;
    assert_true(about->name && about->article && about->about && k->check && k->build);
    assert_int_equal(about->group != NULL, about->key != NULL);
    assert_int_equal(about->simulated, k->node_count != NULL);
    assert_int_equal(about->simulated, k->mass != NULL);
    assert_int_equal(k->weight != NULL, k->density != NULL);
    assert_true(about->deforms || !k->weight);
    assert_true(about->simulated || !(about->deforms || about->turns || about->pinnable));
    assert_ptr_equal(tribo_kind_at(i), about);
    for (size_t j = 0; j < i; j++) assert_string_not_equal(about->name, kind_at(j)->about.name);
  }
}

/* A row's group is one of params.inl, stands under its key, and lies where the row says. */
static void rows__have_the_parameters_of_their_group(void **unused) {
  (void)unused;
  for (size_t i = 0; kind_at(i); i++) {
    const tribo_kind_info *about = &kind_at(i)->about;
    tribo_object_def def = tribo_object_default((tribo_kind)i);
    if (!about->group) {
      assert_null(kind_params(&def));
      continue;
    }
    const tribo_param_info *row = params_find(about->group, "density");
    char place[PARAMS_KEY_SIZE];
    snprintf(place, sizeof place, "objects[].%s", about->key);
    assert_non_null(row);
    assert_string_equal(row->place, place);
    double density;
    memcpy(&density, (const char *)kind_params(&def) + row->offset, sizeof density);
    claim_near(density, row->value[0], 0);
  }
}

static void lists_of_kinds__read_as_a_sentence(void **unused) {
  (void)unused;
  char text[KIND_LIST_SIZE];
  assert_string_equal(kind_list("", "", " or ", text), "cloth, solid, rigid, collider or rod");
  assert_string_equal(kind_list("'", "'", ", ", text),
                      "'cloth', 'solid', 'rigid', 'collider', 'rod'");
}

/* A square of 2 m, a corner tet of 1/6 m^3. */
static void mass__is_density_times_what_the_mesh_holds(void **unused) {
  (void)unused;
  static const double square[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
  static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int32_t halves[] = {0, 1, 2, 0, 2, 3}, tet[] = {0, 1, 2, 3};
  static const int32_t sides[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  tribo_object_def cloth = tribo_object_default(TRIBO_CLOTH);
  cloth.positions = square, cloth.vertex_count = 4;
  cloth.triangles = halves, cloth.triangle_count = 2;
  claim_near(tribo_object_mass(&cloth), 4 * cloth.cloth.density, 1e-12);
  tribo_object_def solid = tribo_object_default(TRIBO_SOLID);
  solid.positions = corner, solid.vertex_count = 4;
  solid.tets = tet, solid.tet_count = 1;
  claim_near(tribo_object_mass(&solid), solid.solid.density / 6, 1e-9);
  tribo_object_def rigid = tribo_object_default(TRIBO_RIGID);
  rigid.positions = corner, rigid.vertex_count = 4;
  rigid.triangles = sides, rigid.triangle_count = 4;
  claim_near(tribo_object_mass(&rigid), rigid.rigid.density / 6, 1e-9);
  rigid.kind = TRIBO_COLLIDER;
  claim_near(tribo_object_mass(&rigid), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows__keep_their_numbers_and_names),
      cmocka_unit_test(rows__are_whole),
      cmocka_unit_test(rows__have_the_parameters_of_their_group),
      cmocka_unit_test(lists_of_kinds__read_as_a_sentence),
      cmocka_unit_test(mass__is_density_times_what_the_mesh_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
