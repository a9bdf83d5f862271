/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bundle: the scene of a node as files for `tribo bake`, with what is needed to play the cache back
 * in Houdini: `houdini.points`, whose lines are the name of a simulated object, the number of its
 * points, and which points of the first input they are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

static bool read_all(const hou_host *host, double frame, hou_input inputs[HOU_INPUTS],
                     tribo_error *err) {
  bool ok = true;
  for (int i = 0; i < HOU_INPUTS; i++) inputs[i] = (hou_input){0};
  for (int i = 0; ok && i < HOU_INPUTS; i++) ok = host->read(host->user, i, frame, inputs + i, err);
  for (int i = 0; !ok && i < HOU_INPUTS; i++) hou_input_clear(inputs + i);
  return ok;
}

/* All samples behind the first. */
static tribo_status read_frames(const hou_host *host, hou_reading *r, int start, int end,
                                int samples, tribo_error *err) {
  int count = (end - start) * samples;
  for (int i = 1; i <= count; i++) {
    hou_input inputs[HOU_INPUTS];
    double at = start + (double)i / samples;
    if (host->pressed(host->user, 100 * i / count))
      return hou_fail(err, TRIBO_CANCELLED, "the bundle was stopped at frame %g", at);
    if (!read_all(host, at, inputs, err)) return TRIBO_BAD_INPUT;
    tribo_status status = hou_reading_check(r, inputs, at, err);
    if (status == TRIBO_OK) status = hou_reading_append(r, inputs, err);
    for (int k = 0; k < HOU_INPUTS; k++) hou_input_clear(inputs + k);
    if (status != TRIBO_OK) return status;
  }
  return TRIBO_OK;
}

static tribo_status write_points(const hou_objects *o, const char *folder, tribo_error *err) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/houdini.points", folder) >= (int)sizeof path)
    return hou_fail(err, TRIBO_IO, "the folder's name is too long: %.200s", folder);
  FILE *file = fopen(path, "w");
  if (!file) return hou_fail(err, TRIBO_IO, "cannot write '%.900s'", path);
  for (size_t i = 0; i < o->count; i++) {
    const hou_object *object = o->items + i;
    if (!object->kind->simulated) continue;
    fprintf(file, "%s\n%zu\n", object->name, object->vertex_count);
    for (size_t v = 0; v < object->vertex_count; v++)
      fprintf(file, v + 1 < object->vertex_count ? "%d " : "%d", (int)object->points[v]);
    fputc('\n', file);
  }
  bool bad = ferror(file) != 0;
  if (fclose(file) != 0 || bad)
    return hou_fail(err, TRIBO_IO, "cannot write '%.900s'; is the disk full?", path);
  return TRIBO_OK;
}

/* What playing would choose: by the start frame alone, for it does not know the rest. */
static tribo_status choose(const hou_reading *r, const hou_settings *settings, hou_time time,
                           tribo_choice *choice, double **thickness, hou_say *say,
                           tribo_error *err) {
  tribo_scene *scene = NULL;
  *thickness = calloc(r->objects.count + 1, sizeof **thickness);
  if (!*thickness) return hou_no_memory(err);
  tribo_status status = hou_scene_build(r, settings, time, NULL, NULL, &scene, say, err);
  if (status == TRIBO_OK) status = tribo_scene_choice(scene, choice, *thickness, err);
  tribo_scene_free(scene);
  return status;
}

static tribo_status write_scene(const hou_host *host, hou_reading *r, const hou_settings *settings,
                                hou_time time, const char *folder, hou_say *say, tribo_error *err) {
  tribo_choice choice;
  double *thickness = NULL;
  tribo_scene *scene = NULL;
  int samples = (int)fmin(fmax(settings->values[HOU_PARM_SAMPLES][0], 1), 32);
  tribo_status status = choose(r, settings, time, &choice, &thickness, say, err);
  if (status == TRIBO_OK) status = read_frames(host, r, time.start, time.end, samples, err);
  bool chosen = status == TRIBO_OK && choice.quality != TRIBO_QUALITY_CUSTOM;
  if (status == TRIBO_OK)
    status = hou_scene_build(r, settings, time, chosen ? &choice : NULL, chosen ? thickness : NULL,
                             &scene, say, err);
  if (status == TRIBO_OK) status = tribo_scene_write(scene, folder, err);
  if (status == TRIBO_OK) status = write_points(&r->objects, folder, err);
  tribo_scene_free(scene);
  free(thickness);
  return status;
}

tribo_status hou_bundle_write(const hou_host *host, const hou_settings *settings, int end,
                              const char *folder, hou_say *say, tribo_error *err) {
  tribo_error own = {0};
  if (!err) err = &own;
  int start = (int)lround(settings->values[HOU_PARM_START][0]);
  if (end < start)
    return hou_fail(err, TRIBO_BAD_INPUT,
                    "the last frame, %d, is before the first, %d; set End "
                    "Frame behind Start Frame",
                    end, start);
  hou_input inputs[HOU_INPUTS];
  hou_reading reading = {0};
  if (!read_all(host, start, inputs, err)) return TRIBO_BAD_INPUT;
  tribo_status status = hou_reading_begin(&reading, inputs, settings, say, err);
  hou_time time = {start, end, host->fps};
  if (status == TRIBO_OK) status = write_scene(host, &reading, settings, time, folder, say, err);
  if (status != TRIBO_OK) {
    char words[TRIBO_MESSAGE_SIZE];
    hou_objects_translate(&reading.objects, err->message, words, sizeof words);
    memcpy(err->message, words, sizeof words);
  }
  hou_reading_free(&reading);
  return status;
}
