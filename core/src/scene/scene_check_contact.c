/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of scene_check that concerns contact: how colliders move and when they are there, what
 * shape contact may take, names of materials and pairs.
 */
#include <math.h>
#include <string.h>

#include "friction/law.h"
#include "kinds/kind.h"
#include "math/quat.h"
#include "scene/params.h"
#include "scene/scene_check.h"

#define refuse mesh_check_refuse

enum { LONGEST_WORD = 200 };

static const tribo_kind_info *about(const tribo_object_def *def) { return &kind_of(def)->about; }

/* ---- motion ---------------------------------------------------------------------------------- */

static tribo_status check_transform(const tribo_object_def *def, size_t sample, tribo_error *err) {
  const double *m = def->motion.transforms + 16 * sample;
  for (int i = 0; i < 16; i++)
    if (!isfinite(m[i]) || fabs(m[i]) > SCENE_FARTHEST)
      return refuse(err, def,
                    "transform %zu of its motion: number %d is %g; give a finite number within %g",
                    sample, i, m[i], SCENE_FARTHEST);
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
    return refuse(err, def,
                  "transform %zu of its motion ends in the row (%g, %g, %g, %g); give 16 numbers "
                  "row by row, the last row 0, 0, 0, 1",
                  sample, m[12], m[13], m[14], m[15]);
  rigid_map map;
  if (rigid_map_from_matrix(m, &map)) return TRIBO_OK;
  vec3 x = vec3_make(m[0], m[4], m[8]), y = vec3_make(m[1], m[5], m[9]),
       z = vec3_make(m[2], m[6], m[10]);
  double a = vec3_norm(x), b = vec3_norm(y), c = vec3_norm(z);
  double most = fmax(a, fmax(b, c)), least = fmin(a, fmin(b, c));
  if (!(least > 0))
    return refuse(err, def,
                  "transform %zu of its motion squashes the mesh flat; scale by more than 0",
                  sample);
  if (vec3_dot(vec3_cross(x, y), z) < 0)
    return refuse(err, def, "transform %zu of its motion mirrors the mesh; mirror the mesh itself",
                  sample);
  double slant = fmax(fabs(vec3_dot(x, y)), fmax(fabs(vec3_dot(y, z)), fabs(vec3_dot(z, x))));
  if ((most - least) * most > slant) /* the larger fault is the one to tell of */
    return refuse(
        err, def,
        "transform %zu of its motion scales x by %g, y by %g and z by %g; scale all alike, "
        "or give the moving vertices as points",
        sample, a, b, c);
  return refuse(err, def,
                "transform %zu of its motion shears the mesh; give the moving vertices as points",
                sample);
}

static tribo_status check_points(const tribo_object_def *def, tribo_error *err) {
  size_t count = def->motion.sample_count * def->vertex_count;
  for (size_t i = 0; i < count; i++) {
    vec3 p = vec3_from(def->motion.points + 3 * i);
    size_t sample = i / def->vertex_count, vertex = i % def->vertex_count;
    if (!vec3_finite(p))
      return refuse(err, def,
                    "vertex %zu in sample %zu of its motion is (%g, %g, %g); every coordinate must "
                    "be a finite number",
                    vertex, sample, p.x, p.y, p.z);
    if (vec3_max_abs(p) > SCENE_FARTHEST)
      return refuse(err, def,
                    "vertex %zu in sample %zu of its motion is (%g, %g, %g); keep every coordinate "
                    "within %g m of the origin",
                    vertex, sample, p.x, p.y, p.z, SCENE_FARTHEST);
  }
  return TRIBO_OK;
}

static tribo_status check_motion(const tribo_object_def *def, tribo_error *err) {
  const tribo_motion_def *motion = &def->motion;
  bool given = motion->transforms || motion->points;
  if (!given && motion->sample_count == 0) return TRIBO_OK;
  if (about(def)->simulated)
    return refuse(err, def,
                  "a motion belongs to a collider, and %s is simulated; leave it out, or make it a "
                  "collider",
                  about(def)->article);
  if (!given || motion->sample_count == 0)
    return refuse(err, def,
                  "its motion has %zu samples, but transforms and points are %s; give both or "
                  "neither",
                  motion->sample_count, given ? "given" : "NULL");
  if (motion->transforms && motion->points)
    return refuse(err, def, "its motion has both transforms and points; keep one");
  if (motion->sample_count > SIZE_MAX / 256 / def->vertex_count)
    return refuse(err, def, "%zu samples of motion are too many", motion->sample_count);
  if (!isfinite(motion->start))
    return refuse(err, def, "its motion starts at frame %g; give a finite number", motion->start);
  if (!(motion->interval > 0) || !isfinite(motion->interval))
    return refuse(err, def, "the samples of its motion are %g frames apart; give a number above 0",
                  motion->interval);
  if (motion->points) return check_points(def, err);
  for (size_t s = 0; s < motion->sample_count; s++) TRY(check_transform(def, s, err));
  return TRIBO_OK;
}

static tribo_status check_range(const tribo_object_def *def, size_t i, tribo_error *err) {
  const double *range = def->presence.ranges + 2 * i;
  bool last = i + 1 == def->presence.range_count;
  if (!isfinite(range[0]))
    return refuse(err, def, "present, range %zu: it begins at frame %g; give a finite number", i,
                  range[0]);
  if (!isfinite(range[1]) && !(last && range[1] > 0))
    return refuse(err, def,
                  "present, range %zu: it ends at frame %g; give a finite number, or of the last "
                  "range none",
                  i, range[1]);
  if (!(range[1] > range[0]))
    return refuse(err, def,
                  "present, range %zu: it ends at frame %g, but begins at %g; let it end later", i,
                  range[1], range[0]);
  if (i > 0 && !(range[0] > range[-1]))
    return refuse(
        err, def,
        "present, range %zu: it begins at frame %g, but range %zu ends at %g; give ranges "
        "in order, and join those that meet",
        i, range[0], i - 1, range[-1]);
  return TRIBO_OK;
}

static tribo_status check_presence(const tribo_object_def *def, tribo_error *err) {
  const tribo_presence_def *presence = &def->presence;
  if (!presence->limited) return TRIBO_OK;
  if (about(def)->simulated)
    return refuse(
        err, def,
        "present belongs to a collider, and %s is always there; leave it out, or make it a "
        "collider",
        about(def)->article);
  if (presence->range_count > 0 && !presence->ranges)
    return refuse(err, def, "it has %zu ranges of presence, but ranges is NULL; give them",
                  presence->range_count);
  if (presence->range_count > SIZE_MAX / 256)
    return refuse(err, def, "%zu ranges of presence are too many", presence->range_count);
  for (size_t i = 0; i < presence->range_count; i++) TRY(check_range(def, i, err));
  return TRIBO_OK;
}

/* A collider is given, not simulated; the air acts on what is solved for vertex by vertex. */
static tribo_status check_freedom(const tribo_object_def *def, tribo_error *err) {
  const double *v = def->object.velocity;
  bool given = !about(def)->simulated;
  if (given && (v[0] != 0 || v[1] != 0 || v[2] != 0))
    return refuse(err, def,
                  "velocity is (%g, %g, %g) m/s, but %s moves as its motion says; leave velocity "
                  "out, or give it a motion",
                  v[0], v[1], v[2], about(def)->article);
  const double *w = def->object.spin;
  if (given && (w[0] != 0 || w[1] != 0 || w[2] != 0))
    return refuse(err, def,
                  "spin is (%g, %g, %g) rad/s, but %s moves as its motion says; leave spin out, or "
                  "give it a motion",
                  w[0], w[1], w[2], about(def)->article);
  if (def->object.drag != 0 && !about(def)->feels_air)
    return refuse(err, def, "drag is %g, but %s does not feel the air; leave drag out",
                  def->object.drag, about(def)->article);
  return TRIBO_OK;
}

/* ---- surface and names ----------------------------------------------------------------------- */

static tribo_status check_shape(const tribo_object_def *def, tribo_error *err) {
  static const char *const words[] = {"plane", "sphere", "capsule", "box"};
  int contact = def->surface.contact;
  if (contact < TRIBO_CONTACT_PLANE || contact > TRIBO_CONTACT_BOX) return TRIBO_OK;
  const char *word = words[contact - TRIBO_CONTACT_PLANE];
  if (about(def)->deforms || def->motion.points)
    return refuse(err, def, "surface.contact is %s, but it deforms; use mls, mesh or auto", word);
  if (contact == TRIBO_CONTACT_PLANE && about(def)->simulated)
    return refuse(err, def,
                  "surface.contact is plane, which has no end and fits a collider only; use box, "
                  "mesh or auto");
  return TRIBO_OK;
}

static tribo_status check_word(const char *what, const char *word, tribo_error *err) {
  size_t length = strlen(word);
  if (length == 0)
    return status_fail(err, TRIBO_BAD_INPUT, "%s is empty; give a name or leave it out", what);
  if (length > LONGEST_WORD)
    return status_fail(err, TRIBO_BAD_INPUT, "%s '%.40s...' has %zu bytes; give at most %d", what,
                       word, length, LONGEST_WORD);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)word[i];
    if (c < 0x20 || c == 0x7f)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "%s holds the control character 0x%02x at byte %zu; remove it", what, c,
                         i);
  }
  return TRIBO_OK;
}

tribo_status scene_check_contact(const tribo_object_def *def, tribo_error *err) {
  TRY(check_motion(def, err));
  TRY(check_presence(def, err));
  TRY(check_freedom(def, err));
  TRY(check_shape(def, err));
  if (!def->material) return TRIBO_OK;
  tribo_status status = check_word("material", def->material, err);
  return status_prefix(err, status, "object '%s': ", def->name);
}

/* As numbers, so that -0 is 0. */
static bool same_numbers(const double a[3], const double b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

tribo_status scene_check_pair(const char *a, const char *b, const tribo_friction_params *friction,
                              tribo_error *err) {
  TRY(check_word("a of a friction pair", a, err));
  TRY(check_word("b of a friction pair", b, err));
  size_t count;
  const tribo_param_info *row = params_group("friction", &count);
  for (size_t i = 0; i < count; i++) {
    tribo_param_info here = row[i]; /* the table calls it by the scene's default */
    here.place = "";
    tribo_status status = params_check_row(&here, friction, err);
    if (status != TRIBO_OK) return status_prefix(err, status, "friction of '%s' and '%s': ", a, b);
  }
  tribo_status status = law_check(friction, err);
  if (status == TRIBO_OK && strcmp(a, b) == 0 &&
      !same_numbers(friction->tensor_a, friction->tensor_b))
    status = status_fail(err, TRIBO_BAD_INPUT,
                         "tensor_a and tensor_b differ, but both are of '%s'; give it one", a);
  return status_prefix(err, status, "friction of '%s' and '%s': ", a, b);
}
