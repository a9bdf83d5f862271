/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "kinds/kind.h"
#include "scene/params.h"
#include "scene/scene_check.h"

/* ---- objects that the scene owns ------------------------------------------------------------- */

/* A copy of `count` items, NULL for none; *ok turns false when memory has run out. */
static void *copy(const void *data, size_t count, size_t size, bool *ok) {
  if (!data || count == 0) return NULL;
  void *mine = count <= SIZE_MAX / size ? malloc(count * size) : NULL;
  if (mine) memcpy(mine, data, count * size);
  *ok = *ok && mine;
  return mine;
}

#define COPY(data, count) copy((data), (count), sizeof *(data), ok)

static tribo_pin_def copy_pin(const tribo_pin_def *pin, bool *ok) {
  tribo_pin_def mine = *pin;
  mine.vertices = COPY(pin->vertices, pin->vertex_count);
  mine.targets = COPY(pin->targets, 3 * pin->target_count * pin->vertex_count);
  return mine;
}

static void free_pair(friction_pair_def *pair) {
  free((void *)pair->a);
  free((void *)pair->b);
}

static void free_object(tribo_object_def *o) {
  for (size_t i = 0; o->pins && i < o->pin_count; i++) {
    free((void *)o->pins[i].vertices);
    free((void *)o->pins[i].targets);
  }
  free((void *)o->pins);
  free((void *)o->name);
  free((void *)o->material);
  free((void *)o->positions);
  free((void *)o->triangles);
  free((void *)o->uvs);
  free((void *)o->tets);
  free((void *)o->cage);
  free((void *)o->segments);
  free((void *)o->motion.transforms);
  free((void *)o->motion.points);
  free((void *)o->presence.ranges);
  free((void *)o->structure_map.pixels);
  free((void *)o->friction_map.pixels);
  free((void *)o->vertex_structure);
  free((void *)o->vertex_friction);
  free((void *)o->vertex_stiffness);
}

static size_t map_values(const tribo_map_def *map) {
  return (size_t)map->width * (size_t)map->height * (size_t)map->channels;
}

static tribo_map_def copy_map(const tribo_map_def *map, bool *ok) {
  tribo_map_def mine = {0};
  if (!map->pixels) return mine;
  mine = *map;
  mine.pixels = COPY(map->pixels, map_values(map));
  return mine;
}

static tribo_object_def copy_object(const tribo_object_def *def, bool *ok) {
  tribo_object_def mine = *def;
  mine.name = COPY(def->name, strlen(def->name) + 1);
  mine.positions = COPY(def->positions, 3 * def->vertex_count);
  mine.triangles = COPY(def->triangles, 3 * def->triangle_count);
  mine.uvs = COPY(def->uvs, 6 * def->triangle_count);
  mine.tets = COPY(def->tets, 4 * def->tet_count);
  mine.cage = COPY(def->cage, 3 * def->cage_count);
  mine.segments = COPY(def->segments, 2 * def->segment_count);
  mine.material = def->material ? COPY(def->material, strlen(def->material) + 1) : NULL;
  mine.motion.transforms = COPY(def->motion.transforms, 16 * def->motion.sample_count);
  mine.motion.points = COPY(def->motion.points, 3 * def->motion.sample_count * def->vertex_count);
  mine.presence.ranges = COPY(def->presence.ranges, 2 * def->presence.range_count);
  mine.structure_map = copy_map(&def->structure_map, ok);
  mine.friction_map = copy_map(&def->friction_map, ok);
  mine.vertex_structure = COPY(def->vertex_structure, 3 * def->vertex_count);
  mine.vertex_friction = COPY(def->vertex_friction, def->vertex_count);
  mine.vertex_stiffness = COPY(def->vertex_stiffness, def->vertex_count);
  mine.pins = NULL;
  if (def->pin_count > 0) {
    tribo_pin_def *pins = calloc(def->pin_count, sizeof *pins);
    *ok = *ok && pins;
    for (size_t i = 0; pins && i < def->pin_count; i++) pins[i] = copy_pin(&def->pins[i], ok);
    mine.pins = pins;
  }
  return mine;
}

/* ---- the scene ------------------------------------------------------------------------------- */

tribo_status scene_create(tribo_scene **out, tribo_error *err) {
  *out = calloc(1, sizeof **out);
  if (!*out) return status_no_memory(err, "a scene");
  (*out)->world = tribo_world_defaults();
  (*out)->time = tribo_time_defaults();
  (*out)->solver = tribo_solver_defaults();
  (*out)->combine = tribo_combine_defaults();
  (*out)->friction = tribo_friction_defaults();
  return TRIBO_OK;
}

void scene_free(tribo_scene *scene) {
  if (!scene) return;
  for (size_t i = 0; i < scene->objects.count; i++) free_object(&scene->objects.data[i]);
  ARRAY_FREE(scene->objects);
  for (size_t i = 0; i < scene->pairs.count; i++) free_pair(&scene->pairs.data[i]);
  ARRAY_FREE(scene->pairs);
  for (size_t i = 0; i < scene->notes.count; i++) free(scene->notes.data[i].text);
  ARRAY_FREE(scene->notes);
  free(scene);
}

tribo_status scene_add_note(tribo_scene *scene, size_t object, const char *text, tribo_error *err) {
  scene_note note = {object, text_copy(text)};
  if (note.text && ARRAY_PUSH(scene->notes, note)) return TRIBO_OK;
  free(note.text);
  return status_no_memory(err, "a note");
}

tribo_status scene_add(tribo_scene *scene, const tribo_object_def *def, size_t *index,
                       tribo_error *err) {
  TRY(scene_check_object(scene, def, err));
  bool ok = ARRAY_RESERVE(scene->objects, scene->objects.count + 1);
  if (!ok) return status_no_memory(err, "an object");
  tribo_object_def mine = copy_object(def, &ok);
  if (!ok) {
    free_object(&mine);
    return status_no_memory(err, "an object");
  }
  char note[TRIBO_MESSAGE_SIZE] = "";
  const kind_row *kind = kind_of(&mine);
  size_t number = scene->objects.count;
  tribo_status status = kind->mend ? kind->mend(&mine, note, err) : TRIBO_OK;
  if (status == TRIBO_OK && *note) status = scene_add_note(scene, number, note, err);
  if (status != TRIBO_OK) {
    free_object(&mine);
    return status;
  }
  if (index) *index = number;
  scene->objects.data[scene->objects.count++] = mine;
  return TRIBO_OK;
}

static bool same_pair(const friction_pair_def *p, const char *a, const char *b) {
  return (strcmp(p->a, a) == 0 && strcmp(p->b, b) == 0) ||
         (strcmp(p->a, b) == 0 && strcmp(p->b, a) == 0);
}

/* A pair that is set anew moves to the end: the latest of its rank is the one that counts. */
static void drop_pair(tribo_scene *scene, const char *a, const char *b) {
  friction_pair_def *pair = scene->pairs.data;
  for (size_t i = 0; i < scene->pairs.count; i++) {
    if (!same_pair(&pair[i], a, b)) continue;
    free_pair(&pair[i]);
    scene->pairs.count--;
    memmove(&pair[i], &pair[i + 1], (scene->pairs.count - i) * sizeof *pair);
    return;
  }
}

tribo_status scene_set_pair(tribo_scene *scene, const char *a, const char *b,
                            const tribo_friction_params *friction, tribo_error *err) {
  TRY(scene_check_pair(a, b, friction, err));
  friction_pair_def pair = {text_copy(a), text_copy(b), *friction};
  if (!pair.a || !pair.b || !ARRAY_RESERVE(scene->pairs, scene->pairs.count + 1)) {
    free_pair(&pair);
    return status_no_memory(err, "a pair of materials");
  }
  drop_pair(scene, a, b);
  scene->pairs.data[scene->pairs.count++] = pair;
  return TRIBO_OK;
}

double scene_step_seconds(const tribo_scene *scene) {
  return 1 / (scene->time.fps * scene->time.substeps);
}

/* ---- settings -------------------------------------------------------------------------------- */

static void *settings_of(tribo_scene *scene, const char *group) {
  if (strcmp(group, "world") == 0) return &scene->world;
  if (strcmp(group, "time") == 0) return &scene->time;
  if (strcmp(group, "solver") == 0) return &scene->solver;
  if (strcmp(group, "combine") == 0) return &scene->combine;
  if (strcmp(group, "friction") == 0) return &scene->friction;
  return NULL; /* a group of objects */
}

static tribo_status unknown_setting(tribo_scene *scene, const char *key, tribo_error *err) {
  enum { MOST = 64 };
  char keys[MOST][PARAMS_KEY_SIZE], list[TRIBO_MESSAGE_SIZE / 2] = "";
  const char *names[MOST], *meant = NULL, *dot = strrchr(key, '.'), *last = dot ? dot + 1 : key;
  size_t count, known = 0, length = 0;
  const tribo_param_info *row = tribo_param_table(&count);
  for (size_t i = 0; i < count && known < MOST; i++) {
    if (!settings_of(scene, row[i].group)) continue;
    names[known] = params_key(&row[i], keys[known]);
    if (strcmp(row[i].name, last) == 0) meant = names[known]; /* "substeps" without its group */
    if (length < sizeof list)
      length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", known ? ", " : "",
                                 names[known]);
    known++;
  }
  if (!meant) meant = text_suggest(key, names, known);
  if (meant)
    return status_fail(err, TRIBO_BAD_INPUT, "unknown setting '%.60s'; did you mean '%s'?", key,
                       meant);
  return status_fail(err, TRIBO_BAD_INPUT, "unknown setting '%.60s'; the settings are %s", key,
                     list);
}

void scene_note_given(tribo_scene *scene, const char *group, const char *name) {
  if (strcmp(group, "world") == 0 && strcmp(name, "method") == 0) scene->given.method = true;
  if (strcmp(group, "time") == 0 && strcmp(name, "substeps") == 0) scene->given.substeps = true;
}

tribo_status scene_set(tribo_scene *scene, const char *key, const char *value, tribo_error *err) {
  size_t count;
  const tribo_param_info *row = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++) {
    char name[PARAMS_KEY_SIZE];
    void *params = settings_of(scene, row[i].group);
    if (!params || strcmp(params_key(&row[i], name), key) != 0) continue;
    TRY(params_set_text(&row[i], value, params, err));
    scene_note_given(scene, row[i].group, row[i].name);
    return TRIBO_OK;
  }
  return unknown_setting(scene, key, err);
}

tribo_status scene_check(const tribo_scene *scene, tribo_error *err) {
  TRY(params_check("world", &scene->world, err));
  TRY(params_check("time", &scene->time, err));
  TRY(params_check("solver", &scene->solver, err));
  TRY(params_check("combine", &scene->combine, err));
  TRY(params_check("friction", &scene->friction, err));
  tribo_status status = law_check(&scene->friction, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "friction.default.");
  if (law_make(&scene->friction).tensors)
    return status_fail(
        err, TRIBO_BAD_INPUT,
        "friction.default has tensor_a and tensor_b, which are of two surfaces; give "
        "them to a pair of friction.pairs");
  if (scene->time.end < scene->time.start)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "time.end is %d, before time.start %d; give a frame from %d on",
                       scene->time.end, scene->time.start, scene->time.start);
  return TRIBO_OK;
}

/* ---- the hash -------------------------------------------------------------------------------- */

/* With the count, and whether there is anything at all, so that neighbours cannot be confused. */
static uint64_t hash_array(uint64_t hash, const void *data, size_t count, size_t size) {
  uint64_t length = data ? (uint64_t)count : UINT64_MAX;
  hash = hash_bytes(hash, &length, sizeof length);
  return data ? hash_bytes(hash, data, count * size) : hash;
}

static uint64_t hash_pin(uint64_t hash, const tribo_pin_def *pin) {
  hash = hash_array(hash, pin->vertices, pin->vertex_count, sizeof *pin->vertices);
  hash = hash_array(hash, pin->targets, 3 * pin->target_count * pin->vertex_count,
                    sizeof *pin->targets);
  if (pin->targets) {
    hash = hash_bytes(hash, &pin->target_start, sizeof pin->target_start);
    hash = hash_bytes(hash, &pin->target_interval, sizeof pin->target_interval);
  }
  return params_hash(hash, "pin", &pin->params, NULL);
}

static uint64_t hash_motion(uint64_t hash, const tribo_object_def *o) {
  const tribo_motion_def *motion = &o->motion;
  if (motion->sample_count == 0) return hash;
  hash = hash_array(hash, motion->transforms, 16 * motion->sample_count, sizeof(double));
  hash =
      hash_array(hash, motion->points, 3 * motion->sample_count * o->vertex_count, sizeof(double));
  hash = hash_bytes(hash, &motion->start, sizeof motion->start);
  return hash_bytes(hash, &motion->interval, sizeof motion->interval);
}

static uint64_t hash_presence(uint64_t hash, const tribo_presence_def *presence) {
  if (!presence->limited) return hash;
  hash = hash_text(hash, "present");
  return hash_array(hash, presence->ranges, 2 * presence->range_count, sizeof(double));
}

/* What an object is made of, by kind; a collider of nothing but its shape. */
static uint64_t hash_matter(uint64_t hash, const tribo_object_def *o) {
  if (o->vertex_stiffness)
    hash = hash_array(hash, o->vertex_stiffness, o->vertex_count, sizeof *o->vertex_stiffness);
  if (o->segments) hash = hash_array(hash, o->segments, 2 * o->segment_count, sizeof *o->segments);
  const tribo_kind_info *about = &kind_of(o)->about;
  if (about->group) hash = params_hash(hash, about->group, kind_params(o), NULL);
  if (about->simulated) return hash;
  return hash_presence(hash_motion(hash, o), &o->presence);
}

static uint64_t hash_map(uint64_t hash, const tribo_map_def *map) {
  hash = hash_array(hash, map->pixels, map_values(map), sizeof *map->pixels);
  if (!map->pixels) return hash;
  hash = hash_bytes(hash, &map->width, sizeof map->width);
  return hash_bytes(hash, &map->channels, sizeof map->channels);
}

static uint64_t hash_paint(uint64_t hash, const tribo_object_def *o) {
  hash = hash_map(hash, &o->structure_map);
  hash = hash_map(hash, &o->friction_map);
  hash = hash_array(hash, o->vertex_structure, 3 * o->vertex_count, sizeof *o->vertex_structure);
  hash = hash_array(hash, o->vertex_friction, o->vertex_count, sizeof *o->vertex_friction);
  return params_hash(hash, "maps", &o->maps, NULL);
}

static uint64_t hash_object(uint64_t hash, const tribo_object_def *o) {
  int32_t kind = (int32_t)o->kind;
  hash = hash_text(hash, o->name);
  hash = hash_bytes(hash, &kind, sizeof kind);
  hash = hash_array(hash, o->positions, 3 * o->vertex_count, sizeof *o->positions);
  hash = hash_array(hash, o->triangles, 3 * o->triangle_count, sizeof *o->triangles);
  hash = hash_array(hash, o->uvs, 6 * o->triangle_count, sizeof *o->uvs);
  hash = hash_array(hash, o->tets, 4 * o->tet_count, sizeof *o->tets);
  hash = hash_array(hash, o->cage, 3 * o->cage_count, sizeof *o->cage);
  hash = hash_array(hash, o->material, o->material ? strlen(o->material) : 0, 1);
  for (size_t i = 0; i < o->pin_count; i++) hash = hash_pin(hash, &o->pins[i]);
  hash = params_hash(hash, "object", &o->object, NULL);
  hash = params_hash(hash, "surface", &o->surface, NULL);
  hash = hash_paint(hash, o);
  return hash_matter(hash, o);
}

uint64_t scene_hash(const tribo_scene *scene) {
  uint64_t hash = HASH_START;
  hash = params_hash(hash, "world", &scene->world, "quality");
  hash = params_hash(hash, "time", &scene->time, "end");
  hash = params_hash(hash, "solver", &scene->solver, NULL);
  for (size_t i = 0; i < scene->objects.count; i++)
    hash = hash_object(hash, &scene->objects.data[i]);
  hash = params_hash(hash, "combine", &scene->combine, NULL);
  hash = params_hash(hash, "friction", &scene->friction, NULL);
  for (size_t i = 0; i < scene->pairs.count; i++) {
    const friction_pair_def *pair = &scene->pairs.data[i];
    hash = hash_text(hash_text(hash, pair->a), pair->b);
    hash = params_hash(hash, "friction", &pair->friction, NULL);
  }
  return hash;
}
