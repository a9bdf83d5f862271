/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/obj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/number.h"
#include "io/scan.h"

/* A positive index may point at what comes later in the file, so it can be judged only at the end:
 * remembering the largest one, and where it stood, judges them all. */
typedef struct forward {
  int64_t index;
  size_t line;
  const char *user; /* "face" or "line" */
} forward;

typedef struct corner {
  int32_t vertex, uv; /* counted from 0; uv -1: none */
} corner;

typedef struct reader {
  scan text;
  ARRAY(double) positions;
  ARRAY(double) uvs; /* 2 a vt line */
  ARRAY(int32_t) triangles;
  ARRAY(int32_t) triangle_uvs; /* one a triangle corner, as long as every corner has one */
  ARRAY(int32_t) edges;
  ARRAY(corner) polygon; /* of the line at hand */
  bool corner_without_uv;
  forward far_vertex, far_uv;
} reader;

static void reader_free(reader *r) {
  ARRAY_FREE(r->positions);
  ARRAY_FREE(r->uvs);
  ARRAY_FREE(r->triangles);
  ARRAY_FREE(r->triangle_uvs);
  ARRAY_FREE(r->edges);
  ARRAY_FREE(r->polygon);
}

static tribo_status no_memory(const reader *r, tribo_error *err) {
  return status_no_memory(err, r->text.name);
}

static tribo_status read_vertex(reader *r, tribo_error *err) {
  size_t vertex = r->positions.count / 3;
  if (vertex == INT32_MAX)
    return scan_fail(&r->text, err, "more than %d vertices; split the mesh", INT32_MAX);
  if (!ARRAY_RESERVE(r->positions, r->positions.count + 3)) return no_memory(r, err);
  for (int i = 0; i < 3; i++) {
    scan_word word;
    double value;
    bool number = scan_double(&r->text, &word, &value);
    if (!word.length)
      return scan_fail(&r->text, err, "vertex %zu has only %d of 3 coordinates", vertex + 1, i);
    if (!number || !isfinite(value))
      return scan_fail(&r->text, err,
                       "vertex %zu has the %c coordinate %s; it must be a finite number",
                       vertex + 1, "xyz"[i], scan_quoted(word).text);
    r->positions.data[r->positions.count++] = value;
  }
  return TRIBO_OK;
}

static tribo_status read_uv(reader *r, tribo_error *err) {
  size_t uv = r->uvs.count / 2;
  if (uv == INT32_MAX)
    return scan_fail(&r->text, err, "more than %d texture coordinates; split the mesh", INT32_MAX);
  double values[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    scan_word word;
    bool number = scan_double(&r->text, &word, &values[i]);
    if (!word.length && i == 1) break; /* v may be left out */
    if (!number || !isfinite(values[i]))
      return scan_fail(&r->text, err,
                       "texture coordinate %zu has the %c value %s; it must be a finite number",
                       uv + 1, "uv"[i], scan_quoted(word).text);
  }
  if (!ARRAY_PUSH(r->uvs, values[0]) || !ARRAY_PUSH(r->uvs, values[1])) return no_memory(r, err);
  return TRIBO_OK;
}

/* From the file's counting (1 is the first, -1 the latest) to ours. */
static tribo_status resolve(reader *r, int64_t index, size_t count, const char *user,
                            const char *used, forward *far, int32_t *out, tribo_error *err) {
  if (index == 0)
    return scan_fail(&r->text, err, "%s uses %s 0, but OBJ counts from 1", user, used);
  if (index < 0 && (uint64_t) - (index + 1) >= count)
    return scan_fail(&r->text, err, "%s uses %s %lld, but only %zu are defined before it", user,
                     used, (long long)index, count);
  if (index > far->index) *far = (forward){index, r->text.line, user};
  if (index > INT32_MAX) index = INT32_MAX; /* refused at the end */
  *out = (int32_t)(index > 0 ? index - 1 : (int64_t)count + index);
  return TRIBO_OK;
}

/* v, v/t, v//n or v/t/n. */
static tribo_status read_corner(reader *r, scan_word word, const char *user, corner *out,
                                tribo_error *err) {
  int64_t parts[3] = {0, 0, 0};
  bool given[3] = {false, false, false};
  size_t begin = 0;
  int part = 0;
  for (size_t i = 0; i <= word.length; i++) {
    if (i < word.length && word.text[i] != '/') continue;
    given[part] = i > begin;
    bool misread = given[part] && !number_read_int(word.text + begin, i - begin, &parts[part]);
    bool too_many = part == 2 && i < word.length;
    if (misread || too_many || !given[0])
      return scan_fail(&r->text, err, "%s has the corner %s; expected v, v/t, v//n or v/t/n", user,
                       scan_quoted(word).text);
    begin = i + 1;
    part++;
  }
  *out = (corner){0, -1};
  TRY(resolve(r, parts[0], r->positions.count / 3, user, "vertex", &r->far_vertex, &out->vertex,
              err));
  if (given[1])
    TRY(resolve(r, parts[1], r->uvs.count / 2, user, "texture coordinate", &r->far_uv, &out->uv,
                err));
  return TRIBO_OK;
}

static tribo_status read_corners(reader *r, const char *user, tribo_error *err) {
  scan_word word;
  r->polygon.count = 0;
  while (scan_next(&r->text, &word)) {
    if (word.text[0] == '#') break;
    corner c;
    TRY(read_corner(r, word, user, &c, err));
    if (!ARRAY_PUSH(r->polygon, c)) return no_memory(r, err);
  }
  return TRIBO_OK;
}

static tribo_status read_face(reader *r, tribo_error *err) {
  TRY(read_corners(r, "face", err));
  size_t corners = r->polygon.count;
  if (corners < 3)
    return scan_fail(&r->text, err, "face has %zu corners, but needs at least 3", corners);
  for (size_t i = 0; i < corners; i++)
    r->corner_without_uv = r->corner_without_uv || r->polygon.data[i].uv < 0;

  for (size_t i = 2; i < corners; i++) {
    const corner fan[3] = {r->polygon.data[0], r->polygon.data[i - 1], r->polygon.data[i]};
    for (int k = 0; k < 3; k++) {
      if (!ARRAY_PUSH(r->triangles, fan[k].vertex)) return no_memory(r, err);
      if (!r->corner_without_uv && !ARRAY_PUSH(r->triangle_uvs, fan[k].uv))
        return no_memory(r, err);
    }
  }
  return TRIBO_OK;
}

static tribo_status read_polyline(reader *r, tribo_error *err) {
  TRY(read_corners(r, "line", err));
  if (r->polygon.count < 2)
    return scan_fail(&r->text, err, "line has %zu vertices, but needs at least 2",
                     r->polygon.count);
  for (size_t i = 1; i < r->polygon.count; i++)
    if (!ARRAY_PUSH(r->edges, r->polygon.data[i - 1].vertex) ||
        !ARRAY_PUSH(r->edges, r->polygon.data[i].vertex))
      return no_memory(r, err);
  return TRIBO_OK;
}

static tribo_status read_statements(reader *r, tribo_error *err) {
  do {
    scan_word word;
    if (!scan_next(&r->text, &word)) continue;
    if (scan_is(word, "v"))
      TRY(read_vertex(r, err));
    else if (scan_is(word, "vt"))
      TRY(read_uv(r, err));
    else if (scan_is(word, "f"))
      TRY(read_face(r, err));
    else if (scan_is(word, "l"))
      TRY(read_polyline(r, err));
  } while (scan_line(&r->text));
  return TRIBO_OK;
}

static tribo_status check_forward(const reader *r, const forward *far, size_t count,
                                  const char *what, tribo_error *err) {
  if (far->index <= 0 || (uint64_t)far->index <= count) return TRIBO_OK;
  return scan_fail_at(&r->text, far->line, err,
                      "%s uses %s %lld, but the file defines only %zu; it is cut off or damaged",
                      far->user, what, (long long)far->index, count);
}

static tribo_status spread_uvs(const reader *r, mesh *out, tribo_error *err) {
  size_t corners = r->triangle_uvs.count;
  out->uvs = malloc(2 * corners * sizeof *out->uvs);
  if (!out->uvs) return no_memory(r, err);
  for (size_t i = 0; i < corners; i++)
    for (size_t k = 0; k < 2; k++)
      out->uvs[2 * i + k] = r->uvs.data[2 * (size_t)r->triangle_uvs.data[i] + k];
  return TRIBO_OK;
}

static tribo_status finish(reader *r, mesh *out, tribo_error *err) {
  size_t vertices = r->positions.count / 3;
  if (vertices == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' holds no vertices ('v' lines); is it a Wavefront OBJ file?",
                       r->text.name);
  TRY(check_forward(r, &r->far_vertex, vertices, "vertex", err));
  TRY(check_forward(r, &r->far_uv, r->uvs.count / 2, "texture coordinate", err));
  if (r->triangles.count && !r->corner_without_uv) TRY(spread_uvs(r, out, err));

  out->vertex_count = vertices;
  out->triangle_count = r->triangles.count / 3;
  out->edge_count = r->edges.count / 2;
  out->positions = r->positions.data;
  out->triangles = r->triangles.data;
  out->edges = r->edges.data;
  r->positions.data = NULL;
  r->triangles.data = r->edges.data = NULL;
  return TRIBO_OK;
}

tribo_status obj_parse(const char *name, const char *text, size_t size, mesh *out,
                       tribo_error *err) {
  *out = (mesh){0};
  reader r = {.text = {name, text, text + size, .line = 1, .continuations = true}};
  tribo_status status = read_statements(&r, err);
  if (status == TRIBO_OK) status = finish(&r, out, err);
  reader_free(&r);
  return status;
}

tribo_status obj_read(const char *path, mesh *out, tribo_error *err) {
  *out = (mesh){0};
  file_text text;
  TRY(file_read(path, &text, err));
  tribo_status status = obj_parse(path, text.data, text.size, out, err);
  free(text.data);
  return status;
}

enum { LINE_SIZE = 8 + 6 * NUMBER_SIZE }; /* a word and up to six numbers */

static void write_numbers(FILE *stream, const char *word, const double *values, int count) {
  char line[LINE_SIZE];
  size_t length = strlen(word);
  memcpy(line, word, length);
  for (int i = 0; i < count; i++) {
    line[length++] = ' ';
    length += number_print(line + length, values[i], NUMBER_EXACT);
  }
  line[length++] = '\n';
  fwrite(line, 1, length, stream);
}

/* Every corner has a uv of its own, in the order of the corners; first_uv 0: without. */
static void write_indices(FILE *stream, char word, const int32_t *indices, int count,
                          size_t first_uv) {
  char line[LINE_SIZE];
  size_t length = 0;
  line[length++] = word;
  for (int i = 0; i < count; i++) {
    line[length++] = ' ';
    length += number_print_int(line + length, (int64_t)indices[i] + 1);
    if (!first_uv) continue;
    line[length++] = '/';
    length += number_print_int(line + length, (int64_t)first_uv + i);
  }
  line[length++] = '\n';
  fwrite(line, 1, length, stream);
}

tribo_status obj_write(const char *path, const mesh *m, tribo_error *err) {
  TRY(mesh_check_finite(m, path, err));
  file_out out;
  TRY(file_create(path, &out, err));
  for (size_t i = 0; i < m->vertex_count; i++)
    write_numbers(out.stream, "v", m->positions + 3 * i, 3);
  if (m->uvs)
    for (size_t i = 0; i < 3 * m->triangle_count; i++)
      write_numbers(out.stream, "vt", m->uvs + 2 * i, 2);
  for (size_t i = 0; i < m->triangle_count; i++)
    write_indices(out.stream, 'f', m->triangles + 3 * i, 3, m->uvs ? 3 * i + 1 : 0);
  for (size_t i = 0; i < m->edge_count; i++) write_indices(out.stream, 'l', m->edges + 2 * i, 2, 0);
  return file_commit(&out, err);
}
