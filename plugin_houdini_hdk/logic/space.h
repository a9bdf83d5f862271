/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * space: from Houdini's space to the core's and back, without rounding.
 *
 * Houdini has y up, the core z: (x, y, z) there is (x, -z, y) here, a quarter turn about x, so
 * that no triangle is mirrored. What turns triangles is that Houdini winds polygons clockwise seen
 * from outside, and the core the other way round. 0 - z is used in place of -z: it makes no -0.
 */
#ifndef HOUDINI_SPACE_H
#define HOUDINI_SPACE_H

static inline void space_in(const float y_up[3], double z_up[3]) {
  double x = (double)y_up[0], y = (double)y_up[1], z = (double)y_up[2];
  z_up[0] = x;
  z_up[1] = 0.0 - z;
  z_up[2] = y;
}

static inline void space_in_exact(const double y_up[3], double z_up[3]) {
  double x = y_up[0], y = y_up[1], z = y_up[2];
  z_up[0] = x;
  z_up[1] = 0.0 - z;
  z_up[2] = y;
}

static inline void space_out(const double z_up[3], float y_up[3]) {
  y_up[0] = (float)z_up[0];
  y_up[1] = (float)z_up[2];
  y_up[2] = (float)(0.0 - z_up[1]);
}

#endif
