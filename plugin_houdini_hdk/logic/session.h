/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * session: a simulation that follows Houdini's cooks: play, jump ahead, scrub back, reset, Esc.
 *
 * A cook asks for a frame. Frames that are there are served from memory, with what was read of the
 * inputs at that frame compared first: other inputs or parameters mean another simulation, and it
 * begins anew. Frames ahead are simulated one after the other, with the inputs read at each
 * frame's own time. A step runs on a thread of the session, and the thread that cooks looks every
 * 20 ms whether Esc was pressed; a step that is given up leaves everything as it was.
 */
#ifndef HOUDINI_SESSION_H
#define HOUDINI_SESSION_H

#include "build.h"
#include "frames.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What Houdini does for the session, on the thread that cooks. */
typedef struct hou_host {
  void *user;
  /* Fills `into` (which is empty) with an input at a frame, or leaves it empty where nothing is
   * connected. False: err says why. */
  bool (*read)(void *user, int input, double frame, hou_input *into, tribo_error *err);
  /* Whether Esc was pressed; percent of the frames that are to be caught up with. */
  bool (*pressed)(void *user, int percent);
  double fps;
} hou_host;

typedef enum hou_outcome {
  HOU_SHOWN,       /* the view is of that frame */
  HOU_PASSED,      /* before the start: the input is to be shown */
  HOU_INTERRUPTED, /* Esc; the view is of the last frame there is, if any */
  HOU_FAILED       /* an error was said; nothing to show */
} hou_outcome;

typedef struct hou_session hou_session;

hou_session *hou_session_create(void); /* NULL without memory */
void hou_session_free(hou_session *s);

hou_outcome hou_session_cook(hou_session *s, const hou_host *host, const hou_settings *settings,
                             double frame);

/* Forgets all frames. */
void hou_session_reset(hou_session *s);

/* Valid until the next call for this session. */
const hou_view *hou_session_view(const hou_session *s);
const hou_say *hou_session_said(const hou_session *s);

/* Frames that were simulated since it was made, for tests: what was served from memory does not
 * count. */
size_t hou_session_steps(const hou_session *s);

/* Writes the scene as a bundle for `tribo bake`, with the inputs read from the start frame to
 * `end`: what playing chose (method, substeps, thickness) stands in it as numbers, and so it bakes
 * to the same bits. TRIBO_CANCELLED after Esc. */
tribo_status hou_bundle_write(const hou_host *host, const hou_settings *settings, int end,
                              const char *folder, hou_say *say, tribo_error *err);

#ifdef __cplusplus
}
#endif

#endif
