/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of scene_check that concerns what is painted on an object. Messages name the key as the
 * scene file has it, which the fields of tribo_object_def share.
 */
#include <math.h>

#include "geom/uv_frame.h"
#include "io/image.h"
#include "kinds/kind.h"
#include "math/hypotenuse.h"
#include "model/paint.h"
#include "scene/params.h"
#include "scene/scene_check.h"

#define refuse mesh_check_refuse

/* No surface grips by more; a larger number is a slip of the hand. */
static const double MOST_FRICTION = 1e6;
static const double LEAST_STIFFNESS = 1e-4, MOST_STIFFNESS = 1e4;

/* ---- maps ------------------------------------------------------------------------------------ */

static tribo_status check_size(const tribo_object_def *def, const char *key,
                               const tribo_map_def *map, tribo_error *err) {
  if (map->width < 1 || map->height < 1)
    return refuse(err, def, "%s is empty: %d x %d pixels; give an image, or leave it out", key,
                  map->width, map->height);
  if ((size_t)map->width > IMAGE_MOST_PIXELS / (size_t)map->height)
    return refuse(err, def, "%s has %d x %d pixels, more than %zu; scale it down", key, map->width,
                  map->height, IMAGE_MOST_PIXELS);
  if (map->channels < 1 || map->channels > 4)
    return refuse(err, def, "%s has %d channels; give 1 (grey) to 4 (RGBA)", key, map->channels);
  return TRIBO_OK;
}

static tribo_status check_pixels(const tribo_object_def *def, const char *key,
                                 const tribo_map_def *map, tribo_error *err) {
  size_t channels = (size_t)map->channels, width = (size_t)map->width;
  for (size_t i = 0; i < width * (size_t)map->height * channels; i++)
    if (!isfinite(map->pixels[i]))
      return refuse(err, def,
                    "%s: channel %zu of the pixel in column %zu, row %zu from the top left is %g; "
                    "every value must be a finite number",
                    key, i % channels, i / channels % width, i / channels / width,
                    (double)map->pixels[i]);
  return TRIBO_OK;
}

static tribo_status check_has_uvs(const tribo_object_def *def, const char *key,
                                  const char *by_vertex, tribo_error *err) {
  if (def->uvs) return TRIBO_OK;
  if (kind_is_tets(def))
    return refuse(err, def,
                  "%s needs UVs, and a solid of tets has none; give it a surface with UVs and a "
                  "cage, or use %s",
                  key, by_vertex);
  return refuse(err, def,
                "%s needs UVs, and the mesh has none, or not at every corner; unwrap it and export "
                "it with its UVs, or use %s",
                key, by_vertex);
}

static tribo_status check_map(const tribo_object_def *def, const char *key,
                              const tribo_map_def *map, const char *by_vertex,
                              const double *vertices, tribo_error *err) {
  TRY(check_size(def, key, map, err));
  if (vertices) return refuse(err, def, "it has both %s and %s; keep one", key, by_vertex);
  TRY(check_has_uvs(def, key, by_vertex, err));
  return check_pixels(def, key, map, err);
}

/* Of triangles with an area in space. */
static tribo_status check_some_uv_area(const tribo_object_def *def, tribo_error *err) {
  for (size_t t = 0; t < def->triangle_count; t++) {
    vec3 x[3];
    uv_frame frame;
    for (int k = 0; k < 3; k++)
      x[k] = vec3_from(def->positions + 3 * (size_t)def->triangles[3 * t + (size_t)k]);
    if (uv_frame_of(x, def->uvs + 6 * t, &frame)) return TRIBO_OK;
  }
  return refuse(
      err, def,
      "structure_map needs UVs, and none of its %zu triangles has an area in them; unwrap "
      "the mesh",
      def->triangle_count);
}

static tribo_status check_structure_map(const tribo_object_def *def, tribo_error *err) {
  const tribo_map_def *map = &def->structure_map;
  if (!map->pixels) return TRIBO_OK;
  TRY(check_map(def, "structure_map", map, "vertex_structure", def->vertex_structure, err));
  if (map->channels < 3)
    return refuse(err, def,
                  "structure_map is grey; a direction is in red and green, save it as RGB");
  TRY(check_some_uv_area(def, err));
  size_t channels = (size_t)map->channels;
  for (size_t i = 0; i < (size_t)map->width * (size_t)map->height; i++) {
    const float *p = map->pixels + i * channels;
    if (hypotenuse(2 * (double)p[0] - 1, 2 * (double)p[1] - 1) >= PAINT_LEAST) return TRIBO_OK;
  }
  return refuse(err, def,
                "structure_map has no structure in any pixel (red and green are all near 1/2); "
                "paint directions, or leave it out");
}

static tribo_status check_friction_map(const tribo_object_def *def, tribo_error *err) {
  const tribo_map_def *map = &def->friction_map;
  int channel = def->maps.friction_channel;
  if (!map->pixels) return TRIBO_OK;
  TRY(check_map(def, "friction_map", map, "vertex_friction", def->vertex_friction, err));
  if (channel == TRIBO_CHANNEL_A && map->channels % 2 == 1)
    return refuse(
        err, def,
        "maps.friction_channel is a, but friction_map has no alpha; save it with alpha, or "
        "use luminance");
  for (size_t i = 0; i < (size_t)map->width * (size_t)map->height; i++) {
    double value = paint_channel(map, i, channel);
    if (value >= 0 && def->maps.friction_scale * value <= MOST_FRICTION) continue;
    size_t width = (size_t)map->width;
    return refuse(err, def,
                  "friction_map: the pixel in column %zu, row %zu from the top left is %g, times "
                  "maps.friction_scale %g; a multiplier is from 0 to %g",
                  i % width, i / width, value, def->maps.friction_scale, MOST_FRICTION);
  }
  return TRIBO_OK;
}

/* ---- vertices -------------------------------------------------------------------------------- */

/* A sheet may have none in places; what has an inside would fall together. */
static tribo_status check_stiffness(const tribo_object_def *def, tribo_error *err) {
  if (!def->vertex_stiffness) return TRIBO_OK;
  if (!kind_of(def)->about.deforms)
    return refuse(err, def, "vertex_stiffness is for cloth and solids; leave it out");
  double least = kind_of(def)->about.sheet ? 0 : LEAST_STIFFNESS;
  for (size_t v = 0; v < def->vertex_count; v++) {
    double value = def->vertex_stiffness[v];
    if (!(value >= least && value <= MOST_STIFFNESS))
      return refuse(err, def, "vertex_stiffness of vertex %zu is %g; a multiplier is from %g to %g",
                    v, value, least, MOST_STIFFNESS);
  }
  return TRIBO_OK;
}

static tribo_status check_vertices(const tribo_object_def *def, tribo_error *err) {
  for (size_t v = 0; def->vertex_structure && v < def->vertex_count; v++) {
    vec3 s = vec3_from(def->vertex_structure + 3 * v);
    if (!vec3_finite(s) || vec3_max_abs(s) > SCENE_FARTHEST)
      return refuse(err, def, "vertex_structure of vertex %zu is (%g, %g, %g); give finite numbers",
                    v, s.x, s.y, s.z);
  }
  TRY(check_stiffness(def, err));
  for (size_t v = 0; def->vertex_friction && v < def->vertex_count; v++) {
    double value = def->vertex_friction[v];
    if (!(value >= 0 && value <= MOST_FRICTION))
      return refuse(err, def, "vertex_friction of vertex %zu is %g; a multiplier is from 0 to %g",
                    v, value, MOST_FRICTION);
  }
  return TRIBO_OK;
}

tribo_status scene_check_maps(const tribo_object_def *def, tribo_error *err) {
  tribo_status status = params_check("maps", &def->maps, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "object '%s': ", def->name);
  TRY(check_structure_map(def, err));
  TRY(check_friction_map(def, err));
  return check_vertices(def, err);
}
