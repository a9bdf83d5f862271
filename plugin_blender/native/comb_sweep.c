/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comb_stroke.h"

/* Texels are walked in tiles, so that a stroke of many pieces asks each texel only about the few
 * that can be nearest to it. */
enum { TILE = 8 };

/* Faces that look away from the stroke by more than this belong to the other side of something
 * thin. */
static const double AWAY = -0.2;

/* ---- triangles ------------------------------------------------------------------------------- */

static void grow_box(vec3 p, double by, bvh_box *box) {
  box->low.x = fmin(box->low.x, p.x - by);
  box->low.y = fmin(box->low.y, p.y - by);
  box->low.z = fmin(box->low.z, p.z - by);
  box->high.x = fmax(box->high.x, p.x + by);
  box->high.y = fmax(box->high.y, p.y + by);
  box->high.z = fmax(box->high.z, p.z + by);
}

/* The triangles whose boxes a piece can reach, each once, in c->found. Returns how many. */
static size_t find_triangles(comb *c, const comb_piece *pieces, size_t count) {
  size_t kept = 0, most = c->map.mesh.triangle_count;
  c->stamps++;
  for (size_t i = 0; i < count; i++) {
    bvh_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int end = 0; end < 2; end++) grow_box(pieces[i].ends[end], c->brush.radius, &box);
    int32_t *fresh = c->found.data + kept;
    size_t met = bvh_overlap(&c->map.surface.tree, &box, fresh, most);
    for (size_t k = 0; k < met; k++) {
      int32_t triangle = fresh[k];
      if (c->stamp[triangle] == c->stamps) continue;
      c->stamp[triangle] = c->stamps;
      c->found.data[kept++] = triangle;
    }
  }
  return kept;
}

/* ---- one triangle ---------------------------------------------------------------------------- */

typedef struct sweep {
  const comb *c;
  const comb_piece *pieces;
  size_t *list, *tile; /* pieces that can reach the triangle, and the tile */
  size_t listed, tiled;
  comb_patch patch;
  comb_visit visit;
  void *context;
} sweep;

/* In the picture, where a piece can reach in the plane of the triangle. */
static comb_box reach_of(const sweep *s, const comb_piece *piece) {
  const comb_patch *p = &s->patch;
  double x[2], y[2], radius = s->c->brush.radius;
  for (int end = 0; end < 2; end++) {
    vec3 from = vec3_sub(piece->ends[end], p->corner[0]);
    x[end] = p->texel[0].x + vec3_dot(p->grow_x, from);
    y[end] = p->texel[0].y + vec3_dot(p->grow_y, from);
  }
  double rx = radius * vec3_norm(p->grow_x) + COMB_MARGIN;
  double ry = radius * vec3_norm(p->grow_y) + COMB_MARGIN;
  return (comb_box){{fmin(x[0], x[1]) - rx, fmin(y[0], y[1]) - ry},
                    {fmax(x[0], x[1]) + rx, fmax(y[0], y[1]) + ry}};
}

/* Lists the pieces that can reach the triangle; returns where in the picture. */
static comb_box list_reaching(sweep *s, size_t count) {
  comb_box whole = comb_map_box(&s->patch);
  comb_box reached = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  s->listed = 0;
  for (size_t i = 0; i < count; i++) {
    if (vec3_dot(s->pieces[i].normal, s->patch.normal) < AWAY) continue;
    comb_box box = reach_of(s, &s->pieces[i]);
    bool meets = true;
    for (int k = 0; k < 2; k++) {
      box.low[k] = fmax(box.low[k], whole.low[k]);
      box.high[k] = fmin(box.high[k], whole.high[k]);
      meets = meets && box.low[k] <= box.high[k];
    }
    if (!meets) continue;
    s->list[s->listed++] = i;
    for (int k = 0; k < 2; k++) {
      reached.low[k] = fmin(reached.low[k], box.low[k]);
      reached.high[k] = fmax(reached.high[k], box.high[k]);
    }
  }
  return reached;
}

/* As distance_point_segment, squared, with what a piece has beforehand: this is the inner loop. */
static inline double distance2_to(const comb_piece *piece, vec3 q, double *t) {
  vec3 from = vec3_sub(q, piece->ends[0]);
  double at = vec3_dot(from, piece->reach);
  *t = at = comb_clamp(at);
  return vec3_norm2(vec3_madd(from, -at, piece->span));
}

/* The pieces that can be the nearest to a texel of the tile, and within reach of it. */
static void list_for_tile(sweep *s, int32_t x, int32_t y) {
  const comb_patch *p = &s->patch;
  vec3 middle = vec3_madd(vec3_madd(p->origin, x + TILE / 2.0, p->dx), y + TILE / 2.0, p->dy);
  double around = fmax(vec3_norm(vec3_add(p->dx, p->dy)), vec3_norm(vec3_sub(p->dx, p->dy)));
  around *=
      TILE / 2.0 + (comb_map_depth(p, x + TILE / 2.0, y + TILE / 2.0) > TILE ? 0 : COMB_MARGIN);
  double least = INFINITY, t;
  for (size_t i = 0; i < s->listed; i++)
    least = fmin(least, distance2_to(&s->pieces[s->list[i]], middle, &t));
  least = sqrt(least);
  s->tiled = 0;
  if (least > s->c->brush.radius + around) return;
  double limit = (least + 2 * around) * (1 + 1e-9);
  for (size_t i = 0; i < s->listed; i++)
    if (distance2_to(&s->pieces[s->list[i]], middle, &t) <= limit * limit)
      s->tile[s->tiled++] = s->list[i];
}

/* Full up to half the radius, then smoothly down to nothing. */
static double falloff(double distance, double radius) {
  return comb_smooth_step(2 - 2 * distance / radius);
}

static bool touch_texel(sweep *s, size_t triangle, int32_t x, int32_t y) {
  comb_touch touch = {.patch = &s->patch};
  if (!comb_map_texel(&s->c->map, triangle, &s->patch, x, y, &touch.texel)) return true;
  const comb_piece *nearest = NULL;
  double at = 0, least2 = INFINITY;
  for (size_t i = 0; i < s->tiled; i++) {
    const comb_piece *piece = &s->pieces[s->tile[i]];
    double t, distance2 = distance2_to(piece, touch.texel.point, &t);
    if (distance2 > least2) continue;
    least2 = distance2;
    nearest = piece;
    at = t;
  }
  const comb_brush *brush = &s->c->brush;
  if (!nearest || least2 >= brush->radius * brush->radius) return true;
  touch.distance = sqrt(least2);
  touch.weight = brush->strength * falloff(touch.distance, brush->radius);
  touch.along = vec3_madd(vec3_scale(1 - at, nearest->along[0]), at, nearest->along[1]);
  return s->visit(s->context, &touch);
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static bool sweep_triangle(sweep *s, size_t triangle, size_t count) {
  if (!comb_map_patch(&s->c->map, triangle, &s->patch)) return true;
  comb_box box = list_reaching(s, count);
  if (s->listed == 0) return true;
  int32_t left = comb_first(box.low[0]), right = comb_last(box.high[0]);
  int32_t low = comb_first(box.low[1]), top = comb_last(box.high[1]);
  for (int32_t y0 = low; y0 <= top; y0 += TILE)
    for (int32_t x0 = left; x0 <= right; x0 += TILE) {
      list_for_tile(s, x0, y0);
      if (s->tiled == 0) continue;
      for (int32_t y = y0; y <= smaller(y0 + TILE - 1, top); y++)
        for (int32_t x = x0; x <= smaller(x0 + TILE - 1, right); x++)
          if (!touch_texel(s, triangle, x, y)) return false;
    }
  return true;
}

tribo_status comb_sweep(comb *c, const comb_piece *pieces, size_t count, comb_visit visit,
                        void *context, tribo_error *err) {
  if (count == 0) return TRIBO_OK;
  size_t *lists = malloc(2 * count * sizeof *lists);
  if (!lists) return status_no_memory(err, "the stroke");
  sweep s = {.c = c, .pieces = pieces, .list = lists, .tile = lists + count, .visit = visit};
  s.context = context;
  size_t found = find_triangles(c, pieces, count);
  bool enough = true;
  for (size_t i = 0; i < found && enough; i++)
    enough = sweep_triangle(&s, (size_t)c->found.data[i], count);
  free(lists);
  return enough ? TRIBO_OK : status_no_memory(err, "the stroke");
}
