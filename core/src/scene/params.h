/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * params: the tables of params.inl at run time: look up, check, set from JSON or text, print.
 *
 * `params` is always a pointer to the struct of the row's group. Messages call a parameter by its
 * key as it stands in the scene file without the array: "elastic.density", "gravity".
 */
#ifndef SCENE_PARAMS_H
#define SCENE_PARAMS_H

#include "base/status.h"
#include "tribo/scene.h"

struct cJSON;

typedef struct params_heading {
  const char *group; /* "cloth" */
  const char *place; /* "objects[].elastic" */
  const char *title; /* "elastic of a cloth" */
} params_heading;

/* The groups, in the order of params.inl. */
const params_heading *params_headings(size_t *count);

/* The rows of one group ("cloth"); they stand together. */
const tribo_param_info *params_group(const char *group, size_t *count);

/* NULL when the group has no such key. */
const tribo_param_info *params_find(const char *group, const char *name);

/* Every field of a group's struct is finite and in its range; the message names the place, key,
 * value and range: "elastic.density is -5 kg/m^3; give 1e-06 to 1e+06 kg/m^3". */
tribo_status params_check(const char *group, const void *params, tribo_error *err);

/* The same of one field; the message calls it as the row's place says. */
tribo_status params_check_row(const tribo_param_info *row, const void *params, tribo_error *err);

/* Choice number of `word` in "first|second"; -1 when it is none of them. */
int params_choice(const char *choices, const char *word);

/* "elastic.density", cut to fit. Returns out. */
enum { PARAMS_KEY_SIZE = 64 };
char *params_key(const tribo_param_info *row, char out[PARAMS_KEY_SIZE]);

/* Sets one field; a value of the wrong type or out of range leaves it as it was. */
tribo_status params_set_json(const tribo_param_info *row, const struct cJSON *value, void *params,
                             tribo_error *err);

/* The same from a command line: "8", "[0,0,-1]" or "0,0,-1", "cholmod". */
tribo_status params_set_text(const tribo_param_info *row, const char *value, void *params,
                             tribo_error *err);

/* The field of this name in a group; an unknown name is refused with a suggestion. */
tribo_status params_need(const char *group, const char *name, const tribo_param_info **out,
                         tribo_error *err);

/* The field as JSON, with all bits. Returns out. */
enum { PARAMS_VALUE_SIZE = 128 };
char *params_print(const tribo_param_info *row, const void *params, char out[PARAMS_VALUE_SIZE]);

/* A hash of every field of a group except `except` (may be NULL); padding does not count. */
uint64_t params_hash(uint64_t hash, const char *group, const void *params, const char *except);

#endif
