/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_turned: closed surfaces around the z axis, made of rings of vertices that are stitched
 * together. The rings need not have the same number of vertices, so that triangles can keep their
 * size where the surface narrows: smooth contact surfaces want locally uniform meshes.
 */
#ifndef TESTS_SCENES_SHAPES_TURNED_H
#define TESTS_SCENES_SHAPES_TURNED_H

#include "scenes/shapes.h"

typedef struct turned_ring {
  double radius, z;
  int count;    /* of vertices; 1 is a point on the axis */
  double phase; /* angle of the first, as a fraction of the angle between two */
} turned_ring;

/* Stitches each ring to the next. The inside is on the left of one who walks along the profile in
 * the half-plane (radius, z). */
mesh shape_turned(const turned_ring *rings, size_t count);

/* Triangles between ring a and the next one b, whose vertices start at numbers `at_a` and `at_b`,
 * as many as both have vertices; where they end. Goes around both at once; the ring whose next
 * vertex comes first gives the next edge. */
int32_t *turned_stitch(const turned_ring *a, const turned_ring *b, int32_t at_a, int32_t at_b,
                       int32_t *t);

/* A profile of straight pieces, walked in steps of about `step` and with triangles of about that
 * size; one that starts and ends on the axis gives a closed surface. Every corner of the profile
 * becomes a ring. */
typedef struct turned_corner {
  double radius, z;
} turned_corner;
mesh shape_profile(const turned_corner *corners, size_t count, double step);

/* A closed cylinder around the z axis, from z = -length/2 to length/2, of nearly equilateral
 * triangles: `sides` vertices around, each ring half a step ahead of the last. */
mesh shape_cylinder(int sides, double radius, double length);

/* The same without its caps. Their samples would raise a smooth surface within reach: a cylinder of
 * 7 sides and three radii long bulges by a tenth of the radius near its ends. */
mesh shape_pipe(int sides, double radius, double length);

/* A flat disc in the plane z = 0 that faces up, of nearly equilateral triangles: `rings` rings
 * around the middle. The last `rim` vertices (6 rings) are its rim. */
mesh shape_disc(int rings, double radius);

/* A sphere around the origin: a cube with n x n squares a face, blown up. */
mesh shape_globe(int n, double radius);

#endif
