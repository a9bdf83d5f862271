/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comb_map.h"

#include <stdlib.h>
#include <string.h>

#include "geom/uv_frame.h"
#include "math/hypotenuse.h"

/* How often a picture may lie on the surface before the UVs count as a mistake. */
enum { MOST_LAYERS = 64 };

/* ---- patches --------------------------------------------------------------------------------- */

static vec3 in_texels(const comb_map *map, const double *uv) {
  return vec3_make(uv[0] * map->width, uv[1] * map->height, 0);
}

/* Inside a triangle the three sides measure positive whichever way it is wound. */
static void measure_sides(comb_patch *p) {
  for (int k = 0; k < 3; k++) {
    vec3 from = p->texel[(k + 1) % 3], to = p->texel[(k + 2) % 3];
    double nx = from.y - to.y, ny = to.x - from.x, length = hypotenuse(nx, ny);
    double inside = nx * (p->texel[k].x - from.x) + ny * (p->texel[k].y - from.y);
    if (inside < 0) length = -length;
    p->side[k][0] = nx / length;
    p->side[k][1] = ny / length;
    p->side[k][2] = -(p->side[k][0] * from.x + p->side[k][1] * from.y);
  }
}

bool comb_map_patch(const comb_map *map, size_t triangle, comb_patch *p) {
  const double *uv = map->mesh.uvs + 6 * triangle;
  for (size_t k = 0; k < 3; k++) {
    p->corner[k] = map->mesh.positions[map->mesh.triangles[3 * triangle + k]];
    p->texel[k] = in_texels(map, uv + 2 * k);
  }
  uv_frame frame;
  if (!uv_frame_of(p->corner, uv, &frame)) return false;
  p->t = frame.t;
  p->b = frame.b;
  vec3 e1 = vec3_sub(p->corner[1], p->corner[0]), e2 = vec3_sub(p->corner[2], p->corner[0]);
  p->normal = vec3_normalized(vec3_cross(e1, e2));
  double x1 = p->texel[1].x - p->texel[0].x, y1 = p->texel[1].y - p->texel[0].y;
  double x2 = p->texel[2].x - p->texel[0].x, y2 = p->texel[2].y - p->texel[0].y;
  double area = x1 * y2 - y1 * x2;
  p->dx = vec3_scale(1 / area, vec3_sub(vec3_scale(y2, e1), vec3_scale(y1, e2)));
  p->dy = vec3_scale(1 / area, vec3_sub(vec3_scale(x1, e2), vec3_scale(x2, e1)));
  p->origin = vec3_madd(vec3_madd(p->corner[0], -p->texel[0].x, p->dx), -p->texel[0].y, p->dy);
  /* grow_x . dx = 1, grow_x . dy = 0, in the plane */
  vec3 across = vec3_cross(p->dx, p->dy);
  double n2 = vec3_norm2(across);
  p->grow_x = vec3_scale(1 / n2, vec3_cross(p->dy, across));
  p->grow_y = vec3_scale(1 / n2, vec3_cross(across, p->dx));
  measure_sides(p);
  return true;
}

comb_box comb_map_box(const comb_patch *p) {
  comb_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  for (int k = 0; k < 3; k++) {
    box.low[0] = fmin(box.low[0], p->texel[k].x - COMB_MARGIN);
    box.low[1] = fmin(box.low[1], p->texel[k].y - COMB_MARGIN);
    box.high[0] = fmax(box.high[0], p->texel[k].x + COMB_MARGIN);
    box.high[1] = fmax(box.high[1], p->texel[k].y + COMB_MARGIN);
  }
  return box;
}

/* ---- texels ---------------------------------------------------------------------------------- */

static int32_t wrapped(int32_t at, int32_t count) { return ((at % count) + count) % count; }

/* False beyond the picture. */
static bool find_index(const comb_map *map, int32_t x, int32_t y, size_t *index) {
  if (map->repeat) {
    x = wrapped(x, map->width);
    y = wrapped(y, map->height);
  } else if (x < 0 || y < 0 || x >= map->width || y >= map->height) {
    return false;
  }
  *index = (size_t)y * (size_t)map->width + (size_t)x;
  return true;
}

double comb_map_depth(const comb_patch *p, double x, double y) {
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    double inside = p->side[k][0] * x + p->side[k][1] * y + p->side[k][2];
    if (inside < least) least = inside;
  }
  return least;
}

static vec3 point_at(const comb_patch *p, double x, double y) {
  return vec3_madd(vec3_madd(p->origin, x, p->dx), y, p->dy);
}

bool comb_map_texel(const comb_map *map, size_t triangle, const comb_patch *p, int32_t x, int32_t y,
                    comb_texel *out) {
  if (!find_index(map, x, y, &out->index)) return false;
  bool own = map->owner[out->index] == (int32_t)triangle;
  if (!own && !map->stacked) return false;
  double cx = x + 0.5, cy = y + 0.5;
  bool inside = comb_map_depth(p, cx, cy) >= 0;
  if (inside) {
    out->point = point_at(p, cx, cy);
    return true;
  }
  if (!own) return false;
  distance_foot foot = distance_point_triangle(vec3_make(cx, cy, 0), p->texel);
  /* Where it repeats, the triangle may own this texel of the picture, but through another tile. */
  if (foot.distance2 > COMB_MARGIN * COMB_MARGIN) return false;
  out->point = point_at(p, foot.foot.x, foot.foot.y);
  return true;
}

/* ---- who owns what --------------------------------------------------------------------------- */

/* How much of the picture the box around the triangle covers, without its margin. */
static double layers_of(const comb_map *map, const comb_patch *p) {
  comb_box box = comb_map_box(p);
  return (box.high[0] - box.low[0] - 2 * COMB_MARGIN) / map->width *
         (box.high[1] - box.low[1] - 2 * COMB_MARGIN) / map->height;
}

/* Those inside the triangle, or, once all triangles have theirs, those of its margin. */
static void claim_texels(comb_map *map, size_t triangle, const comb_patch *p, bool margin,
                         float *nearest) {
  comb_box box = comb_map_box(p);
  double shrink = margin ? 0 : COMB_MARGIN;
  int32_t left = comb_first(box.low[0] + shrink), right = comb_last(box.high[0] - shrink);
  int32_t low = comb_first(box.low[1] + shrink), top = comb_last(box.high[1] - shrink);
  for (int32_t y = low; y <= top; y++)
    for (int32_t x = left; x <= right; x++) {
      size_t index;
      if (!find_index(map, x, y, &index) || (margin && nearest[index] == 0)) continue;
      double inside = comb_map_depth(p, x + 0.5, y + 0.5), away2 = 0;
      if (inside < (margin ? -COMB_MARGIN : 0)) continue;
      if (margin)
        away2 = distance_point_triangle(vec3_make(x + 0.5, y + 0.5, 0), p->texel).distance2;
      if (inside > 1e-6 && nearest[index] == 0) map->stacked = true;
      if (away2 > COMB_MARGIN * COMB_MARGIN || !((float)away2 < nearest[index])) continue;
      nearest[index] = (float)away2;
      map->owner[index] = (int32_t)triangle;
    }
}

static tribo_status find_owners(comb_map *map, arena *memory, tribo_error *err) {
  size_t count = (size_t)map->width * (size_t)map->height;
  map->owner = ARENA_ARRAY(memory, int32_t, count);
  float *nearest = malloc(count * sizeof *nearest);
  if (!map->owner || !nearest) {
    free(nearest);
    return status_no_memory(err, "the texels of the map");
  }
  for (size_t i = 0; i < count; i++) {
    map->owner[i] = -1;
    nearest[i] = INFINITY;
  }
  double layers = 0;
  for (size_t t = 0; t < map->mesh.triangle_count; t++) {
    comb_patch patch;
    if (!comb_map_patch(map, t, &patch)) {
      map->unmapped++;
      continue;
    }
    layers += layers_of(map, &patch);
    if (layers > MOST_LAYERS) {
      free(nearest);
      return status_fail(err, TRIBO_BAD_INPUT,
                         "triangle %zu: up to here the UVs lay the picture on the mesh %g times, "
                         "which is too often to paint on; unwrap the mesh anew",
                         t, layers);
    }
    claim_texels(map, t, &patch, false, nearest);
  }
  for (size_t t = 0; t < map->mesh.triangle_count; t++) {
    comb_patch patch;
    if (comb_map_patch(map, t, &patch)) claim_texels(map, t, &patch, true, nearest);
  }
  free(nearest);
  return TRIBO_OK;
}

/* ---- build ----------------------------------------------------------------------------------- */

static tribo_status check(const comb_mesh *mesh, int32_t width, int32_t height, tribo_error *err) {
  if (width < 1 || height < 1 || width > COMB_MOST_PIXELS || height > COMB_MOST_PIXELS)
    return status_fail(err, TRIBO_BAD_INPUT, "a map of %d x %d pixels: each side must be 1 to %d",
                       width, height, COMB_MOST_PIXELS);
  for (size_t i = 0; i < 6 * mesh->triangle_count; i++)
    if (!isfinite(mesh->uvs[i]) || fabs(mesh->uvs[i]) > 1e4)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "triangle %zu, corner %zu: its UV is %g; unwrap the mesh anew", i / 6,
                         i % 6 / 2, mesh->uvs[i]);
  return TRIBO_OK;
}

static bool repeats(const comb_mesh *mesh, comb_wrap wrap) {
  if (wrap != COMB_WRAP_AUTO) return wrap == COMB_WRAP_REPEAT;
  for (size_t i = 0; i < 6 * mesh->triangle_count; i++)
    if (mesh->uvs[i] < 0 || mesh->uvs[i] > 1) return true;
  return false;
}

static void *copy(const void *from, size_t bytes, arena *memory) {
  void *to = arena_alloc(memory, bytes, 1);
  if (to && bytes) memcpy(to, from, bytes);
  return to;
}

tribo_status comb_map_build(const comb_mesh *mesh, int32_t width, int32_t height, comb_wrap wrap,
                            arena *memory, comb_map *out, tribo_error *err) {
  TRY(check(mesh, width, height, err));
  *out = (comb_map){.width = width, .height = height, .repeat = repeats(mesh, wrap)};
  tasks one = tasks_create(1);
  TRY(mesh_distance_build(&one, mesh->positions, mesh->vertex_count, mesh->triangles,
                          mesh->triangle_count, memory, &out->surface, err));
  out->mesh = *mesh;
  out->mesh.positions = copy(mesh->positions, mesh->vertex_count * sizeof(vec3), memory);
  out->mesh.triangles = copy(mesh->triangles, 3 * mesh->triangle_count * sizeof(int32_t), memory);
  out->mesh.uvs = copy(mesh->uvs, 6 * mesh->triangle_count * sizeof(double), memory);
  if (!out->mesh.positions || !out->mesh.triangles || !out->mesh.uvs)
    return status_no_memory(err, "the mesh");
  return find_owners(out, memory, err);
}
