/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * content: how much matter an object's mesh stands for, m^2 or m^3.
 */
#ifndef KINDS_CONTENT_H
#define KINDS_CONTENT_H

#include "tribo/scene.h"

/* Area of its triangles, m^2. */
double content_area(const tribo_object_def *def);

/* Volume of its tets, m^3. */
double content_of_tets(const tribo_object_def *def);

/* Volume inside closed triangles, m^3; below 0 where they are inside out. */
double content_enclosed(const tribo_object_def *def);

#endif
