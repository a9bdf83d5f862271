/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glide: colliders that are felt through their smooth surface (mls/mls.h): vertices of bodies keep
 * a gap to it in place of one to the mesh's facets.
 *
 *   g(x) = s (Psi(A^-1 x) - delta) - xi
 *
 * Psi is the potential of the moving least squares, in metres of the collider's own frame; A the
 * collider's map there, found from four of its vertices, and s its scale; xi both sides' thickness
 * (m). delta (m) is the largest Psi on the mesh itself, so that the mesh lies within g = -xi: on a
 * ball it is the height of the corners, which are where the round thing is. The contact pushes
 * along grad g, with the barrier and stiffness of other contacts (barrier/contacts.h).
 *
 * What is guaranteed. Motions are swept against the mesh as everywhere (proximity/step_limit.h), so
 * nothing gets through that. g itself is above 0 at every iterate that is accepted, not on the way
 * between two. Edges of bodies, and corners of the collider against faces of bodies, keep to the
 * mesh, without thickness: a cloth whose edges are long beside the curvature touches the corners.
 *
 * A collider is felt so where it is smooth by wish, keeps its shape, has one side, does not stray
 * from its mesh, and its samples reach far enough above it. Else it is felt as its mesh.
 */
#ifndef BARRIER_GLIDE_H
#define BARRIER_GLIDE_H

#include "proximity/surface_mesh.h"
#include "surface/surface.h"

typedef struct glide_part {
  int32_t part;
  surface of;
  double delta;           /* m, in its own frame */
  int32_t corner[4];      /* vertices of the mesh that are in no plane, */
  mat3 at_rest;           /* and what takes their sides to the unit vectors */
  double low[3], high[3]; /* at rest */
} glide_part;

typedef struct glide {
  const surface_mesh *mesh;
  glide_part *parts;
  int32_t count;
  double *left; /* of (part, vertex of a body): how much lower than delta and xi its gap begins
                   in this step, m */
  const bool *absent; /* of parts of the mesh, and what does not see what: of the step */
  const bool *lost, *held;
} glide;

/* `mesh` must outlive it. */
tribo_status glide_create(const surface_mesh *mesh, const tasks *t, arena *memory, glide *out,
                          tribo_error *err);
void glide_free(glide *s);

/* Whether vertices of bodies feel the part so. */
static inline bool glide_has(const glide *s, int32_t part) {
  for (int32_t k = 0; s && k < s->count; k++)
    if (s->parts[k].part == part) return true;
  return false;
}

/* How far above the mesh its gap begins at most, thickness not counted; 0: of what is not smooth.
 */
double glide_height(const glide *s, int32_t part);

/* Where a smooth part stands with the vertices of the mesh at x. */
typedef struct glide_place {
  const glide_part *of;
  vec3 shift;
  mat3 back; /* from the world to the frame */
  double scale;
} glide_place;

glide_place glide_place_of(const glide *s, int32_t number, const vec3 *x);

typedef struct glide_gap {
  bool near;        /* the rest is set */
  double height;    /* s (Psi - delta), m */
  vec3 by_point;    /* its gradient in the world */
  mat3 bend;        /* and second derivative, 1/m */
  int32_t triangle; /* of the mesh: the nearest sample's */
} glide_gap;

glide_gap glide_ask(const glide_place *at, const surface_mesh *mesh, vec3 point);

#endif
