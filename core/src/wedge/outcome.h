/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outcome: what became of an item: from its bake's folder first, and from its attempts where that
 * says nothing. All of it as JSON, and as the contact sheet.
 */
#ifndef WEDGE_OUTCOME_H
#define WEDGE_OUTCOME_H

#include "wedge/wedge.h"

tribo_status outcome_of(const tribo_wedge *w, size_t number, tribo_wedge_outcome *out,
                        tribo_error *err);
const char *outcome_state_name(tribo_wedge_state s);

tribo_status outcome_report(const tribo_wedge *w, char **json, tribo_error *err);

/* sheet.html in the wedge's folder. */
tribo_status sheet_write(const tribo_wedge *w, tribo_error *err);

#endif
