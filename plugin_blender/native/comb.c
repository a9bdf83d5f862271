/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comb.h"

#include <string.h>

#include "comb_stroke.h"
#include "math/hypotenuse.h"
#include "math/mat3.h"

/* Shorter than this between unit directions, a stroke turned back on itself: no common tangent. */
static const double SHARP = 0.5;

/* ---- life ------------------------------------------------------------------------------------ */

static const double IDENTITY[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static vec3 apply(const double rows[12], vec3 p) {
  return vec3_make(rows[0] * p.x + rows[1] * p.y + rows[2] * p.z + rows[3],
                   rows[4] * p.x + rows[5] * p.y + rows[6] * p.z + rows[7],
                   rows[8] * p.x + rows[9] * p.y + rows[10] * p.z + rows[11]);
}

/* A reflection in the object's axes as the mesh's space sees it: M F M^-1. */
static tribo_status make_mirrors(comb *c, const double *m, tribo_error *err) {
  mat3 linear;
  for (int row = 0; row < 3; row++)
    for (int col = 0; col < 3; col++) linear.m[row][col] = m[4 * row + col];
  double size =
      fmax(fmax(vec3_norm(vec3_make(m[0], m[4], m[8])), vec3_norm(vec3_make(m[1], m[5], m[9]))),
           vec3_norm(vec3_make(m[2], m[6], m[10])));
  double determinant = mat3_det(&linear);
  if (!(fabs(determinant) > 1e-12 * size * size * size))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "the object's scale has the determinant %g; it must not be flat",
                       determinant);
  mat3 inverse = mat3_inverse(&linear);
  for (int track = 0; track < COMB_TRACKS; track++) {
    mat3 flipped = linear;
    for (int row = 0; row < 3; row++)
      for (int col = 0; col < 3; col++)
        if (track >> col & 1) flipped.m[row][col] = -flipped.m[row][col];
    mat3 whole = mat3_mul(&flipped, &inverse);
    vec3 centre = vec3_make(m[3], m[7], m[11]), moved = mat3_mul_vec3(&whole, centre);
    const double shift[3] = {centre.x - moved.x, centre.y - moved.y, centre.z - moved.z};
    for (int row = 0; row < 3; row++) {
      for (int col = 0; col < 3; col++) c->mirrors[track][4 * row + col] = whole.m[row][col];
      c->mirrors[track][4 * row + 3] = shift[row];
    }
  }
  return TRIBO_OK;
}

static tribo_status fill_comb(comb *c, const comb_mesh *mesh, const double *transform,
                              int32_t width, int32_t height, comb_wrap wrap, tribo_error *err) {
  TRY(make_mirrors(c, transform ? transform : IDENTITY, err));
  TRY(comb_map_build(mesh, width, height, wrap, &c->memory, &c->map, err));
  size_t count = (size_t)width * (size_t)height;
  c->slot = ARENA_ARRAY(&c->memory, int32_t, count);
  c->stamp = ARENA_ARRAY(&c->memory, uint32_t, mesh->triangle_count);
  if (!c->slot || !c->stamp || !ARRAY_RESERVE(c->found, 2 * mesh->triangle_count + 1))
    return status_no_memory(err, "the comb");
  for (size_t i = 0; i < count; i++) c->slot[i] = -1;
  return TRIBO_OK;
}

tribo_status comb_create(const comb_mesh *mesh, const double *transform, int32_t width,
                         int32_t height, comb_wrap wrap, comb **out, tribo_error *err) {
  *out = NULL;
  comb *c = calloc(1, sizeof *c);
  if (!c) return status_no_memory(err, "the comb");
  tribo_status status = fill_comb(c, mesh, transform, width, height, wrap, err);
  if (status != TRIBO_OK) {
    comb_free(c);
    return status;
  }
  *out = c;
  return TRIBO_OK;
}

void comb_free(comb *c) {
  if (!c) return;
  for (int track = 0; track < COMB_TRACKS; track++) free(c->tracks[track].data);
  ARRAY_FREE(c->saved);
  ARRAY_FREE(c->nearest);
  ARRAY_FREE(c->pieces);
  ARRAY_FREE(c->found);
  arena_free(&c->memory);
  free(c);
}

const comb_map *comb_get_map(const comb *c) { return &c->map; }

/* ---- texels ---------------------------------------------------------------------------------- */

static void grow_rect(comb_rect *rect, int32_t x, int32_t y) {
  if (rect->width == 0) {
    *rect = (comb_rect){x, y, 1, 1};
    return;
  }
  int32_t right = rect->x + rect->width - 1, top = rect->y + rect->height - 1;
  if (x < rect->x) rect->x = x;
  if (y < rect->y) rect->y = y;
  rect->width = (x > right ? x : right) - rect->x + 1;
  rect->height = (y > top ? y : top) - rect->y + 1;
}

int32_t comb_save(comb *c, size_t texel, const float *pixels) {
  if (c->slot[texel] >= 0) return c->slot[texel];
  comb_saved saved = {(uint32_t)texel, {pixels[4 * texel], pixels[4 * texel + 1]}};
  if (!ARRAY_RESERVE(c->nearest, c->saved.count + 1) || !ARRAY_PUSH(c->saved, saved)) return -1;
  c->nearest.data[c->nearest.count++] = INFINITY;
  return c->slot[texel] = (int32_t)c->saved.count - 1;
}

void comb_write(const comb *c, size_t texel, comb_grain g, float *pixels, comb_rect *changed) {
  comb_grain_write(g, pixels + 4 * texel);
  grow_rect(changed, (int32_t)(texel % (size_t)c->map.width),
            (int32_t)(texel / (size_t)c->map.width));
}

static void forget_stroke(comb *c) {
  for (size_t i = 0; i < c->saved.count; i++) c->slot[c->saved.data[i].texel] = -1;
  c->saved.count = c->nearest.count = 0;
  for (int track = 0; track < COMB_TRACKS; track++) {
    c->tracks[track].count = 0;
    c->tracks[track].lifted = false;
  }
}

/* ---- strokes --------------------------------------------------------------------------------- */

tribo_status comb_begin(comb *c, const comb_brush *brush, tribo_error *err) {
  if (!(brush->radius > 0) || !isfinite(brush->radius))
    return status_fail(err, TRIBO_BAD_INPUT, "a brush with the radius %g; it must be above 0",
                       brush->radius);
  if (!(brush->strength >= 0 && brush->strength <= 1))
    return status_fail(err, TRIBO_BAD_INPUT, "a brush with the strength %g; it must be 0 to 1",
                       brush->strength);
  forget_stroke(c);
  c->brush = *brush;
  c->open = true;
  return TRIBO_OK;
}

void comb_end(comb *c, const comb_saved **saved, size_t *count) {
  c->open = false;
  *saved = c->saved.data;
  *count = c->saved.count;
}

/* On the surface; what is further off than the brush reaches is a gap. False: out of memory. */
static bool add_node(comb *c, comb_nodes *track, vec3 point) {
  mesh_foot foot;
  if (!mesh_distance_query(&c->map.surface, point, c->brush.radius, &foot)) {
    track->lifted = true;
    return true;
  }
  const comb_node *last = track->count ? &track->data[track->count - 1] : NULL;
  double least = 1e-6 * c->brush.radius;
  if (last && !track->lifted && vec3_norm(vec3_sub(foot.foot, last->at)) < least) return true;
  comb_node node = {foot.foot, c->map.surface.face_normals[foot.triangle],
                    track->lifted || track->count == 0};
  track->lifted = false;
  return ARRAY_PUSH(*track, node);
}

static vec3 unit_between(const comb_node *a, const comb_node *b) {
  return vec3_normalized(vec3_sub(b->at, a->at));
}

comb_piece comb_piece_make(vec3 from, vec3 to, vec3 normal) {
  vec3 span = vec3_sub(to, from), along = vec3_normalized(span);
  double length2 = vec3_norm2(span);
  vec3 reach = length2 > 0 ? vec3_scale(1 / length2, span) : vec3_make(0, 0, 0);
  return (comb_piece){{from, to}, {along, along}, vec3_normalized(normal), span, reach};
}

/* The piece that ends at node i. Where pieces meet they share the mean of their directions. */
static comb_piece make_piece(const comb_nodes *track, size_t i) {
  const comb_node *a = &track->data[i - 1], *b = &track->data[i];
  vec3 own = unit_between(a, b);
  comb_piece piece = comb_piece_make(a->at, b->at, vec3_add(a->normal, b->normal));
  if (i >= 2 && !a->lifted) {
    vec3 mean = vec3_scale(0.5, vec3_add(own, unit_between(a - 1, a)));
    if (vec3_norm(mean) > SHARP) piece.along[0] = vec3_normalized(mean);
  }
  if (i + 1 < track->count && !b[1].lifted) {
    vec3 mean = vec3_scale(0.5, vec3_add(own, unit_between(b, b + 1)));
    if (vec3_norm(mean) > SHARP) piece.along[1] = vec3_normalized(mean);
  }
  return piece;
}

/* A stroke that is one point, or begins anew after a gap, is a dab without a direction. */
static comb_piece make_dab(const comb_node *node) {
  return comb_piece_make(node->at, node->at, node->normal);
}

/* The pieces from node `first` on; the one before it too, because its end has a new direction. */
static bool list_pieces(comb *c, const comb_nodes *track, size_t first) {
  c->pieces.count = 0;
  bool dabs = c->brush.mode != COMB_ALONG;
  for (size_t i = first > 1 ? first - 1 : first; i < track->count; i++) {
    if (!track->data[i].lifted) {
      if (!ARRAY_PUSH(c->pieces, make_piece(track, i))) return false;
    } else if (dabs && i >= first) {
      if (!ARRAY_PUSH(c->pieces, make_dab(&track->data[i]))) return false;
    }
  }
  return true;
}

typedef struct painter {
  comb *c;
  float *pixels;
  comb_rect *changed;
} painter;

/* Where a stroke runs into the surface rather than along it, it says little about the direction. */
static comb_grain grain_along(const comb_touch *touch, double *weight) {
  double x = vec3_dot(touch->along, touch->patch->t), y = vec3_dot(touch->along, touch->patch->b);
  double length = vec3_norm(touch->along), flat = sqrt(x * x + y * y);
  *weight *= length > 0 ? comb_smooth_step((flat / length - 0.1) / 0.4) : 0;
  return comb_grain_of(x, y, 1);
}

static bool paint_texel(void *context, const comb_touch *touch) {
  painter *p = context;
  comb *c = p->c;
  double weight = touch->weight;
  comb_grain to = {0, 0};
  if (c->brush.mode == COMB_ALONG) to = grain_along(touch, &weight);
  if (!(weight > 0)) return true;
  size_t texel = touch->texel.index;
  int32_t slot = comb_save(c, texel, p->pixels);
  if (slot < 0) return false;
  if (touch->distance > c->nearest.data[slot]) return true;
  c->nearest.data[slot] = touch->distance;
  const float *was = c->saved.data[slot].pixel;
  comb_grain from = comb_grain_read(was[0], was[1]);
  comb_grain now = c->brush.mode == COMB_ALONG ? comb_grain_turn(from, to, weight)
                                               : comb_grain_between(from, to, weight);
  comb_write(c, texel, now, p->pixels, p->changed);
  return true;
}

static tribo_status extend_track(comb *c, int mirror, const vec3 *points, size_t count,
                                 float *pixels, comb_rect *changed, tribo_error *err) {
  comb_nodes *track = &c->tracks[mirror];
  size_t first = track->count;
  for (size_t i = 0; i < count; i++)
    if (!add_node(c, track, apply(c->mirrors[mirror], points[i])))
      return status_no_memory(err, "the stroke");
  if (!list_pieces(c, track, first)) return status_no_memory(err, "the stroke");
  if (c->brush.mode == COMB_SMOOTH)
    return comb_smooth(c, c->pieces.data, c->pieces.count, pixels, changed, err);
  painter p = {c, pixels, changed};
  return comb_sweep(c, c->pieces.data, c->pieces.count, paint_texel, &p, err);
}

tribo_status comb_extend(comb *c, const vec3 *points, size_t count, float *pixels,
                         comb_rect *changed, tribo_error *err) {
  if (!c->open) return status_fail(err, TRIBO_BAD_INPUT, "the stroke has not begun");
  for (size_t i = 0; i < count; i++)
    if (!vec3_finite(points[i]))
      return status_fail(err, TRIBO_BAD_INPUT, "point %zu of the stroke is not a finite number", i);
  for (int mirror = 0; mirror < COMB_TRACKS; mirror++)
    if ((mirror & ~c->brush.mirror) == 0)
      TRY(extend_track(c, mirror, points, count, pixels, changed, err));
  return TRIBO_OK;
}

/* ---- fill ------------------------------------------------------------------------------------ */

typedef bool (*fill_grain)(const void *what, const comb_patch *patch, comb_grain *out);

static tribo_status fill(comb *c, fill_grain grain, const void *what, double strength,
                         float *pixels, comb_rect *changed, tribo_error *err) {
  comb_brush brush = {COMB_ALONG, 1, strength, 0};
  TRY(comb_begin(c, &brush, err));
  for (size_t t = 0; t < c->map.mesh.triangle_count; t++) {
    comb_patch patch;
    comb_grain to;
    if (!comb_map_patch(&c->map, t, &patch) || !grain(what, &patch, &to)) continue;
    comb_box box = comb_map_box(&patch);
    for (int32_t y = comb_first(box.low[1]); y <= comb_last(box.high[1]); y++)
      for (int32_t x = comb_first(box.low[0]); x <= comb_last(box.high[0]); x++) {
        comb_texel texel;
        if (!comb_map_texel(&c->map, t, &patch, x, y, &texel)) continue;
        int32_t slot = comb_save(c, texel.index, pixels);
        if (slot < 0) return status_no_memory(err, "the stroke");
        const float *was = c->saved.data[slot].pixel;
        comb_grain from = comb_grain_read(was[0], was[1]);
        comb_write(c, texel.index, comb_grain_turn(from, to, strength), pixels, changed);
      }
  }
  return TRIBO_OK;
}

static bool along_axis(const void *what, const comb_patch *patch, comb_grain *out) {
  const vec3 *axis = what;
  double x = vec3_dot(*axis, patch->t), y = vec3_dot(*axis, patch->b);
  *out = comb_grain_of(x, y, 1);
  return hypotenuse(x, y) > 0.1;
}

tribo_status comb_fill_axis(comb *c, vec3 axis, double strength, float *pixels, comb_rect *changed,
                            tribo_error *err) {
  vec3 unit = vec3_normalized(axis);
  if (!vec3_finite(unit) || !(vec3_norm(unit) > 0.5))
    return status_fail(err, TRIBO_BAD_INPUT, "the axis %g %g %g has no direction", axis.x, axis.y,
                       axis.z);
  return fill(c, along_axis, &unit, strength, pixels, changed, err);
}

static bool given_grain(const void *what, const comb_patch *patch, comb_grain *out) {
  (void)patch;
  *out = *(const comb_grain *)what;
  return true;
}

tribo_status comb_fill_uv(comb *c, double angle, double strength, float *pixels, comb_rect *changed,
                          tribo_error *err) {
  if (!isfinite(angle))
    return status_fail(err, TRIBO_BAD_INPUT, "the angle of the fill is not a finite number");
  comb_grain grain = comb_grain_of(cos(angle), sin(angle), 1);
  return fill(c, given_grain, &grain, strength, pixels, changed, err);
}

tribo_status comb_fill_none(comb *c, float *pixels, comb_rect *changed, tribo_error *err) {
  comb_grain none = {0, 0};
  return fill(c, given_grain, &none, 1, pixels, changed, err);
}

/* ---- undo ------------------------------------------------------------------------------------ */

tribo_status comb_swap(int32_t width, int32_t height, comb_saved *saved, size_t count,
                       float *pixels, comb_rect *changed, tribo_error *err) {
  size_t texels = (size_t)width * (size_t)height;
  for (size_t i = 0; i < count; i++)
    if (saved[i].texel >= texels)
      return status_fail(err, TRIBO_BAD_INPUT, "texel %u is outside of the map of %d x %d pixels",
                         (unsigned)saved[i].texel, width, height);
  for (size_t i = 0; i < count; i++) {
    float *pixel = pixels + 4 * (size_t)saved[i].texel;
    for (int k = 0; k < 2; k++) {
      float was = pixel[k];
      pixel[k] = saved[i].pixel[k];
      saved[i].pixel[k] = was;
    }
    grow_rect(changed, (int32_t)(saved[i].texel % (uint32_t)width),
              (int32_t)(saved[i].texel / (uint32_t)width));
  }
  return TRIBO_OK;
}
