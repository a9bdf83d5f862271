/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * start_checks: what is said of surfaces before the first step, and whether any appears.
 */
#ifndef STEP_START_CHECKS_H
#define STEP_START_CHECKS_H

#include "base/log.h"
#include "model/model.h"

/* Tells of smooth surfaces that the user insists on, and that lie off their meshes
 * (model/smooth.h). */
void start_checks_straying(const model *m, const log_sink *log);

/* A collider appears within h seconds from `seconds`. */
bool start_checks_appears(const model *m, double seconds, double h);

#endif
