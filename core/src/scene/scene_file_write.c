/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/msh.h"
#include "io/obj.h"
#include "scene/params.h"
#include "scene/scene_file.h"
#include "scene/scene_pin.h"

/* Names are at most 200 bytes; this leaves room for what files add to them. */
enum { FILE_NAME_SIZE = 256 };

static void mesh_file_name(const tribo_object_def *o, char out[FILE_NAME_SIZE]) {
  snprintf(out, FILE_NAME_SIZE, "%s%s", o->name, o->kind == TRIBO_CLOTH ? ".obj" : ".msh");
}

static void pin_file_name(const tribo_object_def *o, size_t pin, char out[FILE_NAME_SIZE]) {
  snprintf(out, FILE_NAME_SIZE, "%s.pin%zu.pc2", o->name, pin);
}

/* ---- the files beside it --------------------------------------------------------------------- */

static tribo_status write_mesh(const tribo_object_def *o, const char *folder, tribo_error *err) {
  /* The writers only read, but a mesh holds pointers that may be written through. */
  mesh m = {.vertex_count = o->vertex_count,
            .triangle_count = o->triangle_count,
            .tet_count = o->tet_count,
            .positions = (double *)o->positions,
            .triangles = (int32_t *)o->triangles,
            .uvs = (double *)o->uvs,
            .tets = (int32_t *)o->tets};
  char name[FILE_NAME_SIZE];
  mesh_file_name(o, name);
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status =
      o->kind == TRIBO_CLOTH ? obj_write(path, &m, err) : msh_write(path, &m, err);
  free(path);
  return status;
}

static tribo_status write_pins(const tribo_object_def *o, const char *folder, tribo_error *err) {
  for (size_t i = 0; i < o->pin_count; i++) {
    if (!o->pins[i].targets || !scene_pin_fits_pc2(&o->pins[i])) continue;
    char name[FILE_NAME_SIZE];
    pin_file_name(o, i, name);
    char *path = file_join(folder, name);
    if (!path) return status_no_memory(err, "a path");
    tribo_status status = scene_pin_write_pc2(&o->pins[i], path, err);
    free(path);
    TRY(status);
  }
  return TRIBO_OK;
}

/* ---- the JSON -------------------------------------------------------------------------------- */

/* Control characters are refused in names, so only quote and backslash need care. */
static void print_string(const char *text, FILE *out) {
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', out);
    putc(*text, out);
  }
  putc('"', out);
}

/* "key": value of every parameter of a group, `separator` between them. */
static void print_params(const char *group, const void *params, const char *separator, FILE *out) {
  size_t count;
  const tribo_param_info *row = params_group(group, &count);
  for (size_t i = 0; i < count; i++) {
    char value[PARAMS_VALUE_SIZE];
    fprintf(out, "%s\"%s\": %s", i ? separator : "", row[i].name,
            params_print(&row[i], params, value));
  }
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
    print_string(name, out);
  } else if (pin->targets) {
    scene_pin_print_targets(pin, out);
  }
  fputs(" }", out);
}

static void print_object(const tribo_object_def *o, FILE *out) {
  bool cloth = o->kind == TRIBO_CLOTH;
  char mesh_name[FILE_NAME_SIZE];
  mesh_file_name(o, mesh_name);
  fputs("    { \"name\": ", out);
  print_string(o->name, out);
  fprintf(out, ",\n      \"kind\": \"%s\",\n      \"mesh\": ", cloth ? "cloth" : "solid");
  print_string(mesh_name, out);
  fputs(",\n      ", out);
  print_params("object", &o->object, ",\n      ", out);
  fputs(",\n      \"elastic\": {\n        ", out);
  print_params(cloth ? "cloth" : "solid", cloth ? (const void *)&o->cloth : &o->solid,
               ",\n        ", out);
  fputs(" }", out);
  for (size_t i = 0; i < o->pin_count; i++) {
    fputs(i ? ",\n        " : ",\n      \"pin\": [\n        ", out);
    print_pin(o, i, out);
  }
  fputs(o->pin_count ? " ] }" : " }", out);
}

static void print_scene(const tribo_scene *scene, FILE *out) {
  fputs("{ \"tribo\": 1,\n  ", out);
  print_params("world", &scene->world, ",\n  ", out);
  fputs(",\n  \"time\": { ", out);
  print_params("time", &scene->time, ", ", out);
  fputs(" },\n  \"solver\": {\n    ", out);
  print_params("solver", &scene->solver, ",\n    ", out);
  fputs(" },\n  \"objects\": [", out);
  for (size_t i = 0; i < scene->objects.count; i++) {
    fputs(i ? ",\n" : "\n", out);
    print_object(&scene->objects.data[i], out);
  }
  fputs("\n  ]\n}\n", out);
}

tribo_status scene_file_write(const tribo_scene *scene, const char *folder, tribo_error *err) {
  TRY(scene_check(scene, err)); /* what is written can be read */
  TRY(file_make_folder(folder, err));
  for (size_t i = 0; i < scene->objects.count; i++) {
    TRY(write_mesh(&scene->objects.data[i], folder, err));
    TRY(write_pins(&scene->objects.data[i], folder, err));
  }
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
