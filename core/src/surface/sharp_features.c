/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "surface/sharp_features.h"

#include <string.h>

/* The sine of the angle between edges that count as parallel. */
static const double PARALLEL = 0.1;

/* Of its size, by which cloth that does not press may be inside: what rests trembles. */
static const double SLACK = 1e-4;

/* Beyond the end of an edge, beside a triangle, and where they do not press, cloth and obstacle may
 * pass each other: the part of the gap by which the nearest points may be off the normal, and the
 * part of the cloth's size. */
static const double ASIDE = 0.3, ASIDE_LEAST = 1e-6;

/* Of its depth, that cloth behind an edge must be inside. */
static const double SOLID = 0.1;

/* Of the cloth's size: how deep it may be, unless it moves farther than that in a step. Deeper it
 * is behind an edge that it did not come from. */
static const double DEEPEST = 0.1;

/* Corners touch for themselves: the part of the cloth's size by which edges end before them. */
static const double AT_CORNER = 1e-3;

/* How much closer to the cloth's plane than to it an edge may fall away from a corner: sine. */
static const double LEVEL = 1e-6;

/* Two hits with normals this close (cosine) at places this close (of the cloth's size) are one. */
static const double SAME_WAY = 0.98, SAME_PLACE = 1e-3;

/* ---- making them ------------------------------------------------------------------------------
 */

enum { BOX_CORNERS = 8, BOX_TRIANGLES = 12 };

/* Corner k of a box has its coordinate a on the positive side where bit a of k is set. */
static vec3 *box_corners(const primitive *box, arena *memory) {
  vec3 *corner = ARENA_ARRAY(memory, vec3, BOX_CORNERS);
  for (int k = 0; corner && k < BOX_CORNERS; k++) {
    vec3 in = vec3_make(k & 1 ? box->half.x : -box->half.x, k & 2 ? box->half.y : -box->half.y,
                        k & 4 ? box->half.z : -box->half.z);
    corner[k] = vec3_add(box->centre, mat3_mul_vec3(&box->axes, in));
  }
  return corner;
}

static const int32_t box_triangles[3 * BOX_TRIANGLES] = {
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, /* below, above, front */
    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5  /* back, left, right */
};

static tribo_status find_parts(const surface *s, arena *memory, sharp_features *out,
                               tribo_error *err) {
  if (s->form == SURFACE_MESH && s->def->closed)
    return sharp_find(s->vertices, s->vertex_count, s->triangles, s->triangle_count, memory,
                      &out->parts, err);
  if (s->form != SURFACE_PRIMITIVE || s->shape.kind != PRIMITIVE_BOX || s->shape.hollow)
    return TRIBO_OK;
  out->shape = box_corners(&s->shape, memory);
  if (!out->shape) return status_no_memory(err, "the edges of a box");
  return sharp_find(out->shape, BOX_CORNERS, box_triangles, BOX_TRIANGLES, memory, &out->parts,
                    err);
}

static bool reserve(arena *memory, sharp_features *r) {
  r->at = ARENA_ARRAY(memory, vec3, r->parts.place_count);
  r->before = ARENA_ARRAY(memory, vec3, r->parts.place_count);
  r->normals = arena_alloc(memory, r->parts.edge_count, sizeof *r->normals);
  r->convex = ARENA_ARRAY(memory, bool, r->parts.edge_count);
  r->is_corner = ARENA_ARRAY(memory, bool, r->parts.place_count);
  r->edge_boxes = ARENA_ARRAY(memory, bvh_box, r->parts.edge_count);
  r->corner_boxes = ARENA_ARRAY(memory, bvh_box, r->parts.corner_count);
  return r->at && r->before && r->normals && r->convex && r->is_corner && r->edge_boxes &&
         r->corner_boxes;
}

static void put_places(sharp_features *r) {
  const surface *s = r->surface;
  const vec3 *now = r->shape ? r->shape : s->vertices;
  const vec3 *was = s->deforms ? s->vertices_before : now;
  double far2 = 0;
  for (size_t i = 0; i < r->parts.place_count; i++) {
    int32_t v = r->parts.vertices[i];
    r->at[i] = rigid_map_apply(&s->frame, now[v]);
    r->before[i] = rigid_map_apply(&s->frame_before, was[v]);
    far2 = fmax(far2, vec3_norm2(vec3_sub(r->at[i], r->before[i])));
  }
  r->fastest = sqrt(far2);
}

static void put_parts(sharp_features *r) {
  for (size_t e = 0; e < r->parts.edge_count; e++) {
    const sharp_edge *edge = &r->parts.edges[e];
    vec3 a = r->at[edge->place[0]], b = r->at[edge->place[1]];
    r->convex[e] = sharp_normals(edge, r->at, r->normals[e]);
    r->edge_boxes[e] = (bvh_box){vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)),
                                 vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z))};
  }
  for (size_t k = 0; k < r->parts.corner_count; k++)
    r->corner_boxes[k] = (bvh_box){r->at[r->parts.corners[k]], r->at[r->parts.corners[k]]};
}

tribo_status sharp_features_create(const surface *s, arena *memory, sharp_features *out,
                                   tribo_error *err) {
  *out = (sharp_features){.surface = s};
  TRY(find_parts(s, memory, out, err));
  if (!reserve(memory, out)) return status_no_memory(err, "the edges of a surface");
  for (size_t k = 0; k < out->parts.corner_count; k++) out->is_corner[out->parts.corners[k]] = true;
  put_places(out);
  put_parts(out);
  TRY(bvh_build(out->edge_boxes, out->parts.edge_count, memory, &out->edges, err));
  return bvh_build(out->corner_boxes, out->parts.corner_count, memory, &out->corners, err);
}

static bool same_map(const rigid_map *a, const rigid_map *b) {
  vec3 d = vec3_sub(a->shift, b->shift);
  return a->turn.w == b->turn.w && a->turn.x == b->turn.x && a->turn.y == b->turn.y &&
         a->turn.z == b->turn.z && a->scale == b->scale && d.x == 0 && d.y == 0 && d.z == 0;
}

void sharp_features_place(sharp_features *r, const tasks *t) {
  const surface *s = r->surface;
  bool rests = !s->deforms && same_map(&s->frame, &s->frame_before);
  if (r->placed && rests && r->fastest == 0 && same_map(&s->frame, &r->frame)) return;
  r->placed = true;
  r->frame = s->frame;
  put_places(r);
  put_parts(r);
  bvh_refit(t, r->edge_boxes, &r->edges);
  bvh_refit(t, r->corner_boxes, &r->corners);
}

static double see(void *context, int32_t place, double limit) {
  (void)place, (void)limit;
  *(bool *)context = true;
  return -1; /* one is enough */
}

bool sharp_features_near(const sharp_features *r, vec3 point, double reach) {
  bool seen = false;
  bvh_nearest(&r->edges, point, reach * reach, see, &seen);
  return seen;
}

/* ---- who meets whom ---------------------------------------------------------------------------
 */

typedef struct asking {
  const sharp_features *r;
  const vec3 *x; /* two or three corners of cloth */
  int corners;
  double size, reach;
  sharp_hit *hits;
  int count;
} asking;

static bool same_hit(const asking *a, const sharp_hit *p, const sharp_hit *q) {
  double close = SAME_PLACE * a->size;
  return vec3_dot(p->normal, q->normal) > SAME_WAY &&
         vec3_norm2(vec3_sub(p->point, q->point)) < close * close;
}

/* Ascending by gap, then by number; of those that are one the first stays. */
static void keep(asking *a, const sharp_hit *new) {
  int at = 0;
  for (; at < a->count; at++) {
    const sharp_hit *old = &a->hits[at];
    if (new->gap < old->gap || (new->gap == old->gap &&new->part < old->part)) break;
    if (same_hit(a, old, new)) return;
  }
  int kept = at;
  for (int k = at; k < a->count; k++)
    if (!same_hit(a, &a->hits[k], new)) a->hits[kept++] = a->hits[k];
  a->count = kept < SHARP_FEATURES_MOST ? kept : SHARP_FEATURES_MOST - 1;
  if (at >= SHARP_FEATURES_MOST) return;
  memmove(a->hits + at + 1, a->hits + at, (size_t)(a->count - at) * sizeof *a->hits);
  a->hits[at] = *new;
  a->count++;
}

/* Whether cloth that is behind an edge or corner by `depth` is inside because of it, and not beyond
 * the other side, nor at rest on a side that the edge belongs to no more. The place itself may lie
 * on a face, right below the edge; so a little inwards from it the obstacle must be solid. */
static bool is_inside(const asking *a, const sharp_hit *hit, vec3 inwards, double depth) {
  surface_hit at = surface_query(a->r->surface, vec3_madd(hit->point, depth, inwards), 4 * depth);
  return at.near && at.gap < -SOLID * depth;
}

/* `apart`: from the place on the obstacle to that on the cloth. `presses`: the normal is that of
 * the two together, not of the obstacle alone. `inwards`: along the cloth. */
static void consider(asking *a, sharp_hit *hit, vec3 apart, vec3 inwards, bool presses,
                     bool aside) {
  const surface *s = a->r->surface;
  double slack = SLACK * a->size;
  hit->gap = vec3_dot(hit->normal, apart);
  if (!(hit->gap <= a->reach) || (!presses && hit->gap < -slack)) return;
  double off = vec3_norm(vec3_madd(apart, -hit->gap, hit->normal));
  if ((aside || !presses) && off > ASIDE * fabs(hit->gap) + ASIDE_LEAST * a->size) return;
  if (hit->gap < -fmax(a->reach, DEEPEST * a->size)) return;
  if (hit->gap < -slack && !is_inside(a, hit, inwards, -hit->gap)) return;
  if (!s->deforms) hit->way = surface_carried(s, hit->point);
  keep(a, hit);
}

/* The normal with which an edge and a line of direction d press on each other; false: they do not,
 * and it is that of the face that the line is more along. At no distance, as where cloth rests on a
 * face and slides over its edge, only d can tell: the other face would stop it. */
static bool edge_normal(const vec3 faces[2], vec3 d, vec3 *normal) {
  double first = vec3_dot(d, faces[0]), second = vec3_dot(d, faces[1]);
  *normal = vec3_normalized(vec3_madd(vec3_scale(fabs(second), faces[0]), fabs(first), faces[1]));
  if (first * second <= 0) return true;
  *normal = faces[fabs(first) > fabs(second)];
  return false;
}

static double visit_edge(void *context, int32_t place, double limit) {
  asking *a = context;
  const sharp_features *r = a->r;
  int32_t e = r->edges.order[place];
  const int32_t *end = r->parts.edges[e].place;
  vec3 edge[2] = {r->at[end[0]], r->at[end[1]]};
  vec3 along = vec3_sub(edge[1], edge[0]), d = vec3_sub(a->x[1], a->x[0]);
  double across2 = vec3_norm2(vec3_cross(along, d));
  if (!r->convex[e] || across2 < PARALLEL * PARALLEL * vec3_norm2(along) * vec3_norm2(d))
    return limit;
  double s, t;
  distance_edge_edge(a->x, edge, &s, &t);
  if (s == 0 || s == 1) return limit; /* a vertex touches, which feels for itself */
  double least = AT_CORNER * a->size / vec3_norm(along);
  if ((t < least && r->is_corner[end[0]]) || (1 - t < least && r->is_corner[end[1]])) return limit;
  sharp_hit hit = {.part = e, .weight = {1 - s, s, 0}};
  hit.point = distance_along(a->x[0], a->x[1], s);
  vec3 apart = vec3_sub(hit.point, distance_along(edge[0], edge[1], t));
  if (r->surface->deforms) {
    vec3 was = distance_along(r->before[end[0]], r->before[end[1]], t);
    hit.way = vec3_sub(distance_along(edge[0], edge[1], t), was);
  }
  d = vec3_normalized(d);
  bool presses = edge_normal(r->normals[e], d, &hit.normal);
  vec3 outwards = vec3_add(r->normals[e][0], r->normals[e][1]);
  consider(a, &hit, apart, vec3_scale(-vec3_dot(outwards, d), d), presses, t == 0 || t == 1);
  return limit;
}

/* Whether all edges around a corner fall away from a plane through it. */
static bool falls_away(const sharp_features *r, size_t corner, vec3 normal) {
  vec3 from = r->at[r->parts.corners[corner]];
  for (int32_t k = r->parts.around_start[corner]; k < r->parts.around_start[corner + 1]; k++) {
    vec3 way = vec3_sub(r->at[r->parts.around[k]], from);
    if (vec3_dot(way, normal) > LEVEL * vec3_norm(way)) return false;
  }
  return true;
}

/* Away from what is around the corner; unit. */
static vec3 corner_outwards(const sharp_features *r, size_t corner) {
  vec3 from = r->at[r->parts.corners[corner]], sum = {0, 0, 0};
  for (int32_t k = r->parts.around_start[corner]; k < r->parts.around_start[corner + 1]; k++)
    sum = vec3_add(sum, vec3_normalized(vec3_sub(from, r->at[r->parts.around[k]])));
  return vec3_normalized(sum);
}

static double visit_corner(void *context, int32_t place, double limit) {
  asking *a = context;
  const sharp_features *r = a->r;
  size_t k = (size_t)r->corners.order[place];
  int32_t number = r->parts.corners[k];
  distance_foot foot = distance_point_triangle(r->at[number], a->x);
  if (foot.feature <= DISTANCE_CORNER_2) return limit;
  vec3 normal = vec3_normalized(vec3_cross(vec3_sub(a->x[1], a->x[0]), vec3_sub(a->x[2], a->x[0])));
  vec3 outwards = corner_outwards(r, k);
  if (vec3_dot(normal, outwards) < 0) normal = vec3_scale(-1, normal);
  sharp_hit hit = {.part = (int32_t)k, .point = foot.foot, .normal = normal};
  memcpy(hit.weight, foot.weight, sizeof hit.weight);
  if (r->surface->deforms) hit.way = vec3_sub(r->at[number], r->before[number]);
  vec3 apart = vec3_sub(foot.foot, r->at[number]);
  vec3 inwards = vec3_madd(vec3_scale(vec3_dot(outwards, normal), normal), -1, outwards);
  consider(a, &hit, apart, inwards, falls_away(r, k, normal), foot.feature != DISTANCE_FACE);
  return limit;
}

/* Whatever is within reach of a ball around the cloth. */
static int ask(const bvh *tree, bvh_visit visit, asking *a) {
  vec3 middle = {0, 0, 0};
  double radius2 = 0;
  for (int k = 0; k < a->corners; k++) middle = vec3_madd(middle, 1.0 / a->corners, a->x[k]);
  for (int k = 0; k < a->corners; k++)
    radius2 = fmax(radius2, vec3_norm2(vec3_sub(a->x[k], middle)));
  double radius = sqrt(radius2);
  a->size = 2 * radius;
  bvh_nearest(tree, middle, (radius + a->reach) * (radius + a->reach), visit, a);
  return a->count;
}

int sharp_features_meet_edge(const sharp_features *r, const vec3 x[2], double reach,
                             sharp_hit hits[SHARP_FEATURES_MOST]) {
  asking a = {.r = r, .x = x, .corners = 2, .reach = reach, .hits = hits};
  return ask(&r->edges, visit_edge, &a);
}

int sharp_features_meet_triangle(const sharp_features *r, const vec3 x[3], double reach,
                                 sharp_hit hits[SHARP_FEATURES_MOST]) {
  asking a = {.r = r, .x = x, .corners = 3, .reach = reach, .hits = hits};
  return ask(&r->corners, visit_corner, &a);
}
