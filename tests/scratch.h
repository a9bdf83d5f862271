/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scratch: a folder for the files of one test program, made before its first claim and removed
 * after its last.
 *
 *   return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCH_PATH = 512 };

static char scratch_folder[32];

static inline int scratch_create(void **state) {
  (void)state;
  strcpy(scratch_folder, "scratch_XXXXXX");
  return mkdtemp(scratch_folder) ? 0 : -1;
}

static inline void scratch_remove_folder(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries) return;
  for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char path[SCRATCH_PATH];
    int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length >= SCRATCH_PATH) continue;
    if (unlink(path) != 0) scratch_remove_folder(path);
  }
  closedir(entries);
  rmdir(folder);
}

static inline int scratch_remove(void **state) {
  (void)state;
  scratch_remove_folder(scratch_folder);
  return 0;
}

/* The path of a file in the folder; good until the eighth call after this one. */
static inline const char *scratch_path(const char *name) {
  static char paths[8][SCRATCH_PATH];
  static unsigned next;
  char *path = paths[next++ % 8];
  snprintf(path, SCRATCH_PATH, "%s/%s", scratch_folder, name);
  return path;
}

#endif
