/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * engine: a wedge in the forms of the engines that studios run: a row of a table for each, which
 * says what files it takes. No engine's daemon or library is used: files alone.
 */
#ifndef FARM_ENGINE_H
#define FARM_ENGINE_H

#include "wedge/wedge.h"

const tribo_farm_engine *engine_at(size_t number);

tribo_status engine_write(const tribo_wedge *w, const char *name, const tribo_farm_options *options,
                          tribo_error *err);

#endif
