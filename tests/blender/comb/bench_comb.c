/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_comb [--quick]
 *
 * A hundred strokes on a ball with a map of 2,048 x 2,048 pixels: what the comb itself takes, from
 * the first point to the last, by the processor's time. The scenario paint_strokes_are_fast has
 * what Blender adds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "comb.h"

enum { STROKES = 100, POINTS = 32 };

static const double PI = 3.14159265358979323846;

static vec3 on_ball(double east, double north) {
  return vec3_make(cos(north) * cos(east), cos(north) * sin(east), sin(north));
}

typedef struct ball {
  vec3 *at;
  int32_t *triangles;
  double *uvs;
  comb_mesh mesh;
} ball;

/* rows x 2 rows quads between 75 degrees south and north, unrolled in the picture. */
static ball make_ball(int rows) {
  int columns = 2 * rows;
  size_t quads = (size_t)rows * (size_t)columns;
  ball b = {malloc((size_t)((rows + 1) * (columns + 1)) * sizeof(vec3)),
            malloc(6 * quads * sizeof(int32_t)),
            malloc(12 * quads * sizeof(double)),
            {0}};
  if (!b.at || !b.triangles || !b.uvs) exit(1);
  for (int i = 0; i <= columns; i++)
    for (int j = 0; j <= rows; j++)
      b.at[i * (rows + 1) + j] = on_ball(2 * PI * i / columns, (150.0 * j / rows - 75) * PI / 180);
  size_t corner = 0;
  for (int i = 0; i < columns; i++)
    for (int j = 0; j < rows; j++) {
      const int at[6][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j}, {i + 1, j + 1}, {i, j + 1}};
      for (int k = 0; k < 6; k++, corner++) {
        b.triangles[corner] = at[k][0] * (rows + 1) + at[k][1];
        b.uvs[2 * corner] = 0.01 + 0.98 * at[k][0] / columns;
        b.uvs[2 * corner + 1] = 0.01 + 0.98 * at[k][1] / rows;
      }
    }
  b.mesh = (comb_mesh){b.at, (size_t)((rows + 1) * (columns + 1)), b.triangles, 2 * quads, b.uvs};
  return b;
}

static void measure(int rows, int32_t size, comb_mode mode, const char *name, int strokes) {
  ball b = make_ball(rows);
  comb *c;
  tribo_error err = {0};
  float *pixels = malloc(4 * (size_t)size * (size_t)size * sizeof *pixels);
  if (!pixels) exit(1);
  for (size_t i = 0; i < 4 * (size_t)size * (size_t)size; i++) pixels[i] = 0.5f;
  double start = thread_seconds();
  if (comb_create(&b.mesh, NULL, size, size, COMB_WRAP_AUTO, &c, &err) != TRIBO_OK) {
    fprintf(stderr, "%s\n", err.message);
    exit(1);
  }
  double built = thread_seconds() - start, took[STROKES];
  size_t touched = 0;
  for (int i = 0; i < strokes; i++) {
    vec3 points[POINTS];
    double east = between(0, 2 * PI), north = between(-0.8, 0.8), turn = between(0, 2 * PI);
    for (int k = 0; k < POINTS; k++)
      points[k] = on_ball(east + 0.02 * k * cos(turn), north + 0.02 * k * sin(turn));
    comb_brush brush = {mode, 0.1, 0.8, 0};
    comb_rect changed = {0};
    const comb_saved *saved;
    size_t count = 0;
    start = thread_seconds();
    if (comb_begin(c, &brush, &err) != TRIBO_OK ||
        comb_extend(c, points, POINTS, pixels, &changed, &err) != TRIBO_OK)
      exit(1);
    comb_end(c, &saved, &count);
    took[i] = thread_seconds() - start;
    touched += count;
  }
  sort_values(took, (size_t)strokes);
  printf(
      "%-7s %7zu triangles, %d pixels: %3.0f ms to begin, a stroke %5.1f ms (median; longest "
      "%5.1f), %6zu texels\n",
      name, b.mesh.triangle_count, size, 1e3 * built, 1e3 * took[strokes / 2],
      1e3 * took[strokes - 1], touched / (size_t)strokes);
  comb_free(c);
  free(pixels);
  free(b.at);
  free(b.triangles);
  free(b.uvs);
}

int main(int argc, char **argv) {
  bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  int strokes = quick ? 3 : STROKES;
  int32_t size = quick ? 256 : 2048;
  const int rows[3] = {8, 64, 160};
  for (int i = 0; i < (quick ? 1 : 3); i++) {
    measure(rows[i], size, COMB_ALONG, "comb", strokes);
    measure(rows[i], size, COMB_SMOOTH, "smooth", strokes);
    measure(rows[i], size, COMB_ERASE, "erase", strokes);
  }
  return 0;
}
