/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * params: the tables of params.inl at run time: look up, check, set from text, print.
 */
#ifndef SCENE_PARAMS_H
#define SCENE_PARAMS_H

#include "base/status.h"
#include "tribo/scene.h"

/* The rows of one group ("cloth"); they stand together. */
const tribo_param_info *params_group(const char *group, size_t *count);

/* NULL when the group has no such key. */
const tribo_param_info *params_find(const char *group, const char *name);

/* Every field of a group's struct is finite and in its range; the message names the place, key,
 * value and range: "elastic.density is -5 kg/m^3; give 1e-06 to 1e+06 kg/m^3". */
tribo_status params_check(const char *group, const void *params, tribo_error *err);

/* Choice number of `word` in "first|second"; -1 when it is none of them. */
int params_choice(const char *choices, const char *word);

#endif
