/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/manifest.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cache/writer.h"
#include "kinds/kind.h"
#include "scene/quality.h"

static const char *const STATUS_NAMES[] = {"running", "done", "cancelled", "failed"};

enum { STATUS_COUNT = sizeof STATUS_NAMES / sizeof *STATUS_NAMES };

const char *manifest_status_name(manifest_status status) { return STATUS_NAMES[status]; }

/* ---- building ---- */

static char *with_ending(const char *name, const char *ending) {
  size_t a = strlen(name), b = strlen(ending);
  char *joined = malloc(a + b + 1);
  if (!joined) return NULL;
  memcpy(joined, name, a);
  memcpy(joined + a, ending, b + 1);
  return joined;
}

static void object_free(manifest_object *object) {
  free(object->name);
  free(object->mesh_file);
  free(object->cache_file);
  free(object->local_file);
}

tribo_status manifest_add_object(manifest *m, const char *name, tribo_kind kind, bool tets,
                                 size_t vertex_count, tribo_error *err) {
  manifest_object object = {.name = text_copy(name),
                            .kind = kind,
                            .vertex_count = vertex_count,
                            .mesh_file = with_ending(name, tets ? ".msh" : ".obj"),
                            .cache_file = with_ending(name, ".pc2")};
  if (!object.name || !object.mesh_file || !object.cache_file || !ARRAY_PUSH(m->objects, object)) {
    object_free(&object);
    return status_no_memory(err, "the list of objects");
  }
  return TRIBO_OK;
}

tribo_status manifest_add_local(manifest *m, tribo_error *err) {
  manifest_object *object = &m->objects.data[m->objects.count - 1];
  object->local_file = with_ending(object->name, ".local.pc2");
  return object->local_file ? TRIBO_OK : status_no_memory(err, "the list of objects");
}

tribo_status manifest_add_removing(manifest *m, const char *file, tribo_error *err) {
  for (size_t i = 0; i < m->removing.count; i++)
    if (strcmp(m->removing.data[i], file) == 0) return TRIBO_OK;
  char *copy = text_copy(file);
  if (!copy || !ARRAY_PUSH(m->removing, copy)) {
    free(copy);
    return status_no_memory(err, "the list of files to remove");
  }
  return TRIBO_OK;
}

void manifest_clear_removing(manifest *m) {
  for (size_t i = 0; i < m->removing.count; i++) free(m->removing.data[i]);
  ARRAY_FREE(m->removing);
}

const char *manifest_file(const manifest *m, size_t i) {
  if (i == 0) return CHECKPOINT_FILE; /* first, because it vouches for the others */
  if (i == 1) return STATS_FILE;
  i -= 2;
  if (m->verdict && i-- == 0) return VERDICT_FILE;
  if (m->contacts && i-- == 0) return CONTACTS_FILE;
  if (m->states && i-- == 0) return STATES_FOLDER;
  for (size_t k = 0; k < m->objects.count; k++) {
    const manifest_object *object = &m->objects.data[k];
    if (i-- == 0) return object->cache_file;
    if (i-- == 0) return object->mesh_file;
    if (object->local_file && i-- == 0) return object->local_file;
  }
  return NULL;
}

void manifest_free(manifest *m) {
  free(m->message);
  free(m->said);
  for (size_t i = 0; i < m->objects.count; i++) object_free(&m->objects.data[i]);
  ARRAY_FREE(m->objects);
  manifest_clear_removing(m);
  *m = (manifest){0};
}

/* ---- writing ---- */

static void print_object(writer *w, const manifest_object *object) {
  writer_open(w, '{');
  writer_key(w, "name");
  writer_string(w, object->name);
  writer_key(w, "kind");
  writer_string(w, kind_at((size_t)object->kind)->about.name);
  writer_key(w, "vertices");
  writer_integer(w, (int64_t)object->vertex_count);
  writer_key(w, "mesh");
  writer_string(w, object->mesh_file);
  if (object->mesh_sum) {
    char sum[17];
    snprintf(sum, sizeof sum, "%016" PRIx64, object->mesh_sum);
    writer_key(w, "mesh_sum");
    writer_string(w, sum);
  }
  writer_key(w, "cache");
  writer_string(w, object->cache_file);
  if (object->local_file) {
    writer_key(w, "playback");
    writer_string(w, object->local_file);
  }
  writer_close(w, '}');
}

static void print_choice(writer *w, const tribo_choice *choice) {
  if (choice->quality == TRIBO_QUALITY_CUSTOM) return;
  char word[QUALITY_WORD_SIZE];
  writer_key(w, "quality");
  writer_string(w, quality_word("quality", choice->quality, word));
  writer_key(w, "method");
  writer_string(w, quality_word("method", choice->method, word));
  writer_key(w, "thickness");
  writer_number(w, choice->thickness);
  writer_key(w, "speed");
  writer_number(w, choice->speed);
}

static void print(writer *w, const manifest *m) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, m->scene_hash);

  writer_open(w, '{');
  writer_key(w, "tribo_bake");
  writer_integer(w, MANIFEST_FORMAT);
  writer_key(w, "status");
  writer_string(w, STATUS_NAMES[m->status]);
  writer_key(w, "message");
  writer_string(w, m->message);
  writer_key(w, "version");
  writer_string(w, m->version);
  writer_key(w, "scene_hash");
  writer_string(w, hash);
  writer_key(w, "start");
  writer_integer(w, m->start);
  writer_key(w, "end");
  writer_integer(w, m->end);
  writer_key(w, "fps");
  writer_number(w, m->fps);
  writer_key(w, "substeps");
  writer_integer(w, m->substeps);
  print_choice(w, &m->choice);
  writer_key(w, "threads");
  writer_integer(w, m->threads);
  writer_key(w, "linear_solver");
  writer_string(w, m->linear_solver);
  writer_key(w, "deterministic");
  writer_bool(w, m->deterministic);
  writer_key(w, "contacts");
  writer_bool(w, m->contacts);
  writer_key(w, "states");
  writer_bool(w, m->states);
  writer_key(w, "judged");
  writer_bool(w, m->verdict);
  if (m->said) {
    writer_key(w, "verdict");
    writer_string(w, m->said);
  }
  writer_key(w, "objects");
  writer_open(w, '[');
  for (size_t i = 0; i < m->objects.count; i++) print_object(w, &m->objects.data[i]);
  writer_close(w, ']');
  writer_key(w, "removing");
  writer_open(w, '[');
  for (size_t i = 0; i < m->removing.count; i++) writer_string(w, m->removing.data[i]);
  writer_close(w, ']');
  if (m->rewinding) {
    writer_key(w, "rewinding");
    writer_integer(w, m->rewind_frame);
  }
  writer_close(w, '}');
  writer_newline(w);
}

tribo_status manifest_write(const char *path, const manifest *m, tribo_error *err) {
  writer w = {.pretty = true};
  print(&w, m);
  tribo_status status =
      w.failed ? status_no_memory(err, path) : file_write(path, w.data, w.size, err);
  writer_free(&w);
  return status;
}

/* ---- reading ---- */

typedef struct reader {
  const char *name; /* of the text, for messages */
  tribo_error *err;
} reader;

/* Nobody knows any more which files are the bake's, so that none are removed. */
#define WAY_OUT                                                                                    \
  "; bake into another folder, or take the files of this bake away by hand and bake anew"

static tribo_status damaged(const reader *r, const char *key, const char *wanted) {
  return status_fail(r->err, TRIBO_BAD_INPUT, "'%s' is damaged: \"%s\" should be %s" WAY_OUT,
                     r->name, key, wanted);
}

static tribo_status get_string(const reader *r, const cJSON *object, const char *key,
                               const char **out) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsString(item)) return damaged(r, key, "a text");
  *out = item->valuestring;
  return TRIBO_OK;
}

static tribo_status get_word(const reader *r, const cJSON *object, const char *key, char *out,
                             size_t capacity) {
  const char *text;
  TRY(get_string(r, object, key, &text));
  if (strlen(text) >= capacity) return damaged(r, key, "a short text");
  strcpy(out, text);
  return TRIBO_OK;
}

static tribo_status get_choice(const reader *r, const cJSON *object, const char *key,
                               const char *const *names, int count, int *out) {
  const char *text;
  TRY(get_string(r, object, key, &text));
  for (int i = 0; i < count; i++)
    if (strcmp(text, names[i]) == 0) {
      *out = i;
      return TRIBO_OK;
    }
  return damaged(r, key, "one of the known words");
}

static tribo_status get_integer(const reader *r, const cJSON *object, const char *key, double low,
                                double high, double *out) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsNumber(item)) return damaged(r, key, "a number");
  double value = item->valuedouble;
  if (!(value >= low && value <= high && value == floor(value)))
    return damaged(r, key, "a whole number in range");
  *out = value;
  return TRIBO_OK;
}

static tribo_status get_int(const reader *r, const cJSON *object, const char *key, int low,
                            int high, int *out) {
  double value;
  TRY(get_integer(r, object, key, low, high, &value));
  *out = (int)value;
  return TRIBO_OK;
}

static tribo_status get_hash(const reader *r, const cJSON *object, const char *key, uint64_t *out) {
  const char *text;
  TRY(get_string(r, object, key, &text));
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return damaged(r, key, "16 hexadecimal digits");
  *out = strtoull(text, NULL, 16);
  return TRIBO_OK;
}

/* Bakes of before there were contacts, states, or verdicts lack the key. */
static tribo_status get_flag(const reader *r, const cJSON *root, const char *key, bool *out) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
  if (item && !cJSON_IsBool(item)) return damaged(r, key, "true or false");
  *out = cJSON_IsTrue(item);
  return TRIBO_OK;
}

static tribo_status get_said(const reader *r, const cJSON *root, manifest *out) {
  if (!cJSON_GetObjectItemCaseSensitive(root, "verdict")) return TRIBO_OK;
  const char *text;
  TRY(get_string(r, root, "verdict", &text));
  out->said = text_copy(text);
  return out->said ? TRIBO_OK : status_no_memory(r->err, r->name);
}

static tribo_status get_rewinding(const reader *r, const cJSON *root, manifest *out) {
  out->rewinding = cJSON_GetObjectItemCaseSensitive(root, "rewinding") != NULL;
  if (!out->rewinding) return TRIBO_OK;
  return get_int(r, root, "rewinding", out->start, out->end, &out->rewind_frame);
}

static bool ends_with(const char *text, const char *ending) {
  size_t a = strlen(text), b = strlen(ending);
  return a > b && strcmp(text + a - b, ending) == 0;
}

/* A name that stays in its folder, with an ending that a bake gives. */
static bool is_file_of_a_bake(const char *file) {
  if (strchr(file, '/')) return false;
  return strcmp(file, STATS_FILE) == 0 || strcmp(file, CONTACTS_FILE) == 0 ||
         strcmp(file, VERDICT_FILE) == 0 || strcmp(file, CHECKPOINT_FILE) == 0 ||
         strcmp(file, STATES_FOLDER) == 0 || ends_with(file, ".pc2") || ends_with(file, ".obj") ||
         ends_with(file, ".msh");
}

/* Only what is simulated has files. */
static tribo_status get_kind(const reader *r, const cJSON *object, const kind_row **out) {
  const char *name;
  TRY(get_string(r, object, "kind", &name));
  *out = kind_named(name);
  return *out && (*out)->about.simulated ? TRIBO_OK : damaged(r, "kind", "one of the known words");
}

static tribo_status get_object(const reader *r, const cJSON *item, manifest *out) {
  if (!cJSON_IsObject(item)) return damaged(r, "objects", "a list of objects");
  const char *name, *mesh_file, *cache_file;
  const kind_row *k;
  double vertices;
  TRY(get_string(r, item, "name", &name));
  TRY(get_kind(r, item, &k));
  TRY(get_integer(r, item, "vertices", 0, INT32_MAX, &vertices));
  TRY(get_string(r, item, "mesh", &mesh_file));
  TRY(get_string(r, item, "cache", &cache_file));
  bool tets = k->about.mesh == TRIBO_MESH_TETS && ends_with(mesh_file, ".msh");
  TRY(manifest_add_object(out, name, k->about.kind, tets, (size_t)vertices, r->err));

  /* The names follow from the object's; a list that says otherwise was not written by a bake. */
  manifest_object *added = &out->objects.data[out->objects.count - 1];
  if (cJSON_GetObjectItemCaseSensitive(item, "mesh_sum"))
    TRY(get_hash(r, item, "mesh_sum", &added->mesh_sum));
  if (!is_file_of_a_bake(mesh_file) || strcmp(mesh_file, added->mesh_file) != 0)
    return damaged(r, "mesh", "the object's name and .obj or .msh");
  if (!is_file_of_a_bake(cache_file) || strcmp(cache_file, added->cache_file) != 0)
    return damaged(r, "cache", "the object's name and .pc2");
  if (!cJSON_GetObjectItemCaseSensitive(item, "playback")) return TRIBO_OK;
  const char *local_file;
  TRY(get_string(r, item, "playback", &local_file));
  TRY(manifest_add_local(out, r->err));
  if (strcmp(local_file, added->local_file) != 0)
    return damaged(r, "playback", "the object's name and .local.pc2");
  return TRIBO_OK;
}

static tribo_status get_removing(const reader *r, const cJSON *item, manifest *out) {
  if (!cJSON_IsString(item) || !is_file_of_a_bake(item->valuestring))
    return damaged(r, "removing", "a list of files of a bake");
  return manifest_add_removing(out, item->valuestring, r->err);
}

static tribo_status get_list(const reader *r, const cJSON *root, const char *key,
                             tribo_status (*get)(const reader *, const cJSON *, manifest *),
                             manifest *out) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, key);
  if (!cJSON_IsArray(list)) return damaged(r, key, "a list");
  const cJSON *item;
  cJSON_ArrayForEach(item, list) TRY(get(r, item, out));
  return TRIBO_OK;
}

static tribo_status get_manifest(const reader *r, const cJSON *root, manifest *out) {
  if (!cJSON_IsObject(root) || !cJSON_GetObjectItemCaseSensitive(root, "tribo_bake"))
    return status_fail(r->err, TRIBO_BAD_INPUT, "'%s' was not written by a Tribo bake" WAY_OUT,
                       r->name);
  int format, status;
  TRY(get_int(r, root, "tribo_bake", 0, INT32_MAX, &format));
  if (format != MANIFEST_FORMAT)
    return status_fail(r->err, TRIBO_BAD_INPUT,
                       "'%s' is of format %d, this program reads format %d" WAY_OUT, r->name,
                       format, MANIFEST_FORMAT);
  TRY(get_choice(r, root, "status", STATUS_NAMES, STATUS_COUNT, &status));
  out->status = (manifest_status)status;

  const char *message;
  TRY(get_string(r, root, "message", &message));
  out->message = text_copy(message);
  if (!out->message) return status_no_memory(r->err, r->name);
  TRY(get_word(r, root, "version", out->version, sizeof out->version));
  TRY(get_hash(r, root, "scene_hash", &out->scene_hash));
  TRY(get_int(r, root, "start", -1000000, 1000000, &out->start));
  TRY(get_int(r, root, "end", out->start, 1000000, &out->end));

  const cJSON *fps = cJSON_GetObjectItemCaseSensitive(root, "fps");
  if (!cJSON_IsNumber(fps) || !(fps->valuedouble > 0 && isfinite(fps->valuedouble)))
    return damaged(r, "fps", "a number above 0");
  out->fps = fps->valuedouble;

  TRY(get_int(r, root, "substeps", 1, INT32_MAX, &out->substeps));
  TRY(get_int(r, root, "threads", 1, INT32_MAX, &out->threads));
  TRY(get_word(r, root, "linear_solver", out->linear_solver, sizeof out->linear_solver));
  const cJSON *deterministic = cJSON_GetObjectItemCaseSensitive(root, "deterministic");
  if (!cJSON_IsBool(deterministic)) return damaged(r, "deterministic", "true or false");
  out->deterministic = cJSON_IsTrue(deterministic);
  TRY(get_flag(r, root, "contacts", &out->contacts));
  TRY(get_flag(r, root, "states", &out->states));
  TRY(get_flag(r, root, "judged", &out->verdict));
  TRY(get_said(r, root, out));
  TRY(get_rewinding(r, root, out));
  TRY(get_list(r, root, "objects", get_object, out));
  return get_list(r, root, "removing", get_removing, out);
}

tribo_status manifest_parse(const char *name, const char *text, size_t size, manifest *out,
                            tribo_error *err) {
  *out = (manifest){0};
  const char *end = text;
  cJSON *root = cJSON_ParseWithLengthOpts(text, size, &end, false);
  bool whole = root != NULL;
  for (; whole && end < text + size; end++) whole = *end && strchr(" \t\r\n", *end);
  if (!whole) {
    cJSON_Delete(root);
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' is damaged: it is not JSON" WAY_OUT, name);
  }
  reader r = {name, err};
  tribo_status status = get_manifest(&r, root, out);
  cJSON_Delete(root);
  if (status != TRIBO_OK) manifest_free(out);
  return status;
}

tribo_status manifest_read(const char *path, manifest *out, tribo_error *err) {
  *out = (manifest){0};
  file_text text;
  TRY(file_read(path, &text, err));
  tribo_status status = manifest_parse(path, text.data, text.size, out, err);
  free(text.data);
  return status;
}
