/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scene files of any bytes, in a folder with sheet.obj, block.msh, pins.pc2 and map.png. Reads
 * only.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = 0;

  tribo_scene *scene = NULL;
  tribo_error err = {0};
  tribo_status status = scene_file_parse("scene.json", TRIBO_SOURCE_DIR "/tests/fuzz/scene", text,
                                         size, &scene, &err);
  if ((status == TRIBO_OK) != (scene != NULL)) abort();
  if (status != TRIBO_OK && (err.status != status || err.message[0] == 0)) abort();
  if (scene) {
    if (scene_check(scene, NULL) != TRIBO_OK) abort();
    (void)scene_hash(scene);
  }
  scene_free(scene);
  free(text);
  return 0;
}
