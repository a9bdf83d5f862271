/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "io/msh.h"
#include "io/obj.h"
#include "kinds/kind.h"
#include "math/vec3.h"
#include "scene/fill.h"
#include "scene/json.h"
#include "scene/params.h"
#include "scene/scene_check.h"
#include "scene/scene_file.h"
#include "scene/scene_friction.h"
#include "scene/scene_keys.h"
#include "scene/scene_maps.h"
#include "scene/scene_motion.h"
#include "scene/scene_pin.h"
#include "scene/shortest.h"

static tribo_status wrong_type(const char *key, const char *expected, const cJSON *value,
                               tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s must be %s, not %s", key, expected,
                     json_kind(value));
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The parameters among the members of an object; the keys have been checked. */
static tribo_status read_params(const cJSON *object, const char *group, void *params,
                                tribo_error *err) {
  for (const cJSON *item = object->child; item; item = item->next) {
    const tribo_param_info *row = params_find(group, item->string);
    if (row) TRY(params_set_json(row, item, params, err));
  }
  return TRIBO_OK;
}

/* An object of its own under `key` that holds the parameters of a group; may be absent. */
static tribo_status read_group(const cJSON *parent, const char *key, const char *place,
                               const char *group, void *params, tribo_error *err) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(parent, key);
  if (!object) return TRIBO_OK;
  if (!cJSON_IsObject(object)) return wrong_type(key, "an object {}", object, err);
  tribo_status status = scene_keys_check(object, place, group, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "%s: ", key);
  return read_params(object, group, params, err);
}

/* ---- the mesh -------------------------------------------------------------------------------- */

/* A mirrored mesh would have its tets inside out, a squashed one flat. */
static tribo_status check_transform(const double m[16], tribo_error *err) {
  for (int i = 0; i < 16; i++)
    if (!isfinite(m[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "transform[%d] is %g; give a finite number", i,
                         m[i]);
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "transform ends in the row (%g, %g, %g, %g); give 16 numbers row by row, the "
        "last row 0, 0, 0, 1",
        m[12], m[13], m[14], m[15]);
  vec3 x = vec3_make(m[0], m[4], m[8]), y = vec3_make(m[1], m[5], m[9]),
       z = vec3_make(m[2], m[6], m[10]);
  double determinant = vec3_dot(vec3_cross(x, y), z);
  if (!(fabs(determinant) > 1e-9 * vec3_norm(x) * vec3_norm(y) * vec3_norm(z)))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "transform squashes the mesh flat (determinant %g); scale by more than 0",
                       determinant);
  if (determinant < 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "transform mirrors the mesh (determinant %g); mirror the mesh itself",
                       determinant);
  return TRIBO_OK;
}

static tribo_status apply_transform(const cJSON *value, mesh *m, tribo_error *err) {
  double t[16];
  if (!json_numbers(value, 16, t)) return wrong_type("transform", "16 numbers", value, err);
  TRY(check_transform(t, err));
  for (size_t v = 0; v < m->vertex_count; v++) {
    double *p = m->positions + 3 * v;
    vec3 q = vec3_from(p);
    for (int row = 0; row < 3; row++) p[row] = vec3_dot(vec3_from(t + 4 * row), q) + t[4 * row + 3];
  }
  return TRIBO_OK;
}

/* The mesh that `key` names, with the elements that are asked for, moved into the world. `whom`
 * ends the messages: "a cloth". */
static tribo_status read_mesh(const cJSON *object, const char *key, const char *folder,
                              tribo_kind_mesh elements, const char *whom, mesh *out,
                              tribo_error *err) {
  bool tets = elements == TRIBO_MESH_TETS;
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsString(value)) return wrong_type(key, "a path in quotes", value, err);
  const char *name = value->valuestring;
  if (!text_ends_in(name, tets ? ".msh" : ".obj"))
    return status_fail(err, TRIBO_BAD_INPUT, "%s '%.200s' must be %s, for %s", key, name,
                       tets ? "a Gmsh .msh file with tets" : "an .obj file", whom);
  char *path = file_join(folder, name);
  if (!path) return status_no_memory(err, "a path");
  tribo_status status = tets ? msh_read(path, out, err) : obj_read(path, out, err);
  free(path);
  TRY(status);
  if (elements == TRIBO_MESH_SEGMENTS && out->edge_count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.200s' has no lines ('l' in OBJ); the segments of %s are read from them",
                       name, whom);
  if (elements == TRIBO_MESH_TRIANGLES && out->triangle_count == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s' has no triangles; %s is made of them", name,
                       whom);
  if (tets && out->tet_count == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.200s' has no tets; mesh the volume, %s is made of them", name, whom);
  const cJSON *transform = cJSON_GetObjectItemCaseSensitive(object, "transform");
  return transform ? apply_transform(transform, out, err) : TRIBO_OK;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* What an object is made of while it is read; the scene makes its own copy. */
typedef struct parts {
  tribo_object_def def;
  mesh shape, cage;
  ARRAY(tribo_pin_def) pins;
  char note[TRIBO_MESSAGE_SIZE]; /* "": none */
} parts;

static void parts_free(parts *p) {
  for (size_t i = 0; i < p->pins.count; i++) scene_pin_free(&p->pins.data[i]);
  ARRAY_FREE(p->pins);
  scene_motion_free(&p->def.motion);
  scene_presence_free(&p->def.presence);
  scene_maps_free(&p->def);
  mesh_free(&p->shape);
  mesh_free(&p->cage);
}

static tribo_status read_kind(const cJSON *object, tribo_kind *out, tribo_error *err) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, "kind");
  char quoted[KIND_LIST_SIZE], known[KIND_LIST_SIZE];
  kind_list("\"", "\"", " or ", quoted);
  if (!value)
    return status_fail(err, TRIBO_BAD_INPUT, "key 'kind' is missing; give \"kind\": %s", quoted);
  if (!cJSON_IsString(value)) return wrong_type("kind", quoted, value, err);
  const kind_row *found = kind_named(value->valuestring);
  if (!found)
    return status_fail(err, TRIBO_BAD_INPUT, "kind '%.60s' is unknown; give %s", value->valuestring,
                       kind_list("", "", " or ", known));
  *out = found->about.kind;
  return TRIBO_OK;
}

static tribo_status read_pins(const cJSON *object, const char *folder, parts *p, tribo_error *err) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, "pin");
  if (!value) return TRIBO_OK;
  const cJSON *first = cJSON_IsArray(value) ? value->child : value;
  for (const cJSON *item = first; item; item = cJSON_IsArray(value) ? item->next : NULL) {
    tribo_pin_def pin;
    tribo_status status = scene_pin_read(item, folder, &p->shape, &pin, err);
    if (status != TRIBO_OK) return status_prefix(err, status, "pin %zu: ", p->pins.count);
    if (!ARRAY_PUSH(p->pins, pin)) {
      scene_pin_free(&pin);
      return status_no_memory(err, "pins");
    }
  }
  return TRIBO_OK;
}

static tribo_status read_matter(const cJSON *object, tribo_object_def *def, tribo_error *err) {
  TRY(read_params(object, "object", &def->object, err));
  TRY(read_group(object, "surface", "objects[].surface", "surface", &def->surface, err));
  const tribo_kind_info *about = &kind_of(def)->about;
  if (!about->group) return TRIBO_OK;
  char place[PARAMS_KEY_SIZE];
  snprintf(place, sizeof place, "objects[].%s", about->key);
  return read_group(object, about->key, place, about->group, kind_params_of(def), err);
}

/* Whether a solid's mesh is a surface whose inside is still to be made. */
static tribo_status is_hollow(const cJSON *object, const tribo_object_def *def, bool *out,
                              tribo_error *err) {
  const cJSON *mesh_name = cJSON_GetObjectItemCaseSensitive(object, "mesh");
  bool caged = cJSON_GetObjectItemCaseSensitive(object, "cage") != NULL;
  bool tets = cJSON_GetObjectItemCaseSensitive(object, "tets") != NULL;
  *out = kind_of(def)->about.mesh == TRIBO_MESH_TETS && !caged && cJSON_IsString(mesh_name) &&
         text_ends_in(mesh_name->valuestring, ".obj");
  if (!tets || *out) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT, "key 'tets' is for a mesh without any; %s",
                     caged ? "remove it, or the cage" : "remove it, or give an .obj file");
}

/* The inside of the surface at hand becomes the cage. */
static tribo_status fill_shape(const cJSON *object, parts *p, tribo_error *err) {
  tribo_fill_params params = tribo_fill_defaults();
  TRY(read_group(object, "tets", "objects[].tets", "fill", &params, err));
  tribo_tets made;
  TRY(fill_tets(&p->def, &params, &made, err));
  p->cage = (mesh){.vertex_count = made.node_count,
                   .positions = made.nodes,
                   .tet_count = made.tet_count,
                   .tets = made.tets};
  fill_note(&made, p->note);
  return TRIBO_OK;
}

static tribo_status read_shape(const cJSON *object, const char *folder, parts *p,
                               tribo_error *err) {
  tribo_object_def *def = &p->def;
  bool caged = cJSON_GetObjectItemCaseSensitive(object, "cage") != NULL, hollow;
  TRY(is_hollow(object, def, &hollow, err));
  tribo_kind_mesh elements = kind_of(def)->about.mesh;
  bool made_of_tets = elements == TRIBO_MESH_TETS;
  bool tets = made_of_tets && !caged && !hollow;
  if (made_of_tets && !tets) elements = TRIBO_MESH_TRIANGLES;
  TRY(read_mesh(object, "mesh", folder, elements,
                caged ? "the surface in a cage" : kind_of(def)->about.article, &p->shape, err));
  def->positions = p->shape.positions;
  def->vertex_count = p->shape.vertex_count;
  if (elements == TRIBO_MESH_SEGMENTS) {
    def->segments = p->shape.edges;
    def->segment_count = p->shape.edge_count;
  } else if (!tets) {
    def->triangles = p->shape.triangles;
    def->triangle_count = p->shape.triangle_count;
    def->uvs = p->shape.uvs;
  }
  if (caged)
    TRY(read_mesh(object, "cage", folder, TRIBO_MESH_TETS, "the cage of a solid", &p->cage, err));
  if (hollow) TRY(fill_shape(object, p, err));
  if (!made_of_tets) return TRIBO_OK;
  const mesh *volume = tets ? &p->shape : &p->cage;
  def->tets = volume->tets;
  def->tet_count = volume->tet_count;
  def->cage = p->cage.positions;
  def->cage_count = p->cage.vertex_count;
  return TRIBO_OK;
}

static tribo_status read_material(const cJSON *object, tribo_object_def *def, tribo_error *err) {
  const cJSON *material = cJSON_GetObjectItemCaseSensitive(object, "material");
  if (!material) return TRIBO_OK;
  if (!cJSON_IsString(material)) return wrong_type("material", "a name in quotes", material, err);
  def->material = material->valuestring;
  return TRIBO_OK;
}

static tribo_status read_parts(const cJSON *object, const char *folder, parts *p,
                               tribo_error *err) {
  if (!cJSON_IsObject(object)) return wrong_type("it", "an object {}", object, err);
  tribo_kind kind = TRIBO_CLOTH;
  TRY(read_kind(object, &kind, err)); /* first: keys of kinds to come are unknown now */
  TRY(scene_keys_check(object, "objects[]", "object", err));
  TRY(scene_keys_check_kind(object, kind, err));
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
  if (!cJSON_IsString(name)) return wrong_type("name", "a string", name, err);

  p->def = tribo_object_default(kind);
  p->def.name = name->valuestring;
  TRY(read_material(object, &p->def, err));
  TRY(read_matter(object, &p->def, err));
  TRY(read_shape(object, folder, p, err));
  TRY(scene_motion_read(object, folder, p->def.vertex_count, &p->def.motion, err));
  TRY(scene_presence_read(object, &p->def.presence, err));
  TRY(read_group(object, "maps", "objects[].maps", "maps", &p->def.maps, err));
  TRY(scene_maps_read(object, folder, &p->def, err));
  TRY(read_pins(object, folder, p, err));
  p->def.pins = p->pins.data;
  p->def.pin_count = p->pins.count;
  return TRIBO_OK;
}

/* "objects[1] 'sheet'": the name as far as there is one that can be shown. */
static void label_object(const cJSON *object, size_t number, char *out, size_t size) {
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
  bool shown = cJSON_IsString(name) && *name->valuestring;
  snprintf(out, size, shown ? "objects[%zu] '%.60s'" : "objects[%zu]", number,
           shown ? name->valuestring : "");
  for (char *c = out; *c; c++)
    if ((unsigned char)*c < 0x20) *c = '?';
}

static tribo_status read_object(const cJSON *object, size_t number, const char *folder,
                                tribo_scene *scene, tribo_error *err) {
  parts p = {0};
  tribo_status status = read_parts(object, folder, &p, err);
  if (status == TRIBO_OK) {
    size_t index;
    status = scene_add(scene, &p.def, &index, err);
    if (status == TRIBO_OK && *p.note) status = scene_add_note(scene, index, p.note, err);
  } else {
    char label[96];
    label_object(object, number, label, sizeof label);
    status_prefix(err, status, "%s: ", label);
  }
  parts_free(&p);
  return status;
}

/* ---- the scene ------------------------------------------------------------------------------- */

static void note_given(const cJSON *object, const char *group, tribo_scene *scene) {
  for (const cJSON *item = object ? object->child : NULL; item; item = item->next)
    scene_note_given(scene, group, item->string);
}

static tribo_status read_scene(const cJSON *root, const char *folder, tribo_scene *scene,
                               tribo_error *err) {
  if (!cJSON_IsObject(root)) return wrong_type("the scene", "an object {}", root, err);
  TRY(scene_keys_check(root, "", "world", err));
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "tribo");
  if (!cJSON_IsNumber(version)) return wrong_type("tribo", "the number 1", version, err);
  if (version->valuedouble != 1) {
    char text[SHORTEST_SIZE];
    return status_fail(err, TRIBO_BAD_INPUT, "tribo is %s; this program reads version 1 of scenes",
                       shortest_text(version->valuedouble, text));
  }
  TRY(read_params(root, "world", &scene->world, err));
  TRY(read_group(root, "time", "time", "time", &scene->time, err));
  note_given(root, "world", scene);
  note_given(cJSON_GetObjectItemCaseSensitive(root, "time"), "time", scene);
  TRY(read_group(root, "solver", "solver", "solver", &scene->solver, err));
  const cJSON *friction = cJSON_GetObjectItemCaseSensitive(root, "friction");
  if (friction) TRY(scene_friction_read(friction, scene, err));
  TRY(scene_check(scene, err));

  const cJSON *objects = cJSON_GetObjectItemCaseSensitive(root, "objects");
  if (!objects) return TRIBO_OK;
  if (!cJSON_IsArray(objects)) return wrong_type("objects", "an array []", objects, err);
  size_t number = 0;
  for (const cJSON *item = objects->child; item; item = item->next, number++)
    TRY(read_object(item, number, folder, scene, err));
  return TRIBO_OK;
}

tribo_status scene_file_parse(const char *name, const char *folder, const char *text, size_t size,
                              tribo_scene **out, tribo_error *err) {
  *out = NULL;
  cJSON *root = NULL;
  tribo_scene *scene = NULL;
  tribo_status status = json_parse(text, size, &root, err);
  if (status == TRIBO_OK) status = scene_create(&scene, err);
  if (status == TRIBO_OK) status = read_scene(root, folder, scene, err);
  cJSON_Delete(root);
  if (status != TRIBO_OK) {
    scene_free(scene);
    return status_prefix(err, status, "'%.300s': ", name);
  }
  *out = scene;
  return TRIBO_OK;
}

tribo_status scene_file_read(const char *path, tribo_scene **out, tribo_error *err) {
  *out = NULL;
  file_text text;
  TRY(file_read(path, &text, err));
  char *folder = file_folder(path);
  tribo_status status = folder ? scene_file_parse(path, folder, text.data, text.size, out, err)
                               : status_no_memory(err, "a path");
  free(folder);
  free(text.data);
  return status;
}
