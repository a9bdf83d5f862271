/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_maps.h"

#include <stdlib.h>

#include "base/file.h"
#include "io/image.h"
#include "math/vec3.h"
#include "scene/json.h"
#include "scene/shortest.h"

/* ---- reading --------------------------------------------------------------------------------- */

static tribo_status wrong(const char *key, const char *expected, const cJSON *value,
                          tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s must be %s, not %s", key, expected,
                     json_kind(value));
}

static tribo_status read_map(const cJSON *object, const char *key, const char *folder,
                             tribo_map_def *out, tribo_error *err) {
  const cJSON *value = json_member(object, key);
  if (!value) return TRIBO_OK;
  if (!cJSON_IsString(value)) return wrong(key, "a path in quotes", value, err);
  char *path = file_join(folder, value->valuestring);
  if (!path) return status_no_memory(err, "a path");
  image im;
  tribo_status status = image_read(path, &im, err);
  free(path);
  if (status != TRIBO_OK) return status_prefix(err, status, "%s: ", key);
  *out = (tribo_map_def){im.pixels, im.width, im.height, im.channels};
  return TRIBO_OK;
}

/* An array with an entry of `depth` numbers for each vertex; a plain number for a depth of 1. */
static tribo_status read_vertices(const cJSON *object, const char *key, size_t vertex_count,
                                  size_t depth, const double **out, tribo_error *err) {
  const cJSON *value = json_member(object, key);
  if (!value) return TRIBO_OK;
  const char *entry = depth == 1 ? "a number" : "[x, y, z]";
  if (!cJSON_IsArray(value)) return wrong(key, "an array", value, err);
  if (json_length(value) != vertex_count)
    return status_fail(err, TRIBO_BAD_INPUT, "%s has %zu entries; give %zu, one for each vertex",
                       key, json_length(value), vertex_count);
  double *numbers = calloc(depth * vertex_count + 1, sizeof *numbers);
  if (!numbers) return status_no_memory(err, key);
  *out = numbers;
  size_t v = 0;
  for (const cJSON *item = value->child; item; item = item->next, v++) {
    bool number = depth == 1 && cJSON_IsNumber(item);
    if (number) numbers[v] = item->valuedouble;
    if (number || (depth > 1 && json_numbers(item, depth, numbers + depth * v))) continue;
    return status_fail(err, TRIBO_BAD_INPUT, "%s[%zu] must be %s, not %s", key, v, entry,
                       json_kind(item));
  }
  return TRIBO_OK;
}

/* Directions turn with the mesh and keep their length, which says whether there is a structure. */
static void turn_structure(const cJSON *object, size_t vertex_count, double *structure) {
  double t[16];
  if (!structure || !json_numbers(json_member(object, "transform"), 16, t)) return;
  for (size_t v = 0; v < vertex_count; v++) {
    vec3 s = vec3_from(structure + 3 * v), turned;
    turned.x = vec3_dot(vec3_from(t), s);
    turned.y = vec3_dot(vec3_from(t + 4), s);
    turned.z = vec3_dot(vec3_from(t + 8), s);
    turned = vec3_scale(vec3_norm(s), vec3_normalized(turned));
    structure[3 * v] = turned.x;
    structure[3 * v + 1] = turned.y;
    structure[3 * v + 2] = turned.z;
  }
}

tribo_status scene_maps_read(const cJSON *object, const char *folder, tribo_object_def *def,
                             tribo_error *err) {
  size_t vertices = def->vertex_count;
  TRY(read_map(object, "structure_map", folder, &def->structure_map, err));
  TRY(read_map(object, "friction_map", folder, &def->friction_map, err));
  TRY(read_vertices(object, "vertex_friction", vertices, 1, &def->vertex_friction, err));
  TRY(read_vertices(object, "vertex_stiffness", vertices, 1, &def->vertex_stiffness, err));
  TRY(read_vertices(object, "vertex_structure", vertices, 3, &def->vertex_structure, err));
  turn_structure(object, vertices, (double *)def->vertex_structure);
  return TRIBO_OK;
}

void scene_maps_free(tribo_object_def *def) {
  free((void *)def->structure_map.pixels);
  free((void *)def->friction_map.pixels);
  free((void *)def->vertex_structure);
  free((void *)def->vertex_friction);
  free((void *)def->vertex_stiffness);
  def->structure_map = def->friction_map = (tribo_map_def){0};
  def->vertex_structure = def->vertex_friction = def->vertex_stiffness = NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Names are at most 200 bytes; this leaves room for what files add to them. */
enum { MAP_NAME_SIZE = 256 };

/* The writer only reads, but an image holds a pointer that may be written through. */
static image image_of(const tribo_map_def *map) {
  return (image){map->width, map->height, map->channels, (float *)map->pixels};
}

static void map_name(const tribo_object_def *o, const tribo_map_def *map, char *out) {
  image im = image_of(map);
  snprintf(out, MAP_NAME_SIZE, "%s.%s%s", o->name,
           map == &o->structure_map ? "structure" : "friction", image_extension(&im));
}

static tribo_status write_map(const tribo_object_def *o, const tribo_map_def *map,
                              const char *folder, tribo_error *err) {
  if (!map->pixels) return TRIBO_OK;
  char name[MAP_NAME_SIZE];
  map_name(o, map, name);
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  image im = image_of(map);
  tribo_status status = image_write(path, &im, err);
  free(path);
  return status;
}

tribo_status scene_maps_write(const tribo_object_def *o, const char *folder, tribo_error *err) {
  TRY(write_map(o, &o->structure_map, folder, err));
  return write_map(o, &o->friction_map, folder, err);
}

static void print_map(const char *key, const tribo_object_def *o, const tribo_map_def *map,
                      FILE *out) {
  if (!map->pixels) return;
  char name[MAP_NAME_SIZE];
  map_name(o, map, name);
  fprintf(out, ",\n      \"%s\": ", key);
  json_print_string(name, out);
}

static void print_vertices(const char *key, const double *numbers, size_t vertex_count,
                           size_t depth, FILE *out) {
  if (!numbers) return;
  fprintf(out, ",\n      \"%s\": [", key);
  for (size_t i = 0; i < depth * vertex_count; i++) {
    char text[SHORTEST_SIZE];
    const char *open = depth > 1 && i % depth == 0 ? "\n        [" : "";
    const char *close = depth > 1 && i % depth == depth - 1 ? "]" : "";
    fprintf(out, "%s%s%s%s", i ? ", " : "", open, shortest_text(numbers[i], text), close);
  }
  fputs("]", out);
}

void scene_maps_print(const tribo_object_def *o, FILE *out) {
  print_map("structure_map", o, &o->structure_map, out);
  print_map("friction_map", o, &o->friction_map, out);
  print_vertices("vertex_structure", o->vertex_structure, o->vertex_count, 3, out);
  print_vertices("vertex_friction", o->vertex_friction, o->vertex_count, 1, out);
  print_vertices("vertex_stiffness", o->vertex_stiffness, o->vertex_count, 1, out);
}
