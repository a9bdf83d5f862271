/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_keys.h"

#include <string.h>

#include "base/text.h"
#include "scene/params.h"

static const scene_key keys[] = {
    {"", "tribo", SCENE_KEY_REQUIRED, "1", "Version of the format."},
    {"", "time", SCENE_KEY_OPTIONAL, "object", "Frames and time steps."},
    {"", "solver", SCENE_KEY_OPTIONAL, "object", "How the equations are solved."},
    {"", "objects", SCENE_KEY_OPTIONAL, "array of objects", "What is simulated, in this order."},
    {"", "friction", SCENE_KEY_LATER, "object", "Friction between materials."},

    {"solver", "backend", SCENE_KEY_LATER, "word", "Where friction is solved."},

    {"objects[]", "name", SCENE_KEY_REQUIRED, "string",
     "Names the object in messages and its files in the bake. No two objects may share it, not "
     "even "
     "in another case; no '/', no '.' at the start, at most 200 bytes."},
    {"objects[]", "kind", SCENE_KEY_REQUIRED, "\"cloth\" or \"solid\"",
     "cloth: a surface of triangles. solid: a volume of tets."},
    {"objects[]", "mesh", SCENE_KEY_REQUIRED, "path",
     "The rest shape and the start, in metres: an .obj file for a cloth (polygons become "
     "triangles), a Gmsh .msh file for a solid."},
    {"objects[]", "transform", SCENE_KEY_OPTIONAL, "16 numbers",
     "A 4x4 matrix, row by row, last row 0 0 0 1, that moves the mesh into the world as it is "
     "read. "
     "It must not mirror. The animation of pins is in the world already."},
    {"objects[]", "elastic", SCENE_KEY_OPTIONAL, "object",
     "The material, by kind; see the elastic of a solid and of a cloth."},
    {"objects[]", "pin", SCENE_KEY_OPTIONAL, "object, or array of them",
     "Vertices held at a target. No vertex may be in two pins."},
    {"objects[]", "surface", SCENE_KEY_LATER, "object", "How contact sees the object."},
    {"objects[]", "material", SCENE_KEY_LATER, "string", "Names the material for friction."},
    {"objects[]", "structure_map", SCENE_KEY_LATER, "path", "Texture of friction directions."},
    {"objects[]", "friction_map", SCENE_KEY_LATER, "path", "Texture of friction coefficients."},

    {"objects[].pin", "vertices", SCENE_KEY_REQUIRED, "array of whole numbers",
     "The vertices held, counted from 0. Without animation and targets they stay where they are."},
    {"objects[].pin", "animation", SCENE_KEY_OPTIONAL, "path",
     "A .pc2 file whose points the vertices follow, linearly between samples. Its points are the "
     "pinned vertices in the order of \"vertices\", or all vertices of the object. Start and "
     "sampling in its header are frames."},
    {"objects[].pin", "targets", SCENE_KEY_OPTIONAL, "array of samples",
     "In place of animation, with all digits of a double: every sample is an array of [x, y, z], "
     "one for each of \"vertices\"."},
    {"objects[].pin", "target_start", SCENE_KEY_OPTIONAL, "number, 1 if not given",
     "Frame of the first sample of targets."},
    {"objects[].pin", "target_interval", SCENE_KEY_OPTIONAL, "number above 0, 1 if not given",
     "Frames between two samples of targets."},
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

const scene_key *scene_keys(size_t *count) {
  *count = KEY_COUNT;
  return keys;
}

static const scene_key *find(const char *place, const char *name) {
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].place, place) == 0 && strcmp(keys[i].name, name) == 0) return &keys[i];
  return NULL;
}

/* Where else a key of this name stands; NULL when nowhere. */
static const char *elsewhere(const char *name) {
  size_t count;
  const params_heading *heading = params_headings(&count);
  for (size_t i = 0; i < count; i++)
    if (params_find(heading[i].group, name))
      return *heading[i].place ? heading[i].title : "the top of the scene file";
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (keys[i].need != SCENE_KEY_LATER && strcmp(keys[i].name, name) == 0)
      return *keys[i].place ? keys[i].place : "the top of the scene file";
  return NULL;
}

static tribo_status unknown(const char *name, const char *place, const char *group,
                            tribo_error *err) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t known = 0, count;
  for (size_t i = 0; i < KEY_COUNT && known < MOST; i++)
    if (strcmp(keys[i].place, place) == 0 && keys[i].need != SCENE_KEY_LATER)
      names[known++] = keys[i].name;
  const tribo_param_info *row = params_group(group, &count);
  for (size_t i = 0; i < count && known < MOST; i++) names[known++] = row[i].name;

  const char *meant = text_suggest(name, names, known), *other = elsewhere(name);
  if (meant)
    return status_fail(err, TRIBO_BAD_INPUT, "unknown key '%.60s'; did you mean '%s'?", name,
                       meant);
  if (other)
    return status_fail(err, TRIBO_BAD_INPUT, "unknown key '%.60s'; it belongs to %s", name, other);
  return status_fail(err, TRIBO_BAD_INPUT, "unknown key '%.60s'; remove it", name);
}

tribo_status scene_keys_check(const cJSON *object, const char *place, const char *group,
                              tribo_error *err) {
  /* Unknown keys end the loop, so it meets at most one key more than there are known ones: looking
   * back for a double is cheap however large the file. */
  for (const cJSON *item = object->child; item; item = item->next) {
    const scene_key *key = find(place, item->string);
    if (!key && !params_find(group, item->string)) return unknown(item->string, place, group, err);
    if (key && key->need == SCENE_KEY_LATER)
      return status_fail(err, TRIBO_BAD_INPUT, "key '%s' is not in this version yet; remove it",
                         item->string);
    for (const cJSON *before = object->child; before != item; before = before->next)
      if (strcmp(before->string, item->string) == 0)
        return status_fail(err, TRIBO_BAD_INPUT, "key '%s' stands twice; keep one", item->string);
  }
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].place, place) == 0 && keys[i].need == SCENE_KEY_REQUIRED &&
        !cJSON_GetObjectItemCaseSensitive(object, keys[i].name))
      return status_fail(err, TRIBO_BAD_INPUT, "key '%s' is missing; give \"%s\": %s", keys[i].name,
                         keys[i].name, keys[i].type);
  return TRIBO_OK;
}
