/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stats: stats.jsonl, one line of JSON a frame: what solving it cost and where the objects are.
 */
#ifndef CACHE_STATS_H
#define CACHE_STATS_H

#include "cache/lines.h"
#include "method/state.h"
#include "model/model.h"
#include "tribo/sim.h"

/* `seconds` is the wall time of the frame. Centres of mass and energies of the objects come from
 * the state. */
tribo_status stats_append(lines *to, int frame, double seconds, const tribo_report *report,
                          const model *m, const state *moving, tribo_error *err);

/* ---- what the line says of one object ---- */

typedef struct stats_body {
  vec3 com, com_velocity; /* m, m/s; zero for a body without mass */
  double kinetic_energy;  /* J, that of turning included */
} stats_body;

stats_body stats_of_body(const model *m, const model_body *body, const state *moving);

#endif
