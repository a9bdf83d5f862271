/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "surface/surface.h"

#include <stdlib.h>
#include <string.h>

#include "geom/orient.h"
#include "geom/places.h"
#include "geom/refine.h"
#include "mls/mls_tree.h"
#include "model/collider.h"
#include "model/kinematics.h"
#include "model/smooth.h"

/* ---- making one -------------------------------------------------------------------------------
 */

static const model_collider *collider_of(const surface *s) {
  return s->def->collider < 0 ? NULL : &s->model->colliders[s->def->collider];
}

static const model_body *body_of(const surface *s) {
  return s->def->body < 0 ? NULL : &s->model->bodies[s->def->body];
}

static const char *name_of(const surface *s) {
  return body_of(s) ? body_of(s)->name : collider_of(s)->name;
}

static bool deforms(const surface *s) {
  const model_body *body = body_of(s);
  return body ? body->kinematics->deforms : collider_deforms(collider_of(s));
}

/* The object's own vertices in the frame the surface is made in. */
static tribo_status rest_vertices(const surface *s, const vec3 **out, size_t *count, arena *memory,
                                  tribo_error *err) {
  const model_body *body = body_of(s);
  const model_collider *collider = collider_of(s);
  if (collider) {
    *out = collider->rest;
    *count = (size_t)collider->vertex_count;
    return TRIBO_OK;
  }
  *count = (size_t)body->vertex_count;
  if (!body->kinematics->deforms) {
    *out = body->local;
    return TRIBO_OK;
  }
  vec3 *rest = ARENA_ARRAY(memory, vec3, *count);
  if (!rest) return status_no_memory(err, body->name);
  for (size_t i = 0; i < *count; i++) {
    if (body->kinematics->by_vertex) {
      rest[i] = s->model->rest[body->first_node + (int32_t)i];
      continue;
    }
    for (int k = 0; k < 4; k++)
      rest[i] = vec3_madd(rest[i], body->weight[i][k], s->model->rest[body->anchor[i][k]]);
  }
  *out = rest;
  return TRIBO_OK;
}

static tribo_status make_mesh(surface *s, const tasks *t, tribo_error *err) {
  return mesh_distance_build(t, s->vertices, s->vertex_count, s->triangles, s->triangle_count,
                             &s->memory, &s->mesh, err);
}

static tribo_status make_primitive(surface *s, tribo_error *err) {
  static const primitive_kind kinds[] = {[TRIBO_CONTACT_PLANE] = PRIMITIVE_PLANE,
                                         [TRIBO_CONTACT_SPHERE] = PRIMITIVE_SPHERE,
                                         [TRIBO_CONTACT_CAPSULE] = PRIMITIVE_CAPSULE,
                                         [TRIBO_CONTACT_BOX] = PRIMITIVE_BOX};
  double worst;
  tribo_status status = primitive_fit(kinds[s->def->params.contact], s->vertices, s->vertex_count,
                                      s->triangles, s->triangle_count, &s->shape, &worst, err);
  return status_prefix(err, status, "object '%s': ", name_of(s));
}

static tribo_status make_sweep(surface *s, const tasks *t, tribo_error *err) {
  s->boxes = ARENA_ARRAY(&s->memory, bvh_box, s->triangle_count);
  s->vertices_before = s->vertices;
  if (s->deforms) s->vertices_before = ARENA_ARRAY(&s->memory, vec3, s->vertex_count);
  if (!s->boxes || !s->vertices_before) return status_no_memory(err, name_of(s));
  bvh_triangle_boxes(t, s->vertices, s->vertices, s->triangles, s->triangle_count, 0, s->boxes);
  return bvh_build(s->boxes, s->triangle_count, &s->memory, &s->swept, err);
}

/* Winds the triangles of what has two sides alike. Seams do not divide it. */
static tribo_status wind_alike(surface *s, const vec3 *rest, size_t count, arena *scratch,
                               const int32_t **out, tribo_error *err) {
  size_t triangles = s->def->triangle_count, places, turned;
  int32_t *place = ARENA_ARRAY(scratch, int32_t, count), *alike;
  int32_t *welded = ARENA_ARRAY(scratch, int32_t, 3 * triangles);
  int32_t *wound = ARENA_ARRAY(scratch, int32_t, 3 * triangles);
  s->turned = ARENA_ARRAY(&s->memory, bool, triangles);
  s->part = ARENA_ARRAY(&s->memory, int32_t, triangles);
  if (!place || !welded || !wound || !s->turned || !s->part)
    return status_no_memory(err, name_of(s));
  TRY(places_number(rest, count, place, &places, err));
  vec3 *points = ARENA_ARRAY(scratch, vec3, places);
  if (!points) return status_no_memory(err, name_of(s));
  for (size_t i = 0; i < count; i++) points[place[i]] = rest[i];
  for (size_t i = 0; i < 3 * triangles; i++) welded[i] = place[s->def->triangles[i]];
  TRY(orient_parts(points, welded, triangles, scratch, &alike, s->part, &turned, err));
  for (size_t t = 0; t < triangles; t++) {
    const int32_t *own = s->def->triangles + 3 * t;
    s->turned[t] = alike[3 * t + 1] != welded[3 * t + 1];
    wound[3 * t] = own[0];
    wound[3 * t + 1] = own[s->turned[t] ? 2 : 1];
    wound[3 * t + 2] = own[s->turned[t] ? 1 : 2];
  }
  *out = wound;
  return TRIBO_OK;
}

static surface_form form_of(const surface *s) {
  switch (s->def->params.contact) {
    case TRIBO_CONTACT_MLS: return SURFACE_MLS;
    case TRIBO_CONTACT_MESH: return SURFACE_MESH;
    default: return SURFACE_PRIMITIVE;
  }
}

static tribo_status make(surface *s, const tasks *t, arena *scratch, tribo_error *err) {
  const vec3 *rest;
  size_t count;
  TRY(rest_vertices(s, &rest, &count, scratch, err));
  s->deforms = deforms(s);
  s->form = form_of(s);
  if (s->deforms && s->form == SURFACE_PRIMITIVE)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s' deforms: its surface cannot be a primitive; set "
                       "surface.contact to 'mls' or 'mesh'",
                       name_of(s));
  double spacing = s->form == SURFACE_MLS ? s->def->params.spacing : 0;
  const int32_t *triangles = s->def->triangles;
  if (s->def->two_sided) TRY(wind_alike(s, rest, count, scratch, &triangles, err));
  refined fine;
  TRY(refine_mesh(name_of(s), rest, count, triangles, s->def->triangle_count, spacing, &s->memory,
                  &fine, err));
  s->vertices = fine.vertices;
  s->vertex_count = fine.vertex_count;
  s->triangles = fine.triangles;
  s->triangle_count = fine.triangle_count;
  s->parent = fine.parent;
  s->weight = fine.weight;
  s->source = fine.source;
  if (s->form != SURFACE_PRIMITIVE) TRY(make_sweep(s, t, err));
  switch (s->form) {
    case SURFACE_MLS:
      if (s->def->closed || s->def->strays > 0) TRY(make_mesh(s, t, err));
      return smooth_make(name_of(s), &s->def->params, s->triangles, s->triangle_count, s->vertices,
                         t, &s->memory, &s->mls, &s->tree, err);
    case SURFACE_MESH: return make_mesh(s, t, err);
    case SURFACE_PRIMITIVE: break;
  }
  /* what is painted lies on the mesh that the primitive stands for */
  if (paint_any(&s->model->paints[s->def->object])) TRY(make_mesh(s, t, err));
  return make_primitive(s, err);
}

tribo_status surface_create(const model *m, const model_surface *def, const tasks *t, surface *out,
                            tribo_error *err) {
  rigid_map still = {.turn = {1, 0, 0, 0}, .scale = 1};
  *out = (surface){.model = m, .def = def, .frame = still, .frame_before = still};
  arena scratch = {0};
  tribo_status status = make(out, t, &scratch, err);
  arena_free(&scratch);
  if (status != TRIBO_OK) surface_free(out);
  return status;
}

void surface_free(surface *s) {
  kdtree_free(&s->tree);
  arena_free(&s->memory);
  *s = (surface){0};
}

/* ---- putting it where it is -------------------------------------------------------------------
 */

static vec3 between(const surface *s, const vec3 *own, size_t i) {
  if (!s->parent) return own[i];
  vec3 p = {0, 0, 0};
  for (int k = 0; k < 3; k++) p = vec3_madd(p, s->weight[i][k], own[s->parent[i][k]]);
  return p;
}

static tribo_status place_collider(surface *s, const tasks *t, const contact_moment *moment,
                                   arena *scratch, tribo_error *err) {
  const model_collider *c = collider_of(s);
  double end = moment->start + moment->h, begin = s->appears ? end : moment->start;
  if (!s->deforms) {
    s->frame = collider_map(c, end);
    s->frame_before = collider_map(c, begin);
    return TRIBO_OK;
  }
  vec3 *before = ARENA_ARRAY(scratch, vec3, c->vertex_count);
  vec3 *after = ARENA_ARRAY(scratch, vec3, c->vertex_count);
  if (!before || !after) return status_no_memory(err, c->name);
  collider_vertices(c, t, begin, before);
  collider_vertices(c, t, end, after);
  for (size_t i = 0; i < s->vertex_count; i++) {
    s->vertices[i] = between(s, after, i);
    s->vertices_before[i] = between(s, before, i);
  }
  return TRIBO_OK;
}

static rigid_map body_map(const surface *s, const vec3 *x, const quat *turns) {
  const model_body *body = body_of(s);
  return (rigid_map){.turn = kinematics_turn(s->model, x, turns, (size_t)body->rigid),
                     .scale = 1,
                     .shift = x[body->first_node]};
}

static void place_body(surface *s, const contact_moment *moment) {
  int32_t first = body_of(s)->first_vertex;
  if (!s->deforms) {
    s->frame = body_map(s, moment->x, moment->turns);
    s->frame_before = body_map(s, moment->x_before, moment->turns);
    return;
  }
  for (size_t i = 0; i < s->vertex_count; i++) {
    s->vertices[i] = between(s, moment->vertices + first, i);
    s->vertices_before[i] = between(s, moment->before + first, i);
  }
}

tribo_status surface_place(surface *s, const tasks *t, const contact_moment *moment, arena *scratch,
                           tribo_error *err) {
  const model_collider *c = collider_of(s);
  if (c) {
    s->absent = !collider_present(c, moment->start + moment->h);
    s->appears = !s->absent && !collider_present(c, moment->start);
    if (s->absent) return TRIBO_OK;
    TRY(place_collider(s, t, moment, scratch, err));
  } else {
    place_body(s, moment);
  }
  if (!s->deforms) return TRIBO_OK;
  if (s->form == SURFACE_MESH) {
    mesh_distance_refit(t, s->vertices, &s->mesh);
    return TRIBO_OK;
  }
  if (s->def->strays > 0) mesh_distance_refit(t, s->vertices, &s->mesh);
  mls_update(t, s->vertices, &s->mls);
  return mls_tree_build(t, &s->mls, scratch, &s->tree, err);
}

/* ---- asking it --------------------------------------------------------------------------------
 */

/* The samples around a point. Most points have few. */
enum { USUAL_HITS = 256 };
typedef struct hits {
  kdtree_hit usual[USUAL_HITS], *list;
  int32_t *index; /* in the place of the hits: an index is shorter than a hit */
  size_t count;
} hits;

static bool find_samples(const surface *s, vec3 local, hits *out) {
  out->list = out->usual;
  out->count =
      kdtree_radius(&s->tree, local, s->mls.reach, KDTREE_AS_STORED, out->list, USUAL_HITS);
  if (out->count > USUAL_HITS) {
    out->list = malloc(out->count * sizeof *out->list);
    if (!out->list) return false;
    kdtree_radius(&s->tree, local, s->mls.reach, KDTREE_AS_STORED, out->list, out->count);
  }
  out->index = (int32_t *)out->list;
  for (size_t i = 0; i < out->count; i++) {
    int32_t index = out->list[i].index;
    memcpy(&out->index[i], &index, sizeof index);
  }
  return true;
}

static void free_samples(hits *h) {
  if (h->list != h->usual) free(h->list);
}

static surface_hit query_mls(const surface *s, vec3 local) {
  surface_hit hit = {0};
  hits samples;
  if (!find_samples(s, local, &samples)) return hit;
  mls_value at = mls_evaluate(&s->mls, local, samples.index, samples.count, MLS_GRADIENT);
  free_samples(&samples);
  double slope = vec3_norm(at.gradient);
  if (at.active == 0 || !(slope > 0)) return hit;
  hit.near = true;
  hit.gap = at.value / slope;
  hit.normal = vec3_scale(1 / slope, at.gradient);
  return hit;
}

/* Where a smooth surface is known to stray, the mesh has the say of what is inside: there the point
 * is not held by what is not there, nor let through what is. */
static void keep_to_mesh(const surface *s, vec3 local, double reach, surface_hit *hit) {
  double most = 0.25 * s->def->spacing; /* as it may be off elsewhere (model/smooth.h) */
  mesh_foot foot;
  if (!mesh_distance_query(&s->mesh, local, fmax(reach, s->mls.reach), &foot)) return;
  if (foot.rim && !s->def->closed) return;
  bool near = hit->near && fabs(hit->gap - foot.distance) <= fmin(most, s->def->strays);
  if (near || (hit->near && hit->gap > 0 && foot.distance > 0)) return;
  *hit = (surface_hit){.near = true,
                       .through = true,
                       .gap = foot.distance,
                       .normal = foot.normal,
                       .triangle = foot.triangle};
  memcpy(hit->weight, foot.weight, sizeof hit->weight);
}

/* What rests on an edge or a corner is nearly at its foot, and the way from there has lost its
 * digits: a resting point would be pushed aside. The mesh's normal at the foot has not. */
static vec3 mesh_normal(const surface *s, double reach, const mesh_foot *on) {
  const double digits = 1e-9;
  mesh_foot at;
  if (on->feature == DISTANCE_FACE || fabs(on->distance) > digits * s->def->spacing ||
      !mesh_distance_query(&s->mesh, on->foot, reach, &at))
    return on->normal;
  return at.normal;
}

int32_t surface_side_of(const surface *s, int32_t triangle, int sign) {
  if (!s->def->two_sided) return 0;
  if (s->form == SURFACE_MLS) return sign;
  return sign * (1 + s->part[s->source ? s->source[triangle] : triangle]);
}

void surface_turn(surface_hit *hit, int32_t side) {
  if (hit->side != -side || side == 0) return;
  hit->side = side;
  hit->gap = -hit->gap;
  hit->normal = vec3_scale(-1, hit->normal);
}

/* From the frame to the world. */
static surface_hit placed(const rigid_map *frame, surface_hit hit, vec3 point, double reach) {
  if (!hit.near) return hit;
  hit.gap *= frame->scale;
  hit.normal = quat_rotate(frame->turn, hit.normal);
  hit.foot = vec3_madd(point, -hit.gap, hit.normal);
  hit.near = hit.gap <= reach;
  return hit;
}

static surface_hit query_in(const surface *s, const rigid_map *frame, vec3 point, double reach) {
  double scale = frame->scale;
  vec3 local = rigid_map_unapply(frame, point);
  surface_hit hit = {0};
  mesh_foot foot;
  switch (s->form) {
    case SURFACE_MLS:
      hit = query_mls(s, local);
      if (s->def->strays > 0) keep_to_mesh(s, local, reach / scale, &hit);
      hit.side = surface_side_of(s, -1, 1);
      break;
    case SURFACE_MESH:
      hit.near = mesh_distance_query(&s->mesh, local, reach / scale, &foot);
      hit.gap = foot.distance;
      if (hit.near) hit.normal = mesh_normal(s, reach / scale, &foot);
      hit.triangle = foot.triangle;
      memcpy(hit.weight, foot.weight, sizeof hit.weight);
      /* past the rim of a sheet there is nothing to touch */
      if (hit.near && foot.rim && !s->def->closed) hit.near = false;
      if (hit.near) hit.side = surface_side_of(s, foot.triangle, 1);
      break;
    case SURFACE_PRIMITIVE: {
      primitive_foot on = primitive_distance(&s->shape, local);
      hit.near = true;
      hit.gap = on.distance;
      hit.normal = on.normal;
      break;
    }
  }
  return placed(frame, hit, point, reach);
}

surface_hit surface_query(const surface *s, vec3 point, double reach) {
  return query_in(s, &s->frame, point, reach);
}

surface_hit surface_query_before(const surface *s, vec3 point, double reach) {
  return query_in(s, &s->frame_before, point, reach);
}

bool surface_has_inside(const surface *s) {
  return s->def->closed && !s->def->two_sided && s->form != SURFACE_PRIMITIVE &&
         s->mesh.triangle_count > 0;
}

void surface_fit_inside(surface *s, const tasks *t) {
  if (s->deforms && s->form == SURFACE_MLS) mesh_distance_refit(t, s->vertices, &s->mesh);
}

surface_hit surface_inside(const surface *s, vec3 point) {
  surface_hit hit = {.through = true};
  mesh_foot foot;
  vec3 local = rigid_map_unapply(&s->frame, point);
  if (!mesh_distance_query(&s->mesh, local, INFINITY, &foot) || !(foot.distance < 0)) return hit;
  hit.near = true;
  hit.gap = foot.distance;
  hit.normal = foot.normal;
  hit.triangle = foot.triangle;
  memcpy(hit.weight, foot.weight, sizeof hit.weight);
  return placed(&s->frame, hit, point, INFINITY);
}

int32_t surface_samples(const surface *s, vec3 point) {
  if (s->form != SURFACE_MLS) return INT32_MAX;
  vec3 local = rigid_map_unapply(&s->frame, point);
  hits samples;
  if (!find_samples(s, local, &samples)) return 0;
  mls_value at = mls_evaluate(&s->mls, local, samples.index, samples.count, MLS_VALUE);
  free_samples(&samples);
  return at.active;
}

/* ---- what moves there -------------------------------------------------------------------------
 */

/* Entries of a row of a point on the surface, at most; a collider has none. */
static size_t entries_of(const surface *s) {
  return s->def->body < 0 ? 0 : kinematics_entries(s->model, s->def->body);
}

/* Room for so many rows, and for one at work. */
static tribo_status make_side(const surface *s, surface_side *side, size_t rows, arena *scratch,
                              tribo_error *err) {
  size_t entries = entries_of(s), most = rows * entries;
  side->node = ARENA_ARRAY(scratch, int32_t, most);
  side->by_node = ARENA_ARRAY(scratch, vec3, most);
  side->carry = ARENA_ARRAY(scratch, mat3, most);
  side->row = kinematics_row_make(entries, scratch);
  bool whole = side->node && side->by_node && side->carry && side->row.node && side->row.block;
  return whole ? TRIBO_OK : status_no_memory(err, "a contact");
}

/* Adds to a node's entry, which is made where it belongs if there is none. */
static void add_entry(surface_side *side, int32_t node, vec3 by, const mat3 *carry) {
  size_t k = side->count;
  while (k > 0 && side->node[k - 1] >= node) k--;
  if (k == side->count || side->node[k] != node) {
    for (size_t j = side->count++; j > k; j--) {
      side->node[j] = side->node[j - 1];
      side->by_node[j] = side->by_node[j - 1];
      side->carry[j] = side->carry[j - 1];
    }
    side->node[k] = node;
    side->by_node[k] = vec3_make(0, 0, 0);
    side->carry[k] = (mat3){0};
  }
  side->by_node[k] = vec3_add(side->by_node[k], by);
  side->carry[k] = mat3_add(&side->carry[k], carry);
}

/* What a vertex of the surface's mesh contributes, passed on to the nodes that carry it. */
static void add_vertex(const surface *s, const contact_moment *moment, size_t i, vec3 by,
                       const mat3 *carry, surface_side *side) {
  for (int k = 0; k < (s->parent ? 3 : 1); k++) {
    double share = s->parent ? s->weight[i][k] : 1;
    int32_t own = s->parent ? s->parent[i][k] : (int32_t)i;
    if (share == 0) continue;
    kinematic_row *row = &side->row;
    kinematics_row_of(s->model, moment->x, s->def->body, own, s->vertices[i], row);
    for (int e = 0; e < row->count; e++) {
      mat3 passed = mat3_mul(carry, &row->block[e]);
      passed = mat3_scale(share, &passed);
      vec3 pulled = vec3_scale(share, mat3_tmul_vec3(&row->block[e], by));
      add_entry(side, row->node[e], pulled, &passed);
    }
  }
}

/* One vertex of a deforming surface: to the nodes of a body, or into the drift of a collider. */
static void add_moving(const surface *s, const contact_moment *moment, size_t i, vec3 by,
                       const mat3 *carry, surface_side *side) {
  if (s->def->body >= 0)
    add_vertex(s, moment, i, by, carry, side);
  else {
    vec3 moved = vec3_sub(s->vertices[i], s->vertices_before[i]);
    vec3 part = mat3_mul_vec3(carry, moved);
    side->surface_velocity = vec3_madd(side->surface_velocity, 1 / moment->h, part);
  }
}

static tribo_status patch_at(const surface *s, vec3 point, arena *scratch, mls_patch *out,
                             tribo_error *err) {
  hits samples;
  if (!find_samples(s, point, &samples)) return status_no_memory(err, "a contact");
  tribo_status status =
      mls_patch_create(&s->mls, point, samples.index, samples.count, scratch, out, err);
  free_samples(&samples);
  return status;
}

/* The gap hangs on the samples around the point where it was measured: only there they push back
 * along the normal with which the point is pushed. What moves at the contact is asked where the
 * probe takes hold. */
static tribo_status sides_of_mls(const surface *s, const contact_moment *moment,
                                 const surface_hit *hit, vec3 place, mls_transport transport,
                                 arena *scratch, surface_side *side, tribo_error *err) {
  vec3 point = vec3_madd(hit->foot, hit->gap, hit->normal);
  double between_them = vec3_norm(vec3_sub(point, place));
  bool apart = between_them > 1e-9 * fmax(s->mls.reach, between_them);
  mls_patch measured, touched;
  TRY(patch_at(s, point, scratch, &measured, err));
  touched = measured;
  if (apart) TRY(patch_at(s, place, scratch, &touched, err));
  mat3 *by_member = ARENA_ARRAY(scratch, mat3, touched.count);
  mat3 *by_vertex = ARENA_ARRAY(scratch, mat3, touched.vertex_count);
  if (!by_member || !by_vertex) return status_no_memory(err, "a contact");
  mls_patch_transport(&touched, transport, by_member);
  mls_transport_to_vertices(&touched, by_member, by_vertex);
  size_t most = measured.vertex_count + touched.vertex_count;
  TRY(make_side(s, side, 3 * most, scratch, err));
  double slope = surface_sign(hit->side) * vec3_norm(measured.at.gradient);
  mat3 still = {0};
  for (size_t k = 0; k < measured.vertex_count; k++)
    add_moving(s, moment, (size_t)measured.vertices[k],
               vec3_scale(1 / slope, measured.by_vertex[k]), apart ? &still : &by_vertex[k], side);
  for (size_t k = 0; apart && k < touched.vertex_count; k++)
    add_moving(s, moment, (size_t)touched.vertices[k], vec3_make(0, 0, 0), &by_vertex[k], side);
  return TRIBO_OK;
}

static tribo_status sides_of_mesh(const surface *s, const contact_moment *moment,
                                  const surface_hit *hit, arena *scratch, surface_side *side,
                                  tribo_error *err) {
  TRY(make_side(s, side, 3 * 3, scratch, err));
  for (int k = 0; k < 3; k++) {
    size_t i = (size_t)s->triangles[3 * hit->triangle + k];
    mat3 carry = mat3_identity();
    carry = mat3_scale(hit->weight[k], &carry);
    add_moving(s, moment, i, vec3_scale(-hit->weight[k], hit->normal), &carry, side);
  }
  return TRIBO_OK;
}

static tribo_status sides_of_rigid(const surface *s, const contact_moment *moment,
                                   const surface_hit *hit, vec3 place, arena *scratch,
                                   surface_side *side, tribo_error *err) {
  TRY(make_side(s, side, 1, scratch, err));
  kinematic_row *row = &side->row;
  kinematics_row_of(s->model, moment->x, s->def->body, 0, place, row);
  for (int e = 0; e < row->count; e++)
    add_entry(side, row->node[e], vec3_scale(-1, mat3_tmul_vec3(&row->block[e], hit->normal)),
              &row->block[e]);
  return TRIBO_OK;
}

tribo_status surface_sides(const surface *s, const contact_moment *moment, const surface_hit *hit,
                           vec3 place, mls_transport transport, arena *scratch, surface_side *out,
                           tribo_error *err) {
  *out = (surface_side){.by_point = hit->normal};
  /* what a point went through is a triangle, of a smooth surface too */
  if (s->deforms && (s->form == SURFACE_MESH || hit->through))
    return sides_of_mesh(s, moment, hit, scratch, out, err);
  if (s->deforms) return sides_of_mls(s, moment, hit, place, transport, scratch, out, err);
  return body_of(s) ? sides_of_rigid(s, moment, hit, place, scratch, out, err) : TRIBO_OK;
}

vec3 surface_carried(const surface *s, vec3 before) {
  vec3 local = rigid_map_unapply(&s->frame_before, before);
  return vec3_sub(rigid_map_apply(&s->frame, local), before);
}

vec3 surface_turned(const surface *s) {
  return quat_log(quat_multiply(s->frame.turn, quat_conjugate(s->frame_before.turn)));
}
