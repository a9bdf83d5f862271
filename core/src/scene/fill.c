/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom/closed.h"
#include "geom/lattice.h"
#include "geom/orient.h"
#include "geom/tetrahedralise.h"
#include "geom/winding.h"
#include "scene/params.h"
#include "scene/scene.h"
#include "scene/scene_check.h"

#define refuse mesh_check_refuse

static tribo_status check_surface(const tribo_object_def *def, tribo_error *err) {
  if (!def->name || !*def->name)
    return status_fail(err, TRIBO_BAD_INPUT, "a surface to be filled has no name; give one");
  if (def->vertex_count == 0 || !def->positions || def->triangle_count == 0 || !def->triangles)
    return refuse(err, def, "it has no %s; a surface to be filled is made of them",
                  def->vertex_count == 0 || !def->positions ? "vertices" : "triangles");
  if (def->vertex_count > SCENE_MOST || def->triangle_count > SCENE_MOST)
    return refuse(err, def, "%zu vertices and %zu triangles are too many; a scene takes %zu",
                  def->vertex_count, def->triangle_count, SCENE_MOST);
  for (size_t v = 0; v < def->vertex_count; v++) {
    vec3 p = vec3_from(def->positions + 3 * v);
    if (!vec3_finite(p) || vec3_max_abs(p) > SCENE_FARTHEST)
      return refuse(err, def, "vertex %zu is (%g, %g, %g); keep every coordinate within %g m", v,
                    p.x, p.y, p.z, SCENE_FARTHEST);
  }
  for (size_t i = 0; i < def->triangle_count; i++) {
    const int32_t *t = def->triangles + 3 * i;
    for (int a = 0; a < 3; a++)
      if (t[a] < 0 || (size_t)t[a] >= def->vertex_count)
        return refuse(err, def, "triangle %zu uses vertex %d, but the object has %zu vertices", i,
                      t[a], def->vertex_count);
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
      return refuse(err, def, "triangle %zu uses vertex %d twice; remove it", i,
                    t[0] == t[1] ? t[0] : t[2]);
  }
  return TRIBO_OK;
}

/* Copies on the heap: what the caller keeps. */
static tribo_status hand_over(const vec3 *nodes, size_t node_count, const int32_t *tets,
                              size_t tet_count, int from, tribo_tets *out, tribo_error *err) {
  out->nodes = malloc(3 * (node_count + 1) * sizeof *out->nodes);
  out->tets = malloc(4 * (tet_count + 1) * sizeof *out->tets);
  if (!out->nodes || !out->tets) {
    fill_free(out);
    return status_no_memory(err, "tets");
  }
  memcpy(out->nodes, nodes, node_count * sizeof *nodes);
  memcpy(out->tets, tets, 4 * tet_count * sizeof *tets);
  out->node_count = node_count;
  out->tet_count = tet_count;
  out->from = from;
  return TRIBO_OK;
}

/* As the measure of what a direct solver takes; TetGen needs some gigabytes for them. */
enum { MOST_TETS = 4000000 };

/* Before TetGen begins: it would take the machine's memory. A surface that is not closed has other
 * faults, which it is told of in the course of things. */
static tribo_status check_estimate(const tribo_object_def *def, double size, tribo_error *err) {
  const vec3 *x = (const vec3 *)def->positions;
  double tets = tetrahedralise_estimate(x, def->triangles, def->triangle_count, size);
  tribo_error ignored;
  if (!(tets > MOST_TETS) ||
      closed_check(x, def->vertex_count, def->triangles, def->triangle_count, &ignored) != TRIBO_OK)
    return TRIBO_OK;
  double volume = closed_volume(x, def->triangles, def->triangle_count);
  double least = cbrt(6 * sqrt(2) * volume / MOST_TETS);
  if (size > 0)
    return refuse(err, def,
                  "tets.size of %g m would take about %.2g tets, more than %d; use %.3g m or more, "
                  "or set tets.from to 'lattice'",
                  size, tets, MOST_TETS, least);
  return refuse(err, def,
                "tets of the size that its triangles ask for (tets.size 0) would be about %.2g, "
                "more than %d; set tets.size to %.3g m or more, or tets.from to 'lattice'",
                tets, MOST_TETS, least);
}

/* The winding says nothing about where the inside of a closed surface is: one that is inside out,
 * as a mirrored mesh or one with flipped normals is, is filled as what it encloses. */
static tribo_status turn_outwards(tribo_object_def *def, arena *memory, tribo_error *err) {
  const vec3 *x = (const vec3 *)def->positions;
  if (!(closed_volume(x, def->triangles, def->triangle_count) < 0)) return TRIBO_OK;
  int32_t *turned = ARENA_ARRAY(memory, int32_t, 3 * def->triangle_count);
  if (!turned) return status_no_memory(err, "tets");
  for (size_t i = 0; i < def->triangle_count; i++) {
    turned[3 * i] = def->triangles[3 * i];
    turned[3 * i + 1] = def->triangles[3 * i + 2];
    turned[3 * i + 2] = def->triangles[3 * i + 1];
  }
  def->triangles = turned;
  return TRIBO_OK;
}

static tribo_status from_inside(const tribo_object_def *def, double size, arena *memory,
                                tribo_tets *out, tribo_error *err) {
  tetrahedra made;
  tribo_object_def outwards = *def;
  TRY(turn_outwards(&outwards, memory, err));
  TRY(tetrahedralise_surface(def->name, (const vec3 *)def->positions, def->vertex_count,
                             outwards.triangles, def->triangle_count, size, memory, &made, err));
  return hand_over(made.nodes, made.node_count, made.tets, made.tet_count, TRIBO_TETS_FILL, out,
                   err);
}

/* Whether there is anything to fill: a place just behind or before some triangle that the surface
 * wraps around. Behind an open sheet the winding number stays below 1/2. */
static tribo_status check_encloses(const tribo_object_def *def, arena *memory, tribo_error *err) {
  const vec3 *x = (const vec3 *)def->positions;
  int32_t *agreed;
  size_t turned;
  winding w;
  TRY(orient_surface(x, def->triangles, def->triangle_count, memory, &agreed, &turned, err));
  TRY(winding_build(x, agreed, def->triangle_count, memory, &w, err));
  for (size_t i = 0; i < def->triangle_count; i++) {
    const int32_t *t = agreed + 3 * i;
    vec3 normal = vec3_cross(vec3_sub(x[t[1]], x[t[0]]), vec3_sub(x[t[2]], x[t[0]]));
    vec3 step = vec3_scale(1e-3 * sqrt(vec3_norm(normal)), vec3_normalized(normal));
    vec3 middle = vec3_scale(1.0 / 3, vec3_add(x[t[0]], vec3_add(x[t[1]], x[t[2]])));
    /* 0.52: surely more than 1/2, rounding and far triangles included */
    if (fabs(winding_number(&w, vec3_sub(middle, step))) > 0.52 ||
        fabs(winding_number(&w, vec3_add(middle, step))) > 0.52)
      return TRIBO_OK;
  }
  return refuse(err, def,
                "its surface is open and encloses nothing, but a solid has an inside; close it, or "
                "make it a cloth");
}

/* As fine as what the surface shows, and no finer: cubes that nobody sees cost all the same. */
static int cells_for(const tribo_object_def *def, int asked) {
  enum { LEAST = 4, MOST = 20 };
  static const double AN_EDGE = 1.5;
  if (asked > 0) return asked;
  vec3 low = vec3_from(def->positions), high = low;
  double sum = 0;
  for (size_t i = 0; i < 3 * def->triangle_count; i++) {
    vec3 p = vec3_from(def->positions + 3 * def->triangles[i]);
    vec3 q = vec3_from(def->positions + 3 * def->triangles[i % 3 == 2 ? i - 2 : i + 1]);
    sum += vec3_norm(vec3_sub(p, q));
    low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
    high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
  }
  double longest = vec3_max_abs(vec3_sub(high, low));
  double edge = sum / (3 * (double)def->triangle_count);
  return edge > 0 ? (int)fmin(fmax(ceil(AN_EDGE * longest / edge), LEAST), MOST) : MOST;
}

static tribo_status from_lattice(const tribo_object_def *def, int asked, arena *memory,
                                 tribo_tets *out, tribo_error *err) {
  lattice made;
  int cells = cells_for(def, asked);
  TRY(check_encloses(def, memory, err));
  tasks one = {1}; /* the caller's threads are not known here; few lattices take a second */
  tribo_status status =
      lattice_build(&one, (const vec3 *)def->positions, def->vertex_count, def->triangles,
                    def->triangle_count, cells, memory, &made, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "object '%s': ", def->name);
  out->cells = cells;
  return hand_over(made.nodes, made.node_count, made.tets, made.tet_count, TRIBO_TETS_LATTICE, out,
                   err);
}

static tribo_status fill(const tribo_object_def *def, const tribo_fill_params *params,
                         arena *memory, tribo_tets *out, tribo_error *err) {
  if (params->from == TRIBO_TETS_LATTICE) return from_lattice(def, params->cells, memory, out, err);
  TRY(check_estimate(def, params->size, err));
  tribo_error why = {0};
  tribo_status status = from_inside(def, params->size, memory, out, &why);
  if (status == TRIBO_OK) return TRIBO_OK;
  /* Only the surface itself is a reason to turn to the lattice: what comes out must not depend on
   * the machine. */
  if (status != TRIBO_BAD_INPUT || params->from == TRIBO_TETS_FILL)
    return status_fail(err, status, "%s", why.message);
  TRY(from_lattice(def, params->cells, memory, out, err));
  memcpy(out->why, why.message, sizeof out->why);
  return TRIBO_OK;
}

tribo_status fill_tets(const tribo_object_def *surface, const tribo_fill_params *params,
                       tribo_tets *out, tribo_error *err) {
  *out = (tribo_tets){0};
  TRY(check_surface(surface, err));
  tribo_status status = params_check("fill", params, err);
  if (status != TRIBO_OK) return status_prefix(err, status, "object '%s': tets: ", surface->name);
  arena memory = {0};
  status = fill(surface, params, &memory, out, err);
  arena_free(&memory);
  return status;
}

void fill_free(tribo_tets *tets) {
  free(tets->nodes);
  free(tets->tets);
  *tets = (tribo_tets){0};
}

void fill_note(const tribo_tets *made, char out[TRIBO_MESSAGE_SIZE]) {
  out[0] = 0;
  if (*made->why)
    snprintf(out, TRIBO_MESSAGE_SIZE, "%.900s (it got a lattice of %d cells)", made->why,
             made->cells);
}

tribo_status fill_add(tribo_scene *scene, const tribo_object_def *surface,
                      const tribo_fill_params *params, size_t *index, tribo_error *err) {
  tribo_tets made;
  TRY(fill_tets(surface, params, &made, err));
  tribo_object_def solid = *surface;
  solid.cage = made.nodes;
  solid.cage_count = made.node_count;
  solid.tets = made.tets;
  solid.tet_count = made.tet_count;
  size_t number;
  char note[TRIBO_MESSAGE_SIZE];
  fill_note(&made, note);
  tribo_status status = scene_add(scene, &solid, &number, err);
  if (status == TRIBO_OK && *note) status = scene_add_note(scene, number, note, err);
  if (status == TRIBO_OK && index) *index = number;
  fill_free(&made);
  return status;
}
