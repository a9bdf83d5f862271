/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * feelers: the points of a body that touch others, each with a thickness.
 *
 * As a rule they are the vertices of its skin. A rigid body whose contact shape is a sphere or a
 * capsule has fewer and fatter ones: the centre, with the radius for thickness, or some along the
 * axis. It touches a surface where the round shape would, and rolls without facets. That takes a
 * surface that can tell its distance from afar: where the body meets a smooth one, whose samples
 * reach only so far, it feels with its vertices.
 *
 * A sharp rigid body among others of its kind has blunt ones: every vertex is drawn inwards until
 * it lies 2% of the body's size below all the faces that meet there, and has that for thickness. It
 * touches a face just where the vertex would. But where two blocks lie flush, corner on corner, a
 * vertex has three sides of the other at no distance, and the nearest is a matter of rounding; a
 * blunt one has the side below it at its thickness and the others behind it. Sharp edges have more
 * of them, since two blocks laid crosswise may touch with no vertex of either: their edges cross.
 *
 * Where they cross is a matter of chance, and between two points a body would sink. So the way from
 * each point to the next on an edge, or on the axis of a capsule, is a span, and where a span comes
 * closest to a surface somewhere between its ends it is felt there, too (spans.h). Spans are
 * numbered after the points; a place on one is its part of the way, 0 to 1.
 */
#ifndef CONTACT_FEELERS_H
#define CONTACT_FEELERS_H

#include "geom/mesh_distance.h"
#include "surface/surface.h"

typedef enum feelers_form {
  FEELERS_VERTICES,
  FEELERS_ROUND, /* rigid, contact shape a sphere or a capsule */
  FEELERS_BLUNT  /* rigid */
} feelers_form;

/* Of the body's least extent: how far vertices are drawn inwards. */
static const double FEELERS_BLUNT_PART = 0.02;
/* The same: how far apart points on a sharp edge are, at most. */
static const double FEELERS_EDGE_PART = 0.25;

/* Way inwards to a blunt point, in thicknesses, at most: a cube's corner goes by sqrt(3). */
static const double FEELERS_FARTHEST = 4;

typedef struct feelers_span {
  int32_t end[2]; /* points */
  vec3 inwards;   /* blunt ones: from the edge to the span, in thicknesses; else 0 */
} feelers_span;

typedef struct feelers {
  feelers_form form;
  const model_feelers *def;
  const model_body *body;
  size_t count;
  const vec3 *local;    /* not vertices: places in the body's frame; else NULL */
  double thickness;     /* the user's, and the radius of those that have one */
  const int32_t *rides; /* blunt ones: the vertex that each is at, or comes after on an edge */
  const int32_t (*between)[2]; /* blunt ones on an edge: the points beside each on it; else -1 */
  const feelers_span *spans;
  size_t span_count;
  double blunt;              /* how far the points lie below the faces; 0: not at all */
  const mesh_distance *skin; /* those of a painted body: its mesh, in its frame; else NULL */
} feelers;

/* A body that cannot be made blunt (a vertex where more than three planes meet, or a thin wedge)
 * keeps its vertices. */
tribo_status feelers_create(const model *m, const model_feelers *def, feelers_form form,
                            arena *memory, feelers *out, tribo_error *err);

/* The body's vertex that point or span i rides on; the number that stands for it in keys. */
int32_t feelers_vertex(const feelers *f, size_t i);
uint32_t feelers_number(const feelers *f, size_t i);

/* Where point i is. */
vec3 feelers_point(const feelers *f, const model *m, const contact_moment *moment, size_t i);

/* The same of point or span i, and there at `part` of the way. */
vec3 feelers_place(const feelers *f, const model *m, const contact_moment *moment, size_t i,
                   double part);

/* What sticks out farthest from a span towards a surface with that normal: the way to the edge that
 * it runs below, where it is the edge and not a face beside it; else 0. */
vec3 feelers_edge(const feelers *f, const model *m, const contact_moment *moment, size_t i,
                  vec3 normal);

/* How thick point or span i is towards it. */
double feelers_thickness(const feelers *f, const model *m, const contact_moment *moment, size_t i,
                         vec3 normal);

/* Where it was at the start of the step. */
vec3 feelers_before(const feelers *f, const contact_moment *moment, size_t i);
vec3 feelers_place_before(const feelers *f, const contact_moment *moment, size_t i, double part);

/* How fast it moves, given the velocities of all vertices; of those that are vertices. */
double feelers_speed(const feelers *f, const vec3 *velocities, size_t i);

#endif
