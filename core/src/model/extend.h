/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extend: one more sample of a motion that is given, while a simulation runs: of a collider, or of
 * what a pin follows; and whether a collider is there. Time goes on from the last sample by the
 * motion's interval. Results are those of a motion that was known from the start, as long as no
 * step has gone beyond the last sample.
 *
 * The only way in which a model changes once it is built.
 */
#ifndef MODEL_EXTEND_H
#define MODEL_EXTEND_H

#include "model/model.h"

/* The collider that is the scene's object: 3 numbers a vertex or 16 of a transform, whichever its
 * motion is made of. TRIBO_BAD_INPUT for an object that is no collider with a motion, and for
 * numbers that are not finite or do not keep the shape. */
tribo_status extend_collider(model *m, size_t object, const double *sample, tribo_error *err);

/* From a time on (collider_switch_seconds) the collider is there, or is not. TRIBO_BAD_INPUT for a
 * time before that of the last switch. */
tribo_status extend_presence(model *m, size_t object, double seconds, bool present,
                             tribo_error *err);

/* Pin number `number` of the scene's object: 3 numbers a vertex of the pin. */
tribo_status extend_pin(model *m, size_t object, size_t number, const double *sample,
                        tribo_error *err);

#endif
