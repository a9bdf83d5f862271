/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/states.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* A symbolic link may lead to the states of another bake. */
tribo_status states_check(const char *folder, tribo_error *err) {
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  struct stat about;
  tribo_status status = TRIBO_OK;
  if (lstat(path, &about) == 0 && !S_ISDIR(about.st_mode))
    status = status_fail(err, TRIBO_BAD_INPUT,
                         "'%s' is %s, which no bake makes; nothing was removed or written: take it "
                         "away, or bake into another folder",
                         path, S_ISLNK(about.st_mode) ? "a symbolic link" : "no folder");
  free(path);
  return status;
}

tribo_status states_create(const char *folder, tribo_error *err) {
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = file_make_folder(path, err);
  free(path);
  return status == TRIBO_OK ? states_check(folder, err) : status;
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

/* Frames of files that are whole, or of all. */
static tribo_status read_names(DIR *entries, const char *path, bool only_whole, frame_list *out,
                               tribo_error *err) {
  bool room = true;
  for (struct dirent *entry; room && (entry = readdir(entries));) {
    int frame;
    bool whole;
    if (frame_of(entry->d_name, &frame, &whole) && (whole || !only_whole))
      room = ARRAY_PUSH(*out, frame);
  }
  if (!room) return status_no_memory(err, path);
  if (out->count) qsort(out->data, out->count, sizeof *out->data, ascending);
  return TRIBO_OK;
}

/* A folder that is not there has none: then *entries is NULL. */
static tribo_status open_folder(const char *path, DIR **entries, tribo_error *err) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  *entries = descriptor < 0 ? NULL : fdopendir(descriptor);
  if (*entries) return TRIBO_OK;
  int why = errno;
  if (descriptor >= 0) close(descriptor);
  if (why == ENOENT || why == ENOTDIR) return TRIBO_OK;
  return status_fail(err, TRIBO_IO, "cannot read '%s': %s", path, strerror(why));
}

static tribo_status unlink_one(DIR *entries, const char *path, int frame, bool whole,
                               tribo_error *err) {
  char name[64];
  snprintf(name, sizeof name, "%06d.ckpt%s", frame, whole ? "" : ".tmp");
  if (unlinkat(dirfd(entries), name, 0) == 0 || errno == ENOENT) return TRIBO_OK;
  return status_fail(err, TRIBO_IO, "cannot remove '%s/%s': %s", path, name, strerror(errno));
}

static tribo_status remove_after(DIR *entries, const char *path, int last, tribo_error *err) {
  frame_list found = {0};
  tribo_status status = read_names(entries, path, false, &found, err);
  for (size_t i = 0; status == TRIBO_OK && i < found.count; i++) {
    if (found.data[i] <= last) continue;
    status = unlink_one(entries, path, found.data[i], true, err);
    if (status == TRIBO_OK) status = unlink_one(entries, path, found.data[i], false, err);
  }
  ARRAY_FREE(found);
  return status;
}

tribo_status states_remove(const char *folder, int last, tribo_error *err) {
  TRY(states_check(folder, err));
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  DIR *entries;
  tribo_status status = open_folder(path, &entries, err);
  if (status == TRIBO_OK && entries) {
    status = remove_after(entries, path, last, err);
    closedir(entries);
    folder_sync(path);
    if (status == TRIBO_OK && last == INT_MIN) rmdir(path); /* stays where others use it */
  }
  free(path);
  return status;
}

tribo_status states_list(const char *folder, int **frames, size_t *count, tribo_error *err) {
  *frames = NULL;
  *count = 0;
  char *path = file_join(folder, STATES_FOLDER);
  if (!path) return status_no_memory(err, "a path");
  frame_list found = {0};
  DIR *entries;
  tribo_status status = open_folder(path, &entries, err);
  if (status == TRIBO_OK && entries) {
    status = read_names(entries, path, true, &found, err);
    closedir(entries);
  }
  free(path);
  if (status != TRIBO_OK) {
    ARRAY_FREE(found);
    return status;
  }
  *frames = found.data;
  *count = found.count;
  return TRIBO_OK;
}
