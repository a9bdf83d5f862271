/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/pc2.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "io/floats.h"

enum { BYTES_PER_VERTEX = 12, VERSION = 1 };
enum { VERSION_AT = 12, VERTICES_AT = 16, START_AT = 20, SAMPLING_AT = 24, SAMPLES_AT = 28 };

static const char magic[VERSION_AT] = "POINTCACHE2";

_Static_assert(sizeof(off_t) >= 8, "point caches outgrow 32-bit offsets");

static tribo_status read_failed(const char *path, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
}

static tribo_status write_failed(const char *path, tribo_error *err) {
  return status_fail(err, TRIBO_IO, "cannot write '%s': %s", path, strerror(errno));
}

static int64_t sample_size(const pc2 *f) { return (int64_t)BYTES_PER_VERTEX * f->vertices; }

/* Where sample i begins; the caller has made sure that the file reaches that far, or is about to.
 */
static off_t sample_at(const pc2 *f, int32_t i) {
  return (off_t)(PC2_HEADER_SIZE + sample_size(f) * i);
}

static int32_t get_i32(const unsigned char *bytes) {
  uint32_t bits = floats_get_u32(bytes, FLOATS_LITTLE);
  int32_t value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void put_i32(unsigned char *bytes, int32_t value) {
  floats_put_u32(bytes, (uint32_t)value, FLOATS_LITTLE);
}

/* Without a buffer of stdio's, a failed write leaves nothing behind that a later call would write
 * after all. Samples pass in large pieces, so nothing is lost by it. */
static tribo_status begin(const char *path,
                          tribo_status (*open_it)(const char *, FILE **, tribo_error *), pc2 *out,
                          tribo_error *err) {
  *out = (pc2){.path = text_copy(path)};
  if (!out->path) return status_no_memory(err, path);
  TRY(open_it(path, &out->stream, err));
  setvbuf(out->stream, NULL, _IONBF, 0);
  return TRIBO_OK;
}

/* Reads the header but for its count of samples, which is `counted`; `complete` is how many the
 * length of the file allows. */
static tribo_status read_header(pc2 *f, int32_t *counted, int64_t *complete, tribo_error *err) {
  unsigned char header[PC2_HEADER_SIZE];
  size_t got = fread(header, 1, sizeof header, f->stream);
  if (ferror(f->stream)) return read_failed(f->path, err);
  if (got < sizeof magic || memcmp(header, magic, sizeof magic) != 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' is not a PC2 point cache: it does not begin with POINTCACHE2",
                       f->path);
  if (got < sizeof header)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' is cut off: %zu bytes, but a PC2 header alone has %d", f->path, got,
                       PC2_HEADER_SIZE);

  int32_t version = get_i32(header + VERSION_AT);
  if (version != VERSION)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' has PC2 version %d; only version %d is known",
                       f->path, (int)version, VERSION);
  f->vertices = get_i32(header + VERTICES_AT);
  if (f->vertices < 1)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' claims %d vertices; a point cache needs 1 or more", f->path,
                       (int)f->vertices);
  f->start = floats_get(header + START_AT, FLOATS_LITTLE);
  f->sampling = floats_get(header + SAMPLING_AT, FLOATS_LITTLE);
  if (!isfinite(f->start) || !isfinite(f->sampling) || f->sampling <= 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' has start frame %g and %g frames between samples; expected finite "
                       "numbers, the second above 0",
                       f->path, (double)f->start, (double)f->sampling);
  *counted = get_i32(header + SAMPLES_AT);
  if (*counted < 0)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' claims %d samples", f->path, (int)*counted);

  off_t length = -1;
  if (fseeko(f->stream, 0, SEEK_END) == 0) length = ftello(f->stream);
  if (length < PC2_HEADER_SIZE) return read_failed(f->path, err);
  *complete = ((int64_t)length - PC2_HEADER_SIZE) / sample_size(f);
  return TRIBO_OK;
}

static tribo_status open_checked(pc2 *f, tribo_error *err) {
  int64_t complete;
  TRY(read_header(f, &f->samples, &complete, err));
  if (complete < f->samples)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' is cut off: its header counts %d samples of %d vertices, but the file "
                       "holds only %lld; bake it again",
                       f->path, (int)f->samples, (int)f->vertices, (long long)complete);
  return TRIBO_OK;
}

tribo_status pc2_open(const char *path, pc2 *out, tribo_error *err) {
  tribo_status status = begin(path, file_open, out, err);
  if (status == TRIBO_OK) status = open_checked(out, err);
  if (status != TRIBO_OK) pc2_close(out);
  return status;
}

tribo_status pc2_open_whole(const char *path, pc2 *out, tribo_error *err) {
  int32_t counted;
  int64_t complete = 0;
  tribo_status status = begin(path, file_open, out, err);
  if (status == TRIBO_OK) status = read_header(out, &counted, &complete, err);
  if (status != TRIBO_OK) pc2_close(out);
  out->samples = complete < INT32_MAX ? (int32_t)complete : INT32_MAX;
  return status;
}

static bool write_at(pc2 *f, off_t where, const unsigned char *bytes, size_t size) {
  return fseeko(f->stream, where, SEEK_SET) == 0 && fwrite(bytes, 1, size, f->stream) == size;
}

/* Counts `samples` in the header and flushes that to disk. */
static tribo_status count_samples(pc2 *f, int32_t samples, tribo_error *err) {
  unsigned char bytes[4];
  put_i32(bytes, samples);
  if (!write_at(f, SAMPLES_AT, bytes, sizeof bytes)) return write_failed(f->path, err);
  TRY(file_sync(f->stream, f->path, err));
  f->samples = samples;
  return TRIBO_OK;
}

static tribo_status write_header(pc2 *f, tribo_error *err) {
  unsigned char header[PC2_HEADER_SIZE];
  memcpy(header, magic, sizeof magic);
  put_i32(header + VERSION_AT, VERSION);
  put_i32(header + VERTICES_AT, f->vertices);
  floats_put(header + START_AT, f->start, FLOATS_LITTLE);
  floats_put(header + SAMPLING_AT, f->sampling, FLOATS_LITTLE);
  put_i32(header + SAMPLES_AT, 0);
  if (!write_at(f, 0, header, sizeof header)) return write_failed(f->path, err);
  return file_sync(f->stream, f->path, err);
}

tribo_status pc2_create(const char *path, int32_t vertices, float start, float sampling, pc2 *out,
                        tribo_error *err) {
  *out = (pc2){0};
  if (vertices < 1)
    return status_fail(err, TRIBO_BAD_INPUT, "cannot write '%s': a point cache of %d vertices",
                       path, (int)vertices);
  if (!isfinite(start) || !isfinite(sampling) || sampling <= 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "cannot write '%s': start frame %g and %g frames between samples; expected "
                       "finite numbers, the second above 0",
                       path, (double)start, (double)sampling);
  tribo_status status = begin(path, file_open_new, out, err);
  out->vertices = vertices;
  out->start = start;
  out->sampling = sampling;
  if (status == TRIBO_OK) status = write_header(out, err);
  if (status != TRIBO_OK) pc2_close(out);
  return status;
}

static tribo_status reopen_checked(pc2 *f, int32_t vertices, int32_t samples, tribo_error *err) {
  int32_t counted;
  int64_t complete;
  TRY(read_header(f, &counted, &complete, err));
  if (f->vertices != vertices)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' is a cache of %d vertices, not of %d; bake it from the start", f->path,
                       (int)f->vertices, (int)vertices);
  if (samples < 0 || complete < samples)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' holds %lld complete samples, not %d; bake it from an earlier frame",
                       f->path, (long long)complete, (int)samples);
  /* First the count, then the cut: broken off in between, the file is still whole. */
  TRY(count_samples(f, samples, err));
  if (ftruncate(fileno(f->stream), sample_at(f, samples)) != 0) return write_failed(f->path, err);
  return file_sync(f->stream, f->path, err);
}

tribo_status pc2_reopen(const char *path, int32_t vertices, int32_t samples, pc2 *out,
                        tribo_error *err) {
  tribo_status status = begin(path, file_open_again, out, err);
  if (status == TRIBO_OK) status = reopen_checked(out, vertices, samples, err);
  if (status != TRIBO_OK) pc2_close(out);
  return status;
}

static tribo_status check_sample(const pc2 *f, int32_t sample, tribo_error *err) {
  if (sample >= 0 && sample < f->samples) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT, "'%s' has %d samples; there is no sample %d", f->path,
                     (int)f->samples, (int)sample);
}

static tribo_status sample_lost(const pc2 *f, int32_t sample, tribo_error *err) {
  clearerr(f->stream);
  if (errno) return read_failed(f->path, err);
  return status_fail(err, TRIBO_BAD_INPUT, "'%s' was cut off inside sample %d while in use",
                     f->path, (int)sample);
}

tribo_status pc2_sum(pc2 *f, int32_t sample, uint64_t *sum, tribo_error *err) {
  unsigned char bytes[1 << 14];
  TRY(check_sample(f, sample, err));
  *sum = HASH_START;
  errno = 0;
  if (fseeko(f->stream, sample_at(f, sample), SEEK_SET) != 0) return sample_lost(f, sample, err);
  for (int64_t left = sample_size(f); left > 0;) {
    size_t now = left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes;
    if (fread(bytes, 1, now, f->stream) != now) return sample_lost(f, sample, err);
    *sum = hash_bytes(*sum, bytes, now);
    left -= (int64_t)now;
  }
  return TRIBO_OK;
}

tribo_status pc2_read_sample(pc2 *f, int32_t sample, double *positions, tribo_error *err) {
  TRY(check_sample(f, sample, err));
  size_t values = 3 * (size_t)f->vertices;
  errno = 0;
  if (fseeko(f->stream, sample_at(f, sample), SEEK_SET) != 0 ||
      !floats_read(f->stream, positions, values, FLOATS_LITTLE))
    return sample_lost(f, sample, err);
  for (size_t i = 0; i < values; i++)
    if (!isfinite(positions[i]))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s' sample %d: the %c coordinate of vertex %zu is %g; it must be finite",
                         f->path, (int)sample, "xyz"[i % 3], i / 3, positions[i]);
  return TRIBO_OK;
}

static tribo_status write_sample(pc2 *f, const double *positions, tribo_error *err) {
  if (fseeko(f->stream, sample_at(f, f->samples), SEEK_SET) != 0 ||
      !floats_write(f->stream, positions, 3 * (size_t)f->vertices, FLOATS_LITTLE))
    return write_failed(f->path, err);
  return file_sync(f->stream, f->path, err);
}

tribo_status pc2_append(pc2 *f, const double *positions, tribo_error *err) {
  if (f->samples == INT32_MAX ||
      (int64_t)f->samples + 1 > (INT64_MAX - PC2_HEADER_SIZE) / sample_size(f))
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' is full: %d samples of %d vertices", f->path,
                       (int)f->samples, (int)f->vertices);
  TRY(floats_check(f->path, "position", positions, (size_t)f->vertices, err));
  tribo_status status = write_sample(f, positions, err);
  if (status == TRIBO_OK) {
    f->sum = floats_hash(positions, 3 * (size_t)f->vertices, FLOATS_LITTLE);
    status = count_samples(f, f->samples + 1, err);
  } else {
    /* Gives the disk back what the torn sample took. Should that fail too, nothing is lost: the
     * header does not count it. */
    int ignored = ftruncate(fileno(f->stream), sample_at(f, f->samples));
    (void)ignored;
  }
  clearerr(f->stream);
  return status;
}

void pc2_close(pc2 *f) {
  if (f->stream) fclose(f->stream);
  free(f->path);
  *f = (pc2){0};
}
