/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/outcome.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cache/cache.h"
#include "cache/folder.h"
#include "cache/writer.h"
#include "wedge/attempt.h"
#include "wedge/json_text.h"

enum { KILLED = 9, MOST_PICTURES = 4096 };

const char *outcome_state_name(tribo_wedge_state s) {
  static const char *const names[] = {"waiting", "running", "stopped", "failed", "done"};
  return names[s];
}

/* ---- one item ---- */

static void say_signal(const attempts *tried, const wedge_item *item, char *out, size_t size) {
  double gigabyte = 1e9;
  snprintf(out, size, "killed by signal %d on %s%s; it goes on when it is started again",
           tried->signal_number, tried->host,
           tried->signal_number == KILLED && tried->peak_memory > 0.5 * gigabyte &&
                   tried->peak_memory > item->memory
               ? ", perhaps for want of memory"
               : "");
}

/* Where the bake's folder is silent: nothing was begun there, or it refused before. */
static void from_attempts(const attempts *tried, const wedge_item *item, tribo_wedge_outcome *out) {
  if (tried->count == 0) return;
  if (!tried->ended) {
    out->state = TRIBO_WEDGE_STOPPED;
    snprintf(out->why, sizeof out->why,
             "an attempt on %s ended without a word; it goes on when it "
             "is started again",
             tried->host);
  } else if (tried->signal_number) {
    out->state = TRIBO_WEDGE_STOPPED;
    say_signal(tried, item, out->why, sizeof out->why);
  } else if (tried->exit_code) {
    out->state = tried->exit_code == 130 ? TRIBO_WEDGE_STOPPED : TRIBO_WEDGE_FAILED;
    snprintf(out->why, sizeof out->why, "%s", tried->message);
  }
}

static void from_cache(tribo_cache *cache, const wedge_item *item, const attempts *tried,
                       tribo_wedge_outcome *out) {
  const tribo_cache_info *info = &cache->info;
  const tribo_verdict *verdict;
  bool whole = info->frames >= item->end - item->start + 1;
  out->frames = info->frames;
  if (strcmp(info->status, "done") == 0 && whole)
    out->state = TRIBO_WEDGE_DONE;
  else if (strcmp(info->status, "running") == 0)
    out->state = TRIBO_WEDGE_RUNNING;
  else if (strcmp(info->status, "failed") == 0)
    out->state = TRIBO_WEDGE_FAILED;
  else
    out->state = TRIBO_WEDGE_STOPPED;
  snprintf(out->why, sizeof out->why, "%s", info->message);
  if (out->state == TRIBO_WEDGE_STOPPED) {
    from_attempts(tried, item, out);
    if (!out->why[0])
      snprintf(out->why, sizeof out->why, "%s after %d frames", info->status, info->frames);
  }
  if (cache_verdict(cache, &verdict, NULL) != TRIBO_OK) return;
  out->rough = verdict->rough;
  out->crossings = verdict->last_crossings < 0 ? -1 : verdict->last_new_crossings;
  snprintf(out->verdict, sizeof out->verdict, "%s", verdict->text);
}

tribo_status outcome_of(const tribo_wedge *w, size_t number, tribo_wedge_outcome *out,
                        tribo_error *err) {
  const wedge_item *item = &w->items.data[number];
  attempts tried;
  TRY(attempts_read(w, item->hash, &tried, err));
  *out = (tribo_wedge_outcome){.rough = -1,
                               .crossings = -1,
                               .attempts = tried.count,
                               .seconds = tried.seconds,
                               .peak_memory = tried.peak_memory,
                               .exit_code = tried.exit_code,
                               .signal_number = tried.signal_number};
  snprintf(out->host, sizeof out->host, "%s", tried.host);
  tribo_cache *cache;
  tribo_error said = {0};
  if (!folder_has(item->bake, MANIFEST_FILE)) {
    from_attempts(&tried, item, out);
  } else if (cache_open(item->bake, &cache, &said) == TRIBO_OK) {
    from_cache(cache, item, &tried, out);
    cache_free(cache);
  } else {
    out->state = TRIBO_WEDGE_FAILED;
    snprintf(out->why, sizeof out->why, "%s", said.message);
  }
  return TRIBO_OK;
}

/* ---- all of them, for programs ---- */

static int compare_frames(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* The frames of which there are thumbnails: pictures/HASH/FRAME.jpg. */
static void put_pictures(writer *out, const tribo_wedge *w, uint64_t hash) {
  int frames[MOST_PICTURES];
  size_t count = 0;
  char *folder = wedge_path(w, "pictures", hash, "");
  DIR *dir = folder ? opendir(folder) : NULL;
  const struct dirent *entry;
  while (dir && (entry = readdir(dir)) && count < MOST_PICTURES) {
    char *end;
    long frame = strtol(entry->d_name, &end, 10);
    if (end != entry->d_name && strcmp(end, ".jpg") == 0) frames[count++] = (int)frame;
  }
  if (dir) closedir(dir);
  free(folder);
  qsort(frames, count, sizeof *frames, compare_frames);
  writer_key(out, "pictures");
  writer_open(out, '[');
  for (size_t i = 0; i < count; i++) writer_integer(out, frames[i]);
  writer_close(out, ']');
}

static void put_number(writer *out, const char *key, double value) {
  writer_key(out, key);
  writer_number(out, value);
}

static void put_text(writer *out, const char *key, const char *value) {
  writer_key(out, key);
  writer_string(out, value);
}

static void put_outcome(writer *out, const tribo_wedge_outcome *o) {
  put_text(out, "state", outcome_state_name(o->state));
  put_text(out, "why", o->why);
  put_number(out, "frames", o->frames);
  writer_key(out, "rough");
  if (o->rough < 0)
    writer_null(out);
  else
    writer_integer(out, o->rough);
  writer_key(out, "crossings");
  if (o->crossings < 0)
    writer_null(out);
  else
    writer_integer(out, o->crossings);
  put_text(out, "verdict", o->verdict);
  put_number(out, "attempts", o->attempts);
  put_number(out, "seconds", o->seconds);
  put_number(out, "peak_memory", o->peak_memory);
  put_text(out, "host", o->host);
  put_number(out, "exit", o->exit_code);
  put_number(out, "signal", o->signal_number);
}

static tribo_status put_item(writer *out, const tribo_wedge *w, size_t i, tribo_error *err) {
  const wedge_item *item = &w->items.data[i];
  char hash[WEDGE_HASH_SIZE], path[64];
  tribo_wedge_outcome outcome;
  TRY(outcome_of(w, item->same_as, &outcome, err));
  wedge_hash_text(item->hash, hash);
  writer_open(out, '{');
  put_number(out, "number", (double)i);
  put_number(out, "same_as", (double)item->same_as);
  put_text(out, "hash", hash);
  put_text(out, "label", item->label);
  writer_key(out, "values");
  json_text_put(out, item->values);
  snprintf(path, sizeof path, "scenes/%s.json", hash);
  put_text(out, "scene", path);
  snprintf(path, sizeof path, "bakes/%s", hash);
  put_text(out, "bake", path);
  put_number(out, "start", item->start);
  put_number(out, "end", item->end);
  put_number(out, "memory", item->memory);
  put_outcome(out, &outcome);
  put_pictures(out, w, item->hash);
  writer_close(out, '}');
  return TRIBO_OK;
}

tribo_status outcome_report(const tribo_wedge *w, char **json, tribo_error *err) {
  writer out = {.pretty = false};
  tribo_status status = TRIBO_OK;
  *json = NULL;
  writer_open(&out, '{');
  put_text(&out, "folder", w->folder);
  writer_key(&out, "items");
  writer_open(&out, '[');
  for (size_t i = 0; status == TRIBO_OK && i < w->items.count; i++)
    status = put_item(&out, w, i, err);
  writer_close(&out, ']');
  writer_close(&out, '}');
  if (status == TRIBO_OK && out.failed) status = status_no_memory(err, "the report");
  if (status == TRIBO_OK) *json = text_copy(out.data);
  if (status == TRIBO_OK && !*json) status = status_no_memory(err, "the report");
  writer_free(&out);
  return status;
}
