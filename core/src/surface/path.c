/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "surface/path.h"

#include <stdlib.h>
#include <string.h>

#include "geom/distance.h"
#include "math/mat3.h"

/* Lengths in parts of the smallest body's size. What lies closer to an edge is on it; what lies
 * deeper than this many times as much was not left there by a step. */
static const double ON_EDGE = 1e-5, LEFT_BY_A_STEP = 100;

/* And what lies closer to the faces of an edge touches any of them. */
static const double HAIR = 1e-4;

/* A smooth surface keeps this close to its mesh, in parts of the spacing of its samples. */
static const double OFF_MESH = 0.25;

/* radians a part: a chord comes closer to the centre than its arc by 0.4% of the radius */
static const double TURN_PART = 0.1745;

static double on_edge(const surface *s) { return ON_EDGE * s->model->smallest / s->frame.scale; }

double path_clear(const surface *s) { return 2 * ON_EDGE * s->model->smallest; }

double path_blur(const surface *s) {
  double exact = 10 * ON_EDGE * s->model->smallest;
  return s->form == SURFACE_MLS ? fmax(exact, OFF_MESH * s->def->spacing) : exact;
}

void path_sweep(surface *s, const tasks *t) {
  if (!s->deforms || s->form == SURFACE_PRIMITIVE) return;
  bvh_triangle_boxes(t, s->vertices_before, s->vertices, s->triangles, s->triangle_count, 0,
                     s->boxes);
  bvh_refit(t, s->boxes, &s->swept);
}

/* ---- faces of a mesh --------------------------------------------------------------------------
 */

/* A place on a triangle, and the normal there: at some time of the step, in the surface's frame. */
typedef struct place {
  int32_t triangle; /* -1: none */
  double weight[3];
  double distance;
  vec3 foot, normal;
} place;

static void corners_at(const surface *s, int32_t triangle, double time, vec3 c[3]) {
  for (int k = 0; k < 3; k++) {
    int32_t v = s->triangles[3 * triangle + k];
    c[k] = distance_along(s->vertices_before[v], s->vertices[v], s->deforms ? time : 1);
  }
}

static vec3 normal_of(const vec3 c[3]) {
  return vec3_normalized(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
}

/* How far a place of a triangle goes in the step. */
static vec3 moved(const surface *s, int32_t triangle, const double weight[3]) {
  vec3 sum = {0, 0, 0};
  for (int k = 0; s->deforms && k < 3; k++) {
    int32_t v = s->triangles[3 * triangle + k];
    sum = vec3_madd(sum, weight[k], vec3_sub(s->vertices[v], s->vertices_before[v]));
  }
  return sum;
}

typedef struct face_search {
  const surface *s;
  vec3 at, way;
  double time;
  int sign; /* the side that normals point to: -1 behind */
  place best;
  double against; /* of the best */
} face_search;

static place place_on(const face_search *f, int32_t triangle) {
  vec3 c[3];
  corners_at(f->s, triangle, f->time, c);
  distance_foot foot = distance_point_triangle(f->at, c);
  place p = {.triangle = triangle,
             .distance = sqrt(foot.distance2),
             .foot = foot.foot,
             .normal = vec3_scale(f->sign, normal_of(c))};
  memcpy(p.weight, foot.weight, sizeof p.weight);
  return p;
}

static double take_nearer(void *context, int32_t number, double limit) {
  face_search *f = context;
  place p = place_on(f, f->s->swept.order[number]);
  double distance2 = p.distance * p.distance;
  if (distance2 > limit || !(vec3_norm2(p.normal) > 0)) return limit;
  if (f->best.triangle >= 0 && distance2 == limit && p.triangle > f->best.triangle) return limit;
  f->best = p;
  return distance2;
}

/* Of faces that are equally opposed the one with the smallest number. */
static double take_opposed(void *context, int32_t number, double limit) {
  face_search *f = context;
  place p = place_on(f, f->s->swept.order[number]);
  if (p.distance * p.distance > limit || !(vec3_norm2(p.normal) > 0)) return limit;
  vec3 way = vec3_sub(f->way, moved(f->s, p.triangle, p.weight));
  double against = vec3_dot(p.normal, way);
  if (f->best.triangle >= 0 &&
      (against > f->against || (against == f->against && p.triangle > f->best.triangle)))
    return limit;
  f->best = p;
  f->against = against;
  return limit;
}

static place nearest_at(const surface *s, double time, vec3 at, double reach) {
  face_search f = {.s = s, .at = at, .time = time, .sign = 1, .best = {.triangle = -1}};
  bvh_nearest(&s->swept, at, reach * reach, take_nearer, &f);
  return f.best;
}

/* Of the faces within reach the one that opposes a motion most. */
static place facing(const surface *s, int sign, double time, vec3 at, double reach, vec3 way) {
  face_search f = {
      .s = s, .at = at, .way = way, .time = time, .sign = sign, .best = {.triangle = -1}};
  bvh_nearest(&s->swept, at, reach * reach, take_opposed, &f);
  return f.best;
}

/* The same place when the step is over. */
static void take_place(const surface *s, int sign, const place *p, surface_hit *hit) {
  vec3 c[3];
  corners_at(s, p->triangle, 1, c);
  hit->triangle = p->triangle;
  hit->foot = vec3_make(0, 0, 0);
  for (int k = 0; k < 3; k++) hit->foot = vec3_madd(hit->foot, p->weight[k], c[k]);
  memcpy(hit->weight, p->weight, sizeof hit->weight);
  hit->normal = vec3_scale(sign, normal_of(c));
  hit->side = surface_side_of(s, p->triangle, sign);
}

/* ---- into a mesh ------------------------------------------------------------------------------
 */

/* The side of a triangle that a way comes from. */
static int sign_against(const surface *s, const ccd_mesh_hit *first, vec3 way) {
  if (!s->def->two_sided) return 1;
  vec3 c[3];
  corners_at(s, first->triangle, first->time, c);
  vec3 against = vec3_sub(way, moved(s, first->triangle, first->weight));
  return vec3_dot(normal_of(c), against) > 0 ? -1 : 1;
}

static place place_of(const surface *s, int sign, const ccd_mesh_hit *first, vec3 way) {
  vec3 c[3], at = {0, 0, 0};
  corners_at(s, first->triangle, first->time, c);
  for (int k = 0; k < 3; k++) at = vec3_madd(at, first->weight[k], c[k]);
  place p = facing(s, sign, first->time, at, on_edge(s), way);
  if (p.triangle >= 0) return p;
  p = (place){.triangle = first->triangle, .foot = at, .normal = vec3_scale(sign, normal_of(c))};
  memcpy(p.weight, first->weight, sizeof p.weight);
  return p;
}

/* What a step may leave in the surface, and then some. */
static double touching_reach(const surface *s, double thickness) {
  double off = s->form == SURFACE_MLS ? OFF_MESH * s->def->spacing : 0;
  return thickness + LEFT_BY_A_STEP * on_edge(s) + off;
}

/* The side that a point at the start of the step is on, which touches the surface at a place. */
static int sign_at(const surface *s, int32_t side, const place *p, vec3 from, vec3 way) {
  if (!s->def->two_sided) return 1;
  if (abs(side) == surface_side_of(s, p->triangle, 1)) return surface_sign(side);
  double gap = vec3_dot(p->normal, vec3_sub(from, p->foot));
  if (fabs(gap) > 2 * on_edge(s)) return gap < 0 ? -1 : 1;
  return vec3_dot(p->normal, vec3_sub(way, moved(s, p->triangle, p->weight))) > 0 ? -1 : 1;
}

/* From a start on the surface, or a little inside: once more from just outside. */
static bool leave_mesh(const surface *s, int32_t side, const ccd_mesh *mesh, vec3 from, vec3 to,
                       double thickness, surface_hit *hit) {
  vec3 way = vec3_sub(to, from);
  place p = nearest_at(s, 0, from, touching_reach(s, thickness));
  if (p.triangle < 0) return false;
  int sign = sign_at(s, side, &p, from, way);
  p = facing(s, sign, 0, from, p.distance + on_edge(s), way);
  double gap = vec3_dot(p.normal, vec3_sub(from, p.foot)), clear = 2 * on_edge(s);
  bool outside = gap > clear;
  vec3 start = outside ? from : vec3_madd(from, clear - gap, p.normal);
  double slack = outside ? fmin(thickness, gap / 2) : 0;
  ccd_mesh_hit first = ccd_mesh_first(mesh, start, to, slack);
  if (first.outcome == CCD_FREE) return false;
  if (first.time > 0) {
    if (s->def->two_sided && sign_against(s, &first, way) != sign) return false;
    p = place_of(s, sign, &first, way);
  }
  take_place(s, sign, &p, hit);
  return true;
}

/* Whether a way into a triangle leads out: it is where a point that touches comes from. */
static bool comes_out(const surface *s, int32_t side, int sign, int32_t triangle, vec3 from,
                      double thickness) {
  if (side != -surface_side_of(s, triangle, sign) || side == 0) return false;
  return nearest_at(s, 0, from, touching_reach(s, thickness)).triangle >= 0;
}

static bool into_mesh(const surface *s, int32_t side, vec3 from, vec3 to, double thickness,
                      surface_hit *hit) {
  ccd_mesh mesh = {s->vertices_before, s->vertices, s->triangles, &s->swept};
  vec3 way = vec3_sub(to, from);
  ccd_mesh_hit first = ccd_mesh_first(&mesh, from, to, thickness);
  int sign = first.outcome == CCD_FREE ? 1 : sign_against(s, &first, way);
  if (first.outcome != CCD_FREE && first.time > 0 &&
      !comes_out(s, side, sign, first.triangle, from, thickness)) {
    place p = place_of(s, sign, &first, way);
    take_place(s, sign, &p, hit);
    /* or it began a little inside, and this is where it comes out */
    if (vec3_dot(hit->normal, vec3_sub(to, hit->foot)) < 0) return true;
  }
  return leave_mesh(s, side, &mesh, from, to, thickness, hit);
}

/* ---- into a primitive -------------------------------------------------------------------------
 */

/* On an edge of a box the face that opposes the motion most. */
static vec3 face_of_primitive(const surface *s, const primitive_foot *foot, vec3 way) {
  const primitive *p = &s->shape;
  if (p->kind != PRIMITIVE_BOX) return foot->normal;
  vec3 at = mat3_tmul_vec3(&p->axes, vec3_sub(foot->foot, p->centre)), best = foot->normal;
  const double x[3] = {at.x, at.y, at.z}, half[3] = {p->half.x, p->half.y, p->half.z};
  double against = INFINITY;
  for (int a = 0; a < 3; a++) {
    if (half[a] - fabs(x[a]) > on_edge(s)) continue;
    double sign = (x[a] < 0) != p->hollow ? -1 : 1;
    vec3 normal = vec3_scale(sign, mat3_column(&p->axes, a));
    if (!(vec3_dot(normal, way) < against)) continue;
    against = vec3_dot(normal, way);
    best = normal;
  }
  return best;
}

typedef enum trace { TRACE_FREE, TRACE_HIT, TRACE_TOUCHING } trace;

/* Sphere tracing: the distance to a primitive is how far a point may go in safety. Along a line the
 * distance to a solid one is convex: it falls nowhere faster than it does here, so that a point
 * that slides along may go on for as long as its tangent says. */
static trace trace_primitive(const surface *s, vec3 from, vec3 to, double thickness,
                             primitive_foot *foot) {
  enum { STRIDES = 200 };
  vec3 way = vec3_sub(to, from);
  double length = vec3_norm(way), gone = 0;
  double close = 1e-9 * length;
  for (int i = 0; i < STRIDES && gone < length; i++) {
    vec3 at = vec3_madd(from, gone / length, way);
    *foot = primitive_distance(&s->shape, at);
    double free = foot->distance - thickness;
    if (free <= close) return i > 0 ? TRACE_HIT : TRACE_TOUCHING;
    double falls = s->shape.hollow ? 1 : fmin(1, -vec3_dot(foot->normal, way) / length);
    if (!(falls > 0)) return TRACE_FREE;
    gone += fmax(free / falls, close);
  }
  return TRACE_FREE;
}

static bool into_primitive(const surface *s, vec3 from, vec3 to, double thickness,
                           surface_hit *hit) {
  vec3 way = vec3_sub(to, from);
  primitive_foot foot;
  trace found = trace_primitive(s, from, to, thickness, &foot);
  if (found == TRACE_TOUCHING) {
    double clear = 2 * on_edge(s);
    bool outside = foot.distance > clear;
    foot.normal = outside ? foot.normal : face_of_primitive(s, &foot, way);
    vec3 start = outside ? from : vec3_madd(from, clear - foot.distance, foot.normal);
    primitive_foot first = foot;
    found = trace_primitive(s, start, to, outside ? fmin(thickness, foot.distance / 2) : 0, &first);
    if (found == TRACE_HIT) foot = first;
  }
  if (found == TRACE_FREE) return false;
  hit->normal = thickness > on_edge(s) ? foot.normal : face_of_primitive(s, &foot, way);
  hit->foot = foot.foot;
  return true;
}

/* ---- into a surface ---------------------------------------------------------------------------
 */

typedef struct segment {
  vec3 from, to; /* in the surface's frame */
} segment;

/* Part k of n of the way. */
static segment segment_of(const surface *s, vec3 before, vec3 point, int k, int n) {
  double t0 = (double)k / n, t1 = (double)(k + 1) / n;
  rigid_map a = k == 0 ? s->frame_before : rigid_map_interpolate(&s->frame_before, &s->frame, t0);
  rigid_map b = k + 1 == n ? s->frame : rigid_map_interpolate(&s->frame_before, &s->frame, t1);
  return (segment){rigid_map_unapply(&a, distance_along(before, point, t0)),
                   rigid_map_unapply(&b, distance_along(before, point, t1))};
}

static int parts_of(const surface *s) {
  if (s->deforms) return 1;
  double angle = vec3_norm(surface_turned(s));
  return (int)fmin(fmax(ceil(angle / TURN_PART), 1), 64);
}

bool path_through(const surface *s, int32_t side, vec3 before, vec3 point, double thickness,
                  surface_hit *hit) {
  double scale = s->frame.scale;
  int parts = parts_of(s);
  for (int k = 0; k < parts; k++) {
    segment way = segment_of(s, before, point, k, parts);
    surface_hit through = {.near = true, .through = true};
    bool still = way.from.x == way.to.x && way.from.y == way.to.y && way.from.z == way.to.z;
    if (still && !s->deforms) continue;
    if (!(s->form == SURFACE_PRIMITIVE
              ? into_primitive(s, way.from, way.to, thickness / scale, &through)
              : into_mesh(s, side, way.from, way.to, thickness / scale, &through)))
      continue;
    through.normal = quat_rotate(s->frame.turn, through.normal);
    through.foot = rigid_map_apply(&s->frame, through.foot);
    through.gap = vec3_dot(through.normal, vec3_sub(point, through.foot));
    if (!(through.gap < 0)) continue; /* out again, or it went in from behind */
    *hit = through;
    return true;
  }
  return false;
}

double path_length(const surface *s, vec3 before, vec3 point, const surface_hit *hit) {
  segment way = segment_of(s, before, point, 0, 1);
  vec3 gone = vec3_sub(way.to, way.from);
  if (s->deforms && s->form != SURFACE_PRIMITIVE)
    gone = vec3_sub(gone, moved(s, hit->triangle, hit->weight));
  return s->frame.scale * vec3_norm(gone);
}

/* Unit vectors that turn with a triangle: along a side, across it and upright. */
static mat3 axes_at(const surface *s, int32_t triangle, double time) {
  vec3 c[3];
  corners_at(s, triangle, time, c);
  vec3 along = vec3_normalized(vec3_sub(c[1], c[0])), up = normal_of(c);
  return mat3_from_columns(along, vec3_cross(up, along), up);
}

/* Where a point ends up that goes with its nearest place of the start. */
static vec3 carried_with(const surface *s, const place *p, vec3 point) {
  mat3 from = axes_at(s, p->triangle, 0), to = axes_at(s, p->triangle, 1);
  vec3 off = mat3_tmul_vec3(&from, vec3_sub(point, p->foot));
  vec3 foot = vec3_add(p->foot, moved(s, p->triangle, p->weight));
  return vec3_add(foot, mat3_mul_vec3(&to, off));
}

/* As seen from the front. */
static double front_gap(const surface *s, vec3 before, double reach) {
  if (!s->deforms) {
    surface_hit hit = surface_query_before(s, before, reach);
    if (hit.near || s->form != SURFACE_MLS) return hit.near ? hit.gap : INFINITY;
  }
  double scale = s->frame_before.scale;
  vec3 local = rigid_map_unapply(&s->frame_before, before);
  place p = nearest_at(s, 0, local, reach / scale);
  if (p.triangle < 0) return INFINITY;
  if (s->deforms && s->form == SURFACE_MLS) {
    /* its samples are where the step ends */
    vec3 point = rigid_map_apply(&s->frame, carried_with(s, &p, local));
    surface_hit hit = surface_query(s, point, reach);
    if (hit.near) return hit.gap;
  }
  bool inside = vec3_dot(p.normal, vec3_sub(local, p.foot)) < 0;
  return inside ? -scale * p.distance : scale * p.distance;
}

double path_start_gap(const surface *s, int32_t side, vec3 before, double reach) {
  double gap = front_gap(s, before, reach);
  return isfinite(gap) ? surface_sign(side) * gap : gap;
}

/* Of a place that is touched now: how far in front of its plane a point was. */
static double before_plane(const surface *s, vec3 local, const surface_hit *here) {
  vec3 c[3], foot = {0, 0, 0};
  corners_at(s, here->triangle, 0, c);
  for (int k = 0; k < 3; k++) foot = vec3_madd(foot, here->weight[k], c[k]);
  return s->frame_before.scale * vec3_dot(normal_of(c), vec3_sub(local, foot));
}

/* How far in front of the exact mesh, or of what is nearest to it now if that is of another part.
 */
static double before_mesh(const surface *s, vec3 local, const surface_hit *here) {
  vec3 at = local;
  if (s->deforms) {
    place p = nearest_at(s, 0, local, INFINITY);
    at = p.triangle < 0 ? local : carried_with(s, &p, local);
  }
  mesh_foot foot;
  if (!mesh_distance_query(&s->mesh, at, INFINITY, &foot) ||
      surface_side_of(s, foot.triangle, 1) != abs(here->side))
    return before_plane(s, local, here);
  return s->frame_before.scale * foot.distance;
}

double path_before(const surface *s, vec3 before, const surface_hit *here) {
  vec3 local = rigid_map_unapply(&s->frame_before, before);
  double gap = s->form == SURFACE_MESH ? before_mesh(s, local, here)
                                       : path_start_gap(s, 0, before, INFINITY);
  return isfinite(gap) && fabs(gap) > path_clear(s) ? gap : 0;
}

/* ---- on an edge -------------------------------------------------------------------------------
 */

/* Whether the foot is farther from all sides of its triangle than `hair`. */
static bool amid_face(const vec3 c[3], const double weight[3], double edge_tolerance) {
  double area = vec3_norm(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
  for (int k = 0; k < 3; k++) {
    double side = vec3_norm(vec3_sub(c[(k + 2) % 3], c[(k + 1) % 3]));
    if (!(weight[k] * area > edge_tolerance * side)) return false;
  }
  return true;
}

typedef struct edge_search {
  face_search faces;
  place nearest; /* other faces must bend away from this one: in a groove all of them count */
  double edge_tolerance;
} edge_search;

static double take_bearing(void *context, int32_t number, double limit) {
  edge_search *e = context;
  face_search *f = &e->faces;
  place p = place_on(f, f->s->swept.order[number]);
  if (p.distance * p.distance > limit || !(vec3_norm2(p.normal) > 0)) return limit;
  vec3 c[3];
  corners_at(f->s, p.triangle, 1, c);
  for (int k = 0; k < 3; k++)
    if (vec3_dot(e->nearest.normal, vec3_sub(c[k], e->nearest.foot)) > e->edge_tolerance)
      return limit;
  double against = vec3_dot(p.normal, f->way);
  bool earlier = against == f->against && p.triangle < f->best.triangle;
  if (!(against < f->against || earlier)) return limit;
  f->best = p;
  f->against = against;
  return limit;
}

static bool choose_triangle(const surface *s, vec3 local, vec3 way, double edge_tolerance,
                            const surface_hit *hit, surface_hit *chosen) {
  vec3 c[3];
  corners_at(s, hit->triangle, 1, c);
  if (amid_face(c, hit->weight, 2 * edge_tolerance)) return false;
  int sign = surface_sign(hit->side);
  edge_search e = {
      .faces = {.s = s, .at = local, .way = way, .time = 1, .sign = sign, .best = {.triangle = -1}},
      .edge_tolerance = edge_tolerance};
  e.nearest = place_on(&e.faces, hit->triangle);
  double reach = e.nearest.distance + edge_tolerance;
  bvh_nearest(&s->swept, local, reach * reach, take_bearing, &e);
  if (e.faces.best.triangle < 0) return false;
  take_place(s, sign, &e.faces.best, chosen);
  return true;
}

static bool choose_side(const surface *s, vec3 local, vec3 way, double edge_tolerance,
                        surface_hit *chosen) {
  const primitive *p = &s->shape;
  if (p->kind != PRIMITIVE_BOX || p->hollow) return false;
  vec3 at = mat3_tmul_vec3(&p->axes, vec3_sub(local, p->centre));
  const double x[3] = {at.x, at.y, at.z}, half[3] = {p->half.x, p->half.y, p->half.z};
  double against = 0;
  for (int a = 0; a < 3; a++) {
    vec3 normal = vec3_scale(x[a] < 0 ? -1 : 1, mat3_column(&p->axes, a));
    double out = fabs(x[a]) - half[a];
    if (out < -edge_tolerance || !(vec3_dot(normal, way) < against)) continue;
    against = vec3_dot(normal, way);
    chosen->normal = normal;
    chosen->foot = vec3_madd(local, -out, normal);
  }
  return against < 0;
}

double path_edge_tolerance(const surface *s) { return HAIR * s->model->smallest; }

void path_choose_face(const surface *s, vec3 point, vec3 load, surface_hit *hit) {
  double edge_tolerance = path_edge_tolerance(s) / s->frame.scale;
  vec3 local = rigid_map_unapply(&s->frame, point), way = quat_unrotate(s->frame.turn, load);
  surface_hit chosen = *hit;
  bool found = false;
  if (s->form == SURFACE_MESH) found = choose_triangle(s, local, way, edge_tolerance, hit, &chosen);
  if (s->form == SURFACE_PRIMITIVE) found = choose_side(s, local, way, edge_tolerance, &chosen);
  if (!found) return;
  chosen.normal = quat_rotate(s->frame.turn, chosen.normal);
  chosen.foot = rigid_map_apply(&s->frame, chosen.foot);
  chosen.gap = vec3_dot(chosen.normal, vec3_sub(point, chosen.foot));
  *hit = chosen;
}
