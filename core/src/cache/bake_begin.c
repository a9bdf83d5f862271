/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bake_begin: how a bake begins: anew, over the bake that is there, from its checkpoint, or from
 * one of its earlier frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cache/bake_parts.h"
#include "cache/states.h"
#include "io/pc2.h"

tribo_status bake_claim(bake *b, tribo_error *err) {
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
  return bake_claim(b, err);
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
  TRY(bake_claim(b, err));
  TRY(finish_removal(b, err));
  return bake_files_create(b, err);
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
    const manifest_object *was = &before->objects.data[i];
    manifest_object *now = &b->manifest.objects.data[i];
    now->mesh_sum = was->mesh_sum;
    if (was->local_file && !now->local_file)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s': this bake writes '%s' for playback, which needs transforms: go on "
                         "with it in the program that began it, or bake anew with --overwrite",
                         b->folder, was->local_file);
    more = more || (now->local_file && !was->local_file);
  }
  if (!more) return TRIBO_OK;
  TRY(folder_check_free(b->folder, &b->manifest, before, err));
  return b->options->rewind ? TRIBO_OK : bake_claim(b, err); /* listed before they are made */
}

/* ---- going on from an earlier frame ---- */

/* The state, and the files as far as it vouches for them. */
static tribo_status go_back_to(bake *b, const checkpoint *c, tribo_error *err) {
  TRY(simulation_restore(b->sim, &c->state, err));
  b->frames = c->frames;
  return bake_files_reopen(b, err);
}

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

/* What follows from other files is made anew; said once. */
static void tell_mended(const bake *b) {
  char text[TRIBO_MESSAGE_SIZE];
  for (size_t i = 0; i < b->sound.found.count; i++) {
    const file_damage *d = &b->sound.found.data[i];
    bool mended = d->kind == DAMAGE_MESH || d->kind == DAMAGE_PLAYBACK;
    if (!mended || !folder_has(b->folder, d->file)) continue;
    sound_text(d, &b->manifest, text);
    log_write(&b->log, TRIBO_LOG_WARNING, "%s; it is written anew", text);
  }
}

static tribo_status mend(bake *b, int32_t frames, const char *why, tribo_error *err);

/* Whether the first `frames` frames are what was written; else goes back to before they are not. */
static tribo_status go_back_to_sound(bake *b, const checkpoint *c, tribo_error *err) {
  char text[TRIBO_MESSAGE_SIZE];
  if (!b->checked || b->sound.frames < c->frames)
    TRY(sound_check(b->folder, &b->manifest, c->frames, &b->sound, err));
  b->checked = true;
  if (b->sound.frames >= c->frames) {
    tell_mended(b);
    return go_back_to(b, c, err);
  }
  sound_text(sound_first(&b->sound), &b->manifest, text);
  return mend(b, c->frames, text, err);
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
  if (status == TRIBO_OK) status = go_back_to_sound(b, &c, err);
  checkpoint_free(&c);
  TRY(status);
  if (!b->manifest.rewinding) return TRIBO_OK; /* it went back further */
  b->manifest.rewinding = false;
  log_write(&b->log, TRIBO_LOG_INFO, "going on from frame %d", frame);
  return bake_claim(b, err);
}

/* Goes back to the last frame that is sound and has its state, as if --from-frame had said so: the
 * frames after it are baked again, to the same bits. */
static tribo_status mend(bake *b, int32_t frames, const char *why, tribo_error *err) {
  int frame;
  if (!sound_state(b->folder, &b->manifest, b->sound.frames, frames, &frame))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "cannot resume in '%s': %s, and no state from before was kept; bake anew "
                       "with --overwrite",
                       b->folder, why);
  log_write(&b->log, TRIBO_LOG_WARNING, "%s; going back to frame %d, whose state was kept", why,
            frame);
  b->manifest.rewinding = true;
  b->manifest.rewind_frame = frame;
  TRY(bake_claim(b, err));
  return finish_rewind(b, err);
}

/* Without a checkpoint that can be read, as many frames as there are lines may be sound. */
static tribo_status mend_checkpoint(bake *b, const char *why, tribo_error *err) {
  int32_t there = sound_lines(b->folder);
  TRY(sound_check(b->folder, &b->manifest, there, &b->sound, err));
  b->checked = true;
  return mend(b, there, why, err);
}

/* ---- going on from the checkpoint ---- */

static tribo_status read_checkpoint(const bake *b, checkpoint *out, tribo_error *err) {
  const state *now = simulation_state(b->sim);
  TRY(checkpoint_read(b->checkpoint_path, b->manifest.scene_hash, now->node_count, now->rigid_count,
                      out, err));
  if (out->state.step == (int64_t)(out->frames - 1) * b->manifest.substeps) return TRIBO_OK;
  checkpoint_free(out);
  return status_fail(err, TRIBO_BAD_INPUT,
                     "the checkpoint '%s' is damaged (its step does not fit its frame); bake "
                     "anew with --overwrite",
                     b->checkpoint_path);
}

static void warn_of_version(const bake *b, const manifest *before, int last) {
  if (strcmp(before->version, b->manifest.version) != 0)
    log_write(&b->log, TRIBO_LOG_WARNING,
              "frames up to %d were baked by Tribo %s; this is %s, and may differ in the last bits",
              last, before->version, b->manifest.version);
}

static void tell_complete(const bake *b) {
  log_write(&b->log, TRIBO_LOG_INFO, "already baked: frames %d to %d are in '%s'",
            b->manifest.start, b->manifest.start + b->frames - 1, b->folder);
}

static tribo_status go_on_from_checkpoint(bake *b, const manifest *before, tribo_error *err) {
  checkpoint c;
  tribo_status status = read_checkpoint(b, &c, err);
  if (status == TRIBO_BAD_INPUT && b->manifest.states) {
    char why[TRIBO_MESSAGE_SIZE];
    snprintf(why, sizeof why, "'" CHECKPOINT_FILE "' is damaged");
    return mend_checkpoint(b, why, err);
  }
  TRY(status);
  status = go_back_to_sound(b, &c, err);
  checkpoint_free(&c);
  TRY(status);
  int last = b->manifest.start + b->frames - 1;
  warn_of_version(b, before, last);
  if (b->manifest.end < last) b->manifest.end = last; /* longer than asked for now; keep it all */
  if (bake_is_at_end(b))
    tell_complete(b);
  else
    log_write(&b->log, TRIBO_LOG_INFO, "resuming after frame %d", last);
  return bake_claim(b, err);
}

/* Whether all that is asked for is there, and sound: then nothing is written, in a folder that may
 * not be writable. Playback is compared as it is opened (cache/playback.h). */
static tribo_status find_complete(bake *b, const manifest *before, bool *complete,
                                  tribo_error *err) {
  const manifest *now = &b->manifest;
  uint64_t hash;
  int32_t frames;
  tribo_error ignored;
  *complete = false;
  bool same = before->status == MANIFEST_DONE && before->scene_hash == now->scene_hash &&
              !before->removing.count && !before->rewinding && before->contacts >= now->contacts &&
              before->states >= now->states && before->objects.count == now->objects.count;
  for (size_t i = 0; same && i < now->objects.count; i++)
    same = !before->objects.data[i].local_file && !now->objects.data[i].local_file;
  if (!same || checkpoint_look(b->checkpoint_path, &hash, &frames, &ignored) != TRIBO_OK ||
      hash != now->scene_hash || now->start + frames <= b->scene->time.end)
    return TRIBO_OK;
  TRY(sound_check(b->folder, before, frames, &b->sound, err));
  *complete = b->sound.found.count == 0 && !b->sound.longer;
  if (*complete) b->frames = frames;
  return TRIBO_OK;
}

/* ---- with a scene that may have changed ---- */

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

/* The frames that would stay are what was written. */
static tribo_status check_kept(bake *b, int frame, tribo_error *err) {
  char text[TRIBO_MESSAGE_SIZE];
  int32_t frames = frame - b->manifest.start + 1;
  TRY(sound_check(b->folder, &b->manifest, frames, &b->sound, err));
  b->checked = true;
  if (b->sound.frames >= frames) return TRIBO_OK;
  sound_text(sound_first(&b->sound), &b->manifest, text);
  return status_fail(err, TRIBO_BAD_INPUT,
                     "cannot go on from frame %d of '%s': %s; give an earlier frame, or bake anew "
                     "with --overwrite",
                     frame, b->folder, text);
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
  TRY(check_kept(b, frame, err));
  b->manifest.rewinding = true;
  b->manifest.rewind_frame = frame;
  TRY(bake_claim(b, err));
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
    TRY(bake_claim(b, err));
    TRY(finish_removal(b, err));
    return bake_files_create(b, err);
  }
  if (b->manifest.rewinding) return finish_rewind(b, err);
  if (folder_has(b->folder, CHECKPOINT_FILE)) return go_on_from_checkpoint(b, before, err);
  int frame;
  int32_t there = sound_lines(b->folder);
  if (sound_state(b->folder, &b->manifest, there, there, &frame))
    return mend_checkpoint(b, "'" CHECKPOINT_FILE "' is missing", err);
  if (before->status == MANIFEST_DONE || before->status == MANIFEST_CANCELLED)
    log_write(&b->log, TRIBO_LOG_WARNING,
              "'" CHECKPOINT_FILE
              "' is missing, so nothing vouches for the frames in '%s': baking "
              "them again from the first",
              b->folder);
  TRY(bake_claim(b, err));
  return bake_files_create(b, err);
}

static tribo_status refuse_to_choose(const bake *b, const manifest *before, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT,
                     "'%s' already holds a bake (%s); give --resume to go on with it or "
                     "--overwrite to replace it",
                     b->folder, manifest_status_name(before->status));
}

/* With the lock held. */
static tribo_status begin_locked(bake *b, tribo_error *err) {
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

tribo_status bake_begin(bake *b, tribo_error *err) {
  bool complete = false;
  manifest before;
  tribo_error ignored; /* it is told once the lock is held */
  if (b->options->resume && folder_has(b->folder, MANIFEST_FILE) &&
      manifest_read(b->manifest_path, &before, &ignored) == TRIBO_OK) {
    tribo_status status = find_complete(b, &before, &complete, err);
    if (complete) warn_of_version(b, &before, b->manifest.start + b->frames - 1);
    manifest_free(&before);
    TRY(status);
  }
  if (complete) {
    tell_complete(b);
    if (folder_has(b->folder, LOCK_FILE)) /* what a kill left: it goes as the bake ends */
      (void)folder_lock_take(b->folder, &b->log, &b->lock, &ignored);
    return TRIBO_OK;
  }
  TRY(file_make_folder(b->folder, err));
  TRY(folder_lock_take(b->folder, &b->log, &b->lock, err));
  return begin_locked(b, err);
}
