/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/bake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/tasks.h"
#include "base/text.h"
#include "cache/bake_parts.h"
#include "io/pc2.h"
#include "kinds/kind.h"
#include "scene/compile.h"
#include "scene/quality.h"

/* ---- making ready, before the folder is touched ---- */

const tribo_playback *bake_playback_of(const bake *b, const char *name) {
  for (size_t i = 0; i < b->options->playback_count; i++)
    if (strcmp(b->options->playback[i].object, name) == 0) return &b->options->playback[i];
  return NULL;
}

/* Every playback is that of a simulated object, and its file is nobody else's. */
static tribo_status check_playback(const bake *b, tribo_error *err) {
  const manifest *m = &b->manifest;
  for (size_t i = 0; i < b->options->playback_count; i++) {
    const tribo_playback *p = &b->options->playback[i];
    const manifest_object *object = NULL;
    for (size_t k = 0; k < m->objects.count; k++)
      if (strcmp(m->objects.data[k].name, p->object) == 0) object = &m->objects.data[k];
    if (!object)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "playback of '%s': no simulated object has this name", p->object);
    for (size_t k = 0; k < m->objects.count; k++)
      if (strcmp(m->objects.data[k].cache_file, object->local_file) == 0)
        return status_fail(err, TRIBO_BAD_INPUT,
                           "playback of '%s' would be written over the cache of '%s'; rename one",
                           p->object, m->objects.data[k].name);
  }
  return TRIBO_OK;
}

static tribo_status fill_manifest(bake *b, tribo_error *err) {
  manifest *m = &b->manifest;
  m->status = MANIFEST_RUNNING;
  m->scene_hash = scene_hash(b->scene);
  m->start = b->scene->time.start;
  m->end = b->scene->time.end;
  m->fps = b->scene->time.fps;
  m->substeps = b->scene->time.substeps;
  m->threads = tasks_create(b->options->threads).threads;
  m->contacts = b->options->contacts;
  m->verdict = true;
  m->states = b->options->keep_states || b->options->rewind;
  const char *solver = simulation_linear_solver(b->sim, &m->deterministic);
  snprintf(m->linear_solver, sizeof m->linear_solver, "%s", solver);
  snprintf(m->version, sizeof m->version, "%s", tribo_version());
  const model *simulated = simulation_model(b->sim);
  for (size_t i = 0; i < simulated->body_count; i++) {
    const tribo_object_def *object = &b->scene->objects.data[simulated->bodies[i].object];
    TRY(manifest_add_object(m, object->name, object->kind, kind_is_tets(object),
                            object->vertex_count, err));
    if (bake_playback_of(b, object->name)) TRY(manifest_add_local(m, err));
  }
  return check_playback(b, err);
}

static void tell_quality(const bake *b) {
  char text[QUALITY_TEXT_SIZE];
  if (b->manifest.choice.quality != TRIBO_QUALITY_CUSTOM)
    log_write(&b->log, TRIBO_LOG_INFO, "%s", quality_text(&b->manifest.choice, text));
}

static tribo_status make_ready(bake *b, tribo_error *err) {
  if (b->options->resume && b->options->overwrite)
    return status_fail(err, TRIBO_BAD_INPUT, "give --resume or --overwrite, not both");
  if (b->options->rewind && (b->options->resume || b->options->overwrite))
    return status_fail(err, TRIBO_BAD_INPUT, "give --from-frame without --resume and --overwrite");
  for (size_t i = 0; i < b->options->playback_count; i++)
    TRY(playback_check(&b->options->playback[i], err));
  tell_quality(b);
  tribo_sim_options options = {.threads = b->options->threads,
                               .log = b->options->log,
                               .log_user = b->options->user,
                               .stop = b->options->stop};
  tribo_status status = compile_for(b->scene, &options, &b->sim, err);
  if (status == TRIBO_CANCELLED)
    return status_fail(err, TRIBO_CANCELLED, "stopped before the first frame");
  TRY(status);
  TRY(fill_manifest(b, err));
  b->manifest_path = file_join(b->folder, MANIFEST_FILE);
  b->stats_path = file_join(b->folder, STATS_FILE);
  b->contacts_path = file_join(b->folder, CONTACTS_FILE);
  b->verdict_path = file_join(b->folder, VERDICT_FILE);
  b->checkpoint_path = file_join(b->folder, CHECKPOINT_FILE);
  b->caches = calloc(b->scene->objects.count + 1, sizeof *b->caches);
  b->playbacks = calloc(b->scene->objects.count + 1, sizeof *b->playbacks);
  b->sums = calloc(b->scene->objects.count + 2, sizeof *b->sums);
  if (!b->manifest_path || !b->stats_path || !b->contacts_path || !b->verdict_path ||
      !b->checkpoint_path || !b->caches || !b->playbacks || !b->sums)
    return status_no_memory(err, "the bake");
  return TRIBO_OK;
}

/* ---- the frames ---- */

static bool may_go_on(const bake *b, double seconds, double seconds_a_frame,
                      const tribo_report *report) {
  if (!b->options->progress) return true;
  int frame = b->manifest.start + b->frames - 1;
  tribo_progress progress = {.frame = frame,
                             .start = b->manifest.start,
                             .end = b->scene->time.end,
                             .seconds = seconds,
                             .seconds_left = seconds_a_frame * (b->scene->time.end - frame),
                             .contacts = report->contacts,
                             .report = *report};
  return b->options->progress(b->options->user, &progress);
}

static tribo_status stopped(const bake *b, tribo_error *err) {
  return status_fail(err, TRIBO_CANCELLED, "stopped after frame %d; --resume goes on",
                     b->manifest.start + b->frames - 1);
}

static tribo_status run(bake *b, tribo_error *err) {
  double begin = clock_seconds();
  int solved = 0;
  while (!bake_is_at_end(b)) {
    double frame_begin = clock_seconds();
    bool first = b->frames == 0; /* the scene as given: no step to take */
    tribo_report report;
    tribo_status status = simulation_steps(b->sim, first ? 0 : b->manifest.substeps, &report, err);
    if (status == TRIBO_CANCELLED) return stopped(b, err);
    TRY(status);
    if (!first) solved++;
    TRY(bake_files_append(b, clock_seconds() - frame_begin, &report, err));

    double now = clock_seconds();
    double seconds_a_frame = solved ? (now - begin) / solved : now - begin;
    bool go_on = may_go_on(b, now - frame_begin, seconds_a_frame, &report);
    if (!go_on && !bake_is_at_end(b)) return stopped(b, err);
  }
  return TRIBO_OK;
}

/* ---- the end ---- */

/* What the frames on disk come to; a bake does not fail for want of words. */
static char *sum_up(const bake *b) {
  verdict_reader reader = {0};
  tribo_error ignored;
  char *said = NULL;
  if (b->manifest.verdict &&
      verdict_sum(&reader, b->verdict_path, &b->manifest, b->frames, &ignored) == TRIBO_OK)
    said = text_copy(reader.verdict.text);
  verdict_reader_free(&reader);
  return said;
}

/* What came of it, into the manifest. Where the bake itself failed, that is what the caller hears
 * of: a full disk may well refuse the manifest too, and the old one stays. */
static tribo_status conclude(bake *b, tribo_status outcome, tribo_error *err) {
  if (!b->claimed || b->lock.lost) return outcome;
  /* Where the folder was taken away, whatever has its name now is not this bake's. */
  if (outcome == TRIBO_IO && !folder_has(b->folder, MANIFEST_FILE)) return outcome;
  b->manifest.status = outcome == TRIBO_OK          ? MANIFEST_DONE
                       : outcome == TRIBO_CANCELLED ? MANIFEST_CANCELLED
                                                    : MANIFEST_FAILED;
  if (b->manifest.status == MANIFEST_FAILED) b->manifest.message = text_copy(err->message);
  b->manifest.said = sum_up(b);
  tribo_error ignored;
  bool failed = b->manifest.status == MANIFEST_FAILED;
  tribo_status status = manifest_write(b->manifest_path, &b->manifest, failed ? &ignored : err);
  folder_sync(b->folder);
  return failed || status == TRIBO_OK ? outcome : status;
}

static void release(bake *b) {
  if (b->caches)
    for (size_t i = 0; i < b->manifest.objects.count; i++) pc2_close(&b->caches[i]);
  if (b->playbacks)
    for (size_t i = 0; i < b->manifest.objects.count; i++) playback_close(&b->playbacks[i]);
  free(b->caches);
  free(b->playbacks);
  free(b->sums);
  sound_free(&b->sound);
  lines_close(&b->stats);
  lines_close(&b->contacts);
  lines_close(&b->verdict);
  folder_lock_release(&b->lock);
  manifest_free(&b->manifest);
  simulation_free(b->sim);
  free(b->manifest_path);
  free(b->stats_path);
  free(b->contacts_path);
  free(b->verdict_path);
  free(b->checkpoint_path);
}

static tribo_status bake_planned(const quality_plan *plan, const char *folder,
                                 const tribo_bake_options *options, tribo_error *err) {
  bake b = {.scene = &plan->scene,
            .folder = folder,
            .options = options,
            .log = {options->log, options->user},
            .lock = FOLDER_UNLOCKED,
            .manifest = {.choice = plan->choice}};
  tribo_status status = make_ready(&b, err);
  if (status == TRIBO_OK) status = bake_begin(&b, err);
  if (status == TRIBO_OK) status = run(&b, err);
  status = conclude(&b, status, err);
  release(&b);
  return status;
}

tribo_status bake_run(const tribo_scene *scene, const char *folder,
                      const tribo_bake_options *options, tribo_error *err) {
  tribo_error local = {0};
  if (!err) err = &local; /* the manifest wants the message too */
  quality_plan plan;
  TRY(quality_plan_make(scene, &plan, err));
  tribo_status status = bake_planned(&plan, folder, options, err);
  quality_plan_free(&plan);
  return status;
}
