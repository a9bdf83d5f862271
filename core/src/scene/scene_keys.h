/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scene_keys: the keys of the scene file that are not parameters, written once: for the reader's
 * checks, its suggestions, and docs/scene.md. The parameters are in params.inl.
 */
#ifndef SCENE_SCENE_KEYS_H
#define SCENE_SCENE_KEYS_H

#include <cjson/cJSON.h>
#include <stddef.h>

#include "base/status.h"
#include "tribo/scene.h"

typedef enum scene_key_need { SCENE_KEY_OPTIONAL, SCENE_KEY_REQUIRED } scene_key_need;

typedef struct scene_key {
  const char *place; /* "" at the top, "objects[]", "objects[].pin" */
  const char *name;
  scene_key_need need;
  const char *type; /* NULL, and help too: ask scene_key_type and scene_key_help */
  const char *help;
} scene_key;

/* Keys of one place stand together. */
const scene_key *scene_keys(size_t *count);

/* Type and help of a key, where the table of kinds has them too; out may be what is returned. */
enum { SCENE_KEY_SIZE = 1024 };
const char *scene_key_type(const scene_key *key, char out[SCENE_KEY_SIZE]);
const char *scene_key_help(const scene_key *key, char out[SCENE_KEY_SIZE]);

/* Whether objects of a kind take the key (a key or parameter of "objects[]"); the message says what
 * to do. */
tribo_status scene_keys_check_kind(const cJSON *object, tribo_kind kind, tribo_error *err);

/* Every member of `object` is a key of the place or a parameter of the group, stands once and is in
 * this version; every required key is there. */
tribo_status scene_keys_check(const cJSON *object, const char *place, const char *group,
                              tribo_error *err);

#endif
