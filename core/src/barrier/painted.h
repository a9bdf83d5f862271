/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * painted: the cone of a contact: the law of the pair with what artists painted on both sides
 * (model/paint.h), and how fast it slid when the step began (friction/law.h).
 *
 * On the side of a triangle it is looked up at the closest point; of a vertex or an edge at the
 * vertex that has the largest share.
 */
#ifndef BARRIER_PAINTED_H
#define BARRIER_PAINTED_H

#include "barrier/barrier.h"

/* velocities: of the vertices of the mesh at the start of the step, m/s. */
friction_cone barrier_cone(const barrier *b, const barrier_contact *c);

#endif
