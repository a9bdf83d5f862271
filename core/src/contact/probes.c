/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/probes.h"

#include <assert.h>

#include "model/kinematics.h"

/* ---- round ones -------------------------------------------------------------------------------
 */

/* Such points are on no vertex: what is painted at a contact is looked up on the mesh. */
static tribo_status make_skin(arena *memory, probes *out, tribo_error *err) {
  mesh_distance *skin = ARENA_ARRAY(memory, mesh_distance, 1);
  if (!skin) return status_no_memory(err, out->body->name);
  tasks alone = tasks_create(1);
  out->skin = skin;
  return mesh_distance_build(&alone, out->body->local, (size_t)out->body->vertex_count,
                             out->def->triangles, out->def->triangle_count, memory, skin, err);
}

static tribo_status make_fat(primitive_kind kind, arena *memory, probes *out, tribo_error *err) {
  primitive shape;
  double worst;
  tribo_status status =
      primitive_fit(kind, out->body->local, (size_t)out->body->vertex_count, out->def->triangles,
                    out->def->triangle_count, &shape, &worst, err);
  TRY(status_prefix(err, status, "object '%s': ", out->body->name));
  /* along the axis of a capsule no two are farther apart than its radius */
  double half = kind == PRIMITIVE_CAPSULE ? shape.half.z : 0;
  size_t steps = half > 0 ? (size_t)fmin(ceil(2 * half / shape.radius), 1000) : 0;
  vec3 *local = ARENA_ARRAY(memory, vec3, steps + 1);
  if (!local) return status_no_memory(err, out->body->name);
  vec3 axis = mat3_column(&shape.axes, 2);
  for (size_t i = 0; i <= steps; i++) {
    double along = steps ? half * (2 * (double)i / (double)steps - 1) : 0;
    local[i] = vec3_madd(shape.centre, along, axis);
  }
  probes_segment *segments = ARENA_ARRAY(memory, probes_segment, steps);
  if (!segments) return status_no_memory(err, out->body->name);
  for (size_t i = 0; i < steps; i++)
    segments[i] =
        (probes_segment){{(int32_t)i, (int32_t)i + 1}, local[i], local[i + 1], {0, 0, 0}, 0};
  out->local = local;
  out->count = steps + 1;
  out->segments = segments;
  out->segment_count = steps;
  out->thickness += shape.radius;
  return TRIBO_OK;
}

/* ---- blunt ones -------------------------------------------------------------------------------
 */

/* How far vertices are drawn inwards: so much of the least extent, or of the smallest body's size
 * where that is more (a step leaves 2e-5 of it, and a point must stay closer to the side it came in
 * by than to the others), but never more than 2% of the least extent. How far apart
 * points on an edge are, at most, by the least extent. */
static const double DRAWN = 1e-3, DRAWN_OF_SMALLEST = 3e-4, DRAWN_AT_MOST = 0.02, APART = 0.25;

static blunt_shape shape_of(const model *m, const char *name, const vec3 *x, size_t vertices,
                            const model_probes *def) {
  blunt_shape s = {.name = name,
                   .x = x,
                   .vertex_count = vertices,
                   .vertices = def->vertices,
                   .count = def->count,
                   .triangles = def->triangles,
                   .triangle_count = def->triangle_count};
  double extent = blunt_least_extent(&s);
  s.radius = fmin(fmax(DRAWN * extent, DRAWN_OF_SMALLEST * m->smallest), DRAWN_AT_MOST * extent);
  s.apart = APART * extent;
  return s;
}

static double farthest(const blunt_points *p) {
  double far2 = 0;
  for (size_t i = 0; i < p->count; i++) far2 = fmax(far2, vec3_norm2(p->tip[i]));
  for (size_t k = 0; k < p->segment_count; k++) far2 = fmax(far2, vec3_norm2(p->segments[k].tip));
  return sqrt(far2);
}

static void take_points(const blunt_points *p, probes *out) {
  out->local = p->local;
  out->tip = p->tip;
  out->round = p->round;
  out->rides = p->rides;
  out->count = p->count;
  out->blunt = farthest(p);
}

static tribo_status make_blunt(const model *m, arena *memory, probes *out, tribo_error *err) {
  blunt_points points;
  blunt_shape shape =
      shape_of(m, out->body->name, out->body->local, (size_t)out->body->vertex_count, out->def);
  TRY(blunt_make(&shape, memory, &points, err));
  take_points(&points, out);
  out->between = (const int32_t(*)[2])points.between;
  out->segments = points.segments;
  out->segment_count = points.segment_count;
  return TRIBO_OK;
}

/* The vertices of what deforms are bare: its corners do not keep their shape. */
tribo_status probes_of_collider(const model *m, const surface *s, arena *memory, probes *out,
                                tribo_error *err) {
  const model_collider *c = &m->colliders[s->def->collider];
  model_probes *def = ARENA_ARRAY(memory, model_probes, 1);
  int32_t *on = ARENA_ARRAY(memory, int32_t, c->vertex_count), *corners;
  bool *used = ARENA_ARRAY(memory, bool, c->vertex_count);
  if (!def || !on || !used) return status_no_memory(err, c->name);
  *def = (model_probes){.object = s->def->object,
                        .body = -1,
                        .params = s->def->params,
                        .vertices = on,
                        .triangles = s->def->triangles,
                        .triangle_count = s->def->triangle_count};
  for (size_t k = 0; k < 3 * def->triangle_count; k++) used[def->triangles[k]] = true;
  for (int32_t v = 0; v < c->vertex_count; v++)
    if (used[v]) on[def->count++] = v;
  *out = (probes){.form = PROBES_BLUNT, .def = def, .of = s, .thickness = s->def->params.thickness};
  if (def->count == 0) return TRIBO_OK;
  blunt_shape shape = shape_of(m, c->name, c->rest, (size_t)c->vertex_count, def);
  blunt_points points;
  size_t count;
  TRY(blunt_corners(&shape, memory, &corners, &count, err));
  TRY(blunt_make(&shape, memory, &points, err));
  for (size_t k = 0; k < count; k++) { /* ascending: no place is read after it is written */
    size_t from = (size_t)corners[k];
    points.local[k] = s->deforms ? shape.x[shape.vertices[from]] : points.local[from];
    points.tip[k] = s->deforms ? vec3_make(0, 0, 0) : points.tip[from];
    points.round[k] = s->deforms ? 0 : points.round[from];
    points.rides[k] = points.rides[from];
  }
  points.count = count;
  points.segment_count = 0;
  take_points(&points, out);
  return TRIBO_OK;
}

tribo_status probes_create(const model *m, const model_probes *def, probes_form form, arena *memory,
                           probes *out, tribo_error *err) {
  *out = (probes){.form = form,
                  .def = def,
                  .body = &m->bodies[def->body],
                  .count = def->count,
                  .thickness = def->params.thickness};
  if (form == PROBES_VERTICES) return TRIBO_OK;
  assert(!out->body->kinematics->deforms);
  if (form == PROBES_BLUNT)
    TRY(make_blunt(m, memory, out, err));
  else if (def->params.contact == TRIBO_CONTACT_SPHERE)
    TRY(make_fat(PRIMITIVE_SPHERE, memory, out, err));
  else
    TRY(make_fat(PRIMITIVE_CAPSULE, memory, out, err));
  bool painted = out->local && paint_any(&m->paints[def->object]);
  return painted ? make_skin(memory, out, err) : TRIBO_OK;
}

int32_t probes_vertex(const probes *f, size_t i) {
  if (i >= f->count) return probes_vertex(f, (size_t)f->segments[i - f->count].end[0]);
  switch (f->form) {
    case PROBES_VERTICES: return f->def->vertices[i];
    case PROBES_BLUNT: return f->rides[i];
    case PROBES_ROUND: break;
  }
  return (int32_t)i;
}

uint32_t probes_number(const probes *f, size_t i) {
  return f->form == PROBES_VERTICES ? (uint32_t)f->def->vertices[i] : (uint32_t)i;
}

/* Where the frame of a body's points is, and was at the start of the step. A collider's points are
 * in that of its surface. */
static rigid_map frame_now(const probes *f, const model *m, const contact_moment *moment) {
  if (f->of) return f->of->frame;
  return (rigid_map){.turn = kinematics_turn(m, moment->x, moment->turns, (size_t)f->body->rigid),
                     .scale = 1,
                     .shift = moment->x[f->body->first_node]};
}

static rigid_map frame_before(const probes *f, const contact_moment *moment) {
  if (f->of) return f->of->frame_before;
  return (rigid_map){.turn = moment->turns[f->body->rigid],
                     .scale = 1,
                     .shift = moment->x_before[f->body->first_node]};
}

/* Where point or segment i is in the frame. What deforms has moved its vertices. */
static vec3 local_place(const probes *f, size_t i, double part, bool now) {
  if (i >= f->count) {
    const probes_segment *segment = &f->segments[i - f->count];
    return vec3_madd(segment->from, part, vec3_sub(segment->to, segment->from));
  }
  if (!f->of || !f->of->deforms) return f->local[i];
  return (now ? f->of->vertices : f->of->vertices_before)[f->rides[i]];
}

vec3 probes_place(const probes *f, const model *m, const contact_moment *moment, size_t i,
                  double part) {
  if (!f->local) return moment->vertices[f->body->first_vertex + f->def->vertices[i]];
  rigid_map frame = frame_now(f, m, moment);
  return rigid_map_apply(&frame, local_place(f, i, part, true));
}

vec3 probes_point(const probes *f, const model *m, const contact_moment *moment, size_t i) {
  return probes_place(f, m, moment, i, 0);
}

vec3 probes_place_before(const probes *f, const contact_moment *moment, size_t i, double part) {
  if (!f->local) return moment->before[f->body->first_vertex + f->def->vertices[i]];
  rigid_map frame = frame_before(f, moment);
  return rigid_map_apply(&frame, local_place(f, i, part, false));
}

vec3 probes_before(const probes *f, const contact_moment *moment, size_t i) {
  return probes_place_before(f, moment, i, 0);
}

/* In the world, whatever its normal. */
static vec3 tip_of(const probes *f, const model *m, const contact_moment *moment, size_t i) {
  if (!f->tip) return vec3_make(0, 0, 0);
  rigid_map frame = frame_now(f, m, moment);
  vec3 tip = i < f->count ? f->tip[i] : f->segments[i - f->count].tip;
  return vec3_scale(frame.scale, quat_rotate(frame.turn, tip));
}

double probes_round(const probes *f, size_t i) {
  double scale = f->of ? f->of->frame.scale : 1;
  if (!f->round) return 0;
  return scale * (i < f->count ? f->round[i] : f->segments[i - f->count].round);
}

/* Where a face lies flush the vertex touches, to within rounding. */
static const double ON_FACE = 1e-6;

vec3 probes_edge(const probes *f, const model *m, const contact_moment *moment, size_t i,
                 vec3 normal) {
  const vec3 none = {0, 0, 0};
  vec3 tip = tip_of(f, m, moment, i);
  return -vec3_dot(tip, normal) >= (1 - ON_FACE) * probes_round(f, i) ? tip : none;
}

double probes_thickness(const probes *f, const model *m, const contact_moment *moment, size_t i,
                        vec3 normal) {
  double tip = -vec3_dot(tip_of(f, m, moment, i), normal);
  return f->thickness + fmax(probes_round(f, i), tip);
}

double probes_speed(const probes *f, const vec3 *velocities, size_t i) {
  assert(!f->local);
  return vec3_norm(velocities[f->body->first_vertex + f->def->vertices[i]]);
}
