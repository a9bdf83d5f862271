/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_painted: something that slides on a painted rectangle, and where it is in the rectangle's own
 * axes. The rectangle descends towards +x by an angle; x is downhill, y is across, as in lab_drift.
 */
#ifndef TESTS_PHYSICS_LAB_PAINTED_H
#define TESTS_PHYSICS_LAB_PAINTED_H

#include "physics/lab_contact.h"
#include "physics/lab_drift.h"

typedef struct lab_floor {
  double slope;     /* radians */
  double low, high; /* along x, m */
  double half;      /* along y, to both sides */
} lab_floor;

/* The rectangle with UVs that run from 0 to 1, u along x and v along y. */
static inline mesh lab_floor_mesh(const lab_floor *f) {
  mesh m = shape_sheet(1, 1, f->high - f->low, 2 * f->half);
  shape_move(&m, f->low, -f->half, 0);
  shape_turn(&m, 1, f->slope);
  return m;
}

/* A direction of the rectangle, `angle` from downhill towards y, in the world. */
static inline vec3 lab_floor_direction(const lab_floor *f, double angle) {
  return vec3_make(cos(angle) * cos(f->slope), sin(angle), -cos(angle) * sin(f->slope));
}

/* A place or velocity of the world in the axes of the rectangle. */
static inline drift_point lab_on_floor(const lab_floor *f, vec3 x, vec3 v) {
  vec3 down = lab_floor_direction(f, 0);
  return (drift_point){{vec3_dot(x, down), x.y}, {vec3_dot(v, down), v.y}};
}

/* A flat block of cells x cells x 1 cells, or a sheet of cells x cells, its middle at (x, y) of the
 * rectangle; a rigid one has the solid's skin. */
static inline mesh lab_slider_mesh(const lab_floor *f, tribo_kind kind, int cells, double size,
                                   double x, double y) {
  mesh m = kind == TRIBO_CLOTH ? shape_sheet(cells, cells, size, size)
                               : shape_brick(cells, cells, 1, size, size, size / 4);
  if (kind == TRIBO_RIGID) {
    mesh tets = m;
    m = shape_skin(&tets);
    mesh_free(&tets);
  }
  shape_move(&m, x - size / 2, y - size / 2, 0);
  shape_turn(&m, 1, f->slope);
  return m;
}

/* A constant direction a vertex; the caller frees. */
static inline double *lab_combed(size_t vertex_count, vec3 direction) {
  double *all = malloc(3 * vertex_count * sizeof *all);
  assert_non_null(all);
  for (size_t v = 0; v < vertex_count; v++) memcpy(all + 3 * v, &direction.x, 3 * sizeof(double));
  return all;
}

/* A pixel of a structure map, `angle` from u towards v. */
static inline void lab_paint_direction(double angle, float rgb[3]) {
  rgb[0] = (float)(0.5 + 0.5 * cos(angle));
  rgb[1] = (float)(0.5 + 0.5 * sin(angle));
  rgb[2] = 0;
}

#endif
