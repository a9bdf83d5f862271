/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scenes_drape: cloth laid over a cylinder so that it rests from the start. For recipes only.
 *
 * Cloth that starts above the cylinder falls on it, and what it falls it slips: half a millimetre
 * of slack has it start with some millimetres a second. Appendix B of Larionov, Fan and Pai 2021
 * knows no such start. So every vertex around the top can be laid on the very surface that contact
 * sees, and in any case the ends hang straight down from the last rows that lie.
 */
#ifndef TESTS_SCENES_SCENES_DRAPE_H
#define TESTS_SCENES_SCENES_DRAPE_H

#include "scenes/scenes_parts.h"

typedef struct scenes_drape {
  int across, rows; /* cells of the sheet */
  double length;    /* of the sheet along its rows, m */
  double radius;    /* of the circle that it is bent around; its axis is the y axis, m */
  double offset;    /* the end towards +x hangs lower by twice this, m */
} scenes_drape;

/* Moves the vertices of a flat sheet (shape_sheet, x within its width): its rows go around, its
 * columns along -y, so that its front faces outwards. All edges keep their lengths. */
bool scenes_drape_around(const scenes_drape *p, mesh *sheet);

/* Then, along the radius, to `height` above the smooth surface of the cylinder what lies on the
 * circle, and what would hang inside. The cloth takes on the waves of a coarse cylinder. */
tribo_status scenes_drape_onto(const scenes_drape *p, const mesh *cylinder, double height,
                               mesh *sheet, tribo_error *err);

#endif
