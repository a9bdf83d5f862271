/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/params.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "scene/json.h"
#include "scene/shortest.h"

/* ---- the table, from params.inl -------------------------------------------------------------- */

#define PLACE(table, group, place, title) static const char group##_place[] = place;
TRIBO_PARAM_GROUPS(PLACE)
#undef PLACE

/* A row does not say which group it is in, so ROW is set anew for each group. */
#define ROW_OF(in_group, field)                                                                    \
  .group = #in_group, .place = in_group##_place, .name = #field,                                   \
  .offset = offsetof(tribo_##in_group##_params, field)
#define REAL(field, def, min, max, of, text)                                                       \
  {ROW(field),     .kind = TRIBO_PARAM_REAL,                                                       \
   .value = {def}, .low = min,                                                                     \
   .high = max,    .unit = of,                                                                     \
   .choices = "",  .help = text},
#define INT(field, def, min, max, of, text)                                                        \
  {ROW(field), .kind = TRIBO_PARAM_INT, .value = {def}, .low = min, .high = max,                   \
   .unit = of, .choices = "",           .help = text},
#define VEC3(field, x, y, z, of, text)                                                             \
  {ROW(field),  .kind = TRIBO_PARAM_VEC3, .value = {x, y, z}, .unit = of, .choices = "",           \
   .help = text},
#define CHOICE(field, def, words, text)                                                            \
  {ROW(field), .kind = TRIBO_PARAM_CHOICE, .value = {def},                                         \
   .unit = "", .choices = words,           .help = text},

static const tribo_param_info rows[] = {
#define ROW(field) ROW_OF(world, field)
    TRIBO_PARAMS_WORLD(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(time, field)
        TRIBO_PARAMS_TIME(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(solver, field)
            TRIBO_PARAMS_SOLVER(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(object, field)
                TRIBO_PARAMS_OBJECT(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(solid, field)
                    TRIBO_PARAMS_SOLID(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(fill, field)
                        TRIBO_PARAMS_FILL(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(cloth, field)
                            TRIBO_PARAMS_CLOTH(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(rigid, field)
                                TRIBO_PARAMS_RIGID(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(rod, field)
                                    TRIBO_PARAMS_ROD(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(surface, field)
                                        TRIBO_PARAMS_SURFACE(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(combine, field)
                                            TRIBO_PARAMS_COMBINE(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(friction, field)
                                                TRIBO_PARAMS_FRICTION(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(pin, field)
                                                    TRIBO_PARAMS_PIN(REAL, INT, VEC3, CHOICE)
#undef ROW
#define ROW(field) ROW_OF(maps, field)
                                                        TRIBO_PARAMS_MAPS(REAL, INT, VEC3, CHOICE)
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

#undef REAL
#undef INT
#undef VEC3
#undef CHOICE

/* A group that params.inl gains and the table above does not is found here. */
#define ONE(...)                          +1
#define COUNT(table, group, place, title) table(ONE, ONE, ONE, ONE)
static_assert(ROW_COUNT == 0 TRIBO_PARAM_GROUPS(COUNT), "a group of params.inl is missing here");
#undef COUNT
#undef ONE

#define HEADING(table, group, place, title) {#group, group##_place, title},
static const params_heading headings[] = {TRIBO_PARAM_GROUPS(HEADING)};
#undef HEADING

#define REAL(field, def, min, max, of, text) .field = def,
#define INT(field, def, min, max, of, text)  .field = def,
#define VEC3(field, x, y, z, of, text)       .field = {x, y, z},
#define CHOICE(field, def, words, text)      .field = def,
#define DEFAULTS(table, group, place, title)                                                       \
  tribo_##group##_params tribo_##group##_defaults(void) {                                          \
    return (tribo_##group##_params){table(REAL, INT, VEC3, CHOICE)};                               \
  }
TRIBO_PARAM_GROUPS(DEFAULTS)
#undef DEFAULTS
#undef REAL
#undef INT
#undef VEC3
#undef CHOICE

const tribo_param_info *tribo_param_table(size_t *count) {
  if (count) *count = ROW_COUNT;
  return rows;
}

tribo_object_def tribo_object_default(tribo_kind kind) {
  return (tribo_object_def){.kind = kind,
                            .object = tribo_object_defaults(),
                            .cloth = tribo_cloth_defaults(),
                            .solid = tribo_solid_defaults(),
                            .rigid = tribo_rigid_defaults(),
                            .rod = tribo_rod_defaults(),
                            .surface = tribo_surface_defaults(),
                            .maps = tribo_maps_defaults()};
}

/* ---- looking up ------------------------------------------------------------------------------ */

const params_heading *params_headings(size_t *count) {
  *count = sizeof headings / sizeof *headings;
  return headings;
}

const tribo_param_info *params_group(const char *group, size_t *count) {
  const tribo_param_info *first = NULL;
  *count = 0;
  for (size_t i = 0; i < ROW_COUNT; i++) {
    if (strcmp(rows[i].group, group) != 0) continue;
    if (!first) first = &rows[i];
    ++*count;
  }
  return first;
}

const tribo_param_info *params_find(const char *group, const char *name) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (strcmp(rows[i].group, group) == 0 && strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

tribo_status params_need(const char *group, const char *name, const tribo_param_info **out,
                         tribo_error *err) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t count;
  *out = params_find(group, name);
  if (*out) return TRIBO_OK;
  const tribo_param_info *row = params_group(group, &count);
  if (count == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "there is no group of parameters '%.60s'", group);
  for (size_t i = 0; i < count && i < MOST; i++) names[i] = row[i].name;
  const char *meant = text_suggest(name, names, count < MOST ? count : MOST);
  return status_fail(err, TRIBO_BAD_INPUT, "'%s' has no parameter '%.60s'%s%s%s", group, name,
                     meant ? "; did you mean '" : "; remove it", meant ? meant : "",
                     meant ? "'?" : "");
}

int params_choice(const char *choices, const char *word) {
  size_t length = strlen(word);
  int number = 0;
  for (const char *at = choices;; number++) {
    size_t here = strcspn(at, "|");
    if (here == length && memcmp(at, word, length) == 0) return number;
    if (at[here] == 0) return -1;
    at += here + 1;
  }
}

static int choice_count(const char *choices) {
  int count = 1;
  for (const char *at = choices; *at; at++) count += *at == '|';
  return count;
}

char *params_key(const tribo_param_info *row, char out[PARAMS_KEY_SIZE]) {
  static const char every_object[] = "objects[]";
  const char *place = row->place;
  if (strncmp(place, every_object, sizeof every_object - 1) == 0) {
    place += sizeof every_object - 1;
    if (*place == '.') place++;
  }
  snprintf(out, PARAMS_KEY_SIZE, "%s%s%s", place, *place ? "." : "", row->name);
  return out;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* A field as doubles, whatever its kind; an int is exact in a double. */
static void get(const tribo_param_info *row, const void *params, double value[3]) {
  const char *field = (const char *)params + row->offset;
  value[0] = value[1] = value[2] = 0;
  if (row->kind == TRIBO_PARAM_VEC3) {
    memcpy(value, field, 3 * sizeof(double));
  } else if (row->kind == TRIBO_PARAM_REAL) {
    memcpy(value, field, sizeof(double));
  } else {
    int whole;
    memcpy(&whole, field, sizeof whole);
    value[0] = whole;
  }
}

static void put(const tribo_param_info *row, const double value[3], void *params) {
  char *field = (char *)params + row->offset;
  if (row->kind == TRIBO_PARAM_VEC3) {
    memcpy(field, value, 3 * sizeof(double));
  } else if (row->kind == TRIBO_PARAM_REAL) {
    memcpy(field, value, sizeof(double));
  } else {
    int whole = (int)value[0];
    memcpy(field, &whole, sizeof whole);
  }
}

static tribo_status check_value(const tribo_param_info *row, const double value[3],
                                tribo_error *err) {
  char key[PARAMS_KEY_SIZE], a[SHORTEST_SIZE], b[SHORTEST_SIZE], c[SHORTEST_SIZE];
  params_key(row, key);
  const char *space = *row->unit ? " " : "";
  switch (row->kind) {
    case TRIBO_PARAM_VEC3:
      if (isfinite(value[0]) && isfinite(value[1]) && isfinite(value[2])) return TRIBO_OK;
      return status_fail(err, TRIBO_BAD_INPUT,
                         "%s is (%s, %s, %s)%s%s; every component must be a finite number", key,
                         shortest_text(value[0], a), shortest_text(value[1], b),
                         shortest_text(value[2], c), space, row->unit);
    case TRIBO_PARAM_CHOICE:
      if (value[0] >= 0 && value[0] < choice_count(row->choices)) return TRIBO_OK;
      return status_fail(err, TRIBO_BAD_INPUT, "%s is %s; give 0 to %d (%s)", key,
                         shortest_text(value[0], a), choice_count(row->choices) - 1, row->choices);
    case TRIBO_PARAM_INT:
      if (isfinite(value[0]) && value[0] != floor(value[0]))
        return status_fail(err, TRIBO_BAD_INPUT, "%s is %s%s%s; give a whole number", key,
                           shortest_text(value[0], a), space, row->unit);
      break;
    case TRIBO_PARAM_REAL: break;
  }
  if (value[0] >= row->low && value[0] <= row->high) return TRIBO_OK; /* never of NaN */
  return status_fail(err, TRIBO_BAD_INPUT, "%s is %s%s%s; give %s to %s%s%s", key,
                     shortest_text(value[0], a), space, row->unit, shortest_text(row->low, b),
                     shortest_text(row->high, c), space, row->unit);
}

tribo_status params_check_row(const tribo_param_info *row, const void *params, tribo_error *err) {
  double value[3];
  get(row, params, value);
  return check_value(row, value, err);
}

tribo_status params_check(const char *group, const void *params, tribo_error *err) {
  size_t count;
  const tribo_param_info *row = params_group(group, &count);
  for (size_t i = 0; i < count; i++) TRY(params_check_row(&row[i], params, err));
  return TRIBO_OK;
}

uint64_t params_hash(uint64_t hash, const char *group, const void *params, const char *except) {
  size_t count;
  const tribo_param_info *row = params_group(group, &count);
  for (size_t i = 0; i < count; i++) {
    if (except && strcmp(row[i].name, except) == 0) continue;
    double value[3];
    get(&row[i], params, value);
    hash = hash_text(hash, row[i].name);
    hash = hash_bytes(hash, value, sizeof value);
  }
  return hash;
}

char *params_print(const tribo_param_info *row, const void *params, char out[PARAMS_VALUE_SIZE]) {
  double value[3];
  char a[SHORTEST_SIZE], b[SHORTEST_SIZE], c[SHORTEST_SIZE];
  get(row, params, value);
  if (row->kind == TRIBO_PARAM_VEC3) {
    snprintf(out, PARAMS_VALUE_SIZE, "[%s, %s, %s]", shortest_text(value[0], a),
             shortest_text(value[1], b), shortest_text(value[2], c));
  } else if (row->kind == TRIBO_PARAM_CHOICE) {
    const char *word = row->choices;
    for (int skip = (int)value[0]; skip > 0; skip--) word += strcspn(word, "|") + 1;
    snprintf(out, PARAMS_VALUE_SIZE, "\"%.*s\"", (int)strcspn(word, "|"), word);
  } else {
    snprintf(out, PARAMS_VALUE_SIZE, "%s", shortest_text(value[0], a));
  }
  return out;
}

/* ---- setting --------------------------------------------------------------------------------- */

static tribo_status wrong_choice(const tribo_param_info *row, const char *word, tribo_error *err) {
  char key[PARAMS_KEY_SIZE], list[PARAMS_VALUE_SIZE] = "";
  size_t length = 0;
  for (const char *at = row->choices; *at && length + 1 < sizeof list; at++) {
    int written = snprintf(list + length, sizeof list - length, *at == '|' ? ", " : "%c", *at);
    length += (size_t)written;
  }
  return status_fail(err, TRIBO_BAD_INPUT, "%s is '%.60s'; give one of: %s", params_key(row, key),
                     word, list);
}

static tribo_status set_choice(const tribo_param_info *row, const char *word, void *params,
                               tribo_error *err) {
  double value[3] = {params_choice(row->choices, word)};
  if (value[0] < 0) return wrong_choice(row, word, err);
  put(row, value, params);
  return TRIBO_OK;
}

tribo_status params_set_json(const tribo_param_info *row, const cJSON *json, void *params,
                             tribo_error *err) {
  static const char *const expected[] = {"a number", "a whole number", "three numbers [x, y, z]",
                                         "a word in quotes"};
  char key[PARAMS_KEY_SIZE];
  double value[3] = {0};
  bool fits = false;
  switch (row->kind) {
    case TRIBO_PARAM_CHOICE:
      if (cJSON_IsString(json)) return set_choice(row, json->valuestring, params, err);
      break;
    case TRIBO_PARAM_VEC3: fits = json_numbers(json, 3, value); break;
    case TRIBO_PARAM_REAL:
    case TRIBO_PARAM_INT:
      fits = cJSON_IsNumber(json);
      value[0] = json->valuedouble;
      break;
  }
  if (!fits)
    return status_fail(err, TRIBO_BAD_INPUT, "%s must be %s, not %s", params_key(row, key),
                       expected[row->kind], json_kind(json));
  TRY(check_value(row, value, err));
  put(row, value, params);
  return TRIBO_OK;
}

tribo_status params_set_text(const tribo_param_info *row, const char *text, void *params,
                             tribo_error *err) {
  if (row->kind == TRIBO_PARAM_CHOICE && text[0] != '"') return set_choice(row, text, params, err);

  /* JSON's numbers are read the same in every locale, so the text is read as JSON. */
  size_t size = strlen(text) + 3;
  char *json_text = malloc(size);
  if (!json_text) return status_no_memory(err, "a setting");
  bool bare = row->kind == TRIBO_PARAM_VEC3 && !strchr(text, '[');
  snprintf(json_text, size, bare ? "[%s]" : "%s", text);
  cJSON *json = cJSON_ParseWithOpts(json_text, NULL, true);
  free(json_text);

  char key[PARAMS_KEY_SIZE];
  tribo_status status =
      json ? params_set_json(row, json, params, err)
           : status_fail(err, TRIBO_BAD_INPUT, "%s cannot be '%.60s'; give it as in the scene file",
                         params_key(row, key), text);
  cJSON_Delete(json);
  return status;
}
