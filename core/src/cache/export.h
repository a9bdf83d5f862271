/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * export: a bake's frames in the formats of other programs. Every file is complete or absent, and
 * none replaces a file of the bake.
 */
#ifndef CACHE_EXPORT_H
#define CACHE_EXPORT_H

#include "cache/cache.h"

/* As tribo_cache_export. */
tribo_status export_run(const tribo_cache *cache, size_t index, tribo_export_format format,
                        int first, int last, const char *folder, tribo_error *err);

#endif
