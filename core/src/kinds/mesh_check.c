/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds/mesh_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

static const double FLAT = MESH_CHECK_FLAT;

#define refuse mesh_check_refuse

tribo_status mesh_check_refuse(tribo_error *err, const tribo_object_def *def, const char *format,
                               ...) {
  char message[TRIBO_MESSAGE_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return status_fail(err, TRIBO_BAD_INPUT, "object '%s': %.760s", def->name, message);
}

/* Elements and the points that they index: vertices of the object, or nodes of its cage. */
typedef struct elements {
  const char *word; /* "triangle" */
  const int32_t *index;
  size_t count;
  int corners;
  const char *point_word, *owner; /* "vertex" of "object" */
  const double *points;
  size_t point_count;
} elements;

static elements triangles_of(const tribo_object_def *def) {
  return (elements){"triangle", def->triangles, def->triangle_count, 3,
                    "vertex",   "object",       def->positions,      def->vertex_count};
}

static elements tets_of(const tribo_object_def *def) {
  if (!def->cage)
    return (elements){"tet",    def->tets, def->tet_count, 4,
                      "vertex", "object",  def->positions, def->vertex_count};
  return (elements){"tet",  def->tets, def->tet_count, 4,
                    "node", "cage",    def->cage,      def->cage_count};
}

static const char *plural(const char *point_word) {
  return strcmp(point_word, "vertex") == 0 ? "vertices" : "nodes";
}

static vec3 point(elements e, int32_t number) { return vec3_from(e.points + 3 * (size_t)number); }

tribo_status mesh_check_points(const tribo_object_def *def, const double *points, size_t count,
                               const char *word, tribo_error *err) {
  for (size_t v = 0; v < count; v++) {
    vec3 p = vec3_from(points + 3 * v);
    if (!vec3_finite(p))
      return refuse(err, def, "%s %zu is (%g, %g, %g); every coordinate must be a finite number",
                    word, v, p.x, p.y, p.z);
    if (vec3_max_abs(p) > MESH_CHECK_FARTHEST)
      return refuse(err, def,
                    "%s %zu is (%g, %g, %g); keep every coordinate within %g m of the origin", word,
                    v, p.x, p.y, p.z, MESH_CHECK_FARTHEST);
  }
  return TRIBO_OK;
}

static tribo_status check_indices(const tribo_object_def *def, elements e, tribo_error *err) {
  for (size_t i = 0; i < e.count; i++) {
    const int32_t *corner = e.index + (size_t)e.corners * i;
    for (int a = 0; a < e.corners; a++) {
      if (corner[a] < 0 || (size_t)corner[a] >= e.point_count)
        return refuse(err, def, "%s %zu uses %s %d, but the %s has %zu %s", e.word, i, e.point_word,
                      corner[a], e.owner, e.point_count, plural(e.point_word));
      for (int b = 0; b < a; b++)
        if (corner[a] == corner[b])
          return refuse(err, def, "%s %zu uses %s %d twice; remove it", e.word, i, e.point_word,
                        corner[a]);
    }
  }
  return TRIBO_OK;
}

/* A node without mass would make the system singular. */
static tribo_status check_all_used(const tribo_object_def *def, elements e, tribo_error *err) {
  bool *used = calloc(e.point_count, sizeof *used);
  if (!used) return status_no_memory(err, "the check of an object");
  for (size_t i = 0; i < e.count * (size_t)e.corners; i++) used[e.index[i]] = true;
  size_t v = 0;
  while (v < e.point_count && used[v]) v++;
  free(used);
  if (v == e.point_count) return TRIBO_OK;
  return refuse(err, def, "%s %zu belongs to no %s; remove it or connect it", e.point_word, v,
                e.word);
}

static double longest_edge(const vec3 *p, int corners) {
  double longest = 0;
  for (int a = 0; a < corners; a++)
    for (int b = 0; b < a; b++) longest = fmax(longest, vec3_norm(vec3_sub(p[a], p[b])));
  return longest;
}

static tribo_status check_tets(const tribo_object_def *def, tribo_error *err) {
  elements e = tets_of(def);
  const char *points = plural(e.point_word);
  for (size_t i = 0; i < e.count; i++) {
    const int32_t *t = e.index + 4 * i;
    vec3 p[4];
    for (int a = 0; a < 4; a++) p[a] = point(e, t[a]);
    double volume =
        vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0])) / 6;
    double edge = longest_edge(p, 4), least = FLAT * edge * edge * edge;
    if (volume > least) continue;
    if (volume < -least)
      return refuse(err, def,
                    "tet %zu (%s %d, %d, %d, %d) is inverted, volume %g m^3; swap two of its %s", i,
                    points, t[0], t[1], t[2], t[3], volume, points);
    return refuse(err, def,
                  "tet %zu (%s %d, %d, %d, %d) is flat, volume %g m^3 at a longest edge of %g m; "
                  "remove it or move a %s",
                  i, points, t[0], t[1], t[2], t[3], volume, edge, e.point_word);
  }
  return TRIBO_OK;
}

static bool has_area(elements e, size_t triangle, double *area, double *edge) {
  const int32_t *t = e.index + 3 * triangle;
  vec3 p[3];
  for (int a = 0; a < 3; a++) p[a] = point(e, t[a]);
  *area = vec3_norm(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]))) / 2;
  *edge = longest_edge(p, 3);
  return *area > FLAT * *edge * *edge;
}

/* A triangle of a cloth has a mass and a strain, so each needs an area. */
static tribo_status check_triangles(const tribo_object_def *def, tribo_error *err) {
  elements e = triangles_of(def);
  for (size_t i = 0; i < e.count; i++) {
    const int32_t *t = e.index + 3 * i;
    double area, edge;
    if (has_area(e, i, &area, &edge)) continue;
    return refuse(err, def,
                  "triangle %zu (vertices %d, %d, %d) has no area (%g m^2 at a longest edge of %g "
                  "m); remove it or move a vertex",
                  i, t[0], t[1], t[2], area, edge);
  }
  return TRIBO_OK;
}

/* Elsewhere one without area has no normal and is passed over; not all may be such. */
static tribo_status check_some_area(const tribo_object_def *def, tribo_error *err) {
  elements e = triangles_of(def);
  double area, edge;
  for (size_t i = 0; i < e.count; i++)
    if (has_area(e, i, &area, &edge)) return TRIBO_OK;
  return refuse(err, def,
                "none of its %zu triangles has an area; nothing could touch it, give it a surface",
                e.count);
}

static tribo_status check_uvs(const tribo_object_def *def, tribo_error *err) {
  for (size_t i = 0; def->uvs && i < 3 * def->triangle_count; i++) {
    const double *uv = def->uvs + 2 * i;
    if (!isfinite(uv[0]) || !isfinite(uv[1]) ||
        fmax(fabs(uv[0]), fabs(uv[1])) > MESH_CHECK_FARTHEST)
      return refuse(err, def,
                    "uv of corner %zu of triangle %zu is (%g, %g); give numbers within %g", i % 3,
                    i / 3, uv[0], uv[1], MESH_CHECK_FARTHEST);
  }
  return TRIBO_OK;
}

tribo_status mesh_check_surface(const tribo_object_def *def, tribo_error *err) {
  TRY(check_indices(def, triangles_of(def), err));
  TRY(check_uvs(def, err));
  return check_some_area(def, err);
}

tribo_status mesh_check_sheet(const tribo_object_def *def, tribo_error *err) {
  elements e = triangles_of(def);
  TRY(check_indices(def, e, err));
  TRY(check_uvs(def, err));
  TRY(check_all_used(def, e, err));
  return check_triangles(def, err);
}

tribo_status mesh_check_volume(const tribo_object_def *def, tribo_error *err) {
  elements e = tets_of(def);
  TRY(mesh_check_points(def, def->cage, def->cage_count, "cage node", err));
  TRY(check_indices(def, e, err));
  TRY(check_all_used(def, e, err));
  TRY(check_tets(def, err));
  return def->triangle_count > 0 ? mesh_check_surface(def, err) : TRIBO_OK;
}
