/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * contacts: contacts.jsonl, one line of JSON a frame: who touches whom, where, and with which
 * force. The contacts are those of the frame's last step, in the order of the simulation, which no
 * number of threads changes; there is no clock in it, so that it is equal from bake to bake.
 */
#ifndef CACHE_CONTACTS_H
#define CACHE_CONTACTS_H

#include "cache/lines.h"
#include "cache/manifest.h"
#include "model/model.h"
#include "tribo/sim.h"

tribo_status contacts_append(lines *to, int frame, const model *m, const tribo_contact *contacts,
                             size_t count, tribo_error *err);

/* For reading: where the lines are, and the contacts of the line that was read last. */
typedef struct contacts_reader {
  lines_index line;
  struct cJSON *text;
  ARRAY(tribo_contact) found; /* names point into text */
} contacts_reader;

/* The contacts of a frame, in r->found. A later line is found by going on where the last look
 * ended. Takes any bytes without harm. */
tribo_status contacts_read(contacts_reader *r, const char *path, const manifest *m, int frame,
                           tribo_error *err);
void contacts_reader_free(contacts_reader *r);

#endif
