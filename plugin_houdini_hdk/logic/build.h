/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build: the core's scene from the objects of the inputs, the parameters of the node and the
 * attributes.
 *
 * What counts, the later the more: the core's defaults; the material; parameters of the node (of
 * what a material decides only those that were changed); attributes. Playing and writing a bundle
 * both come through here with the same samples, which is why they agree to the last bit.
 */
#ifndef HOUDINI_BUILD_H
#define HOUDINI_BUILD_H

#include "objects.h"

/* Where a collider, or what is pinned of an object, is at every sample; z up. */
typedef struct hou_track {
  double *values;
  size_t count, room; /* samples */
} hou_track;

/* Everything that a scene is made from. */
typedef struct hou_reading {
  hou_input first[HOU_INPUTS]; /* at the start frame */
  uint64_t topology[HOU_INPUTS];
  hou_objects objects;
  hou_track *tracks; /* by object */
} hou_reading;

/* Takes the inputs of the start frame over, whatever comes of it, and the first samples. */
tribo_status hou_reading_begin(hou_reading *r, hou_input inputs[HOU_INPUTS],
                               const hou_settings *settings, hou_say *say, tribo_error *err);
void hou_reading_free(hou_reading *r);

/* Refuses inputs that are not those of the start frame moved. */
tribo_status hou_reading_check(const hou_reading *r, const hou_input inputs[HOU_INPUTS],
                               double frame, tribo_error *err);

/* Numbers of a sample of an object; 0: it needs none. */
size_t hou_sample_width(const hou_object *o);
void hou_sample(const hou_object *o, const hou_input inputs[HOU_INPUTS], double *out);

/* Appends a sample of every object that needs one. */
tribo_status hou_reading_append(hou_reading *r, const hou_input inputs[HOU_INPUTS],
                                tribo_error *err);

typedef struct hou_time {
  int start, end;
  double fps;
} hou_time;

/* The scene. chosen: numbers to take in place of what the quality would choose, with a thickness
 * for each object; NULL: none. */
tribo_status hou_scene_build(const hou_reading *r, const hou_settings *settings, hou_time time,
                             const tribo_choice *chosen, const double *thickness, tribo_scene **out,
                             hou_say *say, tribo_error *err);

#endif
