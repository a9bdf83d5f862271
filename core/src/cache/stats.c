/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cache/json.h"

static tribo_status open_stream(const char *path, const char *mode, stats *out, tribo_error *err) {
  *out = (stats){.path = text_copy(path)};
  if (!out->path) return status_no_memory(err, path);
  out->stream = fopen(path, mode);
  if (out->stream) return TRIBO_OK;
  stats_close(out);
  return status_fail(err, TRIBO_IO, "cannot write '%s': %s", path, strerror(errno));
}

tribo_status stats_create(const char *path, stats *out, tribo_error *err) {
  return open_stream(path, "wb", out, err);
}

/* Where line number `lines` begins; -1 when the file has fewer complete lines. */
static off_t end_of_lines(FILE *stream, int32_t lines) {
  off_t length = 0;
  int c;
  while (lines > 0 && (c = getc(stream)) != EOF) {
    length++;
    if (c == '\n') lines--;
  }
  return lines > 0 ? -1 : length;
}

tribo_status stats_reopen(const char *path, int32_t lines, stats *out, tribo_error *err) {
  *out = (stats){0};
  if (access(path, F_OK) != 0)
    return status_fail(err, TRIBO_BAD_INPUT, "cannot read '%s': %s", path, strerror(errno));
  TRY(open_stream(path, "r+b", out, err));

  off_t length = end_of_lines(out->stream, lines);
  if (length < 0) {
    stats_close(out);
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' holds fewer than the %d frames of the checkpoint", path, (int)lines);
  }
  if (ftruncate(fileno(out->stream), length) != 0 || fseeko(out->stream, length, SEEK_SET) != 0) {
    stats_close(out);
    return status_fail(err, TRIBO_IO, "cannot write '%s': %s", path, strerror(errno));
  }
  return TRIBO_OK;
}

void stats_close(stats *s) {
  if (s->stream) fclose(s->stream);
  free(s->path);
  *s = (stats){0};
}

/* ---- the line ---- */

stats_body stats_of_body(const model *m, const model_body *body, const state *moving) {
  stats_body sum = {0};
  double mass = 0;
  for (int32_t i = body->first_vertex; i < body->first_vertex + body->vertex_count; i++) {
    mass += m->mass[i];
    sum.com = vec3_madd(sum.com, m->mass[i], moving->x[i]);
    sum.com_velocity = vec3_madd(sum.com_velocity, m->mass[i], moving->v[i]);
    sum.kinetic_energy += 0.5 * m->mass[i] * vec3_norm2(moving->v[i]);
  }
  double share = mass > 0 ? 1 / mass : 0;
  sum.com = vec3_scale(share, sum.com);
  sum.com_velocity = vec3_scale(share, sum.com_velocity);
  return sum;
}

static void put_integer(json_text *j, const char *key, int value) {
  json_key(j, key);
  json_integer(j, value);
}

static void put_number(json_text *j, const char *key, double value) {
  json_key(j, key);
  json_number(j, value);
}

static void put_vector(json_text *j, const char *key, vec3 value) {
  json_key(j, key);
  json_open(j, '[');
  json_number(j, value.x);
  json_number(j, value.y);
  json_number(j, value.z);
  json_close(j, ']');
}

static void put_bodies(json_text *j, const model *m, const state *moving) {
  json_key(j, "objects");
  json_open(j, '{');
  for (size_t b = 0; b < m->body_count; b++) {
    stats_body body = stats_of_body(m, &m->bodies[b], moving);
    json_key(j, m->bodies[b].name);
    json_open(j, '{');
    put_vector(j, "com", body.com);
    put_vector(j, "com_velocity", body.com_velocity);
    put_number(j, "kinetic_energy", body.kinetic_energy);
    json_close(j, '}');
  }
  json_close(j, '}');
}

static void put_line(json_text *j, int frame, double seconds, const tribo_report *report,
                     const model *m, const state *moving) {
  json_open(j, '{');
  put_integer(j, "frame", frame);
  put_number(j, "seconds", seconds);
  put_integer(j, "substeps", report->steps);
  put_integer(j, "cuts", report->cuts);
  put_integer(j, "newton_iterations", report->newton_iterations);
  put_integer(j, "linear_iterations", report->linear_iterations);
  put_number(j, "residual", report->residual);
  json_key(j, "converged");
  json_bool(j, report->converged);
  put_integer(j, "contacts", 0);
  put_number(j, "max_penetration", 0);
  put_integer(j, "friction_iterations", 0);
  put_number(j, "friction_residual", 0);
  put_number(j, "kinetic_energy", report->kinetic_energy);
  put_number(j, "elastic_energy", report->elastic_energy);
  put_number(j, "linear_seconds", report->linear_seconds);
  put_number(j, "assembly_seconds", report->assembly_seconds);
  put_bodies(j, m, moving);
  json_close(j, '}');
  json_newline(j);
}

tribo_status stats_append(stats *s, int frame, double seconds, const tribo_report *report,
                          const model *m, const state *moving, tribo_error *err) {
  json_text j = {0};
  put_line(&j, frame, seconds, report, m, moving);
  if (j.failed) {
    json_free(&j);
    return status_no_memory(err, s->path);
  }
  fwrite(j.data, 1, j.size, s->stream); /* file_sync finds what went wrong */
  json_free(&j);
  return file_sync(s->stream, s->path, err);
}
