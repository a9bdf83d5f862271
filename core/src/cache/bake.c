/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/bake.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/tasks.h"
#include "base/text.h"
#include "cache/checkpoint.h"
#include "cache/contacts.h"
#include "cache/folder.h"
#include "cache/manifest.h"
#include "cache/playback.h"
#include "cache/states.h"
#include "cache/stats.h"
#include "cache/verdict.h"
#include "cache/writer.h"
#include "io/msh.h"
#include "io/obj.h"
#include "io/pc2.h"
#include "scene/compile.h"
#include "scene/quality.h"

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
  lines stats, contacts, verdict; /* the latter two only where the manifest says so */
  int32_t frames;                 /* complete on disk, the first included */
} bake;

static bool is_at_end(const bake *b) { return b->manifest.start + b->frames > b->scene->time.end; }

/* ---- making ready, before the folder is touched ---- */

/* Whether the mesh beside its cache has tets: those of a cage are not between its vertices. */
static bool is_tets(const tribo_object_def *object) {
  return object->kind == TRIBO_SOLID && !object->cage;
}

static const tribo_playback *playback_of(const bake *b, const char *name) {
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
    TRY(manifest_add_object(m, object->name, object->kind, is_tets(object), object->vertex_count,
                            err));
    if (playback_of(b, object->name)) TRY(manifest_add_local(m, err));
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
  if (!b->manifest_path || !b->stats_path || !b->contacts_path || !b->verdict_path ||
      !b->checkpoint_path || !b->caches || !b->playbacks)
    return status_no_memory(err, "the bake");
  return TRIBO_OK;
}

/* ---- a frame to disk ---- */

static tribo_status write_state(bake *b, int frame, tribo_error *err) {
  if (!b->manifest.states) return TRIBO_OK;
  char *path = states_path(b->folder, frame);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status =
      checkpoint_write(path, b->manifest.scene_hash, b->frames + 1, simulation_state(b->sim), err);
  free(path);
  return status;
}

static tribo_status write_frame(bake *b, double seconds, const tribo_report *report,
                                tribo_error *err) {
  const model *m = simulation_model(b->sim);
  const state *moving = simulation_state(b->sim);
  for (size_t i = 0; i < m->body_count; i++) {
    const double *positions = &simulation_positions(b->sim)[m->bodies[i].first_vertex].x;
    TRY(pc2_append(&b->caches[i], positions, err));
    TRY(playback_append(&b->playbacks[i], positions, err));
  }
  int frame = b->manifest.start + b->frames;
  TRY(stats_append(&b->stats, frame, seconds, report, m, moving, err));
  if (b->manifest.contacts) {
    size_t count;
    const tribo_contact *contacts = simulation_contacts(b->sim, &count);
    TRY(contacts_append(&b->contacts, frame, m, contacts, count, err));
  }
  if (b->manifest.verdict) TRY(verdict_append(&b->verdict, frame, b->sim, report, err));
  if (b->options->contact_problems)
    TRY(simulation_export_problem(b->sim, b->options->contact_problems, frame, err));
  TRY(write_state(b, frame, err));
  TRY(checkpoint_write(b->checkpoint_path, b->manifest.scene_hash, b->frames + 1, moving, err));
  b->frames++;
  return TRIBO_OK;
}

/* ---- starting: from nothing, over another bake, or from its checkpoint ---- */

static tribo_status write_mesh(const bake *b, size_t i, tribo_error *err) {
  size_t number = simulation_model(b->sim)->bodies[i].object;
  const tribo_object_def *object = &b->scene->objects.data[number];
  bool tets = is_tets(object);
  mesh view = {.vertex_count = object->vertex_count,
               .triangle_count = tets ? 0 : object->triangle_count,
               .tet_count = tets ? object->tet_count : 0,
               .positions = (double *)object->positions,
               .triangles = (int32_t *)object->triangles,
               .uvs = (double *)object->uvs,
               .tets = (int32_t *)object->tets};
  char *path = file_join(b->folder, b->manifest.objects.data[i].mesh_file);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = tets ? msh_write(path, &view, err) : obj_write(path, &view, err);
  free(path);
  return status;
}

static tribo_status create_cache(bake *b, size_t i, tribo_error *err) {
  const manifest_object *object = &b->manifest.objects.data[i];
  char *path = file_join(b->folder, object->cache_file);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = pc2_create(path, (int32_t)object->vertex_count, (float)b->manifest.start, 1,
                                   &b->caches[i], err);
  free(path);
  if (status == TRIBO_OK && object->local_file)
    status = playback_create(b->folder, object, b->manifest.start, playback_of(b, object->name),
                             &b->playbacks[i], err);
  return status;
}

/* The manifest lists these files and there is no checkpoint: whatever is there of them is what a
 * killed bake left before its first frame, and is made anew. */
static tribo_status start_at_first_frame(bake *b, tribo_error *err) {
  for (size_t i = 0; i < b->manifest.objects.count; i++) {
    TRY(write_mesh(b, i, err));
    TRY(create_cache(b, i, err));
  }
  TRY(lines_create(b->stats_path, &b->stats, err));
  if (b->manifest.contacts) TRY(lines_create(b->contacts_path, &b->contacts, err));
  if (b->manifest.verdict) TRY(lines_create(b->verdict_path, &b->verdict, err));
  if (b->manifest.states) {
    TRY(states_remove(b->folder, INT_MIN, err));
    TRY(states_create(b->folder, err));
  }
  folder_sync(b->folder); /* names before the first checkpoint that relies on them */
  return TRIBO_OK;
}

static tribo_status claim(bake *b, tribo_error *err) {
  TRY(manifest_write(b->manifest_path, &b->manifest, err));
  folder_sync(b->folder);
  b->claimed = true;
  return TRIBO_OK;
}

/* Removes what the journal lists, and only then strikes it: a kill in between is caught by whoever
 * resumes or overwrites next. */
static tribo_status finish_removal(bake *b, tribo_error *err) {
  if (b->manifest.removing.count == 0) return TRIBO_OK;
  TRY(folder_remove(b->folder, &b->manifest, err));
  manifest_clear_removing(&b->manifest);
  return claim(b, err);
}

static tribo_status start_anew(bake *b, const manifest *before, tribo_error *err) {
  TRY(folder_check_free(b->folder, &b->manifest, before, err));
  if (before) {
    const char *file;
    for (size_t i = 0; (file = manifest_file(before, i)); i++)
      TRY(manifest_add_removing(&b->manifest, file, err));
    for (size_t i = 0; i < before->removing.count; i++)
      TRY(manifest_add_removing(&b->manifest, before->removing.data[i], err));
  }
  TRY(claim(b, err));
  TRY(finish_removal(b, err));
  return start_at_first_frame(b, err);
}

static tribo_status reopen_files(bake *b, tribo_error *err) {
  for (size_t i = 0; i < b->manifest.objects.count; i++) {
    const manifest_object *object = &b->manifest.objects.data[i];
    if (!folder_has(b->folder, object->mesh_file)) TRY(write_mesh(b, i, err));
    char *path = file_join(b->folder, object->cache_file);
    if (!path) return status_no_memory(err, "a path");
    tribo_status status =
        pc2_reopen(path, (int32_t)object->vertex_count, b->frames, &b->caches[i], err);
    free(path);
    TRY(status_prefix(err, status, "cannot resume: "));
    if (object->local_file)
      TRY(playback_reopen(b->folder, object, b->manifest.start, b->frames,
                          playback_of(b, object->name), &b->playbacks[i], err));
  }
  tribo_status status = lines_reopen(b->stats_path, b->frames, &b->stats, err);
  if (status == TRIBO_OK && b->manifest.contacts)
    status = lines_reopen(b->contacts_path, b->frames, &b->contacts, err);
  if (status == TRIBO_OK && b->manifest.verdict)
    status = lines_reopen(b->verdict_path, b->frames, &b->verdict, err);
  return status_prefix(err, status, "cannot resume: ");
}

/* The state, and the files as far as it vouches for them. */
static tribo_status go_back_to(bake *b, const checkpoint *c, tribo_error *err) {
  TRY(simulation_restore(b->sim, &c->state, err));
  b->frames = c->frames;
  return reopen_files(b, err);
}

static tribo_status go_on_from_checkpoint(bake *b, const manifest *before, tribo_error *err) {
  checkpoint c;
  const state *now = simulation_state(b->sim);
  TRY(checkpoint_read(b->checkpoint_path, b->manifest.scene_hash, now->node_count, now->rigid_count,
                      &c, err));
  tribo_status status = TRIBO_OK;
  if (c.state.step != (int64_t)(c.frames - 1) * b->manifest.substeps)
    status = status_fail(err, TRIBO_BAD_INPUT,
                         "the checkpoint '%s' is damaged (its step does not fit its frame); bake "
                         "anew with --overwrite",
                         b->checkpoint_path);
  if (status == TRIBO_OK) status = go_back_to(b, &c, err);
  checkpoint_free(&c);
  TRY(status);

  int last = b->manifest.start + b->frames - 1;
  if (strcmp(before->version, b->manifest.version) != 0)
    log_write(&b->log, TRIBO_LOG_WARNING,
              "frames up to %d were baked by Tribo %s; this is %s, and may differ in the last bits",
              last, before->version, b->manifest.version);
  if (b->manifest.end < last) b->manifest.end = last; /* longer than asked for now; keep it all */
  if (is_at_end(b)) {
    log_write(&b->log, TRIBO_LOG_INFO, "already baked: frames %d to %d are in '%s'",
              b->manifest.start, last, b->folder);
    if (before->status == MANIFEST_DONE) return TRIBO_OK;
  } else {
    log_write(&b->log, TRIBO_LOG_INFO, "resuming after frame %d", last);
  }
  return claim(b, err);
}

/* What a bake began with it goes on with. Playback that it did not have is made from its cache. */
static tribo_status inherit(bake *b, const manifest *before, tribo_error *err) {
  if (b->manifest.contacts && !before->contacts)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': this bake was begun without --contacts; go on without, or bake anew "
                       "with --overwrite",
                       b->folder);
  if (b->manifest.states && !before->states)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': this bake was begun without --keep-states; go on without, or bake "
                       "anew with --overwrite",
                       b->folder);
  b->manifest.contacts = before->contacts;
  b->manifest.verdict = before->verdict;
  b->manifest.states = before->states;
  if (before->states) TRY(states_check(b->folder, err));
  bool more = false;
  for (size_t i = 0; i < b->manifest.objects.count && i < before->objects.count; i++) {
    const manifest_object *now = &b->manifest.objects.data[i], *was = &before->objects.data[i];
    if (was->local_file && !now->local_file)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s': this bake writes '%s' for playback, which needs transforms: go on "
                         "with it in the program that began it, or bake anew with --overwrite",
                         b->folder, was->local_file);
    more = more || (now->local_file && !was->local_file);
  }
  if (!more) return TRIBO_OK;
  TRY(folder_check_free(b->folder, &b->manifest, before, err));
  return b->options->rewind ? TRIBO_OK : claim(b, err); /* listed before they are made */
}

/* ---- going on from an earlier frame ---- */

static tribo_status read_state(const bake *b, int frame, checkpoint *out, tribo_error *err) {
  const state *now = simulation_state(b->sim);
  char *path = states_path(b->folder, frame);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = checkpoint_read_any(path, now->node_count, now->rigid_count, out, err);
  if (status == TRIBO_OK && out->frames != frame - b->manifest.start + 1) {
    status = status_fail(err, TRIBO_BAD_INPUT, "'%s' is the state of another frame", path);
    checkpoint_free(out);
  }
  free(path);
  return status;
}

/* The journal is on disk: whatever happens now, this is done or done again. */
static tribo_status finish_rewind(bake *b, tribo_error *err) {
  checkpoint c;
  int frame = b->manifest.rewind_frame;
  TRY(read_state(b, frame, &c, err));
  c.state.step = (int64_t)(c.frames - 1) * b->manifest.substeps; /* they may have changed */
  tribo_status status = states_remove(b->folder, frame, err);
  if (status == TRIBO_OK)
    status = checkpoint_write(b->checkpoint_path, b->manifest.scene_hash, c.frames, &c.state, err);
  if (status == TRIBO_OK) status = go_back_to(b, &c, err);
  checkpoint_free(&c);
  TRY(status);
  b->manifest.rewinding = false;
  log_write(&b->log, TRIBO_LOG_INFO, "going on from frame %d", frame);
  return claim(b, err);
}

/* The scene may have changed, but a state fits only the same objects. */
static tribo_status check_objects(const bake *b, const manifest *before, tribo_error *err) {
  const manifest *now = &b->manifest;
  if (now->start != before->start)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': this bake starts at frame %d and the scene now at %d; bake anew with "
                       "--overwrite",
                       b->folder, before->start, now->start);
  for (size_t i = 0; i < now->objects.count || i < before->objects.count; i++) {
    const manifest_object *a = i < before->objects.count ? &before->objects.data[i] : NULL;
    const manifest_object *c = i < now->objects.count ? &now->objects.data[i] : NULL;
    if (!a || !c || strcmp(a->name, c->name) != 0 || a->kind != c->kind)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s': simulated object %zu was '%s' and is '%s' now; a state fits the "
                         "same objects only: bake anew with --overwrite",
                         b->folder, i, a ? a->name : "(none)", c ? c->name : "(none)");
    if (a->vertex_count != c->vertex_count)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s': object '%s' had %zu vertices and has %zu now; bake anew with "
                         "--overwrite",
                         b->folder, a->name, a->vertex_count, c->vertex_count);
  }
  return TRIBO_OK;
}

static tribo_status rewind_bake(bake *b, const manifest *before, tribo_error *err) {
  int frame = b->options->from_frame;
  if (!before->states)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': this bake kept no states to go on from; bake with --keep-states",
                       b->folder);
  TRY(check_objects(b, before, err));
  TRY(inherit(b, before, err));
  if (frame > b->manifest.end)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "frame %d to go on from is behind the last frame, time.end %d", frame,
                       b->manifest.end);
  bool dropped = before->removing.count || (before->rewinding && frame > before->rewind_frame);
  checkpoint c;
  tribo_status status =
      dropped ? status_fail(err, TRIBO_BAD_INPUT, "it was dropped") : read_state(b, frame, &c, err);
  if (status != TRIBO_OK)
    return status_prefix(err, status, "'%s': frame %d has no state to go on from: ", b->folder,
                         frame);
  checkpoint_free(&c);
  b->manifest.rewinding = true;
  b->manifest.rewind_frame = frame;
  TRY(claim(b, err));
  return finish_rewind(b, err);
}

static tribo_status resume(bake *b, const manifest *before, tribo_error *err) {
  if (before->scene_hash != b->manifest.scene_hash)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s': the scene changed since this bake; bake anew with --overwrite%s",
                       b->folder,
                       before->states ? ", or go on from one of its frames with --from-frame" : "");
  b->manifest.rewinding = before->rewinding;
  b->manifest.rewind_frame = before->rewind_frame;
  for (size_t i = 0; i < before->removing.count; i++)
    TRY(manifest_add_removing(&b->manifest, before->removing.data[i], err));
  TRY(inherit(b, before, err));
  if (before->removing.count) {
    TRY(claim(b, err));
    TRY(finish_removal(b, err));
    return start_at_first_frame(b, err);
  }
  if (b->manifest.rewinding) return finish_rewind(b, err);
  if (folder_has(b->folder, CHECKPOINT_FILE)) return go_on_from_checkpoint(b, before, err);
  TRY(claim(b, err));
  return start_at_first_frame(b, err);
}

static tribo_status refuse_to_choose(const bake *b, const manifest *before, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT,
                     "'%s' already holds a bake (%s); give --resume to go on with it or "
                     "--overwrite to replace it",
                     b->folder, manifest_status_name(before->status));
}

static tribo_status start(bake *b, tribo_error *err) {
  TRY(file_make_folder(b->folder, err));
  TRY(folder_lock_take(b->folder, &b->log, &b->lock, err));
  if (!folder_has(b->folder, MANIFEST_FILE))
    return b->options->rewind
               ? status_fail(err, TRIBO_BAD_INPUT, "'%s' holds no bake to go on with from frame %d",
                             b->folder, b->options->from_frame)
               : start_anew(b, NULL, err);

  manifest before;
  TRY(manifest_read(b->manifest_path, &before, err));
  tribo_status status = b->options->rewind      ? rewind_bake(b, &before, err)
                        : b->options->resume    ? resume(b, &before, err)
                        : b->options->overwrite ? start_anew(b, &before, err)
                                                : refuse_to_choose(b, &before, err);
  manifest_free(&before);
  return status;
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
  while (!is_at_end(b)) {
    double frame_begin = clock_seconds();
    bool first = b->frames == 0; /* the scene as given: no step to take */
    tribo_report report;
    tribo_status status = simulation_steps(b->sim, first ? 0 : b->manifest.substeps, &report, err);
    if (status == TRIBO_CANCELLED) return stopped(b, err);
    TRY(status);
    if (!first) solved++;
    TRY(write_frame(b, clock_seconds() - frame_begin, &report, err));

    double now = clock_seconds();
    double seconds_a_frame = solved ? (now - begin) / solved : now - begin;
    bool go_on = may_go_on(b, now - frame_begin, seconds_a_frame, &report);
    if (!go_on && !is_at_end(b)) return stopped(b, err);
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
  if (!b->claimed) return outcome;
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
  if (status == TRIBO_OK) status = start(&b, err);
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
