/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/states.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "cache/folder.h"
#include "cache/manifest.h"

enum { MOST_FRAME = 1000000 }; /* as time.end in params.inl */

char *states_path(const char *folder, int frame) {
  char name[64];
  snprintf(name, sizeof name, STATES_FOLDER "/%06d.ckpt", frame);
  return file_join(folder, name);
}

tribo_status states_create(const char *folder, tribo_error *err) {
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = file_make_folder(path, err);
  free(path);
  return status;
}

/* Whether a name is exactly what states_path gives to a frame, with or without the ending of a file
 * under construction. */
static bool frame_of(const char *name, int *frame, bool *whole) {
  char expected[64];
  int length = 0;
  if (sscanf(name, "%d%n", frame, &length) != 1) return false;
  if (*frame < -MOST_FRAME || *frame > MOST_FRAME) return false;
  for (int half = 0; half < 2; half++) {
    snprintf(expected, sizeof expected, "%06d.ckpt%s", *frame, half ? ".tmp" : "");
    *whole = !half;
    if (strcmp(name, expected) == 0) return true;
  }
  return false;
}

typedef ARRAY(int) frame_list;

static int ascending(const void *a, const void *b) {
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Frames of files that are whole, or of all. A folder that is not there has none. */
static tribo_status list(const char *path, bool only_whole, frame_list *out, tribo_error *err) {
  DIR *entries = opendir(path);
  if (!entries) {
    if (errno == ENOENT || errno == ENOTDIR) return TRIBO_OK;
    return status_fail(err, TRIBO_IO, "cannot read '%s': %s", path, strerror(errno));
  }
  bool room = true;
  for (struct dirent *entry; room && (entry = readdir(entries));) {
    int frame;
    bool whole;
    if (frame_of(entry->d_name, &frame, &whole) && (whole || !only_whole))
      room = ARRAY_PUSH(*out, frame);
  }
  closedir(entries);
  if (!room) return status_no_memory(err, path);
  if (out->count) qsort(out->data, out->count, sizeof *out->data, ascending);
  return TRIBO_OK;
}

static tribo_status unlink_one(const char *folder, int frame, bool whole, tribo_error *err) {
  char *path = states_path(folder, frame);
  size_t length = path ? strlen(path) : 0;
  char *full = path ? malloc(length + sizeof ".tmp") : NULL;
  if (!full) {
    free(path);
    return status_no_memory(err, "a path");
  }
  memcpy(full, path, length + 1);
  if (!whole) memcpy(full + length, ".tmp", sizeof ".tmp");
  tribo_status status = TRIBO_OK;
  if (unlink(full) != 0 && errno != ENOENT)
    status = status_fail(err, TRIBO_IO, "cannot remove '%s': %s", full, strerror(errno));
  free(path);
  free(full);
  return status;
}

tribo_status states_remove(const char *folder, int last, tribo_error *err) {
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  frame_list found = {0};
  tribo_status status = list(path, false, &found, err);
  for (size_t i = 0; status == TRIBO_OK && i < found.count; i++) {
    if (found.data[i] <= last) continue;
    status = unlink_one(folder, found.data[i], true, err);
    if (status == TRIBO_OK) status = unlink_one(folder, found.data[i], false, err);
  }
  folder_sync(path);
  if (status == TRIBO_OK && last == INT_MIN) rmdir(path); /* stays where somebody else uses it */
  ARRAY_FREE(found);
  free(path);
  return status;
}

tribo_status states_list(const char *folder, int **frames, size_t *count, tribo_error *err) {
  *frames = NULL;
  *count = 0;
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  frame_list found = {0};
  tribo_status status = list(path, true, &found, err);
  free(path);
  if (status != TRIBO_OK) {
    ARRAY_FREE(found);
    return status;
  }
  *frames = found.data;
  *count = found.count;
  return TRIBO_OK;
}
