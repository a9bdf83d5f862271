/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_hex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Five tets of a cell. Corner bits: 1, 2 and 4 along the first, second and third direction, which
 * form a right-handed frame; odd: whether corner 0 is an odd vertex. */
static int32_t *put_cell(const int32_t corner[8], int odd, int32_t *tets) {
  static const int fives[5][4] = {
      {0, 5, 3, 6}, {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}};
  int mirror = odd & 1; /* swaps the ends of the first direction, which turns a tet inside out */
  for (int t = 0; t < 5; t++, tets += 4) {
    for (int c = 0; c < 4; c++) tets[c] = corner[fives[t][c] ^ mirror];
    if (mirror) {
      int32_t first = tets[0];
      tets[0] = tets[1];
      tets[1] = first;
    }
  }
  return tets;
}

/* ---- block ------------------------------------------------------------------------------------
 */

mesh shape_brick(int nx, int ny, int nz, double width, double depth, double height) {
  mesh m = shape_new((size_t)((nx + 1) * (ny + 1) * (nz + 1)), 0, (size_t)(5 * nx * ny * nz));
  if (!m.positions) return m;
  double *x = m.positions;
  for (int k = 0; k <= nz; k++)
    for (int j = 0; j <= ny; j++)
      for (int i = 0; i <= nx; i++, x += 3) {
        x[0] = width * i / nx;
        x[1] = depth * j / ny;
        x[2] = height * k / nz;
      }
  int32_t *tets = m.tets;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        int32_t corner[8];
        for (int b = 0; b < 8; b++)
          corner[b] = ((k + (b >> 2)) * (ny + 1) + j + ((b >> 1) & 1)) * (nx + 1) + i + (b & 1);
        tets = put_cell(corner, i + j + k, tets);
      }
  return m;
}

/* ---- balls ------------------------------------------------------------------------------------
 */

/* The lattice {0..n}^3 and the numbers of its outer points, those with a coordinate 0 or n. */
typedef struct cube_skin {
  int n;
  int32_t count, *number; /* (n + 1)^3; -1 inside */
} cube_skin;

static bool skin_make(int n, cube_skin *out) {
  *out = (cube_skin){.n = n};
  size_t points = (size_t)(n + 1) * (size_t)(n + 1) * (size_t)(n + 1), at = 0;
  out->number = malloc(points * sizeof *out->number);
  if (!out->number) return false;
  for (int k = 0; k <= n; k++)
    for (int j = 0; j <= n; j++)
      for (int i = 0; i <= n; i++, at++) {
        bool outer = i == 0 || i == n || j == 0 || j == n || k == 0 || k == n;
        out->number[at] = outer ? out->count++ : -1;
      }
  return true;
}

static size_t skin_place(int n, const int at[3]) {
  return ((size_t)at[2] * (size_t)(n + 1) + (size_t)at[1]) * (size_t)(n + 1) + (size_t)at[0];
}

/* Lattice point to [-1, 1]^3. Equal angles seen from the middle, so that the cells of the sphere
 * have much the same size. */
static void skin_point(int n, const int at[3], double p[3]) {
  for (int a = 0; a < 3; a++) p[a] = tan(0.25 * PI * (2.0 * at[a] / n - 1));
}

/* The corner `b` (bits 1 and 2) of square (i, j) of face 0..5, wound around the outward normal. */
static void skin_corner(int n, int face, int i, int j, int b, int at[3]) {
  int axis = face / 2, high = face % 2;
  int u = (axis + (high ? 1 : 2)) % 3, v = (axis + (high ? 2 : 1)) % 3;
  at[axis] = high ? n : 0;
  at[u] = i + (b & 1);
  at[v] = j + (b >> 1);
}

/* Where the core of a ball ends: half way between cube and sphere, so that neither the corners of
 * the cube nor the cells at its edges get flat. */
static void core_point(int n, const int at[3], double size, double x[3]) {
  double p[3], length, most;
  skin_point(n, at, p);
  length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  most = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
  for (int a = 0; a < 3; a++) x[a] = length > 0 ? size * p[a] * 0.5 * (1 + most / length) : 0;
}

/* Layers of cells from `inner` (or from the core, when core > 0) to `outer`, after `first` other
 * vertices; the innermost layer's vertices are those that `inside` names, or new ones. */
static void put_shell(const cube_skin *skin, int layers, double inner, double outer, double core,
                      const int32_t *inside, int32_t first, double *positions, int32_t *tets) {
  int n = skin->n, at[3];
  for (at[2] = 0; at[2] <= n; at[2]++)
    for (at[1] = 0; at[1] <= n; at[1]++)
      for (at[0] = 0; at[0] <= n; at[0]++) {
        int32_t number = skin->number[skin_place(n, at)];
        if (number < 0) continue;
        double p[3], c[3];
        skin_point(n, at, p);
        core_point(n, at, core, c);
        double scale = 1 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int layer = inside ? 1 : 0; layer <= layers; layer++) {
          double t = (double)layer / layers;
          double *x = positions + 3 * (first + (layer - (inside ? 1 : 0)) * skin->count + number);
          for (int a = 0; a < 3; a++) {
            double from = inside ? c[a] : inner * scale * p[a];
            x[a] =
                layer == layers ? outer * scale * p[a] : from + t * (outer * scale * p[a] - from);
          }
        }
      }
  for (int face = 0; face < 6; face++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        for (int layer = 0; layer < layers; layer++) {
          int32_t corner[8];
          int odd = 0;
          for (int b = 0; b < 8; b++) {
            skin_corner(n, face, i, j, b & 3, at);
            if (b == 0) odd = at[0] + at[1] + at[2] + layer;
            int32_t number = skin->number[skin_place(n, at)];
            int level = layer + (b >> 2);
            corner[b] = inside && level == 0
                            ? inside[skin_place(n, at)]
                            : first + (level - (inside ? 1 : 0)) * skin->count + number;
          }
          tets = put_cell(corner, odd, tets);
        }
}

mesh shape_shell(int n, int layers, double inner, double outer) {
  cube_skin skin;
  mesh m = {0};
  if (!skin_make(n, &skin)) return m;
  m = shape_new((size_t)skin.count * (size_t)(layers + 1), 0, (size_t)(30 * n * n * layers));
  if (m.positions) put_shell(&skin, layers, inner, outer, 0, NULL, 0, m.positions, m.tets);
  free(skin.number);
  return m;
}

mesh shape_ball(int n, int layers, double radius) {
  const double core = 0.45 * radius;
  cube_skin skin;
  mesh m = {0};
  if (!skin_make(n, &skin)) return m;
  size_t inner = (size_t)(n + 1) * (size_t)(n + 1) * (size_t)(n + 1);
  int32_t *inside = malloc(inner * sizeof *inside);
  if (inside) {
    for (size_t k = 0; k < inner; k++) inside[k] = (int32_t)k;
    m = shape_new(inner + (size_t)skin.count * (size_t)layers, 0,
                  (size_t)(5 * n * n * (n + 6 * layers)));
  }
  if (m.positions) {
    int32_t *tets = m.tets, corner[8];
    int at[3];
    for (at[2] = 0; at[2] <= n; at[2]++)
      for (at[1] = 0; at[1] <= n; at[1]++)
        for (at[0] = 0; at[0] <= n; at[0]++) {
          core_point(n, at, core, m.positions + 3 * skin_place(n, at));
          if (at[0] == n || at[1] == n || at[2] == n) continue;
          for (int b = 0; b < 8; b++)
            corner[b] = (int32_t)skin_place(
                n, (int[3]){at[0] + (b & 1), at[1] + ((b >> 1) & 1), at[2] + (b >> 2)});
          tets = put_cell(corner, at[0] + at[1] + at[2], tets);
        }
    put_shell(&skin, layers, core, radius, core, inside, (int32_t)inner, m.positions, tets);
  }
  free(inside);
  free(skin.number);
  return m;
}

/* ---- tube -------------------------------------------------------------------------------------
 */

mesh shape_tube(int around, int across, int along, double inner, double outer, double length) {
  mesh m = shape_new((size_t)(around * (across + 1) * (along + 1)), 0,
                     (size_t)(5 * around * across * along));
  if (!m.positions) return m;
  double *x = m.positions;
  for (int i = 0; i < around; i++)
    for (int j = 0; j <= across; j++)
      for (int k = 0; k <= along; k++, x += 3) {
        double angle = 2 * PI * i / around, out = inner + (outer - inner) * j / across;
        x[0] = out * cos(angle);
        x[1] = out * sin(angle);
        x[2] = length * ((double)k / along - 0.5);
      }
  /* (outwards, around, along) is right-handed. */
  int32_t *tets = m.tets;
  for (int i = 0; i < around; i++)
    for (int j = 0; j < across; j++)
      for (int k = 0; k < along; k++) {
        int32_t corner[8];
        for (int b = 0; b < 8; b++)
          corner[b] = (((i + ((b >> 1) & 1)) % around) * (across + 1) + j + (b & 1)) * (along + 1) +
                      k + (b >> 2);
        tets = put_cell(corner, i + j + k, tets);
      }
  return m;
}

/* ---- stool ------------------------------------------------------------------------------------
 */

/* Whether cell c along one edge of the seat is above a leg. */
static bool above_leg(const stool_form *form, int c) {
  int mirrored = form->cells - 1 - c, near = c < mirrored ? c : mirrored;
  return near >= form->inset && near < form->inset + form->leg_cells;
}

static bool stool_has(const stool_form *form, int i, int j, int k) {
  return k >= form->height_cells || (above_leg(form, i) && above_leg(form, j));
}

/* Lattice to space: legs slant outwards below the seat. */
static void stool_point(const stool_form *form, int i, int j, int k, double x[3]) {
  double below = fmax(0, form->height * (1 - (double)k / form->height_cells));
  const int at[2] = {i, j};
  for (int a = 0; a < 2; a++) {
    x[a] = form->width * ((double)at[a] / form->cells - 0.5);
    x[a] += (2 * at[a] > form->cells ? 1 : -1) * form->slant * below;
  }
  x[2] = k <= form->height_cells
             ? form->height * k / form->height_cells
             : form->height + form->seat * (k - form->height_cells) / form->seat_cells;
}

mesh shape_stool(const stool_form *form) {
  int n = form->cells, high = form->height_cells + form->seat_cells;
  size_t points = (size_t)((n + 1) * (n + 1) * (high + 1));
  int32_t *number = malloc(points * sizeof *number), vertices = 0;
  mesh m = {0};
  if (!number) return m;
  for (size_t p = 0; p < points; p++) number[p] = -1;
  /* Twice over the cells: once to number their corners, once to write them. */
  size_t cells = 0;
  int32_t *tets = NULL;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < high; k++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
          if (!stool_has(form, i, j, k)) continue;
          int32_t corner[8];
          for (int b = 0; b < 8; b++) {
            int at[3] = {i + (b & 1), j + ((b >> 1) & 1), k + (b >> 2)};
            int32_t *seen = &number[(at[2] * (n + 1) + at[1]) * (n + 1) + at[0]];
            if (*seen < 0) *seen = vertices++;
            corner[b] = *seen;
            if (pass == 1) stool_point(form, at[0], at[1], at[2], m.positions + 3 * *seen);
          }
          if (pass == 1) tets = put_cell(corner, i + j + k, tets);
          cells += pass == 0;
        }
    if (pass == 1) break;
    m = shape_new((size_t)vertices, 0, 5 * cells);
    if (!m.positions) break;
    tets = m.tets;
  }
  free(number);
  return m;
}
