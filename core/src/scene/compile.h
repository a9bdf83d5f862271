/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile: from a scene to a simulation that is ready to step.
 */
#ifndef SCENE_COMPILE_H
#define SCENE_COMPILE_H

#include "scene/scene.h"
#include "step/simulation.h"

tribo_status compile_simulation(const tribo_scene *scene, int threads, const log_sink *log,
                                simulation **out, tribo_error *err);

#endif
