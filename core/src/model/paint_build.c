/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <assert.h>
#include <string.h>

#include "geom/uv_frame.h"
#include "math/hypotenuse.h"
#include "model/paint.h"

typedef struct builder {
  const tribo_object_def *def;
  const int32_t *given;
  arena *memory;
  paint *out;
} builder;

static tribo_status no_memory(const builder *b, tribo_error *err) {
  return status_no_memory(err, b->def->name);
}

static vec3 point(const builder *b, size_t triangle, int corner) {
  return vec3_from(b->def->positions +
                   3 * (size_t)b->out->triangles[3 * triangle + (size_t)corner]);
}

/* ---- UVs and frames -------------------------------------------------------------------------- */

static tribo_status take_uvs(builder *b, tribo_error *err) {
  size_t count = b->out->triangle_count;
  double(*uv)[3][2] = arena_alloc(b->memory, count, sizeof *uv);
  if (!uv) return no_memory(b, err);
  assert(b->def->uvs);
  for (size_t t = 0; t < count; t++)
    memcpy(uv[t], b->def->uvs + 6 * (size_t)b->given[t], sizeof *uv);
  b->out->uv = (const double(*)[3][2])uv;
  return TRIBO_OK;
}

/* A direction in the triangle's plane as a sum of its sides: the normal equations, exact there. */
static void in_sides(vec3 direction, const vec3 sides[2], double out[2]) {
  double aa = vec3_norm2(sides[0]), ab = vec3_dot(sides[0], sides[1]), bb = vec3_norm2(sides[1]);
  double a = vec3_dot(direction, sides[0]), c = vec3_dot(direction, sides[1]);
  double determinant = aa * bb - ab * ab;
  out[0] = (a * bb - c * ab) / determinant;
  out[1] = (c * aa - a * ab) / determinant;
}

/* Without a map any frame of the triangle will do. */
static bool frame_of(const builder *b, size_t t, const vec3 x[3], uv_frame *out) {
  static const double any[6] = {0, 0, 1, 0, 0, 1};
  return uv_frame_of(x, b->out->structure.texels ? &b->out->uv[t][0][0] : any, out);
}

/* Fills the axes, and with structure by vertex the grain, which wants the frames. */
static tribo_status frame_triangles(builder *b, double (*grain)[3][2], tribo_error *err) {
  paint *p = b->out;
  paint_axes *axes = ARENA_ARRAY(b->memory, paint_axes, p->triangle_count);
  if (!axes) return no_memory(b, err);
  const double *by_vertex = b->def->vertex_structure;
  for (size_t t = 0; t < p->triangle_count; t++) {
    vec3 x[3];
    for (int k = 0; k < 3; k++) x[k] = point(b, t, k);
    vec3 sides[2] = {vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])};
    uv_frame frame;
    if (!frame_of(b, t, x, &frame)) {
      if (p->report.flat++ == 0) p->report.first_flat = (size_t)b->given[t];
      continue;
    }
    p->report.mirrored += frame.mirrored;
    in_sides(frame.t, sides, axes[t].t);
    in_sides(frame.b, sides, axes[t].b);
    for (size_t k = 0; by_vertex && k < 3; k++) {
      vec3 s = vec3_from(by_vertex + 3 * (size_t)p->triangles[3 * t + k]);
      double x1 = vec3_dot(s, frame.t), y1 = vec3_dot(s, frame.b), r = hypotenuse(x1, y1);
      if (!(r > 0)) continue;
      double strength = fmin(r, 1) / (r * r);
      grain[t][k][0] = strength * (x1 * x1 - y1 * y1);
      grain[t][k][1] = strength * 2 * x1 * y1;
    }
  }
  p->axes = axes;
  return TRIBO_OK;
}

/* By vertex every triangle has a frame of its own, and is an island. */
static tribo_status find_islands(builder *b, tribo_error *err) {
  paint *p = b->out;
  int32_t *island = NULL;
  if (p->structure.texels) {
    TRY(uv_frame_islands(p->triangles, &p->uv[0][0][0], p->triangle_count, b->memory, &island,
                         &p->report.islands, err));
  } else {
    island = ARENA_ARRAY(b->memory, int32_t, p->triangle_count);
    if (!island) return no_memory(b, err);
    for (size_t t = 0; t < p->triangle_count; t++) island[t] = (int32_t)t;
  }
  p->island = island;
  return TRIBO_OK;
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* A picture that is used once ends at its edges: there the other edge must not shine through. */
static bool repeats(const builder *b) {
  int wrap = b->def->maps.wrap;
  if (wrap != TRIBO_WRAP_AUTO) return wrap == TRIBO_WRAP_REPEAT;
  for (size_t i = 0; i < 6 * b->def->triangle_count; i++)
    if (b->def->uvs[i] < 0 || b->def->uvs[i] > 1) return true;
  return false;
}

static texture texture_like(const builder *b, const tribo_map_def *map, int32_t depth,
                            const float *texels) {
  return (texture){map->width, map->height, depth, repeats(b), texels};
}

static size_t pixels_of(const tribo_map_def *map) {
  return (size_t)map->width * (size_t)map->height;
}

/* Red and green become grains once, so that filtering is on the double angle. */
static tribo_status take_structure_map(builder *b, tribo_error *err) {
  const tribo_map_def *map = &b->def->structure_map;
  size_t count = pixels_of(map), channels = (size_t)map->channels;
  float *texels = ARENA_ARRAY(b->memory, float, 2 * count);
  if (!texels) return no_memory(b, err);
  for (size_t i = 0; i < count; i++) {
    double x = 2 * (double)map->pixels[i * channels] - 1;
    double y = 2 * (double)map->pixels[i * channels + 1] - 1;
    double r = hypotenuse(x, y);
    if (!(r > 0)) continue;
    double strength = fmin(r, 1);
    x /= r, y /= r;
    texels[2 * i] = (float)(strength * (x * x - y * y));
    texels[2 * i + 1] = (float)(strength * 2 * x * y);
  }
  b->out->structure = texture_like(b, map, 2, texels);
  return TRIBO_OK;
}

double paint_channel(const tribo_map_def *map, size_t pixel, int channel) {
  const float *p = map->pixels + pixel * (size_t)map->channels;
  bool grey = map->channels < 3;
  switch (channel) {
    case TRIBO_CHANNEL_A: return (double)p[grey ? 1 : 3];
    case TRIBO_CHANNEL_R: return (double)p[0];
    case TRIBO_CHANNEL_G: return (double)p[grey ? 0 : 1];
    case TRIBO_CHANNEL_B: return (double)p[grey ? 0 : 2];
    default: break;
  }
  if (grey) return (double)p[0];
  return 0.2126 * (double)p[0] + 0.7152 * (double)p[1] + 0.0722 * (double)p[2];
}

static void note_range(paint *p, double value, bool first) {
  p->report.least = first ? value : fmin(p->report.least, value);
  p->report.most = first ? value : fmax(p->report.most, value);
}

static tribo_status take_friction_map(builder *b, tribo_error *err) {
  const tribo_map_def *map = &b->def->friction_map;
  const tribo_maps_params *params = &b->def->maps;
  size_t count = pixels_of(map);
  float *texels = ARENA_ARRAY(b->memory, float, count);
  if (!texels) return no_memory(b, err);
  for (size_t i = 0; i < count; i++) {
    texels[i] = (float)(params->friction_scale * paint_channel(map, i, params->friction_channel));
    note_range(b->out, (double)texels[i], i == 0);
  }
  b->out->friction = texture_like(b, map, 1, texels);
  return TRIBO_OK;
}

/* ---- corners --------------------------------------------------------------------------------- */

/* Corners have what the map has there, once and for all. */
static void sample_corners(const texture *from, const double (*uv)[3][2], size_t count,
                           double *out) {
  for (size_t i = 0; i < 3 * count; i++) {
    double value[TEXTURE_DEPTH];
    texture_sample(from, uv[i / 3][i % 3][0], uv[i / 3][i % 3][1], value);
    memcpy(out + i * (size_t)from->depth, value, (size_t)from->depth * sizeof *out);
  }
}

static tribo_status build_structure(builder *b, tribo_error *err) {
  paint *p = b->out;
  double(*grain)[3][2] = arena_alloc(b->memory, p->triangle_count, sizeof *grain);
  if (!grain) return no_memory(b, err);
  if (b->def->structure_map.pixels) {
    TRY(take_structure_map(b, err));
    sample_corners(&p->structure, p->uv, p->triangle_count, &grain[0][0][0]);
  }
  TRY(frame_triangles(b, grain, err));
  p->grain = (const double(*)[3][2])grain;
  return find_islands(b, err);
}

static tribo_status build_friction(builder *b, tribo_error *err) {
  paint *p = b->out;
  double(*grip)[3] = arena_alloc(b->memory, p->triangle_count, sizeof *grip);
  if (!grip) return no_memory(b, err);
  p->grip = (const double(*)[3])grip;
  if (b->def->friction_map.pixels) {
    TRY(take_friction_map(b, err));
    sample_corners(&p->friction, p->uv, p->triangle_count, &grip[0][0]);
    return TRIBO_OK;
  }
  for (size_t i = 0; i < 3 * p->triangle_count; i++) {
    grip[i / 3][i % 3] = b->def->vertex_friction[p->triangles[i]];
    note_range(p, grip[i / 3][i % 3], i == 0);
  }
  return TRIBO_OK;
}

static tribo_status list_corners(builder *b, tribo_error *err) {
  paint *p = b->out;
  size_t corners = 3 * p->triangle_count, vertices = b->def->vertex_count;
  int32_t *start = ARENA_ARRAY(b->memory, int32_t, vertices + 2);
  int32_t *corner = ARENA_ARRAY(b->memory, int32_t, corners);
  if (!start || !corner) return no_memory(b, err);
  for (size_t i = 0; i < corners; i++) start[p->triangles[i] + 2]++;
  for (size_t v = 0; v < vertices; v++) start[v + 2] += start[v + 1];
  for (size_t i = 0; i < corners; i++) corner[start[p->triangles[i] + 1]++] = (int32_t)i;
  p->start = start;
  p->corner = corner;
  return TRIBO_OK;
}

tribo_status paint_build(const tribo_object_def *def, const int32_t *triangles,
                         const int32_t *given, size_t triangle_count, arena *memory, paint *out,
                         tribo_error *err) {
  *out = (paint){.triangles = triangles,
                 .triangle_count = triangle_count,
                 .has_structure = def->structure_map.pixels || def->vertex_structure,
                 .has_friction = def->friction_map.pixels || def->vertex_friction};
  out->report.structure = out->has_structure;
  out->report.friction = out->has_friction;
  if (!paint_any(out)) return TRIBO_OK;
  builder b = {def, given, memory, out};
  if (def->structure_map.pixels || def->friction_map.pixels) TRY(take_uvs(&b, err));
  if (out->has_structure) TRY(build_structure(&b, err));
  if (out->has_friction) TRY(build_friction(&b, err));
  return list_corners(&b, err);
}
