/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge: whether a frame is what it should be, asked of its outcome and of no solver.
 *
 * Crossings are counted (step/crossed.h); nothing may be deep inside of what it touches; and energy
 * may not come from nowhere. Between the start and the end of a frame, with K the kinetic energy
 * and P all that is stored (elastic, soft pins, weight), contact, friction, damping and drag in
 * still air take from K + P. So where nothing is moved from outside, K + P must not grow by more
 * than a tolerance; where something is, at speeds up to V, K must not grow by more than P gave and
 * what throws all mass M at FASTER V: K1 <= K0 + max(0, P0 - P1) + M (FASTER V)^2 / 2. What is
 * inside of something, by d, is let out with the energy of a fall through that depth
 * (contact/narrow_phase.h): M g d may come in too.
 *
 * Everything follows from the state at the start of the frame, that at its end and the model: a
 * resumed bake judges the same. Only which warnings were given already is not kept.
 */
#ifndef STEP_JUDGE_H
#define STEP_JUDGE_H

#include "base/log.h"
#include "method/state.h"
#include "model/model.h"
#include "step/crossed.h"
#include "step/energies.h"
#include "tribo/sim.h"

typedef struct judge_options {
  int crossings;            /* TRIBO_CROSSINGS_... */
  int first_frame;          /* at 0 s */
  double frame_seconds;     /* of a frame */
  int substeps;             /* of a frame */
  int64_t last_step;        /* with which the bake ends */
  double contact_tolerance; /* m */
  bool go_on;               /* tell of an explosion, but do not fail */
  const struct stepper *by; /* whose energies count; NULL: the model's */
  log_sink log;
} judge_options;

typedef struct judge judge;

/* What is deep inside what, at worst. */
typedef struct judge_deep {
  const char *object, *surface; /* NULL: nothing is */
  int vertex;
  double depth; /* beyond the mesh, thickness counted as outside, m */
  bool let_out; /* it began there, which was told when it did */
} judge_deep;

/* What has more energy than was put in. */
typedef struct judge_gain {
  const char *object;            /* the body that gained most; NULL: none did */
  double before, after, allowed; /* joules: of all bodies, and how much more it might be */
} judge_gain;

tribo_status judge_create(const model *m, const tasks *t, const judge_options *options,
                          const vec3 *positions, judge **out, tribo_error *err);
void judge_free(judge *j);

/* How deep anything was inside at the first frame. Tells what starts through a sheet that it
 * touches, and what deforms and starts through itself or something else that moves, but for the two
 * that were told of already. */
void judge_start(judge *j, double depth, const char *what, const char *in);

/* The state that a frame, or a part of one, starts from. */
void judge_begin(judge *j, const tasks *t, const state *start, double seconds);

/* The state that it ends with, which is not in place yet; positions are those of its vertices.
 * Fails with TRIBO_NOT_CONVERGED where energy explodes. Puts crossings, rough and energies into the
 * report. */
tribo_status judge_end(judge *j, const tasks *t, const state *end, double seconds,
                       const vec3 *positions, tribo_report *report, tribo_error *err);

/* Then, of the last step, every vertex that is inside of a surface: gap in metres, below 0,
 * thickness taken off. let_out: it began there, and is on its way out. */
void judge_inside(judge *j, size_t body, int vertex, const char *surface, double gap, bool let_out);

/* And last. Tells what is new. steps_show: what steps lack that did not reach their tolerance can
 * be seen (method/trouble.h). */
void judge_contacts(judge *j, double seconds, bool steps_show, tribo_report *report);

const crossed_objects *judge_crossed(const judge *j);
judge_deep judge_deepest(const judge *j);
judge_gain judge_gained(const judge *j);

#endif
