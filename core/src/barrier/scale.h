/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scale: at which distance the barrier begins and how stiff it is, from what the scene has: nothing
 * of it is asked of the artist.
 *
 * A contact between a vertex of part A and the surface of part B, or between two edges, has three
 * constants, with the gap g = d - xi, d the distance (m):
 *
 *   xi  thickness: the sum of both parts', m
 *   b   band: the barrier begins at g = b, m;  b = max(edge length / 50, xi/4)
 *   k   stiffness, N/m:  k = a sigma (|gravity| / b + 1 / h^2)
 *
 * The edge length is the shorter of what is simulated; a the smaller area of the two (m^2), sigma
 * the smaller mass an area of the simulated parts (kg/m^2), h the step (s): a contact that bears
 * the weight of its own area has about half of its band left. What bore more in the last step, F,
 * starts with k = F / (2 b). Every constant scales with the units.
 *
 * Against a collider that is felt through its smooth surface (barrier/glide.h) bodies keep xi from
 * that, and from its mesh no thickness.
 *
 * Within one part, neighbours are closer at rest than xi + b where thickness is large beside the
 * mesh: xi is then at most half, b at most a quarter, of the distance at rest from a vertex to the
 * next triangle that does not have it, and of edges likewise. Strands have no such neighbours
 * (proximity/surface_mesh.h), and are as thick beside each other as they are. The edges of a rod
 * count as no longer than ten of its thicknesses: its band is half of one. And what starts a step
 * closer than xi keeps its distance less the gap of what rests, and a little more, in place of xi:
 * it is pushed apart gently, never by force.
 */
#ifndef BARRIER_SCALE_H
#define BARRIER_SCALE_H

#include "barrier/glide.h"
#include "proximity/candidates.h"

typedef struct barrier_constants {
  double thickness, band, stiffness;
} barrier_constants;

typedef struct barrier_scale {
  const surface_mesh *mesh;
  glide *glide;                    /* what is felt through its smooth surface; NULL: nothing */
  double *thickness, *band, *push; /* of pairs of parts; push: stiffness an area, N/m^3 */
  double *grain;                   /* of each part: mean area of a vertex, m^2 */
  double *reach; /* of each part: its thickness and half of its largest band; two add up to what a
                    pair needs at least */
  double *wide_reach;                /* with half of the room besides */
  double room;                       /* twelve of the narrowest bands, m */
  double *vertex_rest, *edge_rest;   /* distance at rest within the part, m; infinite: far */
  double *vertex_start, *edge_start; /* what a close start leaves of the thickness; infinite: all */
  double
      *vertex_load;  /* of (vertex, part): stiffness that the last step's load asks for; 0: none */
  double *edge_load; /* likewise of (edge, part) */
  double h, gravity; /* of the step */
} barrier_scale;

/* The barrier beta (barrier/contacts.h) and two derivatives at s in (0, 1). */
void barrier_law(double s, double *value, double *slope, double *curve);

/* For steps of h seconds; gravity in m/s^2. In `memory`. */
tribo_status barrier_scale_create(const surface_mesh *mesh, double h, double gravity,
                                  const tasks *t, arena *memory, barrier_scale *out,
                                  tribo_error *err);

/* Steps of another length from here on. */
void barrier_scale_step(barrier_scale *s, double h, double gravity);

/* Constants of a vertex against a part's surface, and of two edges. */
barrier_constants barrier_scale_face(const barrier_scale *s, int32_t vertex, int32_t part);
barrier_constants barrier_scale_edges(const barrier_scale *s, int32_t a, int32_t b);

/* Of a vertex of a body against the smooth surface of a part. */
barrier_constants barrier_scale_glide(const barrier_scale *s, int32_t vertex, int32_t part);

/* The part of a band that is left under a contact that bears the weight of its own area. */
double barrier_scale_rest(const barrier_scale *s, double band);

/* What the start of a step leaves of a gap that is not above 0: by how much lower it begins, m. */
double barrier_scale_left(const barrier_scale *s, double gap, const barrier_constants *c);

/* Takes the thicknesses that the start of a step at x allows, from all its candidates. */
void barrier_scale_start(barrier_scale *s, const candidates *near, const vec3 *x);

/* A vertex, or an edge, bore `force` newtons against a part. */
void barrier_scale_bear(barrier_scale *s, int32_t vertex, int32_t part, double force);
void barrier_scale_bear_edge(barrier_scale *s, int32_t edge, int32_t part, double force);

#endif
