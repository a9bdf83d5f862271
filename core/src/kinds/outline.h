/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outline: what contact sees of an object: the triangles that others touch and the vertices with
 * which it touches others.
 *
 * The triangles are those of a cloth, a rigid body or a collider; the boundary of a solid's tets,
 * or the surface that its cage carries. Triangles that have no area at rest have no normal and are
 * left out, except of a collider that deforms, where they may gain one.
 *
 * Every simulated object feels with the vertices of its triangles, since a collider has none to
 * feel with. Solids, rigid bodies and colliders also have a surface; a cloth has one only when it
 * is asked for, by surface.role or surface.contact, because a sheet has no inside; role "points"
 * takes the surface from a simulated object. surface.contact "none" leaves nothing.
 */
#ifndef KINDS_OUTLINE_H
#define KINDS_OUTLINE_H

#include "model/model.h"

typedef struct outline {
  const int32_t *triangles; /* of the object's own vertices, from 0 */
  size_t triangle_count;
  bool lines;              /* of a rod: its segments, as triangles a b b */
  const int32_t *given;    /* the number of each among the object's triangles; a solid that is made
                              of tets alone has none: their numbers on its skin */
  const int32_t *vertices; /* those on the triangles or segments, ascending */
  size_t vertex_count;
  size_t flat;    /* triangles left out because they have no area */
  bool closed;    /* every edge has two triangles, wound against each other; counts the flat ones.
                     Vertices at the same place, to the bit, are one */
  bool two_sided; /* surface.sides, "auto" decided; of what is touched as a mesh or smoothly */
  double spacing; /* mean length of the triangles' sides */
  int contact;    /* TRIBO_CONTACT_*, "auto" decided */
  double strays;  /* as in model_surface, */
  vec3 strays_at; /* and there */
  bool touches, is_touched; /* whether it gets probes, and a surface */
} outline;

/* The outline of an object that scene_add has checked, alone. In `memory`. */
tribo_status outline_trace(const tribo_object_def *def, arena *memory, outline *out,
                           tribo_error *err);

/* Roles of an object: its vertices touch others, and others touch its surface. */
void outline_roles(const tribo_object_def *def, bool *touches, bool *is_touched);

/* surface.contact "auto" of a shape at rest: TRIBO_CONTACT_MLS or TRIBO_CONTACT_MESH.
 *
 * What bends is measured by sum over edges of length times the angle between the two triangles,
 * which is how the total mean curvature is distributed and does not depend on how finely the shape
 * is cut. A mesh is smooth when less than half of that lies in edges bent by more than 35 degrees.
 * It is not when it is flat, or has fewer than 20 triangles: there is nothing to smooth, or too
 * little to smooth it with. A sphere or torus is smooth, a box or floor is not; a cylinder with
 * caps is when its length exceeds pi radii, the rims being sharp and the side not.
 *
 * A sample reaches as far as its triangle is long. So an edge also counts as sharp when the
 * surface turns by more than 60 degrees within the spacing of the samples beside it, where it is
 * an eighth of its radius of curvature off the mesh: the side of a cylinder cut into strips of its
 * whole length is blended with the side across. And where slivers meet, as in a cap cut as a fan,
 * so many samples reach so far that they outvote the triangles around: a mesh is not smooth when
 * slivers (spacing squared above 6 areas) have spacings whose squares add up to more than half
 * of its area. surface.spacing and radius shorten the reach.
 *
 * What passes all this is made, and compared with the mesh (smooth.h). */
tribo_status outline_choose(const int32_t *triangles, size_t count, const double *positions,
                            size_t vertex_count, bool closed, const tribo_surface_params *params,
                            int *contact, tribo_error *err);

/* Fills surfaces, probes, paints and object_count of a model whose bodies and colliders are there.
 */
tribo_status outline_build(const tribo_object_def *objects, size_t count, model *m,
                           tribo_error *err);

#endif
