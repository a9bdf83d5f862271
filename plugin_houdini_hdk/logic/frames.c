/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

#include "space.h"

static void frame_free(hou_frame *frame) {
  if (!frame) return;
  free(frame->x);
  free(frame->v);
  free(frame->friction);
  free(frame->state);
  free(frame->crossed);
  free(frame->contacts);
  hou_say_clear(&frame->say);
  free(frame);
}

void hou_frames_clear(hou_frames *f) {
  for (size_t i = 0; i < f->count; i++) frame_free(f->items[i]);
  free(f->items);
  *f = (hou_frames){0};
}

static hou_frame *frame_create(size_t vertices, size_t contacts) {
  hou_frame *frame = calloc(1, sizeof *frame);
  if (!frame) return NULL;
  frame->x = calloc(3 * vertices + 1, sizeof *frame->x);
  frame->v = calloc(3 * vertices + 1, sizeof *frame->v);
  frame->friction = calloc(3 * vertices + 1, sizeof *frame->friction);
  frame->state = calloc(vertices + 1, 1);
  frame->crossed = calloc(vertices + 1, 1);
  frame->contacts = calloc(contacts + 1, sizeof *frame->contacts);
  frame->contact_count = contacts;
  frame->bytes =
      sizeof *frame + vertices * (9 * sizeof(float) + 2) + contacts * sizeof *frame->contacts;
  if (frame->x && frame->v && frame->friction && frame->state && frame->crossed && frame->contacts)
    return frame;
  frame_free(frame);
  return NULL;
}

hou_frame *hou_frames_add(hou_frames *f, size_t vertices, size_t contacts, size_t most) {
  if (f->count == f->room) {
    size_t room = 2 * f->room + 16;
    hou_frame **grown = realloc(f->items, room * sizeof *grown);
    if (!grown) return NULL;
    f->items = grown;
    f->room = room;
  }
  hou_frame *frame = frame_create(vertices, contacts);
  if (!frame) return NULL;
  f->bytes += frame->bytes;
  for (; f->bytes > most && f->oldest < f->count; f->oldest++) {
    f->bytes -= f->items[f->oldest]->bytes;
    frame_free(f->items[f->oldest]);
    f->items[f->oldest] = NULL;
  }
  return f->items[f->count++] = frame;
}

size_t hou_frame_vertices(const hou_objects *o) {
  size_t count = 0;
  for (size_t i = 0; i < o->count; i++)
    if (o->items[i].kind->simulated) count += o->items[i].vertex_count;
  return count;
}

/* Where the vertices of a simulated object begin, by its number among those. */
static size_t begin_of(const tribo_sim *sim, size_t number) {
  size_t begin = 0;
  for (size_t i = 0; i < number; i++) begin += tribo_sim_vertex_count(sim, i);
  return begin;
}

static void fill_motion(hou_frame *frame, const tribo_sim *sim) {
  size_t at = 0;
  for (size_t i = 0; i < tribo_sim_object_count(sim); i++) {
    const double *x = tribo_sim_positions(sim, i), *v = tribo_sim_velocities(sim, i);
    for (size_t k = 0; k < tribo_sim_vertex_count(sim, i); k++, at += 3) {
      space_out(x + 3 * k, frame->x + at);
      space_out(v + 3 * k, frame->v + at);
    }
  }
}

static void fill_contacts(hou_frame *frame, const tribo_sim *sim) {
  size_t count;
  const tribo_contact *found = tribo_sim_contacts(sim, &count);
  for (size_t i = 0; i < count && i < frame->contact_count; i++) {
    const tribo_contact *c = found + i;
    hou_contact *out = frame->contacts + i;
    size_t vertex = begin_of(sim, c->object) + (size_t)c->vertex;
    double along = 0, rub[3];
    for (int k = 0; k < 3; k++) along += c->force[k] * c->normal[k];
    for (int k = 0; k < 3; k++) rub[k] = c->force[k] - along * c->normal[k];
    float turned[3];
    space_out(rub, turned);
    for (size_t k = 0; k < 3; k++) frame->friction[3 * vertex + k] += turned[k];
    space_out(c->position, out->place);
    space_out(c->force, out->force);
    out->state = c->state == TRIBO_STICK ? HOU_STICKS : HOU_SLIPS;
    if (frame->state[vertex] < out->state) frame->state[vertex] = (uint8_t)out->state;
  }
}

static void fill_crossed(hou_frame *frame, const hou_objects *o, const tribo_sim *sim) {
  size_t begin = 0;
  for (size_t i = 0; i < o->count; i++) {
    size_t count = 0;
    const int32_t *found = tribo_sim_pierced(sim, i, &count);
    if (!o->items[i].kind->simulated) continue;
    for (size_t k = 0; k < 3 * count; k++) frame->crossed[begin + (size_t)found[k]] = 1;
    begin += o->items[i].vertex_count;
  }
}

void hou_frame_fill(hou_frame *frame, const hou_objects *o, const tribo_sim *sim) {
  fill_motion(frame, sim);
  fill_contacts(frame, sim);
  fill_crossed(frame, o, sim);
}

/* ---- the view -------------------------------------------------------------------------------- */

tribo_status hou_view_begin(hou_view *view, const hou_objects *o, tribo_error *err) {
  hou_view_free(view);
  size_t count = view->count = hou_frame_vertices(o);
  view->point_count = o->point_count;
  view->points = calloc(count + 1, sizeof *view->points);
  view->x = calloc(3 * count + 1, sizeof *view->x);
  view->v = calloc(3 * count + 1, sizeof *view->v);
  view->friction = calloc(3 * count + 1, sizeof *view->friction);
  view->state = calloc(count + 1, sizeof *view->state);
  view->crossed = calloc(count + 1, sizeof *view->crossed);
  if (!view->points || !view->x || !view->v || !view->friction || !view->state || !view->crossed)
    return hou_no_memory(err);
  size_t at = 0;
  for (size_t i = 0; i < o->count; i++)
    for (size_t v = 0; o->items[i].kind->simulated && v < o->items[i].vertex_count; v++)
      view->points[at++] = o->items[i].points[v];
  return TRIBO_OK;
}

void hou_view_free(hou_view *view) {
  free(view->points);
  free(view->x);
  free(view->v);
  free(view->friction);
  free(view->state);
  free(view->crossed);
  *view = (hou_view){0};
}

static void blend(float *out, const float *a, const float *b, size_t count, float part) {
  for (size_t i = 0; i < count; i++) out[i] = a[i] + part * (b[i] - a[i]);
}

void hou_view_show(hou_view *view, const hou_frame *frame, const hou_frame *next, double part) {
  size_t n = 3 * view->count;
  memcpy(view->x, frame->x, n * sizeof *view->x);
  memcpy(view->v, frame->v, n * sizeof *view->v);
  memcpy(view->friction, frame->friction, n * sizeof *view->friction);
  if (next && part > 0) {
    blend(view->x, frame->x, next->x, n, (float)part);
    blend(view->v, frame->v, next->v, n, (float)part);
    blend(view->friction, frame->friction, next->friction, n, (float)part);
  }
  for (size_t i = 0; i < view->count; i++) {
    view->state[i] = frame->state[i];
    view->crossed[i] = frame->crossed[i];
  }
  view->contacts = frame->contacts;
  view->contact_count = frame->contact_count;
  view->crossings = frame->crossings;
}
