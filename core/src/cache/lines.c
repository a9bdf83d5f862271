/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

typedef tribo_status (*opener)(const char *path, FILE **out, tribo_error *err);

static tribo_status open_stream(const char *path, opener open_it, lines *out, tribo_error *err) {
  *out = (lines){.path = text_copy(path)};
  if (!out->path) return status_no_memory(err, path);
  tribo_status status = open_it(path, &out->stream, err);
  if (status != TRIBO_OK) lines_close(out);
  return status;
}

tribo_status lines_create(const char *path, lines *out, tribo_error *err) {
  return open_stream(path, file_open_new, out, err);
}

/* Where line number `count` begins; -1 when the file has fewer complete lines. */
static off_t end_of_lines(FILE *stream, int32_t count) {
  off_t length = 0;
  int c;
  while (count > 0 && (c = getc(stream)) != EOF) {
    length++;
    if (c == '\n') count--;
  }
  return count > 0 ? -1 : length;
}

tribo_status lines_reopen(const char *path, int32_t count, lines *out, tribo_error *err) {
  TRY(open_stream(path, file_open_again, out, err));

  off_t length = end_of_lines(out->stream, count);
  if (length < 0) {
    lines_close(out);
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' holds fewer than the %d frames of the checkpoint", path, (int)count);
  }
  if (ftruncate(fileno(out->stream), length) != 0 || fseeko(out->stream, length, SEEK_SET) != 0) {
    lines_close(out);
    return status_fail(err, TRIBO_IO, "cannot write '%s': %s", path, strerror(errno));
  }
  return TRIBO_OK;
}

tribo_status lines_append(lines *l, const writer *line, tribo_error *err) {
  if (line->failed) return status_no_memory(err, l->path);
  l->sum = hash_bytes(HASH_START, line->data, line->size);
  fwrite(line->data, 1, line->size, l->stream); /* file_sync finds what went wrong */
  return file_sync(l->stream, l->path, err);
}

void lines_close(lines *l) {
  if (l->stream) fclose(l->stream);
  free(l->path);
  *l = (lines){0};
}

/* ---- reading ---- */

enum { BLOCK = 1 << 16 };

/* Goes on counting lines behind those that are known. A line without its end is still being
 * written. */
static tribo_status find_lines(lines_index *index, FILE *stream, const char *path,
                               tribo_error *err) {
  char block[BLOCK];
  if (index->count == 0 && !ARRAY_PUSH(*index, 0)) return status_no_memory(err, path);
  off_t at = index->data[index->count - 1];
  if (fseeko(stream, at, SEEK_SET) != 0)
    return status_fail(err, TRIBO_IO, "cannot read '%s': %s", path, strerror(errno));
  for (size_t got; (got = fread(block, 1, sizeof block, stream)) > 0; at += (off_t)got)
    for (const char *c = block, *end; (end = memchr(c, '\n', got - (size_t)(c - block)));
         c = end + 1) {
      off_t next = at + (end - block) + 1;
      if (!ARRAY_PUSH(*index, next)) return status_no_memory(err, path);
    }
  return TRIBO_OK;
}

static tribo_status read_text(FILE *stream, const char *path, off_t begin, off_t end, char **out,
                              tribo_error *err) {
  size_t size = (size_t)(end - begin);
  *out = malloc(size + 1);
  if (!*out) return status_no_memory(err, path);
  if (fseeko(stream, begin, SEEK_SET) == 0 && fread(*out, 1, size, stream) == size) {
    (*out)[size] = 0;
    return TRIBO_OK;
  }
  free(*out);
  *out = NULL;
  return status_fail(err, TRIBO_IO, "cannot read '%s'", path);
}

tribo_status lines_count(const char *path, lines_index *index, size_t *count, tribo_error *err) {
  FILE *stream;
  *count = 0;
  index->count = 0;
  TRY(file_open(path, &stream, err));
  tribo_status status = find_lines(index, stream, path, err);
  fclose(stream);
  if (status == TRIBO_OK) *count = index->count - 1;
  return status;
}

tribo_status lines_read(const char *path, lines_index *index, size_t number, char **out,
                        tribo_error *err) {
  *out = NULL;
  FILE *stream;
  TRY(file_open(path, &stream, err));
  tribo_status status = TRIBO_OK;
  if (number + 1 >= index->count) status = find_lines(index, stream, path, err);
  if (status == TRIBO_OK && number + 1 < index->count)
    status = read_text(stream, path, index->data[number], index->data[number + 1], out, err);
  fclose(stream);
  return status;
}
