/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/sound.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "cache/checkpoint.h"
#include "cache/folder.h"
#include "cache/lines.h"
#include "cache/states.h"
#include "io/pc2.h"

static const char WRONG_SUM[] = "its checksum is wrong";

/* ---- writing ---- */

enum { DIGITS = 16 };

static void put_sum(writer *w, const char *key, uint64_t sum) {
  char text[DIGITS + 1];
  snprintf(text, sizeof text, "%016" PRIx64, sum);
  writer_key(w, key);
  writer_string(w, text);
}

void sound_put(writer *w, const file_sum *sums, size_t count) {
  writer_key(w, "sums");
  writer_open(w, '{');
  for (size_t i = 0; i < count; i++) put_sum(w, sums[i].file, sums[i].sum);
  writer_close(w, '}');
  put_sum(w, "sum", w->data ? hash_bytes(HASH_START, w->data, w->size) : 0);
}

/* ---- what the lines vouch for ---- */

/* The checksums of one frame, file by file in the order of `at_file`; 0: not known. */
typedef struct ledger {
  int32_t frames; /* whose lines are there */
  size_t files;
  uint64_t *sums; /* frames x files */
} ledger;

/* Caches, then playback, then contacts. */
static size_t file_count(const manifest *m) { return 2 * m->objects.count + 1; }

static const char *file_at(const manifest *m, size_t i) {
  size_t objects = m->objects.count;
  if (i < objects) return m->objects.data[i].cache_file;
  return i < 2 * objects ? m->objects.data[i - objects].local_file : CONTACTS_FILE;
}

static uint64_t sum_of(const cJSON *list, const char *file) {
  const char *text =
      file ? cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(list, file)) : NULL;
  bool fit = text && strlen(text) == DIGITS && strspn(text, "0123456789abcdef") == DIGITS;
  return fit ? strtoull(text, NULL, 16) : 0;
}

/* Whether a line ends with the checksum of what is before it. */
static bool ends_soundly(const char *line) {
  static const char key[] = ", \"sum\": \"", closing[] = "\"}\n";
  const size_t tail = sizeof key - 1 + DIGITS + sizeof closing - 1;
  size_t length = strlen(line);
  if (length < tail) return false;
  char wanted[64];
  snprintf(wanted, sizeof wanted, "%s%016" PRIx64 "%s", key,
           hash_bytes(HASH_START, line, length - tail), closing);
  return strcmp(line + length - tail, wanted) == 0;
}

/* False where the line is not what was written. */
static bool read_line(const manifest *m, int32_t sample, const char *line, uint64_t *sums) {
  cJSON *root = cJSON_Parse(line);
  const cJSON *frame = cJSON_GetObjectItemCaseSensitive(root, "frame");
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "sums");
  bool good = cJSON_IsNumber(frame) && frame->valuedouble == (double)m->start + sample &&
              cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(root, "rough")) &&
              (ends_soundly(line) || (!list && !cJSON_GetObjectItemCaseSensitive(root, "sum")));
  for (size_t i = 0; good && i < file_count(m); i++) sums[i] = sum_of(list, file_at(m, i));
  cJSON_Delete(root);
  return good;
}

/* ---- what is found ---- */

static tribo_status add(soundness *s, file_damage found, tribo_error *err) {
  if (found.kind == DAMAGE_FRAMES && found.sample < s->frames) s->frames = found.sample;
  return ARRAY_PUSH(s->found, found) ? TRIBO_OK : status_no_memory(err, found.file);
}

static tribo_status add_lines(soundness *s, const char *file, int32_t sample, const char *how,
                              tribo_error *err) {
  file_damage d = {.kind = DAMAGE_FRAMES, .object = SIZE_MAX, .file = file, .sample = sample};
  snprintf(d.how, sizeof d.how, "%s", how);
  return add(s, d, err);
}

/* Bytes behind `end`, of a file whose parts were counted before. */
static bool goes_on_behind(const char *path, int64_t end) {
  struct stat about;
  return stat(path, &about) == 0 && (int64_t)about.st_size > end;
}

/* Whether there is more than the first `frames` lines, of which there are as many at least. */
static bool more_lines(const char *path, const lines_index *index, int32_t frames) {
  return goes_on_behind(path, (int64_t)index->data[frames]);
}

/* A file that cannot be looked at is as good as missing. */
static size_t count_lines(const char *path, lines_index *index) {
  tribo_error ignored;
  size_t count;
  return lines_count(path, index, &count, &ignored) == TRIBO_OK ? count : 0;
}

static tribo_status check_count(const char *folder, const char *file, int32_t frames,
                                soundness *out, tribo_error *err) {
  char *path = file_join(folder, file);
  lines_index index = {0};
  if (!path) return status_no_memory(err, "a path");
  size_t count = count_lines(path, &index);
  if (count >= (size_t)frames && index.count && more_lines(path, &index, frames))
    out->longer = true;
  ARRAY_FREE(index);
  free(path);
  if (count >= (size_t)frames) return TRIBO_OK;
  return add_lines(out, file, (int32_t)count, "it ends before it", err);
}

static tribo_status fill_ledger(const manifest *m, const char *path, lines_index *index,
                                ledger *out, soundness *s, tribo_error *err) {
  for (int32_t i = 0; i < out->frames; i++) {
    char *line;
    tribo_error ignored;
    bool good = lines_read(path, index, (size_t)i, &line, &ignored) == TRIBO_OK && line &&
                read_line(m, i, line, out->sums + (size_t)i * out->files);
    free(line);
    if (!good) return add_lines(s, VERDICT_FILE, i, WRONG_SUM, err);
  }
  return TRIBO_OK;
}

static tribo_status open_ledger(const char *folder, const manifest *m, int32_t frames, ledger *out,
                                soundness *s, tribo_error *err) {
  *out = (ledger){.files = file_count(m)};
  if (!m->verdict) return TRIBO_OK;
  char *path = file_join(folder, VERDICT_FILE);
  if (!path) return status_no_memory(err, "a path");
  lines_index index = {0};
  size_t count = count_lines(path, &index);
  out->frames = count < (size_t)frames ? (int32_t)count : frames;
  out->sums = calloc((size_t)out->frames + 1, out->files * sizeof *out->sums);
  tribo_status status = out->sums ? fill_ledger(m, path, &index, out, s, err)
                                  : status_no_memory(err, "the checksums of a bake");
  if (out->frames == frames && index.count && more_lines(path, &index, frames)) s->longer = true;
  if (status == TRIBO_OK && out->frames < frames)
    status = add_lines(s, VERDICT_FILE, out->frames, "it ends before it", err);
  ARRAY_FREE(index);
  free(path);
  return status;
}

/* ---- samples ---- */

/* What is wrong with the header, where something is. */
static bool header_differs(const pc2 *f, const manifest *m, const manifest_object *object,
                           char how[200]) {
  if ((size_t)f->vertices != object->vertex_count) {
    snprintf(how, 200, "it has %d vertices instead of %zu", (int)f->vertices, object->vertex_count);
    return true;
  }
  if (f->start == (float)m->start && f->sampling == 1) return false;
  snprintf(how, 200, "its header is of other frames");
  return true;
}

/* The first sample that is not what was written; `frames` where all are. */
static int32_t check_samples(pc2 *f, const ledger *l, size_t file, int32_t frames, char how[200]) {
  for (int32_t i = 0; i < frames && i < f->samples; i++) {
    uint64_t sum, wanted = i < l->frames ? l->sums[(size_t)i * l->files + file] : 0;
    tribo_error ignored;
    if (wanted == 0) continue;
    bool read = pc2_sum(f, i, &sum, &ignored) == TRIBO_OK;
    if (read && sum == wanted) continue;
    snprintf(how, 200, "%s", read ? WRONG_SUM : "it cannot be read");
    return i;
  }
  if (f->samples >= frames) return frames;
  snprintf(how, 200, "it ends before it");
  return f->samples;
}

static tribo_status check_cache(const char *folder, const manifest *m, size_t file, const ledger *l,
                                int32_t frames, soundness *out, tribo_error *err) {
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a file is of an object */
  size_t number = file % m->objects.count;
  const char *name = file_at(m, file);
  file_damage d = {
      .kind = file == number ? DAMAGE_FRAMES : DAMAGE_PLAYBACK, .object = number, .file = name};
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  pc2 f;
  tribo_error why = {0};
  if (!folder_has(folder, name)) {
    snprintf(d.how, sizeof d.how, "it is missing");
  } else if (pc2_open_whole(path, &f, &why) != TRIBO_OK) {
    snprintf(d.how, sizeof d.how, "it is no point cache, or cannot be read");
  } else {
    if (!header_differs(&f, m, &m->objects.data[number], d.how))
      d.sample = check_samples(&f, l, file, frames, d.how);
    if (goes_on_behind(path, PC2_HEADER_SIZE + (int64_t)12 * f.vertices * frames))
      out->longer = true;
    pc2_close(&f);
  }
  free(path);
  return d.sample < frames ? add(out, d, err) : TRIBO_OK;
}

static tribo_status check_contacts(const char *folder, const ledger *l, int32_t frames,
                                   soundness *out, tribo_error *err) {
  char *path = file_join(folder, CONTACTS_FILE);
  if (!path) return status_no_memory(err, "a path");
  lines_index index = {0};
  size_t count = count_lines(path, &index);
  int32_t i = 0;
  bool good = true;
  for (; good && i < frames && (size_t)i < count; i++) {
    char *line;
    tribo_error ignored;
    uint64_t wanted = i < l->frames ? l->sums[(size_t)(i + 1) * l->files - 1] : 0;
    if (wanted == 0) continue;
    good = lines_read(path, &index, (size_t)i, &line, &ignored) == TRIBO_OK && line &&
           hash_bytes(HASH_START, line, strlen(line)) == wanted;
    free(line);
  }
  if (i == frames && index.count && more_lines(path, &index, frames)) out->longer = true;
  ARRAY_FREE(index);
  free(path);
  if (!good) return add_lines(out, CONTACTS_FILE, i - 1, WRONG_SUM, err);
  return i < frames ? add_lines(out, CONTACTS_FILE, i, "it ends before it", err) : TRIBO_OK;
}

static tribo_status check_mesh(const char *folder, const manifest *m, size_t number, soundness *out,
                               tribo_error *err) {
  const manifest_object *object = &m->objects.data[number];
  file_damage d = {.kind = DAMAGE_MESH, .object = number, .file = object->mesh_file};
  char *path = file_join(folder, object->mesh_file);
  if (!path) return status_no_memory(err, "a path");
  tribo_error ignored;
  uint64_t hash;
  if (file_hash(path, &hash, &ignored) != TRIBO_OK)
    snprintf(d.how, sizeof d.how, "it is missing, or cannot be read");
  else if (object->mesh_sum && hash != object->mesh_sum)
    snprintf(d.how, sizeof d.how, "%s", WRONG_SUM);
  free(path);
  return *d.how ? add(out, d, err) : TRIBO_OK;
}

static tribo_status check_frames(const char *folder, const manifest *m, const ledger *l,
                                 int32_t frames, soundness *out, tribo_error *err) {
  for (size_t i = 0; i < 2 * m->objects.count; i++)
    if (file_at(m, i)) TRY(check_cache(folder, m, i, l, frames, out, err));
  TRY(check_count(folder, STATS_FILE, frames, out, err));
  return m->contacts ? check_contacts(folder, l, frames, out, err) : TRIBO_OK;
}

tribo_status sound_check(const char *folder, const manifest *m, int32_t frames, soundness *out,
                         tribo_error *err) {
  sound_free(out);
  out->vouched = out->frames = frames;
  ledger l;
  tribo_status status = open_ledger(folder, m, frames, &l, out, err);
  if (status == TRIBO_OK) status = check_frames(folder, m, &l, frames, out, err);
  for (size_t i = 0; status == TRIBO_OK && i < m->objects.count; i++)
    status = check_mesh(folder, m, i, out, err);
  free(l.sums);
  return status;
}

/* ---- of a folder as it is ---- */

int32_t sound_lines(const char *folder) {
  char *path = file_join(folder, STATS_FILE);
  lines_index index = {0};
  size_t count = path ? count_lines(path, &index) : 0;
  ARRAY_FREE(index);
  free(path);
  return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

/* Whether the state of a frame is whole, and of the manifest's scene. */
static bool look_at(const char *folder, const manifest *m, int frame, bool *same_scene) {
  char *path = states_path(folder, frame);
  uint64_t hash = 0;
  int32_t frames = 0;
  tribo_error ignored;
  bool whole = path && checkpoint_look(path, &hash, &frames, &ignored) == TRIBO_OK &&
               frames == frame - m->start + 1;
  free(path);
  *same_scene = whole && hash == m->scene_hash;
  return whole;
}

/* Of every frame a state was kept. */
static tribo_status check_states(const char *folder, const manifest *m, int32_t frames,
                                 soundness *out, tribo_error *err) {
  for (int32_t i = 0; m->states && i < frames; i++) {
    bool same;
    if (look_at(folder, m, m->start + i, &same)) continue;
    file_damage d = {.kind = DAMAGE_KEPT, .object = SIZE_MAX, .file = STATES_FOLDER, .sample = i};
    snprintf(d.how, sizeof d.how, "missing, or not what was written");
    TRY(add(out, d, err));
  }
  return TRIBO_OK;
}

/* As many frames as the manifest knows of: while a bake goes back, what is behind may be gone. */
static int32_t most_frames(const manifest *m) {
  return (m->rewinding ? m->rewind_frame : m->end) - m->start + 1;
}

static tribo_status look_once(const char *folder, const manifest *m, soundness *out,
                              tribo_error *err) {
  sound_free(out);
  bool begun = folder_has(folder, CHECKPOINT_FILE);
  if (m->removing.count || (!begun && m->status != MANIFEST_DONE)) return TRIBO_OK;
  char *path = file_join(folder, CHECKPOINT_FILE);
  if (!path) return status_no_memory(err, "a path");
  uint64_t hash;
  int32_t frames;
  tribo_error why;
  bool whole = checkpoint_look(path, &hash, &frames, &why) == TRIBO_OK;
  free(path);
  if (!whole) frames = sound_lines(folder);
  if (frames > most_frames(m)) frames = most_frames(m);
  TRY(sound_check(folder, m, frames, out, err));
  TRY(check_states(folder, m, frames, out, err));
  file_damage d = {.kind = DAMAGE_STATE, .object = SIZE_MAX, .file = CHECKPOINT_FILE};
  snprintf(d.how, sizeof d.how, "%s", begun ? "it is not what was written" : "it is missing");
  return whole ? TRIBO_OK : add(out, d, err);
}

/* A bake may go back between two looks of one who reads. */
tribo_status sound_check_all(const char *folder, const manifest *m, soundness *out,
                             tribo_error *err) {
  TRY(look_once(folder, m, out, err));
  return out->found.count && folder_is_locked(folder) ? look_once(folder, m, out, err) : TRIBO_OK;
}

/* ---- what to do about it ---- */

void sound_text(const file_damage *d, const manifest *m, char out[TRIBO_MESSAGE_SIZE]) {
  if (d->kind == DAMAGE_FRAMES || d->kind == DAMAGE_PLAYBACK)
    snprintf(out, TRIBO_MESSAGE_SIZE, "'%.300s' is damaged at frame %d: %s", d->file,
             m->start + d->sample, d->how);
  else if (d->kind == DAMAGE_KEPT)
    snprintf(out, TRIBO_MESSAGE_SIZE, "the state of frame %d in '%.300s' is %s",
             m->start + d->sample, d->file, d->how);
  else
    snprintf(out, TRIBO_MESSAGE_SIZE, "'%.300s' is damaged: %s", d->file, d->how);
}

const file_damage *sound_first(const soundness *s) {
  for (size_t i = 0; i < s->found.count; i++)
    if (s->found.data[i].kind == DAMAGE_FRAMES && s->found.data[i].sample == s->frames)
      return &s->found.data[i];
  return NULL;
}

bool sound_has(const soundness *s, damage_kind kind, size_t object) {
  for (size_t i = 0; i < s->found.count; i++)
    if (s->found.data[i].kind == kind && s->found.data[i].object == object) return true;
  return false;
}

/* A bake that went back with another scene keeps the states of before up to where it went back to:
 * the last of those is what the new scene began with, and the only one that may be gone on from. */
bool sound_state(const char *folder, const manifest *m, int32_t kept, int32_t frames, int *frame) {
  if (!m->states) return false;
  bool later_same = kept >= frames; /* nothing comes after */
  for (int32_t i = kept - 1; i >= 0; i--) {
    bool same, whole = look_at(folder, m, m->start + i, &same);
    if (i == kept - 1 && !later_same) look_at(folder, m, m->start + kept, &later_same);
    if (whole && (same || later_same)) {
      *frame = m->start + i;
      return true;
    }
    later_same = same;
  }
  return false;
}

void sound_free(soundness *s) {
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): ARRAY_PUSH moves what it frees */
  ARRAY_FREE(s->found);
  *s = (soundness){0};
}
