/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * frames: what is kept of simulated frames, in Houdini's space, and a view of one of them.
 */
#ifndef HOUDINI_FRAMES_H
#define HOUDINI_FRAMES_H

#include <tribo/sim.h>

#include "objects.h"
#include "say.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One contact, to be drawn. */
typedef struct hou_contact {
  float place[3], force[3]; /* N */
  int32_t state;            /* HOU_STICKS or HOU_SLIPS */
} hou_contact;

enum { HOU_FREE, HOU_STICKS, HOU_SLIPS };

/* Arrays by simulated vertex, objects one after the other. */
typedef struct hou_frame {
  uint64_t inputs[HOU_INPUTS]; /* hashes of what was read at it */
  float *x, *v, *friction;     /* 3 a vertex: m, m/s, N */
  uint8_t *state, *crossed;    /* HOU_FREE ...; whether a face of it is pierced */
  hou_contact *contacts;
  size_t contact_count;
  int crossings; /* -1: not counted */
  hou_say say;
  size_t bytes;
} hou_frame;

/* Frames from the first on; forgotten ones are NULL. */
typedef struct hou_frames {
  hou_frame **items;
  size_t count, room;
  size_t vertex_count, bytes, oldest;
} hou_frames;

void hou_frames_clear(hou_frames *f);

/* An empty frame behind the last; NULL without memory. Forgets the oldest of the others while all
 * take more than `most` bytes. */
hou_frame *hou_frames_add(hou_frames *f, size_t vertices, size_t contacts, size_t most);

/* Of a simulation and its objects as they are now. */
size_t hou_frame_vertices(const hou_objects *o);
void hou_frame_fill(hou_frame *frame, const hou_objects *o, const tribo_sim *sim);

/* What the node puts out. */
typedef struct hou_view {
  size_t point_count; /* of the first input, simulated or not */
  size_t count;       /* simulated points, */
  int32_t *points;    /* their numbers, */
  float *x, *v, *friction;
  int32_t *state, *crossed;
  const hou_contact *contacts;
  size_t contact_count;
  int crossings;
} hou_view;

tribo_status hou_view_begin(hou_view *view, const hou_objects *o, tribo_error *err);
void hou_view_free(hou_view *view);

/* Shows a frame, or what is `part` of the way from it to the next. */
void hou_view_show(hou_view *view, const hou_frame *frame, const hou_frame *next, double part);

#ifdef __cplusplus
}
#endif

#endif
