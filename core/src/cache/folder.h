/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * folder: who works in a bake's folder, and which of its files are whose.
 *
 * One bake at a time: an exclusive flock on bake.lock, which the kernel drops when the process
 * ends in whatever way. The file goes when the bake ends; left behind by a kill it does no harm.
 * It also says who bakes (cache/owner.h), which counts where locks do not reach.
 */
#ifndef CACHE_FOLDER_H
#define CACHE_FOLDER_H

#include "base/log.h"
#include "base/status.h"
#include "cache/manifest.h"
#include "cache/owner.h"

#define LOCK_FILE "bake.lock"

typedef struct folder_lock {
  int descriptor; /* -1: not held */
  char *path;
  owner self;
  bool lost; /* another bake has taken the folder over */
} folder_lock;

#define FOLDER_UNLOCKED ((folder_lock){.descriptor = -1})

/* TRIBO_BAD_INPUT when another bake holds it. Where the file system knows no locks: when a bake of
 * this machine is at work there; from one of another machine, of which nobody can tell whether it
 * lives, the folder is taken over, and the log says so. */
tribo_status folder_lock_take(const char *folder, const log_sink *log, folder_lock *out,
                              tribo_error *err);
/* TRIBO_IO once another bake has taken the folder over: it is not to be touched any more. */
tribo_status folder_lock_check(folder_lock *lock, tribo_error *err);
void folder_lock_release(folder_lock *lock);

/* Whether some bake holds the lock. */
bool folder_is_locked(const char *folder);

/* Something of that name is there, of whatever kind. */
bool folder_has(const char *folder, const char *file);

/* No file that `ours` would write is there already, unless `before` (may be NULL) owns it: what is
 * left is somebody else's. TRIBO_BAD_INPUT names it. */
tribo_status folder_check_free(const char *folder, const manifest *ours, const manifest *before,
                               tribo_error *err);

/* Removes the files m->removing, in order, and what a kill may have left of them half-written. */
tribo_status folder_remove(const char *folder, const manifest *m, tribo_error *err);

/* Makes new names and removals in the folder outlast a power cut; best effort. */
void folder_sync(const char *folder);

#endif
