/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/set_rows.h"

static const double HARDLY_TURNED = 0.985; /* cosine */

size_t set_rows_find(const contact_set *old, size_t *next, uint64_t key) {
  while (*next < old->count && old->contacts[*next].key < key) ++*next;
  return *next < old->count && old->contacts[*next].key == key ? *next : old->count;
}

/* Where gaps do not close that way, rows are taken anew after so many passes. */
enum { PASSES_WITH_ROWS = 3 };

/* A set that is filled. */
typedef struct filling {
  contact_point *contacts;
  size_t *start;
  int32_t *node;
  vec3 *by_node;
  mat3 *carry;
  vec3 *turn;
  size_t count, entries;
} filling;

static tribo_status filling_make(size_t contacts, size_t entries, arena *memory, filling *out,
                                 tribo_error *err) {
  *out = (filling){.contacts = ARENA_ARRAY(memory, contact_point, contacts),
                   .start = ARENA_ARRAY(memory, size_t, contacts + 1),
                   .node = ARENA_ARRAY(memory, int32_t, entries),
                   .by_node = ARENA_ARRAY(memory, vec3, entries),
                   .carry = ARENA_ARRAY(memory, mat3, entries),
                   .turn = ARENA_ARRAY(memory, vec3, entries)};
  bool whole = out->contacts && out->start && out->node && out->by_node && out->carry && out->turn;
  return whole ? TRIBO_OK : status_no_memory(err, "contacts");
}

/* Adds contact k of a set, with its rows. */
static void add(filling *to, const contact_set *from, size_t k) {
  to->contacts[to->count] = from->contacts[k];
  for (size_t e = from->start[k]; e < from->start[k + 1]; e++, to->entries++) {
    to->node[to->entries] = from->node[e];
    to->by_node[to->entries] = from->by_node[e];
    to->carry[to->entries] = from->carry[e];
    to->turn[to->entries] = from->turn[e];
  }
  to->start[++to->count] = to->entries;
}

static contact_set set_of(const filling *f, const vec3 *at) {
  return (contact_set){f->count, f->contacts, f->start, f->node, f->by_node, f->carry, f->turn, at};
}

tribo_status set_rows_keep(const contact_set *old, const contact_set *new, int passes,
                           arena *memory, contact_set *out, tribo_error *err) {
  filling f;
  size_t next = 0;
  TRY(filling_make(new->count, old->start[old->count] + new->start[new->count], memory, &f, err));
  for (size_t i = 0; i < new->count; i++) {
    size_t j = set_rows_find(old, &next, new->contacts[i].key);
    bool keep = passes <= PASSES_WITH_ROWS && j < old->count &&
                vec3_dot(old->contacts[j].normal, new->contacts[i].normal) > HARDLY_TURNED;
    add(&f, keep ? old : new, keep ? j : i);
    f.contacts[i].gap = new->contacts[i].gap;
    f.contacts[i].allowed = new->contacts[i].allowed;
  }
  *out = set_of(&f, new->at);
  return TRIBO_OK;
}

tribo_status set_rows_pick(const contact_set *from, const size_t *which, size_t count,
                           arena *memory, contact_set *out, tribo_error *err) {
  filling f;
  size_t entries = 0;
  for (size_t k = 0; k < count; k++) entries += from->start[which[k] + 1] - from->start[which[k]];
  TRY(filling_make(count, entries, memory, &f, err));
  for (size_t k = 0; k < count; k++) add(&f, from, which[k]);
  *out = set_of(&f, from->at);
  return TRIBO_OK;
}
