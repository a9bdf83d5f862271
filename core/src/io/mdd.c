/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/mdd.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "io/floats.h"

static tribo_status write_failed(const mdd *f, tribo_error *err) {
  return status_fail(err, TRIBO_IO, "cannot write '%s': %s", f->out.path, strerror(errno));
}

static tribo_status write_header(mdd *f, const double *times, tribo_error *err) {
  unsigned char counts[8];
  floats_put_u32(counts, (uint32_t)f->frames, FLOATS_BIG);
  floats_put_u32(counts + 4, (uint32_t)f->vertices, FLOATS_BIG);
  if (fwrite(counts, 1, sizeof counts, f->out.stream) != sizeof counts ||
      !floats_write(f->out.stream, times, (size_t)f->frames, FLOATS_BIG))
    return write_failed(f, err);
  return TRIBO_OK;
}

tribo_status mdd_create(const char *path, int32_t vertices, int32_t frames, const double *times,
                        mdd *out, tribo_error *err) {
  *out = (mdd){.vertices = vertices, .frames = frames};
  if (vertices < 1 || frames < 1)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "cannot write '%s': %d frames of %d vertices; both must be 1 or more", path,
                       (int)frames, (int)vertices);
  for (int32_t i = 0; i < frames; i++)
    if (!(fabs(times[i]) <= (double)FLT_MAX)) /* false for NaN too */
      return status_fail(err, TRIBO_BAD_INPUT, "cannot write '%s': the time of frame %d is %g",
                         path, (int)i, times[i]);
  TRY(file_create(path, &out->out, err));
  tribo_status status = write_header(out, times, err);
  if (status != TRIBO_OK) mdd_abandon(out);
  return status;
}

tribo_status mdd_append(mdd *f, const double *positions, tribo_error *err) {
  if (f->written == f->frames)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' was begun for %d frames; there is no place for more", f->out.path,
                       (int)f->frames);
  TRY(floats_check(f->out.path, "position", positions, (size_t)f->vertices, err));
  if (!floats_write(f->out.stream, positions, 3 * (size_t)f->vertices, FLOATS_BIG))
    return write_failed(f, err);
  f->written++;
  return TRIBO_OK;
}

tribo_status mdd_commit(mdd *f, tribo_error *err) {
  if (f->written == f->frames) return file_commit(&f->out, err);
  tribo_status status =
      status_fail(err, TRIBO_BAD_INPUT, "'%s' was begun for %d frames, but only %d were written",
                  f->out.path, (int)f->frames, (int)f->written);
  mdd_abandon(f);
  return status;
}

void mdd_abandon(mdd *f) { file_abandon(&f->out); }
