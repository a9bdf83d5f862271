/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * key: the way to a value in a scene file, and how another is put there.
 *
 *   solver.tolerance                     members, made where they are missing
 *   objects[sheet].elastic.young         the object of this name
 *   friction.pairs[wood,sheet].mu        the pair of these two, in either order; made if missing
 *   objects[sheet].pin[0].stiffness      an item by its number, from 0
 *   objects[ball].move / .turn / .grow   where the object starts, on top of its transform:
 *                                        metres; degrees about the world's x, then y, then z,
 *                                        through the origin of its mesh; a factor
 */
#ifndef WEDGE_KEY_H
#define WEDGE_KEY_H

#include <cjson/cJSON.h>

#include "base/status.h"

/* Puts a copy of value at key. TRIBO_BAD_INPUT where there is no such place; whether the value is
 * one that the key takes is for the scene's reader to say. */
tribo_status key_set(cJSON *scene, const char *key, const cJSON *value, tribo_error *err);

/* What the key is called in a list of many: "mu (wood,sheet)", "young (sheet)", "tolerance". */
void key_short(const char *key, char *out, size_t size);

#endif
