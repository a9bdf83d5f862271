/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/shapes_turned.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "scenes/shapes_hex.h"

#define PI 3.14159265358979323846

/* The angle of vertex i of a ring, in turns. */
static double turn_of(const turned_ring *ring, int i) { return (i + ring->phase) / ring->count; }

static int wrapped(int i, int count) { return ((i % count) + count) % count; }

int32_t *turned_stitch(const turned_ring *a, const turned_ring *b, int32_t at_a, int32_t at_b,
                       int32_t *t) {
  int i = 0, j = 0;
  if (a->count > 1 && b->count > 1) /* start where b is nearest to a's first vertex */
    j = (int)floor(turn_of(a, 0) * b->count - b->phase + 0.5);
  int steps_a = a->count > 1 ? a->count : 0, steps_b = b->count > 1 ? b->count : 0;
  int end_i = i + steps_a, end_j = j + steps_b;
  while (i < end_i || j < end_j) {
    int32_t from = at_a + wrapped(i, a->count), to = at_b + wrapped(j, b->count);
    bool on_a = j == end_j || (i < end_i && turn_of(a, i + 1) <= turn_of(b, j + 1));
    t[0] = from;
    t[1] = on_a ? at_a + wrapped(++i, a->count) : at_b + wrapped(++j, b->count);
    t[2] = to;
    t += 3;
  }
  return t;
}

mesh shape_turned(const turned_ring *rings, size_t count) {
  size_t vertices = 0, triangles = 0;
  for (size_t r = 0; r < count; r++) {
    vertices += (size_t)rings[r].count;
    if (r == 0) continue;
    for (size_t s = r - 1; s <= r; s++)
      if (rings[s].count > 1) triangles += (size_t)rings[s].count;
  }
  mesh m = shape_new(vertices, triangles, 0);
  if (!m.positions) return m;
  double *x = m.positions;
  int32_t *t = m.triangles, first = 0;
  for (size_t r = 0; r < count; r++) {
    for (int i = 0; i < rings[r].count; i++, x += 3) {
      double angle = 2 * PI * turn_of(&rings[r], i);
      x[0] = rings[r].radius * cos(angle);
      x[1] = rings[r].radius * sin(angle);
      x[2] = rings[r].z;
    }
    if (r > 0) t = turned_stitch(&rings[r - 1], &rings[r], first - rings[r - 1].count, first, t);
    first += rings[r].count;
  }
  return m;
}

mesh shape_profile(const turned_corner *corners, size_t count, double step) {
  ARRAY(turned_ring) rings = {0};
  bool ok = true;
  for (size_t c = 0; c < count && ok; c++) {
    double dr = c > 0 ? corners[c].radius - corners[c - 1].radius : 0;
    double dz = c > 0 ? corners[c].z - corners[c - 1].z : 0;
    int pieces = c > 0 ? (int)fmax(1, floor(hypot(dr, dz) / (0.866 * step) + 0.5)) : 1;
    for (int p = 1; p <= pieces && ok; p++) {
      turned_ring ring = {.radius = corners[c].radius - dr * (pieces - p) / pieces,
                          .z = corners[c].z - dz * (pieces - p) / pieces};
      ring.count = (int)floor(2 * PI * ring.radius / step + 0.5);
      if (ring.radius <= 0) ring.count = 1;
      if (ring.radius > 0 && ring.count < 5) ring.count = 5;
      ring.phase = rings.count % 2 ? 0.5 : 0;
      ok = ARRAY_PUSH(rings, ring);
    }
  }
  mesh m = {0};
  if (ok) m = shape_turned(rings.data, rings.count);
  ARRAY_FREE(rings);
  return m;
}

/* How many rings fit, for triangles with equal sides. */
static int rings_along(int sides, double radius, double length) {
  double edge = 2 * radius * sin(PI / sides);
  return (int)fmax(1, floor(length / (0.5 * sqrt(3) * edge) + 0.5));
}

static turned_ring ring_along(int r, int along, int sides, double radius, double length) {
  return (turned_ring){radius, length * ((double)r / along - 0.5), sides, r % 2 ? 0.5 : 0};
}

mesh shape_pipe(int sides, double radius, double length) {
  int along = rings_along(sides, radius, length);
  turned_ring *rings = malloc((size_t)(along + 1) * sizeof *rings);
  mesh m = {0};
  if (!rings) return m;
  for (int r = 0; r <= along; r++) rings[r] = ring_along(r, along, sides, radius, length);
  m = shape_turned(rings, (size_t)along + 1);
  free(rings);
  return m;
}

mesh shape_cylinder(int sides, double radius, double length) {
  int along = rings_along(sides, radius, length);
  double spacing = sqrt(3) * radius * sin(PI / sides);
  int inward = (int)fmax(1, floor(radius / spacing + 0.5));
  ARRAY(turned_ring) rings = {0};
  bool ok = true;
  for (int r = 0; r <= inward && ok; r++) { /* the lower cap, from its middle */
    turned_ring ring = {.radius = radius * r / inward, .z = -0.5 * length};
    ring.count = r == 0 ? 1 : (int)fmax(5, floor((double)sides * r / inward + 0.5));
    ok = ARRAY_PUSH(rings, ring);
  }
  for (int r = 1; r <= along && ok; r++)
    ok = ARRAY_PUSH(rings, ring_along(r, along, sides, radius, length));
  for (int r = inward - 1; r >= 0 && ok; r--) {
    turned_ring ring = rings.data[r];
    ring.z = 0.5 * length;
    ring.phase = ring.count > 1 && along % 2 ? 0.5 : 0;
    ok = ARRAY_PUSH(rings, ring);
  }
  mesh m = {0};
  if (ok) m = shape_turned(rings.data, rings.count);
  ARRAY_FREE(rings);
  return m;
}

mesh shape_disc(int rings, double radius) {
  turned_ring *all = malloc((size_t)(rings + 1) * sizeof *all);
  mesh m = {0};
  if (!all) return m;
  for (int r = 0; r <= rings; r++) /* six more a ring, as in a triangular lattice */
    all[r] = (turned_ring){radius * r / rings, 0, r == 0 ? 1 : 6 * r, 0};
  m = shape_turned(all, (size_t)rings + 1);
  free(all);
  /* Outwards along the profile with the inside on the left: it faces down. */
  for (size_t t = 0; m.positions && t < m.triangle_count; t++) {
    int32_t second = m.triangles[3 * t + 1];
    m.triangles[3 * t + 1] = m.triangles[3 * t + 2];
    m.triangles[3 * t + 2] = second;
  }
  return m;
}

mesh shape_globe(int n, double radius) {
  mesh shell = shape_shell(n, 1, 0.5 * radius, radius), globe = {0};
  if (!shell.positions) return shell;
  mesh skin = shape_skin(&shell);
  /* The outer of the two surfaces: its vertices are the second half. */
  size_t kept = 0;
  for (size_t t = 0; skin.positions && t < skin.triangle_count; t++)
    if (skin.triangles[3 * t] >= (int32_t)(skin.vertex_count / 2)) {
      for (int c = 0; c < 3; c++)
        skin.triangles[3 * kept + (size_t)c] = skin.triangles[3 * t + (size_t)c];
      kept++;
    }
  if (skin.positions) globe = shape_keep(&skin, skin.triangles, kept);
  mesh_free(&skin);
  mesh_free(&shell);
  return globe;
}
