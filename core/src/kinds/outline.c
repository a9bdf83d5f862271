/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/places.h"
#include "geom/topology.h"
#include "kinds/kind.h"
#include "mls/mls.h"
#include "model/smooth.h"

/* ---- the triangles --------------------------------------------------------------------------- */

/* Below this share of the longest side squared an area is lost to rounding. */
static const double FLAT = 1e-10;

static vec3 point(const double *positions, int32_t v) {
  return vec3_from(positions + 3 * (size_t)v);
}

static double side(const double *positions, int32_t a, int32_t b) {
  return vec3_norm(vec3_sub(point(positions, a), point(positions, b)));
}

static double area_of(const double *positions, const int32_t *t) {
  vec3 p = point(positions, t[0]), q = point(positions, t[1]), r = point(positions, t[2]);
  return vec3_norm(vec3_cross(vec3_sub(q, p), vec3_sub(r, p))) / 2;
}

static bool has_area(const double *positions, const int32_t *t) {
  double longest = fmax(side(positions, t[0], t[1]),
                        fmax(side(positions, t[1], t[2]), side(positions, t[2], t[0])));
  return area_of(positions, t) > FLAT * longest * longest;
}

/* All triangles of the skin, the flat ones too. A caged solid's are given. */
static tribo_status find_skin(const tribo_object_def *def, arena *memory, outline *out,
                              tribo_error *err) {
  if (!kind_is_tets(def)) {
    out->triangles = def->triangles;
    out->triangle_count = def->triangle_count;
    return TRIBO_OK;
  }
  topology_list skin;
  TRY(topology_boundary(def->tets, def->tet_count, memory, &skin, err));
  out->triangles = skin.vertices;
  out->triangle_count = skin.count;
  return TRIBO_OK;
}

/* Copies what stays into the model's memory. */
static tribo_status keep_triangles(const tribo_object_def *def, arena *memory, outline *out,
                                   tribo_error *err) {
  const int32_t *all = out->triangles;
  size_t count = out->triangle_count, kept = 0;
  int32_t *triangles = ARENA_ARRAY(memory, int32_t, 3 * count);
  int32_t *given = ARENA_ARRAY(memory, int32_t, count);
  if (!triangles || !given) return status_no_memory(err, "the surface of an object");
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const int32_t *t = all + 3 * i;
    if (!def->motion.points && !has_area(def->positions, t)) continue;
    memcpy(triangles + 3 * kept, t, 3 * sizeof *t);
    given[kept++] = (int32_t)i;
    for (int a = 0; a < 3; a++) sum += side(def->positions, t[a], t[(a + 1) % 3]);
  }
  out->triangles = triangles;
  out->given = given;
  out->triangle_count = kept;
  out->flat = count - kept;
  out->spacing = kept ? sum / (3 * (double)kept) : 0;
  return TRIBO_OK;
}

/* Of a rod: every vertex is on a segment. */
static tribo_status trace_segments(const tribo_object_def *def, arena *memory, outline *out,
                                   tribo_error *err) {
  int32_t *vertices = ARENA_ARRAY(memory, int32_t, def->vertex_count);
  int32_t *triangles = ARENA_ARRAY(memory, int32_t, 3 * def->segment_count);
  int32_t *given = ARENA_ARRAY(memory, int32_t, def->segment_count);
  if (!vertices || !triangles || !given) return status_no_memory(err, "the surface of an object");
  for (size_t v = 0; v < def->vertex_count; v++) vertices[v] = (int32_t)v;
  double sum = 0;
  for (size_t k = 0; k < def->segment_count; k++) {
    int32_t a = def->segments[2 * k], b = def->segments[2 * k + 1], *t = triangles + 3 * k;
    t[0] = a;
    t[1] = t[2] = b;
    given[k] = (int32_t)k;
    sum += side(def->positions, a, b);
  }
  out->vertices = vertices;
  out->vertex_count = def->vertex_count;
  out->triangles = triangles;
  out->triangle_count = def->segment_count;
  out->given = given;
  out->lines = true;
  out->spacing = sum / (double)def->segment_count;
  out->contact = TRIBO_CONTACT_MESH;
  outline_roles(def, &out->touches, &out->is_touched);
  return TRIBO_OK;
}

static tribo_status list_vertices(const tribo_object_def *def, arena *memory, outline *out,
                                  tribo_error *err) {
  bool *used = calloc(def->vertex_count, sizeof *used);
  if (!used) return status_no_memory(err, "the surface of an object");
  for (size_t i = 0; i < 3 * out->triangle_count; i++) used[out->triangles[i]] = true;
  for (size_t v = 0; v < def->vertex_count; v++) out->vertex_count += used[v];
  int32_t *vertices = ARENA_ARRAY(memory, int32_t, out->vertex_count);
  size_t next = 0;
  for (size_t v = 0; vertices && v < def->vertex_count; v++)
    if (used[v]) vertices[next++] = (int32_t)v;
  free(used);
  out->vertices = vertices;
  return vertices ? TRIBO_OK : status_no_memory(err, "the surface of an object");
}

/* ---- the choice ------------------------------------------------------------------------------ */

static const double SHARP = 35 * 3.14159265358979323846 / 180;
static const double SHARP_IN_REACH = 60 * 3.14159265358979323846 / 180;
static const double FLAT_BEND = 1e-4; /* radians, on the mean of all edges */
enum { LEAST_SMOOTH = 20 };
/* Spacing squared over area: 0.8 of an even triangle, 1.1 of half a square, 6 of half a strip seven
 * times as long as wide. */
static const double CROWDED = 6;
/* Of the area of all triangles. The poles of a sphere cut by meridians have 0.13, at four times as
 * many meridians as parallels 0.35; the caps of a long cylinder, as one polygon each, above 1. */
static const double CROWDED_MOST = 0.5;

/* The angle between the triangles of a hinge, 0 where they lie flat. */
static double bend_of(const double *positions, const int32_t *hinge) {
  vec3 x0 = point(positions, hinge[0]);
  vec3 e = vec3_sub(point(positions, hinge[1]), x0);
  vec3 a = vec3_cross(e, vec3_sub(point(positions, hinge[2]), x0));
  vec3 b = vec3_cross(vec3_sub(point(positions, hinge[3]), x0), e);
  return atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b));
}

/* How far a triangle's sample has to reach to find its neighbours (mls.h), half its radius. */
static double spacing_of(const double *positions, const int32_t *t,
                         const tribo_surface_params *params) {
  if (params->radius > 0) return params->radius / MLS_SCALE;
  vec3 p[3], centre = {0, 0, 0};
  for (int a = 0; a < 3; a++) {
    p[a] = point(positions, t[a]);
    centre = vec3_madd(centre, 1.0 / 3, p[a]);
  }
  double farthest = 0;
  for (int a = 0; a < 3; a++) farthest = fmax(farthest, vec3_norm(vec3_sub(p[a], centre)));
  return params->spacing > 0 ? fmin(farthest, params->spacing) : farthest;
}

/* Whether samples lie so densely for what they reach that they outvote those around them. */
static bool is_crowded(const int32_t *triangles, size_t count, const double *positions,
                       const tribo_surface_params *params) {
  double all = 0, reached = 0;
  for (size_t i = 0; i < count; i++) {
    const int32_t *t = triangles + 3 * i;
    if (!has_area(positions, t)) continue; /* its sample counts nowhere */
    double area = area_of(positions, t), spacing = spacing_of(positions, t, params);
    all += area;
    if (spacing * spacing > CROWDED * area) reached += spacing * spacing;
  }
  return reached > CROWDED_MOST * all;
}

/* By how much the surface turns within the spacing of the samples beside a hinge: `bend` from one
 * centroid to the other, which are `apart` across it. Of even triangles that is the spacing. */
static double turn_of(const double *positions, const int32_t *hinge, double bend, double edge,
                      const tribo_surface_params *params) {
  const int32_t left[3] = {hinge[0], hinge[1], hinge[2]}, right[3] = {hinge[1], hinge[0], hinge[3]};
  double apart = 2 * (area_of(positions, left) + area_of(positions, right)) / (3 * edge);
  double spacing = fmax(spacing_of(positions, left, params), spacing_of(positions, right, params));
  return bend * spacing / apart;
}

static tribo_status bends_softly(const int32_t *triangles, size_t count, const double *positions,
                                 const tribo_surface_params *params, int *contact,
                                 tribo_error *err) {
  *contact = TRIBO_CONTACT_MESH;
  if (count < LEAST_SMOOTH || is_crowded(triangles, count, positions, params)) return TRIBO_OK;
  arena scratch = {0};
  topology_list hinges;
  tribo_status status = topology_hinges(triangles, count, &scratch, &hinges, err);
  if (status == TRIBO_OK) {
    double length = 0, all = 0, sharp = 0;
    for (size_t h = 0; h < hinges.count; h++) {
      const int32_t *hinge = hinges.vertices + 4 * h;
      double bend = bend_of(positions, hinge), edge = side(positions, hinge[0], hinge[1]);
      length += edge;
      all += edge * bend;
      if (bend > SHARP || turn_of(positions, hinge, bend, edge, params) > SHARP_IN_REACH)
        sharp += edge * bend;
    }
    if (all > FLAT_BEND * length && sharp < 0.5 * all) *contact = TRIBO_CONTACT_MLS;
  }
  arena_free(&scratch);
  return status;
}

tribo_status outline_choose(const int32_t *triangles, size_t count, const double *positions,
                            size_t vertex_count, bool closed, const tribo_surface_params *params,
                            int *contact, tribo_error *err) {
  TRY(bends_softly(triangles, count, positions, params, contact, err));
  if (*contact != TRIBO_CONTACT_MLS) return TRIBO_OK;
  smooth_stray found;
  TRY(smooth_measure(params, triangles, count, (const vec3 *)positions, vertex_count, closed, true,
                     &found, err));
  if (found.share > 1) *contact = TRIBO_CONTACT_MESH;
  return TRIBO_OK;
}

/* Smooth by wish: how far that is from the mesh. What is asked for by name may be off by more than
 * what is chosen. */
static const double STRAYS_BY_WISH = 2;

static tribo_status find_strays(const tribo_object_def *def, outline *out, tribo_error *err) {
  smooth_stray found;
  TRY(smooth_measure(&def->surface, out->triangles, out->triangle_count,
                     (const vec3 *)def->positions, def->vertex_count, out->closed, false, &found,
                     err));
  if (!(found.share > STRAYS_BY_WISH)) return TRIBO_OK;
  out->strays = found.distance;
  out->strays_at = found.place;
  return TRIBO_OK;
}

/* What deforms is smooth to whoever touches it: an edge that is sharp now need not stay so. */
static tribo_status choose(const tribo_object_def *def, outline *out, tribo_error *err) {
  const tribo_kind_info *about = &kind_of(def)->about;
  out->contact = def->surface.contact;
  if (out->contact == TRIBO_CONTACT_MLS && !about->deforms) return find_strays(def, out, err);
  if (out->contact != TRIBO_CONTACT_AUTO) return TRIBO_OK;
  out->contact = about->contact;
  if (out->contact != TRIBO_CONTACT_AUTO) return TRIBO_OK;
  return outline_choose(out->triangles, out->triangle_count, def->positions, def->vertex_count,
                        out->closed, &def->surface, &out->contact, err);
}

void outline_roles(const tribo_object_def *def, bool *touches, bool *is_touched) {
  const tribo_surface_params *p = &def->surface;
  *touches = *is_touched = false;
  if (p->contact == TRIBO_CONTACT_NONE) return;
  const tribo_kind_info *about = &kind_of(def)->about;
  int role = p->role == TRIBO_ROLE_AUTO ? about->role : p->role;
  bool asked_for = p->role == TRIBO_ROLE_AUTO && p->contact != TRIBO_CONTACT_AUTO;
  *touches = about->simulated;
  if (about->mesh == TRIBO_MESH_SEGMENTS) return; /* no surface: others touch it by its segments */
  *is_touched = !about->simulated || role != TRIBO_ROLE_POINTS || asked_for;
}

/* By places: a mesh whose faces do not share vertices may be closed all the same. */
static tribo_status find_closed(const tribo_object_def *def, outline *out, tribo_error *err) {
  arena scratch = {0};
  int32_t *place = ARENA_ARRAY(&scratch, int32_t, def->vertex_count);
  int32_t *welded = ARENA_ARRAY(&scratch, int32_t, 3 * out->triangle_count);
  size_t places, count = 0;
  tribo_status status = place && welded ? TRIBO_OK : status_no_memory(err, "a surface");
  if (status == TRIBO_OK)
    status = places_number((const vec3 *)def->positions, def->vertex_count, place, &places, err);
  for (size_t t = 0; status == TRIBO_OK && t < out->triangle_count; t++) {
    int32_t *to = welded + 3 * count;
    for (int k = 0; k < 3; k++) to[k] = place[out->triangles[3 * t + (size_t)k]];
    count += to[0] != to[1] && to[1] != to[2] && to[2] != to[0];
  }
  topology_fault fault;
  if (status == TRIBO_OK) status = topology_check_closed(welded, count, &fault, err);
  if (status == TRIBO_OK) out->closed = fault.kind == TOPOLOGY_CLOSED;
  arena_free(&scratch);
  return status;
}

/* Bodies have an inside, and shapes fitted to a mesh know theirs. */
static void find_sides(const tribo_object_def *def, outline *out) {
  const tribo_kind_info *about = &kind_of(def)->about;
  bool shell = about->sheet || !about->simulated;
  bool by_mesh = out->contact == TRIBO_CONTACT_MLS || out->contact == TRIBO_CONTACT_MESH;
  int sides = def->surface.sides;
  bool both = sides == TRIBO_SIDES_BOTH || (sides == TRIBO_SIDES_AUTO && !out->closed);
  out->two_sided = shell && by_mesh && both;
}

tribo_status outline_trace(const tribo_object_def *def, arena *memory, outline *out,
                           tribo_error *err) {
  *out = (outline){0};
  if (kind_of(def)->about.mesh == TRIBO_MESH_SEGMENTS) return trace_segments(def, memory, out, err);
  TRY(find_skin(def, memory, out, err));
  TRY(find_closed(def, out, err));
  TRY(keep_triangles(def, memory, out, err));
  TRY(list_vertices(def, memory, out, err));
  outline_roles(def, &out->touches, &out->is_touched);
  TRY(choose(def, out, err));
  find_sides(def, out);
  return TRIBO_OK;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Who builds a model without a scene may have left the thickness open. */
static tribo_surface_params settled(const tribo_object_def *def) {
  tribo_surface_params own = def->surface;
  if (own.thickness < 0) own.thickness = kind_thickness(def);
  return own;
}

static void add_surface(const tribo_object_def *def, size_t object, int32_t body, int32_t collider,
                        const outline *o, model *m) {
  model_surface *s = &m->surfaces[m->surface_count++];
  *s = (model_surface){.object = object,
                       .body = body,
                       .collider = collider,
                       .params = settled(def),
                       .triangles = o->triangles,
                       .triangle_count = o->triangle_count,
                       .closed = o->closed,
                       .wished = def->surface.contact != TRIBO_CONTACT_AUTO,
                       .strays = o->strays,
                       .strays_at = o->strays_at,
                       .two_sided = o->two_sided,
                       .spacing = o->spacing};
  s->params.contact = o->contact;
}

static void add_probes(const tribo_object_def *def, size_t object, int32_t body, const outline *o,
                       model *m) {
  model_probes *f = &m->probes[m->probe_count++];
  *f = (model_probes){.object = object,
                      .body = body,
                      .params = settled(def),
                      .vertices = o->vertices,
                      .count = o->vertex_count,
                      .triangles = o->triangles,
                      .triangle_count = o->triangle_count,
                      .lines = o->lines,
                      .spacing = o->spacing};
  f->params.contact = o->contact;
}

tribo_status outline_build(const tribo_object_def *objects, size_t count, model *m,
                           tribo_error *err) {
  m->object_count = count;
  m->surfaces = ARENA_ARRAY(&m->memory, model_surface, count);
  m->probes = ARENA_ARRAY(&m->memory, model_probes, count);
  m->paints = ARENA_ARRAY(&m->memory, paint, count);
  if (!m->surfaces || !m->probes || !m->paints)
    return status_no_memory(err, "the surfaces of objects");
  size_t body = 0, collider = 0;
  for (size_t i = 0; i < count; i++) {
    const tribo_object_def *def = &objects[i];
    while (body < m->body_count && m->bodies[body].object < i) body++;
    while (collider < m->collider_count && m->colliders[collider].object < i) collider++;
    if (def->surface.contact == TRIBO_CONTACT_NONE) continue;
    bool given = !kind_of(def)->about.simulated;
    outline o;
    TRY(outline_trace(def, &m->memory, &o, err));
    if (o.is_touched)
      add_surface(def, i, given ? -1 : (int32_t)body, given ? (int32_t)collider : -1, &o, m);
    if (o.touches) add_probes(def, i, (int32_t)body, &o, m);
    TRY(paint_build(def, o.triangles, o.given, o.triangle_count, &m->memory, &m->paints[i], err));
  }
  return TRIBO_OK;
}
