/* Tribo: many variations of one scene. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A wedge is a folder of scenes that differ in a few values and share their meshes, with a bake for
 * each: wedge.json lists them, scenes/ has the scene files, shared/ the meshes, pictures and
 * animations once, bakes/ a bake for each hash, runs/ what was tried and what it took. Scenes of
 * one hash have one bake, so that nothing is baked twice. docs/wedge.md tells the whole of it.
 */
#ifndef TRIBO_WEDGE_H
#define TRIBO_WEDGE_H

#include "tribo/cache.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tribo_wedge tribo_wedge;

/* ---- making one -------------------------------------------------------------------------------
 */

/* An empty wedge for a folder, which is made. A wedge that is there is replaced once the new one is
 * written; its bakes stay, and serve where the new one has scenes of the same hash. */
TRIBO_API tribo_status tribo_wedge_create(const char *folder, tribo_wedge **out, tribo_error *err);
TRIBO_API tribo_status tribo_wedge_open(const char *folder, tribo_wedge **out, tribo_error *err);
TRIBO_API void tribo_wedge_free(tribo_wedge *wedge);

/* Varies a key of the scene file: "friction.pairs[wood,cloth].mu", "objects[sheet].elastic.young";
 * or where an object stands: "objects[ball].move", ".turn", ".grow". values: "0.1,0.2,0.4",
 * "0.1:0.5:9" from, to and how many, "1e3:1e6:4:log", "0:1:10:random=7", "[0,0,1],[0,0,2]".
 * together: in step with the key before, which then has as many values; otherwise every value of
 * this key with all combinations of those before. */
TRIBO_API tribo_status tribo_wedge_vary(tribo_wedge *wedge, const char *key, const char *values,
                                        bool together, tribo_error *err);

/* Adds a scene for every combination of what is varied. Every scene is read and checked first; the
 * message names the one that is refused. */
TRIBO_API tribo_status tribo_wedge_spread(tribo_wedge *wedge, const char *scene_file,
                                          tribo_error *err);

/* Adds one scene as it is. keys and values, as JSON, are what it is known by. */
TRIBO_API tribo_status tribo_wedge_add(tribo_wedge *wedge, const char *scene_file,
                                       const char *const *keys, const char *const *values,
                                       size_t count, tribo_error *err);

/* Writes wedge.json: from then on the wedge is there. */
TRIBO_API tribo_status tribo_wedge_write(tribo_wedge *wedge, tribo_error *err);

/* ---- what it holds ----------------------------------------------------------------------------
 */

typedef struct tribo_wedge_item {
  uint64_t hash;
  size_t same_as;    /* the first item with this hash, which bakes for all of them */
  const char *label; /* "mu 0.3, young 20000" */
  const char *scene; /* the scene file, */
  const char *bake;  /* and the folder to bake into */
  int start, end;    /* frames */
  double memory;     /* what a bake of it is thought to need, bytes */
} tribo_wedge_item;

TRIBO_API const char *tribo_wedge_folder(const tribo_wedge *wedge);
TRIBO_API size_t tribo_wedge_count(const tribo_wedge *wedge);
/* Strings belong to the wedge. False past the last. */
TRIBO_API bool tribo_wedge_item_at(const tribo_wedge *wedge, size_t number, tribo_wedge_item *out);

/* Memory that a bake of the scene is estimated to need, bytes (docs/wedge.md#memory). */
TRIBO_API tribo_status tribo_scene_memory(const tribo_scene *scene, int threads, double *bytes,
                                          tribo_error *err);

/* ---- what came of it --------------------------------------------------------------------------
 */

typedef enum tribo_wedge_state {
  TRIBO_WEDGE_WAITING, /* nobody began it */
  TRIBO_WEDGE_RUNNING,
  TRIBO_WEDGE_STOPPED, /* it can go on: it was asked to stop, or killed */
  TRIBO_WEDGE_FAILED,  /* it says why */
  TRIBO_WEDGE_DONE
} tribo_wedge_state;

typedef struct tribo_wedge_outcome {
  tribo_wedge_state state;
  char why[TRIBO_MESSAGE_SIZE]; /* of FAILED and STOPPED */
  int frames;                   /* complete on disk */
  int rough;                    /* of them; -1 where it is not known */
  int crossings;                /* new ones at the last frame counted; -1 where it is not known */
  char verdict[TRIBO_MESSAGE_SIZE];
  int attempts;
  double seconds;               /* all attempts together, killed ones too */
  double peak_memory;           /* bytes, of the attempt that took most; 0 where it is not known */
  char host[64];                /* of the last attempt */
  int exit_code, signal_number; /* of the last attempt; -1 and 0 where it did not end */
} tribo_wedge_outcome;

TRIBO_API tribo_status tribo_wedge_outcome_of(const tribo_wedge *wedge, size_t number,
                                              tribo_wedge_outcome *out, tribo_error *err);
TRIBO_API const char *tribo_wedge_state_name(tribo_wedge_state state);

/* All of it as JSON, for programs; free with free(). */
TRIBO_API tribo_status tribo_wedge_report(const tribo_wedge *wedge, char **json, tribo_error *err);

/* Writes sheet.html: a page with the pictures and figures of all items that needs no server. */
TRIBO_API tribo_status tribo_wedge_sheet(const tribo_wedge *wedge, tribo_error *err);

/* ---- trying -----------------------------------------------------------------------------------
 * Who bakes an item says so, in a file of its own in runs/: killed at any moment, it still tells
 * what the attempt took until shortly before. */

typedef struct tribo_wedge_attempt tribo_wedge_attempt;

TRIBO_API tribo_status tribo_wedge_attempt_begin(const tribo_wedge *wedge, size_t number,
                                                 tribo_wedge_attempt **out, tribo_error *err);
/* Now and then; peak_memory in bytes, 0 where it is not known. */
TRIBO_API void tribo_wedge_attempt_beat(tribo_wedge_attempt *attempt, double peak_memory);
/* exit_code -1 where a signal ended it; the message may be "". Frees the attempt. */
TRIBO_API void tribo_wedge_attempt_end(tribo_wedge_attempt *attempt, int exit_code,
                                       int signal_number, double peak_memory, const char *message);

/* ---- farms ------------------------------------------------------------------------------------
 */

typedef struct tribo_farm_options {
  const char *tribo;   /* the program on the machines of the farm; NULL: "tribo" */
  const char *blender; /* NULL: "blender" */
  const char *folder;  /* the wedge's folder as they see it; NULL: as it is called here */
  int threads;         /* a task; 0: 1 */
  int hours;           /* a task may take; 0: 24 */
  bool pictures;       /* render thumbnails in the same task */
  bool again;          /* all items, not just those that are not done */
} tribo_farm_options;

/* One row of the table of engines: "slurm", "openjd", "flamenco", "opencue", "tops". */
typedef struct tribo_farm_engine {
  const char *name;
  const char *title; /* "Slurm" */
  const char *file;  /* what is written, in the wedge's folder farm/ */
  const char *how;   /* one sentence: how to submit it */
} tribo_farm_engine;

TRIBO_API const tribo_farm_engine *tribo_farm_engine_at(size_t number);

/* Writes the engine's files into farm/ of the wedge's folder. */
TRIBO_API tribo_status tribo_farm_write(const tribo_wedge *wedge, const char *engine,
                                        const tribo_farm_options *options, tribo_error *err);

#ifdef __cplusplus
}
#endif

#endif
