/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * make_scene NAME DIR [RESOLUTION]: writes a shared scene as a bundle for `tribo bake`.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: make_scene NAME DIR [RESOLUTION]\nscenes:\n");
    size_t recipes;
    const scene_recipe *all = scenes_all(&recipes);
    for (size_t k = 0; k < recipes; k++) fprintf(stderr, "  %-16s %s\n", all[k].name, all[k].about);
    return 2;
  }
  tribo_error err = {0};
  tribo_scene *scene = NULL;
  tribo_status status = scenes_make(words[1], count > 3 ? atoi(words[3]) : 0, &scene, &err);
  if (status == TRIBO_OK) status = tribo_scene_write(scene, words[2], &err);
  tribo_scene_free(scene);
  if (status != TRIBO_OK) fprintf(stderr, "make_scene: %s\n", err.message);
  return status == TRIBO_OK ? 0 : 2;
}
