/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recipes: a scene by its recipe for a bench, which has nothing to measure where that fails.
 */
#ifndef TESTS_BENCH_RECIPES_H
#define TESTS_BENCH_RECIPES_H

#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"

enum { RECIPE_WORDS = 6 };

static inline void bench_die(const tribo_error *err) {
  fprintf(stderr, "bench: %s\n", err->message);
  exit(1);
}

/* options: up to the first NULL. */
static inline tribo_scene *bench_scene(const char *recipe,
                                       const char *const options[RECIPE_WORDS]) {
  tribo_error err = {0};
  tribo_scene *scene = NULL;
  size_t words = 0;
  while (words < RECIPE_WORDS && options[words]) words++;
  if (scenes_make_with(recipe, options, words, &scene, &err) != TRIBO_OK) bench_die(&err);
  return scene;
}

#endif
