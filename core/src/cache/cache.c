/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "cache/folder.h"
#include "io/pc2.h"

/* Not there yet, or caught between its creation and its header. */
static bool has_begun(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && about.st_size >= PC2_HEADER_SIZE;
}

/* How many samples of an object are complete. While the journal of an overwrite is open, the files
 * are those of the bake before. */
static tribo_status count_samples(const tribo_cache *cache, const manifest_object *object,
                                  int32_t *samples, tribo_error *err) {
  *samples = 0;
  char *path = file_join(cache->folder, object->cache_file);
  if (!path) return status_no_memory(err, "a path");
  if (cache->manifest.removing.count || !has_begun(path)) {
    free(path);
    return TRIBO_OK;
  }
  pc2 file;
  tribo_status status = pc2_open(path, &file, err);
  if (status == TRIBO_OK) {
    *samples = file.samples;
    if ((size_t)file.vertices != object->vertex_count)
      status = status_fail(err, TRIBO_BAD_INPUT, "'%s' has %d vertices, bake.json says %zu", path,
                           (int)file.vertices, object->vertex_count);
    pc2_close(&file);
  }
  free(path);
  return status;
}

/* A bake that says it is running and holds no lock was killed, or ended just now: the second look
 * tells which. */
static tribo_status read_manifest(tribo_cache *cache, const char *path, bool *killed,
                                  tribo_error *err) {
  *killed = false;
  TRY(manifest_read(path, &cache->manifest, err));
  if (cache->manifest.status != MANIFEST_RUNNING || folder_is_locked(cache->folder))
    return TRIBO_OK;
  manifest_free(&cache->manifest);
  TRY(manifest_read(path, &cache->manifest, err));
  *killed = cache->manifest.status == MANIFEST_RUNNING;
  return TRIBO_OK;
}

static tribo_status look_around(tribo_cache *cache, bool killed, tribo_error *err) {
  const manifest *m = &cache->manifest;
  tribo_cache_info *info = &cache->info;
  snprintf(info->status, sizeof info->status, "%s",
           killed ? "interrupted" : manifest_status_name(m->status));
  snprintf(info->message, sizeof info->message, "%s", m->message ? m->message : "");
  memcpy(info->version, m->version, sizeof info->version);
  memcpy(info->linear_solver, m->linear_solver, sizeof info->linear_solver);
  info->scene_hash = m->scene_hash;
  info->start = m->start;
  info->end = m->end;
  info->fps = m->fps;
  info->substeps = m->substeps;
  info->threads = m->threads;
  info->deterministic = m->deterministic;
  info->contacts = m->contacts;
  info->states = m->states;
  info->verdict = m->verdict;
  info->object_count = m->objects.count;

  cache->samples = calloc(m->objects.count + 1, sizeof *cache->samples);
  if (!cache->samples) return status_no_memory(err, cache->folder);
  for (size_t i = 0; i < m->objects.count; i++) {
    TRY(count_samples(cache, &m->objects.data[i], &cache->samples[i], err));
    if (i == 0 || cache->samples[i] < info->frames) info->frames = cache->samples[i];
  }
  return TRIBO_OK;
}

/* ---- whether it is what was written ---- */

/* What --resume would do about it. */
static void say_remedy(const tribo_cache *cache, const file_damage *d, char *out, size_t size) {
  const manifest *m = &cache->manifest;
  int frame;
  bool state_there =
      sound_state(cache->folder, m, cache->sound.frames, cache->sound.vouched, &frame);
  if (d->kind == DAMAGE_MESH || d->kind == DAMAGE_PLAYBACK)
    snprintf(out, size, "; --resume writes it anew");
  else if (d->kind == DAMAGE_KEPT)
    snprintf(out, size, "; a bake can go on from any other frame");
  else if (state_there)
    snprintf(out, size, "; --resume goes back to frame %d, whose state was kept", frame);
  else
    snprintf(out, size, "; bake anew with --overwrite");
}

tribo_status cache_check(tribo_cache *cache, const tribo_damage **found, size_t *count,
                         tribo_error *err) {
  *found = NULL;
  *count = 0;
  cache->damage.count = 0;
  TRY(sound_check_all(cache->folder, &cache->manifest, &cache->sound, err));
  for (size_t i = 0; i < cache->sound.found.count; i++) {
    const file_damage *d = &cache->sound.found.data[i];
    tribo_damage told = {.file = d->file, .frame = cache->manifest.start + d->sample};
    sound_text(d, &cache->manifest, told.text);
    size_t used = strlen(told.text);
    say_remedy(cache, d, told.text + used, sizeof told.text - used);
    if (!ARRAY_PUSH(cache->damage, told)) return status_no_memory(err, "the damage");
  }
  *found = cache->damage.data;
  *count = cache->damage.count;
  return TRIBO_OK;
}

/* Instead of what stopped the reader, all that can be said of it. */
static void name_damage(tribo_cache *cache, tribo_error *err) {
  const tribo_damage *found;
  size_t count;
  tribo_error ignored;
  if (cache_check(cache, &found, &count, &ignored) == TRIBO_OK && count)
    (void)status_fail(err, TRIBO_BAD_INPUT, "'%s': %s", cache->folder, found[0].text);
}

/* ---- opening ---- */

tribo_status cache_open(const char *folder, tribo_cache **out, tribo_error *err) {
  *out = NULL;
  if (!folder_has(folder, MANIFEST_FILE))
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' holds no bake: there is no " MANIFEST_FILE,
                       folder);
  tribo_cache *cache = calloc(1, sizeof *cache);
  char *path = file_join(folder, MANIFEST_FILE);
  if (cache) cache->folder = text_copy(folder);
  bool killed = false;
  tribo_status status = cache && path && cache->folder ? read_manifest(cache, path, &killed, err)
                                                       : status_no_memory(err, folder);
  if (status == TRIBO_OK) {
    status = look_around(cache, killed, err);
    if (status == TRIBO_BAD_INPUT) name_damage(cache, err);
  }
  free(path);
  if (status != TRIBO_OK) {
    cache_free(cache);
    return status;
  }
  *out = cache;
  return TRIBO_OK;
}

void cache_free(tribo_cache *cache) {
  if (!cache) return;
  manifest_free(&cache->manifest);
  free(cache->folder);
  free(cache->samples);
  contacts_reader_free(&cache->contacts);
  verdict_reader_free(&cache->verdict);
  sound_free(&cache->sound);
  ARRAY_FREE(cache->damage);
  free(cache);
}

static tribo_status check_index(const tribo_cache *cache, size_t index, tribo_error *err) {
  if (index < cache->manifest.objects.count) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT, "there is no object number %zu in '%s', which has %zu",
                     index, cache->folder, cache->manifest.objects.count);
}

tribo_status cache_object_at(const tribo_cache *cache, size_t index, tribo_cache_object *out,
                             tribo_error *err) {
  TRY(check_index(cache, index, err));
  const manifest_object *object = &cache->manifest.objects.data[index];
  *out = (tribo_cache_object){.name = object->name,
                              .kind = object->kind,
                              .vertex_count = object->vertex_count,
                              .frames = cache->samples[index]};
  return TRIBO_OK;
}

tribo_status cache_check_range(const tribo_cache *cache, size_t index, int first, int last,
                               tribo_error *err) {
  TRY(check_index(cache, index, err));
  const tribo_cache_info *info = &cache->info;
  const char *name = cache->manifest.objects.data[index].name;
  int end = info->start + info->frames - 1;
  if (info->frames == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' of '%s' has no complete frame yet", name,
                       cache->folder);
  if (first > last)
    return status_fail(err, TRIBO_BAD_INPUT, "frames %d to %d are none; give the smaller one first",
                       first, last);
  if (first < info->start || last > end)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' of '%s' has the frames %d to %d; %d is not among them", name,
                       cache->folder, info->start, end, first < info->start ? first : last);
  return TRIBO_OK;
}

tribo_status cache_positions(const tribo_cache *cache, size_t index, int frame, double *positions,
                             tribo_error *err) {
  TRY(cache_check_range(cache, index, frame, frame, err));
  char *path = file_join(cache->folder, cache->manifest.objects.data[index].cache_file);
  if (!path) return status_no_memory(err, "a path");
  pc2 file;
  tribo_status status = pc2_open(path, &file, err);
  if (status == TRIBO_OK) {
    bool same = (size_t)file.vertices == cache->manifest.objects.data[index].vertex_count;
    status = same ? pc2_read_sample(&file, frame - cache->info.start, positions, err)
                  : status_fail(err, TRIBO_BAD_INPUT, "'%s' changed while it was read", path);
    pc2_close(&file);
  }
  free(path);
  return status;
}

tribo_status cache_contacts(tribo_cache *cache, int frame, const tribo_contact **contacts,
                            size_t *count, tribo_error *err) {
  const manifest *m = &cache->manifest;
  *contacts = NULL;
  *count = 0;
  if (!m->contacts || m->removing.count)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' has no contacts; bake with --contacts",
                       cache->folder);
  char *path = file_join(cache->folder, CONTACTS_FILE);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = contacts_read(&cache->contacts, path, m, frame, err);
  free(path);
  TRY(status);
  *contacts = cache->contacts.found.data;
  *count = cache->contacts.found.count;
  return TRIBO_OK;
}

/* ---- the verdict ---- */

static tribo_status verdict_path(const tribo_cache *cache, char **path, tribo_error *err) {
  const manifest *m = &cache->manifest;
  if (!m->verdict || m->removing.count)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' has no verdict: it was baked before there were any", cache->folder);
  *path = file_join(cache->folder, VERDICT_FILE);
  return *path ? TRIBO_OK : status_no_memory(err, "a path");
}

tribo_status cache_verdict(tribo_cache *cache, const tribo_verdict **verdict, tribo_error *err) {
  char *path;
  TRY(verdict_path(cache, &path, err));
  tribo_status status =
      verdict_sum(&cache->verdict, path, &cache->manifest, cache->info.frames, err);
  free(path);
  TRY(status);
  *verdict = &cache->verdict.verdict;
  return TRIBO_OK;
}

tribo_status cache_crossings(tribo_cache *cache, int frame, const tribo_crossing **crossings,
                             size_t *count, tribo_error *err) {
  char *path;
  *crossings = NULL;
  *count = 0;
  TRY(verdict_path(cache, &path, err));
  tribo_status status = verdict_read(&cache->verdict, path, &cache->manifest, frame, err);
  free(path);
  TRY(status);
  *count = cache->verdict.found.count;
  *crossings = *count ? cache->verdict.found.data : NULL;
  return TRIBO_OK;
}

tribo_status cache_pierced(tribo_cache *cache, int frame, const char *object,
                           const int32_t **triangles, size_t *count, tribo_error *err) {
  const tribo_crossing *crossings;
  *triangles = NULL;
  TRY(cache_crossings(cache, frame, &crossings, count, err));
  *count = 0;
  TRY(verdict_pierced(&cache->verdict, object, err));
  *count = cache->verdict.pierced.count / 3;
  *triangles = *count ? cache->verdict.pierced.data : NULL;
  return TRIBO_OK;
}
