/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * comb: strokes on a surface that write its structure map (docs/painting.md).
 *
 * A stroke is a polyline of points on the surface. Every texel that shows a point within the
 * brush's radius of it takes the stroke's direction there: that of the nearest piece of the
 * polyline, laid into the plane of the texel's triangle, and written in the triangle's own frame.
 * So a straight stroke is straight on the surface, whatever seams and mirrored islands it crosses.
 * Directions have no sign; blending is on their grains (comb_grain.h).
 *
 * The texel is blended from what it was when the stroke began, once, by the weight of the nearest
 * piece: the result does not depend on how many points the stroke has or in how many calls they
 * came. Only smoothing works on, from call to call.
 *
 * Undo: a stroke leaves the texels that it touched and what they were. Pixels are the caller's,
 * RGBA floats, the bottom row first; blue and alpha stay as they are.
 */
#ifndef NATIVE_COMB_H
#define NATIVE_COMB_H

#include "comb_grain.h"
#include "comb_map.h"

typedef struct comb comb;

typedef enum comb_mode { COMB_ALONG, COMB_SMOOTH, COMB_ERASE } comb_mode;

enum { COMB_MIRROR_X = 1, COMB_MIRROR_Y = 2, COMB_MIRROR_Z = 4, COMB_TRACKS = 8 };

typedef struct comb_brush {
  comb_mode mode;
  double radius;   /* in the mesh's space; full weight up to half of it, none from it on */
  double strength; /* 0 to 1 */
  int mirror;      /* COMB_MIRROR_*, in the object's own axes */
} comb_brush;

/* In texels; nothing where width is 0. */
typedef struct comb_rect {
  int32_t x, y, width, height;
} comb_rect;

/* A texel and the red and green that it had. */
typedef struct comb_saved {
  uint32_t texel;
  float pixel[2];
} comb_saved;

/* transform: 16 numbers, row-major, the object's space to that of the mesh; NULL: the same. Its
 * planes are those of the mirror. */
tribo_status comb_create(const comb_mesh *mesh, const double *transform, int32_t width,
                         int32_t height, comb_wrap wrap, comb **out, tribo_error *err);
void comb_free(comb *c);
const comb_map *comb_get_map(const comb *c);

/* A stroke: begin, extend once or often, end. *changed grows to hold what was written. */
tribo_status comb_begin(comb *c, const comb_brush *brush, tribo_error *err);
tribo_status comb_extend(comb *c, const vec3 *points, size_t count, float *pixels,
                         comb_rect *changed, tribo_error *err);

/* What the stroke touched, until the next one begins. */
void comb_end(comb *c, const comb_saved **saved, size_t *count);

/* A stroke over the whole surface: along an axis of the mesh's space, or in every triangle's frame
 * at an angle to u. Where the axis stands upright on the surface, what was there stays. */
tribo_status comb_fill_axis(comb *c, vec3 axis, double strength, float *pixels, comb_rect *changed,
                            tribo_error *err);
tribo_status comb_fill_uv(comb *c, double angle, double strength, float *pixels, comb_rect *changed,
                          tribo_error *err);
tribo_status comb_fill_none(comb *c, float *pixels, comb_rect *changed, tribo_error *err);

/* Puts back what was saved and saves what was there: undo, and called again, redo. Fails, with
 * nothing changed, when a texel is none of the picture's. */
tribo_status comb_swap(int32_t width, int32_t height, comb_saved *saved, size_t count,
                       float *pixels, comb_rect *changed, tribo_error *err);

/* Where a ray first meets the surface; false where it does not. The triangle and the point. */
bool comb_pick(const comb *c, vec3 from, vec3 direction, int32_t *triangle, vec3 *point);

/* ---- what the map says ----------------------------------------------------------------------- */

/* A place on the surface with what is painted there. */
typedef struct comb_glyph {
  vec3 point, normal;
  vec3 structure; /* as long as its grain; zero: none */
} comb_glyph;

/* The map at a place inside a triangle, filtered as the core filters it. */
comb_glyph comb_look(const comb *c, const float *pixels, size_t triangle, const double weight[3]);

/* Of the surface that can be painted. */
double comb_area(const comb *c);

/* Places spread over the surface, about one for every spacing squared: how many, and the first
 * `capacity` of them. The same places for the same spacing. */
size_t comb_glyphs(const comb *c, const float *pixels, double spacing, comb_glyph *out,
                   size_t capacity);

#endif
