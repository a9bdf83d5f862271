/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * crossed: which objects of a model pass through each other, and through themselves.
 *
 * The witness beside the solvers: it sees where the vertices are and which triangles they have, the
 * artist's own, and nothing of contact (geom/crossings.h). All pairs of objects are looked at of
 * which one is simulated, and cloth and solids with themselves; but for objects whose
 * surface.contact is "none" and colliders that are not there.
 *
 * What crosses at the first frame is remembered by its place: vertices of elements that cross there
 * and their neighbours. It is a function of the model alone, so that a resumed bake has the same.
 */
#ifndef STEP_CROSSED_H
#define STEP_CROSSED_H

#include "model/model.h"
#include "tribo/sim.h"

typedef struct crossed_objects crossed_objects;

/* positions: all vertices at the first frame. slack: what is no deeper only grazes, m. */
tribo_status crossed_create(const model *m, const tasks *t, const vec3 *positions, double slack,
                            crossed_objects **out, tribo_error *err);
void crossed_free(crossed_objects *c);

/* Counts at a time, seconds since the first frame; on failure what was counted before is lost. */
tribo_status crossed_count(crossed_objects *c, const tasks *t, const vec3 *positions,
                           double seconds, tribo_error *err);

/* As counted last, by objects. */
const tribo_crossing *crossed_pairs(const crossed_objects *c, size_t *count);
int crossed_total(const crossed_objects *c);
int crossed_new(const crossed_objects *c);
int crossed_grazing(const crossed_objects *c); /* shallower, and not in the total */

/* Three vertices of each pierced triangle of a scene's object, sorted. */
const int32_t *crossed_pierced(const crossed_objects *c, size_t object, size_t *count);

/* Edges that are looked at, and vertices that move: what it costs. */
size_t crossed_work(const crossed_objects *c);

#endif
