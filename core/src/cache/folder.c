/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cache/states.h"

enum { LOCK_ATTEMPTS = 10, LOCK_PAUSE_NS = 20 * 1000 * 1000 };

/* ---- the lock ---- */

/* A bake that ended has removed the file that this descriptor was opened on; a lock on it excludes
 * nobody. */
static bool is_still_there(int descriptor, const char *path) {
  struct stat held, named;
  return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

typedef enum attempt { TAKEN, BUSY, GONE, WITHOUT_LOCKS, FAILED } attempt;

static attempt try_lock(const char *path, int *descriptor) {
  int opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (opened < 0) return FAILED;
  attempt result = TAKEN;
  if (flock(opened, LOCK_EX | LOCK_NB) != 0)
    result = errno == EWOULDBLOCK || errno == EINTR ? BUSY : WITHOUT_LOCKS;
  else if (!is_still_there(opened, path))
    result = GONE;
  if (result == TAKEN || result == WITHOUT_LOCKS)
    *descriptor = opened;
  else
    close(opened);
  return result;
}

/* The line of this bake, and whether it stays there: of two that begin at once, the later one has
 * written over the other's. */
static tribo_status sign(folder_lock *lock, bool alone, tribo_error *err) {
  enum { LOOKS = 10 };
  lock->self = owner_self();
  if (!owner_write(lock->descriptor, &lock->self, !alone))
    return status_fail(err, TRIBO_IO, "cannot write '%s': %s", lock->path, strerror(errno));
  for (int i = 0; i < LOOKS && !alone; i++) {
    nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
    TRY(folder_lock_check(lock, err));
  }
  return TRIBO_OK;
}

/* Where no lock tells, the line in the file does. */
static tribo_status take_unlocked(const char *folder, const log_sink *log, folder_lock *lock,
                                  tribo_error *err) {
  char host[OWNER_SIZE];
  owner before = owner_read(lock->path);
  if (owner_works_here(&before))
    return status_fail(err, TRIBO_BAD_INPUT, "another bake is running in '%s'", folder);
  if (*before.line && !owner_is_of_here(&before))
    log_write(
        log, TRIBO_LOG_WARNING,
        "'%s' is on a file system without locks, and a bake of '%s' was here: it is taken over "
        "from it; should it live yet, it stops before its next frame",
        folder, owner_host(&before, host));
  return sign(lock, false, err);
}

tribo_status folder_lock_take(const char *folder, const log_sink *log, folder_lock *out,
                              tribo_error *err) {
  *out = FOLDER_UNLOCKED;
  out->path = file_join(folder, LOCK_FILE);
  if (!out->path) return status_no_memory(err, folder);

  /* A reader that looks whether the bake is alive holds the lock for a moment: ask again. */
  attempt result = BUSY;
  for (int i = 0; i < LOCK_ATTEMPTS && (result == BUSY || result == GONE); i++) {
    if (i) nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
    result = try_lock(out->path, &out->descriptor);
  }
  tribo_status status;
  if (result == TAKEN)
    status = sign(out, true, err);
  else if (result == WITHOUT_LOCKS)
    status = take_unlocked(folder, log, out, err);
  else if (result == FAILED)
    status = status_fail(err, TRIBO_IO, "cannot write '%s': %s", out->path, strerror(errno));
  else
    status = status_fail(err, TRIBO_BAD_INPUT, "another bake is running in '%s'", folder);
  if (status == TRIBO_OK) return TRIBO_OK;
  out->lost = true; /* what stands there is another's */
  folder_lock_release(out);
  return status;
}

tribo_status folder_lock_check(folder_lock *lock, tribo_error *err) {
  owner now = owner_read(lock->path);
  char host[OWNER_SIZE];
  if (!*now.line || owner_is(&now, &lock->self)) return TRIBO_OK;
  lock->lost = true;
  return status_fail(err, TRIBO_IO,
                     "a bake on '%s' has taken the folder over ('%s' says so): this one stops and "
                     "leaves it alone",
                     owner_host(&now, host), lock->path);
}

void folder_lock_release(folder_lock *lock) {
  if (lock->descriptor >= 0) {
    if (!lock->lost) unlink(lock->path); /* while it is held: nobody else can be relying on it */
    close(lock->descriptor);
  }
  free(lock->path);
  *lock = FOLDER_UNLOCKED;
}

bool folder_is_locked(const char *folder) {
  char *path = file_join(folder, LOCK_FILE);
  if (!path) return false;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bool refused = descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0;
  bool locked = refused && errno == EWOULDBLOCK;
  if (refused && !locked) {
    owner who = owner_read(path);
    locked = owner_works_here(&who);
  }
  if (descriptor >= 0) close(descriptor);
  free(path);
  return locked;
}

/* ---- files ---- */

bool folder_has(const char *folder, const char *file) {
  char *path = file_join(folder, file);
  if (!path) return false;
  struct stat about;
  bool there = lstat(path, &about) == 0 || (errno != ENOENT && errno != ENOTDIR);
  free(path);
  return there;
}

static bool owns(const manifest *m, const char *file) {
  if (!m) return false;
  const char *owned;
  for (size_t i = 0; (owned = manifest_file(m, i)); i++)
    if (strcmp(owned, file) == 0) return true;
  for (size_t i = 0; i < m->removing.count; i++)
    if (strcmp(m->removing.data[i], file) == 0) return true;
  return false;
}

tribo_status folder_check_free(const char *folder, const manifest *ours, const manifest *before,
                               tribo_error *err) {
  const char *file;
  for (size_t i = 0; (file = manifest_file(ours, i)); i++)
    if (!owns(before, file) && folder_has(folder, file))
      return status_fail(
          err, TRIBO_BAD_INPUT,
          "'%s' already holds a file '%s' that no bake.json lists; bake into another "
          "folder, or move the file away",
          folder, file);
  return before && owns(before, STATES_FOLDER) ? states_check(folder, err) : TRIBO_OK;
}

static tribo_status remove_file(const char *folder, const char *file, const char *ending,
                                tribo_error *err) {
  char *path = file_join(folder, file);
  char *full = path ? malloc(strlen(path) + strlen(ending) + 1) : NULL;
  if (!full) {
    free(path);
    return status_no_memory(err, file);
  }
  strcpy(full, path);
  strcat(full, ending);
  tribo_status status = TRIBO_OK;
  if (unlink(full) != 0 && errno != ENOENT)
    status = status_fail(err, TRIBO_IO, "cannot remove '%s': %s", full, strerror(errno));
  free(path);
  free(full);
  return status;
}

tribo_status folder_remove(const char *folder, const manifest *m, tribo_error *err) {
  for (size_t i = 0; i < m->removing.count; i++) {
    if (strcmp(m->removing.data[i], STATES_FOLDER) == 0) {
      TRY(states_remove(folder, INT_MIN, err));
      continue;
    }
    TRY(remove_file(folder, m->removing.data[i], "", err));
    TRY(remove_file(folder, m->removing.data[i], ".tmp", err));
  }
  folder_sync(folder);
  return TRIBO_OK;
}

void folder_sync(const char *folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}
