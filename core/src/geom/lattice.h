/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lattice: cubes of tets around any surface, clean or not: open, cutting itself, partly turned
 * over, a soup.
 *
 * A grid of cubes covers the surface's box, `cells` of them along its longest side. A cube is kept
 * when the surface runs through it, or when its middle is inside by the winding number
 * (geom/winding.h), after neighbouring triangles were made to agree (geom/orient.h). Filling from
 * the outside would do without a winding, but one hole wider than a cube would empty the whole
 * body; the winding number loses no more than what lies near the hole. A surface that only grazes
 * the side of a cube does not keep it, unless a vertex would be left without a cube.
 *
 * Each cube is split into five tets, in two ways that alternate like the fields of a chessboard, so
 * that the diagonals of neighbours agree and no direction is favoured. Cubes have a node in common
 * where they hang together through faces around it: cubes that meet in an edge or a corner only
 * have nodes of their own there, at the same place, and come apart. So two bodies that pass each
 * other cornerwise are not hinged together; two that come closer than a cube are joined all the
 * same, and only a finer lattice parts them.
 */
#ifndef GEOM_LATTICE_H
#define GEOM_LATTICE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/tasks.h"
#include "math/vec3.h"

typedef struct lattice {
  vec3 *nodes;
  size_t node_count;
  int32_t *tets; /* det [x1 - x0, x2 - x0, x3 - x0] > 0 */
  size_t tet_count;
  double side; /* of a cube */
} lattice;

enum { LATTICE_MOST_CELLS = 400 }; /* along a side */

/* In the caller's arena. The indices have been checked, positions are finite, and cells is within
 * [1, LATTICE_MOST_CELLS]. TRIBO_BAD_INPUT when the surface is a point. */
tribo_status lattice_build(const tasks *t, const vec3 *positions, size_t vertex_count,
                           const int32_t *triangles, size_t triangle_count, int cells,
                           arena *memory, lattice *out, tribo_error *err);

#endif
