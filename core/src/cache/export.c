/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "geom/topology.h"
#include "io/geo.h"
#include "io/mdd.h"
#include "io/msh.h"
#include "io/obj.h"
#include "io/pc2.h"

typedef struct export {
  const tribo_cache *cache;
  size_t index;
  const manifest_object *object;
  int first, last;
  const char *folder;
  double *positions; /* of one frame */
}
export;

static tribo_status read_frame(const export *e, int frame, tribo_error *err) {
  return cache_positions(e->cache, e->index, frame, e->positions, err);
}

static bool is_same_folder(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

static tribo_status refuse_own_file(const export *e, const char *name, tribo_error *err) {
  const char *own;
  for (size_t i = 0; (own = manifest_file(&e->cache->manifest, i)); i++)
    if (strcmp(own, name) == 0 && is_same_folder(e->folder, e->cache->folder))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "'%s' in '%s' is a file of the bake itself; export to another folder",
                         name, e->folder);
  return TRIBO_OK;
}

/* "folder/object<ending>", on the heap. */
static tribo_status path_of(const export *e, const char *ending, char **path, tribo_error *err) {
  *path = NULL;
  size_t size = strlen(e->object->name) + strlen(ending) + 1;
  char *name = malloc(size);
  if (!name) return status_no_memory(err, "a path");
  snprintf(name, size, "%s%s", e->object->name, ending);
  tribo_status status = refuse_own_file(e, name, err);
  if (status == TRIBO_OK) {
    *path = file_join(e->folder, name);
    if (!*path) status = status_no_memory(err, "a path");
  }
  free(name);
  return status;
}

/* ---- one file for all frames ---- */

static tribo_status write_mdd_frames(const export *e, mdd *file, tribo_error *err) {
  for (int frame = e->first; frame <= e->last; frame++) {
    TRY(read_frame(e, frame, err));
    TRY(mdd_append(file, e->positions, err));
  }
  return TRIBO_OK;
}

static tribo_status write_mdd(const export *e, const char *path, tribo_error *err) {
  int32_t frames = e->last - e->first + 1;
  double *times = malloc((size_t)frames * sizeof *times);
  if (!times) return status_no_memory(err, path);
  /* Seconds since the first frame in the file: players add the start frame themselves. */
  for (int32_t i = 0; i < frames; i++) times[i] = i / e->cache->info.fps;

  mdd file;
  tribo_status status =
      mdd_create(path, (int32_t)e->object->vertex_count, frames, times, &file, err);
  free(times);
  TRY(status);
  status = write_mdd_frames(e, &file, err);
  if (status == TRIBO_OK) return mdd_commit(&file, err);
  mdd_abandon(&file);
  return status;
}

static tribo_status write_pc2_frames(const export *e, const char *path, tribo_error *err) {
  pc2 file;
  TRY(pc2_create(path, (int32_t)e->object->vertex_count, (float)e->first, 1, &file, err));
  tribo_status status = TRIBO_OK;
  for (int frame = e->first; frame <= e->last && status == TRIBO_OK; frame++) {
    status = read_frame(e, frame, err);
    if (status == TRIBO_OK) status = pc2_append(&file, e->positions, err);
  }
  pc2_close(&file);
  return status;
}

static tribo_status write_pc2(const export *e, const char *path, tribo_error *err) {
  char *temporary;
  TRY(path_of(e, ".pc2.tmp", &temporary, err));
  tribo_status status = write_pc2_frames(e, temporary, err);
  if (status == TRIBO_OK && rename(temporary, path) != 0)
    status = status_fail(err, TRIBO_IO, "cannot write '%s': %s", path, strerror(errno));
  if (status != TRIBO_OK) unlink(temporary);
  free(temporary);
  return status;
}

static tribo_status write_one_file(const export *e, tribo_export_format format, tribo_error *err) {
  char *path;
  TRY(path_of(e, format == TRIBO_EXPORT_MDD ? ".mdd" : ".pc2", &path, err));
  tribo_status status =
      format == TRIBO_EXPORT_MDD ? write_mdd(e, path, err) : write_pc2(e, path, err);
  free(path);
  return status;
}

/* ---- one file a frame ---- */

static tribo_status read_mesh(const export *e, mesh *out, tribo_error *err) {
  char *path = file_join(e->cache->folder, e->object->mesh_file);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status =
      text_ends_in(path, ".msh") ? msh_read(path, out, err) : obj_read(path, out, err);
  if (status == TRIBO_OK && out->vertex_count != e->object->vertex_count) {
    status = status_fail(err, TRIBO_BAD_INPUT, "'%s' has %zu vertices, bake.json says %zu", path,
                         out->vertex_count, e->object->vertex_count);
    mesh_free(out);
  }
  free(path);
  return status;
}

/* OBJ knows no tets: a solid goes out as its surface, with all vertices so that numbers stay. */
static tribo_status write_obj(const char *path, const mesh *m, const double *positions,
                              tribo_error *err) {
  mesh view = *m;
  view.positions = (double *)positions;
  arena memory = {0};
  tribo_status status = TRIBO_OK;
  if (m->tet_count) {
    topology_list surface;
    status = topology_boundary(m->tets, m->tet_count, &memory, &surface, err);
    if (status == TRIBO_OK) {
      view.triangles = surface.vertices;
      view.triangle_count = surface.count;
      view.uvs = NULL;
      view.tet_count = 0;
    }
  }
  if (status == TRIBO_OK) status = obj_write(path, &view, err);
  arena_free(&memory);
  return status;
}

static tribo_status write_frame_file(const export *e, tribo_export_format format, const mesh *m,
                                     int frame, tribo_error *err) {
  char ending[32];
  snprintf(ending, sizeof ending, ".%04d.%s", frame, format == TRIBO_EXPORT_OBJ ? "obj" : "geo");
  char *path;
  TRY(path_of(e, ending, &path, err));
  tribo_status status = read_frame(e, frame, err);
  if (status == TRIBO_OK)
    status = format == TRIBO_EXPORT_OBJ ? write_obj(path, m, e->positions, err)
                                        : geo_write(path, m, e->positions, NULL, err);
  free(path);
  return status;
}

static tribo_status write_sequence(const export *e, tribo_export_format format, tribo_error *err) {
  mesh m;
  TRY(read_mesh(e, &m, err));
  tribo_status status = TRIBO_OK;
  for (int frame = e->first; frame <= e->last && status == TRIBO_OK; frame++)
    status = write_frame_file(e, format, &m, frame, err);
  mesh_free(&m);
  return status;
}

tribo_status export_run(const tribo_cache *cache, size_t index, tribo_export_format format,
                        int first, int last, const char *folder, tribo_error *err) {
  TRY(cache_check_range(cache, index, first, last, err));
  TRY(file_make_folder(folder, err));
  const manifest_object *object = &cache->manifest.objects.data[index];
  export e = {.cache = cache,
              .index = index,
              .object = object,
              .first = first,
              .last = last,
              .folder = folder,
              .positions = malloc((3 * object->vertex_count + 1) * sizeof(double))};
  if (!e.positions) return status_no_memory(err, "a frame");
  bool sequence = format == TRIBO_EXPORT_OBJ || format == TRIBO_EXPORT_GEO;
  tribo_status status =
      sequence ? write_sequence(&e, format, err) : write_one_file(&e, format, err);
  free(e.positions);
  return status;
}
