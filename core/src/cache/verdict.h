/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * verdict: verdict.jsonl, one line of JSON a frame: whether the frame is what it should be, why
 * not, what crosses what, and which triangles are pierced. What is said of a whole bake is summed
 * up from its lines whenever it is asked for, so that it never says more or less than the frames on
 * disk, after a kill or a resume too. There is no clock in it.
 */
#ifndef CACHE_VERDICT_H
#define CACHE_VERDICT_H

#include "cache/lines.h"
#include "cache/manifest.h"
#include "cache/sound.h"
#include "step/simulation.h"
#include "tribo/cache.h"

/* `sums` are those of the frame's other files. */
tribo_status verdict_append(lines *to, int frame, const simulation *s, const tribo_report *report,
                            const file_sum *sums, size_t sum_count, tribo_error *err);

/* For reading. */
typedef struct verdict_reader {
  lines_index line;
  struct cJSON *text; /* of the frame read last; names point into it */
  ARRAY(tribo_crossing) found;
  ARRAY(int32_t) pierced; /* of the object asked for last */
  tribo_verdict verdict;
  ARRAY(tribo_frame_range) ranges;
} verdict_reader;

/* The crossings of a frame, in r->found; none where they were not counted. Takes any bytes without
 * harm. */
tribo_status verdict_read(verdict_reader *r, const char *path, const manifest *m, int frame,
                          tribo_error *err);

/* The triangles of an object that are pierced in the frame read last, in r->pierced. */
tribo_status verdict_pierced(verdict_reader *r, const char *object, tribo_error *err);

/* Of the first `frames` frames, in r->verdict. */
tribo_status verdict_sum(verdict_reader *r, const char *path, const manifest *m, int frames,
                         tribo_error *err);

void verdict_reader_free(verdict_reader *r);

#endif
