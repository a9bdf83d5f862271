/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/key.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "scene/json.h"

enum { WORD = 256 };

/* One step of the way: a member's name, then perhaps what stands in brackets behind it. */
typedef struct key_part {
  char name[WORD], index[WORD];
  bool indexed;
} key_part;

static tribo_status malformed(const char *key, tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT,
                     "'%.200s' is no key of a scene file; write it like solver.tolerance, "
                     "objects[sheet].elastic.young or friction.pairs[wood,sheet].mu",
                     key);
}

/* The next part, and *at behind it: at the '.' that follows, or at the end. */
static bool next_part(const char **at, key_part *out) {
  size_t length = strcspn(*at, ".[");
  *out = (key_part){0};
  if (length == 0 || length >= WORD) return false;
  memcpy(out->name, *at, length);
  *at += length;
  if (**at != '[') return true;
  const char *close = strchr(*at, ']');
  if (!close || close == *at + 1 || close - *at > WORD) return false;
  memcpy(out->index, *at + 1, (size_t)(close - *at - 1));
  out->indexed = true;
  *at = close + 1;
  return **at == 0 || **at == '.';
}

/* ---- items of arrays ---- */

static bool has_text(const cJSON *object, const char *key, const char *text) {
  const cJSON *value = json_member(object, key);
  return cJSON_IsString(value) && strcmp(value->valuestring, text) == 0;
}

static cJSON *by_name(const cJSON *array, const char *name) {
  for (cJSON *item = array->child; item; item = item->next)
    if (has_text(item, "name", name)) return item;
  return NULL;
}

/* Names may hold commas: every one is tried as the place where the second begins. */
static cJSON *by_pair(const cJSON *array, const char *both) {
  char a[WORD];
  for (const char *comma = strchr(both, ','); comma; comma = strchr(comma + 1, ',')) {
    snprintf(a, sizeof a, "%.*s", (int)(comma - both), both);
    for (cJSON *item = array->child; item; item = item->next)
      if ((has_text(item, "a", a) && has_text(item, "b", comma + 1)) ||
          (has_text(item, "b", a) && has_text(item, "a", comma + 1)))
        return item;
  }
  return NULL;
}

static cJSON *add_pair(cJSON *array, const char *both) {
  char a[WORD];
  const char *comma = strchr(both, ',');
  if (!comma) return NULL;
  snprintf(a, sizeof a, "%.*s", (int)(comma - both), both);
  cJSON *item = cJSON_CreateObject();
  if (!item) return NULL;
  cJSON_AddStringToObject(item, "a", a);
  cJSON_AddStringToObject(item, "b", comma + 1);
  cJSON_AddItemToArray(array, item);
  return item;
}

static tribo_status no_item(const cJSON *array, const key_part *part, const char *key,
                            tribo_error *err) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t count = 0;
  for (const cJSON *item = array->child; item && count < MOST; item = item->next) {
    const cJSON *name = json_member(item, "name");
    if (cJSON_IsString(name)) names[count++] = name->valuestring;
  }
  const char *meant = text_suggest(part->index, names, count);
  if (meant)
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s': %s has no '%s'; did you mean '%s'?", key,
                       part->name, part->index, meant);
  char known[TRIBO_MESSAGE_SIZE / 2] = "";
  for (size_t i = 0, length = 0; i < count && length < sizeof known; i++)
    length +=
        (size_t)snprintf(known + length, sizeof known - length, "%s'%s'", i ? ", " : "", names[i]);
  return status_fail(err, TRIBO_BAD_INPUT, "'%.200s': %s has no '%s'; it has %s", key, part->name,
                     part->index, *known ? known : "nothing with a name");
}

static tribo_status find_item(cJSON *array, const key_part *part, const char *key, cJSON **out,
                              tribo_error *err) {
  int64_t number;
  bool pairs = strcmp(part->name, "pairs") == 0;
  cJSON *item = NULL;
  if (pairs)
    item = by_pair(array, part->index);
  else
    item = by_name(array, part->index);
  if (!item && pairs) item = add_pair(array, part->index);
  if (!item && number_read_int(part->index, strlen(part->index), &number) && number >= 0 &&
      number < cJSON_GetArraySize(array))
    item = cJSON_GetArrayItem(array, (int)number);
  if (!item) return no_item(array, part, key, err);
  *out = item;
  return TRIBO_OK;
}

/* ---- the way ---- */

static tribo_status step_into(cJSON *object, const key_part *part, const char *key, cJSON **out,
                              tribo_error *err) {
  cJSON *member = cJSON_GetObjectItemCaseSensitive(object, part->name);
  bool pairs = strcmp(part->name, "pairs") == 0;
  if (!member && (!part->indexed || pairs)) {
    member = pairs ? cJSON_CreateArray() : cJSON_CreateObject();
    if (!member || !cJSON_AddItemToObject(object, part->name, member))
      return status_no_memory(err, "a key");
  }
  bool single = part->indexed && cJSON_IsObject(member) && strcmp(part->index, "0") == 0;
  if (part->indexed && !single) {
    if (!member || !cJSON_IsArray(member))
      return status_fail(err, TRIBO_BAD_INPUT, "'%.200s': the scene has no list '%s'", key,
                         part->name);
    return find_item(member, part, key, out, err);
  }
  if (!cJSON_IsObject(member))
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s': '%s' is %s and has nothing inside of it",
                       key, part->name, json_kind(member));
  *out = member;
  return TRIBO_OK;
}

/* ---- where an object stands ---- */

typedef struct affine {
  double m[16];
} affine;

static const affine IDENTITY = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static affine product(const affine *a, const affine *b) {
  affine out = {{0}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++) out.m[4 * i + j] += a->m[4 * i + k] * b->m[4 * k + j];
  return out;
}

/* About one axis, by degrees. */
static affine rotation(int axis, double degrees) {
  affine out = IDENTITY;
  double angle = degrees * (M_PI / 180), c = cos(angle), s = sin(angle);
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  out.m[5 * i] = c;
  out.m[5 * j] = c;
  out.m[4 * i + j] = -s;
  out.m[4 * j + i] = s;
  return out;
}

/* T' = M T for a move, T R for turns about the mesh's own origin, T S for a factor. */
static affine placed(const affine *t, const char *how, const double v[3]) {
  affine out = *t;
  if (strcmp(how, "move") == 0) {
    for (int i = 0; i < 3; i++) out.m[4 * i + 3] += v[i];
    return out;
  }
  if (strcmp(how, "grow") == 0) {
    affine s = IDENTITY;
    for (int i = 0; i < 3; i++) s.m[5 * i] = v[0];
    return product(t, &s);
  }
  affine x = rotation(0, v[0]), y = rotation(1, v[1]), z = rotation(2, v[2]);
  affine zy = product(&z, &y), r = product(&zy, &x), there = IDENTITY;
  /* The turn is about the world's axes, at the place of the mesh's origin. */
  for (int i = 0; i < 3; i++) there.m[4 * i + 3] = t->m[4 * i + 3];
  affine linear = *t;
  for (int i = 0; i < 3; i++) linear.m[4 * i + 3] = 0;
  affine turned = product(&r, &linear);
  return product(&there, &turned);
}

/* What is in the world already would stay where it is. */
static const char *fixed_by(const cJSON *object) {
  const char *const keys[] = {"animation", "points", "transforms"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (json_member(object, keys[i])) return keys[i];
  const cJSON *pin = json_member(object, "pin");
  for (const cJSON *p = cJSON_IsArray(pin) ? pin->child : pin; p; p = p->next) {
    if (json_member(p, "animation")) return "animation of a pin";
    if (json_member(p, "targets")) return "targets of a pin";
  }
  return NULL;
}

static bool is_placing(const char *name) {
  return strcmp(name, "move") == 0 || strcmp(name, "turn") == 0 || strcmp(name, "grow") == 0;
}

static tribo_status place(cJSON *object, const char *how, const cJSON *value, const char *key,
                          tribo_error *err) {
  double v[3] = {0};
  bool grow = strcmp(how, "grow") == 0;
  if (grow ? !cJSON_IsNumber(value) : !json_numbers(value, 3, v))
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s' takes %s", key,
                       grow ? "a factor above 0" : "three numbers in brackets: [0,0,0.1]");
  if (grow) v[0] = value->valuedouble;
  if (grow && !(v[0] > 0))
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s' is %g; give a factor above 0", key, v[0]);
  const char *fixed = fixed_by(object);
  if (fixed)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%.200s': the object has an %s, which is in the world already and would "
                       "stay where it is; make a scene for each place, and add them",
                       key, fixed);
  affine t = IDENTITY;
  const cJSON *given = json_member(object, "transform");
  if (given && !json_numbers(given, 16, t.m))
    return status_fail(err, TRIBO_BAD_INPUT, "'%.200s': transform must be 16 numbers", key);
  t = placed(&t, how, v);
  cJSON *matrix = cJSON_CreateDoubleArray(t.m, 16);
  if (!matrix) return status_no_memory(err, "a transform");
  cJSON_DeleteItemFromObjectCaseSensitive(object, "transform");
  cJSON_AddItemToObject(object, "transform", matrix);
  return TRIBO_OK;
}

/* ---- setting ---- */

static tribo_status put(cJSON *object, const char *name, const cJSON *value, tribo_error *err) {
  cJSON *copy = cJSON_Duplicate(value, true);
  if (!copy) return status_no_memory(err, "a value");
  cJSON_DeleteItemFromObjectCaseSensitive(object, name);
  cJSON_AddItemToObject(object, name, copy);
  return TRIBO_OK;
}

tribo_status key_set(cJSON *scene, const char *key, const cJSON *value, tribo_error *err) {
  const char *at = key;
  cJSON *object = scene;
  key_part part;
  for (;;) {
    if (!next_part(&at, &part)) return malformed(key, err);
    if (*at == 0) break;
    TRY(step_into(object, &part, key, &object, err));
    at++;
  }
  if (part.indexed) return malformed(key, err);
  if (strcmp(key, "time.end") == 0 || strcmp(key, "time.start") == 0)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' does not change how anything moves, so there would be nothing to "
                       "compare; set it in the scene",
                       key);
  bool of_object = strncmp(key, "objects[", 8) == 0 && json_member(object, "mesh");
  if (of_object && is_placing(part.name)) return place(object, part.name, value, key, err);
  return put(object, part.name, value, err);
}

void key_short(const char *key, char *out, size_t size) {
  const char *dot = NULL, *open = NULL, *close = NULL;
  bool inside = false;
  for (const char *c = key; *c; c++) {
    if (*c == '[' && !inside) open = c;
    if (*c == ']') close = c;
    inside = *c == '[' ? true : *c == ']' ? false : inside;
    if (*c == '.' && !inside) dot = c;
  }
  const char *name = dot ? dot + 1 : key;
  if (open && close > open)
    snprintf(out, size, "%s (%.*s)", name, (int)(close - open - 1), open + 1);
  else
    snprintf(out, size, "%s", name);
}
