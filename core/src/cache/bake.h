/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bake: runs a scene into a folder, so that a kill at any moment loses at most the frame at work.
 *
 * Order is all there is to it. The manifest comes first and lists every file. A frame goes to disk
 * as positions, then statistics and contacts, then the checkpoint, each flushed before the next
 * begins and the checkpoint renamed into place: it is never ahead of the data, so resuming can cut
 * the data back to what the checkpoint vouches for and go on. docs/farm.md walks through every gap
 * between two system calls.
 */
#ifndef CACHE_BAKE_H
#define CACHE_BAKE_H

#include "scene/scene.h"
#include "tribo/cache.h"

/* As tribo_bake; options must not be NULL. */
tribo_status bake_run(const tribo_scene *scene, const char *folder,
                      const tribo_bake_options *options, tribo_error *err);

#endif
