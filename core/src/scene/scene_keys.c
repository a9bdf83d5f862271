/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kinds/kind.h"
#include "scene/params.h"

static const scene_key keys[] = {
    {"", "tribo", SCENE_KEY_REQUIRED, "1", "Version of the format."},
    {"", "time", SCENE_KEY_OPTIONAL, "object", "Frames and time steps."},
    {"", "solver", SCENE_KEY_OPTIONAL, "object", "How the equations are solved."},
    {"", "objects", SCENE_KEY_OPTIONAL, "array of objects",
     "What is simulated or touched, in this order."},
    {"", "friction", SCENE_KEY_OPTIONAL, "object", "Friction between objects and materials."},

    {"friction", "default", SCENE_KEY_OPTIONAL, "object",
     "The friction of every object that has no mu of its own."},
    {"friction", "pairs", SCENE_KEY_OPTIONAL, "array of objects",
     "The friction between two objects or materials. A pair of objects counts more than one of an "
     "object and a material, and that more than one of two materials; of equals, the later "
     "counts. Where no pair fits, combine makes one coefficient from those of the two objects."},

    {"friction.pairs[]", "a", SCENE_KEY_REQUIRED, "string", "Name of an object or material."},
    {"friction.pairs[]", "b", SCENE_KEY_REQUIRED, "string",
     "Name of an object or material; may be the same as a."},
    {"friction.pairs[]", "mu", SCENE_KEY_REQUIRED, "number from 0",
     "Coulomb's coefficient of friction between the two."},

    {"objects[]", "name", SCENE_KEY_REQUIRED, "string",
     "Names the object in messages and its files in the bake. UTF-8, at most 200 bytes; no '.' at "
     "the start, no '.' or space at the end, none of / \\ < > : \" | ? *, no name of a Windows "
     "device "
     "(CON, NUL, COM1). No two objects may share it, not even in another case or with accents put "
     "together otherwise."},
    {"objects[]", "kind", SCENE_KEY_REQUIRED, NULL, NULL}, /* from the table of kinds */
    {"objects[]", "mesh", SCENE_KEY_REQUIRED, "path",
     "The rest shape and the start, in metres: an .obj file (polygons become triangles, wound so "
     "that the front is outside); a solid may be a Gmsh .msh file with tets instead. Of a rod the "
     "lines of an .obj file, 'l': vertices that they share join them to strands."},
    {"objects[]", "cage", SCENE_KEY_OPTIONAL, "path",
     "Of a solid: a Gmsh .msh file with tets around the mesh, which is then an .obj file that they "
     "carry along."},
    {"objects[]", "tets", SCENE_KEY_OPTIONAL, "object",
     "Of a solid whose mesh is an .obj file, without a cage: how its inside becomes tets."},
    {"objects[]", "transform", SCENE_KEY_OPTIONAL, "16 numbers",
     "A 4x4 matrix, row by row, last row 0 0 0 1, that moves the mesh into the world as it is "
     "read. "
     "It must not mirror. Animations are in the world already."},
    {"objects[]", "elastic", SCENE_KEY_OPTIONAL, "object",
     "Of a cloth, solid or rod: the material; see the elastic of a solid, of a cloth and of a "
     "rod."},
    {"objects[]", "rigid", SCENE_KEY_OPTIONAL, "object", "Of a rigid body: density."},
    {"objects[]", "pin", SCENE_KEY_OPTIONAL, "object, or array of them",
     "Of a cloth, solid or rod: vertices held at a target. No vertex may be in two pins. Of a rod "
     "a hard pin that has both ends of a segment holds its direction as well."},
    {"objects[]", "surface", SCENE_KEY_OPTIONAL, "object", "How contact sees the object."},
    {"objects[]", "material", SCENE_KEY_OPTIONAL, "string, the name if not given",
     "What it is made of, for friction.pairs. Any number of objects may share it."},
    {"objects[]", "animation", SCENE_KEY_OPTIONAL, "path",
     "Of a collider that moves or deforms: a .pc2 file of all its vertices in the world, linear "
     "between samples, at rest before the first and after the last. Start and sampling in its "
     "header are frames."},
    {"objects[]", "points", SCENE_KEY_OPTIONAL, "array of samples",
     "In place of animation, with all digits of a double: every sample is an array of [x, y, z], "
     "one for each vertex."},
    {"objects[]", "transforms", SCENE_KEY_OPTIONAL, "array of samples",
     "In place of animation, for a collider that keeps its shape: every sample is 16 numbers like "
     "transform, from the mesh (moved by transform, where there is one) to the world. It may turn, "
     "shift and scale all alike. Between samples it turns along the shortest arc."},
    {"objects[]", "motion_start", SCENE_KEY_OPTIONAL, "number, 1 if not given",
     "Frame of the first sample of points or transforms."},
    {"objects[]", "motion_interval", SCENE_KEY_OPTIONAL, "number above 0, 1 if not given",
     "Frames between two samples of points or transforms."},
    {"objects[]", "present", SCENE_KEY_OPTIONAL, "array of [from, to] or [from]",
     "Of a collider: the frames at which it is there, always if not given. It is there from frame "
     "\"from\" on, and at \"to\" no longer; without \"to\", for good. Ranges are in order and do "
     "not meet; an empty array: it is never there. A time step has it if it is there when the step "
     "ends; see contact.md."},
    {"objects[]", "structure_map", SCENE_KEY_OPTIONAL, "path",
     "A PNG or EXR image over the UVs of an .obj file: red and green are the direction in which "
     "the surface is structured, s = (2r-1) t + (2g-1) b with t along u and b along v; shorter "
     "than 0.1 is none. See maps.md."},
    {"objects[]", "friction_map", SCENE_KEY_OPTIONAL, "path",
     "A PNG or EXR image over the UVs of an .obj file that multiplies friction; see maps."},
    {"objects[]", "vertex_structure", SCENE_KEY_OPTIONAL, "array of [x, y, z]",
     "In place of structure_map: a direction for each vertex, in the space of the mesh."},
    {"objects[]", "vertex_friction", SCENE_KEY_OPTIONAL, "array of numbers from 0",
     "In place of friction_map: a multiplier of friction for each vertex."},
    {"objects[]", "vertex_stiffness", SCENE_KEY_OPTIONAL, "array of numbers from 0",
     "Of a cloth, solid or rod: a multiplier of elastic stiffness for each vertex; an element has "
     "the mean of its corners."},
    {"objects[]", "maps", SCENE_KEY_OPTIONAL, "object", "How the two maps are read."},

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

static bool is_kind(const scene_key *key) {
  return strcmp(key->name, "kind") == 0 && strcmp(key->place, "objects[]") == 0;
}

const char *scene_key_type(const scene_key *key, char out[SCENE_KEY_SIZE]) {
  if (!is_kind(key)) return key->type;
  char names[KIND_LIST_SIZE];
  snprintf(out, SCENE_KEY_SIZE, "%s", kind_list("\"", "\"", " or ", names));
  return out;
}

const char *scene_key_help(const scene_key *key, char out[SCENE_KEY_SIZE]) {
  if (!is_kind(key)) return key->help;
  size_t length = 0;
  const kind_row *k;
  for (size_t i = 0; (k = kind_at(i)) && length < SCENE_KEY_SIZE; i++)
    length += (size_t)snprintf(out + length, SCENE_KEY_SIZE - length, "%s%s: %s", i ? " " : "",
                               k->about.name, k->about.about);
  return out;
}

static const scene_key *find(const char *place, const char *name) {
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].place, place) == 0 && strcmp(keys[i].name, name) == 0) return &keys[i];
  return NULL;
}

static void add_place(const char *place, char *out, size_t size) {
  size_t length = strlen(out);
  snprintf(out + length, size - length, "%s%s", length ? ", or to " : "",
           *place ? place : "the top of the scene file");
}

/* Where else a key of this name stands: "time", "elastic of a solid, or to elastic of a cloth";
 * empty when nowhere. */
static void elsewhere(const char *name, char *out, size_t size) {
  size_t count;
  const params_heading *heading = params_headings(&count);
  *out = 0;
  for (size_t i = 0; i < count; i++)
    if (params_find(heading[i].group, name))
      add_place(*heading[i].place ? heading[i].title : "", out, size);
  if (*out) return;
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].name, name) == 0) add_place(keys[i].place, out, size);
}

static tribo_status unknown(const char *name, const char *place, const char *group,
                            tribo_error *err) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t known = 0, count;
  for (size_t i = 0; i < KEY_COUNT && known < MOST; i++)
    if (strcmp(keys[i].place, place) == 0) names[known++] = keys[i].name;
  const tribo_param_info *row = params_group(group, &count);
  for (size_t i = 0; i < count && known < MOST; i++) names[known++] = row[i].name;

  char other[TRIBO_MESSAGE_SIZE / 2];
  elsewhere(name, other, sizeof other);
  const char *meant = text_suggest(name, names, known);
  if (meant)
    return status_fail(err, TRIBO_BAD_INPUT, "unknown key '%.60s'; did you mean '%s'?", name,
                       meant);
  if (*other)
    return status_fail(err, TRIBO_BAD_INPUT, "unknown key '%.60s'; it belongs to %s", name, other);
  return status_fail(err, TRIBO_BAD_INPUT, "unknown key '%.60s'; remove it", name);
}

static tribo_status missing(const scene_key *key, tribo_error *err) {
  char type[SCENE_KEY_SIZE];
  return status_fail(err, TRIBO_BAD_INPUT, "key '%s' is missing; give \"%s\": %s", key->name,
                     key->name, scene_key_type(key, type));
}

tribo_status scene_keys_check(const cJSON *object, const char *place, const char *group,
                              tribo_error *err) {
  /* Unknown keys end the loop, so it meets at most one key more than there are known ones: looking
   * back for a double is cheap however large the file. */
  for (const cJSON *item = object->child; item; item = item->next) {
    if (!find(place, item->string) && !params_find(group, item->string))
      return unknown(item->string, place, group, err);
    for (const cJSON *before = object->child; before != item; before = before->next)
      if (strcmp(before->string, item->string) == 0)
        return status_fail(err, TRIBO_BAD_INPUT, "key '%s' stands twice; keep one", item->string);
  }
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(keys[i].place, place) == 0 && keys[i].need == SCENE_KEY_REQUIRED &&
        !cJSON_GetObjectItemCaseSensitive(object, keys[i].name))
      return missing(&keys[i], err);
  return TRIBO_OK;
}

/* ---- keys of some kinds ---------------------------------------------------------------------- */

/* What a kind has to have for a key. */
typedef enum key_need {
  OWN_GROUP, /* its own parameters stand under the key */
  DEFORMS,
  PINNABLE,
  TETS,
  SIMULATED,
  GIVEN
} key_need;

/* Keys of "objects[]" that not every kind has. */
static const struct {
  const char *name;
  key_need need;
  const char *remedy;
} kind_keys[] = {
    {"elastic", OWN_GROUP, "remove it; the density of a rigid body stands in \"rigid\""},
    {"rigid", OWN_GROUP, "remove it; the density of a cloth, solid or rod stands in \"elastic\""},
    {"pin", PINNABLE, "remove it, or make it a collider with an animation"},
    {"vertex_stiffness", DEFORMS, "remove it, or make it a cloth, solid or rod"},
    {"cage", TETS, "remove it, or make it a solid"},
    {"tets", TETS, "remove it, or make it a solid"},
    {"velocity", SIMULATED, "remove it; a collider moves by its animation"},
    {"spin", SIMULATED, "remove it; a collider moves by its animation"},
    {"drag", SIMULATED, "remove it; a collider does not feel the air"},
    {"animation", GIVEN, "remove it; the animation of pinned vertices stands in \"pin\""},
    {"points", GIVEN, "remove it, or make it a collider"},
    {"transforms", GIVEN, "remove it, or make it a collider"},
    {"motion_start", GIVEN, "remove it, or make it a collider"},
    {"motion_interval", GIVEN, "remove it, or make it a collider"},
    {"present", GIVEN, "remove it, or make it a collider; what is simulated is always there"},
};

static bool takes(const tribo_kind_info *kind, const char *key, key_need need) {
  switch (need) {
    case OWN_GROUP: return kind->key && strcmp(kind->key, key) == 0;
    case DEFORMS: return kind->deforms;
    case PINNABLE: return kind->pinnable;
    case TETS: return kind->mesh == TRIBO_MESH_TETS;
    case SIMULATED: return kind->simulated;
    case GIVEN: return !kind->simulated;
  }
  return true;
}

tribo_status scene_keys_check_kind(const cJSON *object, tribo_kind kind, tribo_error *err) {
  const tribo_kind_info *about = &kind_at((size_t)kind)->about;
  for (size_t i = 0; i < sizeof kind_keys / sizeof *kind_keys; i++) {
    if (takes(about, kind_keys[i].name, kind_keys[i].need)) continue;
    if (cJSON_GetObjectItemCaseSensitive(object, kind_keys[i].name))
      return status_fail(err, TRIBO_BAD_INPUT, "kind '%s' has no key '%s'; %s", about->name,
                         kind_keys[i].name, kind_keys[i].remedy);
  }
  return TRIBO_OK;
}
