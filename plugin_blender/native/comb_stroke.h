/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * comb_stroke: the inside of a comb, shared by its files alone.
 */
#ifndef NATIVE_COMB_STROKE_H
#define NATIVE_COMB_STROKE_H

#include "base/array.h"
#include "comb.h"

/* A point of a stroke on the surface. lifted: the stroke has a gap before it. */
typedef struct comb_node {
  vec3 at, normal;
  bool lifted;
} comb_node;

/* A straight piece, with the directions at its ends. */
typedef struct comb_piece {
  vec3 ends[2], along[2], normal;
  vec3 span, reach; /* from end to end; the same over its square: how far along a point is */
} comb_piece;

comb_piece comb_piece_make(vec3 from, vec3 to, vec3 normal);

/* What a brush does at a texel: how much, and which way (unit or shorter; zero: no way). */
typedef struct comb_touch {
  comb_texel texel;
  const comb_patch *patch;
  vec3 along;
  double distance, weight;
} comb_touch;

typedef struct comb_nodes {
  comb_node *data;
  size_t count, capacity;
  bool lifted; /* the last point was off the surface */
} comb_nodes;

struct comb {
  arena memory;
  comb_map map;
  double mirrors[COMB_TRACKS][12]; /* rows of an affine map: the mesh's space onto itself */

  comb_brush brush;
  bool open;
  comb_nodes tracks[COMB_TRACKS];
  int32_t *slot; /* a texel: its place in saved; -1: not touched */
  ARRAY(comb_saved) saved;
  ARRAY(double) nearest; /* beside saved: the distance of the piece that it was written by */
  ARRAY(comb_piece) pieces;
  ARRAY(int32_t) found;    /* triangles: those of a search, and room for as many again */
  uint32_t *stamp, stamps; /* of triangles: seen in this search */
};

/* Texels under the brush; false stops, for want of memory. */
typedef bool (*comb_visit)(void *context, const comb_touch *touch);

/* Visits every texel that shows a point within the radius of the pieces, triangle by triangle; the
 * touch is that of the nearest piece, of equally near ones the last. */
tribo_status comb_sweep(comb *c, const comb_piece *pieces, size_t count, comb_visit visit,
                        void *context, tribo_error *err);

/* The place of a texel among the saved, where it is put if it is new; -1: out of memory. */
int32_t comb_save(comb *c, size_t texel, const float *pixels);

/* Writes a texel and counts it to what changed. */
void comb_write(const comb *c, size_t texel, comb_grain g, float *pixels, comb_rect *changed);

/* From what is there now, in parts no longer than the brush's radius. */
tribo_status comb_smooth(comb *c, const comb_piece *pieces, size_t count, float *pixels,
                         comb_rect *changed, tribo_error *err);

#endif
