/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sheet: a mesh with a seam to comb on, and how the core sees its map.
 */
#ifndef TESTS_COMB_SHEET_H
#define TESTS_COMB_SHEET_H

#include "claims.h"
#include "comb.h"
#include "model/paint.h"

static const double PI = 3.14159265358979323846;

enum { COLUMNS = 16, SIZE = 256 };

/* A sheet of COLUMNS x 4 quads, two metres long and one wide, that may be bent about y. Its left
 * half is one island, its right half another, turned and mirrored: between them is a seam. */
typedef struct sheet {
  vec3 at[(COLUMNS + 1) * 5];
  int32_t triangles[6 * COLUMNS * 4];
  double uvs[12 * COLUMNS * 4];
  size_t triangle_count;
  float *pixels;
  comb *c;
} sheet;

/* Where (x, y) of the sheet is: flat, or on a cylinder of radius 1 / bend. */
static vec3 bent(double x, double y, double bend) {
  if (bend == 0) return vec3_make(x, y, 0);
  return vec3_make(sin(bend * x) / bend, y, (1 - cos(bend * x)) / bend);
}

/* Left: upright in the picture. Right: turned by `turn`, and mirrored if asked. */
static void uv_of(double x, double y, bool right, double turn, bool mirrored, double uv[2]) {
  if (!right) {
    uv[0] = 0.05 + 0.38 * x;
    uv[1] = 0.05 + 0.38 * y;
    return;
  }
  double px = x - 1.5, py = (y - 0.5) * (mirrored ? -1 : 1);
  uv[0] = 0.72 + 0.3 * (cos(turn) * px - sin(turn) * py);
  uv[1] = 0.72 + 0.3 * (sin(turn) * px + cos(turn) * py);
}

static void clear(float *pixels) {
  for (size_t i = 0; i < (size_t)SIZE * SIZE; i++) {
    pixels[4 * i] = pixels[4 * i + 1] = 0.5f;
    pixels[4 * i + 2] = 0.25f;
    pixels[4 * i + 3] = 1;
  }
}

static comb_mesh mesh_of(const sheet *s) {
  return (comb_mesh){s->at, (COLUMNS + 1) * 5, s->triangles, s->triangle_count, s->uvs};
}

static sheet *make_sheet(double bend, double turn, bool mirrored) {
  sheet *s = calloc(1, sizeof *s);
  for (int i = 0; i <= COLUMNS; i++)
    for (int j = 0; j <= 4; j++) s->at[5 * i + j] = bent(2.0 * i / COLUMNS, j / 4.0, bend);
  for (int i = 0; i < COLUMNS; i++)
    for (int j = 0; j < 4; j++) {
      const int corner[6][2] = {{i, j}, {i + 1, j},     {i + 1, j + 1},
                                {i, j}, {i + 1, j + 1}, {i, j + 1}};
      for (int k = 0; k < 6; k++) {
        size_t place = 3 * s->triangle_count + (size_t)k;
        s->triangles[place] = 5 * corner[k][0] + corner[k][1];
        uv_of(2.0 * corner[k][0] / COLUMNS, corner[k][1] / 4.0, i >= COLUMNS / 2, turn, mirrored,
              s->uvs + 2 * place);
      }
      s->triangle_count += 2;
    }
  s->pixels = malloc(4 * SIZE * SIZE * sizeof *s->pixels);
  clear(s->pixels);
  comb_mesh mesh = mesh_of(s);
  claim_ok(comb_create(&mesh, NULL, SIZE, SIZE, COMB_WRAP_AUTO, &s->c, err));
  return s;
}

static void free_sheet(sheet *s) {
  comb_free(s->c);
  free(s->pixels);
  free(s);
}

static comb_rect stroke(sheet *s, comb_brush brush, const vec3 *points, size_t count) {
  comb_rect changed = {0};
  claim_ok(comb_begin(s->c, &brush, err));
  claim_ok(comb_extend(s->c, points, count, s->pixels, &changed, err));
  const comb_saved *saved;
  size_t touched;
  comb_end(s->c, &saved, &touched);
  return changed;
}

/* The core's view: its pictures have the top row first. */
typedef struct core_view {
  float *flipped;
  double *positions;
  int32_t *given;
  arena memory;
  paint p;
} core_view;

static core_view see(const sheet *s) {
  core_view view = {.flipped = malloc(4 * SIZE * SIZE * sizeof(float)),
                    .positions = malloc(3 * (COLUMNS + 1) * 5 * sizeof(double)),
                    .given = malloc(s->triangle_count * sizeof(int32_t))};
  for (size_t y = 0; y < SIZE; y++)
    memcpy(view.flipped + 4 * SIZE * (SIZE - 1 - y), s->pixels + 4 * SIZE * y,
           4 * SIZE * sizeof(float));
  memcpy(view.positions, s->at, 3 * (COLUMNS + 1) * 5 * sizeof(double));
  for (size_t t = 0; t < s->triangle_count; t++) view.given[t] = (int32_t)t;
  tribo_object_def def = tribo_object_default(TRIBO_COLLIDER);
  def.name = "sheet";
  def.positions = view.positions;
  def.vertex_count = (COLUMNS + 1) * 5;
  def.triangles = s->triangles;
  def.triangle_count = s->triangle_count;
  def.uvs = s->uvs;
  def.structure_map = (tribo_map_def){view.flipped, SIZE, SIZE, 4};
  claim_ok(
      paint_build(&def, s->triangles, view.given, s->triangle_count, &view.memory, &view.p, err));
  return view;
}

static void free_view(core_view *view) {
  arena_free(&view->memory);
  free(view->flipped);
  free(view->positions);
  free(view->given);
}

typedef struct seen {
  vec3 point, structure;
} seen;

static seen core_at(const sheet *s, const core_view *view, size_t t, const double weight[3]) {
  vec3 x[3];
  for (size_t k = 0; k < 3; k++) x[k] = s->at[s->triangles[3 * t + k]];
  vec3 sides[2] = {vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])};
  vec3 normal = vec3_normalized(vec3_cross(sides[0], sides[1]));
  seen out = {.structure = paint_at_place(&view->p, t, weight, sides, normal).structure};
  for (size_t k = 0; k < 3; k++) out.point = vec3_madd(out.point, weight[k], x[k]);
  return out;
}

#endif
