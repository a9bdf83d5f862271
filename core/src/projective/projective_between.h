/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * projective_between: what bears cloth between its vertices on an obstacle that is not sharp: the
 * nose of a head under a coarse sheet, a mesh that is finer than the cloth.
 *
 * Vertices of cloth keep the whole thickness from a surface (contact/find.h), and so do edges that
 * are sharp (projective_edges.h). On what is round to the cloth that will do. Where the mesh
 * of an obstacle (skins.h) is nearer than a part of the thickness nevertheless, to an edge or a
 * triangle of the cloth, it bears the cloth there too, with the friction of the pair. So nothing is
 * borne twice where once is enough.
 *
 * Where the obstacle is a smooth surface or a primitive, that surface bears here too: a ball of
 * facets that turns under cloth shall not take it along without friction. Its mesh does where it is
 * out of that.
 */
#ifndef PROJECTIVE_PROJECTIVE_BETWEEN_H
#define PROJECTIVE_PROJECTIVE_BETWEEN_H

#include "projective/projective_edges.h"
#include "projective/skins.h"

/* Adds to the contacts of a step from x, v. mass: of nodes. */
tribo_status projective_between_detect(skins *s, const vec3 *x, const vec3 *v, const double *mass,
                                       projective_edges *out, arena *step, tribo_error *err);

#endif
