/* Tribo: frictional contact that artists can direct. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole of the public interface.
 */
#ifndef TRIBO_TRIBO_H
#define TRIBO_TRIBO_H

#include "tribo/base.h"
#include "tribo/cache.h"
#include "tribo/contact_problem.h"
#include "tribo/scene.h"
#include "tribo/sim.h"
#include "tribo/wedge.h"

#endif
