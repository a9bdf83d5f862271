/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * probes: the points of a body that touch others, each with a thickness.
 *
 * As a rule they are the vertices of its skin. A rigid body whose contact shape is a sphere or a
 * capsule has fewer and fatter ones: the centre, with the radius for thickness, or some along the
 * axis. It touches a surface where the round shape would, and rolls without facets. That takes a
 * surface that can tell its distance from afar: where the body meets a smooth one, whose samples
 * reach only so far, it feels with its vertices.
 *
 * Other rigid bodies have blunt ones (blunt.h): every vertex is drawn a little inwards, but reaches
 * as far as ever. Convex edges have more of them, since two blocks laid crosswise may touch with no
 * vertex of either: their edges cross.
 *
 * Where they cross is a matter of chance, and between two points a body would sink. So the way from
 * each point to the next on an edge, or on the axis of a capsule, is a segment, and where a segment
 * comes closest to a surface somewhere between its ends it is felt there, too (segments.h).
 * Segments are numbered after the points; a place on one is its part of the way, 0 to 1.
 *
 * A collider is a surface, and feels nothing by itself. But its corners may lie below a face of a
 * rigid body, which has no vertex there. So these are probes, too: they feel the body's surface,
 * and what they feel is handed on as a contact of the body with the collider (gather.h).
 */
#ifndef CONTACT_PROBES_H
#define CONTACT_PROBES_H

#include "contact/blunt.h"
#include "geom/mesh_distance.h"
#include "surface/surface.h"

typedef enum probes_form {
  PROBES_VERTICES,
  PROBES_ROUND, /* rigid, contact shape a sphere or a capsule */
  PROBES_BLUNT  /* rigid */
} probes_form;

typedef blunt_span probes_segment; /* of a capsule: no tip, and not round */

typedef struct probes {
  probes_form form;
  const model_probes *def;
  const model_body *body; /* NULL: corners of a collider */
  const surface *of;      /* that one */
  size_t count;
  const vec3 *local;    /* not vertices: places in the body's frame; else NULL */
  const vec3 *tip;      /* blunt ones: the way from there to the vertex or edge */
  const double *round;  /* blunt ones: how thick each is at the least */
  double thickness;     /* the user's, and the radius of those that have one */
  const int32_t *rides; /* blunt ones: the vertex that each is at, or comes after on an edge */
  const int32_t (*between)[2]; /* blunt ones on an edge: the points beside each on it; else -1 */
  const probes_segment *segments;
  size_t segment_count;
  double blunt;              /* the most that any reaches from its point, besides the thickness */
  const mesh_distance *skin; /* those of a painted body: its mesh, in its frame; else NULL */
} probes;

tribo_status probes_create(const model *m, const model_probes *def, probes_form form, arena *memory,
                           probes *out, tribo_error *err);

/* The corners of a collider's mesh, for rigid bodies; none: count is 0. The surface stays where it
 * is. */
tribo_status probes_of_collider(const model *m, const surface *s, arena *memory, probes *out,
                                tribo_error *err);

/* The body's vertex that point or segment i rides on; the number that stands for it in keys. */
int32_t probes_vertex(const probes *f, size_t i);
uint32_t probes_number(const probes *f, size_t i);

/* Where point i is. */
vec3 probes_point(const probes *f, const model *m, const contact_moment *moment, size_t i);

/* The same of point or segment i, and there at `part` of the way. */
vec3 probes_place(const probes *f, const model *m, const contact_moment *moment, size_t i,
                  double part);

/* What sticks out farthest from point or segment i towards a surface with that normal: the way to
 * its vertex or edge, where it is that and not a face beside it; else 0. */
vec3 probes_edge(const probes *f, const model *m, const contact_moment *moment, size_t i,
                 vec3 normal);

/* How thick point or segment i is towards it, and towards whatever. */
double probes_thickness(const probes *f, const model *m, const contact_moment *moment, size_t i,
                        vec3 normal);
double probes_round(const probes *f, size_t i);

/* Where it was at the start of the step. */
vec3 probes_before(const probes *f, const contact_moment *moment, size_t i);
vec3 probes_place_before(const probes *f, const contact_moment *moment, size_t i, double part);

/* How fast it moves, given the velocities of all vertices; of those that are vertices. */
double probes_speed(const probes *f, const vec3 *velocities, size_t i);

#endif
