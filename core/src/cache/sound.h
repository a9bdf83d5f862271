/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sound: whether the files of a bake still are what was written.
 *
 * A line of verdict.jsonl has the checksums of its frame: of the sample in every cache, of the line
 * of contacts, and last of itself; bake.json has those of the meshes. They
 * are FNV-1a of the bytes that were to be written (base/hash.h): against disks and hands that slip,
 * not against an adversary. What has none, of bakes of before there were any, passes; what is
 * missing or too short is found anyway.
 */
#ifndef CACHE_SOUND_H
#define CACHE_SOUND_H

#include "cache/manifest.h"
#include "cache/writer.h"

typedef struct file_sum {
  const char *file;
  uint64_t sum;
} file_sum;

/* The last keys of a line of verdict.jsonl. */
void sound_put(writer *line, const file_sum *sums, size_t count);

typedef enum damage_kind {
  DAMAGE_FRAMES,   /* of a cache or of lines: frames from `sample` on are lost */
  DAMAGE_MESH,     /* follows from the scene */
  DAMAGE_PLAYBACK, /* follows from the cache of the object */
  DAMAGE_STATE,    /* state.ckpt, by which a bake goes on */
  DAMAGE_KEPT      /* the state of an earlier frame, which nothing else follows from */
} damage_kind;

typedef struct file_damage {
  damage_kind kind;
  size_t object;    /* its number in the manifest; of lines and state: none */
  const char *file; /* in the folder; the manifest's own text, or a constant */
  int32_t sample;   /* the first that is not what was written, from 0 on; of DAMAGE_FRAMES */
  char how[200];    /* "its checksum is wrong" */
} file_damage;

typedef struct soundness {
  int32_t vouched; /* as many frames should be there, */
  int32_t frames;  /* as many from the first on are sound in all caches and lines */
  bool longer;     /* there is more in some file: what a kill left, or a hand */
  ARRAY(file_damage) found;
} soundness;

/* Looks at the first `frames` frames, all there should be, and at meshes. Of an object's playback
 * only where the manifest has it. Each file is named once, where it is damaged first. Reads all of
 * it: a matter of the disk's speed. What it finds is no failure of its own. */
tribo_status sound_check(const char *folder, const manifest *m, int32_t frames, soundness *out,
                         tribo_error *err);

/* The same of as many frames as the checkpoint vouches for, at whatever time: also while the bake
 * runs, or after it was killed. */
tribo_status sound_check_all(const char *folder, const manifest *m, soundness *out,
                             tribo_error *err);

/* As many frames as stats.jsonl has lines: where no checkpoint can tell. */
int32_t sound_lines(const char *folder);

/* What is wrong with one file, and where: "'sheet.pc2' is damaged at frame 7: ...". */
void sound_text(const file_damage *d, const manifest *m, char out[TRIBO_MESSAGE_SIZE]);

/* The damage that comes first in the frames; NULL where all are sound. */
const file_damage *sound_first(const soundness *s);

/* Whether the mesh of an object, or its playback, is damaged. */
bool sound_has(const soundness *s, damage_kind kind, size_t object);

/* The last frame, of the first `kept` ones, whose kept state the bake can go on from to the same
 * motion: the frames after it were baked with the manifest's scene. `frames` is how many there were
 * before. False where there is none. */
bool sound_state(const char *folder, const manifest *m, int32_t kept, int32_t frames, int *frame);

void sound_free(soundness *s);

#endif
