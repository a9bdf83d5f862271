/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/verdict.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The gravest first, in the order of the bits. */
static const char *const REASONS[] = {"energy", "crossings", "deep", "tangled", "steps"};
enum { REASON_COUNT = sizeof REASONS / sizeof *REASONS };

/* ---- writing ---- */

static void put_text(writer *w, const char *key, const char *text) {
  writer_key(w, key);
  writer_string(w, text);
}

static void put_integer(writer *w, const char *key, int64_t value) {
  writer_key(w, key);
  writer_integer(w, value);
}

static void put_number(writer *w, const char *key, double value) {
  writer_key(w, key);
  writer_number(w, value);
}

static void put_integers(writer *w, const char *key, const int32_t *values, size_t count) {
  writer_key(w, key);
  writer_open(w, '[');
  for (size_t i = 0; i < count; i++) writer_integer(w, values[i]);
  writer_close(w, ']');
}

static void put_pair(writer *w, const tribo_crossing *c) {
  writer_open(w, '{');
  put_text(w, "object", c->object);
  put_text(w, "other", c->other);
  put_integer(w, "count", c->count);
  put_integer(w, "new", c->new_count);
  put_integer(w, "at_start", c->at_start);
  put_number(w, "depth", c->depth);
  writer_key(w, "place");
  writer_numbers(w, c->place, 3);
  put_text(w, "edge_of", c->edge_of);
  put_integers(w, "edge", c->edge, 2);
  put_integers(w, "triangle", c->triangle, 3);
  writer_close(w, '}');
}

static void put_pierced(writer *w, const simulation *s, size_t object, const char *name) {
  size_t count;
  const int32_t *triangles = simulation_pierced(s, object, &count);
  if (count) put_integers(w, name, triangles, 3 * count);
}

/* Every object of a pair once: pairs are sorted by both. */
static void put_all_pierced(writer *w, const simulation *s, const tribo_crossing *list,
                            size_t count) {
  writer_key(w, "pierced");
  writer_open(w, '{');
  for (size_t i = 0; i < 2 * count; i++) {
    bool second = i % 2;
    size_t object = second ? list[i / 2].b : list[i / 2].a;
    bool before = false;
    for (size_t k = 0; k < i && !before; k++)
      before = (k % 2 ? list[k / 2].b : list[k / 2].a) == object;
    if (!before) put_pierced(w, s, object, second ? list[i / 2].other : list[i / 2].object);
  }
  writer_close(w, '}');
}

static void put_crossings(writer *w, const simulation *s, const tribo_report *report) {
  put_number(w, "crossings", report->crossings < 0 ? (double)NAN : (double)report->crossings);
  put_integer(w, "new_crossings", report->new_crossings);
  put_integer(w, "grazing", report->grazing);
  if (report->crossings <= 0) return;
  size_t count;
  const tribo_crossing *list = simulation_crossings(s, &count);
  writer_key(w, "pairs");
  writer_open(w, '[');
  for (size_t i = 0; i < count; i++) put_pair(w, &list[i]);
  writer_close(w, ']');
  put_all_pierced(w, s, list, count);
}

static void put_causes(writer *w, const simulation *s) {
  judge_deep deep = simulation_deepest(s);
  if (deep.object) {
    writer_key(w, "deep");
    writer_open(w, '{');
    put_text(w, "object", deep.object);
    put_integer(w, "vertex", deep.vertex);
    put_text(w, "surface", deep.surface);
    put_number(w, "depth", deep.depth);
    writer_close(w, '}');
  }
  judge_gain gain = simulation_gained(s);
  if (!gain.object) return;
  writer_key(w, "energy");
  writer_open(w, '{');
  put_text(w, "object", gain.object);
  put_number(w, "before", gain.before);
  put_number(w, "after", gain.after);
  writer_close(w, '}');
}

tribo_status verdict_append(lines *to, int frame, const simulation *s, const tribo_report *report,
                            const file_sum *sums, size_t sum_count, tribo_error *err) {
  writer w = {0};
  writer_open(&w, '{');
  put_integer(&w, "frame", frame);
  writer_key(&w, "rough");
  writer_open(&w, '[');
  for (int k = 0; k < REASON_COUNT; k++)
    if (report->rough >> k & 1) writer_string(&w, REASONS[k]);
  writer_close(&w, ']');
  put_number(&w, "residual", report->residual);
  put_causes(&w, s);
  put_crossings(&w, s, report);
  sound_put(&w, sums, sum_count);
  writer_close(&w, '}');
  writer_newline(&w);
  tribo_status status = lines_append(to, &w, err);
  writer_free(&w);
  return status;
}

/* ---- reading ---- */

static const cJSON *item_of(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number_of(const cJSON *object, const char *key) {
  const cJSON *item = item_of(object, key);
  return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static int integer_of(const cJSON *object, const char *key) {
  double value = number_of(object, key);
  return value > -2e9 && value < 2e9 ? (int)value : 0;
}

static const char *text_of(const cJSON *object, const char *key) {
  const char *text = cJSON_GetStringValue(item_of(object, key));
  return text ? text : "";
}

static int32_t vertex_of(const cJSON *item) {
  bool sound = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 2e9;
  return sound ? (int32_t)item->valuedouble : 0;
}

static void get_vertices(const cJSON *object, const char *key, int count, int32_t *out) {
  const cJSON *item = item_of(object, key);
  item = cJSON_IsArray(item) ? item->child : NULL;
  for (int k = 0; k < count && item; k++, item = item->next) out[k] = vertex_of(item);
}

static tribo_crossing crossing_of(const cJSON *item) {
  tribo_crossing c = {.object = text_of(item, "object"),
                      .other = text_of(item, "other"),
                      .a = SIZE_MAX, /* the folder does not know the scene's numbers */
                      .b = SIZE_MAX,
                      .count = integer_of(item, "count"),
                      .new_count = integer_of(item, "new"),
                      .at_start = integer_of(item, "at_start"),
                      .depth = number_of(item, "depth"),
                      .edge_of = text_of(item, "edge_of")};
  const cJSON *at = item_of(item, "place");
  at = cJSON_IsArray(at) ? at->child : NULL;
  for (int k = 0; k < 3 && at; k++, at = at->next)
    c.place[k] = cJSON_IsNumber(at) ? at->valuedouble : 0;
  get_vertices(item, "edge", 2, c.edge);
  get_vertices(item, "triangle", 3, c.triangle);
  return c;
}

/* The line of a frame in r->text. */
static tribo_status read_line(verdict_reader *r, const char *path, const manifest *m, int frame,
                              tribo_error *err) {
  cJSON_Delete(r->text);
  r->text = NULL;
  r->found.count = r->pierced.count = 0;
  size_t number = frame < m->start ? SIZE_MAX / 2 : (size_t)(frame - m->start);
  char *text;
  TRY(lines_read(path, &r->line, number, &text, err));
  if (!text) return status_fail(err, TRIBO_BAD_INPUT, "'%s' has no frame %d", path, frame);
  r->text = cJSON_Parse(text);
  free(text);
  const cJSON *said = item_of(r->text, "frame");
  if (cJSON_IsNumber(said) && said->valuedouble == frame &&
      cJSON_IsArray(item_of(r->text, "rough")))
    return TRIBO_OK;
  cJSON_Delete(r->text);
  r->text = NULL;
  return status_fail(err, TRIBO_BAD_INPUT, "'%s' is damaged where frame %d should be", path, frame);
}

/* Once more where a bake may have gone back and on since. */
static tribo_status read_frame(verdict_reader *r, const char *path, const manifest *m, int frame,
                               tribo_error *err) {
  bool known = r->line.count > 0;
  tribo_status status = read_line(r, path, m, frame, err);
  if (status == TRIBO_OK || !known) return status;
  r->line.count = 0;
  return read_line(r, path, m, frame, err);
}

tribo_status verdict_read(verdict_reader *r, const char *path, const manifest *m, int frame,
                          tribo_error *err) {
  TRY(read_frame(r, path, m, frame, err));
  const cJSON *item, *list = item_of(r->text, "pairs");
  if (!cJSON_IsArray(list)) return TRIBO_OK;
  cJSON_ArrayForEach(item, list) {
    if (!ARRAY_PUSH(r->found, crossing_of(item))) return status_no_memory(err, path);
  }
  return TRIBO_OK;
}

tribo_status verdict_pierced(verdict_reader *r, const char *object, tribo_error *err) {
  r->pierced.count = 0;
  const cJSON *item, *list = item_of(item_of(r->text, "pierced"), object);
  if (!cJSON_IsArray(list)) return TRIBO_OK;
  cJSON_ArrayForEach(item, list) {
    if (!ARRAY_PUSH(r->pierced, vertex_of(item))) return status_no_memory(err, object);
  }
  r->pierced.count -= r->pierced.count % 3;
  return TRIBO_OK;
}

/* ---- summing up ---- */

typedef struct fault {
  int reason; /* its number in REASONS; REASON_COUNT: none */
  double figure;
  const char *object, *other;
  double depth;
} fault;

static unsigned reasons_of(const cJSON *line) {
  unsigned bits = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, item_of(line, "rough")) {
    const char *word = cJSON_GetStringValue(item);
    for (int k = 0; word && k < REASON_COUNT; k++)
      if (strcmp(word, REASONS[k]) == 0) bits |= 1U << k;
  }
  return bits;
}

static fault worst_crossing(const cJSON *line) {
  fault f = {.reason = 1, .figure = 0, .object = "", .other = ""};
  const cJSON *item;
  cJSON_ArrayForEach(item, item_of(line, "pairs")) {
    double count = number_of(item, "new");
    if (!(count > f.figure)) continue;
    f.figure = count;
    f.object = text_of(item, "object");
    f.other = text_of(item, "other");
    f.depth = number_of(item, "depth");
  }
  return f;
}

/* The gravest of a frame. */
static fault fault_of(const cJSON *line, unsigned reasons) {
  const cJSON *energy = item_of(line, "energy"), *deep = item_of(line, "deep");
  switch (reasons ? __builtin_ctz(reasons) : REASON_COUNT) {
    case 0:
      return (fault){0, number_of(energy, "after") - number_of(energy, "before"),
                     text_of(energy, "object"), "", 0};
    case 1: return worst_crossing(line);
    case 2:
      return (fault){2, number_of(deep, "depth"), text_of(deep, "object"), text_of(deep, "surface"),
                     number_of(deep, "depth")};
    case 3: return (fault){3, 0, "", "", 0};
    case 4: return (fault){4, number_of(line, "residual"), "", "", 0};
    default: return (fault){REASON_COUNT, 0, "", "", 0};
  }
}

static void print_length(double metres, char out[32]) {
  if (metres < 1)
    snprintf(out, 32, "%.3g mm", 1000 * metres);
  else
    snprintf(out, 32, "%.3g m", metres);
}

static void print_worst(const tribo_verdict *v, char *out, size_t size) {
  char depth[32];
  print_length(v->depth, depth);
  const char *a = v->object, *b = v->other;
  switch (v->worst_reason) {
    case TRIBO_ROUGH_ENERGY:
      snprintf(out, size, "%.100s gains %.3g J from nowhere", a, v->figure);
      return;
    case TRIBO_ROUGH_CROSSINGS:
      if (strcmp(a, b) == 0)
        snprintf(out, size, "%.100s crosses itself at %.0f edges, %s deep", a, v->figure, depth);
      else
        snprintf(out, size, "%.100s crosses %.100s at %.0f edges, %s deep", a, b, v->figure, depth);
      return;
    case TRIBO_ROUGH_DEEP: snprintf(out, size, "%.100s %s in %.100s", a, depth, b); return;
    case TRIBO_ROUGH_TANGLED: snprintf(out, size, "cloth tangled in cloth"); return;
    default: snprintf(out, size, "forces out of balance by %.3g", v->figure); return;
  }
}

enum { SHOWN_RANGES = 4 };

/* "44 frames rough: 17 to 60; worst 24: Cloth 30 mm in Ball" */
static void print_verdict(tribo_verdict *v) {
  char *out = v->text;
  size_t size = sizeof v->text;
  if (v->rough == 0) {
    snprintf(out, size, "%d frame%s, none rough", v->frames, v->frames == 1 ? "" : "s");
    return;
  }
  int used = snprintf(out, size, "%d frame%s rough: ", v->rough, v->rough == 1 ? "" : "s");
  for (size_t i = 0; i < v->range_count && i < SHOWN_RANGES; i++) {
    const tribo_frame_range *r = &v->ranges[i];
    used += snprintf(out + used, size - (size_t)used, r->first == r->last ? "%s%d" : "%s%d to %d",
                     i ? ", " : "", r->first, r->last);
  }
  if (v->range_count > SHOWN_RANGES) used += snprintf(out + used, size - (size_t)used, " and more");
  char worst[300];
  print_worst(v, worst, sizeof worst);
  snprintf(out + used, size - (size_t)used, "; worst %d: %s", v->worst, worst);
}

static tribo_status add_frame(verdict_reader *r, int frame, tribo_error *err) {
  tribo_verdict *v = &r->verdict;
  unsigned reasons = reasons_of(r->text);
  const cJSON *crossings = item_of(r->text, "crossings");
  v->frames++;
  if (cJSON_IsNumber(crossings)) {
    v->counted++;
    v->last_crossings = integer_of(r->text, "crossings");
    v->last_new_crossings = integer_of(r->text, "new_crossings");
  }
  if (reasons == 0) return TRIBO_OK;
  v->rough++;
  v->reasons |= reasons;
  tribo_frame_range *last = r->ranges.count ? &r->ranges.data[r->ranges.count - 1] : NULL;
  tribo_frame_range fresh = {frame, frame};
  if (last && last->last == frame - 1) last->last = frame;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): ARRAY_PUSH makes room first */
  else if (!ARRAY_PUSH(r->ranges, fresh))
    return status_no_memory(err, "a verdict");
  fault f = fault_of(r->text, reasons);
  unsigned reason = 1U << f.reason;
  bool graver = v->worst_reason == 0 || reason < v->worst_reason;
  if (!graver && !(reason == v->worst_reason && f.figure > v->figure)) return TRIBO_OK;
  v->worst = frame;
  v->worst_reason = reason;
  v->figure = f.figure;
  v->depth = f.depth;
  snprintf(v->object, sizeof v->object, "%s", f.object);
  snprintf(v->other, sizeof v->other, "%s", f.other);
  return TRIBO_OK;
}

tribo_status verdict_sum(verdict_reader *r, const char *path, const manifest *m, int frames,
                         tribo_error *err) {
  r->verdict = (tribo_verdict){.last_crossings = -1};
  r->ranges.count = 0;
  for (int i = 0; i < frames; i++) {
    TRY(read_frame(r, path, m, m->start + i, err));
    TRY(add_frame(r, m->start + i, err));
  }
  r->verdict.ranges = r->ranges.data;
  r->verdict.range_count = r->ranges.count;
  print_verdict(&r->verdict);
  return TRIBO_OK;
}

void verdict_reader_free(verdict_reader *r) {
  cJSON_Delete(r->text);
  ARRAY_FREE(r->line);
  ARRAY_FREE(r->found);
  ARRAY_FREE(r->pierced);
  ARRAY_FREE(r->ranges);
  *r = (verdict_reader){0};
}
