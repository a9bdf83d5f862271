/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a bake.json: refused with a message, or every file it lists stays in its folder and
 * has a name that a bake gives. An overwrite removes what stands there.
 */
#include <stdlib.h>
#include <string.h>

#include "cache/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool promise) {
  if (!promise) abort();
}

static void check_file(const char *file) {
  size_t length = strlen(file);
  require(length > 4 && !strchr(file, '/'));
  const char *ending = file + length - 4;
  require(strcmp(file, STATS_FILE) == 0 || strcmp(file, CHECKPOINT_FILE) == 0 ||
          strcmp(ending, ".pc2") == 0 || strcmp(ending, ".obj") == 0 ||
          strcmp(ending, ".msh") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The reader promises not to look past `size`: give it a copy that ends there. */
  char *text = malloc(size + 1);
  require(text != NULL);
  memcpy(text, data, size);
  text[size] = 0;
  manifest m;
  tribo_error err = {0};
  if (manifest_parse("fuzz", text, size, &m, &err) == TRIBO_OK) {
    require(m.end >= m.start && m.fps > 0 && m.substeps >= 1 && m.threads >= 1);
    const char *file;
    for (size_t i = 0; (file = manifest_file(&m, i)); i++) check_file(file);
    for (size_t i = 0; i < m.removing.count; i++) check_file(m.removing.data[i]);
    manifest_free(&m);
  } else {
    require(err.status == TRIBO_BAD_INPUT && err.message[0] && !m.objects.data);
  }
  free(text);
  return 0;
}
