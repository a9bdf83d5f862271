/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 4096
#define MOST 500000000u /* elements of an array: more is no geometry but damage */

struct hou_capture {
  FILE *file;
  hou_settings settings;
  double fps;
  int end;
  char line[LINE];             /* the last that was read */
  bool waiting;                /* it was not used yet */
  hou_input first[HOU_INPUTS]; /* the topology that `same` stands for */
};

static tribo_status damaged(const hou_capture *c, tribo_error *err, const char *what) {
  return hou_fail(err, TRIBO_BAD_INPUT,
                  "the capture is damaged at byte %ld: %s; write it again (line '%.80s')",
                  ftell(c->file), what, c->line);
}

/* The next line, without its end. */
static bool next(hou_capture *c) {
  if (c->waiting) {
    c->waiting = false;
    return true;
  }
  if (!fgets(c->line, sizeof c->line, c->file)) {
    c->line[0] = 0;
    return false;
  }
  size_t n = strlen(c->line);
  if (n == 0 || c->line[n - 1] != '\n') return false;
  c->line[n - 1] = 0;
  return true;
}

/* Whether the line begins with a word; rest: behind it. */
static bool is(const hou_capture *c, const char *word, const char **rest) {
  size_t n = strlen(word);
  if (strncmp(c->line, word, n) != 0 || (c->line[n] && c->line[n] != ' ')) return false;
  if (rest) *rest = c->line[n] ? c->line + n + 1 : c->line + n;
  return true;
}

static bool array(hou_capture *c, void *to, size_t size, size_t count) {
  return fread(to, size, count, c->file) == count;
}

/* ---- the head -------------------------------------------------------------------------------- */

static tribo_status read_head(hou_capture *c, tribo_error *err) {
  const char *rest;
  if (!next(c) || strcmp(c->line, "tribo-capture 1") != 0)
    return damaged(c, err, "it does not begin with 'tribo-capture 1'");
  while (next(c)) {
    char *value;
    if (is(c, "sample", NULL)) {
      c->waiting = true;
      return TRIBO_OK;
    }
    if (is(c, "fps", &rest)) {
      c->fps = strtod(rest, NULL);
    } else if (is(c, "end", &rest)) {
      c->end = (int)strtol(rest, NULL, 10);
    } else if (is(c, "set", &rest) && (value = strchr(rest, ' '))) {
      *value++ = 0;
      tribo_status status = hou_settings_set(&c->settings, rest, value, err);
      if (status != TRIBO_OK) return status;
    } else {
      return damaged(c, err, "an unknown line");
    }
  }
  return damaged(c, err, "it has no samples");
}

tribo_status hou_capture_open(const char *path, hou_capture **out, tribo_error *err) {
  hou_capture *c = *out = calloc(1, sizeof *c);
  if (!c || !hou_settings_create(&c->settings)) {
    free(c);
    *out = NULL;
    return hou_no_memory(err);
  }
  c->fps = 24;
  c->file = fopen(path, "rb");
  tribo_status status = c->file ? read_head(c, err)
                                : hou_fail(err, TRIBO_IO, "cannot read the capture '%.900s'", path);
  if (status == TRIBO_OK && !(c->fps > 0 && c->fps < 1e6)) status = damaged(c, err, "fps");
  if (status != TRIBO_OK) {
    hou_capture_close(c);
    *out = NULL;
  }
  return status;
}

void hou_capture_close(hou_capture *c) {
  if (!c) return;
  if (c->file) fclose(c->file);
  for (int i = 0; i < HOU_INPUTS; i++) hou_input_clear(c->first + i);
  hou_settings_free(&c->settings);
  free(c);
}

/* ---- one part -------------------------------------------------------------------------------- */

static tribo_status read_lengths(hou_capture *c, hou_geo *geo, tribo_error *err) {
  size_t at = 0;
  for (size_t i = 0; i < geo->prim_count; i++) {
    int32_t length;
    if (!array(c, &length, sizeof length, 1) || length < 0 ||
        (size_t)length > geo->corner_count - at)
      return damaged(c, err, "more corners than it says");
    geo->first[i] = at;
    at += (size_t)length;
  }
  return at == geo->corner_count ? TRIBO_OK : damaged(c, err, "fewer corners than it says");
}

static tribo_status read_corners(hou_capture *c, hou_geo *geo, tribo_error *err) {
  if (!array(c, geo->corners, sizeof *geo->corners, geo->corner_count))
    return damaged(c, err, "it ends within corners");
  for (size_t i = 0; i < geo->corner_count; i++)
    if (geo->corners[i] < 0 || (size_t)geo->corners[i] >= geo->point_count)
      return damaged(c, err, "a corner of a point that is not there");
  return TRIBO_OK;
}

static tribo_status take_same(hou_capture *c, hou_geo *geo, const hou_input *first, size_t part,
                              tribo_error *err) {
  const hou_geo *from = part < first->part_count ? first->parts[part] : NULL;
  if (!from || from->point_count != geo->point_count || from->prim_count != geo->prim_count ||
      from->corner_count != geo->corner_count)
    return damaged(c, err, "'same' as a first sample of other counts");
  memcpy(geo->prim_types, from->prim_types, geo->prim_count);
  memcpy(geo->first, from->first, (geo->prim_count + 1) * sizeof *geo->first);
  memcpy(geo->corners, from->corners, geo->corner_count * sizeof *geo->corners);
  return TRIBO_OK;
}

static size_t row_called(const char *name, hou_storage storage, hou_attribute *a) {
  for (size_t row = 0; hou_attribute_at(row, a); row++)
    if (strcmp(a->name, name) == 0 && a->storage == storage) return row;
  return SIZE_MAX;
}

static hou_owner owner_called(const char *word) {
  if (strcmp(word, "point") == 0) return HOU_POINT;
  if (strcmp(word, "vertex") == 0) return HOU_VERTEX;
  if (strcmp(word, "primitive") == 0) return HOU_PRIMITIVE;
  return HOU_DETAIL;
}

/* Texts are kept once, so their numbers may differ from those of the file. */
static tribo_status read_words(hou_capture *c, hou_geo *geo, hou_column *column, size_t count,
                               size_t words, tribo_error *err) {
  int32_t *numbers = calloc(words + 1, sizeof *numbers);
  tribo_status status = numbers ? TRIBO_OK : hou_no_memory(err);
  for (size_t i = 0; status == TRIBO_OK && i < words; i++) {
    if (!next(c))
      status = damaged(c, err, "it ends within words");
    else
      numbers[i] = hou_geo_text(geo, c->line);
  }
  if (status == TRIBO_OK && !array(c, column->wholes, sizeof *column->wholes, count))
    status = damaged(c, err, "it ends within an attribute");
  for (size_t i = 0; status == TRIBO_OK && i < count; i++) {
    if (column->wholes[i] < 0 || (size_t)column->wholes[i] >= words)
      status = damaged(c, err, "a word that is not there");
    else
      column->wholes[i] = numbers[column->wholes[i]];
  }
  free(numbers);
  return status;
}

static tribo_status read_attribute(hou_capture *c, hou_geo *geo, hou_storage storage,
                                   const char *rest, tribo_error *err) {
  char name[64], owner[16];
  unsigned long words = 0;
  hou_attribute a;
  int found = sscanf(rest, "%63s %15s %lu", name, owner, &words);
  size_t row = found >= 2 ? row_called(name, storage, &a) : SIZE_MAX;
  if (row == SIZE_MAX || words > MOST) return damaged(c, err, "an unknown attribute");
  if (geo->columns[row].owner) return damaged(c, err, "an attribute comes twice");
  hou_column *column = hou_geo_column(geo, row, owner_called(owner));
  if (!column) return hou_no_memory(err);
  size_t count = hou_geo_elements(geo, column->owner) * (size_t)a.width;
  if (storage == HOU_TEXT) return read_words(c, geo, column, count, words, err);
  bool whole = storage == HOU_WHOLE;
  void *to = whole ? (void *)column->wholes : (void *)column->reals;
  return array(c, to, 4, count) ? TRIBO_OK : damaged(c, err, "it ends within an attribute");
}

static tribo_status read_array(hou_capture *c, hou_geo *geo, const hou_input *first, size_t part,
                               tribo_error *err) {
  const char *rest;
  bool ok = true;
  if (is(c, "reals", &rest)) return read_attribute(c, geo, HOU_REAL, rest, err);
  if (is(c, "wholes", &rest)) return read_attribute(c, geo, HOU_WHOLE, rest, err);
  if (is(c, "words", &rest)) return read_attribute(c, geo, HOU_TEXT, rest, err);
  if (is(c, "lengths", NULL)) return read_lengths(c, geo, err);
  if (is(c, "corners", NULL)) return read_corners(c, geo, err);
  if (is(c, "same", NULL)) return take_same(c, geo, first, part, err);
  if (is(c, "positions", NULL))
    ok = array(c, geo->positions, 4, 3 * geo->point_count);
  else if (is(c, "types", NULL))
    ok = array(c, geo->prim_types, 1, geo->prim_count);
  else if (is(c, "pinned", NULL))
    ok = array(c, geo->pinned, 1, geo->point_count);
  else
    return damaged(c, err, "an unknown line");
  return ok ? TRIBO_OK : damaged(c, err, "it ends within an array");
}

static tribo_status read_part(hou_capture *c, hou_input *into, const hou_input *first,
                              const char *rest, tribo_error *err) {
  unsigned long points, prims, corners;
  int behind = 0;
  if (sscanf(rest, "%lu %lu %lu%n", &points, &prims, &corners, &behind) != 3 || points > MOST ||
      prims > MOST || corners > MOST)
    return damaged(c, err, "the counts of a part");
  const char *label = rest[behind] ? rest + behind + 1 : "";
  hou_geo *geo = hou_input_add(into, points, prims, corners, label);
  if (!geo) return hou_no_memory(err);
  while (next(c)) {
    if (strcmp(c->line, "end") == 0) return TRIBO_OK;
    tribo_status status = read_array(c, geo, first, into->part_count - 1, err);
    if (status != TRIBO_OK) return status;
  }
  return damaged(c, err, "it ends within a part");
}

/* ---- samples --------------------------------------------------------------------------------- */

/* What `same` needs of a first sample. */
static tribo_status keep_topology(hou_capture *c, int input, const hou_input *in,
                                  tribo_error *err) {
  for (size_t i = 0; i < in->part_count; i++) {
    const hou_geo *geo = in->parts[i];
    hou_geo *kept =
        hou_input_add(c->first + input, geo->point_count, geo->prim_count, geo->corner_count, "");
    if (!kept) return hou_no_memory(err);
    tribo_status status = take_same(c, kept, in, i, err);
    if (status != TRIBO_OK) return status;
  }
  return TRIBO_OK;
}

static bool read_sample(void *user, int input, double frame, hou_input *into, tribo_error *err) {
  hou_capture *c = user;
  const char *rest;
  int number = -1;
  double at = 0;
  if (!next(c) || !is(c, "sample", &rest) || sscanf(rest, "%d %lf", &number, &at) != 2 ||
      number != input || fabs(at - frame) > 1e-6) {
    hou_fail(err, TRIBO_BAD_INPUT,
             "the capture has '%.80s' where input %d at frame %g is due; write it again from the "
             "start frame on",
             c->line, input, frame);
    return false;
  }
  tribo_status status = TRIBO_OK;
  while (status == TRIBO_OK && next(c)) {
    if (!is(c, "part", &rest)) {
      c->waiting = true;
      break;
    }
    status = read_part(c, into, c->first + input, rest, err);
  }
  if (status == TRIBO_OK && !c->first[input].part_count)
    status = keep_topology(c, input, into, err);
  return status == TRIBO_OK;
}

static bool never(void *user, int percent) {
  (void)user;
  (void)percent;
  return false;
}

hou_host hou_capture_host(hou_capture *c) { return (hou_host){c, read_sample, never, c->fps}; }
const hou_settings *hou_capture_settings(const hou_capture *c) { return &c->settings; }
int hou_capture_end(const hou_capture *c) { return c->end; }
