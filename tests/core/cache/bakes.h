/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bakes: small bakes in the scratch folder, stopped and resumed, for the tests of the cache room.
 */
#ifndef TESTS_CACHE_BAKES_H
#define TESTS_CACHE_BAKES_H

#include "claims.h" /* first: its parameters are called state */
#include "scratch.h"

#include <sys/stat.h>

#include "base/file.h"
#include "cache/bake.h"
#include "cache/cache.h"
#include "cache/folder.h"
#include "scenes/scenes.h"

enum { FRAMES = 6 };

/* ---- scenes, folders, files ---- */

/* A sheet and a cube, both in motion, few vertices, frames 1 to FRAMES. */
static inline tribo_scene *make_scene(void) {
  tribo_scene *scene = NULL;
  claim_ok(scene_hanging_cloth(3, &scene, err));
  tribo_object_def cube = tribo_object_default(TRIBO_SOLID);
  cube.name = "cube";
  cube.object.velocity[0] = 1;
  mesh block = shape_block(1, 1, 1, 0.1, 0.1, 0.1);
  claim_ok(scenes_add(scene, cube, &block, NULL, err));
  tribo_scene_time(scene)->start = 1;
  tribo_scene_time(scene)->end = FRAMES;
  tribo_scene_time(scene)->substeps = 2;
  return scene;
}

static inline const char *in(const char *folder, const char *file) {
  char name[256];
  snprintf(name, sizeof name, "%s/%s", folder, file);
  return scratch_path(name);
}

static inline bool exists(const char *path) {
  struct stat about;
  return stat(path, &about) == 0;
}

static inline void claim_same_file(const char *a, const char *b) {
  file_text first, second;
  claim_ok(file_read(a, &first, err));
  claim_ok(file_read(b, &second, err));
  assert_int_equal(first.size, second.size);
  assert_memory_equal(first.data, second.data, first.size);
  free(first.data);
  free(second.data);
}

static inline int lines_of(const char *path) {
  file_text text;
  claim_ok(file_read(path, &text, err));
  int count = 0;
  for (size_t i = 0; i < text.size; i++) count += text.data[i] == '\n';
  assert_true(text.size == 0 || text.data[text.size - 1] == '\n');
  free(text.data);
  return count;
}

/* Every byte that the motion decides is the same; stats.jsonl holds clocks, so only its length. */
static inline void claim_same_bake(const char *a, const char *b) {
  static const char *const files[] = {"sheet.pc2", "sheet.obj",  "cube.pc2",
                                      "cube.msh",  "state.ckpt", VERDICT_FILE};
  for (size_t i = 0; i < 6; i++) claim_same_file(in(a, files[i]), in(b, files[i]));
  assert_int_equal(lines_of(in(a, STATS_FILE)), lines_of(in(b, STATS_FILE)));
  assert_false(exists(in(a, LOCK_FILE)));
}

static inline manifest manifest_in(const char *folder) {
  manifest m;
  claim_ok(manifest_read(in(folder, MANIFEST_FILE), &m, err));
  return m;
}

static inline void claim_status(const char *folder, manifest_status status) {
  manifest m = manifest_in(folder);
  assert_int_equal(m.status, status);
  manifest_free(&m);
}

/* ---- baking ---- */

typedef struct watch {
  int stop_at; /* frame; 0: never */
  int calls, last;
  char log[256];
} watch;

static inline bool on_progress(void *user, const tribo_progress *p) {
  watch *w = user;
  w->calls++;
  assert_true(p->frame >= p->start && p->frame <= p->end);
  if (w->last) assert_int_equal(p->frame, w->last + 1);
  w->last = p->frame;
  return p->frame != w->stop_at;
}

static inline void on_log(void *user, tribo_log_level level, const char *message) {
  (void)level;
  watch *w = user;
  snprintf(w->log, sizeof w->log, "%s", message);
}

typedef enum mode { FRESH, RESUME, OVERWRITE } mode;

static inline tribo_status bake(const tribo_scene *scene, const char *folder, mode how, watch *w,
                                tribo_error *error) {
  watch unwatched = {0};
  tribo_bake_options options = {.threads = 1,
                                .resume = how == RESUME,
                                .overwrite = how == OVERWRITE,
                                .progress = on_progress,
                                .log = on_log,
                                .user = w ? w : &unwatched};
  return bake_run(scene, scratch_path(folder), &options, error);
}

/* The bake that others are compared with, made once. */
static inline const char *reference(void) {
  if (!exists(in("reference", MANIFEST_FILE))) {
    tribo_scene *scene = make_scene();
    claim_ok(bake(scene, "reference", FRESH, NULL, err));
    tribo_scene_free(scene);
  }
  return "reference";
}

static inline void stop_after(const char *folder, int frame) {
  tribo_scene *scene = make_scene();
  watch w = {.stop_at = frame};
  claim_fails(bake(scene, folder, FRESH, &w, err), TRIBO_CANCELLED, "stopped after frame");
  tribo_scene_free(scene);
}

static inline void resume_to_the_end(const char *folder) {
  tribo_scene *scene = make_scene();
  claim_ok(bake(scene, folder, RESUME, NULL, err));
  tribo_scene_free(scene);
  claim_status(folder, MANIFEST_DONE);
  claim_same_bake(folder, reference());
}

#endif
