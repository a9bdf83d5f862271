/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * held: contacts that nothing can open.
 */
#ifndef CONTACT_HELD_H
#define CONTACT_HELD_H

#include "contact/set.h"
#include "model/model.h"

/* Whether all nodes of contact i are hard-pinned. */
static inline bool contact_is_held(const model *m, const contact_set *set, size_t i) {
  for (size_t e = set->start[i]; e < set->start[i + 1]; e++)
    if (m->row_of_node[set->node[e]] >= 0) return false;
  return true;
}

#endif
