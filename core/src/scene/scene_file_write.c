/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/msh.h"
#include "io/obj.h"
#include "kinds/kind.h"
#include "scene/json.h"
#include "scene/params.h"
#include "scene/scene_file.h"
#include "scene/scene_friction.h"
#include "scene/scene_keys.h"
#include "scene/scene_maps.h"
#include "scene/scene_motion.h"
#include "scene/scene_pin.h"

/* Names are at most 200 bytes; this leaves room for what files add to them. */
enum { FILE_NAME_SIZE = 256 };

static void mesh_file_name(const tribo_object_def *o, char out[FILE_NAME_SIZE]) {
  snprintf(out, FILE_NAME_SIZE, "%s%s", o->name, kind_is_tets(o) ? ".msh" : ".obj");
}

static void cage_file_name(const tribo_object_def *o, char out[FILE_NAME_SIZE]) {
  snprintf(out, FILE_NAME_SIZE, "%s.cage.msh", o->name);
}

static void motion_file_name(const tribo_object_def *o, char out[FILE_NAME_SIZE]) {
  snprintf(out, FILE_NAME_SIZE, "%s.motion.pc2", o->name);
}

static void pin_file_name(const tribo_object_def *o, size_t pin, char out[FILE_NAME_SIZE]) {
  snprintf(out, FILE_NAME_SIZE, "%s.pin%zu.pc2", o->name, pin);
}

/* ---- the files beside it --------------------------------------------------------------------- */

typedef tribo_status writer(const tribo_object_def *o, size_t number, const char *path,
                            tribo_error *err);

static tribo_status write_to(const char *folder, const char *name, const tribo_object_def *o,
                             size_t number, writer *write, tribo_error *err) {
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = write(o, number, path, err);
  free(path);
  return status;
}

/* The writers of meshes only read, but a mesh holds pointers that may be written through. */
static tribo_status write_mesh(const tribo_object_def *o, size_t number, const char *path,
                               tribo_error *err) {
  (void)number;
  mesh m = {.vertex_count = o->vertex_count,
            .triangle_count = o->triangle_count,
            .positions = (double *)o->positions,
            .triangles = (int32_t *)o->triangles,
            .uvs = (double *)o->uvs,
            .edge_count = o->segment_count,
            .edges = (int32_t *)o->segments};
  if (!kind_is_tets(o)) return obj_write(path, &m, err);
  m.tet_count = o->tet_count;
  m.tets = (int32_t *)o->tets;
  return msh_write(path, &m, err);
}

static tribo_status write_cage(const tribo_object_def *o, size_t number, const char *path,
                               tribo_error *err) {
  (void)number;
  mesh m = {.vertex_count = o->cage_count,
            .tet_count = o->tet_count,
            .positions = (double *)o->cage,
            .tets = (int32_t *)o->tets};
  return msh_write(path, &m, err);
}

static tribo_status write_pin(const tribo_object_def *o, size_t number, const char *path,
                              tribo_error *err) {
  return scene_pin_write_pc2(&o->pins[number], path, err);
}

static tribo_status write_motion(const tribo_object_def *o, size_t number, const char *path,
                                 tribo_error *err) {
  (void)number;
  return scene_motion_write_pc2(o, path, err);
}

static tribo_status write_files(const tribo_object_def *o, const char *folder, tribo_error *err) {
  char name[FILE_NAME_SIZE];
  mesh_file_name(o, name);
  TRY(write_to(folder, name, o, 0, write_mesh, err));
  if (o->cage) {
    cage_file_name(o, name);
    TRY(write_to(folder, name, o, 0, write_cage, err));
  }
  for (size_t i = 0; i < o->pin_count; i++) {
    if (!o->pins[i].targets || !scene_pin_fits_pc2(&o->pins[i])) continue;
    pin_file_name(o, i, name);
    TRY(write_to(folder, name, o, i, write_pin, err));
  }
  TRY(scene_maps_write(o, folder, err));
  if (!scene_motion_fits_pc2(o)) return TRIBO_OK;
  motion_file_name(o, name);
  return write_to(folder, name, o, 0, write_motion, err);
}

/* ---- the JSON -------------------------------------------------------------------------------- */

/* "key": value of every parameter of a group but `except` (may be NULL), `separator` between them.
 */
static void print_but(const char *group, const char *except, const void *params,
                      const char *separator, FILE *out) {
  size_t count;
  const tribo_param_info *row = params_group(group, &count);
  bool first = true;
  for (size_t i = 0; i < count; i++) {
    char value[PARAMS_VALUE_SIZE];
    if (except && strcmp(row[i].name, except) == 0) continue;
    fprintf(out, "%s\"%s\": %s", first ? "" : separator, row[i].name,
            params_print(&row[i], params, value));
    first = false;
  }
}

static void print_params(const char *group, const void *params, const char *separator, FILE *out) {
  print_but(group, NULL, params, separator, out);
}

static void print_pin(const tribo_object_def *o, size_t number, FILE *out) {
  const tribo_pin_def *pin = &o->pins[number];
  fputs("{ \"vertices\": [", out);
  for (size_t i = 0; i < pin->vertex_count; i++)
    fprintf(out, "%s%d", i ? ", " : "", pin->vertices[i]);
  fputs("],\n          ", out);
  print_params("pin", &pin->params, ", ", out);
  if (pin->targets && scene_pin_fits_pc2(pin)) {
    char name[FILE_NAME_SIZE];
    pin_file_name(o, number, name);
    fputs(",\n          \"animation\": ", out);
    json_print_string(name, out);
  } else if (pin->targets) {
    scene_pin_print_targets(pin, out);
  }
  fputs(" }", out);
}

static void print_group(const char *key, const char *group, const void *params, FILE *out) {
  fprintf(out, ",\n      \"%s\": {\n        ", key);
  print_params(group, params, ",\n        ", out);
  fputs(" }", out);
}

static void print_matter(const tribo_object_def *o, FILE *out) {
  const tribo_kind_info *about = &kind_of(o)->about;
  if (about->group) print_group(about->key, about->group, kind_params(o), out);
  if (!about->simulated) return;
  fputs(",\n      ", out);
  print_params("object", &o->object, ",\n      ", out);
}

static void print_text(const char *key, const char *value, FILE *out) {
  fprintf(out, ",\n      \"%s\": ", key);
  json_print_string(value, out);
}

static void print_object(const tribo_object_def *o, FILE *out) {
  char name[FILE_NAME_SIZE];
  fputs("    { \"name\": ", out);
  json_print_string(o->name, out);
  print_text("kind", kind_of(o)->about.name, out);
  mesh_file_name(o, name);
  print_text("mesh", name, out);
  if (o->cage) {
    cage_file_name(o, name);
    print_text("cage", name, out);
  }
  if (o->material) print_text("material", o->material, out);
  print_matter(o, out);
  print_group("surface", "surface", &o->surface, out);
  print_group("maps", "maps", &o->maps, out);
  scene_maps_print(o, out);
  if (scene_motion_fits_pc2(o)) {
    motion_file_name(o, name);
    print_text("animation", name, out);
  } else {
    scene_motion_print(o, out);
  }
  scene_presence_print(&o->presence, out);
  for (size_t i = 0; i < o->pin_count; i++) {
    fputs(i ? ",\n        " : ",\n      \"pin\": [\n        ", out);
    print_pin(o, i, out);
  }
  fputs(o->pin_count ? " ] }" : " }", out);
}

static void print_scene(const tribo_scene *scene, FILE *out) {
  bool chosen = scene->world.quality != TRIBO_QUALITY_CUSTOM; /* what is not given stays so */
  fputs("{ \"tribo\": 1,\n  ", out);
  print_but("world", chosen && !scene->given.method ? "method" : NULL, &scene->world, ",\n  ", out);
  fputs(",\n  \"time\": { ", out);
  print_but("time", chosen && !scene->given.substeps ? "substeps" : NULL, &scene->time, ", ", out);
  fputs(" },\n  \"solver\": {\n    ", out);
  print_params("solver", &scene->solver, ",\n    ", out);
  fputs(" },\n  \"friction\": ", out);
  scene_friction_print(scene, out);
  fputs(",\n  \"objects\": [", out);
  for (size_t i = 0; i < scene->objects.count; i++) {
    fputs(i ? ",\n" : "\n", out);
    print_object(&scene->objects.data[i], out);
  }
  fputs("\n  ]\n}\n", out);
}

tribo_status scene_file_write(const tribo_scene *scene, const char *folder, tribo_error *err) {
  TRY(scene_check(scene, err)); /* what is written can be read */
  TRY(file_make_folder(folder, err));
  for (size_t i = 0; i < scene->objects.count; i++)
    TRY(write_files(&scene->objects.data[i], folder, err));
  /* Last, so that a scene file that is there has all it names. */
  char *path = file_join(folder, "scene.json");
  if (!path) return status_no_memory(err, "a path");
  file_out out;
  tribo_status status = file_create(path, &out, err);
  free(path);
  TRY(status);
  print_scene(scene, out.stream);
  return file_commit(&out, err);
}
