/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * file: whole files in, and files out that are complete or absent.
 *
 * Every failure says which path, what was tried, and the system's reason. Input faults (missing
 * file) are TRIBO_BAD_INPUT, output faults (full disk, no permission) TRIBO_IO: the program's exit
 * code hangs on the difference.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct file_text {
  char *data; /* size bytes and a closing 0 */
  size_t size;
} file_text;

/* A stream to read a file from. Folders, pipes, devices and sockets are refused, as they are by all
 * that follows: some never end. TRIBO_BAD_INPUT. */
tribo_status file_open(const char *path, FILE **out, tribo_error *err);

/* A stream to write a file that was not there before: whatever has the name is taken away first. A
 * symbolic link is taken away itself and never followed. */
tribo_status file_open_new(const char *path, FILE **out, tribo_error *err);

/* A stream to change a file that is there. A symbolic link is refused: what it points to may be
 * somebody else's. */
tribo_status file_open_again(const char *path, FILE **out, tribo_error *err);

/* The stream's file still has this name; TRIBO_IO where it was removed or replaced, by the name or
 * by that of its folder. */
tribo_status file_check_named(FILE *stream, const char *path, tribo_error *err);

/* FNV-1a (base/hash.h) of all its bytes. */
tribo_status file_hash(const char *path, uint64_t *hash, tribo_error *err);

/* Reads all of path. Free data with free(). Missing or unreadable: TRIBO_BAD_INPUT. */
tribo_status file_read(const char *path, file_text *out, tribo_error *err);

/* A file under construction at "<path>.tmp": file_commit flushes it to disk and renames it into
 * place; file_abandon removes it. Write errors may be left to file_commit, which finds them. */
typedef struct file_out {
  FILE *stream;
  char *path, *temporary;
  bool unsynced; /* file_commit does not wait for the disk: a power cut may cost the file */
} file_out;

tribo_status file_create(const char *path, file_out *out, tribo_error *err);
tribo_status file_commit(file_out *out, tribo_error *err);
void file_abandon(file_out *out);

/* The whole of data to path, complete or absent. */
tribo_status file_write(const char *path, const void *data, size_t size, tribo_error *err);

/* The same without waiting for the disk, for many small files that can be made again. */
tribo_status file_write_unsynced(const char *path, const void *data, size_t size, tribo_error *err);

/* Flushes a stream all the way to disk; TRIBO_IO with path and reason when that fails. */
tribo_status file_sync(FILE *stream, const char *path, tribo_error *err);

/* Creates the folder and its parents; fine when it is there already. "" is the current one. */
tribo_status file_make_folder(const char *path, tribo_error *err);

/* "folder/name", or name alone when it is absolute or folder is "". Free with free(); NULL when out
 * of memory. */
char *file_join(const char *folder, const char *name);

/* The folder part of path ("" when there is none). Free with free(). */
char *file_folder(const char *path);

#endif
