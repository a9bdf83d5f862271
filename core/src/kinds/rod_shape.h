/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rod_shape: what the parameters of a rod make of its points: how thick each segment is, the frame
 * it begins with, what it weighs and how stiff it is.
 *
 * The section is round, of radius r: area S = pi r^2, I = pi r^4 / 4, J = pi r^4 / 2, and
 * G = E / (2 (1 + nu)). A segment of length L weighs m = density S L. Its points have half of that
 * each; its director, which is r long, has m/2, so that turning about the axis at w stores
 * m r^2 w^2 / 4, as a solid cylinder does.
 */
#ifndef KINDS_ROD_SHAPE_H
#define KINDS_ROD_SHAPE_H

#include "energy/rod.h"
#include "geom/strands.h"
#include "tribo/scene.h"

/* The strands of an object that has been checked. */
tribo_status rod_shape_strands(const tribo_object_def *def, arena *memory, strands *out,
                               tribo_error *err);

/* pi r^2 */
double rod_shape_section(double radius);

/* Radius in the middle of segment i of strand s, m: in a straight line from the first point of the
 * strand to `taper` of it at the last; the same everywhere on a ring. */
double rod_shape_radius(const tribo_object_def *def, const strands *all, size_t s, size_t i);

/* The points of segment i of strand s at rest. */
void rod_shape_segment(const tribo_object_def *def, const strands *all, size_t s, size_t i,
                       vec3 out[2]);

/* Directors of a strand, one a segment and r long: the first across the first segment, each further
 * one turned as its segment turns from the one before, by the shortest way: nothing is twisted. */
void rod_shape_directors(const tribo_object_def *def, const strands *all, size_t s, vec3 *out);

/* Energies, with stiffness times `painted`. A joint lies between two segments, and what bends and
 * twists there is half of each; of one that is held nothing does, so that a clamp is where its
 * point is, and not half a segment before. Of two that are held all counts: nothing hangs on it. */
rod_stretch rod_shape_stretch(const tribo_rod_params *p, double radius, double length,
                              double painted);
rod_bend rod_shape_bend(const tribo_rod_params *p, const double radius[2], const bool held[2],
                        const vec3 rest[5], double painted);

/* kg */
double rod_shape_mass(const tribo_object_def *def, const strands *all);

#endif
