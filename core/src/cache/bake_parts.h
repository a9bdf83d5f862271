/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bake_parts: what the parts of a bake share: bake.c (making ready, frames, the end), bake_begin.c
 * (anew, over another bake, from a checkpoint or an earlier frame) and bake_files.c (the files).
 */
#ifndef CACHE_BAKE_PARTS_H
#define CACHE_BAKE_PARTS_H

#include "cache/bake.h"
#include "cache/checkpoint.h"
#include "cache/folder.h"
#include "cache/lines.h"
#include "cache/manifest.h"
#include "cache/playback.h"
#include "cache/sound.h"
#include "cache/verdict.h"
#include "step/simulation.h"

typedef struct bake {
  const tribo_scene *scene;
  const char *folder;
  const tribo_bake_options *options;
  log_sink log;
  simulation *sim;

  char *manifest_path, *stats_path, *contacts_path, *verdict_path, *checkpoint_path;
  folder_lock lock;
  manifest manifest;
  bool claimed; /* the manifest in the folder is this bake's */

  pc2 *caches;                    /* one a simulated object */
  playback *playbacks;            /* as many */
  file_sum *sums;                 /* of the frame at work: caches, contacts */
  lines stats, contacts, verdict; /* the latter two only where the manifest says so */
  soundness sound;                /* of the files that are gone on with, */
  bool checked;                   /* once they have been looked at */
  int32_t frames;                 /* complete on disk, the first included */
} bake;

static inline bool bake_is_at_end(const bake *b) {
  return b->manifest.start + b->frames > b->scene->time.end;
}

const tribo_playback *bake_playback_of(const bake *b, const char *object);

/* ---- bake_begin.c ---- */

/* Opens all files, after the frames that are there and are to stay. */
tribo_status bake_begin(bake *b, tribo_error *err);

/* The manifest as it stands, in the folder. */
tribo_status bake_claim(bake *b, tribo_error *err);

/* ---- bake_files.c ---- */

/* The manifest lists these files and there is no checkpoint: whatever is there of them is what a
 * killed bake left before its first frame, and is made anew. */
tribo_status bake_files_create(bake *b, tribo_error *err);

/* All files, cut back to b->frames; what b->sound says of meshes and playback is mended. */
tribo_status bake_files_reopen(bake *b, tribo_error *err);

/* The frame that the simulation is at. */
tribo_status bake_files_append(bake *b, double seconds, const tribo_report *report,
                               tribo_error *err);

#endif
