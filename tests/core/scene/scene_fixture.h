/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_fixture: an empty scene, and small objects that a claim may add or spoil.
 */
#ifndef TESTS_CORE_SCENE_SCENE_FIXTURE_H
#define TESTS_CORE_SCENE_SCENE_FIXTURE_H

#include "claims.h"
#include "scene/scene.h"
#include "small.h"

typedef struct fixture {
  tribo_scene *scene;
  small_sheet sheet;
  small_block block;
  small_shell ramp, stone;
  small_caged caged;
} fixture;

static inline int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  small_sheet_make(&f->sheet);
  small_block_make(&f->block);
  small_ramp_make(&f->ramp);
  small_stone_make(&f->stone);
  small_caged_make(&f->caged);
  *state = f;
  return scene_create(&f->scene, NULL) == TRIBO_OK ? 0 : -1;
}

static inline int tear_down(void **state) {
  fixture *f = *state;
  scene_free(f->scene);
  free(f);
  return 0;
}

/* The object is refused in these words and the scene stays as it was. */
#define claim_refused(f, def, words)                                                               \
  do {                                                                                             \
    uint64_t before_ = scene_hash((f)->scene);                                                     \
    size_t count_ = (f)->scene->objects.count, index_ = 77;                                        \
    claim_fails(scene_add((f)->scene, (def), &index_, err), TRIBO_BAD_INPUT, words);               \
    assert_int_equal((f)->scene->objects.count, count_);                                           \
    assert_int_equal(index_, 77);                                                                  \
    assert_true(scene_hash((f)->scene) == before_);                                                \
    assert_int_equal(scene_add((f)->scene, (def), NULL, NULL), TRIBO_BAD_INPUT);                   \
  } while (0)

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
