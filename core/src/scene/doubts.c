/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/doubts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom/faults.h"
#include "geom/holes.h"
#include "kinds/kind.h"
#include "kinds/outline.h"
#include "math/vec3.h"
#include "model/rigid.h"
#include "scene/astray.h"
#include "scene/slump.h"
#include "step/methods.h"

/* Sizes that are more likely a unit taken for another, in metres: of a cloth, of anything else that
 * is simulated, and at least of both. A circus tent is 40 m wide, a grain of rice 6 mm long. Where
 * nothing that is simulated is smaller than LARGE_ALL, all of the scene is: a brick of 20 cm that
 * was modelled in centimetres, a jelly, a handkerchief. */
static const double LARGEST_SHEET = 40, LARGEST = 150, SMALLEST = 5e-3, LARGE_ALL = 15;

/* What is farther apart, across gravity, than this part of the larger one's size hardly meets. */
static const double NEAR = 0.5;

/* Pairs that pass through each other: as many as are told one by one. */
enum { MOST_PAIRS = 4 };

typedef struct extent {
  vec3 low, high;
} extent;

typedef struct doubter {
  const tribo_scene *scene;
  ARRAY(tribo_doubt) found;
  extent *extents;
  measure *places; /* at all samples of their motion */
  double least;    /* size of what is simulated, m */
  bool has_rigid;
  tribo_error *err;
} doubter;

static const tribo_object_def *object(const doubter *d, size_t i) {
  return &d->scene->objects.data[i];
}

__attribute__((format(printf, 3, 4))) static tribo_status add(doubter *d, tribo_doubt doubt,
                                                              const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(doubt.message, sizeof doubt.message, format, args);
  va_end(args);
  return ARRAY_PUSH(d->found, doubt) ? TRIBO_OK : status_no_memory(d->err, "what is told");
}

/* ---- the mesh -------------------------------------------------------------------------------- */

static tribo_status doubt_pieces(doubter *d, size_t i, const mesh_faults *f) {
  const tribo_object_def *o = object(d, i);
  if (!kind_of(o)->about.deforms || f->seams == 0) return TRIBO_OK;
  tribo_doubt doubt = {.kind = TRIBO_DOUBT_PIECES,
                       .object = i,
                       .count = f->seams,
                       .of = f->pieces,
                       .metres = f->join_distance};
  char pieces[80] = "";
  if (f->pieces > f->joined) snprintf(pieces, sizeof pieces, "%zu separate pieces; ", f->pieces);
  return add(d, doubt,
             "object '%s': %s%zu edge%s of its mesh lie%s on others without being joined (the "
             "first has vertices %d and %d in one place), and will come apart there; merge double "
             "vertices",
             o->name, pieces, f->seams, f->seams == 1 ? "" : "s", f->seams == 1 ? "s" : "",
             (int)f->seam[0], (int)f->seam[1]);
}

static tribo_status doubt_winding(doubter *d, size_t i, const mesh_faults *f) {
  const tribo_object_def *o = object(d, i);
  if (f->turned == 0) return TRIBO_OK;
  tribo_doubt doubt = {
      .kind = TRIBO_DOUBT_WINDING, .object = i, .count = f->turned, .of = o->triangle_count};
  return add(d, doubt,
             "object '%s': %zu of its %zu triangles are wound against the others (the first is "
             "%zu), so that its front and its back change sides there; recalculate the normals",
             o->name, f->turned, o->triangle_count, f->first_turned);
}

static tribo_status doubt_inside(doubter *d, size_t i, const mesh_faults *f) {
  const tribo_object_def *o = object(d, i);
  if (f->inside_out == 0 || kind_of(o)->about.sheet) return TRIBO_OK;
  tribo_doubt doubt = {
      .kind = TRIBO_DOUBT_INSIDE_OUT, .object = i, .count = f->inside_out, .of = f->joined};
  char parts[60] = "it is";
  if (f->joined > 1)
    snprintf(parts, sizeof parts, "%zu of its %zu parts %s", f->inside_out, f->joined,
             f->inside_out == 1 ? "is" : "are");
  return add(
      d, doubt,
      "object '%s': %s inside out (triangle %zu, for one, has its front on the inside): what "
      "is outside counts as inside and is drawn in; recalculate the normals to point outside",
      o->name, parts, f->first_inside_out);
}

/* Of a rigid body, whose holes nothing else tells of. */
static tribo_status doubt_holes(doubter *d, size_t i, const vec3 *positions) {
  const tribo_object_def *o = object(d, i);
  if (o->kind != TRIBO_RIGID) return TRIBO_OK;
  arena scratch = {0};
  holes_closed closed;
  tribo_status status = holes_close(positions, o->vertex_count, o->triangles, o->triangle_count,
                                    &scratch, &closed, d->err);
  model_rigid body;
  vec3 centre;
  bool sound = rigid_measure(o->name, &positions->x, o->vertex_count, o->triangles,
                             o->triangle_count, 1, &body, &centre, NULL) == TRIBO_OK;
  size_t holes = status == TRIBO_OK && sound ? closed.holes : 0;
  arena_free(&scratch);
  if (status != TRIBO_OK || holes == 0) return status;
  tribo_doubt doubt = {.kind = TRIBO_DOUBT_HOLES, .object = i, .count = holes};
  return add(d, doubt,
             "object '%s': its mesh has %zu hole%s; it weighs as much as with %s closed, a bowl "
             "as a full one. Give it a thickness if it is to weigh less",
             o->name, holes, holes == 1 ? "" : "s", holes == 1 ? "it" : "all of them");
}

static tribo_status doubt_mesh(doubter *d, size_t i) {
  const tribo_object_def *o = object(d, i);
  if (o->triangle_count == 0) return TRIBO_OK;
  vec3 *positions = malloc((o->vertex_count + 1) * sizeof *positions);
  if (!positions) return status_no_memory(d->err, "the check of a mesh");
  for (size_t v = 0; v < o->vertex_count; v++) positions[v] = vec3_from(o->positions + 3 * v);
  mesh_faults f;
  tribo_status status =
      mesh_faults_find(positions, o->vertex_count, o->triangles, o->triangle_count, &f, d->err);
  if (status == TRIBO_OK) status = doubt_holes(d, i, positions);
  free(positions);
  if (status == TRIBO_OK) status = doubt_pieces(d, i, &f);
  if (status == TRIBO_OK) status = doubt_winding(d, i, &f);
  return status == TRIBO_OK ? doubt_inside(d, i, &f) : status;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static extent extent_of(const tribo_object_def *o) {
  extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t v = 0; v < o->vertex_count; v++) {
    vec3 p = vec3_from(o->positions + 3 * v);
    e.low = vec3_make(fmin(e.low.x, p.x), fmin(e.low.y, p.y), fmin(e.low.z, p.z));
    e.high = vec3_make(fmax(e.high.x, p.x), fmax(e.high.y, p.y), fmax(e.high.z, p.z));
  }
  return e;
}

static double size_of(const extent *e) { return vec3_norm(vec3_sub(e->high, e->low)); }

static tribo_status doubt_size(doubter *d, size_t i) {
  const tribo_object_def *o = object(d, i);
  const tribo_kind_info *about = &kind_of(o)->about;
  if (!about->simulated) return TRIBO_OK;
  double size = size_of(&d->extents[i]);
  bool large = size > (about->sheet ? LARGEST_SHEET : LARGEST) || d->least > LARGE_ALL;
  if (!large && size >= SMALLEST) return TRIBO_OK;
  tribo_doubt doubt = {
      .kind = large ? TRIBO_DOUBT_LARGE : TRIBO_DOUBT_SMALL, .object = i, .metres = size};
  return add(d, doubt,
             "object '%s' is %.3g m across: it will move as a thing of that size does, which is "
             "%s. A unit is a metre; scale the scene if it is meant to be %s",
             o->name, size, large ? "slowly" : "in a flash", large ? "smaller" : "larger");
}

/* Soft bodies alone or in piles that fold over by their own weight. */
static tribo_status doubt_slump(doubter *d, size_t i) {
  slump s = slump_of(d->scene, i);
  if (s.count == 0) return TRIBO_OK;
  const char *weak = object(d, s.weak)->name;
  char what[300];
  if (s.count == 1)
    snprintf(what, sizeof what, "object '%s' is", object(d, i)->name);
  else
    snprintf(what, sizeof what, "objects '%s' to '%s', %zu of them on one another, are",
             object(d, i)->name, object(d, s.top)->name, s.count);
  tribo_doubt doubt = {
      .kind = TRIBO_DOUBT_SOFT, .object = i, .other = s.top, .count = s.count, .metres = s.most};
  return add(d, doubt,
             "%s %.2g m high, and so soft that no more than %.2g m would stand by its own weight: "
             "the rest folds over. Set elastic.young of '%s' to %.2g Pa or more",
             what, s.height, s.most, weak, s.young);
}

/* ---- where it is ----------------------------------------------------------------------------- */

static tribo_status doubt_place(doubter *d, size_t i) {
  const tribo_object_def *o = object(d, i);
  tribo_doubt doubt = {.object = i, .count = o->vertex_count};
  if (astray_is_held(o)) {
    doubt.kind = TRIBO_DOUBT_HELD;
    return add(d, doubt,
               "object '%s': all of its %zu vertices are pinned, so that it goes where its pins go "
               "and nothing of it is simulated. Pin only what is to be held",
               o->name, o->vertex_count);
  }
  if (!methods_row(d->scene->world.method)->can.contact) return TRIBO_OK;
  if (astray_is_idle(o)) {
    doubt.kind = TRIBO_DOUBT_IDLE;
    return add(d, doubt,
               "object '%s' is a collider that nothing touches: its surface.contact is 'none'. Set "
               "it to 'auto', or leave the object out",
               o->name);
  }
  if (!astray_falls(d->scene, d->places, i)) return TRIBO_OK;
  doubt.kind = TRIBO_DOUBT_FALLS;
  return add(d, doubt,
             "object '%s' falls for as long as the scene lasts: it has no pins, and no collider is "
             "below it. Make what it is to fall on a collider, or pin it",
             o->name);
}

static tribo_status doubt_twins(doubter *d) {
  for (size_t a = 0; a < d->scene->objects.count; a++)
    for (size_t b = a + 1; b < d->scene->objects.count; b++) {
      tribo_doubt doubt = {.kind = TRIBO_DOUBT_TWINS, .object = a, .other = b};
      TRY(astray_twins(d->scene, d->places, a, b, &doubt.count, d->err));
      if (doubt.count == 0) continue;
      TRY(add(
          d, doubt,
          "objects '%s' and '%s' lie in one place: %zu of their vertices coincide, as of a copy "
          "that was never moved. Delete one of them, or move it away",
          object(d, a)->name, object(d, b)->name, doubt.count));
    }
  return TRIBO_OK;
}

/* ---- who touches whom ------------------------------------------------------------------------ */

/* With the method projective what is simulated touches as layers do, where both have a thickness;
 * a collider is touched by its surface. */
bool doubts_meet(const tribo_scene *scene, size_t a, size_t b) {
  const tribo_object_def *one = &scene->objects.data[a], *other = &scene->objects.data[b];
  bool feels[2], is_felt[2];
  outline_roles(one, &feels[0], &is_felt[0]);
  outline_roles(other, &feels[1], &is_felt[1]);
  const method_abilities *can = &methods_row(scene->world.method)->can;
  bool layers = can->self_contact;
  if (!can->contact || (a == b && !layers)) return false;
  if (layers && kind_of(one)->about.simulated && kind_of(other)->about.simulated)
    return feels[0] && feels[1] &&
           (can->no_crossings || (one->surface.thickness > 0 && other->surface.thickness > 0));
  return (feels[0] && is_felt[1]) || (feels[1] && is_felt[0]);
}

/* Whether they may come to meet: gravity brings together what lies above one another. */
static bool are_near(const doubter *d, size_t a, size_t b) {
  const extent *one = &d->extents[a], *other = &d->extents[b];
  vec3 gap = vec3_make(fmax(0, fmax(one->low.x - other->high.x, other->low.x - one->high.x)),
                       fmax(0, fmax(one->low.y - other->high.y, other->low.y - one->high.y)),
                       fmax(0, fmax(one->low.z - other->high.z, other->low.z - one->high.z)));
  vec3 g = vec3_from(d->scene->world.gravity);
  double strength = vec3_norm(g);
  if (strength > 0) { /* gaps have no sign: take off each axis its share of gravity */
    gap.x *= 1 - fabs(g.x) / strength;
    gap.y *= 1 - fabs(g.y) / strength;
    gap.z *= 1 - fabs(g.z) / strength;
  }
  return vec3_norm(gap) < NEAR * fmax(size_of(one), size_of(other));
}

static bool is_rod(const tribo_object_def *o) {
  return kind_of(o)->about.mesh == TRIBO_MESH_SEGMENTS;
}

static tribo_status doubt_pair(doubter *d, size_t a, size_t b) {
  const tribo_object_def *one = object(d, a), *other = object(d, b);
  tribo_doubt doubt = {.kind = TRIBO_DOUBT_UNSEEN, .object = a, .other = b};
  const method *by = methods_row(d->scene->world.method);
  if (by->can.self_contact) {
    const tribo_object_def *thin = one->surface.thickness > 0 ? other : one;
    return add(d, doubt,
               "objects '%s' and '%s' pass through each other: with the method %s they "
               "touch where both have a surface.thickness, and that of '%s' is 0",
               one->name, other->name, by->name, thin->name);
  }
  const char *layers = d->has_rigid ? "Layers are of the method projective, which moves no rigid "
                                      "bodies: simulate those apart, make them colliders"
                                    : "Take the method projective with a surface.thickness";
  if (is_rod(one) || is_rod(other)) layers = "With the method barrier they touch: take it";
  return add(d, doubt,
             "objects '%s' and '%s' pass through each other: with the method %s neither "
             "has a surface that the other touches. %s, or give one of them a surface.contact of "
             "its own",
             one->name, other->name, by->name, layers);
}

/* To be passed through, as far as a role says so. */
static bool was_asked_for(const tribo_object_def *o) {
  return o->surface.contact == TRIBO_CONTACT_NONE || o->surface.role != TRIBO_ROLE_AUTO;
}

static tribo_status doubt_pairs(doubter *d) {
  size_t count = d->scene->objects.count, unseen = 0;
  for (size_t a = 0; a < count; a++)
    for (size_t b = a + 1; b < count; b++) {
      const tribo_object_def *one = object(d, a), *other = object(d, b);
      if (!kind_of(one)->about.simulated || !kind_of(other)->about.simulated) continue;
      if (was_asked_for(one) || was_asked_for(other)) continue;
      if (doubts_meet(d->scene, a, b) || !are_near(d, a, b)) continue;
      if (unseen++ < MOST_PAIRS) TRY(doubt_pair(d, a, b));
    }
  if (unseen <= MOST_PAIRS) return TRIBO_OK;
  tribo_doubt *last = &d->found.data[d->found.count - 1];
  last->count = unseen - MOST_PAIRS;
  size_t length = strlen(last->message);
  snprintf(last->message + length, sizeof last->message - length, "; and %zu pairs more",
           last->count);
  return TRIBO_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static tribo_status doubt_all(doubter *d) {
  size_t count = d->scene->objects.count;
  d->least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    const tribo_object_def *o = object(d, i);
    d->extents[i] = extent_of(o);
    measure_extent(d->scene, i, &d->places[i]);
    const tribo_kind_info *about = &kind_of(o)->about;
    if (about->simulated) d->least = fmin(d->least, size_of(&d->extents[i]));
    d->has_rigid |= about->simulated && !about->deforms;
  }
  for (size_t i = 0; i < count; i++) {
    TRY(doubt_mesh(d, i));
    TRY(doubt_size(d, i));
    TRY(doubt_slump(d, i));
    TRY(doubt_place(d, i));
  }
  TRY(doubt_twins(d));
  return methods_row(d->scene->world.method)->can.contact ? doubt_pairs(d) : TRIBO_OK;
}

tribo_status doubts_find(const tribo_scene *scene, tribo_doubt **out, size_t *count,
                         tribo_error *err) {
  size_t objects = scene->objects.count;
  doubter d = {.scene = scene,
               .extents = calloc(objects + 1, sizeof *d.extents),
               .places = calloc(objects + 1, sizeof *d.places),
               .err = err};
  tribo_status status = d.extents && d.places ? doubt_all(&d) : status_no_memory(err, "a check");
  free(d.extents);
  free(d.places);
  if (status != TRIBO_OK) ARRAY_FREE(d.found);
  *out = d.found.data;
  *count = d.found.count;
  return status;
}

tribo_status doubts_tell(const tribo_scene *scene, const log_sink *log, bool *inside_out,
                         tribo_error *err) {
  *inside_out = false;
  if (!log->write) return TRIBO_OK;
  tribo_doubt *found;
  size_t count;
  TRY(doubts_find(scene, &found, &count, err));
  for (size_t i = 0; i < count; i++) {
    bool note = found[i].kind == TRIBO_DOUBT_HOLES || found[i].kind == TRIBO_DOUBT_FALLS;
    log_write(log, note ? TRIBO_LOG_INFO : TRIBO_LOG_WARNING, "%s", found[i].message);
    *inside_out |= found[i].kind == TRIBO_DOUBT_INSIDE_OUT;
  }
  free(found);
  return TRIBO_OK;
}
