/* Tribo: bakes and their folders. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bake runs a scene and leaves a folder that speaks for itself: <object>.pc2 with the motion,
 * <object>.obj or .msh with the mesh, stats.jsonl, verdict.jsonl, state.ckpt for resuming,
 * bake.json; where asked for contacts.jsonl, states/ and <object>.local.pc2. A frame is complete on
 * disk or absent; a bake killed at any moment resumes to the same bits.
 */
#ifndef TRIBO_CACHE_H
#define TRIBO_CACHE_H

#include "tribo/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* After every frame is on disk. */
typedef struct tribo_progress {
  int frame, start, end;
  double seconds;      /* this frame took */
  double seconds_left; /* estimate, from the frames of this run */
  int contacts;
  tribo_report report;
} tribo_progress;

/* Return false to stop: the frame is on disk, the bake can be resumed. */
typedef bool (*tribo_progress_fn)(void *user, const tribo_progress *progress);

/* Makes <object>.local.pc2 beside <object>.pc2: the same motion as seen from the object, for
 * programs that play it back in an object's own space. */
typedef struct tribo_playback {
  const char *object;       /* the name of a simulated one */
  const double *transforms; /* transform_count x 16, row-major, from the world to the object, one a
                               frame from the first on; the last serves for all frames after it */
  size_t transform_count;
} tribo_playback;

typedef struct tribo_bake_options {
  int threads;      /* 0: all */
  bool resume;      /* go on from the last complete frame; a folder without a bake starts anew */
  bool overwrite;   /* replace a bake that is there: its own files and no others */
  bool contacts;    /* also write contacts.jsonl; a bake that began with it goes on with it */
  bool keep_states; /* also write states/, a state a frame; a bake that began with it goes on so */
  bool rewind;      /* go on from from_frame of the bake that is there, which kept its states, with
                       a scene that may have changed: frames up to it stay, later ones go */
  int from_frame;
  const tribo_playback *playback;
  size_t playback_count;
  /* A folder for the friction problem that ends every frame, as contacts_<frame>.hdf5
   * (tribo/contact_problem.h); NULL: none. TRIBO_UNAVAILABLE without HDF5. */
  const char *contact_problems;
  tribo_progress_fn progress;
  tribo_log_fn log;
  void *user; /* for both callbacks */
  /* Once it is not 0, the bake stops within the step at work, as if it had been stopped after the
   * frame before (see tribo_sim_options); NULL: only progress stops it. */
  const int *stop;
} tribo_bake_options;

/* Runs the scene from its first to its last frame into `folder`. TRIBO_CANCELLED when progress or
 * stop said so, TRIBO_NOT_CONVERGED when a step failed and the scene asks to stop; both can be
 * resumed. */
TRIBO_API tribo_status tribo_bake(const tribo_scene *scene, const char *folder,
                                  const tribo_bake_options *options, tribo_error *err);

typedef struct tribo_cache tribo_cache;

typedef struct tribo_cache_info {
  char status[16]; /* "running", "done", "cancelled", "failed", or "interrupted": killed */
  char message[TRIBO_MESSAGE_SIZE]; /* why it failed; "" otherwise */
  char version[16];
  char linear_solver[16];
  uint64_t scene_hash;
  int start, end, frames; /* frames complete on disk */
  double fps;
  int substeps, threads;
  bool deterministic;
  bool contacts; /* there is a contacts.jsonl */
  bool states;   /* there is a states/ */
  bool verdict;  /* there is a verdict.jsonl: all bakes but old ones have it */
  size_t object_count;
} tribo_cache_info;

typedef struct tribo_cache_object {
  const char *name;
  tribo_kind kind;
  size_t vertex_count;
  int frames;
} tribo_cache_object;

typedef enum tribo_export_format {
  TRIBO_EXPORT_MDD,
  TRIBO_EXPORT_GEO,
  TRIBO_EXPORT_OBJ,
  TRIBO_EXPORT_PC2
} tribo_export_format;

/* Reads what a bake left, also while it runs. */
TRIBO_API tribo_status tribo_cache_open(const char *folder, tribo_cache **out, tribo_error *err);
TRIBO_API void tribo_cache_free(tribo_cache *cache);
TRIBO_API const tribo_cache_info *tribo_cache_about(const tribo_cache *cache);
TRIBO_API tribo_status tribo_cache_object_at(const tribo_cache *cache, size_t index,
                                             tribo_cache_object *out, tribo_error *err);

/* Positions of one object at one frame, 3 doubles a vertex. */
TRIBO_API tribo_status tribo_cache_positions(tribo_cache *cache, size_t index, int frame,
                                             double *positions, tribo_error *err);

/* The contacts of one frame, of a bake with contacts; valid until the next call for this cache.
 * Their impulses are not kept, and 0 here. */
TRIBO_API tribo_status tribo_cache_contacts(tribo_cache *cache, int frame,
                                            const tribo_contact **contacts, size_t *count,
                                            tribo_error *err);

/* Frames first to last, both among them. */
typedef struct tribo_frame_range {
  int first, last;
} tribo_frame_range;

/* What is to be said of a bake: of all its frames that are complete, whenever it is asked. */
typedef struct tribo_verdict {
  int frames;                      /* judged: all that are complete */
  int rough;                       /* how many of them are rough, */
  unsigned reasons;                /* why: bits of TRIBO_ROUGH_..., of any of them */
  const tribo_frame_range *ranges; /* which they are, ascending */
  size_t range_count;
  int worst;             /* the worst frame; 0 where none is rough */
  unsigned worst_reason; /* its gravest reason, one bit */
  char object[TRIBO_MESSAGE_SIZE / 4], other[TRIBO_MESSAGE_SIZE / 4]; /* who; "" where nobody is */
  double figure;      /* joules gained, crossings, depth in m, or residual: by worst_reason */
  double depth;       /* of the deepest crossing, or in a surface, m */
  int counted;        /* frames whose crossings were counted, */
  int last_crossings; /* those of the last of them; -1: of none */
  int last_new_crossings;
  char text[TRIBO_MESSAGE_SIZE]; /* "44 frames rough: 17 to 60; worst 24: Cloth 30 mm in Ball" */
} tribo_verdict;

/* Valid until the next call for this cache. TRIBO_BAD_INPUT for a bake of before there were
 * verdicts. */
TRIBO_API tribo_status tribo_cache_verdict(tribo_cache *cache, const tribo_verdict **verdict,
                                           tribo_error *err);

/* What crossed at a frame: none also where it was not counted. a and b of the crossings are not
 * kept, and SIZE_MAX. Valid until the next call for this cache. */
TRIBO_API tribo_status tribo_cache_crossings(tribo_cache *cache, int frame,
                                             const tribo_crossing **crossings, size_t *count,
                                             tribo_error *err);

/* The triangles of an object, a collider too, that were pierced at a frame: three vertices each.
 * Valid until the next call for this cache. */
TRIBO_API tribo_status tribo_cache_pierced(tribo_cache *cache, int frame, const char *object,
                                           const int32_t **triangles, size_t *count,
                                           tribo_error *err);

/* A file that is not what the bake wrote. */
typedef struct tribo_damage {
  const char *file;
  int frame; /* the first that is damaged; that of info.start where none or all of it is */
  char text[TRIBO_MESSAGE_SIZE]; /* which, where, what is wrong, and what to do about it */
} tribo_damage;

/* Compares every sample, line and mesh with its checksum, which reads all of the folder: a matter
 * of the disk's speed. Files that are damaged come once, at their first frame. Valid until the next
 * call for this cache. */
TRIBO_API tribo_status tribo_cache_check(tribo_cache *cache, const tribo_damage **found,
                                         size_t *count, tribo_error *err);

/* The frames whose state was kept, ascending: a bake can go on from them
 * (tribo_bake_options.rewind). Free `frames` with free(). */
TRIBO_API tribo_status tribo_cache_states(const tribo_cache *cache, int **frames, size_t *count,
                                          tribo_error *err);

/* Writes one object's frames first..last into `folder`: <object>.mdd, or <object>.0001.obj and so
 * on. Every file is complete or absent. */
TRIBO_API tribo_status tribo_cache_export(tribo_cache *cache, size_t index,
                                          tribo_export_format format, int first, int last,
                                          const char *folder, tribo_error *err);

#ifdef __cplusplus
}
#endif

#endif
