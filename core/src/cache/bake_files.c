/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bake_files: the files of a bake, made, opened again, and a frame written to all of them.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cache/bake_parts.h"
#include "cache/contacts.h"
#include "cache/states.h"
#include "cache/stats.h"
#include "io/msh.h"
#include "io/obj.h"
#include "io/pc2.h"
#include "kinds/kind.h"

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

/* Of what was just written, for the line of the verdict. */
static size_t take_sums(bake *b) {
  size_t count = 0;
  for (size_t i = 0; i < b->manifest.objects.count; i++)
    b->sums[count++] = (file_sum){b->manifest.objects.data[i].cache_file, b->caches[i].sum};
  if (b->manifest.contacts) b->sums[count++] = (file_sum){CONTACTS_FILE, b->contacts.sum};
  return count;
}

/* A file that was removed or replaced goes on taking what is written, for nobody: only its name
 * tells. */
static tribo_status check_still_there(const bake *b, tribo_error *err) {
  tribo_status status = file_check_named(b->stats.stream, b->stats.path, err);
  for (size_t i = 0; status == TRIBO_OK && i < b->manifest.objects.count; i++) {
    status = file_check_named(b->caches[i].stream, b->caches[i].path, err);
    const pc2 *local = &b->playbacks[i].file;
    if (status == TRIBO_OK && local->stream)
      status = file_check_named(local->stream, local->path, err);
  }
  if (status == TRIBO_OK && b->manifest.contacts)
    status = file_check_named(b->contacts.stream, b->contacts.path, err);
  if (status == TRIBO_OK && b->manifest.verdict)
    status = file_check_named(b->verdict.stream, b->verdict.path, err);
  return status;
}

tribo_status bake_files_append(bake *b, double seconds, const tribo_report *report,
                               tribo_error *err) {
  const model *m = simulation_model(b->sim);
  const state *moving = simulation_state(b->sim);
  TRY(folder_lock_check(&b->lock, err));
  TRY(check_still_there(b, err));
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
  if (b->manifest.verdict)
    TRY(verdict_append(&b->verdict, frame, b->sim, report, b->sums, take_sums(b), err));
  if (b->options->contact_problems)
    TRY(simulation_export_problem(b->sim, b->options->contact_problems, frame, err));
  TRY(write_state(b, frame, err));
  TRY(check_still_there(b, err));
  TRY(checkpoint_write(b->checkpoint_path, b->manifest.scene_hash, b->frames + 1, moving, err));
  b->frames++;
  return TRIBO_OK;
}

/* ---- starting: from nothing, over another bake, or from its checkpoint ---- */

/* With its checksum into the manifest, which the caller writes. */
static tribo_status write_mesh(bake *b, size_t i, tribo_error *err) {
  size_t number = simulation_model(b->sim)->bodies[i].object;
  const tribo_object_def *object = &b->scene->objects.data[number];
  bool tets = kind_is_tets(object);
  mesh view = {.vertex_count = object->vertex_count,
               .triangle_count = tets ? 0 : object->triangle_count,
               .tet_count = tets ? object->tet_count : 0,
               .positions = (double *)object->positions,
               .edge_count = object->segment_count,
               .edges = (int32_t *)object->segments,
               .triangles = (int32_t *)object->triangles,
               .uvs = (double *)object->uvs,
               .tets = (int32_t *)object->tets};
  char *path = file_join(b->folder, b->manifest.objects.data[i].mesh_file);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = tets ? msh_write(path, &view, err) : obj_write(path, &view, err);
  if (status == TRIBO_OK) status = file_hash(path, &b->manifest.objects.data[i].mesh_sum, err);
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
    status = playback_create(b->folder, object, b->manifest.start,
                             bake_playback_of(b, object->name), &b->playbacks[i], err);
  return status;
}

tribo_status bake_files_create(bake *b, tribo_error *err) {
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
  folder_sync(b->folder);    /* names before the first checkpoint that relies on them */
  return bake_claim(b, err); /* the meshes' checksums */
}

tribo_status bake_files_reopen(bake *b, tribo_error *err) {
  for (size_t i = 0; i < b->manifest.objects.count; i++) {
    const manifest_object *object = &b->manifest.objects.data[i];
    if (sound_has(&b->sound, DAMAGE_MESH, i)) TRY(write_mesh(b, i, err));
    char *path = file_join(b->folder, object->cache_file);
    if (!path) return status_no_memory(err, "a path");
    tribo_status status =
        pc2_reopen(path, (int32_t)object->vertex_count, b->frames, &b->caches[i], err);
    free(path);
    TRY(status_prefix(err, status, "cannot resume: "));
    if (!object->local_file) continue;
    TRY(playback_reopen(b->folder, object, b->manifest.start, b->frames,
                        bake_playback_of(b, object->name), &b->playbacks[i], err));
    if (b->playbacks[i].mended && !sound_has(&b->sound, DAMAGE_PLAYBACK, i))
      log_write(&b->log, TRIBO_LOG_WARNING,
                "'%s' is damaged: it does not follow from '%s'; it is written anew",
                object->local_file, object->cache_file);
  }
  tribo_status status = lines_reopen(b->stats_path, b->frames, &b->stats, err);
  if (status == TRIBO_OK && b->manifest.contacts)
    status = lines_reopen(b->contacts_path, b->frames, &b->contacts, err);
  if (status == TRIBO_OK && b->manifest.verdict)
    status = lines_reopen(b->verdict_path, b->frames, &b->verdict, err);
  return status_prefix(err, status, "cannot resume: ");
}
