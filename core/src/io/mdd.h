/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mdd: point caches, big-endian: i32 frames, i32 vertices, f32 time[frames] in seconds; then
 * frames x vertices x 3 f32. Written whole (the number of frames comes first in the file), one
 * frame at a time; complete or absent.
 */
#ifndef IO_MDD_H
#define IO_MDD_H

#include <stdint.h>

#include "base/file.h"

typedef struct mdd {
  file_out out;
  int32_t vertices, frames, written;
} mdd;

/* times: `frames` seconds. */
tribo_status mdd_create(const char *path, int32_t vertices, int32_t frames, const double *times,
                        mdd *out, tribo_error *err);

/* 3 doubles a vertex, rounded to float. After a fault the file can only be abandoned. */
tribo_status mdd_append(mdd *f, const double *positions, tribo_error *err);

/* Renames the file into place; TRIBO_BAD_INPUT when frames are missing, TRIBO_IO when the disk
 * fails. Either way f is done with. */
tribo_status mdd_commit(mdd *f, tribo_error *err);
void mdd_abandon(mdd *f);

#endif
