/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "model/warp.h"
#include "scene/params.h"

/* An element is flat when its area or volume is below this share of its longest edge squared or
 * cubed: there its shape is lost to rounding, whatever the scale of the mesh. */
static const double FLAT = 1e-10;

static const double FARTHEST = SCENE_FARTHEST;

#define refuse scene_check_refuse

tribo_status scene_check_refuse(tribo_error *err, const tribo_object_def *def, const char *format,
                                ...) {
  char message[TRIBO_MESSAGE_SIZE];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return status_fail(err, TRIBO_BAD_INPUT, "object '%s': %.760s", def->name, message);
}

/* ---- geometry -------------------------------------------------------------------------------- */

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

/* A solid has triangles only with a cage, which carries them along. */
static tribo_status check_parts(const tribo_object_def *def, tribo_error *err) {
  const char *a_kind = scene_check_kind(def->kind);
  bool solid = def->kind == TRIBO_SOLID;
  if (!a_kind)
    return refuse(err, def,
                  "kind %d is unknown; give TRIBO_CLOTH, TRIBO_SOLID, TRIBO_RIGID or "
                  "TRIBO_COLLIDER",
                  (int)def->kind);
  if (!solid && def->tet_count)
    return refuse(err, def, "%s has no tets; give triangles only, or make it a solid", a_kind);
  if (!solid && (def->cage || def->cage_count))
    return refuse(err, def, "%s has no cage; leave it out, or make it a solid", a_kind);
  if (!def->cage != !def->cage_count)
    return refuse(err, def, "cage_count is %zu, but the cage %s; give both or neither",
                  def->cage_count, def->cage ? "is given" : "is NULL");
  if (solid && !def->cage && def->triangle_count)
    return refuse(err, def,
                  "a solid takes tets only, its surface is found from them; leave the triangles "
                  "out, or give the tets nodes of their own as a cage");
  if (solid && !def->cage && def->uvs)
    return refuse(err, def, "a solid has no uvs; leave them out");
  if (def->vertex_count == 0 || !def->positions)
    return refuse(err, def, "it has no vertices; give positions, 3 numbers a vertex");
  if (solid && (def->tet_count == 0 || !def->tets))
    return refuse(err, def, "it has no tets; a solid is made of them");
  if ((!solid || def->cage) && (def->triangle_count == 0 || !def->triangles))
    return refuse(err, def, "it has no triangles; %s is made of them",
                  solid ? "the surface in a cage" : a_kind);
  return TRIBO_OK;
}

/* All sums of the scene fit. Called before anything is read. */
static tribo_status check_sums(const tribo_scene *scene, const tribo_object_def *def,
                               tribo_error *err) {
  size_t points = 0, in_use = 0;
  for (size_t i = 0; i < scene->objects.count; i++) {
    const tribo_object_def *o = &scene->objects.data[i];
    points += o->vertex_count + o->cage_count;
    in_use += o->triangle_count + o->tet_count;
  }
  if (def->vertex_count > SCENE_MOST - points)
    return refuse(err, def, "%zu vertices are too many; a scene takes %zu, and %zu are in use",
                  def->vertex_count, SCENE_MOST, points);
  if (def->cage_count > SCENE_MOST - points - def->vertex_count)
    return refuse(err, def,
                  "%zu nodes of a cage are too many; a scene takes %zu vertices and nodes, and %zu "
                  "are in use",
                  def->cage_count, SCENE_MOST, points + def->vertex_count);
  if (def->triangle_count > SCENE_MOST - in_use)
    return refuse(err, def,
                  "%zu triangles are too many; a scene takes %zu elements, and %zu are in use",
                  def->triangle_count, SCENE_MOST, in_use);
  if (def->tet_count > SCENE_MOST - in_use - def->triangle_count)
    return refuse(err, def, "%zu tets are too many; a scene takes %zu elements, and %zu are in use",
                  def->tet_count, SCENE_MOST, in_use + def->triangle_count);
  return TRIBO_OK;
}

static tribo_status check_points(const tribo_object_def *def, const double *points, size_t count,
                                 const char *word, tribo_error *err) {
  for (size_t v = 0; v < count; v++) {
    vec3 p = vec3_from(points + 3 * v);
    if (!vec3_finite(p))
      return refuse(err, def, "%s %zu is (%g, %g, %g); every coordinate must be a finite number",
                    word, v, p.x, p.y, p.z);
    if (vec3_max_abs(p) > FARTHEST)
      return refuse(err, def,
                    "%s %zu is (%g, %g, %g); keep every coordinate within %g m of the origin", word,
                    v, p.x, p.y, p.z, FARTHEST);
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

/* ---- the warp -------------------------------------------------------------------------------- */

static tribo_status check_uvs(const tribo_object_def *def, tribo_error *err) {
  for (size_t i = 0; def->uvs && i < 3 * def->triangle_count; i++) {
    const double *uv = def->uvs + 2 * i;
    if (!isfinite(uv[0]) || !isfinite(uv[1]) || fmax(fabs(uv[0]), fabs(uv[1])) > FARTHEST)
      return refuse(err, def,
                    "uv of corner %zu of triangle %zu is (%g, %g); give numbers within %g", i % 3,
                    i / 3, uv[0], uv[1], FARTHEST);
  }
  return TRIBO_OK;
}

static tribo_status check_warp_from_uv(const tribo_object_def *def, tribo_error *err) {
  if (!def->uvs)
    return refuse(err, def,
                  "elastic.warp_from is uv, but the mesh has no uvs; unwrap it, or use axis");
  for (size_t i = 0; i < def->triangle_count; i++) {
    const double *uv = def->uvs + 6 * i;
    double u1 = uv[2] - uv[0], v1 = uv[3] - uv[1], u2 = uv[4] - uv[0], v2 = uv[5] - uv[1];
    double edge2 = fmax(u1 * u1 + v1 * v1, u2 * u2 + v2 * v2);
    if (fabs(u1 * v2 - u2 * v1) > FLAT * edge2) continue;
    return refuse(err, def,
                  "elastic.warp_from is uv, but triangle %zu has no area in the uvs; unwrap it "
                  "again, or use axis",
                  i);
  }
  return TRIBO_OK;
}

static tribo_status check_warp_from_axis(const tribo_object_def *def, tribo_error *err) {
  const double *given = def->cloth.warp_axis;
  double largest = vec3_max_abs(vec3_from(given));
  if (largest == 0)
    return refuse(err, def, "elastic.warp_axis is (0, 0, 0); give a direction in the rest shape");
  vec3 axis = vec3_normalized(vec3_scale(1 / largest, warp_axis_of(def)));
  for (size_t i = 0; i < def->triangle_count; i++) {
    const int32_t *t = def->triangles + 3 * i;
    vec3 p = vec3_from(def->positions + 3 * (size_t)t[0]);
    vec3 q = vec3_from(def->positions + 3 * (size_t)t[1]);
    vec3 r = vec3_from(def->positions + 3 * (size_t)t[2]);
    vec3 normal = vec3_normalized(vec3_cross(vec3_sub(q, p), vec3_sub(r, p)));
    vec3 along = vec3_madd(axis, -vec3_dot(axis, normal), normal);
    if (vec3_norm(along) > 1e-6) continue;
    return refuse(err, def,
                  "elastic.warp_axis (%g, %g, %g) is perpendicular to triangle %zu (vertices %d, "
                  "%d, %d) and leaves no direction there; tilt it, or use warp_from uv",
                  given[0], given[1], given[2], i, t[0], t[1], t[2]);
  }
  return TRIBO_OK;
}

/* ---- pins ------------------------------------------------------------------------------------ */

static tribo_status check_targets(const tribo_object_def *def, size_t number, tribo_error *err) {
  const tribo_pin_def *pin = &def->pins[number];
  if (!pin->targets && pin->target_count == 0) return TRIBO_OK;
  if (!pin->targets || pin->target_count == 0)
    return refuse(err, def, "pin %zu: targets %s, but target_count is %zu; give both or neither",
                  number, pin->targets ? "are given" : "are missing", pin->target_count);
  if (pin->target_count > SIZE_MAX / 64 / pin->vertex_count)
    return refuse(err, def, "pin %zu: %zu targets are too many", number, pin->target_count);
  if (!isfinite(pin->target_start))
    return refuse(err, def, "pin %zu: target_start is %g; give a frame", number, pin->target_start);
  if (!(pin->target_interval > 0) || !isfinite(pin->target_interval))
    return refuse(err, def, "pin %zu: target_interval is %g; give a number of frames above 0",
                  number, pin->target_interval);
  for (size_t i = 0; i < pin->target_count * pin->vertex_count; i++) {
    vec3 p = vec3_from(pin->targets + 3 * i);
    size_t sample = i / pin->vertex_count;
    int32_t vertex = pin->vertices[i % pin->vertex_count];
    if (!vec3_finite(p))
      return refuse(err, def,
                    "pin %zu: target of vertex %d in sample %zu is (%g, %g, %g); every coordinate "
                    "must be a finite number",
                    number, vertex, sample, p.x, p.y, p.z);
    if (vec3_max_abs(p) > FARTHEST)
      return refuse(err, def,
                    "pin %zu: target of vertex %d in sample %zu is (%g, %g, %g); keep every "
                    "coordinate within %g m of the origin",
                    number, vertex, sample, p.x, p.y, p.z, FARTHEST);
  }
  return TRIBO_OK;
}

/* pin_of: for every vertex, 1 + the number of the pin that holds it, or 0. */
static tribo_status check_pin(const tribo_object_def *def, size_t number, uint32_t *pin_of,
                              tribo_error *err) {
  const tribo_pin_def *pin = &def->pins[number];
  if (pin->vertex_count == 0 || !pin->vertices)
    return refuse(err, def, "pin %zu has no vertices; give some or remove it", number);
  for (size_t i = 0; i < pin->vertex_count; i++) {
    int32_t v = pin->vertices[i];
    if (v < 0 || (size_t)v >= def->vertex_count)
      return refuse(err, def, "pin %zu holds vertex %d, but the object has %zu vertices", number, v,
                    def->vertex_count);
    if (pin_of[v] == number + 1)
      return refuse(err, def, "pin %zu names vertex %d twice; name it once", number, v);
    if (pin_of[v])
      return refuse(err, def, "vertex %d is held by pin %u and by pin %zu; keep it in one", v,
                    (unsigned)(pin_of[v] - 1), number);
    pin_of[v] = (uint32_t)number + 1;
  }
  tribo_status status = params_check("pin", &pin->params, err);
  if (status != TRIBO_OK)
    return status_prefix(err, status, "object '%s': pin %zu: ", def->name, number);
  return check_targets(def, number, err);
}

static tribo_status check_pins(const tribo_object_def *def, tribo_error *err) {
  if (def->pin_count == 0) return TRIBO_OK;
  if (def->kind == TRIBO_RIGID)
    return refuse(err, def,
                  "a rigid body cannot be pinned; make it a collider with an animation, or leave "
                  "its %zu pins out",
                  def->pin_count);
  if (def->kind == TRIBO_COLLIDER)
    return refuse(err, def, "a collider stays where its motion puts it; leave its %zu pins out",
                  def->pin_count);
  if (!def->pins) return refuse(err, def, "pin_count is %zu, but pins is NULL", def->pin_count);
  if (def->pin_count > def->vertex_count)
    return refuse(err, def, "%zu pins for %zu vertices; each needs a vertex of its own",
                  def->pin_count, def->vertex_count);
  uint32_t *pin_of = calloc(def->vertex_count, sizeof *pin_of);
  if (!pin_of) return status_no_memory(err, "the check of an object");
  tribo_status status = TRIBO_OK;
  for (size_t i = 0; i < def->pin_count && status == TRIBO_OK; i++)
    status = check_pin(def, i, pin_of, err);
  free(pin_of);
  return status;
}

/* ---------------------------------------------------------------------------------------------- */

static tribo_status check_params(const tribo_object_def *def, tribo_error *err) {
  tribo_status status = params_check("object", &def->object, err);
  if (status == TRIBO_OK) status = params_check("surface", &def->surface, err);
  if (status == TRIBO_OK) switch (def->kind) {
      case TRIBO_CLOTH: status = params_check("cloth", &def->cloth, err); break;
      case TRIBO_SOLID: status = params_check("solid", &def->solid, err); break;
      case TRIBO_RIGID: status = params_check("rigid", &def->rigid, err); break;
      case TRIBO_COLLIDER: break;
    }
  return status_prefix(err, status, "object '%s': ", def->name);
}

static tribo_status check_volume(const tribo_object_def *def, tribo_error *err) {
  elements e = tets_of(def);
  TRY(check_points(def, def->cage, def->cage_count, "cage node", err));
  TRY(check_indices(def, e, err));
  TRY(check_all_used(def, e, err));
  return check_tets(def, err);
}

static tribo_status check_surface(const tribo_object_def *def, tribo_error *err) {
  elements e = triangles_of(def);
  TRY(check_indices(def, e, err));
  TRY(check_uvs(def, err));
  if (def->kind != TRIBO_CLOTH) return check_some_area(def, err);
  TRY(check_all_used(def, e, err));
  TRY(check_triangles(def, err));
  return def->cloth.warp_from == TRIBO_WARP_FROM_UV ? check_warp_from_uv(def, err)
                                                    : check_warp_from_axis(def, err);
}

tribo_status scene_check_object(const tribo_scene *scene, const tribo_object_def *def,
                                tribo_error *err) {
  TRY(scene_check_name(scene, def->name, err));
  TRY(check_parts(def, err));
  TRY(check_sums(scene, def, err));
  TRY(check_params(def, err));
  TRY(check_points(def, def->positions, def->vertex_count, "vertex", err));
  if (def->kind == TRIBO_SOLID) TRY(check_volume(def, err));
  if (def->triangle_count > 0) TRY(check_surface(def, err));
  TRY(check_pins(def, err));
  TRY(scene_check_maps(def, err));
  return scene_check_contact(def, err);
}
