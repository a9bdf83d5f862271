/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "kinds/kind.h"

/* Append only. */
static const kind_row *const KINDS[] = {
    [TRIBO_CLOTH] = &kind_cloth,       [TRIBO_SOLID] = &kind_solid, [TRIBO_RIGID] = &kind_rigid,
    [TRIBO_COLLIDER] = &kind_collider, [TRIBO_ROD] = &kind_rod,
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

const kind_row *kind_at(size_t number) { return number < KIND_COUNT ? KINDS[number] : NULL; }

const kind_row *kind_of(const tribo_object_def *def) {
  assert((size_t)def->kind < KIND_COUNT);
  return KINDS[def->kind];
}

const kind_row *kind_named(const char *name) {
  for (size_t i = 0; i < KIND_COUNT; i++)
    if (strcmp(KINDS[i]->about.name, name) == 0) return KINDS[i];
  return NULL;
}

const void *kind_params(const tribo_object_def *def) {
  const kind_row *k = kind_of(def);
  return k->about.group ? (const char *)def + k->params : NULL;
}

void *kind_params_of(tribo_object_def *def) {
  const kind_row *k = kind_of(def);
  return k->about.group ? (char *)def + k->params : NULL;
}

double kind_thickness(const tribo_object_def *def) {
  const kind_row *k = kind_of(def);
  return k->thickness ? k->thickness(def) : 0;
}

bool kind_is_tets(const tribo_object_def *def) {
  return kind_of(def)->about.mesh == TRIBO_MESH_TETS && !def->cage;
}

char *kind_list(const char *before, const char *after, const char *last, char out[KIND_LIST_SIZE]) {
  size_t length = 0;
  for (size_t i = 0; i < KIND_COUNT && length < KIND_LIST_SIZE; i++) {
    const char *joint = i == 0 ? "" : i + 1 == KIND_COUNT ? last : ", ";
    length += (size_t)snprintf(out + length, KIND_LIST_SIZE - length, "%s%s%s%s", joint, before,
                               KINDS[i]->about.name, after);
  }
  return out;
}
