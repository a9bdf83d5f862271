/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "geom/topology.h"

mesh shape_new(size_t vertices, size_t triangles, size_t tets) {
  mesh m = {.vertex_count = vertices, .triangle_count = triangles, .tet_count = tets};
  m.positions = malloc((3 * vertices + 1) * sizeof *m.positions);
  if (triangles) m.triangles = malloc(3 * triangles * sizeof *m.triangles);
  if (tets) m.tets = malloc(4 * tets * sizeof *m.tets);
  if (!m.positions || (triangles && !m.triangles) || (tets && !m.tets)) mesh_free(&m);
  return m;
}

static void set(int32_t *to, int32_t a, int32_t b, int32_t c) {
  to[0] = a;
  to[1] = b;
  to[2] = c;
}

mesh shape_sheet(int columns, int rows, double width, double height) {
  int across = columns + 1;
  mesh m = shape_new((size_t)(across * (rows + 1)), (size_t)(2 * columns * rows), 0);
  if (m.positions) m.uvs = malloc(6 * m.triangle_count * sizeof *m.uvs);
  if (!m.uvs) mesh_free(&m);
  if (!m.positions) return m;
  for (int j = 0, v = 0; j <= rows; j++)
    for (int i = 0; i <= columns; i++, v++) {
      m.positions[3 * v] = width * i / columns;
      m.positions[3 * v + 1] = height * j / rows;
      m.positions[3 * v + 2] = 0;
    }
  int32_t *t = m.triangles;
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++, t += 6) {
      int32_t a = j * across + i, b = a + 1, c = b + across, d = a + across;
      if ((i + j) % 2 == 0) {
        set(t, a, b, c);
        set(t + 3, a, c, d);
      } else {
        set(t, a, b, d);
        set(t + 3, b, c, d);
      }
    }
  for (size_t corner = 0; corner < 3 * m.triangle_count; corner++) {
    int v = m.triangles[corner];
    m.uvs[2 * corner] = (double)(v % across) / columns;
    int row = v / across;
    m.uvs[2 * corner + 1] = (double)row / rows;
  }
  return m;
}

/* Six tets around the cube's diagonal 0-7 (Kuhn's division), the same in every cube, so that faces
 * of neighbours match. Corner bits: 1 = x, 2 = y, 4 = z. */
static void fill_cube(const int32_t corners[8], int32_t *tets) {
  static const int paths[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
  for (int p = 0; p < 6; p++, tets += 4) {
    set(tets, corners[0], corners[paths[p][0]], corners[paths[p][1]]);
    tets[3] = corners[7];
  }
}

mesh shape_block(int nx, int ny, int nz, double width, double depth, double height) {
  mesh m = shape_new((size_t)((nx + 1) * (ny + 1) * (nz + 1)), 0, (size_t)(6 * nx * ny * nz));
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
      for (int i = 0; i < nx; i++, tets += 24) {
        int32_t corners[8];
        for (int bits = 0; bits < 8; bits++)
          corners[bits] =
              ((k + (bits >> 2)) * (ny + 1) + j + ((bits >> 1) & 1)) * (nx + 1) + i + (bits & 1);
        fill_cube(corners, tets);
      }
  return m;
}

mesh shape_ring(int around, int across, double radius, double thickness) {
  int side = across + 1;
  mesh m = shape_new((size_t)(around * side * side), 0, (size_t)(6 * around * across * across));
  if (!m.positions) return m;
  double *x = m.positions;
  for (int i = 0; i < around; i++)
    for (int j = 0; j <= across; j++)
      for (int k = 0; k <= across; k++, x += 3) {
        double angle = 2 * 3.14159265358979323846 * i / around;
        double out = radius + thickness * ((double)j / across - 0.5);
        x[0] = out * cos(angle);
        x[1] = out * sin(angle);
        x[2] = thickness * ((double)k / across - 0.5);
      }
  /* (around, outwards, up) is a left-handed frame: the first two corner bits change places. */
  int32_t *tets = m.tets;
  for (int i = 0; i < around; i++)
    for (int j = 0; j < across; j++)
      for (int k = 0; k < across; k++, tets += 24) {
        int32_t corners[8];
        for (int bits = 0; bits < 8; bits++)
          corners[bits] =
              (((i + ((bits >> 1) & 1)) % around) * side + j + (bits & 1)) * side + k + (bits >> 2);
        fill_cube(corners, tets);
      }
  return m;
}

void shape_move(mesh *m, double x, double y, double z) {
  for (size_t v = 0; v < m->vertex_count; v++) {
    m->positions[3 * v] += x;
    m->positions[3 * v + 1] += y;
    m->positions[3 * v + 2] += z;
  }
}

void shape_turn(mesh *m, int axis, double radians) {
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  double c = cos(radians), s = sin(radians);
  for (size_t k = 0; k < m->vertex_count; k++) {
    double *x = m->positions + 3 * k, along = x[u];
    x[u] = c * along - s * x[v];
    x[v] = s * along + c * x[v];
  }
}

mesh shape_keep(const mesh *m, const int32_t *triangles, size_t count) {
  mesh kept = {0};
  int32_t *number = malloc((m->vertex_count + 1) * sizeof *number);
  if (!number) return kept;
  for (size_t v = 0; v < m->vertex_count; v++) number[v] = -1;
  for (size_t c = 0; c < 3 * count; c++) number[triangles[c]] = 0;
  int32_t vertices = 0;
  for (size_t v = 0; v < m->vertex_count; v++)
    if (number[v] == 0) number[v] = vertices++;
  kept = shape_new((size_t)vertices, count, 0);
  for (size_t v = 0; kept.positions && v < m->vertex_count; v++)
    if (number[v] >= 0)
      memcpy(kept.positions + 3 * number[v], m->positions + 3 * v, 3 * sizeof(double));
  for (size_t c = 0; kept.positions && c < 3 * count; c++) kept.triangles[c] = number[triangles[c]];
  free(number);
  return kept;
}

mesh shape_skin(const mesh *solid) {
  arena memory = {0};
  topology_list faces;
  mesh skin = {0};
  if (topology_boundary(solid->tets, solid->tet_count, &memory, &faces, NULL) == TRIBO_OK)
    skin = shape_keep(solid, faces.vertices, faces.count);
  arena_free(&memory);
  return skin;
}
