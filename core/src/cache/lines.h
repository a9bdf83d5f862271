/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lines: a file with one line a frame, as stats.jsonl and contacts.jsonl are.
 *
 * A line is flushed to disk as a whole. After a kill the last line may be cut short; reopening at
 * the number of lines that the checkpoint vouches for drops it.
 */
#ifndef CACHE_LINES_H
#define CACHE_LINES_H

#include <stdio.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/status.h"
#include "cache/writer.h"

typedef struct lines {
  FILE *stream; /* NULL: not open */
  char *path;
  uint64_t sum; /* FNV-1a (base/hash.h) of the line appended last, its end included */
} lines;

/* A new, empty file. */
tribo_status lines_create(const char *path, lines *out, tribo_error *err);

/* Opens for appending and drops every line from `count` on; TRIBO_BAD_INPUT when there are fewer.
 */
tribo_status lines_reopen(const char *path, int32_t count, lines *out, tribo_error *err);

/* What the writer holds, which is one line with its end. */
tribo_status lines_append(lines *l, const writer *line, tribo_error *err);

void lines_close(lines *l);

/* ---- reading, also while another process appends ---- */

/* Where every complete line begins, and the end of the last, as far as the file was when last
 * looked at. */
typedef ARRAY(off_t) lines_index;

/* How many complete lines there are; 0 of a file that is not there. */
tribo_status lines_count(const char *path, lines_index *index, size_t *count, tribo_error *err);

/* Line `number`, with its end, as a text to be freed; *out is NULL where there is none yet.
 * Lines known before are trusted: whoever finds another text there than should be drops the index
 * and asks again. */
tribo_status lines_read(const char *path, lines_index *index, size_t number, char **out,
                        tribo_error *err);

#endif
