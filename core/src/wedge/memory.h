/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory: what a bake of a scene is thought to need, before it is begun.
 *
 *   peak = program + max(file, motion + sum over objects and threads)
 *
 * The scene file stands in memory once, as text and as a tree, before the model is made. Of the
 * model, the largest parts are a number of bytes for each element, and the factors of the matrix,
 * which grow faster: those of a sheet of n nodes have of the order of n log n entries, those of a
 * body n^(4/3) (nested dissection; George 1973). The constants are fitted to measured peaks
 * (docs/wedge.md#memory).
 */
#ifndef WEDGE_MEMORY_H
#define WEDGE_MEMORY_H

#include <cjson/cJSON.h>

#include "scene/scene.h"

/* Bytes. json: the scene file that it is read from; NULL where it comes from none. */
tribo_status memory_estimate(const tribo_scene *scene, const cJSON *json, int threads,
                             double *bytes, tribo_error *err);

#endif
