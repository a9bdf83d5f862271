/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * feelers: the points of a body that touch others, each with a thickness.
 *
 * As a rule they are the vertices of its skin. A rigid body whose contact shape is a sphere or a
 * capsule has fewer and fatter ones: the centre, with the radius for thickness, or some along the
 * axis. It touches a surface where the round shape would, and rolls without facets. That takes a
 * surface that can tell its distance from afar: where the body meets a smooth one, whose samples
 * reach only so far, it feels with its vertices.
 */
#ifndef CONTACT_FEELERS_H
#define CONTACT_FEELERS_H

#include "contact/surface.h"
#include "geom/mesh_distance.h"

typedef struct feelers {
  const model_feelers *def;
  const model_body *body;
  size_t count;
  const vec3 *local;         /* fat ones: places in the body's frame; NULL: the vertices of def */
  double thickness;          /* the user's, and the radius of fat ones */
  const mesh_distance *skin; /* fat ones of a painted body: its mesh, in its frame; else NULL */
} feelers;

/* round: all surfaces that it meets can be touched from afar. */
tribo_status feelers_create(const model *m, const model_feelers *def, bool round, arena *memory,
                            feelers *out, tribo_error *err);

/* The body's vertex that point i rides on, and the number that stands for the point in keys. */
int32_t feelers_vertex(const feelers *f, size_t i);

/* Where point i is. */
vec3 feelers_point(const feelers *f, const model *m, const contact_moment *moment, size_t i);

/* Where it was at the start of the step. */
vec3 feelers_before(const feelers *f, const contact_moment *moment, size_t i);

/* How fast it moves, given the velocities of all vertices; of fat ones at most. */
double feelers_speed(const feelers *f, const vec3 *velocities, size_t i);

#endif
