/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * make_scene NAME DIR [RESOLUTION | KEY=VALUE ...]: writes a shared scene as a bundle for `tribo
 * bake`. make_scene NAME alone: the options of that scene; make_scene alone: the scenes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scenes.h"
#include "scenes/scenes_contact.h"

static void list_scenes(void) {
  fprintf(stderr, "usage: make_scene NAME DIR [RESOLUTION | KEY=VALUE ...]\nscenes:\n");
  size_t count;
  const scene_recipe *plain = scenes_all(&count);
  for (size_t k = 0; k < count; k++) fprintf(stderr, "  %-18s %s\n", plain[k].name, plain[k].about);
  const contact_recipe *contact = contact_recipes(&count);
  for (size_t k = 0; k < count; k++)
    fprintf(stderr, "  %-18s %s\n", contact[k].name, contact[k].about);
}

static void list_options(const char *name) {
  size_t count;
  const contact_recipe *all = contact_recipes(&count);
  for (size_t k = 0; k < count; k++) {
    if (strcmp(all[k].name, name) != 0) continue;
    fprintf(stderr, "%s: %s\n", name, all[k].about);
    for (size_t o = 0; o < all[k].option_count; o++)
      fprintf(stderr, "  %-10s %-8g %s\n", all[k].options[o].name, all[k].options[o].value,
              all[k].options[o].about);
    return;
  }
  list_scenes();
}

int main(int count, char **words) {
  if (count < 3) {
    if (count == 2)
      list_options(words[1]);
    else
      list_scenes();
    return 2;
  }
  tribo_error err = {0};
  tribo_scene *scene = NULL;
  tribo_status status;
  if (count == 4 && !strchr(words[3], '='))
    status = scenes_make(words[1], atoi(words[3]), &scene, &err);
  else
    status =
        scenes_make_with(words[1], (const char *const *)words + 3, (size_t)count - 3, &scene, &err);
  if (status == TRIBO_OK) status = tribo_scene_write(scene, words[2], &err);
  tribo_scene_free(scene);
  if (status != TRIBO_OK) fprintf(stderr, "make_scene: %s\n", err.message);
  return status == TRIBO_OK ? 0 : 2;
}
