/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stats: stats.jsonl, one line of JSON a frame: what solving it cost and where the objects are.
 *
 * A line is flushed to disk as a whole. After a kill the last line may be cut short; reopening at
 * the number of lines that the checkpoint vouches for drops it.
 */
#ifndef CACHE_STATS_H
#define CACHE_STATS_H

#include <stdio.h>

#include "base/status.h"
#include "model/model.h"
#include "step/state.h"
#include "tribo/sim.h"

typedef struct stats {
  FILE *stream;
  char *path;
} stats;

/* A new, empty file. */
tribo_status stats_create(const char *path, stats *out, tribo_error *err);

/* Opens for appending and drops every line from `lines` on; TRIBO_BAD_INPUT when there are fewer.
 */
tribo_status stats_reopen(const char *path, int32_t lines, stats *out, tribo_error *err);

/* `seconds` is the wall time of the frame. Centres of mass and energies of the objects come from
 * the state. */
tribo_status stats_append(stats *s, int frame, double seconds, const tribo_report *report,
                          const model *m, const state *moving, tribo_error *err);

void stats_close(stats *s);

/* ---- what the line says of one object ---- */

typedef struct stats_body {
  vec3 com, com_velocity; /* m, m/s; zero for a body without mass */
  double kinetic_energy;  /* J, that of turning included */
} stats_body;

stats_body stats_of_body(const model *m, const model_body *body, const state *moving);

#endif
