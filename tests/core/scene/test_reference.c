/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "claims.h"

#include "base/file.h"
#include "scene/params.h"
#include "scene/scene_keys.h"
#include "tribo/scene.h"

static const char path[] = TRIBO_SOURCE_DIR "/docs/scene.md";

/* TRIBO_UPDATE=1 writes the file in place of comparing. */
static void docs_scene_md_is_what_the_tables_give(void **state) {
  (void)state;
  char *made;
  claim_ok(tribo_scene_reference(&made, err));
  if (getenv("TRIBO_UPDATE")) claim_ok(file_write(path, made, strlen(made), err));
  file_text there;
  claim_ok(file_read(path, &there, err));
  if (strcmp(made, there.data) != 0)
    fail_msg("docs/scene.md is out of date; run this test with TRIBO_UPDATE=1");
  free(there.data);
  free(made);
}

static void reference_names_every_key_and_parameter(void **state) {
  (void)state;
  char *made, cell[64];
  claim_ok(tribo_scene_reference(&made, err));
  size_t count;
  const tribo_param_info *row = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++) {
    snprintf(cell, sizeof cell, "\n| `%s` | ", row[i].name);
    assert_non_null(strstr(made, cell));
    assert_non_null(strstr(made, row[i].help));
  }
  const scene_key *key = scene_keys(&count);
  for (size_t i = 0; i < count; i++) {
    snprintf(cell, sizeof cell, "\n| `%s` | ", key[i].name);
    assert_non_null(strstr(made, cell));
  }
  free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(docs_scene_md_is_what_the_tables_give),
      cmocka_unit_test(reference_names_every_key_and_parameter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
