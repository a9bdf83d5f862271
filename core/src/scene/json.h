/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json: what the scene file needs on top of cJSON: faults with line and column, and the kinds of
 * values in words.
 */
#ifndef SCENE_JSON_H
#define SCENE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* text[size] is a closing 0. Free with cJSON_Delete. The message says "line 3, column 7". cJSON
 * does not tell memory that has run out from bad syntax, so that is reported as the latter. */
tribo_status json_parse(const char *text, size_t size, cJSON **out, tribo_error *err);

/* "a string", "an array of 2", ... Returns a string that lives as long as the program. */
const char *json_kind(const cJSON *value);

/* The value of a key; NULL when it is not there. */
const cJSON *json_member(const cJSON *object, const char *key);

/* How many items an array has. */
size_t json_length(const cJSON *array);

/* An array of exactly `count` numbers; false when it is anything else. */
bool json_numbers(const cJSON *array, size_t count, double *out);

/* In quotes. Control characters are refused in names, so only quote and backslash need care. */
void json_print_string(const char *text, FILE *out);

#endif
