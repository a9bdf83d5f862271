/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wedge_api: the public functions of tribo/wedge.h: what is passed is looked at once, here.
 */
#include "base/status.h"
#include "farm/engine.h"
#include "wedge/attempt.h"
#include "wedge/memory.h"
#include "wedge/outcome.h"

static tribo_status missing(tribo_error *err, const char *function, const char *what) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s: %s is NULL", function, what);
}

static tribo_status no_item(tribo_error *err, const tribo_wedge *wedge, size_t number) {
  return status_fail(err, TRIBO_BAD_INPUT, "there is no scene %zu in '%s'; they are 0 to %zu",
                     number, wedge->folder, wedge->items.count - 1);
}

tribo_status tribo_wedge_create(const char *folder, tribo_wedge **out, tribo_error *err) {
  if (!out) return missing(err, __func__, "out");
  *out = NULL;
  if (!folder) return missing(err, __func__, "folder");
  if (!folder[0]) return status_fail(err, TRIBO_BAD_INPUT, "the wedge's folder has no name");
  return wedge_create(folder, out, err);
}

tribo_status tribo_wedge_open(const char *folder, tribo_wedge **out, tribo_error *err) {
  if (!out) return missing(err, __func__, "out");
  *out = NULL;
  return folder ? wedge_open(folder, out, err) : missing(err, __func__, "folder");
}

void tribo_wedge_free(tribo_wedge *wedge) { wedge_free(wedge); }

tribo_status tribo_wedge_vary(tribo_wedge *wedge, const char *key, const char *values,
                              bool together, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  if (!key || !values) return missing(err, __func__, "key or values");
  return wedge_vary(wedge, key, values, together, err);
}

tribo_status tribo_wedge_spread(tribo_wedge *wedge, const char *scene_file, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  return scene_file ? wedge_spread(wedge, scene_file, err) : missing(err, __func__, "scene_file");
}

tribo_status tribo_wedge_add(tribo_wedge *wedge, const char *scene_file, const char *const *keys,
                             const char *const *values, size_t count, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  if (!scene_file) return missing(err, __func__, "scene_file");
  if (count && (!keys || !values)) return missing(err, __func__, "keys or values");
  return wedge_add(wedge, scene_file, keys, values, count, err);
}

tribo_status tribo_wedge_write(tribo_wedge *wedge, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  if (wedge->items.count == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "the wedge has no scenes; add some");
  return wedge_write(wedge, err);
}

const char *tribo_wedge_folder(const tribo_wedge *wedge) { return wedge ? wedge->folder : NULL; }

size_t tribo_wedge_count(const tribo_wedge *wedge) { return wedge ? wedge->items.count : 0; }

bool tribo_wedge_item_at(const tribo_wedge *wedge, size_t number, tribo_wedge_item *out) {
  if (!wedge || !out || number >= wedge->items.count) return false;
  const wedge_item *item = &wedge->items.data[number];
  *out = (tribo_wedge_item){.hash = item->hash,
                            .same_as = item->same_as,
                            .label = item->label,
                            .scene = item->scene,
                            .bake = item->bake,
                            .start = item->start,
                            .end = item->end,
                            .memory = item->memory};
  return true;
}

tribo_status tribo_scene_memory(const tribo_scene *scene, int threads, double *bytes,
                                tribo_error *err) {
  if (!scene) return missing(err, __func__, "scene");
  return bytes ? memory_estimate(scene, NULL, threads, bytes, err)
               : missing(err, __func__, "bytes");
}

tribo_status tribo_wedge_outcome_of(const tribo_wedge *wedge, size_t number,
                                    tribo_wedge_outcome *out, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  if (!out) return missing(err, __func__, "out");
  if (number >= wedge->items.count) return no_item(err, wedge, number);
  return outcome_of(wedge, number, out, err);
}

const char *tribo_wedge_state_name(tribo_wedge_state state) { return outcome_state_name(state); }

tribo_status tribo_wedge_report(const tribo_wedge *wedge, char **json, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  return json ? outcome_report(wedge, json, err) : missing(err, __func__, "json");
}

tribo_status tribo_wedge_sheet(const tribo_wedge *wedge, tribo_error *err) {
  return wedge ? sheet_write(wedge, err) : missing(err, __func__, "wedge");
}

tribo_status tribo_wedge_attempt_begin(const tribo_wedge *wedge, size_t number,
                                       tribo_wedge_attempt **out, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  if (!out) return missing(err, __func__, "out");
  if (number >= wedge->items.count) return no_item(err, wedge, number);
  return attempt_begin(wedge, number, out, err);
}

void tribo_wedge_attempt_beat(tribo_wedge_attempt *attempt, double peak_memory) {
  if (attempt) attempt_beat(attempt, peak_memory);
}

void tribo_wedge_attempt_end(tribo_wedge_attempt *attempt, int exit_code, int signal_number,
                             double peak_memory, const char *message) {
  if (attempt) attempt_end(attempt, exit_code, signal_number, peak_memory, message ? message : "");
}

const tribo_farm_engine *tribo_farm_engine_at(size_t number) { return engine_at(number); }

tribo_status tribo_farm_write(const tribo_wedge *wedge, const char *engine,
                              const tribo_farm_options *options, tribo_error *err) {
  if (!wedge) return missing(err, __func__, "wedge");
  if (!engine) return missing(err, __func__, "engine");
  tribo_farm_options defaults = {0};
  return engine_write(wedge, engine, options ? options : &defaults, err);
}
