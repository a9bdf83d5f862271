/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/set_rows.h"

static const double HARDLY_TURNED = 0.985; /* cosine */

size_t set_rows_find(const contact_set *old, size_t *next, uint64_t key) {
  while (*next < old->count && old->contacts[*next].key < key) ++*next;
  return *next < old->count && old->contacts[*next].key == key ? *next : old->count;
}

/* Where gaps do not close that way, rows are taken anew after so many passes. */
enum { PASSES_WITH_ROWS = 3 };

tribo_status set_rows_keep(const contact_set *old, const contact_set *new, int passes,
                           arena *memory, contact_set *out, tribo_error *err) {
  size_t most = old->start[old->count] + new->start[new->count], next = 0, entries = 0;
  contact_point *contacts = ARENA_ARRAY(memory, contact_point, new->count);
  size_t *start = ARENA_ARRAY(memory, size_t, new->count + 1);
  int32_t *node = ARENA_ARRAY(memory, int32_t, most);
  vec3 *by_node = ARENA_ARRAY(memory, vec3, most);
  mat3 *carry = ARENA_ARRAY(memory, mat3, most);
  vec3 *turn = ARENA_ARRAY(memory, vec3, most);
  if (!contacts || !start || !node || !by_node || !carry || !turn)
    return status_no_memory(err, "contacts");
  for (size_t i = 0; i < new->count; i++) {
    size_t j = set_rows_find(old, &next, new->contacts[i].key);
    bool keep = passes <= PASSES_WITH_ROWS && j < old->count &&
                vec3_dot(old->contacts[j].normal, new->contacts[i].normal) > HARDLY_TURNED;
    const contact_set *from = keep ? old : new;
    size_t k = keep ? j : i;
    contacts[i] = from->contacts[k];
    contacts[i].gap = new->contacts[i].gap;
    contacts[i].allowed = new->contacts[i].allowed;
    for (size_t e = from->start[k]; e < from->start[k + 1]; e++, entries++) {
      node[entries] = from->node[e];
      by_node[entries] = from->by_node[e];
      carry[entries] = from->carry[e];
      turn[entries] = from->turn[e];
    }
    start[i + 1] = entries;
  }
  *out = (contact_set){new->count, contacts, start, node, by_node, carry, turn, new->at};
  return TRIBO_OK;
}
