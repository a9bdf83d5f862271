/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

static tribo_status read_failed(const char *path, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
}

static tribo_status write_failed(const char *path, tribo_error *err) {
  return status_fail(err, TRIBO_IO, "cannot write '%s': %s", path, strerror(errno));
}

/* What an open descriptor is, where that is no file with an end. */
static const char *unfit(int descriptor) {
  struct stat about;
  if (fstat(descriptor, &about) != 0 || S_ISREG(about.st_mode)) return NULL;
  return S_ISDIR(about.st_mode)    ? "Is a directory"
         : S_ISFIFO(about.st_mode) ? "it is a pipe, which has no end to wait for; save it as a file"
                                   : "it is a device or a socket, no file";
}

/* Asks after opening, so that nothing can be put in the file's place in between; O_NONBLOCK lets
 * the opening of a pipe without a writer return. It means nothing to files. */
tribo_status file_open(const char *path, FILE **out, tribo_error *err) {
  *out = NULL;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return read_failed(path, err);
  const char *what = unfit(descriptor);
  if (!what) *out = fdopen(descriptor, "rb");
  if (*out) return TRIBO_OK;
  tribo_status status = what ? status_fail(err, TRIBO_BAD_INPUT, "cannot read '%s': %s", path, what)
                             : read_failed(path, err);
  close(descriptor);
  return status;
}

/* Devices and folders are nobody's leftovers. */
static bool is_removable(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0 &&
         (S_ISREG(about.st_mode) || S_ISLNK(about.st_mode) || S_ISFIFO(about.st_mode));
}

/* O_NOFOLLOW and O_EXCL: a symbolic link that somebody put there is taken away itself, never what
 * it points to. */
tribo_status file_open_new(const char *path, FILE **out, tribo_error *err) {
  *out = NULL;
  if (is_removable(path) && unlink(path) != 0 && errno != ENOENT) return write_failed(path, err);
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return write_failed(path, err);
  *out = fdopen(descriptor, "w+b");
  if (*out) return TRIBO_OK;
  tribo_status status = write_failed(path, err);
  close(descriptor);
  return status;
}

tribo_status file_open_again(const char *path, FILE **out, tribo_error *err) {
  *out = NULL;
  int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ELOOP)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s' is a symbolic link, which no bake makes; remove it, or put the file "
                         "itself there",
                         path);
    return errno == ENOENT ? read_failed(path, err) : write_failed(path, err);
  }
  const char *what = unfit(descriptor);
  if (!what) *out = fdopen(descriptor, "r+b");
  if (*out) return TRIBO_OK;
  tribo_status status = what
                            ? status_fail(err, TRIBO_BAD_INPUT, "cannot write '%s': %s", path, what)
                            : write_failed(path, err);
  close(descriptor);
  return status;
}

tribo_status file_check_named(FILE *stream, const char *path, tribo_error *err) {
  struct stat held, named;
  if (fstat(fileno(stream), &held) != 0) return write_failed(path, err);
  if (stat(path, &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev)
    return TRIBO_OK;
  return status_fail(err, TRIBO_IO,
                     "'%s' was removed, moved or replaced while it was written; what is baked "
                     "would be lost",
                     path);
}

tribo_status file_hash(const char *path, uint64_t *hash, tribo_error *err) {
  unsigned char bytes[1 << 14];
  FILE *stream;
  TRY(file_open(path, &stream, err));
  *hash = HASH_START;
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, stream)) > 0;)
    *hash = hash_bytes(*hash, bytes, got);
  tribo_status status = ferror(stream) ? read_failed(path, err) : TRIBO_OK;
  fclose(stream);
  return status;
}

tribo_status file_read(const char *path, file_text *out, tribo_error *err) {
  *out = (file_text){0};
  FILE *stream;
  TRY(file_open(path, &stream, err));

  tribo_status status = TRIBO_OK;
  /* Read in growing pieces: the size of a file may change. */
  size_t capacity = 0;
  while (status == TRIBO_OK && !feof(stream)) {
    if (capacity - out->size < 2) {
      size_t grown = capacity ? 2 * capacity : (size_t)1 << 16;
      char *moved = realloc(out->data, grown);
      if (!moved) {
        status = status_no_memory(err, path);
        break;
      }
      out->data = moved;
      capacity = grown;
    }
    out->size += fread(out->data + out->size, 1, capacity - out->size - 1, stream);
    if (ferror(stream)) status = read_failed(path, err);
  }
  fclose(stream);
  if (status != TRIBO_OK) {
    free(out->data);
    *out = (file_text){0};
    return status;
  }
  out->data[out->size] = 0;
  return TRIBO_OK;
}

tribo_status file_create(const char *path, file_out *out, tribo_error *err) {
  *out = (file_out){0};
  size_t length = strlen(path);
  out->path = malloc(length + 1);
  out->temporary = malloc(length + 5);
  if (!out->path || !out->temporary) {
    file_abandon(out);
    return status_no_memory(err, path);
  }
  memcpy(out->path, path, length + 1);
  memcpy(out->temporary, path, length);
  memcpy(out->temporary + length, ".tmp", 5);
  tribo_error ignored; /* it names the temporary file */
  if (file_open_new(out->temporary, &out->stream, &ignored) == TRIBO_OK) return TRIBO_OK;
  tribo_status status = write_failed(path, err);
  free(out->temporary); /* not ours to remove */
  out->temporary = NULL;
  file_abandon(out);
  return status;
}

tribo_status file_commit(file_out *out, tribo_error *err) {
  tribo_status status = out->unsynced ? TRIBO_OK : file_sync(out->stream, out->path, err);
  if (status == TRIBO_OK && ferror(out->stream)) status = write_failed(out->path, err);
  if (fclose(out->stream) != 0 && status == TRIBO_OK) status = write_failed(out->path, err);
  out->stream = NULL;
  if (status == TRIBO_OK && rename(out->temporary, out->path) != 0)
    status = write_failed(out->path, err);
  file_abandon(out);
  return status;
}

void file_abandon(file_out *out) {
  if (out->stream) fclose(out->stream);
  if (out->temporary) unlink(out->temporary); /* after a commit there is nothing there */
  free(out->path);
  free(out->temporary);
  *out = (file_out){0};
}

tribo_status file_write(const char *path, const void *data, size_t size, tribo_error *err) {
  file_out out;
  TRY(file_create(path, &out, err));
  fwrite(data, 1, size, out.stream);
  return file_commit(&out, err);
}

tribo_status file_write_unsynced(const char *path, const void *data, size_t size,
                                 tribo_error *err) {
  file_out out;
  TRY(file_create(path, &out, err));
  out.unsynced = true;
  fwrite(data, 1, size, out.stream);
  return file_commit(&out, err);
}

tribo_status file_sync(FILE *stream, const char *path, tribo_error *err) {
  if (fflush(stream) != 0) return write_failed(path, err);
  if (ferror(stream)) /* of an earlier write, whose reason is gone */
    return status_fail(err, TRIBO_IO, "cannot write '%s': a write failed; is the disk full?", path);
  /* A pipe or a terminal cannot be synced, and need not be. */
  if (fsync(fileno(stream)) != 0 && errno != EINVAL && errno != EROFS)
    return write_failed(path, err);
  return TRIBO_OK;
}

tribo_status file_make_folder(const char *path, tribo_error *err) {
  if (!path[0]) return TRIBO_OK; /* the folder of a bare name: the current one */
  size_t length = strlen(path);
  char *partial = malloc(length + 1);
  if (!partial) return status_no_memory(err, path);
  memcpy(partial, path, length + 1);
  for (size_t i = 1; i <= length; i++) {
    if (partial[i] != '/' && partial[i] != 0) continue;
    char kept = partial[i];
    partial[i] = 0;
    struct stat about;
    bool there = stat(partial, &about) == 0 && S_ISDIR(about.st_mode);
    if (!there && mkdir(partial, 0777) != 0 && errno != EEXIST) {
      tribo_status status =
          status_fail(err, TRIBO_IO, "cannot create the folder '%s': %s", partial, strerror(errno));
      free(partial);
      return status;
    }
    partial[i] = kept;
  }
  struct stat about;
  bool folder = stat(partial, &about) == 0 && S_ISDIR(about.st_mode);
  free(partial);
  if (!folder)
    return status_fail(err, TRIBO_IO, "cannot create the folder '%s': a file of that name exists",
                       path);
  return TRIBO_OK;
}

char *file_join(const char *folder, const char *name) {
  size_t a = strlen(folder), b = strlen(name);
  if (name[0] == '/') a = 0;
  char *joined = malloc(a + b + 2);
  if (!joined) return NULL;
  memcpy(joined, folder, a);
  if (a && folder[a - 1] != '/') joined[a++] = '/';
  memcpy(joined + a, name, b + 1);
  return joined;
}

char *file_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  if (slash == path) length = 1;
  char *folder = malloc(length + 1);
  if (!folder) return NULL;
  memcpy(folder, path, length);
  folder[length] = 0;
  return folder;
}
