/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
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
  fwrite(line->data, 1, line->size, l->stream); /* file_sync finds what went wrong */
  return file_sync(l->stream, l->path, err);
}

void lines_close(lines *l) {
  if (l->stream) fclose(l->stream);
  free(l->path);
  *l = (lines){0};
}
