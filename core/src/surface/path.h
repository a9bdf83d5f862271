/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * path: which side of a surface a point comes from. A point that moves, a surface that moves, or
 * both: what counts is the way of the one as the other sees it, from the start of the step to now,
 * and it is searched for the first place where it goes in (continuous collision detection). Where
 * the point is now does not tell: it may have come out again on the far side.
 *
 * A point that touches the surface from the start, or lies in it by what a step may leave, is
 * looked at from just outside, so that a slab which moves by more than it is thick takes along what
 * rests on it. Where the place is on an edge or a corner, of the faces that meet there the one
 * counts that faces the motion most.
 *
 * The way is straight in the frame of the surface; where that turns, it is taken in parts of no
 * more than ten degrees.
 *
 * What has two sides is gone through from either. A point that is clear of it comes from where it
 * is. One that touches it is on the side that it was known to be on, else where it is by more than
 * rounding, else where most of its body is, or would be pressed against the surface (feel.h).
 */
#ifndef SURFACE_PATH_H
#define SURFACE_PATH_H

#include "surface/surface.h"

/* Prepares for the rest: what deforms sweeps out boxes. */
void path_sweep(surface *s, const tasks *t);

/* A point that went from `before` to `point` while the surface moved: whether it went in, at the
 * front where there is one. Then `hit` is set to the plane it went through, as that is now, and
 * `gap` is negative. side: where it was if it touched, as in surface_hit; 0: where there is one, or
 * not known. */
bool path_through(const surface *s, int32_t side, vec3 before, vec3 point, double thickness,
                  surface_hit *hit);

/* How far a point was in front of the part of `here`, a hit of what has two sides, at the start of
 * the step; 0 where that is lost in rounding. */
double path_before(const surface *s, vec3 before, const surface_hit *here);

/* How far that point went, in metres, as the place that it went in at sees it. */
double path_length(const surface *s, vec3 before, vec3 point, const surface_hit *hit);

/* Two answers about one surface that differ by less than this, in metres, are the same. A smooth
 * surface lies a little off its mesh. */
double path_blur(const surface *s);

/* How far a point was from the surface at the start of the step, negative inside, or beyond as seen
 * from a side; by its triangles where a smooth surface has no answer. Infinite where there is
 * nothing within reach. */
double path_start_gap(const surface *s, int32_t side, vec3 before, double reach);

/* Farther away than this, in metres, a point is clear of a surface. */
double path_clear(const surface *s);

/* On a sharp convex edge or corner the way out is any between those of the faces, and turns with
 * every rounding. But what is outside of one of the faces is outside, so one is enough: of those
 * that meet within a hair of the point the one that opposes `load` most, a motion or a force in the
 * world. Elsewhere, and where none opposes it, `hit` stays as it is. */
double path_edge_tolerance(const surface *s); /* metres */
void path_choose_face(const surface *s, vec3 point, vec3 load, surface_hit *hit);

#endif
