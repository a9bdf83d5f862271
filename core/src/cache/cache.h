/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cache: reads what a bake left in its folder, also while it runs or after it was killed. Only
 * frames that are complete in every object's file count. The public tribo_cache.
 */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include "cache/contacts.h"
#include "cache/manifest.h"
#include "cache/sound.h"
#include "cache/verdict.h"
#include "tribo/cache.h"

struct tribo_cache {
  char *folder;
  manifest manifest;
  tribo_cache_info info;
  int32_t *samples; /* complete on disk, of each object */
  contacts_reader contacts;
  verdict_reader verdict;
  soundness sound;
  ARRAY(tribo_damage) damage;
};

tribo_status cache_open(const char *folder, tribo_cache **out, tribo_error *err);
void cache_free(tribo_cache *cache);

tribo_status cache_object_at(const tribo_cache *cache, size_t index, tribo_cache_object *out,
                             tribo_error *err);

/* frame counts as in the scene: info.start is the first. */
tribo_status cache_positions(const tribo_cache *cache, size_t index, int frame, double *positions,
                             tribo_error *err);

/* As tribo_cache_contacts. */
tribo_status cache_contacts(tribo_cache *cache, int frame, const tribo_contact **contacts,
                            size_t *count, tribo_error *err);

/* As tribo_cache_verdict, tribo_cache_crossings and tribo_cache_pierced. */
tribo_status cache_verdict(tribo_cache *cache, const tribo_verdict **verdict, tribo_error *err);
tribo_status cache_crossings(tribo_cache *cache, int frame, const tribo_crossing **crossings,
                             size_t *count, tribo_error *err);
tribo_status cache_pierced(tribo_cache *cache, int frame, const char *object,
                           const int32_t **triangles, size_t *count, tribo_error *err);

/* As tribo_cache_check. */
tribo_status cache_check(tribo_cache *cache, const tribo_damage **found, size_t *count,
                         tribo_error *err);

/* The object and the frames first..last are there; the message says which are. */
tribo_status cache_check_range(const tribo_cache *cache, size_t index, int first, int last,
                               tribo_error *err);

#endif
