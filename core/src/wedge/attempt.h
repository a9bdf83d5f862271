/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * attempt: what one try to bake an item took, in a file of its own: runs/HASH/TIME-HOST-PID.json.
 *
 * The file is one line of fixed length that is written over in place, with one write each time:
 * an attempt that is killed, with its machine even, leaves what it took until shortly before. Two
 * machines that try the same item write two files.
 */
#ifndef WEDGE_ATTEMPT_H
#define WEDGE_ATTEMPT_H

#include "wedge/wedge.h"

/* All attempts at an item, summed up. */
typedef struct attempts {
  int count;
  double seconds, peak_memory;
  double began; /* of the last: seconds since 1970 */
  bool ended;   /* the last one */
  int exit_code, signal_number;
  char host[64];
  char message[TRIBO_MESSAGE_SIZE];
} attempts;

tribo_status attempt_begin(const tribo_wedge *w, size_t number, tribo_wedge_attempt **out,
                           tribo_error *err);
void attempt_beat(tribo_wedge_attempt *a, double peak_memory);
void attempt_end(tribo_wedge_attempt *a, int exit_code, int signal_number, double peak_memory,
                 const char *message);

/* Of an item of this hash; count is 0 where nobody tried. A file that cannot be read counts as an
 * attempt of which nothing is known. */
tribo_status attempts_read(const tribo_wedge *w, uint64_t hash, attempts *out, tribo_error *err);

#endif
