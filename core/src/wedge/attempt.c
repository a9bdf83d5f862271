/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/attempt.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "cache/writer.h"
#include "scene/json.h"

enum { RECORD = 2 * TRIBO_MESSAGE_SIZE + 512 };

struct tribo_wedge_attempt {
  int descriptor;
  double began_at; /* of the clock that only goes forward */
  double began;    /* since 1970, to tell attempts apart */
  char host[64];
  char *path;
};

/* ---- writing ---- */

static void put_record(const tribo_wedge_attempt *a, bool ended, int exit_code, int signal_number,
                       double peak, const char *message) {
  writer out = {.pretty = false};
  writer_open(&out, '{');
  writer_key(&out, "host");
  writer_string(&out, a->host);
  writer_key(&out, "pid");
  writer_integer(&out, getpid());
  writer_key(&out, "began");
  writer_number(&out, a->began);
  writer_key(&out, "seconds");
  writer_number(&out, clock_seconds() - a->began_at);
  writer_key(&out, "peak_memory");
  writer_number(&out, peak);
  writer_key(&out, "ended");
  writer_bool(&out, ended);
  writer_key(&out, "exit");
  writer_integer(&out, exit_code);
  writer_key(&out, "signal");
  writer_integer(&out, signal_number);
  writer_key(&out, "message");
  writer_string(&out, message);
  writer_close(&out, '}');
  char record[RECORD];
  memset(record, ' ', sizeof record);
  record[sizeof record - 1] = '\n';
  bool whole = !out.failed && out.size < sizeof record;
  if (whole) memcpy(record, out.data, out.size);
  writer_free(&out);
  /* A record that cannot be written is no reason to stop a bake: its frames say the rest. */
  if (whole && pwrite(a->descriptor, record, sizeof record, 0) < 0) return;
}

static char *record_path(const char *folder, const tribo_wedge_attempt *a) {
  char name[160];
  char host[64];
  snprintf(host, sizeof host, "%s", a->host);
  for (char *c = host; *c; c++)
    if (*c == '/') *c = '_';
  snprintf(name, sizeof name, "%017.6f-%s-%ld.json", a->began, host, (long)getpid());
  return file_join(folder, name);
}

tribo_status attempt_begin(const tribo_wedge *w, size_t number, tribo_wedge_attempt **out,
                           tribo_error *err) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *out = NULL;
  tribo_wedge_attempt *a = calloc(1, sizeof *a);
  char *folder = wedge_path(w, "runs", w->items.data[number].hash, "");
  tribo_status status = a && folder ? file_make_folder(folder, err) : status_no_memory(err, "runs");
  if (status == TRIBO_OK) {
    a->began_at = clock_seconds();
    a->began = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (gethostname(a->host, sizeof a->host - 1) != 0) snprintf(a->host, sizeof a->host, "?");
    a->path = record_path(folder, a);
    a->descriptor = a->path ? open(a->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (a->descriptor < 0)
      status = status_fail(err, TRIBO_IO, "cannot write '%s'; make the folder writable",
                           a->path ? a->path : folder);
  }
  free(folder);
  if (status == TRIBO_OK) {
    put_record(a, false, -1, 0, 0, "");
    *out = a;
    return TRIBO_OK;
  }
  if (a) free(a->path);
  free(a);
  return status;
}

void attempt_beat(tribo_wedge_attempt *a, double peak_memory) {
  put_record(a, false, -1, 0, peak_memory, "");
}

void attempt_end(tribo_wedge_attempt *a, int exit_code, int signal_number, double peak_memory,
                 const char *message) {
  put_record(a, true, exit_code, signal_number, peak_memory, message);
  close(a->descriptor);
  free(a->path);
  free(a);
}

/* ---- reading ---- */

static double number_of(const cJSON *record, const char *key, double otherwise) {
  const cJSON *value = json_member(record, key);
  return cJSON_IsNumber(value) ? value->valuedouble : otherwise;
}

static void text_of(const cJSON *record, const char *key, char *out, size_t size) {
  const cJSON *value = json_member(record, key);
  snprintf(out, size, "%s", cJSON_IsString(value) ? value->valuestring : "");
}

static void add(attempts *all, const cJSON *record) {
  double peak = number_of(record, "peak_memory", 0), began = number_of(record, "began", 0);
  all->count++;
  all->seconds += number_of(record, "seconds", 0);
  if (peak > all->peak_memory) all->peak_memory = peak;
  if (began < all->began) return;
  all->began = began;
  all->ended = cJSON_IsTrue(json_member(record, "ended"));
  all->exit_code = (int)number_of(record, "exit", -1);
  all->signal_number = (int)number_of(record, "signal", 0);
  text_of(record, "host", all->host, sizeof all->host);
  text_of(record, "message", all->message, sizeof all->message);
}

static void add_file(attempts *all, const char *path) {
  file_text text = {0};
  cJSON *record = NULL;
  tribo_error ignored;
  if (file_read(path, &text, &ignored) == TRIBO_OK) record = cJSON_Parse(text.data);
  add(all, record);
  cJSON_Delete(record);
  free(text.data);
}

tribo_status attempts_read(const tribo_wedge *w, uint64_t hash, attempts *out, tribo_error *err) {
  *out = (attempts){.exit_code = -1};
  char *folder = wedge_path(w, "runs", hash, "");
  if (!folder) return status_no_memory(err, "runs");
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  while (dir && (entry = readdir(dir))) {
    size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
    char *path = file_join(folder, entry->d_name);
    if (path) add_file(out, path);
    free(path);
  }
  if (dir) closedir(dir);
  free(folder);
  return TRIBO_OK;
}
