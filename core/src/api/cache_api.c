/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cache_api: the public functions of tribo/cache.h: what is passed is looked at once, here.
 */
#include "base/status.h"
#include "cache/bake.h"
#include "cache/cache.h"
#include "cache/export.h"
#include "cache/states.h"

static tribo_status missing(tribo_error *err, const char *function, const char *what) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s: %s is NULL", function, what);
}

tribo_status tribo_bake(const tribo_scene *scene, const char *folder,
                        const tribo_bake_options *options, tribo_error *err) {
  if (!scene) return missing(err, __func__, "scene");
  if (!folder) return missing(err, __func__, "folder");
  if (!folder[0]) return status_fail(err, TRIBO_BAD_INPUT, "the folder to bake into has no name");
  tribo_bake_options defaults = {0};
  return bake_run(scene, folder, options ? options : &defaults, err);
}

tribo_status tribo_cache_open(const char *folder, tribo_cache **out, tribo_error *err) {
  if (!out) return missing(err, __func__, "out");
  *out = NULL;
  if (!folder) return missing(err, __func__, "folder");
  return cache_open(folder, out, err);
}

void tribo_cache_free(tribo_cache *cache) { cache_free(cache); }

const tribo_cache_info *tribo_cache_about(const tribo_cache *cache) {
  return cache ? &cache->info : NULL;
}

tribo_status tribo_cache_object_at(const tribo_cache *cache, size_t index, tribo_cache_object *out,
                                   tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!out) return missing(err, __func__, "out");
  return cache_object_at(cache, index, out, err);
}

tribo_status tribo_cache_positions(tribo_cache *cache, size_t index, int frame, double *positions,
                                   tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!positions) return missing(err, __func__, "positions");
  return cache_positions(cache, index, frame, positions, err);
}

tribo_status tribo_cache_contacts(tribo_cache *cache, int frame, const tribo_contact **contacts,
                                  size_t *count, tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!contacts || !count) return missing(err, __func__, "contacts or count");
  return cache_contacts(cache, frame, contacts, count, err);
}

tribo_status tribo_cache_verdict(tribo_cache *cache, const tribo_verdict **verdict,
                                 tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!verdict) return missing(err, __func__, "verdict");
  return cache_verdict(cache, verdict, err);
}

tribo_status tribo_cache_crossings(tribo_cache *cache, int frame, const tribo_crossing **crossings,
                                   size_t *count, tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!crossings || !count) return missing(err, __func__, "crossings or count");
  return cache_crossings(cache, frame, crossings, count, err);
}

tribo_status tribo_cache_pierced(tribo_cache *cache, int frame, const char *object,
                                 const int32_t **triangles, size_t *count, tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!object) return missing(err, __func__, "object");
  if (!triangles || !count) return missing(err, __func__, "triangles or count");
  return cache_pierced(cache, frame, object, triangles, count, err);
}

tribo_status tribo_cache_check(tribo_cache *cache, const tribo_damage **found, size_t *count,
                               tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!found || !count) return missing(err, __func__, "found or count");
  return cache_check(cache, found, count, err);
}

tribo_status tribo_cache_states(const tribo_cache *cache, int **frames, size_t *count,
                                tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!frames || !count) return missing(err, __func__, "frames or count");
  *frames = NULL;
  *count = 0;
  if (!cache->manifest.states || cache->manifest.removing.count) return TRIBO_OK;
  return states_list(cache->folder, frames, count, err);
}

tribo_status tribo_cache_export(tribo_cache *cache, size_t index, tribo_export_format format,
                                int first, int last, const char *folder, tribo_error *err) {
  if (!cache) return missing(err, __func__, "cache");
  if (!folder) return missing(err, __func__, "folder");
  if (format < TRIBO_EXPORT_MDD || format > TRIBO_EXPORT_PC2)
    return status_fail(err, TRIBO_BAD_INPUT, "export format %d is unknown", (int)format);
  return export_run(cache, index, format, first, last, folder, err);
}
