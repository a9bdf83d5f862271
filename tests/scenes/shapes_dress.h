/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes_dress: what the dancer wears, cut to measure from rings of vertices: a bodice with two
 * straps over the shoulders, and skirts that are cones from the waist down, so that they have
 * more cloth at the hem than room, and fall in folds.
 */
#ifndef TESTS_SCENES_SHAPES_DRESS_H
#define TESTS_SCENES_SHAPES_DRESS_H

#include "scenes/shapes.h"

typedef struct dress_cut {
  double size;   /* of the triangles, m */
  double gap;    /* between bodice and skin, m */
  double under;  /* what the waist has to leave free below it besides, m */
  double flare;  /* of the skirt from the vertical, radians */
  double length; /* of the skirt, along the cloth, m */
} dress_cut;

/* Bodice, straps and skirt in one piece. */
mesh shape_dress(const dress_cut *cut);

/* A skirt with a waistband of 3 cm: for under a dress. */
mesh shape_petticoat(const dress_cut *cut);

#endif
