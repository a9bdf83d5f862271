/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wedge_fill: scenes into a wedge: what varies, every combination of it, and the files they share.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "cache/writer.h"
#include "scene/json.h"
#include "scene/scene_file.h"
#include "scene/scene_keys.h"
#include "wedge/json_text.h"
#include "wedge/key.h"
#include "wedge/memory.h"
#include "wedge/values.h"
#include "wedge/wedge.h"

enum { MOST_ITEMS = 100000, LONGEST_NAME = 80 };

/* ---- files that scenes share ---- */

static const char *known_share(const tribo_wedge *w, const char *from) {
  for (size_t i = 0; i < w->shared.count; i++)
    if (strcmp(w->shared.data[i].from, from) == 0) return w->shared.data[i].name;
  return NULL;
}

/* "mesh-0123456789abcdef.obj" of "folder/mesh.obj": its name, which people know, and what is in it.
 */
static void share_name(const char *from, uint64_t sum, char *out, size_t size) {
  const char *slash = strrchr(from, '/'), *base = slash ? slash + 1 : from;
  const char *dot = strrchr(base, '.');
  if (!dot) dot = base + strlen(base);
  int kept = (int)(dot - base) < LONGEST_NAME ? (int)(dot - base) : 0;
  snprintf(out, size, "%.*s-%016" PRIx64 "%.16s", kept, base, sum, dot);
}

/* The file in shared/ with what is in `from`: copied unless it is there. */
static tribo_status share_copy(const tribo_wedge *w, const char *from, const char *name,
                               tribo_error *err) {
  char *folder = file_join(w->folder, "shared"), *to = folder ? file_join(folder, name) : NULL;
  struct stat about;
  file_text text = {0};
  tribo_status status = to ? TRIBO_OK : status_no_memory(err, "a path");
  if (status == TRIBO_OK && stat(to, &about) != 0) {
    status = file_read(from, &text, err);
    if (status == TRIBO_OK) status = file_write(to, text.data, text.size, err);
  }
  free(text.data);
  free(folder);
  free(to);
  return status;
}

static tribo_status share(tribo_wedge *w, const char *from, const char **name, tribo_error *err) {
  *name = known_share(w, from);
  if (*name) return TRIBO_OK;
  char text[2 * LONGEST_NAME + 64];
  uint64_t sum;
  TRY(file_hash(from, &sum, err));
  share_name(from, sum, text, sizeof text);
  TRY(share_copy(w, from, text, err));
  wedge_shared entry = {text_copy(from), text_copy(text)};
  if (!entry.from || !entry.name || !ARRAY_PUSH(w->shared, entry)) {
    free(entry.from);
    free(entry.name);
    return status_no_memory(err, "a shared file");
  }
  *name = entry.name;
  return TRIBO_OK;
}

static bool is_path(const char *place, const char *name) {
  size_t count;
  const scene_key *keys = scene_keys(&count);
  for (size_t i = 0; i < count; i++)
    if (keys[i].type && strcmp(keys[i].type, "path") == 0 && strcmp(keys[i].place, place) == 0 &&
        strcmp(keys[i].name, name) == 0)
      return true;
  return false;
}

static tribo_status share_paths(tribo_wedge *w, cJSON *object, const char *place,
                                const char *folder, tribo_error *err) {
  for (cJSON *item = object ? object->child : NULL; item; item = item->next) {
    if (!cJSON_IsString(item) || !is_path(place, item->string)) continue;
    char *from = file_join(folder, item->valuestring);
    if (!from) return status_no_memory(err, "a path");
    const char *name;
    char to[2 * LONGEST_NAME + 96];
    tribo_status status = share(w, from, &name, err);
    free(from);
    TRY(status);
    snprintf(to, sizeof to, "../shared/%s", name);
    if (!cJSON_SetValuestring(item, to)) return status_no_memory(err, "a path");
  }
  return TRIBO_OK;
}

/* Every path of the scene leads into shared/ afterwards. */
static tribo_status share_all(tribo_wedge *w, cJSON *scene, const char *folder, tribo_error *err) {
  cJSON *objects = cJSON_GetObjectItemCaseSensitive(scene, "objects");
  for (cJSON *o = objects ? objects->child : NULL; o; o = o->next) {
    TRY(share_paths(w, o, "objects[]", folder, err));
    cJSON *pin = cJSON_GetObjectItemCaseSensitive(o, "pin");
    if (cJSON_IsObject(pin)) TRY(share_paths(w, pin, "objects[].pin", folder, err));
    if (cJSON_IsArray(pin))
      for (cJSON *p = pin->child; p; p = p->next)
        TRY(share_paths(w, p, "objects[].pin", folder, err));
  }
  return TRIBO_OK;
}

/* ---- one scene ---- */

static tribo_status write_scene(const tribo_wedge *w, const cJSON *json, uint64_t hash,
                                tribo_error *err) {
  writer out = {.pretty = false};
  json_text_put(&out, json);
  writer_newline(&out);
  char *path = wedge_path(w, "scenes", hash, ".json");
  tribo_status status = out.failed || !path ? status_no_memory(err, "a scene")
                                            : file_write_unsynced(path, out.data, out.size, err);
  free(path);
  writer_free(&out);
  return status;
}

/* The scene as a bake will read it: from its text, with the paths of the wedge. */
static tribo_status read_back(const tribo_wedge *w, const cJSON *json, tribo_scene **out,
                              tribo_error *err) {
  writer text = {.pretty = false};
  json_text_put(&text, json);
  writer_newline(&text);
  char *folder = file_join(w->folder, "scenes");
  tribo_status status = text.failed || !folder
                            ? status_no_memory(err, "a scene")
                            : scene_file_parse("scene", folder, text.data, text.size, out, err);
  free(folder);
  writer_free(&text);
  return status;
}

/* Takes values over, also on failure. */
static tribo_status take(tribo_wedge *w, cJSON *json, const char *folder, cJSON *values,
                         tribo_error *err) {
  tribo_scene *scene = NULL;
  double memory = 0;
  tribo_status status = share_all(w, json, folder, err);
  if (status == TRIBO_OK) status = read_back(w, json, &scene, err);
  if (status == TRIBO_OK) status = memory_estimate(scene, json, 1, &memory, err);
  if (status == TRIBO_OK) {
    uint64_t hash = tribo_scene_hash(scene);
    status = write_scene(w, json, hash, err);
    if (status == TRIBO_OK) {
      status = wedge_push(w, hash, values, scene->time.start, scene->time.end, memory, err);
      values = NULL;
    }
  }
  cJSON_Delete(values);
  scene_free(scene);
  return status;
}

static tribo_status read_json(const char *path, cJSON **out, char **folder, tribo_error *err) {
  file_text text;
  *out = NULL;
  *folder = NULL;
  TRY(file_read(path, &text, err));
  tribo_status status = json_parse(text.data, text.size, out, err);
  free(text.data);
  if (status != TRIBO_OK) return status_prefix(err, status, "%s: ", path);
  *folder = file_folder(path);
  if (*folder) return TRIBO_OK;
  cJSON_Delete(*out);
  *out = NULL;
  return status_no_memory(err, "a path");
}

tribo_status wedge_add(tribo_wedge *w, const char *scene_file, const char *const *keys,
                       const char *const *values, size_t count, tribo_error *err) {
  cJSON *json, *known = cJSON_CreateObject();
  char *folder;
  if (!known) return status_no_memory(err, "values");
  for (size_t i = 0; i < count; i++) {
    cJSON *value = cJSON_Parse(values[i]);
    if (!value) value = cJSON_CreateString(values[i]);
    if (!value || !cJSON_AddItemToObject(known, keys[i], value)) {
      cJSON_Delete(known);
      return status_no_memory(err, "values");
    }
  }
  tribo_status status = read_json(scene_file, &json, &folder, err);
  if (status != TRIBO_OK) {
    cJSON_Delete(known);
    return status;
  }
  status = take(w, json, folder, known, err);
  cJSON_Delete(json);
  free(folder);
  return status_prefix(err, status, "%s: ", scene_file);
}

/* ---- every combination ---- */

tribo_status wedge_vary(tribo_wedge *w, const char *key, const char *values, bool together,
                        tribo_error *err) {
  wedge_axis axis = {.together = together};
  if (together && w->axes.count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.200s' shall go together with what is varied before it, and nothing is",
                       key);
  for (size_t i = 0; i < w->axes.count; i++)
    if (strcmp(w->axes.data[i].key, key) == 0)
      return status_fail(err, TRIBO_BAD_INPUT, "'%.200s' is varied twice; give it once", key);
  tribo_status status = values_parse(values, &axis.values, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "%s: ", key);
  int count = cJSON_GetArraySize(axis.values);
  const wedge_axis *before = w->axes.count ? &w->axes.data[w->axes.count - 1] : NULL;
  if (together && cJSON_GetArraySize(before->values) != count) {
    cJSON_Delete(axis.values);
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.200s' has %d values and shall go together with '%.200s', which has %d; "
                       "give as many",
                       key, count, before->key, cJSON_GetArraySize(before->values));
  }
  axis.key = text_copy(key);
  if (axis.key && ARRAY_PUSH(w->axes, axis)) return TRIBO_OK;
  free(axis.key);
  cJSON_Delete(axis.values);
  return status_no_memory(err, "values");
}

/* Which value of an axis combination `number` has: the number's digit of its group, the first group
 * changing slowest. Axes that go together are one group, headed by the first. */
static int value_of(const tribo_wedge *w, size_t axis, size_t number) {
  size_t head = axis;
  while (w->axes.data[head].together) head--;
  for (size_t a = w->axes.count; a-- > head + 1;)
    if (!w->axes.data[a].together) number /= (size_t)cJSON_GetArraySize(w->axes.data[a].values);
  return (int)(number % (size_t)cJSON_GetArraySize(w->axes.data[head].values));
}

static size_t combinations(const tribo_wedge *w) {
  size_t count = 1;
  for (size_t a = 0; a < w->axes.count && count <= MOST_ITEMS; a++)
    if (!w->axes.data[a].together) count *= (size_t)cJSON_GetArraySize(w->axes.data[a].values);
  return count;
}

static tribo_status spread_one(tribo_wedge *w, const cJSON *base, const char *folder, size_t number,
                               tribo_error *err) {
  cJSON *json = cJSON_Duplicate(base, true), *values = cJSON_CreateObject();
  tribo_status status = json && values ? TRIBO_OK : status_no_memory(err, "a scene");
  for (size_t a = 0; status == TRIBO_OK && a < w->axes.count; a++) {
    const wedge_axis *axis = &w->axes.data[a];
    const cJSON *value = cJSON_GetArrayItem(axis->values, value_of(w, a, number));
    status = key_set(json, axis->key, value, err);
    if (status == TRIBO_OK &&
        !cJSON_AddItemToObject(values, axis->key, cJSON_Duplicate(value, true)))
      status = status_no_memory(err, "a value");
  }
  if (status == TRIBO_OK) {
    char *label = wedge_label(values);
    status = take(w, json, folder, values, err);
    if (status != TRIBO_OK) status = status_prefix(err, status, "%s: ", label ? label : "");
    free(label);
  } else {
    cJSON_Delete(values);
  }
  cJSON_Delete(json);
  return status;
}

tribo_status wedge_spread(tribo_wedge *w, const char *scene_file, tribo_error *err) {
  size_t count = combinations(w);
  if (count > MOST_ITEMS)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "there are more than %d combinations; vary less, or together", MOST_ITEMS);
  cJSON *base;
  char *folder;
  TRY(read_json(scene_file, &base, &folder, err));
  tribo_status status = TRIBO_OK;
  for (size_t i = 0; status == TRIBO_OK && i < count; i++)
    status = spread_one(w, base, folder, i, err);
  cJSON_Delete(base);
  free(folder);
  return status;
}
