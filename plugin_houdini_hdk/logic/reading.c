/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "space.h"

tribo_status hou_reading_begin(hou_reading *r, hou_input inputs[HOU_INPUTS],
                               const hou_settings *settings, hou_say *say, tribo_error *err) {
  *r = (hou_reading){0};
  for (int i = 0; i < HOU_INPUTS; i++) {
    r->first[i] = inputs[i];
    inputs[i] = (hou_input){0};
    r->topology[i] = hou_input_topology(r->first + i);
  }
  tribo_status status = hou_objects_find(r->first, settings, &r->objects, say, err);
  if (status != TRIBO_OK) return status;
  r->tracks = calloc(r->objects.count + 1, sizeof *r->tracks);
  return r->tracks ? hou_reading_append(r, r->first, err) : hou_no_memory(err);
}

void hou_reading_free(hou_reading *r) {
  for (size_t i = 0; r->tracks && i < r->objects.count; i++) free(r->tracks[i].values);
  free(r->tracks);
  hou_objects_free(&r->objects);
  for (int i = 0; i < HOU_INPUTS; i++) hou_input_clear(r->first + i);
  *r = (hou_reading){0};
}

static const char *const INPUT_NAMES[] = {"geometry (first input)", "constraints (second input)",
                                          "colliders (third input)"};

/* What differs, in numbers a person can look for. */
static tribo_status refuse_topology(const hou_reading *r, const hou_input *now, int input,
                                    double frame, tribo_error *err) {
  const hou_input *then = r->first + input;
  size_t points[2] = {0}, prims[2] = {0};
  for (size_t i = 0; i < then->part_count; i++) {
    points[0] += then->parts[i]->point_count;
    prims[0] += then->parts[i]->prim_count;
  }
  for (size_t i = 0; i < now->part_count; i++) {
    points[1] += now->parts[i]->point_count;
    prims[1] += now->parts[i]->prim_count;
  }
  bool same = points[0] == points[1] && prims[0] == prims[1];
  return hou_fail(
      err, TRIBO_BAD_INPUT,
      "the %s changed its topology: %zu points and %zu primitives at the start, %zu and "
      "%zu at frame %g%s; only positions may change while it simulates (freeze the mesh "
      "with a Time Shift SOP and deform that)",
      INPUT_NAMES[input], points[0], prims[0], points[1], prims[1], frame,
      same ? ", connected differently" : "");
}

tribo_status hou_reading_check(const hou_reading *r, const hou_input inputs[HOU_INPUTS],
                               double frame, tribo_error *err) {
  for (int i = 0; i < HOU_INPUTS; i++)
    if (hou_input_topology(inputs + i) != r->topology[i])
      return refuse_topology(r, inputs + i, i, frame, err);
  return TRIBO_OK;
}

size_t hou_sample_width(const hou_object *o) {
  return 3 * (o->kind->simulated ? o->pinned_count : o->vertex_count);
}

void hou_sample(const hou_object *o, const hou_input inputs[HOU_INPUTS], double *out) {
  int input = o->input;
  if (o->kind->simulated && inputs[HOU_CONSTRAINTS].part_count) input = HOU_CONSTRAINTS;
  const hou_geo *geo = inputs[input].parts[o->part];
  size_t count = hou_sample_width(o) / 3;
  for (size_t i = 0; i < count; i++) {
    size_t v = o->kind->simulated ? (size_t)o->pinned[i] : i;
    space_in(geo->positions + 3 * o->points[v], out + 3 * i);
  }
}

tribo_status hou_reading_append(hou_reading *r, const hou_input inputs[HOU_INPUTS],
                                tribo_error *err) {
  for (size_t i = 0; i < r->objects.count; i++) {
    hou_track *track = r->tracks + i;
    size_t width = hou_sample_width(r->objects.items + i);
    if (!width) continue;
    if (track->count == track->room) {
      size_t room = 2 * track->room + 1;
      double *grown = realloc(track->values, room * width * sizeof *grown);
      if (!grown) return hou_no_memory(err);
      track->values = grown;
      track->room = room;
    }
    hou_sample(r->objects.items + i, inputs, track->values + width * track->count++);
  }
  return TRIBO_OK;
}
