/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_friction.h"

#include <string.h>

#include "scene/json.h"
#include "scene/params.h"
#include "scene/scene_keys.h"

static const cJSON *member(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

static tribo_status wrong_type(const char *key, const char *expected, const cJSON *value,
                               tribo_error *err) {
  return status_fail(err, TRIBO_BAD_INPUT, "%s must be %s, not %s", key, expected,
                     json_kind(value));
}

/* ---- reading --------------------------------------------------------------------------------- */

static tribo_status read_default(const cJSON *value, tribo_friction_params *out, tribo_error *err) {
  if (!cJSON_IsObject(value)) return wrong_type("friction.default", "an object {}", value, err);
  tribo_status status = scene_keys_check(value, "friction.default", "friction", err);
  if (status != TRIBO_OK) return status_prefix(err, status, "friction.default: ");
  for (const cJSON *item = value->child; item; item = item->next)
    TRY(params_set_json(params_find("friction", item->string), item, out, err));
  return TRIBO_OK;
}

/* A later pair would silently replace an earlier one of the same names. */
static tribo_status check_new(const tribo_scene *scene, const char *a, const char *b,
                              tribo_error *err) {
  for (size_t i = 0; i < scene->pairs.count; i++) {
    const friction_pair_def *p = &scene->pairs.data[i];
    bool same = (strcmp(p->a, a) == 0 && strcmp(p->b, b) == 0) ||
                (strcmp(p->a, b) == 0 && strcmp(p->b, a) == 0);
    if (same)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "it names '%.200s' and '%.200s' again, as pairs[%zu] does; keep one", a, b,
                         i);
  }
  return TRIBO_OK;
}

static tribo_status read_pair(const cJSON *value, tribo_scene *scene, tribo_error *err) {
  if (!cJSON_IsObject(value)) return wrong_type("it", "an object {}", value, err);
  TRY(scene_keys_check(value, "friction.pairs[]", "friction", err));
  const cJSON *a = member(value, "a"), *b = member(value, "b");
  if (!cJSON_IsString(a)) return wrong_type("a", "a name in quotes", a, err);
  if (!cJSON_IsString(b)) return wrong_type("b", "a name in quotes", b, err);
  TRY(check_new(scene, a->valuestring, b->valuestring, err));
  tribo_friction_params friction = tribo_friction_defaults();
  for (const cJSON *item = value->child; item; item = item->next) {
    const tribo_param_info *row = params_find("friction", item->string);
    if (!row) continue;
    tribo_param_info here = *row; /* the table calls it by the scene's default */
    here.place = "";
    TRY(params_set_json(&here, item, &friction, err));
  }
  return scene_set_pair(scene, a->valuestring, b->valuestring, &friction, err);
}

tribo_status scene_friction_read(const cJSON *value, tribo_scene *scene, tribo_error *err) {
  if (!cJSON_IsObject(value)) return wrong_type("friction", "an object {}", value, err);
  tribo_status status = scene_keys_check(value, "friction", "combine", err);
  if (status != TRIBO_OK) return status_prefix(err, status, "friction: ");
  const cJSON *combine = member(value, "combine"), *standard = member(value, "default");
  if (combine)
    TRY(params_set_json(params_find("combine", "combine"), combine, &scene->combine, err));
  if (standard) TRY(read_default(standard, &scene->friction, err));
  const cJSON *list = member(value, "pairs");
  if (!list) return TRIBO_OK;
  if (!cJSON_IsArray(list)) return wrong_type("friction.pairs", "an array []", list, err);
  size_t number = 0;
  for (const cJSON *item = list->child; item; item = item->next, number++) {
    status = read_pair(item, scene, err);
    if (status != TRIBO_OK) return status_prefix(err, status, "friction.pairs[%zu]: ", number);
  }
  return TRIBO_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* "key": value of every parameter of a group. */
static void print_params(const char *group, const void *params, FILE *out) {
  size_t count;
  const tribo_param_info *row = params_group(group, &count);
  for (size_t i = 0; i < count; i++) {
    char value[PARAMS_VALUE_SIZE];
    fprintf(out, "%s\"%s\": %s", i ? ", " : "", row[i].name, params_print(&row[i], params, value));
  }
}

void scene_friction_print(const tribo_scene *scene, FILE *out) {
  fputs("{ ", out);
  print_params("combine", &scene->combine, out);
  fputs(", \"default\": { ", out);
  print_params("friction", &scene->friction, out);
  fputs(" }", out);
  for (size_t i = 0; i < scene->pairs.count; i++) {
    const friction_pair_def *pair = &scene->pairs.data[i];
    fputs(i ? ",\n      { \"a\": " : ",\n    \"pairs\": [\n      { \"a\": ", out);
    json_print_string(pair->a, out);
    fputs(", \"b\": ", out);
    json_print_string(pair->b, out);
    fputs(", ", out);
    print_params("friction", &pair->friction, out);
    fputs(" }", out);
  }
  fputs(scene->pairs.count ? " ] }" : " }", out);
}
