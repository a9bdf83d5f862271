/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tetrahedralise: the volume inside a closed surface as tets, by TetGen (Si, "TetGen, a
 * Delaunay-based quality tetrahedral mesh generator", 2015).
 *
 * TetGen is run as the program of that name, with files in a folder of its own. It is C++ that
 * answers bad input by throwing past its caller, aborting or now and then crashing, which a library
 * inside somebody's session must not do; as a program it can do all that and only the exit code
 * changes. Nothing is needed to build; without the program the answer is TRIBO_UNAVAILABLE.
 *
 * Should the process end meanwhile, of whatever signal, another one that waits for that ends TetGen
 * and takes its folder away: the program's handlers and masks of signals are left alone.
 *
 * The surface is kept as it is: its vertices come first, in order and to the last bit, its
 * triangles are faces of tets, new vertices are inside. Cavities (shells wound inward) stay empty.
 * The result depends on the input alone: TetGen's random choices have a fixed seed.
 */
#ifndef GEOM_TETRAHEDRALISE_H
#define GEOM_TETRAHEDRALISE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "math/vec3.h"

typedef struct tetrahedra {
  vec3 *nodes; /* the surface's vertices, then the inner ones */
  size_t node_count;
  int32_t *tets; /* det [x1 - x0, x2 - x0, x3 - x0] > 0 */
  size_t tet_count;
} tetrahedra;

/* In the caller's arena. size: the edge of inner tets at most, in the mean (at the surface its own
 * edges rule); 0: twice the mean edge of the surface. The indices have been checked and positions
 * are finite.
 *
 * TRIBO_BAD_INPUT where the surface is not closed (geom/closed.h) or cannot be kept: the caller may
 * turn to a lattice (geom/lattice.h). TRIBO_UNAVAILABLE where there is no TetGen. Messages begin
 * with the object's name. */
tribo_status tetrahedralise_surface(const char *name, const vec3 *positions, size_t vertex_count,
                                    const int32_t *triangles, size_t triangle_count, double size,
                                    arena *memory, tetrahedra *out, tribo_error *err);

/* About how many tets that will be, at least: those inside come to the volume they may have, that
 * of a regular tet with edges of `size`. Of a closed surface. */
double tetrahedralise_estimate(const vec3 *positions, const int32_t *triangles,
                               size_t triangle_count, double size);

/* Whether TetGen is there. */
bool tetrahedralise_available(void);

#endif
