/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/wedge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "cache/writer.h"
#include "scene/json.h"
#include "wedge/embedded.h"
#include "wedge/json_text.h"
#include "wedge/key.h"

enum { FORMAT = 1, LABEL = 4096 };

/* ---- names ---- */

void wedge_hash_text(uint64_t hash, char out[WEDGE_HASH_SIZE]) {
  snprintf(out, WEDGE_HASH_SIZE, "%016" PRIx64, hash);
}

char *wedge_path(const tribo_wedge *w, const char *part, uint64_t hash, const char *ending) {
  char text[WEDGE_HASH_SIZE], name[128];
  wedge_hash_text(hash, text);
  snprintf(name, sizeof name, "%s/%s%s", part, text, ending);
  return file_join(w->folder, name);
}

static void put_short(const cJSON *value, char *out, size_t size) {
  char text[NUMBER_SIZE];
  if (cJSON_IsNumber(value)) {
    number_print(text, value->valuedouble, 5);
    snprintf(out, size, "%s", text);
  } else if (cJSON_IsString(value)) {
    snprintf(out, size, "%s", value->valuestring);
  } else {
    char *json = cJSON_PrintUnformatted(value);
    snprintf(out, size, "%s", json ? json : "");
    cJSON_free(json);
  }
}

char *wedge_label(const cJSON *values) {
  char label[LABEL] = "", name[256], value[256];
  size_t length = 0;
  for (const cJSON *v = values ? values->child : NULL; v && length < sizeof label - 1;
       v = v->next) {
    key_short(v->string, name, sizeof name);
    put_short(v, value, sizeof value);
    length += (size_t)snprintf(label + length, sizeof label - length, "%s%s %s", length ? ", " : "",
                               name, value);
  }
  return text_copy(*label ? label : "as it is");
}

/* ---- items ---- */

static size_t first_of(const tribo_wedge *w, uint64_t hash) {
  for (size_t i = 0; i < w->items.count; i++)
    if (w->items.data[i].hash == hash) return w->items.data[i].same_as;
  return w->items.count;
}

static void free_item(wedge_item *item) {
  cJSON_Delete(item->values);
  free(item->label);
  free(item->scene);
  free(item->bake);
}

tribo_status wedge_push(tribo_wedge *w, uint64_t hash, cJSON *values, int start, int end,
                        double memory, tribo_error *err) {
  wedge_item item = {.hash = hash,
                     .same_as = first_of(w, hash),
                     .values = values,
                     .label = wedge_label(values),
                     .scene = wedge_path(w, "scenes", hash, ".json"),
                     .bake = wedge_path(w, "bakes", hash, ""),
                     .start = start,
                     .end = end,
                     .memory = memory};
  if (item.values && item.label && item.scene && item.bake && ARRAY_PUSH(w->items, item))
    return TRIBO_OK;
  free_item(&item);
  return status_no_memory(err, "a wedge");
}

/* ---- making and ending ---- */

static tribo_status make(const char *folder, tribo_wedge **out, tribo_error *err) {
  *out = calloc(1, sizeof **out);
  if (*out) (*out)->folder = text_copy(folder);
  if (*out && (*out)->folder) return TRIBO_OK;
  free(*out);
  *out = NULL;
  return status_no_memory(err, "a wedge");
}

void wedge_free(tribo_wedge *w) {
  if (!w) return;
  for (size_t i = 0; i < w->items.count; i++) free_item(&w->items.data[i]);
  for (size_t i = 0; i < w->axes.count; i++) {
    free(w->axes.data[i].key);
    cJSON_Delete(w->axes.data[i].values);
  }
  for (size_t i = 0; i < w->shared.count; i++) {
    free(w->shared.data[i].from);
    free(w->shared.data[i].name);
  }
  ARRAY_FREE(w->items);
  ARRAY_FREE(w->axes);
  ARRAY_FREE(w->shared);
  free(w->folder);
  free(w);
}

tribo_status wedge_create(const char *folder, tribo_wedge **out, tribo_error *err) {
  static const char *const parts[] = {"scenes", "shared", "bakes", "runs"};
  *out = NULL;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char *path = file_join(folder, parts[i]);
    if (!path) return status_no_memory(err, "a path");
    tribo_status status = file_make_folder(path, err);
    free(path);
    TRY(status);
  }
  return make(folder, out, err);
}

/* ---- wedge.json ---- */

static void put_axes(writer *out, const tribo_wedge *w) {
  writer_key(out, "axes");
  writer_open(out, '[');
  for (size_t i = 0; i < w->axes.count; i++) {
    writer_open(out, '{');
    writer_key(out, "key");
    writer_string(out, w->axes.data[i].key);
    writer_key(out, "values");
    json_text_put(out, w->axes.data[i].values);
    writer_key(out, "together");
    writer_bool(out, w->axes.data[i].together);
    writer_close(out, '}');
  }
  writer_close(out, ']');
}

static void put_items(writer *out, const tribo_wedge *w) {
  char hash[WEDGE_HASH_SIZE];
  writer_key(out, "items");
  writer_open(out, '[');
  for (size_t i = 0; i < w->items.count; i++) {
    const wedge_item *item = &w->items.data[i];
    writer_open(out, '{');
    writer_key(out, "hash");
    wedge_hash_text(item->hash, hash);
    writer_string(out, hash);
    writer_key(out, "values");
    json_text_put(out, item->values);
    writer_key(out, "start");
    writer_integer(out, item->start);
    writer_key(out, "end");
    writer_integer(out, item->end);
    writer_key(out, "memory");
    writer_number(out, item->memory);
    writer_close(out, '}');
  }
  writer_close(out, ']');
}

/* The script that renders pictures goes along: a farm's machine has Blender, but not our sources.
 */
static tribo_status write_script(const tribo_wedge *w, tribo_error *err) {
  char *path = file_join(w->folder, "pictures.py"), *text = embedded_fill("pictures.py", NULL, 0);
  tribo_status status = path && text ? file_write(path, text, strlen(text), err)
                                     : status_no_memory(err, "pictures.py");
  free(path);
  free(text);
  return status;
}

tribo_status wedge_write(const tribo_wedge *w, tribo_error *err) {
  TRY(write_script(w, err));
  writer out = {.pretty = false};
  writer_open(&out, '{');
  writer_key(&out, "tribo_wedge");
  writer_integer(&out, FORMAT);
  put_axes(&out, w);
  put_items(&out, w);
  writer_close(&out, '}');
  writer_newline(&out);
  char *path = file_join(w->folder, WEDGE_FILE);
  tribo_status status = out.failed || !path ? status_no_memory(err, WEDGE_FILE)
                                            : file_write(path, out.data, out.size, err);
  free(path);
  writer_free(&out);
  return status;
}

static bool read_hash(const cJSON *value, uint64_t *out) {
  char *end;
  if (!cJSON_IsString(value) || strlen(value->valuestring) != WEDGE_HASH_SIZE - 1) return false;
  if (strspn(value->valuestring, "0123456789abcdef") != WEDGE_HASH_SIZE - 1) return false;
  *out = strtoull(value->valuestring, &end, 16);
  return true;
}

static tribo_status read_item(tribo_wedge *w, const cJSON *item, tribo_error *err) {
  uint64_t hash;
  const cJSON *start = json_member(item, "start"), *end = json_member(item, "end"),
              *memory = json_member(item, "memory"), *values = json_member(item, "values");
  if (!read_hash(json_member(item, "hash"), &hash) || !cJSON_IsNumber(start) ||
      !cJSON_IsNumber(end) || !cJSON_IsNumber(memory) || !cJSON_IsObject(values))
    return status_fail(err, TRIBO_BAD_INPUT, "item %zu is not as 'tribo wedge' writes it",
                       w->items.count);
  cJSON *copy = cJSON_Duplicate(values, true);
  if (!copy) return status_no_memory(err, "an item");
  return wedge_push(w, hash, copy, start->valueint, end->valueint, memory->valuedouble, err);
}

static tribo_status read_items(tribo_wedge *w, const cJSON *root, tribo_error *err) {
  const cJSON *format = json_member(root, "tribo_wedge"), *items = json_member(root, "items");
  if (!cJSON_IsNumber(format) || format->valueint != FORMAT || !cJSON_IsArray(items))
    return status_fail(err, TRIBO_BAD_INPUT, "no wedge of this version of Tribo");
  for (const cJSON *item = items->child; item; item = item->next) TRY(read_item(w, item, err));
  return TRIBO_OK;
}

tribo_status wedge_open(const char *folder, tribo_wedge **out, tribo_error *err) {
  *out = NULL;
  char *path = file_join(folder, WEDGE_FILE);
  if (!path) return status_no_memory(err, "a path");
  file_text text = {0};
  cJSON *root = NULL;
  tribo_status status = file_read(path, &text, err);
  if (status == TRIBO_OK) status = json_parse(text.data, text.size, &root, err);
  if (status == TRIBO_OK) status = make(folder, out, err);
  if (status == TRIBO_OK) status = read_items(*out, root, err);
  if (status != TRIBO_OK) {
    status = status_prefix(err, status, "'%s' is no wedge: ", folder);
    wedge_free(*out);
    *out = NULL;
  }
  cJSON_Delete(root);
  free(text.data);
  free(path);
  return status;
}
