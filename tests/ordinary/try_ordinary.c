/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * try_ordinary: takes a film of an ordinary scene (scenes_ordinary.h) and judges it.
 *
 *   try_ordinary SCENE FILM [--claim] [method=N] [quality=N] [substeps=N] [KEY=VALUE ...]
 *
 * quality 3 is final, 2 good, 1 preview; method the number of TRIBO_METHOD_..., -1 and substeps 0:
 * as quality chooses. Other keys are the scene's own (`make_scene NAME`). Prints a row of the table
 * of docs/ordinary_scenes.md. With --claim it fails where something crosses, is below the floor,
 * or is stretched by more than its limit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "film.h"
#include "scenes/scenes_contact.h"
#include "sight.h"

typedef struct asked {
  const char *scene, *film;
  bool claim;
  int method, quality, substeps;
  const char *words[16]; /* of the scene */
  size_t word_count;
} asked;

static bool take_word(const char *word, const char *key, int *value) {
  size_t length = strlen(key);
  if (strncmp(word, key, length) != 0 || word[length] != '=') return false;
  *value = atoi(word + length + 1);
  return true;
}

static bool read_words(int count, char **words, asked *out) {
  *out = (asked){.method = TRIBO_METHOD_BARRIER, .quality = TRIBO_QUALITY_GOOD};
  if (count < 3) return false;
  out->scene = words[1], out->film = words[2];
  for (int w = 3; w < count; w++) {
    bool claim = strcmp(words[w], "--claim") == 0;
    out->claim |= claim;
    if (claim || take_word(words[w], "method", &out->method) ||
        take_word(words[w], "quality", &out->quality) ||
        take_word(words[w], "substeps", &out->substeps))
      continue;
    if (out->word_count == sizeof out->words / sizeof *out->words) return false;
    out->words[out->word_count++] = words[w];
  }
  return true;
}

static tribo_status set_number(tribo_scene *scene, const char *key, int value, tribo_error *err) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  return tribo_scene_set(scene, key, text, err);
}

static tribo_status set_up(const asked *a, tribo_scene **out, tribo_error *err) {
  static const char *const QUALITIES[] = {"custom", "preview", "good", "final"};
  static const char *const METHODS[] = {"forwarding", "elastic", "projective", "barrier"};
  tribo_status status = scenes_make_with(a->scene, a->words, a->word_count, out, err);
  if (status != TRIBO_OK) return status;
  tribo_scene_solver(*out)->on_failure = TRIBO_ON_FAILURE_CONTINUE;
  status = tribo_scene_set(*out, "quality", QUALITIES[a->quality & 3], err);
  if (status == TRIBO_OK && a->method >= 0)
    status = tribo_scene_set(*out, "method", METHODS[a->method & 3], err);
  if (status == TRIBO_OK && a->substeps > 0)
    status = set_number(*out, "time.substeps", a->substeps, err);
  return status;
}

/* The strain that one edge in a hundred may exceed. A sleeve that was cut straight has a longer way
 * around the outside of an elbow than it is long: it has to stretch, or to slide on the arm. */
static double most_stretch(const char *scene) { return strcmp(scene, "sleeve") == 0 ? 0.15 : 0.1; }

static int judge(const asked *a, const film_report *took) {
  static const char *const METHODS[] = {"forwarding", "elastic", "projective", "barrier"};
  recording film;
  sight saw;
  if (!recording_read(&film, a->film) || !sight_of(&film, &saw)) return 2;
  recording_free(&film);
  printf("| %s | %s | %d | %d | %ld | %d | %.1f | %.1f | %.2g | %d | %.1f | %.1g | %.3f |\n",
         a->scene, METHODS[took->method], took->substeps, saw.points, saw.crossings,
         saw.crossed_frames, 1e3 * fmin(saw.low, 9.999), 1e2 * saw.stretch, 1e3 * saw.speed,
         took->unsolved, (double)took->iterations / took->steps, took->friction,
         took->seconds / took->frames);
  bool right =
      saw.finite && saw.crossings == 0 && saw.low > -1e-3 && saw.stretch < most_stretch(a->scene);
  return a->claim && !right ? 1 : 0;
}

int main(int count, char **words) {
  asked a;
  tribo_error err = {0};
  tribo_scene *scene = NULL;
  film_report took;
  if (!read_words(count, words, &a)) {
    fprintf(stderr, "usage: try_ordinary SCENE FILM [--claim] [KEY=VALUE ...]\n");
    return 2;
  }
  tribo_status status = set_up(&a, &scene, &err);
  if (status == TRIBO_OK) status = film_take(scene, a.film, &took, &err);
  tribo_scene_free(scene);
  if (status != TRIBO_OK) fprintf(stderr, "try_ordinary: %s: %s\n", a.scene, err.message);
  return status == TRIBO_OK ? judge(&a, &took) : 2;
}
