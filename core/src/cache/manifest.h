/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * manifest: bake.json, which says what a bake's folder holds and how far the bake came.
 *
 * It is the first file of a bake and lists all the others, so that whoever comes later knows which
 * files are Tribo's to replace. `removing` is the journal of an overwrite: files of the bake that
 * was there before, still to be removed. While it is not empty, no file of the new bake exists.
 * `rewinding` is the journal of a bake that goes on from an earlier frame: what lies behind that
 * frame is still to be dropped, and the checkpoint to be made from its state.
 */
#ifndef CACHE_MANIFEST_H
#define CACHE_MANIFEST_H

#include <stdint.h>

#include "base/array.h"
#include "base/status.h"
#include "tribo/scene.h"

enum { MANIFEST_FORMAT = 1 };

#define MANIFEST_FILE   "bake.json"
#define STATS_FILE      "stats.jsonl"
#define CONTACTS_FILE   "contacts.jsonl"
#define VERDICT_FILE    "verdict.jsonl"
#define CHECKPOINT_FILE "state.ckpt"
#define STATES_FOLDER   "states"

typedef enum manifest_status {
  MANIFEST_RUNNING,
  MANIFEST_DONE,
  MANIFEST_CANCELLED,
  MANIFEST_FAILED
} manifest_status;

typedef struct manifest_object {
  char *name;
  tribo_kind kind;
  size_t vertex_count;
  char *mesh_file;   /* <name>.obj or <name>.msh */
  uint64_t mesh_sum; /* FNV-1a (base/hash.h) of its bytes; 0: not known */
  char *cache_file;  /* <name>.pc2 */
  char *local_file;  /* <name>.local.pc2, for playback in the object's own space; NULL: none */
} manifest_object;

typedef struct manifest {
  manifest_status status;
  char *message; /* why it failed; NULL or "" otherwise */
  char version[16];
  uint64_t scene_hash;
  int start, end;
  double fps;
  int substeps, threads;
  tribo_choice choice; /* what the numbers were chosen by; for people, and not read back */
  char linear_solver[16];
  bool deterministic;
  bool contacts; /* there is a CONTACTS_FILE */
  bool states;   /* there is a STATES_FOLDER, with a state a frame */
  bool verdict;  /* there is a VERDICT_FILE; bakes of before there was one have none */
  char *said;    /* what it came to, once the bake has ended; NULL before */
  bool rewinding;
  int rewind_frame;
  ARRAY(manifest_object) objects;
  ARRAY(char *) removing;
} manifest;

const char *manifest_status_name(manifest_status status);

tribo_status manifest_add_object(manifest *m, const char *name, tribo_kind kind, bool tets,
                                 size_t vertex_count, tribo_error *err);
/* The last object added has a file for playback too. */
tribo_status manifest_add_local(manifest *m, tribo_error *err);
tribo_status manifest_add_removing(manifest *m, const char *file, tribo_error *err);
void manifest_clear_removing(manifest *m);

/* Every file that the bake owns beside bake.json, and its STATES_FOLDER: number i of them, NULL
 * past the last. Those still to be removed are not among them. */
const char *manifest_file(const manifest *m, size_t i);

/* Complete or absent. */
tribo_status manifest_write(const char *path, const manifest *m, tribo_error *err);

/* Every key is there, of its type and in its range, and every file name is one that a bake gives:
 * a name in this text may lead to a file being removed. On failure there is nothing to free. */
tribo_status manifest_parse(const char *name, const char *text, size_t size, manifest *out,
                            tribo_error *err);
tribo_status manifest_read(const char *path, manifest *out, tribo_error *err);

void manifest_free(manifest *m);

#endif
